//! A check for tests: a failure restores exactly the state in which the choice point was made.
//!
//! Hashed are all values that the program can reach from registers, frames, globals and the output, by content; not
//! the random state, the fuel, the tables of interned values, and unused registers.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use ndscript_base::keyed::KeyedSet;

use super::machine::Machine;
use ndscript_heap::{Kind, Value};

/// Hashes of the state at choice points.
#[derive(Clone, Debug, Default)]
pub struct States {
    /// The hash at each open one.
    open: Vec<u64>,
    /// The hash of all, in order.
    all: u64,
}

impl Machine {
    /// From now on compares the state at each failure with the state at the choice point, and panics if they differ.
    pub fn verify_backtracking(&mut self) {
        self.verified = Some(States::default());
    }

    /// A number for the states at all choice points since then.
    pub fn states(&self) -> u64 {
        self.verified.as_ref().map_or(0, |states| states.all)
    }

    /// Records the state at the latest choice point, for [`Machine::compare_state`]. Only tests turn this on.
    pub(super) fn record_state(&mut self) {
        if self.verified.is_some() {
            let live_registers = self
                .choices
                .latest()
                .map_or(0, |choice| self.live_of(choice));
            let hash = self.state_hash(live_registers);
            let height = self.choices.height();
            if let Some(states) = &mut self.verified {
                states.open.truncate(height - 1);
                states.open.resize(height - 1, 0);
                states.open.push(hash);
                states.all = states.all.rotate_left(5) ^ hash;
            }
        }
    }

    /// Checks that a failure has restored the state of its choice point.
    pub(super) fn compare_state(&self, choice: usize) {
        if let Some(expected) = self
            .verified
            .as_ref()
            .and_then(|states| states.open.get(choice))
        {
            let found = self.state_hash(
                self.choices
                    .point(choice)
                    .map_or(0, |choice| self.live_of(&choice)),
            );
            assert_eq!(
                *expected, found,
                "a failure did not restore the state of choice point {choice}"
            );
        }
    }

    /// A hash of all that the program can see, with the registers of the running function below `live_registers`.
    fn state_hash(&self, live_registers: usize) -> u64 {
        let mut hasher = DefaultHasher::new();
        let mut work: Vec<Value> = Vec::new();
        let base = self.base as usize;
        let code = &self.context.code;
        let closure = |pc: u32, base: usize| {
            let captures = !code.functions[code.function_at(pc) as usize]
                .captures
                .is_empty();
            captures.then(|| self.stack[base])
        };
        work.extend_from_slice(&self.stack[base + 1..base + live_registers.max(1)]);
        let mut end = base;
        for frame in self.frames[..self.depth as usize].iter().rev() {
            (frame.pc, frame.base).hash(&mut hasher);
            let start = frame.base as usize;
            work.extend_from_slice(&self.stack[(start + 1).min(end)..end]);
            work.extend(closure(frame.pc - 1, start));
            end = start;
        }
        (self.base, self.choices.barriers().len()).hash(&mut hasher);
        work.extend(closure(self.pc - 1, base));
        work.extend(self.context.heap.globals.iter().map(|global| global.value));
        work.push(self.context.heap.spent);
        work.push(self.context.heap.rule_name);
        self.context.output.text.hash(&mut hasher);
        self.context.output.pictures.len().hash(&mut hasher);
        let mut seen = KeyedSet::default();
        while let Some(value) = work.pop() {
            value.bits().hash(&mut hasher);
            if seen.insert(value) {
                self.hash_content(value, &mut hasher, &mut work);
            }
        }
        hasher.finish()
    }

    /// Hashes the content of a value, and puts its parts on the list of work.
    fn hash_content(&self, value: Value, hasher: &mut DefaultHasher, work: &mut Vec<Value>) {
        let heap = &self.context.heap;
        let handle = value.payload();
        if matches!(value.kind(), Kind::Array | Kind::Grid | Kind::Object)
            && let Some(board) = heap.constrained(value)
        {
            heap.constraint_count(board).hash(hasher);
            work.extend(heap.values_of_board(board));
        }
        match value.kind() {
            Kind::Array => {
                let array = &heap.arrays[handle];
                match array.view() {
                    Some(view) => {
                        let grid = &heap.grids[view.grid];
                        let cells = grid.undecided_then(view.version);
                        work.extend(cells.into_iter().filter_map(|cell| grid.position_of(cell)));
                    }
                    None => work.extend_from_slice(array.slots.values()),
                }
                (heap.array_len(handle), array.is_frozen()).hash(hasher);
            }
            Kind::Grid => {
                let cells = heap.grids[handle].slots.values();
                work.extend_from_slice(cells);
                if let Some(index) = heap.grids[handle].undecided_cells() {
                    let by_cells: Vec<usize> = (0..cells.len())
                        .filter(|cell| heap.is_undecided(cells[*cell]))
                        .collect();
                    assert_eq!(index, by_cells, "the index of undecided cells is wrong");
                }
            }
            Kind::Object => work.extend_from_slice(heap.slots_of(value)),
            Kind::Queue => work.extend(heap.queues[handle].list(heap)),
            Kind::Variable => work.push(heap.variables[handle].value),
            Kind::Function => work.extend_from_slice(&heap.functions[handle].captured),
            Kind::Host => {
                let mut text = String::new();
                heap.show_host(value, &mut text);
                (text, heap.host_bytes(value)).hash(hasher);
            }
            Kind::Method => work.push(Value::handle(Kind::Host, handle)),
            _ => {}
        }
    }
}
