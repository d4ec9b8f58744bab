//! Jumps by the order of two values.

use std::cmp::Ordering;

use super::machine::{Exit, Machine, WINDOW};
use crate::bytecode::Op;
use crate::value::Value;

/// What a jump compares, and where it leads.
pub(super) struct Comparison {
    a: Value,
    b: Value,
    holds: fn(Ordering) -> bool,
    target: u32,
    /// Whether going there is a turn of a loop, which costs fuel.
    is_turn: bool,
}

impl Comparison {
    /// What an instruction compares, if it is a jump by the order of two values.
    pub fn of(op: Op, registers: &[Value; WINDOW], constants: &[Value]) -> Option<Comparison> {
        use Ordering as Is;
        let register = |at: u8| registers[at as usize];
        let integer = |value: i16| Value::integer(value as i64);
        let (a, b, holds, target, is_turn): (_, _, fn(Ordering) -> bool, _, _) = match op {
            Op::JumpLess { a, b, target } => (a, register(b), Is::is_lt, target, false),
            Op::JumpLessEqual { a, b, target } => (a, register(b), Is::is_le, target, false),
            Op::JumpLessInteger { a, value, target } => (a, integer(value), Is::is_lt, target, false),
            Op::JumpLessEqualInteger { a, value, target } => (a, integer(value), Is::is_le, target, false),
            Op::JumpGreaterInteger { a, value, target } => (a, integer(value), Is::is_gt, target, false),
            Op::JumpGreaterEqualInteger { a, value, target } => (a, integer(value), Is::is_ge, target, false),
            Op::LoopLess { a, b, target } => (a, register(b), Is::is_lt, target, true),
            Op::LoopLessEqual { a, b, target } => (a, register(b), Is::is_le, target, true),
            Op::LoopLessInteger { a, value, target } => (a, integer(value), Is::is_lt, target, true),
            Op::LoopLessEqualInteger { a, value, target } => (a, integer(value), Is::is_le, target, true),
            Op::LoopGreaterInteger { a, value, target } => (a, integer(value), Is::is_gt, target, true),
            Op::LoopGreaterEqualInteger { a, value, target } => (a, integer(value), Is::is_ge, target, true),
            Op::LoopLessConstant { a, index, target } => (a, constants[index as usize], Is::is_lt, target, true),
            Op::LoopLessEqualConstant { a, index, target } => (a, constants[index as usize], Is::is_le, target, true),
            _ => return None,
        };
        Some(Comparison { a: register(a), b, holds, target, is_turn })
    }
}

impl Machine {
    /// Jumps if what is compared holds.
    ///
    /// # Errors
    /// A reason to stop.
    pub(super) fn jump_by(&mut self, comparison: Comparison) -> Result<(), Exit> {
        let Comparison { a, b, holds, target, is_turn } = comparison;
        let order = match self.context.compare(a, b) {
            Ok(order) => order,
            Err(fault) => return self.handle(fault),
        };
        if holds(order) {
            self.pc = target;
            self.context.fuel -= is_turn as i64;
        }
        // Long texts take long to compare.
        self.context.charge_comparisons();
        if self.context.fuel < 0 { self.check_and_stop() } else { Ok(()) }
    }
}
