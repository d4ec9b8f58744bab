//! What is known to break a promise and is not mended yet. Rows go as it is.

use super::measure::Promise;

/// A promise, words that are all in the program, and what is to be mended.
const KNOWN: &[(Promise, &[&str], &str)] = &[];

/// Programs that take very long, by their seeds, and what is to be mended.
const HANGING: &[(u64, &str)] = &[];

/// Whether a program is known to break a promise.
pub fn is_known(promise: Promise, text: &str) -> bool {
    KNOWN
        .iter()
        .any(|row| row.0 == promise && row.1.iter().all(|word| text.contains(word)))
}

/// Whether the program of a seed is known to take very long.
pub fn hangs(seed: u64) -> bool {
    HANGING.iter().any(|row| row.0 == seed)
}
