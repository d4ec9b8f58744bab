//! The files that a command writes because an option names them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::arguments::command::Command;

/// One that two options name, so that one would be written over the other.
pub fn named_twice(command: &Command) -> Option<&Path> {
    let mut seen = HashSet::new();
    let is_twice = |path: &&Path| {
        let is_file = path.metadata().map_or(true, |about| about.is_file());
        is_file && !seen.insert(std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
    };
    of(command).find(is_twice)
}

/// All outputs, in no order. A state that [`Command::Resume`] resumes may be overwritten.
pub fn of(command: &Command) -> impl Iterator<Item = &Path> {
    let named: Vec<&Option<PathBuf>> = match command {
        Command::Run(options) => {
            let batch = &options.batch;
            vec![
                &options.png,
                &options.html,
                &options.tmx,
                &options.tiled_json,
                &options.save,
                &batch.jsonl,
            ]
        }
        Command::Resume(options) => vec![&options.png, &options.html],
        Command::Play(options) => vec![&options.record],
        Command::Tree(options) => vec![
            &options.html,
            &options.svg,
            &options.dot,
            &options.speedscope,
        ],
        Command::Solve(options) => vec![&options.proof],
        Command::Why(options) => vec![&options.png],
        Command::Animate(options) => vec![&options.gif, &options.apng, &options.html],
        Command::Profile(options) => vec![&options.svg, &options.speedscope],
        Command::Check(options) => vec![&options.sarif],
        Command::Test(options) => vec![&options.junit],
        Command::Hint(options) => vec![&options.png],
        Command::Tiles(options) => vec![&options.png, &options.svg, &options.html],
        // Outputs of a session or a walk are named later.
        Command::Repl(_) | Command::Debug(_) | Command::Dap(_) | Command::Watch(_) => Vec::new(),
        Command::Explain(options) => vec![&options.html],
        Command::Trace(_) | Command::Verify(_) | Command::Doc(_) => Vec::new(),
        // Formatting overwrites its input, as requested.
        Command::Fmt(_) => Vec::new(),
        Command::Lsp(_) => Vec::new(),
        Command::New(_) | Command::Completions(_) | Command::Man(_) => Vec::new(),
    };
    named.into_iter().flatten().map(|path| &**path)
}
