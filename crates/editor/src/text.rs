//! A text and places in it, as editors count them: by lines, and by the units of an encoding within a line.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use gen_lsp_types as lsp;

/// How characters are counted within a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// The unit of an editor that has not agreed on another one.
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
    /// The ends of characters that have fewer units than bytes, each with the difference up to there: so no answer counts
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
        let line_ends = (0..bytes.len()).filter(|at| ends_line(*at));
        let starts = std::iter::once(0)
            .chain(line_ends.map(|at| at + 1))
            .collect();
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

    /// The byte of a place. A place after the end of a line or of the text counts as that end.
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
        let part = std::iter::once((bytes, new));
        Text::new(replaced(&self.text, part), self.encoding)
    }

    /// The text after changes. Each one counts in what those before it have made; without a range it is the whole text.
    pub fn changed(self, changes: impl Iterator<Item = (Option<lsp::Range>, String)>) -> Text {
        let mut waiting = Waiting::new(self);
        for (range, new) in changes {
            match range {
                Some(range) => waiting.change(range, new),
                None => waiting = Waiting::new(Text::new(new, waiting.text.encoding)),
            }
        }
        waiting.make();
        waiting.text
    }
}

/// Changes that are applied together. Editors send many at a time, from the end of the text to its beginning or the other
/// way round: applying each by itself would copy the text for each.
struct Waiting {
    text: Text,
    /// The ranges that are replaced and their new texts, in the order of the text.
    parts: VecDeque<(Range<usize>, String)>,
    /// How many lines the text has more with them.
    more_lines: i64,
    /// The line, with the changes, on which the last of the parts ends.
    last_line: i64,
    /// Whether lines end in nothing but LF, so that no change makes one line break of two.
    has_plain_lines: bool,
}

impl Waiting {
    fn new(text: Text) -> Waiting {
        Waiting {
            parts: VecDeque::new(),
            more_lines: 0,
            last_line: 0,
            has_plain_lines: !text.text.contains('\r'),
            text,
        }
    }

    /// Adds a change. One that touches an earlier change applies all of those first.
    fn change(&mut self, range: lsp::Range, new: String) {
        self.has_plain_lines &= !new.contains('\r');
        let (bytes, is_last) = match self.part(range) {
            Some(part) => part,
            None => {
                self.make();
                (self.text.bytes(range), true)
            }
        };
        // Applying the earlier changes has reset this.
        self.has_plain_lines &= !new.contains('\r');
        let breaks = |text: &str| text.matches('\n').count() as i64;
        let first_line = self.text.line_of(bytes.start) as i64 + self.more_lines;
        let more = breaks(&new) - breaks(&self.text.text[bytes.clone()]);
        self.more_lines += more;
        if is_last {
            self.last_line = first_line + breaks(&new);
            self.parts.push_back((bytes, new));
        } else {
            self.last_line += more;
            self.parts.push_front((bytes, new));
        }
    }

    /// The bytes of a range in the text after the changes, and whether they lie after all of these; `None` if they
    /// lie neither after nor before them.
    fn part(&self, range: lsp::Range) -> Option<(Range<usize>, bool)> {
        let bytes = self.text.bytes(range);
        let Some((first, _)) = self.parts.front() else {
            return Some((bytes, true));
        };
        if !self.has_plain_lines {
            return None;
        }
        if bytes.end < first.start {
            return Some((bytes, false));
        }
        if i64::from(range.start.line) <= self.last_line {
            return None;
        }
        let mut there = range;
        for place in [&mut there.start, &mut there.end] {
            place.line = u32::try_from(i64::from(place.line) - self.more_lines).ok()?;
        }
        Some((self.text.bytes(there), true))
    }

    /// Makes the changes.
    fn make(&mut self) {
        if !self.parts.is_empty() {
            let parts = self.parts.iter();
            let parts = parts.map(|(bytes, new)| (bytes.clone(), &**new));
            let text = replaced(&self.text.text, parts);
            *self = Waiting::new(Text::new(text, self.text.encoding));
        }
    }
}

/// A text with parts replaced, which come in their order.
pub fn replaced<'n>(text: &str, parts: impl Iterator<Item = (Range<usize>, &'n str)>) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut at = 0;
    for (bytes, new) in parts {
        whole.push_str(&text[at..bytes.start]);
        whole.push_str(new);
        at = bytes.end;
    }
    whole.push_str(&text[at..]);
    whole
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
        let texts = [
            "one\ntwo\r\nthr\u{e4}e\rfour \u{1f600}\n\nsix",
            "one\ntwo\nthr\u{e4}e\nfour \u{1f600}\n\nsix",
        ];
        for round in 0..6000 {
            let is_plain = round % 2;
            let start = Text::new(texts[is_plain], Encoding::Utf16);
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
                let new = news[below(news.len() as u32) as usize].chars();
                let new = new.filter(|character| is_plain == 0 || *character != '\r');
                let new = new.collect::<String>();
                changes.push((Some(range).filter(|_| below(20) > 0), new));
            }
            // As editors tell them, mostly.
            match below(3) {
                0 => changes.sort_by_key(|(range, _)| *range),
                1 => changes.sort_by_key(|(range, _)| std::cmp::Reverse(*range)),
                _ => {}
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
