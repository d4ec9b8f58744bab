//! `connected` and `reachable`: what all pieces or ways need, which are articulation points (after Hopcroft and Tarjan,
//! 1973), and what none can use.

use super::{Board, Wiped};

/// The cells of a grid by what they may and must hold.
pub(super) struct Cells {
    columns: usize,
    rows: usize,
    may: Vec<bool>,
    must: Vec<bool>,
}

/// What can be reached from a cell, and the cells that every way from there to a cell that must hold something passes.
struct Reach {
    reached: Vec<bool>,
    needed: Vec<usize>,
}

const NONE: u32 = u32::MAX;

impl Cells {
    fn of(board: &Board, (columns, rows): (u32, u32), values: &[u64]) -> Cells {
        let cells = board.places;
        let meets = |place: usize, inverted: bool| {
            let flip = if inverted { u64::MAX } else { 0 };
            board.candidates(place).iter().zip(values).any(|(bits, values)| bits & (values ^ flip) != 0)
        };
        Cells {
            columns: columns as usize,
            rows: rows as usize,
            may: (0..cells).map(|place| meets(place, false)).collect(),
            must: (0..cells).map(|place| !meets(place, true)).collect(),
        }
    }

    /// The neighbour of a cell on one of four sides.
    fn neighbour(&self, cell: usize, side: usize) -> Option<usize> {
        let (x, y) = (cell % self.columns, cell / self.columns);
        match side {
            0 if x > 0 => Some(cell - 1),
            1 if x + 1 < self.columns => Some(cell + 1),
            2 if y > 0 => Some(cell - self.columns),
            3 if y + 1 < self.rows => Some(cell + self.columns),
            _ => None,
        }
    }

    /// A search in depth from a cell, without recursion.
    fn reach(&self, root: usize) -> Reach {
        let mut order = vec![NONE; self.may.len()];
        let mut low = vec![NONE; self.may.len()];
        // Whether a cell that must hold something lies at or below it in the tree of the search.
        let mut leads = self.must.clone();
        let mut needed = Vec::new();
        let mut count = 0;
        let mut path = vec![(root, 0)];
        (order[root], low[root]) = (0, 0);
        while let Some((cell, side)) = path.last_mut() {
            let cell = *cell;
            if *side < 4 {
                let next = self.neighbour(cell, *side).filter(|next| self.may[*next]);
                *side += 1;
                match next {
                    Some(next) if order[next] == NONE => {
                        count += 1;
                        (order[next], low[next]) = (count, count);
                        path.push((next, 0));
                    }
                    Some(next) => low[cell] = low[cell].min(order[next]),
                    None => {}
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                let above = *above;
                low[above] = low[above].min(low[cell]);
                leads[above] |= leads[cell];
                if leads[cell] && low[cell] >= order[above] && !self.must[above] {
                    needed.push(above);
                }
            }
        }
        Reach { reached: order.iter().map(|order| *order != NONE).collect(), needed }
    }
}

/// Lets the cells that hold one of some values be one piece.
pub(super) fn connect(board: &mut Board, number: u32, size: (u32, u32), values: &[u64]) -> Result<(), Wiped> {
    let cells = Cells::of(board, size, values);
    let Some(root) = cells.must.iter().position(|must| *must) else { return Ok(()) };
    let Reach { reached, needed } = cells.reach(root);
    let others: Vec<u64> = values.iter().map(|word| !word).collect();
    for (cell, (may, reached)) in cells.may.iter().zip(&reached).enumerate() {
        if *may && !reached {
            board.keep(cell, &others, Some(number))?;
        }
    }
    for cell in needed {
        board.keep(cell, values, Some(number))?;
    }
    Ok(())
}

/// Lets a way of cells that hold one of some values join two cells.
pub(super) fn join(
    board: &mut Board,
    number: u32,
    size: (u32, u32),
    values: &[u64],
    [from, to]: [u32; 2],
) -> Result<(), Wiped> {
    for end in [from, to] {
        board.keep(end as usize, values, Some(number))?;
    }
    let mut cells = Cells::of(board, size, values);
    cells.must.fill(false);
    cells.must[to as usize] = true;
    let Reach { reached, needed } = cells.reach(from as usize);
    if !reached[to as usize] {
        return Err(Wiped);
    }
    for cell in needed {
        board.keep(cell, values, Some(number))?;
    }
    Ok(())
}
