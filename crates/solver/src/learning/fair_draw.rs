//! A solution drawn with hardly a preference for any: a Markov chain over the solutions of a board (a Gibbs sampler by blocks;
//! Geman and Geman, "Stochastic relaxation, Gibbs distributions", 1984).
//!
//! It begins with a solution that is given. Each move opens a *block*, a few places that are drawn whatever they hold, leaves all
//! others as they are, finds all solutions of that, and draws one of them. A block with too many solutions is left as it is: that is so
//! from each of them, so no solution is preferred. After many moves all solutions that moves lead to are about as likely.

use super::{Learner, Lit, Verdict};
use crate::Solver;
use ndscript_base::budget::Budget;
use ndscript_base::rng::Rng;
use ndscript_base::room;

/// The number of moves, for each place that is open.
const MOVES_FOR_PLACE: u64 = 6;
/// Places of a block.
const LEAST_OF_BLOCK: u64 = 2;
const MOST_OF_BLOCK: u64 = 12;
/// A block with more solutions is left as it is.
const MOST_SOLUTIONS: usize = 24;
/// The part of the memory that groups may take.
const PART_FOR_GROUPS: usize = 8;

/// A draw that is running.
#[derive(Clone)]
pub struct FairDraw {
    learner: Learner,
    rng: Rng,
    /// The places with more than one candidate, and by place the number among them.
    open: Vec<u32>,
    /// Places that are close, a group after another, and where each begins; by open place the groups that it is in.
    groups: Vec<u32>,
    group_starts: Vec<u32>,
    groups_of: Vec<Vec<u32>>,
    /// By place, the number among the open ones.
    ranks: Vec<u32>,
    /// The solution now, by place.
    values: Vec<u32>,
    moves: u64,
    stage: Stage,
}

#[derive(Clone)]
enum Stage {
    /// The groups of a constraint are taken up, by its number.
    Grouping(usize),
    /// All constraints are taken up.
    Encoding,
    /// The solutions of a block are looked for.
    Block(Block),
    Done,
}

/// Some places that are open, and what else they may hold.
#[derive(Clone)]
struct Block {
    places: Vec<u32>,
    /// As long as this literal holds, the solutions that were found are excluded.
    holds_back: Lit,
    found: Vec<Vec<u32>>,
}

impl FairDraw {
    /// A draw among the solutions of what a solver has now, from one of them, by place the number of its value. It owns
    /// `most_bytes` at most, about.
    ///
    /// ```
    /// use ndscript_solver::learning::FairDraw;
    /// use ndscript_solver::{AllDifferent, Budget, Solver};
    ///
    /// let mut solver = Solver::with_domains(3, &vec![vec![0b111]; 3]);
    /// solver.add(AllDifferent::new(vec![0, 1, 2]));
    /// let mut draw = FairDraw::new(&solver, vec![0, 1, 2], 7, 1 << 20);
    /// assert!(draw.resume(&mut Budget::unlimited()));
    /// let mut drawn = draw.values().to_vec();
    /// drawn.sort();
    /// assert_eq!(drawn, [0, 1, 2]);
    /// ```
    pub fn new(solver: &Solver, first: Vec<u32>, seed: u64, most_bytes: usize) -> FairDraw {
        let places = solver.places();
        let open: Vec<u32> = (0..places as u32)
            .filter(|place| {
                // Where all constraints of a place are gone, some of its candidates may be left, but not in a saved run.
                let place = *place as usize;
                solver.is_bound(place) && solver.candidates(place).numbers().nth(1).is_some()
            })
            .collect();
        let mut ranks = vec![u32::MAX; places];
        for (rank, place) in open.iter().enumerate() {
            ranks[*place as usize] = rank as u32;
        }
        FairDraw {
            learner: Learner::of_bound(solver, seed, most_bytes),
            rng: Rng::new(seed ^ u64::MAX),
            groups: Vec::new(),
            group_starts: vec![0],
            groups_of: vec![Vec::new(); open.len()],
            moves: MOVES_FOR_PLACE * open.len() as u64,
            open,
            ranks,
            values: first,
            stage: Stage::Grouping(0),
        }
    }

    /// Takes up the groups of the next constraint. Where there is no room for them, blocks are of any places.
    fn group(&mut self, constraint: usize, budget: &mut Budget) {
        let Some(constraint) = self.learner.constraints.get(constraint).cloned() else {
            self.stage = Stage::Encoding;
            return;
        };
        constraint.groups(&mut |group| {
            budget.spend(2 * group.len());
            if 8 * self.groups.len() < self.learner.most_bytes / PART_FOR_GROUPS {
                self.add_group(&group);
            }
        });
    }

    /// Adds a group of close places, without those that are not open.
    fn add_group(&mut self, group: &[u32]) {
        let number = self.group_starts.len() as u32 - 1;
        let start = self.groups.len();
        for place in group {
            let rank = self.ranks.get(*place as usize).copied().unwrap_or(u32::MAX);
            if let Some(groups) = self.groups_of.get_mut(rank as usize) {
                self.groups.push(*place);
                groups.push(number);
            }
        }
        if self.groups.len() > start {
            self.group_starts.push(self.groups.len() as u32);
        }
    }

    /// Continues. Returns whether it is done.
    pub fn resume(&mut self, budget: &mut Budget) -> bool {
        while !budget.is_spent() {
            match &mut self.stage {
                Stage::Grouping(constraint) => {
                    let number = *constraint;
                    *constraint += 1;
                    self.group(number, budget);
                }
                Stage::Encoding => match self.learner.encode_all(budget) {
                    Verdict::NotYet => {}
                    Verdict::Resting => self.open_block(),
                    Verdict::Solution | Verdict::NoSolution | Verdict::TooLarge => {
                        self.stage = Stage::Done;
                    }
                },
                Stage::Block(block) => match self.learner.resume(budget) {
                    Verdict::NotYet | Verdict::Resting => {}
                    Verdict::Solution if block.found.len() < MOST_SOLUTIONS => {
                        let places = block.places.iter();
                        let values = places.map(|place| self.learner.value(*place as usize));
                        block.found.push(values.collect());
                        self.ask_for_another();
                    }
                    verdict @ (Verdict::Solution | Verdict::NoSolution) => {
                        self.end_block(verdict == Verdict::NoSolution);
                        self.open_block();
                    }
                    // The places drawn so far are a solution.
                    Verdict::TooLarge => self.stage = Stage::Done,
                },
                Stage::Done => return true,
            }
            budget.spend(self.open.len() / 8);
        }
        matches!(self.stage, Stage::Done)
    }

    /// Draws the places of the next move, if there is one, and asks what else they may hold.
    fn open_block(&mut self) {
        if self.moves == 0 || self.open.len() < LEAST_OF_BLOCK as usize {
            self.stage = Stage::Done;
            return;
        }
        self.moves -= 1;
        let places = self.drawn_places();
        self.learner.encoder.engine.backtrack(0);
        let holds_back = self.learner.encoder.variable();
        let found = vec![
            places
                .iter()
                .map(|place| self.values[*place as usize])
                .collect(),
        ];
        self.stage = Stage::Block(Block {
            places,
            holds_back,
            found,
        });
        self.ask_for_another();
    }

    /// Rules out what was found last while the block is open, and asks for something else.
    fn ask_for_another(&mut self) {
        let Stage::Block(block) = &self.stage else {
            return;
        };
        let learner = &mut self.learner;
        learner.encoder.engine.backtrack(0);
        let latest = block.found.last().into_iter().flatten();
        let clause: Vec<Lit> = block
            .places
            .iter()
            .zip(latest)
            .filter_map(|(place, value)| learner.encoder.equals_literal(*place, *value))
            .chain([block.holds_back])
            .map(|literal| !literal)
            .collect();
        learner.encoder.engine.add_clause(&clause);
        let is_opened = |place: &u32| block.places.contains(place);
        let others: Vec<(u32, u32)> = self
            .open
            .iter()
            .filter(|place| !is_opened(place))
            .map(|place| (*place, self.values[*place as usize]))
            .collect();
        learner.suppose_at_once(&others, &[block.holds_back]);
    }

    /// Draws one of the solutions that were found, if these are all.
    fn end_block(&mut self, are_all: bool) {
        let Stage::Block(block) = std::mem::replace(&mut self.stage, Stage::Done) else {
            return;
        };
        let engine = &mut self.learner.encoder.engine;
        engine.backtrack(0);
        engine.add_clause(&[!block.holds_back]);
        if are_all {
            let drawn = self.rng.below(block.found.len() as u64) as usize;
            for (place, value) in block.places.iter().zip(&block.found[drawn]) {
                self.values[*place as usize] = *value;
            }
        }
    }

    /// Some open places: any, or such that are close.
    fn drawn_places(&mut self) -> Vec<u32> {
        let most = MOST_OF_BLOCK.min(self.open.len() as u64);
        let size = LEAST_OF_BLOCK + self.rng.below(most - LEAST_OF_BLOCK + 1);
        let are_close = self.rng.below(2) == 0;
        let mut places: Vec<u32> = Vec::with_capacity(size as usize);
        for _ in 0..4 * size {
            let close = if are_close {
                self.close_to(&places)
            } else {
                None
            };
            let next =
                close.unwrap_or_else(|| self.open[self.rng.below(self.open.len() as u64) as usize]);
            if !places.contains(&next) {
                places.push(next);
            }
            if places.len() as u64 == size {
                break;
            }
        }
        places
    }

    /// A place in a group with one of these.
    fn close_to(&mut self, places: &[u32]) -> Option<u32> {
        let from = places.get(self.rng.below(places.len().max(1) as u64) as usize)?;
        let groups = &self.groups_of[self.ranks[*from as usize] as usize];
        let group = *groups.get(self.rng.below(groups.len().max(1) as u64) as usize)? as usize;
        let group =
            &self.groups[self.group_starts[group] as usize..self.group_starts[group + 1] as usize];
        Some(group[self.rng.below(group.len() as u64) as usize])
    }

    /// The solution, by place the number of its value.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Whether some constraint could not be said, so that a solution may be none.
    pub fn is_relaxed(&self) -> bool {
        self.learner.is_relaxed()
    }

    /// The bytes that it owned when they were counted last.
    pub fn bytes(&self) -> usize {
        self.learner.bytes()
            + room::row(&self.groups)
            + room::row(&self.group_starts)
            + self.groups_of.iter().map(room::row).sum::<usize>()
            + 12 * self.ranks.len()
    }
}
