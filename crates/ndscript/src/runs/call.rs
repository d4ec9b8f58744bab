//! Calls of script functions by the host.

use super::outcome::{PlacedPicture, Question, RunError};
use super::run::{Pause, Run};
use crate::values::convert::{FromValue, IntoValue, Maker};
use crate::values::value::Value;
use crate::watching::observer::Observer;
use ndscript_base::limits::LimitReached;
use ndscript_heap::Value as Word;
use ndscript_heap::outside::value_error::ValueError;
use ndscript_machine::errors::trace::ScriptError;

/// What the host can call: a handle to a function, or the name of a global one or of a built-in.
pub trait Callee {
    #[doc(hidden)]
    fn word(&self, run: &Run) -> Result<Word, ValueError>;
}

impl Callee for &Value {
    fn word(&self, run: &Run) -> Result<Word, ValueError> {
        run.machine
            .context
            .roots
            .value(&self.0)
            .ok_or(ValueError::OtherRun)
    }
}

impl Callee for &str {
    fn word(&self, run: &Run) -> Result<Word, ValueError> {
        run.machine
            .callable(self)
            .map_err(|is_built_in| match is_built_in {
                true => ValueError::NotIncluded(self.to_string()),
                false => run.no_global(self),
            })
    }
}

/// A built-in, whatever the program itself calls by its name.
struct BuiltIn(&'static str);

impl Callee for BuiltIn {
    fn word(&self, run: &Run) -> Result<Word, ValueError> {
        let native = run.machine.hidden(self.0);
        native.ok_or_else(|| run.no_global(self.0))
    }
}

/// The arguments of a call by the host: a tuple of up to eight values, or a `Vec` or a slice of any number.
pub trait CallArguments {
    #[doc(hidden)]
    fn put(self, out: &mut ArgumentWords<'_, '_>) -> Result<(), ValueError>;
}

/// Where the arguments of a call are put.
#[doc(hidden)]
pub struct ArgumentWords<'a, 'm> {
    pub(crate) maker: &'a mut Maker<'m>,
    pub(crate) words: &'a mut Vec<Word>,
}

impl ArgumentWords<'_, '_> {
    fn push(&mut self, value: impl IntoValue) -> Result<(), ValueError> {
        let word = self.maker.word(value)?;
        self.words.push(word);
        Ok(())
    }
}

impl<T: IntoValue> CallArguments for Vec<T> {
    fn put(self, out: &mut ArgumentWords<'_, '_>) -> Result<(), ValueError> {
        self.into_iter().try_for_each(|argument| out.push(argument))
    }
}

impl<T> CallArguments for &[T]
where
    for<'a> &'a T: IntoValue,
{
    fn put(self, out: &mut ArgumentWords<'_, '_>) -> Result<(), ValueError> {
        self.iter().try_for_each(|argument| out.push(argument))
    }
}

macro_rules! tuples {
    ($($($type:ident)*;)*) => {$(
        impl<$($type: IntoValue),*> CallArguments for ($($type,)*) {
            // The names of the type parameters name the arguments, too; no arguments use none of it.
            #[allow(non_snake_case, unused_variables)]
            fn put(self, out: &mut ArgumentWords<'_, '_>) -> Result<(), ValueError> {
                let ($($type,)*) = self;
                $(out.push($type)?;)*
                Ok(())
            }
        }
    )*};
}

tuples! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}

/// Why [`Call::resume`] returned.
#[derive(Clone, Debug)]
pub enum CallOutcome {
    /// The function has a result; resuming looks for the next one.
    Returned(Value),
    /// The fuel is used up; resuming continues.
    OutOfFuel,
    /// The function asks a person; resuming continues once the call has its answer.
    Asked(Question),
    /// A function of the host waits; see [`Outcome::Waiting`](crate::Outcome::Waiting).
    Waiting(u64),
    /// There are no more results. The effects of the call are undone.
    Failed,
    /// The script made an error. The effects of the call are undone.
    Error(Box<ScriptError>),
    /// A limit was reached, or the run was cancelled. The call stands still until that is lifted, as a run does; see
    /// [`Outcome::Limit`](crate::Outcome::Limit).
    Limit(LimitReached),
}

/// A call of a script function by the host: an iterator over its results. See [`Run::call`].
pub struct Call<'r> {
    run: &'r mut Run,
    has_ended: bool,
}

impl Run {
    /// Calls a function of the script, without running the top level again. The function may choose and fail; the call
    /// is an iterator over its results, and nothing runs before the first is requested.
    ///
    /// The call runs above the present state of the run, at a solution, at a question, or in the middle of a search
    /// that is out of fuel, and never backtracks into choices of the run itself:
    ///
    /// - each further result undoes the one before, back to the latest choice inside the call;
    /// - when there is none, and at an error, all effects of the call are undone;
    /// - at a limit it stands still, and goes on by [`Call::resume`] when that is lifted; for the iterator it has ended, and
    ///   is undone;
    /// - when the call is dropped at a result, the effects of that result stay, and its choices are discarded; dropped
    ///   elsewhere, it is undone;
    /// - its output belongs to its result ([`Call::text`]) and never to the text of the run's solution;
    /// - afterwards the run is where it was: its next solution, its question, the rest of its search. Effects that
    ///   stayed are undone like assignments of the script, when the run backtracks to an earlier guess of its own.
    ///
    /// As everywhere, random draws are not undone, and steps and memory count for the limits of the run.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let program = Engine::new().compile(
    ///     "var health = 10;
    ///      function hit(damage) { health = health - damage * choose(1, 2); require(health > 0); return health; }",
    /// )?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let hit = run.global("hit").unwrap();
    /// let results: Result<Vec<_>, _> = run.call(&hit, (3,))?.collect();
    /// let results = results?;
    /// assert_eq!((run.read::<i64>(&results[0])?, run.read::<i64>(&results[1])?), (7, 4));
    /// assert_eq!(run.view_global("health").unwrap().as_i64(), Some(10));
    /// run.call("hit", (3,))?.next();
    /// assert_eq!(run.view_global("health").unwrap().as_i64(), Some(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ValueError::OtherRun`] for a handle or an argument of another run, [`ValueError::NoGlobal`] for an unknown
    /// name, [`ValueError::NotIncluded`] for some built-ins that the program does not use, and the errors of [`Run::make`]
    /// about the arguments. A value that is no function, and a wrong number of arguments, are errors of the script.
    pub fn call(
        &mut self,
        function: impl Callee,
        arguments: impl CallArguments,
    ) -> Result<Call<'_>, ValueError> {
        self.begin_call(function, arguments)?;
        Ok(Call {
            run: self,
            has_ended: false,
        })
    }

    /// Begins to find how a person could solve a board with constraints, and how hard that is. The one result of the
    /// call is an array of what `steps` and `difficulty` give, of one search, then of what it is a search of: for each
    /// place under a rule an array of the place and the values that it could hold at first, and for each rule an object
    /// with its `text` and its `places`. All else is as with [`Run::call`].
    ///
    /// ```
    /// use ndscript::Engine;
    /// let program = Engine::new().compile("let board = allDifferent([setOf(1), setOf(1, 2)]);")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let board = run.global("board").unwrap();
    /// let found = run.steps(&board)?.next().unwrap()?;
    /// let found = run.view(&found)?;
    /// let [steps, difficulty, start, rules] = [0, 1, 2, 3].map(|at| found.elements().nth(at).unwrap());
    /// assert_eq!((steps.len(), difficulty.field("direct").unwrap().as_i64()), (1, Some(1)));
    /// assert_eq!(start.to_string(), "[[0, [1]], [1, [1, 2]]]");
    /// assert_eq!(rules.get(0).unwrap().field("text").unwrap().as_str(), Some("the whole board has no value twice"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Run::call`]. A board without constraints, or one that is too large, is an error of the script.
    pub fn steps(&mut self, board: &Value) -> Result<Call<'_>, ValueError> {
        self.call(BuiltIn("__solving"), (board,))
    }

    /// Begins to remove from a place of a board the values that are not among some, as `narrow` does. The place is an
    /// index, a position or a key. Otherwise it is like [`Run::call`]: removals by constraints stay until the run
    /// backtracks to an earlier guess of its own, and if nothing is left the call has no result.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let program = Engine::new().compile("let board = allDifferent([setOf(1, 2), setOf(1, 2)]);")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let board = run.global("board").unwrap();
    /// run.narrow(&board, 0, 2)?.next().unwrap()?;
    /// assert_eq!(run.view_global("board").unwrap().to_string(), "[{2}, {1}]");
    /// assert!(run.narrow(&board, 1, 2)?.next().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Run::call`]. A place that the board does not have is an error of the script.
    pub fn narrow(
        &mut self,
        board: &Value,
        place: impl IntoValue,
        values: impl IntoValue,
    ) -> Result<Call<'_>, ValueError> {
        self.call(BuiltIn("narrow"), (board, place, values))
    }

    /// Begins a call that the run stores, for a host that cannot hold a borrow of the run from one piece of the call to
    /// the next, such as one in another language. [`Run::resume_call`] resumes it; [`Run::end_call`],
    /// [`Run::undo_call`], another call and [`Run::resume`] end it. The output of its latest result is
    /// [`Run::pending_output`]. Otherwise it is like [`Run::call`].
    ///
    /// ```
    /// use ndscript::{CallOutcome, Engine};
    /// let program = Engine::new().compile("var sum = 0; function add(n) { sum += choose(n, 2 * n); return sum; }")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// run.begin_call("add", (4,))?;
    /// assert!(matches!(run.resume_call(1), CallOutcome::OutOfFuel));
    /// let CallOutcome::Returned(sum) = run.resume_call(1000) else { panic!() };
    /// assert_eq!(run.read::<i64>(&sum)?, 4);
    /// assert!(matches!(run.resume_call(1000), CallOutcome::Returned(_)));
    /// run.end_call();
    /// assert_eq!(run.view_global("sum").unwrap().as_i64(), Some(8));
    /// assert!(matches!(run.resume_call(1000), CallOutcome::Failed));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Run::call`].
    pub fn begin_call(
        &mut self,
        function: impl Callee,
        arguments: impl CallArguments,
    ) -> Result<(), ValueError> {
        let callee = function.word(self)?;
        self.machine.finish_collection();
        let mut words = std::mem::take(&mut self.call_words);
        words.clear();
        let made = arguments.put(&mut ArgumentWords {
            maker: &mut Maker::new(&mut self.machine.context),
            words: &mut words,
        });
        if made.is_ok() {
            self.machine.begin_host_call(callee, &words);
        }
        self.call_words = words;
        made?;
        if let Err(limit) = self.machine.room_for_host(0) {
            self.machine.undo_host_call();
            // The arguments are still in registers, which the next call takes over.
            self.machine.collect_garbage();
            return Err(ValueError::Limit(limit));
        }
        Ok(())
    }

    /// Begins a call like that of [`Run::steps`], which the run stores as with [`Run::begin_call`].
    ///
    /// ```
    /// use ndscript::{CallOutcome, Engine};
    /// let program = Engine::new().compile("let board = allDifferent([setOf(1), setOf(1, 2)]);")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let board = run.global("board").unwrap();
    /// run.begin_steps(&board)?;
    /// let CallOutcome::Returned(found) = run.resume_call(u64::MAX) else { panic!() };
    /// assert_eq!(run.view(&found)?.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Run::steps`].
    pub fn begin_steps(&mut self, board: &Value) -> Result<(), ValueError> {
        self.begin_call(BuiltIn("__solving"), (board,))
    }

    /// Resumes the call of [`Run::begin_call`], as [`Call::resume`] does. Without one it returns
    /// [`CallOutcome::Failed`].
    pub fn resume_call(&mut self, fuel: u64) -> CallOutcome {
        let has_ended = !self.machine.is_in_host_call();
        let mut call = Call {
            run: self,
            has_ended,
        };
        let outcome = call.resume(fuel);
        // The run stores the call: the end of this borrow does not end it.
        call.has_ended = true;
        outcome
    }

    /// Answers a question of the call of [`Run::begin_call`], or of the run if there is no call; see [`Run::answer`],
    /// which ends the call.
    pub fn answer_call(&mut self, option: usize) -> bool {
        self.machine.answer_option(option)
    }

    /// Answers the question of the call with a line; see [`Run::answer_text`].
    pub fn answer_call_text(&mut self, line: &str) -> bool {
        self.machine.answer_line(line)
    }

    /// Ends the call of [`Run::begin_call`]: at a result its effects stay, elsewhere it is undone.
    pub fn end_call(&mut self) {
        self.machine.end_host_call();
    }

    /// Ends the call of [`Run::begin_call`] and undoes what it did.
    pub fn undo_call(&mut self) {
        self.machine.undo_host_call();
    }

    /// Calls a function of the script for its first result, whose effects stay; `None` if it has none.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("var seen = []; function see(what) { push(seen, what); return sizeOf(seen); }")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// assert_eq!(run.call_once::<i64>("see", ("a bat",))?, Some(1));
    /// assert_eq!(run.call_once::<i64>("see", ("a cat",))?, Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Run::call`] and its results; [`RunError::Value`] also if the result is of another kind, which undoes the
    /// call.
    pub fn call_once<T: FromValue>(
        &mut self,
        function: impl Callee,
        arguments: impl CallArguments,
    ) -> Result<Option<T>, RunError> {
        let mut call = self.call(function, arguments)?;
        let Some(word) = call.advance()? else {
            return Ok(None);
        };
        let result = call.run.view_of(word).read();
        if result.is_err() {
            call.end(Ending::Undo);
        }
        Ok(Some(result?))
    }
}

/// How a call ends.
enum Ending {
    /// At a result it stays.
    AsItStands,
    Undo,
}

impl Call<'_> {
    /// Runs for at most `fuel` steps: to the first result, or to the next.
    pub fn resume(&mut self, fuel: u64) -> CallOutcome {
        let pause = self
            .resume_machine(|run| run.run_to_outcome(fuel, |machine, fuel| machine.resume(fuel)));
        self.outcome(pause)
    }

    /// Resumes, and reports the events of the call to an observer; see [`Run::watch`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ndscript::{Engine, Event, Moment};
    /// let program = Engine::new().compile("var b = [setOf(1, 2), setOf(1, 2)]; allDifferent(b); function put(at, x) { b[at] = x; }")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let mut failed_at = None;
    /// run.call("put", (0, 1))?.next();
    /// run.call("put", (1, 1))?.watch(1000, &mut |moment: &Moment, event: &Event| {
    ///     if let (Event::Fail { .. }, Some(dead_end)) = (event, moment.dead_end()) {
    ///         failed_at = dead_end.removals.last().and_then(|removal| removal.place.as_i64());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(failed_at, Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch(&mut self, fuel: u64, observer: &mut dyn Observer) -> CallOutcome {
        let pause = self.resume_machine(|run| run.run_call_watched(fuel, observer));
        self.outcome(pause)
    }

    fn outcome(&mut self, pause: Result<Pause, LimitReached>) -> CallOutcome {
        match pause {
            Ok(Pause::Solved(word)) => CallOutcome::Returned(self.run.view_of(word).hold()),
            Ok(Pause::OutOfFuel) => CallOutcome::OutOfFuel,
            Ok(Pause::Asked(question)) => CallOutcome::Asked(question),
            Ok(Pause::Waiting(ticket)) => CallOutcome::Waiting(ticket),
            Ok(Pause::Failed) => CallOutcome::Failed,
            Ok(Pause::Error(error)) => CallOutcome::Error(error),
            Err(limit) => CallOutcome::Limit(limit),
        }
    }

    fn resume_machine(
        &mut self,
        resume: impl FnOnce(&mut Run) -> Result<Pause, LimitReached>,
    ) -> Result<Pause, LimitReached> {
        if self.has_ended {
            return Ok(Pause::Failed);
        }
        let pause = resume(self.run);
        match &pause {
            Ok(Pause::Solved(_)) => self.run.hand_over_call()?,
            Ok(Pause::OutOfFuel | Pause::Asked(_) | Pause::Waiting(_)) | Err(_) => {}
            Ok(Pause::Failed | Pause::Error(_)) => self.end(Ending::Undo),
        }
        pause
    }

    /// The next result, however long it takes.
    fn advance(&mut self) -> Result<Option<Word>, RunError> {
        loop {
            match self.resume_machine(|run| {
                run.run_to_outcome(u64::MAX, |machine, fuel| machine.resume(fuel))
            }) {
                Ok(Pause::Solved(word)) => return Ok(Some(word)),
                Ok(Pause::OutOfFuel) => {}
                Ok(Pause::Asked(question)) => return Err(RunError::Question(question)),
                Ok(Pause::Waiting(ticket)) => return Err(RunError::Waiting(ticket)),
                Ok(Pause::Failed) => return Ok(None),
                Ok(Pause::Error(error)) => return Err(RunError::Script(error)),
                Err(limit) => {
                    self.end(Ending::Undo);
                    return Err(RunError::Limit(limit));
                }
            }
        }
    }

    /// Answers a question of the call with the number of one of its options; see [`Run::answer`].
    pub fn answer(&mut self, option: usize) -> bool {
        self.run.machine.answer_option(option)
    }

    /// Answers a question of the call that wants a line; see [`Run::answer_text`].
    pub fn answer_text(&mut self, line: &str) -> bool {
        self.run.machine.answer_line(line)
    }

    /// The text that the call has printed for its latest result, since its last question if there was one.
    pub fn text(&self) -> String {
        self.output().0
    }

    /// The text with its pictures.
    pub fn output(&self) -> (String, Vec<PlacedPicture>) {
        self.run.pending_output()
    }

    /// The run, to look at it and at the results.
    pub fn run(&self) -> &Run {
        self.run
    }

    /// Ends the call and undoes what it did.
    pub fn undo(mut self) {
        self.end(Ending::Undo);
    }

    fn end(&mut self, ending: Ending) {
        if !std::mem::replace(&mut self.has_ended, true) {
            match ending {
                Ending::AsItStands => self.run.machine.end_host_call(),
                Ending::Undo => self.run.machine.undo_host_call(),
            }
        }
    }
}

impl Iterator for Call<'_> {
    type Item = Result<Value, RunError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(word) => word.map(|word| Ok(self.run.view_of(word).hold())),
            Err(error) => Some(Err(error)),
        }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.end(Ending::AsItStands);
    }
}
