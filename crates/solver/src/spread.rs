//! Propagates guesses to the fixpoint in one go: where the only constraint is `adjacent`, as on most maps.
//!
//! The result is that of [`Solver::propagate_to_fixpoint`]: equal candidates, for an equal number of visits. It cannot
//! stop and resume. Where it would need more visits, or fails, the caller restores what has changed and propagates in
//! the general way.

use super::propagation::waking::Pending;
use super::propagators::VISITS_OF_LOOK;
use super::{Constraint, Solver, count_of};

/// As many as freezing a value, finding its bit and narrowing a place take.
pub const VISITS_OF_GUESS: usize = 16;

impl Solver {
    /// Whether guesses can be propagated in one go.
    pub fn can_spread(&self) -> bool {
        let [constraint] = &self.constraints[..] else {
            return false;
        };
        let Constraint::Adjacent(own) = &**constraint else {
            return false;
        };
        self.values <= 64
            && own.neighbors().are_words(self)
            && !self.records_removals
            && self.is_idle()
    }

    /// Whether no propagation is unfinished, and nothing is to be recorded.
    fn is_idle(&self) -> bool {
        self.unfinished.is_none()
            && self.waking.first().is_some_and(|waking| !waking.is_queued)
            && self.changed.is_empty()
            && self.wakes == 0
            && self.heights.len() == self.constraints.len()
    }

    /// Leaves a place one of its candidates, as its only bit, and propagates that to its neighbors, theirs and so on.
    /// Returns the visits; `None` if they are not less than `most`, or a place is left without a candidate. In both
    /// cases the bits are then ahead of their cells. `count_before` returns how many candidates a place has as long as
    /// it has not changed.
    pub fn spread(
        &mut self,
        place: usize,
        left: u64,
        count_before: impl Fn(usize) -> u32,
        most: usize,
    ) -> Option<usize> {
        let Solver {
            constraints,
            values,
            domains,
            pending,
            changed,
            ..
        } = self;
        let Constraint::Adjacent(own) = &**constraints.first()? else {
            return None;
        };
        let neighbors = own.neighbors();
        let (pending, words) = (pending.first_mut()?, domains.first_words_mut());
        let before = *words.get(place)?;
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
        let all = u64::MAX >> (64 - *values);
        let alone = neighbors.only_table();
        while let Some(cell) = waiting.pop() {
            let word = words[cell];
            let (around, each) = (
                neighbors.around(cell),
                count_of(word) as usize + VISITS_OF_LOOK,
            );
            let mut known = alone.map_or((u32::MAX, 0), |supports| (0, supports.of_word(word)));
            if around.is_inside && alone.is_some() && known.1 & all == all {
                visits += each * neighbors.directions.len();
                continue;
            }
            let mut look = NeighborVisit {
                words: &mut *words,
                waiting: &mut waiting,
                changed: &mut *changed,
                count_before: &count_before,
                wakes: 0,
            };
            for direction in neighbors.directions {
                let Some(to) = around.cell(direction) else {
                    continue;
                };
                visits += each;
                if known.0 != direction.table {
                    known = (direction.table, neighbors.allowed(direction, word));
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

    /// Discards the places that [`Solver::spread`] has changed, which were written.
    pub fn end_spread(&mut self) {
        self.changed.clear();
    }

    /// The latest place that [`Solver::spread`] has changed in vain, to be restored.
    pub fn take_back_spread(&mut self) -> Option<u32> {
        while self
            .pending
            .first_mut()
            .is_some_and(|pending| pending.pop().is_some())
        {}
        self.changed.pop()
    }
}

/// Cells that wait for a visit. While they are few, they are not marked: the marks of all cells lie far apart.
struct Waiting<'a> {
    pending: &'a mut Pending,
    are_marked: bool,
}

/// Up to this number, waiting cells are few.
const FEW: usize = 16;

impl Waiting<'_> {
    /// Adds a cell, unless it waits already.
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

/// A visit to the neighbors of a cell.
struct NeighborVisit<'a, 'b, F> {
    words: &'a mut [u64],
    waiting: &'a mut Waiting<'b>,
    changed: &'a mut Vec<u32>,
    count_before: &'a F,
    wakes: usize,
}

impl<F: Fn(usize) -> u32> NeighborVisit<'_, '_, F> {
    /// Restricts a neighbor to what is allowed; `None` if that leaves nothing.
    #[inline(always)]
    fn keep(&mut self, to: usize, allowed: u64) -> Option<()> {
        let before = self.words[to];
        let left = before & allowed;
        if left == before {
            return Some(());
        }
        self.words[to] = left;
        // It has not changed yet if it still has as many as its cell.
        if (self.count_before)(to) == count_of(before) {
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
