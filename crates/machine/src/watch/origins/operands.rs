//! What each instruction reads, and where its result goes.

use super::Origins;
use super::collections::is_collection;
use super::natives::{CollectionChange, NativeCall, OfferedOrigins};
use super::nodes::{CONSTANT, NOWHERE, Node};
use super::shadow::{Aspect, Cell, PlaceOrigins};
use crate::machine::Machine;
use crate::natives::effect::NativeEffect;
use crate::watch::EventPoint;
use ndscript_bytecode::{Capture, Change, Code, Destination, Op, Register};
use ndscript_heap::{Kind, Value};

/// What is known of an instruction before it is carried out.
#[derive(Clone, Debug)]
pub struct PendingOp {
    pub pc: u32,
    base: usize,
    pub op: Op,
    /// The origin of its result.
    pub value: Node,
    /// The origin of the place to write.
    pub index: Node,
    /// The origin of where it continues.
    pub condition: Node,
    /// The origin of the called function.
    pub callee: Node,
    /// The register of the written value.
    pub from: Option<usize>,
    /// A variable is read into a register, and lives there.
    pub loaded: Option<(usize, Cell)>,
    /// A collection that a built-in changes as a whole, and the kind of change.
    pub changed: Option<CollectionChange>,
    /// The origins of the alternatives.
    pub offered: OfferedOrigins,
    /// An object that gets one more field, and its key.
    field: Option<(Value, Value)>,
    /// A place that is written to, and the value it held.
    pub overwritten: Option<(Value, usize, Value)>,
    effect: Effect,
}

impl PendingOp {
    fn set_part(&mut self, machine: &Machine, collection: Value, key: Value) {
        let heap = &machine.context.heap;
        let place = machine.place_of_key(collection, key);
        self.overwritten = place.map(|place| (collection, place, heap.at_place(collection, place)));
        let is_new =
            collection.is_kind(Kind::Object) && machine.place_of_key(collection, key).is_none();
        self.field = is_new.then_some((collection, key));
        self.effect = Effect::Part(collection, key);
    }

    /// The built-in that is called, if one is.
    fn native_call(&self) -> Option<&NativeCall> {
        match &self.effect {
            Effect::Native(called) => Some(called),
            _ => None,
        }
    }

    /// Whether it repeats what the cheapest branch has done.
    pub fn is_best(&self) -> bool {
        self.native_call().is_some_and(NativeCall::is_best)
    }

    /// What changes in a collection whose places are removed.
    pub fn aspects(&self) -> Vec<Aspect> {
        self.native_call()
            .map_or_else(Vec::new, NativeCall::aspects)
    }
}

impl Default for PendingOp {
    fn default() -> PendingOp {
        PendingOp {
            pc: 0,
            base: 0,
            op: Op::OpenCommit {},
            value: NOWHERE,
            index: NOWHERE,
            condition: NOWHERE,
            callee: NOWHERE,
            from: None,
            loaded: None,
            changed: None,
            offered: OfferedOrigins::default(),
            field: None,
            overwritten: None,
            effect: Effect::None,
        }
    }
}

/// Where the result of an instruction goes.
#[derive(Clone, Debug)]
enum Effect {
    None,
    /// It is in the register of the result.
    Result(Register),
    /// It is elsewhere.
    Cell(Cell),
    /// It is in a part of a collection.
    Part(Value, Value),
    /// The new box in a register holds it.
    NewBox(Register),
    /// The new collection in a register has these elements.
    Elements(Register, Vec<Node>),
    /// The new elements are appended after this many others.
    Append(Value, usize, Vec<Node>),
    /// A function may have been called with arguments of these origins.
    Call(Option<Vec<Node>>),
    /// A built-in was called.
    Native(NativeCall),
    /// It returns to a caller, whose register this is.
    Return(usize),
    /// A loop begins over a collection, or reaches the element with this number.
    Foreach(Register, Value),
    Next(Register, usize),
    /// The registers after it depend on it.
    Row(Register),
}

impl Origins {
    /// The origin of a register of the running frame.
    pub(super) fn register(&self, machine: &Machine, register: Register) -> Node {
        self.shadow
            .get(Cell::Register(machine.base as usize + register as usize))
    }

    pub(super) fn both(&mut self, a: Node, b: Node) -> Node {
        self.nodes.both(a, b)
    }

    pub(super) fn all(&mut self, nodes: impl IntoIterator<Item = Node>) -> Node {
        nodes
            .into_iter()
            .fold(NOWHERE, |all, node| self.nodes.both(all, node))
    }

    fn registers(&mut self, machine: &Machine, registers: &[Register]) -> Node {
        self.all_of(machine, registers.iter().copied())
    }

    fn all_of(&mut self, machine: &Machine, registers: impl Iterator<Item = Register>) -> Node {
        let nodes: Vec<Node> = registers
            .map(|register| self.register(machine, register))
            .collect();
        self.all(nodes)
    }

    fn captured_box_of_call(machine: &Machine, index: u32) -> Option<Value> {
        let closure = machine.get(0).handle_of(Kind::Function)?;
        machine.context.heap.functions[closure]
            .captured
            .get(index as usize)
            .copied()
    }

    /// The origin of a part of a collection, where `reference` is the origin of the collection and `index` that of
    /// the choice of the part.
    fn read(
        &mut self,
        machine: &Machine,
        collection: Value,
        key: Option<Value>,
        reference: Node,
        index: Node,
    ) -> Node {
        let is_known = matches!(collection.kind(), Kind::Array | Kind::Object | Kind::Grid);
        let place = key
            .filter(|_| is_known)
            .and_then(|key| machine.place_of_key(collection, key));
        let Some(place) = place else {
            return self.both(reference, index);
        };
        let content = self.origin_of_place(collection, place, reference);
        let indirect = self.both(reference, index);
        let indirect = self.nodes.as_lead(indirect);
        let order = self.shadow.aspect(collection, Aspect::Order);
        let order = self.nodes.as_decision(order);
        self.all([content, indirect, order])
    }

    /// The origin of a place of a collection. Once it was read it is distinct from all others. Where nothing is known
    /// of it, it depends on what leads to the collection.
    pub(super) fn origin_of_place(
        &mut self,
        collection: Value,
        place: usize,
        reference: Node,
    ) -> Node {
        let node = self.shadow.own_place(collection, place).unwrap_or_else(|| {
            let untouched = self.nodes.untouched();
            let known = self.shadow.place(collection, place).unwrap_or(NOWHERE);
            let node = self.both(untouched, known);
            self.shadow.set(Cell::Place(collection, place), node);
            node
        });
        if self.nodes.is_untouched(node) {
            self.both(node, reference)
        } else {
            node
        }
    }

    /// Looks at the instruction that comes next.
    pub(super) fn look_at(&mut self, machine: &Machine, code: &Code) -> PendingOp {
        let op = code.ops[machine.pc as usize];
        let mut pending = PendingOp {
            pc: machine.pc,
            base: machine.base as usize,
            op,
            ..PendingOp::default()
        };
        let place = |register: Register, index: usize| Cell::Place(machine.get(register), index);
        let slot = |slot: u32| Cell::Global(slot as usize);
        if let Destination::Register(to) = op.destination() {
            pending.effect = Effect::Result(to);
        }
        match op {
            Op::Move { from, .. } => self.load(
                machine,
                Some(Cell::Register(pending.base + from as usize)),
                &mut pending,
            ),
            Op::GetGlobal { slot: from, .. } | Op::GetGlobalChecked { slot: from, .. } => {
                self.load(machine, Some(slot(from)), &mut pending);
            }
            Op::SetGlobal { from, slot: to } | Op::SetGlobalChecked { from, slot: to } => {
                (pending.value, pending.effect) =
                    (self.register(machine, from), Effect::Cell(slot(to)));
            }
            Op::AddToGlobal { from, slot: to } => {
                let (a, b) = (self.shadow.get(slot(to)), self.register(machine, from));
                (pending.value, pending.effect) = (self.both(a, b), Effect::Cell(slot(to)));
            }
            Op::AddIntegerToGlobal { slot: to, .. } => {
                (pending.value, pending.effect) =
                    (self.shadow.get(slot(to)), Effect::Cell(slot(to)));
            }
            Op::GetCaptured { index, .. } => {
                self.load(machine, Some(place(0, index as usize)), &mut pending)
            }
            Op::GetCapturedBox { index, .. } | Op::GetCapturedBoxChecked { index, .. } => {
                let captured = Self::captured_box_of_call(machine, index);
                self.load(
                    machine,
                    captured.map(|captured| Cell::Place(captured, 0)),
                    &mut pending,
                );
            }
            Op::SetCapturedBox { from, index } | Op::SetCapturedBoxChecked { from, index } => {
                pending.value = self.register(machine, from);
                if let Some(captured) = Self::captured_box_of_call(machine, index) {
                    pending.effect = Effect::Cell(Cell::Place(captured, 0));
                }
            }
            Op::NewBox { at } => {
                (pending.value, pending.effect) = (self.register(machine, at), Effect::NewBox(at));
            }
            Op::GetBox { from, .. } | Op::GetBoxChecked { from, .. } => {
                self.load(machine, Some(place(from, 0)), &mut pending);
            }
            Op::SetBox { at, from } | Op::SetBoxChecked { at, from, .. } => {
                (pending.value, pending.effect) =
                    (self.register(machine, from), Effect::Cell(place(at, 0)));
            }
            Op::GetSpilled { from, index, .. } => {
                self.load(machine, Some(place(from, index as usize)), &mut pending)
            }
            Op::SetSpilled { at, from, index } => {
                (pending.value, pending.effect) = (
                    self.register(machine, from),
                    Effect::Cell(place(at, index as usize)),
                );
            }
            Op::Subtract { a, b, .. }
            | Op::Multiply { a, b, .. }
            | Op::Divide { a, b, .. }
            | Op::Remainder { a, b, .. }
            | Op::Less { a, b, .. }
            | Op::LessEqual { a, b, .. } => pending.value = self.registers(machine, &[a, b]),
            Op::AddInteger { a, .. }
            | Op::SubtractInteger { a, .. }
            | Op::MultiplyInteger { a, .. }
            | Op::DivideInteger { a, .. }
            | Op::RemainderInteger { a, .. }
            | Op::IntegerMinus { b: a, .. }
            | Op::IntegerTimes { b: a, .. }
            | Op::AddConstant { a, .. }
            | Op::SubtractConstant { a, .. }
            | Op::MultiplyConstant { a, .. }
            | Op::ConstantTimes { b: a, .. }
            | Op::Increment { a, .. }
            | Op::Negate { from: a, .. }
            | Op::Plus { from: a, .. }
            | Op::Not { from: a, .. } => pending.value = self.register(machine, a),
            Op::Add { a, b, .. } => pending.value = self.contents(machine, &[a, b], is_collection),
            Op::Equal { a, b, .. } | Op::NotEqual { a, b, .. } => {
                pending.value = self.contents(machine, &[a, b], is_compared);
            }
            Op::Concatenate { first, count, .. } => {
                let all: Vec<Register> = (0..count).map(|at| first + at as Register).collect();
                pending.value = self.contents(machine, &all, is_collection);
            }
            Op::NewArray { first, count, to } => {
                let elements = (0..count)
                    .map(|at| self.register(machine, first + at as Register))
                    .collect();
                pending.effect = Effect::Elements(to, elements);
            }
            Op::Append {
                array,
                first,
                count,
            } => {
                let elements = (0..count)
                    .map(|at| self.register(machine, first + at as Register))
                    .collect();
                let array = machine.get(array);
                let length = array
                    .handle_of(Kind::Array)
                    .map_or(0, |array| machine.context.heap.array_len(array));
                pending.effect = Effect::Append(array, length, elements);
            }
            Op::PutField { object, from, key } => {
                pending.value = self.register(machine, from);
                pending.effect = Effect::Part(machine.get(object), machine.constants[key as usize]);
            }
            Op::Closure { to, function } => {
                let captures = &code.functions[function as usize].captures;
                let captured = captures.iter().map(|capture| match capture {
                    Capture::Register(from) => self.register(machine, *from),
                    Capture::Spilled { register, index } => {
                        self.shadow.get(place(*register, *index as usize))
                    }
                    Capture::Captured(index) => self.shadow.get(place(0, *index as usize)),
                });
                pending.effect = Effect::Elements(to, captured.collect());
            }
            Op::ChooseElement { base, .. } => {
                let (elements, element) = (machine.get(base + 1), self.register(machine, base + 1));
                let whole = self.whole_of(machine, elements);
                let all = self.both(element, whole);
                pending.offered = OfferedOrigins {
                    elements: Some(elements),
                    all,
                    loose: NOWHERE,
                };
                pending.value = all;
            }
            Op::ChooseRange { base, .. } => {
                pending.value = self.registers(machine, &[base + 1, base + 2]);
                pending.offered.all = pending.value;
            }
            // The call decides which value is returned; after it, that decides nothing any more.
            Op::Return { from } | Op::ReturnAndCommit { from } => {
                let (value, deciding) = (self.register(machine, from), self.deciding());
                (pending.value, pending.effect) =
                    (self.both(value, deciding), Effect::Return(pending.base));
            }
            Op::ReturnNull {} => {
                (pending.value, pending.effect) = (self.deciding(), Effect::Return(pending.base))
            }
            Op::ForeachBegin { at, .. } => {
                (pending.value, pending.effect) = (
                    self.register(machine, at),
                    Effect::Foreach(at, machine.get(at)),
                );
            }
            Op::ForeachNext { at, .. } => {
                let index = machine
                    .get(at + 1)
                    .as_integer()
                    .and_then(|index| usize::try_from(index).ok());
                pending.value = self.register(machine, at);
                let shape = self.shadow.aspect(machine.get(at), Aspect::Shape);
                let leading = if is_collection(machine.get(at)) {
                    self.nodes.as_lead(pending.value)
                } else {
                    pending.value
                };
                pending.condition = self.both(shape, leading);
                pending.effect = Effect::Next(at, index.unwrap_or(0));
            }
            Op::RangeNext { at, .. } | Op::NeighborsNext { at, .. } => {
                (pending.value, pending.effect) = (self.register(machine, at), Effect::Row(at));
                if matches!(op, Op::RangeNext { .. }) {
                    pending.condition = self.registers(machine, &[at, at + 1]);
                }
            }
            _ => {
                self.look_at_parts(machine, op, &mut pending);
                self.look_at_calls(machine, op, &mut pending);
                pending.condition = self.condition(machine, op);
            }
        }
        pending
    }

    /// A variable is read into the register of the result.
    fn load(&self, machine: &Machine, cell: Option<Cell>, pending: &mut PendingOp) {
        pending.value = cell.map_or(NOWHERE, |cell| self.shadow.get(cell));
        if let Destination::Register(to) = pending.op.destination() {
            pending.loaded = cell.map(|cell| (machine.base as usize + to as usize, cell));
        }
    }

    /// Records what an instruction that reads or writes a part of a collection depends on.
    fn look_at_parts(&mut self, machine: &Machine, op: Op, pending: &mut PendingOp) {
        if let Op::SetField { from, .. } | Op::SetIndex { from, .. } | Op::SetCell { from, .. } = op
        {
            pending.from = Some(pending.base + from as usize);
        }
        match op {
            Op::GetField { object, key, .. } | Op::GetCoordinate { object, key, .. } => {
                let (object, reference) = (machine.get(object), self.register(machine, object));
                let key = machine.constants[key as usize];
                pending.value = self.read(machine, object, Some(key), reference, NOWHERE);
            }
            Op::GetIndex { base, index, .. } => {
                let (collection, reference) = (machine.get(base), self.register(machine, base));
                let (key, index) = (machine.get(index), self.register(machine, index));
                pending.value = self.read(machine, collection, Some(key), reference, index);
            }
            Op::GetCell { grid, x, y, .. } => {
                let (collection, reference) = (machine.get(grid), self.register(machine, grid));
                let index = self.registers(machine, &[x, y]);
                pending.value = self.read(
                    machine,
                    collection,
                    position(machine, x, y),
                    reference,
                    index,
                );
            }
            Op::SetField { object, from, key } => {
                (pending.value, pending.index) =
                    (self.register(machine, from), self.register(machine, object));
                pending.set_part(
                    machine,
                    machine.get(object),
                    machine.constants[key as usize],
                );
            }
            Op::SetIndex { base, index, from } => {
                (pending.value, pending.index) = (
                    self.register(machine, from),
                    self.registers(machine, &[base, index]),
                );
                pending.set_part(machine, machine.get(base), machine.get(index));
            }
            Op::SetCell { grid, x, y, from } => {
                (pending.value, pending.index) = (
                    self.register(machine, from),
                    self.registers(machine, &[grid, x, y]),
                );
                if let Some(position) = position(machine, x, y) {
                    pending.set_part(machine, machine.get(grid), position);
                }
            }
            _ => {}
        }
    }

    /// Records what an instruction that calls depends on.
    fn look_at_calls(&mut self, machine: &Machine, op: Op, pending: &mut PendingOp) {
        let row =
            |base: Register, count: u8| (1..=count).map(|at| base + at).collect::<Vec<Register>>();
        match op {
            Op::CallKnown { .. } => pending.effect = Effect::Call(None),
            Op::Call { base, arguments } => match machine.get(base).handle_of(Kind::Native) {
                Some(native) => {
                    self.look_at_native(machine, native, &row(base, arguments), base, pending)
                }
                None if machine.get(base).is_kind(Kind::Function) => {
                    (pending.effect, pending.callee) =
                        (Effect::Call(None), self.register(machine, base));
                }
                None => pending.value = self.all_of(machine, (0..=arguments).map(|at| base + at)),
            },
            Op::CallNative {
                base,
                to,
                arguments,
                native,
            } => {
                self.look_at_native(machine, native, &row(base, arguments), to, pending);
            }
            Op::SetOperation {
                call,
                to,
                a,
                b,
                native,
            }
            | Op::Shortcut {
                call,
                to,
                a,
                b,
                native,
            } => {
                let arguments = [a, b];
                let arguments = &arguments[..call.arguments() as usize];
                self.look_at_native(machine, u32::from(native), arguments, to, pending);
            }
            Op::Push { to, a, b, native } => {
                self.look_at_native(machine, u32::from(native), &[a, b], to, pending)
            }
            Op::CallWithList { base } => {
                let list = machine.get(base + 1);
                let length = list
                    .handle_of(Kind::Array)
                    .map_or(0, |array| machine.context.heap.array_len(array));
                let reference = self.register(machine, base + 1);
                let elements = self
                    .shadow
                    .places(list)
                    .map_or_else(|| vec![reference; length], |all| all.all(length));
                pending.value = self.all(elements.iter().copied().chain([reference]));
                if machine.get(base).is_kind(Kind::Function) {
                    (pending.effect, pending.callee) =
                        (Effect::Call(Some(elements)), self.register(machine, base));
                }
            }
            _ => {}
        }
    }

    /// Records what a call of a built-in depends on, and what it will change.
    fn look_at_native(
        &mut self,
        machine: &Machine,
        native: u32,
        arguments: &[Register],
        to: Register,
        pending: &mut PendingOp,
    ) {
        let values: Vec<Value> = arguments
            .iter()
            .map(|register| machine.get(*register))
            .collect();
        let nodes: Vec<Node> = arguments
            .iter()
            .map(|register| self.register(machine, *register))
            .collect();
        let mut called = self.call_of_native(machine, native, to, &values, &nodes);
        called.first = arguments
            .first()
            .map(|first| pending.base + *first as usize);
        if called.effect == NativeEffect::Narrows
            && let [board, key, ..] = values[..]
            && let Some(place) = machine.place_of_key(board, key)
        {
            pending.overwritten = Some((board, place, machine.context.heap.at_place(board, place)));
        }
        (pending.value, pending.index, pending.changed) =
            (called.written, called.index, called.collection_change());
        pending.offered = called.offers();
        pending.effect = Effect::Native(called);
    }

    /// The origins of the values that an operator looks into.
    fn contents(
        &mut self,
        machine: &Machine,
        registers: &[Register],
        looks_into: fn(Value) -> bool,
    ) -> Node {
        let values = registers
            .iter()
            .map(|register| machine.get(*register))
            .filter(|value| looks_into(*value));
        let wholes: Vec<Node> = values.map(|value| self.whole_of(machine, value)).collect();
        let all = self.registers(machine, registers);
        self.all(wholes.into_iter().chain([all]))
    }

    /// The origin of the condition of an instruction that may jump.
    fn condition(&mut self, machine: &Machine, op: Op) -> Node {
        match op {
            Op::JumpIf { a, .. }
            | Op::JumpUnless { a, .. }
            | Op::JumpEqualInteger { a, .. }
            | Op::JumpNotEqualInteger { a, .. }
            | Op::JumpLessInteger { a, .. }
            | Op::JumpLessEqualInteger { a, .. }
            | Op::JumpGreaterInteger { a, .. }
            | Op::JumpGreaterEqualInteger { a, .. }
            | Op::LoopLessInteger { a, .. }
            | Op::LoopLessEqualInteger { a, .. }
            | Op::LoopGreaterInteger { a, .. }
            | Op::LoopGreaterEqualInteger { a, .. }
            | Op::LoopLessConstant { a, .. }
            | Op::LoopLessEqualConstant { a, .. } => self.register(machine, a),
            Op::JumpEqual { a, b, .. }
            | Op::JumpNotEqual { a, b, .. }
            | Op::JumpLess { a, b, .. }
            | Op::JumpLessEqual { a, b, .. }
            | Op::LoopLess { a, b, .. }
            | Op::LoopLessEqual { a, b, .. } => self.contents(machine, &[a, b], is_compared),
            _ => NOWHERE,
        }
    }

    /// Stores the origin of an instruction's result where it belongs. In the same call it is subject to the
    /// conditions there.
    pub(super) fn carry_out(
        &mut self,
        machine: &Machine,
        code: &Code,
        moment: EventPoint,
        pending: &PendingOp,
        is_same_call: bool,
    ) {
        let deciding = self.deciding();
        let is_prelude = code.functions[code.function_at(pending.pc) as usize].prelude;
        let at = |register: Register| Cell::Register(pending.base + register as usize);
        let value = self.both(pending.value, deciding);
        match &pending.effect {
            Effect::Result(to) if is_same_call => {
                if matches!(pending.op, Op::NewObject { .. }) {
                    self.shadow.make(machine.get(*to), PlaceOrigins::default());
                }
                self.shadow.set(at(*to), value);
            }
            Effect::None | Effect::Result(_) => {}
            Effect::Cell(cell) => self.shadow.set(*cell, value),
            // In the program it is a definition, which is recorded at once.
            Effect::Part(collection, key) => {
                if let Some((object, key)) = pending.field {
                    let why = self.both(pending.index, deciding);
                    self.add_aspect(object, Aspect::Shape, why);
                    self.shadow.set_aspect(object, Aspect::Key(key), why);
                }
                if let Some(place) = machine.place_of_key(*collection, *key)
                    && (is_prelude || pending.op.change() == Change::Nothing)
                {
                    self.shadow.set(Cell::Place(*collection, place), value);
                }
            }
            Effect::NewBox(register) => {
                let created = machine.get(*register);
                self.shadow.make(created, PlaceOrigins::default());
                self.shadow.clear_latest(Cell::Place(created, 0));
                self.shadow.set(Cell::Place(created, 0), value);
                self.shadow.set(at(*register), NOWHERE);
            }
            Effect::Elements(register, elements) => {
                let elements = elements
                    .iter()
                    .map(|node| self.nodes.both(*node, deciding).max(CONSTANT))
                    .collect();
                let created = machine.get(*register);
                self.shadow.make(
                    created,
                    PlaceOrigins::new(elements, NOWHERE).with(Aspect::Shape, deciding),
                );
                // A function has no elements that could explain why it is this one.
                self.shadow.set(
                    at(*register),
                    if created.is_kind(Kind::Function) {
                        deciding
                    } else {
                        NOWHERE
                    },
                );
            }
            Effect::Append(array, length, elements) => {
                for (number, node) in elements.iter().enumerate() {
                    let node = self.nodes.both(*node, deciding);
                    self.shadow.set(Cell::Place(*array, length + number), node);
                }
                self.add_aspect(*array, Aspect::Shape, deciding);
            }
            Effect::Call(elements) => {
                let first = machine.base as usize + 1;
                for (number, node) in elements.iter().flatten().enumerate() {
                    self.shadow.set(Cell::Register(first + number), *node);
                }
                let function = &code.functions[code.function_at(machine.pc) as usize];
                if function.takes_list && !is_same_call {
                    let all = function.parameters.len();
                    let nodes = (0..all)
                        .map(|number| self.shadow.get(Cell::Register(first + number)))
                        .collect();
                    self.shadow
                        .set_places(machine.stack[first], PlaceOrigins::new(nodes, NOWHERE));
                }
            }
            // One that is written in the language itself is called as any function.
            Effect::Native(called) if is_same_call => {
                self.end_native(machine, moment, called, pending.base, is_prelude)
            }
            Effect::Native(_) => {}
            Effect::Return(base) => self.shadow.set(Cell::Register(*base), value),
            Effect::Foreach(register, before) => {
                let now = machine.get(*register);
                if now != *before && is_collection(*before) {
                    self.read_list(machine, *before, now);
                } else if now != *before {
                    self.collection_made(now, value, value);
                }
                self.shadow.set(at(*register), value);
            }
            Effect::Next(register, index) => {
                if machine.pc != pending.pc + 1 {
                    return;
                }
                let element = match self.shadow.place(machine.get(*register), *index) {
                    Some(element) => {
                        let indirect = self.nodes.as_lead(pending.value);
                        self.both(element, indirect)
                    }
                    None => pending.value,
                };
                let element = self.both(element, deciding);
                self.shadow.set(at(register + 2), element);
            }
            Effect::Row(register) => self.shadow.set(at(register + 2), value),
        }
    }
}

/// Whether a value is compared by its contents.
fn is_compared(value: Value) -> bool {
    value.is_kind(Kind::Array)
}

impl Origins {
    /// `foreach` has copied a collection into a list: the elements of the list have the origins of those of the
    /// collection.
    fn read_list(&mut self, machine: &Machine, collection: Value, list: Value) {
        let places = self.shadow.places(collection).cloned().unwrap_or_default();
        let shape = self.shadow.aspect(collection, Aspect::Shape);
        match collection.kind() {
            Kind::Array => self.shadow.make(list, places),
            Kind::Queue => {
                let whole = self.whole_of(machine, collection);
                self.collection_made(list, whole, shape);
            }
            _ => self.collection_made(list, shape, shape),
        }
    }
}

fn position(machine: &Machine, x: Register, y: Register) -> Option<Value> {
    Value::position(machine.get(x).as_integer()?, machine.get(y).as_integer()?)
}
