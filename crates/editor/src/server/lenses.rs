//! What can be done with a program, above it and above its tests. The editor carries it out.

use gen_lsp_types as lsp;
use ndscript::syntax::ast::StatementKind;
use serde_json::json;

use super::analysis::bytes;
use super::{Failure, Server};
use crate::outline::Kind;

impl Server {
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
        let Some(outline) = analysis.outline() else {
            return Ok(lenses);
        };
        let script = analysis.names().scripts().last();
        // A file that only declares functions does nothing when it is run.
        let does_something = script.is_some_and(|script| {
            script.statements.iter().any(|statement| {
                !matches!(
                    statement.kind,
                    StatementKind::Function(_)
                        | StatementKind::Import { .. }
                        | StatementKind::Declare { .. }
                        | StatementKind::Empty
                )
            })
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
        let tests = outline.declared.iter().filter(|declared| {
            declared.kind == Kind::Function && declared.name.name.starts_with("test")
        });
        for test in tests {
            let range = text.range(bytes(test.name.span, 0));
            let arguments = vec![json!(uri), json!(&*test.name.name)];
            lenses.push(lens(range, "Test", "ndscript.test", arguments));
        }
        Ok(lenses)
    }
}
