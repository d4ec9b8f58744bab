//! No two places have equal values, or symbols.

use super::by_value;
use crate::bits;
use crate::board::{Board, Written};
use crate::state::State;

/// The places, with the symbol of each value.
pub struct Different {
    spots: Vec<(usize, Vec<(usize, i64)>)>,
}

impl Different {
    pub(crate) fn of_values(written: &Written<'_>, board: &Board) -> Result<Different, String> {
        let [places] = &written.sections[..] else {
            return Err("expected one section".into());
        };
        let spots = board.all_places(places)?.into_iter().map(|place| {
            let values = bits::numbers(&board.places[place]);
            (place, values.map(|value| (value, value as i64)).collect())
        });
        Ok(Different {
            spots: spots.collect(),
        })
    }

    pub(crate) fn of_symbols(written: &Written<'_>, board: &Board) -> Result<Different, String> {
        let spots = written.sections.iter().map(|section| {
            let (place, symbols) = section.split_first().ok_or("a place is missing")?;
            let place = board.place(*place)?;
            Ok((place, by_value(place, symbols, board)?))
        });
        Ok(Different {
            spots: spots.collect::<Result<_, String>>()?,
        })
    }

    /// No matching gives each place its own symbol.
    pub fn is_impossible(&self, state: &State<'_>) -> bool {
        let symbols: Vec<Vec<i64>> = self
            .spots
            .iter()
            .map(|(place, symbols)| {
                let domain = state.domain(*place);
                let own = symbols
                    .iter()
                    .filter(|(value, _)| bits::has(domain, *value));
                own.map(|(_, symbol)| *symbol).collect()
            })
            .collect();
        let mut single: Vec<i64> = symbols
            .iter()
            .filter_map(|own| match own[..] {
                [only] => Some(only),
                _ => None,
            })
            .collect();
        single.sort_unstable();
        if single.windows(2).any(|two| two[0] == two[1]) {
            return true;
        }
        let mut all: Vec<i64> = symbols.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        if all.len() < symbols.len() {
            return true;
        }
        let number = |symbol: &i64| all.binary_search(symbol).unwrap_or_default();
        let edges: Vec<Vec<usize>> = symbols
            .iter()
            .map(|own| own.iter().map(number).collect())
            .collect();
        let mut matched_with = vec![None; all.len()];
        !(0..edges.len()).all(|spot| {
            let mut seen = vec![false; all.len()];
            augment(spot, &edges, &mut matched_with, &mut seen)
        })
    }
}

/// Gives a place a symbol, and others another one where that is needed: a search in width along what could change.
fn augment(
    spot: usize,
    edges: &[Vec<usize>],
    matched_with: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    // The current symbol, and the entry from which it was reached.
    let mut queue: Vec<(usize, usize, Option<usize>)> = Vec::new();
    let mut from = (spot, None);
    let mut at = 0;
    loop {
        for symbol in &edges[from.0] {
            if !std::mem::replace(&mut seen[*symbol], true) {
                queue.push((*symbol, from.0, from.1));
            }
        }
        let Some((symbol, ..)) = queue.get(at).copied() else {
            return false;
        };
        match matched_with[symbol] {
            Some(other) => from = (other, Some(at)),
            None => {
                let mut entry = Some(at);
                while let Some((symbol, spot, before)) = entry.map(|at| queue[at]) {
                    matched_with[symbol] = Some(spot);
                    entry = before;
                }
                return true;
            }
        }
        at += 1;
    }
}
