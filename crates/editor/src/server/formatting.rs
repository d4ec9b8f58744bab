//! A document in the one form, by as few changes as the lines allow.

use std::ops::Range;

use gen_lsp_types as lsp;
use ndscript::syntax::ast::Statement;

use super::{Failure, Server};
use crate::format::{formatted, is_same, line_break};
use crate::store::Document;
use crate::text::{Text, replaced};

impl Server {
    pub(super) fn format_all(
        &mut self,
        parameters: lsp::DocumentFormattingParams,
    ) -> Result<Vec<lsp::TextEdit>, Failure> {
        let (name, document) = self.document(&parameters.text_document.uri)?;
        Ok(self.edits(&name, &document, None))
    }

    /// Only what changes in the lines of a range.
    pub(super) fn format_range(
        &mut self,
        parameters: lsp::DocumentRangeFormattingParams,
    ) -> Result<Vec<lsp::TextEdit>, Failure> {
        let (name, document) = self.document(&parameters.text_document.uri)?;
        let text = &document.text;
        let wanted = text.bytes(parameters.range);
        let last = wanted.end.saturating_sub(1).max(wanted.start);
        let lines = text.line_of(wanted.start)..text.line_of(last) + 1;
        Ok(self.edits(&name, &document, Some(lines)))
    }

    /// What to change, in some lines or everywhere. A text with syntax errors stays as it is; its errors are reported anyway.
    fn edits(
        &mut self,
        name: &str,
        document: &Document,
        lines: Option<Range<usize>>,
    ) -> Vec<lsp::TextEdit> {
        let text = &document.text;
        let analysis = self.analysis(name, document);
        let names = analysis.names();
        let Some(script) = names.script().filter(|_| names.is_well_formed()) else {
            return Vec::new();
        };
        let part = match &lines {
            None => 0..text.text.len(),
            Some(lines) => whole_statements(&script.statements, text, lines),
        };
        let old = &text.text[part.clone()];
        let Ok(formatted) = formatted(old, line_break(&text.text)) else {
            return Vec::new();
        };
        let mut edits = changes(old, &formatted);
        if let Some(lines) = lines {
            edits.retain(|(bytes, _)| {
                let bytes = part.start + bytes.start..part.start + bytes.end;
                let first = text.line_of(bytes.start);
                let last = text.line_of(bytes.end.saturating_sub(1).max(bytes.start));
                first < lines.end && lines.start <= last
            });
            // Words may have moved from a line that changes to one that does not.
            let changed = edits.iter().map(|(bytes, new)| (bytes.clone(), &**new));
            if !is_same(old, &replaced(old, changed)) {
                return Vec::new();
            }
        }
        edits
            .into_iter()
            .map(|(bytes, new_text)| lsp::TextEdit {
                range: text.range(part.start + bytes.start..part.start + bytes.end),
                new_text,
            })
            .collect()
    }
}

/// The statements around some lines, as bytes, with a further one on both sides: what stands between two belongs to neither.
/// They take whole lines, so they have the same form by themselves as among the others.
fn whole_statements(statements: &[Statement], text: &Text, lines: &Range<usize>) -> Range<usize> {
    let start = |at: usize| statements[at].span.start as usize;
    let end = |at: usize| statements[at].span.end as usize;
    let line = |at: usize| text.line(text.line_of(start(at))).start;
    let begins_line = |at: &usize| {
        let is_first = *at == 0 || end(at - 1) <= line(*at);
        is_first && text.text[line(*at)..start(*at)].trim().is_empty()
    };
    let (from, to) = (text.line(lines.start).start, text.line(lines.end - 1).end);
    let first = statements.partition_point(|statement| (statement.span.end as usize) < from);
    let after = statements.partition_point(|statement| statement.span.start as usize <= to);
    let first = (0..first).rev().find(begins_line).map_or(0, line);
    let mut after = after + 1..statements.len();
    first..after.find(begins_line).map_or(text.text.len(), line)
}

/// What differs, by whole lines. Both texts have the same words in the same order, so a stretch ends where as much was
/// written in both.
fn changes(old: &str, new: &str) -> Vec<(Range<usize>, String)> {
    // The comma after a last element may be added or removed.
    let written = |line: &str| {
        line.chars()
            .filter(|c| !c.is_whitespace() && *c != ',')
            .count()
    };
    let mut olds = old.split_inclusive('\n').peekable();
    let mut new_lines = new.split_inclusive('\n').peekable();
    let mut changes = Vec::new();
    let (mut old_start, mut new_start) = (0, 0);
    while olds.peek().is_some() || new_lines.peek().is_some() {
        let (mut old_end, mut new_end) = (old_start, new_start);
        let (mut in_old, mut in_new) = (0, 0);
        loop {
            let is_even = in_old == in_new && old_end > old_start && new_end > new_start;
            let takes_old = in_old <= in_new || new_lines.peek().is_none();
            if is_even {
                break;
            } else if let Some(line) = olds.next_if(|_| takes_old) {
                in_old += written(line);
                old_end += line.len();
            } else if let Some(line) = new_lines.next() {
                in_new += written(line);
                new_end += line.len();
            } else {
                break;
            }
        }
        if old[old_start..old_end] != new[new_start..new_end] {
            changes.push((old_start..old_end, new[new_start..new_end].to_string()));
        }
        (old_start, new_start) = (old_end, new_end);
    }
    changes
}
