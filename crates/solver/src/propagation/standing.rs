//! Standing still: what has changed, and forgetting what was on its way.

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

    /// Takes away what is not in a mask, as something that is done from outside.
    ///
    /// # Errors
    /// [`DomainWipeout`](crate::DomainWipeout) if nothing is left.
    pub fn narrow(&mut self, place: usize, mask: &[u64]) -> Result<bool, crate::DomainWipeout> {
        self.keep(place, mask, None)
    }

    /// Puts back what a place had, from the first word of its window on. No constraint is told.
    pub fn restore(&mut self, place: usize, words: &[u64]) {
        let (_, own) = self.domains.words_mut(place);
        own.iter_mut()
            .zip(words)
            .for_each(|(own, word)| *own = *word);
    }

    /// Puts back what the only word of a place was.
    #[inline]
    pub fn restore_word(&mut self, place: usize, word: u64) {
        if let Some(own) = self.domains.words_mut(place).1.first_mut() {
            *own = word;
        }
    }

    /// How often constraints were told of a change that is not paid for; that is forgotten.
    pub fn take_wakes(&mut self) -> usize {
        std::mem::take(&mut self.wakes)
    }

    /// Whether a constraint has something to do, or did not come to cells before it failed.
    pub fn is_in_motion(&self) -> bool {
        let has_pending = || {
            self.everywhere.iter().any(|number| {
                self.pending
                    .get(*number as usize)
                    .is_some_and(|own| !own.cells.is_empty())
            })
        };
        !self.is_at_rest() || has_pending()
    }

    /// Goes on to forget which constraints have work to do; true when that is done.
    pub fn stand_still(&mut self, budget: &mut Budget) -> bool {
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
        self.under_way = None;
        self.granted = 0;
        true
    }

    /// Forgets how many changes constraints may leave out, because places were written behind their back.
    pub fn forget_slack(&mut self) {
        self.waking.iter_mut().for_each(|waking| waking.slack = 0);
    }

    /// Lets the propagation that is under way have so many bytes.
    pub fn grant(&mut self, bytes: usize) {
        self.granted = bytes;
    }

    /// A hash of what a place has.
    pub fn hash_of(&self, place: usize) -> u64 {
        let (first, words) = self.candidates(place).words();
        words.iter().fold(first as u64, |hash, word| {
            (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    /// Whether two places have the same, in windows that are the same.
    pub fn are_alike(&self, one: usize, other: usize) -> bool {
        self.candidates(one).words() == self.candidates(other).words()
    }

    /// How many failures a constraint has caused.
    pub fn weight(&self, number: u32) -> u64 {
        self.weights.get(number as usize).copied().unwrap_or(0)
    }

    /// Counts a failure that a constraint has caused.
    pub fn add_weight(&mut self, number: u32) {
        if let Some(weight) = self.weights.get_mut(number as usize) {
            *weight += 1;
        }
    }

    /// The constraint that could not hold in the statement under way.
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

    /// Whether the places of a callback hold nothing but what it waits for; `None` if it waits for nothing.
    pub fn has_what_it_awaits(&self, number: u32) -> Option<bool> {
        let constraint = self.constraints.get(number as usize)?;
        let values = constraint.awaited()?;
        let mut places = constraint.places().unwrap_or_default().iter();
        Some(places.all(|place| !self.candidates(*place as usize).has_others(values)))
    }

    /// The id of a constraint that is a callback.
    pub fn callback(&self, number: u32) -> Option<crate::CallbackId> {
        self.constraints.get(number as usize)?.callback()
    }
}
