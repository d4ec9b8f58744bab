//! What is wrong with a document: sent without a request.

use gen_lsp_types as lsp;
use ndscript::diagnostics::{Diagnostic, Severity};
use ndscript::source::{Sources, Span};

use super::analysis::bytes;
use super::{Server, notification};
use crate::text::Text;

impl Server {
    /// The messages about a document; `None` if it is not open any more.
    pub(super) fn diagnostics(&mut self, name: &str) -> Option<String> {
        let document = self.store.document(name)?;
        let analysis = self.analysis(name, &document);
        let check = analysis.check();
        let shown = check.diagnostics.iter().map(|diagnostic| {
            self.shown(
                diagnostic,
                &check.sources,
                &document.text,
                analysis.names().imports(),
            )
        });
        let parameters = lsp::PublishDiagnosticsParams {
            uri: document.uri.clone(),
            version: Some(document.version),
            diagnostics: shown.collect(),
        };
        Some(notification("textDocument/publishDiagnostics", parameters))
    }

    /// A message as editors show it. One about another file stands at its import.
    pub(super) fn shown(
        &self,
        diagnostic: &Diagnostic,
        sources: &Sources,
        text: &Text,
        imports: &[(Span, std::sync::Arc<str>)],
    ) -> lsp::Diagnostic {
        let span = diagnostic.span.unwrap_or_default();
        let file = sources.file_at(span.start);
        let imported_file = file.filter(|file| file.base > 0);
        let mut message = diagnostic.message.clone();
        let mut related = Vec::new();
        let range = match imported_file {
            None => text.range(marked(text, bytes(span, 0))),
            Some(file) => {
                message = format!("in {}: {message}", file.name);
                related.extend(self.related(sources, span, &diagnostic.message));
                let is_own = |import: &Span| (import.end as usize) <= text.text.len();
                let import = imports
                    .iter()
                    .find(|(import, path)| is_own(import) && *path == file.name);
                let import = import.or_else(|| imports.iter().rev().find(|it| is_own(&it.0)));
                text.range(import.map_or(0..0, |(import, _)| bytes(*import, 0)))
            }
        };
        if !diagnostic.label.is_empty() && diagnostic.label != "here" {
            message = format!("{message}: {}", diagnostic.label);
        }
        for hint in &diagnostic.hints {
            message = format!("{message}\n{hint}");
        }
        let places = diagnostic.related.iter();
        related.extend(places.filter_map(|(span, words)| self.related(sources, *span, words)));
        lsp::Diagnostic {
            range,
            severity: Some(match diagnostic.severity {
                Severity::Error => lsp::DiagnosticSeverity::Error,
                Severity::Warning => lsp::DiagnosticSeverity::Warning,
            }),
            source: Some("ndscript".to_string()),
            message: message.into(),
            tags: is_needless(diagnostic).then(|| vec![lsp::DiagnosticTag::Unnecessary]),
            related_information: (!related.is_empty()).then_some(related),
            code: None,
            code_description: None,
            data: None,
        }
    }

    fn related(
        &self,
        sources: &Sources,
        span: Span,
        words: &str,
    ) -> Option<lsp::DiagnosticRelatedInformation> {
        let location = self.location(sources, span)?;
        Some(lsp::DiagnosticRelatedInformation {
            location,
            message: words.to_string(),
        })
    }
}

/// What is marked: a word, even if the place is empty.
fn marked(text: &Text, bytes: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let end = text.text.len();
    let bytes = bytes.start.min(end)..bytes.end.min(end);
    if !bytes.is_empty() {
        return bytes;
    }
    let line = text.line(text.line_of(bytes.start));
    let next = text.text[bytes.start..line.end.max(bytes.start)]
        .chars()
        .next();
    match next {
        Some(next) => bytes.start..bytes.start + next.len_utf8(),
        None => bytes,
    }
}

/// Whether what is marked could be taken away.
fn is_needless(diagnostic: &Diagnostic) -> bool {
    diagnostic.label == "this never runs" || diagnostic.label == "nothing reads it"
}
