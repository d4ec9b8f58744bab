//! How a host reads and changes its values in a run.

use super::{HostValue, noun};
use crate::runs::run::Run;
use crate::values::value::Value;
use crate::values::view::View;
use ndscript_heap::Value as Word;
use ndscript_heap::outside::value_error::ValueError;
use ndscript_machine::natives::context::Context;

impl Run {
    /// A value of a type of the host itself.
    ///
    /// ```
    /// use ndscript::{Engine, HostType, HostValue};
    ///
    /// struct Hero { health: i64 }
    /// impl HostValue for Hero { const NAME: &'static str = "hero"; }
    ///
    /// let kind = HostType::<Hero>::new().method_mut("hit", |hero: &mut Hero, by: i64| {
    ///     hero.health -= by;
    ///     Ok(hero.health)
    /// });
    /// let program = Engine::new().with_type(kind).compile("hero.hit(3);")?;
    /// let mut run = program.run(1);
    /// run.set_global("hero", Hero { health: 10 })?;
    /// run.next().unwrap()?;
    /// let hero = run.global("hero").unwrap();
    /// assert_eq!(run.host_value::<Hero>(&hero)?.health, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ValueError::OtherRun`], and [`ValueError::Kind`] if it is something else.
    pub fn host_value<T: HostValue>(&self, value: &Value) -> Result<&T, ValueError> {
        let view = self.view(value)?;
        view.as_host().ok_or_else(|| view.not(noun::<T>()))
    }

    /// Changes a value of a type of the host. As with a changing method of the script, the change is undone when the
    /// run backtracks to an earlier guess, if the type has an undo.
    ///
    /// ```
    /// # use ndscript::{Engine, HostType, HostValue};
    /// # #[derive(Clone)]
    /// # struct Hero { health: i64 }
    /// # impl HostValue for Hero { const NAME: &'static str = "hero"; }
    /// # let kind = HostType::<Hero>::new().cloned().getter("health", |hero: &Hero| Ok(hero.health));
    /// let program = Engine::new().with_type(kind).compile("let turn = choose(1, 2); print(hero.health);")?;
    /// let mut run = program.run(1);
    /// run.set_global("hero", Hero { health: 10 })?;
    /// assert_eq!(run.next().unwrap()?.text, "10");
    /// let hero = run.global("hero").unwrap();
    /// run.change_host_value(&hero, |hero: &mut Hero| hero.health = 1)?;
    /// assert_eq!(run.next().unwrap()?.text, "10", "the second turn goes back behind the change");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Run::host_value`]; [`ValueError::CannotBeSet`] for an element of a set; [`ValueError::Limit`] if there is
    /// not enough memory to undo the change.
    pub fn change_host_value<T: HostValue, R>(
        &mut self,
        value: &Value,
        change: impl FnOnce(&mut T) -> R,
    ) -> Result<R, ValueError> {
        self.host_value::<T>(value)?;
        let word = self.view(value)?.word;
        let logged = self.machine.context.heap.bytes_of_log(word);
        self.machine
            .room_for_host(logged)
            .map_err(ValueError::Limit)?;
        change_state(&mut self.machine.context, word, change)
    }
}

/// Changes the state of a value that is there.
fn change_state<T: HostValue, R>(
    context: &mut Context,
    word: Word,
    change: impl FnOnce(&mut T) -> R,
) -> Result<R, ValueError> {
    if context.heap.is_frozen_host(word) {
        return Err(ValueError::CannotBeSet(context.brief(word)));
    }
    let not = |context: &Context| View { context, word }.not(noun::<T>());
    let Some(mut state) = context.heap.take_state(word) else {
        return Err(not(context));
    };
    let result = state.downcast_mut().map(change);
    context.heap.put_state(word, state);
    result.ok_or_else(|| not(context))
}
