//! Boolean variables with what is known of them, and what follows from that: by clauses, exclusions, linear constraints and kernels.
//! Each consequence keeps its reason in short; the clause that it stands for is made when a conflict asks.

use std::sync::Arc;

use super::activity::Activity;
use super::clauses::{ClauseAt, Clauses};
use super::linear::Linear;
use super::literal::Lit;
use crate::kernel::{Inferences, Kernel, Literal, Status};
use ndscript_base::budget::Budget;
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
    /// What a kernel said: so many literals in the row of reasons, from a place on.
    Kept(u32),
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
    /// The constraints contradict one another.
    pub is_broken: bool,
    /// The literals of a clause none of which holds.
    pub conflict: Vec<Lit>,
    statuses: Vec<Status>,
}

impl Engine {
    /// A new variable, with what it is tried as first.
    pub fn add_variable(&mut self, phase: bool, score: f64) -> usize {
        let variable = self.level.len();
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

/// Taking up constraints, while nothing is decided.
impl Engine {
    /// At least one of these holds.
    pub fn add_clause(&mut self, literals: &[Lit]) {
        let mut open: Vec<Lit> = literals.to_vec();
        open.sort_unstable();
        open.dedup();
        if open.windows(2).any(|pair| pair[0] == !pair[1])
            || open.iter().any(|literal| self.holds(*literal))
        {
            return;
        }
        open.retain(|literal| self.is_open(*literal));
        match open[..] {
            [] => self.is_broken = true,
            [only] => self.assume(only, Reason::None),
            _ => {
                self.add_watched(&open, 0);
            }
        }
    }

    /// Keeps a clause of two literals or more, of which the first two are watched.
    pub fn add_watched(&mut self, literals: &[Lit], levels: u32) -> ClauseAt {
        let clause = self.clauses.add(literals, levels);
        self.watches[literals[0].index()].push(Watch {
            clause,
            other: literals[1],
        });
        self.watches[literals[1].index()].push(Watch {
            clause,
            other: literals[0],
        });
        clause
    }

    /// A clause that was learned before.
    pub fn add_learned(&mut self, literals: &[Lit], levels: u32) {
        let mut open: Vec<Lit> = literals.to_vec();
        open.sort_unstable();
        open.dedup();
        open.retain(|literal| !self.holds(!*literal));
        let is_over = open.iter().any(|literal| self.holds(*literal))
            || open.windows(2).any(|pair| pair[0] == !pair[1]);
        match open[..] {
            _ if is_over => {}
            [] | [_] => self.add_clause(&open),
            _ => {
                self.add_watched(&open, levels);
            }
        }
    }

    /// At most one of these holds.
    pub fn add_exclusion(&mut self, literals: &[Lit]) {
        let mut own: Vec<Lit> = literals.to_vec();
        own.sort_unstable();
        // What is listed twice cannot hold.
        let twice: Vec<Lit> = own
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        twice
            .into_iter()
            .for_each(|literal| self.add_clause(&[!literal]));
        own.retain(|literal| !self.holds(!*literal));
        own.dedup();
        let holding: Vec<Lit> = own
            .iter()
            .copied()
            .filter(|literal| self.holds(*literal))
            .collect();
        match holding[..] {
            [] if own.len() < 2 => {}
            [] if own.len() == 2 => self.add_clause(&[!own[0], !own[1]]),
            [] => {
                let number = self.exclusion_starts.len() as u32;
                self.exclusion_starts.push(self.exclusions.len() as u32);
                self.exclusions.extend_from_slice(&own);
                for literal in own {
                    self.excluded_by[literal.index()].push(number);
                }
            }
            [only] => {
                for other in own.into_iter().filter(|other| *other != only) {
                    self.add_clause(&[!other]);
                }
            }
            _ => self.is_broken = true,
        }
    }

    /// The weights of those that hold add up to the bound at most.
    pub fn add_linear(&mut self, terms: Vec<(i64, Lit)>, mut bound: i64) {
        let mut open = Vec::with_capacity(terms.len());
        for (weight, literal) in terms {
            if self.holds(literal) {
                bound -= weight;
            } else if !self.holds(!literal) {
                open.push((weight, literal));
            }
        }
        let Some(linear) = Linear::new(open, bound) else {
            return;
        };
        if linear.slack < 0 {
            self.is_broken = true;
            return;
        }
        let are_alike = linear
            .terms
            .iter()
            .all(|(weight, _)| 2 * weight > linear.slack);
        if are_alike && linear.heaviest() <= linear.slack {
            let literals: Vec<Lit> = linear.terms.iter().map(|(_, literal)| *literal).collect();
            return self.add_exclusion(&literals);
        }
        let number = self.linears.len() as u32;
        for (weight, literal) in &linear.terms {
            self.added_to[literal.index()].push((number, *weight));
        }
        let too_heavy: Vec<Lit> = linear
            .terms
            .iter()
            .take_while(|(weight, _)| *weight > linear.slack)
            .map(|(_, literal)| *literal)
            .collect();
        self.linears.push(linear);
        for literal in too_heavy {
            self.add_clause(&[!literal]);
        }
    }

    /// A kernel with the literals of its items.
    pub fn add_kernel(&mut self, kernel: Arc<dyn Kernel>, items: Vec<Lit>) {
        let number = self.kernels.len() as u32;
        let mut own: Vec<usize> = items.iter().map(|item| item.variable()).collect();
        own.sort_unstable();
        own.dedup();
        for variable in own {
            self.looked_at_by[variable].push(number);
        }
        self.kernels.push(Attached {
            kernel,
            items,
            waits: true,
        });
        self.waiting.push(number);
    }
}

/// Finding out what follows.
impl Engine {
    /// Finds out what follows from what holds. False if that is a contradiction, which then stands in `conflict`.
    pub fn propagate(&mut self, budget: &mut Budget) -> bool {
        loop {
            while self.head < self.trail.len() {
                let literal = self.trail[self.head];
                self.head += 1;
                budget.spend(8);
                let is_consistent = self.add_weights(literal, budget)
                    && self.exclude_others(literal, budget)
                    && self.look_at_watches(literal, budget);
                if !is_consistent {
                    return false;
                }
                for at in 0..self.looked_at_by[literal.variable()].len() {
                    let kernel = self.looked_at_by[literal.variable()][at];
                    let attached = &mut self.kernels[kernel as usize];
                    if !std::mem::replace(&mut attached.waits, true) {
                        self.waiting.push(kernel);
                    }
                }
            }
            let Some(kernel) = self.waiting.pop() else {
                return true;
            };
            self.kernels[kernel as usize].waits = false;
            if !self.ask(kernel, budget) {
                return false;
            }
        }
    }

    fn set_conflict(&mut self, literals: impl IntoIterator<Item = Lit>) -> bool {
        self.conflict.clear();
        self.conflict.extend(literals);
        false
    }

    fn exclude_others(&mut self, literal: Lit, budget: &mut Budget) -> bool {
        for at in 0..self.excluded_by[literal.index()].len() {
            let number = self.excluded_by[literal.index()][at] as usize;
            let start = self.exclusion_starts[number] as usize;
            let end = self
                .exclusion_starts
                .get(number + 1)
                .map_or(self.exclusions.len(), |end| *end as usize);
            budget.spend(end - start);
            for at in start..end {
                let other = self.exclusions[at];
                if other == literal || self.holds(!other) {
                    continue;
                }
                if self.holds(other) {
                    return self.set_conflict([!literal, !other]);
                }
                self.assume(!other, Reason::One(literal));
            }
        }
        true
    }

    /// Adds the weights of a literal that holds; what has no room any more does not hold.
    fn add_weights(&mut self, literal: Lit, budget: &mut Budget) -> bool {
        let count = self.added_to[literal.index()].len();
        // All of them first: what is undone is undone for all.
        for at in 0..count {
            let (number, weight) = self.added_to[literal.index()][at];
            self.linears[number as usize].slack -= weight;
        }
        for at in 0..count {
            let (number, _) = self.added_to[literal.index()][at];
            let linear = &self.linears[number as usize];
            let slack = linear.slack;
            budget.spend(2);
            if slack >= linear.heaviest() {
                continue;
            }
            if slack < 0 {
                let mut conflict = std::mem::take(&mut self.conflict);
                conflict.clear();
                self.push_reason_in_linear(number, usize::MAX, 0, &mut conflict);
                self.conflict = conflict;
                return false;
            }
            let mut next = 0;
            while let Some((weight, other)) = self.linears[number as usize].terms.get(next).copied()
            {
                if weight <= slack {
                    break;
                }
                if self.is_open(other) {
                    self.assume(!other, Reason::Linear(number));
                }
                next += 1;
            }
            budget.spend(next);
        }
        true
    }

    /// Literals of a linear constraint that held before a place in the trail, negated: with a weight of its own beside them they are
    /// too heavy. What came last is left out first where less is enough.
    fn push_reason_in_linear(&self, number: u32, before: usize, own: i64, out: &mut Vec<Lit>) {
        let linear = &self.linears[number as usize];
        let held = linear.terms.iter().copied().filter(|(_, literal)| {
            self.holds(*literal) && (self.position[literal.variable()] as usize) < before
        });
        let total: i64 = held.clone().map(|(weight, _)| weight).sum();
        let mut spare = total + own - linear.bound - 1;
        if spare == 0 {
            out.extend(held.map(|(_, literal)| !literal));
            return;
        }
        let mut reason: Vec<(i64, Lit)> = held.collect();
        reason.sort_unstable_by_key(|(_, literal)| {
            std::cmp::Reverse(self.position[literal.variable()])
        });
        for (weight, literal) in reason {
            // What holds always costs nothing.
            if weight <= spare && self.level[literal.variable()] > 0 {
                spare -= weight;
            } else {
                out.push(!literal);
            }
        }
    }

    fn look_at_watches(&mut self, literal: Lit, budget: &mut Budget) -> bool {
        let gone = !literal;
        let mut list = std::mem::take(&mut self.watches[gone.index()]);
        let (mut from, mut to, mut is_consistent) = (0, 0, true);
        budget.spend(2 * list.len());
        while from < list.len() {
            let watch = list[from];
            from += 1;
            if self.holds[watch.other.index()] {
                list[to] = watch;
                to += 1;
                continue;
            }
            let clause = self.clauses.get_mut(watch.clause);
            if clause[0] == gone {
                clause.swap(0, 1);
            }
            let first = clause[0];
            if first != watch.other && self.holds[first.index()] {
                list[to] = Watch {
                    clause: watch.clause,
                    other: first,
                };
                to += 1;
                continue;
            }
            let next = (2..clause.len()).find(|at| !self.holds[(!clause[*at]).index()]);
            if let Some(next) = next {
                clause.swap(1, next);
                let new = clause[1];
                budget.spend(next);
                self.watches[new.index()].push(Watch {
                    clause: watch.clause,
                    other: first,
                });
                continue;
            }
            budget.spend(clause.len());
            list[to] = Watch {
                clause: watch.clause,
                other: first,
            };
            to += 1;
            if self.holds[(!first).index()] {
                self.conflict.clear();
                self.conflict
                    .extend_from_slice(self.clauses.get(watch.clause));
                is_consistent = false;
                break;
            }
            self.assume(first, Reason::Clause(watch.clause));
        }
        if from > to {
            list.copy_within(from.., to);
            list.truncate(list.len() - (from - to));
        }
        // Nothing was added to it meanwhile: a clause has each literal once.
        self.watches[gone.index()] = list;
        is_consistent
    }

    /// Asks a kernel.
    fn ask(&mut self, number: u32, budget: &mut Budget) -> bool {
        let attached = &self.kernels[number as usize];
        let mut statuses = std::mem::take(&mut self.statuses);
        statuses.clear();
        statuses.extend(attached.items.iter().map(|item| {
            match (self.holds(*item), self.holds(!*item)) {
                (true, _) => Status::Yes,
                (_, true) => Status::No,
                _ => Status::Open,
            }
        }));
        let mut found = Inferences::new(true);
        attached.kernel.infer(&statuses, &mut found);
        budget.spend(statuses.len() + found.work());
        self.statuses = statuses;
        let items = &attached.items;
        let literal = |said: &Literal| {
            let own = items[said.item as usize];
            if said.is { own } else { !own }
        };
        if let Some(failure) = found.failure() {
            let conflict: Vec<Lit> = failure.iter().map(|said| !literal(said)).collect();
            return self.set_conflict(conflict);
        }
        let conclusions: Vec<(Lit, Vec<Lit>)> = found
            .conclusions()
            .map(|(said, reason)| {
                (
                    literal(&said),
                    reason.iter().map(|said| !literal(said)).collect(),
                )
            })
            .collect();
        for (conclusion, reason) in conclusions {
            if self.holds(conclusion) {
                continue;
            }
            if self.holds(!conclusion) {
                return self.set_conflict(reason.into_iter().chain([conclusion]));
            }
            if self.levels() == 0 {
                self.assume(conclusion, Reason::None);
                continue;
            }
            let place = self.kept_starts.len() as u32;
            self.kept_starts.push(self.kept.len() as u32);
            self.kept.extend(reason);
            self.assume(conclusion, Reason::Kept(place));
        }
        true
    }

    /// The other literals of the clause from which it follows that a literal holds: none of them does.
    pub fn push_reason(&self, literal: Lit, out: &mut Vec<Lit>) {
        match self.reason[literal.variable()] {
            Reason::None => {}
            Reason::One(other) => out.push(!other),
            Reason::Clause(clause) => {
                let others = self.clauses.get(clause).iter().copied();
                out.extend(others.filter(|other| *other != literal));
            }
            Reason::Linear(number) => {
                let linear = &self.linears[number as usize];
                let before = self.position[literal.variable()] as usize;
                let own = linear
                    .terms
                    .iter()
                    .find(|(_, other)| *other == !literal)
                    .map_or(0, |(weight, _)| *weight);
                self.push_reason_in_linear(number, before, own, out);
            }
            Reason::Kept(place) => {
                let start = self.kept_starts[place as usize] as usize;
                let next = self.kept_starts.get(place as usize + 1);
                let end = next.map_or(self.kept.len(), |end| *end as usize);
                out.extend_from_slice(&self.kept[start..end]);
            }
        }
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

impl Engine {
    /// Brings all that is known into an order that depends on nothing but what that is, while nothing is decided and everything was
    /// found out: who takes up the same goes on in the same way.
    pub fn settle(&mut self) {
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
        let holds = &self.holds;
        self.activity
            .settle(|variable| !holds[2 * variable] && !holds[2 * variable + 1]);
    }
}
