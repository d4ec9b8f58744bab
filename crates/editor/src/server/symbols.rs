//! What a document declares, as a tree; and what all programs of the folders declare.

use gen_lsp_types as lsp;

use super::analysis::bytes;
use super::{DEEPEST, Failure, Server};
use crate::outline::{Declared, Kind, Outline};
use crate::text::Text;

/// At most this many symbols of the folders are returned.
const MOST: usize = 1000;

impl Server {
    pub(super) fn document_symbols(
        &mut self,
        parameters: lsp::DocumentSymbolParams,
    ) -> Result<Vec<lsp::DocumentSymbol>, Failure> {
        let (name, document) = self.document(&parameters.text_document.uri)?;
        let analysis = self.analysis(&name, &document);
        let outline = analysis.outline();
        let declared = outline.map_or(&[][..], |outline| &outline.declared);
        Ok(symbols(declared, &document.text, DEEPEST))
    }

    /// The declared names of all programs that match a query.
    pub(super) fn workspace_symbols(
        &mut self,
        parameters: lsp::WorkspaceSymbolParams,
    ) -> Result<Vec<lsp::SymbolInformation>, Failure> {
        let query = parameters.query.to_lowercase();
        let mut programs = self.store.open_names();
        for folder in &self.folders {
            programs.extend(self.store.files.programs(folder));
        }
        programs.sort_unstable();
        programs.dedup();
        let mut found = Vec::new();
        for program in programs {
            let Some((text, uri)) = self.text_of(&program).zip(self.store.uri(&program)) else {
                continue;
            };
            let (Some(script), _) = ndscript::syntax::read(&text.text, 0) else {
                continue;
            };
            for declared in Outline::of(&script.statements).declared {
                if found.len() >= MOST {
                    return Ok(found);
                }
                if !is_subsequence(&query, &declared.name.name.to_lowercase()) {
                    continue;
                }
                let location = lsp::Location {
                    uri: uri.clone(),
                    range: text.range(bytes(declared.name.span, 0)),
                };
                let about = lsp::BaseSymbolInformation {
                    name: declared.name.name.to_string(),
                    kind: kind(&declared),
                    tags: None,
                    container_name: None,
                };
                found.push(lsp::SymbolInformation::new(None, location, about));
            }
        }
        Ok(found)
    }
}

/// The symbols of declarations; those that lie deeper are left out.
fn symbols(declared: &[Declared], text: &Text, deeper: usize) -> Vec<lsp::DocumentSymbol> {
    if deeper == 0 {
        return Vec::new();
    }
    let named = declared.iter().filter(|declared| {
        let has_end = declared.span.end as usize <= text.text.len();
        has_end && declared.kind != Kind::Parameter && !declared.name.name.is_empty()
    });
    named
        .map(|declared| {
            let inner = symbols(&declared.inner, text, deeper - 1);
            let whole = declared.span.to(declared.name.span);
            lsp::DocumentSymbol::new(
                declared.name.name.to_string(),
                None,
                kind(declared),
                None,
                None,
                text.range(bytes(whole, 0)),
                text.range(bytes(declared.name.span, 0)),
                (!inner.is_empty()).then_some(inner),
            )
        })
        .collect()
}

fn kind(declared: &Declared) -> lsp::SymbolKind {
    match (declared.kind, &declared.parameters) {
        (_, Some(_)) => lsp::SymbolKind::Function,
        (Kind::Constant, None) => lsp::SymbolKind::Constant,
        _ => lsp::SymbolKind::Variable,
    }
}

/// Whether the letters of a query stand in a name in their order.
fn is_subsequence(query: &str, name: &str) -> bool {
    let mut letters = name.chars();
    query
        .chars()
        .all(|wanted| letters.any(|letter| letter == wanted))
}
