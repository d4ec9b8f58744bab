//! What `var` declares, wherever it stands in a function: its blocks are searched, its inner functions are not.

use crate::syntax::ast::{Declarator, DeclareKeyword, Statement, StatementKind};

/// Every declarator of a `var` among these statements and in their blocks, in the order of the text.
pub fn hoisted(statements: &[Statement]) -> Vec<&Declarator> {
    let mut found = Vec::new();
    statements.iter().for_each(|statement| collect(statement, &mut found));
    found
}

fn collect<'a>(statement: &'a Statement, found: &mut Vec<&'a Declarator>) {
    match &statement.kind {
        StatementKind::Declare { keyword: DeclareKeyword::Var, declarators } => found.extend(declarators),
        StatementKind::Block(statements) => statements.iter().for_each(|statement| collect(statement, found)),
        StatementKind::If { arms, otherwise } => {
            arms.iter().for_each(|(_, body)| collect(body, found));
            otherwise.iter().for_each(|body| collect(body, found));
        }
        StatementKind::While { body, .. } | StatementKind::Foreach { body, .. } => collect(body, found),
        StatementKind::For { initial, body, .. } => {
            initial.iter().for_each(|initial| collect(initial, found));
            collect(body, found);
        }
        StatementKind::Choose { alternatives, .. } => {
            alternatives.iter().for_each(|alternative| collect(alternative, found));
        }
        _ => {}
    }
}
