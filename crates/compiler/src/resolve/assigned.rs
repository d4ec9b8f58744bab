//! What expressions assign.

use ndscript_syntax::ast::*;

/// Whether evaluating some of the expressions assigns a name that the test picks out. What functions in them assign when
/// they are called does not count.
pub(crate) fn assigns(expressions: &[Expression], is_meant: &dyn Fn(&Ident) -> bool) -> bool {
    expressions
        .iter()
        .any(|expression| assigns_one(expression, is_meant))
}

/// Whether the expression, or a part of it, assigns a variable that is meant.
fn assigns_one(expression: &Expression, is_meant: &dyn Fn(&Ident) -> bool) -> bool {
    if let ExpressionKind::Assign { target, .. } | ExpressionKind::Update { target, .. } =
        &expression.kind
        && let Target::Name(name) = &**target
        && is_meant(name)
    {
        return true;
    }
    let mut found = false;
    expression.each_part(&mut |part| found = found || assigns_one(part, is_meant));
    found
}
