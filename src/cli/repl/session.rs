//! A session: one search that grows by inputs. It knows nothing of the terminal.
//!
//! Every input leaves its choices open, so an input that fails goes back into an earlier one. Whatever goes wrong
//! instead (an error, a limit, an interruption, no solution anywhere) leaves the session as it was before the input.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ndscript::picture::Picture;
use ndscript::syntax::highlight::{TokenClass, tokens};
use ndscript::{CompileError, Engine, LimitReached, OpenChoice, Outcome, Param, Program, Question, Run, Solution};

use super::super::interrupt::fork;
use super::reply::{Answer, Change, Reply, changes};

/// States that `:undo` can go back to: so many, and so many bytes of them. The latest is kept in any case.
const KEPT_STATES: usize = 200;
const KEPT_BYTES: usize = 512 << 20;

/// Steps between two looks at the clock.
const SLICE: u64 = 1 << 20;

/// Bytes of a global variable's text that are compared when the session says what has changed.
const COMPARED: usize = 1 << 14;

/// Bytes of a value that are shown.
const SHOWN: usize = 4000;

/// What one input may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allowance {
    pub steps: Option<u64>,
    pub time: Option<Duration>,
}

/// What a person said to a question of the program.
pub enum Said {
    Option(usize),
    Line(String),
    /// There is nobody to answer.
    Nothing,
    /// Ctrl-C.
    Interrupted,
}

/// Somebody who answers the questions of a program.
pub type Asked<'a> = dyn FnMut(&Question) -> Said + 'a;

/// An input that is part of the session.
#[derive(Clone)]
pub struct Input {
    pub text: Arc<str>,
    /// The file that it was loaded from.
    pub file: Option<Arc<str>>,
    /// The program with it as the latest input.
    program: Program,
    pub answer: Arc<Answer>,
    /// The global variables at its end.
    globals: Arc<[(String, String)]>,
}

/// All that `:undo` brings back.
struct State {
    run: Run,
    inputs: Vec<Input>,
    /// Where its random numbers came from at last.
    seed: u64,
}

impl Clone for State {
    fn clone(&self) -> State {
        State { run: fork(&self.run), inputs: self.inputs.clone(), seed: self.seed }
    }
}

/// What the latest input took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    pub time: Duration,
    pub steps: u64,
    pub choice_points: u64,
    pub failures: u64,
}

/// A conversation with a program that grows.
pub struct Session {
    /// The program without any input.
    empty: Program,
    /// A run of it. All runs of the session are forks of it, so that one token stops whichever is going on.
    beginning: Run,
    state: State,
    /// The states before the inputs, oldest first.
    earlier: VecDeque<State>,
    allowance: Allowance,
    taken: Taken,
}

impl Session {
    /// A session without inputs.
    ///
    /// # Errors
    /// If the engine's limits leave no room for any program.
    pub fn new(
        engine: &Engine,
        seed: u64,
        params: Vec<(String, Param)>,
        allowance: Allowance,
    ) -> Result<Session, CompileError> {
        // The machine counts this as its first input, so its second is the session's first.
        let empty = engine.compile_input("start", "")?;
        let beginning = begun(&empty, seed, &params);
        let state = State { run: fork(&beginning), inputs: Vec::new(), seed };
        let taken = Taken::default();
        Ok(Session { empty, beginning, state, earlier: VecDeque::new(), allowance, taken })
    }

    /// Lets every failure check that it restored exactly what there was.
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
        self.state.inputs.last().map_or(&self.empty, |input| &input.program)
    }

    pub fn seed(&self) -> u64 {
        self.state.seed
    }

    pub fn taken(&self) -> Taken {
        self.taken
    }

    /// The latest picture of an input that has survived.
    pub fn last_picture(&self) -> Option<&Arc<Picture>> {
        self.inputs().iter().rev().find_map(|input| input.answer.pictures.last()).map(|(_, picture)| picture)
    }

    /// Takes an input. One that holds nothing is passed over.
    pub fn input(&mut self, text: &str, file: Option<&str>, ask: &mut Asked) -> Reply {
        if tokens(text).all(|(class, _)| class == TokenClass::Comment) && file.is_none() {
            return Reply::Nothing;
        }
        let name = file.map_or_else(|| format!("input {}", self.inputs().len() + 1), str::to_string);
        let program = match self.program().extend(&name, text) {
            Ok(program) => program,
            Err(error) => return Reply::Wrong(error),
        };
        let before = self.state.clone();
        if let Err(why) = self.state.run.extend(&program) {
            // The run always stands at the end of the latest input.
            return Reply::Refused(why.to_string());
        }
        let (text, file) = (text.into(), file.map(Arc::from));
        let (answer, globals) = (Arc::default(), Arc::default());
        self.state.inputs.push(Input { text, file, program, answer, globals });
        let outcome = self.search(ask, false, &mut Taken::default());
        match outcome {
            Ok(solution) => {
                let reply = self.arrive(solution);
                self.remember(before);
                reply
            }
            Err(reply) => {
                let program = self.program().clone();
                self.state = before;
                reply.with_program(program)
            }
        }
    }

    /// The run has come to the end of an input: the latest, or an earlier one.
    fn arrive(&mut self, solution: Solution) -> Reply {
        let number = self.state.run.input() - 1;
        let is_back = number < self.inputs().len();
        self.state.inputs.truncate(number);
        let globals: Arc<[(String, String)]> = self.state.run.show_globals(COMPARED).into();
        let Some(input) = self.state.inputs.last_mut() else { return Reply::NoSolution(None) };
        let changes = changes(&input.globals, &globals);
        let value = shown_value(&self.state.run, &input.program, &solution);
        let answer = Answer { text: solution.text, pictures: solution.pictures, value };
        input.globals = globals;
        input.answer = Arc::new(answer);
        let answer = input.answer.clone();
        if is_back { Reply::Back { to: number, answer, changes } } else { Reply::Solved { answer, changes } }
    }

    /// Searches on until there is a solution, of the latest input only if it `stays`. What was `spent` before counts
    /// against what the input may take, and grows.
    fn search(&mut self, ask: &mut Asked, stays: bool, spent: &mut Taken) -> Result<Solution, Reply> {
        let before = self.state.run.statistics();
        let started = Instant::now();
        // Waiting for a person does not count.
        let mut waited = Duration::ZERO;
        let run = &mut self.state.run;
        let result = loop {
            let used = spent.steps + run.statistics().steps - before.steps;
            let time = spent.time + (started.elapsed() - waited);
            if let Some(most) = self.allowance.time.filter(|most| time >= *most) {
                let seconds = most.as_secs_f64();
                break Err(Reply::TooLong(format!("stopped after {seconds} seconds, as long as --timeout allows")));
            }
            let left = self.allowance.steps.map_or(SLICE, |most| most.saturating_sub(used));
            if left == 0 {
                break Err(Reply::TooLong(format!("stopped after {used} steps, as many as --max-steps allows")));
            }
            let fuel = left.min(SLICE);
            match if stays { run.resume_input(fuel) } else { run.resume(fuel) } {
                Outcome::Solved(solution) => break Ok(solution),
                Outcome::OutOfFuel => {}
                Outcome::Asked(question) => {
                    let since = Instant::now();
                    let said = ask(&question);
                    waited += since.elapsed();
                    match said {
                        Said::Option(option) => drop(run.answer(option)),
                        Said::Line(line) => drop(run.answer_text(&line)),
                        Said::Nothing => break Err(Reply::Unanswered(question.prompt)),
                        Said::Interrupted => break Err(Reply::Interrupted),
                    }
                }
                Outcome::Failed => break Err(Reply::NoSolution(run.failure_message().map(str::to_string))),
                Outcome::Error(error) => break Err(Reply::Error(error, None)),
                Outcome::Limit(LimitReached::Cancelled) => break Err(Reply::Interrupted),
                Outcome::Limit(limit) => break Err(Reply::TooLong(format!("stopped: {limit}"))),
            }
        };
        let after = run.statistics();
        spent.time += started.elapsed() - waited;
        spent.steps += after.steps - before.steps;
        spent.choice_points += after.choice_points - before.choice_points;
        spent.failures += after.failures - before.failures;
        self.taken = *spent;
        result
    }

    /// Looks for another solution of the latest input; if there is none, keeps the one there is.
    pub fn next(&mut self, ask: &mut Asked) -> Reply {
        let before = self.state.clone();
        let outcome = self.search(ask, true, &mut Taken::default());
        match outcome {
            Ok(solution) => self.arrive(solution),
            Err(reply) => {
                let program = self.program().clone();
                self.state = before;
                match reply {
                    Reply::NoSolution(_) => Reply::NoOther(self.inputs().len()),
                    other => other.with_program(program),
                }
            }
        }
    }

    /// Shows the present solution of the latest input and those behind it, until `each` has seen enough. The session
    /// stays where it is.
    pub fn all(&mut self, each: &mut dyn FnMut(&Answer, &[Change]) -> bool) -> Reply {
        let before = self.state.clone();
        let Some((latest, others)) = before.inputs.split_last() else { return Reply::NoOther(0) };
        let nothing: Arc<[(String, String)]> = Arc::default();
        let globals = others.last().map_or(&nothing, |input| &input.globals);
        let mut more = each(&latest.answer, &changes(globals, &latest.globals));
        // A question cannot be answered here: its answer would be forgotten.
        let mut refuse = |_: &Question| Said::Nothing;
        let mut reply = Reply::Nothing;
        let mut spent = Taken::default();
        while more {
            match self.search(&mut refuse, true, &mut spent) {
                Ok(solution) => {
                    drop(self.arrive(solution));
                    let Some(input) = self.state.inputs.last() else { break };
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
        let bytes = |states: &VecDeque<State>| states.iter().map(|state| state.run.memory()).sum::<usize>();
        while self.earlier.len() > KEPT_STATES || self.earlier.len() > 1 && bytes(&self.earlier) > KEPT_BYTES {
            self.earlier.pop_front();
        }
    }

    /// Takes the latest input back, or what else was done instead of one; false if nothing earlier is known.
    pub fn undo(&mut self) -> bool {
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
        let Some(at) = self.inputs().iter().rposition(is_loaded) else { return false };
        // The state with just the inputs before it, from which it was loaded.
        let Some(state) = self.earlier.iter().rposition(|state| state.inputs.len() == at) else { return false };
        let state = self.earlier[state].clone();
        let before = std::mem::replace(&mut self.state, state);
        self.remember(before);
        true
    }

    /// Begins anew, without inputs.
    pub fn clear(&mut self) {
        let mut run = fork(&self.beginning);
        run.reseed(self.seed());
        let state = State { run, inputs: Vec::new(), seed: self.seed() };
        let before = std::mem::replace(&mut self.state, state);
        self.remember(before);
    }

    /// Lets the random numbers from now on be those of a seed.
    pub fn reseed(&mut self, seed: u64) {
        self.state.seed = seed;
        self.state.run.reseed(seed);
    }

    /// Drops the open choices, so that nothing goes back behind this point; says how many there were.
    pub fn commit(&mut self) -> usize {
        let open = self.state.run.open_choices();
        self.state.run.commit();
        open
    }

    /// The open choice points, the latest first, with the number of their input.
    pub fn choices(&self, most: usize) -> Vec<(usize, OpenChoice)> {
        let open = self.state.run.open_choice_points(most);
        open.into_iter().map(|open| (open.input.saturating_sub(1), open)).collect()
    }
}

/// A run that stands at the end of the program without any input.
fn begun(empty: &Program, seed: u64, params: &[(String, Param)]) -> Run {
    let mut run = empty.run_with(seed, params);
    // There is nothing in it that could go wrong.
    let _ = run.next_solution();
    run
}

/// The value of a solution, if a person wants to see it: not the null of a `print`, nor what a picture was made of.
fn shown_value(run: &Run, program: &Program, solution: &Solution) -> Option<String> {
    let is_null = solution.value.is_null();
    if !program.gives_value() && is_null {
        return None;
    }
    let printed = !solution.text.is_empty() || !solution.pictures.is_empty();
    let shown = run.show_value(SHOWN);
    let is_drawn = !solution.pictures.is_empty() && (shown.starts_with("grid ") || shown.starts_with('"'));
    if printed && is_null || is_drawn { None } else { Some(shown) }
}
