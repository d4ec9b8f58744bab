//! The command line as a whole: a command, or a file, which means `run`.

use std::ffi::OsString;
use std::path::Path;

use clap::Parser;
use ndscript::spelling::nearest;

use super::command::{COMMANDS, Command};
use crate::exit::Stop;

/// Runs programs that guess: `choose` picks, `fail` takes back, what is left is a solution.
#[derive(Debug, Parser)]
#[command(name = "ndscript", version, propagate_version = true, after_help = EXAMPLES)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  ndscript run map.nds                        run a program; its pictures become map.png, map-2.png, ...
  ndscript map.nds size=40 seedling=true      the same in short, with two parameters for param(\"size\", ...)
  ndscript run queens.nds --solutions all     every solution, each followed by a line ---
  echo 'print(choose(1, 2));' | ndscript -    a program from standard input
  ndscript                                    a conversation, the same as `ndscript repl`

Exit codes: 0 a solution, 1 no solution, 2 an error, 3 a limit, 130 interrupted.";

/// `ndscript FILE` is short for `ndscript run FILE`, so `run` is put in where no command stands; `ndscript` alone is
/// short for `ndscript repl`.
///
/// # Errors
/// If the file is none, and its name a misspelt command.
pub fn with_command(mut args: Vec<OsString>) -> Result<Vec<OsString>, Stop> {
    if args.len() < 2 {
        args.truncate(1);
        args.push("repl".into());
    }
    let about = ["-h", "--help", "-V", "--version"];
    if let Some(first) = args
        .get(1)
        .filter(|first| COMMANDS.iter().chain(&about).all(|name| first != name))
    {
        if let Some(word) = first.to_str().filter(|word| !Path::new(word).exists())
            && let Some(close) = nearest(word, COMMANDS.iter().copied())
        {
            let message =
                format!("there is no command and no file {word:?}\ndid you mean `{close}`?");
            return Err(Stop::error(message));
        }
        args.insert(1, "run".into());
    }
    // A word after `--stats` could be a parameter, so the option wants `=`; but `json` alone is none.
    if let Some(at) = args
        .windows(2)
        .position(|pair| pair[0] == "--stats" && pair[1] == "json")
    {
        args.splice(at..at + 2, ["--stats=json".into()]);
    }
    Ok(args)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }
}
