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
    fn units(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
        }
    }

    fn unit(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
        }
    }
}

/// A text with the beginnings of its lines.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: Arc<str>,
    starts: Vec<usize>,
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
        Text {
            text,
            starts,
            encoding,
        }
    }

    /// The number of the line that a byte stands on, from 0.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
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
        let before = &self.text[self.starts[line]..offset];
        lsp::Position {
            line: line as u32,
            character: self.encoding.units(before) as u32,
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
        self.encoding.units(&self.text[bytes]) as u32
    }

    /// The text with a part replaced.
    pub fn with(&self, bytes: Range<usize>, new: &str) -> Text {
        let text = &self.text;
        let whole = [&text[..bytes.start], new, &text[bytes.end..]].concat();
        Text::new(whole, self.encoding)
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Text};
    use gen_lsp_types::Position;

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
}
