//! What a count leaves: how many more of its places may hold what it keeps short. A way or a piece that needs more than that cannot be.

use super::depth::Shape;
use crate::propagators::count::{Count, CountPropagation};
use crate::{Candidates, DomainWipeout, Solver};

/// One side of a count. What is short is what it counts, or everything else.
#[derive(Clone, Copy)]
pub(super) struct CountSlack<'a> {
    pub places: &'a [u32],
    counted: &'a [u64],
    is_of_others: bool,
    /// So many of the places may hold it, and so many more of them than hold nothing else already.
    most: u64,
    pub left: u64,
}

/// Both sides of a count.
pub(super) const SIDES: [bool; 2] = [false, true];

impl<'a> CountSlack<'a> {
    /// A side of a count, if that bounds anything. What is left is not known yet.
    pub fn of(count: &'a Count, is_of_others: bool) -> Option<CountSlack<'a>> {
        let Count {
            places,
            values,
            least,
            most,
            ..
        } = count;
        let most = if is_of_others {
            (places.len() as u64).saturating_sub(*least)
        } else {
            *most
        };
        let bounds = most < places.len() as u64;
        bounds.then_some(CountSlack {
            places,
            counted: values,
            is_of_others,
            most,
            left: 0,
        })
    }

    /// The same with what is left where so many places can and so many must hold what is counted.
    pub fn with(mut self, counting: &CountPropagation) -> CountSlack<'a> {
        let count = self.places.len() as u64;
        let certain = if self.is_of_others {
            count - counting.possible.min(count)
        } else {
            counting.certain
        };
        self.left = self.most.saturating_sub(certain);
        self
    }

    fn short(&self, word: usize) -> u64 {
        let counted = self.counted.get(word).copied().unwrap_or(0);
        if self.is_of_others { !counted } else { counted }
    }

    /// Whether a place that holds one of some values from now on takes one from what is left: it could do without what is short now, and
    /// cannot then.
    pub fn is_taken_by(&self, candidates: Candidates<'_>, values: &[u64]) -> bool {
        let (first, words) = candidates.words();
        let (mut can_do_without, mut then) = (false, false);
        for (at, bits) in words.iter().enumerate() {
            let others = bits & !self.short(first + at);
            can_do_without |= others != 0;
            then |= others & values.get(first + at).copied().unwrap_or(0) != 0;
        }
        can_do_without && !then
    }

    /// Whether a place of the board is one of the count.
    pub fn has(&self, solver: &Solver, place: u32) -> bool {
        self.places.len() == solver.places || self.places.binary_search(&place).is_ok()
    }

    /// Its places from one of them on, of a board of so many, with their cells.
    pub fn cells_from(
        self,
        at: usize,
        places: usize,
        shape: Shape,
    ) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let are_all = self.places.len() == places;
        let own = self.places[at..].iter().map(|place| *place as usize);
        own.zip(shape.cells_from(at))
            .map(move |(place, next)| (place, if are_all { next } else { shape.cell_of(place) }))
    }

    /// Takes what is short from a place.
    pub fn keep_from(
        &self,
        solver: &mut Solver,
        place: usize,
        by: u32,
    ) -> Result<bool, DomainWipeout> {
        match self.is_of_others {
            true => solver.keep(place, self.counted, Some(by)),
            false => solver.leave_out(place, self.counted, Some(by)),
        }
    }
}
