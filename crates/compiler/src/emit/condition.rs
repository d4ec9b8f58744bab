//! Conditions: expressions that decide where to continue.

use std::slice;

use super::Emitter;
use ndscript_base::source::Span;
use ndscript_bytecode::{Constant, Op};
use ndscript_syntax::ast::*;

impl Emitter<'_> {
    /// Emits jumps that are taken if the condition is false; after them it is true. The jumps wait for their target.
    pub fn jumps_unless(&mut self, condition: &Expression) -> Vec<usize> {
        self.jumps(condition, false)
    }

    /// Jumps back to the beginning of a loop while the condition is true. The jumps returned leave the loop.
    pub fn loop_while(&mut self, condition: &Expression, begin: u32, span: Span) -> Vec<usize> {
        let mark = self.mark();
        if let ExpressionKind::Chain { first, rest } = &condition.kind
            && let [comparison] = &rest[..]
            && let Some(op) = self.turn(first, comparison.operator, &comparison.operand, begin)
        {
            self.op(op, condition.span);
            self.release(mark);
            return Vec::new();
        }
        let past = self.jumps_unless(condition);
        self.op(Op::Loop { target: begin }, span);
        past
    }

    /// The instruction that both compares and jumps back, for comparisons of size; emits its operands.
    fn turn(
        &mut self,
        left: &Expression,
        operator: BinaryOperator,
        right: &Expression,
        target: u32,
    ) -> Option<Op> {
        use BinaryOperator::*;
        if !matches!(operator, Less | LessEqual | Greater | GreaterEqual) {
            return None;
        }
        let a = self.operand_before(left, &[slice::from_ref(right)]);
        if let Some(value) = self.small_integer(right) {
            return Some(match operator {
                Less => Op::LoopLessInteger { a, value, target },
                LessEqual => Op::LoopLessEqualInteger { a, value, target },
                Greater => Op::LoopGreaterInteger { a, value, target },
                _ => Op::LoopGreaterEqualInteger { a, value, target },
            });
        }
        if let (ExpressionKind::Integer(value), Less | LessEqual) = (&right.kind, operator)
            && let Ok(index) = u16::try_from(self.constant(Constant::Integer(*value)))
        {
            return Some(match operator {
                Less => Op::LoopLessConstant { a, index, target },
                _ => Op::LoopLessEqualConstant { a, index, target },
            });
        }
        let b = self.operand(right);
        Some(match operator {
            Less => Op::LoopLess { a, b, target },
            LessEqual => Op::LoopLessEqual { a, b, target },
            Greater => Op::LoopLess { a: b, b: a, target },
            _ => Op::LoopLessEqual { a: b, b: a, target },
        })
    }

    /// Emits jumps that are taken if the condition equals `when`.
    pub fn jumps(&mut self, condition: &Expression, when: bool) -> Vec<usize> {
        let mark = self.mark();
        let jumps = match &condition.kind {
            ExpressionKind::Boolean(value) if *value == when => {
                vec![self.op(Op::Jump { target: 0 }, condition.span)]
            }
            ExpressionKind::Boolean(_) => Vec::new(),
            ExpressionKind::Unary {
                operator: UnaryOperator::Not,
                operand,
            } => self.jumps(operand, !when),
            ExpressionKind::And(operands) => self.junction(operands, when, true),
            ExpressionKind::Or(operands) => self.junction(operands, when, false),
            ExpressionKind::Chain { first, rest }
                if rest.len() == 1 && rest[0].operator.compares() =>
            {
                let jump = self.comparison(
                    first,
                    rest[0].operator,
                    &rest[0].operand,
                    when,
                    condition.span,
                );
                vec![jump]
            }
            _ => {
                let a = self.operand(condition);
                let jump = if when {
                    Op::JumpIf { a, target: 0 }
                } else {
                    Op::JumpUnless { a, target: 0 }
                };
                vec![self.op(jump, condition.span)]
            }
        };
        self.release(mark);
        jumps
    }

    /// `&&` (`all` is true) or `||`.
    fn junction(&mut self, operands: &[Expression], when: bool, all: bool) -> Vec<usize> {
        let mut jumps_out = Vec::new();
        let mut jumps_over = Vec::new();
        for (at, operand) in operands.iter().enumerate() {
            if at + 1 == operands.len() || when != all {
                jumps_out.extend(self.jumps(operand, when));
            } else {
                // An operand that decides the junction the other way skips the rest of it.
                jumps_over.extend(self.jumps(operand, !when));
            }
        }
        self.patch_all(jumps_over);
        jumps_out
    }

    /// Emits a jump that is taken if the comparison has the result `when`. Returns the instruction, whose target is
    /// still open.
    fn comparison(
        &mut self,
        left: &Expression,
        operator: BinaryOperator,
        right: &Expression,
        when: bool,
        span: Span,
    ) -> usize {
        use BinaryOperator::*;
        // Numbers are ordered totally here, so the negation of `<` is `>=`.
        let operator = if when {
            operator
        } else {
            match operator {
                Equal => NotEqual,
                NotEqual => Equal,
                Less => GreaterEqual,
                LessEqual => Greater,
                Greater => LessEqual,
                GreaterEqual => Less,
                other => other,
            }
        };
        let a = self.operand_before(left, &[slice::from_ref(right)]);
        let target = 0;
        if let Some(value) = self.small_integer(right) {
            let op = match operator {
                Equal => Op::JumpEqualInteger { a, value, target },
                NotEqual => Op::JumpNotEqualInteger { a, value, target },
                Less => Op::JumpLessInteger { a, value, target },
                LessEqual => Op::JumpLessEqualInteger { a, value, target },
                Greater => Op::JumpGreaterInteger { a, value, target },
                _ => Op::JumpGreaterEqualInteger { a, value, target },
            };
            return self.op(op, span);
        }
        let b = self.operand(right);
        let op = match operator {
            Equal => Op::JumpEqual { a, b, target },
            NotEqual => Op::JumpNotEqual { a, b, target },
            Less => Op::JumpLess { a, b, target },
            LessEqual => Op::JumpLessEqual { a, b, target },
            Greater => Op::JumpLess { a: b, b: a, target },
            _ => Op::JumpLessEqual { a: b, b: a, target },
        };
        self.op(op, span)
    }
}
