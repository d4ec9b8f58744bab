//! `sumOf` where numbers are whole and go up as those of values do, as in most puzzles: what `filter.rs` finds, from the ends of
//! the candidates' bits and in one go.

use super::Sum;
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;

/// Up to this number, places are few.
const MOST_PLACES: usize = 64;
/// Whole numbers up to here have exact sums.
const MOST: f64 = (1_u64 << 40) as f64;

/// Whether bounds of a sum are found here: the numbers of a word of values go up, each place is there once, and whatever is added
/// up is exact.
pub(super) fn has_simple_bounds(places: &[u32], factors: &[f64], numbers: &[f64]) -> bool {
    let are_whole = |numbers: &[f64], most: f64| {
        numbers
            .iter()
            .all(|number| number.trunc() == *number && number.abs() <= most)
    };
    let are_few =
        places.len() <= MOST_PLACES && numbers.len() <= 64 && factors.len() == places.len();
    are_few
        && are_whole(numbers, MOST)
        && are_whole(factors, MOST)
        && factors
            .iter()
            .chain(numbers)
            .fold(0.0_f64, |most, number| most.max(number.abs()))
            .powi(2)
            <= MOST
        && numbers.windows(2).all(|pair| pair[0] < pair[1])
        && (1..places.len()).all(|at| !places[..at].contains(&places[at]))
}

/// The visits of a place: what lies between its ends does not matter.
const VISITS_OF_PLACE: usize = 4;

/// The least and the largest value of a place as parts of a sum.
#[inline(always)]
fn ends(numbers: &[f64], factor: f64, word: u64) -> (f64, f64) {
    let (first, last) = (
        word.trailing_zeros() as usize,
        63 - word.leading_zeros() as usize,
    );
    let part = |value: usize| numbers.get(value).copied().unwrap_or(0.0) * factor;
    if factor < 0.0 {
        (part(last), part(first))
    } else {
        (part(first), part(last))
    }
}

/// Removes values that no sum within the bounds has, until nothing changes. All progress is on the board, so that it
/// can stop and resume after any round.
pub(super) fn keep(
    solver: &mut Solver,
    number: ConstraintNumber,
    sum: &Sum,
    budget: &mut Budget,
) -> Result<Fixpoint, DomainWipeout> {
    let Sum {
        numbers, low, high, ..
    } = sum;
    let (low, high) = (*low, *high);
    loop {
        if budget.is_spent() {
            return Ok(Fixpoint::NotYet);
        }
        let (mut least, mut most, mut widest) = (0.0, 0.0, 0.0);
        let words = solver.domains.first_words();
        budget.spend(VISITS_OF_PLACE * sum.places.len());
        for (place, factor) in sum.places.iter().zip(&sum.factors) {
            let word = words[*place as usize];
            if word == 0 {
                return Err(DomainWipeout);
            }
            let (from, to) = ends(numbers, *factor, word);
            least += from;
            most += to;
            if to - from > widest {
                widest = to - from;
            }
        }
        if least > high || most < low {
            return Err(DomainWipeout);
        }
        if least + widest <= high && most - widest >= low {
            // Every place may have all that it has.
            return Ok(Fixpoint::Reached);
        }
        let (mut changed, mut visits) = (false, VISITS_OF_PLACE * sum.places.len());
        for (place, factor) in sum.places.iter().zip(&sum.factors) {
            let place = *place as usize;
            let word = solver.domains.first_words()[place];
            let (from, to) = ends(numbers, *factor, word);
            // The least and the most that this place may be, by the bounds of the others.
            let (lowest, highest) = (low - (most - to), high - (least - from));
            if from >= lowest && to <= highest {
                continue;
            }
            let is_removed = |value: u32| {
                let part = numbers.get(value as usize).copied().unwrap_or(0.0) * factor;
                part > highest || part < lowest
            };
            let mut left = word;
            while left != 0 && is_removed(left.trailing_zeros()) {
                left &= left - 1;
                visits += 1;
            }
            while left != 0 && is_removed(63 - left.leading_zeros()) {
                left ^= 1 << (63 - left.leading_zeros());
                visits += 1;
            }
            changed = true;
            if let Err(wiped) = solver.keep_word(place, left, number) {
                budget.spend(visits);
                return Err(wiped);
            }
            // The others may be less by what this one is now.
            let (now_from, now_to) = ends(numbers, *factor, left);
            least += now_from - from;
            most += now_to - to;
        }
        budget.spend(visits);
        if !changed {
            return Ok(Fixpoint::Reached);
        }
    }
}
