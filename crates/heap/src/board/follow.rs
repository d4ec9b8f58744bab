//! Cells and bits are brought into agreement, in both directions. To *follow*: after cells were restored or written, the
//! bits of their places are computed from them. To *settle*: after propagation, changed bits are written into the cells.
//!
//! Bits of one word follow at once. Bits of several words take longer: such a place is recorded as stale, and its bits are
//! computed in pieces, before the next propagation.

use super::Board;
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_solver::{DomainWipeout, Fixpoint};

/// The set of a place.
pub enum SetOfPlace {
    Known(Value),
    /// The values of one that is not known yet.
    Values(Vec<Value>),
}

/// A set is derived from that of the cell if this many values are left for each removed one, and at most `MOST_LOST`
/// are removed.
const LEFT_PER_REMOVED: usize = 16;
const MOST_LOST: usize = 32;

/// The number of bits in the index of a recently looked up entry.
pub(super) const NEAR_BITS: u32 = 6;

/// The index of the recently looked up entry for a word of bits.
#[inline(always)]
fn near_entry(bits: u64) -> usize {
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - NEAR_BITS)) as usize
}

impl Board {
    /// The set of the language for a word of bits, if it was looked up recently.
    #[inline(always)]
    pub(super) fn near_set(&self, bits: u64) -> Option<Value> {
        let near = self
            .near
            .get(near_entry(bits))
            .filter(|near| near.0 == bits);
        near.map(|near| near.1)
    }

    /// The set of the language for a word of bits, if it is known.
    #[inline(always)]
    pub(super) fn set_of_bits(&mut self, bits: u64) -> Option<Value> {
        self.near_set(bits).or_else(|| self.look_up_set(bits))
    }

    #[inline(never)]
    fn look_up_set(&mut self, bits: u64) -> Option<Value> {
        let set = *self.sets.get(&bits)?;
        self.near[near_entry(bits)] = (bits, set);
        Some(set)
    }

    /// The visits of writing a place that has this many candidates.
    #[inline]
    pub fn visits_of_settling(count: u32) -> usize {
        16 + 8 * count as usize
    }

    fn record_size(&mut self, place: usize) {
        if let Some(sizes) = &mut self.sizes {
            sizes.set(place, self.solver.candidates(place).count());
        }
    }
}

impl Heap {
    /// Computes the bits of a place from its cell, which was restored.
    #[cold]
    pub(crate) fn follow_place(&mut self, container: Value, place: usize) {
        let Some(handle) = self.board_of(container) else {
            return;
        };
        if !self.boards[handle].solver.is_bound(place) {
            return;
        }
        self.boards[handle].solver.mark_pieces_as_doubtful(place);
        self.find_bits(handle, place);
    }

    /// Computes the bits of a place from its cell, or records the place as stale.
    pub(super) fn find_bits(&mut self, handle: Handle, place: usize) {
        let board = &mut self.boards[handle];
        if !board.solver.is_one_word() {
            if board.stale.len() == board.stale.capacity() {
                self.bytes += room::grow(&mut board.stale, 1);
                board.counted_bytes = board.bytes();
            }
            board.stale.push(place as u32);
            board.stale_from = 0;
            return;
        }
        self.follow(handle, place);
    }

    /// Computes the bits of a place from its cell where a word is enough.
    pub(super) fn follow(&mut self, handle: Handle, place: usize) {
        let value = self.at_place(self.boards[handle].container, place);
        let bits = match self.boards[handle].known.get(&value) {
            Some(bits) => *bits,
            None => {
                let mut bits = 0;
                for index in 0..self.candidate_count(value) {
                    let number = self
                        .candidate(value, index)
                        .and_then(|value| self.boards[handle].number_of(value));
                    bits |= number
                        .filter(|number| *number < 64)
                        .map_or(0, |number| 1u64 << number);
                }
                self.learn(handle, value, bits);
                bits
            }
        };
        let board = &mut self.boards[handle];
        board.solver.restore_word(place, bits);
        board.record_size(place);
    }

    /// Records which set has which bits.
    fn learn(&mut self, handle: Handle, set: Value, bits: u64) {
        let board = &mut self.boards[handle];
        let bytes = |board: &Board| {
            room::hash_map(board.sets.capacity(), 16) + room::hash_map(board.known.capacity(), 16)
        };
        let is_full = board.known.len() == board.known.capacity();
        let before = if is_full { bytes(board) } else { 0 };
        board.known.insert(set, bits);
        if is_full {
            let added = bytes(board) - before;
            board.counted_bytes += added;
            self.bytes += added;
        }
    }

    /// Computes the bits of stale places from their cells. Can stop and resume; true when no place is stale.
    pub fn freshen(&mut self, handle: Handle, budget: &mut Budget) -> bool {
        while let Some(place) = self.boards[handle].stale.last().copied() {
            let place = place as usize;
            let value = self.at_place(self.boards[handle].container, place);
            let (count, visits) = (
                self.candidate_count(value),
                self.visits_of_candidate(value) + 4,
            );
            let mut at = self.boards[handle].stale_from;
            if at == 0 {
                self.boards[handle].solver.domains_mut().clear(place);
            }
            while at < count {
                if budget.is_spent() {
                    self.boards[handle].stale_from = at;
                    return false;
                }
                budget.spend(visits);
                let number = self
                    .candidate(value, at)
                    .and_then(|value| self.boards[handle].number_of(value));
                if let Some(number) = number {
                    self.boards[handle]
                        .solver
                        .domains_mut()
                        .insert(place, number);
                }
                at += 1;
            }
            budget.spend(2);
            let board = &mut self.boards[handle];
            board.record_size(place);
            board.stale.pop();
            board.stale_from = 0;
        }
        true
    }

    /// Discards a propagation that has not been settled: bits follow their cells again, and a constraint that is being
    /// posted is withdrawn. Places that this leaves stale are for [`Heap::freshen`].
    pub fn discard_changes(&mut self, handle: Handle) {
        let mut budget = Budget::unlimited();
        self.go_on_forgetting(handle, &mut budget);
        self.record_work(budget.steps());
    }

    /// As [`Heap::discard_changes`], but can stop and resume; true when it is done.
    pub fn go_on_forgetting(&mut self, handle: Handle, budget: &mut Budget) -> bool {
        let Some(board) = self.boards.get_mut(handle) else {
            return true;
        };
        // Places bound for a constraint that was not posted in the end.
        let length = board.solver.constraints().len();
        if board.solver.count_with_begun() > length
            && !self.withdraw_constraints(handle, length, budget)
        {
            return false;
        }
        let board = &mut self.boards[handle];
        budget.spend(board.solver.take_wakes());
        if board.solver.has_pending_work() {
            let is_still = board.solver.discard_pending(budget);
            self.count_board(handle);
            if !is_still {
                return false;
            }
        }
        while let Some(place) = self.boards[handle].solver.changed().last().copied() {
            if budget.is_spent() {
                return false;
            }
            budget.spend(6);
            self.boards[handle].solver.pop_changed();
            self.follow_place(self.boards[handle].container, place as usize);
        }
        true
    }

    /// Continues until the board reaches its fixpoint or the budget is spent.
    ///
    /// # Errors
    /// [`DomainWipeout`] if a place has no candidate left; the changes must be discarded then.
    pub fn bring_to_rest(
        &mut self,
        board: Handle,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        self.look_beyond(board);
        let board = &mut self.boards[board];
        let before = board.solver.bytes_of_propagation();
        let result = board.solver.propagate_to_fixpoint(budget);
        if result.is_err()
            && let Some(number) = board.solver.failed()
        {
            board.index_failure(number);
        }
        let now = board.solver.bytes_of_propagation();
        board.counted_bytes = (board.counted_bytes + now).saturating_sub(before);
        self.bytes = (self.bytes + now).saturating_sub(before);
        result
    }

    /// Grants the current propagation this many bytes.
    pub fn grant(&mut self, board: Handle, bytes: usize) {
        self.boards[board].solver.grant(bytes);
        self.count_board(board);
    }

    /// The bytes that a piece of propagation may take to record removals.
    pub fn bytes_to_record(&self, board: Handle) -> usize {
        self.boards[board].solver.bytes_to_record()
    }

    /// The bytes that it may take to compute the reasons for removals by `reachable` and `connected`.
    pub fn bytes_to_explain(&self, container: Value) -> usize {
        self.board_of(container)
            .map_or(0, |board| self.boards[board].solver.bytes_to_explain())
    }

    /// The places that have changed.
    pub fn changed_places(&self, board: Handle) -> &[u32] {
        self.boards[board].solver.changed()
    }

    /// The set of the candidates of a place.
    pub fn set_of_place(&mut self, handle: Handle, place: usize) -> SetOfPlace {
        let board = &self.boards[handle];
        let candidates = board.solver.candidates(place);
        if board.solver.is_one_word() {
            let bits = candidates.words().1.first().copied().unwrap_or(0);
            if let Some(set) = self.boards[handle].set_of_bits(bits) {
                return SetOfPlace::Known(set);
            }
            let set = self.make_set_of_bits(handle, bits);
            self.remember_set(handle, bits, set);
            return SetOfPlace::Known(set);
        }
        SetOfPlace::Values(
            candidates
                .numbers()
                .filter_map(|number| board.universe.get(number).copied())
                .collect(),
        )
    }

    /// How many of the values in a place's cell were removed, if these are few compared with those left.
    pub fn few_lost(&self, handle: Handle, place: usize) -> Option<usize> {
        let board = &self.boards[handle];
        let content_before = self.at_place(board.container, place);
        let (content_before, left) = (
            content_before.handle_of(Kind::Set)?,
            board.solver.candidates(place).count() as usize,
        );
        let lost = self.sets[content_before].len().checked_sub(left)?;
        (lost <= MOST_LOST && lost * LEFT_PER_REMOVED <= left).then_some(lost)
    }

    /// The set of a place that has lost only a few values: they are removed from the set of its cell.
    pub fn set_without(&mut self, handle: Handle, place: usize) -> Value {
        let board = &self.boards[handle];
        let (mut set, candidates) = (
            self.at_place(board.container, place),
            board.solver.candidates(place),
        );
        let is_lost = |value: &Value| {
            board
                .number_of(*value)
                .is_none_or(|number| !candidates.has(number))
        };
        for value in self
            .set_elements(set)
            .into_iter()
            .filter(is_lost)
            .collect::<Vec<Value>>()
        {
            set = self.set_remove(set, value);
        }
        set
    }

    /// Writes the sets of changed places, at most `most` from index `from` on, as long as they are known; returns
    /// their number.
    pub fn settle_known(
        &mut self,
        handle: Handle,
        from: usize,
        most: usize,
        budget: &mut Budget,
    ) -> usize {
        let container = self.boards[handle].container;
        let has_functions = !self.boards[handle].functions.is_empty();
        for at in 0..most {
            let board = &mut self.boards[handle];
            let Some(place) = board
                .solver
                .changed()
                .get(from + at)
                .map(|place| *place as usize)
            else {
                return at;
            };
            if budget.is_spent()
                || !board.solver.domains().is_plain()
                || !board.solver.is_one_word()
            {
                return at;
            }
            let bits = board.solver.domains().first_words()[place];
            let Some(set) = board.set_of_bits(bits) else {
                return at;
            };
            let count = bits.count_ones();
            budget.spend(Board::visits_of_settling(count));
            if let Some(sizes) = &mut board.sizes {
                sizes.set(place, count);
            }
            self.put_at_place(container, place, set);
            if has_functions {
                self.wake_functions(handle, place);
            }
        }
        most
    }

    /// Makes the set of the values of a word, which are in order.
    fn make_set_of_bits(&mut self, handle: Handle, bits: u64) -> Value {
        if self.boards[handle].ranked.len() != self.boards[handle].universe.len() {
            let universe = &self.boards[handle].universe;
            let mut ranked: Vec<u8> = (0..universe.len() as u8).collect();
            ranked.sort_unstable_by(|a, b| {
                self.order(universe[usize::from(*a)], universe[usize::from(*b)])
            });
            self.boards[handle].ranked = ranked;
            self.count_board(handle);
        }
        let (mut values, mut count) = ([Value::NULL; 64], 0);
        let board = &self.boards[handle];
        for number in &board.ranked {
            if bits >> number & 1 == 1 {
                values[count] = board.universe[usize::from(*number)];
                count += 1;
            }
        }
        self.set_of_sorted(&values[..count])
    }

    /// Records which set a word of bits is.
    fn remember_set(&mut self, handle: Handle, bits: u64, set: Value) {
        let board = &mut self.boards[handle];
        let before = room::hash_map(board.sets.capacity(), 16);
        board.sets.insert(bits, set);
        let added = room::hash_map(board.sets.capacity(), 16) - before;
        board.counted_bytes += added;
        self.bytes += added;
        self.learn(handle, set, bits);
    }

    /// Writes the set of a place that has changed.
    pub fn settle_place(&mut self, handle: Handle, place: usize, set: Value) {
        self.boards[handle].record_size(place);
        let container = self.boards[handle].container;
        self.put_at_place(container, place, set);
        self.wake_functions(handle, place);
    }

    /// Records that all cells agree with their bits, and that the functions watching them are due.
    pub fn end_settling(&mut self, handle: Handle) {
        let board = &mut self.boards[handle];
        while board.solver.pop_changed().is_some() {}
        self.set_due(handle);
    }

    /// Updates the bits of a board whose cells were written directly.
    pub fn follow_board(&mut self, container: Value) {
        let Some(handle) = self.constrained(container) else {
            return;
        };
        self.discard_changes(handle);
        self.boards[handle].sizes = None;
        let solver = &mut self.boards[handle].solver;
        solver.losses_mut().mark_unknown();
        solver.reset_slack();
        let places = solver.places();
        (0..places).for_each(|place| self.follow_place(container, place));
        self.record_work(places);
    }
}
