//! Objects in the heap: how they are made and changed, with what a failure needs to undo it.

use super::{Object, UNINDEXED};
use crate::store::heap::Heap;
use crate::store::slots::{Slots, Undo};
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};

impl Heap {
    /// A new object without fields.
    pub fn object(&mut self) -> Value {
        self.object_with_room(0)
    }

    /// A new object without fields, with capacity for this many.
    pub fn object_with_room(&mut self, fields: usize) -> Value {
        let sequence = self.next_sequence();
        // For many fields, memory is allocated as they are added.
        let slots = Slots::new(
            Vec::with_capacity(2 * fields.min(UNINDEXED)),
            self.serials.latest,
        );
        self.allocated(slots.bytes_of_values());
        Value::handle(
            Kind::Object,
            self.objects.add(
                Object {
                    slots,
                    index: None,
                    sequence,
                    board: 0,
                },
                &mut self.account.bytes,
            ),
        )
    }

    /// Puts a change of an object on the trail, if it is to be undone.
    fn log_object(&mut self, object: Handle, undo: Option<Undo>) {
        if let Some(undo) = undo {
            self.account.bytes += self.objects[object].slots.take_bytes_to_account();
            self.log(Entry::of_slots(
                Target::Object,
                Target::ObjectLength,
                object,
                undo,
            ));
        }
    }

    /// Writes a field, new or not; `key` is a string.
    pub fn set_field(&mut self, object: Handle, key: Value, value: Value) {
        match self.objects[object].find(key) {
            Some(at) => self.set_slot(object, at * 2 + 1, value),
            None => {
                let top = self.serials.top;
                let target = &mut self.objects[object];
                let stays_small = target.index.is_none()
                    && target.len() < UNINDEXED
                    && target.slots.has_room_for(2);
                let before = if stays_small {
                    0
                } else {
                    target.bytes_of_fields()
                };
                let undo = target.slots.push_two(key, value, top);
                self.log_object(object, undo);
                if stays_small {
                    return;
                }
                let target = &mut self.objects[object];
                let at = target.len() - 1;
                if let Some(index) = &mut target.index {
                    index.insert(key, at as u32);
                } else if at >= UNINDEXED {
                    target.reindex();
                }
                let added = self.objects[object]
                    .bytes_of_fields()
                    .saturating_sub(before);
                self.allocated(added);
            }
        }
    }

    fn set_slot(&mut self, object: Handle, slot: usize, value: Value) {
        let undo = self.objects[object]
            .slots
            .set(slot, value, self.serials.top);
        self.log_object(object, undo);
    }

    /// Writes all keys and values.
    pub(crate) fn set_object_slots(&mut self, object: Handle, values: &[Value]) {
        while self.objects[object].slots.len() > values.len() {
            let (_, [length, element]) = self.objects[object].slots.pop(self.serials.top);
            self.log_object(object, length);
            self.log_object(object, element);
        }
        for (at, value) in values.iter().enumerate() {
            if at < self.objects[object].slots.len() {
                self.set_slot(object, at, *value);
            } else {
                let undo = self.objects[object].slots.push(*value, self.serials.top);
                self.log_object(object, undo);
            }
        }
        self.objects[object].reindex();
    }

    /// Removes a field from the index before it is removed; returns its place.
    pub fn begin_removing(&mut self, object: Handle, key: Value) -> Option<usize> {
        let at = self.objects[object].find(key)?;
        if let Some(index) = &mut self.objects[object].index {
            index.remove(&key);
        }
        Some(at)
    }

    /// Moves the next field down to a place.
    pub fn move_field_down(&mut self, object: Handle, at: usize) {
        let field = [0, 1].map(|part| self.objects[object].slots.values()[2 * at + 2 + part]);
        for (part, value) in field.into_iter().enumerate() {
            self.set_slot(object, 2 * at + part, value);
        }
        if let Some(index) = &mut self.objects[object].index {
            index.insert(field[0], at as u32);
        }
    }

    /// Drops the last field, which was moved down or is the removed one.
    pub fn end_removing(&mut self, object: Handle) {
        for _ in 0..2 {
            let (_, [length, element]) = self.objects[object].slots.pop(self.serials.top);
            self.log_object(object, length);
            self.log_object(object, element);
        }
        if self.objects[object].len() <= UNINDEXED {
            self.objects[object].index = None;
        }
    }
}
