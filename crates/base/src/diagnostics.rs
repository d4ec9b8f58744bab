//! Messages for people: what happened, where, and what to do.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use crate::source::{SourceFile, Sources, Span};

/// One message about a program, with the places it speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// The message, one sentence without a full stop.
    pub message: String,
    /// Where; `None` if the message is about no place in a file.
    pub span: Option<Span>,
    /// The label at the marked place itself; may be empty.
    pub label: String,
    /// Other places that matter, such as where a bracket was opened.
    pub related: Vec<(Span, String)>,
    /// What to do, one line each.
    pub hints: Vec<String>,
    /// The calls that led there, innermost first, as they are to be shown.
    pub calls: Vec<Call>,
}

/// A call on the path to an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The function and its arguments, shortened: `f(1, "a", [1, 2, ...])`.
    pub text: String,
    /// The place of the call; `None` for calls left out, whose number is in `text`.
    pub span: Option<Span>,
}

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program cannot run, or cannot continue.
    Error,
    /// The program runs, but may not do what is meant.
    Warning,
}

/// A text of a message that a person can read, however long the names and texts in it are.
///
/// ```
/// use ndscript::diagnostics::bounded;
/// assert_eq!(bounded("there is no \"x\"".to_string()), "there is no \"x\"");
/// assert!(bounded(format!("there is no \"{}\"", "x".repeat(10_000))).len() < 200);
/// ```
pub fn bounded(text: String) -> String {
    const SHORT: usize = 1000;
    const WORD: usize = 100;
    const MOST: usize = 5000;
    if text.len() <= SHORT {
        return text;
    }
    let mut out = String::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        if out.len() > MOST {
            out.push_str("...");
            break;
        }
        let Some((end, _)) = piece.char_indices().nth(WORD) else {
            out.push_str(piece);
            continue;
        };
        // Its end stays.
        let close = piece
            .trim_end_matches(|c: char| c.is_ascii_punctuation() || c.is_whitespace())
            .len()
            .max(end);
        out.push_str(&piece[..end]);
        out.push_str("...");
        out.extend(
            piece[close..]
                .chars()
                .rev()
                .take(4)
                .collect::<Vec<_>>()
                .into_iter()
                .rev(),
        );
    }
    out
}

impl Diagnostic {
    /// A warning about a place in the source.
    pub fn warning(message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(message, span)
        }
    }

    /// An error at a place.
    pub fn error(message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: bounded(message.into()),
            span: Some(span),
            label: String::new(),
            related: Vec::new(),
            hints: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// Adds words at the marked place.
    pub fn with_label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = bounded(label.into());
        self
    }

    /// Adds a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hints.push(bounded(hint.into()));
        self
    }

    /// Adds a place.
    pub fn with_related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push((span, bounded(text.into())));
        self
    }

    /// The message as text for a terminal, without a line break at its end: the place with its line, other places,
    /// hints, and the calls that led there. It never fails, whatever the spans.
    ///
    /// ```
    /// use ndscript::diagnostics::Diagnostic;
    /// use ndscript::source::{Sources, Span};
    /// let mut sources = Sources::default();
    /// sources.add("map.nds", "fial;");
    /// let error = Diagnostic::error("unknown word `fial`", Span::new(0, 4)).with_hint("did you mean `fail`?");
    /// assert!(error.render(&sources, false).contains("map.nds:1:1"));
    /// ```
    pub fn render(&self, sources: &Sources, color: bool) -> String {
        self.render_in(sources, color, usize::MAX)
    }

    /// Renders the message for a terminal of this many columns: words wrap to a new line, and source lines are cut
    /// around the mark.
    pub fn render_in(&self, sources: &Sources, color: bool, columns: usize) -> String {
        let paint = Paint { color };
        let places = self.places(sources);
        let fits = |text: &String| text.lines().all(|line| width(line) <= columns);
        let picture = pretty(self, &places, color).filter(fits);
        let mut text = self.headline(paint, columns);
        text += &picture.unwrap_or_else(|| self.plain(&places, paint, columns));
        for hint in &self.hints {
            let hint = wrap(&format!("  hint: {}", clean(hint)), columns, 8);
            let _ = write!(
                text,
                "\n{}",
                hint.replacen("hint:", &paint.strong(CYAN, "hint:"), 1)
            );
        }
        for call in &self.calls {
            let place = call.span.and_then(|span| sources.locate(span));
            let _ = match place {
                Some((file, line, _)) => {
                    let call = format!(
                        "  called from {} at {}:{line}",
                        clean(&call.text),
                        clean(&file.name)
                    );
                    write!(text, "\n{}", wrap(&call, columns, 4))
                }
                None => write!(text, "\n  {}", clean(&call.text)),
            };
        }
        text
    }

    /// The places to mark, the main one first, each cut to its first line.
    fn places<'s>(&'s self, sources: &'s Sources) -> Vec<ShownSpan<'s>> {
        let main = self.span.map(|span| (span, self.label.as_str()));
        let related = self
            .related
            .iter()
            .map(|(span, text)| (*span, text.as_str()));
        main.into_iter()
            .chain(related)
            .filter_map(|(span, text)| ShownSpan::find(sources, span, text))
            .collect()
    }

    fn headline(&self, paint: Paint, columns: usize) -> String {
        let (word, code) = self.severity.word_and_color();
        wrap(&format!("{word}: {}", clean(&self.message)), columns, 2).replacen(
            word,
            &paint.strong(code, word),
            1,
        )
    }

    /// The picture of the places without any library; long lines are cut. It begins with a line break.
    fn plain(&self, places: &[ShownSpan], paint: Paint, columns: usize) -> String {
        let mut text = String::new();
        let width = places
            .iter()
            .map(|place| place.line.to_string().len())
            .max()
            .unwrap_or(1);
        let bar = paint.strong(BLUE, "|");
        for (at, place) in places.iter().enumerate() {
            let room = columns.saturating_sub(width + 3);
            let (line, from, marked) =
                place.window(room.saturating_sub(2 * DOTS.len()).clamp(12, WINDOW));
            let arrow = paint.strong(BLUE, "-->");
            let number = paint.strong(BLUE, &format!("{:>width$}", place.line));
            let (mark, code) = if at == 0 {
                ("^", self.severity.word_and_color().1)
            } else {
                ("-", BLUE)
            };
            let words = clean(place.text);
            let is_beside = from + marked + 1 + words.chars().count() <= room;
            let words = if is_beside {
                words
            } else {
                wrap(&words, room, 0).into()
            };
            let separator = if is_beside { " " } else { "\n" };
            let marks = format!("{}{separator}{words}", mark.repeat(marked));
            let mut marks = marks.trim_end().lines();
            let first = paint.strong(code, marks.next().unwrap_or_default());
            let _ = write!(
                text,
                "\n{:width$}{arrow} {}:{}:{}",
                "",
                clean(&place.file.name),
                place.line,
                place.column
            );
            let _ = write!(text, "\n{:width$} {bar}", "");
            let _ = write!(text, "\n{number} {bar} {line}");
            let _ = write!(text, "\n{:width$} {bar} {:from$}{first}", "", "");
            for more in marks {
                let _ = write!(text, "\n{:width$} {bar} {}", "", paint.strong(code, more));
            }
        }
        text
    }
}

impl Severity {
    fn word_and_color(self) -> (&'static str, &'static str) {
        match self {
            Severity::Error => ("error", RED),
            Severity::Warning => ("warning", YELLOW),
        }
    }
}

const RED: &str = "31";
const YELLOW: &str = "33";
const BLUE: &str = "34";
const CYAN: &str = "36";

/// How many characters of a long line are shown.
const WINDOW: usize = 100;

/// The most blanks before the rest of a wrapped line.
const MAX_INDENT: usize = 80;

/// The mark for the rest of a line.
const DOTS: &str = "...";

/// Breaks lines between words so that they have at most `columns` columns, as far as their words allow. The rest of a
/// line begins with `indent` blanks.
///
/// ```
/// use ndscript::diagnostics::wrap;
/// assert_eq!(wrap("take one step after the other", 12, 2), "take one\n  step after\n  the other");
/// ```
pub fn wrap(text: &str, columns: usize, indent: usize) -> String {
    if text.len() <= columns {
        return text.to_string();
    }
    let indent = indent.min(columns).min(MAX_INDENT);
    let mut out = String::with_capacity(text.len() + 16);
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let mut used = 0;
        let mut has_word = false;
        for (at, word) in line.split(' ').enumerate() {
            let length = word.chars().count();
            if has_word && used + 1 + length > columns {
                out.truncate(out.trim_end_matches(' ').len());
                let _ = write!(out, "\n{:indent$}", "");
                used = indent;
            } else if at > 0 {
                out.push(' ');
                used += 1;
            }
            out.push_str(word);
            used += length;
            // Blanks at the beginning of a line are its own.
            has_word |= !word.is_empty();
        }
    }
    out
}

/// The columns of a line, without its colors.
fn width(line: &str) -> usize {
    let mut in_code = false;
    let counts = |character: char| {
        let begins = character == '\u{1b}';
        let ends = in_code && character == 'm';
        let counts = !in_code && !begins;
        in_code = begins || in_code && !ends;
        counts
    };
    line.chars().map(counts).filter(|counts| *counts).count()
}

/// Writes with or without colors.
#[derive(Clone, Copy)]
struct Paint {
    color: bool,
}

impl Paint {
    fn strong(self, code: &str, text: &str) -> String {
        if self.color {
            format!("\u{1b}[1;{code}m{text}\u{1b}[0m")
        } else {
            text.to_string()
        }
    }
}

/// A span as it is shown: inside one line of one file, and never empty where there is a character to mark.
struct ShownSpan<'s> {
    file: &'s SourceFile,
    line: usize,
    column: usize,
    /// The bytes in the file; both ends are character boundaries inside the text.
    range: Range<usize>,
    text: &'s str,
}

impl<'s> ShownSpan<'s> {
    /// The line that a span lies in, with the part of it to mark: at least one character.
    fn find(sources: &'s Sources, span: Span, text: &'s str) -> Option<ShownSpan<'s>> {
        let file = sources.file_at(span.start)?;
        let mut start = file.clamp(span.start - file.base);
        let end = file.clamp(span.end.saturating_sub(file.base)).max(start);
        let line_end = file.text[start..]
            .find('\n')
            .map_or(file.text.len(), |length| start + length);
        let line_end = start
            + file.text[start..line_end]
                .strip_suffix('\r')
                .map_or(line_end - start, str::len);
        let mut end = end.min(line_end);
        if start == end {
            match file.text[start..line_end].chars().next() {
                Some(next) => end = start + next.len_utf8(),
                None => {
                    // At the end of a line, the character before it is marked.
                    let before = file.text[..start]
                        .chars()
                        .next_back()
                        .filter(|before| *before != '\n');
                    start -= before.map_or(0, char::len_utf8);
                }
            }
        }
        let (line, column) = file.line_column(start as u32);
        Some(ShownSpan {
            file,
            line,
            column,
            range: start..end,
            text,
        })
    }

    /// The visible part of the line, the number of characters before the mark, and that of marked ones.
    fn window(&self, most: usize) -> (String, usize, usize) {
        let line = self.file.line(self.line);
        let before = self.column - 1;
        let marked = self.file.text[self.range.clone()].chars().count().max(1);
        let length = line.chars().count();
        if length <= most {
            return (printable(line), before, marked);
        }
        let skip = before.saturating_sub(most / 3).min(length - most);
        let lead = if skip > 0 { DOTS } else { "" };
        let trail = if skip + most < length { DOTS } else { "" };
        let cut: String = line.chars().skip(skip).take(most).collect();
        let from = before - skip + lead.len();
        (
            format!("{lead}{}{trail}", printable(&cut)),
            from,
            marked.min(most.saturating_sub(before - skip)).max(1),
        )
    }
}

/// A line with every character one column wide and harmless for a terminal.
fn printable(line: &str) -> String {
    line.chars()
        .map(|c| {
            if c == '\t' {
                ' '
            } else if is_harmful(c) {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

/// Control characters, and those that turn the direction of a line.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Words of a message, harmless for a terminal.
fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .map(|c| {
                if c == '\n' {
                    ' '
                } else if is_harmful(c) {
                    '\u{fffd}'
                } else {
                    c
                }
            })
            .collect(),
    )
}

#[cfg(not(feature = "diagnostics"))]
fn pretty(_: &Diagnostic, _: &[ShownSpan], _: bool) -> Option<String> {
    None
}

/// The picture of the places by ariadne; `None` where it would look wrong: no place, a very long line, or characters
/// that it shows, or counts as line breaks, in its own way.
#[cfg(feature = "diagnostics")]
fn pretty(diagnostic: &Diagnostic, places: &[ShownSpan], color: bool) -> Option<String> {
    use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};

    let main = places.first()?;
    for place in places {
        let line = place.file.line(place.line);
        if place.range.is_empty()
            || line.len() > 4 * WINDOW
            || line.contains(|c| is_harmful(c) && c != '\t')
        {
            return None;
        }
    }
    // Only the lines in question are handed over, so that a long file costs nothing.
    let bases: Vec<u32> = places.iter().map(|place| place.file.base).collect();
    let mut cache: Vec<(u32, String, Source, usize)> = Vec::new();
    for (place, base) in places.iter().zip(&bases) {
        if cache.iter().any(|known| known.0 == *base) {
            continue;
        }
        let here = || places.iter().filter(|other| other.file.base == *base);
        let text = &*place.file.text;
        let start = here().map(|other| other.range.start).min().unwrap_or(0);
        let start = text[..start].rfind('\n').map_or(0, |line| line + 1);
        let end = here().map(|other| other.range.end).max().unwrap_or(0);
        let end = text[end..].find('\n').map_or(text.len(), |line| end + line);
        let breaks = ['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
        let lone_return = |(at, _): (usize, &str)| !text[at + 1..].starts_with('\n');
        if text[start..end].contains(breaks)
            || text[start..end]
                .match_indices('\r')
                .any(|at| lone_return((at.0 + start, at.1)))
        {
            return None;
        }
        let first = here().map(|other| other.line).min().unwrap_or(1);
        // Empty lines replace those before it, to keep the numbers right.
        let source = Source::from("\n".repeat(first - 1) + &text[start..end]);
        cache.push((
            *base,
            clean(&place.file.name).into_owned(),
            source,
            start - (first - 1),
        ));
    }
    let range = |place: &ShownSpan| {
        let start = cache
            .iter()
            .find(|known| known.0 == place.file.base)
            .map_or(0, |known| known.3);
        (
            place.file.base,
            place.range.start - start..place.range.end - start,
        )
    };
    let (word, color_of_kind) = match diagnostic.severity {
        Severity::Error => ("error", Color::Red),
        Severity::Warning => ("warning", Color::Yellow),
    };
    let config = Config::new()
        .with_color(color)
        .with_index_type(IndexType::Byte);
    let mut report = Report::build(ReportKind::Custom(word, color_of_kind), range(main))
        .with_config(config)
        .with_message(clean(&diagnostic.message));
    // In the order of the text; otherwise it would draw the file twice.
    let mut labels: Vec<(usize, &ShownSpan)> = places.iter().enumerate().collect();
    labels.sort_by_key(|(_, place)| (place.file.base, place.range.start));
    for (at, place) in labels {
        let label =
            Label::new(range(place)).with_color(if at == 0 { color_of_kind } else { Color::Blue });
        // A place without a word would not be marked.
        let text = if place.text.is_empty() {
            "here".into()
        } else {
            clean(place.text)
        };
        report = report.with_label(label.with_message(text));
    }
    let mut out = Vec::new();
    report.finish().write(Files(cache), &mut out).ok()?;
    let out = String::from_utf8(out).ok()?;
    // Its first line always has colors, so the headline is written elsewhere.
    let picture: String = out
        .lines()
        .skip(1)
        .map(|line| format!("\n{}", line.trim_end()))
        .collect();
    Some(picture.trim_end().to_string())
}

/// The stretches of files that a message shows.
#[cfg(feature = "diagnostics")]
struct Files(Vec<(u32, String, ariadne::Source, usize)>);

#[cfg(feature = "diagnostics")]
impl ariadne::Cache<u32> for Files {
    type Storage = String;

    fn fetch(&mut self, id: &u32) -> Result<&ariadne::Source, impl std::fmt::Debug> {
        self.0
            .iter()
            .find(|file| file.0 == *id)
            .map(|file| &file.2)
            .ok_or("no such file")
    }

    fn display<'a>(&self, id: &'a u32) -> Option<impl std::fmt::Display + 'a> {
        self.0
            .iter()
            .find(|file| file.0 == *id)
            .map(|file| file.1.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "let total = sum(map(cities, city => distanceBetween(city, capital))) + nosuch;";

    fn message() -> (Sources, Diagnostic) {
        let mut sources = Sources::default();
        sources.add("map.nds", LINE);
        let at = LINE.find("nosuch").unwrap() as u32;
        let error = Diagnostic::error(
            "`nosuch` is not defined anywhere in this program",
            Span::new(at, at + 6),
        )
        .with_label("here, where the sum is made")
        .with_hint("declare it first: `var nosuch = ...;` or `function nosuch(...) { ... }`");
        (sources, error)
    }

    #[test]
    fn messages_fit_the_window() {
        let (sources, mut error) = message();
        error.calls = vec![Call {
            text: "f([1, 2, 3, ...], \"a long text ...\")".into(),
            span: error.span,
        }];
        for columns in [24, 30, 40, 60, 80, 120, usize::MAX] {
            for color in [false, true] {
                let text = error.render_in(&sources, color, columns);
                assert!(
                    text.lines().all(|line| width(line) <= columns),
                    "{columns}:\n{text}"
                );
                for word in ["nosuch", "hint:", "called from", "is made", "map.nds:1:72"] {
                    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    assert!(
                        flat.contains(word) || columns < 40 || color,
                        "{columns}: {word} in\n{text}"
                    );
                }
            }
        }
        assert_eq!(
            error.render_in(&sources, false, usize::MAX),
            error.render(&sources, false)
        );
    }

    #[test]
    fn the_mark_stands_under_its_place_in_a_narrow_window() {
        let (sources, error) = message();
        let text = error.render_in(&sources, false, 40);
        let lines: Vec<&str> = text.lines().collect();
        let code = lines
            .iter()
            .position(|line| line.ends_with("nosuch;"))
            .unwrap();
        let at = lines[code].find("nosuch").unwrap();
        assert_eq!(lines[code + 1].find("^^^^^^"), Some(at), "{text}");
    }

    #[test]
    fn long_words_are_shortened_and_the_sentence_stays() {
        let name = "x".repeat(3_000_000);
        let error = Diagnostic::error(format!("`{name}` is a constant"), Span::default())
            .with_hint(name.repeat(2));
        assert!(
            error.message.ends_with("xxx...` is a constant") && error.message.len() < 150,
            "{}",
            error.message
        );
        assert!(error.hints[0].len() < 150);
        assert!(
            Diagnostic::error("a b ".repeat(1_000_000), Span::default())
                .message
                .len()
                < 6000
        );
        let marks = format!("{} {}", "!".repeat(5000), "ü".repeat(5000));
        assert!(Diagnostic::error(marks, Span::default()).message.len() < 500);
    }

    #[test]
    fn words_wrap() {
        assert_eq!(wrap("ab cd", 5, 2), "ab cd");
        assert_eq!(wrap("ab cd", 4, 2), "ab\n  cd");
        assert_eq!(wrap("  ab cd\nxy", 4, 2), "  ab\n  cd\nxy");
        assert_eq!(wrap("tremendous", 4, 2), "tremendous");
        assert_eq!(wrap("", 0, 0), "");
        assert_eq!(width("\u{1b}[1;31merror\u{1b}[0m: x"), 8);
    }
}
