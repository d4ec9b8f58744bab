//! The main loop.

use super::arithmetic::{Operator, compare_floats, operate_floats};
use super::barrier::BarrierKind;
use super::call::Called;
use super::error::Fault;
use super::frame::Frame;
use super::iterate::next_neighbor;
use super::machine::{Exit, Machine, WINDOW};
use super::native::Action;
use crate::bytecode::{Capture, Op};
use crate::value::{Heap, Kind, Value};

/// The registers of a frame.
#[inline(always)]
fn window(stack: &mut [Value], base: usize) -> &mut [Value; WINDOW] {
    match (&mut stack[base..base + WINDOW]).try_into() {
        Ok(window) => window,
        Err(_) => unreachable!("the slice has the length of a window"),
    }
}

impl Machine {
    /// Runs from the machine's own fields until there is a reason to stop.
    pub(super) fn execute(&mut self) -> Exit {
        let code = self.context.code.clone();
        let mut ops: &[Op] = &code.functions[self.function as usize].code;
        let mut pc = self.pc as usize;
        let mut base = self.base as usize;
        let mut r = window(&mut self.stack, base);

        /// Takes the registers up again after the machine as a whole was borrowed.
        macro_rules! registers {
            () => {
                r = window(&mut self.stack, base)
            };
        }
        /// Goes on where the machine's own fields say.
        macro_rules! reload {
            () => {{
                ops = &code.functions[self.function as usize].code;
                pc = self.pc as usize;
                base = self.base as usize;
                registers!();
            }};
        }
        /// Deals with a fault: goes on after a failure, or stops.
        macro_rules! fault {
            ($fault:expr) => {{
                let fault = $fault;
                self.pc = pc as u32;
                match self.handle(fault) {
                    Ok(()) => {
                        reload!();
                        continue;
                    }
                    Err(exit) => return exit,
                }
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
        macro_rules! check {
            () => {{
                self.pc = pc as u32;
                if let Err(exit) = self.check() {
                    return exit;
                }
                if self.context.fuel < 0 {
                    return Exit::OutOfFuel;
                }
                registers!();
            }};
        }
        /// Stops if the fuel is used up, or a limit is reached.
        macro_rules! check_fuel {
            () => {
                if self.context.fuel < 0 {
                    check!();
                }
            };
        }
        /// The same where something may have been allocated.
        macro_rules! check_heap {
            () => {
                if self.context.fuel < 0 || self.context.heap.wants_check() {
                    check!();
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
                            return Exit::Asked;
                        }
                        reload!();
                        check_fuel!();
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
                } else if let Some(value) = operate_floats::<{ Operator::$operator as u8 }>(a, b) {
                    r[$to as usize] = value;
                } else {
                    r[$to as usize] = value!(self.context.operate(Operator::$operator, a, b));
                    check_heap!();
                }
            }};
        }
        macro_rules! jump_compare {
            ($a:expr, $b:expr, $target:expr, $integers:ident, $ordering:ident) => {{
                let (a, b) = ($a, $b);
                let holds = if a.both_integers(b) {
                    a.scaled().$integers(&b.scaled())
                } else if let Some(order) = compare_floats(a, b) {
                    order.$ordering()
                } else {
                    value!(self.context.compare(a, b)).$ordering()
                };
                if holds {
                    pc = $target as usize;
                }
            }};
        }

        loop {
            let op = ops[pc];
            pc += 1;
            match op {
                Op::Move { to, from } => r[to as usize] = r[from as usize],
                Op::Integer { to, value } => r[to as usize] = Value::integer(value as i64),
                Op::Constant { to, index } => r[to as usize] = self.constants[index as usize],
                Op::Null { to } => r[to as usize] = Value::NULL,
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
                    r[to as usize] = self.context.heap.functions[self.closure.payload()].captured[index as usize];
                }
                Op::GetCapturedBox { to, index } => {
                    let held = self.context.heap.functions[self.closure.payload()].captured[index as usize];
                    r[to as usize] = self.context.heap.variables[held.payload()].value;
                }
                Op::GetCapturedBoxChecked { to, index } => {
                    let held = self.context.heap.functions[self.closure.payload()].captured[index as usize];
                    let value = self.context.heap.variables[held.payload()].value;
                    if value == Value::UNSET {
                        fault!(self.unset_captured(index));
                    }
                    r[to as usize] = value;
                }
                Op::SetCapturedBox { from, index } => {
                    let held = self.context.heap.functions[self.closure.payload()].captured[index as usize];
                    self.context.heap.set_variable(held.payload(), r[from as usize]);
                }
                Op::SetCapturedBoxChecked { from, index } => {
                    let held = self.context.heap.functions[self.closure.payload()].captured[index as usize];
                    if self.context.heap.variables[held.payload()].value == Value::UNSET {
                        fault!(self.unset_captured(index));
                    }
                    self.context.heap.set_variable(held.payload(), r[from as usize]);
                }
                Op::NewBox { at } => r[at as usize] = self.context.heap.variable(r[at as usize]),
                Op::NewUnsetBox { at } => r[at as usize] = self.context.heap.variable(Value::UNSET),
                Op::GetBox { to, from } => {
                    r[to as usize] = self.context.heap.variables[r[from as usize].payload()].value;
                }
                Op::GetBoxChecked { to, from, name } => {
                    let value = self.context.heap.variables[r[from as usize].payload()].value;
                    if value == Value::UNSET {
                        fault!(self.unset_named(name));
                    }
                    r[to as usize] = value;
                }
                Op::SetBox { at, from } => {
                    self.context.heap.set_variable(r[at as usize].payload(), r[from as usize]);
                }
                Op::SetBoxChecked { at, from, name } => {
                    let held = r[at as usize].payload();
                    if self.context.heap.variables[held].value == Value::UNSET {
                        fault!(self.unset_named(name));
                    }
                    self.context.heap.set_variable(held, r[from as usize]);
                }
                Op::GetSpilled { to, from, index } => {
                    let array = r[from as usize].payload();
                    r[to as usize] = self.context.heap.element(array, index as usize).unwrap_or(Value::NULL);
                }
                Op::SetSpilled { at, from, index } => {
                    let array = r[at as usize].payload();
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
                    r[to as usize] = Value::boolean(self.context.equal(r[a as usize], r[b as usize]));
                    check_fuel!();
                }
                Op::NotEqual { to, a, b } => {
                    r[to as usize] = Value::boolean(!self.context.equal(r[a as usize], r[b as usize]));
                    check_fuel!();
                }
                Op::Less { to, a, b } => {
                    let (a, b) = (r[a as usize], r[b as usize]);
                    let less = if a.both_integers(b) {
                        a.scaled() < b.scaled()
                    } else {
                        value!(self.context.compare(a, b)).is_lt()
                    };
                    r[to as usize] = Value::boolean(less);
                }
                Op::LessEqual { to, a, b } => {
                    let (a, b) = (r[a as usize], r[b as usize]);
                    let less = if a.both_integers(b) {
                        a.scaled() <= b.scaled()
                    } else {
                        value!(self.context.compare(a, b)).is_le()
                    };
                    r[to as usize] = Value::boolean(less);
                }
                Op::Concatenate { to, first, count } => {
                    let parts = &r[first as usize..first as usize + count as usize];
                    r[to as usize] = value!(self.context.concatenate(parts));
                    check_heap!();
                }

                Op::Jump { target } => pc = target as usize,
                Op::Loop { target } => {
                    pc = target as usize;
                    self.context.fuel -= 1;
                    check_fuel!();
                }
                Op::JumpIf { a, target } => match r[a as usize].as_boolean() {
                    Some(true) => pc = target as usize,
                    Some(false) => {}
                    None => fault!(self.context.not_a_condition(r[a as usize])),
                },
                Op::JumpUnless { a, target } => match r[a as usize].as_boolean() {
                    Some(false) => pc = target as usize,
                    Some(true) => {}
                    None => fault!(self.context.not_a_condition(r[a as usize])),
                },
                Op::JumpEqual { a, b, target } => {
                    if self.context.equal(r[a as usize], r[b as usize]) {
                        pc = target as usize;
                    }
                    check_fuel!();
                }
                Op::JumpNotEqual { a, b, target } => {
                    if !self.context.equal(r[a as usize], r[b as usize]) {
                        pc = target as usize;
                    }
                    check_fuel!();
                }
                Op::JumpLess { a, b, target } => jump_compare!(r[a as usize], r[b as usize], target, lt, is_lt),
                Op::JumpLessEqual { a, b, target } => jump_compare!(r[a as usize], r[b as usize], target, le, is_le),
                Op::JumpEqualInteger { a, value, target } => {
                    if r[a as usize] == Value::integer(value as i64) {
                        pc = target as usize;
                    }
                }
                Op::JumpNotEqualInteger { a, value, target } => {
                    if r[a as usize] != Value::integer(value as i64) {
                        pc = target as usize;
                    }
                }
                Op::JumpLessInteger { a, value, target } => {
                    jump_compare!(r[a as usize], Value::integer(value as i64), target, lt, is_lt)
                }
                Op::JumpLessEqualInteger { a, value, target } => {
                    jump_compare!(r[a as usize], Value::integer(value as i64), target, le, is_le)
                }
                Op::JumpGreaterInteger { a, value, target } => {
                    jump_compare!(r[a as usize], Value::integer(value as i64), target, gt, is_gt)
                }
                Op::JumpGreaterEqualInteger { a, value, target } => {
                    jump_compare!(r[a as usize], Value::integer(value as i64), target, ge, is_ge)
                }

                Op::GetField { to, object, key } => {
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
                        && let Some(value) =
                            self.context.heap.arrays[array].slots.get(index.integer_unchecked() as usize)
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
                        self.context.heap.set_element(array, index.integer_unchecked() as usize, value);
                    } else if let Some(grid) = collection.handle_of(Kind::Grid)
                        && let Some((x, y)) = index.as_position()
                        && let Some(cell) = self.context.heap.grids[grid].cell(x, y)
                    {
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
                    let handle = r[array as usize].payload();
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
                    self.context.heap.set_field(r[object as usize].payload(), key, r[from as usize]);
                }
                Op::Closure { to, function } => {
                    let captures = &code.functions[function as usize].captures;
                    let mut captured = Vec::with_capacity(captures.len());
                    for capture in captures {
                        captured.push(match *capture {
                            Capture::Register(register) => r[register as usize],
                            Capture::Spilled { register, index } => {
                                let array = r[register as usize].payload();
                                self.context.heap.element(array, index as usize).unwrap_or(Value::NULL)
                            }
                            Capture::Captured(index) => {
                                self.context.heap.functions[self.closure.payload()].captured[index as usize]
                            }
                        });
                    }
                    r[to as usize] = self.context.heap.closure(function, captured.into_boxed_slice());
                    check_heap!();
                }

                Op::Call { base: at, arguments } => {
                    self.pc = pc as u32;
                    called!(self.call_value(at, arguments as usize), at);
                }
                Op::CallKnown { base: at, arguments: _, function } => {
                    self.frames.push(Frame {
                        function: self.function,
                        pc: pc as u32,
                        base: base as u32,
                        closure: self.closure,
                    });
                    if self.frames.len() as u64 > self.statistics.depth
                        && let Err(fault) = self.note_depth()
                    {
                        fault!(fault);
                    }
                    let target = &code.functions[function as usize];
                    self.function = function;
                    self.closure = Value::NULL;
                    base += at as usize + 1;
                    self.base = base as u32;
                    ops = &target.code;
                    pc = 0;
                    if base + WINDOW > self.stack.len() {
                        self.grow_stack();
                    }
                    if target.deterministic {
                        self.open_barrier(BarrierKind::Commit, None);
                    }
                    self.context.fuel -= 1;
                    registers!();
                    check_fuel!();
                }
                Op::CallNative { base: at, to, arguments, native } => {
                    if let Action::Plain(function) = self.context.natives[native as usize].action {
                        let first = at as usize + 1;
                        self.context.fuel -= 1;
                        let result = function(&mut self.context, &r[first..first + arguments as usize]);
                        r[to as usize] = value!(result);
                        check_heap!();
                    } else {
                        self.pc = pc as u32;
                        self.context.fuel -= 1;
                        called!(self.call_native(native, at, arguments as usize, to), to);
                    }
                }
                Op::CallWithList { base: at } => {
                    self.pc = pc as u32;
                    called!(self.call_with_list(at), at);
                }
                Op::Return { from } => {
                    let value = r[from as usize];
                    let Some(last) = self.frames.len().checked_sub(1) else {
                        self.pc = pc as u32;
                        return Exit::Solved(value);
                    };
                    if last < self.protect as usize {
                        self.save_frame(last);
                    }
                    self.stack[base - 1] = value;
                    if let Some(frame) = self.frames.pop() {
                        self.function = frame.function;
                        self.closure = frame.closure;
                        self.base = frame.base;
                        base = frame.base as usize;
                        pc = frame.pc as usize;
                    }
                    ops = &code.functions[self.function as usize].code;
                    registers!();
                }
                Op::Leave { from } => {
                    self.pc = pc as u32;
                    return Exit::Solved(r[from as usize]);
                }
                Op::ReturnNull {} => {
                    let Some(last) = self.frames.len().checked_sub(1) else {
                        self.pc = pc as u32;
                        return Exit::Solved(Value::NULL);
                    };
                    if last < self.protect as usize {
                        self.save_frame(last);
                    }
                    self.stack[base - 1] = Value::NULL;
                    if let Some(frame) = self.frames.pop() {
                        self.function = frame.function;
                        self.closure = frame.closure;
                        self.base = frame.base;
                        base = frame.base as usize;
                        pc = frame.pc as usize;
                    }
                    ops = &code.functions[self.function as usize].code;
                    registers!();
                }
                Op::ReturnAndCommit { from } => {
                    let value = r[from as usize];
                    let in_budget = self.commit();
                    if let Some(last) = self.frames.len().checked_sub(1)
                        && last < self.protect as usize
                    {
                        self.save_frame(last);
                    }
                    self.stack[base - 1] = value;
                    if let Some(frame) = self.frames.pop() {
                        self.function = frame.function;
                        self.closure = frame.closure;
                        self.base = frame.base;
                        base = frame.base as usize;
                        pc = frame.pc as usize;
                    }
                    ops = &code.functions[self.function as usize].code;
                    registers!();
                    if !in_budget {
                        fault!(Fault::Fail);
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
                        None => pc = target as usize,
                    }
                }
                Op::RangeBegin { at } => {
                    let (from, to) = (r[at as usize], r[at as usize + 1]);
                    value!(self.range_bounds(from, to));
                    registers!();
                }
                Op::NeighborsBegin { at, eight } => {
                    let (position, grid) = (r[at as usize], r[at as usize + 1]);
                    let inside = value!(self.context.neighbors_inside(position, grid, eight != 0));
                    registers!();
                    r[at as usize + 1] = inside;
                }
                Op::NeighborsNext { at, target } => {
                    let at = at as usize;
                    match next_neighbor(r[at], r[at + 1]) {
                        Some((neighbor, rest)) => {
                            r[at + 1] = rest;
                            r[at + 2] = neighbor;
                        }
                        None => pc = target as usize,
                    }
                }
                Op::RangeNext { at, target } => {
                    let at = at as usize;
                    let next = r[at];
                    if next.scaled() < r[at + 1].scaled() {
                        r[at + 2] = next;
                        r[at] = Value::integer(next.integer_unchecked() + 1);
                    } else {
                        pc = target as usize;
                    }
                }

                Op::Choose { first, live, table } => {
                    self.pc = pc as u32;
                    let function = &code.functions[self.function as usize];
                    let targets = &function.tables[table as usize];
                    let picked = self.choose_branch(table, targets.len(), first != 0, live);
                    pc = targets[picked] as usize;
                    registers!();
                    check_heap!();
                }
                Op::Fail {} => fault!(Fault::Fail),
                Op::Throw { complaint } => {
                    let function = &code.functions[self.function as usize];
                    let complaint = self.complaint(&function.complaints[complaint as usize]);
                    fault!(Fault::Error(Box::new(complaint)));
                }
            }
        }
    }

    #[cold]
    fn unset_named(&self, name: u32) -> Fault {
        let name = self.context.heap.as_str(self.constants[name as usize]).unwrap_or("");
        Fault::Error(Box::new(self.before_its_line(name)))
    }

    #[cold]
    fn unset_captured(&self, index: u32) -> Fault {
        let function = &self.context.code.functions[self.function as usize];
        Fault::Error(Box::new(self.before_its_line(&function.capture_names[index as usize])))
    }
}

#[inline(always)]
fn add_integers(a: Value, b: Value) -> Option<Value> {
    a.scaled().checked_add(b.scaled()).and_then(Value::from_scaled)
}

#[inline(always)]
fn subtract_integers(a: Value, b: Value) -> Option<Value> {
    a.scaled().checked_sub(b.scaled()).and_then(Value::from_scaled)
}

#[inline(always)]
fn multiply_integers(a: Value, b: Value) -> Option<Value> {
    a.integer_unchecked().checked_mul(b.scaled()).and_then(Value::from_scaled)
}

#[inline(always)]
fn divide_integers(a: Value, b: Value) -> Option<Value> {
    let (x, y) = (a.integer_unchecked(), b.integer_unchecked());
    if y == 0 || x % y != 0 { None } else { Heap::integer(x / y).ok() }
}

#[inline(always)]
fn remainder_integers(a: Value, b: Value) -> Option<Value> {
    let (x, y) = (a.integer_unchecked(), b.integer_unchecked());
    if y == 0 {
        return None;
    }
    // Most numbers are small, and dividing small ones is several times faster. The range of integers leaves out the
    // one quotient that would overflow.
    let remainder = if (x | y) as u64 >> 32 == 0 { (x as u32 % y as u32) as i64 } else { x % y };
    Some(Value::integer(remainder))
}
