//! Expressions.

use std::slice;

use super::function::VariableAccess;
use super::literal::{Literal, literal_before};
use super::{Emitter, Location, PIECE};
use crate::resolve::assigned::assigns;
use crate::resolve::meaning::{Meaning, VariableId};
use ndscript_base::source::Span;
use ndscript_bytecode::op::Register;
use ndscript_bytecode::{Constant, Op, StaticError};
use ndscript_syntax::ast::*;

impl Emitter<'_> {
    /// Emits an expression and returns the register that holds its value: its own if it is a variable in one,
    /// else a new one.
    pub fn operand(&mut self, expression: &Expression) -> Register {
        if let ExpressionKind::Name(name) = &expression.kind
            && let Some(register) = self.own_register(name)
        {
            return register;
        }
        let to = self.allocate(expression.span);
        self.into(expression, to);
        to
    }

    /// As `operand`, for an operand that is used after the `later` ones are evaluated: they must not change it.
    pub fn operand_before(&mut self, expression: &Expression, later: &[&[Expression]]) -> Register {
        if let ExpressionKind::Name(name) = &expression.kind
            && let Some(register) = self.own_register(name)
            && !self.is_changed(name, later)
        {
            return register;
        }
        let to = self.allocate(expression.span);
        self.into(expression, to);
        to
    }

    fn is_changed(&self, name: &Ident, by: &[&[Expression]]) -> bool {
        match self.resolution.meanings.get(&name.span.start) {
            Some(Meaning::Local(id)) => self.is_assigned(*id, by),
            _ => false,
        }
    }

    /// Whether some of the expressions assign a variable that lives in a register. Calls cannot: what inner functions
    /// assign lives in a box.
    pub fn is_assigned(&self, id: VariableId, by: &[&[Expression]]) -> bool {
        let is_meant = |name: &Ident| {
            self.resolution.meanings.get(&name.span.start).copied() == Some(Meaning::Local(id))
        };
        self.resolution.variables[id as usize].assigned_inside
            && by.iter().any(|expressions| assigns(expressions, &is_meant))
    }

    /// The registers of a base and of its one or two indexes, which are all used once `later` is there.
    pub fn indexed(
        &mut self,
        base: &Expression,
        indexes: &[Expression],
        later: &[Expression],
    ) -> (Register, [Register; 2]) {
        let base = self.operand_before(base, &[indexes, later]);
        (base, self.indexes(indexes, later))
    }

    pub fn indexes(&mut self, indexes: &[Expression], later: &[Expression]) -> [Register; 2] {
        let mut registers = [0; 2];
        for (at, index) in indexes.iter().enumerate().take(2) {
            registers[at] = self.operand_before(index, &[&indexes[at + 1..], later]);
        }
        registers
    }

    /// The register of a variable that lives in one and has its value.
    fn own_register(&mut self, name: &Ident) -> Option<Register> {
        let Some(Meaning::Local(id)) = self.resolution.meanings.get(&name.span.start).copied()
        else {
            return None;
        };
        if self.is_before_its_line(id, name.span) {
            return None;
        }
        match self.place(id)? {
            VariableAccess::Own(Location::Register(register)) => Some(register),
            _ => None,
        }
    }

    fn is_before_its_line(&mut self, id: VariableId, at: Span) -> bool {
        let number = self.state().number;
        let variable = &self.resolution.variables[id as usize];
        variable.lexical && variable.function == number && at.start < variable.initialised_at
    }

    /// Emits an expression whose value is not used.
    pub fn effect(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Assign {
                target,
                operator,
                value,
            } => {
                self.assignment(target, *operator, value, expression.span, None);
            }
            ExpressionKind::Update {
                target,
                increment,
                prefix,
            } => {
                self.update(target, *increment, *prefix, expression.span, None);
            }
            ExpressionKind::Fail(message) => self.fail(message.as_deref(), expression.span),
            _ => {
                self.operand(expression);
            }
        }
    }

    /// Emits an expression into a register.
    pub fn into(&mut self, expression: &Expression, to: Register) {
        let mark = self.mark();
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Null | ExpressionKind::Error => {
                self.op(Op::Null { to }, span);
            }
            ExpressionKind::Boolean(value) => self.load(Constant::Boolean(*value), to, span),
            ExpressionKind::Integer(value) => self.integer(*value, to, span),
            ExpressionKind::Float(value) => self.load(Constant::Float(*value), to, span),
            ExpressionKind::String(text) => self.load(Constant::Text(text.clone()), to, span),
            ExpressionKind::Template(parts) => self.template(parts, to, span),
            ExpressionKind::Name(name) => self.read(name, to),
            ExpressionKind::Array(elements) => self.array(elements, to, span),
            ExpressionKind::Object(fields) => self.object(fields, to, span),
            ExpressionKind::Function(function) => self.closure(function, to),
            ExpressionKind::Unary { operator, operand } => self.unary(*operator, operand, to, span),
            ExpressionKind::Chain { first, rest } => self.chain(first, rest, to),
            ExpressionKind::And(_) | ExpressionKind::Or(_) => {
                let unless = self.jumps_unless(expression);
                self.load(Constant::Boolean(true), to, span);
                let end = self.op(Op::Jump { target: 0 }, span);
                self.patch_all(unless);
                self.load(Constant::Boolean(false), to, span);
                self.patch(end);
            }
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let unless = self.jumps_unless(condition);
                self.release(mark);
                self.into(then, to);
                let end = self.op(Op::Jump { target: 0 }, span);
                self.patch_all(unless);
                self.release(mark);
                self.into(otherwise, to);
                self.patch(end);
            }
            ExpressionKind::Postfix { base, operations } => self.postfix(base, operations, to),
            ExpressionKind::Assign {
                target,
                operator,
                value,
            } => {
                self.assignment(target, *operator, value, span, Some(to));
            }
            ExpressionKind::Update {
                target,
                increment,
                prefix,
            } => {
                self.update(target, *increment, *prefix, span, Some(to));
            }
            ExpressionKind::Choose(alternatives) => {
                let table = self.begin_choice(true, alternatives.len(), span);
                let mut ends = Vec::new();
                for (at, alternative) in alternatives.iter().enumerate() {
                    self.begin_alternative(table, at, alternative.span);
                    self.into(alternative, to);
                    self.release(mark);
                    ends.push(self.op(Op::Jump { target: 0 }, span));
                }
                self.patch_all(ends);
            }
            ExpressionKind::Fail(message) => self.fail(message.as_deref(), span),
        }
        self.release(mark);
    }

    fn fail(&mut self, message: Option<&Expression>, span: Span) {
        if let Some(message) = message {
            let from = self.operand(message);
            self.op(Op::NoteMessage { from }, span);
        }
        self.op(Op::Fail {}, span);
    }

    pub fn load(&mut self, constant: Constant, to: Register, span: Span) {
        let index = self.constant(constant);
        self.op(Op::Constant { to, index }, span);
    }

    pub fn integer(&mut self, value: i64, to: Register, span: Span) {
        match i32::try_from(value) {
            Ok(value) => {
                self.op(Op::Integer { to, value }, span);
            }
            Err(_) => self.load(Constant::Integer(value), to, span),
        }
    }

    // Names.

    fn read(&mut self, name: &Ident, to: Register) {
        match self.resolution.meanings.get(&name.span.start).copied() {
            Some(Meaning::Local(id)) => self.read_local(id, to, name.span),
            Some(Meaning::Global(slot)) => self.read_global(slot, to, name.span),
            None => {}
        }
    }

    /// The built-in that a global's name means, if nothing in the program declares or assigns it.
    pub fn native_named(&self, slot: u32) -> Option<u32> {
        let global = &self.resolution.globals[slot as usize];
        if global.is_declared {
            None
        } else {
            global.native
        }
    }

    /// Emits a read of a global name: a variable, a built-in or a constant of the host.
    pub fn read_global(&mut self, slot: u32, to: Register, span: Span) {
        if let Some(native) = self.resolution.globals[slot as usize].native {
            self.require_prelude_functions_of(native);
        }
        if let Some(native) = self.native_named(slot) {
            self.op(Op::Native { to, native }, span);
            return;
        }
        if let Some(value) = self.host_constant_of_global(slot) {
            return self.host_constant(&value, to, span);
        }
        let global = &self.resolution.globals[slot as usize];
        let is_initialised = global.starts_null || global.function.is_some();
        self.op(
            if is_initialised {
                Op::GetGlobal { to, slot }
            } else {
                Op::GetGlobalChecked { to, slot }
            },
            span,
        );
    }

    /// Emits a read of a local variable, wherever it is stored.
    pub fn read_local(&mut self, id: VariableId, to: Register, span: Span) {
        if self.is_before_its_line(id, span) {
            return self.complain(
                StaticError::BeforeItsLine(self.resolution.variables[id as usize].name.clone()),
                span,
            );
        }
        let (name, checked) = {
            let variable = &self.resolution.variables[id as usize];
            (
                variable.name.clone(),
                variable.lexical && variable.captured_early,
            )
        };
        // Only messages need the name.
        let name = if checked { self.text(&name) } else { 0 };
        match self.place(id) {
            Some(VariableAccess::Own(Location::Register(from))) => {
                // A write to a variable of the top level is reported, whatever the value.
                if from != to || self.is_top_level(to) {
                    self.op(Op::Move { to, from }, span);
                }
            }
            Some(VariableAccess::Own(Location::Box(from))) => {
                self.op(
                    if checked {
                        Op::GetBoxChecked { to, from, name }
                    } else {
                        Op::GetBox { to, from }
                    },
                    span,
                );
            }
            Some(VariableAccess::Own(Location::Spilled(index))) => {
                let from = self.spill_array_register();
                self.op(Op::GetSpilled { to, from, index }, span);
            }
            Some(VariableAccess::Own(Location::SpilledBox(index))) => {
                let from = self.spill_array_register();
                self.op(Op::GetSpilled { to, from, index }, span);
                self.op(
                    if checked {
                        Op::GetBoxChecked { to, from: to, name }
                    } else {
                        Op::GetBox { to, from: to }
                    },
                    span,
                );
            }
            Some(VariableAccess::Captured {
                index,
                boxed: false,
            }) => {
                self.op(Op::GetCaptured { to, index }, span);
            }
            Some(VariableAccess::Captured { index, boxed: true }) => {
                let op = if checked {
                    Op::GetCapturedBoxChecked { to, index }
                } else {
                    Op::GetCapturedBox { to, index }
                };
                self.op(op, span);
            }
            None => self.complain(
                StaticError::BeforeItsLine(self.resolution.variables[id as usize].name.clone()),
                span,
            ),
        }
    }

    pub fn spill_array_register(&mut self) -> Register {
        self.state().spill.unwrap_or_default()
    }

    pub fn complain(&mut self, complaint: StaticError, span: Span) {
        let complaints = &mut self.state().function.complaints;
        complaints.push(complaint);
        let complaint = complaints.len() as u32 - 1;
        self.op(Op::Throw { complaint }, span);
    }

    // Literals.

    fn array(&mut self, elements: &[Expression], to: Register, span: Span) {
        let first = self.mark() as Register;
        if elements.len() <= PIECE && !self.is_crowded() {
            for element in elements {
                let register = self.allocate(element.span);
                self.into(element, register);
            }
            self.op(
                Op::NewArray {
                    to,
                    first,
                    count: elements.len() as u32,
                },
                span,
            );
            return;
        }
        // In pieces, in a register of its own: `to` may be a variable that the elements use.
        let array = self.allocate(span);
        self.op(
            Op::NewArray {
                to: array,
                first: array,
                count: 0,
            },
            span,
        );
        self.append_all(elements, array);
        self.op(Op::Move { to, from: array }, span);
    }

    /// Appends expressions to the array in a register, a piece at a time.
    pub fn append_all(&mut self, elements: &[Expression], array: Register) {
        let size = if self.is_crowded() { 1 } else { PIECE };
        for piece in elements.chunks(size) {
            let mark = self.mark();
            for element in piece {
                let register = self.allocate(element.span);
                self.into(element, register);
            }
            let span = piece[0].span.to(piece[piece.len() - 1].span);
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
    }

    fn object(&mut self, fields: &[ObjectField], to: Register, span: Span) {
        let object = self.allocate(span);
        self.op(
            Op::NewObject {
                to: object,
                fields: fields.len() as u32,
            },
            span,
        );
        for field in fields {
            let mark = self.mark();
            let from = self.operand(&field.value);
            let key = self.text(&field.key);
            self.op(Op::PutField { object, from, key }, field.key_span);
            self.release(mark);
        }
        self.op(Op::Move { to, from: object }, span);
    }

    /// Emits a template string: its parts in registers in a row, which one instruction joins.
    fn template(&mut self, parts: &[TemplatePart], to: Register, span: Span) {
        let first = self.mark() as Register;
        // A part becomes text when it is reached: what a later one changes must not show in it.
        let is_effect =
            |part: &TemplatePart| matches!(part, TemplatePart::Expression(e) if !is_plain(e));
        let last_effect = parts.iter().rposition(is_effect).unwrap_or(0);
        for (at, part) in parts.iter().enumerate() {
            // The parts so far are joined into one text before the registers run out.
            if at > 0 && at % PIECE == 0 {
                let count = (self.mark() - first as u16) as u32;
                self.op(
                    Op::Concatenate {
                        to: first,
                        first,
                        count,
                    },
                    span,
                );
                self.release(first as u16 + 1);
            }
            let register = self.allocate(span);
            match part {
                TemplatePart::Text(text) => self.load(Constant::Text(text.clone()), register, span),
                TemplatePart::Expression(expression) => {
                    self.into(expression, register);
                    if at < last_effect {
                        self.op(
                            Op::Concatenate {
                                to: register,
                                first: register,
                                count: 1,
                            },
                            expression.span,
                        );
                    }
                }
            }
        }
        let count = (self.mark() - first as u16) as u32;
        self.op(Op::Concatenate { to, first, count }, span);
    }

    // Operators.

    fn unary(&mut self, operator: UnaryOperator, operand: &Expression, to: Register, span: Span) {
        match (operator, &operand.kind) {
            (UnaryOperator::Negate, ExpressionKind::Integer(value)) => {
                self.integer(-*value, to, span)
            }
            (UnaryOperator::Negate, ExpressionKind::Float(value)) => {
                self.load(Constant::Float(-*value), to, span)
            }
            _ => {
                let from = self.operand(operand);
                let op = match operator {
                    UnaryOperator::Negate => Op::Negate { to, from },
                    UnaryOperator::Plus => Op::Plus { to, from },
                    UnaryOperator::Not => Op::Not { to, from },
                };
                self.op(op, span);
            }
        }
    }

    /// Emits a chain of operators of equal precedence, from left to right.
    fn chain(&mut self, first: &Expression, rest: &[ChainLink], to: Register) {
        let Some(last) = rest.len().checked_sub(1) else {
            return self.into(first, to);
        };
        let mut span = first.span;
        // The register of the result so far, the one for intermediate results, and how many operators are done.
        let (mut a, mut intermediate, done) =
            match literal_before(first, &rest[0], |part| self.number(part)) {
                Some(literal) => {
                    span = span.to(rest[0].operand.span);
                    let result = if last == 0 { to } else { self.allocate(span) };
                    self.literal_first(literal, &rest[0].operand, result, span);
                    (result, Some(result), 1)
                }
                None => (
                    self.operand_before(first, &[slice::from_ref(&rest[0].operand)]),
                    None,
                    0,
                ),
            };
        for (at, link) in rest.iter().enumerate().skip(done) {
            span = span.to(link.operand.span);
            let result = if at == last {
                to
            } else {
                *intermediate.get_or_insert_with(|| {
                    if a as u16 >= self.state().variables_end {
                        a
                    } else {
                        u8::MAX
                    }
                })
            };
            let result = if result == u8::MAX {
                let register = self.allocate(span);
                intermediate = Some(register);
                register
            } else {
                result
            };
            let mark = self.mark();
            if at == 0 && is_same_name(first, &link.operand) {
                self.binary_of(link.operator, result, a, a, span);
            } else {
                self.binary(link.operator, result, a, &link.operand, span);
            }
            self.release(mark);
            a = result;
        }
    }

    /// `R[to] := literal operator operand`, where an instruction contains the literal
    fn literal_first(&mut self, literal: Literal, operand: &Expression, to: Register, span: Span) {
        let mark = self.mark();
        let b = self.operand(operand);
        let op = match literal {
            Literal::Minus(value) => Op::IntegerMinus { to, b, value },
            Literal::Times(value) => Op::IntegerTimes { to, b, value },
            Literal::ConstantTimes(constant) => Op::ConstantTimes {
                to,
                b,
                index: self.constant(constant),
            },
        };
        self.op(op, span);
        self.release(mark);
    }

    /// `R[to] := R[a] operator operand`
    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        to: Register,
        a: Register,
        operand: &Expression,
        span: Span,
    ) {
        use BinaryOperator::*;
        let number = self.number(operand);
        if let Some(Constant::Integer(value)) = number
            && let Ok(value) = i32::try_from(value)
        {
            let op = match operator {
                Add => Some(Op::AddInteger { to, a, value }),
                Subtract => Some(Op::SubtractInteger { to, a, value }),
                Multiply => Some(Op::MultiplyInteger { to, a, value }),
                Increment => Some(Op::Increment { to, a }),
                Divide if value != 0 => Some(Op::DivideInteger { to, a, value }),
                Remainder if value != 0 => Some(Op::RemainderInteger { to, a, value }),
                _ => None,
            };
            if let Some(op) = op {
                self.op(op, span);
                return;
            }
        }
        if matches!(operator, Add | Subtract | Multiply)
            && let Some(constant) = number
        {
            let index = self.constant(constant);
            let op = match operator {
                Add => Op::AddConstant { to, a, index },
                Subtract => Op::SubtractConstant { to, a, index },
                _ => Op::MultiplyConstant { to, a, index },
            };
            self.op(op, span);
            return;
        }
        let b = self.operand(operand);
        self.binary_of(operator, to, a, b, span);
    }

    /// `R[to] := R[a] operator R[b]`
    fn binary_of(
        &mut self,
        operator: BinaryOperator,
        to: Register,
        a: Register,
        b: Register,
        span: Span,
    ) {
        use BinaryOperator::*;
        let op = match operator {
            Add => Op::Add { to, a, b },
            Subtract => Op::Subtract { to, a, b },
            Multiply => Op::Multiply { to, a, b },
            Divide => Op::Divide { to, a, b },
            Remainder => Op::Remainder { to, a, b },
            Increment => Op::Increment { to, a },
            Equal => Op::Equal { to, a, b },
            NotEqual => Op::NotEqual { to, a, b },
            Less => Op::Less { to, a, b },
            LessEqual => Op::LessEqual { to, a, b },
            Greater => Op::Less { to, a: b, b: a },
            GreaterEqual => Op::LessEqual { to, a: b, b: a },
        };
        self.op(op, span);
    }
}

/// Whether both are one variable, which is then read once.
fn is_same_name(a: &Expression, b: &Expression) -> bool {
    matches!((&a.kind, &b.kind), (ExpressionKind::Name(a), ExpressionKind::Name(b)) if a.name == b.name)
}

/// Whether evaluating an expression changes nothing and calls nothing, so that it may be moved past a read.
pub(crate) fn is_plain(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Null
        | ExpressionKind::Boolean(_)
        | ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::String(_)
        | ExpressionKind::Name(_) => true,
        ExpressionKind::Unary { operand, .. } => is_plain(operand),
        ExpressionKind::Chain { first, rest } => {
            is_plain(first) && rest.len() < 16 && rest.iter().all(|link| is_plain(&link.operand))
        }
        _ => false,
    }
}
