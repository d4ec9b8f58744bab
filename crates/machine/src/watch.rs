//! Reports a search to its observer. Events are found by comparing the state of the machine before and after an
//! instruction, so the machine hardly knows of observers, and its behavior does not depend on them.

mod collection_access;
mod events;
pub mod origins;
mod plan;
mod reporting;
mod stretch;
mod unreported;
mod wanted;

use std::sync::Arc;

use self::collection_access::CollectionAccess;
pub use self::events::{
    EventPoint, GOES_ON, NO_CANDIDATE, NoWatcher, WatchEvent, Watcher, Why, Written,
};
use self::plan::WatchPlan;
use self::stretch::StretchEnd;
pub use self::unreported::Unreported;
pub use self::wanted::Wanted;
use super::execute::Driver;
use super::host::output::OutputMark;
use super::host::profile::{CallPosition, Measurements};
use super::host::variables::{Mark, marks};
use super::host::when::When;
use super::machine::{Exit, Machine};
use ndscript_base::source::Span;
use ndscript_bytecode::{Code, Flow};

/// An open choice point.
#[derive(Clone, Copy, Debug)]
struct OpenEntry {
    id: u64,
    /// As in the choice point: another one once it was resumed.
    serial: u64,
    /// How many alternatives were tried.
    taken: usize,
    /// The instruction that chose, and its place in the program.
    at: usize,
    place: Option<Span>,
    /// The latest instruction of the program before it: a built-in chooses somewhere else.
    origin: usize,
    /// The calls around it, if they are measured.
    standing: Option<CallPosition>,
}

/// The state of watching between two events.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    open: Vec<OpenEntry>,
    next: u64,
    /// How many solutions there were.
    pub solutions: u64,
    /// The current moment, and that before the latest instruction.
    pub when: When,
    pub began: When,
    /// The code that runs, and what watching needs to know of its instructions.
    code: Option<Arc<Code>>,
    marks: Arc<[Mark]>,
    line: LineAt,
    /// The latest instruction of the program itself, not of a built-in.
    at: usize,
    /// How many failure messages there were before the latest failure.
    messages: u64,
    /// Whether a failure was reported and no alternative resumed yet.
    is_failing: bool,
    /// Unreported events, and the reports planned for each instruction.
    unreported: Unreported,
    plan: WatchPlan,
    /// Where values come from, if an observer asks for it.
    pub origins: Option<Box<origins::Origins>>,
    /// Steps by instruction, if an observer asks for it.
    pub measured: Option<Box<Measurements>>,
}

/// The place of an instruction without a place in the program text.
const NOWHERE: usize = usize::MAX;

/// The line that runs: its number, the frame, and the latest instruction of it.
#[derive(Clone, Copy, Debug, Default)]
struct LineAt {
    line: u32,
    base: u32,
    pc: usize,
    /// A call that has returned: the rest of its line is not a new line.
    returned_to: Option<usize>,
    /// The instruction comes once more.
    is_repeated: bool,
}

/// A run that is watched.
pub struct Watching<'a, W> {
    pub watch: &'a mut Watch,
    pub watcher: &'a mut W,
    /// The line of each instruction, 0 where it has none; only if lines are reported.
    pub lines: Option<&'a [u32]>,
    pub wanted: Wanted,
    /// The moment at which to stop.
    pub until: Option<When>,
}

/// The state of the machine before an instruction.
struct Before {
    pc: usize,
    base: u32,
    depth: u32,
    failures: u64,
    choice_points: u64,
    output: OutputMark,
    snapshots: usize,
    /// Within a `minimize`: whether a solution is known that costs as much as the branch may.
    knows_solution: Option<bool>,
}

impl Machine {
    /// The steps that the run has taken up to now.
    pub fn steps_now(&self) -> u64 {
        let used = (self.granted - self.reserve) as i64 - self.context.fuel;
        self.statistics.steps + used.max(0) as u64
    }

    /// What observers compare the state after an instruction with.
    fn before(&self) -> Before {
        Before {
            pc: self.pc as usize,
            base: self.base,
            depth: self.depth,
            failures: self.statistics.failures,
            choice_points: self.statistics.choice_points,
            output: self.context.output.mark(),
            snapshots: self.context.record.snapshots().len(),
            knows_solution: self
                .choices
                .barriers()
                .last()
                .and_then(|barrier| Some(barrier.bound?.reached)),
        }
    }

    /// As the plain driver, and reports events.
    pub(super) fn execute_watched<W: Watcher>(&mut self, watching: &mut Watching<'_, W>) -> Exit {
        let Watching {
            watch,
            watcher,
            lines,
            wanted,
            until,
        } = watching;
        let watcher = &mut **watcher;
        let code = self.context.code.clone();
        self.context.heap.wipeout_constraint = None;
        watch.take_up(self, &code);
        let has_stretches = W::lets_run()
            && lines.is_none()
            && !wanted.reads
            && watch.measured.is_none()
            && self.driver == Driver::Fast;
        if has_stretches {
            watch.plan.fit(&code, &watch.marks, *wanted);
        }
        loop {
            self.context.charge_comparisons();
            watch.come_to(self.steps_now());
            watch.settle(self);
            if until.is_some_and(|until| watch.when >= until) {
                return Exit::OutOfFuel;
            }
            if self.context.heap.board_with_due_functions.is_some() {
                if let Err(exit) = self.run_due_functions() {
                    return exit;
                }
                continue;
            }
            if W::lets_run() && has_stretches {
                match self.run_stretch(watch, &code, *until, watcher) {
                    StretchEnd::Over => {}
                    StretchEnd::Stopped => return Exit::OutOfFuel,
                    StretchEnd::Reported(told) if self.compare(told, watch, &code, watcher) => {
                        continue;
                    }
                    StretchEnd::Reported(_) => return Exit::OutOfFuel,
                }
            }
            let before = self.before();
            if !watch.marks[before.pc].is_prelude {
                watch.at = before.pc;
                watch
                    .measured
                    .iter_mut()
                    .for_each(|measured| measured.come_to(before.pc));
                watch.began = watch.when;
                if let Some(lines) = lines
                    && watch.comes_to_line(self, lines)
                    && !watcher.tell(
                        self,
                        watch.here(code.spans.get(before.pc).copied()),
                        WatchEvent::Line,
                    )
                {
                    watch.line.is_repeated = true;
                    return Exit::OutOfFuel;
                }
            }
            if wanted.reads {
                watcher.begin(self, &code);
            }
            let read = if wanted.reads {
                self.access_of(code.ops[before.pc])
            } else {
                None
            };
            watch.began = watch.when;
            self.context.changed = None;
            self.pc += 1;
            self.announces_deaths = wanted.deaths;
            let mut stepped = self.step(&code);
            self.announces_deaths = false;
            if matches!(stepped, Err(Exit::Dying)) {
                watcher.tell(
                    self,
                    watch.here(code.spans.get(watch.at).copied()),
                    WatchEvent::Dying,
                );
                self.context.refused.latest = None;
                stepped = self.fail();
            }
            self.context.charge_comparisons();
            watch.settle(self);
            let has_failed = self.statistics.failures > before.failures;
            let is_repeated = !has_failed
                && self.pc as usize == before.pc
                && code.ops[before.pc].flow() == Flow::Next;
            watch.line.is_repeated = is_repeated;
            watch.come_to(self.steps_now());
            watch.when.inside += u32::from(watch.when.step == watch.began.step && !is_repeated);
            // Back in an earlier input, other code runs; its alternative is reported nevertheless.
            let has_ended = matches!(stepped, Err(Exit::Failed));
            // An instruction with an error was not carried out.
            if wanted.reads
                && !has_failed
                && !is_repeated
                && !matches!(stepped, Err(Exit::Error(_)))
            {
                watcher.end(self, &code, watch.here(code.spans.get(watch.at).copied()));
            }
            if wanted.reads && !has_failed && !is_repeated && !watch.marks[before.pc].is_prelude {
                watch.report_reading(self, &code, &before, read, watcher);
            }
            // An instruction with an error has done nothing: the register for its result still holds an old value.
            let stepped = match stepped {
                Err(exit @ Exit::Error(_)) => return exit,
                stepped => stepped,
            };
            if stepped.is_ok() && watch.is_quiet(self, &before) {
                continue;
            }
            let continues = watch.report_after(self, &code, &before, has_ended, watcher);
            if !has_failed && self.depth < before.depth {
                watch.come_back(self);
            }
            match stepped {
                Err(exit) => return exit,
                Ok(()) if !continues => return Exit::OutOfFuel,
                Ok(()) => {}
            }
        }
    }

    pub(super) fn fail_by<W: Watcher>(
        &mut self,
        watching: Option<&mut Watching<'_, W>>,
    ) -> Result<(), Exit> {
        match watching {
            Some(watching) => self.fail_watched(watching),
            None => self.fail(),
        }
    }

    /// As [`Machine::fail`] outside of any instruction: after a solution, or resumed after a limit.
    fn fail_watched<W: Watcher>(&mut self, watching: &mut Watching<'_, W>) -> Result<(), Exit> {
        let Watching { watch, watcher, .. } = watching;
        let watcher = &mut **watcher;
        let code = self.context.code.clone();
        self.context.heap.wipeout_constraint = None;
        watch.take_up(self, &code);
        watch.come_to(self.steps_now());
        if !watch.is_failing {
            watch.is_failing = true;
            watch.began = watch.when;
            watcher.tell(
                self,
                watch.here(None),
                WatchEvent::Fail { why: Why::Solved },
            );
        }
        let alternatives = self.statistics.alternatives;
        let failed = self.fail();
        watch.come_to(self.steps_now());
        match failed {
            Err(Exit::Failed) => watch.is_failing = false,
            _ if self.statistics.alternatives > alternatives && !self.is_failing() => {
                watch.report_taking(self, &code, watcher);
            }
            _ => {}
        }
        failed
    }
}

impl Watch {
    /// Reads the present state: the run may have continued unwatched, or with other code.
    fn take_up(&mut self, machine: &Machine, code: &Arc<Code>) {
        if !self
            .code
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, code))
        {
            self.add_reached();
            self.plan = WatchPlan::default();
            self.code = Some(code.clone());
            self.marks = marks(code);
        }
        self.reread_choices(machine, 0);
    }

    fn here(&self, span: Option<Span>) -> EventPoint {
        EventPoint {
            span,
            began: self.began,
            when: self.when,
        }
    }

    /// Charges the steps since the last time, if they are measured.
    fn settle(&mut self, machine: &Machine) {
        if let Some(measured) = &mut self.measured {
            measured.settle(machine.steps_now());
        }
    }

    /// Whether an instruction that has run has nothing to report.
    #[inline]
    fn is_quiet(&self, machine: &Machine, before: &Before) -> bool {
        let mark = self.marks[before.pc];
        mark.is_quiet
            && mark.writes == 0
            && machine.depth == before.depth
            && machine.statistics.failures == before.failures
            && machine.statistics.choice_points == before.choice_points
            && !machine.is_failing()
            && !self
                .marks
                .get(machine.pc as usize)
                .is_some_and(|mark| mark.is_birth)
    }

    /// Advances the moment to this number of steps.
    fn come_to(&mut self, step: u64) {
        if step != self.when.step {
            self.when = When { step, inside: 0 };
        }
    }

    /// Whether the instruction that comes next is the first of a line: of another one, in another frame, or once more.
    fn comes_to_line(&mut self, machine: &Machine, lines: &[u32]) -> bool {
        let line_of = |pc: usize| lines.get(pc).copied().unwrap_or(0);
        let mut latest = self.line;
        if let Some(call) = latest.returned_to {
            latest = LineAt {
                line: line_of(call),
                base: machine.base,
                pc: call,
                ..latest
            };
        }
        let pc = machine.pc as usize;
        let line = line_of(pc);
        self.line = LineAt {
            line,
            base: machine.base,
            pc,
            returned_to: None,
            is_repeated: latest.is_repeated,
        };
        if line == 0 {
            self.line.line = latest.line;
            return false;
        }
        let is_again = pc < latest.pc || pc == latest.pc && !latest.is_repeated;
        line != latest.line || machine.base != latest.base || is_again
    }

    /// A call has returned. The rest of its line is not a new line.
    fn comes_back_to(&mut self, machine: &Machine, call: usize) {
        if !self.marks[call].is_prelude {
            self.line.returned_to = Some(call);
        }
        self.come_back(machine);
    }

    /// After a function of the program has returned to the prelude, what the prelude does belongs to the line that
    /// called the prelude, and not to the last line of that function.
    fn come_back(&mut self, machine: &Machine) {
        let is_prelude = |at: usize| self.marks.get(at).is_some_and(|mark| mark.is_prelude);
        if !is_prelude(machine.pc as usize) {
            return;
        }
        let waiting = machine.frames[..machine.depth as usize].iter().rev();
        if let Some(at) = waiting
            .map(|frame| frame.pc.saturating_sub(1) as usize)
            .find(|at| !is_prelude(*at))
        {
            self.at = at;
            self.measured
                .iter_mut()
                .for_each(|measured| measured.come_to(at));
        }
    }
}
