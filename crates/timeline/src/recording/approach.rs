//! Going to a moment of a recorded run: from the nearest fork before it, first as fast as the machine can, the last bit
//! watched, so that it stops exactly there.

use std::ops::ControlFlow;

use super::line::{Timeline, give};
use crate::When;
use ndscript::Run;
use ndscript::{Answer, Outcome};
use ndscript::{Event, Moment, Observer, Wanted};

/// At least this many steps before a moment are watched; more if the run could not be stopped in time.
const FIRST_WATCHED: u64 = 1 << 12;

/// Only runs of at most this many bytes have a further copy close to the current moment.
const NEAR_BYTES: usize = 32 << 20;

/// A copy of a run that stands at a moment, or is moving there.
pub(crate) struct MovingFork {
    pub run: Run,
    /// How many questions were answered.
    pub answered: usize,
    /// The moment that was asked for.
    pub target: When,
    /// How many steps before it the run is watched.
    watched: u64,
    /// Where the instruction began that the moment lies within, if a failure ends it.
    began: Option<When>,
    is_there: bool,
}

/// A moment that was not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The moment.
    pub when: When,
    /// The first and the last moment that were recorded.
    pub begin: When,
    /// See there.
    pub end: When,
}

impl std::fmt::Display for Beyond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Beyond { when, begin, end } = self;
        write!(
            f,
            "step {when} was not recorded: the recording goes from step {begin} to step {end}"
        )
    }
}

impl std::error::Error for Beyond {}

/// How a run went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advance {
    /// The moment is reached.
    There,
    /// The fuel is used up, or the observer had enough.
    Paused,
    /// There is nothing more.
    Ended,
}

/// Runs a copy of the run to a moment, watched.
pub(crate) fn watch_to(
    run: &mut Run,
    answered: &mut usize,
    answers: &[Answer],
    until: When,
    fuel: u64,
    observer: &mut dyn Observer,
) -> Advance {
    let goal = run.statistics().steps.saturating_add(fuel);
    loop {
        if run.when() >= until {
            return Advance::There;
        }
        let left = goal.saturating_sub(run.statistics().steps);
        match run.watch_until(left, Some(until), observer) {
            Outcome::Solved(_) => {}
            Outcome::OutOfFuel if run.when() >= until => return Advance::There,
            Outcome::OutOfFuel => return Advance::Paused,
            Outcome::Asked(_) => {
                if !answers
                    .get(*answered)
                    .is_some_and(|answer| give(run, answer))
                {
                    return Advance::Ended;
                }
                *answered += 1;
            }
            Outcome::Failed | Outcome::Error(_) | Outcome::Limit(_) | Outcome::Waiting(_) => {
                return Advance::Ended;
            }
        }
    }
}

/// Runs without an observer for about `fuel` steps, at most up to `step`.
pub(crate) fn run_unwatched_to(
    run: &mut Run,
    answered: &mut usize,
    answers: &[Answer],
    step: u64,
    fuel: u64,
) -> Advance {
    let goal = run.statistics().steps.saturating_add(fuel).min(step);
    loop {
        let steps = run.statistics().steps;
        if steps >= goal {
            return if steps >= step {
                Advance::There
            } else {
                Advance::Paused
            };
        }
        match run.resume(goal - steps) {
            Outcome::Solved(_) | Outcome::OutOfFuel => {}
            Outcome::Asked(_) => {
                if !answers
                    .get(*answered)
                    .is_some_and(|answer| give(run, answer))
                {
                    return Advance::Ended;
                }
                *answered += 1;
            }
            Outcome::Failed | Outcome::Error(_) | Outcome::Limit(_) | Outcome::Waiting(_) => {
                return Advance::Ended;
            }
        }
    }
}

/// Watches for a failure of an instruction that a moment lies within.
struct FailureWatcher {
    asked: When,
    began: Option<When>,
}

impl Observer for FailureWatcher {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        if matches!(event, Event::Fail { .. })
            && moment.began() < self.asked
            && self.asked < moment.when()
        {
            self.began = Some(moment.began());
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

/// Watches without reporting anything.
pub(crate) struct SilentObserver;

impl Observer for SilentObserver {
    fn observe(&mut self, _: &Moment<'_>, _: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Timeline {
    fn check(&self, when: When) -> Result<(), Beyond> {
        let (begin, end) = (self.begin(), self.end());
        if (begin..=end).contains(&when) {
            Ok(())
        } else {
            Err(Beyond { when, begin, end })
        }
    }

    fn stands_at(&self, when: When) -> bool {
        let is_between = |stand: &MovingFork| {
            stand.began.is_none() && (stand.target..=stand.run.when()).contains(&when)
        };
        self.stand
            .as_ref()
            .is_some_and(|stand| stand.target == when || is_between(stand))
    }

    /// A copy of the run from which a moment can be reached by running on, and how many questions were answered then.
    pub(crate) fn copy_before(&mut self, when: When) -> (Run, usize) {
        let fork = &self.forks.list()[self.forks.before(when)];
        let (mut best, mut from) = ((&fork.run, fork.answered), fork.when);
        if let Some((near, answered)) = &self.near
            && near.when() > from
            && near.when().step < when.step
        {
            (best, from) = ((near, *answered), near.when());
        }
        if let Some(stand) = self
            .stand
            .as_ref()
            .filter(|stand| stand.run.when() > from && stand.run.when() <= when)
        {
            best = (&stand.run, stand.answered);
        }
        (best.0.clone(), best.1)
    }

    /// Goes to a moment, for about `fuel` steps at most. Once it returns true, the run stands there, and
    /// [`Timeline::run_at`] and [`Timeline::scene`] of that moment need no time.
    ///
    /// # Errors
    /// If the moment was not recorded.
    pub fn approach(&mut self, when: When, fuel: u64) -> Result<bool, Beyond> {
        self.check(when)?;
        if self.stands_at(when) {
            return Ok(true);
        }
        let mut going = match self.going.take().filter(|going| going.target == when) {
            Some(going) => going,
            None => {
                let (run, answered) = self.copy_before(when);
                MovingFork {
                    run,
                    answered,
                    target: when,
                    watched: FIRST_WATCHED,
                    began: None,
                    is_there: false,
                }
            }
        };
        self.go(&mut going, fuel);
        if !going.is_there {
            self.going = Some(going);
            return Ok(false);
        }
        self.stand = Some(going);
        Ok(true)
    }

    /// Moves a fork towards its target, for this many steps.
    fn go(&mut self, going: &mut MovingFork, fuel: u64) {
        let MovingFork {
            run,
            answered,
            target: asked,
            watched,
            began,
            ..
        } = &mut *going;
        let until = began.unwrap_or(*asked);
        let goal = until.step.saturating_sub(*watched);
        if run.statistics().steps < goal {
            let advance = run_unwatched_to(run, answered, &self.answers, goal, fuel);
            if advance == Advance::Paused {
                return;
            }
            if run.statistics().steps >= until.step {
                // It went past, because it stops at calls and loops only. Try again with a longer watched part.
                *watched = watched.saturating_mul(16);
                let fork = &self.forks.list()[self.forks.before(*asked)];
                (*run, *answered) = (fork.run.clone(), fork.answered);
                return;
            }
            if run.memory() <= NEAR_BYTES {
                self.near = Some((run.clone(), *answered));
            }
        }
        let mut within = FailureWatcher {
            asked: *asked,
            began: None,
        };
        let advance = watch_to(run, answered, &self.answers, until, fuel, &mut within);
        if let (None, Some(failed)) = (*began, within.began) {
            // After the failure everything is undone, so the moment is the one before it.
            *began = Some(failed);
            let fork = &self.forks.list()[self.forks.before(failed)];
            (*run, *answered) = (fork.run.clone(), fork.answered);
            return;
        }
        going.is_there = advance != Advance::Paused;
    }

    /// The run as it was at a moment: at the first boundary between two instructions that is not before it, or at the
    /// one before an instruction that a failure ends. A clone of it continues like any other run; it prints and asks
    /// through its own host.
    ///
    /// # Errors
    /// If the moment was not recorded.
    pub fn run_at(&mut self, when: When) -> Result<&Run, Beyond> {
        while !self.approach(when, u64::MAX)? {}
        match &self.stand {
            Some(stand) => Ok(&stand.run),
            None => Err(Beyond {
                when,
                begin: self.begin(),
                end: self.end(),
            }),
        }
    }

    /// The moment at which the run of [`Timeline::run_at`] really stands.
    pub fn exactly(&mut self, when: When) -> Result<When, Beyond> {
        Ok(self.run_at(when)?.when())
    }
}
