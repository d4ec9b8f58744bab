//! What goes into a set or a relation is stored by value: an array becomes an interned copy that nobody writes.

use rustc_hash::FxHashMap;

use super::array::Array;
use super::heap::Heap;
use super::hosted::NoCopy;
use super::number::hash_words;
use super::room;
use super::slots::Slots;
use super::value::{Handle, Kind, Value};

/// Why a value cannot be frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfreezable {
    /// The array contains itself, so it has no value.
    ContainsItself,
    /// A value of the host is, or is inside.
    Host(NoCopy),
}

impl From<NoCopy> for Unfreezable {
    fn from(host: NoCopy) -> Unfreezable {
        Unfreezable::Host(host)
    }
}

enum Step {
    Enter(Handle),
    Leave(Handle),
}

impl Heap {
    /// The frozen form of a value: the value itself but for arrays and values of the host.
    #[inline]
    pub fn freeze(&mut self, value: Value) -> Result<Value, Unfreezable> {
        if !value.may_equal_another() {
            return Ok(value);
        }
        match value.handle_of(Kind::Array) {
            Some(array) if !self.arrays[array].frozen => self.freeze_array(array),
            Some(_) => Ok(value),
            None => Ok(self.freeze_host(value)?),
        }
    }

    fn freeze_array(&mut self, array: Handle) -> Result<Value, Unfreezable> {
        // `None` marks the arrays that are being frozen: to meet one again is a cycle.
        let mut frozen: FxHashMap<Handle, Option<Value>> = FxHashMap::default();
        let mut work = vec![Step::Enter(array)];
        while let Some(step) = work.pop() {
            match step {
                Step::Enter(at) => match frozen.get(&at) {
                    Some(None) => return Err(Unfreezable::ContainsItself),
                    Some(Some(_)) => {}
                    None => {
                        frozen.insert(at, None);
                        work.push(Step::Leave(at));
                        let elements = self.elements(at).to_vec();
                        self.note_work(elements.len());
                        for element in elements {
                            if let Some(inner) = element.handle_of(Kind::Array)
                                && !self.arrays[inner].frozen
                            {
                                work.push(Step::Enter(inner));
                            }
                        }
                    }
                },
                Step::Leave(at) => {
                    let done = |element: Value| match element.handle_of(Kind::Array) {
                        Some(inner) => frozen.get(&inner).copied().flatten().unwrap_or(element),
                        None => element,
                    };
                    let mut elements: Vec<Value> = self.arrays[at].slots.values().iter().map(|e| done(*e)).collect();
                    for element in elements.iter_mut().filter(|element| element.is_kind(Kind::Host)) {
                        *element = self.freeze_host(*element)?;
                    }
                    let value = self.frozen_array(elements);
                    frozen.insert(at, Some(value));
                }
            }
        }
        frozen.get(&array).copied().flatten().ok_or(Unfreezable::ContainsItself)
    }

    /// The frozen array of frozen values.
    pub fn frozen_array(&mut self, elements: Vec<Value>) -> Value {
        let hash = hash_words(&elements);
        if let Some(found) = self.frozen_table.find(hash, |at| self.arrays[*at].slots.values() == elements) {
            return Value::handle(Kind::Array, *found);
        }
        self.allocated(room::row(&elements));
        let slots = Slots::new(elements, self.serial);
        let handle = self.arrays.add(Array { slots, frozen: true, view: None }, &mut self.bytes);
        let arrays = &self.arrays;
        let hasher = |at: &Handle| hash_words(arrays[*at].slots.values());
        room::enter(&mut self.frozen_table, hash, handle, hasher, &mut self.bytes);
        Value::handle(Kind::Array, handle)
    }
}
