//! A search in depth over the cells of a grid that finds those which all of some cells need to be joined: articulation
//! points (after Hopcroft and Tarjan, 1973).

/// The order of a cell that nothing may be on, and that of one where the search has not been.
pub const CLOSED: u32 = u32::MAX;
pub const OPEN: u32 = 0;

/// What is known of a cell: whether it is to be joined and holds one of the values already, whether a cell that is to be
/// joined lies at or below it in the tree of the search, and whether cells that are to be joined need it.
pub const MUST: u8 = 1;
pub const LEADS: u8 = 2;
pub const NEEDED: u8 = 128;
/// From which side the search came, and the side that is looked at next.
const CAME: u32 = 2;
const SIDE: u32 = 4;
const ALL_SIDES: u8 = 4;
const SIDES: u8 = 7 << SIDE;

/// The visits of a cell that the search comes to.
pub const VISITS_OF_CELL: usize = 4;

/// A cell for each place of a grid, in rows with a border of closed cells around, so that each has four neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub columns: usize,
    pub rows: usize,
}

impl Shape {
    /// From a cell to the one below.
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

    /// The cells of places in order, from one on: no end is known to them.
    pub fn cells_from(self, place: usize) -> impl Iterator<Item = usize> {
        let (x, y) = (place % self.columns, place / self.columns);
        let (mut left, mut next) = (self.columns - x, self.cell(x, y));
        std::iter::from_fn(move || {
            if left == 0 {
                // Over the border at the end of the row and that at the beginning of the next.
                (left, next) = (self.columns, next + 2);
            }
            (left, next) = (left - 1, next + 1);
            Some(next - 1)
        })
    }
}

/// What the search notes of each cell.
pub struct Notes<'a> {
    /// In which order the search came to it, from 1 on, and the first one that it or a cell below it lies beside.
    pub order: &'a mut [u32],
    pub low: &'a mut [u32],
    pub marks: &'a mut [u8],
}

/// A search from one cell, without recursion, that can stop and go on.
#[derive(Clone, Debug, Default)]
pub struct Depth {
    root: usize,
    at: usize,
    /// How many cells it came to, with those of searches before it in the same cells.
    pub count: u32,
    /// Whether it has marked a cell as needed. The root never is.
    pub finds_needed: bool,
    /// How many ways lead from the root to cells that are to be joined, where the root is the only way between them.
    pub ways_from_root: u32,
}

impl Depth {
    /// Begins at a cell.
    pub fn begin(&mut self, root: usize, notes: &mut Notes) {
        self.count += 1;
        (notes.order[root], notes.low[root]) = (self.count, self.count);
        (self.root, self.at, self.ways_from_root) = (root, root, 0);
    }

    /// Goes on, to so many cells at most; true when there are no more.
    pub fn resume(&mut self, shape: Shape, notes: &mut Notes, most: u32) -> bool {
        // Two sides that lie opposite differ in the last bit.
        let sides = [usize::MAX, 1, shape.stride().wrapping_neg(), shape.stride()];
        let beside = |cell: usize, side: u8| cell.wrapping_add(sides[side as usize & 3]);
        let Notes { order, low, marks } = notes;
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
                marks[cell] = marks[cell] & !SIDES | side << SIDE;
                self.count += 1;
                (order[to], low[to]) = (self.count, self.count);
                marks[to] |= (side - 1) << CAME;
                (cell, lowest, side) = (to, self.count, 0);
                if self.count == end {
                    self.at = cell;
                    return false;
                }
                continue;
            }
            low[cell] = lowest;
            let mark = marks[cell];
            marks[cell] = mark & !SIDES | ALL_SIDES << SIDE;
            if cell == self.root {
                self.at = cell;
                return true;
            }
            let above = beside(cell, (mark >> CAME & 3) ^ 1);
            let known = marks[above];
            if mark & LEADS != 0 {
                let is_needed = above != self.root && lowest >= order[above] && known & MUST == 0;
                marks[above] = known | LEADS | if is_needed { NEEDED } else { 0 };
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
    (mark & SIDES) >> SIDE
}
