//! How the heap logs changes and undoes them.

use super::{Entry, Target};
use crate::store::heap::Heap;
use crate::value::{Kind, Value};
use ndscript_base::budget::Budget;

impl Heap {
    /// Logs a change.
    #[inline]
    pub(crate) fn log(&mut self, entry: Entry) {
        if !self.trail.has_room(1) {
            self.account.bytes += self.trail.make_room(1);
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
        self.account.bytes = (self.account.bytes + self.trail.bytes()).saturating_sub(before);
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
                self.branch.spent = entry.old;
                self.branch.spent_stamp = entry.stamp;
            }
            Target::RuleName => {
                self.branch.rule_name = entry.old;
                self.branch.rule_name_stamp = entry.stamp;
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
        let remaining = remaining.max(self.serials.floor);
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
        self.account.bytes = (self.account.bytes + self.trail.bytes()).saturating_sub(before);
        self.protected.cut(height);
    }

    /// Gives constraints a name from now on, or none (null).
    pub fn set_rule_name(&mut self, name: Value) {
        if self.branch.rule_name_stamp < self.serials.top {
            self.log(Entry::new(
                Target::RuleName,
                0,
                0,
                self.branch.rule_name,
                self.branch.rule_name_stamp,
            ));
            self.branch.rule_name_stamp = self.serials.top;
        }
        self.branch.rule_name = name;
    }

    /// Sets the sum of `cost` on this branch.
    pub fn set_spent(&mut self, spent: Value) {
        if self.branch.spent_stamp < self.serials.top {
            self.log(Entry::new(
                Target::Spent,
                0,
                0,
                self.branch.spent,
                self.branch.spent_stamp,
            ));
            self.branch.spent_stamp = self.serials.top;
        }
        self.branch.spent = spent;
    }

    /// Protects texts that were made since the trail had a height, so that failures back to there do not change them.
    pub fn carry_texts(&mut self, from: usize) {
        self.protected.add(from, self.trail.len());
    }
}
