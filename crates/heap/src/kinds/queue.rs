//! Queues, and priority queues.

mod in_heap;

use crate::store::slots::{Slots, Undo};
use crate::value::Value;
use ndscript_base::keyed::KeyedMap;
use ndscript_base::room;

/// A queue. Slot 0 of a plain queue holds the index of the first waiting slot, and the elements follow. Slot 0 of a
/// priority queue holds the next ticket, and a binary heap of entries follows: priority, ticket, element.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    slots: Slots,
    pub has_priorities: bool,
    /// Its place in the order of creation.
    pub sequence: u64,
    /// How often each value waits, for queues longer than the limit; unset after an undo.
    waiting: Option<Box<KeyedMap<Value, u32>>>,
}

/// Queues up to this length are searched, longer ones have an index.
const SEARCHED: usize = 16;

/// Slots of an entry of a priority queue.
const ENTRY: usize = 3;

impl Queue {
    fn head(&self) -> usize {
        self.slots.values()[0].integer_unchecked() as usize
    }

    /// The number of waiting elements.
    pub fn len(&self) -> usize {
        if self.has_priorities {
            (self.slots.len() - 1) / ENTRY
        } else {
            self.slots.len() - self.head()
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The waiting elements of a plain queue, in order.
    pub(crate) fn waiting_in_order(&self) -> &[Value] {
        if self.has_priorities {
            &[]
        } else {
            &self.slots.values()[self.head()..]
        }
    }

    /// The entries of a priority queue (priority, ticket, element), in heap order.
    pub(crate) fn priorities(&self) -> Option<impl Iterator<Item = &[Value]>> {
        self.has_priorities
            .then(|| self.slots.values()[1..].chunks_exact(ENTRY))
    }

    /// The tickets of a priority queue: the next one, and that of its first entry.
    pub fn tickets(&self) -> (Value, Option<Value>) {
        (self.slots.values()[0], self.slots.values().get(2).copied())
    }

    /// The first waiting element of a plain queue.
    pub fn first_waiting(&self) -> Option<Value> {
        self.waiting_in_order().first().copied()
    }

    pub(crate) fn restore(&mut self, undo: Undo) {
        self.waiting = None;
        self.slots.restore(undo);
    }

    /// Whether the index must be built before it is used.
    pub fn wants_index(&self) -> bool {
        self.len() > SEARCHED && self.waiting.is_none() && !self.has_priorities
    }

    /// The index of the first waiting slot.
    pub fn first(&self) -> usize {
        if self.has_priorities { 1 } else { self.head() }
    }

    /// The serial at which it was made.
    pub fn born(&self) -> u64 {
        self.slots.born()
    }

    pub(crate) fn bytes_to_log(&self, top: u64) -> usize {
        self.slots.bytes_to_log(top)
    }

    /// The bytes for one more value in the index of waiting values, if it must grow.
    pub fn bytes_to_index(&self) -> usize {
        match &self.waiting {
            Some(index) if index.len() == index.capacity() => {
                room::hash_map(2 * index.capacity(), 16)
            }
            _ => 0,
        }
    }

    /// All values that the queue refers to.
    pub fn values(&self) -> &[Value] {
        self.slots.values()
    }

    pub fn bytes(&self) -> usize {
        self.slots.bytes()
            + self
                .waiting
                .as_ref()
                .map_or(0, |index| 48 + room::hash_map(index.capacity(), 16))
    }
}

impl ndscript_base::codec::Saved for Queue {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Queue {
            slots,
            has_priorities,
            sequence,
            waiting,
        } = self;
        slots.save(out);
        has_priorities.save(out);
        sequence.save(out);
        waiting.is_some().save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Queue, ndscript_base::codec::Unsound> {
        use ndscript_base::codec::ensure;
        let (slots, has_priorities, sequence) =
            (Slots::load(from)?, bool::load(from)?, u64::load(from)?);
        let mut queue = Queue {
            slots,
            has_priorities,
            sequence,
            waiting: None,
        };
        let first = queue.slots.get(0).unwrap_or(Value::NULL);
        ensure(
            is_valid_queue_head(has_priorities, queue.slots.len(), first),
            "a queue is not in order",
        )?;
        for (slot, value) in queue.slots.values().iter().enumerate() {
            ensure(
                is_valid_queue_slot(has_priorities, slot, *value),
                "a queue is not in order",
            )?;
        }
        if bool::load(from)? {
            ensure(!has_priorities, "a queue with priorities has no index")?;
            from.make_room::<(Value, u64)>(queue.slots.len())?;
            let mut index: KeyedMap<Value, u32> = KeyedMap::default();
            for waiting in &queue.slots.values()[queue.head()..] {
                *index.entry(*waiting).or_default() += 1;
            }
            queue.waiting = Some(Box::new(index));
        }
        Ok(queue)
    }
}

/// Whether slot 0 of a restored queue of `length` slots is valid: the first waiting index of a plain queue is within
/// it, and a priority queue has whole entries.
pub(crate) fn is_valid_queue_head(has_priorities: bool, length: usize, first: Value) -> bool {
    let first = first.as_integer().unwrap_or(0);
    let fits = if has_priorities {
        length % ENTRY == 1
    } else {
        first as usize <= length
    };
    first > 0 && length > 0 && fits
}

/// Whether a restored slot is valid. Slot 0 is a positive integer (first waiting index, or next ticket). Other slots
/// of a plain queue hold any value; those of a priority queue repeat priority (a number), ticket (a positive
/// integer), element.
pub(crate) fn is_valid_queue_slot(has_priorities: bool, slot: usize, value: Value) -> bool {
    match slot {
        0 => value.as_integer().is_some_and(|number| number > 0),
        _ if !has_priorities => true,
        _ if slot % ENTRY == 1 => value.is_number(),
        _ if slot % ENTRY == 2 => value.as_integer().is_some_and(|ticket| ticket > 0),
        _ => true,
    }
}
