//! How the machine runs and stops: fuel in slices, limits between them, faults and what follows them.

use super::{Exit, Machine, State};
use crate::errors::error::{ErrorKind, Fault};
use crate::watch::{NoWatcher, Watcher, Watching};
use ndscript_base::limits::{LimitReached, Limits};
use std::sync::atomic::Ordering;

/// Steps between two checks of limits and cancellation.
const SLICE: u64 = 1 << 15;

impl Machine {
    /// Runs for at most `steps` steps, or until there is something to report. After a solution, looks for the next.
    /// After a limit, continues if it is lifted, and returns it again if not.
    ///
    /// A panic in a function of the host leaves the machine in the middle of an instruction. From then on it only
    /// reports that.
    pub fn resume(&mut self, steps: u64) -> Exit {
        self.resume_by::<NoWatcher>(steps, None)
    }

    /// As [`Machine::resume`], watched.
    pub fn resume_watched<W: Watcher>(
        &mut self,
        steps: u64,
        watching: &mut Watching<'_, W>,
    ) -> Exit {
        self.resume_by(steps, Some(watching))
    }

    fn resume_by<W: Watcher>(
        &mut self,
        steps: u64,
        watching: Option<&mut Watching<'_, W>>,
    ) -> Exit {
        if self.is_inside {
            return Exit::Error(Box::new(self.panicked()));
        }
        self.is_inside = true;
        let exit = self.resume_whole(steps, watching);
        self.is_inside = false;
        exit
    }

    /// Whether a function of the host has panicked while the machine was running.
    pub fn is_broken(&self) -> bool {
        self.is_inside
    }

    /// Runs for at most this many steps, and keeps the accounts of steps and time.
    fn resume_whole<W: Watcher>(
        &mut self,
        steps: u64,
        watching: Option<&mut Watching<'_, W>>,
    ) -> Exit {
        if let Some(limit) = self.standing_limit() {
            return Exit::Limit(limit);
        }
        if self.stop.limit.take().is_some() {
            self.state = self.stop.unfinished.take().unwrap_or(State::Ended);
            self.stop.has_new_limits = false;
        }
        if std::mem::take(&mut self.stop.undelivered) {
            return Exit::Solved(self.result);
        }
        if let Some(limit) = self.limit_between() {
            self.stop(limit);
            return Exit::Limit(limit);
        }
        let before = self.statistics.steps;
        let left = self.context.limits.steps.saturating_sub(before);
        let grant = steps.min(left).min(i64::MAX as u64 / 2);
        self.grant.steps = grant;
        if let Some(clock) = &self.context.clock {
            self.clock.resumed_at = clock();
        }
        let exit = match self.go_on_collecting() {
            Ok(()) => {
                self.settle_roots();
                self.context.fuel = grant.min(SLICE) as i64;
                self.grant.reserve = grant - grant.min(SLICE);
                self.run_until_exit(watching)
            }
            Err(exit) => {
                self.grant.steps = 0;
                exit
            }
        };
        if let Some(clock) = &self.context.clock {
            self.clock.timed += clock().saturating_sub(self.clock.resumed_at);
        }
        self.record_steps();
        match exit {
            Exit::Solved(value) => {
                self.state = State::Solved;
                self.result = value;
            }
            // Beyond a limit this happens again when the limit is lifted.
            Exit::Failed => self.state = State::Failing,
            _ => {}
        }
        let is_solved = matches!(exit, Exit::Solved(_));
        // The limit of steps is checked at every resumption, so that the number of resumptions makes no difference.
        let limit = self.context.limits.steps;
        let is_beyond = self.statistics.steps > limit && self.statistics.steps > before;
        let exit = match exit {
            Exit::Solved(_) | Exit::OutOfFuel | Exit::Asked | Exit::Failed if is_beyond => {
                Exit::Limit(LimitReached::Steps(limit))
            }
            _ => exit,
        };
        match exit {
            Exit::Limit(limit) => {
                self.stop.undelivered = is_solved;
                self.stop(limit);
            }
            Exit::Failed | Exit::Error(_) => self.state = State::Ended,
            _ => {}
        }
        exit
    }

    /// The limit that is checked whenever the host resumes the run: solutions and questions may come faster than the
    /// main loop checks.
    fn limit_between(&self) -> Option<LimitReached> {
        if self.state == State::Ended || self.question.is_some() {
            return None;
        }
        if self.cancelled.load(Ordering::Relaxed) {
            return Some(LimitReached::Cancelled);
        }
        let is_late = self.context.clock.is_some() && self.clock.timed > self.context.limits.time;
        is_late.then_some(LimitReached::Time(self.context.limits.time))
    }

    /// Stops the run because of a limit.
    pub(crate) fn stop(&mut self, limit: LimitReached) {
        self.stop.unfinished = Some(self.state).filter(|state| *state != State::Ended);
        self.state = State::Ended;
        self.stop.limit = Some(limit);
    }

    /// The limit at which the run has stopped, if it still applies.
    pub fn standing_limit(&self) -> Option<LimitReached> {
        let limit = self.stop.limit?;
        let limits = &self.context.limits;
        let is_lifted = match limit {
            LimitReached::Cancelled => !self.cancelled.load(Ordering::Relaxed),
            LimitReached::Steps(_) => self.statistics.steps <= limits.steps,
            LimitReached::Time(_) => self.clock.timed <= limits.time,
            _ => self.stop.has_new_limits,
        };
        (!is_lifted || self.stop.unfinished.is_none()).then_some(limit)
    }

    /// Sets the limits from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.finish_collection();
        self.context.limits = limits;
        self.stop.has_new_limits = true;
        self.recount_bytes();
    }

    fn record_steps(&mut self) {
        // Charges everything, so that the number of steps does not depend on where the run was stopped.
        self.context.charge_comparisons();
        let used = (self.grant.steps - self.grant.reserve) as i64 - self.context.fuel;
        self.statistics.steps += used.max(0) as u64;
        self.context.fuel = 0;
        self.grant.steps = 0;
        self.grant.reserve = 0;
        self.record_heights();
    }

    pub(crate) fn record_heights(&mut self) {
        self.statistics.open_choices = self
            .statistics
            .open_choices
            .max(self.choices.highest() as u64);
        self.recount();
        self.statistics.memory = self.statistics.memory.max(self.context.bytes());
    }

    /// Runs in the state that the run is in, until something is for the host.
    fn run_until_exit<W: Watcher>(&mut self, mut watching: Option<&mut Watching<'_, W>>) -> Exit {
        // The main loop restarts anyway.
        self.has_left = false;
        match self.state {
            State::Ended => return Exit::Failed,
            State::Solved | State::Failing => match self.fail_by(watching.as_deref_mut()) {
                Ok(()) | Err(Exit::Reentered) => self.state = State::Running,
                Err(exit) => return exit,
            },
            State::Running => {}
        }
        if let Some(pending) = &mut self.question {
            let Some(message) = pending.refused.take() else {
                return Exit::Asked;
            };
            self.question = None;
            let refused = Fault::error(ErrorKind::Host, message);
            if let Err(exit) = self.handle(refused) {
                return exit;
            }
        }
        loop {
            let is_working = self.context.current_work.is_pending();
            let exit = match &mut watching {
                _ if is_working => self.go_on_working().err(),
                Some(watching) => Some(self.execute_watched(watching)),
                None => Some(self.execute()),
            };
            match exit {
                None | Some(Exit::Reentered | Exit::Working) => {}
                Some(exit) => return exit,
            }
        }
    }

    /// Turns a fault into the next state: true if the machine continues from its own fields.
    #[cold]
    #[inline(never)]
    pub(crate) fn handle(&mut self, fault: Fault) -> Result<(), Exit> {
        match fault {
            Fault::Fail if self.announces_failures => Err(Exit::Failing),
            Fault::Fail => self.fail(),
            Fault::Error(complaint) => Err(Exit::Error(Box::new(self.script_error(*complaint)))),
            Fault::Limit(limit) => {
                // The instruction has changed nothing yet. Under other limits it runs again.
                self.pc -= 1;
                Err(Exit::Limit(limit))
            }
            Fault::Memory(bytes) => {
                // The instruction that wanted the memory runs again, and is charged again.
                self.pc -= 1;
                self.context.take_back_charges();
                self.make_room(bytes)?;
                Ok(())
            }
            Fault::Later => {
                self.pc -= 1;
                Err(Exit::Working)
            }
        }
    }

    /// The check at calls and loops once the fuel is used up, or at allocations: stop or continue.
    #[cold]
    #[inline(never)]
    pub(crate) fn check(&mut self) -> Result<(), Exit> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Exit::Limit(LimitReached::Cancelled));
        }
        self.context.charge_comparisons();
        self.record_heights();
        if !self.context.fits(0) {
            self.make_room(0)?;
        } else if self.context.heap.wants_collection() && !self.is_tested() {
            self.collect_by_grant(None)?;
        }
        if let Some(clock) = &self.context.clock
            && self.clock.timed + clock().saturating_sub(self.clock.resumed_at)
                > self.context.limits.time
        {
            return Err(Exit::Limit(LimitReached::Time(self.context.limits.time)));
        }
        if self.context.heap.is_full() || self.choices.is_full() {
            return Err(Exit::Limit(LimitReached::Memory(
                self.context.limits.memory,
            )));
        }
        if self.context.output.text.len() > self.context.limits.output {
            return Err(Exit::Limit(LimitReached::Output(
                self.context.limits.output,
            )));
        }
        if self.context.fuel < 0 && self.grant.reserve > 0 {
            // Steps used beyond the last slice are counted as well.
            let owed = SLICE + self.context.fuel.unsigned_abs();
            let slice = self.grant.reserve.min(owed);
            self.grant.reserve -= slice;
            self.context.fuel += slice as i64;
        }
        Ok(())
    }
}
