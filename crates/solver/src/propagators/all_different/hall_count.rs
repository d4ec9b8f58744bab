//! What an `allDifferent` of many values comes to without a graph: what decided places have goes from the others; and where
//! no places are short of values, that is all.
//!
//! A value goes from a place only if other places need it: t of them that have t values between them, and some place is
//! left over (Hall, 1935). Each of these has t candidates at most. So where, for each t, fewer places than t have so few,
//! nothing is needed, and a value for each place is there, too. That is found by counting.

use crate::{DomainWipeout, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// How far it has come.
pub(super) enum Outcome {
    /// The budget is spent before.
    NotYet,
    /// It needs so many bytes, which are to be granted before it goes on.
    Wants(usize),
    /// Nothing else can be taken away.
    AllDone,
    /// Some places may be short of values.
    MayBeShort,
}

#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    #[default]
    Begin,
    Collect,
    Sift,
    Count,
}

/// The look at the places on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct HallCount {
    stage: Stage,
    at: usize,
    /// What decided places have.
    taken: Vec<u64>,
    undecided: usize,
    /// How many undecided places have so many candidates. Those that have more than there are undecided places count as if
    /// they had as many.
    sizes: Vec<u32>,
    /// Whether another place was decided by that.
    has_decided: bool,
    /// How many undecided places have no more candidates than were looked at so far.
    small: usize,
}

impl HallCount {
    /// Takes from undecided places what others have, and counts.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: u32,
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
                    self.taken = vec![0; words];
                    self.sizes = vec![0; places.len() + 1];
                    budget.spend((words + places.len()) / 16);
                    self.stage = Stage::Collect;
                }
                (Stage::Collect, Some(place)) => {
                    self.at += 1;
                    budget.spend(self.collect(solver, place)?);
                }
                (Stage::Collect, None) => (self.stage, self.at) = (Stage::Sift, 0),
                (Stage::Sift, Some(place)) => {
                    self.at += 1;
                    budget.spend(self.sift(solver, number, place)?);
                }
                (Stage::Sift, None) if self.has_decided => {
                    budget.spend((self.taken.len() + self.sizes.len()) / 16);

                    self.taken.fill(0);
                    self.sizes.fill(0);
                    (self.undecided, self.has_decided) = (0, false);
                    (self.stage, self.at) = (Stage::Collect, 0);
                }
                (Stage::Sift, None) => (self.stage, self.at) = (Stage::Count, 1),
                (Stage::Count, _) if self.at < self.undecided => {
                    if self.count(budget) {
                        return Ok(Outcome::MayBeShort);
                    }
                }
                (Stage::Count, _) => return Ok(Outcome::AllDone),
            }
        }
    }

    /// Notes what a place has if it is decided; returns how much there was to look at.
    fn collect(&mut self, solver: &Solver, place: usize) -> Result<usize, DomainWipeout> {
        let candidates = solver.candidates(place);
        let visits = 1 + candidates.words().1.len();
        if candidates.count() != 1 {
            self.undecided += 1;
        } else if let Some(value) = candidates.numbers().next() {
            let (word, bit) = (&mut self.taken[value / 64], 1 << (value % 64));
            if *word & bit != 0 {
                return Err(DomainWipeout);
            }
            *word |= bit;
        }
        Ok(visits)
    }

    /// Takes from a place that was undecided what others have, and counts what is left.
    fn sift(
        &mut self,
        solver: &mut Solver,
        number: u32,
        place: usize,
    ) -> Result<usize, DomainWipeout> {
        let candidates = solver.candidates(place);
        let visits = 2 + candidates.words().1.len();
        let mut count = candidates.count();
        if count == 1 {
            return Ok(visits);
        }
        if candidates.meets(&self.taken) {
            solver.leave_out(place, &self.taken, Some(number))?;
            count = solver.candidates(place).count();
            self.has_decided |= count == 1;
        }
        self.sizes[self.undecided.min(count as usize)] += 1;
        Ok(visits)
    }

    /// Goes on to look whether, for some number, so many undecided places have so few candidates, and some are left over.
    fn count(&mut self, budget: &mut Budget) -> bool {
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
        room::row(&self.taken) + room::row(&self.sizes)
    }
}
