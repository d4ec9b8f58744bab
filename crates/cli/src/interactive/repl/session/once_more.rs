//! Runs through a session again, for commands that examine it: `:trace`, `:tree`, `:why`, `:back`.

use std::ops::ControlFlow;

use ndscript::{Answer, Event, LimitReached, Moment, Observer, Outcome, Run, Wanted, When};

use super::attempt::{Attempt, AttemptKind};
use super::state::{GivenSeed, Input, PersonAnswer, State};
use super::{SLICE, Session};
use crate::terminal::interrupt::fork;

/// The end of a repeated run.
struct Goal<'a> {
    inputs: &'a [Input],
    answers: &'a [PersonAnswer],
    seeds: &'a [GivenSeed],
    /// It fails on the way, as it did in this attempt.
    attempt: Option<&'a Attempt>,
}

impl<'a> Goal<'a> {
    fn of(state: &'a State) -> Goal<'a> {
        Goal {
            inputs: &state.inputs,
            answers: &state.answers,
            seeds: &state.seeds,
            attempt: None,
        }
    }

    fn of_attempt(attempt: &'a Attempt) -> Goal<'a> {
        let Attempt {
            inputs,
            answers,
            seeds,
            ..
        } = attempt;
        Goal {
            inputs,
            answers,
            seeds,
            attempt: Some(attempt),
        }
    }
}

/// A run from one state of a session to the next.
struct Walk<'a> {
    run: Run,
    to: Goal<'a>,
    /// The number of answers given.
    answered: usize,
    /// How often the latest input has begun. After each but the last time, a failure has backtracked before it.
    starts: usize,
    /// The moment before the last failure in the latest input.
    failed: Option<When>,
    /// The moment at which it stops, if it gets there.
    stop: Option<When>,
}

impl<'a> Walk<'a> {
    fn new(from: &State, to: Goal<'a>) -> Walk<'a> {
        let mut run = fork(&from.run);
        run.go_once_more();
        Walk {
            run,
            to,
            answered: from.answers.len(),
            starts: 0,
            failed: None,
            stop: None,
        }
    }

    /// Continues with a run from the beginning of the next stretch.
    fn continue_from(run: Run, from: &State, to: Goal<'a>) -> Walk<'a> {
        Walk {
            run,
            to,
            answered: from.answers.len(),
            starts: 0,
            failed: None,
            stop: None,
        }
    }

    fn begin(&mut self, number: usize) -> Result<(), String> {
        let Some(input) = self.to.inputs.get(number) else {
            return Ok(());
        };
        self.starts += usize::from(number + 1 == self.to.inputs.len());
        input.begin_once_more(&mut self.run)
    }

    /// Goes to the end, or until the latest input has begun this many times.
    fn go(
        &mut self,
        from: &State,
        until: usize,
        observer: &mut dyn Observer,
    ) -> Result<(), String> {
        let last = self.to.inputs.len();
        self.begin(from.inputs.len())?;
        let stays = self
            .to
            .attempt
            .is_some_and(|attempt| attempt.kind == AttemptKind::Next);
        let mut observer = Inputs {
            observer,
            last,
            stays,
            at: self.run.input(),
            failed: None,
            has_left: false,
        };
        while self.starts < until {
            observer.at = self.run.input();
            let left = match self.to.attempt.and_then(|attempt| attempt.stopped_at) {
                Some(step) => step.saturating_sub(self.run.statistics().steps),
                None => SLICE,
            };
            if left == 0 {
                return Ok(());
            }
            let outcome = self
                .run
                .watch_until(left.min(SLICE), self.stop, &mut observer);
            self.failed = observer.failed.or(self.failed);
            if observer.has_left {
                return Ok(());
            }
            match outcome {
                Outcome::OutOfFuel if self.stop.is_some_and(|stop| self.run.when() >= stop) => {
                    return Ok(());
                }
                Outcome::OutOfFuel => {}
                Outcome::Solved(_) if self.run.input() > last => {
                    // A seed was given when it stood there.
                    if let Some(latest) = self
                        .to
                        .seeds
                        .last()
                        .filter(|latest| from.seeds.last() != Some(latest))
                    {
                        self.run.reseed(latest.seed);
                    }
                    return Ok(());
                }
                Outcome::Solved(_) => self.begin(self.run.input() - 1)?,
                Outcome::Waiting(_) => return Err(crate::arguments::limits::WAITS.to_string()),
                Outcome::Asked(_) => {
                    let is_answered = match self.to.answers.get(self.answered) {
                        Some(PersonAnswer::Option(option)) => self.run.answer(*option),
                        Some(PersonAnswer::Line(line)) => self.run.answer_text(line),
                        // The run got stuck there.
                        _ if self.to.attempt.is_some() => return Ok(()),
                        _ => false,
                    };
                    if !is_answered {
                        return Err("an answer is not known any more".to_string());
                    }
                    self.answered += 1;
                }
                Outcome::Limit(LimitReached::Cancelled) => return Err("interrupted".to_string()),
                _ if self.to.attempt.is_some() => return Ok(()),
                _ => return Err("the way there is not found once more".to_string()),
            }
        }
        Ok(())
    }

    /// The answers that were not given yet.
    fn answers(&self) -> Vec<Answer> {
        let answers = self.to.answers.iter().skip(self.answered);
        let known = |answer: &PersonAnswer| match answer {
            PersonAnswer::Option(option) => Some(Answer::Option(*option)),
            PersonAnswer::Line(line) => Some(Answer::Line(line.clone())),
            PersonAnswer::Nothing | PersonAnswer::Interrupted => None,
        };
        answers.map_while(known).collect()
    }
}

/// Reports only the end of the latest input as a solution: a path to the end of an earlier one may still fail.
struct Inputs<'a> {
    observer: &'a mut dyn Observer,
    last: usize,
    /// Whether it ends when a failure backtracks into an earlier input, and whether one has.
    stays: bool,
    has_left: bool,
    /// The input that the run is in.
    at: usize,
    failed: Option<When>,
}

impl Observer for Inputs<'_> {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        // A failure is reported when the run is back in the input in which it continues.
        let in_latest = std::mem::replace(&mut self.at, moment.input()) > self.last;
        if in_latest && matches!(event, Event::Fail { .. }) {
            self.failed = Some(moment.began());
        }
        if self.stays && self.at <= self.last {
            self.has_left = true;
            if in_latest && matches!(event, Event::Fail { .. }) {
                let _ = self.observer.observe(moment, event);
            }
            return ControlFlow::Break(());
        }
        match event {
            Event::Solution { .. } if moment.input() <= self.last => ControlFlow::Continue(()),
            // The run has found solutions of earlier inputs, but none of the latest.
            Event::End {
                result: "solution",
                why,
            } => self.observer.observe(
                moment,
                &Event::End {
                    result: "no solution",
                    why: *why,
                },
            ),
            _ => self.observer.observe(moment, event),
        }
    }

    fn wanted(&self) -> Wanted {
        // Failures tell the place of a run.
        Wanted {
            choices: true,
            ..self.observer.wanted()
        }
    }

    fn traced(&self) -> Option<(&str, usize)> {
        self.observer.traced()
    }
}

/// Observes nothing.
struct SilentObserver;

impl Observer for SilentObserver {
    fn observe(&mut self, _: &Moment<'_>, _: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted::NOTHING
    }
}

/// A run where the latest input begins for the last time, and what was answered from there on.
pub struct LastPass {
    pub run: Run,
    pub answers: Vec<Answer>,
}

impl Session {
    /// The stored states up to the present one. States from before `:clear` and `:reload` are not among them.
    fn stored_states(&self) -> Vec<&State> {
        let mut states: Vec<&State> = Vec::new();
        for state in self.earlier.iter().chain([&self.state]) {
            if states
                .last()
                .is_some_and(|last| state.inputs.len() < last.inputs.len())
            {
                let steps = state.run.statistics().steps;
                let is_same = |known: &&State| {
                    known.inputs.len() == state.inputs.len()
                        && known.run.statistics().steps == steps
                };
                states.truncate(states.iter().position(is_same).unwrap_or(0));
            }
            states.push(state);
        }
        states
    }

    /// Whether these states begin where no choice was open.
    pub fn has_all_states(&self) -> bool {
        self.stored_states()[0].run.open_choices() == 0
    }

    /// The state before the latest input, or before the latest refusal of it, and where that led. The latest input may be
    /// one that came to nothing.
    fn latest(&self) -> Result<(&State, Goal<'_>), String> {
        if let Some(attempt) = &self.attempt {
            return Ok((&self.state, Goal::of_attempt(attempt)));
        }
        let states = self.stored_states();
        match states[..] {
            [.., before, latest] => Ok((before, Goal::of(latest))),
            _ => Err("there is no input yet".to_string()),
        }
    }

    /// Runs again from before the latest input, or its latest refusal, to where it led, and reports to an observer.
    /// Only the end of the latest input is reported as a solution. Returns the run, which ends there, too.
    ///
    /// # Errors
    /// Why that cannot be done, in words.
    pub fn latest_once_more(&self, observer: &mut dyn Observer) -> Result<Run, String> {
        let (before, to) = self.latest()?;
        let mut walk = Walk::new(before, to);
        walk.go(before, usize::MAX, observer)?;
        Ok(walk.run)
    }

    /// Runs again from the earliest stored state, which is mostly the beginning, to the present one. Returns the run,
    /// which ends there, too.
    ///
    /// # Errors
    /// As [`Session::latest_once_more`].
    pub fn all_once_more(&self, observer: &mut dyn Observer) -> Result<Run, String> {
        let states = self.stored_states();
        let mut run = fork(&states[0].run);
        run.go_once_more();
        for two in states.windows(2) {
            let mut walk = Walk::continue_from(run, two[0], Goal::of(two[1]));
            walk.go(two[0], usize::MAX, observer)?;
            run = walk.run;
        }
        if run.statistics().steps != self.state.run.statistics().steps {
            return Err(
                "the session was changed from outside, so the way to it is not known any more"
                    .to_string(),
            );
        }
        Ok(run)
    }

    /// Runs again to the end of the latest action, even if it led to nothing; to a moment of that, if one is given.
    ///
    /// # Errors
    /// As [`Session::latest_once_more`].
    pub fn everything_once_more(
        &self,
        observer: &mut dyn Observer,
        stop: Option<When>,
    ) -> Result<Run, String> {
        Ok(self.to_the_end(observer, stop)?.0)
    }

    /// Runs again likewise, and returns the moment before the last failure in an attempt's latest input.
    fn to_the_end(
        &self,
        observer: &mut dyn Observer,
        stop: Option<When>,
    ) -> Result<(Run, Option<When>), String> {
        self.latest()?;
        let run = self.all_once_more(observer)?;
        let Some(attempt) = &self.attempt else {
            return Ok((run, None));
        };
        let mut walk = Walk::continue_from(run, &self.state, Goal::of_attempt(attempt));
        walk.stop = stop;
        walk.go(&self.state, usize::MAX, observer)?;
        Ok((walk.run, walk.failed))
    }

    /// The moment before the last failure of an input that has failed: at its end, all that it did is undone.
    ///
    /// # Errors
    /// See [`Session::everything_once_more`].
    pub fn last_failure(&self) -> Result<Option<When>, String> {
        if !self
            .attempt
            .as_ref()
            .is_some_and(|attempt| attempt.has_failed)
        {
            return Ok(None);
        }
        Ok(self.to_the_end(&mut SilentObserver, None)?.1)
    }

    /// The run where the latest input begins for the last time, after it backtracked into earlier ones.
    ///
    /// # Errors
    /// If there is none.
    pub fn last_pass(&self) -> Result<LastPass, String> {
        let (before, to) = self.latest()?;
        let mut whole = Walk::new(before, to);
        whole.go(before, usize::MAX, &mut SilentObserver)?;
        let mut walk = Walk::new(before, self.latest()?.1);
        // A refusal begins where the input has ended.
        if whole.starts > 0 {
            walk.go(before, whole.starts, &mut SilentObserver)?;
        }
        Ok(LastPass {
            answers: walk.answers(),
            run: walk.run,
        })
    }
}
