//! Finding the steps to a solution, in pieces.

use super::first_words::FirstKnown;
use super::rule_words::{BoardPhrases, RuleSentence};
use ndscript_base::budget::Budget;
use ndscript_base::keyed::KeyedMap;
use ndscript_base::room;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::propagating::MemoryRequest;
use ndscript_machine::work::{Tracer, Work};
use ndscript_solver::steps::{Conclusion, End, Progress, Step, Steps, grade};

/// Which result of the steps is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Steps,
    Difficulty,
    /// An array of both, of the first candidates of each place, and of the rules.
    All,
}

/// The steps of a board.
#[derive(Clone)]
pub(crate) struct StepsWork {
    container: Value,
    board: Handle,
    wanted: Wanted,
    asking: MemoryRequest,
    steps: Option<Box<Steps>>,
    concluded: Vec<Step>,
    bytes_of_concluded: usize,
    /// What is known before any step. The board keeps the names of constraints alive.
    first: FirstKnown,
    /// The rules that were put into words, each once.
    sentences: KeyedMap<u32, RuleSentence>,
    bytes_of_sentences: usize,
    end: Option<End>,
    values: Vec<Value>,
    /// The first candidates of places, as far as they are listed, and for how many places that is.
    start: Vec<Value>,
    looked_at: usize,
    rules: Vec<Value>,
}

/// The names of kinds, by number.
const KINDS: [&str; 5] = ["direct", "rule", "rules", "suppose", "search"];

impl StepsWork {
    pub fn new(container: Value, board: Handle, wanted: Wanted) -> StepsWork {
        StepsWork {
            container,
            board,
            wanted,
            asking: MemoryRequest::default(),
            steps: None,
            concluded: Vec::new(),
            bytes_of_concluded: 0,
            first: FirstKnown::default(),
            sentences: KeyedMap::default(),
            bytes_of_sentences: 0,
            end: None,
            values: Vec::new(),
            start: Vec::new(),
            looked_at: 0,
            rules: Vec::new(),
        }
    }

    /// Makes values of the first candidates of each place, and of the rules; returns whether that is done.
    fn make_start(&mut self, context: &mut Context, budget: &mut Budget) -> bool {
        let Some(steps) = &self.steps else {
            return true;
        };
        while self.looked_at < steps.places() {
            if budget.is_spent() {
                return false;
            }
            let values = steps.start(self.looked_at);
            budget.spend(16 + values.len());
            if !values.is_empty() {
                let name = context.name_of_place(self.container, self.looked_at);
                let universe = context.heap.boards[self.board].universe();
                let values = values.iter().map(|value| universe[*value as usize]);
                let values = values.collect();
                let values = context.heap.array(values);
                self.start.push(context.heap.array(vec![name, values]));
            }
            self.looked_at += 1;
        }
        for (number, places) in steps.rules().skip(self.rules.len()) {
            if budget.is_spent() {
                return false;
            }
            budget.spend(256 + places.len());
            let words = BoardPhrases {
                context,
                container: self.container,
                board: self.board,
                first: &self.first,
                sentences: &self.sentences,
            };
            let (RuleSentence { whole: text, .. }, work) = words.sentence_of(number);
            budget.spend(work);
            let names = places.iter();
            let names = names.map(|place| context.name_of_place(self.container, *place as usize));
            let names = names.collect();
            let names = context.heap.array(names);
            let fields = [("text", context.heap.text(&text)), ("places", names)];
            self.rules.push(object_of(context, &fields));
        }
        true
    }

    /// Puts the rules of a step into words that have no words yet; returns whether that is done.
    fn word_rules(&mut self, context: &Context, step: &Step, budget: &mut Budget) -> bool {
        for number in &step.rules {
            if budget.is_spent() {
                return false;
            }
            let words = BoardPhrases {
                context,
                container: self.container,
                board: self.board,
                first: &self.first,
                sentences: &self.sentences,
            };
            if !self.sentences.contains_key(number) {
                let (sentence, work) = words.sentence_of(*number);
                budget.spend(work);
                let short = sentence.short.as_ref().map_or(0, String::len);
                self.bytes_of_sentences += sentence.whole.len() + short;
                self.sentences.insert(*number, sentence);
            }
        }
        step.chain
            .iter()
            .all(|step| self.word_rules(context, step, budget))
    }

    /// How much work it is to put a step into words, in visits.
    fn work_of_words(&self, context: &Context, step: &Step) -> usize {
        let words = BoardPhrases {
            context,
            container: self.container,
            board: self.board,
            first: &self.first,
            sentences: &self.sentences,
        };
        let rules = step.rules.iter().map(|rule| words.work_of_use(*rule, step));
        let chain = step
            .chain
            .iter()
            .map(|step| self.work_of_words(context, step));
        256 + 256 * (step.conclusions.len() + step.rules.len()) + rules.chain(chain).sum::<usize>()
    }

    /// Makes a step an object.
    fn object(&self, context: &mut Context, step: &Step) -> Value {
        let words = BoardPhrases {
            context,
            container: self.container,
            board: self.board,
            first: &self.first,
            sentences: &self.sentences,
        };
        let text = words.sentence(step);
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
            let excluded: Vec<Value> = values
                .iter()
                .map(|value| universe[*value as usize])
                .collect();
            let only = only.map(|only| universe[only as usize]);
            let excluded = context.heap.array(excluded);
            removed.push(context.heap.array(vec![name, excluded]));
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

    /// The object that says how hard the steps were.
    fn difficulty(&self, context: &mut Context, end: End) -> Value {
        let found = grade(&self.concluded, end);
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

impl Work for StepsWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !context.heap.freshen(self.board, budget) {
            return Ok(None);
        }
        if self.steps.is_none() && self.end.is_none() {
            let solver = &context.heap.boards[self.board].solver;
            let bytes = Steps::bytes_for(solver);
            budget.spend(solver.places() + solver.constraints().len());
            if !self.asking.ask(context, bytes)? {
                return Ok(None);
            }
            let givens = context.heap.givens(self.board);
            let (first, work) = FirstKnown::of(context, self.board);
            self.first = first;
            budget.spend(work);
            let solver = &context.heap.boards[self.board].solver;
            self.steps = Some(Box::new(Steps::new(solver, &givens)));
            return Ok(None);
        }
        while self.end.is_none()
            && let Some(steps) = &mut self.steps
        {
            match steps.resume(budget) {
                Progress::NotYet => return Ok(None),
                Progress::Step(step) => {
                    self.bytes_of_concluded += step.bytes();
                    self.concluded.push(*step);
                }
                Progress::End(End::Solved) => {
                    let is_free = !context.heap.free_places(self.board).is_empty();
                    budget.spend(context.heap.places_of(self.container));
                    self.end = Some(if is_free { End::Open } else { End::Solved });
                }
                // Functions were not considered.
                Progress::End(End::Open) if has_functions(context, self.board) => {
                    self.end = Some(End::GaveUp);
                }
                Progress::End(end) => self.end = Some(end),
            }
        }
        let end = self.end.unwrap_or(End::GaveUp);
        if self.wanted == Wanted::Difficulty {
            return Ok(Some(self.difficulty(context, end)));
        }
        if self.wanted == Wanted::All && !self.make_start(context, budget) {
            return Ok(None);
        }
        // The search is not needed any more.
        self.steps = None;
        while let Some(step) = self.concluded.get(self.values.len()).cloned() {
            if budget.is_spent() || !self.word_rules(context, &step, budget) {
                return Ok(None);
            }
            budget.spend(self.work_of_words(context, &step));
            let made = self.object(context, &step);
            self.values.push(made);
        }
        let steps = context.heap.array(std::mem::take(&mut self.values));
        if self.wanted == Wanted::Steps {
            return Ok(Some(steps));
        }
        let difficulty = self.difficulty(context, end);
        let start = context.heap.array(std::mem::take(&mut self.start));
        let rules = context.heap.array(std::mem::take(&mut self.rules));
        let all = vec![steps, difficulty, start, rules];
        Ok(Some(context.heap.array(all)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.container);
        for made in [&self.values, &self.start, &self.rules] {
            tracer.values.extend_from_slice(made);
        }
    }

    fn bytes(&self) -> usize {
        self.bytes_of_concluded
            + self.bytes_of_sentences
            + self.first.bytes()
            + room::hash_map(self.sentences.capacity(), 64)
            + self.steps.as_ref().map_or(0, |steps| steps.bytes())
    }
}

fn has_functions(context: &Context, board: Handle) -> bool {
    let rules = context.heap.boards[board].solver.constraints();
    rules.iter().any(|rule| !rule.is_native())
}

/// The board with constraints that a container is, if it is not too large for steps.
pub(crate) fn constrained(
    context: &mut Context,
    function: &'static str,
    container: Value,
) -> Result<Handle, Fault> {
    let board = match container.kind() {
        Kind::Grid | Kind::Array | Kind::Object => context.heap.constrained(container),
        _ => None,
    };
    let board = board.ok_or_else(|| {
        Fault::error(
            ErrorKind::Value,
            format!("`{function}` wants a board with constraints, and this one has none: {}", context.brief(container)),
        )
        .with_hint("a copy of a board is a plain one; put `allDifferent`, `exactly`, ... on the board itself")
    })?;
    if Steps::is_too_large(&context.heap.boards[board].solver) {
        let message = format!(
            "the board is too large for `{function}`: it has more than 16,384 places, or many places with many values"
        );
        return Err(Fault::error(ErrorKind::Value, message));
    }
    Ok(board)
}
