//! The drivers. They only dispatch; the instructions are implemented in [`super::op`].
//!
//! The *fast* driver runs fast forms in the main loop, which makes almost no calls, so that the compiler keeps its
//! few variables in registers. If a fast form does not apply, it has changed nothing, and [`Machine::step`] runs the
//! full form. The *plain* driver runs [`Machine::step`] alone. The *watched* one ([`super::watch`]) does as the plain
//! one and reports. Stretches whose reports are known beforehand run in the main loop with a [`LoopWatcher`], which
//! reports or ends them.

use std::sync::atomic::{Ordering, compiler_fence};

use super::loop_state::LoopState;
use super::machine::{Exit, Machine};
use super::op::{Constant, Fast, window};
use super::search::choices::choice::BITS;
use ndscript_bytecode::{Code, Op};
use ndscript_heap::Value;

/// The most steps that a choice among few alternatives costs.
pub(super) const CHOOSING: i64 = 3 + BITS as i64 / 8;

/// Which forms of instructions a machine runs. Results and steps are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Driver {
    /// Fast forms, and full forms where those do not apply.
    #[default]
    Fast,
    /// Full forms alone.
    #[cfg_attr(
        not(debug_assertions),
        allow(dead_code, reason = "tests ask for it, in debug builds only")
    )]
    Plain,
}

/// A watcher of the main loop. [`NoLoopWatcher`] compiles to nothing.
pub trait LoopWatcher {
    /// Whether there is a watcher. Code for watchers must not even be compiled without one: a loop variable whose
    /// address is passed to a call, even one that does nothing, lives in memory.
    const LOOKS: bool;
    /// The state before the instruction that a report needs.
    type Before: Copy;
    /// The instructions that the loop reads, in which unmasked ones cost nothing extra. [`REPORTED`] replaces an
    /// instruction that must be reported, [`MASKED`] one that must call `unmasks` first.
    fn row(&self) -> &[Op];
    /// Captures the state before an instruction that must be reported.
    fn capture(&self, place: LoopState, origin: usize) -> Self::Before;
    /// Reports an instruction after it has run. False: the loop ends before the next one.
    fn tells(&mut self, machine: &mut Machine, begun: &Self::Before, origin: usize) -> bool;
    /// Called at a masked instruction. False if the main loop must not run it; else it is unmasked from now on.
    fn unmasks(&mut self, at: usize) -> bool;
    /// The instruction before `next` has chosen or failed. Returns the new origin.
    fn has_guessed(&mut self, machine: &Machine, next: usize, fuel: i64, origin: usize) -> usize;
}

/// What the main loop reads in place of masked instructions. These two have no fast form, so this meaning costs
/// nothing.
pub const MASKED: Op = Op::OpenCommit {};
pub const REPORTED: Op = Op::Leave { from: 0 };

/// Why the main loop does not read the instructions themselves.
#[derive(Clone, Copy)]
enum MaskKind {
    /// The reported instruction runs next.
    Reveals,
    /// That instruction has run.
    Tells,
    /// There is no fuel left; the next instruction does not run.
    Ends,
}

/// The watcher of a run that is not watched.
struct NoLoopWatcher;

impl LoopWatcher for NoLoopWatcher {
    const LOOKS: bool = false;
    type Before = ();

    fn row(&self) -> &[Op] {
        &[]
    }

    fn capture(&self, _: LoopState, _: usize) {}

    fn tells(&mut self, _: &mut Machine, (): &(), _: usize) -> bool {
        true
    }

    fn unmasks(&mut self, _: usize) -> bool {
        false
    }

    fn has_guessed(&mut self, _: &Machine, _: usize, _: i64, origin: usize) -> usize {
        origin
    }
}

impl Machine {
    /// Runs from the machine's own fields until there is a reason to stop.
    pub(super) fn execute(&mut self) -> Exit {
        let code = self.context.code.clone();
        loop {
            // Charge comparisons before the next instruction, so that steps do not depend on when the loop was left.
            self.context.charge_comparisons();
            if let Err(exit) = self.run_due_functions() {
                return exit;
            }
            match self.driver {
                // Without fuel every instruction runs in full form, which checks limits: so all drivers stop at the
                // same step.
                Driver::Fast if self.context.fuel >= 0 => {
                    self.run_fast_forms(&code, &mut NoLoopWatcher, 0);
                }
                Driver::Fast | Driver::Plain => self.pc += 1,
            }
            if let Err(exit) = self.step(&code) {
                return exit;
            }
        }
    }

    /// Runs up to an instruction that has no fast form, or whose fast form does not apply; `pc` is after it.
    ///
    /// For a watcher, `origin` is where the instruction of the latest step would be if there had been no jump since.
    /// Returns the new origin, and the state before the latest reported instruction.
    #[inline(never)]
    pub(super) fn run_fast_forms<B: LoopWatcher>(
        &mut self,
        code: &Code,
        watcher: &mut B,
        mut origin: usize,
    ) -> (usize, B::Before) {
        let ops = &code.ops[..];
        let mut place = LoopState::of(self);
        let mut heap = &mut self.context.heap;
        let mut constants = &self.constants[..];
        let mut frames = &mut self.frames[..];
        let mut stack = &mut self.stack[..];
        let mut top = heap.top;
        let mut r = window(stack, place.base);
        // The instructions that the loop reads: none while there is something else to do.
        let mut row: &[Op] = if B::LOOKS { watcher.row() } else { &[] };
        let mut blank = MaskKind::Ends;
        let mut before = watcher.capture(place, origin);

        'run: loop {
            let at = place.pc;
            // By reference: a copy would be decoded before it is known which parts are needed.
            let op = if !B::LOOKS {
                &ops[at]
            } else if let Some(seen) = row.get(at) {
                seen
            } else {
                match blank {
                    MaskKind::Reveals => {
                        blank = MaskKind::Tells;
                        before = watcher.capture(place, origin);
                        &ops[at]
                    }
                    MaskKind::Tells => {
                        place.put_back(self);
                        let continues = watcher.tells(self, &before, origin);
                        heap = &mut self.context.heap;
                        constants = &self.constants[..];
                        frames = &mut self.frames[..];
                        stack = &mut self.stack[..];
                        r = window(stack, place.base);
                        (row, blank) = (watcher.row(), MaskKind::Ends);
                        match row.get(at) {
                            Some(seen) if continues && place.fuel >= 0 => seen,
                            _ => {
                                place.pc += 1;
                                break 'run;
                            }
                        }
                    }
                    MaskKind::Ends => {
                        place.pc += 1;
                        break 'run;
                    }
                }
            };
            place.pc += 1;
            /// Unwraps a value, or leaves the instruction to `step`.
            macro_rules! or_leave {
                ($done:expr) => {
                    match $done {
                        Some(done) => done,
                        None => break 'run,
                    }
                };
            }
            macro_rules! fast {
                ($form:ident($($operand:expr),*)) => {
                    Fast { r, heap, constants, top }.$form($($operand),*)
                };
            }
            /// Runs a fast form, or leaves the instruction to `step`.
            macro_rules! tried {
                ($form:ident($($operand:expr),*)) => {
                    or_leave!(fast!($form($($operand),*)))
                };
            }
            /// Jumps, at no cost.
            macro_rules! go {
                ($target:expr) => {{
                    let to = $target as usize;
                    origin = moved(origin, place.pc, to);
                    place.pc = to;
                }};
            }
            macro_rules! jump {
                ($holds:expr, $target:expr) => {
                    if $holds {
                        branch();
                        go!($target);
                    }
                };
            }
            macro_rules! turn {
                ($holds:expr, $target:expr) => {
                    if $holds {
                        or_leave!(place.pay());
                        place.pc = $target as usize;
                        origin = place.pc;
                    }
                };
            }
            macro_rules! enter {
                ($at:expr, $entry:expr) => {{
                    or_leave!(place.enter(frames, stack.len(), $at, $entry));
                    origin = place.pc;
                    r = window(stack, place.base);
                }};
            }
            macro_rules! leave {
                ($value:expr) => {{
                    let value = $value;
                    or_leave!(place.leave(frames));
                    origin = moved(origin, at + 1, place.pc);
                    // `r` is still the frame of the callee: its first register is where the caller reads the result.
                    r[0] = value;
                    r = window(stack, place.base);
                }};
            }
            /// Writes the loop variables back, lets the machine choose or fail, and reloads them.
            macro_rules! guess {
                ($done:expr) => {{
                    // Choosing must not exhaust the fuel: limits would have to be checked afterwards.
                    if place.fuel <= CHOOSING {
                        break 'run;
                    }
                    place.put_back(self);
                    let is_reported = row.is_empty();
                    let is_done = $done;
                    if B::LOOKS && is_done {
                        origin = watcher.has_guessed(self, at + 1, place.fuel, origin);
                    }
                    place = LoopState::of(self);
                    row = if !B::LOOKS || is_reported { &[] } else { watcher.row() };
                    heap = &mut self.context.heap;
                    constants = &self.constants[..];
                    frames = &mut self.frames[..];
                    stack = &mut self.stack[..];
                    top = heap.top;
                    r = window(stack, place.base);
                    if !is_done {
                        break 'run;
                    }
                    // Undoing a failure may cost more than the fuel that was left.
                    if place.fuel < 0 && !(B::LOOKS && is_reported) {
                        place.pc += 1;
                        break 'run;
                    }
                }};
            }
            match *op {
                Op::Move { to, from } => fast!(copy(to, from)),
                Op::Integer { to, value } => fast!(integer(to, value)),
                Op::Constant { to, index } => fast!(constant(to, index)),
                Op::Null { to } => fast!(null(to)),
                Op::LeaveOut { to } => fast!(leave_out(to)),
                Op::Native { to, native } => fast!(native(to, native)),
                Op::GetGlobal { to, slot } => fast!(get_global(to, slot)),
                Op::GetGlobalChecked { to, slot } => tried!(get_global_checked(to, slot)),
                Op::SetGlobal { from, slot } => tried!(set_global(from, slot)),
                Op::SetGlobalChecked { from, slot } => tried!(set_global_checked(from, slot)),
                Op::AddToGlobal { from, slot } => tried!(add_to_global(from, slot)),
                Op::AddIntegerToGlobal { value, slot } => {
                    tried!(add_integer_to_global(value, slot))
                }
                Op::GetCaptured { to, index } => fast!(get_captured(to, index)),
                Op::GetCapturedBox { to, index } => tried!(get_captured_box(to, index)),
                Op::SetCapturedBox { from, index } => tried!(set_captured_box(from, index)),
                Op::GetBox { to, from } => tried!(get_box(to, from)),
                Op::SetBox { at, from } => tried!(set_box(at, from)),

                Op::Add { to, a, b } => tried!(add(to, a, b)),
                Op::Subtract { to, a, b } => tried!(subtract(to, a, b)),
                Op::Multiply { to, a, b } => tried!(multiply(to, a, b)),
                Op::Divide { to, a, b } => tried!(divide(to, a, b)),
                Op::Remainder { to, a, b } => tried!(remainder(to, a, b)),
                Op::AddInteger { to, a, value } => tried!(add_integer(to, a, value)),
                Op::SubtractInteger { to, a, value } => tried!(subtract_integer(to, a, value)),
                Op::MultiplyInteger { to, a, value } => tried!(multiply_integer(to, a, value)),
                Op::DivideInteger { to, a, value } => tried!(divide_integer(to, a, value)),
                Op::RemainderInteger { to, a, value } => tried!(remainder_integer(to, a, value)),
                Op::IntegerMinus { to, b, value } => tried!(integer_minus(to, value, b)),
                Op::IntegerTimes { to, b, value } => tried!(integer_times(to, value, b)),
                Op::AddConstant { to, a, index } => tried!(add_constant(to, a, Constant(index))),
                Op::SubtractConstant { to, a, index } => {
                    tried!(subtract_constant(to, a, Constant(index)))
                }
                Op::MultiplyConstant { to, a, index } => {
                    tried!(multiply_constant(to, a, Constant(index)))
                }
                Op::ConstantTimes { to, b, index } => {
                    tried!(constant_times(to, Constant(index), b))
                }
                Op::Increment { to, a } => tried!(increment(to, a)),
                Op::Not { to, from } => tried!(not(to, from)),
                Op::Equal { to, a, b } => tried!(equal(to, a, b)),
                Op::NotEqual { to, a, b } => tried!(not_equal(to, a, b)),
                Op::Less { to, a, b } => tried!(less(to, a, b)),
                Op::LessEqual { to, a, b } => tried!(less_equal(to, a, b)),

                Op::Jump { target } => go!(target),
                Op::Loop { target } => turn!(true, target),
                Op::JumpIf { a, target } => jump!(tried!(is_true(a)), target),
                Op::JumpUnless { a, target } => jump!(!tried!(is_true(a)), target),
                Op::JumpIfGiven { a, target } => jump!(fast!(is_given(a)), target),
                Op::JumpEqual { a, b, target } => jump!(tried!(are_equal(a, b)), target),
                Op::JumpNotEqual { a, b, target } => jump!(!tried!(are_equal(a, b)), target),
                Op::JumpEqualInteger { a, value, target } => {
                    jump!(tried!(is_integer(a, value)), target)
                }
                Op::JumpNotEqualInteger { a, value, target } => {
                    jump!(!tried!(is_integer(a, value)), target)
                }
                Op::JumpLess { a, b, target } => jump!(tried!(is_less(a, b)), target),
                Op::JumpLessEqual { a, b, target } => jump!(!tried!(is_less(b, a)), target),
                Op::JumpLessInteger { a, value, target } => {
                    jump!(tried!(is_below(a, value)), target)
                }
                Op::JumpLessEqualInteger { a, value, target } => {
                    jump!(!tried!(is_above(a, value)), target)
                }
                Op::JumpGreaterInteger { a, value, target } => {
                    jump!(tried!(is_above(a, value)), target)
                }
                Op::JumpGreaterEqualInteger { a, value, target } => {
                    jump!(!tried!(is_below(a, value)), target)
                }
                Op::LoopLess { a, b, target } => turn!(tried!(is_less(a, b)), target),
                Op::LoopLessEqual { a, b, target } => turn!(!tried!(is_less(b, a)), target),
                Op::LoopLessInteger { a, value, target } => {
                    turn!(tried!(is_below(a, value)), target)
                }
                Op::LoopLessEqualInteger { a, value, target } => {
                    turn!(!tried!(is_above(a, value)), target)
                }
                Op::LoopGreaterInteger { a, value, target } => {
                    turn!(tried!(is_above(a, value)), target)
                }
                Op::LoopGreaterEqualInteger { a, value, target } => {
                    turn!(!tried!(is_below(a, value)), target)
                }
                Op::LoopLessConstant { a, index, target } => {
                    turn!(tried!(is_below_constant(a, index)), target)
                }
                Op::LoopLessEqualConstant { a, index, target } => {
                    turn!(!tried!(is_above_constant(a, index)), target)
                }

                Op::GetField { to, object, key } => tried!(get_field(to, object, key)),
                Op::GetCoordinate {
                    to,
                    object,
                    vertical,
                    key,
                } => {
                    tried!(get_coordinate(to, object, vertical, key))
                }
                Op::SetField { object, from, key } => tried!(set_field(object, from, key)),
                Op::GetIndex { to, base, index } => tried!(get_index(to, base, index)),
                Op::SetIndex { base, index, from } => tried!(set_index(base, index, from)),
                Op::GetCell { to, grid, x, y } => tried!(get_cell(to, grid, x, y)),

                Op::Call { base, arguments } => {
                    let entry = tried!(entry(base, arguments, code));
                    enter!(base, entry);
                }
                Op::CallKnown {
                    base,
                    arguments: _,
                    entry,
                } => enter!(base, entry),
                Op::SetOperation {
                    call,
                    to,
                    a,
                    b,
                    native: _,
                } => {
                    let (value, charge) = tried!(set_operation(call, a, b));
                    if place.fuel <= charge {
                        break 'run;
                    }
                    place.fuel -= 1 + charge;
                    origin = place.pc;
                    r[to as usize] = value;
                }
                Op::Shortcut {
                    call,
                    to,
                    a,
                    b,
                    native: _,
                } => {
                    let value = tried!(shortcut(call, a, b));
                    or_leave!(place.pay());
                    origin = place.pc;
                    r[to as usize] = value;
                }
                Op::Push {
                    to,
                    a,
                    b,
                    native: _,
                } => {
                    if place.fuel <= 0 {
                        break 'run;
                    }
                    r[to as usize] = tried!(push(a, b));
                    place.fuel -= 1;
                    origin = place.pc;
                }
                Op::Return { from } => leave!(r[from as usize]),
                Op::ReturnNull {} => leave!(Value::NULL),

                Op::ForeachBegin { at, fresh } => tried!(foreach_begin(at, fresh)),
                Op::ForeachNext { at, target } => {
                    if !tried!(foreach_next(at)) {
                        go!(target);
                    }
                }
                Op::RangeBegin { at } => tried!(range_begin(at)),
                Op::RangeNext { at, target } => {
                    if !fast!(range_next(at)) {
                        go!(target);
                    }
                }
                Op::NeighborsNext { at, target } => {
                    if !fast!(neighbors_next(at)) {
                        go!(target);
                    }
                }

                Op::CallNative {
                    base,
                    to,
                    arguments: _,
                    native,
                } => {
                    // A watcher compares the state before and after a built-in.
                    let stage = if B::LOOKS {
                        None
                    } else {
                        self.context.natives[native as usize].stage
                    };
                    let stage = or_leave!(stage);
                    guess!(self.decide_fast(stage, base, to))
                }
                Op::Choose {
                    live_registers,
                    table,
                } => {
                    guess!(self.choose_fast(code.targets(table), live_registers, false))
                }
                Op::ChooseFirst {
                    live_registers,
                    table,
                } => {
                    guess!(self.choose_fast(code.targets(table), live_registers, true))
                }
                Op::ChooseElement { base, to } => guess!(self.choose_element_fast(base, to)),
                Op::ChooseRange { base, to } => guess!(self.choose_number_fast(base, to)),
                Op::Fail {} => guess!(self.fail_fast(code, B::LOOKS)),

                Op::Leave { .. } if B::LOOKS => {
                    // Otherwise this would be compiled to conditional values of the loop variables, computed before
                    // every instruction.
                    branch();
                    (row, blank) = (&[], MaskKind::Reveals);
                    place.pc = at;
                }
                Op::OpenCommit {} if B::LOOKS => {
                    if !watcher.unmasks(at) {
                        break 'run;
                    }
                    row = watcher.row();
                    place.pc = at;
                }

                // Instructions that have a full form only.
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
                | Op::CallWithList { .. }
                | Op::OpenCommit { .. }
                | Op::ReturnAndCommit { .. }
                | Op::Leave { .. }
                | Op::NeighborsBegin { .. }
                | Op::NoteMessage { .. }
                | Op::Throw { .. } => break 'run,
            }
        }
        place.put_back(self);
        (if B::LOOKS { origin } else { 0 }, before)
    }
}

/// The origin after a jump.
#[inline(always)]
pub(super) fn moved(origin: usize, from: usize, to: usize) -> usize {
    origin.wrapping_sub(from).wrapping_add(to)
}

/// Prevents the compiler from replacing a branch. The processor predicts jumps; if the next `pc` were computed from
/// the condition, as compilers prefer, all later work would wait for the condition. Emits no instruction.
#[inline(always)]
pub(super) fn branch() {
    compiler_fence(Ordering::Acquire);
}
