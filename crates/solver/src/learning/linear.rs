//! Linear constraints: the weights of those of some literals that hold add up to a bound at most.

use super::literal::Lit;
use ndscript_base::room;

/// Weights are positive, heaviest first.
#[derive(Clone, Debug)]
pub struct Linear {
    pub terms: Vec<(i64, Lit)>,
    pub bound: i64,
    /// The bound minus the weights of literals that hold and were propagated.
    pub slack: i64,
}

impl Linear {
    /// Brings terms into normal form: each variable once, with a positive weight. `None` if the constraint always
    /// holds.
    pub fn new(mut terms: Vec<(i64, Lit)>, mut bound: i64) -> Option<Linear> {
        terms.sort_unstable_by_key(|(_, literal)| *literal);
        let mut merged: Vec<(i64, Lit)> = Vec::with_capacity(terms.len());
        for (weight, literal) in terms {
            match merged.last_mut() {
                Some((sum, last)) if *last == literal => *sum += weight,
                // w·x + v·(1 - x) = v + (w - v)·x
                Some((sum, last)) if *last == !literal => {
                    bound -= weight;
                    *sum -= weight;
                }
                _ => merged.push((weight, literal)),
            }
        }
        for (weight, literal) in &mut merged {
            if *weight < 0 {
                bound -= *weight;
                (*weight, *literal) = (-*weight, !*literal);
            }
        }
        merged.retain(|(weight, _)| *weight > 0);
        merged.sort_unstable_by_key(|(weight, literal)| (std::cmp::Reverse(*weight), *literal));
        let total: i64 = merged.iter().map(|(weight, _)| weight).sum();
        (total > bound).then_some(Linear {
            terms: merged,
            bound,
            slack: bound,
        })
    }

    /// The heaviest weight.
    pub fn heaviest(&self) -> i64 {
        self.terms.first().map_or(0, |(weight, _)| *weight)
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.terms)
    }
}
