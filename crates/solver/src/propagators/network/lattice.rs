//! The graph of the cells of a grid.

use super::{Booleans, Network, Shape, Wiring};

/// The adjacency of the cells of a grid.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lattice {
    /// Of the grid.
    pub columns: u32,
    /// Of the grid.
    pub rows: u32,
    /// Whether the last column is next to the first, and the last row next to the first.
    pub wraps: bool,
    /// Whether cells touch at corners.
    pub diagonal: bool,
}

/// Columns and rows to the neighbors on the right, below, and below at the corners.
const SIDES: [(i64, i64); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

impl Lattice {
    /// How many edges there are at most.
    pub fn most_edges(self) -> usize {
        let sides = if self.diagonal { 4 } else { 2 };
        sides * self.columns as usize * self.rows as usize
    }

    /// The neighbors on some sides of a cell: the side by number, beginning with right and down, and the other cell. No
    /// cell is its own neighbor.
    pub fn neighbors_of(self, cell: u32) -> impl Iterator<Item = (usize, u32)> {
        let (columns, rows) = (i64::from(self.columns), i64::from(self.rows));
        let (x, y) = (
            i64::from(cell) % columns.max(1),
            i64::from(cell) / columns.max(1),
        );
        let sides = SIDES.iter().take(if self.diagonal { 4 } else { 2 });
        sides.enumerate().filter_map(move |(side, (right, down))| {
            let (mut x, mut y) = (x + right, y + down);
            if self.wraps {
                (x, y) = (x.rem_euclid(columns), y.rem_euclid(rows));
            }
            let is_inside = (0..columns).contains(&x) && (0..rows).contains(&y);
            let other = (y * columns + x) as u32;
            (is_inside && other != cell).then_some((side, other))
        })
    }

    /// Two cells for each edge, one after the other: the second lies right of the first, or below it.
    pub fn ends(self) -> Vec<u32> {
        let cells = 0..self.columns * self.rows;
        let ends = |cell: u32| {
            self.neighbors_of(cell)
                .flat_map(move |(_, other)| [cell, other])
        };
        cells.flat_map(ends).collect()
    }

    /// The rule that cells with some values are a region or a path.
    pub fn network(self, values: &[u64], shape: Shape) -> Network {
        let cells = self.columns * self.rows;
        Network {
            places: None,
            booleans: Booleans {
                width: values.len() as u32,
                masks: values.to_vec(),
                holds: (0..cells).flat_map(|cell| [cell, 0]).collect(),
                ..Booleans::default()
            },
            wiring: Wiring::new(cells, self.ends()),
            shape,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_of_a_small_grid() {
        let plain = Lattice {
            columns: 3,
            rows: 2,
            ..Lattice::default()
        };
        assert_eq!(plain.ends(), [0, 1, 0, 3, 1, 2, 1, 4, 2, 5, 3, 4, 4, 5]);
        let corners = Lattice {
            diagonal: true,
            ..plain
        };
        assert_eq!(corners.ends().len() / 2, 7 + 4);
        let wrapped = Lattice {
            columns: 3,
            rows: 1,
            wraps: true,
            diagonal: false,
        };
        assert_eq!(wrapped.ends(), [0, 1, 1, 2, 2, 0]);
    }
}
