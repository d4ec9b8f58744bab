//! A Boolean variable, or its negation.

/// Twice the number of the variable, and one more if it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal that is true if the variable is `is`.
    pub fn new(variable: usize, is: bool) -> Lit {
        Lit(2 * variable as u32 + u32::from(!is))
    }

    /// The number of its variable.
    #[inline]
    pub fn variable(self) -> usize {
        self.0 as usize / 2
    }

    /// The value of the variable that makes the literal true.
    #[inline]
    pub fn is(self) -> bool {
        self.0 & 1 == 0
    }

    /// Its place in rows with an entry for each literal.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}
