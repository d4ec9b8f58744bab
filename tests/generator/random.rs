//! A small generator of random numbers, the same on every platform.

/// SplitMix64, after bytes that are given, if there are any.
pub struct Random {
    state: u64,
    given: std::vec::IntoIter<u8>,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random {
            state: seed,
            given: Vec::new().into_iter(),
        }
    }

    /// Each of these bytes decides one draw, until they are used up.
    pub fn given(bytes: &[u8]) -> Random {
        Random {
            state: bytes.len() as u64,
            given: Vec::from(bytes).into_iter(),
        }
    }

    fn next(&mut self) -> u64 {
        if let Some(byte) = self.given.next() {
            return u64::from(byte);
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True so many times out of a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
