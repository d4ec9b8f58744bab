//! Values in a set or a relation are stored frozen: an array becomes an immutable interned copy, a growing text an
//! interned one.

use ndscript_base::keyed::KeyedMap;

use crate::kinds::array::{Array, Role};
use crate::kinds::hosted::NoCopy;
use crate::kinds::text::InternWalk;
use crate::number::{Hashes, WordsHash};
use crate::store::heap::Heap;
use crate::store::slots::Slots;
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// Why a value cannot be frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfreezable {
    /// The array contains itself, so it has no value.
    ContainsItself,
    /// A value of the host is, or is inside.
    Host(NoCopy),
}

/// The state of freezing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The value that was begun is frozen; [`FreezeWalk::begin`] then returns it.
    Done,
    /// The budget is spent.
    Spent,
    /// It needs this many bytes at once, and continues when they are granted.
    Room(usize),
}

impl From<NoCopy> for Unfreezable {
    fn from(host: NoCopy) -> Unfreezable {
        Unfreezable::Host(host)
    }
}

/// Freezing that can stop and resume. An array that was frozen once is not visited again, for all values that one
/// operation freezes.
#[derive(Clone, Debug, Default)]
pub struct FreezeWalk {
    /// Of arrays and long texts. `None` marks the arrays that are being frozen: meeting one again means a cycle.
    frozen: KeyedMap<Value, Option<Value>>,
    work: Vec<Step>,
    /// Bytes that it may use at once, beyond small allocations: the caller has checked that they fit.
    granted: usize,
}

/// Allocations up to this many bytes need no grant.
const BYTES_WITHOUT_ASKING: usize = 1 << 14;

#[derive(Clone, Debug)]
enum Step {
    Enter(Handle),
    /// Looks for arrays among the elements from an index on.
    Look(Handle, usize),
    /// Puts the frozen elements together.
    Build(Handle, Vec<Value>, WordsHash),
    /// Interns a text.
    Text(Value),
    Intern(Value, InternWalk),
}

impl Step {
    /// The first step for an array or a text.
    fn of(value: Value) -> Step {
        if value.is_kind(Kind::Text) {
            Step::Text(value)
        } else {
            Step::Enter(value.payload())
        }
    }
}

fn array_value(array: Handle) -> Value {
    Value::handle(Kind::Array, array)
}

impl FreezeWalk {
    /// The frozen form of a value, if that is known; otherwise [`FreezeWalk::resume`] must be called until it is done.
    #[inline]
    pub fn begin(&mut self, heap: &mut Heap, value: Value) -> Result<Option<Value>, Unfreezable> {
        if !value.may_equal_another() {
            return Ok(Some(value));
        }
        if value.is_kind(Kind::Host) {
            return Ok(Some(heap.freeze_host(value)?));
        }
        if heap.is_frozen(value) {
            return Ok(Some(value));
        }
        if let Some(Some(known)) = self.frozen.get(&value) {
            return Ok(Some(*known));
        }
        self.work.push(Step::of(value));
        Ok(None)
    }

    /// Lets it use this many bytes for its next allocation.
    pub fn grant(&mut self, bytes: usize) {
        self.granted = bytes;
    }

    /// Whether the list must grow for the next step, which puts back at most two for one.
    fn is_list_full(&self) -> bool {
        self.work.capacity() - self.work.len() < 2
    }

    /// The bytes that a step takes at once.
    fn bytes_of(&self, heap: &Heap, step: &Step) -> usize {
        let row = room::row(&self.work);
        let list = if self.is_list_full() {
            row + room::step(row)
        } else {
            0
        };
        list + match step {
            // A view is written out.
            Step::Enter(at) => {
                let is_full = self.frozen.len() == self.frozen.capacity();
                let table = if is_full {
                    room::hash_map(2 * self.frozen.capacity() + 1, 24)
                } else {
                    0
                };
                let view = heap.arrays[*at]
                    .view()
                    .map_or(0, |view| view.length as usize * size_of::<Value>());
                table + view
            }
            Step::Build(at, elements, _) if elements.capacity() == 0 => {
                heap.arrays[*at].slots.len() * size_of::<Value>()
            }
            Step::Text(text) if heap.texts[text.payload()].known_interned().is_some() => 0,
            Step::Text(text) => room::block(heap.texts[text.payload()].length()),
            Step::Look(..) | Step::Build(..) | Step::Intern(..) => 0,
        }
    }

    /// Continues.
    ///
    /// # Errors
    /// If the value that was begun has no frozen form.
    pub fn resume(
        &mut self,
        heap: &mut Heap,
        budget: &mut Budget,
    ) -> Result<Progress, Unfreezable> {
        while let Some(step) = self.work.pop() {
            if budget.is_spent() {
                self.work.push(step);
                return Ok(Progress::Spent);
            }
            let bytes = self.bytes_of(heap, &step);
            if bytes > BYTES_WITHOUT_ASKING {
                if bytes > self.granted {
                    self.work.push(step);
                    return Ok(Progress::Room(bytes));
                }
                self.granted = 0;
            }
            if self.is_list_full() {
                room::grow(&mut self.work, 2);
            }
            match step {
                Step::Enter(at) => match self.frozen.get(&array_value(at)) {
                    Some(None) => return Err(Unfreezable::ContainsItself),
                    Some(Some(_)) => budget.spend(8),
                    None => {
                        self.frozen.insert(array_value(at), None);
                        let work_before = heap.recorded_work();
                        let count = heap.elements(at).len();
                        heap.charge_recorded_since(budget, work_before);
                        budget.spend(32);
                        self.work
                            .push(Step::Build(at, Vec::new(), WordsHash::of(count)));
                        self.work.push(Step::Look(at, 0));
                    }
                },
                Step::Look(at, from) => {
                    let elements = heap.arrays[at].slots.values();
                    let end = elements.len().min(from.saturating_add(budget.room_for(2)));
                    let unfrozen = |element: &Value| {
                        if !element.may_equal_another()
                            || element.is_kind(Kind::Host)
                            || heap.is_frozen(*element)
                        {
                            return None;
                        }
                        self.frozen
                            .get(element)
                            .is_none_or(Option::is_none)
                            .then_some(*element)
                    };
                    let some = elements.get(from..end).unwrap_or_default();
                    // One after the other: values that occur repeatedly are mostly frozen at the second occurrence.
                    let found = some
                        .iter()
                        .enumerate()
                        .find_map(|(index, element)| Some((index, unfrozen(element)?)));
                    let next = found.map_or(end, |(index, _)| from + index + 1);
                    budget.spend(2 * (next - from) + 8);
                    if next < elements.len() {
                        self.work.push(Step::Look(at, next));
                    }
                    self.work.extend(found.map(|(_, inner)| Step::of(inner)));
                }
                Step::Build(at, elements, hash) => self.build(heap, budget, at, elements, hash)?,
                Step::Text(text) => {
                    budget.spend(8);
                    match heap.known_interned(text) {
                        Some(interned) => {
                            self.frozen.insert(text, Some(interned));
                        }
                        None => self
                            .work
                            .push(Step::Intern(text, InternWalk::of_text(heap, text, 0))),
                    }
                }
                Step::Intern(text, mut interning) => match interning.resume(heap, budget) {
                    Some(interned) => {
                        heap.keep_interned(text, interned);
                        self.frozen.insert(text, Some(interned));
                    }
                    None => self.work.push(Step::Intern(text, interning)),
                },
            }
        }
        Ok(Progress::Done)
    }

    /// Goes on making the frozen copy of an array whose elements are frozen.
    fn build(
        &mut self,
        heap: &mut Heap,
        budget: &mut Budget,
        at: Handle,
        mut elements: Vec<Value>,
        mut hash: WordsHash,
    ) -> Result<(), Unfreezable> {
        let count = heap.arrays[at].slots.len();
        let from = elements.len();
        let end = count.min(from + budget.room_for(4));
        budget.spend(4 * (end - from));
        if elements.capacity() == 0 {
            elements.reserve_exact(count);
        }
        for index in from..end {
            let element = heap.arrays[at].slots.get(index).unwrap_or(Value::NULL);
            elements.push(match element.kind() {
                Kind::Array | Kind::Text => self
                    .frozen
                    .get(&element)
                    .copied()
                    .flatten()
                    .unwrap_or(element),
                Kind::Host => heap.freeze_host(element)?,
                _ => element,
            });
        }
        heap.add_contents(&mut hash, &elements[from..]);
        if end < count {
            self.work.push(Step::Build(at, elements, hash));
        } else {
            let value = heap.frozen_array_hashed(elements, hash.finish());
            self.frozen.insert(array_value(at), Some(value));
        }
        Ok(())
    }

    /// Shows the values in it.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        for (value, frozen) in &self.frozen {
            visit(*value);
            frozen.iter().for_each(|value| visit(*value));
        }
        for step in &self.work {
            match step {
                Step::Enter(array) | Step::Look(array, _) => visit(array_value(*array)),
                Step::Text(text) | Step::Intern(text, _) => visit(*text),
                Step::Build(_, elements, _) => elements.iter().for_each(|element| visit(*element)),
            }
        }
    }

    pub fn bytes(&self) -> usize {
        let built = |step: &Step| match step {
            Step::Build(_, elements, _) => room::row(elements),
            Step::Intern(_, interning) => interning.bytes(),
            Step::Enter(_) | Step::Look(..) | Step::Text(_) => 0,
        };
        room::hash_map(self.frozen.capacity(), 24)
            + room::row(&self.work)
            + self.work.iter().map(built).sum::<usize>()
    }
}

impl Heap {
    /// Whether a value, not of a host type, is its own frozen form.
    #[inline]
    pub fn is_frozen(&self, value: Value) -> bool {
        match value.handle_of(Kind::Array) {
            Some(array) => self.arrays[array].is_frozen(),
            None => self.is_interned_text(value),
        }
    }

    /// The frozen form of a value: the value itself but for arrays, long texts and values of the host. All at once.
    #[inline]
    pub fn freeze(&mut self, value: Value) -> Result<Value, Unfreezable> {
        if !value.is_kind(Kind::Host) && self.is_frozen(value) {
            return Ok(value);
        }
        let mut freezing = FreezeWalk::default();
        let mut budget = Budget::unlimited();
        loop {
            if let Some(frozen) = freezing.begin(self, value)? {
                self.record_work(budget.steps());
                return Ok(frozen);
            }
            if let Progress::Room(bytes) = freezing.resume(self, &mut budget)? {
                freezing.grant(bytes);
            }
        }
    }

    /// The frozen array of frozen values.
    pub fn frozen_array(&mut self, elements: Vec<Value>) -> Value {
        let hash = self.hash_contents(&elements);
        self.frozen_array_hashed(elements, hash)
    }

    /// As `frozen_array`, for values whose hash is known.
    pub fn frozen_array_hashed(&mut self, elements: Vec<Value>, hash: Hashes) -> Value {
        let is_same = |at: &Handle| {
            self.arrays[*at].hash() == hash && self.arrays[*at].slots.values() == elements
        };
        if let Some(found) = self.frozen_table.find(hash.in_table(), is_same) {
            return Value::handle(Kind::Array, *found);
        }
        self.allocated(room::row(&elements));
        let slots = Slots::new(elements, self.serial);
        let handle = self.arrays.add(
            Array {
                slots,
                role: Role::Frozen(hash),
            },
            &mut self.bytes,
        );
        let arrays = &self.arrays;
        let hasher = |at: &Handle| arrays[*at].table_hash();
        let hash = arrays[handle].table_hash();
        self.frozen_table
            .enter(hash, handle, &hasher, &mut self.bytes);
        Value::handle(Kind::Array, handle)
    }
}
