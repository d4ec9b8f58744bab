//! Copies of results that no other branch can change any more.
//!
//! Copied is what can change, wherever it lies, and what leads to it: a set with an object in it, a function with the
//! variables that it closes over. Everything else stays the same word. What is shared, and cycles, stay so.
//!
//! Frozen arrays, which nobody can change, become arrays that can be written, as `copy` has it; as elements of sets and
//! relations they stay frozen.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::context::Context;
use super::error::Fault;
use crate::value::{Kind, Value, room};

/// The copying of one value, which can stop and go on.
///
/// What refers to each other can be made in no order, so everything is made empty first and filled then. Sets have to
/// be whole when they are made; that can be, since a cycle always leads through something that is not.
#[derive(Clone, Debug)]
pub(super) struct ResultCopy {
    root: Value,
    stage: Stage,
    /// Visits beyond what the latest piece was allowed, which the next one pays for.
    owed: usize,
    /// What was reached, with its copy; with itself where it needs none, and with [`NOT_YET`] if it needs one.
    copies: FxHashMap<Value, Value>,
    /// The same for frozen arrays as elements.
    elements: FxHashMap<Value, Value>,
    /// What changes, in the order in which it was found.
    changing: Vec<Value>,
    /// What is being looked into to find out whether it leads to something that changes.
    path: Vec<Visit>,
    /// What needs a copy and has a place in the order of creation, with that. Copies are made in that order, so that a
    /// set of them is in the order of the originals.
    ordered: BinaryHeap<Reverse<(u64, u64)>>,
    /// Sets, and frozen arrays as elements, that need a copy; each behind those inside it.
    interned: Vec<Value>,
    /// Originals whose copies are made and have no parts yet.
    empty: Vec<Value>,
    /// How far the stage has come in its list, and in the parts of what is next in it.
    at: usize,
    next: usize,
    /// The parts of the copy that is being made, as far as there are.
    row: Vec<Value>,
}

/// In place of a copy that is still to be made. No value is equal to it.
const NOT_YET: Value = Value::UNSET;

/// Bytes of an element of a set that is made: its place in a tree and in tables.
const BYTES_IN_SET: usize = 64;
/// Bytes of a field of an object, its place in an index included.
const BYTES_OF_FIELD: usize = 80;
/// Bytes of a pair of a relation, with both indexes.
const BYTES_OF_PAIR: usize = 96;
/// Bytes of an object without its parts, at most.
const BYTES_OF_SHELL: usize = 160;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Beginning,
    Finding,
    Making,
    Interning,
    Filling,
    Done,
}

/// A look into what cannot change itself.
#[derive(Clone, Copy, Debug)]
struct Visit {
    value: Value,
    next: usize,
    leads: bool,
}

/// What copying has to do with a value.
enum Class {
    /// It never changes and leads nowhere.
    Fixed,
    Changes,
    /// It changes as far as its parts do.
    Leads,
}

impl ResultCopy {
    pub fn new(root: Value) -> ResultCopy {
        ResultCopy {
            root,
            stage: Stage::Beginning,
            owed: 0,
            copies: FxHashMap::default(),
            elements: FxHashMap::default(),
            changing: Vec::new(),
            path: Vec::new(),
            ordered: BinaryHeap::new(),
            interned: Vec::new(),
            empty: Vec::new(),
            at: 0,
            next: 0,
            row: Vec::new(),
        }
    }

    /// The copy, once it is done.
    pub fn copy(&self) -> Value {
        self.copy_of(self.root, false)
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::hash_map(self.copies.capacity(), 16)
            + room::hash_map(self.elements.capacity(), 16)
            + room::row(&self.changing)
            + room::row(&self.path)
            + room::block(self.ordered.capacity() * 16)
            + room::row(&self.interned)
            + room::row(&self.empty)
            + room::row(&self.row)
    }

    /// Goes on for so many visits; true if that was all. Where there is no room it has changed nothing, and can go on
    /// when there is.
    pub fn go(&mut self, context: &mut Context, budget: &mut usize) -> Result<bool, Fault> {
        self.pay(budget, 0);
        while *budget > 0 && self.stage != Stage::Done {
            let has_more = match self.stage {
                Stage::Beginning => self.meet(context, self.root, false).map(|_| false)?,
                Stage::Finding => self.find(context, budget)?,
                Stage::Making => self.make(context, budget)?,
                Stage::Interning => self.intern(context, budget)?,
                Stage::Filling => self.fill(context, budget)?,
                Stage::Done => false,
            };
            if !has_more {
                self.at = 0;
                self.stage = match self.stage {
                    Stage::Beginning => Stage::Finding,
                    Stage::Finding => Stage::Making,
                    Stage::Making => Stage::Interning,
                    Stage::Interning => Stage::Filling,
                    Stage::Filling | Stage::Done => Stage::Done,
                };
            }
        }
        Ok(self.stage == Stage::Done && self.owed == 0)
    }

    /// Takes visits off a budget.
    fn pay(&mut self, budget: &mut usize, visits: usize) {
        let due = self.owed + visits;
        let paid = due.min(*budget);
        *budget -= paid;
        self.owed = due - paid;
    }

    /// Asks for room beyond what the copying itself has.
    fn reserve(&self, context: &mut Context, bytes: usize) -> Result<(), Fault> {
        context.reserve(self.bytes().saturating_add(bytes))
    }

    /// Asks for room for one more value in every list.
    fn reserve_visit(&self, context: &mut Context) -> Result<(), Fault> {
        let mut bytes = 0;
        for table in [&self.copies, &self.elements] {
            if table.len() == table.capacity() {
                bytes += room::hash_map(2 * table.capacity() + 1, 16);
            }
        }
        for list in [&self.changing, &self.interned] {
            if list.len() == list.capacity() {
                bytes += 2 * room::row(list) + 32;
            }
        }
        if self.path.len() == self.path.capacity() {
            bytes += 2 * room::row(&self.path) + 128;
        }
        if self.ordered.len() == self.ordered.capacity() {
            bytes += self.ordered.capacity() * 32 + 128;
        }
        if bytes > 0 { self.reserve(context, bytes) } else { Ok(()) }
    }

    fn class(context: &Context, value: Value, is_element: bool) -> Class {
        match value.kind() {
            Kind::Array if is_element => Class::Leads,
            Kind::Array | Kind::Grid | Kind::Object | Kind::Queue | Kind::Variable => Class::Changes,
            Kind::Set | Kind::Relation => Class::Leads,
            Kind::Function if context.heap.count_of_parts(value) > 0 => Class::Leads,
            // No method changes an element.
            Kind::Host if !is_element && context.heap.rules_of(value).changes => Class::Changes,
            _ => Class::Fixed,
        }
    }

    /// Takes note of a value; whether it needs a copy. Of what is to be looked into first, nobody knows yet.
    fn meet(&mut self, context: &mut Context, value: Value, is_element: bool) -> Result<bool, Fault> {
        if !value.is_compound() {
            return Ok(false);
        }
        if value.is_kind(Kind::Method) {
            return self.meet(context, Value::handle(Kind::Host, value.payload()), false);
        }
        let class = ResultCopy::class(context, value, is_element);
        if let Class::Fixed = class {
            return Ok(false);
        }
        let is_frozen_array = is_element && value.is_kind(Kind::Array);
        let table = if is_frozen_array { &self.elements } else { &self.copies };
        if let Some(copy) = table.get(&value) {
            return Ok(*copy == NOT_YET);
        }
        self.reserve_visit(context)?;
        if let Class::Leads = class {
            let next = if value.is_kind(Kind::Set) { context.heap.first_compound(value) } else { 0 };
            // What contains itself without a change on the way is in no run.
            let table = if is_frozen_array { &mut self.elements } else { &mut self.copies };
            table.insert(value, value);
            self.path.push(Visit { value, next, leads: false });
            return Ok(false);
        }
        if value.is_kind(Kind::Array) {
            if context.heap.arrays[value.payload()].view.is_some() {
                let bytes = context.heap.array_len(value.payload()) * 8;
                self.reserve(context, bytes)?;
            }
            // From here on it is no note of a moment of a grid.
            context.heap.elements(value.payload());
        }
        self.copies.insert(value, NOT_YET);
        self.changing.push(value);
        self.put_in_order(context, value);
        Ok(true)
    }

    fn put_in_order(&mut self, context: &Context, value: Value) {
        let place = context.heap.made_at(value);
        if place > 0 {
            self.ordered.push(Reverse((place, value.bits())));
        }
    }

    /// Looks at parts of what was found; false if there is nothing to look at.
    fn find(&mut self, context: &mut Context, budget: &mut usize) -> Result<bool, Fault> {
        if let Some(&Visit { value, next, leads }) = self.path.last() {
            let Some(part) = context.heap.part(value, next) else {
                self.leave(context, value, leads)?;
                return Ok(true);
            };
            let depth = self.path.len();
            let part_leads = self.meet(context, part, !value.is_kind(Kind::Function))?;
            self.pay(budget, 1);
            // What lies above it from now on will say so when it is left.
            let visit = &mut self.path[depth - 1];
            visit.next += 1;
            visit.leads |= part_leads;
            return Ok(true);
        }
        let Some(value) = self.changing.get(self.at).copied() else { return Ok(false) };
        while let Some(part) = context.heap.part(value, self.next) {
            if *budget == 0 || !self.path.is_empty() {
                return Ok(true);
            }
            self.meet(context, part, false)?;
            self.pay(budget, 1);
            self.next += 1;
        }
        self.at += 1;
        self.next = 0;
        Ok(true)
    }

    /// Ends the look into what cannot change itself.
    fn leave(&mut self, context: &mut Context, value: Value, leads: bool) -> Result<(), Fault> {
        if leads {
            self.reserve_visit(context)?;
            match value.kind() {
                Kind::Array => self.elements.insert(value, NOT_YET),
                _ => self.copies.insert(value, NOT_YET),
            };
            match value.kind() {
                Kind::Array | Kind::Set => self.interned.push(value),
                _ => self.put_in_order(context, value),
            }
        }
        self.path.pop();
        if let Some(around) = self.path.last_mut() {
            around.leads |= leads;
        }
        Ok(())
    }

    /// Makes a copy without parts; false if all are made.
    fn make(&mut self, context: &mut Context, budget: &mut usize) -> Result<bool, Fault> {
        if let Some(value) = self.changing.get(self.at).copied() {
            if context.heap.made_at(value) == 0 {
                self.make_one(context, value)?;
                self.pay(budget, 1);
            }
            self.at += 1;
            return Ok(true);
        }
        let Some(Reverse((_, bits))) = self.ordered.peek().copied() else { return Ok(false) };
        self.make_one(context, Value::from_bits(bits))?;
        self.pay(budget, 1);
        self.ordered.pop();
        Ok(true)
    }

    fn make_one(&mut self, context: &mut Context, value: Value) -> Result<(), Fault> {
        let own = if value.is_kind(Kind::Host) { context.heap.host_bytes(value) } else { 0 };
        let list = if self.empty.len() == self.empty.capacity() { 2 * room::row(&self.empty) } else { 0 };
        self.reserve(context, own + list + BYTES_OF_SHELL)?;
        let shell = context.heap.shell(value);
        let copy = shell.map_err(|host| context.no_copy(host, "cannot be a result of `solutions`"))?;
        self.copies.insert(value, copy);
        if context.heap.count_of_parts(value) > 0 {
            self.empty.push(value);
        }
        Ok(())
    }

    /// Makes a copy of what is a value by its parts; false if all are made.
    fn intern(&mut self, context: &mut Context, budget: &mut usize) -> Result<bool, Fault> {
        let Some(value) = self.interned.get(self.at).copied() else { return Ok(false) };
        if !self.gather(context, value, true, BYTES_IN_SET, budget)? {
            return Ok(true);
        }
        let parts = std::mem::take(&mut self.row);
        self.pay(budget, parts.len());
        if value.is_kind(Kind::Set) {
            let copy = context.heap.set_of_frozen(parts);
            self.copies.insert(value, copy);
        } else {
            let copy = context.heap.frozen_array(parts);
            self.elements.insert(value, copy);
        }
        self.at += 1;
        Ok(true)
    }

    /// Gives a copy its parts; false if all have them.
    fn fill(&mut self, context: &mut Context, budget: &mut usize) -> Result<bool, Fault> {
        let Some(value) = self.empty.get(self.at).copied() else { return Ok(false) };
        let copy = self.copy_of(value, false);
        if value.is_kind(Kind::Object) {
            if self.next == 0 {
                let bytes = context.heap.count_of_parts(value) / 2 * BYTES_OF_FIELD;
                self.reserve(context, bytes)?;
            }
            while let (Some(key), Some(part)) =
                (context.heap.part(value, self.next), context.heap.part(value, self.next + 1))
            {
                if *budget == 0 {
                    return Ok(true);
                }
                self.pay(budget, 1);
                context.heap.set_field(copy.payload(), key, self.copy_of(part, false));
                self.next += 2;
            }
        } else {
            let is_relation = value.is_kind(Kind::Relation);
            let bytes = if is_relation { BYTES_OF_PAIR / 2 } else { 0 };
            if !self.gather(context, value, is_relation, bytes, budget)? {
                return Ok(true);
            }
            let parts = std::mem::take(&mut self.row);
            if is_relation {
                self.pay(budget, parts.len());
            }
            context.heap.fill_shell(copy, parts);
        }
        self.at += 1;
        self.next = 0;
        Ok(true)
    }

    /// Gathers the copies of the parts of a value, for each of which so many bytes more will be wanted, as elements of
    /// sets or not; true if all are there.
    fn gather(
        &mut self,
        context: &mut Context,
        value: Value,
        are_elements: bool,
        bytes_each: usize,
        budget: &mut usize,
    ) -> Result<bool, Fault> {
        let count = context.heap.count_of_parts(value);
        if self.row.is_empty() {
            self.reserve(context, count.saturating_mul(8 + bytes_each))?;
            self.row.reserve_exact(count);
        }
        while self.row.len() < count {
            if *budget == 0 {
                return Ok(false);
            }
            self.pay(budget, 1);
            let part = context.heap.part(value, self.row.len()).unwrap_or(Value::NULL);
            self.row.push(self.copy_of(part, are_elements));
        }
        Ok(true)
    }

    fn copy_of(&self, value: Value, is_element: bool) -> Value {
        if !value.is_compound() {
            return value;
        }
        let table = match value.kind() {
            Kind::Array if is_element => &self.elements,
            Kind::Host if is_element => return value,
            Kind::Method => {
                let host = self.copy_of(Value::handle(Kind::Host, value.payload()), false);
                return Value::method(host.payload(), value.method_number());
            }
            _ => &self.copies,
        };
        table.get(&value).copied().filter(|copy| *copy != NOT_YET).unwrap_or(value)
    }
}
