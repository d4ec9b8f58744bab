//! The steps by which a person could solve a puzzle: what follows from which rule and which known places, the simplest
//! first.
//!
//! - A step by one rule removes what that rule alone rules out. It names as few places as it follows from (a deletion
//!   filter, as in `explanation`). Steps from one known place come first, then those from few.
//! - Where no rule alone removes more, some may do so together: counts, and regions that keep each other apart. As few
//!   as needed are named.
//! - Then a value is supposed: if that leads to a contradiction, the place has another one. Of such steps one with a
//!   short chain of few rules is taken.
//! - Where that does not help either, a search shows which values no solution has.
//!
//! The idea that a puzzle's rules alone are enough for such steps is that of Espasa, Gent, Hoffmann, Jefferson and Lynch, "Using small
//! MUSes to explain how to solve pen and paper puzzles" (2021), and of Bogaerts, Gamba and Guns, "A framework for step-wise explaining
//! how to solve constraint satisfaction problems" (2021).

mod chain;
mod clues;
mod grade;
mod links;
mod masks;
mod model;
mod near;
mod reason;

use std::collections::BTreeMap;

pub use clues::{Clues, Fewest};
pub use grade::{Grade, grade};
use masks::{Masks, mask_of};
use model::{Model, lost};

use crate::{Solver, ones};
use ndscript_base::budget::Budget;

/// How a step is concluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// By one rule from one known place, or from none.
    Direct,
    /// By one rule from several.
    Rule,
    /// By several rules together.
    Rules,
    /// Something is supposed, and leads to a contradiction.
    Suppose,
    /// Only a search shows it.
    Search,
}

/// The values that a place loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// The number of the place.
    pub place: u32,
    /// The numbers of the values that it cannot have.
    pub values: Vec<u32>,
    /// The number of its value, if only one is left.
    pub decided: Option<u32>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How it is concluded.
    pub kind: Kind,
    /// The removals that follow.
    pub conclusions: Vec<Conclusion>,
    /// The numbers of the rules.
    pub rules: Vec<u32>,
    /// The places that it follows from, as far as they are known.
    pub places: Vec<u32>,
    /// The candidates that each of them has then.
    pub candidates: Vec<Vec<u32>>,
    /// The place and the value that are supposed, if anything is.
    pub supposed: Option<(u32, u32)>,
    /// The steps from there to the contradiction; the last one concludes nothing.
    pub chain: Vec<Step>,
}

impl Step {
    /// By rules together, from places that have something then.
    fn by_rules(
        rules: Vec<u32>,
        places: Vec<u32>,
        candidates: Vec<Vec<u32>>,
        conclusions: Vec<Conclusion>,
    ) -> Step {
        Step {
            kind: match (rules.len(), places.len()) {
                (2.., _) => Kind::Rules,
                (_, 0 | 1) => Kind::Direct,
                _ => Kind::Rule,
            },
            conclusions,
            rules,
            places,
            candidates,
            supposed: None,
            chain: Vec::new(),
        }
    }

    /// The bytes that it owns, about.
    pub fn bytes(&self) -> usize {
        let bytes_of_candidates: usize = self
            .candidates
            .iter()
            .map(|values| 32 + 4 * values.len())
            .sum();
        let conclusions = self.conclusions.iter();
        let conclusions: usize = conclusions.map(|own| 64 + 4 * own.values.len()).sum();
        let chain: usize = self.chain.iter().map(Step::bytes).sum();
        256 + bytes_of_candidates + conclusions + chain + 4 * (self.rules.len() + self.places.len())
    }
}

/// How the steps end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every place has one value.
    Solved,
    /// Nothing more follows: there are several solutions.
    Open,
    /// Nothing more was found in the time that there is for it.
    GaveUp,
    /// There is no solution. The last step gives the reason, if steps found it.
    NoSolution,
}

/// The progress of `Steps::resume`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The budget is spent.
    NotYet,
    /// The next step.
    Step(Box<Step>),
    /// There are no more.
    End(End),
}

/// A removal by a rule: first the number of places it follows from, as far as that is known.
type Candidate = (usize, u32, u32, Vec<u64>);

/// The places from which a candidate follows, and after how many steps that was found.
#[derive(Clone)]
struct Reason {
    places: Vec<u32>,
    at_step: usize,
}

/// The steps to the solution of a board.
///
/// ```
/// use ndscript_solver::steps::{End, Kind, Progress, Steps};
/// use ndscript_solver::{AllDifferent, Budget, Solver};
///
/// // A Latin square of two rows and columns, of which one place is known.
/// let mut solver = Solver::with_domains(2, &[vec![0b01], vec![0b11], vec![0b11], vec![0b11]]);
/// for line in [[0, 1], [2, 3], [0, 2], [1, 3]] {
///     solver.add(AllDifferent::new(line.to_vec()));
/// }
/// let mut steps = Steps::new(&solver, &[]);
/// let mut kinds = Vec::new();
/// let end = loop {
///     match steps.resume(&mut Budget::unlimited()) {
///         Progress::Step(step) => kinds.push(step.kind),
///         Progress::End(end) => break end,
///         Progress::NotYet => {}
///     }
/// };
/// assert_eq!(end, End::Solved);
/// assert_eq!(kinds, [Kind::Direct; 3]);
/// ```
#[derive(Clone)]
pub struct Steps {
    model: Model,
    known: Masks,
    /// Rules to look at again.
    is_dirty: Vec<bool>,
    /// Values that a rule removes from a place, without a reason so far.
    unexplained: Vec<(u32, u32, Vec<u64>)>,
    /// The removals by rules, ordered by the number of places they follow from, rule, and place. With more known, fewer
    /// may do: that is checked when a candidate is taken.
    found: BTreeMap<Candidate, Reason>,
    /// How many steps were concluded.
    concluded: usize,
    /// By rule, after how many of them one of its places has changed.
    changed_at: Vec<usize>,
    /// The suppositions left to try since the latest conclusion, and the best so far.
    probing: Option<chain::Suppositions>,
    /// Places and values that have led to a contradiction and are still there. With more known, they do all the more.
    refuted: Vec<(u32, u32)>,
    end: Option<End>,
}

/// Roughly the bytes of a table row apart from what it owns.
const BYTES_OF_ENTRY: usize = 96;

/// Larger boards have no steps.
const MOST_PLACES: usize = 1 << 14;
const MOST_WORDS: usize = 1 << 16;

impl Steps {
    /// Begins with the initial domains of a solver; `given` restricts some of them further, as masks.
    pub fn new(solver: &Solver, given: &[(u32, Vec<u64>)]) -> Steps {
        if Steps::is_too_large(solver) {
            return Steps {
                model: Model::of(&Solver::new(0), &[]),
                known: Masks::default(),
                is_dirty: Vec::new(),
                unexplained: Vec::new(),
                found: BTreeMap::new(),
                concluded: 0,
                changed_at: Vec::new(),
                probing: None,
                refuted: Vec::new(),
                end: Some(End::GaveUp),
            };
        }
        let model = Model::of(solver, given);
        Steps {
            known: model.initial.clone(),
            is_dirty: vec![true; model.rules.len()],
            changed_at: vec![0; model.rules.len()],
            model,
            unexplained: Vec::new(),
            found: BTreeMap::new(),
            concluded: 0,
            probing: None,
            refuted: Vec::new(),
            end: None,
        }
    }

    /// Whether a board is too large for steps.
    pub fn is_too_large(solver: &Solver) -> bool {
        solver.places() > MOST_PLACES || solver.places() * solver.width() > MOST_WORDS
    }

    /// How many places the board has.
    pub fn places(&self) -> usize {
        self.model.initial.places()
    }

    /// The numbers of the values that a place could hold before any rule was applied. None, if no rule is on it.
    pub fn start(&self, place: usize) -> Vec<u32> {
        let row = self.model.initial.row(place);
        ones(row).map(|value| value as u32).collect()
    }

    /// The rules that take part: the number on the board, and the places.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = (u32, &[u32])> {
        let rules = self.model.rules.iter();
        rules.map(|rule| (rule.number, rule.places.as_slice()))
    }

    /// The bytes that it takes to begin with, at most.
    pub fn bytes_for(solver: &Solver) -> usize {
        let words = solver.places() * solver.width();
        let rules = solver.constraints().iter();
        512 * words + rules.map(|rule| 2 * rule.bytes() + 512).sum::<usize>()
    }

    /// The bytes that it owns apart from those, roughly.
    pub fn bytes(&self) -> usize {
        let width = 8 * self.known.words().0;
        let found: usize = self
            .found
            .values()
            .map(|reason| BYTES_OF_ENTRY + width + 4 * reason.places.len())
            .sum();
        let probing = self.probing.as_ref().map_or(0, chain::Suppositions::bytes);
        found + self.unexplained.len() * (BYTES_OF_ENTRY + width) + probing + 8 * self.refuted.len()
    }

    /// Continues to the next step.
    pub fn resume(&mut self, budget: &mut Budget) -> Progress {
        if let Some(end) = self.end {
            return Progress::End(end);
        }
        while !budget.is_spent() {
            if let Some((rule, place, gone)) = self.unexplained.pop() {
                self.explain(rule, place, gone, budget);
                continue;
            }
            if let Some(rule) = self.is_dirty.iter().position(|is_dirty| *is_dirty) {
                budget.spend(16 + rule / 8);
                if let Some(step) = self.look_at(rule as u32, budget) {
                    self.end = Some(End::NoSolution);
                    return Progress::Step(Box::new(step));
                }
                self.is_dirty[rule] = false;
                continue;
            }
            if let Some(step) = self.take_best(budget) {
                return Progress::Step(Box::new(step));
            }
            if (0..self.known.places()).all(|place| self.known.count(place) <= 1) {
                self.end = Some(End::Solved);
                return Progress::End(End::Solved);
            }
            match self.suppose(budget) {
                Progress::NotYet => {}
                Progress::Step(step) => return Progress::Step(step),
                Progress::End(end) => {
                    self.end = Some(end);
                    return Progress::End(end);
                }
            }
        }
        Progress::NotYet
    }

    /// Finds the removals of a rule from the known places. Returns a step if the rule cannot hold any more.
    fn look_at(&mut self, rule: u32, budget: &mut Budget) -> Option<Step> {
        let Some(left) = self.model.propagated(&self.known, &[rule], budget) else {
            return Some(self.contradiction(rule, budget));
        };
        // A place that is explained stays so.
        let mut explained: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        let known = &self.known;
        self.found.retain(|(_, by, place, values), _| {
            let row = known.row(*place as usize);
            let is_left = row.iter().zip(values).any(|(word, own)| word & own != 0);
            if *by == rule && is_left {
                let own = explained
                    .entry(*place)
                    .or_insert_with(|| vec![0; row.len()]);
                own.iter_mut()
                    .zip(values)
                    .for_each(|(own, lost)| *own |= lost);
            }
            is_left
        });
        for place in &self.model.rules[rule as usize].places {
            let row = self.known.row(*place as usize);
            let mut removed = lost(row, left.candidates(*place as usize));
            if let Some(explained) = explained.get(place) {
                removed
                    .iter_mut()
                    .zip(explained)
                    .for_each(|(removed, lost)| *removed &= !lost);
            }
            if removed.iter().any(|word| *word != 0) {
                self.unexplained.push((rule, *place, removed));
            }
        }
        None
    }

    /// Finds the places from which the removals of a rule follow.
    fn explain(&mut self, rule: u32, place: u32, mut removed: Vec<u64>, budget: &mut Budget) {
        let Some(value) = first_of(&removed) else {
            return;
        };
        let mask = mask_of(value, removed.len());
        let places = self.reason_of(rule, place, &mask, budget);
        let lost = self.follows_from(rule, &places, Some((place, &removed)), budget);
        let lost = lost.iter().find(|(other, _)| *other == place);
        let together: Vec<u64> = (0..removed.len())
            .map(|at| mask[at] | removed[at] & lost.map_or(0, |(_, lost)| lost[at]))
            .collect();
        removed
            .iter_mut()
            .zip(&together)
            .for_each(|(word, lost)| *word &= !lost);
        let candidate = (places.len(), rule, place, together);
        let at_step = self.concluded;
        self.found.insert(candidate, Reason { places, at_step });
        if removed.iter().any(|word| *word != 0) {
            self.unexplained.push((rule, place, removed));
        }
    }

    /// The fewest places from which it follows that a rule takes some values from a place.
    fn reason_of(&self, rule: u32, place: u32, values: &[u64], budget: &mut Budget) -> Vec<u32> {
        let reason = self
            .model
            .reason(&self.known, &[rule], place, values, &[], budget);
        // If it does not follow from the known places of the rule, all of them are the reason.
        reason.unwrap_or_else(|| self.model.cells(&self.known, &[rule]))
    }

    /// What a rule removes from its places if it knows only those in `places`. `goal` gives some values back to
    /// another place first.
    fn follows_from(
        &self,
        rule: u32,
        places: &[u32],
        goal: Option<(u32, &[u64])>,
        budget: &mut Budget,
    ) -> Vec<(u32, Vec<u64>)> {
        let mut domains = self.model.relaxed(&self.known, &[rule], places);
        if let Some((place, values)) = goal {
            let row = domains.row_mut(place as usize).iter_mut();
            row.zip(values).for_each(|(word, values)| *word |= values);
        }
        let Some(left) = self.model.propagated(&domains, &[rule], budget) else {
            return Vec::new();
        };
        let own = self.model.rules[rule as usize].places.iter();
        own.map(|place| {
            let at = *place as usize;
            (*place, lost(domains.row(at), left.candidates(at)))
        })
        .collect()
    }

    /// The simplest step by one rule, with all that follows for an equal reason.
    fn take_best(&mut self, budget: &mut Budget) -> Option<Step> {
        while let Some(((_, rule, place, mut values), reason)) = self.found.pop_first() {
            // Another rule may have taken them meanwhile.
            let row = self.known.row(place as usize).iter();
            values
                .iter_mut()
                .zip(row)
                .for_each(|(own, word)| *own &= word);
            if values.iter().all(|word| *word == 0) {
                continue;
            }
            let is_old = reason.at_step < self.changed_at[rule as usize];
            let places = match is_old && reason.places.len() > 1 {
                true => self.reason_of(rule, place, &values, budget),
                false => reason.places,
            };
            let mut conclusions = vec![(place, values)];
            let lost = self.follows_from(rule, &places, None, budget);
            conclusions.extend(
                lost.into_iter()
                    .filter(|(place, _)| !places.contains(place)),
            );
            budget.spend(16 * conclusions.len());
            let candidates = self.known.candidates_of(&places);
            let conclusions = self.conclude(&conclusions);
            let rules = self.model.numbers(&[rule]);
            return Some(Step::by_rules(rules, places, candidates, conclusions));
        }
        None
    }

    fn has_any(&self, place: u32, values: &[u64]) -> bool {
        let row = self.known.row(place as usize).iter();
        row.zip(values).any(|(word, values)| word & values != 0)
    }

    /// Takes values from places.
    fn conclude(&mut self, removals: &[(u32, Vec<u64>)]) -> Vec<Conclusion> {
        self.probing = None;
        let mut removed: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for (place, values) in removals {
            let row = self.known.row(*place as usize);
            let own = removed.entry(*place).or_insert_with(|| vec![0; row.len()]);
            for at in 0..row.len() {
                own[at] |= row[at] & values[at];
            }
        }
        self.concluded += 1;
        removed
            .into_iter()
            .filter(|(_, values)| values.iter().any(|word| *word != 0))
            .map(|(place, values)| {
                self.known.leave_out(place as usize, &values);
                for rule in &self.model.rules_of[place as usize] {
                    self.is_dirty[*rule as usize] = true;
                    self.changed_at[*rule as usize] = self.concluded;
                }
                Conclusion {
                    place,
                    values: ones(&values).map(|value| value as u32).collect(),
                    decided: self.known.only(place as usize),
                }
            })
            .collect()
    }

    /// A rule that cannot hold.
    fn contradiction(&self, rule: u32, budget: &mut Budget) -> Step {
        let places = self
            .model
            .smallest_conflict(&self.known, &[rule], &[], budget);
        let candidates = self.known.candidates_of(&places);
        Step::by_rules(self.model.numbers(&[rule]), places, candidates, Vec::new())
    }
}

fn first_of(mask: &[u64]) -> Option<u32> {
    ones(mask).next().map(|value| value as u32)
}
