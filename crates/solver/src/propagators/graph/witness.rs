//! The witness of `connected`: cells that join all terminals. It is stored beside the constraint and checked before
//! use. None is stored while the slack of counts is far larger than its cost.

use super::region::Region;
use super::vicinity::FEW_CHANGES;
use crate::ConstraintNumber;
use crate::Solver;
use ndscript_base::budget::Budget;

/// The header before its places: their number and the least slack when it was found, and whether it is still valid,
/// or takes nearly all of the slack.
pub(super) struct Witness<'a>(pub &'a mut Vec<u32>);

const HEAD: usize = 3;
const UNKNOWN: u32 = 0;
const KNOWN: u32 = 1;
const NEAR: u32 = 2;

/// The next step of maintaining the witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WitnessState {
    /// Nothing: the slack is large.
    Plenty,
    /// It is valid.
    Stands,
    /// A new one has to be found.
    Lost,
}

/// The slack is large if it exceeds twice the cost by this.
const LARGE_SLACK: u32 = 32;

impl<'a> Witness<'a> {
    /// Checks it against the changed places. Returns what has to be done.
    pub fn update(
        &mut self,
        solver: &Solver,
        number: ConstraintNumber,
        region: Region,
        budget: &mut Budget,
    ) -> WitnessState {
        let changes = &solver.pending[number as usize].cells;
        budget.spend(4);
        if let [taken, left, _] = self.0[..self.0.len().min(HEAD)]
            && solver.least_left()
                > (left / 2).max(taken.saturating_mul(2).saturating_add(LARGE_SLACK))
        {
            if !changes.is_empty() {
                self.discard();
            }
            return WitnessState::Plenty;
        }
        let stands = self.is_known()
            && changes.len() <= FEW_CHANGES
            && changes
                .iter()
                .all(|place| self.takes_up(solver, region, *place, changes, budget));
        if stands {
            WitnessState::Stands
        } else {
            WitnessState::Lost
        }
    }

    /// Whether it still joins all terminals after the change of a place; it may be extended by that place.
    fn takes_up(
        &mut self,
        solver: &Solver,
        region: Region,
        place: u32,
        changes: &[u32],
        budget: &mut Budget,
    ) -> bool {
        budget.spend(8);
        let found = self.0[HEAD..].binary_search(&place);
        if !region.may(solver, place as usize) {
            return found.is_err();
        }
        let Err(at) = found else { return true };
        if !region.must(solver, place as usize) {
            return true;
        }
        let is_beside = region
            .around(place as usize)
            .into_iter()
            .step_by(2)
            .flatten()
            .any(|beside| {
                let other = beside as u32;
                self.0[HEAD..].binary_search(&other).is_ok()
                    || region.must(solver, beside) && !changes.contains(&other)
            });
        if is_beside {
            budget.spend(self.0.len() / 8);
            self.0.insert(HEAD + at, place);
        }
        is_beside
    }

    fn is_known(&self) -> bool {
        self.0.get(HEAD - 1).is_some_and(|known| *known != UNKNOWN)
    }

    pub fn discard(&mut self) {
        if let Some(is_known) = self.0.get_mut(HEAD - 1) {
            *is_known = UNKNOWN;
        }
        self.0.truncate(HEAD);
    }

    /// A place need not be joined any more.
    fn mark_as_doubtful(&mut self, place: usize) {
        if self.is_known() && self.places().binary_search(&(place as u32)).is_err() {
            self.discard();
        }
    }

    pub fn set_near(&mut self, is_near: bool) {
        if let Some(known) = self.0.get_mut(HEAD - 1) {
            *known = if is_near { NEAR } else { KNOWN };
        }
    }

    pub fn replace(&mut self, solver: &Solver, places: Vec<u32>, is_near: bool) {
        *self.0 = Vec::with_capacity(HEAD + places.len());
        self.0.extend([
            places.len() as u32,
            solver.least_left(),
            if is_near { NEAR } else { KNOWN },
        ]);
        self.0.extend(places);
    }

    /// The places that join others, and some that had to be joined.
    pub fn places(&self) -> &[u32] {
        self.0.get(HEAD..).unwrap_or_default()
    }
}

/// The values to try first at a place: those in a mask, or those not in it.
pub struct Advice<'a> {
    values: &'a [u64],
    is_in: bool,
}

impl Advice<'_> {
    /// Whether the value with this number is tried first.
    pub fn is_for(&self, number: Option<usize>) -> bool {
        number.is_some_and(|number| {
            self.values
                .get(number / 64)
                .is_some_and(|word| word >> (number % 64) & 1 == 1)
                == self.is_in
        })
    }
}

impl Solver {
    /// Sets the seed that breaks ties between regions. Where the slack is small, values follow the witness, so with one
    /// fixed tie-break every run would make an equal map.
    pub fn break_ties_by(&mut self, seed: u64) {
        self.ties = seed;
    }

    /// Called when a place is restored: a witness may include it only because it was a terminal.
    pub fn mark_pieces_as_doubtful(&mut self, place: usize) {
        if !self.may_advise() {
            return;
        }
        for at in 0..self.everywhere.len() {
            let number = self.everywhere[at] as usize;
            let region = self
                .constraints
                .get(number)
                .and_then(|other| other.joined_cells())
                .filter(|joined| joined.ends.is_none());
            let Some(region) = region else {
                continue;
            };
            let is_terminal = !self.domains.candidates(place).has_others(region.values);
            if let Some(witness) = self.witnesses.get_mut(number).filter(|_| is_terminal) {
                Witness(witness).mark_as_doubtful(place);
            }
        }
    }

    /// Whether there may be advice for any place.
    pub fn may_advise(&self) -> bool {
        !self.counts.is_empty() && !self.everywhere.is_empty()
    }

    /// The values to try first at a place: those that the witness has there. `None` unless the witness takes nearly
    /// all of the slack.
    pub fn advice(&self, place: usize) -> Option<Advice<'_>> {
        if !self.may_advise() {
            return None;
        }
        self.everywhere.iter().find_map(|number| {
            let joined = self.constraints.get(*number as usize)?.joined_cells()?;
            if joined.ends.is_some() {
                return None;
            }
            let witness = self.witnesses.get(*number as usize)?;
            let is_near = witness.get(HEAD - 1) == Some(&NEAR);
            is_near.then(|| Advice {
                values: joined.values,
                is_in: witness[HEAD..].binary_search(&(place as u32)).is_ok(),
            })
        })
    }

    /// The least slack of the counts that regions are compared with.
    fn least_left(&self) -> u32 {
        self.counts
            .iter()
            .map(|count| self.waking[*count as usize].slack)
            .min()
            .unwrap_or(u32::MAX)
    }
}
