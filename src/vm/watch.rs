//! What a search tells whoever watches it. Events are found by comparing where the machine stands before and behind an
//! instruction, so that the machine itself knows next to nothing of being watched, and does the same.

mod course;
#[cfg(feature = "timeline")]
pub mod origins;
mod stretch;
mod telling;
mod untold;
mod wanted;

use std::sync::Arc;

use self::course::Course;
use self::stretch::Stretched;
pub use self::untold::Untold;
pub use self::wanted::Wanted;
use super::execute::Driver;
use super::machine::{Exit, Machine};
use super::output::OutputMark;
use super::profile::{Measured, Standing};
use super::record::Snapshot;
use super::variables::{Mark, marks};
use crate::bytecode::{Code, Flow, Function, Op};
use crate::picture::Picture;
use crate::source::Span;
use crate::value::{Kind, Value};

/// Where and when something happens.
#[derive(Clone, Copy, Debug)]
pub struct At {
    pub span: Option<Span>,
    /// The moments before and behind the instruction.
    pub began: When,
    pub when: When,
}

/// Who watches a search.
pub trait Watcher {
    /// Whether the main loop may run between what it is told of. Without that no main loop is compiled for it.
    fn lets_run() -> bool
    where
        Self: Sized,
    {
        true
    }

    /// Is told of an event. False stops the run behind the instruction.
    fn tell(&mut self, machine: &Machine, at: At, event: Told<'_>) -> bool;
    /// The same of an event of which there are more than of all others: a variable, element, field or cell has a new value.
    fn tell_write(&mut self, machine: &Machine, at: At, target: Written<'_>, value: Value) -> bool;
    /// An instruction comes next, where none goes by unseen.
    fn begin(&mut self, _machine: &Machine, _code: &Code) {}
    /// It was carried out.
    fn end(&mut self, _machine: &Machine, _code: &Code, _at: At) {}
}

/// There is no such watcher: what is watched by it is not watched.
pub enum Nobody {}

impl Watcher for Nobody {
    fn lets_run() -> bool {
        false
    }

    fn tell(&mut self, _: &Machine, _: At, _: Told<'_>) -> bool {
        match *self {}
    }

    fn tell_write(&mut self, _: &Machine, _: At, _: Written<'_>, _: Value) -> bool {
        match *self {}
    }
}

/// An event; see LANGUAGE.md §8.
pub enum Told<'a> {
    /// A line is about to be carried out. Only for those who want to know.
    Line,
    /// An element, a field or a cell was read. Only for those who want to know.
    Read {
        container: Value,
        key: Value,
    },
    /// An element, a field or a cell is about to be written to that held this. Only for those who want to know.
    Overwritten {
        container: Value,
        key: Value,
        held: Value,
    },
    /// The branch is about to die, and nothing is undone yet. Only for those who want to know.
    Dying,
    /// A loop, which the place is all of, comes to its next turn. Only for those who want to know.
    Turn,
    /// A choice point was made.
    Choice {
        id: u64,
        parent: Option<u64>,
        alternatives: usize,
    },
    /// One of its alternatives is tried.
    Take {
        id: u64,
        number: usize,
        alternative: Option<Span>,
        value: Option<Value>,
    },
    /// A branch has died.
    Fail {
        why: Why<'a>,
    },
    Print {
        text: &'a str,
    },
    Picture {
        picture: &'a Arc<Picture>,
    },
    Snapshot {
        snapshot: &'a Snapshot,
    },
    /// A function of the program was called; its arguments are values behind one another.
    Enter {
        function: &'a Function,
        arguments: &'a [Value],
    },
    /// It has returned.
    Leave {
        function: &'a Function,
        value: Value,
    },
}

/// Why a branch has died.
#[derive(Clone, Copy, Debug)]
pub enum Why<'a> {
    /// `fail`, or a condition that did not hold; in words if the program has said any.
    Refused(Option<&'a str>),
    /// There was nothing to choose from.
    NothingToChoose,
    /// A place of a board has no candidate left.
    NoCandidate,
    /// A built-in has found that no way leads on.
    BuiltIn(&'a str),
    /// Something else was found to lead nowhere.
    Other,
    /// It costs more than `minimize` has a use for: as much as a solution that is `known`, or more than it searches up to now.
    TooDear { known: bool },
    /// It has ended, and another solution was asked for.
    Solved,
    /// The search of a built-in has a result and goes on; in words.
    GoesOn(&'static str),
}

/// What was written to.
#[derive(Clone, Copy, Debug)]
pub enum Written<'a> {
    Variable(&'a str),
    /// An element, a field or a cell, by its index, key or position.
    Part(Value, Value),
    /// A collection that has other elements now.
    Whole(Value),
}

/// An open choice point.
#[derive(Clone, Copy, Debug)]
struct Open {
    id: u64,
    /// As in the choice point: another one once it was resumed.
    serial: u64,
    /// How many alternatives were tried.
    taken: usize,
    /// The instruction that chose, and where the program says so.
    at: usize,
    place: Option<Span>,
    /// The latest instruction of the program before it: a built-in chooses somewhere else.
    origin: usize,
    /// The calls around it, if they are measured.
    standing: Option<Standing>,
}

/// A moment of a run: the boundary between two instructions.
///
/// It is the same in every run of a program with the same seed, parameters and answers. Moments are in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct When {
    /// The steps that the run has taken.
    pub step: u64,
    /// How many instructions it has carried out since it came to that step.
    pub inside: u32,
}

/// What is remembered of a run between two events.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    open: Vec<Open>,
    next: u64,
    /// How many solutions there were.
    pub solutions: u64,
    /// The moment that was come to, and that before the latest instruction.
    pub when: When,
    pub began: When,
    /// What runs, and what is to be known of its instructions.
    code: Option<Arc<Code>>,
    marks: Arc<[Mark]>,
    line: LineAt,
    /// The latest instruction that the program itself has come to.
    at: usize,
    /// How many failures have said something before the latest one.
    messages: u64,
    /// Whether a failure was told of that has not come to an alternative yet.
    is_failing: bool,
    /// What nobody was told of, and what is known of instructions for that.
    untold: Untold,
    course: Course,
    /// Where values come from, if somebody wants to know.
    #[cfg(feature = "timeline")]
    pub origins: Option<Box<origins::Origins>>,
    /// What steps are spent on, if somebody wants to know.
    pub measured: Option<Box<Measured>>,
}

/// The place of an instruction whose program text is not known.
const NOWHERE: usize = usize::MAX;

/// The line that runs: its number, the frame, and the latest instruction of it.
#[derive(Clone, Copy, Debug, Default)]
struct LineAt {
    line: u32,
    base: u32,
    pc: usize,
    /// A call that has returned: what is left of its line is no new one.
    returned_to: Option<usize>,
    /// The instruction comes once more.
    is_repeated: bool,
}

/// A run that is watched.
pub struct Watching<'a, W> {
    pub watch: &'a mut Watch,
    pub watcher: &'a mut W,
    /// The line of each instruction, 0 where it has none, if lines are to be told of.
    pub lines: Option<&'a [u32]>,
    pub wanted: Wanted,
    /// The moment at which to stop.
    pub until: Option<When>,
}

/// Where the machine stood before an instruction.
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

    fn before(&self) -> Before {
        Before {
            pc: self.pc as usize,
            base: self.base,
            depth: self.depth,
            failures: self.statistics.failures,
            choice_points: self.statistics.choice_points,
            output: self.context.output.mark(),
            snapshots: self.context.record.snapshots().len(),
            knows_solution: self.choices.barriers().last().and_then(|barrier| Some(barrier.bound?.reached)),
        }
    }

    /// As the plain driver, and tells of what happens.
    pub(super) fn execute_watched<W: Watcher>(&mut self, watching: &mut Watching<'_, W>) -> Exit {
        let Watching { watch, watcher, lines, wanted, until } = watching;
        let watcher = &mut **watcher;
        let code = self.context.code.clone();
        self.context.heap.wiped_by = None;
        watch.take_up(self, &code);
        let has_stretches = W::lets_run()
            && lines.is_none()
            && !wanted.reads
            && watch.measured.is_none()
            && self.driver == Driver::Fast;
        if has_stretches {
            watch.course.fit(&code, &watch.marks, *wanted);
        }
        loop {
            self.context.charge_comparisons();
            watch.come_to(self.steps_now());
            watch.settle(self);
            if until.is_some_and(|until| watch.when >= until) {
                return Exit::OutOfFuel;
            }
            if self.context.heap.woken.is_some() {
                if let Err(exit) = self.run_woken() {
                    return exit;
                }
                continue;
            }
            if W::lets_run() && has_stretches {
                match self.run_stretch(watch, &code, *until, watcher) {
                    Stretched::Over => {}
                    Stretched::Stopped => return Exit::OutOfFuel,
                    Stretched::Told(told) if self.compare(told, watch, &code, watcher) => continue,
                    Stretched::Told(_) => return Exit::OutOfFuel,
                }
            }
            let before = self.before();
            if !watch.marks[before.pc].is_prelude {
                watch.at = before.pc;
                watch.measured.iter_mut().for_each(|measured| measured.come_to(before.pc));
                watch.began = watch.when;
                if let Some(lines) = lines
                    && watch.comes_to_line(self, lines)
                    && !watcher.tell(self, watch.here(code.spans.get(before.pc).copied()), Told::Line)
                {
                    watch.line.is_repeated = true;
                    return Exit::OutOfFuel;
                }
            }
            if wanted.reads {
                watcher.begin(self, &code);
            }
            let read = if wanted.reads { self.looked_up(code.ops[before.pc]) } else { None };
            watch.began = watch.when;
            self.context.changed = None;
            self.pc += 1;
            self.announces_deaths = wanted.deaths;
            let mut stepped = self.step(&code);
            self.announces_deaths = false;
            if matches!(stepped, Err(Exit::Dying)) {
                watcher.tell(self, watch.here(code.spans.get(watch.at).copied()), Told::Dying);
                stepped = self.fail();
            }
            self.context.charge_comparisons();
            watch.settle(self);
            let has_failed = self.statistics.failures > before.failures;
            let is_repeated = !has_failed && self.pc as usize == before.pc && code.ops[before.pc].flow() == Flow::Next;
            watch.line.is_repeated = is_repeated;
            watch.come_to(self.steps_now());
            watch.when.inside += u32::from(watch.when.step == watch.began.step && !is_repeated);
            // Back in an earlier input, other code runs; what was taken there is told of all the same.
            let has_ended = matches!(stepped, Err(Exit::Failed));
            // What has made an error was not carried out.
            if wanted.reads && !has_failed && !is_repeated && !matches!(stepped, Err(Exit::Error(_))) {
                watcher.end(self, &code, watch.here(code.spans.get(watch.at).copied()));
            }
            if wanted.reads && !has_failed && !is_repeated && !watch.marks[before.pc].is_prelude {
                watch.told_of_reading(self, &code, &before, read, watcher);
            }
            // What has made an error has done nothing: what stands where its result would go is from before.
            let stepped = match stepped {
                Err(exit @ Exit::Error(_)) => return exit,
                stepped => stepped,
            };
            if stepped.is_ok() && watch.is_quiet(self, &before) {
                continue;
            }
            let goes_on = watch.told_after(self, &code, &before, has_ended, watcher);
            if !has_failed && self.depth < before.depth {
                watch.come_back(self);
            }
            match stepped {
                Err(exit) => return exit,
                Ok(()) if !goes_on => return Exit::OutOfFuel,
                Ok(()) => {}
            }
        }
    }

    pub(super) fn fail_by<W: Watcher>(&mut self, watching: Option<&mut Watching<'_, W>>) -> Result<(), Exit> {
        match watching {
            Some(watching) => self.fail_watched(watching),
            None => self.fail(),
        }
    }

    /// As [`Machine::fail`] outside of any instruction: behind a solution, or once more after a limit.
    fn fail_watched<W: Watcher>(&mut self, watching: &mut Watching<'_, W>) -> Result<(), Exit> {
        let Watching { watch, watcher, .. } = watching;
        let watcher = &mut **watcher;
        let code = self.context.code.clone();
        self.context.heap.wiped_by = None;
        watch.take_up(self, &code);
        watch.come_to(self.steps_now());
        if !watch.is_failing {
            watch.is_failing = true;
            watch.began = watch.when;
            watcher.tell(self, watch.here(None), Told::Fail { why: Why::Solved });
        }
        let alternatives = self.statistics.alternatives;
        let failed = self.fail();
        watch.come_to(self.steps_now());
        match failed {
            Err(Exit::Failed) => watch.is_failing = false,
            _ if self.statistics.alternatives > alternatives && !self.is_failing() => {
                watch.told_of_taking(self, &code, watcher);
            }
            _ => {}
        }
        failed
    }
}

impl Watch {
    /// Looks at what there is: the run may have gone on unwatched, or by other code.
    fn take_up(&mut self, machine: &Machine, code: &Arc<Code>) {
        if !self.code.as_ref().is_some_and(|known| Arc::ptr_eq(known, code)) {
            self.note_seen();
            self.course = Course::default();
            self.code = Some(code.clone());
            self.marks = marks(code);
        }
        self.take_up_choices(machine, 0);
    }

    fn here(&self, span: Option<Span>) -> At {
        At { span, began: self.began, when: self.when }
    }

    /// Charges what was spent since the last time, if that is measured.
    fn settle(&mut self, machine: &Machine) {
        if let Some(measured) = &mut self.measured {
            measured.settle(machine.steps_now());
        }
    }

    /// Whether an instruction that was carried out has left nothing to tell.
    #[inline]
    fn is_quiet(&self, machine: &Machine, before: &Before) -> bool {
        let mark = self.marks[before.pc];
        mark.is_quiet
            && mark.writes == 0
            && machine.depth == before.depth
            && machine.statistics.failures == before.failures
            && machine.statistics.choice_points == before.choice_points
            && !machine.is_failing()
            && !self.marks.get(machine.pc as usize).is_some_and(|mark| mark.is_birth)
    }

    /// The run has taken so many steps.
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
            latest = LineAt { line: line_of(call), base: machine.base, pc: call, ..latest };
        }
        let pc = machine.pc as usize;
        let line = line_of(pc);
        self.line = LineAt { line, base: machine.base, pc, returned_to: None, is_repeated: latest.is_repeated };
        if line == 0 {
            self.line.line = latest.line;
            return false;
        }
        let is_again = pc < latest.pc || pc == latest.pc && !latest.is_repeated;
        line != latest.line || machine.base != latest.base || is_again
    }

    /// A call has returned. What is left of its line is no new one.
    fn comes_back_to(&mut self, machine: &Machine, call: usize) {
        if !self.marks[call].is_prelude {
            self.line.returned_to = Some(call);
        }
        self.come_back(machine);
    }

    /// What the prelude does once a function of the program has returned to it belongs to the line that called the
    /// prelude, and not to the last line of that function.
    fn come_back(&mut self, machine: &Machine) {
        let is_prelude = |at: usize| self.marks.get(at).is_some_and(|mark| mark.is_prelude);
        if !is_prelude(machine.pc as usize) {
            return;
        }
        let waiting = machine.frames[..machine.depth as usize].iter().rev();
        if let Some(at) = waiting.map(|frame| frame.pc.saturating_sub(1) as usize).find(|at| !is_prelude(*at)) {
            self.at = at;
            self.measured.iter_mut().for_each(|measured| measured.come_to(at));
        }
    }
}

/// What an instruction looks up in a collection.
#[derive(Clone, Copy)]
enum LookedUp {
    /// It reads what lies there.
    Read { container: Value, key: Value },
    /// It writes to where this lies, when garbage was collected so often.
    Written { container: Value, key: Value, held: Value, collections: u64 },
}

impl Machine {
    /// What an instruction is about to look up.
    fn looked_up(&self, op: Op) -> Option<LookedUp> {
        if let Some((container, key)) = self.read_by(op) {
            return Some(LookedUp::Read { container, key });
        }
        let (container, key) = self.written_by(op)?;
        let held = self.context.heap.at_place(container, self.place_of_key(container, key)?);
        Some(LookedUp::Written { container, key, held, collections: self.statistics.collections })
    }

    /// What an instruction is about to write to: the collection and the key.
    fn written_by(&self, op: Op) -> Option<(Value, Value)> {
        match op {
            Op::SetCell { grid, x, y, .. } => {
                let (x, y) = (self.get(x).as_integer()?, self.get(y).as_integer()?);
                Some((self.get(grid), Value::position(x, y)?))
            }
            Op::SetIndex { base, index, .. } => Some((self.get(base), self.get(index))),
            Op::SetField { object, key, .. } => Some((self.get(object), self.constants[key as usize])),
            _ => None,
        }
    }

    /// What an instruction is about to read: the collection and the key.
    fn read_by(&self, op: Op) -> Option<(Value, Value)> {
        match op {
            Op::GetCell { grid, x, y, .. } => {
                let (x, y) = (self.get(x).as_integer()?, self.get(y).as_integer()?);
                Some((self.get(grid), Value::position(x, y)?))
            }
            Op::GetIndex { base, index, .. } => Some((self.get(base), self.get(index))),
            Op::GetField { object, key, .. } | Op::GetCoordinate { object, key, .. }
                if self.get(object).is_kind(Kind::Object) =>
            {
                Some((self.get(object), self.constants[key as usize]))
            }
            _ => None,
        }
    }

    /// Whether a failure is under way that has not come to an alternative yet.
    fn is_failing(&self) -> bool {
        self.state == super::machine::State::Failing
    }

    /// Whether what an instruction calls is there to choose.
    fn chooses(&self, op: Op) -> bool {
        match op {
            Op::CallNative { native, .. } => {
                use super::native::{Action, Control};
                let action = self.context.natives[native as usize].action;
                let is_choice = |control: Control| {
                    use Control::{ChooseElement, ChooseWeighted, Guess, GuessWeighted};
                    matches!(control, ChooseElement | ChooseWeighted | Guess | GuessWeighted)
                };
                match action {
                    Action::Control(control) => is_choice(control),
                    other => matches!(other, Action::Host(_)),
                }
            }
            _ => false,
        }
    }

    fn size_of_choice(&self, choice: &super::choices::choice::Choice) -> usize {
        use super::choices::choice::Large;
        match self.choices.large_of(choice) {
            Some(Large::Branches(left)) => left.size(),
            Some(Large::Elements(left)) => left.order.size(),
            // The one that was drawn is not among them any more.
            Some(Large::Weighted(left)) => left.elements().len() + 1,
            None => self.alternatives(choice.from).unwrap_or(0),
        }
    }

    /// The name of a function of the program.
    pub fn function_name(&self, function: u32) -> &str {
        self.function_of(function).name.as_deref().unwrap_or("")
    }

    /// A value, or what the box of a variable holds.
    pub fn content(&self, value: Value) -> Value {
        value.handle_of(Kind::Variable).map_or(value, |variable| self.context.heap.variables[variable].value)
    }

    pub fn place_of_key(&self, container: Value, key: Value) -> Option<usize> {
        let heap = &self.context.heap;
        match container.kind() {
            Kind::Grid => {
                let (x, y) = key.as_position()?;
                heap.grids[container.payload()].cell(x, y)
            }
            Kind::Array => {
                let place = usize::try_from(key.as_integer()?).ok();
                place.filter(|place| *place < heap.array_len(container.payload()))
            }
            Kind::Object => heap.objects[container.payload()].keys().position(|known| known == key),
            _ => None,
        }
    }

    /// The key that a place of a board goes by in the language.
    pub(in crate::vm) fn key_of_place(&self, container: Value, place: usize) -> Option<Value> {
        let heap = &self.context.heap;
        match container.kind() {
            Kind::Grid => heap.grids[container.payload()].position_of(place),
            Kind::Array => Some(Value::size(place)),
            Kind::Object => heap.objects[container.payload()].key_at(place),
            _ => None,
        }
    }
}
