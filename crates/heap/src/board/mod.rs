//! What joins a container of the language with the [`Solver`] of its constraints.
//!
//! The cells of the container hold the candidates as values of the language, and they are the truth: they are what the
//! trail restores, what is saved and what scripts read. The bits of the solver follow them. While constraints are being
//! brought to rest the bits run ahead; then what has changed is written into the cells, or is forgotten if a place has no
//! candidate left.
//!
//! The solver knows values by number only; which value has which number is known here. So are the functions of the program
//! that are constraints: to the solver they are callbacks.

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

/// A container as a board: its solver, and what stands for what.
#[derive(Clone, Debug)]
pub struct Board {
    /// The grid, array or object.
    pub container: Value,
    pub solver: Solver,
    /// Frozen values by number, and their numbers.
    universe: Vec<Value>,
    numbers: KeyedMap<Value, u32>,
    /// What the callbacks of the solver are, in the same order.
    functions: Vec<Function>,
    /// What the program has narrowed.
    givens: Value,
    /// The serial under which the number of constraints was last logged.
    stamp: u64,
    /// Places whose bits stayed behind when their cells were put back, because there are many of them; of the last one the
    /// candidates from one on.
    stale: Vec<u32>,
    stale_from: usize,
    /// How often somebody began to change the board: who comes back to it sees whether others were there.
    claim: u64,
    sizes: Option<Box<Sizes>>,
    /// Sets of the language by their bits and the other way round, if a word is enough. Emptied with the memo.
    sets: KeyedMap<u64, Value>,
    known: KeyedMap<Value, u64>,
    /// What was looked up in `sets` last, by a hash that anybody may know: what meets in an entry replaces it.
    near: Vec<(u64, Value)>,
    /// Numbers of values in the order of the values, if a word is enough: empty as long as nobody asked, or when values went.
    ranked: Vec<u8>,
    /// The bytes that the account has of it.
    counted: usize,
}

/// A constraint for a board, with what it is if it is a function of the program.
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

    /// The values of the language that it holds on to.
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
            counted: 0,
        }
    }

    /// The bytes of the rows that a board of so many places has under constraints.
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

    /// The bit of a value in the only word of every place, if no bits are behind their cells.
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

    /// Puts a constraint on its places, which are bound.
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

    /// Forgets what refers to sets, which may be freed now.
    pub(super) fn forget_sets(&mut self) {
        self.sets = KeyedMap::default();
        self.known = KeyedMap::default();
        self.near.fill((0, Value::NULL));
        self.counted = self.bytes();
    }
}
