//! The line editor at the terminal.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use rustyline::completion::Completer;
use rustyline::config::{BellStyle, ColorMode, CompletionType};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter, HistoryHinter};
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Helper};

use ndscript::syntax::is_unfinished;

use super::super::ask::with_answer;
use super::super::files::in_words;
use super::super::terminal::harmless;
use super::command::is_command;
use super::complete::{complete, parameters};
use super::paint::paint;
use super::session::Session;
use super::{command, history};

/// What came of reading.
pub enum Typed {
    Text(String),
    /// Ctrl-C: the line was cleared.
    Nothing,
    /// Ctrl-D.
    End,
    /// There is no terminal any more.
    Broken(String),
}

/// Reads inputs, which may have several lines.
pub struct Editor {
    inner: rustyline::Editor<Assistant, FileHistory>,
    file: Option<PathBuf>,
    history_problem: Option<String>,
    color: bool,
}

/// So many inputs are remembered.
const REMEMBERED: usize = 5000;

impl Editor {
    /// An editor with the history of earlier sessions.
    ///
    /// # Errors
    /// If the terminal cannot be used.
    pub fn new(session: Rc<RefCell<Session>>, color: bool) -> Result<Editor, ReadlineError> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .bell_style(BellStyle::None)
            .color_mode(if color { ColorMode::Enabled } else { ColorMode::Disabled })
            .auto_add_history(false)
            .max_history_size(REMEMBERED)?
            .build();
        let mut inner = rustyline::Editor::with_config(config)?;
        inner.set_helper(Some(Assistant { session, history: HistoryHinter::new(), answers: false }));
        let file = history::file();
        let history_problem = file.as_ref().and_then(|file| open(&mut inner, file).err());
        let file = if history_problem.is_some() { None } else { file };
        Ok(Editor { inner, file, history_problem, color })
    }

    /// Why the history is not kept, if it should be.
    pub fn history_problem(&self) -> Option<&str> {
        self.history_problem.as_deref()
    }

    /// Reads an input or a command.
    pub fn read(&mut self, prompt: &str) -> Typed {
        let typed = self.line(prompt, false);
        if let Typed::Text(text) = &typed
            && !text.trim().is_empty()
            && self.inner.add_history_entry(text.trim_end()).unwrap_or(false)
            && let Some(file) = &self.file
        {
            // Written at once: a session may end in any way.
            let _ = self.inner.append_history(file);
        }
        typed
    }

    /// Reads the answer to a question: one line, which is not remembered.
    pub fn answer(&mut self, prompt: &str) -> Typed {
        let prompt = harmless(prompt).replace('\n', " ");
        self.line(&if prompt.is_empty() { "? ".to_string() } else { with_answer(&prompt, "") }, true)
    }

    fn line(&mut self, prompt: &str, answers: bool) -> Typed {
        if let Some(assistant) = self.inner.helper_mut() {
            assistant.answers = answers;
        }
        let colored = if self.color { format!("\x1b[1;34m{prompt}\x1b[0m") } else { prompt.to_string() };
        match self.inner.readline(&(prompt, colored.as_str())) {
            Ok(text) => Typed::Text(text),
            Err(ReadlineError::Interrupted) => Typed::Nothing,
            Err(ReadlineError::Eof) => Typed::End,
            Err(ReadlineError::Signal(_)) => Typed::Nothing,
            Err(why) => Typed::Broken(why.to_string()),
        }
    }
}

/// Reads the history, and makes sure that it can be written.
fn open(editor: &mut rustyline::Editor<Assistant, FileHistory>, file: &PathBuf) -> Result<(), String> {
    let cannot = |why: &std::io::Error| format!("cannot use \"{}\": {}", file.display(), in_words(why));
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|why| cannot(&why))?;
    }
    let is_new = !file.exists();
    fs::OpenOptions::new().append(true).create(true).open(file).map_err(|why| cannot(&why))?;
    if is_new {
        // An empty file is not yet a history to the reader.
        let _ = editor.save_history(file);
        return Ok(());
    }
    // What cannot be read is no history; it is written anew.
    let _ = editor.load_history(file);
    Ok(())
}

/// What helps while a line is typed.
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
        let goes_on = !self.answers && !is_command(text) && is_unfinished(text);
        Ok(if goes_on { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
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

/// A hint behind the cursor.
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
            return Some(Shown { text: format!("{parameters})"), is_text: false });
        }
        if let Some(row) = command::COMMANDS.iter().find(|row| line == format!(":{}", row.name)) {
            let operands = row.usage[row.name.len() + 1..].to_string();
            return (!operands.is_empty() && cursor == line.len()).then_some(Shown { text: operands, is_text: false });
        }
        let text = self.history.hint(line, cursor, context)?;
        // A hint of several lines would push the screen about.
        (!text.contains('\n')).then_some(Shown { text, is_text: true })
    }
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        if self.answers {
            return Ok((cursor, Vec::new()));
        }
        let session = self.session.try_borrow().ok();
        let found = complete(session.as_deref(), line, cursor);
        Ok((found.start, found.words))
    }
}
