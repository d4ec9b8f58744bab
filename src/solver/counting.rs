//! `atLeast`, `atMost` and `exactly`: how many places can, and how many must hold one of some values.

use super::{Rest, Solver, Wiped};
use crate::value::budget::Budget;

/// A look at all places, then a second one that takes away what the counts rule out.
#[derive(Clone, Debug, Default)]
pub(super) struct Counting {
    at: usize,
    pub possible: u64,
    pub certain: u64,
    is_counted: bool,
}

impl Counting {
    pub fn go(
        &mut self,
        solver: &mut Solver,
        number: u32,
        places: &[u32],
        values: &[u64],
        (least, most): (u64, u64),
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        if !self.is_counted {
            if !self.count(solver, places, values, budget) {
                return Ok(Rest::NotYet);
            }
            budget.spend(8);
            (self.at, self.is_counted) = (0, true);
            // At most fewer than none there never are, and that is how it is put.
            if self.possible < least || self.certain > most || least > most {
                return Err(Wiped);
            }
        }
        if self.possible != least && self.certain != most {
            self.note_slack(solver, number, (least, most));
            return Ok(Rest::Reached);
        }
        while let Some(place) = places.get(self.at) {
            if budget.is_spent() {
                return Ok(Rest::NotYet);
            }
            let place = *place as usize;
            let candidates = solver.candidates(place);
            budget.spend(2 * candidates.words().1.len());
            if candidates.meets(values) && candidates.has_others(values) {
                if self.possible == least {
                    solver.keep(place, values, Some(number))?;
                } else {
                    solver.leave_out(place, values, Some(number))?;
                }
            }
            self.at += 1;
        }
        Ok(Rest::Reached)
    }

    /// Goes on to count; true when that is done.
    pub fn count(
        &mut self,
        solver: &Solver,
        places: &[u32],
        values: &[u64],
        budget: &mut Budget,
    ) -> bool {
        if solver.domains.is_plain() {
            self.count_words(solver, places, values.first().copied().unwrap_or(0), budget);
        }
        while let Some(place) = places.get(self.at) {
            if budget.is_spent() {
                return false;
            }
            let candidates = solver.candidates(*place as usize);
            budget.spend(2 * candidates.words().1.len());
            self.possible += u64::from(candidates.meets(values));
            self.certain += u64::from(!candidates.has_others(values));
            self.at += 1;
        }
        true
    }

    /// Notes how many places have to lose something before the count rules anything out.
    pub fn note_slack(&self, solver: &mut Solver, number: u32, (least, most): (u64, u64)) {
        // A place that loses something makes one of the two differ by one at most.
        let slack = self
            .possible
            .saturating_sub(least)
            .min(most.saturating_sub(self.certain));
        solver.waking[number as usize].slack = slack.min(u64::from(u32::MAX)) as u32;
    }

    /// Counts on where every place has one word, which is what most boards are like.
    fn count_words(&mut self, solver: &Solver, places: &[u32], values: u64, budget: &mut Budget) {
        let words = solver.domains.first_words();
        let end = places.len().min(self.at + budget.room_for(2));
        budget.spend(2 * (end - self.at));
        let mut count = |bits: u64| {
            self.possible += u64::from(bits & values != 0);
            self.certain += u64::from(bits & !values == 0);
        };
        // Places are listed once each, in order.
        if places.len() == solver.places {
            words[self.at..end].iter().for_each(|bits| count(*bits));
        } else {
            places[self.at..end]
                .iter()
                .for_each(|place| count(words.get(*place as usize).copied().unwrap_or(0)));
        }
        self.at = end;
    }
}
