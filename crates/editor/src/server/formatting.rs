//! A document in the one form, by as few changes as the lines allow.

use std::ops::Range;

use gen_lsp_types as lsp;

use super::{Failure, Server};
use crate::format::{formatted, is_same};
use crate::store::Document;

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

    /// What to change, in some lines or everywhere. A text with syntax errors is left alone; its errors are told anyway.
    fn edits(
        &mut self,
        name: &str,
        document: &Document,
        lines: Option<Range<usize>>,
    ) -> Vec<lsp::TextEdit> {
        let text = &document.text;
        if !self.analysis(name, document).names().is_well_formed() {
            return Vec::new();
        }
        let Ok(formatted) = formatted(&text.text) else {
            return Vec::new();
        };
        let mut edits = changes(&text.text, &formatted);
        if let Some(lines) = lines {
            edits.retain(|(bytes, _)| {
                let first = text.line_of(bytes.start);
                let last = text.line_of(bytes.end.saturating_sub(1).max(bytes.start));
                first < lines.end && lines.start <= last
            });
            // Words may have moved from a line that changes to one that does not.
            let mut part = text.text.to_string();
            for (bytes, new) in edits.iter().rev() {
                part.replace_range(bytes.clone(), new);
            }
            if !is_same(&text.text, &part) {
                return Vec::new();
            }
        }
        edits
            .into_iter()
            .map(|(bytes, new_text)| lsp::TextEdit {
                range: text.range(bytes),
                new_text,
            })
            .collect()
    }
}

/// What differs, by whole lines. Both texts have the same words in the same order, so a stretch ends where as much was
/// written in both.
fn changes(old: &str, new: &str) -> Vec<(Range<usize>, String)> {
    // The comma behind a last element may come or go.
    let written = |line: &str| {
        line.chars()
            .filter(|c| !c.is_whitespace() && *c != ',')
            .count()
    };
    let mut olds = old.split_inclusive('\n').peekable();
    let mut news = new.split_inclusive('\n').peekable();
    let mut changes = Vec::new();
    let (mut old_start, mut new_start) = (0, 0);
    while olds.peek().is_some() || news.peek().is_some() {
        let (mut old_end, mut new_end) = (old_start, new_start);
        let (mut in_old, mut in_new) = (0, 0);
        loop {
            let is_even = in_old == in_new && old_end > old_start && new_end > new_start;
            let takes_old = in_old <= in_new || news.peek().is_none();
            if is_even {
                break;
            } else if let Some(line) = olds.next_if(|_| takes_old) {
                in_old += written(line);
                old_end += line.len();
            } else if let Some(line) = news.next() {
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
