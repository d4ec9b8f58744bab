//! `ndscript completions` and `ndscript man`: what shells and readers of manuals want to have of the command line.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::arguments::command_line::CommandLine;
use crate::arguments::options::{CompletionsOptions, ManOptions};
use crate::exit::{Exit, Stop};
use crate::terminal::stdout;

/// Writes the completions for a shell.
pub fn completions(options: &CompletionsOptions) -> Result<Exit, Stop> {
    let mut bytes = Vec::new();
    clap_complete::generate(options.shell, &mut whole(), "ndscript", &mut bytes);
    written(&bytes)
}

/// Writes the page of the program or of a command.
pub fn man(options: &ManOptions) -> Result<Exit, Stop> {
    let program = whole();
    let command = match &options.command {
        None => program,
        Some(name) => {
            let found = program
                .get_subcommands()
                .find(|command| command.get_name() == name);
            let found = found.ok_or_else(|| {
                let names: Vec<&str> = program
                    .get_subcommands()
                    .map(clap::Command::get_name)
                    .collect();
                Stop::error(format!(
                    "there is no command {name:?}\nthe commands are {}",
                    names.join(", ")
                ))
            })?;
            let page = format!("ndscript-{name}");
            found
                .clone()
                .name(page.clone())
                .display_name(page)
                .version(env!("CARGO_PKG_VERSION"))
        }
    };
    let mut bytes = Vec::new();
    Man::new(command)
        .render(&mut bytes)
        .map_err(|why| Stop::error(format!("cannot write the page: {why}")))?;
    written(&bytes)
}

/// The command line with the options of all commands, which are worked out only when they are needed.
fn whole() -> clap::Command {
    let mut command = CommandLine::command();
    command.build();
    command
}

fn written(bytes: &[u8]) -> Result<Exit, Stop> {
    stdout::write_text(&String::from_utf8_lossy(bytes))?;
    stdout::flush()?;
    Ok(Exit::Success)
}
