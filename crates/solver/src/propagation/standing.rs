//! The state between propagations: what has changed, and how to discard unfinished work.

use crate::ConstraintNumber;
use crate::Solver;
use ndscript_base::budget::Budget;

impl Solver {
    /// Places that have lost candidates since they were taken from here, in the order in which they did.
    #[inline]
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Takes the latest of them.
    #[inline]
    pub fn pop_changed(&mut self) -> Option<u32> {
        let place = self.changed.pop()?;
        self.is_changed[place as usize] = false;
        Some(place)
    }

    /// Removes what is not in a mask, from outside any constraint.
    ///
    /// # Errors
    /// [`DomainWipeout`](crate::DomainWipeout) if nothing is left.
    pub fn narrow(&mut self, place: usize, mask: &[u64]) -> Result<bool, crate::DomainWipeout> {
        self.keep(place, mask, None)
    }

    /// Restores the domain of a place, from the first word of its window on, without waking constraints.
    pub fn restore(&mut self, place: usize, words: &[u64]) {
        let (_, own) = self.domains.words_mut(place);
        own.iter_mut()
            .zip(words)
            .for_each(|(own, word)| *own = *word);
    }

    /// Restores the only word of the domain of a place.
    #[inline]
    pub fn restore_word(&mut self, place: usize, word: u64) {
        if let Some(own) = self.domains.words_mut(place).1.first_mut() {
            *own = word;
        }
    }

    /// Returns how often constraints were woken since the last call, to be charged.
    pub fn take_wakes(&mut self) -> usize {
        std::mem::take(&mut self.wakes)
    }

    /// Whether a constraint is due, or has changed cells left from before a failure.
    pub fn has_pending_work(&self) -> bool {
        let has_pending = || {
            self.everywhere.iter().any(|number| {
                self.pending
                    .get(*number as usize)
                    .is_some_and(|own| !own.cells.is_empty())
            })
        };
        !self.is_at_fixpoint() || has_pending()
    }

    /// Discards all work that is due; true when done.
    pub fn discard_pending(&mut self, budget: &mut Budget) -> bool {
        for number in &self.everywhere {
            let pending = &mut self.pending[*number as usize];
            while !pending.cells.is_empty() {
                if budget.is_spent() {
                    return false;
                }
                budget.spend(1);
                pending.pop();
            }
        }
        for queue in &mut self.queues {
            budget.spend(queue.len());
            for number in queue.drain(..) {
                if let Some(waking) = self.waking.get_mut(number as usize) {
                    waking.is_queued = false;
                }
            }
        }
        self.unfinished = None;
        self.granted = 0;
        true
    }

    /// Resets the slack of all constraints, because places were written without waking them.
    pub fn reset_slack(&mut self) {
        self.waking.iter_mut().for_each(|waking| waking.slack = 0);
    }

    /// Grants a number of bytes to the unfinished propagation.
    pub fn grant(&mut self, bytes: usize) {
        self.granted = bytes;
    }

    /// A hash of the domain of a place.
    pub fn hash_of(&self, place: usize) -> u64 {
        let (first, words) = self.candidates(place).words();
        words.iter().fold(first as u64, |hash, word| {
            (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    /// Whether two places have equal domains, in equal windows.
    pub fn are_alike(&self, one: usize, other: usize) -> bool {
        self.candidates(one).words() == self.candidates(other).words()
    }

    /// How many failures a constraint has caused.
    pub fn weight(&self, number: ConstraintNumber) -> u64 {
        self.weights.get(number as usize).copied().unwrap_or(0)
    }

    /// Counts a failure that a constraint has caused.
    pub fn add_weight(&mut self, number: ConstraintNumber) {
        if let Some(weight) = self.weights.get_mut(number as usize) {
            *weight += 1;
        }
    }

    /// The constraint that failed in the current statement.
    pub fn failed(&self) -> Option<u32> {
        self.failed
    }

    /// The constraints on a place of its own, in order, each with its id if it is a callback.
    pub fn callbacks_on(
        &self,
        place: usize,
    ) -> impl Iterator<Item = Option<crate::CallbackId>> + '_ {
        self.watchers.of(place).map(|number| self.callback(number))
    }

    /// Whether the places of a callback hold only values that it waits for; `None` if it waits for nothing.
    pub fn has_what_it_awaits(&self, number: ConstraintNumber) -> Option<bool> {
        let constraint = self.constraints.get(number as usize)?;
        let values = constraint.awaited()?;
        let mut places = constraint.places().unwrap_or_default().iter();
        Some(places.all(|place| !self.candidates(*place as usize).has_others(values)))
    }

    /// The id of a constraint that is a callback.
    pub fn callback(&self, number: ConstraintNumber) -> Option<crate::CallbackId> {
        self.constraints.get(number as usize)?.callback()
    }
}
