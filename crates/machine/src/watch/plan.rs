//! The plan for watching a program: what each instruction may have to report, and which instructions the main loop
//! need not stop at.

use std::sync::Arc;

use super::unreported::Unreported;
use super::{Mark, Wanted};
use crate::execute::{MASKED, REPORTED};
use ndscript_bytecode::{
    Change, Code, Destination, FIRST_REGISTER, Flow, Function, Home, Op, Register,
};

/// The report of an instruction that the main loop has carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Report {
    #[default]
    Nothing,
    /// A variable, by the number of its name, has the value that the register holds.
    Register {
        name: u32,
        register: Register,
    },
    /// Variables of the running function have values: it may have written to `others`, too, and some may have their
    /// first value after it.
    Variables {
        others: bool,
        births: bool,
    },
    /// Only the change that [`Op::change`] names.
    Change,
    /// An alternative was taken: of this choice, or by this failure of another one.
    Choice,
    Failure,
    /// A function was called.
    Call,
    /// It has returned, and what the call gives may go into variables.
    Return,
    /// Anything: comparing the state finds it.
    Any,
    /// It must not run in the main loop. Comparing the state finds what it did.
    Unforeseen,
}

/// The plan for the instructions of a code.
#[derive(Clone, Debug, Default)]
pub(super) struct WatchPlan {
    pub wanted: Wanted,
    pub reports: Arc<Reports>,
    /// The instructions as the main loop sees them: those that it stops at are masked.
    pub shown_ops: Vec<Op>,
    /// The instructions that were reached, among those whose effects may be reported later.
    pub reached: Vec<bool>,
}

/// The report of each instruction, with the names of variables in it.
#[derive(Debug, Default)]
pub(super) struct Reports {
    pub reports: Vec<Report>,
    /// Where the result of a call goes, reported on return: nowhere that has a name, into a register, or as
    /// [`Report::Variables`].
    pub results: Vec<Report>,
    pub names: Vec<Arc<str>>,
}

impl Report {
    /// Whether all choices up to then have to be reported.
    pub fn is_of_choices(self) -> bool {
        matches!(self, Report::Any | Report::Choice | Report::Failure)
    }
}

impl WatchPlan {
    /// Adapts it to a code and to the wanted events. The instructions that were reached stay so.
    pub fn fit(&mut self, code: &Code, marks: &[Mark], wanted: Wanted) {
        if self.shown_ops.len() == code.ops.len() && self.wanted == wanted {
            return;
        }
        self.wanted = wanted;
        self.reports = Arc::new(Reports::of(code, marks, wanted));
        self.reached.resize(code.ops.len(), false);
        let shown = |at: usize| match self.reports.reports[at] {
            Report::Nothing if self.reached[at] || !may_have_effect(code, marks[at], at) => {
                code.ops[at]
            }
            Report::Register { .. } => REPORTED,
            _ => MASKED,
        };
        self.shown_ops = (0..code.ops.len()).map(shown).collect();
    }

    /// Computes what the instructions reached since the last time may have done.
    pub fn add_reached(&mut self, code: &Code, marks: &[Mark], unreported: &mut Unreported) {
        for (at, seen) in self.reached.iter_mut().enumerate() {
            if std::mem::take(seen) {
                add_effects(code, marks[at], at, unreported);
                if may_have_effect(code, marks[at], at)
                    && !matches!(self.reports.reports[at], Report::Register { .. })
                {
                    self.shown_ops[at] = MASKED;
                }
            }
        }
    }
}

impl Reports {
    /// The reports that the instructions of the code need for the wanted events.
    fn of(code: &Code, marks: &[Mark], wanted: Wanted) -> Reports {
        let length = code.ops.len();
        let mut all = Reports {
            reports: Vec::with_capacity(length),
            results: Vec::with_capacity(length),
            names: Vec::new(),
        };
        for at in 0..length {
            let report = all.report(at, code, marks, wanted);
            all.reports.push(report);
            let result = all.result(at, code, marks);
            all.results.push(result);
        }
        all
    }

    /// What to report after the instruction has run.
    fn report(&mut self, at: usize, code: &Code, marks: &[Mark], wanted: Wanted) -> Report {
        let (op, mark) = (code.ops[at], marks[at]);
        let report_if = |is_wanted: bool, report: Report| match report {
            _ if !is_wanted => Report::Nothing,
            // Without reports of calls, the instruction of the program is determined before it runs.
            _ if mark.is_prelude && !wanted.calls => Report::Unforeseen,
            report => report,
        };
        match op {
            // The chosen value may go into a variable.
            Op::Choose { .. }
            | Op::ChooseFirst { .. }
            | Op::ChooseElement { .. }
            | Op::ChooseRange { .. } => {
                return report_if(wanted.choices || wanted.variables, Report::Choice);
            }
            Op::Fail {} if wanted.deaths => return Report::Unforeseen,
            Op::Fail {} => return report_if(wanted.choices || wanted.variables, Report::Failure),
            Op::Call { .. } | Op::CallKnown { .. } => return report_if(wanted.calls, Report::Call),
            Op::Return { .. } | Op::ReturnNull {} => {
                return report_if(wanted.calls || wanted.variables, Report::Return);
            }
            _ if op.live_registers().is_some()
                || op == MASKED
                || matches!(op, Op::Leave { .. }) =>
            {
                return Report::Unforeseen;
            }
            _ => {}
        }
        let is_born =
            |target: usize| target > at && marks.get(target).is_some_and(|mark| mark.is_birth);
        let births = match op.flow() {
            Flow::Next => is_born(at + 1),
            Flow::Jump(target) => is_born(target as usize),
            Flow::MayJump(target) => is_born(at + 1) || is_born(target as usize),
            Flow::Branch(_) | Flow::End => return Report::Unforeseen,
        };
        let top_level = top_level(op, code, mark);
        let is_own = mark.writes > 0;
        let others = match op.change() {
            Change::Nothing => false,
            Change::Global(_) | Change::Captured { .. } | Change::Variable(_) => !mark.is_prelude,
            // Changes of constrained boards have full forms only.
            Change::Field { .. }
            | Change::Element { .. }
            | Change::Cell { .. }
            | Change::End { .. } => {
                let is_all = !births && !is_own && top_level.is_none();
                return report_if(
                    !mark.is_prelude,
                    if is_all { Report::Change } else { Report::Any },
                );
            }
            Change::ByBuiltIn => return report_if(!mark.is_prelude, Report::Any),
        };
        let report = match (others, top_level, is_own, births) {
            (false, None, false, false) => return Report::Nothing,
            (true, None, false, false) if !matches!(op.change(), Change::Variable(_)) => {
                Report::Change
            }
            (false, Some(name), false, false) => match op.destination() {
                Destination::Register(register) => self.register(name, register),
                _ => Report::Variables {
                    others: true,
                    births,
                },
            },
            (false, None, true, false) => {
                self.own_variable(&code.functions[mark.function as usize], mark)
            }
            (false, None, false, true) if op.flow() == Flow::Next => {
                self.variable_born(&code.functions[mark.function as usize], at + 1)
            }
            _ => Report::Variables {
                others: others || top_level.is_some(),
                births,
            },
        };
        report_if(wanted.variables, report)
    }

    /// What to report when a call at this instruction has returned its result.
    fn result(&mut self, at: usize, code: &Code, marks: &[Mark]) -> Report {
        let mark = marks[at];
        let is_born = marks.get(at + 1).is_some_and(|mark| mark.is_birth);
        match (
            top_level(code.ops[at], code, mark),
            mark.writes > 0,
            is_born,
        ) {
            (None, false, false) => Report::Nothing,
            (Some(name), false, false) => match code.ops[at].destination() {
                Destination::Register(register) => self.register(name, register),
                _ => Report::Nothing,
            },
            (None, true, false) => self.own_variable(&code.functions[mark.function as usize], mark),
            (None, false, true) => {
                self.variable_born(&code.functions[mark.function as usize], at + 1)
            }
            _ => Report::Variables {
                others: true,
                births: true,
            },
        }
    }

    fn register(&mut self, name: &Arc<str>, register: Register) -> Report {
        let number = self.names.len() as u32;
        self.names.push(name.clone());
        Report::Register {
            name: number,
            register,
        }
    }

    /// The report for the variable that a mark says is written.
    fn own_variable(&mut self, function: &Function, mark: Mark) -> Report {
        let variable = function.variables.get(usize::from(mark.writes) - 1);
        match variable.map(|variable| (&variable.name, variable.home)) {
            Some((name, Home::Register(register))) => self.register(name, register),
            _ => Report::Variables {
                others: false,
                births: false,
            },
        }
    }

    /// The report for variables that get their first value at an instruction.
    fn variable_born(&mut self, function: &Function, at: usize) -> Report {
        let offset = at - function.entry as usize;
        let mut born = function
            .variables
            .iter()
            .filter(|variable| variable.born as usize == offset);
        match (
            born.next().map(|variable| (&variable.name, variable.home)),
            born.next(),
        ) {
            (Some((name, Home::Register(register))), None) => self.register(name, register),
            _ => Report::Variables {
                others: false,
                births: true,
            },
        }
    }
}

/// The global variable that an instruction of the program's own frame writes to, if it is one of its registers.
fn top_level(op: Op, code: &Code, mark: Mark) -> Option<&Arc<str>> {
    let Destination::Register(register) = op.destination() else {
        return None;
    };
    if mark.function != code.main {
        return None;
    }
    let slot = code
        .top_level
        .get(register.checked_sub(FIRST_REGISTER)? as usize)?;
    Some(&code.globals[*slot as usize].name)
}

/// Whether an instruction may have an effect that [`add_effects`] records.
fn may_have_effect(code: &Code, mark: Mark, at: usize) -> bool {
    let op = code.ops[at];
    let is_variable = || matches!(op.change(), Change::Global(_) | Change::Captured { .. });
    let is_any =
        mark.is_birth || mark.writes > 0 || is_variable() || top_level(op, code, mark).is_some();
    is_call(op) || is_any && !mark.is_prelude
}

fn is_call(op: Op) -> bool {
    matches!(
        op,
        Op::Call { .. } | Op::CallKnown { .. } | Op::Return { .. } | Op::ReturnNull {}
    )
}

/// Adds the possible effects of an instruction to the unreported ones.
fn add_effects(code: &Code, mark: Mark, at: usize, unreported: &mut Unreported) {
    let (op, function) = (code.ops[at], &code.functions[mark.function as usize]);
    unreported.calls |= is_call(op);
    if mark.is_prelude {
        return;
    }
    let mut add = |name: &Arc<str>| {
        if !unreported.variables.contains(name) {
            unreported.variables.insert(name.clone());
        }
    };
    if mark.is_birth {
        let offset = at - function.entry as usize;
        let born = function
            .variables
            .iter()
            .filter(|variable| variable.born as usize == offset);
        born.for_each(|born| add(&born.name));
    }
    let own = usize::from(mark.writes)
        .checked_sub(1)
        .and_then(|number| function.variables.get(number));
    own.into_iter().for_each(|variable| add(&variable.name));
    match op.change() {
        Change::Global(slot) => add(&code.globals[slot as usize].name),
        Change::Captured { index, .. } => function
            .capture_names
            .get(index as usize)
            .into_iter()
            .for_each(&mut add),
        _ => {}
    }
    top_level(op, code, mark).into_iter().for_each(add);
}
