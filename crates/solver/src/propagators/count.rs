//! `atLeast`, `atMost`, `exactly` and `counts`: how many places can, and how many must hold one of some values.

use crate::learning::Lit;
use crate::learning::encoder::{Encoded, Encoder};
use crate::propagator::{Call, Propagator};
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The built-ins that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// At least `n`.
    AtLeast,
    /// At most `n`.
    AtMost,
    /// Exactly `n`.
    Exactly,
    /// One of the bounds of `counts`.
    Counts,
}

impl Tally {
    /// The name of the built-in.
    pub fn name(self) -> &'static str {
        match self {
            Tally::AtLeast => "atLeast",
            Tally::AtMost => "atMost",
            Tally::Exactly => "exactly",
            Tally::Counts => "counts",
        }
    }

    /// The lower and the upper bound that `count` gives.
    pub fn bounds(self, count: u64) -> (u64, u64) {
        match self {
            Tally::AtLeast => (count, u64::MAX),
            Tally::AtMost => (0, count),
            Tally::Exactly | Tally::Counts => (count, count),
        }
    }

    const ALL: [Tally; 4] = [Tally::AtLeast, Tally::AtMost, Tally::Exactly, Tally::Counts];
}

/// Bounds the number of places that hold one of `values`.
#[derive(Clone, Debug)]
pub struct Count {
    /// The places, each once, in order.
    pub places: Vec<u32>,
    /// As a mask.
    pub values: Vec<u64>,
    /// The least count.
    pub least: u64,
    /// The largest count.
    pub most: u64,
    /// The built-in that posted it.
    pub tally: Tally,
}

/// A count of less than this share of the places hardly ever affects what a path or region needs.
const LEAST_SHARE: usize = 4;

impl Propagator for Count {
    type Progress = CountPropagation;

    fn name(&self) -> &'static str {
        self.tally.name()
    }

    fn places(&self) -> Option<&[u32]> {
        Some(&self.places)
    }

    fn rank(&self) -> usize {
        1
    }

    fn propagate(
        &self,
        progress: &mut CountPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        progress.resume(solver, call.number, self, budget)
    }

    fn encode(&self, encoder: &mut Encoder, _: usize) -> Encoded {
        let within: Vec<Lit> = self
            .places
            .iter()
            .map(|place| encoder.within(*place, &self.values))
            .collect();
        let count = within.len() as u64;
        if self.least > count {
            encoder.engine.add_clause(&[]);
        } else if self.least == 1 {
            encoder.engine.add_clause(&within);
        } else if self.least > 0 {
            let others = within.iter().map(|literal| (1, !*literal)).collect();
            encoder
                .engine
                .add_linear(others, (count - self.least) as i64);
        }
        if self.most < count {
            let terms = within.into_iter().map(|literal| (1, literal)).collect();
            encoder.engine.add_linear(terms, self.most as i64);
        }
        Encoded::Done
    }

    /// The reason: enough places have one of the values, or enough can have none.
    fn explain(&self, solver: &Solver, place: u32, values: &[u32]) -> Vec<u32> {
        let is_counted = |value: u32| {
            self.values
                .get(value as usize / 64)
                .is_some_and(|word| word >> (value % 64) & 1 == 1)
        };
        let are_counted = values.first().is_some_and(|value| is_counted(*value));
        let tells = |other: &u32| {
            let candidates = solver.candidates(*other as usize);
            if are_counted {
                !candidates.has_others(&self.values)
            } else {
                !candidates.meets(&self.values)
            }
        };
        let others = self.places.iter().copied().filter(|other| *other != place);
        others.filter(tells).collect()
    }

    fn may_run_short(&self, places: usize) -> bool {
        self.places.len() * LEAST_SHARE >= places
    }

    fn bytes(&self) -> usize {
        room::row(&self.places) + room::row(&self.values)
    }
}

impl ndscript_base::codec::Saved for Count {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        self.places.save(out);
        self.values.save(out);
        self.least.save(out);
        self.most.save(out);
        (self.tally as usize).save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Count, ndscript_base::codec::Unsound> {
        Ok(Count {
            places: Vec::load(from)?,
            values: Vec::load(from)?,
            least: u64::load(from)?,
            most: u64::load(from)?,
            tally: *Tally::ALL
                .get(usize::load(from)?)
                .ok_or(ndscript_base::codec::Unsound::Wrong("a count is none"))?,
        })
    }
}

/// A pass that counts, then a pass that removes what the bounds rule out.
#[derive(Clone, Debug, Default)]
pub struct CountPropagation {
    at: usize,
    pub possible: u64,
    pub certain: u64,
    is_counted: bool,
}

impl CountPropagation {
    /// Counts the places that have and can have one of the values, and removes what the bounds rule out.
    fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        own: &Count,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let Count {
            places,
            values,
            least,
            most,
            ..
        } = own;
        let (least, most) = (*least, *most);
        if !self.is_counted {
            if !self.count(solver, places, values, budget) {
                return Ok(Fixpoint::NotYet);
            }
            budget.spend(8);
            (self.at, self.is_counted) = (0, true);
            // `most` may be below `least`: bounds that nothing satisfies.
            if self.possible < least || self.certain > most || least > most {
                return Err(DomainWipeout);
            }
        }
        if self.possible != least && self.certain != most {
            self.store_slack(solver, number, (least, most));
            return Ok(Fixpoint::Reached);
        }
        while let Some(place) = places.get(self.at) {
            if budget.is_spent() {
                return Ok(Fixpoint::NotYet);
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
        Ok(Fixpoint::Reached)
    }

    /// Continues counting; true once all places are counted, false if the budget is spent.
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

    /// Stores the slack: how many places have to change before the count can rule anything out.
    pub fn store_slack(
        &self,
        solver: &mut Solver,
        number: ConstraintNumber,
        (least, most): (u64, u64),
    ) {
        // A removal at one place changes one of the two by at most one.
        let slack = self
            .possible
            .saturating_sub(least)
            .min(most.saturating_sub(self.certain));
        solver.waking[number as usize].slack = slack.min(u64::from(u32::MAX)) as u32;
    }

    /// Continues counting where every domain is one word, as on most boards.
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
