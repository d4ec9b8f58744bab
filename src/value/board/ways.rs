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
    /// Cells that have changed are not looked at one by one: everything is looked at.
    Clear,
    Reserve,
    Look,
    Search,
    Take,
    /// What it has taken away itself changes nothing for it.
    End,
}

/// A look at all cells, a search in depth from one of them, and a second look that takes away what the search rules out.
/// Cells lie in rows with a border around, which nothing may be on, so that each has four neighbours.
#[derive(Clone, Debug, Default)]
pub(super) struct Joining {
    stage: Stage,
    cells: Vec<u16>,
    order: Vec<u32>,
    low: Vec<u32>,
    root: Option<usize>,
    /// The place or the cell that is looked at next.
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
    /// From a cell to the one below.
    fn stride(&self) -> usize {
        self.columns + 2
    }

    fn cell_count(&self) -> usize {
        self.stride() * (self.rows + 2)
    }

    fn cell_of(&self, place: usize) -> usize {
        (place / self.columns + 1) * self.stride() + place % self.columns + 1
    }

    /// The places around another, in a circle; those beside it come first, third, fifth and seventh.
    fn around(&self, place: usize) -> [Option<usize>; 8] {
        let (x, y) = (place % self.columns, place / self.columns);
        [(1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0)].map(|(across, down)| {
            let (x, y) = ((x + across).checked_sub(1)?, (y + down).checked_sub(1)?);
            (x < self.columns && y < self.rows).then_some(y * self.columns + x)
        })
    }

    /// Whether the change of one cell can have no consequence, where the board was at rest before.
    fn is_harmless(&self, board: &Board, place: usize) -> bool {
        let may = |place: usize| board.candidates(place).meets(self.values);
        let must = |place: usize| !board.candidates(place).has_others(self.values);
        let around = self.around(place);
        let beside = || around.into_iter().step_by(2).flatten();
        if may(place) {
            // What another cell that must be on the piece needs, this one needs, too, if it lies beside.
            return self.ends.is_some() || !must(place) || beside().any(must);
        }
        if self.ends.is_some_and(|ends| ends.contains(&(place as u32))) {
            return false;
        }
        // Nothing led through it, or everything that did can go around, past cells that are on the piece already or that have
        // a way around themselves.
        let is_open = around.map(|place| place.is_some_and(may));
        if is_open.into_iter().all(|is_open| is_open) {
            return true;
        }
        let Some([from, to]) = arc(is_open) else {
            return is_open.into_iter().step_by(2).filter(|open| *open).count() <= 1;
        };
        (from + 1..to).all(|at| around[at % 8].is_some_and(|passed| must(passed) || self.can_be_passed(board, passed)))
    }

    /// Whether the cells beside another are joined around it, so that nothing needs it.
    fn can_be_passed(&self, board: &Board, place: usize) -> bool {
        let may = |place: usize| board.candidates(place).meets(self.values);
        let is_open = self.around(place).map(|place| place.is_some_and(may));
        is_open.into_iter().step_by(2).filter(|open| *open).count() <= 1 || arc(is_open).is_some()
    }
}

/// The stretch of a circle of eight cells that joins all open ones beside the cell in its middle, from the first of them to
/// the last, which may be counted beyond the end; nothing if they are not joined by open cells, or fewer than two.
fn arc(is_open: [bool; 8]) -> Option<[usize; 2]> {
    let beside = [0, 2, 4, 6].into_iter().filter(|at| is_open[*at]).count();
    [0, 2, 4, 6].into_iter().filter(|from| beside > 1 && is_open[*from]).find_map(|from| {
        let run = (from..from + 8).take_while(|at| is_open[at % 8]);
        let mut met = run.filter(|at| at % 2 == 0);
        met.nth(beside - 1).map(|to| [from, to])
    })
}

impl Joining {
    pub fn go(&mut self, board: &mut Board, number: u32, piece: Piece, budget: &mut Budget) -> Result<Rest, Wiped> {
        if self.stage == Stage::Begin {
            budget.spend(16);
            let pending = &mut board.pending[number as usize];
            if board.places > 1
                && pending.cells.len() == 1
                && let Some(place) = pending.pop()
                && piece.is_harmless(board, place as usize)
            {
                return Ok(Rest::Reached);
            }
            self.stage = Stage::Clear;
        }
        if self.stage == Stage::Clear {
            if !clear(board, number, budget) {
                return Ok(Rest::NotYet);
            }
            self.stage = Stage::Reserve;
        }
        if self.stage == Stage::Reserve {
            let count = piece.cell_count();
            let bytes = count * (size_of::<u16>() + 2 * size_of::<u32>());
            if !board.is_granted(bytes) {
                return Ok(Rest::Wants(bytes));
            }
            for end in piece.ends.into_iter().flatten() {
                board.keep(end as usize, piece.values, Some(number))?;
            }
            self.cells = vec![0; count];
            self.order = vec![NONE; count];
            self.low = vec![NONE; count];
            self.stage = Stage::Look;
        }
        if self.stage == Stage::Look && !self.look(board, piece, budget) {
            return Ok(Rest::NotYet);
        }
        if self.stage == Stage::Search {
            if let Some(root) = self.root {
                if !self.search(piece, root, budget) {
                    return Ok(Rest::NotYet);
                }
                if piece.ends.is_some_and(|ends| self.order[piece.cell_of(ends[1] as usize)] == NONE) {
                    return Err(Wiped);
                }
                (self.stage, self.at) = (Stage::Take, 0);
            } else {
                self.stage = Stage::End;
            }
        }
        while self.stage == Stage::Take {
            if self.at == board.places {
                self.stage = Stage::End;
                break;
            }
            if budget.is_spent() {
                return Ok(Rest::NotYet);
            }
            let (place, cell) = (self.at, piece.cell_of(self.at));
            let count = (piece.columns - place % piece.columns).min(budget.room_for(2));
            budget.spend(2 * count);
            self.at += count;
            for (at, known) in self.cells[cell..cell + count].iter().enumerate() {
                if piece.ends.is_none() && known & MAY != 0 && self.order[cell + at] == NONE {
                    board.leave_out(place + at, piece.values, Some(number))?;
                }
                if known & NEEDED != 0 {
                    board.keep(place + at, piece.values, Some(number))?;
                }
            }
        }
        Ok(if clear(board, number, budget) { Rest::Reached } else { Rest::NotYet })
    }

    /// Finds out what the cells may and must hold, and where to begin.
    fn look(&mut self, board: &Board, piece: Piece, budget: &mut Budget) -> bool {
        while self.at < board.places {
            if budget.is_spent() {
                return false;
            }
            let (place, cell) = (self.at, piece.cell_of(self.at));
            if board.domains.is_plain() {
                self.look_along(board, piece, cell, budget);
                continue;
            }
            let candidates = board.candidates(place);
            budget.spend(3 + 2 * candidates.words().1.len());
            let must = match piece.ends {
                Some([_, to]) => place == to as usize,
                None => !candidates.has_others(piece.values),
            };
            let may = candidates.meets(piece.values);
            self.cells[cell] = if may { MAY } else { 0 } | if must { MUST | LEADS } else { 0 };
            if must && self.root.is_none() {
                self.root = Some(cell);
            }
            self.at += 1;
        }
        if let Some([from, _]) = piece.ends {
            self.root = Some(piece.cell_of(from as usize));
        }
        if let Some(root) = self.root {
            (self.order[root], self.low[root], self.at) = (0, 0, root);
        }
        self.stage = Stage::Search;
        true
    }

    /// Does so with the rest of a row of cells whose candidates are one word each.
    fn look_along(&mut self, board: &Board, piece: Piece, cell: usize, budget: &mut Budget) {
        let left = piece.columns - self.at % piece.columns;
        let count = left.min(budget.room_for(5));
        budget.spend(5 * count);
        let values = piece.values.first().copied().unwrap_or(0);
        let all_must = if piece.ends.is_none() { MUST | LEADS } else { 0 };
        let words = &board.domains.first_words()[self.at..self.at + count];
        for (known, bits) in self.cells[cell..cell + count].iter_mut().zip(words) {
            let may = if bits & values != 0 { MAY } else { 0 };
            let must = if bits & !values == 0 { all_must } else { 0 };
            *known = may | must;
        }
        if self.root.is_none() {
            let first = self.cells[cell..cell + count].iter().position(|known| known & MUST != 0);
            self.root = first.map(|at| cell + at);
        }
        if let Some([_, to]) = piece.ends {
            let to = to as usize;
            if (self.at..self.at + count).contains(&to) {
                self.cells[cell + to - self.at] |= MUST | LEADS;
            }
        }
        self.at += count;
    }

    /// Searches in depth, without recursion: each cell knows from which side the search came to it. Two sides that lie
    /// opposite differ in the last bit.
    fn search(&mut self, piece: Piece, root: usize, budget: &mut Budget) -> bool {
        let sides = [usize::MAX, 1, piece.stride().wrapping_neg(), piece.stride()];
        let beside = |cell: usize, side: u16| cell.wrapping_add(sides[side as usize & 3]);
        let (cells, order, low) = (&mut self.cells[..], &mut self.order[..], &mut self.low[..]);
        let room = budget.room_for(1);
        let mut done = 0;
        let is_done = loop {
            if done >= room {
                break false;
            }
            done += 1;
            let cell = self.at;
            let side = cells[cell] >> SIDE & THREE_BITS;
            if side < 4 {
                cells[cell] += 1 << SIDE;
                let next = beside(cell, side);
                if cells[next] & MAY == 0 {
                    continue;
                }
                if order[next] == NONE {
                    self.count += 1;
                    (order[next], low[next]) = (self.count, self.count);
                    cells[next] |= side << CAME;
                    self.at = next;
                } else {
                    low[cell] = low[cell].min(order[next]);
                }
                continue;
            }
            if cell == root {
                break true;
            }
            let came = cells[cell] >> CAME & THREE_BITS;
            let above = beside(cell, came ^ 1);
            low[above] = low[above].min(low[cell]);
            if cells[cell] & LEADS != 0 {
                cells[above] |= LEADS;
                if low[cell] >= order[above] && cells[above] & MUST == 0 {
                    cells[above] |= NEEDED;
                }
            }
            self.at = above;
        };
        budget.spend(done);
        is_done
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.cells) + room::row(&self.order) + room::row(&self.low)
    }
}

/// Goes on to forget which cells have changed; true when that is done.
fn clear(board: &mut Board, number: u32, budget: &mut Budget) -> bool {
    let pending = &mut board.pending[number as usize];
    while pending.pop().is_some() {
        if budget.is_spent() {
            return false;
        }
        budget.spend(1);
    }
    true
}
