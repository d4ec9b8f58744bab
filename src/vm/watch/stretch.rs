//! Stretches of a watched run that run in the main loop. What there is to tell of an instruction is known beforehand
//! ([`super::course`]), so the loop stops at those alone: the others it sees as they are, and runs as if nobody looked on.
//! What is told of choices needs to have been told of all of them: where the watcher can do without, an instruction that needs
//! to be compared ends the stretch.

use std::mem::take;

use super::course::{Tale, Tales};
use super::untold::Untold;
use super::{At, Before, NOWHERE, Open, Told, Watch, Watcher, When, Written};
use crate::bytecode::{Code, Op};
use crate::value::Value;
use crate::vm::execute::{Beside, HIDDEN};
use crate::vm::machine::Machine;
use crate::vm::place::Place;

/// A stretch that is under way.
struct Stretch<'a, W> {
    watch: &'a mut Watch,
    watcher: &'a mut W,
    code: &'a Code,
    known: &'a Tales,
    /// What the main loop sees. While there is something to tell, it sees nothing, and this lies aside.
    row: &'a mut [Op],
    aside: &'a mut [Op],
    seen: &'a mut [bool],
    /// Whether choices are told of, so that none goes by untold. Otherwise what needs that ends the stretch.
    tells_of_choices: bool,
    has_stopped: bool,
    /// The steps of the run are this less the fuel.
    steps: i64,
    /// The instructions since the run came to its step: how far the next one lies behind this.
    origin: usize,
    /// What is kept of the fuel so that the stretch ends before a moment, and the reserve at first.
    kept: i64,
    reserve: u64,
    /// The latest instruction that there is something to tell of, and whether it has yet to be told. Before the first it is
    /// nowhere.
    told: ToldAt,
    is_due: bool,
    /// Whether it was done.
    is_done: bool,
    /// The fewest choice points that have stood untouched.
    untouched: usize,
}

/// An instruction that there may be something to tell of, and the place and the moment before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToldAt {
    pc: usize,
    base: usize,
    depth: usize,
    began: When,
}

/// What a stretch has come to.
pub(super) enum Stretched {
    /// An instruction was done of which there may be something to tell.
    Told(ToldAt),
    /// The next instruction is not for the main loop.
    Over,
    /// The watcher wants to stop.
    Stopped,
}

impl<W: Watcher> Stretch<'_, W> {
    /// The moment before an instruction, with so much fuel.
    #[inline(always)]
    fn when(&self, at: usize, fuel: i64) -> When {
        When { step: (self.steps - fuel) as u64, inside: at.wrapping_sub(self.origin) as u32 }
    }

    /// Tells of an instruction that was done, with all of the fuel.
    #[inline(never)]
    fn tell(&mut self, machine: &mut Machine, tale: Tale, when: When) -> bool {
        let told = self.told;
        let ToldAt { pc, began, .. } = told;
        let at = |pc: usize| At { span: self.code.spans.get(pc).copied(), began, when };
        match tale {
            Tale::Change => {
                self.watch.at = pc;
                match machine.changed_by(self.code, self.code.ops[pc]) {
                    Some((target, value)) => self.watcher.tell_write(machine, at(pc), target, value),
                    None => true,
                }
            }
            Tale::Call => {
                let marks = &self.watch.marks;
                let function = marks[machine.pc as usize].function;
                if !marks[pc].is_prelude {
                    self.watch.at = pc;
                }
                match machine.arguments_of_call(self.code, function) {
                    Some(arguments) => {
                        self.watcher.tell(machine, at(self.watch.at), Told::Enter { function, arguments })
                    }
                    None => true,
                }
            }
            _ => {
                self.watch.when = when;
                machine.tell_of(told, tale, self.watch, self.code, self.watcher)
            }
        }
    }
}

impl<W: Watcher> Beside for Stretch<'_, W> {
    const LOOKS: bool = true;

    #[inline(always)]
    fn fetch(&self, _: &[Op], at: usize) -> Op {
        self.row.get(at).copied().unwrap_or(HIDDEN)
    }

    #[inline(always)]
    fn has_told(&self) -> bool {
        self.is_due
    }

    #[inline(never)]
    fn tells(&mut self, machine: &mut Machine) -> bool {
        let ToldAt { pc, began, .. } = self.told;
        let tale = self.known.tales[pc];
        let when = self.when(machine.pc as usize, machine.context.fuel);
        if let Tale::Register { name, register } = tale
            && self.kept == 0
        {
            self.is_due = false;
            self.row = take(&mut self.aside);
            self.watch.at = pc;
            let value = machine.get(register);
            if value == Value::UNSET {
                return true;
            }
            let at = At { span: self.code.spans.get(pc).copied(), began, when };
            let target = Written::Variable(&self.known.names[name as usize]);
            let goes_on = self.watcher.tell_write(machine, at, target, value);
            self.has_stopped = !goes_on;
            return goes_on;
        }
        if tale.is_of_choices() && !self.tells_of_choices {
            self.is_done = true;
            return false;
        }
        self.is_due = false;
        self.row = take(&mut self.aside);
        let is_whole = machine.reserve == self.reserve;
        machine.add_fuel(self.kept, is_whole);
        let goes_on = self.tell(machine, tale, when);
        machine.add_fuel(-self.kept, is_whole);
        self.has_stopped = !goes_on;
        goes_on
    }

    #[inline(always)]
    fn reveals(&mut self, ops: &[Op], at: usize, place: Place) -> Option<Op> {
        if place.fuel < 0 {
            return None;
        }
        let seen = self.fetch(ops, at);
        if seen != HIDDEN {
            return Some(seen);
        }
        let tale = self.known.tales[at];
        if !matches!(tale, Tale::Register { .. }) {
            // What is told of at once need not be told of later.
            self.seen[at] = true;
        }
        match tale {
            Tale::Unforeseen => return None,
            // It was hidden to see whether the run comes to it.
            Tale::Nothing => self.row[at] = ops[at],
            _ => {
                self.told = ToldAt { pc: at, base: place.base, depth: place.depth, began: self.when(at, place.fuel) };
                self.is_due = true;
                self.aside = take(&mut self.row);
            }
        }
        Some(ops[at])
    }

    #[inline(always)]
    fn jumps(&mut self, next: usize, to: usize) {
        self.origin = self.origin.wrapping_sub(next).wrapping_add(to);
    }

    #[inline(always)]
    fn pays(&mut self, next: usize) {
        self.origin = next;
    }

    #[inline]
    fn has_guessed(&mut self, machine: &Machine, next: usize, fuel: i64) {
        self.untouched = self.untouched.min(machine.open_choices().saturating_sub(1));
        let pc = machine.pc as usize;
        // What an alternative gives may go into a variable at once, in the instruction that chose.
        self.seen[pc.saturating_sub(1)] = true;
        let before = self.steps - fuel;
        let now = machine.steps_now() as i64 - self.kept;
        self.steps = now + machine.context.fuel;
        if now == before {
            self.jumps(next, pc);
        } else {
            self.pays(pc);
        }
        if machine.context.fuel < 0 && !self.is_due {
            // The next instruction is left undone.
            self.aside = take(&mut self.row);
        }
    }
}

impl Machine {
    /// Changes by so much what there is of fuel: what was kept of it is there again, or not. Where the limits are to be
    /// looked at soon, what was left of the fuel is no fuel any more, and the reserve changes.
    fn add_fuel(&mut self, kept: i64, is_whole: bool) {
        if is_whole {
            self.context.fuel += kept;
        } else {
            self.reserve = self.reserve.saturating_add_signed(kept);
        }
    }

    /// Lets the run go on in the main loop as long as nothing is to be done for it elsewhere, and it has not come to a moment.
    pub(super) fn run_stretch<W: Watcher>(
        &mut self,
        watch: &mut Watch,
        code: &Code,
        until: Option<When>,
        watcher: &mut W,
    ) -> Stretched {
        let began = self.pc as usize;
        // Fast forms look at the fuel: with as much as is left up to the moment, none goes past it that could stop.
        let most = until.map_or(i64::MAX, |until| {
            i64::try_from(until.step.saturating_sub(watch.when.step)).unwrap_or(i64::MAX) - 1
        });
        let tales = watch.course.told.clone();
        if tales.tales[began] == Tale::Unforeseen || self.context.fuel.min(most) <= 0 {
            watch.course.seen[began] = true;
            return Stretched::Over;
        }
        let kept = (self.context.fuel - most).max(0);
        self.context.fuel -= kept;
        let (fuel, reserve) = (self.context.fuel, self.reserve);
        let (choices, failures) = (self.statistics.choice_points, self.statistics.failures);
        let skips_choices = watch.course.wanted.skips_choices();
        let (mut row, mut seen) = (take(&mut watch.course.row), take(&mut watch.course.seen));
        let began_at = watch.when;
        let mut stretch = Stretch {
            known: &tales,
            row: &mut row,
            aside: &mut [],
            seen: &mut seen,
            tells_of_choices: !skips_choices,
            has_stopped: false,
            steps: began_at.step as i64 + fuel,
            origin: began.wrapping_sub(began_at.inside as usize),
            kept,
            reserve,
            told: ToldAt { pc: NOWHERE, base: 0, depth: 0, began: began_at },
            is_due: false,
            is_done: false,
            watch,
            watcher,
            code,
            untouched: usize::MAX,
        };
        self.run_fast_forms(code, &mut stretch);
        // The instruction before `pc` is left undone.
        self.pc -= 1;
        let when = stretch.when(self.pc as usize, self.context.fuel);
        let Stretch { told, is_done, untouched, has_stopped, .. } = stretch;
        (watch.course.row, watch.course.seen) = (row, seen);
        self.add_fuel(kept, self.reserve == reserve);
        watch.when = when;
        if told.pc != NOWHERE {
            watch.began = told.began;
        }
        if has_stopped {
            return Stretched::Stopped;
        }
        if watch.when == began_at && !is_done {
            return Stretched::Over;
        }
        watch.line.is_repeated = false;
        if skips_choices {
            watch.untold.choices += self.statistics.choice_points - choices;
            watch.untold.failures += self.statistics.failures - failures;
            if untouched != usize::MAX {
                watch.take_up_choices(self, untouched);
            }
        }
        if is_done {
            return Stretched::Told(told);
        }
        watch.come_back(self);
        Stretched::Over
    }

    /// Tells of an instruction that was done in the main loop. False if the watcher wants to stop.
    fn tell_of(&mut self, told: ToldAt, tale: Tale, watch: &mut Watch, code: &Code, watcher: &mut dyn Watcher) -> bool {
        watch.began = told.began;
        if !watch.marks[told.pc].is_prelude {
            watch.at = told.pc;
        }
        match tale {
            Tale::Variables { others, births } => {
                watch.told_of_variables_alone(self, code, told.pc, (others, births), watcher)
            }
            Tale::Return => {
                let goes_on = watch.told_of_return(self, code, told.pc, told.base as u32, watcher);
                watch.come_back(self);
                goes_on
            }
            Tale::Choice => watch.told_of_choosing(self, code, told.pc, watcher),
            Tale::Failure => watch.told_of_failure(self, code, told.pc, watcher),
            _ => self.compare(told, watch, code, watcher),
        }
    }

    /// Tells of it by comparing. False if the watcher wants to stop.
    pub(super) fn compare(&mut self, told: ToldAt, watch: &mut Watch, code: &Code, watcher: &mut dyn Watcher) -> bool {
        watch.began = told.began;
        if !watch.marks[told.pc].is_prelude {
            watch.at = told.pc;
        }
        let before = Before { pc: told.pc, base: told.base as u32, depth: told.depth as u32, ..self.before() };
        watch.told_after(self, code, &before, false, watcher)
    }
}

impl Watch {
    /// Looks at the open choice points again, of which so many stand as they were.
    pub(super) fn take_up_choices(&mut self, machine: &Machine, untouched: usize) {
        let points = machine.choices.points();
        let untouched = untouched.min(self.open.len()).min(points.len());
        let same = self.open[untouched..].iter().zip(&points[untouched..]);
        let same = untouched + same.take_while(|(open, choice)| open.serial == choice.serial).count();
        self.open.truncate(same);
        for (number, choice) in points.iter().enumerate().skip(same) {
            let at = choice.pc as usize - 1;
            let place = machine.place_of_choice(number);
            let origin = if place.is_some() { at } else { NOWHERE };
            self.open.push(Open { id: self.next, serial: choice.serial, taken: 1, at, origin, place, standing: None });
            self.next += 1;
        }
    }

    /// What was done since the last time that nobody was told of. More variables than got a value may be named.
    #[cfg(feature = "timeline")]
    pub fn take_untold(&mut self) -> Untold {
        self.note_seen();
        take(&mut self.untold)
    }

    /// Finds out what the instructions may have done that were come to.
    pub(super) fn note_seen(&mut self) {
        if let Some(code) = &self.code {
            self.course.note_seen(code, &self.marks, &mut self.untold);
        }
    }
}
