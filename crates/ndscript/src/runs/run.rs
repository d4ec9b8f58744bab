//! One search through a program.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::cancel::CancelToken;
use super::globals::Globals;
use super::outcome::{Answer, Outcome, Question, RunError, Solution};
use crate::programs::program::Program;
use crate::values::view::View;
use ndscript_base::limits::{LimitReached, Limits};
use ndscript_base::rng::Rng;
use ndscript_heap::Value as Word;
use ndscript_heap::outside::data::Data;
use ndscript_heap::outside::snapshot::{Obstacle, Snapshot};
use ndscript_machine::errors::trace::ScriptError;
use ndscript_machine::machine::{Exit, Machine, Statistics};
use ndscript_machine::natives::context::Context;
use ndscript_machine::watch::Watch;

/// A search: resumed with fuel, it yields solutions one after another. A clone continues independently from an equal
/// state; both find equal solutions. It has limits, an account of memory and a [`CancelToken`] of its own, and no
/// handles yet. Values of types of the host need a clone for it: see [`Run::fork`].
///
/// ```
/// use ndscript::{Engine, Outcome};
/// let program = Engine::new().compile("var n = 0; while (n < 1000) n = n + 1; print(n);")?;
/// let mut run = program.run(1);
/// let mut pauses = 0;
/// let solution = loop {
///     match run.resume(100) {
///         Outcome::OutOfFuel => pauses += 1,
///         Outcome::Solved(solution) => break solution,
///         other => panic!("{other:?}"),
///     }
/// };
/// assert_eq!(solution.text, "1000");
/// assert!(pauses >= 9);
/// # Ok::<(), ndscript::CompileError>(())
/// ```
pub struct Run {
    /// The program that the run began with.
    pub(crate) first: Program,
    /// Its programs after each input, the first included; there may be more of them than inputs that the run is in.
    pub(crate) extended: Vec<ExtendedProgram>,
    pub(crate) machine: Machine,
    cancelled: Arc<AtomicBool>,
    keeps_globals: bool,
    /// Whether the iterator has given out last what it would give out again: a question, a limit, or that the run is broken.
    pub(crate) has_given_last: bool,
    /// Room for the arguments of a call.
    pub(crate) call_words: Vec<Word>,
    /// The state of watching.
    pub(crate) watch: Watch,
    /// Whether its output and questions are suppressed.
    is_silent: bool,
}

/// A program after an input.
#[derive(Clone)]
pub(crate) struct ExtendedProgram {
    /// `None` if nothing goes back into the input any more.
    pub program: Option<Program>,
    /// How many source files there are with it.
    pub files: usize,
}

impl ExtendedProgram {
    pub(crate) fn new(program: Program) -> ExtendedProgram {
        ExtendedProgram {
            files: program.sources().files().len(),
            program: Some(program),
        }
    }
}

/// Why a run has stopped for its host.
pub(crate) enum Pause {
    Solved(Word),
    OutOfFuel,
    Asked(Question),
    Waiting(u64),
    Failed,
    Error(Box<ScriptError>),
}

/// Why a run cannot be forked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForkError {
    /// The run holds a value of this type of the host, which has no clone; see
    /// [`HostType::cloned`](crate::HostType::cloned).
    NoClone(&'static str),
}

impl std::fmt::Display for ForkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ForkError::NoClone(name) => write!(
                f,
                "the run holds a value of the host's type `{name}`, which has no clone: give it one with `HostType::cloned`"
            ),
        }
    }
}

impl std::error::Error for ForkError {}

impl Clone for Run {
    fn clone(&self) -> Run {
        let mut run = Run {
            first: self.first.clone(),
            extended: self.extended.clone(),
            machine: self.machine.clone(),
            cancelled: self.cancelled.clone(),
            keeps_globals: self.keeps_globals,
            has_given_last: self.has_given_last,
            call_words: Vec::new(),
            watch: self.watch.clone(),
            is_silent: self.is_silent,
        };
        run.set_cancel_token(&CancelToken::new());
        run
    }
}

impl Run {
    pub(crate) fn new(program: Program, context: Context) -> Run {
        let cancelled = Arc::new(AtomicBool::new(false));
        Run::of(
            vec![program],
            Machine::new(context, cancelled.clone()),
            cancelled,
        )
    }

    /// The programs are that of the first input and what it has become by each further one.
    pub(crate) fn of(programs: Vec<Program>, machine: Machine, cancelled: Arc<AtomicBool>) -> Run {
        let first = programs[0].clone();
        let mut run = Run {
            first,
            extended: programs.into_iter().map(ExtendedProgram::new).collect(),
            machine,
            cancelled,
            keeps_globals: false,
            has_given_last: false,
            call_words: Vec::new(),
            watch: Watch::default(),
            is_silent: false,
        };
        run.drop_programs(0);
        run
    }

    /// Discards the programs of inputs from a number on, counted from 0, that nothing backtracks into: each contains
    /// those of all before.
    pub(crate) fn drop_programs(&mut self, from: usize) {
        let last = self.extended.len().saturating_sub(1);
        for (at, grown) in self.extended.iter_mut().enumerate().take(last).skip(from) {
            if !self.machine.can_go_back_into(at) {
                grown.program = None;
            }
        }
    }

    /// A complete clone of the run: it continues independently from an equal state, and both find equal solutions.
    ///
    /// This differs from `clone` only where the run holds values of types of the host that have no clone
    /// ([`HostType::cloned`](crate::HostType::cloned)). Then there is no fork; a clone exists, but without these
    /// values: each use of one is an error of the script. Garbage is collected first if needed, which changes nothing
    /// that the program could see.
    ///
    /// ```
    /// use ndscript::{Engine, ForkError, HostType, HostValue};
    ///
    /// struct Socket;
    /// impl HostValue for Socket { const NAME: &'static str = "socket"; }
    ///
    /// let engine = Engine::new().with_type(HostType::<Socket>::new());
    /// let mut run = engine.compile("print(typeOf(socket), choose(1, 2));")?.run(1);
    /// run.set_global("socket", 0)?;
    /// assert!(run.fork().is_ok());
    /// run.set_global("socket", Socket)?;
    /// assert_eq!(run.fork().err(), Some(ForkError::NoClone("socket")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ForkError::NoClone`]. A value that the program has just released may still be in a register, and counts.
    pub fn fork(&mut self) -> Result<Run, ForkError> {
        if self
            .machine
            .context
            .heap
            .hosts
            .first_without_clone()
            .is_some()
        {
            self.machine.collect_garbage();
        }
        match self.machine.context.heap.hosts.first_without_clone() {
            Some(name) => Err(ForkError::NoClone(name)),
            None => Ok(self.clone()),
        }
    }

    /// Runs for at most `fuel` steps. Where garbage is collected, it may be fewer, even none: a collection of a large heap
    /// takes several resumptions. After a limit or a cancellation it reports that again, until it is lifted: see
    /// [`Run::set_limits`] and [`CancelToken::clear`].
    ///
    /// A solution has no `globals`, since copying them may take long: the run stands at it, and what the host needs of
    /// them it reads by [`Run::view_global`].
    pub fn resume(&mut self, fuel: u64) -> Outcome {
        self.machine.end_host_call();
        let pause = self.run_to_outcome(fuel, |machine, fuel| machine.resume(fuel));
        self.outcome(pause)
    }

    /// As [`Run::resume`], but of a growing program only searches for solutions of the latest input: those of earlier
    /// ones stay as they are, and [`Outcome::Failed`] means that the latest has no other.
    ///
    /// ```
    /// use ndscript::{Engine, Outcome};
    /// let program = Engine::new().compile_input("input 1", "let x = choose(1, 2, 3);")?;
    /// let mut run = program.run(7);
    /// run.next().unwrap().unwrap();
    /// run.extend(&program.extend("input 2", "choose(4, 5)")?)?;
    /// assert!(matches!(run.resume_input(1000), Outcome::Solved(solution) if solution.value == 4.into()));
    /// assert!(matches!(run.resume_input(1000), Outcome::Solved(solution) if solution.value == 5.into()));
    /// assert!(matches!(run.resume_input(1000), Outcome::Failed));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume_input(&mut self, fuel: u64) -> Outcome {
        self.machine.end_host_call();
        let pause = self.run_to_outcome(fuel, Machine::resume_input);
        self.outcome(pause)
    }

    /// Runs the machine until an outcome that only the caller can handle.
    pub(crate) fn run_to_outcome(
        &mut self,
        fuel: u64,
        mut resume: impl FnMut(&mut Machine, u64) -> Exit,
    ) -> Result<Pause, LimitReached> {
        let before = self.machine.statistics.steps;
        let is_old_question = self.machine.is_question_delivered();
        loop {
            let left = fuel.saturating_sub(self.machine.statistics.steps - before);
            return Ok(match resume(&mut self.machine, left) {
                Exit::Solved(value) => Pause::Solved(value),
                // The machine continues by itself after `Reentered`.
                Exit::OutOfFuel | Exit::Reentered | Exit::Working | Exit::Failing => {
                    Pause::OutOfFuel
                }
                Exit::Asked if self.machine.ticket().is_some() => {
                    Pause::Waiting(self.machine.ticket().unwrap_or_default())
                }
                Exit::Asked => match self.question()? {
                    question if !is_old_question && self.settles(&question) => continue,
                    question => Pause::Asked(question),
                },
                Exit::Failed => Pause::Failed,
                Exit::Error(mut error) => {
                    error.locate(self.program().sources());
                    Pause::Error(error)
                }
                Exit::Limit(limit) => return Err(limit),
            });
        }
    }

    pub(crate) fn outcome(&mut self, pause: Result<Pause, LimitReached>) -> Outcome {
        let outcome = pause.and_then(|pause| {
            Ok(match pause {
                Pause::Solved(value) => Outcome::Solved(self.solution(value)?),
                Pause::OutOfFuel => Outcome::OutOfFuel,
                Pause::Asked(question) => Outcome::Asked(question),
                Pause::Waiting(ticket) => Outcome::Waiting(ticket),
                Pause::Failed => Outcome::Failed,
                Pause::Error(error) => Outcome::Error(error),
            })
        });
        outcome.unwrap_or_else(Outcome::Limit)
    }

    pub(crate) fn view_of(&self, word: Word) -> View<'_> {
        View {
            context: &self.machine.context,
            word,
        }
    }

    /// The solution with its value, its output and the global variables.
    fn solution(&mut self, value: Word) -> Result<Solution, LimitReached> {
        self.machine.hand_over(0, |_, _| Word::NULL)?;
        let begin = self.machine.now();
        let data = self.data_of_solution(value, begin);
        self.machine.count_time(begin);
        // It takes long only if there is much: then it stops at a limit, and comes when that is lifted.
        let (value, globals) = data.map_err(|limit| self.machine.hold_back(limit))?;
        let (text, pictures) = self.pending_output();
        self.print(&text);
        Ok(Solution {
            value,
            text,
            pictures,
            globals,
        })
    }

    /// The value and the global variables of a solution as data, within the limits.
    fn data_of_solution(
        &self,
        value: Word,
        begin: Duration,
    ) -> Result<(Data, Globals), LimitReached> {
        let context = &self.machine.context;
        let limit = Cell::new(None);
        let is_stopped = || {
            limit.set(self.machine.limit_since(begin));
            limit.get().is_some()
        };
        let snapshot = Snapshot::lenient(&context.heap, context, context.limits.memory);
        let mut snapshot = snapshot.stopped_by(&is_stopped);
        // A lenient snapshot leaves out anything else that it cannot store.
        let stopped = |_: Obstacle| limit.get().unwrap_or(LimitReached::Cancelled);
        let value = snapshot.take(value).map_err(stopped)?;
        if !self.keeps_globals {
            return Ok((value, Globals::default()));
        }
        snapshot.renew_allowance();
        Ok((
            value,
            Globals::of(&self.machine, &mut snapshot).map_err(stopped)?,
        ))
    }

    /// Hands the text of a call's result over.
    pub(crate) fn hand_over_call(&mut self) -> Result<(), LimitReached> {
        if self.program().print().is_some() {
            self.machine.hand_over(0, |_, _| Word::NULL)?;
            self.print(self.pending_text());
        }
        Ok(())
    }

    pub(crate) fn question(&mut self) -> Result<Question, LimitReached> {
        let begin = self.machine.now();
        let question = self.machine.question();
        self.machine.count_time(begin);
        let (prompt, options) = question?.unwrap_or_default();
        let (text, pictures) = self.pending_output();
        Ok(Question {
            prompt,
            options,
            text,
            pictures,
        })
    }

    fn print(&self, text: &str) {
        if let Some(print) = self.program().print()
            && !self.is_silent
            && !text.is_empty()
        {
            print(text);
        }
    }

    /// Hands the text before a question over, and returns whether the question was answered.
    pub(crate) fn settles(&mut self, question: &Question) -> bool {
        self.print(&question.text);
        self.is_answered(question)
    }

    /// Answers the question by the host's function; whether it could.
    fn is_answered(&mut self, question: &Question) -> bool {
        if self.is_silent {
            return false;
        }
        let answer = self.program().people().and_then(|people| people(question));
        match answer {
            Some(Answer::Option(option)) => self.machine.answer_option(option),
            Some(Answer::Line(line)) => self.machine.answer_line(&line),
            None => false,
        }
    }

    /// The next solution with its `globals`, however long it takes; `None` if there is none.
    pub fn next_solution(&mut self) -> Option<Result<Solution, RunError>> {
        let kept = std::mem::replace(&mut self.keeps_globals, true);
        let outcome = loop {
            match self.resume(u64::MAX) {
                Outcome::OutOfFuel => {}
                outcome => break outcome,
            }
        };
        self.keeps_globals = kept;
        match outcome {
            Outcome::Solved(solution) => Some(Ok(solution)),
            Outcome::Asked(question) => Some(Err(RunError::Question(question))),
            Outcome::Waiting(ticket) => Some(Err(RunError::Waiting(ticket))),
            Outcome::Failed | Outcome::OutOfFuel => None,
            Outcome::Error(error) => Some(Err(RunError::Script(error))),
            Outcome::Limit(limit) => Some(Err(RunError::Limit(limit))),
        }
    }

    /// Answers a question with the number of one of its options, counted from 0; false if there is no such option
    /// or no such question.
    pub fn answer(&mut self, option: usize) -> bool {
        self.machine.end_host_call();
        self.machine.answer_option(option)
    }

    /// Answers a question that wants a line; false if there is none.
    pub fn answer_text(&mut self, line: &str) -> bool {
        self.machine.end_host_call();
        self.machine.answer_line(line)
    }

    /// The latest message of a failure of the run, from `fail message;` or `require(condition, message)`: words for a
    /// person who wonders why there is no solution. A run that grows by inputs returns that of the latest input. Of a
    /// long message the beginning is stored.
    ///
    /// ```
    /// use ndscript::{Engine, Outcome};
    /// let script = "let x = choose(1, 2); require(x > 2, `${x} is too small`);";
    /// let mut run = Engine::new().compile(script)?.run(7);
    /// assert!(matches!(run.resume(1000), Outcome::Failed));
    /// assert_eq!(run.failure_message(), Some("2 is too small"));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn failure_message(&self) -> Option<&str> {
        self.machine.context.failure_message.as_deref()
    }

    /// The statistics of the run so far.
    pub fn statistics(&self) -> Statistics {
        self.machine.statistics
    }

    /// Frees what nothing in the run reaches any more, at once. That happens by itself, too, in steps as the fuel of
    /// [`Run::resume`] allows; a host may want it where a pause does not matter. The run goes on as it would have.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("for (let i = 0; i < 9000; i++) { let list = [i]; }")?;
    /// let mut run = program.run(1);
    /// run.next().unwrap().unwrap();
    /// let before = run.memory();
    /// run.collect_garbage();
    /// assert!(run.memory() < before);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn collect_garbage(&mut self) {
        self.machine.collect_garbage();
    }

    /// The longest time that a step of a collection of garbage took, by the clock of
    /// [`Engine::with_clock`](crate::Engine::with_clock); zero without one.
    pub fn longest_pause(&self) -> Duration {
        self.machine.clock.longest_pause
    }

    /// The most steps of one operation of the machine that is not cut into pieces: what a `deterministic` call discards
    /// when it returns, what `minimize` stores of a solution and restores at its end, writing out a note of the
    /// undecided cells of a grid, and one of the few comparisons that are not cut. Between two checks of limits there
    /// can be this many more steps than otherwise.
    ///
    /// ```
    /// # use ndscript::Engine;
    /// let script = "let a = map(range(1000), i => 0); once(() => { choose(1, 2); for (let i = 0; i < 1000; i++) a[i] = 1; });";
    /// let mut run = Engine::new().compile(script)?.run(7);
    /// run.resume(1_000_000);
    /// assert_eq!(run.longest_operation(), 251); // a quarter of the changes that were discarded, and the choice
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn longest_operation(&self) -> u64 {
        self.machine.context.heap.longest_operation()
    }

    /// How many choice points are open.
    pub fn open_choices(&self) -> usize {
        self.machine.open_choices()
    }

    /// Suppresses what the run prints, asks and writes by `debug`, and its clock: it repeats what it has done before.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let engine = Engine::new().with_print(|text| panic!("{text}"));
    /// let mut run = engine.compile("print(1);")?.run(1);
    /// run.go_once_more();
    /// assert_eq!(run.next().unwrap().unwrap().text, "1");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn go_once_more(&mut self) {
        self.is_silent = true;
        self.keeps_globals = false;
        self.machine.context.debug = Arc::new(|_| {});
        let limits = Limits {
            time: Duration::MAX,
            ..self.machine.context.limits
        };
        self.machine.set_limits(limits);
    }

    /// Returns all questions to the caller, even if another function could answer them.
    #[doc(hidden)]
    pub fn ask_the_host(&mut self) {
        self.is_silent = true;
    }

    /// Reseeds the random numbers from now on.
    pub fn reseed(&mut self, seed: u64) {
        self.machine.context.rng = Rng::new(seed);
    }

    /// How many bytes the run holds at this moment, garbage included.
    pub fn memory(&self) -> usize {
        self.machine.context.bytes()
    }

    /// The global variables that have a value, in the order in which the program names them, as text for a person:
    /// strings quoted, grids with their cells, and at most `most` bytes each.
    ///
    /// ```
    /// let mut run = ndscript::Engine::new().compile("let name = 'Ann'; let ages = [3, 5];")?.run(7);
    /// run.next().unwrap().unwrap();
    /// let shown = run.show_globals(80);
    /// assert_eq!(shown, [("name".into(), "\"Ann\"".into()), ("ages".into(), "[3, 5]".into())]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn show_globals(&self, most: usize) -> Vec<(String, String)> {
        self.machine.show_globals(most)
    }

    /// The names that may follow `a.b.`, where the path is `["a", "b"]` and `a` a global variable: the keys of an
    /// object.
    ///
    /// ```
    /// let mut run = ndscript::Engine::new().compile("let map = {size: {width: 3, height: 2}};")?.run(7);
    /// run.next().unwrap().unwrap();
    /// assert_eq!(run.fields(&["map", "size"]), ["width", "height"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn fields(&self, path: &[&str]) -> Vec<String> {
        self.machine.fields(path)
    }

    /// The value of the latest solution, shown as by [`Run::show_globals`].
    pub fn show_value(&self, most: usize) -> String {
        self.machine.show_result(most)
    }

    /// As [`Run::show_value`], for a window of so many columns and rows: of a board that does not fit, the undecided
    /// places are shown by how many candidates they have, `·3`, and the last columns and rows may be missing.
    ///
    /// ```
    /// let script = "return makeGrid(9, 9, setOf(1, 2, 3, 4, 5, 6, 7, 8, 9));";
    /// let mut run = ndscript::Engine::new().compile(script)?.run(7);
    /// run.next().unwrap().unwrap();
    /// assert!(run.show_value_within(4000, 80, 24).starts_with("grid 9x9\n  ·9 ·9 ·9 ·9 ·9 ·9 ·9 ·9 ·9\n"));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn show_value_within(&self, most: usize, columns: usize, rows: usize) -> String {
        self.machine.show_result_within(most, columns, rows)
    }

    /// The cost of the best solution so far of the outermost `minimize` in progress; `None` if there is none yet.
    pub fn best_so_far(&self) -> Option<f64> {
        self.machine.best_so_far()
    }

    /// Ends the outermost `minimize` in progress with its cheapest result so far, whether that is proven to be the
    /// cheapest or not, and returns its cost. The run continues after it, also if it has stopped at a limit. If nothing
    /// is found yet, the first result is taken, whatever it costs, if one is found soon. `None` if there is none; the
    /// current search may be given up then.
    ///
    /// ```
    /// use ndscript::{Engine, Outcome};
    /// let script = "minimize(() => { let s = 0; foreach (i in range(40)) { let n = choose(2, 1); cost(n); s += n; } return s; })";
    /// let mut run = Engine::new().compile(&format!("return {script};"))?.run(1);
    /// assert!(matches!(run.resume(100_000), Outcome::OutOfFuel));
    /// assert_eq!(run.take_best(), Some(80.0));
    /// assert!(matches!(run.resume(100_000), Outcome::Solved(solution) if solution.value == 80.into()));
    /// assert_eq!(run.take_best(), None);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn take_best(&mut self) -> Option<f64> {
        const STEPS: u64 = 1 << 21;
        self.machine.end_host_call();
        if self.machine.best_so_far().is_none() && !self.machine.dive(STEPS) {
            return None;
        }
        let cost = self.machine.best_so_far();
        cost.filter(|_| self.machine.end_with_best())
    }

    /// A token that stops the run from anywhere. Clones of the run, made before or after, have another.
    pub fn cancel_token(&self) -> CancelToken {
        CancelToken(self.cancelled.clone())
    }

    /// Sets the token that stops the run, in place of its own: so one token stops several runs.
    pub fn set_cancel_token(&mut self, token: &CancelToken) {
        self.cancelled = token.0.clone();
        self.machine.set_cancelled(token.0.clone());
    }

    /// The limit that the run has stopped at, as long as it is not lifted.
    pub fn stopped_at(&self) -> Option<LimitReached> {
        self.machine.standing_limit()
    }

    /// The limits of the run; at first those of its engine.
    pub fn limits(&self) -> &Limits {
        &self.machine.context.limits
    }

    /// Gives the run other limits from now on. A run that has stopped at a limit continues from where it stopped, if
    /// the limits allow that now: it has lost nothing. Steps and time count from the beginning of the run.
    ///
    /// ```
    /// use ndscript::{Engine, LimitReached, Limits, Outcome};
    /// let limits = Limits { steps: 1000, ..Limits::default() };
    /// let program = Engine::new().with_limits(limits).compile("var n = 0; while (n < 2000) n += 1; print(n);")?;
    /// let mut run = program.run(1);
    /// assert!(matches!(run.resume(u64::MAX), Outcome::Limit(LimitReached::Steps(1000))));
    /// assert!(matches!(run.resume(u64::MAX), Outcome::Limit(LimitReached::Steps(1000))));
    /// run.set_limits(Limits { steps: 10_000, ..*run.limits() });
    /// assert!(matches!(run.resume(u64::MAX), Outcome::Solved(solution) if solution.text == "2000"));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    ///
    /// [`Limits::source`] is ignored here.
    pub fn set_limits(&mut self, limits: Limits) {
        self.machine.set_limits(limits);
    }

    /// Refuses memory at the n-th question for it, as if the limit was reached, once or from then on. For tests of the
    /// account.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub fn refuse_memory(&mut self, at: u64, once: bool) {
        self.machine.context.heap.refuse(at, once);
    }

    /// The number of requests for memory until one is refused.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub fn questions_left(&self) -> u64 {
        self.machine
            .context
            .heap
            .account
            .refuse_at
            .map_or(0, std::num::NonZeroU64::get)
    }

    /// Makes every failure check that it restored exactly the earlier state, and panic if not: for tests of the machine.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub fn verify_backtracking(&mut self) {
        self.machine.verify_backtracking();
    }

    /// Runs only the full forms of instructions: for tests that compare them with the fast ones.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub fn run_plainly(&mut self) {
        self.machine.driver = ndscript_machine::driver::Driver::Plain;
    }

    /// A number for the states at all choice points since [`Run::verify_backtracking`].
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub fn states(&self) -> u64 {
        self.machine.states()
    }

    /// Whether to store a board whose constraint failed, while its branch fails: for proofs. Only in a watched run.
    #[doc(hidden)]
    pub fn keep_refused(&mut self, keep: bool) {
        self.machine.context.refused.is_wanted = keep;
    }

    /// Whether solutions of [`Run::resume`], too, contain the values of the global variables, whatever time that takes.
    /// They do not by default.
    pub fn keep_globals(&mut self, keep: bool) {
        self.keeps_globals = keep;
    }
}

impl Iterator for Run {
    type Item = Result<Solution, RunError>;

    /// As [`Run::next_solution`]; but a question that was given out and not answered ends the iteration, and so does a
    /// limit that was given out and not lifted, so that a loop over a run ends.
    fn next(&mut self) -> Option<Self::Item> {
        let is_same = self.machine.is_waiting()
            || self.machine.standing_limit().is_some()
            || self.machine.is_broken();
        if self.has_given_last && is_same {
            return None;
        }
        let item = self.next_solution();
        self.has_given_last = self.machine.is_broken()
            || matches!(
                item,
                Some(Err(RunError::Question(_)
                    | RunError::Waiting(_)
                    | RunError::Limit(_)))
            );
        item
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run")
            .field("program", self.program())
            .field("statistics", &self.statistics())
            .finish_non_exhaustive()
    }
}
