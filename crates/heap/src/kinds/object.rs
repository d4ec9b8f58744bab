//! Objects: fields by name, in order of insertion.

use ndscript_base::keyed::KeyedMap;

use crate::store::heap::Heap;
use crate::store::slots::{Slots, Undo};
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};
use ndscript_base::room;

/// Objects with more fields than this have an index of their keys.
const UNINDEXED: usize = 8;

/// An object. Its slots alternate between a key and its value; keys are interned strings.
#[derive(Clone, Debug, Default)]
pub struct Object {
    slots: Slots,
    index: Option<Box<KeyedMap<Value, u32>>>,
    /// Its place in the order of creation.
    pub sequence: u64,
    /// The board's handle plus 1, or 0 if it never had constraints.
    pub board: u32,
}

impl Object {
    /// The number of fields.
    #[inline]
    pub fn len(&self) -> usize {
        self.slots.len() / 2
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = Value> + '_ {
        self.slots.values().chunks_exact(2).map(|field| field[0])
    }

    /// The key of the field at a place.
    pub fn key_at(&self, place: usize) -> Option<Value> {
        self.slots.values().get(2 * place).copied()
    }

    /// The values, in order.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.slots.values().chunks_exact(2).map(|field| field[1])
    }

    /// The place of a field.
    #[inline]
    pub fn find(&self, key: Value) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(&key).map(|at| *at as usize),
            None => {
                // No iterators: with optimization for size they become calls, for each of the few fields.
                let slots = self.slots.values();
                let mut at = 0;
                while at < slots.len() {
                    if slots[at] == key {
                        return Some(at / 2);
                    }
                    at += 2;
                }
                None
            }
        }
    }

    /// The value of a field.
    #[inline]
    pub fn get(&self, key: Value) -> Option<Value> {
        self.find(key).map(|at| self.slots.values()[at * 2 + 1])
    }

    /// The value of a field of an object that has few of them.
    #[inline(always)]
    pub fn get_unindexed(&self, key: Value) -> Option<Value> {
        if self.index.is_some() {
            return None;
        }
        self.slots
            .values()
            .chunks_exact(2)
            .find(|field| field[0] == key)
            .map(|field| field[1])
    }

    /// The place of a field that can be written directly: one of few, and nothing to log.
    #[inline(always)]
    pub fn fresh_place(&mut self, key: Value, top: u64) -> Option<&mut Value> {
        if self.index.is_some() || self.board != 0 || !self.slots.is_fresh(top) {
            return None;
        }
        let fields = self.slots.values_mut_unlogged().chunks_exact_mut(2);
        fields
            .into_iter()
            .find(|field| field[0] == key)
            .map(|field| &mut field[1])
    }

    /// The serial in force when it was made.
    pub fn born(&self) -> u64 {
        self.slots.born()
    }

    pub(crate) fn bytes_to_log(&self, top: u64) -> usize {
        self.slots.bytes_to_log(top)
    }

    /// Alternating keys and values.
    pub fn slots(&self) -> &[Value] {
        self.slots.values()
    }

    fn reindex(&mut self) {
        self.index = (self.len() > UNINDEXED).then(|| {
            let fields = self.slots.values().chunks_exact(2).enumerate();
            Box::new(fields.map(|(at, field)| (field[0], at as u32)).collect())
        });
    }

    /// Restores from an undo, and updates the index.
    pub(crate) fn restore(&mut self, undo: Undo) {
        if let Some(index) = &mut self.index {
            match undo {
                Undo::Element {
                    index: slot, old, ..
                } if slot % 2 == 0 => {
                    let at = slot / 2;
                    if let Some(current) = self.slots.get(slot as usize)
                        && index.get(&current) == Some(&at)
                    {
                        index.remove(&current);
                    }
                    index.insert(old, at);
                }
                Undo::Length { length, .. } => {
                    for slot in (length as usize..self.slots.len()).step_by(2) {
                        if let Some(key) = self.slots.get(slot)
                            && index.get(&key) == Some(&(slot as u32 / 2))
                        {
                            index.remove(&key);
                        }
                    }
                }
                Undo::Element { .. } => {}
            }
        }
        self.slots.restore(undo);
    }

    fn bytes_of_fields(&self) -> usize {
        self.slots.bytes_of_values() + self.bytes_of_index()
    }

    fn bytes_of_index(&self) -> usize {
        self.index
            .as_ref()
            .map_or(0, |index| 48 + room::hash_map(index.capacity(), 16))
    }

    pub fn bytes(&self) -> usize {
        self.slots.bytes() + self.bytes_of_index()
    }
}

impl Heap {
    /// A new object without fields.
    pub fn object(&mut self) -> Value {
        self.object_with_room(0)
    }

    /// A new object without fields, with capacity for this many.
    pub fn object_with_room(&mut self, fields: usize) -> Value {
        let sequence = self.next_sequence();
        // For many fields, memory is allocated as they are added.
        let slots = Slots::new(Vec::with_capacity(2 * fields.min(UNINDEXED)), self.serial);
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
                &mut self.bytes,
            ),
        )
    }

    /// Puts a change of an object on the trail, if it is to be undone.
    fn log_object(&mut self, object: Handle, undo: Option<Undo>) {
        if let Some(undo) = undo {
            self.bytes += self.objects[object].slots.take_bytes_to_account();
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
                let top = self.top;
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
        let undo = self.objects[object].slots.set(slot, value, self.top);
        self.log_object(object, undo);
    }

    /// Writes all keys and values.
    pub(crate) fn set_object_slots(&mut self, object: Handle, values: &[Value]) {
        while self.objects[object].slots.len() > values.len() {
            let (_, [length, element]) = self.objects[object].slots.pop(self.top);
            self.log_object(object, length);
            self.log_object(object, element);
        }
        for (at, value) in values.iter().enumerate() {
            if at < self.objects[object].slots.len() {
                self.set_slot(object, at, *value);
            } else {
                let undo = self.objects[object].slots.push(*value, self.top);
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
            let (_, [length, element]) = self.objects[object].slots.pop(self.top);
            self.log_object(object, length);
            self.log_object(object, element);
        }
        if self.objects[object].len() <= UNINDEXED {
            self.objects[object].index = None;
        }
    }
}

impl ndscript_base::codec::Saved for Object {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Object {
            slots,
            index: _,
            sequence,
            board,
        } = self;
        slots.save(out);
        sequence.save(out);
        board.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Object, ndscript_base::codec::Unsound> {
        use ndscript_base::codec::ensure;
        let (slots, sequence, board) = (Slots::load(from)?, u64::load(from)?, u32::load(from)?);
        let mut object = Object {
            slots,
            index: None,
            sequence,
            board,
        };
        ensure(
            object.slots.len().is_multiple_of(2),
            "a field without value",
        )?;
        ensure(
            object.keys().all(|key| key.is_kind(Kind::Text)),
            "a field whose name is no text",
        )?;
        from.make_room::<(Value, u64)>(object.len())?;
        object.reindex();
        Ok(object)
    }
}
