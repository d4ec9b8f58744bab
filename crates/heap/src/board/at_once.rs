//! Guesses that are brought to rest in one go: on a board whose only constraint is `adjacent`, as most maps are.
//!
//! What comes of it is what [`Heap::bring_to_rest`] and settling come to: the same candidates, written in the same order, for
//! the same visits. What those need to stop and to go on is left out. Where anything is out of the ordinary, so that more
//! memory, more visits or a failure come of it, nothing has changed, and the general way does it.

use super::relating::{Neighbours, VISITS_OF_LOOK};
use super::{Board, Pending, Sizes, count_of, ones};
use crate::heap::Heap;
use crate::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};

/// As many as freezing a value, finding its bit and narrowing a place take.
pub const VISITS_OF_GUESS: usize = 16;

impl Board {
    /// The visits of writing a place that has so many candidates.
    #[inline]
    pub fn visits_of_settling(count: u32) -> usize {
        16 + 8 * count as usize
    }

    /// Whether nothing is under way, or is to be noted.
    fn is_idle(&self) -> bool {
        self.under_way.is_none()
            && self.waking.first().is_some_and(|waking| !waking.is_queued)
            && self.changed.is_empty()
            && self.wakes == 0
            && self.heights.len() == self.constraints.len()
    }

    /// Leaves a place one of its candidates, and its neighbours, theirs and so on what goes with that. Returns the visits;
    /// `None` if they are not less than `most`, or a place is left without a candidate. Bits run ahead of their cells then
    /// in both cases.
    fn spread(&mut self, place: usize, value: Value, most: usize) -> Option<usize> {
        let Board {
            constraints,
            universe,
            domains,
            pending,
            sizes,
            changed,
            ..
        } = self;
        let neighbours = Neighbours::of_constraint(constraints.first()?)?;
        let (sizes, pending, words) = (
            sizes.as_deref()?,
            pending.first_mut()?,
            domains.first_words_mut(),
        );
        let before = *words.get(place)?;
        let left = 1 << ones(&[before]).find(|number| universe[*number] == value)?;
        if before == left {
            return None;
        }
        words[place] = left;
        changed.push(place as u32);
        let mut waiting = Waiting {
            pending,
            are_marked: false,
        };
        waiting.push(place);
        let (mut visits, mut wakes) = (VISITS_OF_GUESS + VISITS_OF_LOOK, 1);
        let all = u64::MAX >> (64 - universe.len());
        let alone = neighbours.only_table();
        while let Some(cell) = waiting.pop() {
            let word = words[cell];
            let (around, each) = (
                neighbours.around(cell),
                count_of(word) as usize + VISITS_OF_LOOK,
            );
            let mut known = alone.map_or((u32::MAX, 0), |supports| (0, supports.of_word(word)));
            if around.is_inside && alone.is_some() && known.1 & all == all {
                visits += each * neighbours.directions.len();
                continue;
            }
            let mut look = Look {
                words: &mut *words,
                waiting: &mut waiting,
                changed: &mut *changed,
                sizes,
                wakes: 0,
            };
            for direction in neighbours.directions {
                let Some(to) = around.cell(direction) else {
                    continue;
                };
                visits += each;
                if known.0 != direction.table {
                    known = (direction.table, neighbours.allowed(direction, word));
                }
                look.keep(to, known.1)?;
            }
            wakes += look.wakes;
            if visits >= most {
                return None;
            }
        }
        Some(visits + wakes)
    }

    /// The visits of writing all places that have changed, if their sets are known.
    fn visits_of_changes(&self) -> Option<usize> {
        let words = self.domains.first_words();
        let mut visits = 0;
        for place in &self.changed {
            let bits = words[*place as usize];
            if self.near_set(bits).is_none() && !self.sets.contains_key(&bits) {
                return None;
            }
            visits += Board::visits_of_settling(count_of(bits));
        }
        Some(visits)
    }
}

/// Cells that wait to be looked at. As long as they are few, they are not marked: the marks of all cells lie far apart.
struct Waiting<'a> {
    pending: &'a mut Pending,
    are_marked: bool,
}

/// So many cells that wait are few.
const FEW: usize = 16;

impl Waiting<'_> {
    #[inline(always)]
    fn push(&mut self, cell: usize) {
        if self.are_marked {
            return self.pending.push(cell);
        }
        let cells = &mut self.pending.cells;
        if cells.contains(&(cell as u32)) {
            return;
        }
        cells.push(cell as u32);
        if cells.len() == FEW {
            self.mark();
        }
    }

    #[cold]
    fn mark(&mut self) {
        let Pending { cells, is_in } = &mut *self.pending;
        cells.iter().for_each(|cell| is_in[*cell as usize] = true);
        self.are_marked = true;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<usize> {
        let cell = self.pending.cells.pop()? as usize;
        if self.are_marked {
            self.pending.is_in[cell] = false;
        }
        Some(cell)
    }
}

/// A look at the neighbours of a cell.
struct Look<'a, 'b> {
    words: &'a mut [u64],
    waiting: &'a mut Waiting<'b>,
    changed: &'a mut Vec<u32>,
    sizes: &'a Sizes,
    wakes: usize,
}

impl Look<'_, '_> {
    /// Leaves a neighbour what is allowed; `None` if that is nothing.
    #[inline(always)]
    fn keep(&mut self, to: usize, allowed: u64) -> Option<()> {
        let before = self.words[to];
        let left = before & allowed;
        if left == before {
            return Some(());
        }
        self.words[to] = left;
        // It has not changed yet if it still has as many as its cell.
        if self.sizes.count_of(to) == count_of(before) {
            self.changed.push(to as u32);
        }
        if left == 0 {
            return None;
        }
        self.wakes += 1;
        self.waiting.push(to);
        Some(())
    }
}

impl Heap {
    /// Whether guesses at a board are brought to rest in one go, as long as nothing else becomes of it.
    pub fn rests_at_once(&self, handle: Handle) -> bool {
        let board = &self.boards[handle];
        let [constraint] = &board.constraints[..] else {
            return false;
        };
        let Some(neighbours) = Neighbours::of_constraint(constraint) else {
            return false;
        };
        let is_watched = self.written.is_some() || board.is_explained;
        board.universe.len() <= 64
            && neighbours.are_words(board)
            && !is_watched
            && board.is_idle()
            && board.container.is_kind(Kind::Grid)
            && self.has_sizes(handle, false)
    }

    /// Reads what a guess at a cell is about to look at and to change. On large maps that lies far apart in memory: read at
    /// once, it is waited for once.
    #[inline]
    pub fn reach_for(&self, handle: Handle, grid: Handle, place: usize) {
        let (board, grid) = (&self.boards[handle], &self.grids[grid]);
        let (words, columns) = (board.domains.first_words(), grid.width as usize);
        let around = [place.wrapping_sub(columns), place, place + columns];
        let words = around
            .into_iter()
            .fold(0, |read, cell| read ^ words.get(cell).copied().unwrap_or(0));
        let count = board
            .sizes
            .as_deref()
            .map_or(0, |sizes| sizes.count_of(place));
        let read = words ^ grid.slots.reach_for(place) ^ u64::from(count);
        std::hint::black_box(read);
    }

    /// Leaves a place of such a board one of its candidates and brings the board to rest, for less than so many visits,
    /// which are returned. `None` if that takes more, or fails; nothing has changed then. `fits` is asked for memory.
    pub fn guess_at_once(
        &mut self,
        handle: Handle,
        place: usize,
        value: Value,
        most: usize,
        fits: impl Fn(&mut Heap, usize) -> bool,
    ) -> Option<usize> {
        let board = &mut self.boards[handle];
        let container = board.container;
        let visits = board.spread(place, value, most);
        let visits = visits.and_then(|visits| Some(visits + board.visits_of_changes()?));
        let count = board.changed.len();
        let visits = visits.filter(|visits| {
            // An entry of the trail for each.
            *visits < most
                && fits(
                    self,
                    64 * count + self.grids[container.payload()].slots.bytes_to_log(self.top),
                )
        });
        if visits.is_none() {
            self.take_back(handle);
            return None;
        }
        self.begin_noting(handle, None);
        self.boards[handle].claim += 1;
        self.write_changes(handle, container.payload());
        self.boards[handle].changed.clear();
        visits
    }

    /// Writes the cells of places that have changed, whose sets are known.
    fn write_changes(&mut self, handle: Handle, grid: Handle) {
        let Heap {
            boards,
            grids,
            trail,
            bytes,
            top,
            ..
        } = self;
        let board = &mut boards[handle];
        let Some(mut cells) = grids[grid].plain_cells(*top) else {
            return self.write_changes_anyhow(handle, grid);
        };
        for at in 0..board.changed.len() {
            let place = board.changed[at] as usize;
            let bits = board.domains.first_words()[place];
            let Some(set) = board.set_of_bits(bits) else {
                continue;
            };
            if let Some(sizes) = &mut board.sizes {
                sizes.set(place, count_of(bits));
            }
            if let Some(undo) = cells.set(place, set) {
                if !trail.has_room(1) {
                    *bytes += trail.make_room(1);
                }
                trail.push(Entry::of_slots(Target::Grid, Target::Grid, grid, undo));
            }
        }
    }

    /// The same where there is more to a write.
    #[cold]
    #[inline(never)]
    fn write_changes_anyhow(&mut self, handle: Handle, grid: Handle) {
        for at in 0..self.boards[handle].changed.len() {
            let board = &mut self.boards[handle];
            let place = board.changed[at] as usize;
            let bits = board.domains.first_words()[place];
            let Some(set) = board.set_of_bits(bits) else {
                continue;
            };
            if let Some(sizes) = &mut board.sizes {
                sizes.set(place, count_of(bits));
            }
            self.set_cell(grid, place, set);
        }
    }

    /// Lets the bits that run ahead follow their cells again.
    #[cold]
    fn take_back(&mut self, handle: Handle) {
        let board = &mut self.boards[handle];
        while board
            .pending
            .first_mut()
            .is_some_and(|pending| pending.pop().is_some())
        {}
        while let Some(place) = self.boards[handle].changed.pop() {
            self.follow(handle, place as usize);
        }
    }
}
