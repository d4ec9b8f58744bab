//! Cost filtering: compares what paths and regions need with the slack of the counts of the board.
//!
//! Mostly the known path or region costs less than the slack, and nothing follows. Only otherwise a lower bound of
//! all of them is computed.

use super::cost_lower_bound::{CostLowerBound, Terminals};
use super::count_slack::{CountSlack, SIDES};
use crate::propagators::count::{Count, CountPropagation};
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;

/// A path or region that is possible.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// Its places, each once, shifted left by `shift` bits.
    pub entries: &'a [u32],
    pub shift: u32,
    /// Whether a search for a cheaper one costs less work than a lower bound.
    pub may_be_cheaper: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Begin,
    CountSlack,
    PriceEntries,
    LowerBound,
}

#[derive(Clone, Debug, Default)]
pub(super) struct CostFiltering {
    stage: Stage,
    /// The current count, and the side of it.
    at: usize,
    side: usize,
    counting: CountPropagation,
    /// How many entries of the known one are priced, and their cost.
    done: usize,
    cost: u64,
    lower_bound: CostLowerBound,
    /// Whether anything was removed, and whether the known one uses nearly all of the slack.
    pub has_removed: bool,
    pub is_near: bool,
    /// Whether the caller has to look for a cheaper one first.
    pub wants_cheaper: bool,
}

/// A slack that exceeds the cost by more than this is large.
fn near(known: usize) -> usize {
    known / 4 + 8
}

impl CostFiltering {
    /// Removes what costs more than any count leaves.
    ///
    /// # Errors
    /// [`DomainWipeout`] if everything does.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        net: Terminals,
        known: Known,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        while let Some(count) = solver.counts.get(self.at).copied() {
            if self.side == SIDES.len() {
                let at = self.at + 1;
                let CostFiltering {
                    has_removed,
                    is_near,
                    ..
                } = *self;
                *self = CostFiltering {
                    at,
                    has_removed,
                    is_near,
                    ..CostFiltering::default()
                };
                continue;
            }
            let constraint = solver.constraints[count as usize].clone();
            let Some(own) = constraint.as_count() else {
                self.side = SIDES.len();
                continue;
            };
            match self.resume_count(solver, number, (count, own), net, known, budget)? {
                Fixpoint::Reached if self.wants_cheaper => return Ok(Fixpoint::Reached),
                Fixpoint::Reached => (self.stage, self.side) = (Stage::Begin, self.side + 1),
                other => return Ok(other),
            }
        }
        Ok(Fixpoint::Reached)
    }

    /// Filters against one side of one count: removes cells that would cost more of its values than its slack.
    fn resume_count(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        (count, own): (u32, &Count),
        net: Terminals,
        known: Known,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let Count {
            places,
            values,
            least,
            most,
            ..
        } = own;
        let Some(slack) = CountSlack::of(own, SIDES[self.side]) else {
            return Ok(Fixpoint::Reached);
        };
        if self.stage == Stage::Begin {
            budget.spend(2);
            // The stored slack is a lower bound of the slack.
            let known = known.entries.len();
            if solver.waking[count as usize].slack as usize > known + near(known) {
                return Ok(Fixpoint::Reached);
            }
            self.stage = Stage::CountSlack;
        }
        if self.stage == Stage::CountSlack {
            if !self.counting.count(solver, places, values, budget) {
                return Ok(Fixpoint::NotYet);
            }
            self.counting.store_slack(solver, count, (*least, *most));
            (self.stage, self.done, self.cost) = (Stage::PriceEntries, 0, 0);
        }
        let slack = slack.with(&self.counting);
        while self.stage == Stage::PriceEntries {
            let Some(entry) = known.entries.get(self.done) else {
                self.is_near |= self.cost + near(known.entries.len()) as u64 > slack.left;
                self.wants_cheaper = self.cost >= slack.left && known.may_be_cheaper;
                if self.cost < slack.left || self.wants_cheaper {
                    return Ok(Fixpoint::Reached);
                }
                (self.stage, self.lower_bound) = (Stage::LowerBound, CostLowerBound::default());
                break;
            };
            if budget.is_spent() {
                return Ok(Fixpoint::NotYet);
            }
            budget.spend(2);
            let place = entry >> known.shift;
            let costs = slack.is_taken_by(solver.candidates(place as usize), net.values);
            self.cost += u64::from(costs && slack.has(solver, place));
            self.done += 1;
        }
        solver.runs_short = Some(count);
        let result = self.lower_bound.resume(solver, number, net, slack, budget);
        solver.runs_short = None;
        if let Ok(Fixpoint::Reached) = result {
            self.has_removed |= self.lower_bound.has_removed;
            self.lower_bound = CostLowerBound::default();
        }
        result
    }

    pub fn bytes(&self) -> usize {
        self.lower_bound.bytes()
    }
}
