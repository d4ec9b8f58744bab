//! Built-ins that only the machine itself can carry out.

use super::barrier::{BarrierKind, Gathering};
use super::choice::Large;
use super::error::{ErrorKind, Fault};
use super::machine::{Machine, Pending};
use super::native::Control;
use super::op::forged;
use super::weighted::Weighted;
use super::work::results::ResultCopy;
use crate::limits::LimitReached;
use crate::value::{Kind, Value, room};

/// A question with its options as text.
pub type Asked = (String, Option<Vec<String>>);

impl Machine {
    /// Carries out a built-in whose arguments lie in the registers behind `base`. The result goes to register
    /// `to`, later if a question is asked. A choice keeps the registers below `base`.
    pub(super) fn control(&mut self, control: Control, base: u8, count: usize, to: u8) -> Result<Value, Fault> {
        let start = self.base as usize + base as usize + 1;
        let argument = |at: usize| if at < count { self.stack[start + at] } else { Value::NULL };
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
            Control::OpenSearch => {
                self.open_barrier(BarrierKind::Search, None);
                Ok(Value::NULL)
            }
            Control::EndSearch => {
                self.close_barrier();
                Ok(Value::NULL)
            }
            Control::DropSearch => {
                if let Some(barrier) = self.close_barrier() {
                    self.forget_choices(barrier.choices as usize);
                }
                Ok(Value::NULL)
            }
            Control::Gather => {
                self.gatherings.push(Gathering::default());
                Ok(Value::NULL)
            }
            Control::Collect => self.collect_result(first, second),
            Control::Count => {
                if let Some(gathering) = self.gatherings.last_mut() {
                    gathering.count += 1;
                }
                Ok(Value::NULL)
            }
            Control::Gathered => {
                let results = self.gatherings.pop().unwrap_or_default().results;
                Ok(self.context.heap.array(results))
            }
            Control::Counted => Ok(Value::integer(self.gatherings.pop().unwrap_or_default().count as i64)),
            Control::OpenRestarts => {
                self.open_restarts(first)?;
                Ok(Value::NULL)
            }
            Control::EndRestarts => self.end_restarts(),
            Control::NextAttempt => self.next_attempt(),
            Control::OpenMinimize => {
                self.open_minimize();
                Ok(Value::NULL)
            }
            Control::Offer => {
                self.offer(first)?;
                Ok(Value::NULL)
            }
            Control::HasEnded => self.has_ended().map(Value::boolean),
            Control::Best => self.take_best(),
        }
    }

    fn choose_element(&mut self, collection: Value, live: u8) -> Result<Value, Fault> {
        let is_listed_first = match collection.kind() {
            // The elements of these cannot be had by their places.
            Kind::Queue => self.context.heap.queues[collection.payload()].has_priorities,
            _ => false,
        };
        if is_listed_first {
            let list = self.context.perform_array(move |context| context.list(collection))?;
            return self.choose_element(list, live);
        }
        let Some(count) = self.places(collection) else {
            return Err(self.context.wrong_argument("chooseElement", "a collection", collection));
        };
        if count == 0 {
            return Err(Fault::Fail);
        }
        let index = self.choose_place(collection, count, live);
        Ok(self.place_of(collection, index))
    }

    fn random_element(&mut self, collection: Value) -> Result<Value, Fault> {
        let Some(count) = self.places(collection) else {
            return Err(self.context.wrong_argument("randomElement", "a collection", collection));
        };
        if count == 0 {
            return Err(Fault::Fail);
        }
        let index = self.context.rng.below(count as u64) as usize;
        Ok(self.place_of(collection, index))
    }

    fn draw_weighted(&mut self, elements: Value, weights: Value) -> Result<Value, Fault> {
        let mut weighted = self.weighted("randomElement", elements, weights)?;
        weighted.retain(|element| element.1 > 0.0);
        Weighted::new(weighted).draw(&mut self.context.rng).ok_or(Fault::Fail)
    }

    fn choose_weighted(&mut self, elements: Value, weights: Value, live: u8) -> Result<Value, Fault> {
        let mut left = Weighted::new(self.weighted("chooseElement", elements, weights)?);
        let Some(picked) = left.draw(&mut self.context.rng) else { return Err(Fault::Fail) };
        if !left.elements().is_empty() {
            self.push_large(Large::Weighted(left), live);
        }
        Ok(picked)
    }

    /// The elements of an array with their weights, from an array or an object by element.
    fn weighted(&mut self, function: &str, elements: Value, weights: Value) -> Result<Vec<(Value, f64)>, Fault> {
        let elements = elements.handle_of(Kind::Array).ok_or_else(forged)?;
        let elements = self.context.heap.elements(elements).to_vec();
        let mut weighted = Vec::with_capacity(elements.len());
        let longest = match weights.handle_of(Kind::Object) {
            Some(object) => {
                let keys = self.context.heap.objects[object].keys();
                keys.filter_map(|key| self.context.heap.as_str(key)).map(str::len).max().unwrap_or(0)
            }
            None => 0,
        };
        for (at, element) in elements.into_iter().enumerate() {
            let weight = match weights.kind() {
                Kind::Object => {
                    // What is longer than every key is none of them.
                    let mut text = String::new();
                    let shown = self.context.heap.show(element, &self.context, &mut text, longest);
                    let key = shown.ok().and_then(|()| self.context.heap.find_text(&text));
                    match key.and_then(|key| self.context.heap.objects[weights.payload()].get(key)) {
                        Some(weight) => weight,
                        None => {
                            let element = self.context.brief(element);
                            return Err(Fault::error(ErrorKind::Value, format!("there is no weight for {element}"))
                                .with_hint("give a weight to every element that can be chosen"));
                        }
                    }
                }
                Kind::Array => self.context.heap.element(weights.payload(), at).unwrap_or(Value::NULL),
                _ => {
                    return Err(self.context.wrong_argument(function, "an object or a function as weights", weights));
                }
            };
            match self.context.heap.as_f64(weight) {
                Some(weight) if weight >= 0.0 => weighted.push((element, weight)),
                Some(_) => {
                    let (weight, element) = (self.context.brief(weight), self.context.brief(element));
                    return Err(Fault::error(
                        ErrorKind::Value,
                        format!("the weight of {element} is negative: {weight}"),
                    )
                    .with_hint("a weight is a number that is 0 or more"));
                }
                None => {
                    let (weight, element) = (self.context.describe(weight), self.context.brief(element));
                    return Err(Fault::error(
                        ErrorKind::Type,
                        format!("the weight of {element} must be a number, not {weight}"),
                    ));
                }
            }
        }
        self.context.charge(weighted.len() * 2);
        Ok(weighted)
    }

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
        let spent = self.context.heap.spent;
        let spent = match (spent.as_integer(), amount.as_integer()) {
            (Some(spent), Some(amount)) => crate::value::Heap::integer(spent + amount)
                .map_err(|fault| super::context::number_fault(fault, "the sum of all costs"))?,
            _ => {
                let sum = self.context.heap.as_f64(spent).unwrap_or(0.0) + number;
                self.context.number(sum)?
            }
        };
        self.context.heap.set_spent(spent);
        if self.is_too_dear() { Err(Fault::Fail) } else { Ok(spent) }
    }

    fn collect_result(&mut self, result: Value, limit: Value) -> Result<Value, Fault> {
        let copy = self.context.perform(|_| Ok(ResultCopy::new(result)))?;
        let Some(gathering) = self.gatherings.last_mut() else { return Ok(Value::NULL) };
        let grown = room::grow(&mut gathering.results, 1);
        self.context.heap.allocated(grown);
        self.counted += grown;
        gathering.results.push(copy);
        if limit.as_integer().is_some_and(|limit| gathering.results.len() as i64 >= limit)
            && let Some(barrier) = self.barriers.last()
        {
            // Only the search's own choice point is left, which ends it.
            let own = barrier.choices as usize + 1;
            self.forget_choices(own);
        }
        Ok(Value::NULL)
    }

    fn refuse_inside(&self, function: &str) -> Result<(), Fault> {
        let mut around = self.barriers.iter().rev().take_while(|barrier| barrier.kind != BarrierKind::Errand);
        if around.any(|barrier| barrier.kind != BarrierKind::Commit) {
            return Err(Fault::error(
                ErrorKind::Ask,
                format!("`{function}` cannot be used inside `solutions`, `countSolutions`, `not` or `minimize`"),
            )
            .with_hint("what happens inside is tried and taken back: ask before it, and use the answer inside"));
        }
        Ok(())
    }

    fn ask(&mut self, prompt: Value, options: Value, to: u8) -> Result<Value, Fault> {
        self.refuse_inside("ask")?;
        let prompt = self.context.display(prompt)?;
        let options = match options.kind() {
            Kind::Array | Kind::Set | Kind::Queue => {
                let list = self.context.perform_array(move |context| context.list(options))?;
                self.context.heap.elements(list.payload()).to_vec()
            }
            _ => return Err(self.context.wrong_argument("ask", "an array of options", options)),
        };
        if options.is_empty() {
            return Err(Fault::error(ErrorKind::Value, "`ask` has no options to choose from"));
        }
        self.wait_for(prompt, Some(options), to);
        Ok(Value::NULL)
    }

    fn input(&mut self, prompt: Value, to: u8) -> Result<Value, Fault> {
        self.refuse_inside("input")?;
        let prompt = self.context.display(prompt)?;
        self.wait_for(prompt, None, to);
        Ok(Value::NULL)
    }

    fn wait_for(&mut self, prompt: String, options: Option<Vec<Value>>, to: u8) {
        self.forget_choices(self.choices_below());
        self.question = Some(Pending { prompt, options, to: self.base + to as u32 });
    }

    /// Whether a question waits for its answer.
    pub fn is_waiting(&self) -> bool {
        self.question.is_some()
    }

    /// Whether the host knows of the question that waits: no limit has come in between.
    pub fn has_asked(&self) -> bool {
        self.question.is_some() && self.stopped.is_none()
    }

    /// The question that waits: its prompt, and the options as text.
    ///
    /// # Errors
    /// A limit, if there is no room for their texts.
    pub fn question(&mut self) -> Result<Option<Asked>, LimitReached> {
        let Some(pending) = self.question.clone() else { return Ok(None) };
        let values = pending.options.as_deref().unwrap_or_default();
        let texts = self.hand_over(values)?;
        Ok(Some((pending.prompt, pending.options.is_some().then_some(texts))))
    }

    /// Answers a question by the number of an option; false if there is none of that number.
    pub fn answer_option(&mut self, option: usize) -> bool {
        let Some(Pending { options: Some(options), to, .. }) = &self.question else { return false };
        let Some(value) = options.get(option).copied() else { return false };
        self.stack[*to as usize] = value;
        self.question = None;
        self.context.output.handed_over = self.context.output.mark();
        true
    }

    /// Answers a question by a line; false if it has options.
    pub fn answer_line(&mut self, line: &str) -> bool {
        let Some(Pending { options: None, to, .. }) = &self.question else { return false };
        let to = *to as usize;
        self.stack[to] = self.context.heap.text(line);
        self.question = None;
        self.context.output.handed_over = self.context.output.mark();
        true
    }
}
