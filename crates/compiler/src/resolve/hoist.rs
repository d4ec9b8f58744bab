//! Declarations by `var` anywhere in a function: its blocks are searched, its inner functions are not.

use ndscript_syntax::ast::{Declarator, DeclareKeyword, Statement, StatementKind};
use ndscript_syntax::parts::StatementPart;

/// Every declarator of a `var` among these statements and in their blocks, in the order of the text.
pub fn hoisted(statements: &[Statement]) -> Vec<&Declarator> {
    let mut found = Vec::new();
    statements
        .iter()
        .for_each(|statement| collect(statement, &mut found));
    found
}

/// Collects the `var` declarations in a statement and inside of it; inner functions have their own.
fn collect<'a>(statement: &'a Statement, found: &mut Vec<&'a Declarator>) {
    if let StatementKind::Declare {
        keyword: DeclareKeyword::Var,
        declarators,
    } = &statement.kind
    {
        found.extend(declarators);
    }
    statement.each_part(&mut |part| {
        if let StatementPart::Statement(inner) = part {
            collect(inner, found);
        }
    });
}
