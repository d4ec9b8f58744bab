//! The model of a puzzle for steps: initial domains, and the rules. A rule runs alone, or a few together, on supposed
//! domains.

use std::sync::Arc;

use super::masks::Masks;
use crate::{Candidates, Constraint, ConstraintNumber, Fixpoint, Solver};
use ndscript_base::budget::Budget;

/// Places with their domains before any rule was applied, and the rules.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub values: usize,
    pub initial: Masks,
    /// Places that are known from the beginning.
    pub is_given: Vec<bool>,
    pub rules: Vec<Rule>,
    /// By place, the rules on it.
    pub rules_of: Vec<Vec<u32>>,
}

/// A constraint, with what questions about it need.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// Its number on the board.
    pub number: ConstraintNumber,
    pub constraint: Arc<Constraint>,
    pub places: Vec<u32>,
    /// Places on which it depends whatever is asked: it was made when their values were known.
    clues: Vec<u32>,
    /// The initial candidates of all its places together, as a mask. Empty if it knows no others than those that each
    /// place had.
    any: Vec<u64>,
}

impl Model {
    /// A model with the initial domains of a solver; `given` narrows places further.
    pub fn of(solver: &Solver, given: &[(u32, Vec<u64>)]) -> Model {
        let (places, values) = (solver.places(), solver.values());
        let mut initial = Masks::new(places, values);
        for place in 0..places {
            if solver.is_bound(place) {
                initial.set(place, solver.initial(place));
            }
        }
        for (place, mask) in given {
            initial.keep(*place as usize, mask);
        }
        let is_given: Vec<bool> = (0..places).map(|place| initial.count(place) == 1).collect();
        let bound: Vec<u32> = (0..places as u32)
            .filter(|place| solver.is_bound(*place as usize))
            .collect();
        // All solvers that are made from it store domains in one form.
        let (width, words) = initial.words();
        let like = Solver::with_rows(values, width, words);
        let mut rules = Vec::new();
        let mut rules_of = vec![Vec::new(); places];
        for (number, constraint) in solver.constraints().iter().enumerate() {
            if !constraint.is_native() || constraint.is_derived() {
                continue;
            }
            let mut own = constraint
                .places()
                .map_or_else(|| bound.clone(), <[u32]>::to_vec);
            own.sort_unstable();
            own.dedup();
            let mut any = vec![0; initial.words().0];
            let mut clues = constraint.clues().to_vec();
            if constraint.knows_all_values() {
                for place in &own {
                    let row = initial.row(*place as usize);
                    any.iter_mut().zip(row).for_each(|(any, word)| *any |= word);
                }
            } else {
                any.clear();
                clues.extend(own.iter().filter(|place| is_given[**place as usize]));
            }
            clues.sort_unstable();
            clues.dedup();
            for place in &own {
                rules_of[*place as usize].push(rules.len() as u32);
            }
            rules.push(Rule {
                number: number as u32,
                constraint: Arc::new(constraint.as_ref().clone().prepared(&like)),
                places: own,
                clues,
                any,
            });
        }
        Model {
            values,
            initial,
            is_given,
            rules,
            rules_of,
        }
    }

    /// A solver with some domains and some of the rules.
    pub fn solver(&self, domains: &Masks, rules: &[u32]) -> Solver {
        let (width, words) = domains.words();
        let mut solver = Solver::with_rows(self.values, width, words);
        for rule in rules {
            let rule = &self.rules[*rule as usize];
            let own = rule.constraint.places().unwrap_or_default();
            solver.begin_post(own.len());
            own.iter().for_each(|place| solver.watch(*place as usize));
            solver.post(rule.constraint.clone());
        }
        solver
    }

    /// The domains that some rules leave. `None` if they leave a place nothing.
    pub fn propagated(
        &self,
        domains: &Masks,
        rules: &[u32],
        budget: &mut Budget,
    ) -> Option<Solver> {
        let mut solver = self.solver(domains, rules);
        rest(&mut solver, domains.places(), budget).then_some(solver)
    }

    /// The domains of a question about rules whose answer is to depend on some cells only: those have their known
    /// domains, all others their initial ones.
    pub fn relaxed(&self, known: &Masks, rules: &[u32], cells: &[u32]) -> Masks {
        let mut domains = self.initial.clone();
        for rule in rules {
            for place in &self.rules[*rule as usize].places {
                if self.is_given[*place as usize] {
                    self.free(*place, rules, domains.row_mut(*place as usize));
                }
            }
        }
        domains.copy_rows(known, cells);
        domains
    }

    /// The largest domain of a given place that rules know.
    fn free(&self, place: u32, rules: &[u32], row: &mut [u64]) {
        let own = rules
            .iter()
            .map(|rule| &self.rules[*rule as usize])
            .filter(|rule| rule.places.binary_search(&place).is_ok());
        let mut free = vec![u64::MAX; row.len()];
        for rule in own {
            if rule.any.is_empty() {
                return;
            }
            free.iter_mut()
                .zip(&rule.any)
                .for_each(|(free, any)| *free &= any);
        }
        row.copy_from_slice(&free);
    }

    /// The places that some rules depend on whatever is asked.
    pub fn clues(&self, rules: &[u32]) -> Vec<u32> {
        let mut clues: Vec<u32> = rules
            .iter()
            .flat_map(|rule| self.rules[*rule as usize].clues.iter().copied())
            .collect();
        clues.sort_unstable();
        clues.dedup();
        clues
    }

    /// The places of some rules of which more is known than at first, or that are given.
    pub fn cells(&self, known: &Masks, rules: &[u32]) -> Vec<u32> {
        let mut cells: Vec<u32> = rules
            .iter()
            .flat_map(|rule| self.rules[*rule as usize].places.iter().copied())
            .filter(|place| {
                let place = *place as usize;
                self.is_given[place] || known.row(place) != self.initial.row(place)
            })
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

/// Propagates to the fixpoint; whether every place has a candidate left.
pub(super) fn rest(solver: &mut Solver, places: usize, budget: &mut Budget) -> bool {
    let mut own = Budget::unlimited();
    loop {
        match solver.propagate_to_fixpoint(&mut own) {
            Ok(Fixpoint::Reached) => {
                budget.spend(own.visits() + places);
                return (0..places)
                    .all(|place| !solver.is_bound(place) || !solver.candidates(place).is_empty());
            }
            Ok(Fixpoint::NotYet) => {}
            Ok(Fixpoint::NeedsMemory(bytes)) => solver.grant(bytes),
            Err(_) => {
                budget.spend(own.visits() + places);
                return false;
            }
        }
    }
}

/// The values that a place has lost, as a mask.
pub(super) fn lost(before: &[u64], now: Candidates<'_>) -> Vec<u64> {
    let (first, words) = now.words();
    let word = |at: usize| at.checked_sub(first).and_then(|at| words.get(at)).copied();
    before
        .iter()
        .enumerate()
        .map(|(at, before)| before & !word(at).unwrap_or(0))
        .collect()
}
