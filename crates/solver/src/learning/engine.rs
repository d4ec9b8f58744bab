//! The engine of the learning search: Boolean variables, and propagation by clauses, exclusions, linear constraints and
//! kernels. Each consequence stores a short form of its reason; conflict analysis expands it to a clause.

mod adding;
mod logging;
mod propagation;

use std::sync::Arc;

use super::activity::Activity;
use super::clauses::{ClauseAt, Clauses};
use super::linear::Linear;
use super::literal::Lit;
use super::log::Log;
use crate::kernel::{self, Kernel, Status};
use ndscript_base::room;

/// Why a literal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was decided, or it always holds.
    None,
    /// This literal holds, and excludes the negation.
    One(Lit),
    /// All other literals of a clause are false.
    Clause(ClauseAt),
    /// A linear constraint leaves too little slack for the negation.
    Linear(u32),
    /// A kernel inferred it; the number of the stored reason.
    Kernel(u32),
}

/// The source of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConflictSource {
    Clause(ClauseAt),
    Exclusion(u32),
    Linear(u32),
    Kernel(u32),
}

/// A clause that watches a literal, and another of its literals: if that holds, the clause need not be visited.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    pub clause: ClauseAt,
    pub other: Lit,
}

/// A kernel with the literals of its items.
#[derive(Clone)]
struct Attached {
    kernel: Arc<dyn Kernel>,
    items: Vec<Lit>,
    waits: bool,
}

impl Attached {
    /// A literal of the kernel, as one of the engine.
    fn literal(&self, literal: kernel::Literal) -> Lit {
        let own = self.items[literal.item as usize];
        if literal.is { own } else { !own }
    }
}

/// The clause-learning engine: assignments, constraints, trail.
#[derive(Clone, Default)]
pub struct Engine {
    /// By literal: whether it holds. Neither a literal nor its negation does while its variable is open.
    holds: Vec<bool>,
    /// By variable.
    decision_level: Vec<u32>,
    position: Vec<u32>,
    reason: Vec<Reason>,
    /// The latest value of each variable, or the one to try first.
    pub phase: Vec<bool>,
    pub activity: Activity,
    /// The literals that hold, in order, and where each level begins.
    trail: Vec<Lit>,
    level_starts: Vec<u32>,
    head: usize,
    pub clauses: Clauses,
    /// By literal: the clauses that watch it, and look for another literal when it becomes false.
    pub watches: Vec<Vec<Watch>>,
    /// Lists of literals of which at most one holds, one after another; and by literal the lists that contain it.
    exclusions: Vec<Lit>,
    exclusion_starts: Vec<u32>,
    exclusions_of: Vec<Vec<u32>>,
    linears: Vec<Linear>,
    /// By literal: the linear constraints that contain it, with its weight.
    linear_terms_of: Vec<Vec<(u32, i64)>>,
    kernels: Vec<Attached>,
    /// By variable: the kernels that read it.
    kernels_of: Vec<Vec<u32>>,
    waiting: Vec<u32>,
    /// Reasons that kernels have given, in the order of the trail, and where each begins.
    kernel_reasons: Vec<Lit>,
    kernel_reason_starts: Vec<u32>,
    /// The kernel of each reason.
    kernel_reason_sources: Vec<u32>,
    /// Bytes left for constraints; whether a constraint was left out because they ran out.
    pub bytes_left: usize,
    pub is_full: bool,
    /// Whether the constraints contradict each other.
    pub is_unsat: bool,
    /// The literals of a clause none of which holds.
    pub conflict: Vec<Lit>,
    conflict_by: Option<ConflictSource>,
    /// The log of clauses, if they are to be checked.
    pub log: Option<Box<Log>>,
    statuses: Vec<Status>,
}

impl Engine {
    /// Adds a variable, with the value to try first.
    pub fn add_variable(&mut self, phase: bool, score: f64) -> usize {
        let variable = self.decision_level.len();
        self.reserve(adding::BYTES_OF_VARIABLE);
        self.holds.extend([false; 2]);
        self.decision_level.push(0);
        self.position.push(0);
        self.reason.push(Reason::None);
        self.phase.push(phase);
        self.activity.add(score);
        self.kernels_of.push(Vec::new());
        for _ in 0..2 {
            self.watches.push(Vec::new());
            self.exclusions_of.push(Vec::new());
            self.linear_terms_of.push(Vec::new());
        }
        variable
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.decision_level.len()
    }

    #[inline]
    pub fn holds(&self, literal: Lit) -> bool {
        self.holds[literal.index()]
    }

    #[inline]
    pub fn is_open(&self, literal: Lit) -> bool {
        !self.holds(literal) && !self.holds(!literal)
    }

    #[inline]
    pub fn level_of(&self, variable: usize) -> u32 {
        self.decision_level[variable]
    }

    #[inline]
    pub fn reason_of(&self, variable: usize) -> Reason {
        self.reason[variable]
    }

    /// The number of levels above level 0.
    pub fn levels(&self) -> usize {
        self.level_starts.len()
    }

    pub fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// The trail without its latest level.
    pub fn trail_below_level(&self) -> &[Lit] {
        let end = self.level_starts.last().map_or(0, |start| *start as usize);
        &self.trail[..end]
    }

    /// Begins a level.
    pub fn open_level(&mut self) {
        self.level_starts.push(self.trail.len() as u32);
    }

    /// Adds an open literal to the trail, with the reason why it holds.
    pub fn enqueue(&mut self, literal: Lit, reason: Reason) {
        let variable = literal.variable();
        self.holds[literal.index()] = true;
        self.decision_level[variable] = self.level_starts.len() as u32;
        self.position[variable] = self.trail.len() as u32;
        self.reason[variable] = reason;
        self.trail.push(literal);
    }

    /// Undoes all levels above `level`.
    pub fn backtrack(&mut self, level: usize) {
        let Some(start) = self.level_starts.get(level).map(|start| *start as usize) else {
            return;
        };
        for at in (start..self.trail.len()).rev() {
            let literal = self.trail[at];
            let variable = literal.variable();
            if at < self.head {
                for (linear, weight) in &self.linear_terms_of[literal.index()] {
                    self.linears[*linear as usize].slack += weight;
                }
            }
            self.holds[literal.index()] = false;
            self.phase[variable] = literal.is();
            if let Reason::Kernel(number) = self.reason[variable] {
                // Several literals may share it.
                if let Some(start) = self.kernel_reason_starts.get(number as usize) {
                    self.kernel_reasons.truncate(*start as usize);
                    self.kernel_reason_starts.truncate(number as usize);
                    self.kernel_reason_sources.truncate(number as usize);
                }
            }
            self.activity.put_back(variable);
        }
        self.trail.truncate(start);
        self.head = self.head.min(start);
        self.level_starts.truncate(level);
        for kernel in self.waiting.drain(..) {
            self.kernels[kernel as usize].waits = false;
        }
    }
}

impl Engine {
    /// Puts clauses and trail into canonical order at level 0, so that equal states continue alike.
    pub fn settle(&mut self) {
        self.log_units();
        let mut clauses = std::mem::take(&mut self.clauses);
        clauses.settle(|literal| self.holds(literal));
        self.watches.iter_mut().for_each(Vec::clear);
        for clause in clauses.all() {
            let literals = clauses.get(clause);
            for (own, other) in [(0, 1), (1, 0)] {
                self.watches[literals[own].index()].push(Watch {
                    clause,
                    other: literals[other],
                });
            }
        }
        self.clauses = clauses;
        // A literal that always holds needs no reason, and no order.
        self.trail.sort_unstable();
        for (at, literal) in self.trail.iter().enumerate() {
            self.reason[literal.variable()] = Reason::None;
            self.position[literal.variable()] = at as u32;
        }
        self.kernel_reasons.clear();
        self.kernel_reason_starts.clear();
        self.kernel_reason_sources.clear();
        let holds = &self.holds;
        self.activity
            .settle(|variable| !holds[2 * variable] && !holds[2 * variable + 1]);
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        let lists = |lists: &Vec<Vec<u32>>| lists.iter().map(room::row).sum::<usize>();
        let variables = self.decision_level.len();
        // The rows by variable, and those by literal.
        variables * (4 + 4 + 12 + 1 + 24 + 2 * (1 + 3 * 24))
            + self.activity.bytes()
            + room::row(&self.trail)
            + self.clauses.bytes()
            + self.watches.iter().map(room::row).sum::<usize>()
            + room::row(&self.exclusions)
            + lists(&self.exclusions_of)
            + self.linears.iter().map(Linear::bytes).sum::<usize>()
            + self.linear_terms_of.iter().map(room::row).sum::<usize>()
            + lists(&self.kernels_of)
            + room::row(&self.kernel_reasons)
    }
}
