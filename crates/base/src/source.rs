//! Source files and places in them.
//!
//! Every file of a program gets a stretch of one common line of byte offsets, so that a [`Span`] alone says
//! which file it is in. Offsets count bytes of UTF-8 text.

use std::sync::Arc;

/// A stretch of source text: global byte offsets, `start` included and `end` excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Global offset of the first byte.
    pub start: u32,
    /// Global offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// One source file of a program.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name by which messages call it: a path, or a label such as `<standard input>`.
    pub name: Arc<str>,
    /// Its whole text.
    pub text: Arc<str>,
    /// The global offset of its first byte.
    pub base: u32,
    line_starts: Arc<[u32]>,
}

impl SourceFile {
    fn new(name: &str, text: &str, base: u32) -> SourceFile {
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .filter(|(_, b)| *b == b'\n')
                .map(|(at, _)| at as u32 + 1),
        );
        SourceFile {
            name: name.into(),
            text: text.into(),
            base,
            line_starts: line_starts.into(),
        }
    }

    /// The 1-based line and column (in characters) of a byte offset local to this file; offsets beyond the text,
    /// or inside a character, are moved back to the nearest place there is.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let offset = self.clamp(offset);
        let line = self
            .line_starts
            .partition_point(|start| *start as usize <= offset)
            - 1;
        let column = self.text[self.line_starts[line] as usize..offset]
            .chars()
            .count();
        (line + 1, column + 1)
    }

    /// The text of a 1-based line, without its line break.
    pub fn line(&self, number: usize) -> &str {
        let Some(start) = number
            .checked_sub(1)
            .and_then(|line| self.line_starts.get(line))
        else {
            return "";
        };
        let end = self
            .line_starts
            .get(number)
            .map_or(self.text.len(), |next| *next as usize);
        self.text[*start as usize..end].trim_end_matches(['\n', '\r'])
    }

    /// Moves a local offset back to the nearest character boundary inside the text.
    pub fn clamp(&self, offset: u32) -> usize {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// A name of a file as programs may write it, tidied up: relative, its parts separated by `/`, and none of them `..`.
/// `None` if it is anything else.
pub fn relative_path(name: &str) -> Option<String> {
    let leads_out = name.starts_with('/')
        || name.contains(['\\', ':', '\0'])
        || name.split('/').any(|part| part == "..");
    let parts: Vec<&str> = name
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    (!leads_out && !parts.is_empty()).then(|| parts.join("/"))
}

/// The files of one program, in the order in which they were found.
///
/// ```
/// use ndscript::source::{Sources, Span};
/// let mut sources = Sources::default();
/// let base = sources.add("map.nds", "var x = 1;\nfail;").unwrap();
/// let (file, line, column) = sources.locate(Span::new(base + 11, base + 15)).unwrap();
/// assert_eq!((&*file.name, line, column), ("map.nds", 2, 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file and returns the global offset of its first byte; `None` if all files together pass 4 GB.
    pub fn add(&mut self, name: &str, text: &str) -> Option<u32> {
        let base = self
            .files
            .last()
            .map_or(0, |last| last.base as usize + last.text.len() + 1);
        if base + text.len() >= u32::MAX as usize {
            return None;
        }
        self.files.push(SourceFile::new(name, text, base as u32));
        Some(base as u32)
    }

    /// Adds a file whose first byte is at this offset, after all others; false if it does not fit there.
    pub fn add_at(&mut self, base: u32, name: &str, text: &str) -> bool {
        let end = self
            .files
            .last()
            .map_or(0, |last| last.base as usize + last.text.len() + 1);
        let fits = base as usize >= end && base as usize + text.len() < u32::MAX as usize;
        if fits {
            self.files.push(SourceFile::new(name, text, base));
        }
        fits
    }

    /// The files, in the order in which they were added.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The file that a global offset lies in.
    pub fn file_at(&self, offset: u32) -> Option<&SourceFile> {
        let next = self.files.partition_point(|file| file.base <= offset);
        self.files.get(next.checked_sub(1)?)
    }

    /// The file, 1-based line and 1-based column where a span begins.
    pub fn locate(&self, span: Span) -> Option<(&SourceFile, usize, usize)> {
        let file = self.file_at(span.start)?;
        let (line, column) = file.line_column(span.start - file.base);
        Some((file, line, column))
    }

    /// The line on which a span begins, in words: `line 4`, and with the file if it is not the program itself:
    /// `walls.nds, line 4`.
    ///
    /// ```
    /// use ndscript::source::{Sources, Span};
    /// let mut sources = Sources::default();
    /// sources.add("town.nds", "import \"parts/walls.nds\";");
    /// let base = sources.add("parts/walls.nds", "let a;\nlet b;").unwrap();
    /// assert_eq!(sources.line_in_words(Span::new(0, 1)).unwrap(), "line 1");
    /// assert_eq!(sources.line_in_words(Span::new(base + 7, base + 8)).unwrap(), "walls.nds, line 2");
    /// ```
    pub fn line_in_words(&self, span: Span) -> Option<String> {
        let (file, line, _) = self.locate(span)?;
        let is_program = self
            .files
            .first()
            .is_some_and(|first| first.base == file.base);
        let name = file.name.rsplit('/').next().unwrap_or(&file.name);
        Some(if is_program {
            format!("line {line}")
        } else {
            format!("{name}, line {line}")
        })
    }

    /// The text that a span covers, clamped to its file.
    pub fn text(&self, span: Span) -> &str {
        let Some(file) = self.file_at(span.start) else {
            return "";
        };
        let start = file.clamp(span.start - file.base);
        let end = file.clamp(span.end.saturating_sub(file.base)).max(start);
        &file.text[start..end]
    }
}
