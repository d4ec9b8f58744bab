//! Code for constants of the host: a program uses them as if they were written out in place of their names.

use std::sync::Arc;

use super::literal::literal_number;
use super::{Emitter, PIECE};
use crate::resolve::meaning::Meaning;
use ndscript_base::source::Span;
use ndscript_bytecode::op::Register;
use ndscript_bytecode::{Constant, HostConstant, Op};
use ndscript_syntax::ast::*;

impl Emitter<'_> {
    /// The constant of the host that a global's name means, if nothing in the program declares it.
    pub fn host_constant_of_global(&self, slot: u32) -> Option<Arc<HostConstant>> {
        let global = &self.resolution.globals[slot as usize];
        if global.is_declared || !global.is_host_constant {
            return None;
        }
        self.signatures.host_constant(&global.name).cloned()
    }

    /// The constant that an expression names.
    pub fn host_constant_named_by(&self, expression: &Expression) -> Option<Arc<HostConstant>> {
        let ExpressionKind::Name(name) = &expression.kind else {
            return None;
        };
        match self.resolution.meanings.get(&name.span.start) {
            Some(Meaning::Global(slot)) => self.host_constant_of_global(*slot),
            _ => None,
        }
    }

    /// The number that an expression means: a literal, or a constant of the host.
    pub fn number(&self, expression: &Expression) -> Option<Constant> {
        let number_of = |value: &HostConstant| match value {
            HostConstant::Scalar(number @ (Constant::Integer(_) | Constant::Float(_))) => {
                Some(number.clone())
            }
            _ => None,
        };
        match &expression.kind {
            ExpressionKind::Name(_) => number_of(&*self.host_constant_named_by(expression)?),
            ExpressionKind::Postfix { base, operations } => {
                let root = self.host_constant_named_by(base)?;
                let (value, used) = value_at_fields(&root, operations);
                if used == operations.len() {
                    number_of(value)
                } else {
                    None
                }
            }
            _ => literal_number(expression),
        }
    }

    /// The value of a literal or a constant of the host that fits an instruction.
    pub fn small_integer(&self, expression: &Expression) -> Option<i16> {
        let (negated, operand) = match &expression.kind {
            ExpressionKind::Unary {
                operator: UnaryOperator::Negate,
                operand,
            } if matches!(operand.kind, ExpressionKind::Integer(_)) => (true, &**operand),
            _ => (false, expression),
        };
        match self.number(operand)? {
            Constant::Integer(value) => i16::try_from(if negated { -value } else { value }).ok(),
            _ => None,
        }
    }

    /// Emits the code that builds a constant of the host in the register `to`.
    pub fn host_constant(&mut self, value: &HostConstant, to: Register, span: Span) {
        let mark = self.mark();
        match value {
            HostConstant::Null => {
                self.op(Op::Null { to }, span);
            }
            HostConstant::Scalar(Constant::Integer(value)) => self.integer(*value, to, span),
            HostConstant::Scalar(constant) => self.load(constant.clone(), to, span),
            HostConstant::Position(x, y) => {
                let base = self.allocate(span);
                for coordinate in [*x, *y] {
                    let register = self.allocate(span);
                    self.integer(coordinate, register, span);
                }
                self.call_built_in("position", base, 2, to, span);
            }
            HostConstant::Array(elements) => {
                let array = self.host_array(elements, span);
                self.op(Op::Move { to, from: array }, span);
            }
            HostConstant::Set(elements) => {
                let base = self.allocate(span);
                let array = self.host_array(elements, span);
                // The first register after the base is the argument's.
                debug_assert_eq!(array, base + 1);
                self.call_built_in("toSet", base, 1, to, span);
            }
            HostConstant::Object(fields) => {
                let object = self.allocate(span);
                let count = fields.len() as u32;
                self.op(
                    Op::NewObject {
                        to: object,
                        fields: count,
                    },
                    span,
                );
                for (key, value) in fields {
                    let mark = self.mark();
                    let from = self.allocate(span);
                    self.host_constant(value, from, span);
                    let key = self.text(key);
                    self.op(Op::PutField { object, from, key }, span);
                    self.release(mark);
                }
                self.op(Op::Move { to, from: object }, span);
            }
        }
        self.release(mark);
    }

    /// Emits the code that builds an array piece by piece; returns its register.
    fn host_array(&mut self, elements: &[HostConstant], span: Span) -> Register {
        let array = self.allocate(span);
        self.op(
            Op::NewArray {
                to: array,
                first: array,
                count: 0,
            },
            span,
        );
        let size = if self.is_crowded() { 1 } else { PIECE };
        for piece in elements.chunks(size) {
            let mark = self.mark();
            for element in piece {
                let register = self.allocate(span);
                self.host_constant(element, register, span);
            }
            self.op(
                Op::Append {
                    array,
                    first: mark as Register,
                    count: piece.len() as u32,
                },
                span,
            );
            self.release(mark);
        }
        array
    }

    /// A call of a built-in that cannot fail, whatever the program or the host declares under its name.
    fn call_built_in(
        &mut self,
        name: &str,
        base: Register,
        arguments: u8,
        to: Register,
        span: Span,
    ) {
        let Some(native) = self.signatures.built_in(name) else {
            return;
        };
        self.op(
            Op::CallNative {
                base,
                to,
                arguments,
                native,
            },
            span,
        );
    }
}

/// The value that the fields after a constant lead to, and how many of the operations are such fields.
pub(crate) fn value_at_fields<'g>(
    root: &'g HostConstant,
    operations: &[Postfix],
) -> (&'g HostConstant, usize) {
    let mut value = root;
    for (at, operation) in operations.iter().enumerate() {
        let PostfixKind::Field(field) = &operation.kind else {
            return (value, at);
        };
        match value.field(&field.name) {
            Some(inner) => value = inner,
            None => return (value, at),
        }
    }
    (value, operations.len())
}
