//! Looking back from the current position: the definitions behind the value of a variable or a place.

use super::Origins;
use super::nodes::Node;
use super::shadow::Cell;
use crate::host::variables::CallAt;
use crate::machine::Machine;
use ndscript_bytecode::Home;
use ndscript_heap::{Kind, Value};

/// A variable is looked up in at most this many calls, and at most this many places are explained.
const CALLS: usize = 16;
pub const MOST_PLACES: usize = 200;

impl Origins {
    /// The definitions of the variable with this name, the latest first; or what its value came from if there are none.
    pub fn of_variable(&self, machine: &Machine, name: &str) -> Vec<u32> {
        let calls = machine.calls(CALLS);
        let found = calls.iter().enumerate().find_map(|(number, call)| {
            let (cell, _) = cell_of_call(machine, call, name)?;
            Some((cell, number))
        });
        let cell = found.map(|found| found.0).or_else(|| global(machine, name));
        let Some(cell) = cell else { return Vec::new() };
        let call = if matches!(cell, Cell::Register(_)) {
            self.call_of(machine, cell)
        } else {
            0
        };
        match self.shadow.latest(cell, call) {
            Some(definition) => self.with_those_before(definition),
            None => self.found(self.shadow.get(cell)),
        }
    }

    /// The definitions of a place of a collection, the latest first; or what its value came from if there are none.
    pub fn of_place(&self, collection: Value, place: usize) -> Vec<u32> {
        let Some(node) = self.shadow.place(collection, place) else {
            return Vec::new();
        };
        match self.nodes.as_definition(node) {
            Some(definition) => self.with_those_before(definition),
            None => self.found(node),
        }
    }

    pub(super) fn found(&self, node: Node) -> Vec<u32> {
        let mut all = self.reasons_of(node);
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.dedup();
        all
    }

    fn with_those_before(&self, definition: u32) -> Vec<u32> {
        let before = |number: &u32| self.definitions.list()[*number as usize].before;
        std::iter::successors(Some(definition), before)
            .take(MOST_PLACES)
            .collect()
    }

    /// The number of the call that a register belongs to.
    fn call_of(&self, machine: &Machine, cell: Cell) -> u32 {
        let Cell::Register(at) = cell else { return 0 };
        if at >= machine.base as usize {
            return if machine.depth == 0 { 0 } else { self.call };
        }
        let waiting = machine.frames[..machine.depth as usize]
            .iter()
            .enumerate()
            .rev();
        let own = waiting
            .map(|(depth, frame)| (depth, frame.base as usize))
            .find(|(_, base)| at >= *base);
        own.map_or(0, |(depth, _)| self.shadow.frame(depth).call)
    }
}

/// Where the variable lives that a name means in a call, and whether it has its first value there and then.
pub fn cell_of(machine: &Machine, call: &CallAt, name: &str) -> Option<(Cell, bool)> {
    cell_of_call(machine, call, name).or_else(|| Some((global(machine, name)?, false)))
}

/// Where a call stores the variable of this name, and whether the variable begins to exist at this instruction.
fn cell_of_call(machine: &Machine, call: &CallAt, name: &str) -> Option<(Cell, bool)> {
    let function = machine.function_of(call.function);
    let at = call.at - function.entry;
    let register = |register: u8| machine.stack[call.base as usize + register as usize];
    let lives = |variable: &&ndscript_bytecode::Local| {
        *variable.name == *name && (variable.born..variable.gone).contains(&at)
    };
    if let Some(variable) = function.variables.iter().rev().find(lives) {
        let is_born = variable.born == at;
        let cell = match variable.home {
            Home::Register(at) => Cell::Register(call.base as usize + at as usize),
            Home::Box(at) => Cell::Place(register(at), 0),
            Home::Spilled {
                register: at,
                index,
            } => Cell::Place(register(at), index as usize),
            Home::SpilledBox {
                register: at,
                index,
            } => {
                let array = register(at).handle_of(Kind::Array)?;
                Cell::Place(
                    machine.context.heap.arrays[array]
                        .slots
                        .get(index as usize)?,
                    0,
                )
            }
        };
        return Some((cell, is_born));
    }
    let index = function
        .capture_names
        .iter()
        .position(|known| **known == *name)?;
    let closure = machine.stack[call.base as usize];
    let captured = machine.context.heap.functions[closure.handle_of(Kind::Function)?]
        .captured
        .get(index)
        .copied()?;
    let is_box = captured.is_kind(Kind::Variable);
    Some((
        if is_box {
            Cell::Place(captured, 0)
        } else {
            Cell::Place(closure, index)
        },
        false,
    ))
}

fn global(machine: &Machine, name: &str) -> Option<Cell> {
    let globals = &machine.context.code.globals;
    let slot = globals.iter().position(|global| *global.name == *name)?;
    Some(match globals[slot].register {
        Some(register) => Cell::Register(register as usize),
        None => Cell::Global(slot),
    })
}
