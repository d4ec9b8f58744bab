//! Types of serde in and out of runs, through [`Data`].

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::convert::{FromValue, IntoValue, Made, Maker};
use super::value::Value;
use super::view::View;
use crate::runs::run::Run;
use ndscript_heap::outside::data::Data;
use ndscript_heap::outside::value_error::ValueError;

impl Run {
    /// Makes a value of any type that serde can take apart; see [`Data::of`].
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// let program = ndscript::Engine::new().compile("function total(prices) { return sum(valuesOf(prices)); }")?;
    /// let mut run = program.run(1);
    /// let prices = run.to_value(&BTreeMap::from([("rope", 2), ("lamp", 5)]))?;
    /// let total = run.call("total", (&prices,))?.next().unwrap()?;
    /// assert_eq!(run.from_value::<u32>(&total)?, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Data::of`].
    pub fn to_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<Value, ValueError> {
        self.make(Data::of(value)?)
    }

    /// A value of this run as any type that serde can put together; see [`Data::to`].
    ///
    /// # Errors
    /// [`ValueError::OtherRun`]; [`ValueError::ContainsItself`], [`ValueError::TooDeep`] and [`ValueError::TooLarge`] if
    /// it has no data; else as [`Data::to`].
    pub fn from_value<T: DeserializeOwned>(&self, value: &Value) -> Result<T, ValueError> {
        self.view(value)?.whole_data()?.to()
    }
}

/// Any type of serde, where values go in or out: arguments and results of host functions, arguments of calls, globals.
///
/// ```
/// use ndscript::{Engine, Serde};
/// let engine = Engine::new().with_function("swap", |Serde((a, b)): Serde<(String, Option<bool>)>| Ok(Serde((b, a))));
/// let program = engine.compile("print(swap([\"x\", null]));")?;
/// assert_eq!(program.run(1).next().unwrap().unwrap().text, "[null, \"x\"]");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Serde<T>(pub T);

impl<T: DeserializeOwned> FromValue for Serde<T> {
    const EXPECTED: &'static str = "data of the right form";

    fn from_value(view: View<'_>) -> Option<Serde<T>> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<Serde<T>, ValueError> {
        view.whole_data()?.to().map(Serde)
    }
}

impl<T: Serialize> IntoValue for Serde<T> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        Data::of(&self.0)?.into_value(maker)
    }
}
