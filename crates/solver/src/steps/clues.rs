//! Clues that leave one solution: as few as needed of the places whose values may be given.

use super::Steps;
use super::model::Model;
use crate::Solver;
use crate::learning::{Learner, Verdict};
use ndscript_base::budget::Budget;

/// The progress of a search for clues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fewest {
    /// The budget is spent.
    NotYet,
    /// The numbers of the groups that are needed. Without any of them there is another solution, or the search has not decided that.
    Found(Vec<usize>),
    /// All of them together leave several solutions.
    Open,
    /// The given solution breaks a rule.
    Wrong,
    /// It cannot be computed: there are callbacks, the board is too large, or it takes too long.
    Unknown,
}

/// A search for groups of places whose values leave a board one solution, such that none of them could be left out.
///
/// All questions go to one [`Learner`], which learns from each, and its answers name the groups that had a part in them
/// (Belov, Lynce and Marques-Silva, "Towards efficient MUS extraction", 2012).
///
/// ```
/// use ndscript_solver::steps::{Clues, Fewest};
/// use ndscript_solver::{AllDifferent, Budget, Solver};
///
/// // A Latin square of two rows and columns: any one place tells the others.
/// let mut solver = Solver::with_domains(2, &vec![vec![0b11]; 4]);
/// for line in [[0, 1], [2, 3], [0, 2], [1, 3]] {
///     solver.add(AllDifferent::new(line.to_vec()));
/// }
/// let places = (0..4).map(|place| vec![place]).collect();
/// let mut clues = Clues::new(&solver, &[], vec![0, 1, 1, 0], places, 7);
/// let Fewest::Found(found) = clues.resume(&mut Budget::unlimited()) else { panic!() };
/// assert_eq!(found.len(), 1);
/// ```
#[derive(Clone)]
pub struct Clues {
    learner: Learner,
    solution: Vec<u32>,
    /// All places with their values, until it is known that they are a solution.
    whole: Vec<(u32, u32)>,
    groups: Vec<Vec<u32>>,
    is_refused: bool,
    /// The groups left, in the order in which they are tried, and how many at the front are needed.
    left: Vec<usize>,
    needed: usize,
    stage: Stage,
    conflicts: u64,
}

/// The current question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// None yet: the rules are being encoded.
    Encode,
    /// Whether the solution is one.
    Check,
    /// Whether there is another one with all groups.
    All,
    /// Whether there is another one without this group.
    Without(usize),
}

/// At most this many conflicts are searched for one question.
const MOST_CONFLICTS: u64 = 50_000;
const MOST_BYTES: usize = 48 << 20;

impl Clues {
    /// Begins with an initial board, the solution that it shall have, and groups of places. Earlier groups are left out first.
    pub fn new(
        solver: &Solver,
        given: &[(u32, Vec<u64>)],
        solution: Vec<u32>,
        groups: Vec<Vec<u32>>,
        seed: u64,
    ) -> Clues {
        let is_refused = Steps::is_too_large(solver)
            || solver.constraints().iter().any(|rule| !rule.is_native());
        let model = match is_refused {
            true => Model::of(&Solver::new(0), &[]),
            false => Model::of(solver, given),
        };
        let every: Vec<u32> = (0..model.rules.len() as u32).collect();
        let mut base = model.solver(&model.initial, &every);
        // If that leaves a place nothing, the first question finds out.
        super::model::rest(&mut base, model.is_given.len(), &mut Budget::unlimited());
        let bound = (0..solver.places()).filter(|place| solver.is_bound(*place));
        let whole = bound.map(|place| (place as u32, solution[place]));
        Clues {
            whole: whole.collect(),
            learner: Learner::new(&base, seed, MOST_BYTES),
            left: (0..groups.len()).collect(),
            solution,
            groups,
            is_refused,
            needed: 0,
            stage: Stage::Encode,
            conflicts: 0,
        }
    }

    /// Continues the search.
    pub fn resume(&mut self, budget: &mut Budget) -> Fewest {
        if self.is_refused {
            return Fewest::Unknown;
        }
        loop {
            if self.stage == Stage::Encode {
                match self.learner.encode_all(budget) {
                    Verdict::NotYet => return Fewest::NotYet,
                    Verdict::TooLarge => return Fewest::Unknown,
                    _ => {}
                }
                self.stage = Stage::Check;
                self.learner.suppose(&std::mem::take(&mut self.whole));
            }
            let verdict = self.learner.resume(budget);
            let conflicts = self.learner.conflicts() - self.conflicts;
            match (verdict, self.stage) {
                (Verdict::NotYet, _) => return Fewest::NotYet,
                (Verdict::Resting, _) if conflicts < MOST_CONFLICTS => {
                    if budget.is_spent() {
                        return Fewest::NotYet;
                    }
                    continue;
                }
                (Verdict::Solution, Stage::Check) => {
                    self.learner.rule_out(&self.solution);
                    self.ask(None);
                    continue;
                }
                (Verdict::NoSolution, Stage::Check) => return Fewest::Wrong,
                (Verdict::TooLarge, _) | (Verdict::Resting, Stage::Check | Stage::All) => {
                    return Fewest::Unknown;
                }
                (Verdict::Solution, Stage::All) => return Fewest::Open,
                // There is another solution, or that is undecided: the group is needed.
                (Verdict::Solution | Verdict::Resting, _) => {
                    let group = self.left.remove(self.needed);
                    self.left.insert(0, group);
                    self.needed += 1;
                }
                (Verdict::NoSolution, stage) => {
                    // The one that was asked about, and those that had no part.
                    let core = self.learner.core().to_vec();
                    let groups = &self.groups;
                    let has_part =
                        |group: &usize| groups[*group].iter().any(|place| core.contains(place));
                    let needed: Vec<usize> = self.left[..self.needed].to_vec();
                    self.left.retain(|group| {
                        stage != Stage::Without(*group) && has_part(group) || needed.contains(group)
                    });
                }
            }
            if self.needed >= self.left.len() {
                let mut found = self.left.clone();
                found.sort_unstable();
                return Fewest::Found(found);
            }
            self.ask(Some(self.left[self.needed]));
        }
    }

    /// Asks whether there is another solution without a group, or with all of them.
    fn ask(&mut self, without: Option<usize>) {
        self.stage = without.map_or(Stage::All, Stage::Without);
        self.conflicts = self.learner.conflicts();
        let supposed: Vec<(u32, u32)> = self
            .left
            .iter()
            .filter(|group| Some(**group) != without)
            .flat_map(|group| self.groups[*group].iter())
            .map(|place| (*place, self.solution[*place as usize]))
            .collect();
        self.learner.suppose(&supposed);
    }

    /// The bytes that it owns, about.
    pub fn bytes(&self) -> usize {
        self.learner.bytes()
    }
}
