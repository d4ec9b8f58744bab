//! A proof that a board has no solution, exactly one, or several: a text that `ndscript-proof` checks, as can anybody
//! else who knows what the constraints mean. `docs/decisions/proofs.md` gives the reasons for its form.
//!
//! A learning search of its own makes it, from the initial domains: each clause that it takes from a constraint becomes
//! an explanation, each learned clause one that follows from others. Only what the end needs is written.

mod head;

use std::fmt::Write;

use head::{Head, push};

use crate::Solver;
use crate::learning::log::{FOLLOWS, Id, Log, Meaning, PLAIN, SOLVED};
use crate::learning::{Learner, Lit, Verdict};
use ndscript_base::budget::Budget;

/// Names for numbers; what has no name is written as its number.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Of values.
    pub values: Vec<String>,
    /// Of places.
    pub places: Vec<String>,
    /// Of constraints.
    pub rules: Vec<String>,
}

/// A constraint without a form for proofs, because of which nothing can be proved about the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The number of the constraint.
    pub rule: u32,
    /// Why, and what to do.
    pub why: &'static str,
}

/// The result of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// There is no solution.
    None,
    /// There is exactly one.
    One,
    /// There are two at least.
    Several,
}

/// The progress of `Prover::resume`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The budget is spent.
    NotYet,
    /// It is known, and can be written.
    Done(Found),
    /// It takes more memory than it may.
    TooLarge,
}

/// A search for the solutions of a board that can be checked.
///
/// ```
/// use ndscript_solver::proof::{Found, Names, Progress, Prover};
/// use ndscript_solver::{AllDifferent, Budget, Solver};
///
/// // Three places for two values.
/// let mut solver = Solver::with_domains(2, &vec![vec![0b11]; 3]);
/// for two in [[0, 1], [1, 2], [0, 2]] {
///     solver.add(AllDifferent::new(two.to_vec()));
/// }
/// let mut prover = Prover::new(&solver, &[], &Names::default(), 7, 1 << 24).unwrap();
/// assert_eq!(prover.resume(&mut Budget::unlimited()), Progress::Done(Found::None));
/// assert!(prover.text().ends_with("end none\n"));
/// ```
pub struct Prover {
    head: Head,
    learner: Learner,
    solutions: Vec<Vec<u32>>,
    found: Option<Found>,
    most_bytes: usize,
}

impl Prover {
    /// Begins with the initial domains of a solver; `given` restricts some of them further, as masks.
    ///
    /// # Errors
    /// If it has a constraint that cannot be checked.
    pub fn new(
        solver: &Solver,
        given: &[(u32, Vec<u64>)],
        names: &Names,
        seed: u64,
        most_bytes: usize,
    ) -> Result<Prover, Refused> {
        let begin = at_first(solver, given);
        let head = Head::of(&begin, names)?;
        let mut learner = Learner::new(&begin, seed, most_bytes);
        learner.begin_log();
        Ok(Prover {
            head,
            learner,
            solutions: Vec::new(),
            found: None,
            most_bytes,
        })
    }

    /// The head of the proof: equal for equal boards.
    pub fn head(&self) -> &str {
        &self.head.text
    }

    /// Stops logging, because no proof is wanted. Only before the search begins.
    pub fn end_log(&mut self) {
        self.learner.end_log();
    }

    /// How many conflicts the search came to.
    pub fn conflicts(&self) -> u64 {
        self.learner.conflicts()
    }

    /// Continues the search.
    pub fn resume(&mut self, budget: &mut Budget) -> Progress {
        if let Some(found) = self.found {
            return Progress::Done(found);
        }
        loop {
            let verdict = self.learner.resume(budget);
            let bytes = self.learner.log().map_or(0, Log::bytes);
            self.found = match verdict {
                _ if bytes > self.most_bytes => return Progress::TooLarge,
                Verdict::TooLarge => return Progress::TooLarge,
                // The head describes each rule, so each can be encoded.
                _ if self.learner.is_relaxed() => return Progress::TooLarge,
                Verdict::NotYet => return Progress::NotYet,
                Verdict::Resting if budget.is_spent() => return Progress::NotYet,
                Verdict::Resting => continue,
                Verdict::NoSolution if self.solutions.is_empty() => Some(Found::None),
                Verdict::NoSolution => Some(Found::One),
                Verdict::Solution => {
                    let places = 0..self.head.places.len();
                    let values = places.map(|place| self.learner.value(place));
                    self.solutions.push(values.collect());
                    if self.solutions.len() == 1 {
                        self.learner.exclude();
                        continue;
                    }
                    Some(Found::Several)
                }
            };
            return self.found.map_or(Progress::NotYet, Progress::Done);
        }
    }

    /// The proof, once the result is known.
    pub fn text(&self) -> String {
        let mut writing = Writing {
            text: self.head.text.clone(),
            head: &self.head,
            atoms: Vec::new(),
            count: 0,
            ids: Vec::new(),
            next: 0,
        };
        writing.text.push_str("log\n");
        if let (Some(log), Some(found)) = (self.learner.log(), self.found) {
            writing.steps(log, &self.solutions, found);
        }
        writing.text
    }
}

/// A solver as it was before anything followed.
fn at_first(solver: &Solver, given: &[(u32, Vec<u64>)]) -> Solver {
    let mut begin = solver.clone();
    for place in 0..solver.places() {
        let initial = solver.initial(place).words().1.to_vec();
        let (_, words) = begin.domains_mut().words_mut(place);
        match solver.is_bound(place) {
            true => words.copy_from_slice(&initial),
            // A place under no constraint is not part of the proof.
            false => words.fill(0),
        }
    }
    for (place, mask) in given {
        let (first, words) = begin.domains_mut().words_mut(*place as usize);
        for (at, word) in words.iter_mut().enumerate() {
            *word &= mask.get(first + at).copied().unwrap_or(0);
        }
    }
    begin
}

/// The log as it is written.
struct Writing<'a> {
    text: String,
    head: &'a Head,
    /// By variable the number of its atom; 0 if it has none.
    atoms: Vec<u32>,
    count: u32,
    /// By step its number in the text.
    ids: Vec<u32>,
    next: u32,
}

impl Writing<'_> {
    /// Writes the steps that the claim needs, the solutions, and the claim.
    fn steps(&mut self, log: &Log, solutions: &[Vec<u32>], found: Found) {
        self.ids = vec![0; log.len() + 1];
        let is_refuted = found != Found::Several;
        let is_needed = needed(log, if is_refuted { log.end() } else { 0 });
        let mut unwritten = solutions.iter();
        for id in 1..=log.len() as Id {
            match log.rule_of(id) {
                SOLVED => {
                    self.ids[id as usize] = self.solution(unwritten.next());
                }
                PLAIN => {}
                _ if !is_needed[id as usize] => {}
                rule => self.step(log, id, rule),
            }
        }
        for solution in unwritten {
            self.solution(Some(solution));
        }
        if is_refuted && (log.end() == 0 || log.rule_of(log.end()) == SOLVED) {
            // If there is no place, or each has one value, the only solution is ruled out and nothing is left.
            let _ = write!(self.text, "n {} :", self.next + 1);
            push(&mut self.text, (!solutions.is_empty()).then_some(self.next));
            self.text.push('\n');
        }
        let claim = match found {
            Found::None => "none",
            Found::One => "one",
            Found::Several => "several",
        };
        let _ = writeln!(self.text, "end {claim}");
    }

    /// Writes one step: a clause that follows from earlier ones, or from a rule.
    fn step(&mut self, log: &Log, id: Id, rule: u32) {
        let literals: Vec<i64> = log
            .clause(id)
            .iter()
            .filter_map(|literal| self.literal(log, *literal))
            .collect();
        self.next += 1;
        self.ids[id as usize] = self.next;
        if rule == FOLLOWS {
            let _ = write!(self.text, "n {}", self.next);
            push(&mut self.text, literals);
            self.text.push_str(" :");
            // A plain step has no number.
            let hints = log.hints(id).iter().map(|hint| self.ids[*hint as usize]);
            push(&mut self.text, hints.filter(|hint| *hint != 0));
        } else {
            let rule = self.rule(rule);
            let _ = write!(self.text, "e {} {rule}", self.next);
            push(&mut self.text, literals);
        }
        self.text.push('\n');
    }

    fn rule(&self, rule: u32) -> u32 {
        self.head.rules[rule as usize].unwrap_or(u32::MAX)
    }

    /// A literal as a number; none if it never holds.
    fn literal(&mut self, log: &Log, literal: Lit) -> Option<i64> {
        let variable = literal.variable();
        if self.atoms.len() <= variable {
            self.atoms.resize(variable + 1, 0);
        }
        if self.atoms[variable] == 0 {
            let (rule, meaning) = log.meaning(literal);
            let line = match meaning {
                Meaning::Truth => return None,
                Meaning::Within(place, values) => {
                    let place = self.head.places[*place as usize].unwrap_or(u32::MAX);
                    let mut line = format!("in {place}");
                    push(&mut line, values);
                    line
                }
                Meaning::Row(row) => format!("row {} {row}", self.rule(rule)),
                Meaning::State(at, state) => format!("state {} {at} {state}", self.rule(rule)),
                Meaning::Fits(edge) => format!("fits {} {edge}", self.rule(rule)),
                Meaning::Equal(count) => format!("equal {} {count}", self.rule(rule)),
            };
            self.count += 1;
            let _ = writeln!(self.text, "a {} {line}", self.count);
            self.atoms[variable] = self.count;
        }
        let atom = i64::from(self.atoms[variable]);
        Some(if literal.is() { atom } else { -atom })
    }

    /// A solution, by the places that are in the proof.
    fn solution(&mut self, values: Option<&Vec<u32>>) -> u32 {
        self.next += 1;
        let _ = write!(self.text, "s {}", self.next);
        let own = values.into_iter().flatten().zip(&self.head.places);
        let own: Vec<u32> = own
            .filter_map(|(value, place)| place.and(Some(*value)))
            .collect();
        // As a clause it is about an atom for each place.
        self.count += own.len() as u32;
        push(&mut self.text, own);
        self.text.push('\n');
        self.next
    }
}

/// By step, whether the step `end` depends on it; `end` itself included.
fn needed(log: &Log, end: Id) -> Vec<bool> {
    let mut is_needed = vec![false; log.len() + 1];
    is_needed[end as usize] = true;
    for id in (1..=end).rev() {
        if is_needed[id as usize] {
            for hint in log.hints(id) {
                is_needed[*hint as usize] = true;
            }
        }
    }
    is_needed
}
