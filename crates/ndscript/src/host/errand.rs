//! Functions of the host that call functions of the script.

use std::sync::Arc;

use super::function::{HostOutput, HostResult, HostReturned, begin_call};
use super::host_type::{HostType, MemberDoc, TypeEntry};
use super::hosted::HostValue;
use crate::runs::call::{ArgumentWords, CallArguments};
use crate::values::convert::{FromValue, IntoValue, Maker};
use crate::values::value::Value;
use crate::values::view::View;
use ndscript_heap::Value as Word;
use ndscript_heap::outside::value_error::ValueError;
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::native::HostReturn;

/// The continuation of the host with a result.
type Then = dyn Fn(&mut Context, Word) -> Result<HostReturn, Fault> + Send + Sync;

/// Finds out what is called with what, in the run.
type Begin = dyn FnOnce(&mut Maker<'_>) -> Result<(Word, Vec<Word>), ValueError> + Send;

/// The return value of a host function that first calls a function of the script: which function, its arguments, and
/// how the host continues with the result. It may continue with another errand, so a host function is a small state
/// machine, whose states are closures.
///
/// The call runs on the run's own stack. Its choices are choices of the run: when the run fails later, the called
/// function gives its next result, and the host continues with that again, so closures must compute from what they
/// capture and change nothing outside. Fuel, limits, forks and errors with their calls work as everywhere. A run cannot
/// be saved in the middle of such a call, because closures cannot be saved:
/// [`SaveError::NoSaving`](crate::SaveError::NoSaving) names the type `errand`.
///
/// ```
/// use ndscript::{Engine, Errand, Value};
/// let engine = Engine::new()
///     // The simple case: the function is called for each of these, and the results are an array.
///     .with_function("forEachEnemy", |f: Value| Errand::each(f, ["orc", "bat"]))
///     .with_function("twice", |f: Value, x: i64| {
///         let again = f.clone();
///         Errand::call(f, (x,)).then(move |y: i64| Errand::call(again.clone(), (y,)))
///     })
///     .with_function("least", |f: Value| Errand::call(f, ()).then(|found: i64| found.min(10)));
/// let program = engine.compile(
///     "print(forEachEnemy(name => name + '!'), twice(x => x * 3, 2), ' ', least(() => choose(20, 4)));",
/// )?;
/// let texts: Vec<String> = program.run(1).map(|solution| solution.unwrap().text).collect();
/// assert_eq!(texts, ["[\"orc!\", \"bat!\"]18 10", "[\"orc!\", \"bat!\"]18 4"]);
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[must_use = "an errand is made when the host function returns it"]
pub struct Errand {
    begin: Box<Begin>,
    then: Arc<Then>,
}

impl Errand {
    /// A call of a function of the script, whose result is that of the host function.
    pub fn call(function: Value, arguments: impl CallArguments + Send + 'static) -> Errand {
        let begin = move |maker: &mut Maker<'_>| {
            let function = maker.word(&function)?;
            let mut words = Vec::new();
            arguments.put(&mut ArgumentWords {
                maker,
                words: &mut words,
            })?;
            Ok((function, words))
        };
        Errand {
            begin: Box::new(begin),
            then: Arc::new(|_, result| Ok(HostReturn::Value(result))),
        }
    }

    /// A call for each of several values, one after another; the result is the array of the results.
    pub fn each<T: IntoValue + Send + 'static>(
        function: Value,
        items: impl IntoIterator<Item = T>,
    ) -> Errand {
        let items: Vec<T> = items.into_iter().collect();
        let begin = move |maker: &mut Maker<'_>| {
            let items = maker.word(items)?;
            let function = maker.word(&function)?;
            let natives = &maker.context.natives;
            let map = natives.iter().position(|native| native.name == "map");
            let map = map.ok_or_else(|| ValueError::NotIncluded("map".to_string()))?;
            let map = Word::handle(ndscript_heap::Kind::Native, map as u32);
            Ok((map, vec![items, function]))
        };
        Errand {
            begin: Box::new(begin),
            then: Arc::new(|_, result| Ok(HostReturn::Value(result))),
        }
    }

    /// Sets how the host continues: with a value, alternatives, an error, or another errand. It replaces the result of
    /// an earlier `then`, so there is one for each call.
    pub fn then<Way: 'static, T: FromValue + 'static, Output: HostOutput<Way>>(
        self,
        continuation: impl Fn(T) -> Output + Send + Sync + 'static,
    ) -> Errand {
        let then = move |context: &mut Context, word: Word| {
            begin_call(context, &[word], &[T::DEPTH])?;
            let view = View {
                context: &*context,
                word,
            };
            let result = T::try_from_value(view).map_err(|error| {
                let message = format!(
                    "the host cannot use the result of the function that it called: {error}"
                );
                Fault::error(ErrorKind::Type, message)
            })?;
            match continuation(result).give_output(Maker::new(context)) {
                Ok(HostReturned(returned)) => Ok(returned),
                Err(error) => Err(Fault::error(ErrorKind::Host, error.0)),
            }
        };
        Errand {
            then: Arc::new(then),
            ..self
        }
    }
}

impl std::fmt::Debug for Errand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Errand").finish_non_exhaustive()
    }
}

impl HostResult for Errand {
    const CALLS_BACK: bool = true;

    fn give(self, mut maker: Maker<'_>) -> Result<HostReturned, ValueError> {
        let (function, arguments) = (self.begin)(&mut maker)?;
        let then = maker.word(Continuation(self.then))?;
        Ok(HostReturned(HostReturn::Errand {
            function,
            arguments,
            then: Word::method(then.payload(), 0),
        }))
    }
}

/// The continuation of the host as a value of the run: so it is stored, cloned and undone with the run.
#[derive(Clone)]
struct Continuation(Arc<Then>);

impl HostValue for Continuation {
    const NAME: &'static str = "errand";
}

impl TypeEntry {
    /// The type of continuations. Their only method continues.
    pub fn errand() -> TypeEntry {
        let resume = |context: &mut Context, value: Word, words: &[Word]| {
            let state = context.heap.host_state(value);
            let continuation = state.and_then(|state| state.downcast_ref::<Continuation>());
            let Some(Continuation(then)) = continuation.cloned() else {
                return Err(context.gone(value));
            };
            then(context, words.first().copied().unwrap_or(Word::NULL))
        };
        let doc = MemberDoc {
            changes: false,
            is_sign: true,
            parameters: "".into(),
            doc: "".into(),
        };
        HostType::<Continuation>::new()
            .cloned()
            .member("then", (1, Some(1)), false, Arc::new(resume), doc)
            .entry()
    }
}
