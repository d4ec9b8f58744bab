//! How the machine makes an error of a script from a fault: its place, the calls that led there, and hints.

use super::{Caller, SHOWN, ScriptError, arguments_in_words, count_of};
use crate::errors::error::{ErrorKind, UnlocatedError, VALUE_OF_SET};
use crate::errors::shorten;
use crate::errors::shorten::shorten;
use crate::machine::Machine;
use crate::natives::native::Native;
use ndscript_base::counted::counted;
use ndscript_base::diagnostics::{Call, Diagnostic};
use ndscript_base::source::Span;
use ndscript_base::spelling::nearest;
use ndscript_bytecode::{Function, Op};
use ndscript_heap::{Kind, Value};
use ndscript_syntax::foreign;

impl Machine {
    /// The error for the host, with its place, the calls that led to it, and hints.
    pub(crate) fn script_error(&mut self, mut complaint: UnlocatedError) -> ScriptError {
        self.say_which(&mut complaint);
        let places = self.places_of_calls();
        let here = places.first().map(|place| place.1);
        let message = complaint.message;
        let mut diagnostic = Diagnostic::error(message.clone(), here.unwrap_or_default());
        diagnostic.span = here;
        let misread = match complaint.kind {
            ErrorKind::Type | ErrorKind::Arity => self
                .hidden_built_in()
                .or_else(|| self.misread_elements(&message)),
            _ => None,
        };
        // An element that was taken for something else is no place whose value is wanted.
        let hint = complaint
            .hint
            .filter(|hint| misread.is_none() || hint != VALUE_OF_SET);
        diagnostic.hints.extend(hint.into_iter().chain(misread));
        diagnostic.calls = self.fold(places.get(1..).unwrap_or_default());
        ScriptError::new(complaint.kind, diagnostic)
    }

    /// A hint for a failing call of a name that the program has given another meaning than a built-in's.
    fn hidden_built_in(&self) -> Option<String> {
        let at = self.pc.checked_sub(1)?;
        let function = self.function_of(self.context.code.function_at(at));
        let (_, name) = function
            .hiding
            .iter()
            .find(|call| function.entry + call.0 == at)?;
        let native = self
            .context
            .natives
            .iter()
            .find(|native| *native.name == **name)?;
        let call = format!("`{name}({})`", native.parameters);
        Some(format!(
            "here `{name}` is a name of your program, which hides the built-in {call}: give it another name"
        ))
    }

    /// A hint for when the function given to a built-in takes what it gets for something else: the positions of a grid for
    /// its values, the elements of an array for their indexes, an array of candidates for one of them.
    fn misread_elements(&self, message: &str) -> Option<String> {
        let waiting = self.frames[..self.depth as usize]
            .iter()
            .rev()
            .map(|frame| (frame.pc, frame.base));
        let first = |base: u32| {
            let argument = self.stack.get(base as usize + 1);
            argument.copied().unwrap_or(Value::NULL)
        };
        let mut called = None;
        for (pc, base) in std::iter::once((self.pc, self.base)).chain(waiting).take(8) {
            let number = self.context.code.function_at(pc.saturating_sub(1));
            let natives = &self.context.natives;
            let serves = |native: &&Native| native.scripts.iter().any(|script| script.1 == number);
            let is_prelude = self.function_of(number).prelude;
            if is_prelude && let Some(native) = natives.iter().find(serves) {
                let name = &native.name;
                match first(base).kind() {
                    Kind::Grid if native.parameters.starts_with("collection") => {
                        return Some(format!(
                            "`{name}` goes over the positions of a grid, as in `{name}(g, p => g[p] == 1)`; `valuesOf(g)` has \
                             its values, and `mapGrid` makes a grid of them"
                        ));
                    }
                    Kind::Array
                        if native.calls_with_elements && message.starts_with("the index") =>
                    {
                        return Some(format!(
                            "`{name}` gives its function the elements of an array; `{name}(range(sizeOf(a)), i => ...)` goes \
                             over the indexes"
                        ));
                    }
                    _ if native.constrains => {
                        let list = called.filter(|value: &Value| value.is_kind(Kind::Array))?;
                        return Some(self.context.set_for_list(list));
                    }
                    _ => {}
                }
            }
            if !is_prelude {
                called = Some(first(base));
            }
        }
        None
    }

    /// The error of a run in which a function of the host has panicked. The place is that of the instruction.
    pub(crate) fn panicked(&self) -> ScriptError {
        let message =
            "the run is broken: code of the host has panicked in it, and the host went on";
        let mut diagnostic = Diagnostic::error(message, Span::default())
            .with_hint("start another run, or go on with a clone or a saved copy from before");
        diagnostic.span = self
            .context
            .code
            .spans
            .get(self.pc.saturating_sub(1) as usize)
            .copied();
        ScriptError::new(ErrorKind::Host, diagnostic)
    }

    pub(crate) fn function_of(&self, number: u32) -> &Function {
        &self.context.code.functions[number as usize]
    }

    /// The frames that belong to the program, innermost first: the caller of the one before, and its current place.
    /// The first entry is the place of the error itself.
    pub(crate) fn places_of_calls(&self) -> Vec<(Option<Caller>, Span)> {
        let mut places = Vec::new();
        let mut caller = None;
        let code = &self.context.code;
        let running = (self.pc, self.base);
        // The frames from before the host call did not lead here.
        let own = self
            .host_call
            .as_ref()
            .map_or(0, |host_call| host_call.frames + 1)
            .min(self.depth);
        let waiting = self.frames[own as usize..self.depth as usize]
            .iter()
            .rev()
            .map(|frame| (frame.pc, frame.base));
        for (pc, base) in std::iter::once(running).chain(waiting) {
            let at = pc.saturating_sub(1);
            let number = code.function_at(at);
            let function = self.function_of(number);
            if !function.prelude {
                let span = code.spans.get(at as usize).copied();
                places.push((caller.take(), span.unwrap_or_default()));
            }
            if !function.prelude || caller.is_none() {
                caller = Some(Caller {
                    function: number,
                    base,
                });
            }
            if places.len() > 2 * SHOWN + 2 && self.depth > 100_000 {
                break;
            }
        }
        places
    }

    /// A call with its arguments as they are now, shortened.
    pub(crate) fn call_text(
        &self,
        Caller {
            function: number,
            base,
        }: Caller,
    ) -> String {
        let (function, base) = (self.function_of(number), base as usize);
        let name = if function.prelude {
            let natives = &self.context.natives;
            let native = natives
                .iter()
                .find(|native| native.scripts.iter().any(|script| script.1 == number));
            native.map_or("function", |native| &native.name)
        } else {
            function.name.as_deref().unwrap_or("function")
        };
        let arguments: Vec<String> = (0..function.parameters.len().min(8))
            .map(|at| {
                let mut value = self
                    .stack
                    .get(base + 1 + at)
                    .copied()
                    .unwrap_or(Value::NULL);
                if let Some(variable) = value.handle_of(Kind::Variable) {
                    value = self.context.heap.variables[variable].value;
                }
                shorten(&self.context.brief(value), 24)
            })
            .collect();
        let more = if function.parameters.len() > 8 {
            ", ..."
        } else {
            ""
        };
        format!("{}({}{more})", shorten::name(name), arguments.join(", "))
    }

    /// The calls of an error; of very many only the first and the last ones.
    fn fold(&self, places: &[(Option<Caller>, Span)]) -> Vec<Call> {
        let count = places.len();
        let mut calls = Vec::new();
        for (at, (caller, span)) in places.iter().enumerate() {
            if count > 2 * SHOWN + 1 && at == SHOWN {
                calls.push(Call {
                    text: format!("... {}", counted(count - 2 * SHOWN, "more call")),
                    span: None,
                });
            }
            if count <= 2 * SHOWN + 1 || at < SHOWN || at >= count - SHOWN {
                let text = caller.map_or_else(String::new, |caller| self.call_text(caller));
                calls.push(Call {
                    text,
                    span: Some(*span),
                });
            }
        }
        calls
    }

    /// The error that an instruction was compiled to.
    pub(crate) fn complaint(
        &self,
        complaint: &ndscript_bytecode::function::StaticError,
    ) -> UnlocatedError {
        use ndscript_bytecode::function::StaticError as Known;
        match complaint {
            Known::BeforeItsLine(name) => self.before_its_line(name),
            Known::Arguments { function, given } => {
                let function = self.function_of(*function);
                self.wrong_count(function, *given as usize)
            }
            Known::NativeArguments { native, given } => {
                self.wrong_native_count(*native, *given as usize)
            }
        }
    }

    pub(crate) fn before_its_line(&self, name: &str) -> UnlocatedError {
        UnlocatedError::new(
            ErrorKind::Undefined,
            format!("`{}` is used before its declaration", shorten::name(name)),
        )
        .with_hint("a `let` or `const` exists from its declaration on: move the declaration up")
    }

    /// The error of a function of the program that gets too few or too many arguments.
    pub(crate) fn wrong_count(&self, function: &Function, given: usize) -> UnlocatedError {
        let name = function
            .name
            .as_deref()
            .map_or("the function".to_string(), |name| {
                format!("`{}`", shorten::name(name))
            });
        let wanted = arguments_in_words(
            function.least() as u32,
            Some(function.parameters.len() as u32),
        );
        let message = match self.built_in_that_calls() {
            // This call is not in the program: the built-in made it.
            Some(caller) => {
                let called = function
                    .name
                    .as_deref()
                    .map_or("this one".to_string(), |name| {
                        format!("`{}`", shorten::name(name))
                    });
                let caller = &caller.name;
                format!(
                    "`{caller}` calls its function with {}, but {called} takes {}",
                    count_of(given),
                    wanted
                        .trim_end_matches(" arguments")
                        .trim_end_matches(" argument")
                )
            }
            None => format!("{name} takes {wanted}, but got {given}"),
        };
        let complaint = UnlocatedError::new(ErrorKind::Arity, message);
        // The built-in of that name may be intended.
        let native = self
            .context
            .natives
            .iter()
            .find(|native| Some(&*native.name) == function.name.as_deref());
        if let Some(native) = native.filter(|native| {
            given as u32 >= native.least
                && native.most.is_none_or(|most| given as u32 <= most)
                && !function.prelude
        }) {
            let name = &native.name;
            return complaint.with_hint(format!(
                "the program's own function `{name}` hides the built-in `{name}({})`: give it another name",
                native.parameters
            ));
        }
        if (1..12).contains(&function.parameters.len()) {
            let name = shorten::name(function.name.as_deref().unwrap_or("function"));
            // Elsewhere the second one is the index.
            let wants_index = given == 1 && function.least() == 2;
            let is_map = self
                .built_in_that_calls()
                .is_some_and(|native| native.calls_with_elements);
            let more = if wants_index && is_map {
                "; for the index of each element go over `range(sizeOf(c))`"
            } else {
                ""
            };
            complaint.with_hint(format!(
                "it is declared as {name}({}){more}",
                declared_parameters(function)
            ))
        } else {
            complaint
        }
    }

    /// The built-in whose prelude function is running, if any.
    fn built_in_that_calls(&self) -> Option<&Native> {
        let waiting = self.frames[..self.depth as usize]
            .iter()
            .rev()
            .map(|frame| frame.pc);
        let places = std::iter::once(self.pc).chain(waiting);
        let numbers = places.map(|pc| self.context.code.function_at(pc.saturating_sub(1)));
        let natives = &self.context.natives;
        let of_prelude = numbers.take_while(|number| self.function_of(*number).prelude);
        let built_ins = of_prelude.filter_map(|number| {
            natives
                .iter()
                .find(|native| native.scripts.iter().any(|script| script.1 == number))
        });
        built_ins.last()
    }

    /// The error of a built-in that gets too few or too many arguments.
    pub(crate) fn wrong_native_count(&self, native: u32, given: usize) -> UnlocatedError {
        let native = &self.context.natives[native as usize];
        let wanted = arguments_in_words(native.least, native.most);
        let complaint = UnlocatedError::new(
            ErrorKind::Arity,
            format!("`{}` takes {wanted}, but got {given}", native.name),
        );
        if native.parameters.is_empty() {
            return complaint;
        }
        complaint.with_hint(format!(
            "it is called as {}({})",
            native.name, native.parameters
        ))
    }

    /// Adds to the error of a built-in which of its arguments it concerns.
    fn say_which(&self, complaint: &mut UnlocatedError) {
        const PLACES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
        let Some(found) = complaint.argument else {
            return;
        };
        let Some((native, arguments)) = self.running_call() else {
            return;
        };
        // A prelude function called for a built-in has other arguments than the built-in.
        let expectation = format!("`{}` wants ", self.context.natives[native as usize].name);
        if let Some(place) = arguments
            .iter()
            .position(|argument| *argument == found)
            .and_then(|at| PLACES.get(at))
            && arguments.len() > 1
            && complaint.message.starts_with(&expectation)
            && !complaint.message.contains(" argument, not ")
        {
            complaint.message =
                complaint
                    .message
                    .replacen(", not ", &format!(" as its {place} argument, not "), 1);
        }
    }

    /// The built-in that the instruction in progress calls, and its arguments.
    fn running_call(&self) -> Option<(u32, Vec<Value>)> {
        let register = |at: usize| self.stack.get(self.base as usize + at).copied();
        let arguments_after = |base: u8, count: u8| {
            (1..=count as usize)
                .map(|at| register(base as usize + at))
                .collect::<Option<Vec<_>>>()
        };
        Some(
            match *self
                .context
                .code
                .ops
                .get((self.pc as usize).checked_sub(1)?)?
            {
                Op::CallNative {
                    base,
                    arguments,
                    native,
                    ..
                } => (native, arguments_after(base, arguments)?),
                Op::Call { base, arguments } => (
                    register(base as usize)?.handle_of(Kind::Native)?,
                    arguments_after(base, arguments)?,
                ),
                Op::SetOperation {
                    call, a, b, native, ..
                }
                | Op::Shortcut {
                    call, a, b, native, ..
                } => {
                    let both = vec![register(a as usize)?, register(b as usize)?];
                    (
                        u32::from(native),
                        both.into_iter().take(call.arguments() as usize).collect(),
                    )
                }
                Op::Push { a, b, native, .. } => (
                    u32::from(native),
                    vec![register(a as usize)?, register(b as usize)?],
                ),
                _ => return None,
            },
        )
    }

    /// The error for a name that nothing defines.
    pub(crate) fn undefined(&self, name: &str) -> UnlocatedError {
        let shown = shorten::name(name);
        let complaint =
            UnlocatedError::new(ErrorKind::Undefined, format!("`{shown}` is not defined"));
        if let Some(hint) = foreign::global(name) {
            return complaint.with_hint(hint);
        }
        let global = self
            .context
            .code
            .globals
            .iter()
            .find(|global| &*global.name == name);
        if global.is_some_and(|global| global.is_inner) {
            return complaint.with_hint(format!(
                "a block or function has a variable `{shown}`, which exists only there: declare it further out"
            ));
        }
        let globals = self.context.code.globals.iter();
        let known = globals
            .filter(|global| &*global.name != name)
            .map(|global| &*global.name);
        let natives = self
            .context
            .natives
            .iter()
            .map(|native| &*native.name)
            .filter(|name| !name.starts_with("__"));
        match nearest(name, known.chain(natives)) {
            Some(close) => complaint.with_hint(format!("did you mean `{close}`?")),
            None if global.is_some_and(|global| global.is_called) => complaint.with_hint(format!(
                "declare it first: `function {shown}(...) {{ ... }}`"
            )),
            None => complaint.with_hint(format!("declare it first: `var {shown} = ...;`")),
        }
    }
}

/// The parameters of a function, in brackets those that a call may leave out.
fn declared_parameters(function: &Function) -> String {
    let mut text = String::new();
    for (at, name) in function.parameters.iter().enumerate() {
        text += if at >= function.least() { "[" } else { "" };
        text += if at > 0 { ", " } else { "" };
        text += &shorten::name(name);
    }
    text + &"]".repeat(function.optional as usize)
}
