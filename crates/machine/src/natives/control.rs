//! Built-ins that only the machine itself can carry out.

use super::native::Control;
use crate::errors::error::{ErrorKind, Fault};
use crate::machine::{Machine, PendingQuestion};
use crate::search::barrier::ResultCollection;
use crate::search::choices::barrier::BarrierKind;
use crate::search::choices::choice::{BITS, LargeAlternatives, ONE_PICKED, all_bits, random_bit};
use crate::work::asking::QuestionWork;
use crate::work::results::ResultCopy;
use ndscript_base::budget::VISITS_OF_STEP;
use ndscript_base::limits::LimitReached;
use ndscript_base::room;
use ndscript_heap::{Kind, Value};

/// A question with its options as text.
pub type QuestionText = (String, Option<Vec<String>>);

/// Which of some candidates are tried first.
#[derive(Clone, Copy)]
enum FirstTried {
    /// One, by its place.
    Only(usize),
    /// Those whose bits are set.
    Some(u32),
}

impl Machine {
    /// Carries out a built-in whose arguments are in the registers after `base`. The result goes to register `to`; if
    /// a question is asked, later. A choice saves the registers below `base`.
    pub(crate) fn control(
        &mut self,
        control: Control,
        base: u8,
        count: usize,
        to: u8,
    ) -> Result<Value, Fault> {
        let start = self.base as usize + base as usize + 1;
        let argument = |at: usize| {
            if at < count {
                self.stack[start + at]
            } else {
                Value::NULL
            }
        };
        let (first, second) = (argument(0), argument(1));
        match control {
            Control::ChooseElement => self.choose_element(first, base),
            Control::ChooseWeighted => self.choose_weighted(first, second, base),
            Control::RandomElement => self.random_element(first),
            Control::DrawWeighted => self.draw_weighted(first, second),
            Control::FirstVisit => self.first_visit(first),
            Control::Cost => self.cost(first),
            Control::Ask => self.ask(first, second, to),
            Control::Input => self.input(first, to),
            Control::NextAlternative => self.next_alternative(first, second, argument(2)),
            Control::OpenSearch => {
                self.open_barrier(BarrierKind::Search, None);
                Ok(Value::NULL)
            }
            Control::EndSearch => {
                self.close_barrier();
                Ok(Value::NULL)
            }
            Control::DropSearch => {
                self.close_and_commit();
                Ok(Value::NULL)
            }
            Control::Gather => {
                self.search.gatherings.push(ResultCollection::default());
                Ok(Value::NULL)
            }
            Control::Collect => self.collect_result(first, second),
            Control::Count => {
                if let Some(gathering) = self.search.gatherings.last_mut() {
                    gathering.count += 1;
                }
                Ok(Value::NULL)
            }
            Control::Gathered => {
                let results = self.search.gatherings.pop().unwrap_or_default().results;
                Ok(self.context.heap.array(results))
            }
            Control::Counted => Ok(Value::integer(
                self.search.gatherings.pop().unwrap_or_default().count as i64,
            )),
            Control::OpenRestarts | Control::OpenRetries => {
                self.open_restarts(first, second, control == Control::OpenRetries)?;
                Ok(Value::NULL)
            }
            Control::EndRestarts => self.end_restarts(),
            Control::NextAttempt => self.next_attempt(),
            Control::EndRound => Ok(self.end_round()),
            Control::OpenMinimize => {
                self.open_minimize(first);
                Ok(Value::NULL)
            }
            Control::Offer => {
                self.offer(first)?;
                Ok(Value::NULL)
            }
            Control::OfferLeast => {
                self.offer_least(second, first)?;
                Ok(Value::NULL)
            }
            Control::Owed => Ok(self.owed_sums()),
            Control::BoundOwed => self.bound_owed(first),
            Control::BestSoFar => Ok(self.best_result().unwrap_or(Value::NULL)),
            Control::LeastSoFar => Ok(self.best_spent().unwrap_or(Value::NULL)),
            Control::BeginDeciding => Ok(self.begin_deciding(first)),
            Control::EndDeciding => Ok(self.end_deciding(first, second)),
            Control::Guess => {
                let (call, before) = (argument(2), self.choices.height());
                let value = match self.advised(second, argument(3), first, call) {
                    Some(advised) => self.choose_advised(first, advised, base),
                    None => self.choose_element(first, base)?,
                };
                self.record_guess(before, second, call);
                Ok(value)
            }
            Control::GuessWeighted => {
                let (board, call, before) = (argument(2), argument(3), self.choices.height());
                let advised = self.advised(board, argument(4), first, call);
                // With more than two candidates, weights decide which are tried first, unless one is known to lead to
                // a solution.
                let is_taken = |advised: &FirstTried| {
                    matches!(advised, FirstTried::Only(_)) || self.places(first) == Some(2)
                };
                let value = match advised.filter(is_taken) {
                    Some(advised) => self.choose_advised(first, advised, base),
                    None => self.choose_weighted(first, second, base)?,
                };
                self.record_guess(before, board, call);
                Ok(value)
            }
            Control::NextFunction => self.next_function(first),
            Control::EndFunction => self.end_function(),
            Control::HasEnded => self.prepare_next_attempt().map(Value::boolean),
            Control::Best => self.take_best(),
        }
    }

    /// Chooses an element of a collection, and makes a choice point with the others.
    fn choose_element(&mut self, collection: Value, live_registers: u8) -> Result<Value, Fault> {
        let is_listed_first = match collection.kind() {
            // The elements of these have no places.
            Kind::Queue => self.context.heap.queues[collection.payload()].has_priorities,
            _ => false,
        };
        if is_listed_first {
            let list = self
                .context
                .perform_array(move |context| context.list(collection))?;
            return self.choose_element(list, live_registers);
        }
        let Some(count) = self.places(collection) else {
            return Err(self
                .context
                .wrong_argument("chooseElement", "a collection", collection));
        };
        if count == 0 {
            return Err(Fault::Fail);
        }
        let index = self.choose_place(collection, count, live_registers);
        Ok(self.place_of(collection, index))
    }

    /// The candidates of a place to try first: the one known to lead to a solution, or those that constraints prefer.
    /// `None` if the order makes no difference.
    fn advised(
        &mut self,
        board: Value,
        name: Value,
        candidates: Value,
        call: Value,
    ) -> Option<FirstTried> {
        let place = self.context.place_by_name(board, name)?;
        let count = self.places(candidates).filter(|count| *count > 1)?;
        if let Some(number) = self.context.learning.suggested(call, place) {
            let heap = &self.context.heap;
            let wanted = *heap.boards[heap.constrained(board)?]
                .universe()
                .get(number as usize)?;
            self.context.charge(count / 2 + 1);
            return (0..count)
                .find(|at| self.candidate(candidates, *at) == wanted)
                .map(FirstTried::Only);
        }
        if count > BITS || !board.is_kind(Kind::Grid) || !self.context.may_be_advised(board) {
            return None;
        }
        let heap = &self.context.heap;
        let constrained = &heap.boards[heap.constrained(board)?];
        let advice = constrained.solver.advice(place)?;
        let is_for =
            |at: &usize| advice.is_for(constrained.number_of(self.candidate(candidates, *at)));
        let bits = (0..count).filter(is_for).fold(0, |bits, at| bits | 1 << at);
        self.context.charge(count / 2 + 1);
        (bits != 0 && bits != all_bits(count)).then_some(FirstTried::Some(bits))
    }

    /// The candidate at a place of a set or of an array.
    fn candidate(&self, candidates: Value, at: usize) -> Value {
        let heap = &self.context.heap;
        if candidates.is_kind(Kind::Set) {
            heap.set_get(candidates, at).unwrap_or(Value::NULL)
        } else {
            heap.at_place(candidates, at)
        }
    }

    /// Chooses among candidates, first of some of them.
    fn choose_advised(
        &mut self,
        candidates: Value,
        first: FirstTried,
        live_registers: u8,
    ) -> Value {
        let count = self.places(candidates).unwrap_or(0);
        let picked = match first {
            FirstTried::Only(place) => place as u32,
            FirstTried::Some(bits) => random_bit(bits, &mut self.context.rng),
        };
        let left = if count > BITS {
            ONE_PICKED | picked
        } else {
            all_bits(count) & !(1 << picked)
        };
        self.push_choice(candidates, left, live_registers);
        self.place_of(candidates, picked as usize)
    }

    /// Draws an element of a collection without a choice point.
    fn random_element(&mut self, collection: Value) -> Result<Value, Fault> {
        let Some(count) = self.places(collection) else {
            return Err(self
                .context
                .wrong_argument("randomElement", "a collection", collection));
        };
        if count == 0 {
            return Err(Fault::Fail);
        }
        let index = self.context.rng.below(count as u64) as usize;
        Ok(self.place_of(collection, index))
    }

    fn draw_weighted(&mut self, elements: Value, weights: Value) -> Result<Value, Fault> {
        let mut weighted =
            self.context
                .perform_weighing(Control::DrawWeighted, elements, weights)?;
        self.context.charge(weighted.visits() / VISITS_OF_STEP);
        weighted.draw(&mut self.context.rng).ok_or(Fault::Fail)
    }

    /// Draws one of the elements by weight, and makes a choice point with the others.
    fn choose_weighted(
        &mut self,
        elements: Value,
        weights: Value,
        live_registers: u8,
    ) -> Result<Value, Fault> {
        let mut remaining =
            self.context
                .perform_weighing(Control::ChooseWeighted, elements, weights)?;
        self.context.charge(remaining.visits() / VISITS_OF_STEP);
        let Some(picked) = remaining.draw(&mut self.context.rng) else {
            return Err(Fault::Fail);
        };
        if !remaining.elements().is_empty() {
            self.push_large(LargeAlternatives::Weighted(remaining), live_registers);
        }
        Ok(picked)
    }

    /// Adds to the price of the branch, and fails if the branch is now too expensive for the `minimize` around it.
    fn cost(&mut self, amount: Value) -> Result<Value, Fault> {
        let Some(number) = self.context.heap.as_f64(amount) else {
            return Err(self.context.wrong_argument("cost", "a number", amount));
        };
        if number < 0.0 {
            return Err(Fault::error(
                ErrorKind::Value,
                format!("a cost cannot be negative: {}", self.context.brief(amount)),
            ));
        }
        let spent = self.context.heap.branch.spent;
        let spent = match (spent.as_integer(), amount.as_integer()) {
            (Some(spent), Some(amount)) => ndscript_heap::Heap::integer(spent + amount)
                .map_err(|fault| super::context::number_fault(fault, "the sum of all costs"))?,
            _ => {
                let sum = self.context.heap.as_f64(spent).unwrap_or(0.0) + number;
                self.context.number(sum)?
            }
        };
        self.context.heap.set_spent(spent);
        if self.is_too_dear() {
            Err(Fault::Fail)
        } else {
            Ok(spent)
        }
    }

    /// Stores a copy of a result of `solutions`, and ends the search if there are enough.
    fn collect_result(&mut self, result: Value, limit: Value) -> Result<Value, Fault> {
        let since = self
            .choices
            .first_of_search()
            .map_or(0, |choice| choice.trail as usize);
        let copy = self
            .context
            .perform(|_| Ok(ResultCopy::new(result, since)))?;
        let Some(gathering) = self.search.gatherings.last_mut() else {
            return Ok(Value::NULL);
        };
        let added = room::grow(&mut gathering.results, 1);
        self.context.heap.allocated(added);
        self.counted += added;
        gathering.results.push(copy);
        if limit
            .as_integer()
            .is_some_and(|limit| gathering.results.len() as i64 >= limit)
            && let Some(barrier) = self.choices.barriers().last()
        {
            // Only the search's own choice point is left, which ends it.
            self.drop_choices(barrier.first() + 1);
        }
        Ok(Value::NULL)
    }

    /// Refuses a question to the host inside of a search, which might take the answer back.
    fn refuse_inside(&self, function: &str) -> Result<(), Fault> {
        let mut around = self
            .choices
            .barriers()
            .iter()
            .rev()
            .take_while(|barrier| barrier.kind != BarrierKind::HostCall);
        let refusing = around.find_map(|barrier| match barrier.kind {
            BarrierKind::Search => Some("`solutions`, `countSolutions` or `not`"),
            BarrierKind::Minimize => Some("`minimize`"),
            BarrierKind::Restarts => Some("`withRestarts` or `withinFailures`"),
            BarrierKind::Commit | BarrierKind::Function { .. } | BarrierKind::HostCall => None,
        });
        match refusing {
            Some(search) => {
                let message = format!("`{function}` cannot be used inside {search}");
                Err(Fault::error(ErrorKind::Ask, message)
                    .with_hint("what happens inside is tried and taken back: ask before it, and use the answer inside"))
            }
            None => Ok(()),
        }
    }

    /// Asks the host for one of some options.
    fn ask(&mut self, prompt: Value, options: Value, to: u8) -> Result<Value, Fault> {
        self.refuse_inside("ask")?;
        if !matches!(options.kind(), Kind::Array | Kind::Set | Kind::Queue) {
            return Err(self
                .context
                .wrong_argument("ask", "an array of options", options));
        }
        if self.places(options) == Some(0) {
            return Err(Fault::error(
                ErrorKind::Value,
                "`ask` has no options to choose from",
            ));
        }
        self.wait_for(prompt, Some(options), to)
    }

    fn input(&mut self, prompt: Value, to: u8) -> Result<Value, Fault> {
        self.refuse_inside("input")?;
        self.wait_for(prompt, None, to)
    }

    /// Leaves the run waiting for an answer of the host, which goes into the register `to`. Choices before the question
    /// are final.
    fn wait_for(&mut self, prompt: Value, options: Option<Value>, to: u8) -> Result<Value, Fault> {
        let asking = self
            .context
            .perform_whole(|context| QuestionWork::new(context, prompt, options))?;
        let (prompt, options) = asking.into_parts();
        self.drop_choices(self.choices_below());
        self.question = Some(PendingQuestion {
            prompt,
            options,
            to: self.base + to as u32,
            ticket: None,
            refused: None,
        });
        Ok(Value::NULL)
    }

    /// Stops for a result of the host's that does not exist yet. Unlike an answer of a person it can be undone:
    /// earlier choices stay open.
    pub(crate) fn wait_for_host(&mut self, ticket: u64, to: u8) {
        self.question = Some(PendingQuestion {
            prompt: Value::NULL,
            options: None,
            to: self.base + to as u32,
            ticket: Some(ticket),
            refused: None,
        });
    }

    /// The number by which a function of the host waits.
    pub fn ticket(&self) -> Option<u64> {
        self.question.as_ref()?.ticket
    }

    /// Gives the function of the host that waits its result; false if none waits by this number.
    pub fn deliver(&mut self, ticket: u64, value: Value) -> bool {
        match &self.question {
            Some(pending) if pending.ticket == Some(ticket) => {
                self.stack[pending.to as usize] = value;
                self.question = None;
                true
            }
            _ => false,
        }
    }

    /// Turns the waiting call of a function of the host into an error; false if none waits under this number.
    pub fn refuse(&mut self, ticket: u64, message: String) -> bool {
        match &mut self.question {
            Some(pending) if pending.ticket == Some(ticket) => {
                pending.refused = Some(message);
                true
            }
            _ => false,
        }
    }

    /// Whether a question waits for its answer.
    pub fn is_waiting(&self) -> bool {
        self.question.is_some()
    }

    /// Whether the host has received the waiting question: no limit came in between.
    pub fn is_question_delivered(&self) -> bool {
        self.question.is_some() && self.stop.limit.is_none()
    }

    /// The question that waits: its prompt, and the options as text.
    ///
    /// # Errors
    /// A limit, if there is no room for their texts.
    pub fn question(&mut self) -> Result<Option<QuestionText>, LimitReached> {
        let Some(pending) = &self.question else {
            return Ok(None);
        };
        let count = 1 + pending.options.as_ref().map_or(0, Vec::len);
        let mut texts = self.hand_over(count, |machine, at| match &machine.question {
            Some(pending) if at == 0 => pending.prompt,
            Some(PendingQuestion {
                options: Some(options),
                ..
            }) => options.get(at - 1).copied().unwrap_or(Value::NULL),
            _ => Value::NULL,
        })?;
        let has_options = matches!(
            &self.question,
            Some(PendingQuestion {
                options: Some(_),
                ..
            })
        );
        let prompt = if texts.is_empty() {
            String::new()
        } else {
            texts.remove(0)
        };
        Ok(Some((prompt, has_options.then_some(texts))))
    }

    /// Answers a question by the number of an option; false if there is none of that number.
    pub fn answer_option(&mut self, option: usize) -> bool {
        let Some(PendingQuestion {
            options: Some(options),
            to,
            ..
        }) = &self.question
        else {
            return false;
        };
        let Some(value) = options.get(option).copied() else {
            return false;
        };
        self.stack[*to as usize] = value;
        self.question = None;
        self.context.output.handed_over = self.context.output.mark();
        true
    }

    /// Answers a question by a line; false if it has options.
    pub fn answer_line(&mut self, line: &str) -> bool {
        let Some(PendingQuestion {
            options: None,
            to,
            ticket: None,
            ..
        }) = &self.question
        else {
            return false;
        };
        let to = *to as usize;
        self.stack[to] = self.context.heap.text(line);
        self.question = None;
        self.context.output.handed_over = self.context.output.mark();
        true
    }
}
