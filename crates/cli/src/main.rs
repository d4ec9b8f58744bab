//! The program `ndscript`: its commands. The only crate that touches files, the clock, entropy and the terminal; what it
//! knows of the language comes from the libraries.

mod account;
mod animate;
mod ask;
mod batch;
mod booklet;
mod check;
mod clock;
mod command;
mod command_line;
mod dap;
mod dead_ends;
mod debug;
mod doc;
mod exit;
mod explain;
mod failing;
mod files;
mod finding;
mod fmt;
mod guard;
mod hint;
mod history;
mod imports;
mod interrupt;
mod junit;
mod limits;
mod line_editor;
mod lsp;
mod manual;
mod new;
mod options;
mod output;
mod outputs;
mod page;
mod params;
mod pixels;
mod play;
mod preview;
mod profile;
mod progress;
mod raw_mode;
mod repl;
mod resume;
mod run;
mod sarif;
mod save;
mod search_options;
mod seed;
mod solution_steps;
mod solve;
mod solved;
mod stats;
mod stdout;
mod stopped;
mod terminal;
mod test;
mod test_result;
mod tiled;
mod tiles;
mod trace;
mod tree;
mod unfinished;
mod verify;
mod watch;
mod watched;
mod why;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use ndscript::diagnostics::bounded;

use command::Command;
use command_line::{CommandLine, with_command};
pub use exit::Exit;
use exit::Stop;

fn main() -> std::process::ExitCode {
    run_command(std::env::args_os()).into()
}

/// Does what the arguments say; the first one is the name of the program itself.
fn run_command(args: impl IntoIterator<Item = OsString>) -> Exit {
    let args = match with_command(args.into_iter().collect()) {
        Ok(args) => args,
        Err(stop) => {
            report(&stop);
            return stop.exit;
        }
    };
    let command_line = match CommandLine::try_parse_from(&args) {
        Ok(command_line) => command_line,
        Err(error) => {
            // Help that nobody reads to the end is no reason to panic.
            let _ = as_text(&error, &args).print();
            let is_help = matches!(
                error.kind(),
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
            );
            return if is_help { Exit::Success } else { Exit::Error };
        }
    };
    if let Some(path) = outputs::named_twice(&command_line.command) {
        terminal::say(&format!(
            "error: \"{}\" is named for two outputs; give each a name of its own",
            path.display()
        ));
        return Exit::Error;
    }
    guard::announce(outputs::of(&command_line.command));
    let result = match command_line.command {
        Command::Run(options) => run::run(&options),
        Command::Resume(options) => resume::resume(&options),
        Command::Repl(options) => repl::repl(&options),
        Command::Play(options) => play::play(&options),
        Command::Check(options) => check::check(&options),
        Command::Fmt(options) => fmt::fmt(&options),
        Command::Lsp(options) => lsp::lsp(&options),
        Command::Doc(options) => doc::doc(&options),
        Command::Trace(options) => trace::trace(&options),
        Command::Debug(options) => debug::debug(&options),
        Command::Dap(options) => dap::dap(&options),
        Command::Why(options) => why::why(&options),
        Command::Explain(options) => explain::explain(&options),
        Command::Solve(options) => solve::solve(&options),
        Command::Verify(options) => verify::verify(&options),
        Command::Animate(options) => animate::animate(&options),
        Command::Profile(options) => profile::profile(&options),
        Command::Hint(options) => hint::hint(&options),
        Command::Tree(options) => tree::tree(&options),
        Command::Watch(options) => watch::watch(&options),
        Command::Test(options) => test::test(&options),
        Command::Tiles(options) => tiles::tiles(&options),
        Command::New(options) => new::new(&options),
        Command::Completions(options) => manual::completions(&options),
        Command::Man(options) => manual::man(&options),
    };
    result.unwrap_or_else(|stop| {
        report(&stop);
        stop.exit
    })
}

/// What the parser says, with what a terminal would obey in the arguments as text. It colours its words itself, so its
/// message cannot be cleaned: it is asked once more, with arguments that are clean.
fn as_text(error: &clap::Error, args: &[OsString]) -> clap::Error {
    let shown = args
        .iter()
        .map(|arg| terminal::harmless(&bounded(arg.to_string_lossy().into_owned())).into_owned());
    match CommandLine::try_parse_from(shown) {
        Err(shown) if shown.kind() == error.kind() => shown,
        // Clean arguments are wrong in another way, or in none: then it is not quoted.
        _ => clap::Error::new(error.kind()).with_cmd(&CommandLine::command()),
    }
}

/// Says on standard error why a command cannot go on.
fn report(stop: &Stop) {
    if !stop.message.is_empty() {
        let kind = if stop.exit == Exit::Error {
            "error: "
        } else {
            ""
        };
        terminal::complain(&format!("{kind}{}", stop.message));
    }
}
