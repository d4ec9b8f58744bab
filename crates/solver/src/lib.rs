//! A solver for finite domains. It knows places, values and constraints by number, not what they mean.
//!
//! - A *place* has a domain: the values that it may still have, as bits ([`Domains`]).
//! - A *constraint* ([`Constraint`]) is on some places, or on all. Its propagator removes values that it rules out.
//! - [`Solver::propagate_to_fixpoint`] runs the propagators until none finds anything more, in pieces under a
//!   [`Budget`]. It ends with the places that have changed ([`Solver::changed`]), or with a [`DomainWipeout`].
//! - During a guess the solver records what places lose and by which constraint ([`losses`]), so that a conflict can
//!   be traced back to the guesses that had a part in it; in a watched run also from which places that followed
//!   ([`removals`]).
//!
//! The solver makes no guesses and keeps no trail. The caller that guesses stores the domains of places and restores
//! them ([`Solver::restore`]), or works on a copy. Constraints form a stack: [`Solver::withdraw`] removes the latest
//! ones, and with them everything that only they need.
//!
//! ```
//! use ndscript_solver::{AllDifferent, Budget, DomainWipeout, Solver, Sum};
//!
//! /// Goes on until every place has one value, or nothing is left to try.
//! fn solve(mut solver: Solver) -> Option<Solver> {
//!     if let Err(DomainWipeout) = solver.propagate_to_fixpoint(&mut Budget::unlimited()) {
//!         return None;
//!     }
//!     let Some(place) = (0..solver.places()).find(|place| solver.candidates(*place).count() > 1) else {
//!         return Some(solver);
//!     };
//!     let values: Vec<usize> = solver.candidates(place).numbers().collect();
//!     values.into_iter().find_map(|value| {
//!         let mut guessed = solver.clone();
//!         guessed.narrow(place, &[1 << value]).ok()?;
//!         solve(guessed)
//!     })
//! }
//!
//! // A magic square: nine places with the numbers from 1 to 9, each once, and all lines add up to 15.
//! let mut solver = Solver::with_domains(9, &vec![vec![0b1_1111_1111]; 9]);
//! let numbers: Vec<f64> = (1..=9).map(f64::from).collect();
//! solver.add(AllDifferent::new((0..9).collect()));
//! for line in [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]] {
//!     solver.add(Sum::new(line.to_vec(), vec![1.0; 3], numbers.clone(), [15.0, 15.0]));
//! }
//! let solved = solve(solver).expect("there is one");
//! let square: Vec<usize> = (0..9).map(|place| solved.candidates(place).numbers().next().unwrap() + 1).collect();
//! assert_eq!(square, [2, 7, 6, 9, 5, 1, 4, 3, 8]);
//! ```
//!
//! A constraint that is a function of the caller is a [`Constraint::Callback`]: the solver knows its places and an
//! opaque [`CallbackId`]. It is never propagated here; [`Solver::callbacks_on`] returns the callbacks that a change
//! concerns.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod constraint;
mod domains;
pub mod explanation;
mod groups;
pub mod kernel;
pub mod learning;
pub mod losses;
pub mod proof;
mod propagation;
pub mod propagator;
pub mod propagators;
pub mod removals;
mod saved;
mod spread;
pub mod steps;

use std::collections::VecDeque;
use std::sync::Arc;

#[doc(no_inline)]
pub use ndscript_base::budget::Budget;
use ndscript_base::room::{self, block};

pub use constraint::Constraint;
use constraint::Propagation;
pub use domains::{Candidates, Domains};
pub use losses::Conflict;
use losses::Losses;
pub use propagation::fixpoint::Fixpoint;
pub use propagation::posting::Height;
use propagation::waking::{Pending, Waking};
pub use propagation::watchers::Watchers;
pub use propagators::{
    Adjacent, Advice, AllDifferent, Automaton, Booleans, Callback, CallbackId, Cardinality,
    Connected, Count, Direction, Division, Lattice, Lexicographic, MOST_OF_NETWORK, Mistake,
    Network, Pattern, Reachable, Regions, Related, Shape, Sum, Supports, Table, TableBuilder,
    TableProgress, Tally, Tuples, Wiring, Wording,
};
pub use removals::Removal;
use removals::Removals;
pub use spread::VISITS_OF_GUESS;

/// The number of a constraint on its board: how many were posted before it.
pub type ConstraintNumber = u32;

/// Places with their domains, and the constraints that are on them.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// How many places there are.
    places: usize,
    /// How many values have a number.
    values: usize,
    /// The candidates of places under a constraint. There are none, nor other rows, while there is no constraint.
    domains: Domains,
    /// How many constraints there are on a place, and which; those on all places are in a list of their own.
    bound: Vec<u32>,
    unbound: usize,
    watchers: Watchers,
    everywhere: Vec<u32>,
    /// Shared, because constraints never change: posting one again copies nothing.
    constraints: Vec<Arc<Constraint>>,
    /// The witness of each constraint, such as a matching or a path; repaired when it is used.
    witnesses: Vec<Vec<u32>>,
    /// Those of them that are callbacks, paths and regions, and counts that these are set against.
    callbacks: Vec<u32>,
    paths: Vec<u32>,
    counts: Vec<u32>,
    /// How many counts there are.
    tallies: usize,
    /// The heights of all stacks before each constraint, and before the one that is being posted.
    heights: Vec<Height>,
    /// The bytes of all constraints, with what each has in other rows.
    rule_bytes: usize,
    /// How many failures each has caused. No failure takes that back.
    weights: Vec<u64>,
    /// When each has something to look at.
    waking: Vec<Waking>,
    /// Places that have lost candidates since they were last taken.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    /// Constraints that have work to do, what is cheap first. Callbacks never wait here: they count as if they did already.
    queues: [VecDeque<u32>; 3],
    /// How often constraints were woken since that was last charged.
    wakes: usize,
    /// By constraint on the whole board: changed cells that it has not looked at yet.
    pending: Vec<Pending>,
    /// The unfinished propagation with its constraint, and the bytes granted to it.
    unfinished: Option<Box<(u32, Propagation)>>,
    granted: usize,
    /// The removals of the latest statement with their reasons, in a watched run; the cell around which `adjacent`
    /// looks; and the constraint that failed last.
    removals: Removals,
    records_removals: bool,
    gives_reasons: bool,
    looks_from: Option<u32>,
    /// The count that leaves less than the present removal would cost.
    runs_short: Option<u32>,
    failed: Option<u32>,
    /// What guesses have removed, as long as they may turn out to be wrong.
    losses: Losses,
    /// The seed that breaks ties between regions that are equally good.
    ties: u64,
}

/// A place has no candidate left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainWipeout;

/// The numbers of the bits that are set.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                at * 64 + bit
            })
        })
    })
}

/// How many ones the first numbers have.
const COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut at = 1;
    while at < counts.len() {
        counts[at] = counts[at / 2] + at as u8 % 2;
        at += 1;
    }
    counts
};

/// The number of bits in a word. Most boards have few values, and not every processor counts ones.
#[inline(always)]
pub fn count_of(word: u64) -> u32 {
    COUNTS
        .get(word as usize)
        .map_or_else(|| word.count_ones(), |count| u32::from(*count))
}

impl Solver {
    /// Without values and constraints.
    pub fn new(places: usize) -> Solver {
        Solver {
            places,
            unbound: places,
            ..Solver::default()
        }
    }

    /// The bytes of the rows that this number of places has under constraints.
    pub fn bytes_of_rows(places: usize) -> usize {
        places * (2 * 8 + 4 + 8 + 4 + 4 + 1)
    }

    /// The bytes of the state that a propagation may change, without the pending cells.
    pub fn bytes_of_propagation(&self) -> usize {
        let unfinished = self.unfinished.as_ref().map_or(0, |unfinished| {
            block(size_of_val(&**unfinished)) + unfinished.1.bytes()
        });
        self.losses.bytes() + unfinished.max(self.granted)
    }

    /// The bytes of everything that it owns.
    pub fn bytes(&self) -> usize {
        self.domains.bytes()
            + self.watchers.bytes()
            + room::row(&self.bound)
            + self.rule_bytes
            + room::row(&self.callbacks)
            + room::row(&self.paths)
            + room::row(&self.counts)
            + room::row(&self.changed)
            + room::row(&self.is_changed)
            + self.bytes_of_propagation()
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.places
    }

    /// How many values have a number.
    #[inline]
    pub fn values(&self) -> usize {
        self.values
    }

    /// The constraints, in the order in which they were put.
    pub fn constraints(&self) -> &[Arc<Constraint>] {
        &self.constraints
    }

    /// The numbers of those that are callbacks, in order.
    pub fn callbacks(&self) -> &[u32] {
        &self.callbacks
    }

    /// The numbers of those that are on all places, in order.
    pub fn everywhere(&self) -> &[u32] {
        &self.everywhere
    }

    /// The constraints that watch each place.
    pub fn watchers(&self) -> &Watchers {
        &self.watchers
    }

    /// Words of bits for all values.
    pub fn width(&self) -> usize {
        self.values.div_ceil(64).max(1)
    }

    /// Whether the domain of every place is one word.
    #[inline]
    pub fn is_one_word(&self) -> bool {
        self.values <= 64
    }

    /// Whether there is a constraint on a place.
    #[inline]
    pub fn is_bound(&self, place: usize) -> bool {
        !self.everywhere.is_empty() || self.bound.get(place).is_some_and(|bound| *bound > 0)
    }

    /// How many places are under no constraint of their own.
    pub fn unbound(&self) -> usize {
        self.unbound
    }

    /// Whether there is a constraint on every place.
    #[inline]
    pub fn is_bound_everywhere(&self) -> bool {
        !self.everywhere.is_empty() || self.has_rows() && self.unbound == 0
    }

    /// Whether there is any constraint.
    pub fn is_constrained(&self) -> bool {
        !self.constraints.is_empty()
    }

    /// The domains of all places.
    #[inline]
    pub fn domains(&self) -> &Domains {
        &self.domains
    }

    /// The domains, mutably and without waking constraints: to set the first domain of a place, or to restore one.
    #[inline]
    pub fn domains_mut(&mut self) -> &mut Domains {
        &mut self.domains
    }

    /// The candidates of a place.
    #[inline]
    pub fn candidates(&self, place: usize) -> Candidates<'_> {
        self.domains.candidates(place)
    }

    /// The candidates of a place from when the first constraint was put on it.
    pub fn initial(&self, place: usize) -> Candidates<'_> {
        self.domains.initial(place)
    }
}
