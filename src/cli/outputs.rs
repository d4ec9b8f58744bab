//! The files that a command writes because an option names them.

use std::path::{Path, PathBuf};

use super::command::Command;
use super::cp_profiler::Receiver;

/// All of them, in no order. A state that [`Command::Resume`] goes on from may be written again.
pub fn of(command: &Command) -> impl Iterator<Item = &Path> {
    let named: Vec<&Option<PathBuf>> = match command {
        Command::Run(options) => {
            let batch = &options.batch;
            vec![&options.png, &options.html, &options.tmx, &options.tiled_json, &options.save, &batch.jsonl]
        }
        Command::Resume(options) => vec![&options.png, &options.html],
        Command::Play(options) => vec![&options.record],
        Command::Tree(options) => vec![&options.html, &options.svg, &options.dot, &options.speedscope],
        Command::Why(options) => vec![&options.png],
        Command::Animate(options) => vec![&options.gif, &options.apng, &options.html],
        Command::Profile(options) => vec![&options.svg, &options.speedscope],
        Command::Hint(options) => vec![&options.png],
        Command::Tiles(options) => vec![&options.png, &options.svg, &options.html],
        // What a conversation or a walk writes is named later.
        Command::Repl(_) | Command::Debug(_) | Command::Watch(_) => Vec::new(),
        Command::Trace(_) | Command::Explain(_) | Command::Check(_) | Command::Doc(_) => Vec::new(),
        Command::Test(_) | Command::New(_) | Command::Completions(_) | Command::Man(_) => Vec::new(),
    };
    let sent = match command {
        Command::Tree(options) => match &options.cp_profiler {
            Some(Receiver::File(path)) => Some(&**path),
            Some(Receiver::Listening { .. }) | None => None,
        },
        _ => None,
    };
    named.into_iter().flatten().map(|path| &**path).chain(sent)
}
