//! The saved form of a resting search: what it has learned. The rest follows from the board.

use super::encoder::Encoder;
use super::literal::Lit;
use super::phases::Phases;
use super::{Learner, Verdict};
use crate::Solver;
use ndscript_base::budget::Budget;
use ndscript_base::codec::{Saved, Unsound, Writer, ensure};

/// A search that rests, apart from its board.
#[derive(Clone, Debug)]
pub struct Resting {
    seed: u64,
    most_bytes: usize,
    counters: Vec<u64>,
    /// Literals that always hold.
    holding: Vec<u32>,
    /// Learned clauses: on how many levels each was, how long it is, and its literals.
    learned: Vec<u32>,
    latest_phases: Vec<bool>,
    phases: Phases,
    scores: Vec<f64>,
    step: f64,
}

ndscript_base::saved!(struct Resting { seed, most_bytes, counters, holding, learned, latest_phases, phases, scores, step });

impl Learner {
    /// Saves a search that rests.
    pub fn save(&self, out: &mut Writer) {
        let Encoder { engine, .. } = &self.encoder;
        let (scores, step) = engine.activity.scores();
        let mut learned = Vec::new();
        for clause in engine.clauses.all() {
            let (levels, literals) = (engine.clauses.levels(clause), engine.clauses.get(clause));
            if levels > 0 {
                learned.extend([levels, literals.len() as u32]);
                learned.extend(literals.iter().map(|literal| literal.index() as u32));
            }
        }
        Resting {
            seed: self.seed,
            most_bytes: self.most_bytes,
            counters: vec![
                self.conflicts,
                self.restarts,
                self.most_learned as u64,
                self.visits,
                self.encoding,
                self.rested_at,
            ],
            holding: engine
                .trail()
                .iter()
                .map(|literal| literal.index() as u32)
                .collect(),
            learned,
            latest_phases: engine.phase.clone(),
            phases: self.phases.clone(),
            scores: scores.to_vec(),
            step,
        }
        .save(out);
    }
}

impl Resting {
    /// Continues on the board that the search was on, besides the same known solution ([`Learner::look_besides`]), if there was one; a
    /// search may own this number of bytes at most.
    ///
    /// # Errors
    /// If it belongs to another board.
    pub fn on(self, solver: &Solver, known: &[u32], most_bytes: usize) -> Result<Learner, Unsound> {
        let wrong = "a search is of another board";
        ensure(self.most_bytes <= most_bytes, wrong)?;
        let &[
            conflicts,
            restarts,
            most_learned,
            visits,
            encoding,
            rested_at,
        ] = &self.counters[..]
        else {
            return Err(Unsound::Wrong(wrong));
        };
        // No search comes so far.
        let are_counted = self.counters.iter().all(|counter| *counter < 1 << 60);
        ensure(
            are_counted && rested_at <= visits && encoding <= visits,
            wrong,
        )?;
        let mut learner = Learner::of_bound(solver, self.seed, self.most_bytes);
        learner.look_besides(known.to_vec());
        while !learner.is_encoded {
            let verdict = learner.encode(&mut Budget::unlimited());
            ensure(verdict == Verdict::NotYet, wrong)?;
        }
        let engine = &mut learner.encoder.engine;
        // Learned clauses do not count as constraints.
        engine.bytes_left = usize::MAX;
        let count = engine.variables();
        let are_scores = |scores: &[f64]| scores.iter().all(|score| (0.0..=1e101).contains(score));
        ensure(
            self.latest_phases.len() == count
                && self.phases.fits(count)
                && self.scores.len() == count
                && are_scores(&self.scores)
                && are_scores(&[self.step]),
            wrong,
        )?;
        let literal = |number: u32| {
            let variable = number as usize / 2;
            ensure(variable < count, wrong).map(|()| Lit::new(variable, number.is_multiple_of(2)))
        };
        for number in self.holding {
            engine.add_clause(&[literal(number)?]);
        }
        ensure(
            !engine.is_unsat && engine.propagate(&mut Budget::unlimited()),
            wrong,
        )?;
        let mut rest = &self.learned[..];
        while let [levels, length, others @ ..] = rest {
            ensure(*length as usize <= others.len(), wrong)?;
            let (own, behind) = others.split_at(*length as usize);
            let literals: Result<Vec<Lit>, Unsound> = own.iter().map(|own| literal(*own)).collect();
            engine.add_learned(&literals?, (*levels).max(1));
            rest = behind;
        }
        ensure(
            !engine.is_unsat && engine.propagate(&mut Budget::unlimited()),
            wrong,
        )?;
        engine.phase = self.latest_phases;
        learner.phases = self.phases;
        engine.activity.set_scores(self.scores, self.step);
        engine.settle();
        (learner.conflicts, learner.restarts) = (conflicts, restarts);
        (learner.visits, learner.encoding) = (visits, encoding);
        learner.rested_at = rested_at;
        learner.most_learned = most_learned as usize;
        learner.counted = learner.encoder.bytes();
        Ok(learner)
    }
}
