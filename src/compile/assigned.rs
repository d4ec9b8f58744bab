//! What expressions assign.

use crate::syntax::ast::*;

/// Whether evaluating some of the expressions assigns a name that the test picks out. What functions in them assign when
/// they are called does not count.
pub(super) fn assigns(expressions: &[Expression], is_meant: &dyn Fn(&Ident) -> bool) -> bool {
    expressions.iter().any(|expression| assigns_one(expression, is_meant))
}

fn assigns_one(expression: &Expression, is_meant: &dyn Fn(&Ident) -> bool) -> bool {
    match &expression.kind {
        ExpressionKind::Null
        | ExpressionKind::Boolean(_)
        | ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::String(_)
        | ExpressionKind::Name(_)
        | ExpressionKind::Function(_)
        | ExpressionKind::Error => false,
        ExpressionKind::Fail(message) => message.as_ref().is_some_and(|message| assigns_one(message, is_meant)),
        ExpressionKind::Template(parts) => parts.iter().any(|part| match part {
            TemplatePart::Text(_) => false,
            TemplatePart::Expression(part) => assigns_one(part, is_meant),
        }),
        ExpressionKind::Array(all)
        | ExpressionKind::And(all)
        | ExpressionKind::Or(all)
        | ExpressionKind::Choose(all) => assigns(all, is_meant),
        ExpressionKind::Object(fields) => fields.iter().any(|field| assigns_one(&field.value, is_meant)),
        ExpressionKind::Unary { operand, .. } => assigns_one(operand, is_meant),
        ExpressionKind::Chain { first, rest } => {
            assigns_one(first, is_meant) || rest.iter().any(|link| assigns_one(&link.operand, is_meant))
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().any(|part| assigns_one(part, is_meant))
        }
        ExpressionKind::Postfix { base, operations } => {
            assigns_one(base, is_meant)
                || operations.iter().any(|operation| match &operation.kind {
                    PostfixKind::Call(parts) | PostfixKind::Index(parts) => assigns(parts, is_meant),
                    PostfixKind::Field(_) => false,
                })
        }
        ExpressionKind::Assign { target, value, .. } => {
            assigns_target(target, is_meant) || assigns_one(value, is_meant)
        }
        ExpressionKind::Update { target, .. } => assigns_target(target, is_meant),
    }
}

fn assigns_target(target: &Target, is_meant: &dyn Fn(&Ident) -> bool) -> bool {
    match target {
        Target::Name(name) => is_meant(name),
        Target::Field { object, .. } => assigns_one(object, is_meant),
        Target::Index { object, indexes, .. } => assigns_one(object, is_meant) || assigns(indexes, is_meant),
    }
}
