//! The line editor at the terminal.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter, HistoryHinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

use ndscript::syntax::is_unfinished;

use super::command;
use super::command::is_command;
use super::complete::{complete, parameters};
use super::paint::paint;
use crate::files::history;
use crate::interactive::repl::session::Session;
use crate::terminal::ask::with_answer;
use crate::terminal::harmless;
use crate::terminal::line_editor::{LineEditor, Typed};

/// Reads inputs, which may have several lines.
pub struct Editor(LineEditor<Assistant>);

impl Editor {
    /// An editor with the history of earlier sessions.
    ///
    /// # Errors
    /// If the terminal cannot be used.
    pub fn new(session: Rc<RefCell<Session>>, color: bool) -> Result<Editor, ReadlineError> {
        let assistant = Assistant {
            session,
            history: HistoryHinter::new(),
            answers: false,
        };
        Ok(Editor(LineEditor::new(
            assistant,
            history::file(""),
            color,
        )?))
    }

    /// Why the history is not saved, if it should be.
    pub fn history_problem(&self) -> Option<&str> {
        self.0.history_problem()
    }

    /// Reads an input or a command.
    pub fn read(&mut self, prompt: &str) -> Typed {
        self.answers(false);
        self.0.read(prompt)
    }

    /// Reads the answer to a question: one line, which is not remembered.
    pub fn answer(&mut self, prompt: &str) -> Typed {
        self.answers(true);
        let prompt = harmless(prompt).replace('\n', " ");
        self.0.line(&if prompt.is_empty() {
            "? ".to_string()
        } else {
            with_answer(&prompt, "")
        })
    }

    fn answers(&mut self, answers: bool) {
        if let Some(assistant) = self.0.helper_mut() {
            assistant.answers = answers;
        }
    }
}

/// Helps while a line is typed.
struct Assistant {
    session: Rc<RefCell<Session>>,
    history: HistoryHinter,
    /// Whether the line answers a question of the program.
    answers: bool,
}

impl Helper for Assistant {}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        let continues = !self.answers && !is_command(text) && is_unfinished(text);
        Ok(if continues {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, cursor: usize) -> Cow<'l, str> {
        if self.answers {
            return Cow::Borrowed(line);
        }
        paint(line, cursor).map_or(Cow::Borrowed(line), Cow::Owned)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(format!("\x1b[90m{hint}\x1b[0m"))
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        !self.answers
    }
}

/// A hint after the cursor.
pub struct Shown {
    text: String,
    /// Whether the right arrow takes it over.
    is_text: bool,
}

impl Hint for Shown {
    fn display(&self) -> &str {
        &self.text
    }

    fn completion(&self) -> Option<&str> {
        self.is_text.then_some(&self.text)
    }
}

impl Hinter for Assistant {
    type Hint = Shown;

    fn hint(&self, line: &str, cursor: usize, context: &Context<'_>) -> Option<Shown> {
        if self.answers {
            return None;
        }
        if let Some(parameters) = parameters(line, cursor) {
            return Some(Shown {
                text: format!("{parameters})"),
                is_text: false,
            });
        }
        if let Some(row) = command::COMMANDS
            .iter()
            .find(|row| line == format!(":{}", row.name))
        {
            let operands = row.usage[row.name.len() + 1..].to_string();
            return (!operands.is_empty() && cursor == line.len()).then_some(Shown {
                text: operands,
                is_text: false,
            });
        }
        let text = self.history.hint(line, cursor, context)?;
        // A hint of several lines would push the screen about.
        (!text.contains('\n')).then_some(Shown {
            text,
            is_text: true,
        })
    }
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        if self.answers {
            return Ok((cursor, Vec::new()));
        }
        let session = self.session.try_borrow().ok();
        let found = complete(session.as_deref(), line, cursor);
        Ok((found.start, found.words))
    }
}
