//! The cells that `connected` joins.

use super::depth::Shape;
use crate::Solver;
use crate::explanation::Question;
use crate::propagator::JoinedCells;

/// The cells that are to be joined: their grid, and the values that they hold.
#[derive(Clone, Copy)]
pub struct Region<'a> {
    pub columns: usize,
    pub rows: usize,
    pub values: &'a [u64],
}

impl<'a> Region<'a> {
    pub fn of(joined: JoinedCells<'a>) -> Region<'a> {
        Region {
            columns: joined.columns,
            rows: joined.rows,
            values: joined.values,
        }
    }

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

    /// Whether open cells lead from one of some places to all others.
    pub fn joins(&self, question: &Question<'_>, places: &[u32]) -> bool {
        let Some(first) = places.first() else {
            return true;
        };
        let is_open: Vec<bool> = (0..question.places() as u32)
            .map(|place| question.domain(place).meets(self.values))
            .collect();
        let mut is_seen = vec![false; is_open.len()];
        let mut open = Vec::new();
        if is_open[*first as usize] {
            is_seen[*first as usize] = true;
            open.push(*first as usize);
        }
        while let Some(place) = open.pop() {
            let (x, y) = (place % self.columns, place / self.columns);
            let beside = [
                (x > 0).then(|| place - 1),
                (x + 1 < self.columns).then_some(place + 1),
                (y > 0).then(|| place - self.columns),
                (y + 1 < self.rows).then_some(place + self.columns),
            ];
            for next in beside.into_iter().flatten() {
                if is_open[next] && !std::mem::replace(&mut is_seen[next], true) {
                    open.push(next);
                }
            }
        }
        places.iter().all(|place| is_seen[*place as usize])
    }
}
