//! A person's answer to a question.

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The number of an option, from 0, and its text.
    Option(usize, String),
    Line(String),
}

impl Answer {
    /// The text of the answer.
    pub fn text(&self) -> &str {
        match self {
            Answer::Option(_, text) => text,
            Answer::Line(line) => line,
        }
    }
}

/// A person's move.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    Answer(Answer),
    /// Back to a moment, counted from 0.
    GoTo(usize),
    Quit,
}
