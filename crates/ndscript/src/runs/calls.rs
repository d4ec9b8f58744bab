//! The calls that a run is in, with the variables of their functions.

use super::run::Run;
use crate::values::view::View;
use ndscript_base::source::Span;
use ndscript_machine::machine::Machine;

/// A call of a function of the program in progress, or the program itself.
#[derive(Clone, Debug)]
pub struct CallView<'a> {
    /// The name of the function; empty for a function value, `None` for the program itself.
    pub function: Option<&'a str>,
    /// Its current place: in the innermost call the next statement, in the others the call that they wait for.
    pub span: Option<Span>,
    /// Its variables that have a value, those of functions around it that it uses included.
    pub variables: Vec<(&'a str, View<'a>)>,
}

/// The latest calls, this many at most, with their variables.
pub(crate) fn calls_of(machine: &Machine, most: usize) -> Vec<CallView<'_>> {
    let view = |word| View {
        context: &machine.context,
        word,
    };
    let calls = machine.calls(most);
    let shown = calls.iter().map(|call| CallView {
        function: machine
            .is_function(call)
            .then(|| machine.function_name(call.function)),
        span: machine.place_of_call(call),
        variables: machine
            .variables(call)
            .into_iter()
            .map(|(name, word)| (name, view(word)))
            .collect(),
    });
    shown.collect()
}

impl Run {
    /// The calls of the program in progress, innermost first, at most `most`, with their variables. The last of all is
    /// the program itself, whose own variables are [global](Run::view_global), except those of its blocks.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ndscript::{Engine, Event, Moment};
    /// let program = Engine::new().compile("function double(x) { let y = x * 2; print(y); return y; } double(4);")?;
    /// let mut run = program.run(1);
    /// run.watch(1000, &mut |_: &Moment, event: &Event| match event {
    ///     Event::Print { .. } => ControlFlow::Break(()),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// let calls = run.calls(10);
    /// assert_eq!((calls.len(), calls[0].function, calls[1].function), (2, Some("double"), None));
    /// let shown: Vec<String> = calls[0].variables.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    /// assert_eq!(shown, ["x = 4", "y = 8"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn calls(&self, most: usize) -> Vec<CallView<'_>> {
        calls_of(&self.machine, most)
    }

    /// The number of calls in progress, including built-ins that call functions.
    pub fn depth(&self) -> usize {
        self.machine.active_calls()
    }
}
