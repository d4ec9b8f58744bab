//! Single instructions, whatever they work on. What is frequent is also done in [`super::execute`], in less time.

use super::arithmetic::Operator;
use super::barrier::BarrierKind;
use super::call::Called;
use super::comparison::Comparison;
use super::error::{ErrorKind, Fault};
use super::execute::window;
use super::integers::{add_integers, divide_integers, multiply_integers, remainder_integers, subtract_integers};
use super::iterate::next_neighbor;
use super::machine::{Exit, Machine};
use super::native::{Action, Control};
use crate::bytecode::{Capture, Code, Op, Shortcut};
use crate::value::{Kind, Value};

impl Machine {
    /// Carries out the instruction before `pc`.
    ///
    /// # Errors
    /// A reason to stop.
    #[inline(never)]
    pub(super) fn step(&mut self, code: &Code) -> Result<(), Exit> {
        let op = code.ops[self.pc as usize - 1];
        self.context.fuel_before = self.context.fuel;
        let mut r = window(&mut self.stack, self.base as usize);

        /// Takes the registers up again after the machine as a whole was borrowed.
        macro_rules! registers {
            () => {
                r = window(&mut self.stack, self.base as usize)
            };
        }
        /// Deals with a fault: goes on after a failure, or stops.
        macro_rules! fault {
            ($fault:expr) => {{
                let fault = $fault;
                return self.handle(fault);
            }};
        }
        /// The value of a result, or on with its fault.
        macro_rules! value {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => fault!(fault),
                }
            };
        }
        /// What a register must hold here, and does in every run that was not forged.
        macro_rules! held {
            ($found:expr) => {
                match $found {
                    Some(found) => found,
                    None => fault!(forged()),
                }
            };
        }
        /// Stops if the fuel is used up, or a limit is reached.
        macro_rules! check {
            () => {
                self.context.charge_comparisons();
                if self.context.fuel < 0 {
                    return self.check_and_stop();
                }
            };
        }
        /// The same where something may have been allocated.
        macro_rules! check_heap {
            () => {
                self.context.charge_comparisons();
                if self.context.fuel < 0 || self.context.heap.wants_check() {
                    return self.check_and_stop();
                }
            };
        }
        macro_rules! called {
            ($result:expr, $to:expr) => {
                match $result {
                    Ok(Called::Value(value)) => {
                        registers!();
                        r[$to as usize] = value;
                        check_heap!();
                    }
                    Ok(Called::Elsewhere) => {
                        if self.is_waiting() {
                            return Err(Exit::Asked);
                        }
                        check!();
                    }
                    Err(fault) => fault!(fault),
                }
            };
        }
        macro_rules! arithmetic {
            ($to:expr, $a:expr, $b:expr, $operator:ident, $fast:ident) => {{
                let (a, b) = ($a, $b);
                if a.both_integers(b)
                    && let Some(value) = $fast(a, b)
                {
                    r[$to as usize] = value;
                } else {
                    r[$to as usize] = value!(self.context.operate(Operator::$operator, a, b));
                    check_heap!();
                }
            }};
        }

        match op {
            Op::Move { to, from } => r[to as usize] = r[from as usize],
            Op::Integer { to, value } => r[to as usize] = Value::integer(value as i64),
            Op::Constant { to, index } => r[to as usize] = self.constants[index as usize],
            Op::Null { to } => r[to as usize] = Value::NULL,
            Op::LeaveOut { to } => r[to as usize] = Value::UNSET,
            Op::Native { to, native } => r[to as usize] = Value::handle(Kind::Native, native),

            Op::GetGlobal { to, slot } => r[to as usize] = self.context.heap.global(slot),
            Op::GetGlobalChecked { to, slot } => {
                let mut value = self.context.heap.global(slot);
                if value == Value::UNSET {
                    let global = &code.globals[slot as usize];
                    value = match global.native {
                        Some(native) if !global.lexical => Value::handle(Kind::Native, native),
                        _ if global.lexical => fault!(Fault::Error(Box::new(self.before_its_line(&global.name)))),
                        _ => fault!(Fault::Error(Box::new(self.undefined(&global.name)))),
                    };
                }
                r[to as usize] = value;
            }
            Op::SetGlobal { from, slot } => self.context.heap.set_global(slot, r[from as usize]),
            Op::SetGlobalChecked { from, slot } => {
                if self.context.heap.global(slot) == Value::UNSET {
                    fault!(Fault::Error(Box::new(self.before_its_line(&code.globals[slot as usize].name))));
                }
                self.context.heap.set_global(slot, r[from as usize]);
            }
            Op::AddToGlobal { from, slot } => {
                let (a, b) = (self.context.heap.global(slot), r[from as usize]);
                let sum = if a.both_integers(b)
                    && let Some(sum) = add_integers(a, b)
                {
                    sum
                } else {
                    value!(self.context.operate(Operator::Add, a, b))
                };
                self.context.heap.set_global(slot, sum);
            }
            Op::AddIntegerToGlobal { value, slot } => {
                let (a, b) = (self.context.heap.global(slot), Value::integer(value as i64));
                let sum = if a.is_integer()
                    && let Some(sum) = add_integers(a, b)
                {
                    sum
                } else {
                    value!(self.context.operate(Operator::Add, a, b))
                };
                self.context.heap.set_global(slot, sum);
            }
            Op::GetCaptured { to, index } => {
                r[to as usize] = self.context.heap.functions[r[0].payload()].captured[index as usize];
            }
            Op::GetCapturedBox { to, index } => {
                let held = self.context.heap.functions[r[0].payload()].captured[index as usize];
                r[to as usize] = held!(self.context.heap.held_by(held)).value;
            }
            Op::GetCapturedBoxChecked { to, index } => {
                let held = self.context.heap.functions[r[0].payload()].captured[index as usize];
                let value = held!(self.context.heap.held_by(held)).value;
                if value == Value::UNSET {
                    fault!(self.unset_captured(index));
                }
                r[to as usize] = value;
            }
            Op::SetCapturedBox { from, index } => {
                let held = self.context.heap.functions[r[0].payload()].captured[index as usize];
                held!(self.context.heap.held_by(held));
                self.context.heap.set_variable(held.payload(), r[from as usize]);
            }
            Op::SetCapturedBoxChecked { from, index } => {
                let held = self.context.heap.functions[r[0].payload()].captured[index as usize];
                if held!(self.context.heap.held_by(held)).value == Value::UNSET {
                    fault!(self.unset_captured(index));
                }
                self.context.heap.set_variable(held.payload(), r[from as usize]);
            }
            Op::NewBox { at } => r[at as usize] = self.context.heap.variable(r[at as usize]),
            Op::NewUnsetBox { at } => r[at as usize] = self.context.heap.variable(Value::UNSET),
            Op::GetBox { to, from } => r[to as usize] = held!(self.context.heap.held_by(r[from as usize])).value,
            Op::GetBoxChecked { to, from, name } => {
                let value = held!(self.context.heap.held_by(r[from as usize])).value;
                if value == Value::UNSET {
                    fault!(self.unset_named(name));
                }
                r[to as usize] = value;
            }
            Op::SetBox { at, from } => {
                held!(self.context.heap.held_by(r[at as usize]));
                self.context.heap.set_variable(r[at as usize].payload(), r[from as usize]);
            }
            Op::SetBoxChecked { at, from, name } => {
                if held!(self.context.heap.held_by(r[at as usize])).value == Value::UNSET {
                    fault!(self.unset_named(name));
                }
                self.context.heap.set_variable(r[at as usize].payload(), r[from as usize]);
            }
            Op::GetSpilled { to, from, index } => {
                let array = held!(r[from as usize].handle_of(Kind::Array));
                r[to as usize] = self.context.heap.element(array, index as usize).unwrap_or(Value::NULL);
            }
            Op::SetSpilled { at, from, index } => {
                let array = r[at as usize].handle_of(Kind::Array);
                let is_own = |array: &u32| self.context.heap.arrays[*array].is_writable_at(i64::from(index));
                let array = held!(array.filter(is_own));
                self.context.heap.set_element(array, index as usize, r[from as usize]);
            }
            Op::NewSpill { to, count } => {
                r[to as usize] = self.context.heap.array(vec![Value::NULL; count as usize]);
            }

            Op::Add { to, a, b } => arithmetic!(to, r[a as usize], r[b as usize], Add, add_integers),
            Op::Subtract { to, a, b } => {
                arithmetic!(to, r[a as usize], r[b as usize], Subtract, subtract_integers)
            }
            Op::Multiply { to, a, b } => {
                arithmetic!(to, r[a as usize], r[b as usize], Multiply, multiply_integers)
            }
            Op::Divide { to, a, b } => arithmetic!(to, r[a as usize], r[b as usize], Divide, divide_integers),
            Op::Remainder { to, a, b } => {
                arithmetic!(to, r[a as usize], r[b as usize], Remainder, remainder_integers)
            }
            Op::AddInteger { to, a, value } => {
                arithmetic!(to, r[a as usize], Value::integer(value as i64), Add, add_integers)
            }
            Op::SubtractInteger { to, a, value } => {
                let (a, b) = (r[a as usize], Value::integer(value as i64));
                if value < 0 {
                    arithmetic!(to, a, b, Increment, subtract_integers)
                } else {
                    arithmetic!(to, a, b, Subtract, subtract_integers)
                }
            }
            Op::MultiplyInteger { to, a, value } => {
                arithmetic!(to, r[a as usize], Value::integer(value as i64), Multiply, multiply_integers)
            }
            Op::RemainderInteger { to, a, value } => {
                arithmetic!(to, r[a as usize], Value::integer(value as i64), Remainder, remainder_integers)
            }
            Op::Negate { to, from } => {
                r[to as usize] = value!(self.context.negate(r[from as usize]));
            }
            Op::Plus { to, from } => r[to as usize] = value!(self.context.plus(r[from as usize])),
            Op::Not { to, from } => match r[from as usize].as_boolean() {
                Some(boolean) => r[to as usize] = Value::boolean(!boolean),
                None => fault!(self.context.not_a_condition(r[from as usize])),
            },
            Op::Equal { to, a, b } => {
                r[to as usize] = Value::boolean(value!(self.context.equal(r[a as usize], r[b as usize])));
                check!();
            }
            Op::NotEqual { to, a, b } => {
                r[to as usize] = Value::boolean(!value!(self.context.equal(r[a as usize], r[b as usize])));
                check!();
            }
            Op::Less { to, a, b } => {
                let (a, b) = (r[a as usize], r[b as usize]);
                let less = if a.both_integers(b) {
                    a.scaled() < b.scaled()
                } else {
                    value!(self.context.compare(a, b)).is_lt()
                };
                r[to as usize] = Value::boolean(less);
                check!();
            }
            Op::LessEqual { to, a, b } => {
                let (a, b) = (r[a as usize], r[b as usize]);
                let less = if a.both_integers(b) {
                    a.scaled() <= b.scaled()
                } else {
                    value!(self.context.compare(a, b)).is_le()
                };
                r[to as usize] = Value::boolean(less);
                check!();
            }
            Op::Concatenate { to, first, count } => {
                let parts = &r[first as usize..first as usize + count as usize];
                r[to as usize] = value!(self.context.concatenate(parts));
                check_heap!();
            }

            Op::Jump { target } => self.pc = target,
            Op::Loop { target } => {
                self.pc = target;
                self.context.fuel -= 1;
                check!();
            }
            Op::JumpIf { a, target } => match r[a as usize].as_boolean() {
                Some(true) => self.pc = target,
                Some(false) => {}
                None => fault!(self.context.not_a_condition(r[a as usize])),
            },
            Op::JumpUnless { a, target } => match r[a as usize].as_boolean() {
                Some(false) => self.pc = target,
                Some(true) => {}
                None => fault!(self.context.not_a_condition(r[a as usize])),
            },
            Op::JumpIfGiven { a, target } => {
                if r[a as usize] != Value::UNSET {
                    self.pc = target;
                }
            }
            Op::JumpEqual { a, b, target } => {
                if value!(self.context.equal(r[a as usize], r[b as usize])) {
                    self.pc = target;
                }
                check!();
            }
            Op::JumpNotEqual { a, b, target } => {
                if !value!(self.context.equal(r[a as usize], r[b as usize])) {
                    self.pc = target;
                }
                check!();
            }
            Op::JumpEqualInteger { a, value, target } => {
                if r[a as usize] == Value::integer(value as i64) {
                    self.pc = target;
                }
            }
            Op::JumpNotEqualInteger { a, value, target } => {
                if r[a as usize] != Value::integer(value as i64) {
                    self.pc = target;
                }
            }
            Op::JumpLess { .. }
            | Op::JumpLessEqual { .. }
            | Op::JumpLessInteger { .. }
            | Op::JumpLessEqualInteger { .. }
            | Op::JumpGreaterInteger { .. }
            | Op::JumpGreaterEqualInteger { .. }
            | Op::LoopLess { .. }
            | Op::LoopLessEqual { .. }
            | Op::LoopLessInteger { .. }
            | Op::LoopLessEqualInteger { .. }
            | Op::LoopGreaterInteger { .. }
            | Op::LoopGreaterEqualInteger { .. }
            | Op::LoopLessConstant { .. }
            | Op::LoopLessEqualConstant { .. } => {
                if let Some(comparison) = Comparison::of(op, r, &self.constants) {
                    return self.jump_by(comparison);
                }
            }

            Op::GetField { to, object, key } | Op::GetCoordinate { to, object, key, .. } => {
                let key = self.constants[key as usize];
                r[to as usize] = value!(self.context.get_field(r[object as usize], key));
            }
            Op::SetField { object, from, key } => {
                let key = self.constants[key as usize];
                value!(self.context.set_field(r[object as usize], key, r[from as usize]));
            }
            Op::GetIndex { to, base: collection, index } => {
                let (collection, index) = (r[collection as usize], r[index as usize]);
                if let Some(array) = collection.handle_of(Kind::Array)
                    && index.is_integer()
                    && let Some(value) = self.context.heap.arrays[array].slots.get(index.integer_unchecked() as usize)
                {
                    r[to as usize] = value;
                } else if let Some(grid) = collection.handle_of(Kind::Grid)
                    && let Some((x, y)) = index.as_position()
                    && let Some(cell) = self.context.heap.grids[grid].cell(x, y)
                {
                    r[to as usize] = self.context.heap.grids[grid].slots.values()[cell];
                } else {
                    r[to as usize] = value!(self.context.get_index(collection, index));
                    check_heap!();
                }
            }
            Op::SetIndex { base: collection, index, from } => {
                let (collection, index, value) = (r[collection as usize], r[index as usize], r[from as usize]);
                let top = self.context.heap.top;
                if let Some(array) = collection.handle_of(Kind::Array)
                    && index.is_integer()
                    && let Some(place) =
                        self.context.heap.arrays[array].fresh_place(index.integer_unchecked() as usize, top)
                {
                    *place = value;
                } else if let Some(array) = collection.handle_of(Kind::Array)
                    && index.is_integer()
                    && self.context.heap.arrays[array].is_writable_at(index.integer_unchecked())
                {
                    value!(self.context.reserve_write(collection));
                    self.context.heap.set_element(array, index.integer_unchecked() as usize, value);
                } else if let Some(grid) = collection.handle_of(Kind::Grid)
                    && let Some((x, y)) = index.as_position()
                    && self.context.heap.grids[grid].board == 0
                    && let Some(cell) = self.context.heap.grids[grid].cell(x, y)
                {
                    value!(self.context.reserve_write(collection));
                    self.context.heap.set_cell(grid, cell, value);
                } else {
                    value!(self.context.set_index(collection, index, value));
                }
            }
            Op::GetCell { to, grid, x, y } => {
                r[to as usize] = value!(self.context.get_cell(r[grid as usize], r[x as usize], r[y as usize]));
            }
            Op::SetCell { grid, x, y, from } => {
                let (grid, x, y) = (r[grid as usize], r[x as usize], r[y as usize]);
                value!(self.context.set_cell(grid, x, y, r[from as usize]));
            }
            Op::NewArray { to, first, count } => {
                let elements = r[first as usize..first as usize + count as usize].to_vec();
                r[to as usize] = self.context.heap.array(elements);
                check_heap!();
            }
            Op::Append { array, first, count } => {
                let array = r[array as usize].handle_of(Kind::Array);
                let handle = held!(array.filter(|array| !self.context.heap.arrays[*array].frozen));
                for value in &r[first as usize..first as usize + count as usize] {
                    self.context.heap.push_element(handle, *value);
                }
                self.context.charge(count as usize / 8);
            }
            Op::NewObject { to } => {
                r[to as usize] = self.context.heap.object();
                check_heap!();
            }
            Op::PutField { object, from, key } => {
                let key = self.constants[key as usize];
                let object = held!(r[object as usize].handle_of(Kind::Object));
                self.context.heap.set_field(object, key, r[from as usize]);
            }
            Op::Closure { to, function } => {
                let captures = &code.functions[function as usize].captures;
                let mut captured = Vec::with_capacity(captures.len());
                for capture in captures {
                    captured.push(match *capture {
                        Capture::Register(register) => r[register as usize],
                        Capture::Spilled { register, index } => {
                            let array = held!(r[register as usize].handle_of(Kind::Array));
                            self.context.heap.element(array, index as usize).unwrap_or(Value::NULL)
                        }
                        Capture::Captured(index) => {
                            self.context.heap.functions[r[0].payload()].captured[index as usize]
                        }
                    });
                }
                r[to as usize] = self.context.heap.closure(function, captured.into_boxed_slice());
                check_heap!();
            }

            Op::Call { base: at, arguments } => called!(self.call_value(at, arguments as usize), at),
            Op::CallKnown { base: at, arguments: _, target } => {
                let inner = self.base as usize + at as usize;
                value!(self.enter(target, inner));
                self.context.fuel -= 1;
                check!();
            }
            Op::CallNative { base: at, to, arguments, native } => {
                self.context.fuel -= 1;
                if let Action::Plain(function) = self.context.natives[native as usize].action {
                    let first = at as usize + 1;
                    let result = function(&mut self.context, &r[first..first + arguments as usize]);
                    r[to as usize] = value!(result);
                    check_heap!();
                } else {
                    called!(self.call_native(native, at, arguments as usize, to), to);
                }
            }
            Op::Push { to, a, b, native } => {
                let (a, b) = (r[a as usize], r[b as usize]);
                let value = value!(self.call_in_full(Shortcut::Push, native, a, b));
                registers!();
                r[to as usize] = value;
                check_heap!();
            }
            Op::SetOperation { call, to, a, b, native } | Op::Shortcut { call, to, a, b, native } => {
                let (a, b) = (r[a as usize], r[b as usize]);
                let value = value!(self.call_in_full(call, native, a, b));
                registers!();
                r[to as usize] = value;
                check_heap!();
            }
            Op::CallWithList { base: at } => called!(self.call_with_list(at), at),
            Op::Return { from } => {
                let value = r[from as usize];
                if !self.leave(value) {
                    return Err(Exit::Solved(value));
                }
            }
            Op::Leave { from } => return Err(Exit::Solved(r[from as usize])),
            Op::ReturnNull {} => {
                if !self.leave(Value::NULL) {
                    return Err(Exit::Solved(Value::NULL));
                }
            }
            Op::OpenCommit {} => self.open_barrier(BarrierKind::Commit, None),
            Op::ReturnAndCommit { from } => {
                let value = r[from as usize];
                let in_budget = self.commit();
                self.leave(value);
                if !in_budget {
                    return self.fail();
                }
            }

            Op::ForeachBegin { at, fresh } => {
                let collection = r[at as usize];
                let snapshot = value!(self.snapshot(collection, fresh != 0));
                registers!();
                r[at as usize] = snapshot;
                r[at as usize + 1] = Value::ZERO;
                check_heap!();
            }
            Op::ForeachNext { at, target } => {
                let at = at as usize;
                let index = r[at + 1].integer_unchecked() as usize;
                let collection = r[at];
                let next = match collection.handle_of(Kind::Array) {
                    Some(array) => self.context.heap.element(array, index),
                    None => {
                        let next = self.next_element(collection, index);
                        registers!();
                        next
                    }
                };
                match next {
                    Some(value) => {
                        r[at + 1] = Value::size(index + 1);
                        r[at + 2] = value;
                    }
                    None => self.pc = target,
                }
            }
            Op::RangeBegin { at } => {
                let (from, to) = (r[at as usize], r[at as usize + 1]);
                value!(self.range_bounds(from, to));
            }
            Op::NeighborsBegin { at, eight } => {
                let (position, grid) = (r[at as usize], r[at as usize + 1]);
                r[at as usize + 1] = value!(self.context.neighbors_inside(position, grid, eight != 0));
            }
            Op::NeighborsNext { at, target } => {
                let at = at as usize;
                match next_neighbor(r[at], r[at + 1]) {
                    Some((neighbor, rest)) => {
                        r[at + 1] = rest;
                        r[at + 2] = neighbor;
                    }
                    None => self.pc = target,
                }
            }
            Op::RangeNext { at, target } => {
                let at = at as usize;
                let next = r[at];
                if next.scaled() < r[at + 1].scaled() {
                    r[at + 2] = next;
                    r[at] = next.successor();
                } else {
                    self.pc = target;
                }
            }

            Op::Choose { live, table } | Op::ChooseFirst { live, table } => {
                let targets = code.targets(table);
                let picked = self.choose_branch(targets.len(), matches!(op, Op::ChooseFirst { .. }), live);
                self.pc = targets[picked];
                check_heap!();
            }
            Op::ChooseElement { base: at, to } => {
                self.context.fuel -= 1;
                called!(self.control(Control::ChooseElement, at, 1, to).map(Called::Value), to);
            }
            Op::ChooseRange { base: at, to } => {
                self.context.fuel -= 1;
                let (from, bound) = (r[at as usize + 1], r[at as usize + 2]);
                called!(self.choose_number(from, bound, at).map(Called::Value), to);
            }
            Op::NoteMessage { from } => {
                value!(self.context.note_message(r[from as usize]));
                check_heap!();
            }
            Op::Fail {} => return self.fail(),
            Op::Throw { complaint } => {
                let function = &code.functions[code.function_at(self.pc - 1) as usize];
                let complaint = self.complaint(&function.complaints[complaint as usize]);
                fault!(Fault::Error(Box::new(complaint)));
            }
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    pub(super) fn check_and_stop(&mut self) -> Result<(), Exit> {
        self.check()?;
        if self.context.fuel < 0 { Err(Exit::OutOfFuel) } else { Ok(()) }
    }

    #[cold]
    fn unset_named(&self, name: u32) -> Fault {
        let name = self.context.heap.as_str(self.constants[name as usize]).unwrap_or("");
        Fault::Error(Box::new(self.before_its_line(name)))
    }

    #[cold]
    fn unset_captured(&self, index: u32) -> Fault {
        let function = self.function_of(self.context.code.function_at(self.pc - 1));
        Fault::Error(Box::new(self.before_its_line(&function.capture_names[index as usize])))
    }
}

/// The error of a run whose registers do not hold what its instructions have put there. No run comes to that by itself.
#[cold]
pub(super) fn forged() -> Fault {
    Fault::error(ErrorKind::Value, "the run was restored from bytes that no run has saved")
        .with_hint("a key keeps forged bytes out: `Engine::with_save_key`")
}
