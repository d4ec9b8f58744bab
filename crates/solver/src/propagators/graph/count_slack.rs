//! The slack of a count: how many more of its places may hold what it bounds. A path or region that needs more than
//! that is impossible.

use super::depth::Shape;
use crate::propagators::count::{Count, CountPropagation};
use crate::{Candidates, DomainWipeout, Solver};

/// One side of a count. What it bounds (what is *short*) is what it counts, or everything else.
#[derive(Clone, Copy)]
pub(super) struct CountSlack<'a> {
    pub places: &'a [u32],
    counted: &'a [u64],
    is_of_others: bool,
    /// At most this number of places may hold what is short; `left` is how many more may, beyond those that must.
    most: u64,
    pub left: u64,
}

/// Both sides of a count.
pub(super) const SIDES: [bool; 2] = [false, true];

impl<'a> CountSlack<'a> {
    /// A side of a count; `None` if it bounds nothing. `left` is not known yet: see `with`.
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

    /// Sets `left` from the numbers of places that can and that must hold what is counted.
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

    /// Whether restricting a place to `values` uses up one of `left`: some of its candidates are not short now, and
    /// none would be then.
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

    /// Whether the count includes a place of the board.
    pub fn has(&self, solver: &Solver, place: u32) -> bool {
        self.places.len() == solver.places || self.places.binary_search(&place).is_ok()
    }

    /// The places of the count from index `at` on, each with its cell. `places` is the number of places of the board.
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

    /// Removes what is short from a place. Returns whether it had any.
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
