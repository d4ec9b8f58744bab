//! Hot reload: a new version of a program takes the place of the one that runs.

use std::sync::Arc;

use super::run::Run;
use crate::values::view::View;
use ndscript_heap::outside::data::Data;

/// What happened to global variables when their program was replaced, see [`Run::reload_from`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reloaded {
    /// Those whose values the new run has now.
    pub kept: Vec<Arc<str>>,
    /// The variables whose values were dropped, each with the reason.
    pub dropped: Vec<(Arc<str>, String)>,
}

impl Run {
    /// Copies the values of global variables from a run of an earlier version of the program: those for which
    /// `is_state` is true. So the values that the script computes with (prices, speeds, functions) are those of the new
    /// version; the state of the game stays.
    ///
    /// This run should be where it is to continue: at its first solution, or at a question. The earlier run does not
    /// change. The copies are like assignments of the script: undone when the run backtracks to an earlier guess.
    /// Choices of the earlier run are not open here. Each variable is copied by itself: two that shared a collection
    /// have one each afterwards.
    ///
    /// Dropped are variables that the new version does not have, or has as a function or a constant; values with
    /// functions inside; and boards with constraints, because these belong to the version that posted them.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let engine = Engine::new();
    /// let mut old = engine.compile("let gold = 30, price = 10, lives = 3; function buy() { gold = gold - price; }")?.run(1);
    /// old.next();
    /// old.call("buy", ())?.next();
    ///
    /// let mut new = engine.compile("let gold = 30, price = 4; function buy() { gold = gold - price; }")?.run(1);
    /// new.next();
    /// let done = new.reload_from(&old, |name| name != "price");
    /// assert_eq!(done.kept, ["gold".into()]);
    /// assert_eq!(done.dropped[0].0, "lives".into());
    /// new.call("buy", ())?.next();
    /// let gold = new.global("gold").unwrap();
    /// assert_eq!(new.read::<i64>(&gold)?, 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reload_from(&mut self, old: &Run, is_state: impl Fn(&str) -> bool) -> Reloaded {
        let mut done = Reloaded::default();
        for (name, value) in old.view_globals().filter(|(name, _)| is_state(name)) {
            match self.take_over(old, name, value) {
                Ok(()) => done.kept.push(name.into()),
                Err(why) => done.dropped.push((name.into(), why)),
            }
        }
        done
    }

    fn take_over(&mut self, old: &Run, name: &str, value: View<'_>) -> Result<(), String> {
        if value.is_constrained() {
            return Err(
                "it is a board with constraints, which belong to the earlier version".into(),
            );
        }
        let data = old.read::<Data>(&value.hold());
        let data = data.map_err(|error| error.to_string())?;
        self.set_global(name, data)
            .map_err(|error| error.to_string())
    }
}
