//! Alternatives that a function of the host returns.

use std::sync::Arc;

use super::function::{Charged, HostError, HostResult, HostReturned};
use crate::values::convert::{IntoValue, Maker};
use ndscript_heap::outside::value_error::ValueError;
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::native::{HostReturn, MakeAlternative};

/// Alternatives that a host function returns: a choice of the script. One of them is the result of the call; the
/// others are what the run goes back to when it fails. Without any the call itself fails.
///
/// They are values of the run by then, so a run that has some of them open can be cloned and saved. Where there are many, or
/// each is much work, [`Choices::lazily`] makes one at a time.
///
/// ```
/// use ndscript::{Choices, Engine};
/// let engine = Engine::new()
///     .with_function("exits", |room: i64| Ok(Choices::in_order(vec![room - 1, room + 1, room * 2])))
///     .with_function("dice", || Ok(Choices::shuffled(vec![1, 2, 3, 4, 5, 6])));
/// let program = engine.compile("var room = exits(exits(3)); require(room == 8); print(room, \" \", dice());")?;
/// let mut texts: Vec<String> = program.run(1).map(|solution| solution.unwrap().text).collect();
/// texts.sort();
/// assert_eq!(texts, ["8 1", "8 2", "8 3", "8 4", "8 5", "8 6"]);
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Choices<T>(Alternatives<T>);

#[derive(Clone, Debug)]
enum Alternatives<T> {
    Listed { list: Vec<T>, ordered: bool },
    Made(MakeAlternative),
}

impl<T> Choices<T> {
    /// Alternatives to be tried in this order, as those of `choose first`.
    pub fn in_order(alternatives: impl IntoIterator<Item = T>) -> Choices<T> {
        Choices(Alternatives::Listed {
            list: alternatives.into_iter().collect(),
            ordered: true,
        })
    }

    /// Alternatives to be tried in a random order, as those of `chooseElement`. The run's own generator draws it.
    pub fn shuffled(alternatives: impl IntoIterator<Item = T>) -> Choices<T> {
        Choices(Alternatives::Listed {
            list: alternatives.into_iter().collect(),
            ordered: false,
        })
    }

    /// Alternatives in order, each made when the search asks for it: the closure gets their numbers, from 0, and returns
    /// `None` when there are no more. There may be no end.
    ///
    /// A search that goes back forgets them, and nothing of the host is kept: for each alternative the host function is
    /// called again with the same arguments, and its closure with the next number. So both must be functions of what they
    /// get, without other state; then clones and restored runs find the same alternatives. A function that gives something
    /// else than `lazily` at a later call is an error of the script. The first call makes the first alternative.
    ///
    /// ```
    /// use ndscript::{Choices, Engine};
    /// let engine = Engine::new().with_function("multiple", |of: u64| Choices::lazily(move |number| Some(of * (number + 1))));
    /// let program = engine.compile("var x = multiple(7); require(x % 10 == 1 && x > 100); return x;")?;
    /// let mut run = program.run(1);
    /// assert_eq!(run.next().unwrap()?.value, 161.into());
    /// let mut restored = engine.restore(&program, &run.save()?)?;
    /// assert_eq!(restored.next().unwrap()?.value, 231.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// For a random order let the script draw the number: `nth(chooseElement(range(1000)))`.
    pub fn lazily(alternative: impl Fn(u64) -> Option<T> + Send + Sync + 'static) -> Choices<T>
    where
        T: IntoValue,
    {
        Choices::try_lazily(move |number| Ok(alternative(number)))
    }

    /// As [`Choices::lazily`]; making an alternative may be an error.
    pub fn try_lazily(
        alternative: impl Fn(u64) -> Result<Option<T>, HostError> + Send + Sync + 'static,
    ) -> Choices<T>
    where
        T: IntoValue,
    {
        Choices::try_lazily_charged(move |number| {
            let result = alternative(number)?;
            Ok(Charged { steps: 0, result })
        })
    }

    /// As [`Choices::try_lazily`]; each alternative says what it has cost, and so does the end.
    pub fn try_lazily_charged(
        alternative: impl Fn(u64) -> Result<Charged<Option<T>>, HostError> + Send + Sync + 'static,
    ) -> Choices<T>
    where
        T: IntoValue,
    {
        let make = move |context: &mut Context, number: u64| {
            let made = alternative(number).and_then(|made| {
                let mut maker = Maker::new(context);
                made.charge(&mut maker);
                let word = made.result.map(|made| maker.word(made));
                Ok(word.transpose()?)
            });
            made.map_err(|error| Fault::error(ErrorKind::Host, error.0))
        };
        Choices(Alternatives::Made(MakeAlternative(Arc::new(make))))
    }
}

impl<T: IntoValue> HostResult for Choices<T> {
    const CALLS_BACK: bool = true;

    fn give(self, mut maker: Maker<'_>) -> Result<HostReturned, ValueError> {
        let (list, ordered) = match self.0 {
            Alternatives::Listed { list, ordered } => (list, ordered),
            Alternatives::Made(make) => return Ok(HostReturned(HostReturn::Alternatives(make))),
        };
        let mut alternatives = Vec::with_capacity(list.len());
        for alternative in list {
            alternatives.push(maker.word(alternative)?);
        }
        Ok(HostReturned(HostReturn::Choices {
            alternatives,
            ordered,
        }))
    }
}
