//! What a person says to a question.

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The number of an option, from 0, and its text.
    Option(usize, String),
    Line(String),
}

impl Answer {
    /// What the person said.
    pub fn text(&self) -> &str {
        match self {
            Answer::Option(_, text) => text,
            Answer::Line(line) => line,
        }
    }
}

/// What the person wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    Answer(Answer),
    /// Back to a moment, counted from 0.
    GoTo(usize),
    Quit,
}
