//! Copies of values.

use ndscript_base::keyed::KeyedMap;

use crate::kinds::hosted::NoCopy;
use crate::store::heap::Heap;
use crate::value::{Kind, Value};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// Copies a value and all mutable values inside it, or one level only, in pieces. Sharing and cycles are preserved.
/// Immutable values are their own copies.
#[derive(Clone, Debug)]
pub struct CopyWalk {
    value: Value,
    is_deep: bool,
    copies: KeyedMap<Value, Value>,
    /// Unfinished copies: the original, its copy, and the number of its slots copied.
    work: Vec<(Value, Value, usize)>,
    /// Bytes that it may allocate at once: the caller has checked that they are available.
    granted: usize,
}

/// Why copying stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A value of the host cannot be copied.
    Host(NoCopy),
    /// It needs this number of bytes at once, and continues once they are granted.
    Room(usize),
}

impl From<NoCopy> for Halt {
    fn from(host: NoCopy) -> Halt {
        Halt::Host(host)
    }
}

/// After an element that took more visits, the budget is checked.
const LONG_ELEMENT: i64 = 1 << 12;
/// The most bytes allocated without asking.
const BYTES_WITHOUT_ASKING: usize = 1 << 14;

impl CopyWalk {
    /// Copies a value and everything mutable in it.
    pub fn new(value: Value) -> CopyWalk {
        CopyWalk {
            value,
            is_deep: true,
            copies: KeyedMap::default(),
            work: Vec::new(),
            granted: 0,
        }
    }

    /// Copies one level: its parts are shared.
    pub fn of_one_level(value: Value) -> CopyWalk {
        CopyWalk {
            is_deep: false,
            ..CopyWalk::new(value)
        }
    }

    /// Whether a copy differs from the value itself, because it is mutable.
    pub fn changes(value: Value) -> bool {
        matches!(
            value.kind(),
            Kind::Array | Kind::Grid | Kind::Object | Kind::Queue | Kind::Host
        )
    }

    /// Grants it bytes for the next value.
    pub fn grant(&mut self, bytes: usize) {
        self.granted = bytes;
    }

    /// Continues; returns the copy once it is done, `None` if the budget is spent.
    ///
    /// # Errors
    /// If there is no copy of a value of the host inside, or if it needs more bytes than were granted.
    pub fn resume(&mut self, heap: &mut Heap, budget: &mut Budget) -> Result<Option<Value>, Halt> {
        let root = self.copy_of(heap, self.value, budget)?;
        while let Some((original, copy, at)) = self.work.pop() {
            if budget.is_spent() {
                self.work.push((original, copy, at));
                return Ok(None);
            }
            let count = heap.slots_of(original).len();
            // A key and its value are copied together.
            let step = if original.is_kind(Kind::Object) { 2 } else { 1 };
            let visits = if step == 2 || self.is_deep { 24 } else { 3 };
            let end = count.min(at + step * budget.room_for(visits));
            // The rest of it is copied after its parts.
            let below = self.work.len();
            let mut halted = Ok(());
            let mut next = end;
            for slot in (at..end).step_by(step) {
                let left = budget.left();
                let mut value = heap
                    .slots_of(original)
                    .get(slot + step - 1)
                    .copied()
                    .unwrap_or(Value::NULL);
                if self.is_deep && CopyWalk::changes(value) {
                    match self.copy_of(heap, value, budget) {
                        Ok(copied) => value = copied,
                        Err(halt) => {
                            (halted, next) = (Err(halt), slot);
                            break;
                        }
                    }
                }
                match copy.kind() {
                    Kind::Array => heap.push_element(copy.payload(), value),
                    Kind::Grid => heap.push_cell(copy.payload(), value),
                    Kind::Object => {
                        let key = heap
                            .slots_of(original)
                            .get(slot)
                            .copied()
                            .unwrap_or(Value::NULL);
                        heap.set_field(copy.payload(), key, value);
                    }
                    _ => heap.put_slot(copy.payload(), slot, value),
                }
                // A view takes far more than an element does.
                if left - budget.left() > LONG_ELEMENT {
                    next = slot + step;
                    break;
                }
            }
            budget.spend(if step == 2 { 24 } else { 3 } * (next - at) / step + 4);
            if next < count {
                self.work.insert(below, (original, copy, next));
            }
            halted?;
        }
        Ok(Some(root))
    }

    /// The copy of a mutable value, whose slots may not be filled yet.
    fn copy_of(
        &mut self,
        heap: &mut Heap,
        value: Value,
        budget: &mut Budget,
    ) -> Result<Value, Halt> {
        if !CopyWalk::changes(value) {
            return Ok(value);
        }
        budget.spend(16);
        if let Some(copy) = self.copies.get(&value) {
            return Ok(*copy);
        }
        let needed = self.bytes_of(heap, value);
        if needed > BYTES_WITHOUT_ASKING && needed > self.granted {
            return Err(Halt::Room(needed));
        }
        self.granted = 0;
        let handle = value.payload();
        let copy = match value.kind() {
            Kind::Host => heap.copy_host(value)?,
            Kind::Array => {
                let work_before = heap.recorded_work();
                let count = heap.elements(handle).len();
                heap.charge_recorded_since(budget, work_before);
                heap.array(Vec::with_capacity(count))
            }
            Kind::Grid => {
                let grid = &heap.grids[handle];
                let (width, height, count) = (grid.width, grid.height, grid.slots.len());
                heap.grid(width, height, Vec::with_capacity(count))
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

    /// The bytes that the copy of a value takes at once, with its place in the table.
    fn bytes_of(&self, heap: &Heap, value: Value) -> usize {
        let handle = value.payload();
        let own = match value.kind() {
            // The elements of a view are written out.
            Kind::Array if heap.arrays[handle].view().is_some() => {
                2 * heap.array_len(handle) * size_of::<Value>()
            }
            Kind::Array | Kind::Grid => heap.count_of_parts(value) * size_of::<Value>(),
            Kind::Host => heap.host_bytes(value),
            _ => 0,
        };
        let is_full = self.copies.len() == self.copies.capacity();
        let table = if is_full {
            room::hash_map(2 * self.copies.capacity() + 1, 16)
        } else {
            0
        };
        let list = if self.work.len() == self.work.capacity() {
            2 * room::row(&self.work)
        } else {
            0
        };
        own + table + list
    }

    /// Shows the values in it.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.value);
        self.copies
            .iter()
            .flat_map(|(value, copy)| [*value, *copy])
            .for_each(visit);
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
        // For an object: keys and values, spare capacity, and the index of the keys.
        let each = if value.is_kind(Kind::Object) { 40 } else { 8 };
        self.slots_of(value).len() * each + 128
    }
}
