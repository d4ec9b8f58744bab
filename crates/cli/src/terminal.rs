//! The abilities of the terminal, and writing to it without panics.

pub mod ask;
pub mod interrupt;
pub mod line_editor;
pub mod pixels;
pub mod preview;
pub mod progress;
pub mod raw_mode;
pub mod stdout;

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use ndscript::diagnostics::{Diagnostic, bounded, wrap};
use ndscript::source::Sources;

use super::arguments::options::{Preview, ScreenOptions, When};

/// Whether messages on standard error are colored.
pub fn colors_messages(when: When) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => io::stderr().is_terminal() && allows_color(),
    }
}

/// Whether pictures appear on standard output.
pub fn shows_pictures(options: ScreenOptions) -> bool {
    let color = options.color;
    match options.preview {
        Preview::Always | Preview::Blocks | Preview::Kitty | Preview::Iterm | Preview::Sixel => {
            true
        }
        Preview::Never => false,
        Preview::Auto => {
            io::stdout().is_terminal()
                && color != When::Never
                && (color == When::Always || allows_color())
        }
    }
}

/// Whether typed input is colored at the terminal.
pub fn colors_input(when: When) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => allows_color(),
    }
}

fn allows_color() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The columns and lines of the terminal; without one, 80 and no limit.
pub fn size() -> (u32, u32) {
    let (columns, rows) = terminal_size::terminal_size()
        .map_or((80, u16::MAX), |(columns, rows)| (columns.0, rows.0));
    (u32::from(columns.max(1)), u32::from(rows.max(3)))
}

/// The columns of messages on standard error: those of the terminal, else no limit.
pub fn message_columns() -> usize {
    if io::stderr().is_terminal() {
        size().0 as usize
    } else {
        usize::MAX
    }
}

/// The columns of words on standard output.
pub fn output_columns() -> usize {
    if io::stdout().is_terminal() {
        size().0 as usize
    } else {
        usize::MAX
    }
}

/// An error or a remark on standard error, its first line as it is, further lines as hints.
pub fn complain(message: &str) {
    complain_of("", message);
}

/// A message after a word, which may be colored.
pub fn complain_of(word: &str, message: &str) {
    let columns = message_columns();
    let message = bounded(message.to_string());
    let mut lines = message.lines().map(harmless);
    say_styled(&wrap(
        &format!("{word}{}", lines.next().unwrap_or_default()),
        columns,
        2,
    ));
    lines.for_each(|line| say_styled(&wrap(&format!("  hint: {line}"), columns, 8)));
}

/// A text of a program as a terminal may get it: what it would obey, and what turns the direction of a line, is shown as
/// a string of the language writes it. Lines end, and tabs stay.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            _ if is_obeyed(character) => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(character)))
            }
            _ => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// A text of a program in a file that has a line for each: [`harmless`], and line breaks and tabs are shown as well.
pub fn in_one_line(text: &str) -> String {
    harmless(&text.replace('\r', "\\r"))
        .replace('\n', "\\n")
        .replace('\t', "\\t")
        .replace('\u{2028}', "\\u{2028}")
        .replace('\u{2029}', "\\u{2029}")
}

/// Whether a terminal obeys a character, or turns the direction of a line at it.
fn is_obeyed(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// JSON that is safe on a terminal: control characters in its strings are escaped, so that its meaning does not change.
pub fn harmless_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_obeyed) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        match character {
            // All of these are within 16 bits.
            _ if is_obeyed(character) => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// JSON on standard error: on a terminal [`harmless_json`].
pub fn say_json(json: &str) {
    say_styled(&if io::stderr().is_terminal() {
        harmless_json(json)
    } else {
        Cow::Borrowed(json)
    });
}

/// A line on standard error: on a terminal a [`harmless`] one, whatever names and texts are in it.
pub fn say(line: &str) {
    say_styled(&if io::stderr().is_terminal() {
        harmless(line)
    } else {
        Cow::Borrowed(line)
    });
}

/// A message about a place in a program's files.
pub fn show(diagnostic: &Diagnostic, sources: &Sources, color: bool) {
    say_styled(&diagnostic.render_in(sources, color, message_columns()));
}

/// Writes to standard error that there is no solution, and why, if the program gave a reason.
pub fn no_solution(reason: Option<&str>) {
    say("no solution");
    if let Some(reason) = reason {
        say_styled(&harmless(&self::reason(reason)));
    }
}

/// The reason of the latest failure that gave one.
pub fn reason(message: &str) -> String {
    format!("the last reason given: {message}")
}

/// A line on standard error that may be colored, and has no other control characters. If it cannot be written, nothing
/// happens.
pub fn say_styled(line: &str) {
    let mut text = line.to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::{harmless, harmless_json};

    #[test]
    fn what_a_terminal_would_obey_is_shown_as_text() {
        for (text, shown) in [
            (
                "plain\n\ttext \u{e9} \u{1f468}\u{200d}\u{1f469}",
                "plain\n\ttext \u{e9} \u{1f468}\u{200d}\u{1f469}",
            ),
            ("\u{1b}[2J\u{7}\u{8}\0", "\\u{1b}[2J\\u{7}\\u{8}\\0"),
            ("one\r\ntwo\rthree\r", "one\ntwo\\rthree\\r"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("\u{202e}abc", "\\u{202e}abc"),
        ] {
            assert_eq!(harmless(text), shown);
        }
    }

    #[test]
    fn json_for_a_terminal_means_the_same() {
        let text = "\u{9b}31m\u{7f}\u{202e}abc\u{2069}\tone\ntwo\u{1b} \u{e9}";
        let json = serde_json::to_string(text).unwrap();
        let shown = harmless_json(&json);
        assert!(
            shown.contains("\\u009b31m\\u007f\\u202eabc\\u2069"),
            "{shown}"
        );
        assert_eq!(harmless(&shown), shown);
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }
}
