//! The index of a grid's undecided cells: a bitmap with counts above it, so that changing one cell and finding the
//! k-th takes a time that hardly depends on the size of the grid.

use std::ops::Range;

use ndscript_base::room::{block, row};

/// This many words, or counts of a level, share a count in the level above.
const FAN: usize = 4;

/// A set of cell numbers.
#[derive(Clone, Debug, Default)]
pub struct Undecided {
    words: Vec<u64>,
    /// `levels[0]` counts the bits of each word, `FAN` of them in an entry; `levels[n + 1]` adds up consecutive ones
    /// of `levels[n]`. The last one has one entry. There are no levels if there is only one word.
    levels: Vec<Vec<[u32; FAN]>>,
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
        Undecided {
            levels: counts_above(&words),
            words,
            total,
        }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.total
    }

    #[inline]
    pub fn contains(&self, cell: usize) -> bool {
        self.words[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Adds or removes a cell.
    #[inline]
    pub fn toggle(&mut self, cell: usize) {
        let (mut at, bit) = (cell / 64, 1 << (cell % 64));
        let word = &mut self.words[at];
        *word ^= bit;
        let change = if *word & bit != 0 {
            1u32
        } else {
            1u32.wrapping_neg()
        };
        self.total = self.total.wrapping_add(change as i32 as usize);
        for level in &mut self.levels {
            let count = &mut level[at / FAN][at % FAN];
            *count = count.wrapping_add(change);
            at /= FAN;
        }
    }

    /// Adds or removes a cell. Nothing may be read before [`Undecided::recount`].
    #[inline]
    pub fn toggle_uncounted(&mut self, cell: usize) {
        self.words[cell / 64] ^= 1 << (cell % 64);
    }

    /// As `toggle_uncounted`, for several cells.
    pub fn toggle_all_uncounted(&mut self, cells: Range<usize>) {
        let mut at = cells.start;
        while at < cells.end {
            let (first, end) = (at % 64, (at / 64 * 64 + 64).min(cells.end));
            self.words[at / 64] ^= u64::MAX >> (64 - (end - at)) << first;
            at = end;
        }
    }

    /// Sets the bits of `count` cells from one on, all of them in one word. Nothing may be read before
    /// [`Undecided::recount`].
    pub fn set_uncounted(&mut self, cell: usize, count: usize, bits: u64) {
        let mask = u64::MAX >> (64 - count) << (cell % 64);
        let word = &mut self.words[cell / 64];
        *word = *word & !mask | bits << (cell % 64);
    }

    /// Counts all cells.
    pub fn recount(&mut self) {
        self.levels = counts_above(&self.words);
        self.total = self
            .words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum();
    }

    /// The k-th cell, counted from 0 in ascending order.
    pub fn select(&self, k: usize) -> Option<usize> {
        if k >= self.total {
            return None;
        }
        let (mut rest, mut at) = (k as u32, 0);
        for level in self.levels.iter().rev() {
            // Without a branch, as it would be unpredictable, and without a table, which would have to be filled
            // first.
            let [first, second, third, _] = level[at];
            let is_behind = [first, first + second, first + second + third]
                .map(|before| u32::from(rest >= before));
            let counts = [first, second, third].into_iter().zip(is_behind);
            rest -= counts
                .map(|(count, is_behind)| count & is_behind.wrapping_neg())
                .sum::<u32>();
            at = FAN * at + is_behind.iter().sum::<u32>() as usize;
        }
        Some(at * 64 + select_in_word(self.words[at], rest) as usize)
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

    /// All cells, ascending. If they are few among many, each is searched.
    pub fn list(&self) -> Vec<usize> {
        const WORDS_OF_A_SEARCH: usize = 8;
        if self.total * WORDS_OF_A_SEARCH < self.words.len() {
            (0..self.total).filter_map(|k| self.select(k)).collect()
        } else {
            let mut cells = Vec::with_capacity(self.total);
            cells.extend(self.iter());
            cells
        }
    }

    /// The bytes that one for this many cells takes at most.
    pub fn bytes_for(cells: usize) -> usize {
        let words = cells.div_ceil(64).max(1);
        // A count for each word, a third more for those above, and the overhead of each level.
        block(8 * words)
            + 6 * words
            + 64 * (words.ilog2() as usize / 2 + 2)
            + 2 * size_of::<Undecided>()
    }

    pub fn bytes(&self) -> usize {
        row(&self.words) + self.levels.iter().map(row).sum::<usize>()
    }
}

/// The sums of the counts of bits, level by level up to the root.
fn counts_above(words: &[u64]) -> Vec<Vec<[u32; FAN]>> {
    let mut counts: Vec<u32> = words.iter().map(|word| word.count_ones()).collect();
    let mut levels = Vec::new();
    while counts.len() > 1 {
        counts.resize(counts.len().next_multiple_of(FAN), 0);
        let level: Vec<[u32; FAN]> = counts
            .chunks_exact(FAN)
            .map(|side| [side[0], side[1], side[2], side[3]])
            .collect();
        counts = level.iter().map(|side| side.iter().sum()).collect();
        levels.push(level);
    }
    levels
}

/// One in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// For numbers below 128 in each byte, and one more such number: how many bytes are at most that number.
#[inline]
fn not_larger(bytes: u64, than: u64) -> u64 {
    let not_larger = ((((than | 0x80) * ONES) - bytes) >> 7) & ONES;
    not_larger.wrapping_mul(ONES) >> 56
}

/// The position of the k-th one of a word that has more than `k`. (After Vigna, "Broadword implementation of
/// rank/select queries", 2008.)
#[inline]
fn select_in_word(word: u64, k: u32) -> u32 {
    let k = u64::from(k);
    // Each byte of `sums` counts the ones of the word's bytes up to its own.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let shift = 8 * not_larger(sums, k);
    let rest = k - (sums << 8 >> shift & 0xff);
    // As above with the bits of that byte, one in each.
    let bits = (((word >> shift) & 0xff) * ONES) & 0x8040_2010_0804_0201;
    let sums = ((bits + 0x7f * ONES) >> 7 & ONES).wrapping_mul(ONES);
    (shift + not_larger(sums, rest)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_one_of_a_word() {
        let words = (1..500_u64)
            .map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .chain([1, 1 << 63, u64::MAX, 0xff00]);
        for word in words {
            let ones: Vec<u32> = (0..64).filter(|at| word >> at & 1 == 1).collect();
            let found: Vec<u32> = (0..ones.len() as u32)
                .map(|k| select_in_word(word, k))
                .collect();
            assert_eq!(found, ones, "{word:x}");
        }
    }

    #[test]
    fn agrees_with_a_sorted_list() {
        [1, 64, 65, 300, 70_000].into_iter().for_each(agrees);
    }

    fn agrees(cells: usize) {
        let mut index = Undecided::new(cells, |cell| cell % 7 == 3);
        let mut list: std::collections::BTreeSet<usize> =
            (0..cells).filter(|cell| cell % 7 == 3).collect();
        let mut state = 1u64;
        for _ in 0..3_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let cell = (state >> 33) as usize % cells;
            index.toggle(cell);
            if !list.remove(&cell) {
                list.insert(cell);
            }
        }
        assert!(index.iter().eq(list.iter().copied()));
        assert_eq!(index.len(), list.len());
        for (k, cell) in list.iter().enumerate().step_by(cells / 700 + 1) {
            assert_eq!(index.select(k), Some(*cell));
        }
        assert_eq!(index.select(list.len()), None);
    }
}
