//! Calls, indexing and fields.

use std::slice;

use super::function::MOST_PARAMETERS;
use super::host_constant::value_at_fields;
use super::{Emitter, PIECE};
use crate::resolve::meaning::Meaning;
use ndscript_base::source::Span;
use ndscript_bytecode::op::Register;
use ndscript_bytecode::{Form, Op, Shortcut, StaticError};
use ndscript_syntax::ast::*;

/// The function that a call reaches, as far as it is known.
enum Callee {
    Known(u32),
    Native(u32),
    Any,
}

impl Emitter<'_> {
    /// A base followed by calls, indexes and fields.
    pub fn postfix(&mut self, base: &Expression, operations: &[Postfix], to: Register) {
        let mut current: Option<Register> = None;
        let mut operations = operations;
        let outer = self.mark();
        if let Some(root) = self.host_constant_named_by(base) {
            let (value, used) = value_at_fields(&root, operations);
            if used == operations.len() {
                return self.host_constant(value, to, base.span);
            }
            let register = self.allocate(base.span);
            self.host_constant(value, register, base.span);
            current = Some(register);
            operations = &operations[used..];
        }
        let Some(last) = operations.len().checked_sub(1) else {
            return self.into(base, to);
        };
        for (at, operation) in operations.iter().enumerate() {
            let mark = self.mark();
            // Intermediate results get a register of their own: `to` may be a variable that is still read.
            let result = if at == last {
                to
            } else {
                match current {
                    Some(register) if register as u16 >= self.state().variables_end => register,
                    _ => self.allocate(operation.span),
                }
            };
            let inner = self.mark();
            match &operation.kind {
                PostfixKind::Call(arguments) => match current {
                    None => self.call(base, arguments, operation.span, result),
                    Some(function) => {
                        self.call_value(Some(function), base, arguments, operation.span, result)
                    }
                },
                PostfixKind::Index(indexes) => {
                    let (from, registers) = match current {
                        Some(register) => (register, self.indexes(indexes, &[])),
                        None => self.indexed(base, indexes, &[]),
                    };
                    self.get_index(result, from, registers, indexes.len(), operation.span);
                }
                PostfixKind::Field(field) => {
                    let object = match current {
                        Some(register) => register,
                        None => self.operand(base),
                    };
                    let key = self.text(&field.name);
                    let op = match &*field.name {
                        "x" => Op::GetCoordinate {
                            to: result,
                            object,
                            vertical: 0,
                            key,
                        },
                        "y" => Op::GetCoordinate {
                            to: result,
                            object,
                            vertical: 1,
                            key,
                        },
                        _ => Op::GetField {
                            to: result,
                            object,
                            key,
                        },
                    };
                    self.op(op, operation.span);
                }
            }
            self.release(if at == last { mark } else { inner });
            current = Some(result);
        }
        self.release(outer);
    }

    /// What a call calls, as far as it is certain before the program runs.
    fn callee(&mut self, base: &Expression) -> Callee {
        if let ExpressionKind::Name(name) = &base.kind
            && let Some(Meaning::Global(slot)) =
                self.resolution.meanings.get(&name.span.start).copied()
        {
            if let Some(number) = self.known.get(&slot) {
                return Callee::Known(*number);
            }
            if let Some(native) = self.native_named(slot) {
                return Callee::Native(native);
            }
        }
        Callee::Any
    }

    /// Emits a call, by the shortest way that its callee allows.
    fn call(&mut self, base: &Expression, arguments: &[Expression], span: Span, to: Register) {
        let given = arguments.len() as u32;
        match self.callee(base) {
            Callee::Native(native) => {
                if !self.signatures.get(native).accepts(given) {
                    return self.wrong_arguments(
                        arguments,
                        StaticError::NativeArguments { native, given },
                        span,
                    );
                }
                if self.is_long(arguments) || self.signatures.get(native).calls_back {
                    return self.call_value(None, base, arguments, span, to);
                }
                if let Some(function) = self.signatures.get(native).script_for(given) {
                    self.require_prelude_function(function);
                    return self.call_known(function, arguments, 0, span, to);
                }
                if let [collection] = arguments
                    && self.signatures.get(native).facts.form == Some(Form::ChooseElement)
                {
                    return self.choose_element(collection, span, to);
                }
                if let Some(call) = self.signatures.get(native).shortcut_for(given)
                    && let Ok(native) = u16::try_from(native)
                {
                    return self.shortcut(call, native, arguments, span, to);
                }
                let first = self.allocate(span);
                self.arguments(arguments);
                let is_late = !self.signatures.get(native).computes && self.is_top_level(to);
                let result = if is_late { first } else { to };
                self.op(
                    Op::CallNative {
                        base: first,
                        to: result,
                        arguments: given as u8,
                        native,
                    },
                    span,
                );
                self.take_result(result, to, span);
            }
            Callee::Known(function) => {
                let called = &self.code.functions[function as usize];
                let most = called.parameters.len();
                if !called.accepts(arguments.len()) {
                    return self.wrong_arguments(
                        arguments,
                        StaticError::Arguments { function, given },
                        span,
                    );
                }
                if most > PIECE.min(MOST_PARAMETERS) || self.is_crowded() {
                    return self.call_value(None, base, arguments, span, to);
                }
                self.call_known(function, arguments, most - arguments.len(), span, to);
            }
            Callee::Any => self.call_value(None, base, arguments, span, to),
        }
    }

    /// Chooses an element of a collection; that of a `range` need not be made for it.
    fn choose_element(&mut self, collection: &Expression, span: Span, to: Register) {
        let base = self.allocate(span);
        let at = self.allocate(collection.span);
        let result = if self.is_top_level(to) { base } else { to };
        if self.range_bounds(collection, at) {
            self.op(Op::ChooseRange { base, to: result }, span);
        } else {
            self.into(collection, at);
            self.op(Op::ChooseElement { base, to: result }, span);
        }
        self.take_result(result, to, span);
    }

    /// Calls a built-in that the main loop may carry out itself. Its arguments stay in their registers.
    fn shortcut(
        &mut self,
        call: Shortcut,
        native: u16,
        arguments: &[Expression],
        span: Span,
        to: Register,
    ) {
        let (a, b) = match arguments {
            [one] => {
                let a = self.operand(one);
                (a, a)
            }
            [one, other, ..] => {
                let a = self.operand_before(one, &[slice::from_ref(other)]);
                (a, self.operand(other))
            }
            [] => (to, to),
        };
        self.op(
            match call {
                Shortcut::Push => Op::Push { to, a, b, native },
                _ if call.is_remembered() => Op::SetOperation {
                    call,
                    to,
                    a,
                    b,
                    native,
                },
                _ => Op::Shortcut {
                    call,
                    to,
                    a,
                    b,
                    native,
                },
            },
            span,
        );
    }

    /// Emits a call of a function of the program; `left_out` arguments after the others get their defaults.
    fn call_known(
        &mut self,
        function: u32,
        arguments: &[Expression],
        left_out: usize,
        span: Span,
        to: Register,
    ) {
        let first = self.call_base(span, to);
        self.arguments(arguments);
        for _ in 0..left_out {
            let register = self.allocate(span);
            self.op(Op::LeaveOut { to: register }, span);
        }
        let count = arguments.len() + left_out;
        self.op(
            Op::CallKnown {
                base: first,
                arguments: count as u8,
                entry: function,
            },
            span,
        );
        self.take_result(first, to, span);
    }

    fn wrong_arguments(&mut self, arguments: &[Expression], complaint: StaticError, span: Span) {
        // The effects of the arguments come before the failing call.
        for argument in arguments {
            let mark = self.mark();
            self.operand(argument);
            self.release(mark);
        }
        self.complain(complaint, span);
    }

    fn is_long(&mut self, arguments: &[Expression]) -> bool {
        arguments.len() > PIECE || self.is_crowded()
    }

    /// The register below the arguments, where the result comes: the wanted one if it is free.
    fn call_base(&mut self, span: Span, to: Register) -> Register {
        if self.is_top_temporary(to) {
            to
        } else {
            self.allocate(span)
        }
    }

    fn take_result(&mut self, from: Register, to: Register, span: Span) {
        if from != to {
            self.op(Op::Move { to, from }, span);
        }
    }

    fn arguments(&mut self, arguments: &[Expression]) {
        for argument in arguments {
            let register = self.allocate(argument.span);
            self.into(argument, register);
        }
    }

    /// Calls a function that is any value.
    fn call_value(
        &mut self,
        function: Option<Register>,
        base: &Expression,
        arguments: &[Expression],
        span: Span,
        to: Register,
    ) {
        let first = if function == Some(to) {
            self.allocate(span)
        } else {
            self.call_base(span, to)
        };
        match function {
            Some(from) => {
                self.op(Op::Move { to: first, from }, span);
            }
            None => self.into(base, first),
        }
        if self.is_long(arguments) {
            let list = self.allocate(span);
            self.op(
                Op::NewArray {
                    to: list,
                    first: list,
                    count: 0,
                },
                span,
            );
            self.append_all(arguments, list);
            self.op(Op::CallWithList { base: first }, span);
        } else {
            self.arguments(arguments);
            self.op(
                Op::Call {
                    base: first,
                    arguments: arguments.len() as u8,
                },
                span,
            );
        }
        if let (None, ExpressionKind::Name(name)) = (function, &base.kind)
            && self.signatures.find(&name.name, false).is_some()
        {
            let call = self.here() - 1;
            self.state().function.hiding.push((call, name.name.clone()));
        }
        self.take_result(first, to, span);
    }

    /// Whether a collection is a built-in's result that nothing else can refer to, so that a loop need not copy it.
    pub fn is_fresh(&mut self, collection: &Expression) -> bool {
        let ExpressionKind::Postfix { base, operations } = &collection.kind else {
            return false;
        };
        let [
            Postfix {
                kind: PostfixKind::Call(_),
                ..
            },
        ] = &operations[..]
        else {
            return false;
        };
        match self.callee(base) {
            Callee::Native(native) => self.signatures.get(native).fresh,
            _ => false,
        }
    }

    /// Begins a loop over `neighborsOf(p, g)` or `neighbors8Of(p, g)` without an array, from register `at` on; false for
    /// anything else.
    pub fn neighbors_begin(&mut self, collection: &Expression, at: Register) -> bool {
        let ExpressionKind::Postfix { base, operations } = &collection.kind else {
            return false;
        };
        let [
            Postfix {
                kind: PostfixKind::Call(arguments),
                span,
            },
        ] = &operations[..]
        else {
            return false;
        };
        let Callee::Native(native) = self.callee(base) else {
            return false;
        };
        let eight = match self.signatures.get(native).facts.form {
            Some(Form::Neighbors) => 0,
            Some(Form::Neighbors8) => 1,
            _ => return false,
        };
        let [position, grid] = &arguments[..] else {
            return false;
        };
        self.into(position, at);
        let from = self.allocate(grid.span);
        self.into(grid, from);
        self.op(Op::NeighborsBegin { at, eight }, *span);
        true
    }

    /// Emits the bounds of `range(n)` or `range(a, b)` into two registers from `at` on; false for anything else.
    pub fn range_bounds(&mut self, collection: &Expression, at: Register) -> bool {
        let ExpressionKind::Postfix { base, operations } = &collection.kind else {
            return false;
        };
        let [
            Postfix {
                kind: PostfixKind::Call(arguments),
                ..
            },
        ] = &operations[..]
        else {
            return false;
        };
        let Callee::Native(native) = self.callee(base) else {
            return false;
        };
        if self.signatures.get(native).facts.form != Some(Form::Range) {
            return false;
        }
        match &arguments[..] {
            [bound] => {
                self.op(Op::Integer { to: at, value: 0 }, collection.span);
                let to = self.allocate(bound.span);
                self.into(bound, to);
            }
            [from, bound] => {
                self.into(from, at);
                let to = self.allocate(bound.span);
                self.into(bound, to);
            }
            _ => return false,
        }
        self.op(Op::RangeBegin { at }, collection.span);
        true
    }
}
