//! Connects a container of the language with the [`Solver`] of its constraints.
//!
//! The cells hold the candidates as values of the language, and are authoritative: the trail restores them, saves
//! store them, scripts read them. The bits of the solver follow them. During propagation the bits run ahead; then the
//! changes are written into the cells, or discarded after a domain wipeout.
//!
//! The solver knows values by number; the numbering is stored here. So are functions of the program that are
//! constraints: to the solver they are callbacks.

mod agenda;
mod at_once;
mod binding;
mod follow;
mod givens;
mod guesses;
mod places;
mod removal;
mod saved;
mod sizes;

use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;
use ndscript_solver::{Constraint, Solver};

pub use agenda::Function;
pub use binding::{BindStatus, Binding, InitialDomains};
pub use follow::SetOfPlace;
pub use removal::{DeadEnd, Removal};
use sizes::Sizes;
pub use sizes::{Indexed, Order, VISITS_OF_PICK};

use super::value::Value;
use ndscript_base::room::{self, block};

/// A container with constraints: its solver, and the meaning of the solver's numbers.
#[derive(Clone, Debug)]
pub struct Board {
    /// The grid, array or object.
    pub container: Value,
    pub solver: Solver,
    /// Frozen values by number, and their numbers.
    universe: Vec<Value>,
    numbers: KeyedMap<Value, u32>,
    /// The callbacks of the solver's functions, in the same order.
    functions: Vec<Function>,
    /// The places that the program has narrowed.
    givens: Value,
    /// The serial under which the number of constraints was last logged.
    stamp: u64,
    /// Places whose bits are stale because many cells were restored at once; of the last one, the candidates from an
    /// index on.
    stale: Vec<u32>,
    stale_from: usize,
    /// The number of changes begun: a change that resumes sees whether another one came between.
    claim: u64,
    sizes: Option<Box<Sizes>>,
    /// Sets of the language by their bits, and bits by set, if a word is enough. Emptied with the memo.
    sets: KeyedMap<u64, Value>,
    known: KeyedMap<Value, u64>,
    /// A direct-mapped cache of `sets`, with a fixed hash.
    near: Vec<(u64, Value)>,
    /// Numbers of values in the order of the values, if a word is enough; empty until needed, and when values were
    /// removed.
    ranked: Vec<u8>,
    /// Its bytes in the account.
    counted_bytes: usize,
}

/// A constraint of a board, with its function if it is one of the program.
#[derive(Clone, Debug)]
pub struct Rule {
    pub constraint: Arc<Constraint>,
    pub function: Option<Function>,
}

impl Rule {
    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        self.constraint.bytes()
    }

    /// The values of the language to trace.
    pub fn values(&self) -> impl Iterator<Item = Value> + use<> {
        self.function.into_iter().flat_map(Function::values)
    }
}

impl From<Constraint> for Rule {
    fn from(constraint: Constraint) -> Rule {
        Rule {
            constraint: Arc::new(constraint),
            function: None,
        }
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::of(Value::NULL, 0)
    }
}

impl Board {
    fn of(container: Value, places: usize) -> Board {
        Board {
            container,
            solver: Solver::new(places),
            universe: Vec::new(),
            numbers: KeyedMap::default(),
            functions: Vec::new(),
            givens: Value::NULL,
            stamp: 0,
            stale: Vec::new(),
            stale_from: 0,
            claim: 0,
            sizes: None,
            sets: KeyedMap::default(),
            known: KeyedMap::default(),
            near: Vec::new(),
            ranked: Vec::new(),
            counted_bytes: 0,
        }
    }

    /// The bytes of the rows of a constrained board with `places` places.
    fn bytes_of_rows(places: usize) -> usize {
        Solver::bytes_of_rows(places) + (16 << follow::NEAR_BITS)
    }

    fn make_rows(&mut self) {
        self.solver.make_rows();
        self.stale = Vec::new();
        self.make_near();
    }

    fn make_near(&mut self) {
        self.near = vec![(0, Value::NULL); 1 << follow::NEAR_BITS];
    }

    /// The bytes of everything that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.universe)
            + self.solver.bytes()
            + room::row(&self.functions)
            + room::row(&self.stale)
            + room::row(&self.near)
            + room::row(&self.ranked)
            + self
                .sizes
                .as_ref()
                .map_or(0, |sizes| block(size_of::<Sizes>()) + sizes.bytes())
            + room::hash_map(self.numbers.capacity(), 16)
            + room::hash_map(self.sets.capacity(), 16)
            + room::hash_map(self.known.capacity(), 16)
    }

    /// The values that places have as candidates, by number.
    pub fn universe(&self) -> &[Value] {
        &self.universe
    }

    /// The number of a value.
    #[inline]
    pub fn number_of(&self, value: Value) -> Option<usize> {
        self.numbers.get(&value).map(|number| *number as usize)
    }

    /// The bit of a value in the only word of every place, if no bits are stale.
    #[inline]
    pub fn only_bit(&self, value: Value) -> Option<u64> {
        let is_plain =
            self.solver.is_one_word() && self.solver.domains().is_plain() && self.stale.is_empty();
        self.number_of(value)
            .filter(|_| is_plain)
            .map(|number| 1 << number)
    }

    /// Whether there is any constraint.
    pub fn is_constrained(&self) -> bool {
        self.solver.is_constrained()
    }

    /// Posts a constraint whose places are bound.
    fn add(&mut self, rule: Rule) {
        let is_known = self
            .sizes
            .as_ref()
            .is_none_or(|sizes| sizes.knows_conflicts());
        if rule.constraint.places().is_some() && !is_known {
            self.sizes = None;
        }
        self.functions.extend(rule.function);
        self.solver.post(rule.constraint);
    }

    /// Discards references to sets, which may be freed now.
    pub(super) fn discard_sets(&mut self) {
        self.sets = KeyedMap::default();
        self.known = KeyedMap::default();
        self.near.fill((0, Value::NULL));
        self.counted_bytes = self.bytes();
    }
}
