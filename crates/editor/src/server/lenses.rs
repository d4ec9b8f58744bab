//! What can be done with a program, above it and above its tests. The editor carries it out.

use gen_lsp_types as lsp;
use ndscript::syntax::ast::{Ident, Statement, StatementKind};
use serde_json::json;

use super::analysis::bytes;
use super::{Failure, Server};

impl Server {
    /// The commands above tests and above the program.
    pub(super) fn lenses(
        &mut self,
        parameters: lsp::CodeLensParams,
    ) -> Result<Vec<lsp::CodeLens>, Failure> {
        let uri = parameters.text_document.uri;
        let (name, document) = self.document(&uri)?;
        let analysis = self.analysis(&name, &document);
        let text = &document.text;
        let lens = |range, title: &str, command: &str, arguments| lsp::CodeLens {
            range,
            command: Some(lsp::Command {
                title: title.to_string(),
                tooltip: None,
                command: command.to_string(),
                arguments: Some(arguments),
            }),
            data: None,
        };
        let mut lenses = Vec::new();
        let Some(script) = analysis.names().script() else {
            return Ok(lenses);
        };
        // A file that only declares functions does nothing when it is run.
        let does_something = script.statements.iter().any(|statement| {
            !matches!(
                statement.kind,
                StatementKind::Function(_)
                    | StatementKind::Import { .. }
                    | StatementKind::Declare { .. }
                    | StatementKind::Empty
            )
        });
        if does_something {
            let start = lsp::Range::default();
            for (title, command) in [
                ("Run", "ndscript.run"),
                ("Next solution", "ndscript.nextSolution"),
            ] {
                lenses.push(lens(start, title, command, vec![json!(uri)]));
            }
        }
        for name in script.statements.iter().filter_map(test) {
            let range = text.range(bytes(name.span, 0));
            let arguments = vec![json!(uri), json!(&*name.name)];
            lenses.push(lens(range, "Test", "ndscript.test", arguments));
        }
        Ok(lenses)
    }
}

/// The name of a test: `ndscript test` runs the functions of a program that need no arguments.
fn test(statement: &Statement) -> Option<&Ident> {
    let StatementKind::Function(function) = &statement.kind else {
        return None;
    };
    let mut parameters = function.parameters.iter();
    let needs_none = parameters.all(|parameter| parameter.default.is_some());
    let name = function.name.as_ref().filter(|_| needs_none);
    name.filter(|name| name.name.starts_with("test"))
}
