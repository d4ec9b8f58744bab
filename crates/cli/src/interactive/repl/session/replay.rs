//! A program that a session was made into, run as the session was.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use ndscript::{Event, Moment, Observer, Outcome, Run, Solution, Target, Wanted};

use super::Session;
use super::state::{GivenSeed, PersonAnswer};
use crate::terminal::interrupt::fork;

/// The variable by which a program marks that it has reached an input before which it is reseeded.
pub const MARK: &str = "noted__input";

/// Stops a run when it reaches a mark.
struct Marks {
    next: Option<usize>,
    is_there: bool,
}

impl Observer for Marks {
    fn observe(&mut self, _: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Write {
            target: Target::Variable(name),
            value,
        } = event
            && *name == MARK
            && value.as_i64().and_then(|mark| usize::try_from(mark).ok()) == self.next
        {
            self.is_there = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            reasons: false,
            ..Wanted::default()
        }
    }
}

impl Session {
    /// Runs a program with a seed and the session's parameters and answers; returns its end. `None` if it finds no
    /// solution in this many steps.
    pub fn replay(&self, name: &str, text: &str, seed: u64, steps: u64) -> Option<(Run, Solution)> {
        self.replay_by(name, text, seed, steps, |run, fuel| run.resume(fuel))
    }

    /// Runs a program likewise with the seeds of the session: when the program reaches a mark for the first time, it
    /// continues with the seed that was given there.
    pub fn replay_with_seeds(&self, name: &str, text: &str, steps: u64) -> Option<(Run, Solution)> {
        let (first, later) = self.state.seeds.split_first()?;
        let mut later: VecDeque<GivenSeed> = later.iter().copied().collect();
        self.replay_by(name, text, first.seed, steps, |run, fuel| {
            let mut marks = Marks {
                next: later.front().map(|seeding| seeding.inputs),
                is_there: false,
            };
            let outcome = if marks.next.is_some() {
                run.watch(fuel, &mut marks)
            } else {
                run.resume(fuel)
            };
            if marks.is_there
                && let Some(seeding) = later.pop_front()
            {
                run.reseed(seeding.seed);
            }
            outcome
        })
    }

    /// Runs an input again from the beginning of the session, with the answers that the person gave.
    fn replay_by(
        &self,
        name: &str,
        text: &str,
        seed: u64,
        steps: u64,
        mut resume: impl FnMut(&mut Run, u64) -> Outcome,
    ) -> Option<(Run, Solution)> {
        let program = self.empty.extend(name, text).ok()?;
        let mut run = fork(&self.beginning);
        run.keep_globals(true);
        run.reseed(seed);
        run.extend(&program).ok()?;
        let mut answers = self.state.answers.iter();
        loop {
            let left = steps.saturating_sub(run.statistics().steps);
            match resume(&mut run, left) {
                Outcome::Solved(solution) => return Some((run, solution)),
                Outcome::Asked(_) => match answers.next()? {
                    PersonAnswer::Option(option) => drop(run.answer(*option)),
                    PersonAnswer::Line(line) => drop(run.answer_text(line)),
                    PersonAnswer::Nothing | PersonAnswer::Interrupted => return None,
                },
                Outcome::OutOfFuel if run.statistics().steps < steps => {}
                Outcome::OutOfFuel
                | Outcome::Waiting(_)
                | Outcome::Failed
                | Outcome::Error(_)
                | Outcome::Limit(_) => {
                    return None;
                }
            }
        }
    }
}
