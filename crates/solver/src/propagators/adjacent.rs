//! `adjacent`: what stands next to what, in all cells of a grid.

use super::related::Image;
use super::{Supports, is_grid};
use crate::groups::squares;
use crate::learning::encoder::{Encoded, Encoder};
use crate::propagator::{Call, Propagator};
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver, count_of};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The direction of a neighbor of `adjacent`, in columns and rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// The step in columns, from -1, to the left, to 1.
    pub columns: i32,
    /// From -1, above, to 1.
    pub rows: i32,
    /// The index of the table with the values allowed there.
    pub table: u32,
}

/// Which values may be next to each other, in all cells of a grid: tables whose rows have `width` words.
#[derive(Clone, Debug)]
pub struct Adjacent {
    /// Of the grid.
    pub columns: u32,
    /// Of the grid.
    pub rows: u32,
    /// Whether the neighbors of cells at an edge are at the opposite edge.
    pub wraps: bool,
    /// Words in a row of a table.
    pub width: u32,
    /// By table, the values that each value allows.
    pub tables: Vec<Supports>,
    /// The directions of neighbors, each with its table.
    pub directions: Vec<Direction>,
}

impl Adjacent {
    /// Borrows it for propagation.
    #[inline]
    pub fn neighbors(&self) -> Neighbors<'_> {
        Neighbors {
            columns: self.columns,
            rows: self.rows,
            wraps: self.wraps,
            width: self.width as usize,
            tables: &self.tables,
            directions: &self.directions,
        }
    }
}

impl Propagator for Adjacent {
    type Progress = AdjacentPropagation;

    fn name(&self) -> &'static str {
        "adjacent"
    }

    fn places(&self) -> Option<&[u32]> {
        None
    }

    fn rank(&self) -> usize {
        0
    }

    fn propagate_at_once(
        &self,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Option<Result<Fixpoint, DomainWipeout>> {
        let neighbors = self.neighbors();
        neighbors
            .are_words(solver)
            .then(|| look_by_words(solver, call.number, neighbors, budget))
    }

    fn propagate(
        &self,
        progress: &mut AdjacentPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        progress.resume(solver, call.number, self.neighbors(), budget)
    }

    fn bytes_of(progress: &AdjacentPropagation) -> usize {
        room::row(&progress.image.words)
    }

    /// A part is a cell with its neighbors.
    fn encode(&self, encoder: &mut Encoder, part: usize) -> Encoded {
        let width = self.width as usize;
        let around = self.neighbors().around(part);
        for direction in &self.directions {
            let rows = self.tables.get(direction.table as usize);
            if let (Some(other), Some(rows)) = (around.cell(direction), rows) {
                encoder.support(part as u32, other as u32, |value| {
                    let start = value as usize * width;
                    let row = rows.rows().get(start..start + width);
                    row.unwrap_or_default().to_vec()
                });
            }
        }
        if part + 1 < encoder.places() {
            Encoded::More
        } else {
            Encoded::Done
        }
    }

    /// No further reason: the solver knows the changed cell; without it, any place may be the reason.
    fn explain(&self, _: &Solver, _: u32, _: &[u32]) -> Vec<u32> {
        Vec::new()
    }

    fn looks_at_changes(&self) -> bool {
        true
    }

    fn groups(&self, take: &mut dyn FnMut(Vec<u32>)) {
        squares(self.columns, self.rows, take);
    }

    fn bytes(&self) -> usize {
        room::row(&self.directions)
            + room::row(&self.tables)
            + self.tables.iter().map(Supports::bytes).sum::<usize>()
    }

    fn bytes_beside(&self, places: usize) -> usize {
        5 * places
    }

    fn fits(&self, places: usize) -> bool {
        is_grid(self.columns, self.rows, places)
    }
}

impl ndscript_base::codec::Saved for Direction {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        // From -1 to 1.
        ((self.columns + 1) as u32).save(out);
        ((self.rows + 1) as u32).save(out);
        self.table.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Direction, ndscript_base::codec::Unsound> {
        use ndscript_base::codec::ensure;
        let (columns, rows) = (u32::load(from)?, u32::load(from)?);
        ensure(columns <= 2 && rows <= 2, "a neighbor lies too far away")?;
        Ok(Direction {
            columns: columns as i32 - 1,
            rows: rows as i32 - 1,
            table: u32::load(from)?,
        })
    }
}

impl ndscript_base::codec::Saved for Adjacent {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        self.columns.save(out);
        self.rows.save(out);
        self.wraps.save(out);
        self.width.save(out);
        self.tables
            .iter()
            .map(|table| table.rows().to_vec())
            .collect::<Vec<_>>()
            .save(out);
        self.directions.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Adjacent, ndscript_base::codec::Unsound> {
        let (columns, rows) = (u32::load(from)?, u32::load(from)?);
        let (wraps, width) = (bool::load(from)?, u32::load(from)?);
        let tables: Vec<Vec<u64>> = Vec::load(from)?;
        // Wider tables fit no solver, and would take more memory than their values have.
        ndscript_base::codec::ensure(
            width != 1 || tables.iter().all(|rows| rows.len() <= 64),
            "a table has more values than bits",
        )?;
        for rows in &tables {
            from.make_room::<u64>(Supports::sets_of(rows.len()))?;
        }
        let tables = tables
            .into_iter()
            .map(|rows| Supports::new(rows, width as usize))
            .collect();
        Ok(Adjacent {
            columns,
            rows,
            wraps,
            width,
            tables,
            directions: Vec::load(from)?,
        })
    }
}

/// Visits the neighbors of all changed cells, and of those that change by that.
#[derive(Clone, Debug, Default)]
pub struct AdjacentPropagation {
    image: Image,
    /// The current cell, and its next direction.
    cell: Option<u32>,
    direction: usize,
}

/// The tables and directions, borrowed from the constraint.
#[derive(Clone, Copy)]
pub struct Neighbors<'a> {
    pub columns: u32,
    pub rows: u32,
    pub wraps: bool,
    /// Words in a row of a table.
    pub width: usize,
    pub tables: &'a [Supports],
    pub directions: &'a [Direction],
}

impl<'a> Neighbors<'a> {
    /// A cell, with its column and row.
    #[inline(always)]
    pub fn around(self, cell: usize) -> Around<'a> {
        let cell = cell as u32;
        let at = [cell % self.columns, cell / self.columns];
        let is_inside = at[0] > 0 && at[0] + 1 < self.columns && at[1] > 0 && at[1] + 1 < self.rows;
        Around {
            neighbors: self,
            cell,
            at,
            is_inside,
        }
    }

    /// The values that the candidates in a word allow in a direction.
    #[inline(always)]
    pub fn allowed(&self, direction: &Direction, word: u64) -> u64 {
        self.tables
            .get(direction.table as usize)
            .map_or(0, |supports| supports.of_word(word))
    }

    /// The table of supports, if it is equal in all directions; else `None`.
    #[inline(always)]
    pub fn only_table(&self) -> Option<&'a Supports> {
        if let [supports] = self.tables {
            Some(supports)
        } else {
            None
        }
    }

    /// The neighbor of a cell in a direction; `None` outside of the grid.
    fn of(&self, [x, y]: [u32; 2], direction: &Direction) -> Option<usize> {
        // A step is at most one column or row, so a coordinate left of or above the grid wraps to a huge number.
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

    /// Whether every domain is one word, and no cell is its own neighbor.
    pub fn are_words(&self, solver: &Solver) -> bool {
        let is_own_neighbour = self.wraps && (self.columns == 1 || self.rows == 1);
        solver.domains.is_plain() && self.width == 1 && !is_own_neighbour
    }
}

/// A cell whose neighbors are visited.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    neighbors: Neighbors<'a>,
    cell: u32,
    at: [u32; 2],
    /// Whether all its neighbors are inside the grid.
    pub is_inside: bool,
}

impl Around<'_> {
    /// The neighbor in a direction.
    #[inline(always)]
    pub fn cell(&self, direction: &Direction) -> Option<usize> {
        if !self.is_inside {
            return self.neighbors.of(self.at, direction);
        }
        let offset =
            direction.rows as isize * self.neighbors.columns as isize + direction.columns as isize;
        Some((self.cell as usize).wrapping_add_signed(offset))
    }
}

/// Visits per neighbor, on top of those for the candidates of the cell; also charged once per cell.
pub const VISITS_OF_LOOK: usize = 4;

impl AdjacentPropagation {
    fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        neighbors: Neighbors,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        if neighbors.are_words(solver) {
            return look_by_words(solver, number, neighbors, budget);
        }
        loop {
            if budget.is_spent() {
                return Ok(Fixpoint::NotYet);
            }
            let Some(cell) = self.cell.or_else(|| solver.pending[number as usize].pop()) else {
                return Ok(Fixpoint::Reached);
            };
            self.cell = Some(cell);
            solver.looks_from = Some(cell);
            let at = [cell % neighbors.columns, cell / neighbors.columns];
            while let Some(direction) = neighbors.directions.get(self.direction) {
                if let Some(to) = neighbors.of(at, direction) {
                    let rows = neighbors
                        .tables
                        .get(direction.table as usize)
                        .map_or(&[][..], Supports::rows);
                    let (ends, rows) = ((cell as usize, to), (rows, neighbors.width));
                    if self
                        .image
                        .resume(solver, number, ends, rows, budget)?
                        .is_none()
                    {
                        return Ok(Fixpoint::NotYet);
                    }
                }
                self.direction += 1;
            }
            (self.cell, self.direction) = (None, 0);
        }
    }
}

/// As above where every domain is one word and no cell is its own neighbor: one cell at a time, with no state between
/// cells.
fn look_by_words(
    solver: &mut Solver,
    number: ConstraintNumber,
    neighbors: Neighbors,
    budget: &mut Budget,
) -> Result<Fixpoint, DomainWipeout> {
    let all = u64::MAX
        .checked_shr(64_u32.saturating_sub(solver.values as u32))
        .unwrap_or(0);
    let alone = neighbors.only_table();
    loop {
        if budget.is_spent() {
            return Ok(Fixpoint::NotYet);
        }
        let Some(cell) = solver.pending[number as usize].pop() else {
            return Ok(Fixpoint::Reached);
        };
        solver.looks_from = Some(cell);
        let word = solver.domains.first_words()[cell as usize];
        let (around, visits) = (
            neighbors.around(cell as usize),
            count_of(word) as usize + VISITS_OF_LOOK,
        );
        let mut known = alone.map_or((u32::MAX, 0), |supports| (0, supports.of_word(word)));
        if around.is_inside && alone.is_some() && known.1 & all == all {
            budget.spend(visits * neighbors.directions.len());
            continue;
        }
        for direction in neighbors.directions {
            let Some(to) = around.cell(direction) else {
                continue;
            };
            budget.spend(visits);
            if known.0 != direction.table {
                known = (direction.table, neighbors.allowed(direction, word));
            }
            let target = solver.domains.first_words()[to];
            if target & known.1 != target {
                solver.keep_word(to, target & known.1, number)?;
            }
        }
    }
}
