//! One search through a program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::outcome::{Outcome, PlacedPicture, Question, RunError, Solution};
use crate::vm::context::Context;
use crate::vm::machine::{Exit, Machine, Statistics};

/// A search: resumed with fuel, it yields solutions one after another. A clone goes on independently from the same
/// state; both find the same.
///
/// ```
/// use ndscript::{Engine, Outcome};
/// let program = Engine::new().compile("var n = 0; while (n < 1000) n = n + 1; print(n);")?;
/// let mut run = program.run(1);
/// let mut pauses = 0;
/// let solution = loop {
///     match run.resume(100) {
///         Outcome::OutOfFuel => pauses += 1,
///         Outcome::Solved(solution) => break solution,
///         other => panic!("{other:?}"),
///     }
/// };
/// assert_eq!(solution.text, "1000");
/// assert!(pauses >= 9);
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone)]
pub struct Run {
    machine: Machine,
    cancelled: Arc<AtomicBool>,
}

/// Ends a run from another thread.
#[derive(Clone)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Lets the run end at its next check with [`LimitReached::Cancelled`](crate::LimitReached::Cancelled).
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Run {
    pub(super) fn new(context: Context) -> Run {
        let cancelled = Arc::new(AtomicBool::new(false));
        Run { machine: Machine::new(context, cancelled.clone()), cancelled }
    }

    /// Goes on for at most so many steps.
    pub fn resume(&mut self, fuel: u64) -> Outcome {
        match self.machine.resume(fuel) {
            Exit::Solved(value) => {
                let (text, pictures) = self.pending_output();
                Outcome::Solved(Solution { value: self.machine.display(value), text, pictures })
            }
            Exit::OutOfFuel => Outcome::OutOfFuel,
            Exit::Asked => {
                let (text, pictures) = self.pending_output();
                let (prompt, options) = self.machine.question().unwrap_or_default();
                Outcome::Asked(Question { prompt, options, text, pictures })
            }
            Exit::Failed => Outcome::Failed,
            Exit::Error(error) => Outcome::Error(error),
            Exit::Limit(limit) => Outcome::Limit(limit),
        }
    }

    /// The next solution, however long it takes; `None` if there is none.
    pub fn next_solution(&mut self) -> Option<Result<Solution, RunError>> {
        loop {
            match self.resume(u64::MAX) {
                Outcome::Solved(solution) => return Some(Ok(solution)),
                Outcome::OutOfFuel => {}
                Outcome::Asked(question) => return Some(Err(RunError::Question(question))),
                Outcome::Failed => return None,
                Outcome::Error(error) => return Some(Err(RunError::Script(error))),
                Outcome::Limit(limit) => return Some(Err(RunError::Limit(limit))),
            }
        }
    }

    /// Answers a question with the number of one of its options, counted from 0; false if there is no such option
    /// or no such question.
    pub fn answer(&mut self, option: usize) -> bool {
        self.machine.answer_option(option)
    }

    /// Answers a question that wants a line; false if there is none.
    pub fn answer_text(&mut self, line: &str) -> bool {
        self.machine.answer_line(line)
    }

    /// What the current branch has printed since the last question.
    pub fn pending_output(&self) -> (String, Vec<PlacedPicture>) {
        let output = &self.machine.context.output;
        output.behind(output.handed_over)
    }

    /// What the run has done so far.
    pub fn statistics(&self) -> Statistics {
        self.machine.statistics
    }

    /// How many choice points are open.
    pub fn open_choices(&self) -> usize {
        self.machine.open_choices()
    }

    /// A token that ends the run from anywhere.
    pub fn cancel_token(&self) -> CancelToken {
        CancelToken(self.cancelled.clone())
    }

    /// Lets every failure check that it restored exactly what there was, and panic if not: for tests of the machine.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub fn verify_backtracking(&mut self) {
        self.machine.verify_backtracking();
    }

    /// The value of a global variable as text; `None` if it has none.
    pub fn global(&mut self, name: &str) -> Option<String> {
        let value = self.machine.global(name)?;
        Some(self.machine.display(value))
    }
}

impl Iterator for Run {
    type Item = Result<Solution, RunError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_solution()
    }
}
