//! `sumOf` where numbers are whole and go up as those of values do, as in most puzzles: what `adding.rs` finds, from the ends of
//! the candidates' bits and in one go.

use super::sum::Sum;
use super::{Board, Rest, Wiped, count_of};
use crate::value::budget::Budget;

/// So many places are few.
const MOST_PLACES: usize = 64;
/// Whole numbers up to here have exact sums.
const MOST: f64 = (1_u64 << 40) as f64;

/// Whether bounds of a sum are found here: the numbers of a word of values go up, each place is there once, and whatever is added
/// up is exact.
pub(super) fn go_up(places: &[u32], factors: &[f64], numbers: &[f64]) -> bool {
    let are_whole =
        |numbers: &[f64], most: f64| numbers.iter().all(|number| number.trunc() == *number && number.abs() <= most);
    let are_few = places.len() <= MOST_PLACES && numbers.len() <= 64 && factors.len() == places.len();
    are_few
        && are_whole(numbers, MOST)
        && are_whole(factors, MOST)
        && factors.iter().chain(numbers).fold(0.0_f64, |most, number| most.max(number.abs())).powi(2) <= MOST
        && numbers.windows(2).all(|pair| pair[0] < pair[1])
        && (1..places.len()).all(|at| !places[..at].contains(&places[at]))
}

/// The least and the largest value of a place as parts of a sum, from below.
#[inline(always)]
fn ends(sum: Sum, at: usize, word: u64) -> (f64, f64) {
    let (first, last) = (word.trailing_zeros() as usize, 63 - word.leading_zeros() as usize);
    let (first, last) = (sum.part(at, first), sum.part(at, last));
    if sum.factors[at] < 0.0 { (last, first) } else { (first, last) }
}

/// Takes away what no sum within its bounds has, until nothing changes. What is found is on the board alone, so that it can stop
/// and go on behind any round.
pub(super) fn keep(board: &mut Board, number: u32, sum: Sum, budget: &mut Budget) -> Result<Rest, Wiped> {
    loop {
        if budget.is_spent() {
            return Ok(Rest::NotYet);
        }
        let (mut least, mut most, mut widest, mut visits) = (0.0, 0.0, 0.0_f64, 0);
        for (at, place) in sum.places.iter().enumerate() {
            let word = board.domains.first_words()[*place as usize];
            visits += 2 + 2 * count_of(word) as usize;
            if word == 0 {
                return Err(Wiped);
            }
            let (from, to) = ends(sum, at, word);
            least += from;
            most += to;
            widest = widest.max(to - from);
        }
        budget.spend(visits);
        if least > sum.high || most < sum.low {
            return Err(Wiped);
        }
        if least + widest <= sum.high && most - widest >= sum.low {
            // Every place may have all that it has.
            budget.spend(2 * sum.places.len());
            return Ok(Rest::Reached);
        }
        let (mut changed, mut visits) = (false, 0);
        for (at, place) in sum.places.iter().enumerate() {
            let place = *place as usize;
            let word = board.domains.first_words()[place];
            let (from, to) = ends(sum, at, word);
            visits += 2;
            if least - from + to <= sum.high && most - to + from >= sum.low {
                continue;
            }
            visits += 2 * count_of(word) as usize;
            let goes = |value: u32| {
                let part = sum.part(at, value as usize);
                least - from + part > sum.high || most - to + part < sum.low
            };
            let mut left = word;
            while left != 0 && goes(left.trailing_zeros()) {
                left &= left - 1;
            }
            while left != 0 && goes(63 - left.leading_zeros()) {
                left ^= 1 << (63 - left.leading_zeros());
            }
            if left != word {
                changed = true;
                if let Err(wiped) = board.keep_word(place, left, number) {
                    budget.spend(visits);
                    return Err(wiped);
                }
            }
        }
        budget.spend(visits);
        if !changed {
            return Ok(Rest::Reached);
        }
    }
}
