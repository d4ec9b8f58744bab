//! A text and places in it, as editors count them: by lines, and by the units of an encoding within a line.

use std::ops::Range;
use std::sync::Arc;

use gen_lsp_types as lsp;

/// How characters are counted within a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// What an editor counts by that has agreed to nothing else.
    #[default]
    Utf16,
}

impl Encoding {
    fn unit(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
        }
    }
}

/// A text with the beginnings of its lines. A clone shares them.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: Arc<str>,
    starts: Arc<[usize]>,
    /// Where characters end that take fewer units than bytes, with how many fewer there are up to there: so no answer counts
    /// characters, however long a line is.
    short: Arc<[(usize, usize)]>,
    encoding: Encoding,
}

impl Text {
    pub fn new(text: impl Into<Arc<str>>, encoding: Encoding) -> Text {
        let text: Arc<str> = text.into();
        let bytes = text.as_bytes();
        let ends_line = |at: usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let behind = (0..bytes.len()).filter(|at| ends_line(*at));
        let starts = std::iter::once(0).chain(behind.map(|at| at + 1)).collect();
        let mut fewer = 0;
        let is_counted_in_bytes = encoding == Encoding::Utf8 || text.is_ascii();
        let counted = if is_counted_in_bytes { "" } else { &text };
        let short = counted.char_indices().filter_map(|(at, character)| {
            let bytes = character.len_utf8();
            fewer += bytes - encoding.unit(character);
            (bytes > 1).then_some((at + bytes, fewer))
        });
        let short = short.collect();
        Text {
            text,
            starts,
            short,
            encoding,
        }
    }

    /// The number of the line that a byte stands on, from 0.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// Finds the lines of bytes that come in their order.
    pub fn lines(&self) -> Lines<'_> {
        let starts = &self.starts;
        Lines { starts, at: 0 }
    }

    /// The bytes of a line without its end.
    pub fn line(&self, number: usize) -> Range<usize> {
        let end = self.text.len();
        let start = self.starts.get(number).copied().unwrap_or(end);
        let next = self.starts.get(number + 1).copied().unwrap_or(end);
        let line = self.text[start..next].trim_end_matches(['\n', '\r']);
        start..start + line.len()
    }

    /// The byte of a place; what lies behind the end of a line or of the text is that end.
    pub fn offset(&self, place: lsp::Position) -> usize {
        let line = self.line(place.line as usize);
        let mut left = place.character as usize;
        if self.units(line.clone()) as usize == line.len() {
            let mut offset = line.start + left.min(line.len());
            while !self.text.is_char_boundary(offset) {
                offset -= 1;
            }
            return offset;
        }
        for (at, character) in self.text[line.clone()].char_indices() {
            let unit = self.encoding.unit(character);
            if left < unit {
                return line.start + at;
            }
            left -= unit;
        }
        line.end
    }

    /// The place of a byte.
    pub fn place(&self, offset: usize) -> lsp::Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset);
        lsp::Position {
            line: line as u32,
            character: self.units(self.starts[line]..offset),
        }
    }

    pub fn range(&self, bytes: Range<usize>) -> lsp::Range {
        lsp::Range {
            start: self.place(bytes.start),
            end: self.place(bytes.end),
        }
    }

    /// The bytes of a range; one that ends before it begins is empty.
    pub fn bytes(&self, range: lsp::Range) -> Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// How many units a part of the text has.
    pub fn units(&self, bytes: Range<usize>) -> u32 {
        if self.short.is_empty() {
            return bytes.len() as u32;
        }
        let fewer = |offset: usize| {
            let next = self.short.partition_point(|(end, _)| *end <= offset);
            next.checked_sub(1).map_or(0, |last| self.short[last].1)
        };
        (bytes.len() - (fewer(bytes.end) - fewer(bytes.start))) as u32
    }

    /// The text with a part replaced.
    pub fn with(&self, bytes: Range<usize>, new: &str) -> Text {
        self.replaced(&[(bytes, new.to_string())])
    }

    /// The text with parts replaced, the last one in the text first.
    fn replaced(&self, parts: &[(Range<usize>, String)]) -> Text {
        let mut whole = String::with_capacity(self.text.len());
        let mut at = 0;
        for (bytes, new) in parts.iter().rev() {
            whole.push_str(&self.text[at..bytes.start]);
            whole.push_str(new);
            at = bytes.end;
        }
        whole.push_str(&self.text[at..]);
        Text::new(whole, self.encoding)
    }

    /// The text after changes. Each one counts in what those before it have made; without a range it is the whole text.
    pub fn changed(self, changes: impl Iterator<Item = (Option<lsp::Range>, String)>) -> Text {
        let mut text = self;
        // Editors tell of many changes from the end of the text to its beginning: those are made at once.
        let mut waiting: Vec<(Range<usize>, String)> = Vec::new();
        for (range, new) in changes {
            let Some(range) = range else {
                waiting.clear();
                text = Text::new(new, text.encoding);
                continue;
            };
            let is_before = |bytes: &Range<usize>| {
                let last = waiting.last();
                last.is_none_or(|(last, _)| bytes.end < last.start)
            };
            let mut bytes = text.bytes(range);
            if !is_before(&bytes) {
                text = text.replaced(&waiting);
                waiting.clear();
                bytes = text.bytes(range);
            }
            waiting.push((bytes, new));
        }
        if waiting.is_empty() {
            return text;
        }
        text.replaced(&waiting)
    }
}

/// Goes from line to line; see [`Text::lines`].
pub struct Lines<'t> {
    starts: &'t [usize],
    at: usize,
}

impl Lines<'_> {
    /// The line of a byte that does not stand before the one that was asked for last.
    pub fn of(&mut self, offset: usize) -> usize {
        while self
            .starts
            .get(self.at + 1)
            .is_some_and(|next| *next <= offset)
        {
            self.at += 1;
        }
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Text};
    use gen_lsp_types::{Position, Range};

    #[test]
    fn places_and_bytes_belong_together() {
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let text = Text::new("a\u{1f600}b\r\nä\rc\n", encoding);
            let offsets = text.text.char_indices().map(|(at, _)| at);
            // Between CR and LF there is no place.
            for offset in offsets.filter(|at| *at != 7) {
                assert_eq!(
                    text.offset(text.place(offset)),
                    offset,
                    "{encoding:?} {offset}"
                );
            }
        }
        let text = Text::new("a\u{1f600}b\r\nä\rc\n", Encoding::Utf16);
        let place = |line, character| text.offset(Position { line, character });
        assert_eq!(
            [place(0, 1), place(0, 2), place(0, 3), place(0, 9)],
            [1, 1, 5, 6]
        );
        assert_eq!(
            [place(1, 0), place(1, 1), place(2, 0), place(3, 0)],
            [8, 10, 11, 13]
        );
        assert_eq!(place(9, 9), 13);
    }

    #[test]
    fn many_changes_are_those_one_by_one() {
        let mut state = 5u64;
        let mut below = |end: u32| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as u32 % end
        };
        let news = ["", "", "x", "\n", "\r", "\r\n", "\u{1f600}", "long enough"];
        for _ in 0..2000 {
            let start = Text::new(
                "one\ntwo\r\nthr\u{e4}e\rfour \u{1f600}\n\nsix",
                Encoding::Utf16,
            );
            let mut changes = Vec::new();
            for _ in 0..1 + below(6) {
                let mut place = || Position {
                    line: below(8),
                    character: below(8),
                };
                let (from, to) = (place(), place());
                let range = Range {
                    start: from.min(to),
                    end: from.max(to),
                };
                let new = news[below(news.len() as u32) as usize].to_string();
                changes.push((Some(range).filter(|_| below(20) > 0), new));
            }
            // As editors tell them, mostly.
            if below(2) > 0 {
                changes.sort_by_key(|(range, _)| std::cmp::Reverse(*range));
            }
            let one_by_one = changes.iter().fold(start.clone(), |text, (range, new)| {
                let whole = 0..text.text.len();
                text.with(range.map_or(whole, |range| text.bytes(range)), new)
            });
            let at_once = start.changed(changes.iter().cloned());
            assert_eq!(at_once.text, one_by_one.text, "{changes:?}");
        }
    }
}
