//! The values of some places are not after those of others.

use crate::bits;
use crate::board::{Board, Written};
use crate::state::{Fact, State};

/// The pairs that are compared.
pub struct Lexicographic {
    pub pairs: Vec<[usize; 2]>,
    /// Whether the left array comes first if all pairs are equal: it is not longer.
    ends_well: bool,
    /// By value.
    ranks: Vec<Option<i64>>,
}

impl Lexicographic {
    pub(crate) fn read(written: &Written<'_>, board: &Board) -> Result<Lexicographic, String> {
        let [left, right, ranked] = &written.sections[..] else {
            return Err("expected three sections".into());
        };
        let (left, right) = (board.all_places(left)?, board.all_places(right)?);
        let mut ranks = vec![None; board.values];
        for pair in ranked.chunks(2) {
            let [value, rank] = pair else {
                return Err("a rank is missing".into());
            };
            ranks[crate::board::index(*value, board.values, "value")?] = Some(*rank);
        }
        let ends_well = left.len() <= right.len();
        for place in left.iter().chain(&right) {
            let mut values = bits::numbers(&board.places[*place]);
            if values.any(|value| ranks[value].is_none()) {
                return Err(format!("a value of place {place} has no rank"));
            }
        }
        let pairs = left.into_iter().zip(right);
        Ok(Lexicographic {
            pairs: pairs.map(|(left, right)| [left, right]).collect(),
            ends_well,
            ranks,
        })
    }

    /// Neither can all pairs so far be equal, nor one before have decided it.
    pub fn is_impossible(&self, state: &State<'_>, facts: &[(Fact, bool)]) -> bool {
        let ranks = |place: usize| -> Vec<i64> {
            let values = bits::numbers(state.domain(place));
            values.filter_map(|value| self.ranks[value]).collect()
        };
        let is_known = |count: usize, is: bool| facts.contains(&(Fact::Equal(count), is));
        let (mut are_equal, mut is_less) = (!is_known(0, false), false);
        for (at, [left, right]) in self.pairs.iter().enumerate() {
            let (left, right) = (ranks(*left), ranks(*right));
            let can_be_less = left.iter().min() < right.iter().max();
            let can_be_equal = left.iter().any(|rank| right.contains(rank));
            is_less = (is_less || are_equal && can_be_less) && !is_known(at + 1, true);
            are_equal = are_equal && can_be_equal && !is_known(at + 1, false);
        }
        !(is_less || are_equal && self.ends_well)
    }
}
