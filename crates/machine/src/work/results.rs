//! Copies of results that no other branch can change.
//!
//! Everything that can change is copied, wherever it is, and what refers to it: a set with an object in it, a
//! function with the variables that it captures. Everything else stays unchanged. Sharing and cycles are preserved.
//!
//! Immutable frozen arrays become arrays that can be written, as with `copy`; as elements of sets and relations they
//! stay frozen.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ndscript_base::keyed::KeyedMap;

use super::{Tracer, Work};
use crate::errors::error::Fault;
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::hashes::WordsHash;
use ndscript_heap::sets::relation::RelationFromPairs;
use ndscript_heap::sets::set_making::SetBuilder;
use ndscript_heap::{Kind, Value};

/// The copying of one value, which can stop and continue.
///
/// Values that refer to each other can be made in no order, so everything is made empty first and filled then. Sets
/// must be complete when they are made; that works, since a cycle always leads through something else.
#[derive(Clone, Debug)]
pub struct ResultCopy {
    root: Value,
    /// The height of the trail to which failures go back before the copy is of use.
    since: usize,
    stage: Stage,
    /// The values reached, with their copies; with themselves where they need none, and with [`NOT_YET`] if they need
    /// one.
    copies: KeyedMap<Value, Value>,
    /// As above, for frozen arrays as elements.
    elements: KeyedMap<Value, Value>,
    /// The mutable values, in the order in which they were found.
    changing: Vec<Value>,
    /// The path of values being searched for one that can change.
    path: Vec<Visit>,
    /// Values that need a copy and have a place in the order of creation, with that. Copies are made in that order,
    /// so that a set of them has the order of the originals.
    ordered: BinaryHeap<Reverse<(u64, u64)>>,
    /// Sets, and frozen arrays as elements, that need a copy; each after those inside it.
    interned: Vec<Value>,
    /// Originals whose copies are made and have no parts yet.
    empty: Vec<Value>,
    /// The index in the stage's list, and the index in the parts of its next item.
    at: usize,
    next: usize,
    /// The parts of the copy that is being made, as far as there are, and their hash.
    row: Vec<Value>,
    /// The parts as pairs, of a relation.
    pairs: Vec<(Value, Value)>,
    hash: WordsHash,
    /// The value being made of the parts.
    making: Option<ResultBuilder>,
}

/// A value that takes long to make of its parts.
#[derive(Clone, Debug)]
enum ResultBuilder {
    Set(SetBuilder),
    Relation(RelationFromPairs),
}

/// In place of a copy that is still to be made. No value is equal to it.
const NOT_YET: Value = Value::UNSET;

/// Bytes of a pair of a relation, with both indexes.
const BYTES_OF_PAIR: usize = 96;
/// Bytes of an object without its parts, at most.
const BYTES_OF_SHELL: usize = 160;

/// The visits charged for an object, which must be found in a table.
const VISITS_OF_COMPOUND: usize = 16;
/// The visits charged for finding an element of a set by its place.
const VISITS_IN_TREE: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Beginning,
    Finding,
    Making,
    Interning,
    Filling,
    Done,
}

/// The search in a value that cannot change itself.
#[derive(Clone, Copy, Debug)]
struct Visit {
    value: Value,
    next: usize,
    leads: bool,
}

/// What copying must do with a value.
enum Class {
    /// It never changes and refers to nothing mutable.
    Fixed,
    Changes,
    /// It changes if its parts do.
    Leads,
}

impl ResultCopy {
    pub fn new(root: Value, since: usize) -> ResultCopy {
        ResultCopy {
            root,
            since,
            stage: Stage::Beginning,
            copies: KeyedMap::default(),
            elements: KeyedMap::default(),
            changing: Vec::new(),
            path: Vec::new(),
            ordered: BinaryHeap::new(),
            interned: Vec::new(),
            empty: Vec::new(),
            at: 0,
            next: 0,
            row: Vec::new(),
            pairs: Vec::new(),
            hash: WordsHash::of(0),
            making: None,
        }
    }

    /// Begins the next stage.
    fn end_stage(&mut self) {
        self.at = 0;
        self.stage = match self.stage {
            Stage::Beginning => Stage::Finding,
            Stage::Finding => Stage::Making,
            Stage::Making => Stage::Interning,
            Stage::Interning => Stage::Filling,
            Stage::Filling | Stage::Done => Stage::Done,
        };
    }

    /// Requests memory for one more value in every list.
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
        if bytes > 0 {
            context.reserve(bytes)
        } else {
            Ok(())
        }
    }

    /// Whether a value needs a copy in the result: because it changes, or leads to what changes.
    fn class(context: &Context, value: Value, is_element: bool) -> Class {
        match value.kind() {
            Kind::Array if is_element => Class::Leads,
            Kind::Array | Kind::Grid | Kind::Object | Kind::Queue | Kind::Variable => {
                Class::Changes
            }
            Kind::Set | Kind::Relation => Class::Leads,
            Kind::Function if context.heap.count_of_parts(value) > 0 => Class::Leads,
            // No method changes an element.
            Kind::Host if !is_element && context.heap.rules_of(value).changes => Class::Changes,
            _ => Class::Fixed,
        }
    }

    /// Visits a value; returns whether it needs a copy. For a set or another value that cannot change itself, this is known only
    /// once its parts were visited: until then the answer is no.
    fn meet(
        &mut self,
        context: &mut Context,
        value: Value,
        is_element: bool,
    ) -> Result<bool, Fault> {
        if !value.is_compound() {
            // A failure that goes back over it must leave it unchanged.
            if value.is_kind(Kind::Text) && value.may_equal_another() {
                context.heap.carry_texts(self.since);
            }
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
        let table = if is_frozen_array {
            &self.elements
        } else {
            &self.copies
        };
        if let Some(copy) = table.get(&value) {
            return Ok(*copy == NOT_YET);
        }
        self.reserve_visit(context)?;
        if let Class::Leads = class {
            let next = if value.is_kind(Kind::Set) {
                context.heap.first_compound(value)
            } else {
                0
            };
            // A value that contains itself without anything that can change occurs in no run.
            let table = if is_frozen_array {
                &mut self.elements
            } else {
                &mut self.copies
            };
            table.insert(value, value);
            self.path.push(Visit {
                value,
                next,
                leads: false,
            });
            return Ok(false);
        }
        if value.is_kind(Kind::Array) {
            if context.heap.arrays[value.payload()].view().is_some() {
                let bytes = context.heap.array_len(value.payload()) * 8;
                context.reserve(bytes)?;
            }
            // From here on it is no view of a grid.
            context.heap.elements(value.payload());
        }
        self.copies.insert(value, NOT_YET);
        self.changing.push(value);
        self.put_in_order(context, value);
        Ok(true)
    }

    /// Puts a value where it belongs among the found ones, in the order in which they were made.
    fn put_in_order(&mut self, context: &Context, value: Value) {
        let place = context.heap.creation_order(value);
        if place > 0 {
            self.ordered.push(Reverse((place, value.bits())));
        }
    }

    /// Visits parts of what was found; false if there are none.
    fn find(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        if let Some(&Visit { value, next, leads }) = self.path.last() {
            let Some(part) = context.heap.part(value, next) else {
                self.leave(context, value, leads)?;
                return Ok(true);
            };
            let depth = self.path.len();
            let work_before = context.heap.recorded_work();
            let part_leads = self.meet(context, part, !value.is_kind(Kind::Function))?;
            context.heap.charge_recorded_since(budget, work_before);
            budget.spend(visits_of(part));
            // Values above it report their result when they are left.
            let visit = &mut self.path[depth - 1];
            visit.next += 1;
            visit.leads |= part_leads;
            return Ok(true);
        }
        let Some(value) = self.changing.get(self.at).copied() else {
            return Ok(false);
        };
        while let Some(part) = context.heap.part(value, self.next) {
            if budget.is_spent() || !self.path.is_empty() {
                return Ok(true);
            }
            let work_before = context.heap.recorded_work();
            self.meet(context, part, false)?;
            context.heap.charge_recorded_since(budget, work_before);
            budget.spend(visits_of(part));
            self.next += 1;
        }
        self.at += 1;
        self.next = 0;
        Ok(true)
    }

    /// Ends the search in a value that cannot change itself.
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
    fn make(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        if let Some(value) = self.changing.get(self.at).copied() {
            // The others come in their order.
            if context.heap.creation_order(value) == 0 {
                self.make_one(context, value)?;
            }
            budget.spend(VISITS_OF_COMPOUND);
            self.at += 1;
            return Ok(true);
        }
        let Some(Reverse((_, bits))) = self.ordered.peek().copied() else {
            return Ok(false);
        };
        self.make_one(context, Value::from_bits(bits))?;
        budget.spend(2 * VISITS_OF_COMPOUND);
        self.ordered.pop();
        Ok(true)
    }

    /// Makes the empty copy of a value; its parts follow when all copies exist.
    fn make_one(&mut self, context: &mut Context, value: Value) -> Result<(), Fault> {
        let own = if value.is_kind(Kind::Host) {
            context.heap.host_bytes(value)
        } else {
            0
        };
        let list = if self.empty.len() == self.empty.capacity() {
            2 * room::row(&self.empty)
        } else {
            0
        };
        context.reserve(own + list + BYTES_OF_SHELL)?;
        let shell = context.heap.shell(value);
        let copy =
            shell.map_err(|host| context.no_copy(host, "cannot be a result of `solutions`"))?;
        self.copies.insert(value, copy);
        if context.heap.count_of_parts(value) > 0 {
            self.empty.push(value);
        }
        Ok(())
    }

    /// Copies a value that is defined by its parts; false if all are made.
    fn intern(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let Some(value) = self.interned.get(self.at).copied() else {
            return Ok(false);
        };
        if let Some(ResultBuilder::Set(making)) = &mut self.making {
            if let Some(copy) = making.resume(&mut context.heap, budget) {
                self.copies.insert(value, copy);
                self.making = None;
                self.at += 1;
            }
        } else if self.gather(context, value, true, budget)? {
            if value.is_kind(Kind::Array) {
                let copy = context
                    .heap
                    .frozen_array_hashed(std::mem::take(&mut self.row), self.hash.finish());
                self.elements.insert(value, copy);
                self.at += 1;
            } else {
                context.reserve(SetBuilder::bytes_of_work(self.row.len()))?;
                self.making = Some(ResultBuilder::Set(SetBuilder::new(std::mem::take(
                    &mut self.row,
                ))));
            }
        }
        Ok(true)
    }

    /// Gives a copy its parts; false if all have them.
    fn fill(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let Some(value) = self.empty.get(self.at).copied() else {
            return Ok(false);
        };
        let copy = self.copy_of(value, false);
        let is_full = match value.kind() {
            Kind::Object => self.fill_object(context, value, copy, budget)?,
            Kind::Relation => self.fill_relation(context, value, copy, budget)?,
            _ => {
                let is_full = self.gather(context, value, false, budget)?;
                if is_full {
                    context.heap.fill_shell(copy, std::mem::take(&mut self.row));
                }
                is_full
            }
        };
        if is_full {
            self.at += 1;
            self.next = 0;
        }
        Ok(true)
    }

    /// Goes on putting the fields into the copy of an object; true when done.
    fn fill_object(
        &mut self,
        context: &mut Context,
        value: Value,
        copy: Value,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        if self.next == 0 {
            let bytes = context.heap.bytes_of_parts(value);
            context.reserve(bytes)?;
        }
        while let (Some(key), Some(part)) = (
            context.heap.part(value, self.next),
            context.heap.part(value, self.next + 1),
        ) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(2 * VISITS_OF_COMPOUND);
            context
                .heap
                .set_field(copy.payload(), key, self.copy_of(part, false));
            self.next += 2;
        }
        Ok(true)
    }

    /// Goes on putting the pairs into the copy of a relation; true when done.
    fn fill_relation(
        &mut self,
        context: &mut Context,
        value: Value,
        copy: Value,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        if let Some(ResultBuilder::Relation(making)) = &mut self.making {
            let Some(made) = making.resume(&mut context.heap, budget) else {
                return Ok(false);
            };
            context.heap.move_pairs(made.payload(), copy.payload());
            self.making = None;
            return Ok(true);
        }
        if self.gather(context, value, true, budget)? {
            let count = self.row.len() / 2;
            if self.pairs.is_empty() {
                context.reserve(count * BYTES_OF_PAIR)?;
                self.pairs.reserve_exact(count);
            }
            let from = self.pairs.len();
            let some = (count - from).min(budget.room_for(2));
            budget.spend(2 * some);
            self.pairs.extend(
                self.row
                    .chunks_exact(2)
                    .skip(from)
                    .take(some)
                    .map(|pair| (pair[0], pair[1])),
            );
            if self.pairs.len() == count {
                self.row = Vec::new();
                self.making = Some(ResultBuilder::Relation(RelationFromPairs::new(
                    std::mem::take(&mut self.pairs),
                )));
            }
        }
        Ok(false)
    }

    /// Gathers the copies of the parts of a value, as elements of sets or not; true if all are there.
    fn gather(
        &mut self,
        context: &mut Context,
        value: Value,
        are_elements: bool,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let count = context.heap.count_of_parts(value);
        if self.row.is_empty() {
            context.reserve(count.saturating_mul(8))?;
            self.row.reserve_exact(count);
            self.hash = WordsHash::of(count);
        }
        let from = self.row.len();
        while self.row.len() < count && !budget.is_spent() {
            let part = context
                .heap
                .part(value, self.row.len())
                .unwrap_or(Value::NULL);
            budget.spend(
                visits_of(part)
                    + if value.is_kind(Kind::Set) {
                        VISITS_IN_TREE
                    } else {
                        2
                    },
            );
            self.row.push(self.copy_of(part, are_elements));
        }
        context.heap.add_contents(&mut self.hash, &self.row[from..]);
        Ok(self.row.len() >= count)
    }

    /// The copy of a value if it needs one, else the value itself.
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
        table
            .get(&value)
            .copied()
            .filter(|copy| *copy != NOT_YET)
            .unwrap_or(value)
    }
}

/// The visits charged for a part.
fn visits_of(part: Value) -> usize {
    if part.is_compound() {
        VISITS_OF_COMPOUND
    } else {
        2
    }
}

impl Work for ResultCopy {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        while self.stage != Stage::Done {
            if budget.is_spent() {
                return Ok(None);
            }
            let has_more = match self.stage {
                Stage::Beginning => self.meet(context, self.root, false).map(|_| false)?,
                Stage::Finding => self.find(context, budget)?,
                Stage::Making => self.make(context, budget)?,
                Stage::Interning => self.intern(context, budget)?,
                Stage::Filling => self.fill(context, budget)?,
                Stage::Done => false,
            };
            if !has_more {
                self.end_stage();
            }
        }
        Ok(Some(self.copy_of(self.root, false)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.root);
        let both = self.copies.iter().chain(&self.elements);
        tracer
            .values
            .extend(both.flat_map(|(original, copy)| [*original, *copy]));
        tracer.values.extend_from_slice(&self.row);
        let mut value = |value| tracer.values.push(value);
        match &self.making {
            Some(ResultBuilder::Set(making)) => {
                making.values(&mut value, &mut |tree| tracer.trees.push(tree))
            }
            Some(ResultBuilder::Relation(making)) => making.values(&mut value),
            None => {}
        }
    }

    fn bytes(&self) -> usize {
        let making = match &self.making {
            Some(ResultBuilder::Set(making)) => making.bytes(),
            Some(ResultBuilder::Relation(making)) => making.bytes(),
            None => 0,
        };
        room::hash_map(self.copies.capacity(), 16)
            + room::hash_map(self.elements.capacity(), 16)
            + room::row(&self.changing)
            + room::row(&self.path)
            + room::block(self.ordered.capacity() * 16)
            + room::row(&self.interned)
            + room::row(&self.empty)
            + room::row(&self.row)
            + room::row(&self.pairs)
            + making
    }
}
