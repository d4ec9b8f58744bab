//! Assignments.

use std::slice;

use super::expression::is_plain;
use super::function::VariableAccess;
use super::{Emitter, Location};
use crate::resolve::meaning::{Meaning, VariableId};
use ndscript_base::source::Span;
use ndscript_bytecode::op::Register;
use ndscript_bytecode::{Op, StaticError};
use ndscript_syntax::ast::*;

impl Emitter<'_> {
    /// `target = value` or `target op= value`; the value of the expression goes to `result`, if it is used.
    pub fn assignment(
        &mut self,
        target: &Target,
        operator: Option<BinaryOperator>,
        value: &Expression,
        span: Span,
        result: Option<Register>,
    ) {
        let mark = self.mark();
        match target {
            Target::Name(name) => match self.resolution.meanings.get(&name.span.start).copied() {
                Some(Meaning::Local(id)) => self.assign_local(id, operator, value, span, result),
                Some(Meaning::Global(slot)) => {
                    self.assign_global(slot, name, operator, value, span, result)
                }
                None => {}
            },
            Target::Field {
                object,
                field,
                span: place,
            } => {
                let object = self.operand_before(object, &[slice::from_ref(value)]);
                let key = self.text(&field.name);
                let from = match operator {
                    None => self.operand(value),
                    Some(operator) => {
                        let old = self.allocate(*place);
                        self.op(
                            Op::GetField {
                                to: old,
                                object,
                                key,
                            },
                            *place,
                        );
                        self.binary(operator, old, old, value, span);
                        old
                    }
                };
                self.op(Op::SetField { object, from, key }, span);
                self.deliver(from, result, span);
            }
            Target::Index {
                object,
                indexes,
                span: place,
            } => {
                let (base, registers) = self.indexed(object, indexes, slice::from_ref(value));
                let from = match operator {
                    None => self.operand(value),
                    Some(operator) => {
                        let old = self.allocate(*place);
                        self.get_index(old, base, registers, indexes.len(), *place);
                        self.binary(operator, old, old, value, span);
                        old
                    }
                };
                self.set_index(base, registers, indexes.len(), from, span);
                self.deliver(from, result, span);
            }
        }
        self.release(mark);
    }

    /// Emits a read of an element by one index, or of a cell by two.
    pub fn get_index(
        &mut self,
        to: Register,
        base: Register,
        indexes: [Register; 2],
        count: usize,
        span: Span,
    ) {
        let op = if count == 1 {
            Op::GetIndex {
                to,
                base,
                index: indexes[0],
            }
        } else {
            Op::GetCell {
                to,
                grid: base,
                x: indexes[0],
                y: indexes[1],
            }
        };
        self.op(op, span);
    }

    /// Emits a write to an element by one index, or to a cell by two.
    fn set_index(
        &mut self,
        base: Register,
        indexes: [Register; 2],
        count: usize,
        from: Register,
        span: Span,
    ) {
        let op = if count == 1 {
            Op::SetIndex {
                base,
                index: indexes[0],
                from,
            }
        } else {
            Op::SetCell {
                grid: base,
                x: indexes[0],
                y: indexes[1],
                from,
            }
        };
        self.op(op, span);
    }

    fn deliver(&mut self, from: Register, result: Option<Register>, span: Span) {
        if let Some(to) = result
            && to != from
        {
            self.op(Op::Move { to, from }, span);
        }
    }

    /// Emits an assignment to a local variable, with the operator of `+=` and the like; `result` is the register for
    /// its value, if it is used.
    fn assign_local(
        &mut self,
        id: VariableId,
        operator: Option<BinaryOperator>,
        value: &Expression,
        span: Span,
        result: Option<Register>,
    ) {
        let early = self.resolution.variables[id as usize].lexical && self.place(id).is_none();
        if early {
            if operator.is_none() {
                self.operand(value);
            }
            let name = self.resolution.variables[id as usize].name.clone();
            return self.complain(StaticError::BeforeItsLine(name), span);
        }
        if let Some(VariableAccess::Own(Location::Register(register))) = self.place(id) {
            match operator {
                None => self.into(value, register),
                Some(operator) => {
                    // The old value is used even if the right side assigns the variable.
                    let mut old = register;
                    if self.is_assigned(id, &[slice::from_ref(value)]) {
                        old = self.allocate(span);
                        self.op(
                            Op::Move {
                                to: old,
                                from: register,
                            },
                            span,
                        );
                    }
                    self.binary(operator, register, old, value, span);
                }
            }
            return self.deliver(register, result, span);
        }
        let from = match operator {
            None => self.operand(value),
            Some(operator) => {
                let old = self.allocate(span);
                self.read_local(id, old, span);
                self.binary(operator, old, old, value, span);
                old
            }
        };
        self.store_local(id, from, span, true);
        self.deliver(from, result, span);
    }

    /// Gives a variable that has its place the value of an expression.
    pub fn assign_to_local(
        &mut self,
        id: VariableId,
        value: &Expression,
        span: Span,
        checked: bool,
    ) {
        if let Some(VariableAccess::Own(Location::Register(register))) = self.place(id) {
            return self.into(value, register);
        }
        let from = self.operand(value);
        self.store_local(id, from, span, checked);
    }

    /// Gives a variable that has its place the value of a register.
    pub fn store_local(&mut self, id: VariableId, from: Register, span: Span, checked: bool) {
        let (name, early) = {
            let variable = &self.resolution.variables[id as usize];
            (
                variable.name.clone(),
                variable.lexical && variable.captured_early,
            )
        };
        let checked = checked && early;
        // Only messages need the name.
        let name = if checked { self.text(&name) } else { 0 };
        match self.place(id) {
            Some(VariableAccess::Own(Location::Register(to))) => {
                if to != from {
                    self.op(Op::Move { to, from }, span);
                }
            }
            Some(VariableAccess::Own(Location::Box(at))) => {
                self.op(
                    if checked {
                        Op::SetBoxChecked { at, from, name }
                    } else {
                        Op::SetBox { at, from }
                    },
                    span,
                );
            }
            Some(VariableAccess::Own(Location::Spilled(index))) => {
                let at = self.spill_array_register();
                self.op(Op::SetSpilled { at, from, index }, span);
            }
            Some(VariableAccess::Own(Location::SpilledBox(index))) => {
                let array = self.spill_array_register();
                let at = self.allocate(span);
                self.op(
                    Op::GetSpilled {
                        to: at,
                        from: array,
                        index,
                    },
                    span,
                );
                self.op(
                    if checked {
                        Op::SetBoxChecked { at, from, name }
                    } else {
                        Op::SetBox { at, from }
                    },
                    span,
                );
            }
            Some(VariableAccess::Captured { index, boxed: true }) => {
                let op = if checked {
                    Op::SetCapturedBoxChecked { from, index }
                } else {
                    Op::SetCapturedBox { from, index }
                };
                self.op(op, span);
            }
            // A variable that is captured by value is never assigned.
            Some(VariableAccess::Captured { boxed: false, .. }) | None => {}
        }
    }

    /// Puts the value of a boxed variable into a new box, so that the next turn of a loop has its own.
    pub fn renew_box(&mut self, id: VariableId, span: Span) {
        let mark = self.mark();
        match self.place(id) {
            Some(VariableAccess::Own(Location::Box(at))) => {
                self.op(Op::GetBox { to: at, from: at }, span);
                self.op(Op::NewBox { at }, span);
            }
            Some(VariableAccess::Own(Location::SpilledBox(index))) => {
                let array = self.spill_array_register();
                let register = self.allocate(span);
                self.op(
                    Op::GetSpilled {
                        to: register,
                        from: array,
                        index,
                    },
                    span,
                );
                self.op(
                    Op::GetBox {
                        to: register,
                        from: register,
                    },
                    span,
                );
                self.op(Op::NewBox { at: register }, span);
                self.op(
                    Op::SetSpilled {
                        at: array,
                        from: register,
                        index,
                    },
                    span,
                );
            }
            _ => {}
        }
        self.release(mark);
    }

    /// Emits an assignment to a global variable, with the operator of `+=` and the like; `result` is the register for
    /// its value, if it is used.
    fn assign_global(
        &mut self,
        slot: u32,
        name: &Ident,
        operator: Option<BinaryOperator>,
        value: &Expression,
        span: Span,
        result: Option<Register>,
    ) {
        let (value, operator) = match (operator, sum_onto(name, value)) {
            (None, Some(added)) => (added, Some(BinaryOperator::Add)),
            _ => (value, operator),
        };
        let is_initialised = self.resolution.globals[slot as usize].starts_null;
        let from = match operator {
            None => self.operand(value),
            Some(BinaryOperator::Add) if is_initialised && result.is_none() && is_plain(value) => {
                if let ExpressionKind::Integer(value) = &value.kind
                    && let Ok(value) = i16::try_from(*value)
                {
                    self.op(Op::AddIntegerToGlobal { value, slot }, span);
                } else {
                    let from = self.operand(value);
                    self.op(Op::AddToGlobal { from, slot }, span);
                }
                return;
            }
            Some(operator) => {
                let old = self.allocate(span);
                self.read_global(slot, old, name.span);
                self.binary(operator, old, old, value, span);
                old
            }
        };
        let lexical = self.resolution.globals[slot as usize].lexical;
        self.op(
            if lexical {
                Op::SetGlobalChecked { from, slot }
            } else {
                Op::SetGlobal { from, slot }
            },
            span,
        );
        self.deliver(from, result, span);
    }

    /// `x++` and related operators.
    pub fn update(
        &mut self,
        target: &Target,
        increment: bool,
        prefix: bool,
        span: Span,
        result: Option<Register>,
    ) {
        let one = Expression {
            kind: ExpressionKind::Integer(1),
            span,
            depth: 1,
        };
        let operator = if increment {
            BinaryOperator::Increment
        } else {
            BinaryOperator::Subtract
        };
        match result {
            Some(to) if !prefix => self.postfix_update(target, operator, &one, span, to),
            _ => self.numeric_assignment(target, operator, &one, span, result),
        }
    }

    /// `target op= 1` that refuses strings, which `+` would join.
    fn numeric_assignment(
        &mut self,
        target: &Target,
        operator: BinaryOperator,
        one: &Expression,
        span: Span,
        result: Option<Register>,
    ) {
        if operator == BinaryOperator::Increment
            && let Target::Name(name) = target
            && let Some(Meaning::Local(id)) =
                self.resolution.meanings.get(&name.span.start).copied()
            && let Some(VariableAccess::Own(Location::Register(register))) = self.place(id)
        {
            let mark = self.mark();
            let read = Expression {
                kind: ExpressionKind::Name(name.clone()),
                span: name.span,
                depth: 1,
            };
            let a = self.operand(&read);
            self.op(Op::Increment { to: register, a }, span);
            self.deliver(register, result, span);
            self.release(mark);
            return;
        }
        self.assignment(target, Some(operator), one, span, result);
    }

    /// `x++` whose old value is used.
    fn postfix_update(
        &mut self,
        target: &Target,
        operator: BinaryOperator,
        one: &Expression,
        span: Span,
        to: Register,
    ) {
        let mark = self.mark();
        let step = |to: Register, a: Register| match operator {
            BinaryOperator::Increment => Op::Increment { to, a },
            _ => Op::SubtractInteger { to, a, value: 1 },
        };
        match target {
            Target::Name(name) => {
                let old = self.allocate(span);
                let read = Expression {
                    kind: ExpressionKind::Name(name.clone()),
                    span: name.span,
                    depth: 1,
                };
                self.into(&read, old);
                // `+x` of the old value: an error for everything but numbers.
                self.op(Op::Plus { to: old, from: old }, span);
                self.numeric_assignment(target, operator, one, span, None);
                self.op(Op::Move { to, from: old }, span);
            }
            Target::Field {
                object,
                field,
                span: place,
            } => {
                let object = self.operand(object);
                let key = self.text(&field.name);
                let old = self.allocate(*place);
                let new = self.allocate(*place);
                self.op(
                    Op::GetField {
                        to: old,
                        object,
                        key,
                    },
                    *place,
                );
                self.op(step(new, old), span);
                self.op(
                    Op::SetField {
                        object,
                        from: new,
                        key,
                    },
                    span,
                );
                self.op(Op::Move { to, from: old }, span);
            }
            Target::Index {
                object,
                indexes,
                span: place,
            } => {
                let (base, registers) = self.indexed(object, indexes, &[]);
                let old = self.allocate(*place);
                let new = self.allocate(*place);
                self.get_index(old, base, registers, indexes.len(), *place);
                self.op(step(new, old), span);
                self.set_index(base, registers, indexes.len(), new, span);
                self.op(Op::Move { to, from: old }, span);
            }
        }
        self.release(mark);
    }
}

/// The `e` of `x = x + e`.
fn sum_onto<'a>(name: &Ident, value: &'a Expression) -> Option<&'a Expression> {
    let ExpressionKind::Chain { first, rest } = &value.kind else {
        return None;
    };
    let [link] = &rest[..] else { return None };
    match &first.kind {
        ExpressionKind::Name(read)
            if read.name == name.name && link.operator == BinaryOperator::Add =>
        {
            Some(&link.operand)
        }
        _ => None,
    }
}
