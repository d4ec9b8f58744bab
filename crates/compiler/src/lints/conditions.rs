//! Conditions where something has to be done: the result of a function that runs for what it does.

use ndscript_base::diagnostics::Diagnostic;
use ndscript_syntax::ast::*;

use super::Walk;

impl<'a> Walk<'a> {
    /// `constrain(b, null, () => b[0] != b[1])`: nobody looks at the result.
    pub(super) fn conditions_as_rules(&mut self, call: &'a Expression) {
        let Some((built_in, arguments)) = self.built_in(call) else {
            return;
        };
        if !built_in.facts.drops_result {
            return;
        }
        let functions = arguments
            .iter()
            .filter_map(|argument| match &argument.kind {
                ExpressionKind::Function(function) => Some(&function.body),
                _ => None,
            });
        let name = &built_in.name;
        for body in functions {
            if let FunctionBody::Expression(value) = body
                && is_condition(value)
            {
                self.found.push(
                    Diagnostic::warning("nothing comes of this condition".to_string(), value.span)
                        .with_label(format!("`{name}` runs the function for what it does"))
                        .with_hint(
                            "it fails by `require(condition)` or `fail`, and takes candidates away by `narrow(b, place, values)`",
                        ),
                );
            }
        }
    }
}

/// Whether an expression only says that something is so or not.
fn is_condition(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Unary { operator, .. } => *operator == UnaryOperator::Not,
        ExpressionKind::Chain { rest, .. } => rest.iter().any(|link| link.operator.compares()),
        ExpressionKind::And(parts) | ExpressionKind::Or(parts) => parts.iter().all(is_condition),
        _ => false,
    }
}
