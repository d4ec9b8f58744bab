//! The places of an `allDifferent`, and the symbols of their values.

use super::AllDifferent;
use crate::domains::Domains;
use crate::ones;

/// The most symbols of a set: each has a bit, and one more is for unmatched symbols.
pub(super) const MOST_SYMBOLS: usize = 127;

impl AllDifferent {
    /// The shift from values to symbols of a place, if there is one for all its values.
    #[inline(always)]
    pub fn shift(&self, at: usize) -> Option<usize> {
        if self.starts.is_empty() {
            Some(0)
        } else {
            self.shifts.get(at).map(|shift| usize::from(*shift))
        }
    }

    /// The symbol of a value in the only word of a place.
    #[inline(always)]
    pub fn symbol_of(&self, at: usize, value: usize) -> usize {
        self.shift(at)
            .map_or_else(|| self.symbol(at, value) as usize, |shift| value + shift)
    }

    /// The symbol of a value that the place could have when the symbols were made.
    #[inline(always)]
    pub fn symbol(&self, at: usize, value: usize) -> u32 {
        match self.starts.get(at) {
            None => value as u32,
            Some(start) => {
                let symbol = self.symbols.get(start.wrapping_add(value as u32) as usize);
                symbol.copied().unwrap_or(0)
            }
        }
    }
}

/// The shifts of places whose values have their own symbols, if there are few and no other values. The initial domain
/// of a place is all that it can have.
pub(super) fn shifts(
    places: &[u32],
    symbols: &[u32],
    starts: &[u32],
    domains: &Domains,
) -> Vec<u8> {
    let shift = |(place, start): (&u32, &u32)| {
        let (first, words) = domains.initial(*place as usize).words();
        let word = words
            .first()
            .copied()
            .filter(|_| first == 0 && words.len() == 1)?;
        let least = word.trailing_zeros();
        let shift = symbols.get((start + least) as usize)?.checked_sub(least)?;
        let is_shifted =
            |value: usize| symbols.get(*start as usize + value) == Some(&(value as u32 + shift));
        let are_few = ones(&[word]).all(is_shifted)
            && shift + 64 - word.leading_zeros() <= MOST_SYMBOLS as u32;
        u8::try_from(shift).ok().filter(|_| are_few)
    };
    let are_there = starts.len() == places.len() && domains.is_plain();
    are_there
        .then(|| {
            places
                .iter()
                .zip(starts)
                .map(shift)
                .collect::<Option<Vec<u8>>>()
        })
        .flatten()
        .unwrap_or_default()
}
