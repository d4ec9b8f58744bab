//! Tables whose hashes nobody can foresee.
//!
//! A script chooses what its sets, relations and texts hold. With a hash that is the same everywhere it could choose
//! what meets in one place of a table, and each look there would go over all of it, unpaid (Crosby and Wallach, Denial of
//! Service via Algorithmic Complexity Attacks, 2003). The hashes here have a key of this process. Nothing that a run
//! does or shows may depend on them: so no table is gone through in its own order.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::LazyLock;

use foldhash::fast::{FoldHasher, RandomState};

pub type KeyedMap<K, V> = std::collections::HashMap<K, V, RandomState>;
pub type KeyedSet<K> = std::collections::HashSet<K, RandomState>;

static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// A hasher with the key of this process.
#[inline]
pub fn hasher() -> FoldHasher<'static> {
    STATE.build_hasher()
}

/// The keys of hashes that are added up word by word.
static KEYS: LazyLock<[u64; 2]> = LazyLock::new(|| [STATE.hash_one(1_u64), STATE.hash_one(2_u64) | 1]);

/// A hash with the key of this process that is added up word by word: both halves of a product with a secret number
/// (as in foldhash and wyhash).
#[derive(Clone, Copy, Debug)]
pub struct WordsKeyed(u64);

impl WordsKeyed {
    #[inline]
    pub fn new() -> WordsKeyed {
        WordsKeyed(KEYS[0])
    }

    #[inline]
    pub fn add(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(KEYS[1]);
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }

    #[inline]
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// The hash of a word.
#[inline]
pub fn hash_word(word: u64) -> u64 {
    hash_words([word])
}

/// The hash of several words, of which there are always as many or whose number is one of them.
#[inline]
pub fn hash_words(words: impl IntoIterator<Item = u64>) -> u64 {
    let mut hasher = hasher();
    words.into_iter().for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs that all have one hash under a hash that multiplies by a known constant (that of `rustc-hash`), found by
    /// reducing the lattice of what it sends to zero.
    #[test]
    fn pairs_that_meet_under_a_known_hash_do_not_meet() {
        const KNOWN: u64 = 0xf135_7aea_2e62_a9c5;
        let pair = |at: u64| [at.wrapping_mul(2_954_322_389), at.wrapping_mul(2_870_863_337).wrapping_neg()];
        let known = |[a, b]: [u64; 2]| a.wrapping_mul(KNOWN).wrapping_add(b);
        assert!((0..10_000).all(|at| known(pair(at)) == known(pair(0))));
        let hashes: KeyedSet<u64> = (0..10_000).map(|at| hash_words(pair(at)) >> 40).collect();
        assert!(hashes.len() > 9_900, "{} of 10000 have a beginning of their own", hashes.len());
    }
}
