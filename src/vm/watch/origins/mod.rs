//! Where values come from, followed through a watched run instruction by instruction.
//!
//! Every register, variable and place of a collection has a node of a graph ([`nodes`]) beside it ([`shadow`]). An instruction
//! joins the nodes of what it reads to that of what it writes ([`operands`], [`natives`]); so a value keeps where it comes from on its way
//! through variables, arguments, results and collections, and what was not evaluated has no part. What decides whether an
//! instruction runs ([`regions`]) has a part in what it writes, too, if a looser one. A write to a place and a guess are
//! *deeds* ([`deeds`]): the leaves of the graph, and what people are told of.

mod deeds;
mod natives;
mod nodes;
mod operands;
mod regions;
mod shadow;
mod traced;

use std::collections::HashMap;
use std::sync::Arc;

use self::deeds::Deeds;
pub use self::deeds::{Deed, Part, To};
use self::nodes::{Extent, NOWHERE, Node, Nodes, Whole};
use self::operands::Pending;
use self::regions::{NEVER, Regions};
use self::shadow::{Cell, Frame, Shadow};
pub use self::traced::Traced;
use super::At;
use crate::bytecode::{Code, Destination, Flow, Home};
use crate::source::Span;
use crate::value::{Kind, Value};
use crate::vm::machine::Machine;
use crate::vm::variables::CallAt;

/// What decides, up to an instruction of the running function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Control {
    outer: u32,
    /// Where it decided, and up to where.
    at: u32,
    until: u32,
    /// It and what decides around it in the same call.
    node: Node,
    /// What is inside runs in a call that was made there.
    is_call: bool,
}

/// How everything stood at a choice.
#[derive(Clone, Copy, Debug)]
struct Mark {
    log: usize,
    deeds: u32,
    nodes: Extent,
    controls: usize,
    control: u32,
    call: u32,
    alternatives: usize,
    /// The instruction that chose.
    at: u32,
}

/// What is known of where values come from.
#[derive(Clone, Debug)]
pub struct Origins {
    /// The variable whose writes are deeds.
    asked: Arc<str>,
    most_bytes: usize,
    nodes: Nodes,
    deeds: Deeds,
    shadow: Shadow,
    regions: Regions,
    /// The innermost of what decides is `control`; the first is nothing.
    controls: Vec<Control>,
    control: u32,
    marks: HashMap<u64, Mark>,
    choices: u64,
    depth: usize,
    call: u32,
    calls: u32,
    pending: Pending,
    /// The register that a variable was read into last, and where that lives.
    loaded: Option<(usize, Cell)>,
    /// How often garbage was collected.
    collections: u64,
    is_full: bool,
    /// Whether the run was stopped for that.
    has_stopped: bool,
}

impl Origins {
    /// Nothing is known yet. The writes to the variables of one name are deeds, and so much memory may be used.
    pub fn new(asked: &str, most_bytes: usize) -> Origins {
        let none = Control { outer: 0, at: NEVER, until: NEVER, node: NOWHERE, is_call: true };
        Origins {
            asked: asked.into(),
            most_bytes,
            nodes: Nodes::default(),
            deeds: Deeds::default(),
            shadow: Shadow::default(),
            regions: Regions::default(),
            controls: vec![none],
            control: 0,
            marks: HashMap::new(),
            choices: 0,
            depth: 0,
            call: 0,
            calls: 0,
            pending: Pending::default(),
            loaded: None,
            collections: 0,
            is_full: false,
            has_stopped: false,
        }
    }

    /// Whether the run goes on for all that is kept: it stops once, when there is too much.
    fn lets_go_on(&mut self) -> bool {
        let lets = !self.is_full || self.has_stopped;
        self.has_stopped |= self.is_full;
        lets
    }

    /// Whether there was too much to be kept.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    pub fn deeds(&self) -> &[Deed] {
        self.deeds.list()
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.deeds.bytes()
            + self.shadow.bytes()
            + self.controls.capacity() * size_of::<Control>()
            + self.marks.capacity() * (size_of::<Mark>() + 16)
    }

    /// What comes before an instruction.
    fn begin(&mut self, machine: &Machine, code: &Code) {
        if self.is_full {
            return;
        }
        if machine.choices.height() == 0 && self.shadow.has_choices() {
            self.shadow.forget_choices();
            self.marks.clear();
        }
        if machine.statistics.collections != self.collections {
            self.collections = machine.statistics.collections;
            self.shadow.retain_collections(|value| is_alive(machine, value));
            self.deeds.retain_collections(|value| is_alive(machine, value));
        }
        self.follow_calls(machine.depth as usize);
        self.leave_regions(machine.pc);
        self.pending = self.look_at(machine, code);
    }

    /// What comes behind an instruction that was carried out.
    fn end(&mut self, machine: &Machine, code: &Code) {
        if self.is_full {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        let is_same = machine.depth as usize == self.depth;
        if machine.depth as usize != self.depth {
            self.follow_calls(machine.depth as usize);
        }
        self.loaded = pending.loaded.or(self.loaded).filter(|_| is_same);
        self.carry_out(machine, code, &pending, is_same);
        if is_same {
            self.decide(machine, code, &pending);
        }
        self.pending = pending;
        self.is_full |= self.deeds.is_full() || self.bytes() > self.most_bytes;
    }

    /// Calls may have been made, or have returned.
    fn follow_calls(&mut self, depth: usize) {
        while self.depth < depth {
            self.shadow.set_frame(self.depth, Frame { control: self.control, call: self.call });
            self.depth += 1;
            self.calls += 1;
            self.call = self.calls;
            let outer = self.control;
            if self.controls[outer as usize].at != NEVER || !self.controls[outer as usize].is_call {
                self.push_control(Control { outer, at: NEVER, until: NEVER, node: NOWHERE, is_call: true });
            }
        }
        if self.depth > depth {
            let frame = self.shadow.frame(depth);
            (self.control, self.call, self.depth) = (frame.control, frame.call, depth);
        }
    }

    fn push_control(&mut self, control: Control) {
        if self.controls.last() != Some(&control) {
            self.controls.push(control);
        }
        self.control = (self.controls.len() - 1) as u32;
    }

    fn control(&self) -> Control {
        self.controls[self.control as usize]
    }

    /// What decides that the running call does what it does.
    fn deciding(&self) -> Node {
        self.control().node
    }

    fn leave_regions(&mut self, pc: u32) {
        while self.control().until == pc {
            self.control = self.control().outer;
        }
    }

    /// An instruction that decides where to go on has gone on.
    fn decide(&mut self, machine: &Machine, code: &Code, pending: &Pending) {
        if !matches!(pending.op.flow(), Flow::MayJump(_) | Flow::Jump(_)) {
            return;
        }
        if machine.pc <= pending.pc {
            // The next turn of a loop: what decided in the turn before does not any more.
            while (machine.pc..=pending.pc).contains(&self.control().at) {
                self.control = self.control().outer;
            }
        }
        if pending.condition != NOWHERE {
            self.decided_by(code, pending.pc, pending.condition);
        }
    }

    /// What runs from here on, up to where it makes no difference, runs because of a value.
    fn decided_by(&mut self, code: &Code, at: u32, condition: Node) {
        let until = self.regions.end_of(code, at);
        if until == at + 1 {
            return;
        }
        let is_prelude = code.functions[code.function_at(at) as usize].prelude;
        // What decides within a built-in is how the built-in computes.
        let condition = if is_prelude { condition } else { self.nodes.deciding(condition) };
        let node = self.nodes.both(self.deciding(), condition);
        self.push_control(Control { outer: self.control, at, until, node, is_call: false });
    }

    /// A choice point was made.
    fn chosen(&mut self, id: u64, alternatives: usize) {
        self.choices += 1;
        let log = self.shadow.begin_choice(self.choices);
        let mark = Mark {
            log,
            deeds: self.deeds.len(),
            nodes: self.nodes.extent(),
            controls: self.controls.len(),
            control: self.control,
            call: self.call,
            alternatives,
            at: self.pending.pc,
        };
        self.marks.insert(id, mark);
    }

    /// An alternative is taken.
    fn taken(&mut self, machine: &Machine, at: At, id: u64, number: usize) {
        let Some(mark) = self.marks.get(&id).copied() else { return };
        if number > 0 {
            self.shadow.go_back(mark.log);
            self.loaded = None;
            self.nodes.cut_back(mark.nodes);
            self.deeds.cut_back(mark.deeds);
            self.controls.truncate(mark.controls);
            (self.control, self.call, self.depth) = (mark.control, mark.call, machine.depth as usize);
            let is_last = number + 1 >= mark.alternatives;
            self.marks.retain(|known, _| *known < id || *known == id && !is_last);
            self.choices += 1;
            self.shadow.begin_choice(self.choices);
        }
        // That the search of a built-in begins or ends is no guess.
        if machine.search_in_words(number).is_some() {
            return;
        }
        let deed = self.do_it(at, To::Guess, Vec::new(), None);
        let node = self.nodes.deed(deed);
        let code = &machine.context.code;
        let Some(op) = code.ops.get(mark.at as usize) else { return };
        match (op.flow(), op.destination()) {
            (Flow::Branch(_), _) => {
                let until = self.regions.end_of(code, mark.at);
                let node = self.nodes.both(self.deciding(), node);
                self.push_control(Control { outer: self.control, at: mark.at, until, node, is_call: false });
            }
            (_, Destination::Register(to)) => {
                self.shadow.set(Cell::Register(machine.base as usize + to as usize), node);
            }
            _ => {}
        }
    }

    fn do_it(&mut self, at: At, to: To, from: Vec<u32>, before: Option<u32>) -> u32 {
        let from = from.into_boxed_slice();
        self.deeds.push(Deed { when: at.when, span: at.span.filter(|span| *span != Span::default()), to, from, before })
    }

    /// What a deed came from: what the value was computed from, and, if it says anything more, what decided on it. That a
    /// place depends on what it held `before` says nothing.
    fn sources(&self, value: Node, index: Node, before: Option<u32>) -> Vec<u32> {
        let [value, index] = [value, index].map(|node| self.nodes.find(node));
        let is_own = |number: &u32| before.is_some_and(|before| self.deeds.is_at_or_before(*number, before));
        let add = |all: &mut Vec<u32>, more: &[u32]| {
            more.iter().filter(|number| !is_own(number)).for_each(|number| {
                if !all.contains(number) {
                    all.push(*number);
                }
            });
        };
        let add_wholes = |all: &mut Vec<u32>, wholes: &[u32]| {
            wholes.iter().for_each(|whole| add(all, &self.put_into(*whole)));
        };
        let mut found = Vec::new();
        add(&mut found, &value.parts);
        add_wholes(&mut found, &value.wholes);
        let deciding = self.nodes.find(self.deciding());
        let mut looser = Vec::new();
        add(&mut looser, &value.deciding);
        add(&mut looser, &deciding.parts);
        add(&mut looser, &deciding.deciding);
        // What led to a place says something if it was guessed, or if nothing else is known.
        let mut leading = Vec::new();
        [&value.leading, &index.parts, &deciding.leading].into_iter().for_each(|more| add(&mut leading, more));
        let is_known = !found.is_empty() || !looser.is_empty();
        leading.retain(|number| !is_known || self.deeds.list()[*number as usize].to == To::Guess);
        add(&mut looser, &leading);
        looser.sort_unstable_by(|a, b| b.cmp(a));
        for number in looser {
            if !found.contains(&number) && !self.is_told_by(&found, number) {
                found.push(number);
            }
        }
        if found.is_empty() {
            add_wholes(&mut found, &value.deciding_wholes);
            add(&mut found, &index.all());
            add_wholes(&mut found, &index.wholes);
            add_wholes(&mut found, &index.deciding_wholes);
        }
        let mut control = self.control;
        while found.is_empty() {
            let Control { outer, node, .. } = self.controls[control as usize];
            let deciding = self.nodes.find(node);
            add(&mut found, &deciding.all());
            add_wholes(&mut found, &deciding.wholes);
            add_wholes(&mut found, &deciding.deciding_wholes);
            if control == 0 {
                break;
            }
            control = outer;
        }
        found
    }

    /// What was put into a collection that was looked at as a whole.
    fn put_into(&self, whole: u32) -> Vec<u32> {
        let Whole { collection, deeds, places } = self.nodes.looked_at(whole);
        let mut all = self.deeds.put_into(*collection, *deeds);
        for place in places {
            let found = self.nodes.find(*place);
            all.extend(if found.parts.is_empty() { found.all() } else { found.parts });
        }
        all
    }

    /// Whether what decided is told by what else is known: what is known came from it, or is what the same place held later.
    fn is_told_by(&self, known: &[u32], number: u32) -> bool {
        known.iter().any(|known| self.deeds.is_at_or_before(number, *known)) || self.deeds.came_from(known, number)
    }

    /// A place of a collection was written to, which its statement has made of what is pending.
    fn wrote_part(&mut self, machine: &Machine, at: At, collection: Value, key: Value) {
        let Some(place) = machine.place_of_key(collection, key) else { return };
        let Some(part) = part_of(machine, key) else { return };
        let removals = machine.context.heap.removals(collection, place);
        let by_constraints = removals.iter().any(|removal| removal.constraint.is_some());
        let is_own = !by_constraints || removals.iter().any(|removal| removal.constraint.is_none());
        let to = To::Part(collection, part);
        let cell = Cell::Place(collection, place);
        let old = self.shadow.get(cell);
        let before = self.nodes.as_deed(old);
        let (value, index) = (self.pending.value, self.pending.index);
        let mut from = if is_own { self.sources(value, index, before) } else { Vec::new() };
        if by_constraints {
            for (other, _) in removals.iter().flat_map(|removal| &removal.from) {
                let deed = self.shadow.place(collection, *other).map(|node| self.nodes.find(node).parts);
                let deed = deed.and_then(|parts| parts.first().copied());
                from.extend(deed.filter(|_| *other != place));
            }
            // A constraint on the whole board names no places: what the same instruction has taken away led there.
            if removals.iter().any(|removal| removal.constraint.is_some() && removal.from.is_empty()) {
                let same = self.deeds.list().iter().enumerate().rev().take_while(|(_, deed)| deed.when == at.when);
                let same = same.filter(|(_, deed)| matches!(deed.to, To::Part(other, _) if other == collection));
                from.extend(same.map(|(number, _)| number as u32));
            }
            from.sort_unstable_by(|a, b| b.cmp(a));
            from.dedup();
        }
        let deed = self.do_it(at, to, from, before);
        let node = self.nodes.deed(deed);
        self.become_deed(value, old, node);
        self.shadow.set(cell, node);
    }

    /// A variable that was computed from what a place held, and is put there now, is what the place holds: what comes of it later is
    /// told best by that deed.
    fn become_deed(&mut self, value: Node, old: Node, node: Node) {
        let is_from_there = match self.nodes.as_deed(old) {
            Some(before) => self.nodes.find(value).parts.contains(&before),
            None => {
                let untouched = self.nodes.find(old).untouched;
                let found = self.nodes.find(value).untouched;
                untouched.iter().any(|node| found.contains(node))
            }
        };
        let Some(from) = self.pending.from.filter(|_| is_from_there) else { return };
        self.shadow.set(Cell::Register(from), node);
        if let Some((_, cell)) = self.loaded.filter(|(register, _)| *register == from)
            && self.shadow.get(cell) == value
        {
            self.shadow.set(cell, node);
        }
    }

    /// A collection has other places than before, as a built-in has done it.
    fn wrote_whole(&mut self, machine: &Machine, at: At, collection: Value) {
        let Some(changed) = self.pending.changed else { return };
        let value = self.pending.value;
        match changed {
            natives::Changed::Place(place) => {
                let Some(key) = machine.key_of_place(collection, place) else { return };
                let Some(part) = part_of(machine, key) else { return };
                let to = To::Part(collection, part);
                let from = self.sources(value, NOWHERE, None);
                let deed = self.do_it(at, to, from, None);
                let node = self.nodes.deed(deed);
                self.shadow.set(Cell::Place(collection, place), node);
            }
            natives::Changed::All => {
                let from = self.sources(value, NOWHERE, None);
                let deed = self.do_it(at, To::Whole(collection), from, None);
                let node = self.nodes.deed(deed);
                self.shadow.set_places(collection, shadow::Places::new(Vec::new(), node));
            }
        }
    }

    /// A variable of the name that is asked for has a value.
    fn wrote_variable(&mut self, machine: &Machine, at: At, name: &str, value: Value) {
        if *name != *self.asked {
            return;
        }
        let call =
            CallAt { function: machine.context.code.function_at(machine.pc), base: machine.base, at: machine.pc };
        let Some((cell, is_born)) = cell_of(machine, &call, name) else { return };
        let call = if matches!(cell, Cell::Register(_)) { self.call } else { 0 };
        let before = self.shadow.latest(cell, call).filter(|_| !is_born);
        let node = self.shadow.get(cell);
        let from = self.sources(node, NOWHERE, before);
        let deed = self.do_it(at, To::Variable, from, before);
        self.shadow.set_latest(cell, call, deed);
        // What lies in a collection does not come from who holds it.
        if !is_collection(value) {
            let node = self.nodes.deed(deed);
            self.shadow.set(cell, node);
        }
    }
}

/// Looking back from where the run stands.
impl Origins {
    /// The deeds on a variable that a name means there, the latest first; or what its value came from if there are none.
    pub fn of_variable(&self, machine: &Machine, name: &str) -> Vec<u32> {
        let calls = machine.calls(CALLS);
        let found = calls.iter().enumerate().find_map(|(number, call)| {
            let (cell, _) = cell_of_call(machine, call, name)?;
            Some((cell, number))
        });
        let cell = found.map(|found| found.0).or_else(|| global(machine, name));
        let Some(cell) = cell else { return Vec::new() };
        let call = if matches!(cell, Cell::Register(_)) { self.call_of(machine, cell) } else { 0 };
        match self.shadow.latest(cell, call) {
            Some(deed) => self.with_those_before(deed),
            None => self.found(self.shadow.get(cell)),
        }
    }

    /// The deeds on a place of a collection, the latest first; or what it holds came from if there are none.
    pub fn of_place(&self, collection: Value, place: usize) -> Vec<u32> {
        let Some(node) = self.shadow.place(collection, place) else { return Vec::new() };
        match self.nodes.as_deed(node) {
            Some(deed) => self.with_those_before(deed),
            None => self.found(node),
        }
    }

    /// What was last written into each place of a collection, the latest first, or what it was made of.
    pub fn of_contents(&self, collection: Value) -> Vec<u32> {
        let Some(places) = self.shadow.places(collection) else { return Vec::new() };
        let (mut all, mut looked_at) = (Vec::new(), 0);
        for node in places.nodes().iter().copied().chain([self.shadow.rest(collection)]) {
            match self.nodes.as_deed(node) {
                Some(deed) => all.push(deed),
                None if looked_at < MOST_PLACES => {
                    looked_at += 1;
                    all.extend(self.found(node));
                }
                None => {}
            }
        }
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.dedup();
        all
    }

    fn found(&self, node: Node) -> Vec<u32> {
        let found = self.nodes.find(node);
        let mut all = found.parts.clone();
        all.extend(found.wholes.iter().flat_map(|whole| self.put_into(*whole)));
        if all.is_empty() {
            all = found.all();
            all.extend(found.deciding_wholes.iter().flat_map(|whole| self.put_into(*whole)));
        }
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.dedup();
        all
    }

    fn with_those_before(&self, deed: u32) -> Vec<u32> {
        let before = |number: &u32| self.deeds.list()[*number as usize].before;
        std::iter::successors(Some(deed), before).take(MOST_PLACES).collect()
    }

    /// The number of the call that a register belongs to.
    fn call_of(&self, machine: &Machine, cell: Cell) -> u32 {
        let Cell::Register(at) = cell else { return 0 };
        if at >= machine.base as usize {
            return if machine.depth == 0 { 0 } else { self.call };
        }
        let waiting = machine.frames[..machine.depth as usize].iter().enumerate().rev();
        let own = waiting.map(|(depth, frame)| (depth, frame.base as usize)).find(|(_, base)| at >= *base);
        own.map_or(0, |(depth, _)| self.shadow.frame(depth).call)
    }
}

/// In so many calls a variable is looked for, and of so many places it is told what they came from.
const CALLS: usize = 16;
const MOST_PLACES: usize = 200;

/// What is looked at part by part.
fn is_collection(value: Value) -> bool {
    matches!(value.kind(), Kind::Array | Kind::Object | Kind::Grid | Kind::Queue)
}

fn is_alive(machine: &Machine, value: Value) -> bool {
    let (heap, handle) = (&machine.context.heap, value.payload());
    match value.kind() {
        Kind::Array => heap.arrays.is_used(handle),
        Kind::Object => heap.objects.is_used(handle),
        Kind::Grid => heap.grids.is_used(handle),
        Kind::Queue => heap.queues.is_used(handle),
        Kind::Function => heap.functions.is_used(handle),
        Kind::Variable => heap.variables.is_used(handle),
        _ => false,
    }
}

fn part_of(machine: &Machine, key: Value) -> Option<Part> {
    if let Some((x, y)) = key.as_position() {
        return Some(Part::Cell(x, y));
    }
    let index = key.as_integer().map(Part::Index);
    index.or_else(|| Some(Part::Field(machine.context.heap.as_str(key)?.into())))
}

/// Where the variable lives that a name means in a call, and whether it has its first value there and then.
fn cell_of(machine: &Machine, call: &CallAt, name: &str) -> Option<(Cell, bool)> {
    cell_of_call(machine, call, name).or_else(|| Some((global(machine, name)?, false)))
}

fn cell_of_call(machine: &Machine, call: &CallAt, name: &str) -> Option<(Cell, bool)> {
    let function = machine.function_of(call.function);
    let at = call.at - function.entry;
    let register = |register: u8| machine.stack[call.base as usize + register as usize];
    let lives =
        |variable: &&crate::bytecode::Local| *variable.name == *name && (variable.born..variable.gone).contains(&at);
    if let Some(variable) = function.variables.iter().rev().find(lives) {
        let is_born = variable.born == at;
        let cell = match variable.home {
            Home::Register(at) => Cell::Register(call.base as usize + at as usize),
            Home::Box(at) => Cell::Place(register(at), 0),
            Home::Spilled { register: at, index } => Cell::Place(register(at), index as usize),
            Home::SpilledBox { register: at, index } => {
                let array = register(at).handle_of(Kind::Array)?;
                Cell::Place(machine.context.heap.arrays[array].slots.get(index as usize)?, 0)
            }
        };
        return Some((cell, is_born));
    }
    let taken = function.capture_names.iter().position(|known| **known == *name)?;
    let closure = machine.stack[call.base as usize];
    let captured = machine.context.heap.functions[closure.handle_of(Kind::Function)?].captured.get(taken).copied()?;
    let is_box = captured.is_kind(Kind::Variable);
    Some((if is_box { Cell::Place(captured, 0) } else { Cell::Place(closure, taken) }, false))
}

fn global(machine: &Machine, name: &str) -> Option<Cell> {
    let globals = &machine.context.code.globals;
    let slot = globals.iter().position(|global| *global.name == *name)?;
    Some(match globals[slot].register {
        Some(register) => Cell::Register(register as usize),
        None => Cell::Global(slot),
    })
}
