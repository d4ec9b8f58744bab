//! The program `ndscript`: its commands. The only crate that touches files, the clock, entropy and the terminal; what it
//! knows of the language comes from the libraries.

mod arguments;
mod commands;
mod exit;
mod files;
mod interactive;
mod results;
mod runs;
mod terminal;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use ndscript::diagnostics::bounded;

use arguments::command::Command;
use arguments::command_line::{CommandLine, with_command};
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
            // An unread end of the help is no reason to panic.
            let _ = as_text(&error, &args).print();
            let is_help = matches!(
                error.kind(),
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
            );
            return if is_help { Exit::Success } else { Exit::Error };
        }
    };
    if let Some(path) = files::outputs::named_twice(&command_line.command) {
        terminal::say(&format!(
            "error: \"{}\" is named for two outputs; give each a name of its own",
            path.display()
        ));
        return Exit::Error;
    }
    files::guard::announce(files::outputs::of(&command_line.command));
    let result = match command_line.command {
        Command::Run(options) => commands::run::run(&options),
        Command::Resume(options) => commands::resume::resume(&options),
        Command::Repl(options) => interactive::repl::repl(&options),
        Command::Play(options) => interactive::play::play(&options),
        Command::Check(options) => commands::check::check(&options),
        Command::Fmt(options) => commands::fmt::fmt(&options),
        Command::Lsp(options) => interactive::lsp::lsp(&options),
        Command::Doc(options) => commands::doc::doc(&options),
        Command::Trace(options) => commands::trace::trace(&options),
        Command::Debug(options) => interactive::debug::debug(&options),
        Command::Dap(options) => interactive::dap::dap(&options),
        Command::Why(options) => commands::why::why(&options),
        Command::Explain(options) => commands::explain::explain(&options),
        Command::Solve(options) => commands::solve::solve(&options),
        Command::Verify(options) => commands::verify::verify(&options),
        Command::Animate(options) => commands::animate::animate(&options),
        Command::Profile(options) => commands::profile::profile(&options),
        Command::Hint(options) => commands::hint::hint(&options),
        Command::Tree(options) => commands::tree::tree(&options),
        Command::Watch(options) => interactive::watch::watch(&options),
        Command::Test(options) => commands::test::test(&options),
        Command::Tiles(options) => commands::tiles::tiles(&options),
        Command::New(options) => commands::new::new(&options),
        Command::Completions(options) => commands::manual::completions(&options),
        Command::Man(options) => commands::manual::man(&options),
    };
    result.unwrap_or_else(|stop| {
        report(&stop);
        stop.exit
    })
}

/// The message of the parser, with control characters of arguments as text. It colors its words itself, so its message
/// cannot be cleaned: it parses again, with clean arguments.
fn as_text(error: &clap::Error, args: &[OsString]) -> clap::Error {
    let shown = args
        .iter()
        .map(|arg| terminal::harmless(&bounded(arg.to_string_lossy().into_owned())).into_owned());
    match CommandLine::try_parse_from(shown) {
        Err(shown) if shown.kind() == error.kind() => shown,
        // If the cleaned arguments are accepted, or rejected for another reason, the argument is not quoted.
        _ => clap::Error::new(error.kind()).with_cmd(&CommandLine::command()),
    }
}

/// Writes to standard error why a command cannot continue.
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
