//! Moves a tree to another place in the line of all texts.

use std::sync::Arc;

use super::ast::*;
use ndscript_base::source::Span;

/// The distance that places move. It wraps around, so that they can move to the left.
#[derive(Clone, Copy)]
pub struct Shift(pub u32);

impl Shift {
    pub fn statements(self, statements: &mut [Statement]) {
        // Nothing to do is the usual case: all before a change stays where it is, and need not be copied.
        if self.0 != 0 {
            self.each(statements, Shift::statement);
        }
    }

    fn each<T>(self, all: &mut [T], shift: fn(Shift, &mut T)) {
        all.iter_mut().for_each(|one| shift(self, one));
    }

    fn span(self, span: &mut Span) {
        span.start = span.start.wrapping_add(self.0);
        span.end = span.end.wrapping_add(self.0);
    }

    fn ident(self, ident: &mut Ident) {
        self.span(&mut ident.span);
    }

    fn statement(self, statement: &mut Statement) {
        self.span(&mut statement.span);
        match &mut statement.kind {
            StatementKind::Empty | StatementKind::Break | StatementKind::Continue => {}
            StatementKind::Expression(e) => self.expression(e),
            StatementKind::Declare { declarators, .. } => {
                for declarator in declarators {
                    self.ident(&mut declarator.name);
                    self.each(declarator.value.as_mut_slice(), Shift::expression);
                }
            }
            StatementKind::Function(function) => self.function(function),
            StatementKind::Block(statements)
            | StatementKind::Choose {
                alternatives: statements,
                ..
            } => self.each(statements, Shift::statement),
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.expression(condition);
                    self.statement(body);
                }
                otherwise.iter_mut().for_each(|body| self.statement(body));
            }
            StatementKind::While { condition, body } => {
                self.expression(condition);
                self.statement(body);
            }
            StatementKind::For {
                initial,
                condition,
                step,
                body,
            } => {
                initial
                    .iter_mut()
                    .for_each(|initial| self.statement(initial));
                let heads = condition.iter_mut().chain(step);
                heads.for_each(|head| self.expression(head));
                self.statement(body);
            }
            StatementKind::Foreach {
                name,
                collection,
                body,
            } => {
                self.ident(name);
                self.expression(collection);
                self.statement(body);
            }
            StatementKind::Return(value) => self.each(value.as_mut_slice(), Shift::expression),
            StatementKind::Import {
                path_span, name, ..
            } => {
                self.span(path_span);
                self.each(name.as_mut_slice(), Shift::ident);
            }
        }
    }

    fn function(self, function: &mut Arc<Function>) {
        let function = Arc::make_mut(function);
        self.span(&mut function.span);
        self.each(function.name.as_mut_slice(), Shift::ident);
        for parameter in &mut function.parameters {
            self.ident(&mut parameter.name);
            self.each(parameter.default.as_mut_slice(), Shift::expression);
        }
        match &mut function.body {
            FunctionBody::Block(statements) => self.each(statements, Shift::statement),
            FunctionBody::Expression(e) => self.expression(e),
        }
    }

    fn expression(self, expression: &mut Expression) {
        self.span(&mut expression.span);
        match &mut expression.kind {
            ExpressionKind::Null
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::String(_)
            | ExpressionKind::Error => {}
            ExpressionKind::Template(parts) => {
                for part in parts {
                    if let TemplatePart::Expression(part) = part {
                        self.expression(part);
                    }
                }
            }
            ExpressionKind::Name(name) => self.ident(name),
            ExpressionKind::Array(parts)
            | ExpressionKind::And(parts)
            | ExpressionKind::Or(parts)
            | ExpressionKind::Choose(parts) => self.each(parts, Shift::expression),
            ExpressionKind::Object(fields) => {
                for field in fields {
                    self.span(&mut field.key_span);
                    self.expression(&mut field.value);
                }
            }
            ExpressionKind::Function(function) => self.function(function),
            ExpressionKind::Unary { operand, .. } => self.expression(operand),
            ExpressionKind::Chain { first, rest } => {
                self.expression(first);
                for link in rest {
                    self.span(&mut link.operator_span);
                    self.expression(&mut link.operand);
                }
            }
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            } => [condition, then, otherwise]
                .into_iter()
                .for_each(|part| self.expression(part)),
            ExpressionKind::Postfix { base, operations } => {
                self.expression(base);
                for operation in operations {
                    self.span(&mut operation.span);
                    match &mut operation.kind {
                        PostfixKind::Call(parts) | PostfixKind::Index(parts) => {
                            self.each(parts, Shift::expression);
                        }
                        PostfixKind::Field(field) => self.ident(field),
                    }
                }
            }
            ExpressionKind::Assign { target, value, .. } => {
                self.target(target);
                self.expression(value);
            }
            ExpressionKind::Update { target, .. } => self.target(target),
            ExpressionKind::Fail(message) => {
                message
                    .iter_mut()
                    .for_each(|message| self.expression(message));
            }
        }
    }

    fn target(self, target: &mut Target) {
        match target {
            Target::Name(name) => self.ident(name),
            Target::Field {
                object,
                field,
                span,
            } => {
                self.expression(object);
                self.ident(field);
                self.span(span);
            }
            Target::Index {
                object,
                indexes,
                span,
            } => {
                self.expression(object);
                self.each(indexes, Shift::expression);
                self.span(span);
            }
        }
    }
}
