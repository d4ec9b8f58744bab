//! Hashes of values and rows of words: of the content, equal on all machines, and with the key of the process.

use std::hash::Hasher;

use crate::value::Value;
use ndscript_base::keyed::WordsKeyed;

/// A bijection that spreads the bits of a word, equal on all machines (splitmix64's finalizer): the shape of a tree
/// depends on it. Tables use [`ndscript_base::keyed`].
#[inline]
pub fn scramble(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The two hashes of an interned text or array: one of its content, equal on all machines, which determines the shape
/// of trees, and one with the key of the process, by which it is found. They are stored, so that tables grow without
/// reading contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hashes {
    pub content: u32,
    keyed: u32,
}

impl Hashes {
    #[inline]
    pub fn new(content: u32, keyed: u64) -> Hashes {
        Hashes {
            content,
            keyed: (keyed >> 32) as u32,
        }
    }

    /// The hash for a table.
    #[inline]
    pub fn in_table(self) -> u64 {
        scramble(u64::from(self.keyed))
    }
}

/// Computes the hashes of words, added one by one, and of their contents.
#[derive(Clone, Copy, Debug)]
pub struct WordsHash {
    content: u64,
    keyed: WordsKeyed,
}

impl WordsHash {
    /// A hash of this many words.
    #[inline]
    pub fn of(count: usize) -> WordsHash {
        let mut keyed = WordsKeyed::default();
        keyed.add(count as u64);
        WordsHash {
            content: count as u64,
            keyed,
        }
    }

    #[inline]
    pub fn add(&mut self, content: u64, word: Value) {
        self.content = (self.content.rotate_left(5) ^ content).wrapping_mul(0x517c_c1b7_2722_0a95);
        self.keyed.add(word.bits());
    }

    #[inline]
    pub fn finish(self) -> Hashes {
        Hashes::new(scramble(self.content) as u32, self.keyed.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two words with equal content hashes, computed by inverting its steps.
    #[test]
    fn rows_with_equal_contents_are_apart_in_tables() {
        let hashes = |row: [u64; 2]| {
            let mut hash = WordsHash::of(2);
            row.iter()
                .for_each(|word| hash.add(*word, Value::from_bits(*word)));
            hash.finish()
        };
        let first = |word: u64| {
            (2_u64.rotate_left(5) ^ word)
                .wrapping_mul(0x517c_c1b7_2722_0a95)
                .rotate_left(5)
        };
        let row = |at: u64| [at, first(at) ^ 7];
        let all: Vec<Hashes> = (0..10_000).map(|at| hashes(row(at))).collect();
        assert!(all.iter().all(|hash| hash.content == all[0].content));
        let mut apart: Vec<u64> = all.iter().map(|hash| hash.in_table()).collect();
        apart.sort();
        apart.dedup();
        assert!(apart.len() > 9_900, "{} of 10000 are apart", apart.len());
    }
}
