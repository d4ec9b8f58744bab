//! The seeded generator of a run: PCG64, equal on every platform.

use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64;

/// A stream of random numbers that a seed determines.
///
/// ```
/// use ndscript::rng::Rng;
/// let (mut a, mut b) = (Rng::new(7), Rng::new(7));
/// assert_eq!(a.below(100), b.below(100));
/// assert!(a.unit() < 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    generator: Pcg64,
    seed: u64,
    /// How many words were drawn. With the seed it is the whole state.
    draws: u64,
}

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng {
            generator: Pcg64::seed_from_u64(seed),
            seed,
            draws: 0,
        }
    }

    /// The seed of the stream.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many words were drawn.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.draws = self.draws.wrapping_add(1);
        self.generator.next_u64()
    }

    /// A number below `bound`, each equally likely; 0 if `bound` is 0. Multiplication with rejection, after Lemire
    /// ("Fast random integer generation in an interval", 2019).
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut product = self.next() as u128 * bound as u128;
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound.max(1);
            while (product as u64) < threshold {
                product = self.next() as u128 * bound as u128;
            }
        }
        (product >> 64) as u64
    }

    /// A number in [0, 1) with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The seed of a text: the number that it is, or one that probably only this text has.
///
/// ```
/// use ndscript::rng::seed_from_text;
/// assert_eq!(seed_from_text("7"), 7);
/// assert_ne!(seed_from_text("gandalf"), seed_from_text("Gandalf"));
/// ```
pub fn seed_from_text(text: &str) -> u64 {
    // FNV-1a (Fowler, Noll and Vo, 1991): it never changes, on any platform.
    let hash = || {
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    text.parse().unwrap_or_else(|_| hash())
}

impl crate::codec::Saved for Rng {
    fn save(&self, out: &mut crate::codec::Writer) {
        let Rng {
            generator: _,
            seed,
            draws,
        } = self;
        seed.save(out);
        draws.save(out);
    }

    fn load(from: &mut crate::codec::Reader<'_>) -> Result<Rng, crate::codec::Unsound> {
        let mut rng = Rng::new(u64::load(from)?);
        rng.draws = u64::load(from)?;
        rng.generator.advance(u128::from(rng.draws));
        Ok(rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_goes_on_where_it_was_saved() {
        use crate::codec::{Reader, Saved, Writer};
        let mut rng = Rng::new(99);
        for bound in 1..1000 {
            rng.below(bound << 52);
            rng.unit();
        }
        let mut out = Writer::default();
        rng.save(&mut out);
        let mut again = Rng::load(&mut Reader::new(&out.into_bytes(), 100)).unwrap();
        assert!((0..100).all(|_| rng.below(u64::MAX) == again.below(u64::MAX)));
    }
}
