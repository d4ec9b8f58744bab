//! Stretches of a watched run that run in the main loop. Which instructions are told of and which end a stretch is found out
//! beforehand, from the instruction table and from what the watcher wants to know. What is told of choices needs to have been
//! told of all of them: where the watcher can do without, an instruction to tell of ends the stretch as well.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Before, NOWHERE, Open, Wanted, Watch, Watcher, When};
use crate::bytecode::{Change, Code, Destination, FIRST_REGISTER, Flow, Op};
use crate::vm::execute::{Beside, Next};
use crate::vm::machine::Machine;
use crate::vm::place::Place;
use crate::vm::variables::Mark;

/// An instruction is not for the main loop: what it does is found out by comparing.
const LOUD: u8 = 1;
/// It was come to.
const SEEN: u8 = 2;
/// It ends a stretch once it is done, as there may be something to tell of it.
const TOLD: u8 = 4;
/// There is nothing to tell of it but what variables hold.
const VARIABLES: u8 = 8;
/// Of these, that it may write to one that is not of its function alone, and that some may have their first value behind it.
const OTHERS: u8 = 16;
const BIRTHS: u8 = 32;

/// What a run has done that its watcher did not want to be told of.
#[derive(Clone, Debug, Default)]
pub struct Untold {
    /// The variables that may have got a value.
    pub variables: BTreeSet<Arc<str>>,
    /// Whether functions may have been called, and have returned.
    pub calls: bool,
    pub choices: u64,
    pub failures: u64,
}

/// What is known of the instructions of a code, for stretches.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    wanted: Wanted,
    flags: Vec<u8>,
}

/// A stretch that is under way.
struct Stretch<'a> {
    watch: &'a mut Watch,
    watcher: &'a mut dyn Watcher,
    code: &'a Code,
    /// Whether what there is to tell is told at once: then no choice goes by untold. Otherwise it ends the stretch.
    tells_at_once: bool,
    has_stopped: bool,
    /// The steps of the moment at which the fuel was as much as it was at first.
    step: u64,
    first_fuel: i64,
    /// What is kept of the fuel so that the stretch ends before a moment, and the reserve at first.
    kept: i64,
    reserve: u64,
    flags: &'a mut [u8],
    /// The moment that it has come to: the fuel, and the instructions since then.
    fuel: i64,
    inside: u32,
    /// Whether the latest instruction is one to tell of: as `LOUD` in flags, which ends the stretch.
    has_told: u8,
    told: ToldAt,
    /// The instruction that the machine stands before while it tells.
    ahead: ToldAt,
    /// Whether it was done.
    is_done: bool,
    /// The fewest choice points that have stood untouched.
    untouched: usize,
}

/// An instruction that there may be something to tell of, and the place and the moment before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ToldAt {
    pc: usize,
    base: usize,
    depth: usize,
    fuel: i64,
    began: When,
    flags: u8,
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

impl ToldAt {
    /// With the whole moment before it, from the step at which a stretch had so much fuel.
    fn of_stretch(self, step: u64, fuel: i64) -> ToldAt {
        let began = When { step: step + (fuel - self.fuel) as u64, ..self.began };
        ToldAt { began, ..self }
    }
}

impl Stretch<'_> {
    #[inline(always)]
    fn told_at(&self, at: usize, place: &Place, flags: u8) -> ToldAt {
        ToldAt {
            pc: at,
            base: place.base,
            depth: place.depth,
            fuel: self.fuel,
            began: When { step: 0, inside: self.inside },
            flags,
        }
    }
}

impl Beside for Stretch<'_> {
    const LOOKS: bool = true;

    #[inline(always)]
    fn comes_to(&mut self, at: usize, place: &Place) -> Next {
        self.inside = if place.fuel == self.fuel { self.inside.wrapping_add(1) } else { 0 };
        self.fuel = place.fuel;
        let flags = self.flags[at];
        self.flags[at] = flags | SEEN;
        if self.has_told | flags & LOUD != 0 || place.fuel < 0 {
            if self.has_told != 0 && self.tells_at_once && place.fuel >= 0 {
                self.ahead = self.told_at(at, place, flags);
                return Next::IsTold;
            }
            self.is_done = self.has_told != 0;
            return Next::Waits;
        }
        if flags & TOLD != 0 {
            self.has_told = LOUD;
            self.told = self.told_at(at, place, flags);
        }
        Next::Runs
    }

    #[inline(never)]
    fn tells(&mut self, machine: &mut Machine) -> bool {
        let told = std::mem::replace(&mut self.told, self.ahead);
        let is_whole = machine.reserve == self.reserve;
        machine.add_fuel(self.kept, is_whole);
        self.watch.when = When { step: machine.steps_now(), inside: self.inside };
        self.watch.line.is_repeated = false;
        let told = told.of_stretch(self.step, self.first_fuel);
        let goes_on = machine.tell_of(told, self.watch, self.code, self.watcher);
        machine.add_fuel(-self.kept, is_whole);
        let flags = self.flags[self.ahead.pc];
        self.has_stopped = !goes_on;
        self.has_told = if flags & TOLD != 0 { LOUD } else { 0 };
        goes_on && flags & LOUD == 0
    }

    #[inline]
    fn has_guessed(&mut self, machine: &Machine) {
        self.untouched = self.untouched.min(machine.open_choices().saturating_sub(1));
        // What an alternative gives may go into a variable at once, in the instruction that chose.
        self.flags[machine.pc.saturating_sub(1) as usize] |= SEEN;
    }
}

impl Course {
    /// Makes it fit for a code and what is wanted of it. What was seen stays.
    pub fn fit(&mut self, code: &Code, marks: &[Mark], wanted: Wanted) {
        if self.flags.len() == code.ops.len() && self.wanted == wanted {
            return;
        }
        self.flags.resize(code.ops.len(), 0);
        self.wanted = wanted;
        let main = &code.functions[code.main as usize];
        let main = main.entry as usize..(main.entry + main.length) as usize;
        for (at, op) in code.ops.iter().enumerate() {
            let kept = self.flags[at] & SEEN;
            self.flags[at] = kept | flags_of(*op, at, code, marks, wanted, main.contains(&at));
        }
    }
}

/// What is to be told of an instruction that runs in its fast form.
fn flags_of(op: Op, at: usize, code: &Code, marks: &[Mark], wanted: Wanted, is_main: bool) -> u8 {
    let mark = marks[at];
    // Where calls are not told of, it is found out before an instruction which of the program it belongs to.
    let told = if mark.is_prelude && !wanted.calls { LOUD } else { TOLD };
    let told_if = |is_wanted: bool| if is_wanted { told } else { 0 };
    match op {
        // What is taken may go into a variable.
        Op::Choose { .. }
        | Op::ChooseFirst { .. }
        | Op::ChooseElement { .. }
        | Op::ChooseRange { .. }
        | Op::Fail {} => {
            return told_if(wanted.choices || wanted.variables);
        }
        Op::Call { .. } | Op::CallKnown { .. } => return told_if(wanted.calls),
        Op::Return { .. } | Op::ReturnNull {} => return told_if(wanted.calls || wanted.variables),
        _ if op.live().is_some() => return LOUD,
        _ => {}
    }
    let is_variable = match op.change() {
        Change::Nothing => false,
        Change::Global(_) | Change::Captured { .. } | Change::Variable(_) => !mark.is_prelude,
        // What becomes of boards has full forms only.
        Change::Field { .. }
        | Change::Element { .. }
        | Change::Cell { .. }
        | Change::End { .. }
        | Change::ByBuiltIn => return told_if(!mark.is_prelude),
    };
    let is_born = |target: usize| target > at && marks.get(target).is_some_and(|mark| mark.is_birth);
    let leads_to_birth = match op.flow() {
        Flow::Next => is_born(at + 1),
        Flow::Jump(target) => is_born(target as usize),
        Flow::MayJump(target) => is_born(at + 1) || is_born(target as usize),
        Flow::Branch(_) | Flow::End => return LOUD,
    };
    let is_other = is_variable || is_main && top_level(op, code).is_some();
    if !wanted.variables || !(is_other || leads_to_birth || mark.writes > 0) {
        return 0;
    }
    told | VARIABLES | if is_other { OTHERS } else { 0 } | if leads_to_birth { BIRTHS } else { 0 }
}

/// The global variable that an instruction of the program's own frame writes to, if it is one of its registers.
fn top_level(op: Op, code: &Code) -> Option<&Arc<str>> {
    let Destination::Register(register) = op.destination() else { return None };
    let slot = code.top_level.get(register.checked_sub(FIRST_REGISTER)? as usize)?;
    Some(&code.globals[*slot as usize].name)
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
    pub(super) fn run_stretch(
        &mut self,
        watch: &mut Watch,
        code: &Code,
        until: Option<When>,
        watcher: &mut dyn Watcher,
    ) -> Stretched {
        let began = self.pc as usize;
        // Fast forms look at the fuel: with as much as is left up to the moment, none goes past it that could stop.
        let most = until.map_or(i64::MAX, |until| {
            i64::try_from(until.step.saturating_sub(watch.when.step)).unwrap_or(i64::MAX) - 1
        });
        if watch.course.flags[began] & LOUD != 0 || self.context.fuel.min(most) <= 0 {
            watch.course.flags[began] |= SEEN;
            return Stretched::Over;
        }
        let kept = (self.context.fuel - most).max(0);
        self.context.fuel -= kept;
        let (fuel, reserve) = (self.context.fuel, self.reserve);
        let (choices, failures) = (self.statistics.choice_points, self.statistics.failures);
        let skips_choices = watch.course.wanted.skips_choices();
        let mut flags = std::mem::take(&mut watch.course.flags);
        let began_at = watch.when;
        let mut stretch = Stretch {
            tells_at_once: !skips_choices,
            has_stopped: false,
            step: began_at.step,
            first_fuel: fuel,
            kept,
            reserve,
            flags: &mut flags,
            fuel,
            inside: began_at.inside.wrapping_sub(1),
            has_told: 0,
            told: ToldAt::default(),
            ahead: ToldAt::default(),
            is_done: false,
            watch,
            watcher,
            code,
            untouched: usize::MAX,
        };
        self.run_fast_forms(code, &mut stretch);
        let Stretch { inside, told, is_done, untouched, has_stopped, .. } = stretch;
        watch.course.flags = flags;
        // The instruction before `pc` is left undone.
        self.pc -= 1;
        self.add_fuel(kept, self.reserve == reserve);
        watch.when = When { step: self.steps_now(), inside };
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
            return Stretched::Told(told.of_stretch(began_at.step, fuel));
        }
        watch.come_back(self);
        Stretched::Over
    }

    /// Tells of an instruction that was done in the main loop. False if the watcher wants to stop.
    pub(super) fn tell_of(&mut self, told: ToldAt, watch: &mut Watch, code: &Code, watcher: &mut dyn Watcher) -> bool {
        watch.began = told.began;
        if !watch.marks[told.pc].is_prelude {
            watch.at = told.pc;
        }
        if told.flags & VARIABLES != 0 {
            let (others, births) = (told.flags & OTHERS != 0, told.flags & BIRTHS != 0);
            return watch.told_of_variables_alone(self, code, told.pc, (others, births), watcher);
        }
        let has_chosen = matches!(
            code.ops[told.pc],
            Op::Choose { .. } | Op::ChooseFirst { .. } | Op::ChooseElement { .. } | Op::ChooseRange { .. }
        );
        let has_failed = matches!(code.ops[told.pc], Op::Fail {});
        let before = Before {
            pc: told.pc,
            base: told.base as u32,
            depth: told.depth as u32,
            failures: self.statistics.failures - u64::from(has_failed),
            choice_points: self.statistics.choice_points
                - u64::from(has_chosen && self.choices.height() > watch.open.len()),
            ..self.before()
        };
        let goes_on = watch.told_after(self, code, &before, false, watcher);
        if !has_failed && self.depth < before.depth {
            watch.come_back(self);
        }
        goes_on
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
        std::mem::take(&mut self.untold)
    }

    /// Finds out what the instructions may have done that were come to.
    pub(super) fn note_seen(&mut self) {
        let (Some(code), flags) = (&self.code, &mut self.course.flags) else { return };
        if flags.len() != code.ops.len() {
            return;
        }
        for (number, function) in code.functions.iter().enumerate() {
            let entry = function.entry as usize;
            for (offset, flags) in flags[entry..entry + function.length as usize].iter_mut().enumerate() {
                if *flags & SEEN == 0 {
                    continue;
                }
                *flags &= !SEEN;
                let (at, op) = (entry + offset, code.ops[entry + offset]);
                self.untold.calls |=
                    matches!(op, Op::Call { .. } | Op::CallKnown { .. } | Op::Return { .. } | Op::ReturnNull {});
                let (mark, names) = (self.marks[at], &mut self.untold.variables);
                if mark.is_prelude {
                    continue;
                }
                let mut add = |name: &Arc<str>| {
                    if !names.contains(name) {
                        names.insert(name.clone());
                    }
                };
                if mark.is_birth {
                    function
                        .variables
                        .iter()
                        .filter(|variable| variable.born as usize == offset)
                        .for_each(|born| add(&born.name));
                }
                if let Some(variable) =
                    usize::from(mark.writes).checked_sub(1).and_then(|number| function.variables.get(number))
                {
                    add(&variable.name);
                }
                match op.change() {
                    Change::Global(slot) => add(&code.globals[slot as usize].name),
                    Change::Captured { index, .. } => {
                        function.capture_names.get(index as usize).into_iter().for_each(&mut add)
                    }
                    _ => {}
                }
                if number == code.main as usize {
                    top_level(op, code).into_iter().for_each(add);
                }
            }
        }
    }
}
