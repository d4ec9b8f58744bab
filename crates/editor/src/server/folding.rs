//! What belongs together: for folding, and for selecting more and more.

use std::ops::Range;

use gen_lsp_types as lsp;
use ndscript::source::Span;
use ndscript::syntax::ast::*;
use ndscript::syntax::highlight::TokenClass;
use ndscript::syntax::parts::StatementPart;

use super::{DEEPEST, Failure, Server};
use crate::store::Document;
use crate::text::Text;

impl Server {
    pub(super) fn folding(
        &mut self,
        parameters: lsp::FoldingRangeParams,
    ) -> Result<Vec<lsp::FoldingRange>, Failure> {
        let (_, document) = self.document(&parameters.text_document.uri)?;
        Ok(folds(&document))
    }

    /// For each position the ranges around it, from the smallest expression to the whole text.
    pub(super) fn selection(
        &mut self,
        parameters: lsp::SelectionRangeParams,
    ) -> Result<Vec<lsp::SelectionRange>, Failure> {
        let (name, document) = self.document(&parameters.text_document.uri)?;
        let analysis = self.analysis(&name, &document);
        let text = &document.text;
        let script = analysis.names().script();
        let statements = script.map(|script| &*script.statements);
        let at = |place: lsp::Position| {
            let offset = text.offset(place);
            let whole = 0..text.text.len();
            let mut ranges = vec![whole];
            let mut walk = EnclosingRanges {
                offset: offset as u32,
                found: Vec::new(),
            };
            statements
                .iter()
                .for_each(|statements| walk.statements(statements));
            ranges.extend(
                walk.found
                    .into_iter()
                    .map(|span| span.start as usize..span.end as usize),
            );
            ranges.extend(token_at(&document, offset));
            nested(text, ranges)
        };
        Ok(parameters.positions.into_iter().map(at).collect())
    }
}

/// The parts of a document that can be folded: brackets over several lines, and rows of comments.
fn folds(document: &Document) -> Vec<lsp::FoldingRange> {
    let text = &document.text;
    let mut lines_of = text.lines();
    let mut folds = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // The lines of comments that stand one below another.
    let mut comments: Option<Range<usize>> = None;
    let mut last_line = usize::MAX;
    let mut fold = |lines: Range<usize>, kind: Option<lsp::FoldingRangeKind>| {
        if lines.start < lines.end {
            folds.push(lsp::FoldingRange {
                start_line: lines.start as u32,
                end_line: lines.end as u32,
                kind,
                ..lsp::FoldingRange::default()
            });
        }
    };
    for (class, range) in document.tokens() {
        let lines = lines_of.of(range.start)..lines_of.of(range.end.saturating_sub(1));
        let part = &text.text[range.clone()];
        if *class == TokenClass::Comment && lines.start != last_line {
            comments = match comments.take() {
                Some(before) if before.end + 1 == lines.start => Some(before.start..lines.end),
                before => {
                    before.into_iter().for_each(|lines| {
                        fold(lines, Some(lsp::FoldingRangeKind::Comment));
                    });
                    Some(lines.clone())
                }
            };
        } else if matches!(part, "(" | "[" | "{") && *class == TokenClass::Bracket {
            open.push(lines.start);
        } else if *class == TokenClass::Bracket {
            if let Some(start) = open.pop() {
                // The line of the closing bracket stays.
                fold(start..lines.end.saturating_sub(1).max(start), None);
            }
        } else if *class == TokenClass::String {
            fold(lines.clone(), None);
        }
        last_line = lines.end;
    }
    comments
        .into_iter()
        .for_each(|lines| fold(lines, Some(lsp::FoldingRangeKind::Comment)));
    folds.sort_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line)));
    // Of several brackets on a line the outermost folds.
    folds.dedup_by_key(|fold| fold.start_line);
    folds
}

fn token_at(document: &Document, offset: usize) -> Option<Range<usize>> {
    // Of two that meet at a place the later one.
    let (_, range) = document.tokens_before(offset + 1).last()?;
    (offset <= range.end).then(|| range.clone())
}

/// Each range with the next larger one around it, the innermost first. What does not lie inside the others is left out.
fn nested(text: &Text, mut ranges: Vec<Range<usize>>) -> lsp::SelectionRange {
    ranges.sort_by_key(|range| (std::cmp::Reverse(range.len()), range.start));
    ranges.dedup();
    let mut chain: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        let lies_inside =
            |outer: &Range<usize>| outer.start <= range.start && range.end <= outer.end;
        if chain.last().is_none_or(lies_inside) {
            chain.push(range);
        }
    }
    // The whole text and the innermost ones are enough.
    let surplus = 1..chain.len().saturating_sub(DEEPEST).max(1);
    chain.drain(surplus);
    let around = |parent: Option<lsp::SelectionRange>, range: Range<usize>| {
        Some(lsp::SelectionRange {
            range: text.range(range),
            parent: parent.map(Box::new),
        })
    };
    // The innermost: readers of JSON take few levels.
    let most = chain.len().saturating_sub(MOST_LEVELS);
    let inner = chain.into_iter().skip(most);
    inner.fold(None, around).unwrap_or_default()
}

/// At most this many ranges enclose one another.
const MOST_LEVELS: usize = 64;

/// Collects what lies around a place.
struct EnclosingRanges {
    offset: u32,
    found: Vec<Span>,
}

impl EnclosingRanges {
    fn holds(&mut self, span: Span) -> bool {
        let holds = span.start <= self.offset && self.offset <= span.end;
        if holds {
            self.found.push(span);
        }
        holds
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements
            .iter()
            .for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        if !self.holds(statement.span) {
            return;
        }
        if let StatementKind::Function(function) = &statement.kind {
            self.function(function);
        }
        statement.each_part(&mut |part| match part {
            StatementPart::Expression(expression) => self.expression(expression),
            StatementPart::Statement(statement) => self.statement(statement),
        });
    }

    fn function(&mut self, function: &Function) {
        let defaults = function
            .parameters
            .iter()
            .flat_map(|parameter| &parameter.default);
        defaults.for_each(|default| self.expression(default));
        match &function.body {
            FunctionBody::Block(statements) => self.statements(statements),
            FunctionBody::Expression(expression) => self.expression(expression),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        if !self.holds(expression.span) {
            return;
        }
        match &expression.kind {
            ExpressionKind::Function(function) => self.function(function),
            ExpressionKind::Postfix { operations, .. } => {
                for operation in operations {
                    self.holds(operation.span);
                }
            }
            _ => {}
        }
        expression.each_part(&mut |part| self.expression(part));
    }
}
