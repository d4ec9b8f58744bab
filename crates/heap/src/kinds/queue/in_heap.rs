//! Queues in the heap: how elements enter and leave, with what a failure needs to undo it.

use super::{ENTRY, Queue};
use crate::store::heap::Heap;
use crate::store::slots::{Slots, Undo};
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};
use ndscript_base::keyed::KeyedMap;
use ndscript_base::room;

impl Queue {
    /// The waiting elements, in the order in which they are taken.
    pub fn list(&self, heap: &Heap) -> Vec<Value> {
        if !self.has_priorities {
            return self.slots.values()[self.head()..].to_vec();
        }
        self.entries(heap).map(|entry| entry[2]).collect()
    }

    /// The priorities of the elements that [`Queue::list`] lists, of a queue that has them.
    pub fn priorities_in_order(&self, heap: &Heap) -> Vec<f64> {
        self.entries(heap)
            .map(|entry| heap.as_f64(entry[0]).unwrap_or(0.0))
            .collect()
    }

    /// The entries of a priority queue in the order in which they will be taken.
    fn entries(&self, heap: &Heap) -> impl Iterator<Item = &[Value]> {
        let mut entries: Vec<&[Value]> = self.slots.values()[1..].chunks_exact(ENTRY).collect();
        entries.sort_by(|a, b| heap.order(a[0], b[0]).then_with(|| heap.order(a[1], b[1])));
        entries.into_iter()
    }
}

impl Heap {
    /// A new queue.
    pub fn queue(&mut self, has_priorities: bool) -> Value {
        let sequence = self.next_sequence();
        let slots = Slots::new(vec![Value::integer(1)], self.serials.latest);
        self.allocated(slots.bytes());
        let queue = Queue {
            slots,
            has_priorities,
            sequence,
            waiting: None,
        };
        Value::handle(Kind::Queue, self.queues.add(queue, &mut self.account.bytes))
    }

    /// Puts a change of a queue on the trail, if it is to be undone.
    fn log_queue(&mut self, queue: Handle, undo: Option<Undo>) {
        if let Some(undo) = undo {
            self.account.bytes += self.queues[queue].slots.take_bytes_to_account();
            self.log(Entry::of_slots(
                Target::Queue,
                Target::QueueLength,
                queue,
                undo,
            ));
        }
    }

    fn queue_set(&mut self, queue: Handle, slot: usize, value: Value) {
        let undo = self.queues[queue].slots.set(slot, value, self.serials.top);
        self.log_queue(queue, undo);
    }

    fn queue_push(&mut self, queue: Handle, value: Value) {
        let before = self.queues[queue].slots.bytes_of_values();
        let undo = self.queues[queue].slots.push(value, self.serials.top);
        let added = self.queues[queue].slots.bytes_of_values() - before;
        self.allocated(added);
        self.log_queue(queue, undo);
    }

    fn queue_pop(&mut self, queue: Handle) -> Value {
        let (value, [length, element]) = self.queues[queue].slots.pop(self.serials.top);
        self.log_queue(queue, length);
        self.log_queue(queue, element);
        value
    }

    /// Writes all slots.
    pub(crate) fn set_queue_slots(&mut self, queue: Handle, values: &[Value]) {
        self.queues[queue].waiting = None;
        while self.queues[queue].slots.len() > values.len() {
            self.queue_pop(queue);
        }
        for (at, value) in values.iter().enumerate() {
            if at < self.queues[queue].slots.len() {
                self.queue_set(queue, at, *value);
            } else {
                self.queue_push(queue, *value);
            }
        }
    }

    /// Writes a slot, or appends it. The slots are as those of another queue when all are written.
    pub(crate) fn put_slot(&mut self, queue: Handle, slot: usize, value: Value) {
        self.queues[queue].waiting = None;
        if slot < self.queues[queue].slots.len() {
            self.queue_set(queue, slot, value);
        } else {
            self.queue_push(queue, value);
        }
    }

    /// Sets all slots of a queue that is not reachable yet.
    pub(crate) fn replace_queue(&mut self, queue: Handle, slots: Vec<Value>) {
        self.allocated(room::row(&slots));
        *self.queues[queue].slots.values_mut_unlogged() = slots;
    }

    /// Whether a value waits, by the index; only for values that equal no other word. `None` if there is no index.
    pub fn is_waiting(&self, queue: Handle, value: Value) -> Option<bool> {
        self.queues[queue]
            .waiting
            .as_ref()
            .map(|index| index.contains_key(&value))
    }

    /// Sets the index of how often each value waits.
    pub fn index_queue(&mut self, queue: Handle, index: KeyedMap<Value, u32>) {
        self.allocated(48 + room::hash_map(index.capacity(), 16));
        self.queues[queue].waiting = Some(Box::new(index));
    }

    /// Appends a value to a queue without priorities.
    pub fn enqueue(&mut self, queue: Handle, value: Value) {
        if let Some(index) = &mut self.queues[queue].waiting {
            let before = index.capacity();
            *index.entry(value).or_default() += 1;
            let added = room::hash_map(index.capacity(), 16) - room::hash_map(before, 16);
            self.allocated(added);
        }
        self.queue_push(queue, value);
    }

    /// Removes and returns the first element of a plain or priority queue.
    pub fn dequeue(&mut self, queue: Handle) -> Option<Value> {
        if self.queues[queue].is_empty() {
            return None;
        }
        if self.queues[queue].has_priorities {
            return Some(self.dequeue_lowest(queue));
        }
        let head = self.queues[queue].head();
        let value = self.queues[queue].slots.values()[head];
        if let Some(index) = &mut self.queues[queue].waiting
            && let Some(count) = index.get_mut(&value)
        {
            *count -= 1;
            if *count == 0 {
                index.remove(&value);
            }
        }
        self.queue_set(queue, 0, Value::size(head + 1));
        Some(value)
    }

    /// How many places before the waiting items must be closed, so that a queue only takes memory for those waiting.
    pub fn gap(&self, queue: Handle) -> Option<usize> {
        let queue = &self.queues[queue];
        let head = if queue.has_priorities {
            1
        } else {
            queue.head()
        };
        (head > 33 && head - 1 > queue.slots.len() / 2).then(|| head - 1)
    }

    /// Moves a waiting item to the front by a gap.
    pub fn move_up(&mut self, queue: Handle, place: usize, gap: usize) {
        let moved = self.queues[queue].slots.values()[place + gap];
        self.queue_set(queue, place, moved);
    }

    /// Drops the last place of a queue whose waiting items were all moved up.
    pub fn drop_place(&mut self, queue: Handle) {
        self.queue_pop(queue);
    }

    /// Moves the waiting items to the front again.
    pub fn close_gap(&mut self, queue: Handle) {
        self.queue_set(queue, 0, Value::integer(1));
    }

    /// The first element of a plain or priority queue, without removing it.
    pub fn peek(&self, queue: Handle) -> Option<Value> {
        let queue = &self.queues[queue];
        if queue.is_empty() {
            return None;
        }
        let at = if queue.has_priorities {
            ENTRY
        } else {
            queue.head()
        };
        queue.slots.get(at)
    }

    /// Adds to a priority queue; `priority` is a number.
    pub fn enqueue_by_priority(&mut self, queue: Handle, value: Value, priority: Value) {
        let ticket = self.queues[queue].slots.values()[0];
        self.queue_set(queue, 0, Value::integer(ticket.integer_unchecked() + 1));
        for part in [priority, ticket, value] {
            self.queue_push(queue, part);
        }
        let mut at = self.queues[queue].len() - 1;
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.comes_before(queue, at, parent) {
                break;
            }
            self.swap_entries(queue, at, parent);
            at = parent;
        }
    }

    /// Whether the entry `a` of a priority queue comes before `b`: by priority, then by ticket.
    #[inline]
    fn comes_before(&self, queue: Handle, a: usize, b: usize) -> bool {
        let slots = self.queues[queue].slots.values();
        let (a, b) = (1 + a * ENTRY, 1 + b * ENTRY);
        // Most priorities are small numbers, and tickets always are.
        if let (Some(x), Some(y)) = (slots[a].as_integer(), slots[b].as_integer())
            && x != y
        {
            return x < y;
        }
        self.order(slots[a], slots[b])
            .then_with(|| self.order(slots[a + 1], slots[b + 1]))
            .is_lt()
    }

    /// Swaps two entries of a priority queue, on the trail unless the queue is younger than the latest choice.
    #[inline]
    fn swap_entries(&mut self, queue: Handle, a: usize, b: usize) {
        let (a, b) = (1 + a * ENTRY, 1 + b * ENTRY);
        let slots = &mut self.queues[queue].slots;
        if slots.is_fresh(self.serials.top) {
            let values = slots.values_mut_unlogged();
            (0..ENTRY).for_each(|part| values.swap(a + part, b + part));
            return;
        }
        for part in 0..ENTRY {
            let (a, b) = (a + part, b + part);
            let (old_a, old_b) = (
                self.queues[queue].slots.values()[a],
                self.queues[queue].slots.values()[b],
            );
            self.queue_set(queue, a, old_b);
            self.queue_set(queue, b, old_a);
        }
    }

    /// Takes the first element of a priority queue, and restores the order of the binary heap.
    fn dequeue_lowest(&mut self, queue: Handle) -> Value {
        let last = self.queues[queue].len() - 1;
        if last > 0 {
            self.swap_entries(queue, 0, last);
        }
        let value = self.queue_pop(queue);
        self.queue_pop(queue);
        self.queue_pop(queue);
        let mut at = 0;
        loop {
            let mut least = 2 * at + 1;
            if least + 1 < last && self.comes_before(queue, least + 1, least) {
                least += 1;
            }
            if least >= last || !self.comes_before(queue, least, at) {
                return value;
            }
            self.swap_entries(queue, at, least);
            at = least;
        }
    }
}
