//! A depth-first search over the cells of a grid that finds the articulation cells between terminals (after Hopcroft
//! and Tarjan, 1973).

/// The order of a closed cell, and of one that was not visited.
pub const CLOSED: u32 = u32::MAX;
pub const OPEN: u32 = 0;

/// Bits of a cell: it is a terminal and holds one of the values already; a terminal is at or below it in the search
/// tree; terminals need it.
pub const CERTAIN_TERMINAL: u8 = 1;
pub const LEADS_TO_TERMINAL: u8 = 2;
pub const ARTICULATION: u8 = 128;
/// The side from which the search came, and the next side to look at.
const PARENT_SIDE: u32 = 2;
const NEXT_SIDE: u32 = 4;
const ALL_SIDES: u8 = 4;
const SIDES: u8 = 7 << NEXT_SIDE;

/// Visits to expand a cell.
pub const VISITS_OF_CELL: usize = 4;

/// A cell for each place of a grid, in rows with a border of closed cells around, so that each has four neighbors.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub columns: usize,
    pub rows: usize,
}

impl Shape {
    /// The distance from a cell to the one below.
    pub fn stride(self) -> usize {
        self.columns + 2
    }

    pub fn cell_count(self) -> usize {
        self.stride() * (self.rows + 2)
    }

    pub fn cell(self, x: usize, y: usize) -> usize {
        (y + 1) * self.stride() + x + 1
    }

    pub fn cell_of(self, place: usize) -> usize {
        self.cell(place % self.columns, place / self.columns)
    }

    /// The cells of places from `place` on, in order; endless.
    pub fn cells_from(self, place: usize) -> impl Iterator<Item = usize> {
        let (x, y) = (place % self.columns, place / self.columns);
        let (mut left, mut next) = (self.columns - x, self.cell(x, y));
        std::iter::from_fn(move || {
            if left == 0 {
                // Skip the border at the end of the row and at the beginning of the next.
                (left, next) = (self.columns, next + 2);
            }
            (left, next) = (left - 1, next + 1);
            Some(next - 1)
        })
    }
}

/// What the search records of each cell.
pub struct Records<'a> {
    /// When the search visited it, from 1 on; and the earliest cell next to it or to a cell below it.
    pub order: &'a mut [u32],
    pub low: &'a mut [u32],
    pub marks: &'a mut [u8],
}

/// A search from one cell, without recursion, that can stop and resume.
#[derive(Clone, Debug, Default)]
pub struct Depth {
    root: usize,
    at: usize,
    /// The number of visited cells, including those of earlier searches in the same cells.
    pub count: u32,
    /// Whether it has marked a cell as an articulation cell. The root never is.
    pub finds_needed: bool,
    /// The number of subtrees of the root that contain terminals: with two or more, the root is an articulation cell.
    pub ways_from_root: u32,
}

impl Depth {
    /// Begins at a cell.
    pub fn begin(&mut self, root: usize, records: &mut Records) {
        self.count += 1;
        (records.order[root], records.low[root]) = (self.count, self.count);
        (self.root, self.at, self.ways_from_root) = (root, root, 0);
    }

    /// Visits at most `most` cells; true when there are no more.
    pub fn resume(&mut self, shape: Shape, records: &mut Records, most: u32) -> bool {
        // The numbers of opposite sides differ in the last bit.
        let sides = [usize::MAX, 1, shape.stride().wrapping_neg(), shape.stride()];
        let beside = |cell: usize, side: u8| cell.wrapping_add(sides[side as usize & 3]);
        let Records { order, low, marks } = records;
        let (order, low, marks) = (&mut order[..], &mut low[..], &mut marks[..]);
        let end = self.count.saturating_add(most);
        let mut cell = self.at;
        let (mut lowest, mut side) = (low[cell], side_of(marks[cell]));
        loop {
            let mut next = None;
            while side < ALL_SIDES {
                let to = beside(cell, side);
                side += 1;
                let first = order[to];
                if first == OPEN {
                    next = Some(to);
                    break;
                }
                lowest = lowest.min(first);
            }
            if let Some(to) = next {
                low[cell] = lowest;
                marks[cell] = marks[cell] & !SIDES | side << NEXT_SIDE;
                self.count += 1;
                (order[to], low[to]) = (self.count, self.count);
                marks[to] |= (side - 1) << PARENT_SIDE;
                (cell, lowest, side) = (to, self.count, 0);
                if self.count == end {
                    self.at = cell;
                    return false;
                }
                continue;
            }
            low[cell] = lowest;
            let mark = marks[cell];
            marks[cell] = mark & !SIDES | ALL_SIDES << NEXT_SIDE;
            if cell == self.root {
                self.at = cell;
                return true;
            }
            let above = beside(cell, (mark >> PARENT_SIDE & 3) ^ 1);
            let known = marks[above];
            if mark & LEADS_TO_TERMINAL != 0 {
                let is_needed =
                    above != self.root && lowest >= order[above] && known & CERTAIN_TERMINAL == 0;
                marks[above] = known | LEADS_TO_TERMINAL | if is_needed { ARTICULATION } else { 0 };
                self.finds_needed |= is_needed;
                self.ways_from_root += u32::from(above == self.root);
            }
            lowest = lowest.min(low[above]);
            side = side_of(known);
            cell = above;
        }
    }
}

#[inline(always)]
fn side_of(mark: u8) -> u8 {
    (mark & SIDES) >> NEXT_SIDE
}
