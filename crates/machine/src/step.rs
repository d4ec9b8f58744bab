//! Single instructions in full. This only dispatches; [`super::op`] implements them.

use std::cmp::Ordering as Is;

use super::errors::error::Fault;
use super::machine::{Exit, Machine};
use super::op::arithmetic::Operator;
use super::op::jump::JumpKind;
use super::op::{After, Constant, Done};
use ndscript_bytecode::{Code, Op, Shortcut};
use ndscript_heap::Value;

impl Machine {
    /// Carries out the instruction before `pc`, and checks the limits where it asks for that.
    ///
    /// # Errors
    /// A reason to stop.
    #[inline(never)]
    pub(super) fn step(&mut self, code: &Code) -> Result<(), Exit> {
        // Comparisons recorded before do not belong to this instruction.
        self.context.charge_comparisons();
        self.context.heap.take_lasting_work();
        self.context.fuel_before = self.context.fuel;
        let wants_check = match self.carry_out(code.ops[self.pc as usize - 1], code) {
            Ok(After::Next) => return Ok(()),
            Ok(After::Look) => false,
            Ok(After::LookAtMemory) => self.context.heap.wants_check(),
            Ok(After::Stop(exit)) => return Err(exit),
            Err(fault) => return self.handle(fault),
        };
        self.context.charge_comparisons();
        if wants_check || self.context.fuel < 0 {
            self.check_and_stop()
        } else {
            Ok(())
        }
    }

    /// The full forms.
    #[inline(always)]
    fn carry_out(&mut self, op: Op, code: &Code) -> Done {
        /// An instruction whose fast form is complete.
        macro_rules! whole {
            ($form:ident($($operand:expr),*)) => {{
                self.fast().$form($($operand),*);
                Ok(After::Next)
            }};
        }
        let integer = |value: i16| Value::integer(value as i64);
        match op {
            Op::Move { to, from } => whole!(copy(to, from)),
            Op::Integer { to, value } => whole!(integer(to, value)),
            Op::Constant { to, index } => whole!(constant(to, index)),
            Op::Null { to } => whole!(null(to)),
            Op::LeaveOut { to } => whole!(leave_out(to)),
            Op::Native { to, native } => whole!(native(to, native)),
            Op::GetGlobal { to, slot } => whole!(get_global(to, slot)),
            Op::GetGlobalChecked { to, slot } => self.get_global_checked(to, slot, code),
            Op::SetGlobal { from, slot } => self.set_global(from, slot),
            Op::SetGlobalChecked { from, slot } => self.set_global_checked(from, slot, code),
            Op::AddToGlobal { from, slot } => self.add_to_global(self.get(from), slot),
            Op::AddIntegerToGlobal { value, slot } => self.add_to_global(integer(value), slot),
            Op::GetCaptured { to, index } => whole!(get_captured(to, index)),
            Op::GetCapturedBox { to, index } => self.get_captured_box(to, index),
            Op::GetCapturedBoxChecked { to, index } => self.get_captured_box_checked(to, index),
            Op::SetCapturedBox { from, index } => self.set_captured_box(from, index),
            Op::SetCapturedBoxChecked { from, index } => self.set_captured_box_checked(from, index),
            Op::NewBox { at } => self.new_box(at),
            Op::NewUnsetBox { at } => self.new_unset_box(at),
            Op::GetBox { to, from } => self.get_box(to, from),
            Op::GetBoxChecked { to, from, name } => self.get_box_checked(to, from, name),
            Op::SetBox { at, from } => self.set_box(at, from),
            Op::SetBoxChecked { at, from, name } => self.set_box_checked(at, from, name),
            Op::GetSpilled { to, from, index } => self.get_spilled(to, from, index),
            Op::SetSpilled { at, from, index } => self.set_spilled(at, from, index),
            Op::NewSpill { to, count } => self.new_spill(to, count),

            Op::Add { to, a, b } => self.operate(Operator::Add, to, a, b),
            Op::Subtract { to, a, b } => self.operate(Operator::Subtract, to, a, b),
            Op::Multiply { to, a, b } => self.operate(Operator::Multiply, to, a, b),
            Op::Divide { to, a, b } => self.operate(Operator::Divide, to, a, b),
            Op::Remainder { to, a, b } => self.operate(Operator::Remainder, to, a, b),
            Op::AddInteger { to, a, value } => self.operate(Operator::Add, to, a, value),
            Op::SubtractInteger { to, a, value } => self.operate(Operator::Subtract, to, a, value),
            Op::MultiplyInteger { to, a, value } => self.operate(Operator::Multiply, to, a, value),
            Op::DivideInteger { to, a, value } => self.operate(Operator::Divide, to, a, value),
            Op::RemainderInteger { to, a, value } => {
                self.operate(Operator::Remainder, to, a, value)
            }
            Op::IntegerMinus { to, b, value } => self.operate(Operator::Subtract, to, value, b),
            Op::IntegerTimes { to, b, value } => self.operate(Operator::Multiply, to, value, b),
            Op::AddConstant { to, a, index } => self.operate(Operator::Add, to, a, Constant(index)),
            Op::SubtractConstant { to, a, index } => {
                self.operate(Operator::Subtract, to, a, Constant(index))
            }
            Op::MultiplyConstant { to, a, index } => {
                self.operate(Operator::Multiply, to, a, Constant(index))
            }
            Op::ConstantTimes { to, b, index } => {
                self.operate(Operator::Multiply, to, Constant(index), b)
            }
            Op::Increment { to, a } => self.operate(Operator::Increment, to, a, 1),
            Op::Negate { to, from } => self.negate(to, from),
            Op::Plus { to, from } => self.plus(to, from),
            Op::Not { to, from } => self.not(to, from),
            Op::Equal { to, a, b } => self.equal(to, a, b, true),
            Op::NotEqual { to, a, b } => self.equal(to, a, b, false),
            Op::Less { to, a, b } => self.ordered(to, a, b, Is::is_lt),
            Op::LessEqual { to, a, b } => self.ordered(to, a, b, Is::is_le),
            Op::Concatenate { to, first, count } => self.join_text(to, first, count),

            Op::Jump { target } => self.jump(target),
            Op::Loop { target } => self.turn(target),
            Op::JumpIf { a, target } => self.jump_by_truth(a, true, target),
            Op::JumpUnless { a, target } => self.jump_by_truth(a, false, target),
            Op::JumpIfGiven { a, target } => self.jump_if_given(a, target),
            Op::JumpEqual { a, b, target } => self.jump_by_equality(a, self.get(b), true, target),
            Op::JumpNotEqual { a, b, target } => {
                self.jump_by_equality(a, self.get(b), false, target)
            }
            Op::JumpEqualInteger { a, value, target } => {
                self.jump_by_equality(a, integer(value), true, target)
            }
            Op::JumpNotEqualInteger { a, value, target } => {
                self.jump_by_equality(a, integer(value), false, target)
            }
            Op::JumpLess { a, b, target } => {
                self.jump_by_order(a, self.get(b), Is::is_lt, JumpKind::On, target)
            }
            Op::JumpLessEqual { a, b, target } => {
                self.jump_by_order(a, self.get(b), Is::is_le, JumpKind::On, target)
            }
            Op::JumpLessInteger { a, value, target } => {
                self.jump_by_order(a, integer(value), Is::is_lt, JumpKind::On, target)
            }
            Op::JumpLessEqualInteger { a, value, target } => {
                self.jump_by_order(a, integer(value), Is::is_le, JumpKind::On, target)
            }
            Op::JumpGreaterInteger { a, value, target } => {
                self.jump_by_order(a, integer(value), Is::is_gt, JumpKind::On, target)
            }
            Op::JumpGreaterEqualInteger { a, value, target } => {
                self.jump_by_order(a, integer(value), Is::is_ge, JumpKind::On, target)
            }
            Op::LoopLess { a, b, target } => {
                self.jump_by_order(a, self.get(b), Is::is_lt, JumpKind::Back, target)
            }
            Op::LoopLessEqual { a, b, target } => {
                self.jump_by_order(a, self.get(b), Is::is_le, JumpKind::Back, target)
            }
            Op::LoopLessInteger { a, value, target } => {
                self.jump_by_order(a, integer(value), Is::is_lt, JumpKind::Back, target)
            }
            Op::LoopLessEqualInteger { a, value, target } => {
                self.jump_by_order(a, integer(value), Is::is_le, JumpKind::Back, target)
            }
            Op::LoopGreaterInteger { a, value, target } => {
                self.jump_by_order(a, integer(value), Is::is_gt, JumpKind::Back, target)
            }
            Op::LoopGreaterEqualInteger { a, value, target } => {
                self.jump_by_order(a, integer(value), Is::is_ge, JumpKind::Back, target)
            }
            Op::LoopLessConstant { a, index, target } => self.jump_by_order(
                a,
                self.constants[index as usize],
                Is::is_lt,
                JumpKind::Back,
                target,
            ),
            Op::LoopLessEqualConstant { a, index, target } => self.jump_by_order(
                a,
                self.constants[index as usize],
                Is::is_le,
                JumpKind::Back,
                target,
            ),

            Op::GetField { to, object, key } => self.get_field(to, object, key),
            Op::GetCoordinate {
                to,
                object,
                vertical: _,
                key,
            } => self.get_field(to, object, key),
            Op::SetField { object, from, key } => self.set_field(object, from, key),
            Op::GetIndex { to, base, index } => self.get_index(to, base, index),
            Op::SetIndex { base, index, from } => self.set_index(base, index, from),
            Op::GetCell { to, grid, x, y } => self.get_cell(to, grid, x, y),
            Op::SetCell { grid, x, y, from } => self.set_cell(grid, x, y, from),
            Op::NewArray { to, first, count } => self.new_array(to, first, count),
            Op::Append {
                array,
                first,
                count,
            } => self.append(array, first, count),
            Op::NewObject { to, fields } => self.new_object(to, fields),
            Op::PutField { object, from, key } => self.put_field(object, from, key),
            Op::Closure { to, function } => self.closure(to, function, code),

            Op::Call { base, arguments } => self.call(base, arguments),
            Op::CallKnown {
                base,
                arguments: _,
                entry,
            } => self.call_known(base, entry),
            Op::CallNative {
                base,
                to,
                arguments,
                native,
            } => self.call_built_in(native, base, arguments, to),
            Op::SetOperation {
                call,
                to,
                a,
                b,
                native,
            } => self.call_shortcut(call, native, to, a, b),
            Op::Shortcut {
                call,
                to,
                a,
                b,
                native,
            } => self.call_shortcut(call, native, to, a, b),
            Op::Push { to, a, b, native } => self.call_shortcut(Shortcut::Push, native, to, a, b),
            Op::CallWithList { base } => self.call_list(base),
            Op::Return { from } => self.give_back(self.get(from)),
            Op::ReturnNull {} => self.give_back(Value::NULL),
            Op::Leave { from } => Ok(After::Stop(Exit::Solved(self.get(from)))),
            Op::OpenCommit {} => self.open_commit(),
            Op::ReturnAndCommit { from } => self.return_and_commit(from),

            Op::ForeachBegin { at, fresh } => self.foreach_begin(at, fresh),
            Op::ForeachNext { at, target } => self.foreach_next(at, target),
            Op::RangeBegin { at } => self.range_begin(at),
            Op::RangeNext { at, target } => self.range_next(at, target),
            Op::NeighborsBegin { at, eight } => self.neighbors_begin(at, eight),
            Op::NeighborsNext { at, target } => self.neighbors_next(at, target),

            Op::Choose {
                live_registers,
                table,
            } => self.choose(live_registers, table, false, code),
            Op::ChooseFirst {
                live_registers,
                table,
            } => self.choose(live_registers, table, true, code),
            Op::ChooseElement { base, to } => self.choose_an_element(base, to),
            Op::ChooseRange { base, to } => self.choose_a_number(base, to),
            Op::NoteMessage { from } => self.set_failure_reason(from),
            Op::Fail {} => Err(Fault::Fail),
            Op::Throw { complaint } => self.throw(complaint, code),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn check_and_stop(&mut self) -> Result<(), Exit> {
        self.check()?;
        if self.context.fuel < 0 {
            Err(Exit::OutOfFuel)
        } else {
            Ok(())
        }
    }
}
