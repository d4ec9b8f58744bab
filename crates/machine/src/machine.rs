//! The state of a run, and how it starts and stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::errors::error::{ErrorKind, Fault};
use super::errors::trace::ScriptError;
use super::execute::Driver;
use super::frame::Frame;
use super::host::global::HostWrite;
use super::host::host_call::HostCall;
use super::host::inputs::Input;
use super::natives::context::Context;
use super::search::barrier::ResultCollection;
use super::search::choices::Choices;
use super::search::guesses::Guess;
use super::search::minimize::Minimization;
use super::search::restarts::Restarts;
use super::search::visits::Visits;
use super::watch::{NoWatcher, Watcher, Watching};
use ndscript_base::limits::{LimitReached, Limits};
use ndscript_bytecode::Constant;
use ndscript_heap::store::heap::SMALLEST_COLLECTION;
use ndscript_heap::{Heap, Value};
use ndscript_solver::Conflict;

/// A frame can use this many registers, so that register numbers of one byte need no check.
pub const WINDOW: usize = 256;

/// Steps between two checks of limits and cancellation.
const SLICE: u64 = 1 << 15;

/// A running program.
#[derive(Clone)]
pub struct Machine {
    /// The registers of all frames; a frame is a window of it.
    pub(super) stack: Vec<Value>,
    /// The waiting calls, `depth` of them. Entries above are unused: the list is as long as calls have ever been
    /// nested, so that a call needs no other check.
    pub(super) frames: Vec<Frame>,
    pub(super) depth: u32,
    /// The choice points that failures go back to.
    pub(super) choices: Choices,
    pub(super) gatherings: Vec<ResultCollection>,
    pub(super) minimizations: Vec<Minimization>,
    pub(super) restarts: Vec<Restarts>,
    /// Writes by the host that no choice point has saved, oldest first.
    pub(super) host_writes: Vec<HostWrite>,
    /// The states that `firstVisit` has seen, by open barriers, outermost first.
    pub(super) visits: Vec<Visits>,
    /// The guesses of `decide` that may be wrong, oldest first, and the conflict of the current failure.
    pub(super) guesses: Vec<Guess>,
    pub(super) conflict: Conflict,
    /// How many guesses the latest failure has skipped.
    pub skipped_by_failure: u64,
    // The frame that runs.
    pub(super) pc: u32,
    pub(super) base: u32,

    pub(super) constants: Vec<Value>,
    /// The inputs that have begun, oldest first: one program, or the inputs of a growing one.
    pub(super) inputs: Vec<Input>,
    /// Whether a failure may not go back into earlier inputs.
    pub(super) stays: bool,
    /// Whether an instruction that is carried out for a watcher returns from a failure before anything is undone.
    pub(super) announces_deaths: bool,
    /// A failure has gone back into an earlier input, so other code must run.
    pub(super) has_left: bool,
    /// The value of the latest solution.
    pub(super) result: Value,
    pub context: Context,
    pub driver: Driver,
    pub(super) state: State,
    /// The state in which the run, or a restored copy of it, continues after it has stopped at a limit.
    pub(super) unfinished: Option<State>,
    /// The limit that it has stopped at, and whether limits were set since then.
    pub(super) stopped: Option<LimitReached>,
    pub(super) has_new_limits: bool,
    /// Whether it stops at the first result of the outermost `minimize`: see [`Machine::dive`].
    pub(super) is_diving: bool,
    /// The latest solution did not fit into memory when it was handed over.
    pub(super) undelivered: bool,
    pub(super) question: Option<PendingQuestion>,
    /// The running call by the host.
    pub(super) host_call: Option<HostCall>,
    pub statistics: Statistics,
    /// Bytes of the rows of the machine, as they are in the account.
    pub(super) counted: usize,
    /// Time spent before the latest resumption, and when that was by the host's clock.
    pub(super) timed: Duration,
    /// The longest collection of garbage, by the host's clock.
    pub longest_pause: Duration,
    pub(super) resumed_at: Duration,
    /// Whether it is running. If it is at rest and this is set, a panic has passed through it.
    pub(super) is_inside: bool,
    pub(super) cancelled: Arc<AtomicBool>,
    /// All granted steps, and those of them that are not in the fuel yet: the fuel is filled in slices, so that the
    /// machine checks limits and cancellation regularly.
    pub(super) granted: u64,
    pub(super) reserve: u64,
    /// Hashes of the state at each choice point, if backtracking is verified.
    #[cfg(debug_assertions)]
    pub(super) verified: Option<super::exactness::States>,
}

/// What the machine does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Continue with the next instruction.
    Running,
    /// Look for another solution.
    Solved,
    /// Go back to the latest choice point.
    Failing,
    /// Nothing more: no solution is left, or there was an error or a limit.
    Ended,
}

/// A question that waits for its answer.
#[derive(Clone, Debug)]
pub(super) struct PendingQuestion {
    /// A string; only a forged one is anything else.
    pub prompt: Value,
    /// `None` for a free line.
    pub options: Option<Vec<Value>>,
    /// The place on the stack for the answer.
    pub to: u32,
    /// The number under which a function of the host waits, if the script does not ask itself.
    pub ticket: Option<u64>,
    /// The message with which the host refused a result.
    pub refused: Option<String>,
}

/// Why the machine stopped.
#[derive(Clone, Debug)]
pub enum Exit {
    /// The program has ended with this value.
    Solved(Value),
    OutOfFuel,
    Asked,
    /// No solution is left.
    Failed,
    /// A failure has gone back into an earlier input: the main loop must restart with the code of that input.
    Reentered,
    /// An instruction has started work that is larger than a piece.
    Working,
    /// The branch fails, and the observer wants to see it before anything is undone. [`Machine::fail`] follows.
    Dying,
    Error(Box<ScriptError>),
    Limit(LimitReached),
}

/// Statistics of a run so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Fuel that was used.
    pub steps: u64,
    /// Choice points that were made.
    pub choice_points: u64,
    /// Branches that have failed: by `fail`, by a condition that did not hold, because nothing was left to choose, or
    /// because another solution was wanted. After the last one there is nothing to go back to if the search has
    /// ended.
    pub failures: u64,
    /// Alternatives of choice points that were tried, the first of each included.
    pub alternatives: u64,
    /// Guesses of `decide` that were skipped when backtracking, because they had no part in a failure.
    pub skipped: u64,
    /// The largest number of nested calls at a check.
    pub depth: u64,
    /// The largest number of bytes at a check.
    pub memory: usize,
    /// Collections of garbage.
    pub collections: u64,
    /// The largest number of open choice points.
    pub open_choices: u64,
}

impl Machine {
    /// A machine at the start of its program. The program's constants and globals go into the heap of `context`.
    pub fn new(mut context: Context, cancelled: Arc<AtomicBool>) -> Machine {
        // Arenas do not shrink, so under a tight limit garbage must not accumulate at first.
        context.heap.collect_at = SMALLEST_COLLECTION.min(context.limits.memory / 4);
        let code = context.code.clone();
        let mut machine = Machine::bare(context, cancelled);
        machine.begin(code);
        machine
    }

    /// A machine without constants and globals at the start of a program.
    pub(super) fn bare(context: Context, cancelled: Arc<AtomicBool>) -> Machine {
        let code = context.code.clone();
        Machine {
            stack: vec![Value::NULL; 2 * WINDOW],
            frames: Vec::new(),
            depth: 0,
            choices: Choices::default(),
            gatherings: Vec::new(),
            minimizations: Vec::new(),
            restarts: Vec::new(),
            host_writes: Vec::new(),
            visits: Vec::new(),
            guesses: Vec::new(),
            conflict: Conflict::default(),
            skipped_by_failure: 0,
            pc: code.heads[code.main as usize].entry,
            base: 0,
            constants: Vec::new(),
            inputs: Vec::new(),
            stays: false,
            announces_deaths: false,
            has_left: false,
            result: Value::NULL,
            context,
            driver: Driver::default(),
            state: State::Running,
            unfinished: None,
            stopped: None,
            has_new_limits: false,
            is_diving: false,
            undelivered: false,
            question: None,
            host_call: None,
            statistics: Statistics::default(),
            counted: 0,
            timed: Duration::ZERO,
            longest_pause: Duration::ZERO,
            resumed_at: Duration::ZERO,
            is_inside: false,
            cancelled,
            granted: 0,
            reserve: 0,
            #[cfg(debug_assertions)]
            verified: None,
        }
    }

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
        if self.stopped.take().is_some() {
            self.state = self.unfinished.take().unwrap_or(State::Ended);
            self.has_new_limits = false;
        }
        if std::mem::take(&mut self.undelivered) {
            return Exit::Solved(self.result);
        }
        if let Some(limit) = self.limit_between() {
            self.stop(limit);
            return Exit::Limit(limit);
        }
        let before = self.statistics.steps;
        let left = self.context.limits.steps.saturating_sub(before);
        let grant = steps.min(left).min(i64::MAX as u64 / 2);
        self.granted = grant;
        self.settle_roots();
        self.context.fuel = grant.min(SLICE) as i64;
        self.reserve = grant - grant.min(SLICE);
        if let Some(clock) = &self.context.clock {
            self.resumed_at = clock();
        }
        let exit = self.run_until_exit(watching);
        if let Some(clock) = &self.context.clock {
            self.timed += clock().saturating_sub(self.resumed_at);
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
                self.undelivered = is_solved;
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
        let is_late = self.context.clock.is_some() && self.timed > self.context.limits.time;
        is_late.then_some(LimitReached::Time(self.context.limits.time))
    }

    /// Stops the run because of a limit.
    pub(super) fn stop(&mut self, limit: LimitReached) {
        self.unfinished = Some(self.state).filter(|state| *state != State::Ended);
        self.state = State::Ended;
        self.stopped = Some(limit);
    }

    /// The limit at which the run has stopped, if it still applies.
    pub fn standing_limit(&self) -> Option<LimitReached> {
        let limit = self.stopped?;
        let limits = &self.context.limits;
        let is_lifted = match limit {
            LimitReached::Cancelled => !self.cancelled.load(Ordering::Relaxed),
            LimitReached::Steps(_) => self.statistics.steps <= limits.steps,
            LimitReached::Time(_) => self.timed <= limits.time,
            _ => self.has_new_limits,
        };
        (!is_lifted || self.unfinished.is_none()).then_some(limit)
    }

    /// Sets the limits from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.context.limits = limits;
        self.has_new_limits = true;
        self.recount_bytes();
    }

    /// Sets the flag for cancellation.
    pub fn set_cancelled(&mut self, cancelled: Arc<AtomicBool>) {
        self.cancelled = cancelled;
    }

    fn record_steps(&mut self) {
        // Charges everything, so that the number of steps does not depend on where the run was stopped.
        self.context.charge_comparisons();
        let used = (self.granted - self.reserve) as i64 - self.context.fuel;
        self.statistics.steps += used.max(0) as u64;
        self.context.fuel = 0;
        self.granted = 0;
        self.reserve = 0;
        self.record_heights();
    }

    pub(super) fn record_heights(&mut self) {
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
    pub(super) fn handle(&mut self, fault: Fault) -> Result<(), Exit> {
        match fault {
            Fault::Fail if self.announces_deaths => Err(Exit::Dying),
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
    pub(super) fn check(&mut self) -> Result<(), Exit> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Exit::Limit(LimitReached::Cancelled));
        }
        self.context.charge_comparisons();
        self.record_heights();
        if !self.context.fits(0) {
            self.make_room(0)?;
        } else if self.context.heap.wants_collection() && !self.is_tested() {
            self.collect();
        }
        if let Some(clock) = &self.context.clock
            && self.timed + clock().saturating_sub(self.resumed_at) > self.context.limits.time
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
        if self.context.fuel < 0 && self.reserve > 0 {
            // Steps used beyond the last slice are counted as well.
            let owed = SLICE + self.context.fuel.unsigned_abs();
            let slice = self.reserve.min(owed);
            self.reserve -= slice;
            self.context.fuel += slice as i64;
        }
        Ok(())
    }

    /// The end of the registers that may be in use.
    pub(super) fn top(&self) -> usize {
        (self.base as usize + self.window_size()).min(self.stack.len())
    }

    /// The registers of the running frame that may be in use.
    pub(super) fn window_size(&self) -> usize {
        let code = &self.context.code;
        // At the end of the program there may be no further instruction.
        let at_end = self.unfinished.unwrap_or(self.state) == State::Solved;
        let pc = if at_end {
            self.pc.saturating_sub(1)
        } else {
            self.pc
        };
        code.functions[code.function_at(pc) as usize].registers as usize
    }

    /// How many barriers are open, at whose end choices are discarded or effects undone.
    pub fn open_barriers(&self) -> usize {
        self.choices.barriers().len()
    }

    /// How many choice points are open.
    pub fn open_choices(&self) -> usize {
        self.choices.height()
    }
}

pub(super) fn constant_value(heap: &mut Heap, constant: &Constant) -> Value {
    match constant {
        Constant::Text(text) => heap.text(text),
        Constant::Float(float) => heap.float(*float).unwrap_or(Value::ZERO),
        Constant::Integer(integer) => Heap::integer(*integer).unwrap_or(Value::ZERO),
        Constant::Boolean(boolean) => Value::boolean(*boolean),
    }
}

ndscript_base::saved!(enum State { 0 => Running {}, 1 => Solved {}, 2 => Failing {}, 3 => Ended {} });
ndscript_base::saved!(struct PendingQuestion { prompt, options, to, ticket, refused });
ndscript_base::saved!(struct Statistics {
    steps,
    choice_points,
    failures,
    alternatives,
    skipped,
    depth,
    memory,
    collections,
    open_choices,
});
