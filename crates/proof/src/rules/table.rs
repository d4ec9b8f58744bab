//! The places spell a row of a table.

use crate::bits;
use crate::board::{Board, Written, index};
use crate::state::{Fact, State};

/// The rows, and for each place and value those that have it there.
pub struct Table {
    places: Vec<usize>,
    pub rows: Vec<Vec<usize>>,
    with: Vec<Vec<bits::Bits>>,
}

impl Table {
    pub(crate) fn read(written: &Written<'_>, board: &Board) -> Result<Table, String> {
        let (places, rows) = written.sections.split_first().ok_or("places are missing")?;
        let places = board.all_places(places)?;
        let words = rows.len().div_ceil(64);
        let mut supports = vec![vec![vec![0; words]; board.values]; places.len()];
        let mut read = Vec::with_capacity(rows.len());
        for (number, row) in rows.iter().enumerate() {
            if row.len() != places.len() {
                return Err("a row has a value for each place".into());
            }
            let row: Vec<usize> = row
                .iter()
                .map(|value| index(*value, board.values, "value"))
                .collect::<Result<_, String>>()?;
            for (at, value) in row.iter().enumerate() {
                supports[at][*value][number / 64] |= 1 << (number % 64);
            }
            read.push(row);
        }
        Ok(Table {
            places,
            rows: read,
            with: supports,
        })
    }

    /// No row is left that fits to the values of all places, and to the known facts.
    pub fn is_impossible(&self, state: &State<'_>, facts: &[(Fact, bool)]) -> bool {
        let mut left = bits::set_of(0..self.rows.len(), self.rows.len().div_ceil(64));
        for (fact, is) in facts {
            let Fact::Row(row) = fact else { continue };
            let is_allowed = bits::has(&left, *row);
            if *is {
                left.fill(0);
            }
            if is_allowed {
                let bit = 1 << (row % 64);
                match is {
                    true => left[row / 64] |= bit,
                    false => left[row / 64] &= !bit,
                }
            }
        }
        for (at, place) in self.places.iter().enumerate() {
            let mut some = vec![0; left.len()];
            for value in bits::numbers(state.domain(*place)) {
                let supports = &self.with[at][value];
                some.iter_mut()
                    .zip(supports)
                    .for_each(|(some, supports)| *some |= supports);
            }
            left.iter_mut()
                .zip(&some)
                .for_each(|(left, some)| *left &= some);
        }
        bits::is_empty(&left)
    }
}
