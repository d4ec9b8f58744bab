//! The work that a piece of long work may do before limits are looked at again.

/// The visits left for a piece of work. A visit is a look at an element of a row: some nanoseconds at most. Slower work
/// counts as several.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left: i64,
    of: i64,
}

/// How many visits a piece has.
#[derive(Clone, Copy, Debug)]
pub struct PieceSize(i64);

/// The visits that a piece may have with all that belongs to it.
const MOST_VISITS: i64 = 1 << 18;
/// A piece ends after a block of text or a row of elements, which it does not break up: this number of visits is
/// reserved for the last one.
const LAST_BLOCK: i64 = 1 << 13;

impl Default for PieceSize {
    fn default() -> PieceSize {
        PieceSize(MOST_VISITS - LAST_BLOCK)
    }
}

impl PieceSize {
    /// For tests: so small that even short work takes several pieces.
    #[cfg(debug_assertions)]
    pub fn of(visits: u32) -> PieceSize {
        PieceSize(i64::from(visits.max(1)))
    }

    /// The most elements for which work is done at once, in the simplest form.
    #[inline]
    pub fn few(self) -> usize {
        (self.0 >> 6) as usize
    }
}

/// Visits that are charged as one step.
pub const VISITS_OF_STEP: usize = 4;

impl Budget {
    /// The budget of a piece.
    #[inline]
    pub fn piece(size: PieceSize) -> Budget {
        Budget {
            left: size.0,
            of: size.0,
        }
    }

    /// A budget for what is worth doing at once only if it is short.
    #[inline]
    pub fn for_short(size: PieceSize) -> Budget {
        Budget {
            left: size.0 / 16,
            of: size.0 / 16,
        }
    }

    /// A budget for work that is tried at once, whatever the size of pieces, so that the operations that take longer never vary.
    pub fn at_once() -> Budget {
        Budget::piece(PieceSize::default())
    }

    /// A budget without an end, for work that must finish at once.
    pub fn unlimited() -> Budget {
        Budget {
            left: i64::MAX,
            of: i64::MAX,
        }
    }

    /// Takes visits away.
    #[inline(always)]
    pub fn spend(&mut self, visits: usize) {
        self.left -= visits as i64;
    }

    /// Gives visits back that will be made again.
    pub fn give_back(&mut self, visits: usize) {
        self.left += visits as i64;
    }

    /// Whether the piece is to end.
    #[inline(always)]
    pub fn is_spent(&self) -> bool {
        self.left <= 0
    }

    /// The number of elements, of `visits_each` visits each, that may still be visited; at least one.
    #[inline]
    pub fn room_for(&self, visits_each: usize) -> usize {
        (self.left.max(1) as usize / visits_each).max(1)
    }

    /// The number of elements, at most `most`, that are worth doing in one go, which is a small part of a piece.
    #[inline]
    pub fn in_one_go(&self, most: usize) -> usize {
        most.min((self.of / 32) as usize).max(16)
    }

    /// The budget for the rest of a piece that was interrupted.
    pub fn rest(size: PieceSize, left: i64) -> Budget {
        Budget { left, of: size.0 }
    }

    /// The visits left.
    pub fn left(&self) -> i64 {
        self.left
    }

    /// The visits so far.
    pub fn visits(&self) -> usize {
        (self.of - self.left) as usize
    }

    /// The steps that the visits so far are charged.
    pub fn steps(&self) -> usize {
        (self.of - self.left) as usize / VISITS_OF_STEP
    }
}
