//! Handles to values: made, read, and turned into data.

use super::convert::{FromValue, IntoValue, make};
use super::value::Value;
use super::view::View;
use crate::runs::run::Run;
use ndscript_heap::outside::data::Data;
use ndscript_heap::outside::value_error::ValueError;

impl Run {
    /// Makes a value in this run.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("var stock;")?;
    /// let mut run = program.run(1);
    /// let stock = run.make(vec!["rope", "lamp"])?;
    /// run.set_global("stock", &stock)?;
    /// assert_eq!(run.data(&stock)?.to_string(), "[\"rope\", \"lamp\"]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`IntoValue`]; [`ValueError::Limit`] if the run would need more memory than it may have; then the value
    /// was not made.
    pub fn make(&mut self, value: impl IntoValue) -> Result<Value, ValueError> {
        self.machine.finish_collection();
        let word = make(&mut self.machine.context, value)?;
        let made = Value(self.machine.context.roots.hold(word));
        self.machine.room_for_host(0).map_err(ValueError::Limit)?;
        Ok(made)
    }

    /// A look at a value of this run, without copying anything.
    ///
    /// # Errors
    /// [`ValueError::OtherRun`].
    pub fn view(&self, value: &Value) -> Result<View<'_>, ValueError> {
        let context = &self.machine.context;
        context
            .roots
            .value(&value.0)
            .map(|word| View { context, word })
            .ok_or(ValueError::OtherRun)
    }

    /// A value of this run as a type of Rust.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("var s = setOf(2, 1);")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let s = run.global("s").unwrap();
    /// assert_eq!(run.read::<Vec<i64>>(&s)?, [1, 2]);
    /// assert_eq!(run.read::<String>(&s).unwrap_err().to_string(), "expected a string, not {1, 2} (a set)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ValueError::OtherRun`], and [`ValueError::Kind`] if it is of another kind.
    pub fn read<T: FromValue>(&self, value: &Value) -> Result<T, ValueError> {
        self.view(value)?.read()
    }

    /// A value of this run as it is now, outside of the run; see [`View::data`] for what is left out.
    ///
    /// # Errors
    /// [`ValueError::OtherRun`].
    pub fn data(&self, value: &Value) -> Result<Data, ValueError> {
        Ok(self.view(value)?.data())
    }

    /// The text of a value of this run, as `print` shows it.
    ///
    /// # Errors
    /// [`ValueError::OtherRun`].
    pub fn text_of(&self, value: &Value) -> Result<String, ValueError> {
        Ok(self.view(value)?.to_string())
    }
}
