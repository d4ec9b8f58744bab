//! `related` and `adjacent`: what no candidate of another place allows.

use super::constraint::{Constraint, Direction};
use super::{Rest, Solver, Supports, Wiped, count_of};
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
        solver: &mut Solver,
        number: u32,
        (from, to): (usize, usize),
        (rows, width): (&[u64], usize),
        budget: &mut Budget,
    ) -> Result<Option<bool>, Wiped> {
        let (first, target) = solver.candidates(to).words();
        let length = target.len();
        if !self.is_begun {
            self.words.clear();
            self.words.resize(length, 0);
            (self.next, self.is_begun) = (0, true);
        }
        for value in solver
            .candidates(from)
            .numbers()
            .filter(|value| *value >= self.next)
        {
            if budget.is_spent() {
                self.next = value;
                return Ok(None);
            }
            let row = rows.get(
                value * width + first..((value + 1) * width).min(value * width + first + length),
            );
            let row = row.unwrap_or_default();
            if from == to {
                // It is its own neighbour: a candidate has to allow itself.
                budget.spend(2);
                let allows = row
                    .get((value / 64).wrapping_sub(first))
                    .is_some_and(|word| word >> (value % 64) & 1 == 1);
                if allows {
                    self.words[value / 64 - first] |= 1 << (value % 64);
                }
            } else {
                budget.spend(length + 1);
                self.words
                    .iter_mut()
                    .zip(row)
                    .for_each(|(image, row)| *image |= row);
            }
        }
        budget.spend(4);
        self.is_begun = false;
        solver.keep_words(to, &self.words, Some(number)).map(Some)
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
        solver: &mut Solver,
        number: u32,
        [left, right]: [u32; 2],
        [forward, backward]: [(&[u64], usize); 2],
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let (left, right) = (left as usize, right as usize);
        while self.done < 3 {
            let back = self.done == 1;
            let (ends, rows) = if back {
                ((right, left), backward)
            } else {
                ((left, right), forward)
            };
            let Some(changed) = self.image.go(solver, number, ends, rows, budget)? else {
                return Ok(Rest::NotYet);
            };
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
    pub tables: &'a [Supports],
    pub directions: &'a [Direction],
}

impl<'a> Neighbours<'a> {
    pub fn of_constraint(constraint: &'a Constraint) -> Option<Neighbours<'a>> {
        let Constraint::Adjacent {
            columns,
            rows,
            wraps,
            width,
            tables,
            directions,
        } = constraint
        else {
            return None;
        };
        let width = *width as usize;
        Some(Neighbours {
            columns: *columns,
            rows: *rows,
            wraps: *wraps,
            width,
            tables,
            directions,
        })
    }

    /// A cell with where it lies.
    #[inline(always)]
    pub fn around(self, cell: usize) -> Around<'a> {
        let cell = cell as u32;
        let at = [cell % self.columns, cell / self.columns];
        let is_inside = at[0] > 0 && at[0] + 1 < self.columns && at[1] > 0 && at[1] + 1 < self.rows;
        Around {
            neighbours: self,
            cell,
            at,
            is_inside,
        }
    }

    /// What candidates allow in a direction.
    #[inline(always)]
    pub fn allowed(&self, direction: &Direction, word: u64) -> u64 {
        self.tables
            .get(direction.table as usize)
            .map_or(0, |supports| supports.of_word(word))
    }

    /// What candidates allow in all directions, if that is the same.
    #[inline(always)]
    pub fn only_table(&self) -> Option<&'a Supports> {
        if let [supports] = self.tables {
            Some(supports)
        } else {
            None
        }
    }

    /// The cell that lies in a direction of one at a column and a row.
    fn of(&self, [x, y]: [u32; 2], direction: &Direction) -> Option<usize> {
        // A step goes by one column or row at most, so that what leaves the grid on the left or above is far too large.
        let step = |from: u32, by: i32, count: u32| match from.wrapping_add_signed(by) {
            to if to < count => Some(to),
            _ if !self.wraps => None,
            _ if by < 0 => Some(count - 1),
            _ => Some(0),
        };
        let (x, y) = (
            step(x, direction.columns, self.columns)?,
            step(y, direction.rows, self.rows)?,
        );
        Some(y as usize * self.columns as usize + x as usize)
    }

    /// Whether no cell is its own neighbour and a word is enough for the candidates of each.
    pub fn are_words(&self, solver: &Solver) -> bool {
        let is_own_neighbour = self.wraps && (self.columns == 1 || self.rows == 1);
        solver.domains.is_plain() && self.width == 1 && !is_own_neighbour
    }
}

/// A cell, whose neighbours are looked at.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    neighbours: Neighbours<'a>,
    cell: u32,
    at: [u32; 2],
    /// It has all neighbours without going around the edge.
    pub is_inside: bool,
}

impl Around<'_> {
    /// The neighbour in a direction.
    #[inline(always)]
    pub fn cell(&self, direction: &Direction) -> Option<usize> {
        if !self.is_inside {
            return self.neighbours.of(self.at, direction);
        }
        let by =
            direction.rows as isize * self.neighbours.columns as isize + direction.columns as isize;
        Some((self.cell as usize).wrapping_add_signed(by))
    }
}

/// What a look at a neighbour takes beside what the candidates of the cell take, and what a look around takes at its end.
pub(super) const VISITS_OF_LOOK: usize = 4;

impl LookingAround {
    pub fn go(
        &mut self,
        solver: &mut Solver,
        number: u32,
        neighbours: Neighbours,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        if neighbours.are_words(solver) {
            return look_by_words(solver, number, neighbours, budget);
        }
        loop {
            if budget.is_spent() {
                return Ok(Rest::NotYet);
            }
            let Some(cell) = self.cell.or_else(|| solver.pending[number as usize].pop()) else {
                return Ok(Rest::Reached);
            };
            self.cell = Some(cell);
            solver.looks_from = Some(cell);
            let at = [cell % neighbours.columns, cell / neighbours.columns];
            while let Some(direction) = neighbours.directions.get(self.direction) {
                if let Some(to) = neighbours.of(at, direction) {
                    let rows = neighbours
                        .tables
                        .get(direction.table as usize)
                        .map_or(&[][..], Supports::rows);
                    let (ends, rows) = ((cell as usize, to), (rows, neighbours.width));
                    if self.image.go(solver, number, ends, rows, budget)?.is_none() {
                        return Ok(Rest::NotYet);
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

/// The same where the candidates of every place are one word, and no cell is its own neighbour: a cell at a time, and
/// nothing to keep between two of them.
pub(super) fn look_by_words(
    solver: &mut Solver,
    number: u32,
    neighbours: Neighbours,
    budget: &mut Budget,
) -> Result<Rest, Wiped> {
    let all = u64::MAX
        .checked_shr(64_u32.saturating_sub(solver.values as u32))
        .unwrap_or(0);
    let alone = neighbours.only_table();
    loop {
        if budget.is_spent() {
            return Ok(Rest::NotYet);
        }
        let Some(cell) = solver.pending[number as usize].pop() else {
            return Ok(Rest::Reached);
        };
        solver.looks_from = Some(cell);
        let word = solver.domains.first_words()[cell as usize];
        let (around, visits) = (
            neighbours.around(cell as usize),
            count_of(word) as usize + VISITS_OF_LOOK,
        );
        let mut known = alone.map_or((u32::MAX, 0), |supports| (0, supports.of_word(word)));
        if around.is_inside && alone.is_some() && known.1 & all == all {
            budget.spend(visits * neighbours.directions.len());
            continue;
        }
        for direction in neighbours.directions {
            let Some(to) = around.cell(direction) else {
                continue;
            };
            budget.spend(visits);
            if known.0 != direction.table {
                known = (direction.table, neighbours.allowed(direction, word));
            }
            let target = solver.domains.first_words()[to];
            if target & known.1 != target {
                solver.keep_word(to, target & known.1, number)?;
            }
        }
    }
}
