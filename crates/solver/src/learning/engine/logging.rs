//! Logs clauses and what they follow from, if there is a log.

use super::{ConflictSource, Engine, Reason};
use crate::learning::literal::Lit;
use crate::learning::log::{FOLLOWS, Id, Log};

impl Engine {
    /// The constraint to which the next clauses belong.
    pub fn set_rule(&mut self, rule: u32) {
        if let Some(log) = &mut self.log {
            log.set_rule(rule);
        }
    }

    /// Logs a clause of the constraint that is being encoded.
    pub(super) fn log_clause(&mut self, literals: &[Lit]) -> Id {
        // The clause leaves out literals that never hold.
        self.log_units();
        self.log.as_mut().map_or(0, |log| log.say(literals))
    }

    /// Logs what remains of a clause whose other literals never hold: one literal, or none.
    pub(super) fn log_shortened(&mut self, id: Id, left: Option<Lit>) {
        if let Some(mut log) = self.log.take() {
            let id = self.shortened(&mut log, id, &[], left);
            if let Some(left) = left {
                log.set_unit(left, id);
            }
            self.log = Some(log);
        }
    }

    /// Records the step that makes a literal hold always.
    pub fn log_unit(&mut self, literal: Lit, id: Id) {
        if let Some(log) = &mut self.log {
            log.set_unit(literal, id);
        }
    }

    /// Adds what remains of a clause: of a step, or of `literals` if it has none.
    fn shortened(&self, log: &mut Log, id: Id, literals: &[Lit], left: Option<Lit>) -> Id {
        let clause = match id {
            0 => literals,
            _ => log.clause(id),
        };
        let others = clause.iter().filter(|literal| Some(**literal) != left);
        let mut hints: Vec<Id> = others.map(|other| log.unit(other.variable())).collect();
        hints.retain(|hint| *hint != 0);
        if hints.is_empty() && id != 0 && log.clause(id).len() == usize::from(left.is_some()) {
            return id;
        }
        hints.extend((id != 0).then_some(id));
        let left: Vec<Lit> = left.into_iter().collect();
        log.add(FOLLOWS, &left, &hints)
    }

    /// Logs the literals that always hold since the last call.
    pub(super) fn log_units(&mut self) {
        let Some(mut log) = self.log.take() else {
            return;
        };
        let end = self
            .level_starts
            .first()
            .map_or(self.trail.len(), |start| *start as usize);
        for at in log.looked_at.min(end)..end {
            let literal = self.trail[at];
            let variable = literal.variable();
            // A literal from a clause of one was logged when it was added.
            if log.unit(variable) != 0 || self.reason[variable] == Reason::None {
                continue;
            }
            let mut others = Vec::new();
            self.push_reason(literal, &mut others);
            let id = self.id_of_reason(&mut log, literal, &others);
            let id = self.shortened(&mut log, id, &others, Some(literal));
            log.set_unit(literal, id);
        }
        log.looked_at = end;
        self.log = Some(log);
    }

    /// Logs a learned clause, before anything is undone.
    pub fn log_learned(&mut self, literals: &[Lit]) -> Id {
        if self.log.is_none() {
            return 0;
        }
        self.log_units();
        let Some(mut log) = self.log.take() else {
            return 0;
        };
        let hints = self.hints(&mut log, literals);
        let id = log.add(FOLLOWS, literals, &hints);
        self.log = Some(log);
        id
    }

    /// Logs the empty clause: the literals that always hold contradict the constraints.
    pub fn log_end(&mut self) {
        if self.log.as_ref().is_none_or(|log| log.end() != 0) {
            return;
        }
        self.log_learned(&[]);
    }

    /// The steps from which it follows, in order, that one of some literals holds.
    fn hints(&self, log: &mut Log, literals: &[Lit]) -> Vec<Id> {
        let last = self.id_of_conflict(log);
        let mut seen = std::collections::BTreeSet::new();
        seen.extend(literals.iter().map(|literal| literal.variable()));
        let (mut units, mut steps) = (Vec::new(), Vec::new());
        let mut waiting: Vec<Lit> = match last {
            0 => self.conflict.clone(),
            _ => log.clause(last).to_vec(),
        };
        let mut reason = Vec::new();
        while let Some(literal) = waiting.pop() {
            let variable = literal.variable();
            if !seen.insert(variable) {
                continue;
            }
            if self.decision_level[variable] == 0 {
                units.push(log.unit(variable));
                continue;
            }
            reason.clear();
            // All of them are false but the one that holds by them.
            self.push_reason(!literal, &mut reason);
            let id = self.id_of_reason(log, !literal, &reason);
            steps.push((self.position[variable], id));
            match id {
                0 => waiting.append(&mut reason),
                _ => waiting.extend_from_slice(log.clause(id)),
            }
        }
        units.sort_unstable();
        steps.sort_unstable();
        units.extend(steps.into_iter().map(|(_, id)| id));
        units.push(last);
        units.retain(|id| *id != 0);
        units
    }

    /// The step of the clause from which it follows that a literal holds, with the others of it.
    fn id_of_reason(&self, log: &mut Log, literal: Lit, others: &[Lit]) -> Id {
        let rule = match self.reason[literal.variable()] {
            Reason::None => return 0,
            Reason::Clause(clause) => return self.clauses.id(clause),
            Reason::One(other) => match self.exclusion_of(!literal, other) {
                Some(number) => log.rule_of_exclusion(number),
                None => return 0,
            },
            Reason::Linear(number) => log.rule_of_linear(number),
            Reason::Kernel(number) => {
                log.rule_of_kernel(self.kernel_reason_sources[number as usize])
            }
        };
        let clause: Vec<Lit> = others.iter().copied().chain([literal]).collect();
        self.id_of_explanation(log, rule, clause)
    }

    fn id_of_explanation(&self, log: &mut Log, rule: u32, clause: Vec<Lit>) -> Id {
        match clause.len() <= 2 && log.is_plain(&clause) {
            true => 0,
            false => log.explain(rule, clause),
        }
    }

    fn id_of_conflict(&self, log: &mut Log) -> Id {
        let rule = match self.conflict_by {
            None => return 0,
            Some(ConflictSource::Clause(clause)) => return self.clauses.id(clause),
            Some(ConflictSource::Exclusion(number)) => log.rule_of_exclusion(number),
            Some(ConflictSource::Linear(number)) => log.rule_of_linear(number),
            Some(ConflictSource::Kernel(number)) => log.rule_of_kernel(number),
        };
        self.id_of_explanation(log, rule, self.conflict.clone())
    }

    /// The exclusion that two literals are in.
    fn exclusion_of(&self, one: Lit, other: Lit) -> Option<u32> {
        let lists = [one, other].map(|literal| &self.exclusions_of[literal.index()]);
        lists[0]
            .iter()
            .copied()
            .find(|number| lists[1].contains(number))
    }
}
