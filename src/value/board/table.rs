//! `tuples`: what no row of a table spells, after Demeulenaere et al., "Compact-Table" (2016). For each value of each
//! place the rows that have it are bits; the rows that are still possible are what all places have in common. They are
//! found anew each time, so that there is nothing to undo.

use rustc_hash::FxHashMap;

use super::{Board, Wiped, ones};
use crate::value::room::{self, hash_map};

/// The rows that some places can spell.
#[derive(Clone, Debug)]
pub struct Table {
    /// Numbers of values, a row after another.
    rows: Vec<u32>,
    length: usize,
    /// Where the bits of a value of a place begin.
    starts: FxHashMap<(u32, u32), u32>,
    bits: Vec<u64>,
    words: usize,
}

impl Table {
    /// A table of rows of so many numbers.
    pub fn new(rows: Vec<u32>, length: usize) -> Table {
        let count = rows.len() / length.max(1);
        let words = count.div_ceil(64);
        let mut table = Table { rows, length, starts: FxHashMap::default(), bits: Vec::new(), words };
        for row in 0..count {
            for at in 0..length {
                let number = table.rows[row * length + at];
                let next = table.bits.len() as u32;
                let start = *table.starts.entry((at as u32, number)).or_insert(next) as usize;
                if start == table.bits.len() {
                    table.bits.resize(start + words, 0);
                }
                table.bits[start + row / 64] |= 1 << (row % 64);
            }
        }
        table
    }

    pub fn rows(&self) -> &Vec<u32> {
        &self.rows
    }

    fn of_value(&self, at: usize, number: usize) -> Option<&[u64]> {
        let start = *self.starts.get(&(at as u32, number as u32))? as usize;
        self.bits.get(start..start + self.words)
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.rows) + room::row(&self.bits) + hash_map(self.starts.capacity(), 16)
    }

    /// Takes away what no possible row has. Returns the work that it took.
    pub(super) fn propagate(&self, board: &mut Board, number: u32, places: &[u32]) -> Result<usize, Wiped> {
        let mut work = self.words + 8;
        let mut possible = vec![u64::MAX; self.words];
        for (at, place) in places.iter().enumerate().take(self.length) {
            let mut here = vec![0; self.words];
            for value in ones(board.candidates(*place as usize)) {
                work += self.words + 2;
                let bits = self.of_value(at, value).unwrap_or_default();
                here.iter_mut().zip(bits).for_each(|(here, bits)| *here |= bits);
            }
            possible.iter_mut().zip(here).for_each(|(possible, here)| *possible &= here);
        }
        for (at, place) in places.iter().enumerate().take(self.length) {
            let mut mask = vec![0; board.width()];
            for value in ones(board.candidates(*place as usize)) {
                work += self.words + 2;
                let bits = self.of_value(at, value).unwrap_or_default();
                if bits.iter().zip(&possible).any(|(bits, possible)| bits & possible != 0) {
                    mask[value / 64] |= 1 << (value % 64);
                }
            }
            board.keep(*place as usize, &mask, Some(number))?;
        }
        Ok(work)
    }
}
