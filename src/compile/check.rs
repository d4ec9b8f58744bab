//! Lints: what is allowed, but seldom meant.

use super::scope::Resolution;
use crate::diagnostics::{Diagnostic, Severity};
use crate::spelling::nearest;

/// Assignments that make a global because nothing declares the name.
pub fn undeclared(resolution: &Resolution) -> Vec<Diagnostic> {
    let declared = || {
        let globals = resolution.globals.iter().zip(&resolution.declared_globals);
        let globals = globals.filter(|(_, place)| place.is_some()).map(|(global, _)| &*global.name);
        globals.chain(resolution.variables.iter().map(|variable| &*variable.name))
    };
    let warning = |(name, span): &(std::sync::Arc<str>, _)| {
        let warning = Diagnostic::error(format!("nothing declares `{name}`"), *span)
            .with_label("this assignment makes a global variable");
        let warning = match nearest(name, declared()) {
            Some(close) => warning.with_hint(format!("did you mean `{close}`?")),
            None => warning.with_hint(format!("declare it: `var {name} = ...;`")),
        };
        Diagnostic { severity: Severity::Warning, ..warning }
    };
    resolution.undeclared.iter().map(warning).collect()
}
