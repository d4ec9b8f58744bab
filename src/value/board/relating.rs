//! `related` and `adjacent`: what no candidate of another place allows.

use super::constraint::Direction;
use super::{Board, Rest, Wiped};
use crate::value::budget::Budget;
use crate::value::room;

/// What may stand at a place, because a candidate of another allows it; found a candidate after another.
#[derive(Clone, Debug, Default)]
struct Image {
    words: Vec<u64>,
    /// The candidate that is looked at next.
    next: usize,
    is_begun: bool,
}

impl Image {
    /// Goes on to keep at `to` what the candidates of `from` allow, in rows of `width` words; `None` if the budget is
    /// spent before, otherwise whether anything has changed.
    fn go(
        &mut self,
        board: &mut Board,
        number: u32,
        (from, to): (usize, usize),
        (rows, width): (&[u64], usize),
        budget: &mut Budget,
    ) -> Result<Option<bool>, Wiped> {
        let (first, target) = board.candidates(to).words();
        let length = target.len();
        if !self.is_begun {
            self.words.clear();
            self.words.resize(length, 0);
            (self.next, self.is_begun) = (0, true);
        }
        for value in board.candidates(from).numbers().filter(|value| *value >= self.next) {
            if budget.is_spent() {
                self.next = value;
                return Ok(None);
            }
            let row = rows.get(value * width + first..((value + 1) * width).min(value * width + first + length));
            let row = row.unwrap_or_default();
            if from == to {
                // It is its own neighbour: a candidate has to allow itself.
                budget.spend(2);
                let allows =
                    row.get((value / 64).wrapping_sub(first)).is_some_and(|word| word >> (value % 64) & 1 == 1);
                if allows {
                    self.words[value / 64 - first] |= 1 << (value % 64);
                }
            } else {
                budget.spend(length + 1);
                self.words.iter_mut().zip(row).for_each(|(image, row)| *image |= row);
            }
        }
        budget.spend(4);
        self.is_begun = false;
        board.keep_words(to, &self.words, Some(number)).map(Some)
    }
}

/// Both ways of a relation between two places, and the first once more if the second has changed something.
#[derive(Clone, Debug, Default)]
pub(super) struct Revising {
    image: Image,
    done: usize,
}

impl Revising {
    pub fn go(
        &mut self,
        board: &mut Board,
        number: u32,
        [left, right]: [u32; 2],
        [forward, backward]: [(&[u64], usize); 2],
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let (left, right) = (left as usize, right as usize);
        while self.done < 3 {
            let back = self.done == 1;
            let (ends, rows) = if back { ((right, left), backward) } else { ((left, right), forward) };
            let Some(changed) = self.image.go(board, number, ends, rows, budget)? else { return Ok(Rest::NotYet) };
            self.done = if back && !changed { 3 } else { self.done + 1 };
        }
        Ok(Rest::Reached)
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.image.words)
    }
}

/// A look at the neighbours of all cells that have changed, and of those that change by that.
#[derive(Clone, Debug, Default)]
pub(super) struct LookingAround {
    image: Image,
    /// The cell that is looked at, and its next direction.
    cell: Option<u32>,
    direction: usize,
}

/// What stands next to what, as it lies in its constraint.
#[derive(Clone, Copy)]
pub(super) struct Neighbours<'a> {
    pub columns: u32,
    pub rows: u32,
    pub wraps: bool,
    /// Words in a row of a table.
    pub width: usize,
    pub tables: &'a [Vec<u64>],
    pub directions: &'a [Direction],
}

impl Neighbours<'_> {
    /// The cell that lies in a direction of one at a column and a row.
    fn of(&self, [x, y]: [u32; 2], direction: &Direction) -> Option<usize> {
        let step = |from: u32, by: i32, count: u32| match from.checked_add_signed(by) {
            Some(to) if to < count => Some(to),
            // A step goes by one column or row at most.
            None if self.wraps => Some(count - 1),
            Some(_) if self.wraps => Some(0),
            _ => None,
        };
        let (x, y) = (step(x, direction.columns, self.columns)?, step(y, direction.rows, self.rows)?);
        Some(y as usize * self.columns as usize + x as usize)
    }
}

impl LookingAround {
    pub fn go(
        &mut self,
        board: &mut Board,
        number: u32,
        neighbours: Neighbours,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        loop {
            if budget.is_spent() {
                return Ok(Rest::NotYet);
            }
            let Some(cell) = self.cell.or_else(|| board.pending[number as usize].pop()) else {
                return Ok(Rest::Reached);
            };
            self.cell = Some(cell);
            board.looks_from = Some(cell);
            let is_plain = board.domains.is_plain() && neighbours.width == 1;
            let at = [cell % neighbours.columns, cell / neighbours.columns];
            while let Some(direction) = neighbours.directions.get(self.direction) {
                if let Some(to) = neighbours.of(at, direction) {
                    let rows = neighbours.tables.get(direction.table as usize).map_or(&[][..], Vec::as_slice);
                    if is_plain && to != cell as usize {
                        let words = board.domains.first_words();
                        let (mut rest, target) = (words[cell as usize], words[to]);
                        budget.spend(rest.count_ones() as usize + 4);
                        let mut image = 0;
                        // Until nothing of what is there is missing.
                        while rest != 0 && target & !image != 0 {
                            image |= rows.get(rest.trailing_zeros() as usize).copied().unwrap_or(0);
                            rest &= rest - 1;
                        }
                        if target & !image != 0 {
                            board.keep_words(to, &[image], Some(number))?;
                        }
                    } else {
                        let ends = (cell as usize, to);
                        let rows = (rows, neighbours.width);
                        if self.image.go(board, number, ends, rows, budget)?.is_none() {
                            return Ok(Rest::NotYet);
                        }
                    }
                }
                self.direction += 1;
            }
            (self.cell, self.direction) = (None, 0);
        }
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.image.words)
    }
}
