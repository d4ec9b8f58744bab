//! Finding the clues of a puzzle, in pieces.

use ndscript_base::budget::Budget;
use ndscript_heap::Value;
use ndscript_heap::value::Handle;
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::propagating::MemoryRequest;
use ndscript_machine::work::{Tracer, Work};
use ndscript_solver::steps::{Clues, Fewest, Progress, Step, Steps, grade};

/// The wishes for a puzzle.
#[derive(Clone)]
pub(crate) struct Wishes {
    /// Groups of places that are clues together, in the order in which leaving them out is tried.
    pub groups: Vec<Vec<u32>>,
    /// Places that are clues in any case.
    pub free: Vec<u32>,
    /// The lowest and the highest level.
    pub levels: Option<[f64; 2]>,
}

/// Searches the clues for the solution of a board.
#[derive(Clone)]
pub(crate) struct ClueSearch {
    container: Value,
    board: Handle,
    wishes: Wishes,
    asking: MemoryRequest,
    solution: Vec<u32>,
    clues: Option<Box<Clues>>,
    grading: Option<Grading>,
    attempts: usize,
    has_begun: bool,
}

/// Clues being graded, and groups that may be added to them.
#[derive(Clone)]
struct Grading {
    found: Vec<usize>,
    spare: Vec<usize>,
    steps: Box<Steps>,
    concluded: Vec<Step>,
}

/// At most this many orders are tried for a wished level.
const MOST_ATTEMPTS: usize = 8;
/// The greatest number of bytes of a learner.
const BYTES_OF_CLUES: usize = 48 << 20;

impl ClueSearch {
    /// `solution` has the numbers of the values of all places. If it is empty, the board holds them.
    pub fn new(container: Value, board: Handle, wishes: Wishes, solution: Vec<u32>) -> ClueSearch {
        ClueSearch {
            container,
            board,
            wishes,
            asking: MemoryRequest::default(),
            solution,
            clues: None,
            grading: None,
            attempts: 0,
            has_begun: false,
        }
    }

    /// Begins the search for clues, with the groups in a random order.
    fn begin(&mut self, context: &mut Context) {
        let seed = context.rng.below(u64::MAX);
        for at in (1..self.wishes.groups.len()).rev() {
            let other = context.rng.below(at as u64 + 1) as usize;
            self.wishes.groups.swap(at, other);
        }
        let givens = self.givens_and_clues(context, &[]);
        let solver = &context.heap.boards[self.board].solver;
        let groups = self.wishes.groups.clone();
        self.clues = Some(Box::new(Clues::new(
            solver,
            &givens,
            self.solution.clone(),
            groups,
            seed,
        )));
    }

    /// The givens of places that are no clues, and the clues of some groups.
    fn givens_and_clues(&self, context: &Context, groups: &[usize]) -> Vec<(u32, Vec<u64>)> {
        let mut givens = context.heap.givens(self.board);
        let width = context.heap.boards[self.board].solver.width();
        for place in groups.iter().flat_map(|group| &self.wishes.groups[*group]) {
            let value = self.solution[*place as usize];
            let mut mask = vec![0; width];
            mask[value as usize / 64] |= 1 << (value % 64);
            givens.push((*place, mask));
        }
        givens
    }

    fn grade(&mut self, context: &mut Context, found: Vec<usize>, spare: Vec<usize>) {
        let givens = self.givens_and_clues(context, &found);
        let solver = &context.heap.boards[self.board].solver;
        self.grading = Some(Grading {
            steps: Box::new(Steps::new(solver, &givens)),
            found,
            spare,
            concluded: Vec::new(),
        });
    }

    fn names(&self, context: &mut Context, found: &[usize]) -> Value {
        let mut places: Vec<u32> = found
            .iter()
            .flat_map(|group| self.wishes.groups[*group].iter().copied())
            .collect();
        places.extend(&self.wishes.free);
        places.sort_unstable();
        places.dedup();
        let names = places.iter();
        let names = names.map(|place| context.name_of_place(self.container, *place as usize));
        let names = names.collect();
        context.heap.array(names)
    }
}

impl Work for ClueSearch {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !context.heap.freshen(self.board, budget) {
            return Ok(None);
        }
        if !self.has_begun {
            let free = context.limits.memory.saturating_sub(context.heap.bytes) / 3;
            if !self.asking.ask(context, free.min(BYTES_OF_CLUES) / 8)? {
                return Ok(None);
            }
            let solver = &context.heap.boards[self.board].solver;
            if self.solution.is_empty() {
                self.solution = (0..solver.places())
                    .map(|place| solver.candidates(place).numbers().next().unwrap_or(0) as u32)
                    .collect();
            }
            budget.spend(solver.places() + solver.constraints().len());
            self.has_begun = true;
            self.begin(context);
            return Ok(None);
        }
        loop {
            if let Some(grading) = &mut self.grading {
                let end = loop {
                    match grading.steps.resume(budget) {
                        Progress::NotYet => return Ok(None),
                        Progress::Step(step) => grading.concluded.push(*step),
                        Progress::End(end) => break end,
                    }
                };
                let level = grade(&grading.concluded, end).level;
                let [low, high] = self.wishes.levels.unwrap_or([0.0, 10.0]);
                let (mut found, mut spare) = (
                    std::mem::take(&mut grading.found),
                    std::mem::take(&mut grading.spare),
                );
                self.grading = None;
                if level < low {
                    self.attempts += 1;
                    if self.attempts == MOST_ATTEMPTS {
                        return Err(Fault::Fail);
                    }
                    self.begin(context);
                    continue;
                }
                if level <= high {
                    return Ok(Some(self.names(context, &found)));
                }
                // More clues make it easier.
                let Some(more) = spare.pop() else {
                    return Err(Fault::Fail);
                };
                found.push(more);
                self.grade(context, found, spare);
                continue;
            }
            let Some(clues) = &mut self.clues else {
                return Ok(Some(Value::NULL));
            };
            match clues.resume(budget) {
                Fewest::NotYet => return Ok(None),
                Fewest::Found(found) => {
                    if self.wishes.levels.is_none() {
                        return Ok(Some(self.names(context, &found)));
                    }
                    let all = 0..self.wishes.groups.len();
                    let spare = all.filter(|group| !found.contains(group)).collect();
                    self.grade(context, found, spare);
                }
                // With all of these clues there are several solutions: another board may do better.
                Fewest::Open => return Err(Fault::Fail),
                Fewest::Wrong => {
                    return Err(Fault::error(
                        ErrorKind::Value,
                        "`makeUnique` is given a solution that breaks a rule of the board"
                            .to_string(),
                    ));
                }
                Fewest::Unknown => {
                    return Err(Fault::error(
                        ErrorKind::Value,
                        "`makeUnique` cannot find out whether there is another solution: the board has a function as a rule, or it takes too long"
                            .to_string(),
                    )
                    .with_hint("say the rule by one of the other constraints instead of `constrain`"));
                }
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.container);
    }

    fn bytes(&self) -> usize {
        let grading = self.grading.as_ref();
        let grading = grading.map_or(0, |grading| {
            grading.steps.bytes() + grading.concluded.iter().map(Step::bytes).sum::<usize>()
        });
        self.clues.as_ref().map_or(0, |clues| clues.bytes()) + grading + 4 * self.solution.len()
    }
}
