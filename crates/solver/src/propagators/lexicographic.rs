//! `lexicographic`: one array of places is not after another (Frisch and others, 2002). Pairs before the first one
//! that can differ are equal. In that pair the left value is not larger, and smaller if the suffixes after it cannot
//! be in order.

use super::has_twice;
use crate::explanation::Question;
use crate::learning::Lit;
use crate::learning::encoder::{Encoded, Encoder};
use crate::learning::log::Meaning;
use crate::propagator::{Call, Propagator};
use crate::{Candidates, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The left places are not after the right ones.
#[derive(Clone, Debug)]
pub struct Lexicographic {
    /// The left places, then the right ones.
    pub places: Vec<u32>,
    /// The number of left places.
    pub split: u32,
    /// The ranks of values, by their numbers. No place has a value beyond the last one, or one of rank [`UNRANKED`].
    pub ranks: Vec<u32>,
}

/// The rank of a value that no place has.
pub const UNRANKED: u32 = u32::MAX;

/// How the pairs from one on can be ordered.
enum Suffix {
    InOrder,
    OutOfOrder,
}

impl Lexicographic {
    /// The least and the largest rank of a place, and the number of its candidates.
    fn ends(&self, candidates: Candidates<'_>) -> (u32, u32, usize) {
        let (mut least, mut largest, mut count) = (UNRANKED, 0, 0);
        for number in candidates.numbers() {
            count += 1;
            match self.ranks.get(number) {
                Some(rank) if *rank != UNRANKED => {
                    (least, largest) = (least.min(*rank), largest.max(*rank));
                }
                // A value without a rank was removed earlier: it may have had any rank.
                _ => (least, largest) = (0, UNRANKED),
            }
        }
        (least, largest, count)
    }

    fn pair(&self, at: usize) -> Option<(u32, u32)> {
        let (left, right) = self.places.split_at_checked(self.split as usize)?;
        Some((*left.get(at)?, *right.get(at)?))
    }

    /// Whether the left array is a proper prefix in length: a prefix comes first.
    fn is_shorter(&self) -> bool {
        2 * self.split as usize <= self.places.len()
    }

    /// How the pairs from one on can be ordered, and the work of finding it.
    fn suffix_order<'a>(
        &self,
        mut at: usize,
        of: impl Fn(u32) -> Candidates<'a>,
    ) -> (Suffix, usize) {
        let mut visits = 0;
        while let Some((left, right)) = self.pair(at) {
            let (least, _, seen) = self.ends(of(left));
            let (_, largest, more) = self.ends(of(right));
            visits += seen + more + 2;
            if least < largest {
                return (Suffix::InOrder, visits);
            }
            if least > largest {
                return (Suffix::OutOfOrder, visits);
            }
            at += 1;
        }
        let end = match self.is_shorter() {
            true => Suffix::InOrder,
            false => Suffix::OutOfOrder,
        };
        (end, visits)
    }

    /// Removes values whose rank is outside of the bounds.
    fn keep(
        &self,
        solver: &mut Solver,
        place: u32,
        (least, largest): (u32, u32),
        by: u32,
    ) -> Result<(), DomainWipeout> {
        let (first, words) = solver.candidates(place as usize).words();
        let mut left = words.to_vec();
        for (at, word) in left.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                let number = 64 * (first + at) + bit.trailing_zeros() as usize;
                let rank = self.ranks.get(number).copied().unwrap_or(UNRANKED);
                if !(least..=largest).contains(&rank) {
                    *word ^= bit;
                }
            }
        }
        solver.keep_words(place as usize, &left, Some(by))?;
        Ok(())
    }
}

impl Propagator for Lexicographic {
    /// The number of pairs that are decided and equal.
    type Progress = usize;

    fn name(&self) -> &'static str {
        "lexicographic"
    }

    fn places(&self) -> Option<&[u32]> {
        Some(&self.places)
    }

    fn rank(&self) -> usize {
        1
    }

    fn propagate(
        &self,
        at: &mut usize,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        while let Some((left, right)) = self.pair(*at) {
            if budget.is_spent() {
                return Ok(Fixpoint::NotYet);
            }
            let (least, largest_of_left, seen) = self.ends(solver.candidates(left as usize));
            let (least_of_right, largest, more) = self.ends(solver.candidates(right as usize));
            budget.spend(seen + more + 2);
            if largest_of_left < least_of_right {
                return Ok(Fixpoint::Reached);
            }
            let are_equal = (least, largest_of_left) == (least_of_right, largest) && seen == 1;
            if are_equal {
                *at += 1;
                continue;
            }
            let (order, visits) =
                self.suffix_order(*at + 1, |place| solver.candidates(place as usize));
            budget.spend(visits + 2 * (seen + more));
            let (upper, lower) = match order {
                Suffix::InOrder => (Some(largest), Some(least)),
                Suffix::OutOfOrder => (largest.checked_sub(1), least.checked_add(1)),
            };
            let (Some(upper), Some(lower)) = (upper, lower) else {
                return Err(DomainWipeout);
            };
            self.keep(solver, left, (0, upper), call.number)?;
            self.keep(solver, right, (lower, UNRANKED), call.number)?;
            // The pair may now be equal; otherwise the left one can be smaller, and later pairs are free.
            if least < largest {
                return Ok(Fixpoint::Reached);
            }
            if let Suffix::OutOfOrder = order {
                return Err(DomainWipeout);
            }
            *at += 1;
        }
        match self.is_shorter() {
            true => Ok(Fixpoint::Reached),
            false => Err(DomainWipeout),
        }
    }

    fn can_hold(&self, question: &Question<'_>) -> Option<(bool, usize)> {
        let (order, visits) = self.suffix_order(0, |place| question.domain(place));
        Some((matches!(order, Suffix::InOrder), visits))
    }

    /// A variable for each pair: those before it are equal.
    fn encode(&self, encoder: &mut Encoder, _: usize) -> Encoded {
        let rank = |value: u32| {
            self.ranks
                .get(value as usize)
                .map_or(i64::from(UNRANKED), |rank| i64::from(*rank))
        };
        let is_ranked = |place: &u32| {
            let mut values = encoder.values(*place).iter();
            values.all(|(value, _)| rank(*value) != i64::from(UNRANKED))
        };
        if !self.places.iter().all(is_ranked) {
            return Encoded::Relaxed;
        }
        let mut are_equal = encoder.truth();
        let mut at = 0;
        while let Some((left, right)) = self.pair(at) {
            let (own, own_rungs) = encoder.order_encoding(left, rank);
            let (other, other_rungs) = encoder.order_encoding(right, rank);
            let truth = encoder.truth();
            let reaches = |numbers: &[i64], rungs: &[Lit], rank: i64| match numbers
                .partition_point(|number| *number < rank)
            {
                0 => truth,
                at => rungs.get(at - 1).copied().unwrap_or(!truth),
            };
            let later = encoder.variable();
            encoder.record_meaning(later, || Meaning::Equal(at as u32 + 1));
            for rank in &own {
                let here = reaches(&own, &own_rungs, *rank);
                let there = reaches(&other, &other_rungs, *rank);
                let beyond = reaches(&other, &other_rungs, *rank + 1);
                encoder.engine.add_clause(&[!are_equal, !here, there]);
                encoder
                    .engine
                    .add_clause(&[!are_equal, !here, beyond, later]);
            }
            (are_equal, at) = (later, at + 1);
        }
        if !self.is_shorter() {
            encoder.engine.add_clause(&[!are_equal]);
        }
        Encoded::Done
    }

    fn reads_twice(&self) -> bool {
        has_twice(&self.places)
    }

    fn bytes(&self) -> usize {
        room::row(&self.places) + room::row(&self.ranks)
    }

    fn fits(&self, _: usize) -> bool {
        self.split as usize <= self.places.len()
    }
}

ndscript_base::saved!(struct Lexicographic { places, split, ranks });
