//! Finding steps and clues, in pieces.

use super::rule_words::{Words, listed};
use ndscript_base::budget::Budget;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::context::Context;
use ndscript_machine::error::{ErrorKind, Fault};
use ndscript_machine::work::propagating::MemoryRequest;
use ndscript_machine::work::{Tracer, Work};
use ndscript_solver::steps::{
    Clues, Conclusion, End, Fewest, Kind as StepKind, Progress, Step, Steps, grade,
};

/// What is wanted of the steps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Steps,
    Difficulty,
}

/// The steps of a board.
#[derive(Clone)]
pub(super) struct Solving {
    container: Value,
    board: Handle,
    wanted: Wanted,
    asking: MemoryRequest,
    steps: Option<Box<Steps>>,
    taken: Vec<Step>,
    end: Option<End>,
    made: Vec<Value>,
}

/// The names of kinds, by number.
const KINDS: [&str; 5] = ["direct", "rule", "rules", "suppose", "search"];

impl Solving {
    pub fn new(container: Value, board: Handle, wanted: Wanted) -> Solving {
        Solving {
            container,
            board,
            wanted,
            asking: MemoryRequest::default(),
            steps: None,
            taken: Vec::new(),
            end: None,
            made: Vec::new(),
        }
    }

    /// Makes a step an object.
    fn object(&self, context: &mut Context, step: &Step) -> Value {
        let words = Words {
            context,
            container: self.container,
            board: self.board,
        };
        let text = sentence(&words, step);
        let rules: Vec<String> = step.rules.iter().map(|rule| words.rule(*rule)).collect();
        let chain = step.chain.iter().map(|step| self.object(context, step));
        let chain: Vec<Value> = chain.collect();
        let places = step.places.iter();
        let places: Vec<Value> = places
            .map(|place| context.name_of_place(self.container, *place as usize))
            .collect();
        let (mut removed, mut decided) = (Vec::new(), Vec::new());
        for Conclusion {
            place,
            values,
            decided: only,
        } in &step.conclusions
        {
            let name = context.name_of_place(self.container, *place as usize);
            let universe = context.heap.boards[self.board].universe();
            let gone: Vec<Value> = values
                .iter()
                .map(|value| universe[*value as usize])
                .collect();
            let only = only.map(|only| universe[only as usize]);
            let gone = context.heap.array(gone);
            removed.push(context.heap.array(vec![name, gone]));
            if let Some(only) = only {
                decided.push(context.heap.array(vec![name, only]));
            }
        }
        let supposed = step.supposed.map(|(place, value)| {
            let name = context.name_of_place(self.container, place as usize);
            let value = context.heap.boards[self.board].universe()[value as usize];
            context.heap.array(vec![name, value])
        });
        let rules: Vec<Value> = rules.iter().map(|rule| context.heap.text(rule)).collect();
        let fields = [
            ("kind", context.heap.text(KINDS[step.kind as usize])),
            ("text", context.heap.text(&text)),
            ("rules", context.heap.array(rules)),
            ("places", context.heap.array(places)),
            ("removed", context.heap.array(removed)),
            ("decided", context.heap.array(decided)),
            ("supposed", supposed.unwrap_or(Value::NULL)),
            ("chain", context.heap.array(chain)),
        ];
        object_of(context, &fields)
    }

    fn difficulty(&self, context: &mut Context, end: End) -> Value {
        let found = grade(&self.taken, end);
        let level = (found.level * 10.0).round() / 10.0;
        let level = context.heap.float(level).unwrap_or(Value::NULL);
        let mut fields = vec![("level", level)];
        for (name, count) in KINDS.iter().zip(found.steps) {
            fields.push((name, Value::size(count)));
        }
        fields.push(("largest", Value::size(found.largest)));
        fields.push(("longest", Value::size(found.longest)));
        let end = match end {
            End::Solved => "solved",
            End::Open => "open",
            End::GaveUp => "unknown",
            End::NoSolution => "none",
        };
        fields.push(("end", context.heap.text(end)));
        object_of(context, &fields)
    }
}

fn object_of(context: &mut Context, fields: &[(&str, Value)]) -> Value {
    let object = context.heap.object_with_room(fields.len());
    for (name, value) in fields {
        let key = context.heap.text(name);
        context.heap.set_field(object.payload(), key, *value);
    }
    object
}

/// A step as a sentence.
fn sentence(words: &Words<'_>, step: &Step) -> String {
    let what: Vec<String> = step
        .conclusions
        .iter()
        .map(
            |Conclusion {
                 place,
                 values,
                 decided,
             }| {
                let place = words.place(*place);
                match decided {
                    Some(value) => format!("{place} is {}", words.value(*value)),
                    None => {
                        let values: Vec<String> =
                            values.iter().map(|value| words.value(*value)).collect();
                        format!("{place} is not {}", listed(&values, "or"))
                    }
                }
            },
        )
        .collect();
    let what = match what.len() {
        0 => "that cannot be".to_string(),
        _ => listed(&what, "and"),
    };
    let rule = step
        .rules
        .first()
        .map_or_else(String::new, |rule| words.rule(*rule));
    let because = match step.places.len() {
        0 => String::new(),
        _ => format!(", and {}", words.known(&step.places, &step.held)),
    };
    match step.kind {
        StepKind::Direct | StepKind::Rule if step.supposed.is_none() => {
            format!("{what}, since {rule}{because}")
        }
        StepKind::Search => format!("{what}, as a search over all rules shows"),
        StepKind::Rules if step.supposed.is_none() => {
            format!("{what}, since the counts together leave nothing else")
        }
        _ => {
            let supposed = step.supposed.map_or_else(String::new, |(place, value)| {
                format!("suppose {} is {}: ", words.place(place), words.value(value))
            });
            let chain: Vec<String> = step
                .chain
                .iter()
                .map(|step| sentence(words, step))
                .collect();
            format!("{supposed}{}. So {what}", chain.join("; "))
        }
    }
}

impl Work for Solving {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !context.heap.freshen(self.board, budget) {
            return Ok(None);
        }
        if self.steps.is_none() {
            let solver = &context.heap.boards[self.board].solver;
            if Steps::is_too_large(solver) {
                return Err(Fault::error(
                    ErrorKind::Value,
                    "the board is too large for steps: it has more than 16,384 places, or many values".to_string(),
                ));
            }
            let bytes = Steps::bytes_for(solver);
            budget.spend(solver.places() + solver.constraints().len());
            if !self.asking.ask(context, bytes)? {
                return Ok(None);
            }
            let givens = context.heap.givens(self.board);
            let solver = &context.heap.boards[self.board].solver;
            self.steps = Some(Box::new(Steps::new(solver, &givens)));
            return Ok(None);
        }
        while self.end.is_none()
            && let Some(steps) = &mut self.steps
        {
            match steps.resume(budget) {
                Progress::NotYet => return Ok(None),
                Progress::Step(step) => self.taken.push(*step),
                Progress::End(end) => self.end = Some(end),
            }
        }
        let end = self.end.unwrap_or(End::GaveUp);
        if self.wanted == Wanted::Difficulty {
            return Ok(Some(self.difficulty(context, end)));
        }
        while let Some(step) = self.taken.get(self.made.len()).cloned() {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(256 * (1 + step.chain.len() + step.conclusions.len() + step.rules.len()));
            let made = self.object(context, &step);
            self.made.push(made);
        }
        Ok(Some(context.heap.array(std::mem::take(&mut self.made))))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.container);
        tracer.values.extend_from_slice(&self.made);
    }

    fn bytes(&self) -> usize {
        512 * self.taken.len()
    }

    fn fork(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

/// What a puzzle is to be like.
#[derive(Clone)]
pub(super) struct Wishes {
    /// Groups of places that are clues together, in the order in which leaving them out is tried.
    pub groups: Vec<Vec<u32>>,
    /// The lowest and the highest level.
    pub levels: Option<[f64; 2]>,
}

/// Clues for the solution that a board holds.
#[derive(Clone)]
pub(super) struct Clueing {
    container: Value,
    board: Handle,
    wishes: Wishes,
    asking: MemoryRequest,
    solution: Vec<u32>,
    clues: Option<Box<Clues>>,
    grading: Option<Grading>,
    attempts: usize,
}

/// Clues that are graded, and groups that may be told beside them.
#[derive(Clone)]
struct Grading {
    found: Vec<usize>,
    spare: Vec<usize>,
    steps: Box<Steps>,
    taken: Vec<Step>,
}

/// So many orders are tried for a wished level.
const MOST_ATTEMPTS: usize = 8;
/// A learner owns so many bytes at most.
const BYTES_OF_CLUES: usize = 48 << 20;

impl Clueing {
    pub fn new(container: Value, board: Handle, wishes: Wishes) -> Clueing {
        Clueing {
            container,
            board,
            wishes,
            asking: MemoryRequest::default(),
            solution: Vec::new(),
            clues: None,
            grading: None,
            attempts: 0,
        }
    }

    fn begin(&mut self, context: &mut Context) {
        let seed = context.rng.below(u64::MAX);
        for at in (1..self.wishes.groups.len()).rev() {
            let other = context.rng.below(at as u64 + 1) as usize;
            self.wishes.groups.swap(at, other);
        }
        let givens = self.givens_beside(context, &[]);
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

    /// What the program has given of places that are no clues, and the clues of some groups.
    fn givens_beside(&self, context: &Context, groups: &[usize]) -> Vec<(u32, Vec<u64>)> {
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
        let givens = self.givens_beside(context, &found);
        let solver = &context.heap.boards[self.board].solver;
        self.grading = Some(Grading {
            steps: Box::new(Steps::new(solver, &givens)),
            found,
            spare,
            taken: Vec::new(),
        });
    }

    fn names(&self, context: &mut Context, found: &[usize]) -> Value {
        let mut places: Vec<u32> = found
            .iter()
            .flat_map(|group| self.wishes.groups[*group].iter().copied())
            .collect();
        places.sort_unstable();
        places.dedup();
        let names = places.iter();
        let names = names.map(|place| context.name_of_place(self.container, *place as usize));
        let names = names.collect();
        context.heap.array(names)
    }
}

impl Work for Clueing {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !context.heap.freshen(self.board, budget) {
            return Ok(None);
        }
        if self.solution.is_empty() {
            let free = context.limits.memory.saturating_sub(context.heap.bytes) / 3;
            if !self.asking.ask(context, free.min(BYTES_OF_CLUES) / 8)? {
                return Ok(None);
            }
            let solver = &context.heap.boards[self.board].solver;
            self.solution = (0..solver.places())
                .map(|place| solver.candidates(place).numbers().next().unwrap_or(0) as u32)
                .collect();
            budget.spend(solver.places() + solver.constraints().len());
            self.begin(context);
            return Ok(None);
        }
        loop {
            if let Some(grading) = &mut self.grading {
                let end = loop {
                    match grading.steps.resume(budget) {
                        Progress::NotYet => return Ok(None),
                        Progress::Step(step) => grading.taken.push(*step),
                        Progress::End(end) => break end,
                    }
                };
                let level = grade(&grading.taken, end).level;
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
                // With more clues it gets easier.
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
                Fewest::Open => {
                    return Err(Fault::error(
                        ErrorKind::Value,
                        "`makeUnique`: with the values of all these places there are still several solutions".to_string(),
                    )
                    .with_hint("leave `places` out, or name more of them"));
                }
                Fewest::Unknown => {
                    return Err(Fault::error(
                        ErrorKind::Value,
                        "`makeUnique` cannot find out whether there is another solution: the board has a function as a rule, or it is too large"
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
        self.clues.as_ref().map_or(0, |clues| clues.bytes()) + 4 * self.solution.len()
    }

    fn fork(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

/// The board with constraints that a container is.
pub(super) fn constrained(
    context: &mut Context,
    function: &'static str,
    container: Value,
) -> Result<Handle, Fault> {
    let board = match container.kind() {
        Kind::Grid | Kind::Array | Kind::Object => context.heap.constrained(container),
        _ => None,
    };
    board.ok_or_else(|| {
        Fault::error(
            ErrorKind::Value,
            format!("`{function}` wants a board with constraints, and this one has none: {}", context.brief(container)),
        )
        .with_hint("a copy of a board is a plain one; put `allDifferent`, `exactly`, ... on the board itself")
    })
}
