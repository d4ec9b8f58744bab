//! A search that learns from its conflicts, on a copy of what a solver knows (lazy clause generation; Ohrimenko, Stuckey and Codish,
//! "Propagation via lazy clause generation", 2009).
//!
//! It has Booleans only ([`encoder`]): literals, clauses, linear constraints and kernels of rules over graphs
//! ([`engine`]). From each conflict, [`analysis`] learns a clause that prevents this conflict from then on. The search
//! restarts often, and decides variables of recent conflicts first. It finds a solution, or that there is none.
//!
//! The board does not change: the caller searches it in the ordinary way, and may follow the solution found here.

mod activity;
mod analysis;
mod clauses;
mod crossing;
pub mod encoder;
mod engine;
mod fair_draw;
mod linear;
mod literal;
pub(crate) mod log;
mod phases;
mod saved;

use std::sync::Arc;

use analysis::{Analysis, Learned};
use crossing::add_crossings;
use encoder::{Encoded, Encoder};
use engine::Reason;
pub use fair_draw::FairDraw;
pub use literal::Lit;
use log::{Log, SOLVED};
use phases::Phases;
pub use saved::Resting;

use crate::kernel::Kernel;
use crate::{Constraint, Domains, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::luby::luby;
use ndscript_base::rng::Rng;

/// The result of a search so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The budget is spent before.
    NotYet,
    /// It has restarted with what it has learned, and may be saved now.
    Resting,
    /// There is a solution: [`Learner::value`].
    Solution,
    /// There is no solution.
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
    /// A solution that is not looked for; empty if there is none.
    known: Vec<u32>,
    /// The next constraint and the next of its parts.
    next: (usize, usize),
    is_encoded: bool,
    is_relaxed: bool,
    phases: Phases,
    analysis: Analysis,
    seed: u64,
    rng: Rng,
    /// How many conflicts there were, since it rested last and since it began again; and how often it did.
    conflicts: u64,
    since_rest: u64,
    since_restart: u64,
    restarts: u64,
    /// Visits so far, those of the encoding, and when it rested last.
    visits: u64,
    encoding: u64,
    rested_at: u64,
    /// At most this many learned clauses are stored before half of them are dropped.
    most_learned: usize,
    /// The most bytes that it may own.
    most_bytes: usize,
    counted: usize,
    /// The assumptions, and the places of those that contradict the constraints.
    supposed: Vec<(u32, Lit)>,
    /// Whether all of it is decided on one level: then nobody asks for those places.
    is_supposed_at_once: bool,
    core: Vec<u32>,
}

/// Combinations are encoded in one go, and only as long as they took no more visits than this: all of them follow from what
/// is encoded anyway.
const MOST_OF_COMBINATIONS: usize = 1 << 20;
/// Conflicts in the shortest stretch between two beginnings.
const STRETCH: u64 = 64;
/// At least so many conflicts are between two rests.
const BETWEEN_RESTS: u64 = 512;
/// As many of the shortest stretches as the longest has.
const LONGEST: u64 = 16;
/// Learned clauses on so few levels are never dropped.
const FEW_LEVELS: u32 = 2;
const FIRST_MOST_LEARNED: usize = 4000;
/// Without conflicts a stretch ends after this number of visits, or after as many as there were before it: so the wait
/// until it rests is never longer than the search before.
const LONG: u64 = 1 << 26;
/// Its bytes are counted each time that this number of conflicts has passed.
const CONFLICTS_PER_COUNT: u64 = 256;

/// How many clauses and variables there are.
fn engine_size(encoder: &Encoder) -> usize {
    encoder.engine.variables() + encoder.engine.clauses.count()
}

impl Learner {
    /// A search for a solution from the present domains of a solver; it may own at most `most_bytes`. Callbacks are
    /// left out: a caller that has any must check the solution.
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
            encoder: Encoder::with_bytes(most_bytes),
            preferred: Vec::new(),
            known: Vec::new(),
            next: (0, 0),
            is_encoded: false,
            is_relaxed: false,
            phases: Phases::default(),
            analysis: Analysis::default(),
            seed,
            rng: Rng::new(seed),
            conflicts: 0,
            since_rest: 0,
            since_restart: 0,
            restarts: 0,
            visits: 0,
            encoding: 0,
            rested_at: 0,
            most_learned: FIRST_MOST_LEARNED,
            most_bytes,
            counted: 0,
            supposed: Vec::new(),
            is_supposed_at_once: false,
            core: Vec::new(),
        }
    }

    /// As [`Learner::new`], for a board that has the values of places without constraints elsewhere. Where all constraints of a
    /// place are gone, candidates may be left, but not in a run that was saved: the two must not differ.
    pub fn of_bound(solver: &Solver, seed: u64, most_bytes: usize) -> Learner {
        let mut learner = Learner::new(solver, seed, most_bytes);
        for place in 0..learner.is_bound.len() {
            if !learner.is_bound[place] {
                learner.domains.clear(place);
            }
        }
        learner
    }

    /// Tries these values of places first, by their numbers: those of a solution of a similar board. Only before the
    /// search begins.
    pub fn prefer(&mut self, values: Vec<u32>) {
        self.preferred = values;
    }

    /// Looks only for solutions besides one, which has these values by their numbers. Only before the search begins.
    pub fn look_besides(&mut self, values: Vec<u32>) {
        self.known = values;
    }

    /// Logs from now on each clause and what it follows from, so that they can be checked. Only before the search
    /// begins.
    pub(crate) fn begin_log(&mut self) {
        self.encoder.engine.log = Some(Box::default());
    }

    /// Stops logging. Only before the search begins.
    pub(crate) fn end_log(&mut self) {
        self.encoder.engine.log = None;
    }

    /// The log, if there is one.
    pub(crate) fn log(&self) -> Option<&Log> {
        self.encoder.engine.log.as_deref()
    }

    /// Whether some constraint could not be encoded, so that a solution found may break it.
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

    /// Encodes all constraints, so that assumptions can be made.
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

    /// Starts a search from the beginning, with all learned clauses, for a solution in which places have these values.
    /// If there is none, [`Learner::core`] returns the assumptions that had a part in that. Only after `encode_all`.
    pub(crate) fn suppose(&mut self, values: &[(u32, u32)]) {
        self.encoder.engine.backtrack(0);
        self.core.clear();
        self.supposed.clear();
        self.is_supposed_at_once = false;
        for (place, value) in values {
            match self.encoder.equals_literal(*place, *value) {
                Some(literal) => self.supposed.push((*place, literal)),
                // It never had it.
                None => {
                    let never = !self.encoder.truth();
                    self.supposed.insert(0, (*place, never));
                }
            }
        }
    }

    /// As [`Learner::suppose`], for literals too, all on one level. [`Learner::core`] says nothing then.
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
                engine.enqueue(*literal, Reason::None);
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
        self.encoder.engine.backtrack(0);
        let clause: Vec<Lit> = (0..)
            .zip(values)
            .filter_map(|(place, value)| self.encoder.equals_literal(place, *value))
            .map(|literal| !literal)
            .collect();
        self.encoder.engine.set_rule(SOLVED);
        self.encoder.engine.add_clause(&clause);
    }

    /// Rules out the solution that is not looked for, if the domains allow it.
    fn rule_out_known(&mut self) {
        let known = std::mem::take(&mut self.known);
        let mut own = (0..).zip(&known).zip(&self.is_bound);
        let is_allowed = own.all(|((place, value), is_bound)| {
            !is_bound || self.encoder.equals_literal(place, *value).is_some()
        });
        if !known.is_empty() && is_allowed {
            self.rule_out(&known);
        }
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
        for literal in engine.trail().iter().rev() {
            let variable = literal.variable();
            if !seen[variable] || engine.level_of(variable) == 0 {
                continue;
            }
            if engine.reason_of(variable) == Reason::None {
                literals.push(*literal);
            }
            reason.clear();
            engine.push_reason(*literal, &mut reason);
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
        encoder.engine.backtrack(0);
        let mut budget = Budget::unlimited();
        let literals: Option<Vec<Lit>> = (0..)
            .zip(values)
            .map(|(place, value)| encoder.equals_literal(place, *value))
            .collect();
        let engine = &mut encoder.engine;
        literals.is_some_and(|literals| {
            !engine.is_unsat
                && engine.propagate(&mut budget)
                && literals.into_iter().all(|literal| {
                    if engine.is_open(literal) {
                        engine.open_level();
                        engine.enqueue(literal, Reason::None);
                    }
                    engine.holds(literal) && engine.propagate(&mut budget)
                })
        })
    }

    /// The bytes that it owned when they were counted last.
    pub fn bytes(&self) -> usize {
        self.counted + self.phases.bytes()
    }

    /// Visits so far beyond twice those of the encoding: whoever gives it turns lets it search as long as it has encoded, at least.
    pub fn visits_of_turn(&self) -> u64 {
        self.visits.saturating_sub(2 * self.encoding)
    }

    /// Continues the search.
    pub fn resume(&mut self, budget: &mut Budget) -> Verdict {
        while !budget.is_spent() {
            let before = budget.visits();
            let is_encoded = self.is_encoded;
            let verdict = if is_encoded {
                self.search(budget)
            } else {
                self.encode(budget)
            };
            let visits = (budget.visits() - before) as u64;
            self.visits += visits;
            self.encoding += if is_encoded { 0 } else { visits };
            if verdict != Verdict::NotYet {
                return verdict;
            }
        }
        Verdict::NotYet
    }

    /// Decides something, or learns from a conflict.
    fn search(&mut self, budget: &mut Budget) -> Verdict {
        if self.encoder.engine.is_unsat {
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
            if self.conflicts.is_multiple_of(CONFLICTS_PER_COUNT) {
                self.counted = self.encoder.bytes();
            }
            if self.counted > self.most_bytes {
                // The learned clauses take the memory. Half of them fit, or the problem never does.
                self.most_learned /= 2;
                if self.most_learned < FIRST_MOST_LEARNED / 8 {
                    return Verdict::TooLarge;
                }
                return self.rest(budget);
            }
            return Verdict::NotYet;
        }
        if self.visits - self.rested_at >= self.rested_at.max(LONG) {
            return self.rest(budget);
        }
        if self.since_restart >= luby(self.restarts + 1).min(LONGEST) * STRETCH {
            if self.since_rest >= BETWEEN_RESTS {
                return self.rest(budget);
            }
            self.restart();
            return Verdict::NotYet;
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
        self.encoder.engine.enqueue(literal, Reason::None);
        Verdict::NotYet
    }

    /// Encodes the next place, or the next part of a constraint.
    fn encode(&mut self, budget: &mut Budget) -> Verdict {
        let before = self.encoder.engine.bytes_left;
        let mut work = None;
        let place = self.encoder.places();
        if place < self.is_bound.len() {
            let is_bound = self.is_bound[place];
            let preferred = self.preferred.get(place).copied();
            self.encoder
                .add_place(&self.domains, is_bound, preferred, &mut self.rng);
        } else if let Some(constraint) = self.constraints.get(self.next.0).cloned() {
            let encoded;
            (encoded, work) = self.encode_part(&constraint, self.next.1);
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
            self.encoder.rejected.clear();
            let mut spent = 0;
            if self.encoder.engine.log.is_none() {
                spent += self.encode_combinations();
            }
            if self.preferred.is_empty() {
                spent += self.encoder.keep_bounds();
            }
            work = Some(spent);
            self.rule_out_known();
            self.phases.begin(&self.encoder.engine);
        }
        let bytes = before - self.encoder.engine.bytes_left;
        self.counted += bytes;
        let beside = std::mem::take(&mut self.encoder.work);
        budget.spend(16 + beside + work.unwrap_or(bytes / 4));
        if self.encoder.engine.is_full {
            Verdict::TooLarge
        } else {
            Verdict::NotYet
        }
    }

    /// Encodes what follows from two constraints together. Returns its cost. It is no part of proofs, whose steps follow from one.
    fn encode_combinations(&mut self) -> usize {
        let mut work = 64 * add_crossings(&mut self.encoder, &self.constraints);
        let places = self.encoder.places();
        for constraint in &self.constraints {
            let Constraint::Network(network) = &**constraint else {
                continue;
            };
            if work > MOST_OF_COMBINATIONS {
                break;
            }
            let (kernel, spent) = network.with_counts(&self.constraints, places);
            work += spent + self.constraints.len();
            let Some(kernel) = kernel else { continue };
            work += 8 * kernel.items().len() + 16 * places;
            let bytes = 4 * constraint.bytes() + 64 * places;
            if self.encoder.engine.reserve(bytes) {
                self.encoder.add_kernel(Arc::new(kernel));
            }
        }
        work
    }

    /// Encodes a part of a constraint: the whole of its kernel, if it has one. Returns the cost of the kernel too. Its
    /// bytes are no measure of that: they are fewer where pointers are smaller, and a run takes equal steps everywhere.
    fn encode_part(&mut self, constraint: &Constraint, part: usize) -> (Encoded, Option<usize>) {
        self.encoder.engine.set_rule(self.next.0 as u32);
        match constraint.kernel() {
            Some(kernel) => {
                // It stores rows for the constraint's data, or for all places.
                let bytes = 4 * constraint.bytes() + 64 * self.encoder.places();
                self.encoder.engine.reserve(bytes);
                let work = 8 * kernel.items().len() + 16 * self.encoder.places();
                let clauses = self.encoder.add_kernel(Arc::from(kernel));
                (Encoded::Done, Some(work + 16 * clauses))
            }
            None => (constraint.encode(&mut self.encoder, part), None),
        }
    }

    /// Learns a clause from the conflict, goes back to the level where it forces something, and applies it.
    fn learn(&mut self, budget: &mut Budget) {
        let engine = &mut self.encoder.engine;
        self.conflicts += 1;
        self.since_rest += 1;
        self.since_restart += 1;
        let Learned {
            literals,
            level,
            levels,
        } = self.analysis.learn(engine, budget);
        let id = engine.log_learned(&literals);
        self.phases.note_conflict(engine, budget);
        engine.backtrack(level);
        if let [only] = literals[..] {
            engine.enqueue(only, Reason::None);
            engine.log_unit(only, id);
        } else {
            let clause = engine.add_watched(&literals, levels.max(1), id);
            engine.enqueue(literals[0], Reason::Clause(clause));
        }
        engine.activity.decay();
    }

    /// Goes back to the beginning with all that was learned. Before each of the shortest stretches other values are tried first.
    fn restart(&mut self) {
        let engine = &mut self.encoder.engine;
        engine.backtrack(0);
        self.restarts += 1;
        self.since_restart = 0;
        if luby(self.restarts + 1) == 1 {
            self.phases.change(engine);
        }
    }

    /// As [`Learner::restart`], and brings what it knows in order, so that it can be saved.
    fn rest(&mut self, budget: &mut Budget) -> Verdict {
        self.restart();
        self.since_rest = 0;
        self.rested_at = self.visits;
        if self.encoder.engine.clauses.learned() > self.most_learned {
            self.discard();
            self.most_learned += self.most_learned / 10;
        }
        let engine = &mut self.encoder.engine;
        if engine.is_unsat {
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
    fn discard(&mut self) {
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
