//! Where values come from, followed through a watched run instruction by instruction.
//!
//! Every register, variable and place of a collection has a node of a graph ([`nodes`]), stored in [`shadow`]. An
//! instruction joins the nodes of what it reads to that of what it writes ([`operands`], [`natives`]); so a value
//! keeps its origin through variables, arguments, results and collections, and what was not evaluated has no part in it.
//! The conditions that decide whether an instruction runs ([`regions`]) are indirect dependencies of what it writes. A write to a
//! place and a guess are *definitions* ([`definitions`]): the leaves of the graph, and what people see.

mod arranging;
mod collections;
mod control;
mod definitions;
mod looking;
mod natives;
mod nodes;
mod number_set;
mod operands;
mod origin_watcher;
mod regions;
mod searches;
mod shadow;
mod statement;
mod writes;

use std::sync::Arc;

use self::collections::is_alive;
use self::control::Control;
pub use self::definitions::{Definition, DefinitionTarget, Part};
use self::definitions::{Definitions, Dependencies};
use self::natives::{CollectionChange, OfferedOrigins};
use self::nodes::{GraphSize, NOWHERE, Node, Nodes};
use self::operands::PendingOp;
pub use self::origin_watcher::OriginWatcher;
use self::regions::Regions;
use self::searches::OpenSearch;
use self::shadow::{Cell, Shadow};
use self::statement::BoardStatement;
use super::EventPoint;
use crate::machine::Machine;
use ndscript_base::keyed::KeyedMap;
use ndscript_bytecode::{Code, Destination, Flow};
use ndscript_heap::{Kind, Value};

/// The heights of all lists at a choice.
#[derive(Clone, Copy, Debug)]
struct Mark {
    log: usize,
    definitions: u32,
    nodes: GraphSize,
    controls: usize,
    control: u32,
    call: u32,
    alternatives: usize,
    /// The instruction that chose.
    at: u32,
    offered: OfferedOrigins,
}

/// A built-in has found a collection empty.
#[derive(Clone, Copy, Debug)]
struct FoundEmpty {
    /// The instruction after it.
    next: u32,
    collection: Value,
    /// The register that it is in.
    register: usize,
}

/// The known origins of values.
#[derive(Clone, Debug)]
pub struct Origins {
    /// The variable whose writes are definitions.
    variable: Arc<str>,
    most_bytes: usize,
    nodes: Nodes,
    definitions: Definitions,
    shadow: Shadow,
    regions: Regions,
    /// The innermost decision is `control`; the first is none.
    controls: Vec<Control>,
    control: u32,
    /// This many of those are needed to go back to a choice.
    controls_of_choice: usize,
    marks: KeyedMap<u64, Mark>,
    choices: u64,
    depth: usize,
    call: u32,
    calls: u32,
    pending: PendingOp,
    statement: BoardStatement,
    /// The register that a variable was read into last, and where the variable is stored.
    loaded: Option<(usize, Cell)>,
    /// The collection found empty last.
    found_empty: Option<FoundEmpty>,
    /// The running searches of built-ins, the innermost last.
    searches: Vec<OpenSearch>,
    /// For the search that has ended last: the origins of its results, and the definitions made for them, in order.
    results: Vec<Node>,
    redone: Vec<(DefinitionTarget, u32)>,
    /// The origin of the changes that are repeated for the cheapest branch.
    best: Option<Node>,
    /// How often garbage was collected.
    collections: u64,
    is_full: bool,
    /// Whether the run was stopped for that.
    has_stopped: bool,
}

impl Origins {
    /// Starts without origins. The writes to variables named `variable` are definitions, and at most `most_bytes` are
    /// used.
    pub fn new(variable: &str, most_bytes: usize) -> Origins {
        Origins {
            variable: variable.into(),
            most_bytes,
            nodes: Nodes::default(),
            definitions: Definitions::default(),
            shadow: Shadow::default(),
            regions: Regions::default(),
            controls: vec![Control::none()],
            control: 0,
            controls_of_choice: 0,
            marks: KeyedMap::default(),
            choices: 0,
            depth: 0,
            call: 0,
            calls: 0,
            pending: PendingOp::default(),
            statement: BoardStatement::default(),
            loaded: None,
            found_empty: None,
            searches: Vec::new(),
            results: Vec::new(),
            redone: Vec::new(),
            best: None,
            collections: 0,
            is_full: false,
            has_stopped: false,
        }
    }

    /// Whether the run continues despite the memory used: it stops once, when there is too much.
    fn may_continue(&mut self) -> bool {
        let continues = !self.is_full || self.has_stopped;
        self.has_stopped |= self.is_full;
        continues
    }

    /// Whether there were more definitions or bytes than are stored.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    pub fn definitions(&self) -> &[Definition] {
        self.definitions.list()
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.definitions.bytes()
            + self.shadow.bytes()
            + self.controls.capacity() * size_of::<Control>()
            + self.marks.capacity() * (size_of::<Mark>() + 16)
    }

    /// Called before an instruction.
    fn begin(&mut self, machine: &Machine, code: &Code) {
        if self.is_full {
            return;
        }
        if machine.choices.height() == 0 && self.shadow.has_choices() {
            self.shadow.drop_choices();
            self.marks.clear();
            self.controls_of_choice = 0;
        }
        if machine.statistics.collections != self.collections {
            self.collections = machine.statistics.collections;
            self.shadow
                .retain_collections(|value| is_alive(machine, value));
            self.definitions
                .retain_collections(|value| is_alive(machine, value));
        }
        self.follow_calls(machine.depth as usize, NOWHERE);
        self.leave_regions(machine.pc);
        self.pending = self.look_at(machine, code);
    }

    /// Called after an instruction was carried out.
    fn end(&mut self, machine: &Machine, code: &Code, at: EventPoint) {
        if self.is_full {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        let is_same = machine.depth as usize == self.depth;
        if machine.depth as usize != self.depth {
            self.follow_calls(machine.depth as usize, pending.callee);
        }
        self.loaded = pending.loaded.or(self.loaded).filter(|_| is_same);
        self.carry_out(machine, code, at, &pending, is_same);
        if is_same {
            self.decide(machine, code, &pending);
        }
        self.pending = pending;
        if let Some(node) = self.best.take() {
            (self.pending.value, self.pending.changed) = (node, Some(CollectionChange::All));
        }
        self.is_full |= self.definitions.is_full() || self.bytes() > self.most_bytes;
    }

    /// A choice point was made.
    fn chosen(&mut self, id: u64, alternatives: usize) {
        self.choices += 1;
        let log = self.shadow.begin_choice(self.choices);
        let mark = Mark {
            log,
            definitions: self.definitions.len(),
            nodes: self.nodes.extent(),
            controls: self.controls.len(),
            control: self.control,
            call: self.call,
            alternatives,
            at: self.pending.pc,
            offered: self.pending.offered,
        };
        self.controls_of_choice = mark.controls;
        self.marks.insert(id, mark);
        self.search_chooses(id, mark.offered.all);
    }

    /// An alternative is taken.
    fn taken(&mut self, machine: &Machine, at: EventPoint, id: u64, number: usize) {
        let Some(mark) = self.marks.get(&id).copied() else {
            return;
        };
        if number > 0 {
            self.search_goes_back(id);
            self.pending = PendingOp::default();
            self.shadow.go_back(mark.log);
            self.loaded = None;
            self.nodes.cut_back(mark.nodes);
            self.definitions.cut_back(mark.definitions);
            self.controls.truncate(mark.controls);
            (self.control, self.call, self.depth) =
                (mark.control, mark.call, machine.depth as usize);
            let is_last = number + 1 >= mark.alternatives;
            self.marks
                .retain(|known, _| *known < id || *known == id && !is_last);
            self.controls_of_choice = self
                .marks
                .values()
                .map(|mark| mark.controls)
                .max()
                .unwrap_or(0);
            self.search_has_gone_back();
            self.choices += 1;
            self.shadow.begin_choice(self.choices);
        }
        // The beginning and the end of a built-in's search are no guesses.
        if machine.search_in_words(number).is_some() {
            return;
        }
        let code = &machine.context.code;
        let Some(op) = code.ops.get(mark.at as usize) else {
            return;
        };
        let guessed = match op.destination() {
            Destination::Register(to) => Some(machine.get(to)),
            _ => None,
        };
        let from = guessed.map_or_else(Vec::new, |guessed| {
            self.offered(machine, mark.offered, guessed)
        });
        let definition = self.add_write(
            at,
            DefinitionTarget::Guess,
            Dependencies {
                from,
                guessed,
                ..Dependencies::default()
            },
            None,
        );
        let node = self.nodes.definition(definition);
        match (op.flow(), op.destination()) {
            (Flow::Branch(_), _) => {
                let until = self.regions.end_of(code, mark.at);
                self.begin_region(mark.at, until, node);
            }
            (_, Destination::Register(to)) => {
                self.shadow
                    .set(Cell::Register(machine.base as usize + to as usize), node);
            }
            _ => {}
        }
    }

    /// The origins of the alternatives, as far as they matter for the chosen value. For candidates of a place,
    /// removed ones do not count.
    fn offered(&mut self, machine: &Machine, offered: OfferedOrigins, value: Value) -> Vec<u32> {
        let OfferedOrigins {
            elements,
            all,
            loose,
        } = offered;
        let node = elements.map_or(all, |elements| self.picked(machine, elements, value, all));
        let is_of_set = elements.is_none_or(|elements| elements.is_kind(Kind::Set));
        let [node, loose] = [node, loose].map(|node| self.nodes.find(node));
        let wholes = node
            .wholes
            .iter()
            .chain(&loose.wholes)
            .flat_map(|whole| self.put_into(*whole));
        let definitions = self.definitions.list();
        let leading = node
            .leading
            .iter()
            .filter(|number| definitions[**number as usize].to == DefinitionTarget::Guess);
        let all = [&node.parts, &node.deciding, &loose.parts]
            .into_iter()
            .flatten()
            .chain(leading)
            .copied();
        let mut from = Vec::new();
        for number in all.chain(wholes) {
            match definitions[number as usize].narrowed.filter(|_| is_of_set) {
                Some(node) => from.extend(self.reasons_of(node)),
                None => from.push(number),
            }
        }
        // Constants of the program alone do not count.
        from.retain(|number| {
            definitions[*number as usize].to.is_beginning()
                || !definitions[*number as usize].from.is_empty()
        });
        from.sort_unstable_by(|a, b| b.cmp(a));
        from.dedup();
        from
    }
}
