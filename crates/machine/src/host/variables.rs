//! Variables of functions for observers: the machine itself knows registers only.

use crate::natives::effect::SearchWords;
use crate::natives::native::Native;
use std::sync::Arc;

use crate::machine::{Machine, State};
use ndscript_base::source::Span;
use ndscript_bytecode::{Change, Code, Destination, Flow, Function, Home, Local, Op};
use ndscript_heap::{Kind, Value};

/// A name is looked up in at most this many calls.
const NAMING: usize = 16;

/// An active call, as observers see it.
#[derive(Clone, Copy, Debug)]
pub struct CallAt {
    pub function: u32,
    pub base: u32,
    /// The instruction that comes next in it, or the call that it waits for.
    pub at: u32,
}

/// Properties of an instruction that observers need.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    /// It belongs to the prelude.
    pub is_prelude: bool,
    /// A variable has its first value when the machine reaches it.
    pub is_birth: bool,
    /// The variable of its function that it writes to, counted from 1.
    pub writes: u16,
    /// The function that it belongs to.
    pub function: u32,
    /// It stays in its function and changes nothing that has a name, so there is nothing to report.
    pub is_quiet: bool,
}

/// The marks of a program's instructions.
pub fn marks(code: &Code) -> Arc<[Mark]> {
    let mut marks: Vec<Mark> = code
        .ops
        .iter()
        .map(|op| Mark {
            is_quiet: is_quiet(*op),
            ..Mark::default()
        })
        .collect();
    for (number, function) in code.functions.iter().enumerate() {
        let (entry, length) = (function.entry as usize, function.length as usize);
        marks[entry..entry + length]
            .iter_mut()
            .for_each(|mark| mark.function = number as u32);
        if number == code.main as usize && !code.top_level.is_empty() {
            // Its registers may be global variables.
            marks[entry..entry + length]
                .iter_mut()
                .for_each(|mark| mark.is_quiet = false);
        }
        if function.prelude {
            marks[entry..entry + length]
                .iter_mut()
                .for_each(|mark| mark.is_prelude = true);
            continue;
        }
        if function.variables.is_empty() {
            continue;
        }
        for variable in &function.variables {
            if let Some(mark) = marks[entry..entry + length].get_mut(variable.born as usize) {
                mark.is_birth = true;
            }
        }
        for at in 0..length {
            let before = at.checked_sub(1).map(|before| code.ops[entry + before]);
            if let Some(home) = home_written(code.ops[entry + at], before)
                && let Some(number) = function.variables.iter().position(|variable| {
                    variable.home == home
                        && (variable.born as usize..variable.gone as usize).contains(&at)
                })
            {
                marks[entry + at].writes = u16::try_from(number + 1).unwrap_or(0);
            }
        }
    }
    marks.into()
}

/// Whether an instruction stays in its function, makes no choice, and changes no more than a register.
fn is_quiet(op: Op) -> bool {
    matches!(op.flow(), Flow::Next | Flow::Jump(_) | Flow::MayJump(_))
        && op.live_registers().is_none()
        && op.change() == Change::Nothing
}

/// Where an instruction writes, if a variable may live there.
fn home_written(op: Op, before: Option<Op>) -> Option<Home> {
    match (op.change(), before) {
        (Change::Variable(Home::Box(at)), Some(Op::GetSpilled { to, from, index })) if to == at => {
            Some(Home::SpilledBox {
                register: from,
                index,
            })
        }
        (Change::Variable(home), _) => Some(home),
        _ => match op.destination() {
            Destination::Register(to) => Some(Home::Register(to)),
            Destination::Foreach(_) | Destination::Elsewhere => None,
        },
    }
}

impl Machine {
    /// The active calls of the program, innermost first, at most `most`; the last is the program itself.
    pub fn calls(&self, most: usize) -> Vec<CallAt> {
        let code = &self.context.code;
        let own = self
            .host_call
            .as_ref()
            .map_or(0, |host_call| host_call.frames + 1)
            .min(self.depth);
        let waiting = self.frames[own as usize..self.depth as usize].iter().rev();
        let waiting = waiting.map(|frame| (frame.pc.saturating_sub(1), frame.base));
        // There is no instruction after the last one.
        let has_ended = matches!(
            self.unfinished.unwrap_or(self.state),
            State::Solved | State::Ended | State::Failing
        );
        let running = if has_ended {
            self.pc.saturating_sub(1)
        } else {
            self.pc
        };
        let all = std::iter::once((running, self.base)).chain(waiting);
        let calls = all.map(|(at, base)| CallAt {
            function: code.function_at(at),
            base,
            at,
        });
        calls
            .filter(|call| !self.function_of(call.function).prelude)
            .take(most)
            .collect()
    }

    /// The number of active calls, of any kind.
    pub fn active_calls(&self) -> usize {
        self.depth as usize
    }

    /// Whether a call is one of a function, and not the program itself.
    pub fn is_function(&self, call: &CallAt) -> bool {
        let is_main = |code: &Arc<Code>| code.main == call.function;
        !is_main(&self.context.code)
            && !self
                .inputs
                .iter()
                .filter_map(|input| input.code.as_ref())
                .any(is_main)
    }

    /// The place of a call in the text.
    pub fn place_of_call(&self, call: &CallAt) -> Option<Span> {
        let begin = self.function_of(call.function).entry as usize;
        // Instructions that the compiler added belong to the statement before them.
        let spans = self.context.code.spans.get(begin..=call.at as usize)?;
        spans
            .iter()
            .rev()
            .copied()
            .find(|span| *span != Span::default())
    }

    /// The variables of a call that have a value: first those that the function has captured, then its own in the
    /// order in which they were declared. A later one hides an earlier one of its name.
    pub fn variables(&self, call: &CallAt) -> Vec<(&str, Value)> {
        self.variables_up_to(call, 0)
    }

    /// As [`Machine::variables`], with those whose last instruction was the one before: their names apply to what it
    /// wrote.
    pub fn names(&self, call: &CallAt) -> Vec<(&str, Value)> {
        self.variables_up_to(call, 1)
    }

    /// The variables of a call with their values, captured ones included. Those that went out of scope up to `after`
    /// instructions ago count, too.
    fn variables_up_to(&self, call: &CallAt, after: u32) -> Vec<(&str, Value)> {
        let function = self.function_of(call.function);
        let mut found: Vec<(&str, Value)> = Vec::new();
        let mut add = |name, value| {
            if let Some(value) = value {
                found.retain(|(known, _)| *known != name);
                found.push((name, value));
            }
        };
        if let Some(closure) = self.stack[call.base as usize].handle_of(Kind::Function) {
            let closure = &self.context.heap.functions[closure];
            if closure.function == call.function {
                for (name, value) in function.capture_names.iter().zip(&closure.captured) {
                    add(&**name, self.open_box(*value));
                }
            }
        }
        let at = call.at - function.entry;
        let is_live =
            |variable: &&Local| variable.born <= at && at < variable.gone.saturating_add(after);
        for variable in function.variables.iter().filter(is_live) {
            add(&*variable.name, self.value_of(variable, call.base));
        }
        found
    }

    /// The board and the place of it that the running function of the prelude is choosing for, if it is `decide`.
    pub fn place_decided(&self) -> Option<(Value, Value)> {
        let function = self.context.code.function_at(self.pc);
        let running = self.function_of(function);
        if !running.prelude || !matches!(running.name.as_deref(), Some("decideSimply" | "decideBy"))
        {
            return None;
        }
        let variables = self.variables(&CallAt {
            function,
            base: self.base,
            at: self.pc,
        });
        let value_of = |name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| *value)
        };
        Some((value_of("b")?, value_of("place")?))
    }

    /// An alternative in the search of a built-in, in words, by its number, if the running function is one.
    pub fn search_in_words(&self, number: usize) -> Option<&'static str> {
        let words = self.search_of(self.context.code.function_at(self.pc))?;
        Some(if number == 0 { words.first } else { words.then })
    }

    /// How a built-in that searches describes its choices, if the function implements one.
    pub(crate) fn search_of(&self, function: u32) -> Option<&'static SearchWords> {
        if !self.function_of(function).prelude {
            return None;
        }
        let serves = |native: &&Native| native.scripts.iter().any(|script| script.1 == function);
        let searching = self
            .context
            .natives
            .iter()
            .filter(|native| native.search.is_some());
        searching.into_iter().find(serves)?.search
    }

    /// A part of a collection as it would be written in the program.
    pub fn part_in_words(&self, collection: Value, key: Value) -> String {
        let name = self.name_of(collection).map_or_else(
            || format!("{:?}", collection.kind()).to_lowercase(),
            str::to_string,
        );
        match (key.as_position(), self.context.heap.as_str(key)) {
            (Some((x, y)), _) => format!("{name}[{x}, {y}]"),
            (None, Some(field)) => format!("{name}.{field}"),
            (None, None) => format!("{name}[{}]", self.context.brief(key)),
        }
    }

    /// The name that the innermost call knowing a box gives to the variable in it.
    pub(crate) fn name_of_box(&self, wanted: Value) -> Option<&str> {
        self.calls(NAMING).iter().find_map(|call| {
            let function = self.function_of(call.function);
            let closure = self.stack[call.base as usize].handle_of(Kind::Function);
            let closure = closure.map(|closure| &self.context.heap.functions[closure]);
            let captured = closure
                .filter(|closure| closure.function == call.function)
                .and_then(|closure| {
                    let at = closure
                        .captured
                        .iter()
                        .position(|captured_box| *captured_box == wanted)?;
                    function.capture_names.get(at)
                });
            let register = |at: u8| self.stack.get(call.base as usize + at as usize).copied();
            let is_in_place = |variable: &&Local| match variable.home {
                Home::Box(at) => register(at) == Some(wanted),
                Home::SpilledBox {
                    register: at,
                    index,
                } => {
                    let array = register(at).and_then(|array| array.handle_of(Kind::Array));
                    array
                        .and_then(|array| self.context.heap.arrays[array].slots.get(index as usize))
                        == Some(wanted)
                }
                Home::Register(_) | Home::Spilled { .. } => false,
            };
            let own = || Some(&function.variables.iter().find(is_in_place)?.name);
            captured.or_else(own).map(|name| &**name)
        })
    }

    /// The value of a variable of a frame, if it has one.
    fn value_of(&self, variable: &Local, base: u32) -> Option<Value> {
        let register = |at: u8| self.stack.get(base as usize + at as usize).copied();
        let spilled = |at: u8, index: u32| {
            let array = register(at)?.handle_of(Kind::Array)?;
            self.context.heap.arrays[array].slots.get(index as usize)
        };
        match variable.home {
            Home::Register(at) => register(at).filter(|value| *value != Value::UNSET),
            Home::Box(at) => self.open_box(register(at)?),
            Home::Spilled { register, index } => {
                spilled(register, index).filter(|value| *value != Value::UNSET)
            }
            Home::SpilledBox { register, index } => self.open_box(spilled(register, index)?),
        }
    }

    fn open_box(&self, value: Value) -> Option<Value> {
        Some(self.content(value)).filter(|value| *value != Value::UNSET)
    }

    /// The variable that an instruction of the running frame writes to, with its value.
    pub(crate) fn variable_written(&self, mark: Mark) -> Option<(&str, Value)> {
        let number = usize::from(mark.writes).checked_sub(1)?;
        let variable = self.function_of(mark.function).variables.get(number)?;
        Some((&variable.name, self.value_of(variable, self.base)?))
    }

    /// The variables of the running frame that have their first value now, with it.
    pub(crate) fn variables_born(&self, mark: Mark) -> impl Iterator<Item = (&str, Value)> {
        let function: &Function = self.function_of(mark.function);
        let at = self.pc - function.entry;
        let born = function
            .variables
            .iter()
            .filter(move |variable| variable.born == at);
        born.filter_map(|variable| Some((&*variable.name, self.value_of(variable, self.base)?)))
    }
}
