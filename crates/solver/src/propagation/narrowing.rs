//! Removes candidates, and wakes the constraints that this concerns.

use crate::{ConstraintNumber, DomainWipeout, Solver};

/// Whether the first or the last candidate of a word was removed.
#[inline(always)]
fn has_other_ends(before: u64, left: u64) -> bool {
    let removed = before & !left;
    removed & before & before.wrapping_neg() != 0 || removed > left
}

impl Solver {
    /// Removes what is not in a mask; `by` is the constraint that does so, and is not woken by it.
    pub fn keep(
        &mut self,
        place: usize,
        mask: &[u64],
        by: Option<ConstraintNumber>,
    ) -> Result<bool, DomainWipeout> {
        self.change(place, by, |word, _| mask.get(word).copied().unwrap_or(0))
    }

    /// Removes the values in a mask.
    pub(crate) fn leave_out(
        &mut self,
        place: usize,
        mask: &[u64],
        by: Option<ConstraintNumber>,
    ) -> Result<bool, DomainWipeout> {
        self.change(place, by, |word, _| !mask.get(word).copied().unwrap_or(0))
    }

    /// Removes the values that are not in `words`, which have the form of the place's own.
    pub(crate) fn keep_words(
        &mut self,
        place: usize,
        words: &[u64],
        by: Option<ConstraintNumber>,
    ) -> Result<bool, DomainWipeout> {
        self.change(place, by, |_, at| words.get(at).copied().unwrap_or(0))
    }

    /// Restricts a place to `word`, the only word of its domain.
    #[inline]
    pub(crate) fn keep_word(
        &mut self,
        place: usize,
        left: u64,
        by: u32,
    ) -> Result<(), DomainWipeout> {
        let mark = self.mark_to_record(place);
        let before = std::mem::replace(&mut self.domains.words_mut(place).1[0], left);
        if self.records_removals {
            self.record_removal(place, Some(by), &[before]);
        }
        if self.losses.are_recorded() {
            self.record_loss(place, Some(by), mark);
        }
        self.record_change(place, Some(by), has_other_ends(before, left));
        if left == 0 {
            Err(DomainWipeout)
        } else {
            Ok(())
        }
    }

    /// `stays` is given the number of a word among all, and among those of the place.
    #[inline(always)]
    fn change(
        &mut self,
        place: usize,
        by: Option<ConstraintNumber>,
        stays: impl Fn(usize, usize) -> u64,
    ) -> Result<bool, DomainWipeout> {
        let before = if self.records_removals {
            self.domains.candidates(place).words().1.to_vec()
        } else {
            Vec::new()
        };
        let mark = self.mark_to_record(place);
        let (first, words) = self.domains.words_mut(place);
        let (mut left, mut goes) = (0, 0);
        // For longer rows this is unknown.
        let only = if let [word] = words {
            Some(*word)
        } else {
            None
        };
        for (at, bits) in words.iter_mut().enumerate() {
            let stays = stays(first + at, at);
            goes |= *bits & !stays;
            *bits &= stays;
            left |= *bits;
        }
        if goes != 0 {
            if self.records_removals {
                self.record_removal(place, by, &before);
            }
            if self.losses.are_recorded() {
                self.record_loss(place, by, mark);
            }
            self.record_change(
                place,
                by,
                only.is_none_or(|before| has_other_ends(before, left)),
            );
        }
        if left == 0 {
            Err(DomainWipeout)
        } else {
            Ok(goes != 0)
        }
    }

    /// Records that a place has lost candidates, and wakes the constraints on it.
    fn record_change(&mut self, place: usize, by: Option<ConstraintNumber>, has_other_ends: bool) {
        if !std::mem::replace(&mut self.is_changed[place], true) {
            self.changed.push(place as u32);
        }
        for at in 0..self.everywhere.len() {
            self.wake(self.everywhere[at], place, by, has_other_ends);
        }
        let mut link = self.watchers.first(place);
        while let Some(at) = link {
            let (constraint, next) = self.watchers.get(at);
            self.wake(constraint, place, by, has_other_ends);
            link = next;
        }
    }

    /// Queues a constraint, unless what was lost cannot concern it. `has_other_ends` if the place has another least or
    /// greatest value.
    #[inline]
    fn wake(
        &mut self,
        constraint: u32,
        place: usize,
        by: Option<ConstraintNumber>,
        has_other_ends: bool,
    ) {
        self.wakes += 1;
        let at = constraint as usize;
        let Some(waking) = self.waking.get_mut(at) else {
            return;
        };
        if waking.is_superseded {
            return;
        }
        if waking.wants_cells {
            // Of its own changes, too.
            self.pending[at].push(place);
        }
        if waking.slack > 1 {
            waking.slack -= 1;
            return;
        }
        let is_concerned =
            (by != Some(constraint) || waking.rereads) && (has_other_ends || !waking.by_ends);
        if is_concerned && !std::mem::replace(&mut waking.is_queued, true) {
            self.queues[usize::from(waking.rank)].push_back(constraint);
        }
    }
}
