//! A document in the one form, by as few changes as the lines allow.

use std::ops::Range;

use gen_lsp_types as lsp;
use similar::{ChangeTag, TextDiff};

use super::{Failure, Server};
use crate::text::Text;

impl Server {
    pub(super) fn format_all(
        &mut self,
        parameters: lsp::DocumentFormattingParams,
    ) -> Result<Vec<lsp::TextEdit>, Failure> {
        let (_, document) = self.document(&parameters.text_document.uri)?;
        Ok(edits(&document.text, None))
    }

    /// Only what changes in the lines of a range.
    pub(super) fn format_range(
        &mut self,
        parameters: lsp::DocumentRangeFormattingParams,
    ) -> Result<Vec<lsp::TextEdit>, Failure> {
        let (_, document) = self.document(&parameters.text_document.uri)?;
        let text = &document.text;
        let wanted = text.bytes(parameters.range);
        let last = wanted.end.saturating_sub(1).max(wanted.start);
        let lines = text.line_of(wanted.start)..text.line_of(last) + 1;
        Ok(edits(text, Some(lines)))
    }
}

/// What to change, in some lines or everywhere. A text with syntax errors is left alone; its errors are told anyway.
fn edits(text: &Text, lines: Option<Range<usize>>) -> Vec<lsp::TextEdit> {
    let Ok(formatted) = crate::format(&text.text) else {
        return Vec::new();
    };
    let difference = TextDiff::from_lines(&*text.text, &*formatted);
    let mut edits = Vec::new();
    let mut at = 0;
    // What is being replaced, by what.
    let mut open: Option<(Range<usize>, String)> = None;
    for change in difference.iter_all_changes() {
        let part = change.value();
        if change.tag() == ChangeTag::Equal {
            edits.extend(open.take());
            at += part.len();
            continue;
        }
        let (bytes, new) = open.get_or_insert_with(|| (at..at, String::new()));
        if change.tag() == ChangeTag::Delete {
            at += part.len();
            bytes.end = at;
        } else {
            new.push_str(part);
        }
    }
    edits.extend(open);
    let is_wanted = |bytes: &Range<usize>| {
        let first = text.line_of(bytes.start);
        let last = text.line_of(bytes.end.saturating_sub(1).max(bytes.start));
        lines
            .as_ref()
            .is_none_or(|lines| first < lines.end && lines.start <= last)
    };
    let wanted = edits.into_iter().filter(|(bytes, _)| is_wanted(bytes));
    wanted
        .map(|(bytes, new_text)| lsp::TextEdit {
            range: text.range(bytes),
            new_text,
        })
        .collect()
}
