//! What `sumOf` adds up, and between which bounds.

/// A sum as it lies in its constraint.
#[derive(Clone, Copy)]
pub(super) struct Sum<'a> {
    pub places: &'a [u32],
    pub factors: &'a [f64],
    /// Those of the values.
    pub numbers: &'a [f64],
    pub low: f64,
    pub high: f64,
    /// Whether its bounds are found at once, see `bounds.rs`.
    pub go_up: bool,
}

impl Sum<'_> {
    #[inline(always)]
    pub fn part(&self, at: usize, value: usize) -> f64 {
        self.numbers.get(value).copied().unwrap_or(0.0)
            * self.factors.get(at).copied().unwrap_or(1.0)
    }
}
