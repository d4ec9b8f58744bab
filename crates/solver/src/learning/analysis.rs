//! Conflict analysis: the first unique implication point (Marques-Silva and Sakallah, "GRASP", 1996), minimized by
//! implication (Sörensson and Biere, "Minimizing learned clauses", 2009).

use super::engine::{Engine, Reason};
use super::literal::Lit;
use ndscript_base::budget::Budget;

/// The state of conflict analysis.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// By variable.
    seen: Vec<bool>,
    /// Seen variables, to be unmarked at the end.
    touched: Vec<u32>,
    reason: Vec<Lit>,
    /// Whether what was seen of a variable follows from the clause; by variable, and only of those touched.
    verdicts: Vec<Verdict>,
    /// By level the last count that it was in, and how many counts there were.
    counted: Vec<u64>,
    counts: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Verdict {
    #[default]
    Unknown,
    Follows,
    FollowsNot,
}

/// A clause that was learned. Its first literal holds by it once everything above the level is taken back.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    pub literals: Vec<Lit>,
    pub level: usize,
    /// On how many levels its literals are (Audemard and Simon, 2009).
    pub levels: u32,
}

/// So deep a chain of reasons is followed when a clause is minimised.
const DEEPEST: usize = 64;

impl Analysis {
    /// Takes the conflict of an engine apart, which is on a level above that of the assumptions.
    pub fn learn(&mut self, engine: &mut Engine, budget: &mut Budget) -> Learned {
        self.seen.resize(engine.variables(), false);
        self.verdicts.resize(engine.variables(), Verdict::Unknown);
        let now = engine.levels() as u32;
        let mut literals: Vec<Lit> = Vec::new();
        let (mut open, mut at) = (0, engine.trail().len());
        let mut reason = std::mem::take(&mut self.reason);
        reason.clear();
        reason.extend_from_slice(&engine.conflict);
        let asserted = loop {
            budget.spend(4 * reason.len());
            for literal in reason.iter().copied() {
                let variable = literal.variable();
                if self.seen[variable] || engine.level_of(variable) == 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.touched.push(variable as u32);
                engine.activity.bump(variable);
                if engine.level_of(variable) == now {
                    open += 1;
                } else {
                    literals.push(literal);
                }
            }
            let point = loop {
                at -= 1;
                let literal = engine.trail()[at];
                if self.seen[literal.variable()] {
                    break literal;
                }
            };
            open -= 1;
            if open == 0 {
                break !point;
            }
            reason.clear();
            if let Reason::Clause(clause) = engine.reason_of(point.variable())
                && engine.clauses.levels(clause) > 2
            {
                let levels = self.count_levels(engine, engine.clauses.get(clause));
                engine.clauses.improve(clause, levels);
            }
            engine.push_reason(point, &mut reason);
        };
        self.reason = reason;
        let before = literals.len();
        let minimized: Vec<Lit> = literals
            .iter()
            .copied()
            .filter(|literal| !self.follows(engine, *literal, 0))
            .collect();
        budget.spend(8 * before);
        literals = minimized;
        literals.insert(0, asserted);
        for variable in self.touched.drain(..) {
            self.seen[variable as usize] = false;
            self.verdicts[variable as usize] = Verdict::Unknown;
        }
        // The second one is watched, so it is the one that is taken back next.
        let mut level = 0;
        if literals.len() > 1 {
            let latest = (1..literals.len())
                .max_by_key(|at| engine.level_of(literals[*at].variable()))
                .unwrap_or(1);
            literals.swap(1, latest);
            level = engine.level_of(literals[1].variable()) as usize;
        }
        let levels = self.count_levels(engine, &literals);
        Learned {
            literals,
            level,
            levels,
        }
    }

    /// Whether a literal of the clause follows from its other literals, and is redundant.
    fn follows(&mut self, engine: &Engine, literal: Lit, depth: usize) -> bool {
        let variable = literal.variable();
        if depth > DEEPEST || engine.reason_of(variable) == Reason::None {
            return false;
        }
        let mut reason = Vec::new();
        engine.push_reason(!literal, &mut reason);
        reason.into_iter().all(|other| {
            let variable = other.variable();
            if engine.level_of(variable) == 0 {
                return true;
            }
            if self.seen[variable] {
                return true;
            }
            match self.verdicts[variable] {
                Verdict::Follows => return true,
                Verdict::FollowsNot => return false,
                Verdict::Unknown => {}
            }
            let follows = self.follows(engine, other, depth + 1);
            self.touched.push(variable as u32);
            self.verdicts[variable] = if follows {
                Verdict::Follows
            } else {
                Verdict::FollowsNot
            };
            follows
        })
    }

    /// On how many levels literals are.
    fn count_levels(&mut self, engine: &Engine, literals: &[Lit]) -> u32 {
        self.counts += 1;
        self.counted
            .resize(self.counted.len().max(engine.levels() + 1), 0);
        let mut levels = 0;
        for literal in literals {
            let counted = &mut self.counted[engine.level_of(literal.variable()) as usize];
            levels += u32::from(*counted != self.counts);
            *counted = self.counts;
        }
        levels
    }
}
