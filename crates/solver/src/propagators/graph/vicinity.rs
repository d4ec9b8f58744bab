//! Shows from the cells around a few changed ones that `connected` need not run in full.
//!
//! Before the change the constraint was at its fixpoint: all articulation cells were part of the region already. So
//! the change has no consequence if every path over a closed cell can go around it without new articulation cells,
//! and every new terminal is next to the others, or has two paths to them. Where the vicinity does not show that, the
//! constraint runs in full.

use super::depth::{
    CERTAIN_TERMINAL, CLOSED, Depth, LEADS_TO_TERMINAL, OPEN, Records, Shape, VISITS_OF_CELL,
};
use super::region::Region;
use crate::Solver;
use ndscript_base::budget::Budget;

/// With more changes than this the constraint runs in full.
pub const FEW_CHANGES: usize = 8;

/// The radius of the vicinity: the first try, and the second.
const RADII: [usize; 2] = [2, 5];
const WIDEST: usize = 2 * RADII[1] + 1;
const MOST_CELLS: usize = (WIDEST + 2) * (WIDEST + 2);

/// Cells around another that may be on the region, as bits in a circle: those that a path around it needs from one cell
/// beside it to all others; or the fact that there is none.
const PATHS_AROUND: [u16; 256] = {
    let mut passed = [NO_PATH_AROUND; 256];
    let mut around = 0;
    while around < 256 {
        let beside = (around as u32 & 0b0101_0101).count_ones();
        if beside <= 1 || around == 255 {
            passed[around] = 0;
        }
        let mut from = 0;
        while from < 8 && passed[around] == NO_PATH_AROUND {
            let (mut at, mut met, mut between) = (from, 0, 0);
            while at < from + 8 && around >> (at % 8) & 1 == 1 {
                met += if at % 2 == 0 { 1 } else { 0 };
                if met == beside {
                    passed[around] = between & !(1 << from);
                    break;
                }
                between |= 1 << (at % 8);
                at += 1;
            }
            from += 2;
        }
        around += 1;
    }
    passed
};
const NO_PATH_AROUND: u16 = 256;

/// The cells that have changed since the latest fixpoint, and the region.
pub struct Vicinity<'a> {
    pub solver: &'a Solver,
    pub region: Region<'a>,
    pub changes: &'a [u32],
}

impl Vicinity<'_> {
    /// Whether the changes are seen to have no consequence.
    pub fn is_settled(&self, budget: &mut Budget) -> bool {
        let removed = self
            .changes
            .iter()
            .filter(|place| !self.region.may(self.solver, **place as usize))
            .count();
        self.changes.iter().all(|place| {
            let place = *place as usize;
            if self.region.may(self.solver, place) {
                self.is_joined(place) || self.looks_settled(place, budget)
            } else {
                // Detours around adjacent changed cells are not independent.
                let stands_alone = || {
                    self.side_neighbors(place)
                        .all(|beside| self.may(beside) || !self.has_changed(beside))
                };
                (removed == 1 || stands_alone())
                    && (self.has_detour(place) || self.looks_settled(place, budget))
            }
        })
    }

    fn may(&self, place: usize) -> bool {
        self.region.may(self.solver, place)
    }

    fn must(&self, place: usize) -> bool {
        self.region.must(self.solver, place)
    }

    fn has_changed(&self, place: usize) -> bool {
        self.changes.contains(&(place as u32))
    }

    fn side_neighbors(&self, place: usize) -> impl Iterator<Item = usize> {
        self.region.around(place).into_iter().step_by(2).flatten()
    }

    /// Whether a cell is no terminal, or is next to an earlier terminal, whose articulation cells it shares.
    fn is_joined(&self, place: usize) -> bool {
        !self.must(place)
            || self
                .side_neighbors(place)
                .any(|beside| self.must(beside) && !self.has_changed(beside))
    }

    /// Whether no path used a closed cell, or all that did can go around it in its ring, over cells that are part of
    /// the region or have a detour themselves.
    fn has_detour(&self, place: usize) -> bool {
        let passed = PATHS_AROUND[self.ring(place) as usize];
        if passed == NO_PATH_AROUND {
            return false;
        }
        let around = self.region.around(place);
        (0..8).filter(|at| passed >> at & 1 == 1).all(|at| {
            around[at].is_some_and(|passed| {
                self.must(passed) || PATHS_AROUND[self.ring(passed) as usize] != NO_PATH_AROUND
            })
        })
    }

    /// The open cells of the ring around a cell, as bits.
    fn ring(&self, place: usize) -> u8 {
        let mut ring = 0;
        for (at, around) in self.region.around(place).into_iter().enumerate() {
            ring |= u8::from(around.is_some_and(|around| self.may(around))) << at;
        }
        ring
    }

    /// Whether the vicinity shows that the change of a cell has no consequence.
    fn looks_settled(&self, place: usize, budget: &mut Budget) -> bool {
        RADII.into_iter().any(|radius| {
            let window = Window::around(self.region, place, radius);
            let cells = window.shape.columns * window.shape.rows;
            // A full run costs little more then.
            (radius == RADII[0] || 3 * cells <= self.solver.places)
                && self.shows_no_consequence(&window, place, budget)
        })
    }

    /// Whether the cells of a window show that the change of a place has no consequence.
    fn shows_no_consequence(&self, window: &Window, place: usize, budget: &mut Budget) -> bool {
        let shape = window.shape;
        let (mut order, mut low, mut marks) =
            ([CLOSED; MOST_CELLS], [0; MOST_CELLS], [0; MOST_CELLS]);
        for y in 0..shape.rows {
            for x in 0..shape.columns {
                let (cell, at) = (shape.cell(x, y), window.place(x, y));
                if self.may(at) {
                    order[cell] = OPEN;
                    marks[cell] = if self.must(at) { CERTAIN_TERMINAL } else { 0 };
                }
            }
        }
        budget.spend(shape.columns * shape.rows);
        let mut records = Records {
            order: &mut order,
            low: &mut low,
            marks: &mut marks,
        };
        let mut depth = Depth::default();
        let center = window.cell(place);
        let stride = shape.stride();
        let is_settled = if self.may(place) {
            match self.nearest(window, place) {
                Some(joined) => {
                    records.marks[joined] |= LEADS_TO_TERMINAL;
                    depth.begin(center, &mut records);
                    depth.resume(shape, &mut records, u32::MAX);
                    records.order[joined] != OPEN && !depth.finds_needed
                }
                None => false,
            }
        } else {
            let beside = [center - 1, center + 1, center - stride, center + stride];
            let beside = beside
                .into_iter()
                .filter(|cell| records.order[*cell] == OPEN)
                .collect::<Vec<_>>();
            beside
                .iter()
                .for_each(|cell| records.marks[*cell] |= LEADS_TO_TERMINAL);
            let mut parts = 0;
            beside.iter().all(|cell| {
                if records.order[*cell] != OPEN {
                    return true;
                }
                depth.begin(*cell, &mut records);
                depth.resume(shape, &mut records, u32::MAX);
                parts += 1;
                let is_cut =
                    depth.ways_from_root > 1 && records.marks[*cell] & CERTAIN_TERMINAL == 0;
                parts <= 1 && !depth.finds_needed && !is_cut
            })
        };
        budget.spend(VISITS_OF_CELL * depth.count as usize);
        is_settled
    }

    /// The terminal nearest to a place, among the earlier ones.
    fn nearest(&self, window: &Window, place: usize) -> Option<usize> {
        let [x, y] = window.at(place);
        let mut nearest = None;
        for row in 0..window.shape.rows {
            for column in 0..window.shape.columns {
                let (at, away) = (
                    window.place(column, row),
                    column.abs_diff(x) + row.abs_diff(y),
                );
                if away > 0
                    && nearest.is_none_or(|(least, _)| away < least)
                    && self.must(at)
                    && !self.has_changed(at)
                {
                    nearest = Some((away, window.shape.cell(column, row)));
                }
            }
        }
        nearest.map(|(_, cell)| cell)
    }
}

/// A part of the grid.
struct Window {
    shape: Shape,
    /// Its first column and row, and the columns and rows of the grid.
    first: [usize; 2],
    grid: Shape,
}

impl Window {
    /// The part of the grid within a radius of a place.
    fn around(region: Region, place: usize, radius: usize) -> Window {
        let grid = Shape {
            columns: region.columns,
            rows: region.rows,
        };
        let [x, y] = [place % region.columns, place / region.columns];
        let first = [x.saturating_sub(radius), y.saturating_sub(radius)];
        let end = [
            (x + radius + 1).min(region.columns),
            (y + radius + 1).min(region.rows),
        ];
        Window {
            shape: Shape {
                columns: end[0] - first[0],
                rows: end[1] - first[1],
            },
            first,
            grid,
        }
    }

    fn place(&self, x: usize, y: usize) -> usize {
        (self.first[1] + y) * self.grid.columns + self.first[0] + x
    }

    fn at(&self, place: usize) -> [usize; 2] {
        [
            place % self.grid.columns - self.first[0],
            place / self.grid.columns - self.first[1],
        ]
    }

    fn cell(&self, place: usize) -> usize {
        let [x, y] = self.at(place);
        self.shape.cell(x, y)
    }
}
