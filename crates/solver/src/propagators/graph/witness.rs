//! A piece that `connected` knows: the cells by which all that is to be joined can be. It lies beside the constraint and is looked at, not
//! believed. As long as counts leave much more than it takes, nobody keeps it.

use super::piece::Piece;
use super::vicinity::FEW_CHANGES;
use crate::Solver;
use ndscript_base::budget::Budget;

/// In front of its places: how many it had and how much counts left at least when it was found, and whether it is known still, or takes
/// nearly all that is left.
pub(super) struct Witness<'a>(pub &'a mut Vec<u32>);

const HEAD: usize = 3;
const UNKNOWN: u32 = 0;
const KNOWN: u32 = 1;
const NEAR: u32 = 2;

/// What there is to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tended {
    /// Nothing, as counts leave plenty.
    Plenty,
    /// It stands.
    Stands,
    /// Another one is to be found.
    Lost,
}

/// So much more than twice what a piece takes is much.
const MUCH: u32 = 32;

impl<'a> Witness<'a> {
    /// Goes over what has changed; says what is to be done then.
    pub fn tend(
        &mut self,
        solver: &Solver,
        number: u32,
        piece: Piece,
        budget: &mut Budget,
    ) -> Tended {
        let changes = &solver.pending[number as usize].cells;
        budget.spend(4);
        if let [taken, left, _] = self.0[..self.0.len().min(HEAD)]
            && solver.least_left() > (left / 2).max(taken.saturating_mul(2).saturating_add(MUCH))
        {
            if !changes.is_empty() {
                self.forget();
            }
            return Tended::Plenty;
        }
        let stands = self.is_known()
            && changes.len() <= FEW_CHANGES
            && changes
                .iter()
                .all(|place| self.takes_up(solver, piece, *place, changes, budget));
        if stands { Tended::Stands } else { Tended::Lost }
    }

    /// Whether it still joins all after the change of a place, which it may take up.
    fn takes_up(
        &mut self,
        solver: &Solver,
        piece: Piece,
        place: u32,
        changes: &[u32],
        budget: &mut Budget,
    ) -> bool {
        budget.spend(8);
        let found = self.0[HEAD..].binary_search(&place);
        if !piece.may(solver, place as usize) {
            return found.is_err();
        }
        let Err(at) = found else { return true };
        if !piece.must(solver, place as usize) {
            return true;
        }
        let is_beside = piece
            .around(place as usize)
            .into_iter()
            .step_by(2)
            .flatten()
            .any(|beside| {
                let other = beside as u32;
                self.0[HEAD..].binary_search(&other).is_ok()
                    || piece.must(solver, beside) && !changes.contains(&other)
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

    pub fn forget(&mut self) {
        if let Some(is_known) = self.0.get_mut(HEAD - 1) {
            *is_known = UNKNOWN;
        }
        self.0.truncate(HEAD);
    }

    /// A place need not be joined any more.
    fn doubt(&mut self, place: usize) {
        if self.is_known() && self.places().binary_search(&(place as u32)).is_err() {
            self.forget();
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

/// The values that are tried first at a place, as a mask: they are in it, or not.
pub struct Advice<'a> {
    values: &'a [u64],
    is_in: bool,
}

impl Advice<'_> {
    /// Whether it is a value with a number that is tried first.
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
    /// Draws how ties between pieces are broken: a piece that is known is followed where little is left, so whoever always knows the
    /// same makes the same map always.
    pub fn break_ties_by(&mut self, seed: u64) {
        self.ties = seed;
    }

    /// Notes that a place is put back: a piece that is known may lead over it only because it had to be joined.
    pub fn doubt_pieces(&mut self, place: usize) {
        if !self.may_advise() {
            return;
        }
        for at in 0..self.everywhere.len() {
            let number = self.everywhere[at] as usize;
            let piece = self
                .constraints
                .get(number)
                .and_then(|other| other.joined())
                .filter(|joined| joined.ends.is_none());
            let Some(piece) = piece else {
                continue;
            };
            let must = !self.domains.candidates(place).has_others(piece.values);
            if let Some(witness) = self.witnesses.get_mut(number).filter(|_| must) {
                Witness(witness).doubt(place);
            }
        }
    }

    /// Whether anything could be advised.
    pub fn may_advise(&self) -> bool {
        !self.counts.is_empty() && !self.everywhere.is_empty()
    }

    /// What is tried first at a place, where a piece takes nearly all that counts leave: what it has there.
    pub fn advice(&self, place: usize) -> Option<Advice<'_>> {
        if !self.may_advise() {
            return None;
        }
        self.everywhere.iter().find_map(|number| {
            let joined = self.constraints.get(*number as usize)?.joined()?;
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

    /// What counts leave at least that pieces are set against.
    fn least_left(&self) -> u32 {
        self.counts
            .iter()
            .map(|count| self.waking[*count as usize].slack)
            .min()
            .unwrap_or(u32::MAX)
    }
}
