//! The cells that `connected` joins.

use super::Solver;
use super::depth::Shape;

/// The cells that are to be joined: their grid, and the values that they hold.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub columns: usize,
    pub rows: usize,
    pub values: &'a [u64],
}

impl Piece<'_> {
    pub fn shape(&self) -> Shape {
        Shape {
            columns: self.columns,
            rows: self.rows,
        }
    }

    pub fn cell_of(&self, place: usize) -> usize {
        self.shape()
            .cell(place % self.columns, place / self.columns)
    }

    /// Whether a cell may hold one of the values.
    #[inline]
    pub fn may(&self, solver: &Solver, place: usize) -> bool {
        match solver.domains.is_plain() {
            true => solver.domains.first_words()[place] & self.values.first().unwrap_or(&0) != 0,
            false => solver.candidates(place).meets(self.values),
        }
    }

    /// Whether a cell is to be joined.
    #[inline]
    pub fn must(&self, solver: &Solver, place: usize) -> bool {
        match solver.domains.is_plain() {
            true => solver.domains.first_words()[place] & !self.values.first().unwrap_or(&0) == 0,
            false => !solver.candidates(place).has_others(self.values),
        }
    }

    /// The places around another, in a circle; those beside it come first, third, fifth and seventh.
    #[inline]
    pub fn around(&self, place: usize) -> [Option<usize>; 8] {
        let (x, y) = (place % self.columns, place / self.columns);
        let up = (y > 0).then(|| place - self.columns);
        let down = (y + 1 < self.rows).then_some(place + self.columns);
        let left = |place: Option<usize>| {
            if x > 0 {
                place.map(|place| place - 1)
            } else {
                None
            }
        };
        let right = |place: Option<usize>| {
            if x + 1 < self.columns {
                place.map(|place| place + 1)
            } else {
                None
            }
        };
        [
            up,
            right(up),
            right(Some(place)),
            right(down),
            down,
            left(down),
            left(Some(place)),
            left(up),
        ]
    }
}
