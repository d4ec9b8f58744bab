//! The outcomes of a run.

use std::sync::Arc;

use super::globals::Globals;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::limits::LimitReached;
use ndscript_base::picture::Picture;
use ndscript_heap::outside::data::Data;
use ndscript_heap::outside::value_error::ValueError;
use ndscript_machine::errors::trace::{ErrorPlace, ScriptError};

/// A picture with its place: the byte offset in the text that comes with it.
pub type PlacedPicture = (usize, Arc<Picture>);

/// Why [`Run::resume`](crate::Run::resume) returned.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A solution was found; resuming looks for the next one.
    Solved(Solution),
    /// The fuel is used up; resuming continues.
    OutOfFuel,
    /// The program asks a person; resuming continues once the run has its answer.
    Asked(Question),
    /// A function of the host waits, by this number; resuming continues once [`Run::deliver`](crate::Run::deliver) has
    /// brought its result. See [`Waiting`](crate::Waiting).
    Waiting(u64),
    /// There are no more solutions.
    Failed,
    /// The script made an error. The run has ended.
    Error(Box<ScriptError>),
    /// A limit was reached, or the run was cancelled. The run stands still until that is lifted, see
    /// [`Run::set_limits`](crate::Run::set_limits).
    Limit(LimitReached),
}

/// A path through the program in which no guess was wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The value of a `return` at the top level; null without one. Values that are too large for the limit of memory
    /// are [`Data::Elided`](crate::Data::Elided) in it, and in `globals`: the run itself still has them.
    pub value: Data,
    /// The text that was printed since the last question, if there was one.
    pub text: String,
    /// The pictures that were printed, in order.
    pub pictures: Vec<PlacedPicture>,
    /// The global variables, in solutions of [`Run::next_solution`](crate::Run::next_solution) and of a run as an
    /// iterator. Those of [`Run::resume`](crate::Run::resume) have none, unless
    /// [`Run::keep_globals`](crate::Run::keep_globals) wants them: there the host reads them out of the run.
    pub globals: Globals,
}

/// A question of `ask` or `input`.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The question.
    pub prompt: String,
    /// The options of `ask` as text; `None` for a free line.
    pub options: Option<Vec<String>>,
    /// The text that was printed since the last question, to be shown first.
    pub text: String,
    /// The pictures among it.
    pub pictures: Vec<PlacedPicture>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The number of one of its options, counted from 0.
    Option(usize),
    /// A line, for a question without options.
    Line(String),
}

/// Answers questions.
pub(crate) type Asker = dyn Fn(&Question) -> Option<Answer> + Send + Sync;
/// Takes text.
pub(crate) type PrintSink = dyn Fn(&str) + Send + Sync;

/// Why a run ended early.
///
/// Its text contains what a log needs, also after `?` and in `Box<dyn Error>`: the place, the message, hints, and the
/// calls that led there.
///
/// ```
/// use ndscript::Engine;
/// let text = "let stock = {apples: 3};\nfunction take(what) { return stock[what]; }\ntake('aples');";
/// let mut run = Engine::new().compile_named("shop.nds", text)?.run(1);
/// let error = run.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "shop.nds:2:30: the object has no field `aples`\n  hint: did you mean `apples`?
///   called from take(\"aples\") at shop.nds:3");
/// assert_eq!(error.diagnostic().unwrap().message, "the object has no field `aples`"); // for a form of the host's own
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug)]
pub enum RunError {
    /// The script made an error.
    Script(Box<ScriptError>),
    /// A limit was reached, or the run was cancelled.
    Limit(LimitReached),
    /// The program asks a question, which an iterator cannot answer.
    Question(Question),
    /// A function of the host waits, by this number, which an iterator cannot take care of.
    Waiting(u64),
    /// A value of the host's, or one that it wants to read, is not what it should be.
    Value(ValueError),
}

impl RunError {
    /// The message of the script with its places, if it made an error: for a host that shows it in a form of its own.
    pub fn diagnostic(&self) -> Option<&Diagnostic> {
        match self {
            RunError::Script(error) => Some(&error.diagnostic),
            RunError::Limit(_)
            | RunError::Question(_)
            | RunError::Waiting(_)
            | RunError::Value(_) => None,
        }
    }

    /// Where the script made an error.
    pub fn place(&self) -> Option<&ErrorPlace> {
        match self {
            RunError::Script(error) => error.place.as_ref(),
            RunError::Limit(_)
            | RunError::Question(_)
            | RunError::Waiting(_)
            | RunError::Value(_) => None,
        }
    }
}

impl From<ValueError> for RunError {
    fn from(error: ValueError) -> RunError {
        RunError::Value(error)
    }
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Script(error) => error.fmt(f),
            RunError::Limit(limit) => limit.fmt(f),
            RunError::Value(error) => error.fmt(f),
            RunError::Waiting(ticket) => write!(
                f,
                "a function of the host waits for number {ticket}: `Run::resume` and `Run::deliver` take care of it"
            ),
            RunError::Question(question) => write!(f, "the program asks: {}", question.prompt),
        }
    }
}

impl std::error::Error for RunError {}
