//! `ndscript repl`: a conversation with a program that grows, at a terminal or from a pipe.

mod act;
#[cfg(test)]
mod generated;
mod looking;
mod reply;
mod saving;
mod session;
mod show;
mod typing;

use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ndscript::syntax::is_unfinished;
use ndscript::tiles::Tiles;
use ndscript::{Engine, Limits, Question};

use super::play::{GoBack, Key, Menu};
use crate::arguments::options::ReplOptions;
use crate::arguments::params;
use crate::commands::run;
use crate::exit::{Exit, Stop};
use crate::files::imports::{FileImports, source_limit};
use crate::files::{self, Bounds};
use crate::terminal;
use crate::terminal::line_editor::Typed;
use crate::terminal::{ask, interrupt};
use act::Actor;
use session::reach::{GrowingTiles, Reach};
use session::state::PersonAnswer;
use session::{InputLimits, Session};
use show::Screen;
use typing::editor::Editor;

/// Talks until the input ends.
pub fn repl(options: &ReplOptions) -> Result<Exit, Stop> {
    // A session can have parameters without a file.
    let is_param = |file: &PathBuf| file.to_string_lossy().contains('=') && !file.exists();
    let (file, param) = options.file.clone().map_or((None, None), |file| {
        if is_param(&file) {
            (None, Some(file.into_os_string()))
        } else {
            (Some(file), None)
        }
    });
    let given: Vec<_> = param
        .into_iter()
        .chain(options.params.iter().cloned())
        .collect();
    let memory = options.limits.memory.max_memory;
    let bounds = Bounds::new(memory, options.limits.timeout);
    let params = params::read_all(&given, bounds)?;
    let seed = match options.seed {
        Some(seed) => seed,
        None => run::fresh_seed()?,
    };
    let mut folders: Vec<PathBuf> = vec![".".into()];
    folders.extend(options.tiles.tiles.iter().cloned());
    let growing = GrowingTiles::new(folders, memory)?;
    let tiles = Tiles::new(growing.clone());
    // A session may last for days: its steps are counted by input.
    let limits = Limits {
        steps: u64::MAX,
        memory: run::memory_limit(memory),
        source: source_limit(memory),
        ..Limits::default()
    };
    let imports = FileImports::new(".".into(), &options.imports.import_path, memory)?;
    let engine = Engine::new()
        .with_limits(limits)
        .with_tiles(tiles.clone())
        .with_imports(imports.clone())
        .with_debug(terminal::say);
    let allowance = InputLimits {
        steps: options.limits.max_steps,
        time: options.limits.timeout,
    };
    let session = Session::new(&engine, seed, params, allowance)
        .map_err(|error| Stop::error(error.to_string()))?;
    let session = Rc::new(RefCell::new(session));
    let mut actor = Actor::new(
        session.clone(),
        Screen::new(options, tiles),
        Reach {
            tiles: growing,
            imports,
            bounds,
        },
    );
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        interrupt::watch_session(session.borrow().run().cancel_token());
        let editor = Editor::new(session, terminal::colors_input(options.screen.color));
        let editor =
            editor.map_err(|why| Stop::error(format!("cannot use the terminal: {why}")))?;
        converse(file.as_deref(), &mut actor, editor)
    } else {
        interrupt::watch(session.borrow().run().cancel_token());
        Ok(read(file.as_deref(), source_limit(memory), &mut actor))
    }
}

/// A conversation with a person at a terminal.
fn converse(file: Option<&Path>, actor: &mut Actor, mut editor: Editor) -> Result<Exit, Stop> {
    actor.greet();
    if let Some(why) = editor.history_problem() {
        actor
            .screen
            .remark(&format!("the history of inputs is not kept: {why}"));
    }
    if let Some(file) = file {
        actor.load(&file.display().to_string(), &mut |question| {
            ask_at_terminal(&mut editor, question)
        });
        interrupt::begin();
    }
    while !actor.is_over() {
        let prompt = actor.prompt();
        match editor.read(&prompt) {
            Typed::Text(text) => {
                interrupt::begin();
                actor.take(&text, &mut |question| {
                    ask_at_terminal(&mut editor, question)
                });
            }
            Typed::Nothing => {}
            Typed::End => break,
            Typed::Broken(why) => {
                return Err(Stop::error(format!("cannot read from the terminal: {why}")));
            }
        }
    }
    Ok(Exit::Success)
}

/// A person at the terminal answers a question.
fn ask_at_terminal(editor: &mut Editor, question: &Question) -> PersonAnswer {
    interrupt::begin();
    let Some(options) = &question.options else {
        return match editor.answer(&question.prompt) {
            Typed::Text(line) => PersonAnswer::Line(line),
            Typed::Nothing => PersonAnswer::Interrupted,
            Typed::End | Typed::Broken(_) => PersonAnswer::Nothing,
        };
    };
    match Menu::new(&question.prompt, options, 0, GoBack::Hidden).pick(None) {
        Ok(Key::Option(option)) => PersonAnswer::Option(option),
        Ok(_) => PersonAnswer::Interrupted,
        Err(_) => PersonAnswer::Nothing,
    }
}

/// An unfinished input of several lines.
struct UnfinishedInput {
    text: String,
    /// The bytes that may still be parsed to see whether it is complete, and its length at the latest parse.
    left: usize,
    read_at: usize,
}

/// An input is parsed again with each of its lines until this many bytes were parsed: some hundred lines. After that it
/// is parsed when it has grown by an eighth, so that a long one takes no quadratic time.
const PARSED_EACH_LINE: usize = 4 << 20;

impl Default for UnfinishedInput {
    fn default() -> UnfinishedInput {
        UnfinishedInput {
            text: String::new(),
            left: PARSED_EACH_LINE,
            read_at: 0,
        }
    }
}

impl UnfinishedInput {
    /// Appends a line; whether nothing is missing then.
    fn is_whole_with(&mut self, line: &str) -> bool {
        self.text.push_str(line);
        let length = self.text.len();
        if self.left == 0 && length < self.read_at + self.read_at / 8 {
            return false;
        }
        (self.left, self.read_at) = (self.left.saturating_sub(length), length);
        typing::command::is_command(&self.text) || !is_unfinished(&self.text)
    }
}

/// Runs a script of inputs from standard input, each of at most `limit` bytes; returns the exit of the first input that
/// failed.
fn read(file: Option<&Path>, limit: usize, actor: &mut Actor) -> Exit {
    let mut answer = |question: &Question| {
        let answer = match &question.options {
            Some(options) => {
                ask::pick(&question.prompt, options).map(|option| option.map(PersonAnswer::Option))
            }
            None => ask::line(&question.prompt).map(|line| line.map(PersonAnswer::Line)),
        };
        answer.ok().flatten().unwrap_or(PersonAnswer::Nothing)
    };
    if let Some(file) = file {
        actor.load(&file.display().to_string(), &mut answer);
    }
    let mut input = UnfinishedInput::default();
    actor.screen.count_repeats();
    while !actor.is_over() && !interrupt::pressed() {
        let mut bytes = Vec::new();
        let room = (limit + 1).saturating_sub(input.text.len()) as u64;
        match interrupt::while_waiting(|| {
            io::stdin().lock().take(room).read_until(b'\n', &mut bytes)
        }) {
            Ok(0) => break,
            Ok(_) => {}
            Err(why) => {
                actor.refuse(&format!(
                    "cannot read standard input: {}",
                    files::in_words(&why)
                ));
                break;
            }
        }
        if input.text.len() + bytes.len() > limit {
            input.text.clear();
            actor.refuse(&format!(
                "an input is larger than {limit} bytes; is one of its brackets never closed?"
            ));
            break;
        }
        let Ok(line) = String::from_utf8(bytes) else {
            actor.refuse("this line of the input is not UTF-8 text");
            input = UnfinishedInput::default();
            continue;
        };
        if input.is_whole_with(&line) {
            actor.take(&std::mem::take(&mut input).text, &mut answer);
        }
    }
    if !input.text.trim().is_empty() {
        // It goes no further, so it is taken as it is.
        actor.take(&input.text, &mut answer);
    }
    actor.screen.end_repeats();
    if interrupt::pressed() {
        Exit::Interrupted
    } else {
        actor.exit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_inputs_are_read_few_times() {
        let mut input = UnfinishedInput {
            left: 1000,
            ..UnfinishedInput::default()
        };
        let mut times = 0;
        assert!(!input.is_whole_with("let all = [\n"));
        for _ in 0..5000 {
            let before = input.read_at;
            assert!(!input.is_whole_with("1,\n"));
            times += usize::from(input.read_at > before);
        }
        // Up to a thousand bytes some dozen times, and then 36 times by an eighth from a hundred bytes on.
        assert!(times < 100, "{times}");
        // The end of a long one is found when it has grown enough, or when nothing more comes.
        assert!((0..1000).any(|_| input.is_whole_with("];\n")));
    }
}
