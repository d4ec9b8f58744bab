//! Copies of values.

use rustc_hash::FxHashMap;

use super::budget::Budget;
use super::heap::Heap;
use super::hosted::NoCopy;
use super::room;
use super::value::{Kind, Value};

/// A copy of a value and everything that can change in it, or of one level only; can stop and go on. What is shared, and
/// cycles, stay so. Immutable values are themselves.
#[derive(Clone, Debug)]
pub struct Copying {
    value: Value,
    is_deep: bool,
    copies: FxHashMap<Value, Value>,
    /// What is being filled: the original, its copy, and how many of its slots are copied.
    work: Vec<(Value, Value, usize)>,
}

impl Copying {
    /// Of a value and everything that can change in it.
    pub fn new(value: Value) -> Copying {
        Copying { value, is_deep: true, copies: FxHashMap::default(), work: Vec::new() }
    }

    /// Of a value alone: what it contains is shared.
    pub fn of_one_level(value: Value) -> Copying {
        Copying { is_deep: false, ..Copying::new(value) }
    }

    /// Whether a copy is not the value itself.
    pub fn changes(value: Value) -> bool {
        matches!(value.kind(), Kind::Array | Kind::Grid | Kind::Object | Kind::Queue | Kind::Host)
    }

    /// Goes on; the copy when it is done.
    ///
    /// # Errors
    /// If there is no copy of a value of the host inside.
    pub fn go(&mut self, heap: &mut Heap, budget: &mut Budget) -> Result<Option<Value>, NoCopy> {
        let root = self.copy_of(heap, self.value, budget)?;
        while let Some((original, copy, at)) = self.work.pop() {
            if budget.is_spent() {
                self.work.push((original, copy, at));
                return Ok(None);
            }
            let count = heap.slots_of(original).len();
            // Of an object a key and its value go together.
            let step = if original.is_kind(Kind::Object) { 2 } else { 1 };
            let visits = if step == 2 || self.is_deep { 24 } else { 3 };
            let end = count.min(at + step * budget.room_for(visits));
            // What has to be copied in turn is paid for when it is met.
            budget.spend(if step == 2 { 24 } else { 3 } * (end - at) / step + 4);
            if end < count {
                self.work.push((original, copy, end));
            }
            for slot in (at..end).step_by(step) {
                let mut value = heap.slots_of(original).get(slot + step - 1).copied().unwrap_or(Value::NULL);
                if self.is_deep && Copying::changes(value) {
                    value = self.copy_of(heap, value, budget)?;
                }
                match copy.kind() {
                    Kind::Array => heap.push_element(copy.payload(), value),
                    Kind::Grid => heap.set_cell(copy.payload(), slot, value),
                    Kind::Object => {
                        let key = heap.slots_of(original).get(slot).copied().unwrap_or(Value::NULL);
                        heap.set_field(copy.payload(), key, value);
                    }
                    _ => heap.put_slot(copy.payload(), slot, value),
                }
            }
        }
        Ok(Some(root))
    }

    /// The copy of a value that changes, which may have to be filled still.
    fn copy_of(&mut self, heap: &mut Heap, value: Value, budget: &mut Budget) -> Result<Value, NoCopy> {
        if !Copying::changes(value) {
            return Ok(value);
        }
        budget.spend(16);
        if let Some(copy) = self.copies.get(&value) {
            return Ok(*copy);
        }
        let handle = value.payload();
        let copy = match value.kind() {
            Kind::Host => heap.copy_host(value)?,
            Kind::Array => {
                let count = heap.elements(handle).len();
                heap.array(Vec::with_capacity(count))
            }
            Kind::Grid => {
                let grid = &heap.grids[handle];
                let (width, height, count) = (grid.width, grid.height, grid.slots.len());
                budget.spend(count / 8);
                heap.grid(width, height, vec![Value::NULL; count])
            }
            Kind::Object => heap.object(),
            _ => {
                let has_priorities = heap.queues[handle].has_priorities;
                heap.queue(has_priorities)
            }
        };
        self.copies.insert(value, copy);
        if !value.is_kind(Kind::Host) {
            self.work.push((value, copy, 0));
        }
        Ok(copy)
    }

    /// Shows the values in it.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.value);
        self.copies.iter().flat_map(|(value, copy)| [*value, *copy]).for_each(visit);
    }

    pub fn bytes(&self) -> usize {
        room::hash_map(self.copies.capacity(), 16) + room::row(&self.work)
    }
}

impl Heap {
    /// The fields of an object.
    pub fn fields(&self, object: Value) -> Vec<(Value, Value)> {
        let object = &self.objects[object.payload()];
        object.keys().zip(object.values()).collect()
    }

    /// Bytes of a copy of one level, at most.
    pub fn bytes_of_parts(&self, value: Value) -> usize {
        // Of an object keys and values, room to grow, and the index of the keys.
        let each = if value.is_kind(Kind::Object) { 40 } else { 8 };
        self.slots_of(value).len() * each + 128
    }
}
