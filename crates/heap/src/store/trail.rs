//! The undo log of the heap. An entry holds the old value of a place and the stamp that logging it replaced, so that
//! dropping a choice point drops exactly the entries that an older one does not need.

use super::deep::DeepStack;
use super::heap::Heap;
use super::packing::Packable;
use super::slots::Undo;
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::Budget;

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

impl Heap {
    /// Logs a change.
    #[inline]
    pub(crate) fn log(&mut self, entry: Entry) {
        if !self.trail.has_room(1) {
            self.bytes += self.trail.make_room(1);
        }
        self.trail.push(entry);
    }

    /// Undoes everything logged after a mark; returns the number of entries.
    pub fn undo_to(&mut self, mark: usize) -> usize {
        let count = self.trail.len().saturating_sub(mark);
        for _ in 0..count {
            let entry = match self.trail.pop_near() {
                Some(entry) => entry,
                None => match self.lift_entry() {
                    Some(entry) => entry,
                    None => break,
                },
            };
            self.undo(entry);
        }
        self.protected.cut(mark);
        count
    }

    /// Pops the latest entry where it is packed.
    #[cold]
    #[inline(never)]
    fn lift_entry(&mut self) -> Option<Entry> {
        let before = self.trail.bytes();
        self.trail.lift(self.trail.len().checked_sub(1)?);
        self.bytes = (self.bytes + self.trail.bytes()).saturating_sub(before);
        self.trail.pop_near()
    }

    /// Whether an entry after a mark may take long to undo.
    #[inline]
    pub fn has_long_undo(&self, mark: usize) -> bool {
        self.has_large_boards && self.next_long_undo(mark).is_some()
    }

    /// The latest entry after a mark that takes long to undo.
    #[cold]
    fn next_long_undo(&self, mark: usize) -> Option<usize> {
        let is_long = |entry: Entry| {
            entry.target() == Target::Board
                && self.is_long_to_restore(entry.handle(), entry.index())
        };
        let from_top = self.trail.iter_back_to(mark).position(is_long)?;
        Some(self.trail.len() - 1 - from_top)
    }

    /// Undoes what lies above the latest entry over a mark that takes long to undo, and continues undoing that entry;
    /// returns how many entries above it were undone.
    pub fn undo_long(&mut self, mark: usize, budget: &mut Budget) -> usize {
        let Some(at) = self.next_long_undo(mark) else {
            return 0;
        };
        let undone = self.undo_to(at + 1);
        let Some(entry) = self.trail.get(at) else {
            return undone;
        };
        if self.restore_constraints(entry.handle(), entry.index(), entry.stamp, budget) {
            self.cut_trail(at);
        }
        undone
    }

    /// Undoes one change.
    #[inline(always)]
    fn undo(&mut self, entry: Entry) {
        let handle = entry.handle();
        match entry.target() {
            Target::Array => {
                self.arrays[handle].slots.restore(entry.element());
                if self.arrays[handle].board() != 0 {
                    self.follow_place(Value::handle(Kind::Array, handle), entry.index());
                }
            }
            Target::ArrayLength => self.arrays[handle].slots.restore(entry.length()),
            Target::Grid => self.restore_cell(handle, entry.index(), entry.element()),
            Target::GridHistory => self.grids[handle].restore_history(entry.index(), entry.stamp),
            Target::Object => {
                self.objects[handle].restore(entry.element());
                if self.objects[handle].board != 0 {
                    self.follow_place(Value::handle(Kind::Object, handle), entry.index() / 2);
                }
            }
            Target::ObjectLength => self.objects[handle].restore(entry.length()),
            Target::Queue => self.queues[handle].restore(entry.element()),
            Target::QueueLength => self.queues[handle].restore(entry.length()),
            Target::Variable => {
                let variable = &mut self.variables[handle];
                variable.value = entry.old;
                variable.stamp = entry.stamp;
            }
            Target::Global => {
                let global = &mut self.globals[handle as usize];
                global.value = entry.old;
                global.stamp = entry.stamp;
            }
            Target::Spent => {
                self.spent = entry.old;
                self.spent_stamp = entry.stamp;
            }
            Target::RuleName => {
                self.rule_name = entry.old;
                self.rule_name_stamp = entry.stamp;
            }
            Target::Host => self.undo_host(handle, entry.old, entry.stamp),
            Target::Buffer => self.undo_growth(handle, entry.index(), entry.old, entry.stamp),
            Target::Board => {
                let mut budget = Budget::unlimited();
                self.restore_constraints(handle, entry.index(), entry.stamp, &mut budget);
                self.record_work(budget.steps());
            }
        }
    }

    /// Drops the entries after a mark that the choice point with serial `remaining` (0: none) does not need.
    pub fn drop_entries_above(&mut self, mark: usize, remaining: u64) {
        let remaining = remaining.max(self.floor);
        let is_carried = self.protected.reaches(mark);
        if self.trail.is_near(mark) {
            let entries = self.trail.near_from_mut(mark);
            let mut kept_count = 0;
            for at in 0..entries.len() {
                let entry = entries[at];
                if entry.stamp < remaining {
                    entries[kept_count] = entry;
                    kept_count += 1;
                }
            }
            self.cut_trail(mark + kept_count);
        } else {
            let needed: Vec<Entry> = self
                .trail
                .iter_from(mark)
                .filter(|entry| entry.stamp < remaining)
                .collect();
            self.cut_trail(mark);
            needed.into_iter().for_each(|entry| self.log(entry));
        }
        if is_carried {
            self.carry_texts(mark);
        }
    }

    fn cut_trail(&mut self, height: usize) {
        let before = self.trail.bytes();
        self.trail.truncate(height);
        self.bytes = (self.bytes + self.trail.bytes()).saturating_sub(before);
        self.protected.cut(height);
    }

    /// Gives constraints a name from now on, or none (null).
    pub fn set_rule_name(&mut self, name: Value) {
        if self.rule_name_stamp < self.top {
            self.log(Entry::new(
                Target::RuleName,
                0,
                0,
                self.rule_name,
                self.rule_name_stamp,
            ));
            self.rule_name_stamp = self.top;
        }
        self.rule_name = name;
    }

    /// Sets the sum of `cost` on this branch.
    pub fn set_spent(&mut self, spent: Value) {
        if self.spent_stamp < self.top {
            self.log(Entry::new(
                Target::Spent,
                0,
                0,
                self.spent,
                self.spent_stamp,
            ));
            self.spent_stamp = self.top;
        }
        self.spent = spent;
    }
}

ndscript_base::saved!(struct Entry { target_and_handle, index, old, stamp });
