//! Why places lose candidates, recorded for observers: which constraint has removed them, and from which other places that
//! follows. A run without an observer records nothing here.
//!
//! Not to be confused with [`losses`](super::losses): that record is for the solver itself. It exists only while `decide`
//! guesses, with or without an observer, and has just what backjumping needs.

use crate::ConstraintNumber;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Solver;
use ndscript_base::keyed::KeyedMap;

/// The removals of the latest statement, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Removals {
    recorded: Vec<Removal>,
    /// By place, the latest of its.
    pub latest: KeyedMap<u32, u32>,
    /// The work left for finding the reasons of this statement.
    pub work_left: WorkLeft,
    /// Whether places without a constraint hold values that the board has no number of: there may be more that others had before.
    pub are_more_values: Option<bool>,
}

/// A counter that can be lowered through a shared reference, so that a solver can be shared between threads.
#[derive(Debug, Default)]
pub(super) struct WorkLeft(AtomicUsize);

impl WorkLeft {
    pub fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub fn set(&self, left: usize) {
        self.0.store(left, Ordering::Relaxed);
    }
}

impl Clone for WorkLeft {
    fn clone(&self) -> WorkLeft {
        WorkLeft(AtomicUsize::new(self.get()))
    }
}

/// At most this many values and cells are visited for the removals of one statement. After that reasons are not
/// minimal.
const MOST_WORK: usize = 1 << 22;

/// A constraint on the whole board names at most this many places as a reason, even if it needs more.
pub(super) const MOST_REASON_PLACES: usize = 64;

impl Removals {
    fn push(&mut self, mut recorded: Removal) {
        recorded.before = self
            .latest
            .insert(recorded.place, self.recorded.len() as u32);
        self.recorded.push(recorded);
    }

    /// The removals of one place, the latest first.
    pub fn of(&self, place: usize) -> impl Iterator<Item = &Removal> {
        let latest = self
            .latest
            .get(&(place as u32))
            .map(|at| &self.recorded[*at as usize]);
        std::iter::successors(latest, |recorded| {
            recorded.before.map(|at| &self.recorded[at as usize])
        })
    }
}

/// Candidates that a place has lost at once.
#[derive(Clone, Debug)]
pub struct Removal {
    /// The place that has lost them.
    pub place: u32,
    /// The previous removal at this place.
    before: Option<u32>,
    /// The constraint; none if the statement itself has done it.
    pub by: Option<ConstraintNumber>,
    /// The count that it is set against, if that leaves too little.
    pub beside: Option<u32>,
    /// Numbers of values.
    pub values: Vec<u32>,
    /// The places that it follows from, and their domains then. `None` if it follows from the constraint alone.
    pub from: Vec<(u32, Vec<u32>)>,
}

impl Solver {
    /// Records what a place has lost; `before` is its earlier domain, in words.
    #[cold]
    pub(super) fn record_removal(
        &mut self,
        place: usize,
        by: Option<ConstraintNumber>,
        before: &[u64],
    ) {
        let (first, words) = self.candidates(place).words();
        let removed: Vec<u64> = before
            .iter()
            .zip(words)
            .map(|(before, now)| before & !now)
            .collect();
        let values: Vec<u32> = super::ones(&removed)
            .map(|number| (64 * first + number) as u32)
            .collect();
        let from = by
            .filter(|_| self.gives_reasons)
            .map_or_else(Vec::new, |by| self.reasons(place, by, &values));
        self.removals.push(Removal {
            place: place as u32,
            before: None,
            by,
            beside: self.runs_short,
            values,
            from,
        });
    }

    /// The places from which a constraint knows that values cannot stand at another.
    fn reasons(&self, place: usize, by: u32, values: &[u32]) -> Vec<(u32, Vec<u32>)> {
        let Some(constraint) = self.constraints.get(by as usize) else {
            return Vec::new();
        };
        let places = if let Some(cell) = self.looks_from {
            vec![cell]
        } else if self.runs_short.is_some() {
            self.all_that_costs(place)
        } else {
            constraint.explain(self, place as u32, values)
        };
        let now = |other: u32| {
            let numbers = self.candidates(other as usize).numbers();
            (other, numbers.map(|number| number as u32).collect())
        };
        places.into_iter().map(now).collect()
    }

    /// The removals of the latest statement, in order. Empty in a run that is not watched.
    pub fn removals(&self) -> &[Removal] {
        &self.removals.recorded
    }

    /// The removals of one place, the latest first.
    pub fn removals_of(&self, place: usize) -> impl Iterator<Item = &Removal> {
        self.removals.of(place)
    }

    /// How many candidates a place has lost by the latest statement.
    pub fn lost(&self, place: usize) -> usize {
        self.removals
            .of(place)
            .map(|removal| removal.values.len())
            .sum()
    }

    /// Begins a statement, which may be a guess at a place: whether its removals are recorded, and with their reasons. Losses
    /// are recorded if it is a guess.
    #[inline]
    pub fn begin_statement(&mut self, guess: Option<usize>, is_watched: bool, gives_reasons: bool) {
        self.losses.begin_statement(guess);
        self.records_removals = is_watched;
        self.gives_reasons = gives_reasons;
        // Usually there is no observer, so the map is made only when needed.
        if !self.removals.recorded.is_empty() {
            self.removals = Removals::default();
        }
        self.removals.work_left.set(MOST_WORK);
        self.removals.are_more_values = None;
        self.failed = None;
    }

    /// Whether removals are recorded.
    pub fn records_removals(&self) -> bool {
        self.records_removals
    }

    /// Whether reasons depend on what the caller has to look up: whether places without a constraint hold values that
    /// have no
    /// number.
    pub fn asks_for_more_values(&self) -> bool {
        self.gives_reasons && self.removals.are_more_values.is_none()
    }

    /// Answers that.
    pub fn set_more_values(&mut self, are_more: bool) {
        self.removals.are_more_values = Some(are_more);
    }

    /// The name of a constraint.
    pub fn name_of(&self, number: Option<u32>) -> Option<&'static str> {
        self.constraints
            .get(number? as usize)
            .map(|constraint| constraint.name())
    }
}
