//! The replies of a session, and their words.

use std::fmt::Write;
use std::sync::Arc;

use ndscript::counted::counted;
use ndscript::{CompileError, PlacedPicture, Program, ScriptError};

use crate::exit::Exit;

/// The result of an input.
#[derive(Debug, Default)]
pub struct Answer {
    pub text: String,
    pub pictures: Vec<PlacedPicture>,
    /// The value, if it is to be shown.
    pub value: Option<String>,
}

/// A global variable that has another value than before.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub name: String,
    /// `None` if it has no value any more.
    pub value: Option<String>,
    pub is_new: bool,
}

/// The session has another solution.
pub struct AnotherSolution {
    /// The input that was backtracked to.
    pub to: usize,
    /// Whether the latest input is there for the first time.
    pub is_new: bool,
    /// The results of earlier inputs that ran again, each with its number.
    pub reruns: Vec<(usize, Arc<Answer>)>,
    /// The result of the latest input.
    pub answer: Arc<Answer>,
    pub changes: Vec<Change>,
}

impl AnotherSolution {
    /// The input that was resumed, and what has changed: `back to input 1, then input 2 again: x is now 3`.
    pub fn in_words(&self) -> String {
        let after: Vec<usize> = self
            .reruns
            .iter()
            .map(|(number, _)| *number)
            .filter(|n| *n > self.to)
            .collect();
        let latest = self.reruns.last().map_or(self.to, |(number, _)| number + 1);
        let last = if self.is_new || latest == self.to {
            after.last().copied()
        } else {
            Some(latest)
        };
        let again = match (after.first().copied().or(last), last) {
            (Some(first), Some(last)) if first == last => format!(", then input {first} again"),
            (Some(first), Some(last)) if first + 1 == last => {
                format!(", then inputs {first} and {last} again")
            }
            (Some(first), Some(last)) => format!(", then inputs {first} to {last} again"),
            _ => String::new(),
        };
        let words = in_words(&self.changes);
        let separator = if words.is_empty() { "" } else { ": " };
        format!("back to input {}{again}{separator}{words}", self.to)
    }
}

/// How an input ended.
pub enum Reply {
    /// There was nothing to do.
    Nothing,
    /// It has a solution.
    Solved {
        answer: Arc<Answer>,
        changes: Vec<Change>,
    },
    /// An earlier input has found another solution, and those after it hold with that, too.
    Back(Box<AnotherSolution>),
    /// No choice of the session leads to a solution. The last failure that gave a reason gave this one.
    NoSolution(Option<String>),
    /// The inputs have no other solution.
    NoOtherAnywhere,
    /// The input of this number has no other solution.
    NoOther(usize),
    /// It does not compile.
    Wrong(CompileError),
    /// It made an error. The program is that with the input.
    Error(Box<ScriptError>, Option<Program>),
    /// A limit was reached.
    TooLong(String),
    Interrupted,
    /// Nobody answered this question.
    Unanswered(String),
    Refused(String),
}

impl Reply {
    /// The reply with the program that an error is about.
    pub fn with_program(self, program: Program) -> Reply {
        match self {
            Reply::Error(error, _) => Reply::Error(error, Some(program)),
            other => other,
        }
    }

    /// The exit code of a script of inputs that ends with this reply.
    pub fn exit(&self) -> Exit {
        match self {
            Reply::Nothing | Reply::Solved { .. } | Reply::Back(_) => Exit::Success,
            Reply::NoSolution(_) | Reply::NoOther(_) | Reply::NoOtherAnywhere => Exit::NoSolution,
            Reply::Wrong(_) | Reply::Error(..) | Reply::Unanswered(_) | Reply::Refused(_) => {
                Exit::Error
            }
            Reply::TooLong(_) => Exit::Limit,
            Reply::Interrupted => Exit::Interrupted,
        }
    }
}

/// The differences of the second list of global variables from the first.
pub fn changes(before: &[(String, String)], after: &[(String, String)]) -> Vec<Change> {
    let find = |list: &[(String, String)], name: &str| {
        list.iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.clone())
    };
    let mut changes = Vec::new();
    for (name, value) in after {
        let old = find(before, name);
        if old.as_ref() != Some(value) {
            changes.push(Change {
                name: name.clone(),
                value: Some(value.clone()),
                is_new: old.is_none(),
            });
        }
    }
    for (name, _) in before {
        if find(after, name).is_none() {
            changes.push(Change {
                name: name.clone(),
                value: None,
                is_new: false,
            });
        }
    }
    changes
}

/// At most this many changes are named.
const MOST_NAMED: usize = 6;

/// Changes in words: `x is now 2, y is 3`; empty if there are none.
pub fn in_words(changes: &[Change]) -> String {
    let mut words = String::new();
    for (at, change) in changes.iter().take(MOST_NAMED).enumerate() {
        let separator = if at == 0 { "" } else { ", " };
        // A `String` takes every write.
        let _ = match &change.value {
            Some(value) if *value == format!("function {}", change.name) => {
                write!(words, "{separator}{} is a function", change.name)
            }
            Some(value) if change.is_new => {
                write!(words, "{separator}{} is {}", change.name, brief(value, 40))
            }
            Some(value) => write!(
                words,
                "{separator}{} is now {}",
                change.name,
                brief(value, 40)
            ),
            None => write!(words, "{separator}{} has no value any more", change.name),
        };
    }
    if changes.len() > MOST_NAMED {
        let _ = write!(words, ", and {} more", changes.len() - MOST_NAMED);
    }
    words
}

/// The output of an input and its value, on a line; empty if there is none.
pub fn in_short(answer: &Answer, most: usize) -> String {
    let lines = answer.text.trim_end().lines().count();
    let mut parts = Vec::new();
    if lines > 0 {
        parts.push(brief(
            answer.text.trim_end().lines().next().unwrap_or_default(),
            most,
        ));
    }
    if lines > 1 {
        parts.push(format!("({})", counted(lines - 1, "more line")));
    }
    match answer.pictures.len() {
        0 => {}
        1 => parts.push("(a picture)".to_string()),
        many => parts.push(format!("({})", counted(many, "picture"))),
    }
    parts.extend(answer.value.as_ref().map(|value| brief(value, most)));
    parts.join(" ")
}

/// The first line of a text, cut to this many characters.
pub fn brief(text: &str, most: usize) -> String {
    let (line, is_cut) = text
        .split_once('\n')
        .map_or((text, false), |(line, _)| (line, true));
    if line.chars().count() <= most {
        // The first line of a grid contains all that fits on one.
        return if is_cut && !line.starts_with("grid ") {
            format!("{line}...")
        } else {
            line.to_string()
        };
    }
    let beginning: String = line.chars().take(most.saturating_sub(3)).collect();
    format!("{}...", beginning.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_named() {
        let list = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect()
        };
        let before = list(&[("x", "1"), ("y", "2"), ("z", "3")]);
        let after = list(&[("x", "1"), ("y", "5"), ("new", "\"a\"")]);
        let found = changes(&before, &after);
        assert_eq!(
            in_words(&found),
            "y is now 5, new is \"a\", z has no value any more"
        );
        assert_eq!(in_words(&changes(&after, &after)), "");
        let many = list(&[
            ("a", "1"),
            ("b", "1"),
            ("c", "1"),
            ("d", "1"),
            ("e", "1"),
            ("f", "1"),
            ("g", "1"),
        ]);
        assert!(in_words(&changes(&[], &many)).ends_with("f is 1, and 1 more"));
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(brief("abc", 3), "abc");
        assert_eq!(brief("abcdefgh", 6), "abc...");
        assert_eq!(brief("[1, 2, 3, ...", 40), "[1, 2, 3, ...");
        assert_eq!(brief("grid 2x2\n 1 2\n 3 4", 40), "grid 2x2");
        assert_eq!(brief("äöüßäöüß", 7), "äöüß...");
    }
}
