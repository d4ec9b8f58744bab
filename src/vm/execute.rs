//! The main loop. It does by itself what is frequent and simple, and calls next to nothing, so that the compiler can keep
//! its few variables in registers. What is frequent and not simple, such as failing, are calls of functions that stay out
//! of line: their own loops would take those registers. At everything else it stops, having changed nothing, and lets
//! [`Machine::step`] do it.

use std::sync::atomic::{Ordering, compiler_fence};

use super::arithmetic::{Operator, compare_floats, operate_floats};
use super::choice::BITS;
use super::frame::Frame;
use super::integers::{add_integers, divide_integers, multiply_integers, remainder_integers, subtract_integers};
use super::iterate::next_neighbor;
use super::machine::{Exit, Machine, WINDOW};
use super::shortcut::{remembered, shortcut};
use crate::bytecode::{Code, Op};
use crate::value::{Kind, Value};

/// Choosing among few costs so many steps at most.
const CHOOSING: i64 = 3 + BITS as i64 / 8;

/// The registers of a frame.
#[inline(always)]
pub(super) fn window(stack: &mut [Value], base: usize) -> &mut [Value; WINDOW] {
    match (&mut stack[base..base + WINDOW]).try_into() {
        Ok(window) => window,
        Err(_) => unreachable!("the slice has the length of a window"),
    }
}

impl Machine {
    /// Runs from the machine's own fields until there is a reason to stop.
    pub(super) fn execute(&mut self) -> Exit {
        let code = self.context.code.clone();
        loop {
            // What an instruction has noted is paid for before the next, so that steps do not tell when somebody looked.
            self.context.charge_comparisons();
            self.run_simple(&code);
            if let Err(exit) = self.step(&code) {
                return exit;
            }
        }
    }

    /// Runs up to an instruction that is not simple; `pc` is behind it.
    #[inline(never)]
    fn run_simple(&mut self, code: &Code) {
        let ops = &code.ops[..];
        let mut heap = &mut self.context.heap;
        let mut constants = &self.constants[..];
        let mut frames = &mut self.frames[..];
        let mut stack = &mut self.stack[..];
        let mut protect = self.protect as usize;
        let mut top = heap.top;
        let mut fuel = self.context.fuel;
        let mut depth = self.depth as usize;
        let mut pc = self.pc as usize;
        let mut base = self.base as usize;
        let mut r = window(stack, base);

        loop {
            let at = pc;
            pc += 1;
            /// Goes on with the value of a place, or leaves the instruction to `step`.
            macro_rules! or_stop {
                ($value:expr) => {
                    match $value {
                        Some(value) => value,
                        None => break,
                    }
                };
            }
            macro_rules! arithmetic {
                ($to:expr, $a:expr, $b:expr, $fast:ident, $operator:ident) => {{
                    let (a, b) = ($a, $b);
                    let result = if a.both_integers(b) {
                        $fast(a, b)
                    } else {
                        operate_floats::<{ Operator::$operator as u8 }>(a, b)
                    };
                    r[$to as usize] = or_stop!(result);
                }};
            }
            macro_rules! holds {
                ($a:expr, $b:expr, $compare:ident, $ordering:ident) => {{
                    let (a, b) = ($a, $b);
                    if a.both_integers(b) {
                        a.scaled().$compare(&b.scaled())
                    } else {
                        or_stop!(compare_floats(a, b)).$ordering()
                    }
                }};
            }
            macro_rules! go {
                ($target:expr) => {{
                    branch();
                    pc = $target as usize;
                }};
            }
            macro_rules! jump {
                ($holds:expr, $target:expr) => {
                    if $holds {
                        go!($target);
                    }
                };
            }
            macro_rules! turn {
                ($holds:expr, $target:expr) => {
                    if $holds {
                        if fuel <= 0 {
                            break;
                        }
                        fuel -= 1;
                        pc = $target as usize;
                    }
                };
            }
            macro_rules! enter {
                ($at:expr, $entry:expr) => {{
                    let inner = base + $at as usize;
                    if fuel <= 0 || inner + WINDOW > stack.len() {
                        break;
                    }
                    let frame = or_stop!(frames.get_mut(depth));
                    *frame = Frame { pc: pc as u32, base: base as u32 };
                    fuel -= 1;
                    depth += 1;
                    base = inner;
                    pc = $entry as usize;
                    r = window(stack, base);
                }};
            }
            macro_rules! leave {
                ($value:expr) => {{
                    if depth <= protect {
                        break;
                    }
                    r[0] = $value;
                    depth -= 1;
                    let frame = frames[depth];
                    pc = frame.pc as usize;
                    base = frame.base as usize;
                    r = window(stack, base);
                }};
            }
            /// Lets the machine as a whole choose or fail, and takes its parts again, as everything may have changed.
            macro_rules! shortly {
                ($done:expr) => {{
                    // More than choosing costs: with less left, somebody has to look at the limits behind it.
                    if fuel <= CHOOSING {
                        break;
                    }
                    self.context.fuel = fuel;
                    (self.pc, self.base, self.depth) = (pc as u32, base as u32, depth as u32);
                    let done = $done;
                    heap = &mut self.context.heap;
                    constants = &self.constants[..];
                    frames = &mut self.frames[..];
                    stack = &mut self.stack[..];
                    (protect, top) = (self.protect as usize, heap.top);
                    fuel = self.context.fuel;
                    (pc, base, depth) = (self.pc as usize, self.base as usize, self.depth as usize);
                    r = window(stack, base);
                    if !done {
                        break;
                    }
                }};
            }
            match ops[at] {
                Op::Move { to, from } => r[to as usize] = r[from as usize],
                Op::Integer { to, value } => r[to as usize] = Value::integer(value as i64),
                Op::Constant { to, index } => r[to as usize] = constants[index as usize],
                Op::Null { to } => r[to as usize] = Value::NULL,
                Op::Native { to, native } => r[to as usize] = Value::handle(Kind::Native, native),

                Op::GetGlobal { to, slot } => r[to as usize] = heap.global(slot),
                Op::GetGlobalChecked { to, slot } => {
                    let value = heap.global(slot);
                    if value == Value::UNSET {
                        break;
                    }
                    r[to as usize] = value;
                }
                Op::SetGlobal { from, slot } => *or_stop!(heap.fresh_global(slot, top)) = r[from as usize],
                Op::SetGlobalChecked { from, slot } => {
                    let global = or_stop!(heap.fresh_global(slot, top));
                    if *global == Value::UNSET {
                        break;
                    }
                    *global = r[from as usize];
                }
                Op::AddToGlobal { from, slot } => {
                    let global = or_stop!(heap.fresh_global(slot, top));
                    let (a, b) = (*global, r[from as usize]);
                    if !a.both_integers(b) {
                        break;
                    }
                    *global = or_stop!(add_integers(a, b));
                }
                Op::AddIntegerToGlobal { value, slot } => {
                    let global = or_stop!(heap.fresh_global(slot, top));
                    if !global.is_integer() {
                        break;
                    }
                    *global = or_stop!(add_integers(*global, Value::integer(value as i64)));
                }
                Op::GetCaptured { to, index } => {
                    r[to as usize] = heap.functions[r[0].payload()].captured[index as usize];
                }
                Op::GetCapturedBox { to, index } => {
                    let held = heap.functions[r[0].payload()].captured[index as usize];
                    r[to as usize] = or_stop!(heap.variables.get(held.payload())).value;
                }
                Op::SetCapturedBox { from, index } => {
                    let held = heap.functions[r[0].payload()].captured[index as usize];
                    let held = or_stop!(heap.variables.get_mut(held.payload()));
                    *or_stop!(held.fresh_place(top)) = r[from as usize];
                }
                Op::GetBox { to, from } => {
                    r[to as usize] = or_stop!(heap.variables.get(r[from as usize].payload())).value;
                }
                Op::SetBox { at, from } => {
                    let held = or_stop!(heap.variables.get_mut(r[at as usize].payload()));
                    *or_stop!(held.fresh_place(top)) = r[from as usize];
                }

                Op::Add { to, a, b } => arithmetic!(to, r[a as usize], r[b as usize], add_integers, Add),
                Op::Subtract { to, a, b } => arithmetic!(to, r[a as usize], r[b as usize], subtract_integers, Subtract),
                Op::Multiply { to, a, b } => arithmetic!(to, r[a as usize], r[b as usize], multiply_integers, Multiply),
                Op::Divide { to, a, b } => arithmetic!(to, r[a as usize], r[b as usize], divide_integers, Divide),
                Op::Remainder { to, a, b } => {
                    arithmetic!(to, r[a as usize], r[b as usize], remainder_integers, Remainder)
                }
                Op::AddInteger { to, a, value } => {
                    arithmetic!(to, r[a as usize], Value::integer(value as i64), add_integers, Add)
                }
                Op::SubtractInteger { to, a, value } => {
                    arithmetic!(to, r[a as usize], Value::integer(value as i64), subtract_integers, Subtract)
                }
                Op::MultiplyInteger { to, a, value } => {
                    arithmetic!(to, r[a as usize], Value::integer(value as i64), multiply_integers, Multiply)
                }
                Op::RemainderInteger { to, a, value } => {
                    arithmetic!(to, r[a as usize], Value::integer(value as i64), remainder_integers, Remainder)
                }
                Op::Not { to, from } => r[to as usize] = Value::boolean(!or_stop!(r[from as usize].as_boolean())),
                Op::Equal { to, a, b } => {
                    let (a, b) = (r[a as usize], r[b as usize]);
                    if a != b && a.may_equal_another() {
                        break;
                    }
                    r[to as usize] = Value::boolean(a == b);
                }
                Op::NotEqual { to, a, b } => {
                    let (a, b) = (r[a as usize], r[b as usize]);
                    if a != b && a.may_equal_another() {
                        break;
                    }
                    r[to as usize] = Value::boolean(a != b);
                }
                Op::Less { to, a, b } => {
                    r[to as usize] = Value::boolean(holds!(r[a as usize], r[b as usize], lt, is_lt));
                }
                Op::LessEqual { to, a, b } => {
                    r[to as usize] = Value::boolean(holds!(r[a as usize], r[b as usize], le, is_le));
                }

                Op::Jump { target } => pc = target as usize,
                Op::Loop { target } => {
                    if fuel <= 0 {
                        break;
                    }
                    fuel -= 1;
                    pc = target as usize;
                }
                Op::JumpIf { a, target } => {
                    let a = r[a as usize];
                    if a == Value::TRUE {
                        go!(target);
                    } else if a != Value::FALSE {
                        break;
                    }
                }
                Op::JumpUnless { a, target } => {
                    let a = r[a as usize];
                    if a == Value::FALSE {
                        go!(target);
                    } else if a != Value::TRUE {
                        break;
                    }
                }
                Op::JumpEqual { a, b, target } => {
                    let (a, b) = (r[a as usize], r[b as usize]);
                    if a == b {
                        go!(target);
                    } else if a.may_equal_another() {
                        break;
                    }
                }
                Op::JumpNotEqual { a, b, target } => {
                    let (a, b) = (r[a as usize], r[b as usize]);
                    if a != b {
                        if a.may_equal_another() {
                            break;
                        }
                        go!(target);
                    }
                }
                Op::JumpLess { a, b, target } => jump!(holds!(r[a as usize], r[b as usize], lt, is_lt), target),
                Op::JumpLessEqual { a, b, target } => jump!(holds!(r[a as usize], r[b as usize], le, is_le), target),
                Op::JumpEqualInteger { a, value, target } => {
                    jump!(r[a as usize] == Value::integer(value as i64), target)
                }
                Op::JumpNotEqualInteger { a, value, target } => {
                    jump!(r[a as usize] != Value::integer(value as i64), target)
                }
                Op::JumpLessInteger { a, value, target } => {
                    jump!(holds!(r[a as usize], Value::integer(value as i64), lt, is_lt), target)
                }
                Op::JumpLessEqualInteger { a, value, target } => {
                    jump!(holds!(r[a as usize], Value::integer(value as i64), le, is_le), target)
                }
                Op::JumpGreaterInteger { a, value, target } => {
                    jump!(holds!(r[a as usize], Value::integer(value as i64), gt, is_gt), target)
                }
                Op::JumpGreaterEqualInteger { a, value, target } => {
                    jump!(holds!(r[a as usize], Value::integer(value as i64), ge, is_ge), target)
                }
                Op::LoopLess { a, b, target } => {
                    turn!(holds!(r[a as usize], r[b as usize], lt, is_lt), target)
                }
                Op::LoopLessEqual { a, b, target } => {
                    turn!(holds!(r[a as usize], r[b as usize], le, is_le), target)
                }
                Op::LoopLessInteger { a, value, target } => {
                    turn!(holds!(r[a as usize], Value::integer(value as i64), lt, is_lt), target)
                }
                Op::LoopLessEqualInteger { a, value, target } => {
                    turn!(holds!(r[a as usize], Value::integer(value as i64), le, is_le), target)
                }
                Op::LoopGreaterInteger { a, value, target } => {
                    turn!(holds!(r[a as usize], Value::integer(value as i64), gt, is_gt), target)
                }
                Op::LoopGreaterEqualInteger { a, value, target } => {
                    turn!(holds!(r[a as usize], Value::integer(value as i64), ge, is_ge), target)
                }
                Op::LoopLessConstant { a, index, target } => {
                    turn!(holds!(r[a as usize], constants[index as usize], lt, is_lt), target)
                }
                Op::LoopLessEqualConstant { a, index, target } => {
                    turn!(holds!(r[a as usize], constants[index as usize], le, is_le), target)
                }

                Op::GetField { to, object, key } => {
                    let object = or_stop!(r[object as usize].handle_of(Kind::Object));
                    r[to as usize] = or_stop!(heap.objects[object].get_unindexed(constants[key as usize]));
                }
                Op::GetCoordinate { to, object, vertical, key } => {
                    let object = r[object as usize];
                    r[to as usize] = if let Some((x, y)) = object.as_position() {
                        Value::integer(if vertical == 0 { x } else { y })
                    } else {
                        let object = or_stop!(object.handle_of(Kind::Object));
                        or_stop!(heap.objects[object].get_unindexed(constants[key as usize]))
                    };
                }
                Op::SetField { object, from, key } => {
                    let object = or_stop!(r[object as usize].handle_of(Kind::Object));
                    let key = constants[key as usize];
                    *or_stop!(heap.objects[object].fresh_place(key, top)) = r[from as usize];
                }
                Op::GetIndex { to, base: collection, index } => {
                    let (collection, index) = (r[collection as usize], r[index as usize]);
                    if let Some(array) = collection.handle_of(Kind::Array)
                        && index.is_integer()
                    {
                        let at = index.integer_unchecked() as usize;
                        r[to as usize] = or_stop!(heap.arrays[array].slots.get(at));
                    } else {
                        let grid = or_stop!(collection.handle_of(Kind::Grid));
                        let (x, y) = or_stop!(index.as_position());
                        let cell = or_stop!(heap.grids[grid].cell(x, y));
                        r[to as usize] = heap.grids[grid].slots.values()[cell];
                    }
                }
                Op::SetIndex { base: collection, index, from } => {
                    if let Some(array) = r[collection as usize].handle_of(Kind::Array) {
                        let at = or_stop!(r[index as usize].as_integer()) as usize;
                        if !heap.write_element(array, at, r[from as usize]) {
                            break;
                        }
                    } else {
                        let grid = or_stop!(r[collection as usize].handle_of(Kind::Grid));
                        let (x, y) = or_stop!(r[index as usize].as_position());
                        if !heap.write_cell(grid, x, y, r[from as usize]) {
                            break;
                        }
                    }
                }
                Op::GetCell { to, grid, x, y } => {
                    let grid = or_stop!(r[grid as usize].handle_of(Kind::Grid));
                    let (x, y) = (or_stop!(r[x as usize].as_integer()), or_stop!(r[y as usize].as_integer()));
                    let cell = or_stop!(heap.grids[grid].cell(x, y));
                    r[to as usize] = heap.grids[grid].slots.values()[cell];
                }

                Op::CallKnown { base: at, arguments: _, target } => enter!(at, target),
                Op::Call { base: at, arguments } => {
                    let closure = or_stop!(r[at as usize].handle_of(Kind::Function));
                    let head = or_stop!(code.heads.get(heap.functions[closure].function as usize));
                    if head.parameters != arguments as u32 {
                        break;
                    }
                    enter!(at, head.entry);
                }
                Op::SetOperation { call, to, a, b, native: _ } => {
                    let (value, charge) = or_stop!(remembered(heap, call, r[a as usize], r[b as usize]));
                    if fuel <= charge {
                        break;
                    }
                    fuel -= 1 + charge;
                    r[to as usize] = value;
                }
                Op::Shortcut { call, to, a, b, native: _ } => {
                    let value = or_stop!(shortcut(heap, call, r[a as usize], r[b as usize]));
                    if fuel <= 0 {
                        break;
                    }
                    fuel -= 1;
                    r[to as usize] = value;
                }
                Op::Push { to, a, b, native: _ } => {
                    let array = r[a as usize];
                    if fuel <= 0 || !heap.append_element(or_stop!(array.handle_of(Kind::Array)), r[b as usize]) {
                        break;
                    }
                    fuel -= 1;
                    r[to as usize] = array;
                }
                Op::Return { from } => leave!(r[from as usize]),
                Op::ReturnNull {} => leave!(Value::NULL),

                Op::ForeachBegin { at, fresh } => {
                    let at = at as usize;
                    let is_fixed = match r[at].handle_of(Kind::Array) {
                        Some(array) => fresh != 0 || heap.arrays[array].frozen,
                        None => r[at].is_kind(Kind::Set),
                    };
                    if !is_fixed {
                        break;
                    }
                    r[at + 1] = Value::ZERO;
                }
                Op::ForeachNext { at, target } => {
                    let at = at as usize;
                    let index = r[at + 1].integer_unchecked() as usize;
                    let next = if let Some(array) = r[at].handle_of(Kind::Array) {
                        let array = &heap.arrays[array];
                        if array.view.is_some() {
                            break;
                        }
                        array.slots.get(index)
                    } else {
                        let set = &heap.sets[or_stop!(r[at].handle_of(Kind::Set))];
                        or_stop!(set.small_row()).get(index).copied()
                    };
                    match next {
                        Some(value) => {
                            r[at + 1] = Value::size(index + 1);
                            r[at + 2] = value;
                        }
                        None => pc = target as usize,
                    }
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
                Op::RangeBegin { at } => {
                    if !r[at as usize].both_integers(r[at as usize + 1]) {
                        break;
                    }
                }
                Op::RangeNext { at, target } => {
                    let at = at as usize;
                    let next = r[at];
                    if next.scaled() < r[at + 1].scaled() {
                        r[at + 2] = next;
                        r[at] = next.successor();
                    } else {
                        pc = target as usize;
                    }
                }
                Op::ChooseFirst { live, table } => {
                    shortly!(self.choose_shortly(code.targets(table), live, true));
                }
                Op::Choose { live, table } => {
                    shortly!(self.choose_shortly(code.targets(table), live, false));
                }
                Op::ChooseElement { base: live, to } => shortly!(self.choose_element_shortly(live, to)),
                Op::ChooseRange { base: live, to } => shortly!(self.choose_number_shortly(live, to)),
                Op::Fail {} => shortly!(self.fail_shortly(code)),

                Op::GetCapturedBoxChecked { .. }
                | Op::SetCapturedBoxChecked { .. }
                | Op::NewBox { .. }
                | Op::NewUnsetBox { .. }
                | Op::GetBoxChecked { .. }
                | Op::SetBoxChecked { .. }
                | Op::GetSpilled { .. }
                | Op::SetSpilled { .. }
                | Op::NewSpill { .. }
                | Op::Negate { .. }
                | Op::Plus { .. }
                | Op::Concatenate { .. }
                | Op::SetCell { .. }
                | Op::NewArray { .. }
                | Op::Append { .. }
                | Op::NewObject { .. }
                | Op::PutField { .. }
                | Op::Closure { .. }
                | Op::CallNative { .. }
                | Op::CallWithList { .. }
                | Op::OpenCommit { .. }
                | Op::ReturnAndCommit { .. }
                | Op::Leave { .. }
                | Op::NeighborsBegin { .. }
                | Op::NoteMessage { .. }
                | Op::LeaveOut { .. }
                | Op::JumpIfGiven { .. }
                | Op::Throw { .. } => break,
            }
        }
        self.context.fuel = fuel;
        self.depth = depth as u32;
        self.pc = pc as u32;
        self.base = base as u32;
    }
}

/// Keeps a branch a branch. The processor foresees where a jump goes; were the next `pc` computed from the condition
/// instead, as compilers like to do, everything behind it would wait for the condition. No instruction comes of it.
#[inline(always)]
pub(super) fn branch() {
    compiler_fence(Ordering::Acquire);
}
