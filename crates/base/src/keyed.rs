//! Tables with unpredictable hashes.
//!
//! A script chooses the content of its sets, relations and texts. With a fixed hash it could choose values that collide
//! in a table, and each look-up there would visit all of them, without being charged (Crosby and Wallach, Denial of
//! Service via Algorithmic Complexity Attacks, 2003). The hashes here have a key of this process. No result or output
//! of a run may depend on them: so no table is iterated in its own order.

use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

use foldhash::fast::{FoldHasher, RandomState};

pub type KeyedMap<K, V> = std::collections::HashMap<K, V, Key>;
pub type KeyedSet<K> = std::collections::HashSet<K, Key>;

/// The key of this process, which all tables share: a table of its own key would draw it when it is made, and many are made
/// for a moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key;

impl BuildHasher for Key {
    type Hasher = WordsKeyed;

    #[inline]
    fn build_hasher(&self) -> WordsKeyed {
        WordsKeyed::default()
    }
}

static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// A hasher of bytes with the key of this process.
#[inline]
pub fn hasher() -> FoldHasher<'static> {
    STATE.build_hasher()
}

/// The keys of hashes that are added up word by word.
static KEYS: LazyLock<[u64; 2]> =
    LazyLock::new(|| [STATE.hash_one(1_u64), STATE.hash_one(2_u64) | 1]);

/// A hash with the key of this process that is added up word by word: both halves of a product with a secret number
/// (as in foldhash and wyhash).
#[derive(Clone, Copy, Debug)]
pub struct WordsKeyed {
    hash: u64,
    /// The secret number, stored here: asking for it takes as long as adding a word.
    key: u64,
}

impl Default for WordsKeyed {
    #[inline]
    fn default() -> WordsKeyed {
        let [hash, key] = *KEYS;
        WordsKeyed { hash, key }
    }
}

impl WordsKeyed {
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.hash = folded_product(self.hash ^ word, self.key);
    }
}

/// Other values become a word when they are hashed.
impl Hasher for WordsKeyed {
    fn write(&mut self, bytes: &[u8]) {
        let mut hasher = hasher();
        hasher.write(bytes);
        self.add(hasher.finish());
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.add(u64::from(word));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.hash
    }
}

/// Both halves of a product in one.
#[cfg(not(target_arch = "wasm32"))]
#[inline]
fn folded_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The product without the carry from one half to the other: there is no instruction for the whole product there.
#[cfg(target_arch = "wasm32")]
#[inline]
fn folded_product(a: u64, b: u64) -> u64 {
    let (low, high) = (|word: u64| word & 0xffff_ffff, |word: u64| word >> 32);
    let ends = low(a).wrapping_mul(low(b)) ^ high(a).wrapping_mul(high(b));
    let crossed = low(a).wrapping_mul(high(b)) ^ high(a).wrapping_mul(low(b));
    ends ^ crossed.rotate_right(32)
}

/// The hash of a word.
#[inline]
pub fn hash_word(word: u64) -> u64 {
    hash_words([word])
}

/// The hash of several words, of which there are always as many or whose number is one of them.
#[inline]
pub fn hash_words(words: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = WordsKeyed::default();
    words.into_iter().for_each(|word| hash.add(word));
    hash.hash
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs that all have one hash under a hash that multiplies by a known constant (that of `rustc-hash`), found by
    /// reducing the lattice of what it sends to zero.
    #[test]
    fn pairs_that_meet_under_a_known_hash_do_not_meet() {
        const KNOWN: u64 = 0xf135_7aea_2e62_a9c5;
        let pair = |at: u64| {
            [
                at.wrapping_mul(2_954_322_389),
                at.wrapping_mul(2_870_863_337).wrapping_neg(),
            ]
        };
        let known = |[a, b]: [u64; 2]| a.wrapping_mul(KNOWN).wrapping_add(b);
        assert!((0..10_000).all(|at| known(pair(at)) == known(pair(0))));
        let hashes: KeyedSet<u64> = (0..10_000).map(|at| hash_words(pair(at)) >> 40).collect();
        assert!(
            hashes.len() > 9_900,
            "{} of 10000 have a beginning of their own",
            hashes.len()
        );
    }
}
