//! `ndscript debug`: walks through a run, forwards and backwards.

mod command;
mod debugger;
mod show;
mod typing;

use std::io::{self, IsTerminal, Write};

use ndscript_timeline::Timeline;

use crate::arguments::options::{LimitOptions, ProgramOptions, When};
use crate::arguments::search_options::{DebugOptions, WatchOptions, WatchedRunOptions};
use crate::exit::{Exit, Stop};
use crate::files::history;
use crate::runs::watched::Watched;
use crate::terminal;
use crate::terminal::line_editor::{LineEditor, Typed};
use crate::terminal::{ask, stdout};
use debugger::Debugger;
use typing::Assistant;

/// Starts the debugger, and reads commands until there are no more.
pub fn debug(options: &DebugOptions) -> Result<Exit, Stop> {
    let ProgramOptions { file, params, seed } = &options.program;
    let watched = WatchOptions {
        program: ProgramOptions {
            file: file.clone(),
            params: params.clone(),
            seed: *seed,
        },
        run: WatchedRunOptions {
            solutions: None,
            tiles: options.tiles.clone(),
            imports: options.imports.clone(),
            limits: LimitOptions {
                max_steps: None,
                memory: options.memory,
                timeout: None,
            },
            color: options.color,
        },
    };
    let Some(watched) = Watched::new(&watched)? else {
        return Ok(Exit::Error);
    };
    let mut run = watched.into_run().0;
    if let Some(steps) = options.max_steps {
        let limits = ndscript::Limits {
            steps,
            ..*run.limits()
        };
        run.set_limits(limits);
    }
    let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    let draws = match options.screen {
        When::Always => true,
        When::Never => false,
        When::Auto => is_terminal,
    };
    let variables = run
        .program()
        .variables()
        .into_iter()
        .map(str::to_string)
        .collect();
    let mut editor = if is_terminal {
        Some(editor(variables, options.color)?)
    } else {
        None
    };
    let mut debugger = Debugger::new(Timeline::new(run));
    let mut reply = debugger.arrive();
    if is_terminal {
        reply.push_str("`help` lists the commands.\n");
    }
    loop {
        show(&mut debugger, &reply, draws)?;
        let Some(line) = read(editor.as_mut())? else {
            break;
        };
        match debugger.command(&line) {
            Some(answer) => reply = answer,
            None => break,
        }
    }
    stdout::flush()?;
    Ok(Exit::Success)
}

/// The editor at a terminal, with the history of earlier walks.
fn editor(variables: Vec<String>, color: When) -> Result<LineEditor<Assistant>, Stop> {
    let color = terminal::colors_input(color);
    let editor = LineEditor::new(Assistant::new(variables), history::file("-debug"), color)
        .map_err(|why| Stop::error(format!("cannot use the terminal: {why}")))?;
    if let Some(problem) = editor.history_problem() {
        terminal::complain(&format!("the history is not kept: {problem}"));
    }
    Ok(editor)
}

/// The next line; `None` if there are no more.
fn read(editor: Option<&mut LineEditor<Assistant>>) -> Result<Option<String>, Stop> {
    let Some(editor) = editor else {
        return ask::read_line();
    };
    loop {
        match editor.read("> ") {
            Typed::Text(line) => return Ok(Some(line)),
            Typed::Nothing => {}
            Typed::End => return Ok(None),
            Typed::Broken(why) => {
                return Err(Stop::error(format!("cannot read from the terminal: {why}")));
            }
        }
    }
}

fn show(debugger: &mut Debugger, reply: &str, draws: bool) -> Result<(), Stop> {
    if !draws {
        return stdout::write_text(reply).and_then(|()| stdout::flush());
    }
    let (columns, rows) = terminal::size();
    let rows = if rows > 200 { 40 } else { rows as usize };
    let screen = debugger.screen(reply, columns as usize, rows);
    // The screen is cleared, and the cursor is in its corner.
    let text = format!("\u{1b}[H\u{1b}[2J{}", terminal::harmless(&screen));
    stdout::write_styled(&text)?;
    io::stdout()
        .lock()
        .flush()
        .map_err(|why| Stop::error(format!("cannot write to standard output: {why}")))
}
