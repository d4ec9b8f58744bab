//! Changes of long arrays, objects and queues, as work that can stop and resume. Beginning it changes something
//! already, so it must not fail from then on.

use ndscript_base::keyed::KeyedMap;

use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::value::Handle;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// Inserts an element into an array: later ones move up, the last one first.
#[derive(Clone)]
pub struct InsertElement {
    array: Value,
    index: usize,
    /// The place that is written next.
    at: usize,
    value: Value,
}

impl InsertElement {
    /// The index is at most the length; the array may be written.
    pub fn begin(context: &mut Context, array: Value, index: usize, value: Value) -> InsertElement {
        let handle = array.payload();
        let last = context.heap.elements(handle).last().copied();
        let at = context.heap.array_len(handle);
        context.heap.push_element(
            handle,
            if index == at {
                value
            } else {
                last.unwrap_or(value)
            },
        );
        InsertElement {
            array,
            index,
            at: at.max(1) - 1,
            value,
        }
    }
}

impl Work for InsertElement {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let handle = self.array.payload();
        while self.at > self.index {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(2);
            let moved = context
                .heap
                .element(handle, self.at - 1)
                .unwrap_or(Value::NULL);
            context.heap.set_element(handle, self.at, moved);
            self.at -= 1;
        }
        if self.index + 1 < context.heap.array_len(handle) {
            context.heap.set_element(handle, self.index, self.value);
        }
        Ok(Some(self.array))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.array, self.value]);
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Removes an element of an array: later ones move down.
#[derive(Clone)]
pub struct RemoveElement {
    array: Value,
    at: usize,
    removed: Value,
}

impl RemoveElement {
    /// The element is there; the array may be written.
    pub fn begin(context: &mut Context, array: Value, index: usize) -> RemoveElement {
        let removed = context
            .heap
            .element(array.payload(), index)
            .unwrap_or(Value::NULL);
        RemoveElement {
            array,
            at: index,
            removed,
        }
    }
}

impl Work for RemoveElement {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let handle = self.array.payload();
        while self.at + 1 < context.heap.array_len(handle) {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(2);
            let moved = context
                .heap
                .element(handle, self.at + 1)
                .unwrap_or(Value::NULL);
            context.heap.set_element(handle, self.at, moved);
            self.at += 1;
        }
        context.heap.pop_element(handle);
        Ok(Some(self.removed))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.array, self.removed]);
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Removes a field of an object: later ones move down.
#[derive(Clone)]
pub struct RemoveFieldWork {
    object: Value,
    at: Option<usize>,
}

impl RemoveFieldWork {
    pub fn begin(context: &mut Context, object: Handle, key: Value) -> RemoveFieldWork {
        let at = context.heap.begin_removing(object, key);
        RemoveFieldWork {
            object: Value::handle(ndscript_heap::Kind::Object, object),
            at,
        }
    }
}

impl Work for RemoveFieldWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let Some(at) = &mut self.at else {
            return Ok(Some(Value::FALSE));
        };
        let handle = self.object.payload();
        while *at + 1 < context.heap.objects[handle].len() {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(12);
            context.heap.move_field_down(handle, *at);
            *at += 1;
        }
        context.heap.end_removing(handle);
        Ok(Some(Value::TRUE))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.object);
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// The keys of an object whose values are undecided.
#[derive(Clone)]
pub struct OpenFields {
    object: Value,
    at: usize,
    keys: Vec<Value>,
}

impl OpenFields {
    pub fn new(object: Value) -> OpenFields {
        OpenFields {
            object,
            at: 0,
            keys: Vec::new(),
        }
    }
}

impl Work for OpenFields {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        use ndscript_heap::Kind;
        let heap = &context.heap;
        while let Some([key, value]) = heap.slots_of(self.object).get(self.at..self.at + 2) {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(3);
            let is_open = match value.kind() {
                Kind::Set => heap.set_len(*value) != 1,
                Kind::Array => heap.array_len(value.payload()) != 1,
                _ => false,
            };
            if is_open {
                room::grow(&mut self.keys, 1);
                self.keys.push(*key);
            }
            self.at += 2;
        }
        Ok(Some(context.heap.array(std::mem::take(&mut self.keys))))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.object);
        tracer.values.extend_from_slice(&self.keys);
    }

    fn bytes(&self) -> usize {
        room::row(&self.keys)
    }
}

/// Takes the first item of a queue, and closes the gap before the waiting items if it has become large.
#[derive(Clone)]
pub struct CloseGap {
    queue: Value,
    removed: Value,
    /// The number of places in the gap, if it must be closed.
    gap: usize,
    /// The next place to fill, and then how many places must still be dropped.
    at: usize,
    to_drop: usize,
}

impl CloseGap {
    /// `None` if the queue is empty.
    pub fn begin(context: &mut Context, queue: Value) -> Option<CloseGap> {
        let dequeued = context.heap.dequeue(queue.payload())?;
        let gap = context.heap.gap(queue.payload()).unwrap_or(0);
        Some(CloseGap {
            queue,
            removed: dequeued,
            gap,
            at: 1,
            to_drop: gap,
        })
    }
}

impl Work for CloseGap {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let handle = self.queue.payload();
        while self.gap > 0 && self.at + self.gap < context.heap.queues[handle].values().len() {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(4);
            context.heap.move_up(handle, self.at, self.gap);
            self.at += 1;
        }
        if self.gap > 0 {
            // Nothing reads the places that are dropped next.
            context.heap.close_gap(handle);
            self.gap = 0;
        }
        while self.to_drop > 0 {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(4);
            context.heap.drop_place(handle);
            self.to_drop -= 1;
        }
        Ok(Some(self.removed))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.queue, self.removed]);
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Builds the index of a queue's waiting values, and looks up a value.
#[derive(Clone)]
pub struct IndexQueue {
    queue: Value,
    wanted: Value,
    at: usize,
    index: KeyedMap<Value, u32>,
}

impl IndexQueue {
    pub fn new(queue: Value, wanted: Value) -> IndexQueue {
        IndexQueue {
            queue,
            wanted,
            at: 0,
            index: KeyedMap::default(),
        }
    }
}

impl Work for IndexQueue {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let handle = self.queue.payload();
        let queue = &context.heap.queues[handle];
        self.at = self.at.max(queue.first());
        while let Some(waiting) = queue.values().get(self.at) {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(10);
            *self.index.entry(*waiting).or_default() += 1;
            self.at += 1;
        }
        let found = self.index.contains_key(&self.wanted);
        context
            .heap
            .index_queue(handle, std::mem::take(&mut self.index));
        Ok(Some(Value::boolean(found)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.queue, self.wanted]);
    }

    fn bytes(&self) -> usize {
        room::hash_map(self.index.capacity(), 16)
    }
}
