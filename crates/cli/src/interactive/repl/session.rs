//! A session: one search that grows by inputs. It does not use the terminal.
//!
//! Every input leaves its choices open, so a failing input backtracks into an earlier one; the inputs after that run
//! again, so that their conditions still hold. Anything else that goes wrong (an error, a limit, an interruption, no
//! solution at all) leaves the session as it was before the input.
//!
//! So a session runs through its inputs as a program of them would. If a person asked for another solution, such a
//! program has to fail once: see [`Input::refused`].

mod attempt;
pub mod chosen;
pub mod once_more;
pub mod open_choices;
pub mod reach;
pub mod replay;
pub mod script;
pub mod state;
pub mod taken;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ndscript::picture::Picture;
use ndscript::syntax::highlight::{TokenClass, tokens};
use ndscript::{
    CompileError, Engine, LimitReached, OpenChoice, Outcome, Param, Program, Question, Run,
    Solution,
};

use super::reply::{AnotherSolution, Answer, Change, Reply, changes};
use crate::arguments::limits;
use crate::terminal;
use crate::terminal::interrupt::fork;
use attempt::{Attempt, AttemptKind};
use state::{GivenSeed, Input, PersonAnswer, State};

/// The states that `:undo` can go back to: at most this many, of this many bytes of values, or half of the limit of
/// memory if that is less. The latest is always stored.
const MOST_STATES: usize = 200;
const MOST_BYTES_OF_STATES: usize = 512 << 20;

/// Each state has a copy of the program and of the list of inputs: at most this many bytes of these are stored, so that
/// a session does not grow with the square of its inputs.
const MOST_BYTES_OF_COPIES: usize = 16 << 20;

/// Steps between two looks at the clock.
pub(super) const SLICE: u64 = 1 << 20;

/// Bytes of a global variable's text that are compared to see whether it has changed.
pub const COMPARED_BYTES: usize = 1 << 14;

/// Bytes of a value that are shown.
const MOST_SHOWN: usize = 4000;

/// The limits of an input.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputLimits {
    pub steps: Option<u64>,
    pub time: Option<Duration>,
}

/// Answers the questions of a program.
pub type AnswerQuestion<'a> = dyn FnMut(&Question) -> PersonAnswer + 'a;

/// The cost of the latest input.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    pub time: Duration,
    pub steps: u64,
    pub choice_points: u64,
    pub failures: u64,
}

/// A conversation with a program that grows.
pub struct Session {
    /// The program without any input.
    pub(super) empty: Program,
    /// A run of it. All runs of the session are forks of it, so that one token stops whichever is running.
    pub(super) beginning: Run,
    params: Vec<(String, Param)>,
    pub(super) state: State,
    /// The states before the inputs, oldest first.
    pub(super) earlier: VecDeque<State>,
    /// The latest attempt, if it led to nothing.
    pub(super) attempt: Option<Attempt>,
    allowance: InputLimits,
    cost: Cost,
    /// The text that was printed before the latest input went wrong.
    unfinished: String,
}

impl Session {
    /// A session without inputs.
    ///
    /// # Errors
    /// If the engine's limits are too small for any program.
    pub fn new(
        engine: &Engine,
        seed: u64,
        params: Vec<(String, Param)>,
        allowance: InputLimits,
    ) -> Result<Session, CompileError> {
        // The machine counts this as its first input, so its second is the session's first.
        let empty = engine.compile_input("start", "")?;
        let beginning = first_run(&empty, seed, &params);
        let state = State {
            run: fork(&beginning),
            inputs: Vec::new(),
            answers: Vec::new(),
            seeds: vec![GivenSeed {
                inputs: 0,
                step: 0,
                seed,
            }],
            exhausted: 0,
        };
        let cost = Cost::default();
        Ok(Session {
            empty,
            beginning,
            params,
            state,
            earlier: VecDeque::new(),
            attempt: None,
            allowance,
            cost,
            unfinished: String::new(),
        })
    }

    /// Makes every failure check that it restored exactly the earlier state.
    #[cfg(test)]
    pub fn verify(&mut self) {
        #[cfg(debug_assertions)]
        self.state.run.verify_backtracking();
    }

    pub fn run(&self) -> &Run {
        &self.state.run
    }

    /// The inputs that have survived, oldest first; the number of the first is 1.
    pub fn inputs(&self) -> &[Input] {
        &self.state.inputs
    }

    /// The program with all inputs that have survived.
    pub fn program(&self) -> &Program {
        self.state.run.program()
    }

    /// The values that `param` returns.
    pub fn params(&self) -> &[(String, Param)] {
        &self.params
    }

    /// The seed of the random numbers to come.
    pub fn seed(&self) -> u64 {
        self.state.seeds.last().map_or(0, |last| last.seed)
    }

    /// Whether the program has asked a question.
    pub fn has_answers(&self) -> bool {
        !self.state.answers.is_empty()
    }

    /// All seeds; the first is that of the beginning.
    pub fn seeds(&self) -> &[GivenSeed] {
        &self.state.seeds
    }

    /// Whether the inputs up to one are known to have no other solution.
    pub fn is_exhausted(&self, input: usize) -> bool {
        input <= self.state.exhausted
    }

    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The text that was printed before the latest input went wrong, once.
    pub fn take_unfinished(&mut self) -> String {
        std::mem::take(&mut self.unfinished)
    }

    /// The latest picture of an input that has survived.
    pub fn last_picture(&self) -> Option<&Arc<Picture>> {
        self.inputs()
            .iter()
            .rev()
            .find_map(|input| input.answer.pictures.last())
            .map(|(_, picture)| picture)
    }

    /// The program of what was done last: with the latest input, also where that came to nothing.
    pub fn program_of_latest(&self) -> &Program {
        self.attempt
            .as_ref()
            .map_or_else(|| self.program(), |attempt| &attempt.program)
    }

    /// Whether the latest input has failed, and with it all that it did is undone.
    pub fn has_failed(&self) -> bool {
        self.attempt
            .as_ref()
            .is_some_and(|attempt| attempt.has_failed)
    }

    /// The step at which the latest input reached its end, unless it ended otherwise.
    pub(super) fn latest_steps(&self) -> Option<u64> {
        self.attempt.as_ref().map_or_else(
            || Some(self.run().statistics().steps),
            |attempt| attempt.stopped_at,
        )
    }

    /// A remark before the output of an attempt that led to nothing.
    pub fn attempt_in_words(&self) -> Option<&'static str> {
        self.attempt.as_ref().map(Attempt::in_words)
    }

    /// The reason why the latest input stopped, as events name it: a `limit`, or it was `interrupted`.
    pub fn stopped_by(&self) -> Option<&'static str> {
        let stopped = self
            .attempt
            .as_ref()
            .filter(|attempt| attempt.stopped_at.is_some())?;
        Some(if stopped.was_interrupted {
            "interrupted"
        } else {
            "limit"
        })
    }

    /// Takes an input. One that holds nothing is passed over.
    pub fn input(&mut self, text: &str, file: Option<&str>, ask: &mut AnswerQuestion) -> Reply {
        if tokens(text).all(|(class, _)| class == TokenClass::Comment) && file.is_none() {
            return Reply::Nothing;
        }
        self.attempt = None;
        if file.is_none() && is_refusal(text) {
            return self.refuse(ask);
        }
        let name = file.map_or_else(
            || format!("input {}", self.inputs().len() + 1),
            str::to_string,
        );
        let program = match self.program().extend(&name, text) {
            Ok(program) => program,
            Err(error) => return Reply::Wrong(error),
        };
        let before = self.state.clone();
        if let Err(why) = self.state.run.extend(&program) {
            // The run is always at the end of the latest input.
            return Reply::Refused(why.to_string());
        }
        let (text, file, files) = (
            text.into(),
            file.map(Arc::from),
            program.input_files().into(),
        );
        let (answer, globals) = (Arc::default(), Arc::default());
        // Compared are those of the latest two; all of them would be as many as the square of the inputs.
        if let Some(old) = self.state.inputs.len().checked_sub(2) {
            self.state.inputs[old].globals = Arc::default();
        }
        self.state.inputs.push(Input {
            text,
            file,
            files,
            answer,
            globals,
            refused: 0,
        });
        self.keep_or_restore(before, AttemptKind::Input, ask)
    }

    /// Looks for another solution of all inputs.
    fn refuse(&mut self, ask: &mut AnswerQuestion) -> Reply {
        let before = self.state.clone();
        match self.state.inputs.last_mut() {
            Some(input) => input.refused += 1,
            None => return Reply::NoOther(0),
        }
        match self.keep_or_restore(before, AttemptKind::Refusal, ask) {
            Reply::NoSolution(_) => {
                self.state.exhausted = self.inputs().len();
                Reply::NoOtherAnywhere
            }
            other => other,
        }
    }

    /// Continues the search until all inputs are solved; if that is impossible, restores the earlier state.
    fn keep_or_restore(
        &mut self,
        before: State,
        tried: AttemptKind,
        ask: &mut AnswerQuestion,
    ) -> Reply {
        match self.solve(&before, ask) {
            Ok(reply) => {
                self.remember(before);
                reply
            }
            Err(reply) => self.restore(before, tried, reply),
        }
    }

    /// Restores a state, because the attempt after it led to nothing.
    fn restore(&mut self, before: State, tried: AttemptKind, reply: Reply) -> Reply {
        let program = self.program().clone();
        let left = std::mem::replace(&mut self.state, before);
        self.attempt = Some(Attempt::new(tried, left, &reply));
        reply.with_program(program)
    }

    /// Continues the search until the end of the latest input. A failure may backtrack into an earlier one; then those
    /// after that run again.
    fn solve(&mut self, before: &State, ask: &mut AnswerQuestion) -> Result<Reply, Reply> {
        let mut spent = Cost::default();
        let mut first = self.inputs().len();
        // The state of an earlier round is discarded when an input begins.
        let mut reason = None;
        loop {
            let solution = match self.search(ask, false, &mut spent) {
                Err(Reply::NoSolution(latest)) => return Err(Reply::NoSolution(latest.or(reason))),
                other => other?,
            };
            // Comparing and showing a solution takes time as well.
            let solved = Instant::now();
            let number = self.state.run.input() - 1;
            first = first.min(number);
            let Some(next) = self.inputs().get(number).cloned() else {
                let changed = self.arrive(solution);
                return Ok(self.reply(before, first, changed));
            };
            let is_last_but_one = number + 1 == self.inputs().len();
            if let Some(input) = number
                .checked_sub(1)
                .and_then(|at| self.state.inputs.get_mut(at))
            {
                let value = shown_value(&self.state.run, input, &solution);
                input.answer = Arc::new(Answer {
                    text: solution.text,
                    pictures: solution.pictures,
                    value,
                });
                // Changes by the latest input are relative to these.
                if is_last_but_one {
                    input.globals = self.state.run.show_globals(COMPARED_BYTES).into();
                }
            }
            reason = self
                .state
                .run
                .failure_message()
                .map(str::to_string)
                .or(reason);
            next.begin_once_more(&mut self.state.run)
                .map_err(Reply::Refused)?;
            spent.time += solved.elapsed();
        }
    }

    /// The reply when all inputs are solved, of which those from `first` on have another solution than before.
    fn reply(&self, before: &State, first: usize, changed: Vec<Change>) -> Reply {
        let count = self.inputs().len();
        let answer = self
            .inputs()
            .last()
            .map(|input| input.answer.clone())
            .unwrap_or_default();
        if first == count && count > before.inputs.len() {
            return Reply::Solved {
                answer,
                changes: changed,
            };
        }
        let nothing: Arc<[(String, String)]> = Arc::default();
        let globals = |inputs: &[Input]| {
            inputs
                .last()
                .map_or(nothing.clone(), |input| input.globals.clone())
        };
        let changes = changes(&globals(&before.inputs), &globals(self.inputs()));
        let earlier = first.max(1)..count;
        let again = earlier
            .map(|number| (number, self.inputs()[number - 1].answer.clone()))
            .collect();
        let is_new = count > before.inputs.len();
        Reply::Back(Box::new(AnotherSolution {
            to: first,
            is_new,
            reruns: again,
            answer,
            changes,
        }))
    }

    /// Records that the run is at the end of the latest input; returns what has changed since it was there last.
    fn arrive(&mut self, solution: Solution) -> Vec<Change> {
        let globals: Arc<[(String, String)]> = self.state.run.show_globals(COMPARED_BYTES).into();
        let Some(input) = self.state.inputs.last_mut() else {
            return Vec::new();
        };
        let changes = changes(&input.globals, &globals);
        let value = shown_value(&self.state.run, input, &solution);
        let answer = Answer {
            text: solution.text,
            pictures: solution.pictures,
            value,
        };
        input.globals = globals;
        input.answer = Arc::new(answer);
        changes
    }

    /// Continues the search until there is a solution, of the latest input only if it `stays`. `spent` counts against
    /// the limits of the input, and grows.
    fn search(
        &mut self,
        ask: &mut AnswerQuestion,
        stays: bool,
        spent: &mut Cost,
    ) -> Result<Solution, Reply> {
        let before = self.state.run.statistics();
        let started = Instant::now();
        // Waiting for a person does not count.
        let mut waited = Duration::ZERO;
        let run = &mut self.state.run;
        let result = loop {
            let used = spent.steps + run.statistics().steps - before.steps;
            let time = spent.time + (started.elapsed() - waited);
            if let Some(most) = self.allowance.time.filter(|most| time >= *most) {
                break Err(Reply::TooLong(limits::out_of_time(most)));
            }
            if let Some(most) = self.allowance.steps.filter(|most| used >= *most) {
                break Err(Reply::TooLong(limits::out_of_steps(used, most)));
            }
            let left = self.allowance.steps.map_or(SLICE, |most| most - used);
            let fuel = left.min(SLICE);
            match if stays {
                run.resume_input(fuel)
            } else {
                run.resume(fuel)
            } {
                Outcome::Solved(solution) => break Ok(solution),
                Outcome::OutOfFuel => {}
                Outcome::Waiting(_) => {
                    break Err(Reply::Unanswered(
                        crate::arguments::limits::WAITS.to_string(),
                    ));
                }
                Outcome::Asked(question) => {
                    let since = Instant::now();
                    let answer = ask(&question);
                    waited += since.elapsed();
                    match &answer {
                        PersonAnswer::Option(option) => drop(run.answer(*option)),
                        PersonAnswer::Line(line) => drop(run.answer_text(line)),
                        PersonAnswer::Nothing => break Err(Reply::Unanswered(question.prompt)),
                        PersonAnswer::Interrupted => break Err(Reply::Interrupted),
                    }
                    self.state.answers.push(answer);
                }
                Outcome::Failed => {
                    break Err(Reply::NoSolution(run.failure_message().map(str::to_string)));
                }
                Outcome::Error(error) => break Err(Reply::Error(error, None)),
                Outcome::Limit(LimitReached::Cancelled) => break Err(Reply::Interrupted),
                Outcome::Limit(limit) => break Err(Reply::TooLong(limits::in_words(limit))),
            }
        };
        if result.is_err() {
            self.unfinished = run.pending_output().0;
        }
        let after = run.statistics();
        spent.time += started.elapsed() - waited;
        spent.steps += after.steps - before.steps;
        spent.choice_points += after.choice_points - before.choice_points;
        spent.failures += after.failures - before.failures;
        self.cost = *spent;
        result
    }

    /// Searches for another solution of the latest input; if there is none, the session stays as it is.
    pub fn next(&mut self, ask: &mut AnswerQuestion) -> Reply {
        self.attempt = None;
        let before = self.state.clone();
        let outcome = self.search(ask, true, &mut Cost::default());
        match outcome {
            Ok(solution) => {
                let changes = self.arrive(solution);
                let Some(input) = self.state.inputs.last_mut() else {
                    return Reply::NoOther(0);
                };
                input.refused += 1;
                let answer = input.answer.clone();
                self.remember(before);
                Reply::Solved { answer, changes }
            }
            Err(reply) => match self.restore(before, AttemptKind::Next, reply) {
                Reply::NoSolution(_) => Reply::NoOther(self.inputs().len()),
                other => other,
            },
        }
    }

    /// Shows the present solution of the latest input and those after it, until `each` returns false. The session does
    /// not change.
    pub fn all(&mut self, each: &mut dyn FnMut(&Answer, &[Change]) -> bool) -> Reply {
        let before = self.state.clone();
        let Some((latest, others)) = before.inputs.split_last() else {
            return Reply::NoOther(0);
        };
        let nothing: Arc<[(String, String)]> = Arc::default();
        let globals = others.last().map_or(&nothing, |input| &input.globals);
        let mut more = each(&latest.answer, &changes(globals, &latest.globals));
        // A question cannot be answered here: its answer would be lost.
        let mut refuse = |_: &Question| PersonAnswer::Nothing;
        let mut reply = Reply::Nothing;
        let mut spent = Cost::default();
        while more {
            match self.search(&mut refuse, true, &mut spent) {
                Ok(solution) => {
                    let solved = Instant::now();
                    self.arrive(solution);
                    spent.time += solved.elapsed();
                    let Some(input) = self.state.inputs.last() else {
                        break;
                    };
                    more = each(&input.answer, &changes(globals, &input.globals));
                }
                Err(Reply::NoSolution(_)) => break,
                Err(other) => {
                    reply = other.with_program(self.program().clone());
                    break;
                }
            }
        }
        self.state = before;
        reply
    }

    fn remember(&mut self, state: State) {
        self.earlier.push_back(state);
        let most = MOST_BYTES_OF_STATES.min(self.state.run.limits().memory / 2);
        let is_too_much = |states: &VecDeque<State>| {
            let values: usize = states.iter().map(|state| state.run.memory()).sum();
            let copies: usize = states.iter().map(State::copies).sum();
            values > most || copies > MOST_BYTES_OF_COPIES
        };
        while self.earlier.len() > MOST_STATES
            || self.earlier.len() > 1 && is_too_much(&self.earlier)
        {
            self.earlier.pop_front();
        }
    }

    /// Undoes the latest input or command; false if no earlier state is known.
    pub fn undo(&mut self) -> bool {
        self.attempt = None;
        match self.earlier.pop_back() {
            Some(state) => {
                self.state = state;
                true
            }
            None => false,
        }
    }

    /// Takes back the latest input that a file was loaded by, and all that came after it; false if that is not known
    /// any more.
    pub fn undo_load(&mut self, file: &str) -> bool {
        let is_loaded = |input: &Input| input.file.as_deref() == Some(file);
        let Some(at) = self.inputs().iter().rposition(is_loaded) else {
            return false;
        };
        self.attempt = None;
        // The state with just the inputs before it, from which it was loaded.
        let Some(state) = self
            .earlier
            .iter()
            .rposition(|state| state.inputs.len() == at)
        else {
            return false;
        };
        let state = self.earlier[state].clone();
        let before = std::mem::replace(&mut self.state, state);
        self.remember(before);
        true
    }

    /// Begins anew, without inputs.
    pub fn clear(&mut self) {
        self.attempt = None;
        let mut run = fork(&self.beginning);
        run.reseed(self.seed());
        let seeds = vec![GivenSeed {
            inputs: 0,
            step: 0,
            seed: self.seed(),
        }];
        let state = State {
            run,
            inputs: Vec::new(),
            answers: Vec::new(),
            seeds,
            exhausted: 0,
        };
        let before = std::mem::replace(&mut self.state, state);
        self.remember(before);
    }

    /// Reseeds the random numbers from now on.
    pub fn reseed(&mut self, seed: u64) {
        self.attempt = None;
        let inputs = self.inputs().len();
        let step = self.state.run.statistics().steps;
        self.state.seeds.retain(|known| known.inputs < inputs);
        self.state.seeds.push(GivenSeed { inputs, step, seed });
        self.state.run.reseed(seed);
    }

    /// Drops the open choices, so that nothing backtracks beyond this point; returns how many there were.
    pub fn commit(&mut self) -> usize {
        self.attempt = None;
        let open = self.state.run.open_choices();
        self.state.run.commit();
        open
    }

    /// The open choice points, the latest first, with the number of their input.
    pub fn choices(&self, most: usize) -> Vec<(usize, OpenChoice)> {
        let open = self.state.run.open_choice_points(most);
        open.into_iter()
            .map(|open| (open.input.saturating_sub(1), open))
            .collect()
    }
}

/// A run at the end of the program without any input.
fn first_run(empty: &Program, seed: u64, params: &[(String, Param)]) -> Run {
    let mut run = empty.run_with(seed, params);
    // There is nothing in it that could go wrong.
    let _ = run.next_solution();
    run
}

/// Whether an input is `fail;` alone, with or without words: it can never hold, so it asks for another solution.
fn is_refusal(text: &str) -> bool {
    let mut words = tokens(text)
        .filter(|(class, _)| *class != TokenClass::Comment)
        .map(|(_, range)| &text[range]);
    words.next() == Some("fail")
        && words.next().is_none_or(|word| word == ";")
        && words.next().is_none()
}

/// Whether an input ends with a call: one that returns nothing was made for its effects.
fn is_call(input: &Input) -> bool {
    let words = || tokens(&input.text).filter(|(class, _)| *class != TokenClass::Comment);
    let is_end = words()
        .last()
        .is_some_and(|(_, range)| &input.text[range] == ")");
    is_end
        && words()
            .next()
            .is_some_and(|(class, _)| class == TokenClass::Name)
}

/// The value of a solution, if a person wants to see it: not the null of a `print`, nor the source of a picture.
fn shown_value(run: &Run, input: &Input, solution: &Solution) -> Option<String> {
    let is_null = solution.value.is_null();
    if is_null && (!run.program().gives_value() || is_call(input)) {
        return None;
    }
    let printed = !solution.text.is_empty() || !solution.pictures.is_empty();
    let columns = terminal::output_columns();
    let rows = if columns == usize::MAX {
        usize::MAX
    } else {
        terminal::size().1 as usize
    };
    let shown = run.show_value_within(MOST_SHOWN, columns, rows);
    let is_drawn =
        !solution.pictures.is_empty() && (shown.starts_with("grid ") || shown.starts_with('"'));
    if printed && is_null || is_drawn {
        None
    } else {
        Some(shown)
    }
}
