//! Guesses that are propagated to the fixpoint in one go: on a board whose only constraint is `adjacent`, as most
//! maps are.
//!
//! The result is that of [`Heap::bring_to_rest`] and settling: the same candidates, written in the same order, for
//! the same visits, but without the state that lets those stop and resume. In any other case, when more memory, more
//! visits or a failure would result, nothing has changed, and the general code runs instead.

use super::Board;
use crate::store::heap::Heap;
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};
use ndscript_solver::{count_of, ones};

impl Board {
    /// Leaves a place one of its candidates and propagates in the solver, see
    /// [`Solver::spread`](ndscript_solver::Solver::spread).
    fn spread(&mut self, place: usize, value: Value, most: usize) -> Option<usize> {
        let Board {
            solver,
            universe,
            sizes,
            ..
        } = self;
        let sizes = sizes.as_deref()?;
        let before = *solver.domains().first_words().get(place)?;
        let left = 1 << ones(&[before]).find(|number| universe[*number] == value)?;
        solver.spread(place, left, |other| sizes.count_of(other), most)
    }

    /// The visits of writing all places that have changed, if their sets are known.
    fn visits_of_changes(&self) -> Option<usize> {
        let words = self.solver.domains().first_words();
        let mut visits = 0;
        for place in self.solver.changed() {
            let bits = words[*place as usize];
            if self.near_set(bits).is_none() && !self.sets.contains_key(&bits) {
                return None;
            }
            visits += Board::visits_of_settling(count_of(bits));
        }
        Some(visits)
    }
}

impl Heap {
    /// Whether guesses at a board are propagated in one go, unless something else happens to it.
    pub fn rests_at_once(&self, handle: Handle) -> bool {
        let board = &self.boards[handle];
        self.observed.written.is_none()
            && board.solver.can_spread()
            && board.container.is_kind(Kind::Grid)
            && self.has_sizes(handle, false)
    }

    /// Reads the memory that a guess at a cell is about to read and change. On large maps it is far apart: reading it
    /// at once costs one cache miss instead of several.
    #[inline]
    pub fn reach_for(&self, handle: Handle, grid: Handle, place: usize) {
        let (board, grid) = (&self.boards[handle], &self.grids[grid]);
        let (words, columns) = (board.solver.domains().first_words(), grid.width as usize);
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

    /// Leaves a place of such a board one of its candidates and propagates to the fixpoint, for less than `most`
    /// visits. Returns the visits; `None` if it takes more, or fails, and then nothing has changed. `fits` checks for
    /// memory.
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
        let count = board.solver.changed().len();
        let visits = visits.filter(|visits| {
            // An entry of the trail for each.
            *visits < most
                && fits(
                    self,
                    64 * count
                        + self.grids[container.payload()]
                            .slots
                            .bytes_to_log(self.serials.top),
                )
        });
        if visits.is_none() {
            self.take_back(handle);
            return None;
        }
        self.begin_noting(handle, None);
        self.boards[handle].claim += 1;
        self.write_changes(handle, container.payload());
        self.boards[handle].solver.end_spread();
        visits
    }

    /// Writes the cells of changed places, whose sets are known.
    fn write_changes(&mut self, handle: Handle, grid: Handle) {
        let Heap {
            boards,
            grids,
            trail,
            account,
            serials,
            ..
        } = self;
        let board = &mut boards[handle];
        let Some(mut cells) = grids[grid].plain_cells(serials.top) else {
            return self.write_changes_anyhow(handle, grid);
        };
        for at in 0..board.solver.changed().len() {
            let place = board.solver.changed()[at] as usize;
            let bits = board.solver.domains().first_words()[place];
            let Some(set) = board.set_of_bits(bits) else {
                continue;
            };
            if let Some(sizes) = &mut board.sizes {
                sizes.set(place, count_of(bits));
            }
            if let Some(undo) = cells.set(place, set) {
                if !trail.has_room(1) {
                    account.bytes += trail.make_room(1);
                }
                trail.push(Entry::of_slots(Target::Grid, Target::Grid, grid, undo));
            }
        }
    }

    /// As `write_changes`, where a write takes more than logging.
    #[cold]
    #[inline(never)]
    fn write_changes_anyhow(&mut self, handle: Handle, grid: Handle) {
        for at in 0..self.boards[handle].solver.changed().len() {
            let board = &mut self.boards[handle];
            let place = board.solver.changed()[at] as usize;
            let bits = board.solver.domains().first_words()[place];
            let Some(set) = board.set_of_bits(bits) else {
                continue;
            };
            if let Some(sizes) = &mut board.sizes {
                sizes.set(place, count_of(bits));
            }
            self.set_cell(grid, place, set);
        }
    }

    /// Restores the bits that are ahead of their cells.
    #[cold]
    fn take_back(&mut self, handle: Handle) {
        while let Some(place) = self.boards[handle].solver.take_back_spread() {
            self.follow(handle, place as usize);
        }
    }
}
