//! Removals and conflicts of boards, as values of the language.

use super::Board;
use crate::store::heap::Heap;
use crate::value::{Handle, Value};

/// At most this many places without a constraint are searched for values that the board has not numbered.
const MOST_VISITED: usize = 256;

/// Candidates that a place of a board has lost at once.
#[derive(Clone, Debug)]
pub struct Removal {
    pub place: usize,
    /// The built-in that posted the constraint; `None` if the statement itself removed them.
    pub constraint: Option<&'static str>,
    /// The built-in of the count whose slack was too small, for cost filtering.
    pub beside: Option<&'static str>,
    /// Its number on the board.
    pub number: Option<u32>,
    /// The removed values.
    pub values: Vec<Value>,
    /// The reason: places with their candidates at that time. Empty if it follows from the constraint alone.
    pub from: Vec<(usize, Vec<Value>)>,
}

/// A board with a place that has no candidates left.
#[derive(Clone, Debug)]
pub struct DeadEnd {
    pub container: Value,
    /// Removals since the statement began, the latest last.
    pub removals: Vec<Removal>,
    /// The constraint that failed, if one did.
    pub constraint: Option<&'static str>,
    /// The places that it is on; none where it is on all.
    pub on: Vec<u32>,
}

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
    pub(super) fn begin_noting(&mut self, handle: Handle, guess: Option<usize>) {
        let (is_watched, gives_reasons) = (self.written.is_some(), self.gives_reasons);
        self.boards[handle]
            .solver
            .begin_statement(guess, is_watched, gives_reasons);
        if is_watched {
            self.dead_end = None;
        }
    }

    /// Checks whether unconstrained places hold values that the board has not numbered, up to a limit, once all
    /// places of the posted constraint are bound.
    pub(super) fn look_beyond(&mut self, handle: Handle) {
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
        self.wipeout_constraint = constraint;
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
        self.dead_end = Some(Box::new(DeadEnd {
            container: board.container,
            removals,
            constraint,
            on,
        }));
    }
}

impl DeadEnd {
    /// The values that it holds.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let removed = self.removals.iter().flat_map(|removal| {
            let from = removal.from.iter().flat_map(|(_, values)| values);
            removal.values.iter().chain(from).copied()
        });
        std::iter::once(self.container).chain(removed)
    }
}
