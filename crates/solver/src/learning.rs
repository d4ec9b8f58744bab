//! A search that learns from its conflicts, on a copy of what a solver knows (lazy clause generation; Ohrimenko, Stuckey and Codish,
//! "Propagation via lazy clause generation", 2009).
//!
//! It has Booleans only ([`encoder`]): literals, clauses, linear constraints and kernels of rules over graphs ([`engine`]). Each
//! conflict is taken apart ([`analysis`]) into a clause that keeps the search from it for ever. It begins again often, and goes on
//! with what was in recent conflicts. What it finds is a solution, or that there is none.
//!
//! Nothing of it lasts: whoever asks has a board that is searched in the ordinary way, and may follow the answer.

mod activity;
mod analysis;
mod clauses;
pub mod encoder;
mod engine;
mod fair_draw;
mod linear;
mod literal;
pub(crate) mod log;
mod saved;

use std::sync::Arc;

use analysis::{Analysis, Learned};
use encoder::{Encoded, Encoder};
use engine::Reason;
pub use fair_draw::FairDraw;
pub use literal::Lit;
use log::{Log, SOLVED};
pub use saved::Resting;

use crate::{Constraint, Domains, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::luby::luby;
use ndscript_base::rng::Rng;

/// What a search has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The budget is spent before.
    NotYet,
    /// It has gone back to its beginning with what it has learned: it may be saved now.
    Resting,
    /// There is a solution: [`Learner::value`].
    Solution,
    /// There is none.
    NoSolution,
    /// It takes more memory than it may.
    TooLarge,
}

/// A search for one solution.
#[derive(Clone)]
pub struct Learner {
    domains: Domains,
    constraints: Vec<Arc<Constraint>>,
    /// By place, whether it is under any constraint.
    is_bound: Vec<bool>,
    encoder: Encoder,
    /// By place the number of the value that is tried first; empty if they are drawn.
    preferred: Vec<u32>,
    /// The next constraint and the next of its parts.
    next: (usize, usize),
    is_encoded: bool,
    is_relaxed: bool,
    analysis: Analysis,
    seed: u64,
    rng: Rng,
    /// How many conflicts there were, and since it began again; and how often it did.
    conflicts: u64,
    since_restart: u64,
    restarts: u64,
    /// Visits so far, and when it rested last.
    visits: u64,
    rested_at: u64,
    /// So many clauses are kept before half of them are dropped.
    most_learned: usize,
    /// So many bytes it may own.
    most_bytes: usize,
    counted: usize,
    /// What is supposed, and the places of those suppositions that contradict what is known.
    supposed: Vec<(u32, Lit)>,
    /// Whether all of it is decided on one level: then nobody asks for those places.
    is_supposed_at_once: bool,
    core: Vec<u32>,
}

/// Conflicts in the shortest stretch between two beginnings.
const STRETCH: u64 = 64;
/// As many of them as the longest has.
const LONGEST: u64 = 16;
/// Learned clauses on so few levels are never dropped.
const FEW_LEVELS: u32 = 2;
const FIRST_MOST_LEARNED: usize = 4000;
/// Without conflicts a stretch ends after so many visits, or as many as there were before it: nobody waits longer for it to rest than
/// it has searched.
const LONG: u64 = 1 << 24;
/// Its bytes are counted each time that there were so many conflicts.
const COUNTED_EACH: u64 = 256;

/// How many clauses and variables there are.
fn engine_size(encoder: &Encoder) -> usize {
    encoder.engine.variables() + encoder.engine.clauses.count()
}

impl Learner {
    /// A search for a solution of what a solver has now, that owns so many bytes at most. Functions are left out: who has any has to try
    /// what is found.
    ///
    /// ```
    /// use ndscript_solver::learning::{Learner, Verdict};
    /// use ndscript_solver::{AllDifferent, Budget, Solver};
    ///
    /// // Three places for two values.
    /// let mut solver = Solver::with_domains(2, &vec![vec![0b11]; 3]);
    /// solver.add(AllDifferent::new(vec![0, 1]));
    /// let mut learner = Learner::new(&solver, 7, 1 << 20);
    /// assert_eq!(learner.resume(&mut Budget::unlimited()), Verdict::Solution);
    /// assert_ne!(learner.value(0), learner.value(1));
    /// solver.add(AllDifferent::new(vec![0, 2]));
    /// solver.add(AllDifferent::new(vec![1, 2]));
    /// let mut learner = Learner::new(&solver, 7, 1 << 20);
    /// assert_eq!(learner.resume(&mut Budget::unlimited()), Verdict::NoSolution);
    /// ```
    pub fn new(solver: &Solver, seed: u64, most_bytes: usize) -> Learner {
        Learner {
            domains: solver.domains().clone(),
            constraints: solver.constraints().to_vec(),
            is_bound: (0..solver.places())
                .map(|place| solver.is_bound(place))
                .collect(),
            encoder: Encoder::with_room(most_bytes),
            preferred: Vec::new(),
            next: (0, 0),
            is_encoded: false,
            is_relaxed: false,
            analysis: Analysis::default(),
            seed,
            rng: Rng::new(seed),
            conflicts: 0,
            since_restart: 0,
            restarts: 0,
            visits: 0,
            rested_at: 0,
            most_learned: FIRST_MOST_LEARNED,
            most_bytes,
            counted: 0,
            supposed: Vec::new(),
            is_supposed_at_once: false,
            core: Vec::new(),
        }
    }

    /// Lets places be tried with these values first, by their numbers: those of a solution of a board that was hardly another one. Only
    /// what has not begun can be told.
    pub fn prefer(&mut self, values: Vec<u32>) {
        self.preferred = values;
    }

    /// Notes from now on what is said and what follows, so that it can be checked. Only what has not begun can be logged.
    pub(crate) fn begin_log(&mut self) {
        self.encoder.engine.log = Some(Box::default());
    }

    /// Notes nothing after all. Only what has not begun can do without.
    pub(crate) fn end_log(&mut self) {
        self.encoder.engine.log = None;
    }

    /// What was noted.
    pub(crate) fn log(&self) -> Option<&Log> {
        self.encoder.engine.log.as_deref()
    }

    /// Whether some constraint could not be said, so that a solution may be none.
    pub fn is_relaxed(&self) -> bool {
        self.is_relaxed
    }

    /// How many conflicts there were.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// The number of the value of a place, once there is a solution.
    pub fn value(&self, place: usize) -> u32 {
        self.encoder.value_of(place as u32)
    }

    /// Rules out the solution that it has found, so that it looks for another one.
    pub fn exclude(&mut self) {
        let places = 0..self.encoder.places() as u32;
        let values: Vec<u32> = places.map(|place| self.encoder.value_of(place)).collect();
        self.rule_out(&values);
    }

    /// Takes up all constraints, so that something can be supposed.
    pub(crate) fn encode_all(&mut self, budget: &mut Budget) -> Verdict {
        while !self.is_encoded {
            if budget.is_spent() {
                return Verdict::NotYet;
            }
            let verdict = self.encode(budget);
            if verdict != Verdict::NotYet {
                return verdict;
            }
        }
        Verdict::Resting
    }

    /// Looks for a solution in which places have these values, from the beginning, with all that it has learned. If there is none,
    /// [`Learner::core`] says which of them had a part in that. Only what has taken up all constraints can be asked.
    pub(crate) fn suppose(&mut self, values: &[(u32, u32)]) {
        self.encoder.engine.back_to(0);
        self.core.clear();
        self.supposed.clear();
        self.is_supposed_at_once = false;
        for (place, value) in values {
            match self.encoder.has(*place, *value) {
                Some(literal) => self.supposed.push((*place, literal)),
                // It never had it.
                None => {
                    let never = !self.encoder.truth();
                    self.supposed.insert(0, (*place, never));
                }
            }
        }
    }

    /// The same for literals too, all on one level. [`Learner::core`] says nothing then.
    fn suppose_at_once(&mut self, values: &[(u32, u32)], literals: &[Lit]) {
        self.suppose(values);
        self.supposed
            .extend(literals.iter().map(|literal| (u32::MAX, *literal)));
        self.is_supposed_at_once = true;
    }

    /// Decides all that is supposed, at the beginning. An error if it contradicts what is known always.
    fn open_supposed(&mut self) -> Result<(), ()> {
        let engine = &mut self.encoder.engine;
        engine.open_level();
        for (_, literal) in &self.supposed {
            if engine.is_open(*literal) {
                engine.assume(*literal, Reason::None);
            } else if !engine.holds(*literal) {
                return Err(());
            }
        }
        Ok(())
    }

    /// The places of what was supposed last that cannot all have those values. None if there is no solution at all.
    pub(crate) fn core(&self) -> &[u32] {
        &self.core
    }

    /// Rules a solution out for good.
    pub(crate) fn rule_out(&mut self, values: &[u32]) {
        self.encoder.engine.back_to(0);
        let clause: Vec<Lit> = (0..)
            .zip(values)
            .filter_map(|(place, value)| self.encoder.has(place, *value))
            .map(|literal| !literal)
            .collect();
        self.encoder.engine.set_rule(SOLVED);
        self.encoder.engine.add_clause(&clause);
    }

    /// The next supposition, as a decision. An error if it contradicts what follows from those before it.
    fn next_supposed(&mut self) -> Result<Option<Lit>, ()> {
        let engine = &mut self.encoder.engine;
        while let Some((_, literal)) = self.supposed.get(engine.levels()).copied() {
            if engine.is_open(literal) {
                return Ok(Some(literal));
            }
            if !engine.holds(literal) {
                self.core = self.places_against(literal);
                return Err(());
            }
            engine.open_level();
        }
        Ok(None)
    }

    /// The places of suppositions from which it follows that one of them does not hold, and its own.
    fn places_against(&self, literal: Lit) -> Vec<u32> {
        let engine = &self.encoder.engine;
        let mut seen = vec![false; engine.variables()];
        seen[literal.variable()] = true;
        let mut literals = vec![literal];
        let mut reason = Vec::new();
        for held in engine.trail().iter().rev() {
            let variable = held.variable();
            if !seen[variable] || engine.level_of(variable) == 0 {
                continue;
            }
            if engine.reason_of(variable) == Reason::None {
                literals.push(*held);
            }
            reason.clear();
            engine.push_reason(*held, &mut reason);
            reason
                .iter()
                .for_each(|other| seen[other.variable()] = true);
        }
        let own = self.supposed.iter();
        let mut places: Vec<u32> = own
            .filter(|(_, supposed)| literals.contains(supposed))
            .map(|(place, _)| *place)
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Whether nothing that it has learned contradicts values of all places: what tests ask about a solution.
    pub fn admits(&self, values: &[u32]) -> bool {
        let mut encoder = self.encoder.clone();
        encoder.engine.back_to(0);
        let mut budget = Budget::unlimited();
        let literals: Option<Vec<Lit>> = (0..)
            .zip(values)
            .map(|(place, value)| encoder.has(place, *value))
            .collect();
        let engine = &mut encoder.engine;
        literals.is_some_and(|literals| {
            !engine.is_broken
                && engine.propagate(&mut budget)
                && literals.into_iter().all(|literal| {
                    if engine.is_open(literal) {
                        engine.open_level();
                        engine.assume(literal, Reason::None);
                    }
                    engine.holds(literal) && engine.propagate(&mut budget)
                })
        })
    }

    /// The bytes that it owned when they were counted last.
    pub fn bytes(&self) -> usize {
        self.counted
    }

    /// Visits so far.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Goes on.
    pub fn resume(&mut self, budget: &mut Budget) -> Verdict {
        while !budget.is_spent() {
            let before = budget.visits();
            let verdict = if self.is_encoded {
                self.search(budget)
            } else {
                self.encode(budget)
            };
            self.visits += (budget.visits() - before) as u64;
            if verdict != Verdict::NotYet {
                return verdict;
            }
        }
        Verdict::NotYet
    }

    /// Decides something, or learns from a conflict.
    fn search(&mut self, budget: &mut Budget) -> Verdict {
        if self.encoder.engine.is_broken {
            return Verdict::NoSolution;
        }
        if self.encoder.engine.is_full {
            return Verdict::TooLarge;
        }
        if !self.encoder.engine.propagate(budget) {
            let levels = self.encoder.engine.levels();
            if levels == 0 {
                self.encoder.engine.log_end();
                return Verdict::NoSolution;
            }
            if levels == 1 && self.is_supposed_at_once {
                return Verdict::NoSolution;
            }
            self.learn(budget);
            if self.conflicts.is_multiple_of(COUNTED_EACH) {
                self.counted = self.encoder.bytes();
            }
            if self.counted > self.most_bytes {
                // What was learned takes the room; with less of it there is enough, or there never is.
                self.most_learned /= 2;
                if self.most_learned < FIRST_MOST_LEARNED / 8 {
                    return Verdict::TooLarge;
                }
                return self.begin_again(budget);
            }
            return Verdict::NotYet;
        }
        let is_over = self.since_restart >= luby(self.restarts + 1).min(LONGEST) * STRETCH
            || self.visits - self.rested_at >= self.rested_at.max(LONG);
        if is_over {
            return self.begin_again(budget);
        }
        if self.is_supposed_at_once && self.encoder.engine.levels() == 0 {
            budget.spend(self.supposed.len() / 4);
            return match self.open_supposed() {
                Ok(()) => Verdict::NotYet,
                Err(()) => Verdict::NoSolution,
            };
        }
        let next = match self.is_supposed_at_once {
            true => Ok(None),
            false => self.next_supposed(),
        };
        let literal = match next {
            Ok(Some(literal)) => literal,
            Ok(None) => match self.decision() {
                Some(literal) => literal,
                None => return Verdict::Solution,
            },
            Err(()) => return Verdict::NoSolution,
        };
        self.encoder.engine.open_level();
        self.encoder.engine.assume(literal, Reason::None);
        Verdict::NotYet
    }

    /// Takes up the next place, or the next part of a constraint.
    fn encode(&mut self, budget: &mut Budget) -> Verdict {
        let before = self.encoder.engine.room;
        let mut work = None;
        let place = self.encoder.places();
        if place < self.is_bound.len() {
            let is_bound = self.is_bound[place];
            let preferred = self.preferred.get(place).copied();
            self.encoder
                .add_place(&self.domains, is_bound, preferred, &mut self.rng);
        } else if let Some(constraint) = self.constraints.get(self.next.0).cloned() {
            let encoded;
            (encoded, work) = self.take_up(&constraint, self.next.1);
            let is_more = match encoded {
                Encoded::More => true,
                Encoded::Done => false,
                Encoded::Relaxed => {
                    self.is_relaxed = true;
                    false
                }
            };
            self.next = match is_more {
                true => (self.next.0, self.next.1 + 1),
                false => (self.next.0 + 1, 0),
            };
        } else {
            self.is_encoded = true;
        }
        let taken = before - self.encoder.engine.room;
        self.counted += taken;
        budget.spend(16 + work.unwrap_or(taken / 4));
        if self.encoder.engine.is_full {
            Verdict::TooLarge
        } else {
            Verdict::NotYet
        }
    }

    /// Takes up a part of a constraint: all of its kernel, if it has one. The cost of a kernel comes with it: the bytes that it owns are
    /// no measure, as they are fewer where pointers are smaller, and a run takes the same steps everywhere.
    fn take_up(&mut self, constraint: &Constraint, part: usize) -> (Encoded, Option<usize>) {
        self.encoder.engine.set_rule(self.next.0 as u32);
        match constraint.kernel() {
            Some(kernel) => {
                // It has rows of its own of what the constraint has, or of all places.
                let bytes = 4 * constraint.bytes() + 64 * self.encoder.places();
                self.encoder.engine.take_room(bytes);
                let work = 8 * kernel.items().len() + 16 * self.encoder.places();
                self.encoder.add_kernel(Arc::from(kernel));
                (Encoded::Done, Some(work))
            }
            None => (constraint.encode(&mut self.encoder, part), None),
        }
    }

    fn learn(&mut self, budget: &mut Budget) {
        let engine = &mut self.encoder.engine;
        self.conflicts += 1;
        self.since_restart += 1;
        let Learned {
            literals,
            level,
            levels,
        } = self.analysis.learn(engine, budget);
        let id = engine.log_learned(&literals);
        engine.back_to(level);
        if let [only] = literals[..] {
            engine.assume(only, Reason::None);
            engine.log_unit(only, id);
        } else {
            let clause = engine.add_watched(&literals, levels.max(1), id);
            engine.assume(literals[0], Reason::Clause(clause));
        }
        engine.activity.decay();
    }

    /// Goes back to the beginning with all that was learned.
    fn begin_again(&mut self, budget: &mut Budget) -> Verdict {
        self.encoder.engine.back_to(0);
        self.restarts += 1;
        self.since_restart = 0;
        self.rested_at = self.visits;
        if self.encoder.engine.clauses.learned() > self.most_learned {
            self.forget();
            self.most_learned += self.most_learned / 10;
        }
        let engine = &mut self.encoder.engine;
        if engine.is_broken {
            return Verdict::NoSolution;
        }
        if !engine.propagate(budget) {
            engine.log_end();
            return Verdict::NoSolution;
        }
        engine.settle();
        self.counted = self.encoder.bytes();
        budget.spend(2 * engine_size(&self.encoder));
        Verdict::Resting
    }

    /// Drops half of what was learned: what is on many levels.
    fn forget(&mut self) {
        let engine = &mut self.encoder.engine;
        let mut candidates: Vec<(u32, u32, u32)> = engine
            .clauses
            .all()
            .map(|clause| {
                let length = engine.clauses.get(clause).len() as u32;
                (engine.clauses.levels(clause), length, clause)
            })
            .filter(|(levels, _, _)| *levels > FEW_LEVELS)
            .collect();
        // Those that are worst, and of equal ones the oldest, go.
        candidates
            .sort_unstable_by_key(|(levels, length, clause)| (*levels, *length, u32::MAX - clause));
        for (_, _, clause) in candidates.split_off(candidates.len() / 2) {
            engine.clauses.drop(clause);
        }
    }

    fn decision(&mut self) -> Option<Lit> {
        let engine = &mut self.encoder.engine;
        while let Some(variable) = engine.activity.pop() {
            let literal = Lit::new(variable, engine.phase[variable]);
            if engine.is_open(literal) {
                return Some(literal);
            }
        }
        None
    }
}
