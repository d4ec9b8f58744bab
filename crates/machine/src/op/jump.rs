//! Jumps.

use std::cmp::Ordering;

use super::arithmetic::{are_equal, is_less};
use super::{After, Done, Fast};
use crate::execute::branch;
use crate::machine::Machine;
use ndscript_bytecode::Register;
use ndscript_heap::Value;

/// Each fast form returns whether its condition holds; then the main loop jumps.
impl Fast<'_> {
    /// Whether `R[a]` is true
    #[inline(always)]
    pub fn is_true(&self, a: Register) -> Option<bool> {
        let truth = self.get(a);
        // Two branches: one value with three states would be computed and tested again.
        if truth == Value::TRUE {
            branch();
            return Some(true);
        }
        if truth == Value::FALSE {
            Some(false)
        } else {
            None
        }
    }

    /// Whether the call has given a value to `R[a]`
    #[inline(always)]
    pub fn is_given(&self, a: Register) -> bool {
        self.get(a) != Value::UNSET
    }

    /// Whether `R[a] == R[b]`, where one word decides
    #[inline(always)]
    pub fn are_equal(&self, a: Register, b: Register) -> Option<bool> {
        are_equal(self.get(a), self.get(b))
    }

    /// Whether `R[a] == value`, where `R[a]` can be compared with a number
    #[inline(always)]
    pub fn is_integer(&self, a: Register, value: i16) -> Option<bool> {
        are_equal(self.get(a), Value::integer(value as i64))
    }

    /// Whether `R[a] < R[b]`, of numbers that fit into their words
    #[inline(always)]
    pub fn is_less(&self, a: Register, b: Register) -> Option<bool> {
        is_less(self.get(a), self.get(b))
    }

    /// Whether `R[a] < value`, of a number that fits into its word
    #[inline(always)]
    pub fn is_below(&self, a: Register, value: i16) -> Option<bool> {
        is_less(self.get(a), Value::integer(value as i64))
    }

    /// Whether `R[a] > value`, of a number that fits into its word
    #[inline(always)]
    pub fn is_above(&self, a: Register, value: i16) -> Option<bool> {
        is_less(Value::integer(value as i64), self.get(a))
    }

    /// Whether `R[a] < K[index]`, of numbers that fit into their words
    #[inline(always)]
    pub fn is_below_constant(&self, a: Register, index: u16) -> Option<bool> {
        is_less(self.get(a), self.constants[index as usize])
    }

    /// Whether `R[a] > K[index]`, of numbers that fit into their words
    #[inline(always)]
    pub fn is_above_constant(&self, a: Register, index: u16) -> Option<bool> {
        is_less(self.constants[index as usize], self.get(a))
    }
}

/// Whether a jump is a turn of a loop, which costs fuel.
#[derive(Clone, Copy, PartialEq)]
pub enum JumpKind {
    On,
    Back,
}

impl Machine {
    /// Go to `target`
    pub(crate) fn jump(&mut self, target: u32) -> Done {
        self.pc = target;
        Ok(After::Next)
    }

    /// Go back to `target`, against fuel
    pub(crate) fn turn(&mut self, target: u32) -> Done {
        self.pc = target;
        self.context.fuel -= 1;
        Ok(After::Look)
    }

    /// Go to `target` if the truth of `R[a]` is `when`
    pub(crate) fn jump_by_truth(&mut self, a: Register, when: bool, target: u32) -> Done {
        if self.truth(a)? == when {
            self.pc = target;
        }
        Ok(After::Next)
    }

    /// Go to `target` if the call has given a value to `R[a]`
    pub(crate) fn jump_if_given(&mut self, a: Register, target: u32) -> Done {
        if self.fast().is_given(a) {
            self.pc = target;
        }
        Ok(After::Next)
    }

    /// Go to `target` if `R[a] == b`, or if not
    pub(crate) fn jump_by_equality(
        &mut self,
        a: Register,
        b: Value,
        when: bool,
        target: u32,
    ) -> Done {
        if self.context.equal(self.get(a), b)? == when {
            self.pc = target;
        }
        Ok(After::Look)
    }

    /// Go to `target` if the order of `R[a]` and `b` is as asked
    pub(crate) fn jump_by_order(
        &mut self,
        a: Register,
        b: Value,
        holds: fn(Ordering) -> bool,
        kind: JumpKind,
        target: u32,
    ) -> Done {
        let order = self.context.compare(self.get(a), b)?;
        if holds(order) {
            self.pc = target;
            self.context.fuel -= (kind == JumpKind::Back) as i64;
        }
        // Long texts take long to compare.
        Ok(After::Look)
    }
}
