//! The index of a grid's undecided cells: a bitmap with counts above it, so that one cell changes and the k-th is
//! found in a time that hardly depends on the size of the grid.

use super::room::row;

/// Words under one count of the first level, and counts under one of the next.
const FAN: usize = 8;

/// A set of cell numbers.
#[derive(Clone, Debug, Default)]
pub struct Undecided {
    words: Vec<u64>,
    /// `levels[0]` counts the bits of `FAN` words each, `levels[n + 1]` adds up `FAN` counts of `levels[n]`.
    levels: Vec<Vec<u32>>,
    total: usize,
}

impl Undecided {
    /// The index over `cells` cells, of those that `contains` names.
    pub fn new(cells: usize, mut contains: impl FnMut(usize) -> bool) -> Undecided {
        let mut words = vec![0u64; cells.div_ceil(64)];
        let mut total = 0;
        for cell in 0..cells {
            if contains(cell) {
                words[cell / 64] |= 1 << (cell % 64);
                total += 1;
            }
        }
        Undecided { levels: counts_above(&words), words, total }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.total
    }

    #[inline]
    pub fn contains(&self, cell: usize) -> bool {
        self.words[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Takes a cell in or out.
    #[inline]
    pub fn toggle(&mut self, cell: usize) {
        let word = cell / 64;
        self.words[word] ^= 1 << (cell % 64);
        let change = if self.contains(cell) { 1u32 } else { 1u32.wrapping_neg() };
        self.total = self.total.wrapping_add(change as i32 as usize);
        let mut at = word / FAN;
        for level in &mut self.levels {
            level[at] = level[at].wrapping_add(change);
            at /= FAN;
        }
    }

    /// Takes a cell in or out of which nothing is asked before [`Undecided::count_again`].
    #[inline]
    pub fn toggle_uncounted(&mut self, cell: usize) {
        self.words[cell / 64] ^= 1 << (cell % 64);
    }

    /// Counts all cells.
    pub fn count_again(&mut self) {
        self.levels = counts_above(&self.words);
        self.total = self.words.iter().map(|word| word.count_ones() as usize).sum();
    }

    /// The k-th cell, counted from 0 in ascending order.
    pub fn select(&self, k: usize) -> Option<usize> {
        if k >= self.total {
            return None;
        }
        let mut rest = k as u32;
        let mut from = 0;
        for level in self.levels.iter().rev() {
            for count in &level[from..] {
                if rest < *count {
                    break;
                }
                rest -= count;
                from += 1;
            }
            from *= FAN;
        }
        for (at, word) in self.words.iter().enumerate().skip(from) {
            let ones = word.count_ones();
            if rest < ones {
                return Some(at * 64 + select_in_word(*word, rest) as usize);
            }
            rest -= ones;
        }
        None
    }

    /// All cells, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as usize;
                    word &= word - 1;
                    at * 64 + bit
                })
            })
        })
    }

    pub fn bytes(&self) -> usize {
        row(&self.words) + self.levels.iter().map(row).sum::<usize>()
    }
}

fn counts_above(words: &[u64]) -> Vec<Vec<u32>> {
    let mut levels: Vec<Vec<u32>> = Vec::new();
    if words.len() > FAN {
        levels.push(words.chunks(FAN).map(|chunk| chunk.iter().map(|word| word.count_ones()).sum()).collect());
        while levels[levels.len() - 1].len() > FAN {
            let below = &levels[levels.len() - 1];
            levels.push(below.chunks(FAN).map(|chunk| chunk.iter().sum()).collect());
        }
    }
    levels
}

/// The place of the k-th one of a word that has more than `k`.
#[inline]
fn select_in_word(word: u64, k: u32) -> u32 {
    // Each byte of `sums` counts the ones of the word's bytes up to its own.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(0x0101_0101_0101_0101);
    let mut shift = 0;
    while (sums >> shift & 0xff) as u32 <= k {
        shift += 8;
    }
    let before = if shift == 0 { 0 } else { (sums >> (shift - 8) & 0xff) as u32 };
    let mut byte = word >> shift & 0xff;
    for _ in before..k {
        byte &= byte - 1;
    }
    shift + byte.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_sorted_list() {
        let mut index = Undecided::new(70_000, |cell| cell % 7 == 3);
        let mut list: std::collections::BTreeSet<usize> = (0..70_000).filter(|cell| cell % 7 == 3).collect();
        let mut state = 1u64;
        for _ in 0..3_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let cell = (state >> 33) as usize % 70_000;
            index.toggle(cell);
            if !list.remove(&cell) {
                list.insert(cell);
            }
        }
        assert!(index.iter().eq(list.iter().copied()));
        assert_eq!(index.len(), list.len());
        for (k, cell) in list.iter().enumerate().step_by(97) {
            assert_eq!(index.select(k), Some(*cell));
        }
        assert_eq!(index.select(list.len()), None);
    }
}
