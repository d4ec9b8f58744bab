//! Errors with their place, and the calls that led there.

mod in_machine;

use super::error::ErrorKind;
use ndscript_base::counted::counted;
use ndscript_base::diagnostics::{Call, Diagnostic};
use ndscript_base::source::Sources;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// An error that ended a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptError {
    /// What sort of error it is.
    pub kind: ErrorKind,
    /// What happened, where, and by which calls.
    pub diagnostic: Diagnostic,
    /// The place in words, once a run has handed the error out: a diagnostic alone does not know its files.
    pub place: Option<ErrorPlace>,
    /// The calls with their places in words.
    pub calls: Vec<String>,
}

/// Where an error is: the file, and the line and column in it, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorPlace {
    /// The file, as the host has named it.
    pub file: Arc<str>,
    /// Its line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl ScriptError {
    fn new(kind: ErrorKind, diagnostic: Diagnostic) -> ScriptError {
        ScriptError {
            kind,
            diagnostic,
            place: None,
            calls: Vec::new(),
        }
    }

    /// Finds its places in the files of the program.
    pub fn locate(&mut self, sources: &Sources) {
        let place = self.diagnostic.span.and_then(|span| sources.locate(span));
        self.place = place.map(|(file, line, column)| ErrorPlace {
            file: file.name.clone(),
            line,
            column,
        });
        let words = |call: &Call| match call.span.and_then(|span| sources.locate(span)) {
            Some((file, line, _)) => format!("called from {} at {}:{line}", call.text, file.name),
            None => call.text.clone(),
        };
        self.calls = self.diagnostic.calls.iter().map(words).collect();
    }
}

/// The place and the message, then a line for each hint and each call.
///
/// Text that the program puts into a message appears unchanged; [`Diagnostic::render`] escapes control characters and
/// adds the line of the program.
impl Display for ScriptError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(ErrorPlace { file, line, column }) = &self.place {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        f.write_str(&self.diagnostic.message)?;
        for hint in &self.diagnostic.hints {
            write!(f, "\n  hint: {hint}")?;
        }
        for call in &self.calls {
            write!(f, "\n  {call}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ScriptError {}

/// A call that waits: the function that was called, and where its frame begins.
#[derive(Clone, Copy)]
pub(crate) struct Caller {
    function: u32,
    base: u32,
}

/// Of deeper stacks only the ends are shown.
const SHOWN: usize = 6;

fn count_of(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_string(),
        n => counted(n, "argument"),
    }
}

/// The number of arguments wanted, in words: `1 or 2 arguments`.
pub(crate) fn arguments_in_words(least: u32, most: Option<u32>) -> String {
    match most {
        Some(most) if most == least => count_of(most as usize),
        Some(most) if most == least + 1 => format!("{least} or {}", count_of(most as usize)),
        Some(most) => format!("{least} to {}", count_of(most as usize)),
        None => format!("at least {}", count_of(least as usize)),
    }
}
