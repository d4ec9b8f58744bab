//! Boolean variables with what is known of them, and what follows from that: by clauses, exclusions, linear constraints and kernels.
//! Each consequence keeps its reason in short; the clause that it stands for is made when a conflict asks.

mod logging;
mod propagation;
mod taking_up;

use std::sync::Arc;

use super::activity::Activity;
use super::clauses::{ClauseAt, Clauses};
use super::linear::Linear;
use super::literal::Lit;
use super::log::Log;
use crate::kernel::{Kernel, Status};
use ndscript_base::room;

/// Why a literal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was decided, or nothing need be known of it: it holds always.
    None,
    /// This one holds, and excludes the contrary.
    One(Lit),
    /// All others of a clause do not hold.
    Clause(ClauseAt),
    /// What holds of a linear constraint leaves no room for the contrary.
    Linear(u32),
    /// What a kernel said, by its number among the reasons that are kept.
    Kept(u32),
}

/// What a conflict comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Against {
    Clause(ClauseAt),
    Exclusion(u32),
    Linear(u32),
    Kernel(u32),
}

/// A clause that watches a literal, and another of its literals: if that holds, the clause need not be looked at.
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

/// All that is known.
#[derive(Clone, Default)]
pub struct Engine {
    /// By literal: whether it holds. Neither a literal nor its negation does while its variable is open.
    holds: Vec<bool>,
    /// By variable.
    level: Vec<u32>,
    position: Vec<u32>,
    reason: Vec<Reason>,
    /// What each variable was last, or is to be tried first.
    pub phase: Vec<bool>,
    pub activity: Activity,
    /// What holds, in order, and where each level begins.
    trail: Vec<Lit>,
    level_starts: Vec<u32>,
    head: usize,
    pub clauses: Clauses,
    /// By literal: the clauses that look for another one when it holds no more.
    pub watches: Vec<Vec<Watch>>,
    /// Literals of which at most one holds, a list after another; and by literal in which lists it is.
    exclusions: Vec<Lit>,
    exclusion_starts: Vec<u32>,
    excluded_by: Vec<Vec<u32>>,
    linears: Vec<Linear>,
    /// By literal: the linear constraints that it adds to, with its weight.
    added_to: Vec<Vec<(u32, i64)>>,
    kernels: Vec<Attached>,
    /// By variable: the kernels that look at it.
    looked_at_by: Vec<Vec<u32>>,
    waiting: Vec<u32>,
    /// Reasons that kernels have given, in the order of the trail, and where each begins.
    kept: Vec<Lit>,
    kept_starts: Vec<u32>,
    /// Whose they are.
    kept_by: Vec<u32>,
    /// Bytes that may still be taken for constraints; whether one was left out because there were too few.
    pub room: usize,
    pub is_full: bool,
    /// The constraints contradict one another.
    pub is_broken: bool,
    /// The literals of a clause none of which holds.
    pub conflict: Vec<Lit>,
    conflict_by: Option<Against>,
    /// What is said, step by step, if somebody wants to check it.
    pub log: Option<Box<Log>>,
    statuses: Vec<Status>,
}

impl Engine {
    /// A new variable, with what it is tried as first.
    pub fn add_variable(&mut self, phase: bool, score: f64) -> usize {
        let variable = self.level.len();
        self.take_room(taking_up::BYTES_OF_VARIABLE);
        self.holds.extend([false; 2]);
        self.level.push(0);
        self.position.push(0);
        self.reason.push(Reason::None);
        self.phase.push(phase);
        self.activity.add(score);
        self.looked_at_by.push(Vec::new());
        for _ in 0..2 {
            self.watches.push(Vec::new());
            self.excluded_by.push(Vec::new());
            self.added_to.push(Vec::new());
        }
        variable
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.level.len()
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
        self.level[variable]
    }

    #[inline]
    pub fn reason_of(&self, variable: usize) -> Reason {
        self.reason[variable]
    }

    /// How many levels there are above the one of what holds always.
    pub fn levels(&self) -> usize {
        self.level_starts.len()
    }

    pub fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// Begins a level.
    pub fn open_level(&mut self) {
        self.level_starts.push(self.trail.len() as u32);
    }

    /// Notes that an open literal holds.
    pub fn assume(&mut self, literal: Lit, reason: Reason) {
        let variable = literal.variable();
        self.holds[literal.index()] = true;
        self.level[variable] = self.level_starts.len() as u32;
        self.position[variable] = self.trail.len() as u32;
        self.reason[variable] = reason;
        self.trail.push(literal);
    }

    /// Takes back all that was found out above a level.
    pub fn back_to(&mut self, level: usize) {
        let Some(start) = self.level_starts.get(level).map(|start| *start as usize) else {
            return;
        };
        for at in (start..self.trail.len()).rev() {
            let literal = self.trail[at];
            let variable = literal.variable();
            if at < self.head {
                for (linear, weight) in &self.added_to[literal.index()] {
                    self.linears[*linear as usize].slack += weight;
                }
            }
            self.holds[literal.index()] = false;
            self.phase[variable] = literal.is();
            if let Reason::Kept(kept) = self.reason[variable] {
                self.kept.truncate(self.kept_starts[kept as usize] as usize);
                self.kept_starts.truncate(kept as usize);
                self.kept_by.truncate(kept as usize);
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
    /// Brings all that is known into an order that depends on nothing but what that is, while nothing is decided and everything was
    /// found out: who takes up the same goes on in the same way.
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
        // What holds always needs no reason, and no order.
        self.trail.sort_unstable();
        for (at, literal) in self.trail.iter().enumerate() {
            self.reason[literal.variable()] = Reason::None;
            self.position[literal.variable()] = at as u32;
        }
        self.kept.clear();
        self.kept_starts.clear();
        self.kept_by.clear();
        let holds = &self.holds;
        self.activity
            .settle(|variable| !holds[2 * variable] && !holds[2 * variable + 1]);
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        let lists = |lists: &Vec<Vec<u32>>| lists.iter().map(room::row).sum::<usize>();
        let variables = self.level.len();
        // The rows by variable, and those by literal.
        variables * (4 + 4 + 12 + 1 + 24 + 2 * (1 + 3 * 24))
            + self.activity.bytes()
            + room::row(&self.trail)
            + self.clauses.bytes()
            + self.watches.iter().map(room::row).sum::<usize>()
            + room::row(&self.exclusions)
            + lists(&self.excluded_by)
            + self.linears.iter().map(Linear::bytes).sum::<usize>()
            + self.added_to.iter().map(room::row).sum::<usize>()
            + lists(&self.looked_at_by)
            + room::row(&self.kept)
    }
}
