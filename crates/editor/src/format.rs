//! One form for every script. Words and comments stay as they are, in their order; only white space changes, and the
//! comma after the last element of a literal. What the author decides: empty lines, literals that begin on a new
//! line and which of their elements share one, short blocks on one line, and whether lines end in LF or in CR and LF.

mod expressions;
mod layout;
mod reader;
mod statements;
mod words;

use std::fmt::{self, Display, Formatter};

use ndscript::diagnostics::Diagnostic;
use ndscript::syntax::parse;

use reader::Reader;
use words::{Word, words};

/// Why a text was not formatted.
#[derive(Clone, Debug, PartialEq)]
pub enum FormatError {
    /// It has syntax errors.
    Syntax(Vec<Diagnostic>),
    /// The result would mean something else, so it was discarded. That is a mistake of the formatter.
    Unsafe,
}

impl Display for FormatError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Syntax(errors) => match errors.first() {
                Some(first) => f.write_str(&first.message),
                None => f.write_str("there are syntax errors"),
            },
            FormatError::Unsafe => f.write_str(
                "this text would change its meaning by being formatted, so it was left alone; please report it",
            ),
        }
    }
}

/// A script in the one form; a text with syntax errors is left alone. The deepest nesting that the parser lets
/// through takes less than 1 MB of stack, also in a debug build.
///
/// ```
/// let text = "foreach(p in board)  // each\n  if (p.x==0){narrow(board,p,'wall')}";
/// assert!(ndscript_editor::format(text).is_err()); // a `;` is missing
/// let text = "var x=1+2 ;\n\n\n// next\nprint( [1,2,3,] );";
/// assert_eq!(ndscript_editor::format(text).unwrap(), "var x = 1 + 2;\n\n// next\nprint([1, 2, 3]);\n");
/// ```
pub fn format(text: &str) -> Result<String, FormatError> {
    parse(text, 0).map_err(FormatError::Syntax)?;
    formatted(text, line_break(text))
}

/// As [`format`], for a text that is known to have no syntax errors.
pub(crate) fn formatted(text: &str, line_break: &'static str) -> Result<String, FormatError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let old = words(text);
    let mut out = printed(old.clone(), line_break);
    if out == text {
        return Ok(out);
    }
    // A comment in the middle of an expression moves to the end of its line. What it broke may then be whole again.
    for pass in 1.. {
        let new = words(&out);
        let again = printed(new.clone(), line_break);
        if again == out || pass == MOST_PASSES {
            let is_same = means_the_same(&old, &new) && parse(&out, 0).is_ok();
            return is_same.then_some(out).ok_or(FormatError::Unsafe);
        }
        out = again;
    }
    Err(FormatError::Unsafe)
}

/// How often a text is printed, at most, until nothing changes any more.
const MOST_PASSES: usize = 8;

fn printed(words: Vec<Word<'_>>, line_break: &'static str) -> String {
    Reader::new(words).script().print(line_break)
}

/// How lines end, by the last one.
pub(crate) fn line_break(text: &str) -> &'static str {
    let before = text.rfind('\n').map_or("", |at| &text[..at]);
    if before.ends_with('\r') { "\r\n" } else { "\n" }
}

/// Whether two texts mean the same by their words.
pub(crate) fn is_same(old: &str, new: &str) -> bool {
    means_the_same(&words(old), &words(new))
}

/// Whether two texts have the same words and comments, in the same order, but for commas before closing brackets. The
/// tree follows from the words, and from whether what follows a `fail` is on its line.
fn means_the_same(old: &[Word<'_>], new: &[Word<'_>]) -> bool {
    significant_words(old).eq(significant_words(new)) && comments(old).eq(comments(new))
}

/// The words that the tree depends on, which are all but needless commas, each with whether it begins the line after a `fail`.
fn significant_words<'t>(words: &'t [Word<'_>]) -> impl Iterator<Item = (&'t str, bool)> {
    let is_kept = |at: &usize| {
        let next = words.get(at + 1);
        !(words[*at].is(",") && next.is_some_and(|next| closes(next.text)))
    };
    let after_fail = |at: usize| {
        let word = &words[at];
        word.begins_line && word.begins_message() && at > 0 && words[at - 1].is("fail")
    };
    let significant = (0..words.len()).filter(is_kept);
    significant.map(move |at| (words[at].text, after_fail(at)))
}

fn comments<'t>(words: &'t [Word<'_>]) -> impl Iterator<Item = &'t str> {
    words.iter().flat_map(|word| {
        let before = word.before.iter().map(|comment| comment.text);
        before.chain(word.trailing_comments.iter().copied())
    })
}

fn closes(text: &str) -> bool {
    matches!(text, ")" | "]" | "}")
}
