//! The sum of weights.

use std::collections::BTreeMap;

use super::by_value;
use crate::bits;
use crate::board::{Board, Written};
use crate::state::State;

/// Each place once, with the weight of each of its values.
pub struct Sum {
    terms: Vec<(usize, Vec<(usize, i128)>)>,
    least: Option<i128>,
    most: Option<i128>,
}

impl Sum {
    pub(crate) fn read(written: &Written<'_>, board: &Board) -> Result<Sum, String> {
        let [least, most] = written.numbers[..] else {
            return Err("expected two bounds".into());
        };
        let mut terms: BTreeMap<usize, Vec<(usize, i128)>> = BTreeMap::new();
        for section in &written.sections {
            let (place, weights) = section.split_first().ok_or("a place is missing")?;
            let place = board.place(*place)?;
            let weights = by_value(place, weights, board)?;
            let weights = weights.into_iter();
            let own = terms.entry(place).or_default();
            if own.is_empty() {
                own.extend(weights.map(|(value, weight)| (value, i128::from(weight))));
            } else {
                // A place that is there twice has one value for both.
                own.iter_mut()
                    .zip(weights)
                    .for_each(|((_, sum), (_, weight))| *sum += i128::from(weight));
            }
        }
        Ok(Sum {
            terms: terms.into_iter().collect(),
            least: least.map(i128::from),
            most: most.map(i128::from),
        })
    }

    /// Even the least weights are too much together, or the greatest too little.
    pub fn is_impossible(&self, state: &State<'_>) -> bool {
        let (mut least, mut greatest) = (0, 0);
        for (place, weights) in &self.terms {
            let domain = state.domain(*place);
            let own = weights
                .iter()
                .filter(|(value, _)| bits::has(domain, *value))
                .map(|(_, weight)| *weight);
            least += own.clone().min().unwrap_or(0);
            greatest += own.max().unwrap_or(0);
        }
        self.most.is_some_and(|most| least > most) || self.least.is_some_and(|low| greatest < low)
    }
}
