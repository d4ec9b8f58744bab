//! Literal numbers, as operands that instructions hold themselves.

use ndscript_bytecode::Constant;
use ndscript_syntax::ast::*;

/// A literal and the operator after it that one instruction does.
pub(crate) enum Literal {
    Minus(i32),
    Times(i32),
    ConstantTimes(Constant),
}

/// The beginning of a chain, if it is a literal that an instruction holds.
pub(crate) fn literal_before(
    first: &Expression,
    link: &ChainLink,
    number: impl Fn(&Expression) -> Option<Constant>,
) -> Option<Literal> {
    use BinaryOperator::{Multiply, Subtract};
    // Two literals are not worth a thought.
    if number(&link.operand).is_some() {
        return None;
    }
    match (number(first)?, link.operator) {
        (Constant::Integer(value), Subtract) => i32::try_from(value).ok().map(Literal::Minus),
        (Constant::Integer(value), Multiply) if i32::try_from(value).is_ok() => {
            Some(Literal::Times(value as i32))
        }
        (constant, Multiply) => Some(Literal::ConstantTimes(constant)),
        _ => None,
    }
}

/// The number that a literal means.
pub(crate) fn literal_number(expression: &Expression) -> Option<Constant> {
    match expression.kind {
        ExpressionKind::Integer(value) => Some(Constant::Integer(value)),
        ExpressionKind::Float(value) => Some(Constant::Float(value)),
        _ => None,
    }
}
