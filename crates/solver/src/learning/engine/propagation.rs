//! Unit propagation, and the clauses of reasons.

use super::{ConflictSource, Engine, Reason, Watch};
use crate::kernel::{Inferences, Literal, Status};
use crate::learning::literal::Lit;
use ndscript_base::budget::Budget;

impl Engine {
    /// Unit propagation to the fixpoint; false on a conflict, stored in `conflict`.
    pub fn propagate(&mut self, budget: &mut Budget) -> bool {
        loop {
            while self.head < self.trail.len() {
                let literal = self.trail[self.head];
                self.head += 1;
                budget.spend(8);
                let is_consistent = self.add_weights(literal, budget)
                    && self.exclude_others(literal, budget)
                    && self.visit_watches(literal, budget);
                if !is_consistent {
                    return false;
                }
                for at in 0..self.kernels_of[literal.variable()].len() {
                    let kernel = self.kernels_of[literal.variable()][at];
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

    fn set_conflict(
        &mut self,
        by: ConflictSource,
        literals: impl IntoIterator<Item = Lit>,
    ) -> bool {
        self.conflict_by = Some(by);
        self.conflict.clear();
        self.conflict.extend(literals);
        false
    }

    /// Makes false what a true literal excludes; false if that is a conflict.
    fn exclude_others(&mut self, literal: Lit, budget: &mut Budget) -> bool {
        for at in 0..self.exclusions_of[literal.index()].len() {
            let number = self.exclusions_of[literal.index()][at] as usize;
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
                    let source = ConflictSource::Exclusion(number as u32);
                    return self.set_conflict(source, [!literal, !other]);
                }
                self.enqueue(!other, Reason::One(literal));
            }
        }
        true
    }

    /// Literals whose weight exceeds the slack become false.
    fn add_weights(&mut self, literal: Lit, budget: &mut Budget) -> bool {
        let count = self.linear_terms_of[literal.index()].len();
        // All weights first: backtracking adds them back for all.
        for at in 0..count {
            let (number, weight) = self.linear_terms_of[literal.index()][at];
            self.linears[number as usize].slack -= weight;
        }
        for at in 0..count {
            let (number, _) = self.linear_terms_of[literal.index()][at];
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
                self.conflict_by = Some(ConflictSource::Linear(number));
                return false;
            }
            let mut next = 0;
            while let Some((weight, other)) = self.linears[number as usize].terms.get(next).copied()
            {
                if weight <= slack {
                    break;
                }
                if self.is_open(other) {
                    self.enqueue(!other, Reason::Linear(number));
                }
                next += 1;
            }
            budget.spend(next);
        }
        true
    }

    /// The negated literals of a linear constraint that held before a position of the trail: together with the weight
    /// `own` they exceed the bound. If fewer are enough, the latest are left out first.
    fn push_reason_in_linear(&self, number: u32, before: usize, own: i64, out: &mut Vec<Lit>) {
        let linear = &self.linears[number as usize];
        let true_terms = linear.terms.iter().copied().filter(|(_, literal)| {
            self.holds(*literal) && (self.position[literal.variable()] as usize) < before
        });
        let total: i64 = true_terms.clone().map(|(weight, _)| weight).sum();
        let mut spare = total + own - linear.bound - 1;
        if spare == 0 {
            out.extend(true_terms.map(|(_, literal)| !literal));
            return;
        }
        let mut reason: Vec<(i64, Lit)> = true_terms.collect();
        reason.sort_unstable_by_key(|(_, literal)| {
            std::cmp::Reverse(self.position[literal.variable()])
        });
        for (weight, literal) in reason {
            // Dropping a literal that always holds gains nothing: it costs nothing in a clause.
            if weight <= spare && self.decision_level[literal.variable()] > 0 {
                spare -= weight;
            } else {
                out.push(!literal);
            }
        }
    }

    /// Looks at the clauses that watch a literal which is now false (two watched literals); false if there is a
    /// conflict.
    fn visit_watches(&mut self, literal: Lit, budget: &mut Budget) -> bool {
        let false_literal = !literal;
        let mut list = std::mem::take(&mut self.watches[false_literal.index()]);
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
            if clause[0] == false_literal {
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
                self.conflict_by = Some(ConflictSource::Clause(watch.clause));
                self.conflict.clear();
                self.conflict
                    .extend_from_slice(self.clauses.get(watch.clause));
                is_consistent = false;
                break;
            }
            self.enqueue(first, Reason::Clause(watch.clause));
        }
        if from > to {
            list.copy_within(from.., to);
            list.truncate(list.len() - (from - to));
        }
        // Nothing was added to it meanwhile: a clause has each literal once.
        self.watches[false_literal.index()] = list;
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
        if let Some(failure) = found.failure() {
            let conflict: Vec<Lit> = failure
                .iter()
                .map(|other| !attached.literal(*other))
                .collect();
            return self.set_conflict(ConflictSource::Kernel(number), conflict);
        }
        let is_always = self.levels() == 0 && self.log.is_none();
        // The reason that was stored last: several conclusions may share it.
        let mut last: Option<(&[Literal], u32)> = None;
        for (conclusion, reason) in found.conclusions() {
            let attached = &self.kernels[number as usize];
            let conclusion = attached.literal(conclusion);
            if self.holds(conclusion) {
                continue;
            }
            let against = reason.iter().map(|other| !attached.literal(*other));
            if self.holds(!conclusion) {
                let conflict: Vec<Lit> = against.chain([conclusion]).collect();
                return self.set_conflict(ConflictSource::Kernel(number), conflict);
            }
            if is_always {
                self.enqueue(conclusion, Reason::None);
                continue;
            }
            let stored = last.filter(|(known, _)| std::ptr::eq(*known, reason));
            let number_of_reason =
                stored.map_or(self.kernel_reason_starts.len() as u32, |(_, at)| at);
            if stored.is_none() {
                let start = self.kernel_reasons.len() as u32;
                self.kernel_reason_starts.push(start);
                self.kernel_reason_sources.push(number);
                self.kernel_reasons.extend(against);
                last = Some((reason, number_of_reason));
            }
            self.enqueue(conclusion, Reason::Kernel(number_of_reason));
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
            Reason::Kernel(number) => {
                let start = self.kernel_reason_starts[number as usize] as usize;
                let next = self.kernel_reason_starts.get(number as usize + 1);
                let end = next.map_or(self.kernel_reasons.len(), |end| *end as usize);
                out.extend_from_slice(&self.kernel_reasons[start..end]);
            }
        }
    }
}
