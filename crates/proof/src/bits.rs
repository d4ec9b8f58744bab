//! Sets of small numbers as rows of words.

/// A set.
pub type Bits = Vec<u64>;

pub fn set_of(numbers: impl IntoIterator<Item = usize>, words: usize) -> Bits {
    let mut bits = vec![0; words];
    for number in numbers {
        bits[number / 64] |= 1 << (number % 64);
    }
    bits
}

pub fn has(bits: &[u64], number: usize) -> bool {
    bits.get(number / 64)
        .is_some_and(|word| word >> (number % 64) & 1 == 1)
}

pub fn meets(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

pub fn is_within(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one & !other == 0)
}

pub fn is_empty(bits: &[u64]) -> bool {
    bits.iter().all(|word| *word == 0)
}

pub fn numbers(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(at, word)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 == 1)
            .map(move |bit| 64 * at + bit)
    })
}
