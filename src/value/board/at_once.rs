//! Guesses that are brought to rest in one go: on a board whose only constraint is `adjacent`, as most maps are.
//!
//! What comes of it is what [`Heap::bring_to_rest`] and settling come to: the same candidates, written in the same order, for
//! the same visits. What those need to stop and to go on is left out. Where anything is out of the ordinary, so that more
//! memory, more visits or a failure come of it, nothing has changed, and the general way does it.

use super::relating::{Neighbours, VISITS_OF_LOOK};
use super::{Board, count_of, ones};
use crate::value::heap::Heap;
use crate::value::value::{Handle, Kind, Value};

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
            && self.is_queued.first() == Some(&false)
            && self.changed.is_empty()
            && self.wakes == 0
            && self.heights.len() == self.constraints.len()
    }

    /// Leaves a place one of its candidates, and its neighbours, theirs and so on what goes with that. Returns the visits;
    /// `None` if they are not less than `most`, or a place is left without a candidate. Bits run ahead of their cells then
    /// in both cases.
    #[cfg_attr(small_engine, optimize(speed))]
    fn spread(&mut self, place: usize, value: Value, most: usize) -> Option<usize> {
        let Board { constraints, universe, domains, pending, sizes, changed, .. } = self;
        let neighbours = Neighbours::of_constraint(constraints.first()?)?;
        let (sizes, pending, words) = (sizes.as_deref()?, pending.first_mut()?, domains.first_words_mut());
        let before = *words.get(place)?;
        let left = 1 << ones(&[before]).find(|number| universe[*number] == value)?;
        if before == left {
            return None;
        }
        words[place] = left;
        changed.push(place as u32);
        pending.push(place);
        let (mut visits, mut wakes) = (VISITS_OF_GUESS + VISITS_OF_LOOK, 1);
        let all = u64::MAX >> (64 - universe.len());
        while let Some(cell) = pending.pop() {
            let cell = cell as usize;
            let word = words[cell];
            let (around, each) = (neighbours.around(cell), count_of(word) as usize + VISITS_OF_LOOK);
            if around.is_inside && neighbours.allow_all(word, all) {
                visits += each * neighbours.directions.len();
                continue;
            }
            let mut known = (u32::MAX, 0);
            for direction in neighbours.directions {
                let Some(to) = around.cell(direction) else { continue };
                visits += each;
                if known.0 != direction.table {
                    known = (direction.table, neighbours.allowed(direction, word));
                }
                let before = words[to];
                let left = before & known.1;
                if left == before {
                    continue;
                }
                words[to] = left;
                // It has not changed yet if it still has as many as its cell.
                if sizes.count_of(to) == count_of(before) {
                    changed.push(to as u32);
                }
                if left == 0 || visits >= most {
                    return None;
                }
                wakes += 1;
                pending.push(to);
            }
        }
        Some(visits + wakes)
    }

    /// The visits of writing all places that have changed, if their sets are known.
    #[cfg_attr(small_engine, optimize(speed))]
    fn visits_of_changes(&mut self) -> Option<usize> {
        let mut visits = 0;
        for at in 0..self.changed.len() {
            let bits = self.domains.first_words()[self.changed[at] as usize];
            self.set_of_bits(bits)?;
            visits += Board::visits_of_settling(count_of(bits));
        }
        Some(visits)
    }
}

impl Heap {
    /// Whether guesses at a board are brought to rest in one go, as long as nothing else becomes of it.
    pub fn rests_at_once(&self, handle: Handle) -> bool {
        let board = &self.boards[handle];
        let [constraint] = &board.constraints[..] else { return false };
        let Some(neighbours) = Neighbours::of_constraint(constraint) else { return false };
        let is_watched = self.written.is_some() || board.is_explained;
        board.universe.len() <= 64
            && neighbours.are_words(board)
            && !is_watched
            && board.is_idle()
            && board.container.is_kind(Kind::Grid)
            && self.has_sizes(handle, false)
    }

    /// Leaves a place of such a board one of its candidates and brings the board to rest, for less than so many visits,
    /// which are returned. `None` if that takes more, or fails; nothing has changed then. `fits` is asked for memory.
    #[cfg_attr(small_engine, optimize(speed))]
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
            *visits < most && fits(self, 64 * count + self.bytes_to_write(container))
        });
        if visits.is_none() {
            self.take_back(handle);
            return None;
        }
        self.begin_noting(handle, None);
        self.boards[handle].claim += 1;
        for at in 0..count {
            let board = &mut self.boards[handle];
            let place = board.changed[at] as usize;
            let bits = board.domains.first_words()[place];
            let Some(set) = board.set_of_bits(bits) else { continue };
            if let Some(sizes) = &mut board.sizes {
                sizes.set(place, count_of(bits));
            }
            self.set_cell(container.payload(), place, set);
        }
        self.boards[handle].changed.clear();
        visits
    }

    /// Lets the bits that run ahead follow their cells again.
    #[cold]
    fn take_back(&mut self, handle: Handle) {
        let board = &mut self.boards[handle];
        while board.pending.first_mut().is_some_and(|pending| pending.pop().is_some()) {}
        while let Some(place) = self.boards[handle].changed.pop() {
            self.follow(handle, place as usize);
        }
    }
}
