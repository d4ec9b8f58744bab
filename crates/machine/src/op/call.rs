//! Calls and returns.

use super::shortcut::{remembered, shortcut};
use super::{After, Done, Fast, forged};
use crate::errors::error::{ErrorKind, Fault};
use crate::frame::Frame;
use crate::machine::{Exit, Machine, WINDOW};
#[cfg(debug_assertions)]
use crate::natives::effect::NativeEffect;
use crate::natives::native::{Action, HostReturn};
use crate::search::choices::barrier::BarrierKind;
use ndscript_base::limits::LimitReached;
use ndscript_base::room;
use ndscript_bytecode::{Code, Register, Shortcut};
use ndscript_heap::{Kind, Value};

impl Fast<'_> {
    /// The entry of the program's function in `R[base]`, if it takes this many arguments
    #[inline(always)]
    pub fn entry(&self, base: Register, arguments: u8, code: &Code) -> Option<u32> {
        let closure = self.get(base).handle_of(Kind::Function)?;
        let head = code
            .heads
            .get(self.heap.functions[closure].function as usize)?;
        (head.parameters == arguments as u32).then_some(head.entry)
    }

    /// The stored result of an operation on sets for `R[a]` and `R[b]`, and its charge
    #[inline(always)]
    pub fn set_operation(&self, call: Shortcut, a: Register, b: Register) -> Option<(Value, i64)> {
        remembered(self.heap, call, self.get(a), self.get(b))
    }

    /// The result of a built-in for `R[a]` and, if it takes two arguments, `R[b]`
    #[inline(always)]
    pub fn shortcut(&self, call: Shortcut, a: Register, b: Register) -> Option<Value> {
        shortcut(self.heap, call, self.get(a), self.get(b))
    }

    /// Append `R[b]` to the array `R[a]`, which is the result
    #[inline(always)]
    pub fn push(&mut self, a: Register, b: Register) -> Option<Value> {
        let array = self.get(a);
        self.heap
            .append_element(array.handle_of(Kind::Array)?, self.get(b))
            .then_some(array)
    }
}

impl Machine {
    /// `R[base] := R[base](R[base + 1], ...)`
    pub(crate) fn call(&mut self, base: Register, arguments: u8) -> Done {
        let called = self.call_value(base, arguments as usize)?;
        Ok(self.called(called, base))
    }

    /// `R[base] :=` the function of the program that begins at `target` called with `R[base + 1], ...`
    pub(crate) fn call_known(&mut self, base: Register, target: u32) -> Done {
        self.enter(target, self.base as usize + base as usize)?;
        self.context.fuel -= 1;
        Ok(After::Look)
    }

    /// `R[to] :=` the built-in called with `R[base + 1], ...`
    pub(crate) fn call_built_in(
        &mut self,
        native: u32,
        base: Register,
        arguments: u8,
        to: Register,
    ) -> Done {
        self.context.fuel -= 1;
        if let Action::Plain(function) = self.context.natives[native as usize].action {
            let first = self.base as usize + base as usize + 1;
            let result = function(
                &mut self.context,
                &self.stack[first..first + arguments as usize],
            );
            #[cfg(debug_assertions)]
            {
                let native = &self.context.natives[native as usize];
                let may_constrain = native.effect == NativeEffect::Constrains;
                let has_posted = std::mem::take(&mut self.context.has_constrained);
                debug_assert!(
                    may_constrain || !has_posted,
                    "the row of `{}` lacks an effect",
                    native.name
                );
            }
            self.set(to, result?);
            return Ok(After::LookAtMemory);
        }
        let called = self.call_native(native, base, arguments as usize, to)?;
        Ok(self.called(called, to))
    }

    /// `R[to] :=` the built-in of `R[a]` and, if it takes two arguments, `R[b]`
    pub(crate) fn call_shortcut(
        &mut self,
        call: Shortcut,
        native: u16,
        to: Register,
        a: Register,
        b: Register,
    ) -> Done {
        let result = self.call_in_full(call, native, self.get(a), self.get(b))?;
        self.set(to, result);
        Ok(After::LookAtMemory)
    }

    /// `R[base] := R[base]` called with the elements of the array `R[base + 1]`
    pub(crate) fn call_list(&mut self, base: Register) -> Done {
        let called = self.call_with_list(base)?;
        Ok(self.called(called, base))
    }

    /// Continues after a call.
    pub(crate) fn called(&mut self, called: NativeOutcome, to: Register) -> After {
        match called {
            NativeOutcome::Value(value) => {
                self.set(to, value);
                After::LookAtMemory
            }
            NativeOutcome::Elsewhere if self.is_waiting() => After::Stop(Exit::Asked),
            NativeOutcome::Elsewhere => After::Look,
        }
    }

    /// Return a value to the caller; the program may end with it
    pub(crate) fn give_back(&mut self, value: Value) -> Done {
        if self.leave(value) {
            Ok(After::Next)
        } else {
            Ok(After::Stop(Exit::Solved(value)))
        }
    }

    /// Begin a function that keeps only its first result
    pub(crate) fn open_commit(&mut self) -> Done {
        self.open_barrier(BarrierKind::Commit, None);
        Ok(After::Next)
    }

    /// Return `R[from]` and discard the choices made since the call
    pub(crate) fn return_and_commit(&mut self, from: Register) -> Done {
        let value = self.get(from);
        let is_in_budget = self.commit();
        self.leave(value);
        if is_in_budget {
            Ok(After::Next)
        } else {
            Err(Fault::Fail)
        }
    }
}

/// The outcome of a call.
pub(crate) enum NativeOutcome {
    /// A result, for the register that the call names.
    Value(Value),
    /// Another function runs now, or the machine waits for an answer.
    Elsewhere,
}

impl Machine {
    /// Saves a waiting frame as the latest choice point needs it, before control returns into it. Those above it are
    /// saved or did not exist.
    #[cold]
    #[inline(never)]
    pub(crate) fn save_frame(&mut self, index: usize) {
        let frame = self.frames[index];
        // The register that gets the result is one of its own, and holds the closure of the function that returns.
        let above = self.frames[index + 1..]
            .first()
            .filter(|_| index + 1 < self.depth as usize);
        let end = above.map_or(self.base, |frame| frame.base) as usize + 1;
        let first =
            (frame.base as usize + self.context.code.count_saved_of_frame(frame.pc - 1)).min(end);
        if self
            .choices
            .save_frame(index, frame, first, &self.stack[first..end])
        {
            self.count_room();
        }
        self.context.fuel -= (end - first) as i64 / 8;
    }

    /// Makes room for a window at the running frame's base.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow_stack(&mut self) {
        let needed = self.base as usize + 2 * WINDOW;
        let more = needed
            .saturating_sub(self.stack.len())
            .max(room::step(self.stack.len() * 8) / 8);
        room::grow(&mut self.stack, more);
        self.stack.resize(self.stack.len() + more, Value::NULL);
        self.count_room();
    }

    /// Makes room for a call of a function that is nested more deeply than any before in this run.
    ///
    /// # Errors
    /// The limit of depth; nothing has changed then.
    #[cold]
    #[inline(never)]
    fn nest_deeper(&mut self, frame: Frame) -> Result<(), Fault> {
        if self.frames.len() >= self.context.limits.depth {
            return Err(Fault::Limit(LimitReached::Depth(self.context.limits.depth)));
        }
        self.grow_frames(frame);
        Ok(())
    }

    fn grow_frames(&mut self, frame: Frame) {
        if self.frames.len() == self.frames.capacity() {
            room::grow(&mut self.frames, 1);
            self.count_room();
        }
        self.frames.push(frame);
        self.statistics.depth = self.statistics.depth.max(self.frames.len() as u64);
    }

    /// Pushes the frame of a waiting call, at any depth.
    pub(crate) fn wait(&mut self, frame: Frame) {
        match self.frames.get_mut(self.depth as usize) {
            Some(place) => *place = frame,
            // The next call of a function looks at the limit.
            None => self.grow_frames(frame),
        }
        self.depth += 1;
    }

    /// Runs the program's function that begins at `entry`, its arguments after `base` on the stack.
    #[inline]
    pub(crate) fn enter(&mut self, entry: u32, base: usize) -> Result<(), Fault> {
        let frame = Frame {
            pc: self.pc,
            base: self.base,
        };
        match self.frames.get_mut(self.depth as usize) {
            Some(place) => *place = frame,
            None => self.nest_deeper(frame)?,
        }
        self.depth += 1;
        self.pc = entry;
        self.base = base as u32;
        if base + WINDOW > self.stack.len() {
            self.grow_stack();
        }
        Ok(())
    }

    /// Returns a value to the waiting call. False if there is none: the program has ended.
    #[inline]
    pub(crate) fn leave(&mut self, value: Value) -> bool {
        let Some(last) = self.depth.checked_sub(1) else {
            return false;
        };
        if last < self.choices.protect() {
            self.save_frame(last as usize);
        }
        self.stack[self.base as usize] = value;
        let frame = self.frames[last as usize];
        self.depth = last;
        self.pc = frame.pc;
        self.base = frame.base;
        true
    }

    /// Calls the value in a register with the arguments after it.
    pub(crate) fn call_value(&mut self, base: u8, count: usize) -> Result<NativeOutcome, Fault> {
        let at = self.base as usize + base as usize;
        let callee = self.stack[at];
        self.context.fuel -= 1;
        match callee.kind() {
            Kind::Function => {
                let function = self.context.heap.functions[callee.payload()].function;
                let head = *self
                    .context
                    .code
                    .heads
                    .get(function as usize)
                    .ok_or_else(undone_input)?;
                if head.parameters as usize == count {
                    self.enter(head.entry, at)?;
                    return Ok(NativeOutcome::Elsewhere);
                }
                let target = &self.context.code.functions[function as usize];
                if !target.accepts(count) {
                    return Err(Fault::Error(Box::new(self.wrong_count(target, count))));
                }
                let (takes_list, left_out) = (target.takes_list, target.parameters.len() - count);
                self.enter(head.entry, at)?;
                if takes_list {
                    let mut arguments = self.stack[at + 1..at + 1 + count].to_vec();
                    arguments.extend(std::iter::repeat_n(Value::UNSET, left_out));
                    self.stack[at + 1] = self.context.heap.array(arguments);
                } else {
                    self.stack[at + 1 + count..at + 1 + count + left_out].fill(Value::UNSET);
                }
                Ok(NativeOutcome::Elsewhere)
            }
            Kind::Native => self.call_native(callee.payload(), base, count, base),
            Kind::Relation => {
                if count != 2 {
                    return Err(Fault::error(
                        ErrorKind::Arity,
                        format!("a relation takes 2 arguments, but got {count}"),
                    ));
                }
                let (left, right) = (self.stack[at + 1], self.stack[at + 2]);
                self.context
                    .are_related(callee, left, right)
                    .map(NativeOutcome::Value)
            }
            Kind::Method => self.call_method(callee, base, count),
            _ => {
                let fault = Fault::error(
                    ErrorKind::Type,
                    format!(
                        "{} is not a function and cannot be called",
                        self.context.describe(callee)
                    ),
                );
                Err(fault)
            }
        }
    }

    /// Calls a built-in with the arguments after `base`.
    pub(crate) fn call_native(
        &mut self,
        native: u32,
        base: u8,
        count: usize,
        to: u8,
    ) -> Result<NativeOutcome, Fault> {
        let native_row = &self.context.natives[native as usize];
        if (count as u32) < native_row.least
            || native_row.most.is_some_and(|most| count as u32 > most)
        {
            return Err(Fault::Error(Box::new(
                self.wrong_native_count(native, count),
            )));
        }
        let at = self.base as usize + base as usize;
        let value = match native_row.action {
            _ if !native_row.scripts.is_empty()
                && let Some(script) = native_row
                    .scripts
                    .iter()
                    .find(|script| script.0 as usize == count)
                    .copied() =>
            {
                let entry = self.context.code.heads[script.1 as usize].entry;
                // Entry 0 is the program itself: the function belongs to the code of an input that was undone.
                if entry == 0 {
                    return Err(undone_input());
                }
                self.enter(entry, at)?;
                return Ok(NativeOutcome::Elsewhere);
            }
            Action::Plain(function) => {
                function(&mut self.context, &self.stack[at + 1..at + 1 + count])?
            }
            Action::Host(number) => {
                let function = self.context.host[number as usize].clone();
                let result = function(&mut self.context, &self.stack[at + 1..at + 1 + count]);
                self.treat_roots_as_young();
                match result? {
                    HostReturn::Value(value) => value,
                    HostReturn::Choices {
                        alternatives,
                        ordered,
                    } => self.choose_among(alternatives, ordered, base)?,
                    HostReturn::Alternatives(make) => {
                        let called = Value::handle(Kind::Native, native);
                        self.begin_alternatives(at, called, count, &make)?;
                        return Ok(NativeOutcome::Elsewhere);
                    }
                    HostReturn::Call {
                        function,
                        arguments,
                        then,
                    } => {
                        self.begin_continued_call(at, [then, function], arguments)?;
                        return Ok(NativeOutcome::Elsewhere);
                    }
                    HostReturn::Wait(ticket) => {
                        self.wait_for_host(ticket, to);
                        return Ok(NativeOutcome::Elsewhere);
                    }
                }
            }
            Action::Control(control) => {
                let value = self.control(control, base, count, to)?;
                if self.is_waiting() {
                    return Ok(NativeOutcome::Elsewhere);
                }
                value
            }
            Action::Script => Value::NULL,
        };
        Ok(NativeOutcome::Value(value))
    }

    /// Calls a function for a function of the host: the frame begins at a place of the stack, where the result goes,
    /// too.
    pub(crate) fn begin_continued_call(
        &mut self,
        at: usize,
        [then, function]: [Value; 2],
        arguments: Vec<Value>,
    ) -> Result<(), Fault> {
        self.context.charge(1 + arguments.len() / 8);
        let code = &self.context.code;
        self.enter(code.heads[code.callback as usize].entry, at)?;
        let list = self.context.heap.array(arguments);
        self.stack[at + 1..at + 4].copy_from_slice(&[then, function, list]);
        Ok(())
    }

    /// Calls the value in a register with the elements of the array after it.
    pub(crate) fn call_with_list(&mut self, base: u8) -> Result<NativeOutcome, Fault> {
        let at = self.base as usize + base as usize;
        let (callee, list) = (self.stack[at], self.stack[at + 1]);
        let handle = list.handle_of(Kind::Array).ok_or_else(forged)?;
        let arguments = self.context.heap.elements(handle).to_vec();
        self.context.charge(arguments.len());
        if let Some(native) = callee.handle_of(Kind::Native)
            && let Action::Plain(function) = self.context.natives[native as usize].action
        {
            let called = &self.context.natives[native as usize];
            if called
                .most
                .is_some_and(|most| arguments.len() as u32 > most)
            {
                return Err(Fault::Error(Box::new(
                    self.wrong_native_count(native, arguments.len()),
                )));
            }
            if arguments.len() as u32 >= called.least
                && !called
                    .scripts
                    .iter()
                    .any(|script| script.0 as usize == arguments.len())
            {
                return function(&mut self.context, &arguments).map(NativeOutcome::Value);
            }
        }
        if let Some(closure) = callee.handle_of(Kind::Function) {
            let function = self.context.heap.functions[closure].function;
            let code = self.context.code.clone();
            let target = code
                .functions
                .get(function as usize)
                .ok_or_else(undone_input)?;
            if !target.accepts(arguments.len()) {
                return Err(Fault::Error(Box::new(
                    self.wrong_count(target, arguments.len()),
                )));
            }
            if target.takes_list {
                self.enter(code.heads[function as usize].entry, at)?;
                let mut arguments = arguments;
                arguments.resize(target.parameters.len(), Value::UNSET);
                self.stack[at + 1] = self.context.heap.array(arguments);
                return Ok(NativeOutcome::Elsewhere);
            }
        }
        // Few enough to be ordinary arguments after all; above them the window may end.
        let needed = at + 1 + arguments.len() + 2 * WINDOW;
        if self.stack.len() < needed - WINDOW {
            let more = needed - self.stack.len();
            self.context.reserve(more * 8)?;
            room::grow(&mut self.stack, more);
            self.stack.resize(needed, Value::NULL);
            self.count_room();
        }
        self.stack[at + 1..at + 1 + arguments.len()].copy_from_slice(&arguments);
        let called = self.call_value(base, arguments.len());
        if called.is_err() {
            // The instruction may have to run again.
            self.stack[at] = callee;
            self.stack[at + 1] = list;
        }
        called
    }
}

/// The error for a function that the host has kept from an input that backtracking has undone.
#[cold]
fn undone_input() -> Fault {
    Fault::error(
        ErrorKind::Undefined,
        "this function belongs to an input that was taken back",
    )
}
