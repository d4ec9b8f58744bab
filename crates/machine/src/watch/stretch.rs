//! Stretches of a watched run that run in the main loop. The reports of an instruction are known beforehand
//! ([`super::plan`]), so the loop stops only where there are any: the others run as if unwatched. Reporting choices
//! requires that all of them were reported: where the watcher can do without, an instruction that needs a comparison
//! ends the stretch.

use std::mem::take;

use super::plan::{Report, Reports};
use super::unreported::Unreported;
use super::{Before, EventPoint, NOWHERE, OpenEntry, Watch, WatchEvent, Watcher, When, Written};
use crate::execute::{LoopWatcher, REPORTED, moved};
use crate::loop_state::LoopState;
use crate::machine::Machine;
use ndscript_bytecode::{Change, Code, Op, Register};
use ndscript_heap::Value;

/// A running stretch.
struct Stretch<'a, W> {
    watch: &'a mut Watch,
    watcher: &'a mut W,
    code: &'a Code,
    known: &'a Reports,
    /// The instructions as the main loop sees them.
    row: &'a mut [Op],
    seen: &'a mut [bool],
    /// Whether choices are reported, so that none is missed. Otherwise an instruction that needs that ends the
    /// stretch.
    tells_of_choices: bool,
    has_stopped: bool,
    /// The steps of the run are this minus the fuel.
    steps: i64,
    /// The fuel withheld so that the stretch ends before a moment, and the reserve at first.
    withheld: i64,
    reserve: u64,
    /// Whether the latest instruction with a report was carried out, but not reported yet.
    is_due: bool,
    /// The smallest number of choice points that were not changed.
    untouched: usize,
}

/// An instruction that may have a report, and the place and the moment before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportedAt {
    pc: usize,
    base: usize,
    depth: usize,
    began: When,
}

/// How a stretch has ended.
pub(super) enum StretchEnd {
    /// An instruction that may have a report was carried out.
    Reported(ReportedAt),
    /// The next instruction is not for the main loop.
    Over,
    /// The watcher wants to stop.
    Stopped,
}

impl<W: Watcher> Stretch<'_, W> {
    /// The moment before an instruction, with this much fuel.
    #[inline(always)]
    fn when(&self, at: usize, fuel: i64, origin: usize) -> When {
        When {
            step: (self.steps - fuel) as u64,
            inside: at.wrapping_sub(origin) as u32,
        }
    }

    #[inline(always)]
    fn at(&self, pc: usize, began: When, when: When) -> EventPoint {
        EventPoint {
            span: self.code.spans.get(pc).copied(),
            began,
            when,
        }
    }

    /// Reports a variable that is a register, if it has a value.
    #[inline(always)]
    fn report_register(
        &mut self,
        machine: &Machine,
        at: EventPoint,
        name: u32,
        register: Register,
    ) -> bool {
        let value = machine.get(register);
        value == Value::UNSET
            || self.watcher.tell_write(
                machine,
                at,
                Written::Variable(&self.known.names[name as usize]),
                value,
            )
    }

    /// Reports a change that is no variable of the function. Never of a constrained board, as those have full forms
    /// only.
    fn report_change(&mut self, machine: &Machine, reported: &ReportedAt, when: When) -> bool {
        self.watch.at = reported.pc;
        let at = self.at(reported.pc, reported.began, when);
        let op = self.code.ops[reported.pc];
        let (target, value) = match op.change() {
            Change::Element { base, index, from } => {
                debug_assert!(
                    machine
                        .context
                        .heap
                        .constrained(machine.get(base))
                        .is_none()
                );
                (
                    Written::Part(machine.get(base), machine.get(index)),
                    machine.get(from),
                )
            }
            _ => match machine.changed_by(self.code, op) {
                Some(changed) => changed,
                None => return true,
            },
        };
        self.watcher.tell_write(machine, at, target, value)
    }

    /// Reports a call that was just entered. Returns whether the run is to go on.
    fn report_call(&mut self, machine: &Machine, reported: &ReportedAt, when: When) -> bool {
        let function = self
            .code
            .function(self.watch.marks[machine.pc as usize].function);
        if !self.watch.marks[reported.pc].is_prelude {
            self.watch.at = reported.pc;
        }
        if function.prelude {
            return true;
        }
        let at = self.at(self.watch.at, reported.began, when);
        self.watcher.tell(
            machine,
            at,
            WatchEvent::Enter {
                function,
                arguments: machine.arguments_of_call(function),
            },
        )
    }

    /// Reports a return, and where its result goes. Returns whether the run is to go on.
    fn report_return(&mut self, machine: &Machine, reported: &ReportedAt, when: When) -> bool {
        let mark = self.watch.marks[reported.pc];
        if !mark.is_prelude {
            self.watch.at = reported.pc;
        }
        let at = self.at(self.watch.at, reported.began, when);
        let function = self.code.function(mark.function);
        let mut continues = true;
        if !function.prelude {
            let value = machine.stack[reported.base];
            continues &= self
                .watcher
                .tell(machine, at, WatchEvent::Leave { function, value });
        }
        let call = machine.pc as usize - 1;
        match self.known.results[call] {
            Report::Nothing => {}
            Report::Register { name, register } => {
                continues &= self.report_register(machine, at, name, register)
            }
            _ => {
                continues &= self
                    .watch
                    .report_result(machine, self.code, at, self.watcher)
            }
        }
        self.watch.comes_back_to(machine, call);
        continues
    }
}

impl<W: Watcher> LoopWatcher for Stretch<'_, W> {
    const LOOKS: bool = true;
    type Before = ReportedAt;

    #[inline(always)]
    fn row(&self) -> &[Op] {
        self.row
    }

    #[inline(always)]
    fn capture(&self, place: LoopState, origin: usize) -> ReportedAt {
        let began = self.when(place.pc, place.fuel, origin);
        ReportedAt {
            pc: place.pc,
            base: place.base,
            depth: place.depth,
            began,
        }
    }

    #[inline(never)]
    fn tells(&mut self, machine: &mut Machine, before: &ReportedAt, origin: usize) -> bool {
        // The most frequent report.
        let continues = match self.known.reports[before.pc] {
            Report::Register { name, register } if self.withheld == 0 => {
                self.watch.at = before.pc;
                let when = self.when(machine.pc as usize, machine.context.fuel, origin);
                self.report_register(
                    machine,
                    self.at(before.pc, before.began, when),
                    name,
                    register,
                )
            }
            _ => return self.report_more(machine, before, origin),
        };
        self.has_stopped = !continues;
        continues
    }

    #[inline(never)]
    fn unmasks(&mut self, at: usize) -> bool {
        // Effects that are reported at once need no report later.
        self.seen[at] = true;
        match self.known.reports[at] {
            Report::Unforeseen => return false,
            Report::Nothing => self.row[at] = self.code.ops[at],
            _ => self.row[at] = REPORTED,
        }
        true
    }

    #[inline]
    fn has_guessed(&mut self, machine: &Machine, next: usize, fuel: i64, origin: usize) -> usize {
        self.untouched = self.untouched.min(machine.open_choices().saturating_sub(1));
        let pc = machine.pc as usize;
        // The value of an alternative may go into a variable at once, in the instruction that chose.
        self.seen[pc.saturating_sub(1)] = true;
        let before = self.steps - fuel;
        let now = machine.steps_now() as i64 - self.withheld;
        self.steps = now + machine.context.fuel;
        if now == before {
            moved(origin, next, pc)
        } else {
            pc
        }
    }
}

impl<W: Watcher> Stretch<'_, W> {
    /// Reports an instruction that does more than set a variable's register, with the full fuel.
    #[inline(never)]
    fn report_more(&mut self, machine: &mut Machine, reported: &ReportedAt, origin: usize) -> bool {
        let report = self.known.reports[reported.pc];
        if report.is_of_choices() && !self.tells_of_choices {
            self.is_due = true;
            return false;
        }
        let when = self.when(machine.pc as usize, machine.context.fuel, origin);
        let (withheld, is_whole) = (self.withheld, machine.reserve == self.reserve);
        if withheld != 0 {
            machine.add_fuel(withheld, is_whole);
        }
        let continues = match report {
            Report::Register { name, register } => {
                self.watch.at = reported.pc;
                self.report_register(
                    machine,
                    self.at(reported.pc, reported.began, when),
                    name,
                    register,
                )
            }
            Report::Change => self.report_change(machine, reported, when),
            Report::Call => self.report_call(machine, reported, when),
            Report::Return => self.report_return(machine, reported, when),
            _ => {
                self.watch.when = when;
                machine.report_from_stretch(*reported, report, self.watch, self.code, self.watcher)
            }
        };
        if withheld != 0 {
            machine.add_fuel(-withheld, is_whole);
        }
        self.has_stopped = !continues;
        continues
    }
}

impl Machine {
    /// Adds the withheld fuel, or takes it away again. If a check of the limits is due, the fuel was moved into the
    /// reserve, so the reserve changes.
    fn add_fuel(&mut self, withheld: i64, is_whole: bool) {
        if is_whole {
            self.context.fuel += withheld;
        } else {
            self.reserve = self.reserve.saturating_add_signed(withheld);
        }
    }

    /// Continues in the main loop until an instruction needs another driver, or the run reaches a moment.
    pub(super) fn run_stretch<W: Watcher>(
        &mut self,
        watch: &mut Watch,
        code: &Code,
        until: Option<When>,
        watcher: &mut W,
    ) -> StretchEnd {
        let began = self.pc as usize;
        // Fast forms check the fuel: with only the fuel up to the moment, no form that could stop runs past it.
        let most = until.map_or(i64::MAX, |until| {
            i64::try_from(until.step.saturating_sub(watch.when.step)).unwrap_or(i64::MAX) - 1
        });
        let reports = watch.plan.reports.clone();
        if reports.reports[began] == Report::Unforeseen || self.context.fuel.min(most) <= 0 {
            watch.plan.reached[began] = true;
            return StretchEnd::Over;
        }
        let withheld = (self.context.fuel - most).max(0);
        self.context.fuel -= withheld;
        let (fuel, reserve) = (self.context.fuel, self.reserve);
        let (choices, failures) = (self.statistics.choice_points, self.statistics.failures);
        let skips_choices = watch.plan.wanted.skips_choices();
        let (mut row, mut seen) = (
            take(&mut watch.plan.shown_ops),
            take(&mut watch.plan.reached),
        );
        let began_at = watch.when;
        let mut stretch = Stretch {
            known: &reports,
            row: &mut row,
            seen: &mut seen,
            tells_of_choices: !skips_choices,
            has_stopped: false,
            steps: began_at.step as i64 + fuel,
            withheld,
            reserve,
            is_due: false,
            watch,
            watcher,
            code,
            untouched: usize::MAX,
        };
        let origin = began.wrapping_sub(began_at.inside as usize);
        let (origin, told) = self.run_fast_forms(code, &mut stretch, origin);
        // The instruction before `pc` was not carried out.
        self.pc -= 1;
        let when = stretch.when(self.pc as usize, self.context.fuel, origin);
        let Stretch {
            is_due,
            untouched,
            has_stopped,
            ..
        } = stretch;
        (watch.plan.shown_ops, watch.plan.reached) = (row, seen);
        self.add_fuel(withheld, self.reserve == reserve);
        watch.when = when;
        if has_stopped {
            watch.began = told.began;
            return StretchEnd::Stopped;
        }
        if watch.when == began_at && !is_due {
            return StretchEnd::Over;
        }
        watch.line.is_repeated = false;
        if skips_choices {
            watch.unreported.choices += self.statistics.choice_points - choices;
            watch.unreported.failures += self.statistics.failures - failures;
            if untouched != usize::MAX {
                watch.reread_choices(self, untouched);
            }
        }
        if is_due {
            return StretchEnd::Reported(told);
        }
        watch.come_back(self);
        StretchEnd::Over
    }

    /// Reports an instruction that was done in the main loop. False if the watcher wants to stop.
    fn report_from_stretch(
        &mut self,
        reported: ReportedAt,
        report: Report,
        watch: &mut Watch,
        code: &Code,
        watcher: &mut dyn Watcher,
    ) -> bool {
        watch.began = reported.began;
        if !watch.marks[reported.pc].is_prelude {
            watch.at = reported.pc;
        }
        match report {
            Report::Variables { others, births } => {
                watch.report_only_variables(self, code, reported.pc, (others, births), watcher)
            }
            Report::Choice => watch.report_choosing(self, code, reported.pc, watcher),
            Report::Failure => watch.report_failure(self, code, reported.pc, watcher),
            _ => self.compare(reported, watch, code, watcher),
        }
    }

    /// Reports it by comparing. False if the watcher wants to stop.
    pub(super) fn compare(
        &mut self,
        reported: ReportedAt,
        watch: &mut Watch,
        code: &Code,
        watcher: &mut dyn Watcher,
    ) -> bool {
        watch.began = reported.began;
        if !watch.marks[reported.pc].is_prelude {
            watch.at = reported.pc;
        }
        let before = Before {
            pc: reported.pc,
            base: reported.base as u32,
            depth: reported.depth as u32,
            ..self.before()
        };
        watch.report_after(self, code, &before, false, watcher)
    }
}

impl Watch {
    /// Reads the open choice points again, of which the first `untouched` have not changed.
    pub(super) fn reread_choices(&mut self, machine: &Machine, untouched: usize) {
        let untouched = untouched.min(self.open.len()).min(machine.choices.height());
        let same = self.open[untouched..]
            .iter()
            .zip(machine.choices.points_from(untouched));
        let same = untouched
            + same
                .take_while(|(open, choice)| open.serial == choice.serial)
                .count();
        self.open.truncate(same);
        for (number, choice) in (same..).zip(machine.choices.points_from(same)) {
            let at = choice.pc as usize - 1;
            let place = machine.place_of_choice(number);
            let origin = if place.is_some() { at } else { NOWHERE };
            self.open.push(OpenEntry {
                id: self.next,
                serial: choice.serial,
                taken: 1,
                at,
                origin,
                place,
                standing: None,
            });
            self.next += 1;
        }
    }

    /// The unreported effects since the last time. May include variables that did not get a value.
    pub fn take_unreported(&mut self) -> Unreported {
        self.add_reached();
        take(&mut self.unreported)
    }

    /// Adds the possible effects of the instructions that were reached.
    pub(super) fn add_reached(&mut self) {
        if let Some(code) = &self.code {
            self.plan
                .add_reached(code, &self.marks, &mut self.unreported);
        }
    }
}
