//! Conflicts of guesses at a board, by its container.

use crate::store::heap::Heap;
use crate::value::Value;
use ndscript_solver::Conflict;

impl Heap {
    /// Records a guess at a place that is under no constraint.
    pub fn record_unconstrained_guess(&mut self, container: Value, place: usize) {
        if let Some(board) = self.constrained(container) {
            let losses = self.boards[board].solver.losses_mut();
            losses.push_free_guess(place);
            self.count_board(board);
        }
    }

    /// Records an unknown effect: guesses before it must not be skipped.
    pub fn mark_removals_unknown(&mut self, container: Value) {
        if let Some(board) = self.board_of(container) {
            self.boards[board].solver.losses_mut().mark_unknown();
        }
    }

    /// The number of recorded removals by guesses.
    pub fn losses(&self, container: Value) -> usize {
        self.board_of(container)
            .map_or(0, |board| self.boards[board].solver.losses().height())
    }

    /// Discards the removals recorded above a height, because they are undone.
    pub fn discard_removals(&mut self, container: Value, height: usize) {
        if let Some(board) = self.board_of(container) {
            self.boards[board].solver.losses_mut().truncate(height);
        }
    }

    /// Begins the conflict of a guess that has just failed: the latest places that the failure came from.
    pub fn begin_conflict(&mut self, container: Value, conflict: &mut Conflict) {
        let Some(board) = self.board_of(container) else {
            return conflict.set_unknown();
        };
        let work = self.boards[board].solver.begin_conflict(conflict);
        self.count_board(board);
        self.record_work(work);
    }

    /// Traces a conflict back to before a guess, over all removals since then. Returns whether the guess has a part
    /// itself.
    pub fn trace_back(&self, container: Value, height: usize, conflict: &mut Conflict) -> bool {
        let Some(board) = self.board_of(container) else {
            conflict.set_unknown();
            return true;
        };
        let (has_part, work) = self.boards[board].solver.trace_back(height, conflict);
        self.record_work(work);
        has_part
    }
}
