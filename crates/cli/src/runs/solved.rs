//! A run that is at its first solution, for commands that look at what a program has made.

use ndscript::{LimitReached, Limits, Outcome, Run};

use super::account::stopped;
use crate::arguments::limits;
use crate::arguments::options::LimitOptions;
use crate::exit::{Exit, Stop};
use crate::terminal;
use crate::terminal::interrupt;

/// The result of a program.
pub enum Solved {
    /// The run at its first solution.
    Yes(Box<Run>),
    /// There is none, which was reported; with the reason, if the program gave one.
    No(Option<String>),
    Interrupted,
}

/// Runs a program to its first solution. Later questions to the run stop at the same limit of time.
///
/// # Errors
/// If it ends otherwise. `asks` says why it may not ask a question.
pub fn solved(
    mut run: Run,
    options: &LimitOptions,
    color: bool,
    asks: &'static str,
) -> Result<Solved, Stop> {
    if let Some(time) = options.timeout {
        run.set_limits(Limits {
            time,
            ..*run.limits()
        });
    }
    interrupt::watch(run.cancel_token());
    match run.resume(options.max_steps.unwrap_or(u64::MAX)) {
        Outcome::Solved(_) => Ok(Solved::Yes(Box::new(run))),
        Outcome::Failed => {
            let reason = run.failure_message();
            let message = reason.map(str::to_string);
            terminal::no_solution(reason);
            Ok(Solved::No(message))
        }
        Outcome::Error(error) => {
            terminal::show(&error.diagnostic, run.program().sources(), color);
            Err(Stop::silent(Exit::Error))
        }
        Outcome::Limit(LimitReached::Cancelled) => Ok(Solved::Interrupted),
        Outcome::Limit(limit) => Err(stopped(limit)),
        Outcome::OutOfFuel => Err(Stop::limit(
            "there was no solution after as many steps as --max-steps allows",
        )),
        Outcome::Waiting(_) => Err(Stop::error(limits::WAITS)),
        Outcome::Asked(_) => Err(Stop::error(asks)),
    }
}
