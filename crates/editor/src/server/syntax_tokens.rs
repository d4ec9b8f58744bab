//! Colors for words by what they stand for.

use std::ops::Range;

use gen_lsp_types as lsp;
use ndscript::Name;
use ndscript::syntax::highlight::TokenClass;

use super::analysis::Analysis;
use super::{Failure, Server};
use crate::outline::Kind;
use crate::store::Document;

/// The names of token types, by the numbers that the protocol sends.
const TYPES: &[&str] = &[
    "keyword",
    "variable",
    "number",
    "string",
    "comment",
    "operator",
    "function",
    "parameter",
    "property",
];
const MODIFIERS: &[&str] = &["readonly", "defaultLibrary", "declaration"];

const KEYWORD: u32 = 0;
const VARIABLE: u32 = 1;
const NUMBER: u32 = 2;
const STRING: u32 = 3;
const COMMENT: u32 = 4;
const OPERATOR: u32 = 5;
const FUNCTION: u32 = 6;
const PARAMETER: u32 = 7;
const PROPERTY: u32 = 8;

const READ_ONLY: u32 = 1;
const OF_LIBRARY: u32 = 2;
const DECLARED: u32 = 4;

pub(super) fn options() -> lsp::SemanticTokensOptions {
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    lsp::SemanticTokensOptions {
        legend: lsp::SemanticTokensLegend {
            token_types: words(TYPES),
            token_modifiers: words(MODIFIERS),
        },
        range: Some(true.into()),
        full: Some(true.into()),
        ..lsp::SemanticTokensOptions::default()
    }
}

impl Server {
    pub(super) fn all_tokens(
        &mut self,
        parameters: lsp::SemanticTokensParams,
    ) -> Result<lsp::SemanticTokens, Failure> {
        let (name, document) = self.document(&parameters.text_document.uri)?;
        let analysis = self.analysis(&name, &document);
        let whole = 0..document.text.text.len();
        Ok(painted(&analysis, &document, whole))
    }

    pub(super) fn some_tokens(
        &mut self,
        parameters: lsp::SemanticTokensRangeParams,
    ) -> Result<lsp::SemanticTokens, Failure> {
        let (name, document) = self.document(&parameters.text_document.uri)?;
        let analysis = self.analysis(&name, &document);
        let wanted = document.text.bytes(parameters.range);
        Ok(painted(&analysis, &document, wanted))
    }
}

/// The type and the modifiers of each name, and where it is declared.
fn kinds(analysis: &Analysis) -> Vec<(u32, u32, Option<u32>)> {
    let all = analysis.all_declared();
    let names = analysis.names().all().iter();
    let kind = |name: &Name| {
        let declared = name.declared.map(|span| span.start);
        let kind = declared
            .and_then(|start| all.get(&start))
            .map(|it| it.kind());
        let (token_type, modifiers) = match kind {
            _ if name.is_host_constant => (VARIABLE, READ_ONLY | OF_LIBRARY),
            _ if name.is_built_in => (FUNCTION, OF_LIBRARY),
            Some(Kind::Function) => (FUNCTION, 0),
            Some(Kind::Parameter) => (PARAMETER, 0),
            Some(Kind::Constant) => (VARIABLE, READ_ONLY),
            Some(Kind::Variable) | None => (VARIABLE, 0),
        };
        (token_type, modifiers, declared)
    };
    names.map(kind).collect()
}

/// The tokens in a part of a text, each by its distance to the one before.
fn painted(analysis: &Analysis, document: &Document, wanted: Range<usize>) -> lsp::SemanticTokens {
    let text = &document.text;
    let kinds = kinds(analysis);
    let mentions = analysis.names().mentions();
    let mut next = mentions.partition_point(|it| (it.span.start as usize) < wanted.start);
    let mut lines = text.lines();
    let mut data = Vec::new();
    let mut last = lsp::Position::default();
    let tokens = document.tokens_before(wanted.end);
    let first = tokens.partition_point(|(_, range)| range.end <= wanted.start);
    let mut is_behind_path = false;
    for (class, range) in &tokens[first..] {
        let (token_type, modifiers) = match class {
            TokenClass::Keyword => (KEYWORD, 0),
            TokenClass::Number => (NUMBER, 0),
            TokenClass::String => (STRING, 0),
            TokenClass::Comment => (COMMENT, 0),
            TokenClass::Operator => (OPERATOR, 0),
            TokenClass::Bracket | TokenClass::Error => continue,
            TokenClass::Name => {
                while mentions
                    .get(next)
                    .is_some_and(|it| (it.span.start as usize) < range.start)
                {
                    next += 1;
                }
                let mention = mentions
                    .get(next)
                    .filter(|it| it.span.start as usize == range.start);
                match mention {
                    None if is_behind_path && text.text[range.clone()] == *"as" => (KEYWORD, 0),
                    None => (PROPERTY, 0),
                    Some(mention) => {
                        let (token_type, modifiers, declared) = kinds[mention.name];
                        let is_here = declared == Some(mention.span.start);
                        (token_type, modifiers | if is_here { DECLARED } else { 0 })
                    }
                }
            }
        };
        // The name of an import: elsewhere, no name follows a text.
        is_behind_path = *class == TokenClass::String;
        // A token of several lines is sent line by line.
        for line in lines.of(range.start)..=lines.of(range.end.saturating_sub(1)) {
            let bounds = text.line(line);
            let part = range.start.max(bounds.start)..range.end.min(bounds.end);
            if part.is_empty() {
                continue;
            }
            let place = lsp::Position {
                line: line as u32,
                character: text.units(bounds.start..part.start),
            };
            let delta_line = place.line - last.line;
            let delta_start = if delta_line == 0 {
                place.character - last.character
            } else {
                place.character
            };
            data.push(lsp::SemanticToken {
                delta_line,
                delta_start,
                length: text.units(part),
                token_type,
                token_modifiers_bitset: modifiers,
            });
            last = place;
        }
    }
    lsp::SemanticTokens {
        result_id: None,
        data,
    }
}
