//! Parameters and results of functions of the host.

use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

use super::choices::Choices;
use super::hosted::{HostValue, noun};
use crate::values::convert::{FromValue, IntoValue, Maker};
use crate::values::view::{COPIED_PART, View};
use ndscript_heap::outside::value_error::ValueError;
use ndscript_heap::{Kind, Value as Word};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::native::HostReturn;

/// The error of a host function, in words; the script's place and calls are added to it.
///
/// ```
/// let error = ndscript::HostError::new("the door is locked");
/// assert_eq!(error.to_string(), "the door is locked");
/// ```
///
/// Any error becomes one by `?`:
///
/// ```
/// use ndscript::{Engine, HostError};
/// let engine = Engine::new().with_function("number", |text: String| -> Result<i64, HostError> { Ok(text.trim().parse()?) });
/// let program = engine.compile("number('7a');")?;
/// let error = program.run(1).next().unwrap().unwrap_err();
/// assert!(error.to_string().contains("invalid digit found in string"));
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostError(pub(crate) String);

impl HostError {
    /// An error with a message: lower case, no full stop.
    pub fn new(message: impl Into<String>) -> HostError {
        HostError(message.into())
    }
}

impl Display for HostError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Every error goes out with `?`, and its causes with it. So this is no [`Error`](std::error::Error) itself.
impl<E: std::error::Error> From<E> for HostError {
    fn from(error: E) -> HostError {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            // Some errors show their causes themselves.
            let words = error.to_string();
            if !message.ends_with(&words) {
                message.push_str(": ");
                message.push_str(&words);
            }
            cause = error.source();
        }
        HostError(message)
    }
}

/// The remaining arguments: any number of them.
///
/// ```
/// use ndscript::{Engine, Rest};
/// let engine = Engine::new().with_function("total", |what: String, numbers: Rest<i64>| {
///     Ok(format!("{what}: {}", numbers.iter().sum::<i64>()))
/// });
/// let program = engine.compile("print(total(\"sum\", 1, 2, 3), \" \", total(\"none\"));")?;
/// assert_eq!(program.run(1).next().unwrap().unwrap().text, "sum: 6 none: 0");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rest<T>(pub Vec<T>);

impl<T> Deref for Rest<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> IntoIterator for Rest<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// What a host function can return: anything that is [`IntoValue`], [`Choices`], [`HostAnswer`] and [`Charged`].
#[diagnostic::on_unimplemented(
    message = "a host function cannot return `{Self}`",
    label = "this is no value of the language",
    note = "numbers, texts, tuples, lists, maps, sets, `Option`s of them, `Data`, `Choices` and types with `#[derive(NdData)]` are; \
            others implement `IntoValue`, or are values of the host: `HostValue`",
    note = "an error is a `HostError`: `Result<T, HostError>`, into which every error goes by `?`"
)]
pub trait HostResult {
    /// Whether it may be a call of a function of the script, or of the host once more.
    #[doc(hidden)]
    const CALLS_BACK: bool = false;

    #[doc(hidden)]
    fn give(self, maker: Maker<'_>) -> Result<HostReturned, ValueError>;
}

/// The result of a host function inside the run.
#[doc(hidden)]
pub struct HostReturned(pub(crate) HostReturn);

impl<T: IntoValue> HostResult for T {
    fn give(self, mut maker: Maker<'_>) -> Result<HostReturned, ValueError> {
        maker
            .word(self)
            .map(|word| HostReturned(HostReturn::Value(word)))
    }
}

/// Marks results that may be errors.
#[doc(hidden)]
pub struct Fallible;

/// Marks results that are none.
#[doc(hidden)]
pub struct Plain;

/// What a closure of the host may return: a [`HostResult`], or a `Result` of one and a [`HostError`].
#[diagnostic::on_unimplemented(
    message = "a host function cannot return `{Self}`",
    label = "this is no value of the language, nor a `Result<_, HostError>` of one",
    note = "numbers, texts, tuples, lists, maps, sets, `Option`s of them, `Data`, `Choices` and types with `#[derive(NdData)]` are \
            values; others implement `IntoValue`, or are values of the host: `HostValue`",
    note = "an error is a `HostError`, into which every error goes by `?`: write `-> Result<_, HostError>`"
)]
pub trait HostOutput<Way> {
    #[doc(hidden)]
    const CALLS_BACK: bool;

    #[doc(hidden)]
    fn give_output(self, maker: Maker<'_>) -> Result<HostReturned, HostError>;
}

impl<T: HostResult> HostOutput<Fallible> for Result<T, HostError> {
    const CALLS_BACK: bool = T::CALLS_BACK;

    fn give_output(self, maker: Maker<'_>) -> Result<HostReturned, HostError> {
        Ok(self?.give(maker)?)
    }
}

impl<T: HostResult> HostOutput<Plain> for T {
    const CALLS_BACK: bool = T::CALLS_BACK;

    fn give_output(self, maker: Maker<'_>) -> Result<HostReturned, HostError> {
        Ok(self.give(maker)?)
    }
}

/// A value, alternatives, or neither yet: for a host function that knows only when it is called which of them it returns, as one
/// written in another language does.
///
/// ```
/// use ndscript::{Choices, Engine, HostAnswer};
/// let engine = Engine::new().with_function("roll", |fixed: Option<i64>| Ok(match fixed {
///     Some(number) => HostAnswer::Value(number),
///     None => HostAnswer::Choices(Choices::in_order(1..=6)),
/// }));
/// let program = engine.compile("print(roll(5), roll());")?;
/// let texts: Vec<String> = program.run(1).map(|solution| solution.unwrap().text).collect();
/// assert_eq!(texts, ["51", "52", "53", "54", "55", "56"]);
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug)]
pub enum HostAnswer<T> {
    /// The result of the call.
    Value(T),
    /// A choice of the script.
    Choices(Choices<T>),
    /// No result yet; see [`Waiting`](crate::Waiting).
    Waiting(u64),
}

impl<T: IntoValue> HostResult for HostAnswer<T> {
    const CALLS_BACK: bool = true;

    fn give(self, maker: Maker<'_>) -> Result<HostReturned, ValueError> {
        match self {
            HostAnswer::Value(value) => value.give(maker),
            HostAnswer::Choices(choices) => choices.give(maker),
            HostAnswer::Waiting(ticket) => Ok(HostReturned(HostReturn::Wait(ticket))),
        }
    }
}

/// A result for which the host charges steps, because it worked for it: they count for fuel and limits like those of
/// the script.
///
/// ```
/// use ndscript::{Charged, Engine};
/// let engine = Engine::new().with_function("survey", |size: i64| Ok(Charged { steps: 5000, result: size * size }));
/// let mut run = engine.compile("return survey(3);")?.run(1);
/// assert_eq!(run.next().unwrap().unwrap().value, 9.into());
/// assert!(run.statistics().steps > 5000);
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charged<T> {
    /// How many steps; 2^48 at most are charged.
    pub steps: u64,
    /// The result of the call.
    pub result: T,
}

/// More is not charged at once: accounts of steps have to stay within 64 bits.
const MOST_CHARGED: u64 = 1 << 48;

impl<T> Charged<T> {
    pub(super) fn charge(&self, maker: &mut Maker<'_>) {
        let steps = usize::try_from(self.steps.min(MOST_CHARGED)).unwrap_or(usize::MAX);
        maker.context.charge(steps);
    }
}

impl<T: HostResult> HostResult for Charged<T> {
    const CALLS_BACK: bool = T::CALLS_BACK;

    fn give(self, mut maker: Maker<'_>) -> Result<HostReturned, ValueError> {
        self.charge(&mut maker);
        self.result.give(maker)
    }
}

/// The number of arguments of a call that an argument of a host function takes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentCount {
    One,
    /// None or one, if it is at the end.
    Optional,
    Any,
}

/// Marks arguments that are values of Rust.
#[doc(hidden)]
pub struct ByValue;

/// Marks arguments that are references to values of types of the host.
#[doc(hidden)]
pub struct ByReference;

/// What an argument of a host function can be: anything that is [`FromValue`]; [`View`], `&str`, and `&T` of a
/// [`HostValue`], which copy nothing; an `Option` at the end, for one that may be left out; and [`Rest`] at the end,
/// for any number of them.
#[diagnostic::on_unimplemented(
    message = "a host function cannot take `{Self}` as an argument",
    label = "no value of the language becomes this",
    note = "numbers, texts, tuples, lists, maps, sets, `Option`s of them, `Data`, `View`, `Value`, `&str`, `&T` of a `HostValue` and \
            types with `#[derive(NdData)]` can be arguments; others implement `FromValue`"
)]
pub trait Argument<Way = ByValue> {
    /// The type with the lifetime of the call.
    type Of<'a>;

    #[doc(hidden)]
    const COUNT: ArgumentCount;

    #[doc(hidden)]
    const DEPTH: usize;

    #[doc(hidden)]
    fn take<'a>(arguments: &mut Arguments<'a>) -> Result<Self::Of<'a>, WrongArgument>;
}

/// The arguments of a call that are still to be taken.
#[doc(hidden)]
pub struct Arguments<'a> {
    context: &'a Context,
    words: &'a [Word],
    used: usize,
}

/// An argument that is not what was expected.
#[doc(hidden)]
#[derive(Debug)]
pub struct WrongArgument {
    at: usize,
    error: ValueError,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(context: &'a Context, words: &'a [Word]) -> Arguments<'a> {
        Arguments {
            context,
            words,
            used: 0,
        }
    }

    fn next(&mut self) -> View<'a> {
        let word = self.words.get(self.used).copied().unwrap_or(Word::NULL);
        self.used += 1;
        View {
            context: self.context,
            word,
        }
    }

    fn take<T>(
        &mut self,
        expected: &'static str,
        convert: impl FnOnce(View<'a>) -> Option<T>,
    ) -> Result<T, WrongArgument> {
        self.try_take(|view| convert(view).ok_or_else(|| view.not(expected)))
    }

    fn try_take<T>(
        &mut self,
        convert: impl FnOnce(View<'a>) -> Result<T, ValueError>,
    ) -> Result<T, WrongArgument> {
        let view = self.next();
        convert(view).map_err(|error| WrongArgument {
            at: self.used - 1,
            error,
        })
    }
}

impl<T: FromValue> Argument for T {
    type Of<'a> = T;

    const COUNT: ArgumentCount = if T::OPTIONAL {
        ArgumentCount::Optional
    } else {
        ArgumentCount::One
    };
    const DEPTH: usize = T::DEPTH;

    fn take<'a>(arguments: &mut Arguments<'a>) -> Result<T, WrongArgument> {
        arguments.try_take(T::try_from_value)
    }
}

impl Argument for View<'_> {
    type Of<'a> = View<'a>;

    const COUNT: ArgumentCount = ArgumentCount::One;
    const DEPTH: usize = 0;

    fn take<'a>(arguments: &mut Arguments<'a>) -> Result<View<'a>, WrongArgument> {
        Ok(arguments.next())
    }
}

impl Argument for &str {
    type Of<'a> = &'a str;

    const COUNT: ArgumentCount = ArgumentCount::One;
    const DEPTH: usize = 0;

    fn take<'a>(arguments: &mut Arguments<'a>) -> Result<&'a str, WrongArgument> {
        arguments.take("a string", View::as_str)
    }
}

impl<T: HostValue> Argument<ByReference> for &T {
    type Of<'a> = &'a T;

    const COUNT: ArgumentCount = ArgumentCount::One;
    const DEPTH: usize = 0;

    fn take<'a>(arguments: &mut Arguments<'a>) -> Result<&'a T, WrongArgument> {
        arguments.take(noun::<T>(), View::as_host)
    }
}

impl<T: FromValue> Argument for Rest<T> {
    type Of<'a> = Rest<T>;

    const COUNT: ArgumentCount = ArgumentCount::Any;
    const DEPTH: usize = T::DEPTH;

    fn take<'a>(arguments: &mut Arguments<'a>) -> Result<Rest<T>, WrongArgument> {
        let mut rest =
            Vec::with_capacity(arguments.words.len() - arguments.used.min(arguments.words.len()));
        while arguments.used < arguments.words.len() {
            rest.push(arguments.try_take(T::try_from_value)?);
        }
        Ok(Rest(rest))
    }
}

/// How many arguments a host function takes: the fewest, and the most; `None` for any number.
pub(crate) const fn arity(counts: &[ArgumentCount]) -> (u32, Option<u32>) {
    let (mut least, mut any, mut at) = (0, false, 0);
    while at < counts.len() {
        assert!(!any, "`Rest` must be the last argument of a host function");
        match counts[at] {
            // One that may be null but stands before others must be given.
            ArgumentCount::One => least = at as u32 + 1,
            ArgumentCount::Optional => {}
            ArgumentCount::Any => any = true,
        }
        at += 1;
    }
    (least, if any { None } else { Some(counts.len() as u32) })
}

/// A call of a host function.
#[doc(hidden)]
pub struct HostFunctionCall<'a> {
    pub(crate) context: &'a mut Context,
    pub(crate) words: &'a [Word],
}

/// Why a call of a host function came to no result.
#[doc(hidden)]
#[derive(Debug)]
pub enum HostFault {
    Argument(WrongArgument),
    Error(HostError),
    /// The value whose method was called is not there.
    Gone,
}

/// Charges for a call of the host, and makes sure that there is memory for copies of its arguments.
pub(crate) fn begin_call(
    context: &mut Context,
    words: &[Word],
    depths: &[usize],
) -> Result<(), Fault> {
    // Nothing is converted that does not fit: the copies are the host's, but they are made at the script's word.
    let most = context.limits.memory / COPIED_PART;
    let mut parts = 0;
    for (at, word) in words.iter().enumerate() {
        let depth = depths[at.min(depths.len() - 1)];
        parts += View {
            context: &*context,
            word: *word,
        }
        .parts_of_copy(depth, most - parts.min(most));
    }
    context.charge(1 + parts);
    context.reserve(parts.saturating_mul(COPIED_PART))
}

/// Handles the result of a call of the host. `changed` is the value whose method it was.
pub(crate) fn end_call(
    context: &mut Context,
    name: &str,
    words: &[Word],
    outcome: Result<HostReturned, HostFault>,
    value: Option<Word>,
) -> Result<HostReturn, Fault> {
    match outcome {
        Ok(HostReturned(returned)) => Ok(returned),
        Err(HostFault::Argument(WrongArgument { at, error })) => {
            let word = words.get(at).copied().unwrap_or(Word::NULL);
            Err(match error {
                ValueError::Kind { expected, .. }
                    if word.is_kind(Kind::Host) && expected == context.host_noun(word) =>
                {
                    own_argument(context, name, word, value)
                }
                ValueError::Kind { expected, .. } => context.wrong_argument(name, &expected, word),
                error => Fault::error(
                    ErrorKind::Type,
                    format!("`{name}` cannot take argument {}: {error}", at + 1),
                ),
            })
        }
        Err(HostFault::Error(error)) => Err(Fault::error(ErrorKind::Host, error.0)),
        Err(HostFault::Gone) => Err(match value {
            Some(value) => context.gone(value),
            None => Fault::error(
                ErrorKind::Value,
                format!("`{name}` has no value to work on"),
            ),
        }),
    }
}

/// The error for a value of the right type of the host whose state is not there: it is being changed, or did not come
/// along into a clone of the run.
#[cold]
fn own_argument(context: &Context, name: &str, word: Word, value: Option<Word>) -> Fault {
    if value != Some(word) {
        return context.gone(word);
    }
    let message = format!("`{name}` cannot have the value that it changes as an argument");
    Fault::error(ErrorKind::Type, message).with_hint("`copy` it first")
}

/// The parameters of a host function that nobody has named: `a, b[, c]`.
pub(crate) fn unnamed_parameters(counts: &[ArgumentCount], least: u32) -> String {
    let mut out = String::new();
    for (at, (count, name)) in counts.iter().zip('a'..='p').enumerate() {
        let separator = if at > 0 { ", " } else { "" };
        match count {
            ArgumentCount::Any => out.push_str(&format!("{separator}...")),
            ArgumentCount::Optional if at as u32 >= least => {
                out.push_str(&format!("[{separator}{name}]"))
            }
            _ => out.push_str(&format!("{separator}{name}")),
        }
    }
    out
}
