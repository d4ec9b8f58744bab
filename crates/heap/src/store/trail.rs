//! The undo log of the heap. An entry holds the old value of a place and the stamp that logging it replaced, so that
//! dropping a choice point drops exactly the entries that an older one does not need.

mod in_heap;

use super::deep::DeepStack;
use super::packing::Packable;
use super::slots::Undo;
use crate::value::{Handle, Kind, Value};

/// What an entry restores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Target {
    Array,
    ArrayLength,
    Grid,
    GridHistory,
    Object,
    ObjectLength,
    Queue,
    QueueLength,
    Variable,
    Global,
    /// The sum of `cost`.
    Spent,
    /// The name of constraints.
    RuleName,
    /// The state of a value of the host; the old one has its own place.
    Host,
    /// The number of constraints on a board; the old value is its container.
    Board,
    /// The growth of texts in a buffer: the index is the former end, the old value the number of characters up to it.
    Buffer,
}

const TARGETS: [Target; 15] = [
    Target::Array,
    Target::ArrayLength,
    Target::Grid,
    Target::GridHistory,
    Target::Object,
    Target::ObjectLength,
    Target::Queue,
    Target::QueueLength,
    Target::Variable,
    Target::Global,
    Target::Spent,
    Target::RuleName,
    Target::Host,
    Target::Board,
    Target::Buffer,
];

/// Handles in entries have this many bits; the heap makes no more objects of one kind.
pub const HANDLE_BITS: u32 = 28;

/// One logged change.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    target_and_handle: u32,
    index: u32,
    old: Value,
    stamp: u64,
}

/// The current entries, the latest on top.
pub type Trail = DeepStack<Entry, 3>;

impl Packable<3> for Entry {
    const GROWING_LANES: u32 = 0;
    const LONGEST_PERIOD: usize = 4;
    const FEW_ENOUGH_BYTES: usize = 6;

    #[inline]
    fn lanes(self) -> [u64; 3] {
        let place = u64::from(self.target_and_handle) | u64::from(self.index) << 32;
        [place, self.old.bits(), self.stamp]
    }

    #[inline]
    fn of_lanes([place, old, stamp]: [u64; 3]) -> Entry {
        let (target_and_handle, index) = (place as u32, (place >> 32) as u32);
        Entry {
            target_and_handle,
            index,
            old: Value::from_bits(old),
            stamp,
        }
    }
}

impl Entry {
    #[inline]
    pub fn new(target: Target, handle: Handle, index: u32, old: Value, stamp: u64) -> Entry {
        Entry {
            target_and_handle: (target as u32) << HANDLE_BITS | handle,
            index,
            old,
            stamp,
        }
    }

    /// The entry for a change of a row of slots.
    #[inline]
    pub fn of_slots(element: Target, length: Target, handle: Handle, undo: Undo) -> Entry {
        match undo {
            Undo::Element { index, old, stamp } => Entry::new(element, handle, index, old, stamp),
            Undo::Length {
                length: old_length,
                floor,
                stamp,
            } => Entry::new(
                length,
                handle,
                old_length,
                Value::size(floor as usize),
                stamp,
            ),
        }
    }

    pub fn target(&self) -> Target {
        TARGETS[(self.target_and_handle >> HANDLE_BITS) as usize % TARGETS.len()]
    }

    pub fn handle(&self) -> Handle {
        self.target_and_handle & ((1 << HANDLE_BITS) - 1)
    }

    pub fn index(&self) -> usize {
        self.index as usize
    }

    pub fn old(&self) -> Value {
        self.old
    }

    /// The object that the entry changes when it is undone.
    pub fn container(&self) -> Option<Value> {
        let kind = match self.target() {
            Target::Array | Target::ArrayLength => Kind::Array,
            Target::Grid | Target::GridHistory => Kind::Grid,
            Target::Object | Target::ObjectLength => Kind::Object,
            Target::Queue | Target::QueueLength => Kind::Queue,
            Target::Variable => Kind::Variable,
            Target::Host => Kind::Host,
            Target::Global | Target::Spent | Target::RuleName | Target::Board | Target::Buffer => {
                return None;
            }
        };
        Some(Value::handle(kind, self.handle()))
    }

    /// Whether undoing it leaves a board with so many places as many, and no others.
    pub fn keeps_places(&self, places: usize) -> bool {
        match self.target() {
            Target::Array => self.index() < places,
            Target::ArrayLength => self.index() == places,
            Target::Object => self.index() / 2 < places,
            Target::ObjectLength => self.index() == 2 * places,
            _ => true,
        }
    }

    fn element(&self) -> Undo {
        Undo::Element {
            index: self.index,
            old: self.old,
            stamp: self.stamp,
        }
    }

    fn length(&self) -> Undo {
        Undo::Length {
            length: self.index,
            floor: self.old.integer_unchecked() as u32,
            stamp: self.stamp,
        }
    }
}

ndscript_base::saved!(struct Entry { target_and_handle, index, old, stamp });
