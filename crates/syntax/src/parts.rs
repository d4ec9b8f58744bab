//! The parts of the nodes of a tree, one level down, so that a walk names only what it looks for.

use super::ast::*;

/// A direct part of a statement.
#[derive(Clone, Copy, Debug)]
pub enum StatementPart<'a> {
    /// A condition, a value, a collection.
    Expression(&'a Expression),
    /// A body, or one of several statements.
    Statement(&'a Statement),
}

impl Statement {
    /// Hands over what stands directly in the statement, in the order of the text. A function stands by itself.
    ///
    /// ```
    /// use ndscript::syntax::parts::StatementPart;
    ///
    /// let script = ndscript::syntax::parse("while (rest > 0) { rest--; }", 0).unwrap();
    /// let (mut expressions, mut statements) = (0, 0);
    /// script.statements[0].each_part(&mut |part| match part {
    ///     StatementPart::Expression(_) => expressions += 1,
    ///     StatementPart::Statement(_) => statements += 1,
    /// });
    /// assert_eq!((expressions, statements), (1, 1));
    /// ```
    pub fn each_part<'a>(&'a self, visit: &mut dyn FnMut(StatementPart<'a>)) {
        use StatementPart as Part;
        match &self.kind {
            StatementKind::Empty
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Function(_)
            | StatementKind::Import { .. } => {}
            StatementKind::Expression(expression) => visit(Part::Expression(expression)),
            StatementKind::Declare { declarators, .. } => {
                declarators
                    .iter()
                    .flat_map(|declarator| &declarator.value)
                    .for_each(|value| visit(Part::Expression(value)));
            }
            StatementKind::Block(statements)
            | StatementKind::Choose {
                alternatives: statements,
                ..
            } => {
                statements
                    .iter()
                    .for_each(|statement| visit(Part::Statement(statement)));
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    visit(Part::Expression(condition));
                    visit(Part::Statement(body));
                }
                otherwise
                    .iter()
                    .for_each(|body| visit(Part::Statement(body)));
            }
            StatementKind::While { condition, body } => {
                visit(Part::Expression(condition));
                visit(Part::Statement(body));
            }
            StatementKind::For {
                initial,
                condition,
                step,
                body,
            } => {
                initial
                    .iter()
                    .for_each(|initial| visit(Part::Statement(initial)));
                condition
                    .iter()
                    .chain(step)
                    .for_each(|each| visit(Part::Expression(each)));
                visit(Part::Statement(body));
            }
            StatementKind::Foreach {
                collection, body, ..
            } => {
                visit(Part::Expression(collection));
                visit(Part::Statement(body));
            }
            StatementKind::Return(value) => value
                .iter()
                .for_each(|value| visit(Part::Expression(value))),
        }
    }
}

impl Expression {
    /// Calls `visit` with the direct subexpressions, in the order of the text. The body of a function is not evaluated
    /// with it, so it is no part.
    ///
    /// ```
    /// use ndscript::syntax::ast::{Expression, ExpressionKind, StatementKind};
    ///
    /// fn names(expression: &Expression, found: &mut Vec<String>) {
    ///     if let ExpressionKind::Name(name) = &expression.kind {
    ///         found.push(name.name.to_string());
    ///     }
    ///     expression.each_part(&mut |part| names(part, found));
    /// }
    ///
    /// let script = ndscript::syntax::parse("a + f(b, x => c);", 0).unwrap();
    /// let StatementKind::Expression(sum) = &script.statements[0].kind else { panic!("it is an expression") };
    /// let mut found = Vec::new();
    /// names(sum, &mut found);
    /// assert_eq!(found, ["a", "f", "b"]);
    /// ```
    pub fn each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        match &self.kind {
            ExpressionKind::Null
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::String(_)
            | ExpressionKind::Name(_)
            | ExpressionKind::Function(_)
            | ExpressionKind::Error => {}
            ExpressionKind::Template(parts) => {
                for part in parts {
                    if let TemplatePart::Expression(part) = part {
                        visit(part);
                    }
                }
            }
            ExpressionKind::Array(parts)
            | ExpressionKind::And(parts)
            | ExpressionKind::Or(parts)
            | ExpressionKind::Choose(parts) => parts.iter().for_each(visit),
            ExpressionKind::Object(fields) => fields.iter().for_each(|field| visit(&field.value)),
            ExpressionKind::Fail(message) => message.iter().for_each(|message| visit(message)),
            ExpressionKind::Unary { operand, .. } => visit(operand),
            ExpressionKind::Chain { first, rest } => {
                visit(first);
                rest.iter().for_each(|link| visit(&link.operand));
            }
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                [condition, then, otherwise]
                    .into_iter()
                    .for_each(|part| visit(part));
            }
            ExpressionKind::Postfix { base, operations } => {
                visit(base);
                operations
                    .iter()
                    .for_each(|operation| operation.each_part(visit));
            }
            ExpressionKind::Assign { target, value, .. } => {
                target.each_part(visit);
                visit(value);
            }
            ExpressionKind::Update { target, .. } => target.each_part(visit),
        }
    }
}

impl Postfix {
    /// Hands over the arguments or indexes.
    pub fn each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        match &self.kind {
            PostfixKind::Call(parts) | PostfixKind::Index(parts) => parts.iter().for_each(visit),
            PostfixKind::Field(_) => {}
        }
    }
}

impl Target {
    /// Hands over what is evaluated to find the place that is assigned to.
    pub fn each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        match self {
            Target::Name(_) => {}
            Target::Field { object, .. } => visit(object),
            Target::Index {
                object, indexes, ..
            } => {
                visit(object);
                indexes.iter().for_each(visit);
            }
        }
    }
}
