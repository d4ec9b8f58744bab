//! `connected` and `reachable`: what all pieces or ways need, which are articulation points (after Hopcroft and Tarjan,
//! 1973), and what none can use.

use super::{Board, Rest, Wiped};
use crate::value::budget::Budget;
use crate::value::room;

const NONE: u32 = u32::MAX;

/// What is known of a cell: whether it may and must hold one of the values, whether a cell that must lies at or below it
/// in the tree of the search, and whether all ways need it.
const MAY: u16 = 1;
const MUST: u16 = 2;
const LEADS: u16 = 4;
const NEEDED: u16 = 8;
/// The side that is looked at next, and the side from which the search came.
const SIDE: u16 = 4;
const CAME: u16 = 8;
const THREE_BITS: u16 = 7;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Begin,
    Look,
    Search,
    Take,
}

/// A look at all cells, a search in depth from one of them, and a second look that takes away what the search rules out.
#[derive(Clone, Debug, Default)]
pub(super) struct Joining {
    stage: Stage,
    cells: Vec<u16>,
    order: Vec<u32>,
    low: Vec<u32>,
    root: Option<usize>,
    at: usize,
    count: u32,
}

/// The cells that are to be joined: their grid, the values that they hold, and the two ends of a way if it is one.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub columns: usize,
    pub rows: usize,
    pub values: &'a [u64],
    pub ends: Option<[u32; 2]>,
}

impl Piece<'_> {
    /// The neighbour of a cell on one of four sides; two that lie opposite differ in the last bit.
    fn neighbour(&self, cell: usize, side: u16) -> Option<usize> {
        let (x, y) = (cell % self.columns, cell / self.columns);
        match side {
            0 if x > 0 => Some(cell - 1),
            1 if x + 1 < self.columns => Some(cell + 1),
            2 if y > 0 => Some(cell - self.columns),
            3 if y + 1 < self.rows => Some(cell + self.columns),
            _ => None,
        }
    }
}

impl Joining {
    pub fn go(&mut self, board: &mut Board, number: u32, piece: Piece, budget: &mut Budget) -> Result<Rest, Wiped> {
        if self.stage == Stage::Begin {
            let bytes = board.places * (size_of::<u16>() + 2 * size_of::<u32>());
            if !board.is_granted(bytes) {
                return Ok(Rest::Wants(bytes));
            }
            for end in piece.ends.into_iter().flatten() {
                board.keep(end as usize, piece.values, Some(number))?;
            }
            self.cells.reserve_exact(board.places);
            self.order = vec![NONE; board.places];
            self.low = vec![NONE; board.places];
            self.stage = Stage::Look;
        }
        if self.stage == Stage::Look && !self.look(board, piece, budget) {
            return Ok(Rest::NotYet);
        }
        if self.stage == Stage::Search {
            let Some(root) = self.root else { return Ok(Rest::Reached) };
            if !self.search(piece, root, budget) {
                return Ok(Rest::NotYet);
            }
            if piece.ends.is_some_and(|ends| self.order[ends[1] as usize] == NONE) {
                return Err(Wiped);
            }
            (self.stage, self.at) = (Stage::Take, 0);
        }
        while self.at < self.cells.len() {
            if budget.is_spent() {
                return Ok(Rest::NotYet);
            }
            budget.spend(2);
            let cell = self.cells[self.at];
            if piece.ends.is_none() && cell & MAY != 0 && self.order[self.at] == NONE {
                board.leave_out(self.at, piece.values, Some(number))?;
            }
            if cell & NEEDED != 0 {
                board.keep(self.at, piece.values, Some(number))?;
            }
            self.at += 1;
        }
        Ok(Rest::Reached)
    }

    /// Finds out what the cells may and must hold, and where to begin.
    fn look(&mut self, board: &Board, piece: Piece, budget: &mut Budget) -> bool {
        while self.cells.len() < board.places {
            if budget.is_spent() {
                return false;
            }
            let place = self.cells.len();
            let candidates = board.candidates(place);
            budget.spend(3 + 2 * candidates.words().1.len());
            let must = match piece.ends {
                Some([_, to]) => place == to as usize,
                None => !candidates.has_others(piece.values),
            };
            let may = candidates.meets(piece.values);
            self.cells.push(if may { MAY } else { 0 } | if must { MUST | LEADS } else { 0 });
            if must && self.root.is_none() {
                self.root = Some(place);
            }
        }
        if let Some([from, _]) = piece.ends {
            self.root = Some(from as usize);
        }
        if let Some(root) = self.root {
            (self.order[root], self.low[root], self.at) = (0, 0, root);
        }
        self.stage = Stage::Search;
        true
    }

    /// Searches in depth, without recursion: each cell knows from which side the search came to it.
    fn search(&mut self, piece: Piece, root: usize, budget: &mut Budget) -> bool {
        loop {
            if budget.is_spent() {
                return false;
            }
            budget.spend(2);
            let cell = self.at;
            let side = self.cells[cell] >> SIDE & THREE_BITS;
            if side < 4 {
                self.cells[cell] += 1 << SIDE;
                match piece.neighbour(cell, side).filter(|next| self.cells[*next] & MAY != 0) {
                    Some(next) if self.order[next] == NONE => {
                        self.count += 1;
                        (self.order[next], self.low[next]) = (self.count, self.count);
                        self.cells[next] |= side << CAME;
                        self.at = next;
                    }
                    Some(next) => self.low[cell] = self.low[cell].min(self.order[next]),
                    None => {}
                }
                continue;
            }
            if cell == root {
                return true;
            }
            let came = self.cells[cell] >> CAME & THREE_BITS;
            let Some(above) = piece.neighbour(cell, came ^ 1) else { return true };
            self.low[above] = self.low[above].min(self.low[cell]);
            if self.cells[cell] & LEADS != 0 {
                self.cells[above] |= LEADS;
                if self.low[cell] >= self.order[above] && self.cells[above] & MUST == 0 {
                    self.cells[above] |= NEEDED;
                }
            }
            self.at = above;
        }
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.cells) + room::row(&self.order) + room::row(&self.low)
    }
}
