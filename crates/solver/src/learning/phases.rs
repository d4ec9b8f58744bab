//! The values of variables that are tried first.

use super::engine::Engine;
use ndscript_base::budget::Budget;

/// The engine keeps the latest value of each variable. Alone, these hold a search where many choices break a bound together, and
/// each conflict rules out one of their combinations. So from time to time it takes up others: those that it began with, or those
/// of the longest trail without a conflict (Biere and Fleury, "Chasing target phases", 2020).
#[derive(Clone, Debug, Default)]
pub struct Phases {
    first: Vec<bool>,
    best: Vec<bool>,
    /// How long the trail of `best` was.
    longest: u64,
    /// How often others were taken up.
    changes: u64,
}

/// Each time that so many changes have passed, the best ones are taken up.
const CHANGES_PER_BEST: u64 = 3;

impl Phases {
    /// The search begins.
    pub fn begin(&mut self, engine: &Engine) {
        self.first.clone_from(&engine.phase);
        self.best.clone_from(&engine.phase);
    }

    /// Notes the trail below the level of a conflict, before it is undone.
    pub fn note_conflict(&mut self, engine: &Engine, budget: &mut Budget) {
        let trail = engine.trail_below_level();
        if trail.len() as u64 > self.longest {
            budget.spend(trail.len() + self.best.len() / 16);
            self.longest = trail.len() as u64;
            self.best.clone_from(&engine.phase);
            for literal in trail {
                self.best[literal.variable()] = literal.is();
            }
        }
    }

    /// Takes up the first values or the best ones. A variable that was added meanwhile keeps its latest value.
    pub fn change(&mut self, engine: &mut Engine) {
        self.changes = self.changes.wrapping_add(1);
        let values = if self.changes.is_multiple_of(CHANGES_PER_BEST) {
            self.longest = 0;
            &self.best
        } else {
            &self.first
        };
        engine.phase[..values.len()].copy_from_slice(values);
    }

    /// Whether they are of a search with this number of variables.
    pub fn fits(&self, variables: usize) -> bool {
        self.first.len() == variables && self.best.len() == variables
    }

    /// The bytes that they own.
    pub fn bytes(&self) -> usize {
        self.first.len() + self.best.len()
    }
}

ndscript_base::saved!(struct Phases { first, best, longest, changes });
