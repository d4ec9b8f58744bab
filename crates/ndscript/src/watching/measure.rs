//! The steps of a watched run, by calls.

use std::sync::Arc;

use crate::runs::run::Run;
use ndscript_base::source::Span;
use ndscript_machine::host::profile::Measurements;

/// A function, called on one path: from the program itself, or from another function on its path.
#[derive(Clone, Debug)]
pub struct MeasuredCall {
    /// From where, by its place in [`Measurement::calls`], which is an earlier one; `None` of the program itself.
    pub parent: Option<usize>,
    /// Its name; empty for a function value, and for the program itself.
    pub name: Arc<str>,
    /// Where the function stands in the program; `None` of built-ins, and of the program itself.
    pub span: Option<Span>,
    /// The number of calls on this path.
    pub calls: u64,
    /// The steps in it, without those in the functions that it called.
    pub steps: u64,
}

/// The result of [`Run::measure`].
#[derive(Clone, Debug, Default)]
pub struct Measurement {
    /// Places of the program, in the order of the text, and the steps at each: also those in built-ins that it called.
    /// They sum up to the steps of the run.
    pub places: Vec<(Span, u64)>,
    /// The calls of functions, by path. Their steps sum up to those of the run, too.
    pub calls: Vec<MeasuredCall>,
}

impl Run {
    /// Measures from now on what steps are spent on, while the run is watched ([`Run::watch`]).
    ///
    /// ```
    /// use ndscript::{Engine, Event, Moment};
    /// use std::ops::ControlFlow;
    /// let script = "function f(n) { return n * 2; }\nlet x = 0;\nwhile (x < 100) x = f(x) + 1;";
    /// let mut run = Engine::new().compile(script)?.run(1);
    /// run.measure();
    /// run.watch(u64::MAX, &mut |_: &Moment, _: &Event| ControlFlow::Continue(()));
    /// let found = run.measurement();
    /// let steps = run.statistics().steps;
    /// assert_eq!(found.places.iter().map(|place| place.1).sum::<u64>(), steps);
    /// assert_eq!(found.calls.iter().map(|call| call.steps).sum::<u64>(), steps);
    /// assert_eq!((&*found.calls[1].name, found.calls[1].calls), ("f", 7));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn measure(&mut self) {
        self.watch.measured = Some(Box::new(Measurements::new(&self.machine)));
    }

    /// The measurement so far; empty without [`Run::measure`].
    pub fn measurement(&mut self) -> Measurement {
        let Some(measured) = &mut self.watch.measured else {
            return Measurement::default();
        };
        measured.settle(self.machine.steps_now());
        let code = &self.machine.context.code;
        let mut places: Vec<(Span, u64)> = Vec::new();
        let spent = measured
            .steps
            .iter()
            .enumerate()
            .filter(|(_, steps)| **steps > 0);
        let mut all: Vec<(Span, u64)> = spent
            .map(|(at, steps)| (code.spans.get(at).copied().unwrap_or_default(), *steps))
            .collect();
        all.sort();
        for (span, steps) in all {
            match places.last_mut() {
                Some((last, sum)) if *last == span => *sum += steps,
                _ => places.push((span, steps)),
            }
        }
        let calls = measured.calls.iter().map(|call| {
            let function = call.function.map(|number| &code.functions[number as usize]);
            let (name, span) = match function {
                Some(function) if function.prelude => {
                    (self.machine.built_in_name(call.function), None)
                }
                Some(function) => (function.name.clone(), Some(function.span)),
                None => (None, None),
            };
            MeasuredCall {
                parent: call.parent.map(|parent| parent as usize),
                name: name.unwrap_or_else(|| "".into()),
                span,
                calls: call.calls,
                steps: call.steps,
            }
        });
        Measurement {
            places,
            calls: calls.collect(),
        }
    }

    /// The place in the program where the run stands, if it does: of a built-in, where that was called.
    pub fn place(&self) -> Option<Span> {
        self.machine.place()
    }
}
