//! Reads lines at the terminal, with editing and a saved history: for the REPL and for the debugger.

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use rustyline::config::{BellStyle, ColorMode, CompletionType};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Helper};

use crate::files::in_words;

/// The result of reading a line.
pub enum Typed {
    Text(String),
    /// Ctrl-C: the line was cleared.
    Nothing,
    /// Ctrl-D.
    End,
    /// There is no terminal any more.
    Broken(String),
}

/// At most this many inputs are remembered.
const MOST_REMEMBERED: usize = 5000;

/// A line editor with a helper.
pub struct LineEditor<H: Helper> {
    inner: rustyline::Editor<H, FileHistory>,
    file: Option<PathBuf>,
    history_problem: Option<String>,
    color: bool,
}

impl<H: Helper> LineEditor<H> {
    /// An editor with the history that a file has, which grows by what is typed.
    ///
    /// # Errors
    /// If the terminal cannot be used.
    pub fn new(
        helper: H,
        file: Option<PathBuf>,
        color: bool,
    ) -> Result<LineEditor<H>, ReadlineError> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .bell_style(BellStyle::None)
            .color_mode(if color {
                ColorMode::Enabled
            } else {
                ColorMode::Disabled
            })
            .auto_add_history(false)
            .max_history_size(MOST_REMEMBERED)?
            .build();
        let mut inner = rustyline::Editor::with_config(config)?;
        inner.set_helper(Some(helper));
        let history_problem = file.as_ref().and_then(|file| open(&mut inner, file).err());
        let file = if history_problem.is_some() {
            None
        } else {
            file
        };
        Ok(LineEditor {
            inner,
            file,
            history_problem,
            color,
        })
    }

    /// Why the history is not saved, if it should be.
    pub fn history_problem(&self) -> Option<&str> {
        self.history_problem.as_deref()
    }

    pub fn helper_mut(&mut self) -> Option<&mut H> {
        self.inner.helper_mut()
    }

    /// Reads what is remembered from then on.
    pub fn read(&mut self, prompt: &str) -> Typed {
        let typed = self.line(prompt);
        if let Typed::Text(text) = &typed
            && !text.trim().is_empty()
            && self
                .inner
                .add_history_entry(text.trim_end())
                .unwrap_or(false)
            && let Some(file) = &self.file
        {
            // Written at once: a session may end in any way.
            let _ = self.inner.append_history(file);
        }
        typed
    }

    /// Reads what is not remembered.
    pub fn line(&mut self, prompt: &str) -> Typed {
        let colored = if self.color {
            format!("\x1b[1;34m{prompt}\x1b[0m")
        } else {
            prompt.to_string()
        };
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
fn open<H: Helper>(
    editor: &mut rustyline::Editor<H, FileHistory>,
    file: &PathBuf,
) -> Result<(), String> {
    let cannot =
        |why: &std::io::Error| format!("cannot use \"{}\": {}", file.display(), in_words(why));
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|why| cannot(&why))?;
    }
    if !is_history(file) {
        return Err(format!(
            "\"{}\" is no history: name another file, or an empty one",
            file.display()
        ));
    }
    let is_new = file.metadata().map_or(true, |about| about.len() == 0);
    fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .map_err(|why| cannot(&why))?;
    if is_new {
        // An empty file is not yet a history to the reader.
        let _ = editor.save_history(file);
        return Ok(());
    }
    let _ = editor.load_history(file);
    Ok(())
}

/// Whether a file may become, or is, a history as rustyline writes them: any other file stays as it is.
fn is_history(file: &PathBuf) -> bool {
    const BEGINNING: &[u8] = b"#V2\n";
    let mut begins = Vec::new();
    let Ok(opened) = fs::File::open(file) else {
        return true;
    };
    let _ = opened.take(BEGINNING.len() as u64).read_to_end(&mut begins);
    begins.is_empty() || begins == BEGINNING
}
