//! The seeded generator of a run: PCG64, the same on every platform.

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
pub struct Rng(Pcg64);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Pcg64::seed_from_u64(seed))
    }

    /// A number below `bound`, each equally likely; 0 if `bound` is 0. Multiplication with rejection, after Lemire
    /// ("Fast random integer generation in an interval", 2019).
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut product = self.0.next_u64() as u128 * bound as u128;
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound.max(1);
            while (product as u64) < threshold {
                product = self.0.next_u64() as u128 * bound as u128;
            }
        }
        (product >> 64) as u64
    }

    /// A number in [0, 1) with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}
