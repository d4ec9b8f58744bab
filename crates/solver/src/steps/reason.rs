//! The least of what is known from which a removal still follows: a deletion filter (Chinneck and Dravnieks, 1991), by halves
//! first.

use std::cmp::Reverse;

use super::masks::Masks;
use super::model::Model;
use super::near::DISTANCES;
use crate::{Constraint, ones};
use ndscript_base::budget::Budget;

/// Asks whether something follows from the cells that it is given.
pub(super) fn fewest(mut cells: Vec<u32>, mut follows: impl FnMut(&[u32]) -> bool) -> Vec<u32> {
    let mut size = cells.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        while at < cells.len() {
            let end = (at + size).min(cells.len());
            let mut without = cells[..at].to_vec();
            without.extend_from_slice(&cells[end..]);
            if follows(&without) {
                cells = without;
            } else {
                at = end;
            }
        }
        if size == 1 {
            return cells;
        }
        size /= 2;
    }
}

impl Model {
    /// The cells that may be reasons for removals by rules, in the order in which leaving them out is tried: `first`
    /// first, and decided ones last, as known values are better to tell.
    pub fn cells_in_order(&self, known: &Masks, rules: &[u32], first: &[u32]) -> Vec<u32> {
        let mut cells = self.cells(known, rules);
        cells.sort_by_key(|cell| {
            let is_decided = known.count(*cell as usize) == 1;
            (!first.contains(cell), is_decided, *cell)
        });
        cells
    }

    /// The fewest cells from which it follows by rules that a place has none of some values. `first` are those that it is better to do
    /// without. `None` if it does not follow.
    pub fn reason(
        &self,
        known: &Masks,
        rules: &[u32],
        place: u32,
        values: &[u64],
        first: &[u32],
        budget: &mut Budget,
    ) -> Option<Vec<u32>> {
        let clues = self.clues(rules);
        let mut cells = self.cells_in_order(known, rules, first);
        cells.retain(|cell| *cell != place && clues.binary_search(cell).is_err());
        let relaxed = self.relaxed(known, rules, &clues);
        let mut follows = |cells: &[u32]| {
            let mut domains = relaxed.clone();
            domains.copy_rows(known, cells);
            domains.row_mut(place as usize).copy_from_slice(values);
            self.propagated(&domains, rules, budget).is_none()
        };
        if !follows(&cells) {
            return None;
        }
        if let [rule] = rules
            && let Constraint::Network(_) = &*self.rules[*rule as usize].constraint
        {
            let distances = self.distances(*rule, place).unwrap_or_default();
            let far = |cell: &u32| distances.get(cell).copied().unwrap_or(u32::MAX);
            let is_first = |cell: &u32| first.contains(cell);
            cells.sort_by_key(|cell| (!is_first(cell), Reverse(far(cell)), *cell));
            let near = |most: u32| -> Vec<u32> {
                let near = cells.iter().copied();
                near.filter(|cell| far(cell) <= most).collect()
            };
            let explained = || self.explained(known, *rule, place, values, &cells);
            let fewer = DISTANCES.iter().find_map(|most| {
                let near = near(*most);
                follows(&near).then_some(near)
            });
            let fewer = fewer.or_else(|| Some(explained()).filter(|some| follows(some)));
            cells = fewer.unwrap_or(cells);
        }
        let mut found = fewest(cells, follows);
        found.extend(clues.into_iter().filter(|clue| *clue != place));
        found.sort_unstable();
        Some(found)
    }

    /// Those of some cells that a rule over a graph names itself as reasons: few, but not the fewest.
    fn explained(
        &self,
        known: &Masks,
        rule: u32,
        place: u32,
        values: &[u64],
        cells: &[u32],
    ) -> Vec<u32> {
        let constraint = &self.rules[rule as usize].constraint;
        let values: Vec<u32> = ones(values).map(|value| value as u32).collect();
        let named = constraint.explain(&self.solver(known, &[]), place, &values);
        let cells = cells.iter().copied();
        cells.filter(|cell| named.contains(cell)).collect()
    }
}
