//! A document in the one form, by as few changes as the lines allow.

use std::ops::Range;

use gen_lsp_types as lsp;
use similar::{DiffTag, TextDiff};

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
    let (old, new) = (difference.old_slices(), difference.new_slices());
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut at = 0;
    for step in difference.ops() {
        let (from, to) = (&old[step.old_range()], &new[step.new_range()]);
        let length = from.iter().map(|line| line.len()).sum::<usize>();
        if step.tag() == DiffTag::Replace && from.len() == to.len() {
            // Line by line, so that a part can be formatted by itself.
            let mut start = at;
            for (from, to) in from.iter().zip(to) {
                edits.push((start..start + from.len(), to.to_string()));
                start += from.len();
            }
        } else if step.tag() != DiffTag::Equal {
            edits.push((at..at + length, to.concat()));
        }
        at += length;
    }
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
        if crate::format(&part).as_ref() != Ok(&formatted) {
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
