//! Sets of few symbols, as words of one size or another.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

/// A set of symbols. The last bit is for all unmatched symbols together.
pub(super) trait SymbolSet:
    Copy + Debug + Eq + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    const NONE: Self;
    const FREE: usize;
    /// The values of a word, as symbols that are larger by `by`.
    fn shifted(word: u64, by: usize) -> Self;
    fn shifted_back(self, by: usize) -> u64;
    fn bit(symbol: usize) -> Self;
    /// The smallest symbol; the set is not empty.
    fn first(self) -> usize;
    fn without_first(self) -> Self;
}

macro_rules! symbols_as {
    ($word:ty) => {
        impl SymbolSet for $word {
            const NONE: Self = 0;
            const FREE: usize = <$word>::BITS as usize - 1;

            #[inline(always)]
            fn shifted(word: u64, by: usize) -> Self {
                Self::from(word) << by
            }

            #[inline(always)]
            fn shifted_back(self, by: usize) -> u64 {
                (self >> by) as u64
            }

            #[inline(always)]
            fn bit(symbol: usize) -> Self {
                1 << symbol
            }

            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

symbols_as!(u64);
symbols_as!(u128);

/// Iterates over the symbols, ascending.
pub(super) fn each<S: SymbolSet>(mut of: S) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (of != S::NONE).then(|| of.first());
        of = of.without_first();
        first
    })
}
