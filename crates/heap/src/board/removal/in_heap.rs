//! What the heap knows of removed candidates.

use super::{DeadEnd, MOST_VISITED, Removal};
use crate::board::Board;
use crate::store::heap::Heap;
use crate::value::{Handle, Value};

impl Board {
    /// A removal that the solver recorded, with values in place of their numbers.
    fn removal(&self, recorded: &ndscript_solver::Removal) -> Removal {
        let values = |numbers: &[u32]| {
            numbers
                .iter()
                .filter_map(|number| self.universe.get(*number as usize).copied())
                .collect()
        };
        Removal {
            place: recorded.place as usize,
            constraint: self.solver.name_of(recorded.by),
            beside: self.solver.name_of(recorded.beside),
            number: recorded.by,
            values: values(&recorded.values),
            from: recorded
                .from
                .iter()
                .map(|(place, numbers)| (*place as usize, values(numbers)))
                .collect(),
        }
    }
}

impl Heap {
    /// The removals at a place since the latest statement that wrote to the board began, in order. Empty unless the
    /// run is observed.
    pub fn removals(&self, container: Value, place: usize) -> Vec<Removal> {
        let Some(board) = self.constrained(container) else {
            return Vec::new();
        };
        let board = &self.boards[board];
        let recorded = board.solver.removals_of(place);
        let mut removals: Vec<Removal> = recorded.map(|recorded| board.removal(recorded)).collect();
        removals.reverse();
        removals
    }

    /// The number of candidates of a place when the latest statement that wrote to the board began.
    pub fn candidates_at_first(&self, container: Value, place: usize) -> Option<usize> {
        let solver = &self.boards[self.constrained(container)?].solver;
        Some(solver.candidates(place).count() as usize + solver.lost(place))
    }

    /// Starts or stops recording removals for a statement, which may be a guess at a place.
    #[inline]
    pub(crate) fn begin_noting(&mut self, handle: Handle, guess: Option<usize>) {
        let (is_watched, gives_reasons) =
            (self.observed.written.is_some(), self.observed.gives_reasons);
        self.boards[handle]
            .solver
            .begin_statement(guess, is_watched, gives_reasons);
        if is_watched {
            self.observed.dead_end = None;
        }
    }

    /// Checks whether unconstrained places hold values that the board has not numbered, up to a limit, once all
    /// places of the posted constraint are bound.
    pub(crate) fn look_beyond(&mut self, handle: Handle) {
        let board = &self.boards[handle];
        let solver = &board.solver;
        if !solver.asks_for_more_values() {
            return;
        }
        let unconstrained =
            (0..solver.places()).filter(|place| solver.unbound() > 0 && !solver.is_bound(*place));
        let are_more = unconstrained.take(MOST_VISITED).any(|place| {
            let content = self.at_place(board.container, place);
            let mut candidates =
                (0..self.candidate_count(content)).filter_map(|at| self.candidate(content, at));
            candidates.any(|candidate| board.number_of(candidate).is_none())
        });
        self.boards[handle].solver.set_more_values(are_more);
    }

    /// Records how a place of a board lost its last candidate, before that is undone.
    pub fn record_dead_end(&mut self, handle: Handle) {
        let board = &self.boards[handle];
        let solver = &board.solver;
        let constraint = solver.name_of(solver.failed());
        self.observed.wipeout_constraint = constraint;
        if !solver.records_removals() {
            return;
        }
        let removals = solver.removals().iter();
        let removals = removals.map(|removal| board.removal(removal)).collect();
        let failed = solver
            .failed()
            .and_then(|number| solver.constraints().get(number as usize));
        let on = failed
            .and_then(|constraint| constraint.places())
            .map_or_else(Vec::new, <[u32]>::to_vec);
        self.observed.dead_end = Some(Box::new(DeadEnd {
            container: board.container,
            removals,
            constraint,
            on,
        }));
    }
}
