//! Filters an `allDifferent` of many values without a graph: values of decided places are removed from the others,
//! and counting shows when nothing else follows.
//!
//! A value can be removed only if it belongs to a Hall set: t places that have t values between them, while some
//! place is left over (Hall, 1935). Each of these places has at most t candidates. If for every t fewer than t places
//! have at most t candidates, there is no Hall set, and a matching exists. Counting sizes of domains shows that.

use crate::{ConstraintNumber, DomainWipeout, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The result of a slice.
pub(super) enum Outcome {
    /// The budget is spent.
    NotYet,
    /// This number of bytes has to be granted first.
    Wants(usize),
    /// No further value can be removed.
    AllDone,
    /// Some places may be short of values.
    MayBeShort,
}

#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    #[default]
    Begin,
    Collect,
    RemoveDecided,
    Count,
}

/// The count, as far as it has come.
#[derive(Clone, Debug, Default)]
pub(super) struct HallCount {
    stage: Stage,
    at: usize,
    /// The values of decided places.
    decided_values: Vec<u64>,
    undecided: usize,
    /// By size of domain, the number of undecided places. Domains larger than the number of undecided places count as
    /// if they had that size.
    sizes: Vec<u32>,
    /// Whether a removal has decided another place.
    has_decided: bool,
    /// The number of undecided places with at most `at` candidates.
    small: usize,
}

impl HallCount {
    /// Removes the values of decided places from the others, and counts.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        places: &[u32],
        budget: &mut Budget,
    ) -> Result<Outcome, DomainWipeout> {
        loop {
            if budget.is_spent() {
                return Ok(Outcome::NotYet);
            }
            let place = places.get(self.at).map(|place| *place as usize);
            match (self.stage, place) {
                (Stage::Begin, _) => {
                    let words = solver.values.div_ceil(64);
                    let bytes = 8 * words + 4 * (places.len() + 1);
                    if !solver.is_granted(bytes) {
                        return Ok(Outcome::Wants(bytes));
                    }
                    self.decided_values = vec![0; words];
                    self.sizes = vec![0; places.len() + 1];
                    budget.spend((words + places.len()) / 16);
                    self.stage = Stage::Collect;
                }
                (Stage::Collect, Some(place)) => {
                    self.at += 1;
                    budget.spend(self.collect(solver, place)?);
                }
                (Stage::Collect, None) => (self.stage, self.at) = (Stage::RemoveDecided, 0),
                (Stage::RemoveDecided, Some(place)) => {
                    self.at += 1;
                    budget.spend(self.remove_decided_values(solver, number, place)?);
                }
                (Stage::RemoveDecided, None) if self.has_decided => {
                    budget.spend((self.decided_values.len() + self.sizes.len()) / 16);

                    self.decided_values.fill(0);
                    self.sizes.fill(0);
                    (self.undecided, self.has_decided) = (0, false);
                    (self.stage, self.at) = (Stage::Collect, 0);
                }
                (Stage::RemoveDecided, None) => (self.stage, self.at) = (Stage::Count, 1),
                (Stage::Count, _) if self.at < self.undecided => {
                    if self.find_small_group(budget) {
                        return Ok(Outcome::MayBeShort);
                    }
                }
                (Stage::Count, _) => return Ok(Outcome::AllDone),
            }
        }
    }

    /// Records the value of a decided place. Returns the visits.
    fn collect(&mut self, solver: &Solver, place: usize) -> Result<usize, DomainWipeout> {
        let candidates = solver.candidates(place);
        let visits = 1 + candidates.words().1.len();
        if candidates.count() != 1 {
            self.undecided += 1;
        } else if let Some(value) = candidates.numbers().next() {
            let (word, bit) = (&mut self.decided_values[value / 64], 1 << (value % 64));
            if *word & bit != 0 {
                return Err(DomainWipeout);
            }
            *word |= bit;
        }
        Ok(visits)
    }

    /// Removes the values of decided places from an undecided one, and records its size. Returns the visits.
    fn remove_decided_values(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        place: usize,
    ) -> Result<usize, DomainWipeout> {
        let candidates = solver.candidates(place);
        let visits = 2 + candidates.words().1.len();
        let mut count = candidates.count();
        if count == 1 {
            return Ok(visits);
        }
        if candidates.meets(&self.decided_values) {
            solver.leave_out(place, &self.decided_values, Some(number))?;
            count = solver.candidates(place).count();
            self.has_decided |= count == 1;
        }
        self.sizes[self.undecided.min(count as usize)] += 1;
        Ok(visits)
    }

    /// Whether for some t at least t undecided places have at most t candidates. Stops when the budget is spent.
    fn find_small_group(&mut self, budget: &mut Budget) -> bool {
        let end = self.undecided.min(self.at + budget.room_for(1));
        budget.spend(end - self.at);
        while self.at < end {
            self.small += self.sizes[self.at] as usize;
            if self.small >= self.at {
                return true;
            }
            self.at += 1;
        }
        false
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.decided_values) + room::row(&self.sizes)
    }
}
