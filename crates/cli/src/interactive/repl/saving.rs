//! The program that `:save` writes: the inputs, with fixed choices, give again what was seen.

use std::collections::BTreeMap;
use std::path::Path;

use ndscript::{Run, Solution};

use super::session::chosen::{ChoiceSites, NOTES, has_room_for_notes};
use super::session::replay::MARK;
use super::session::script::{Part, Written, script};
use super::session::state::Input;
use super::session::{COMPARED_BYTES, Session};
use crate::arguments::params;
use crate::files::shell_word;

/// Steps that the written program may take when it is tried.
const STEPS: u64 = 200_000_000;

/// An input as a part of a program.
fn part_of(input: &Input, with_refusals: bool) -> Part<'_> {
    let refused = if with_refusals { input.refused } else { 0 };
    Part {
        text: &input.text,
        file: input.file.as_deref(),
        refused,
        mark: None,
    }
}

/// The program of a session with the places of its choices, and a run of it that has recorded them and has equal
/// variables.
pub fn recorded_choices(session: &Session) -> Option<(String, ChoiceSites, Run, Solution)> {
    let parts: Vec<Part<'_>> = session
        .inputs()
        .iter()
        .map(|input| part_of(input, true))
        .collect();
    let text = script(&parts, Path::new("")).text;
    if !has_room_for_notes(&text) {
        return None;
    }
    let places = ChoiceSites::find(&text);
    let (run, solution) = session.replay(
        "the inputs",
        &places.noting(&text),
        session.seed(),
        STEPS / 10,
    )?;
    (comparable(&run) == comparable(session.run())).then_some((text, places, run, solution))
}

/// The program of a session that will lie in a file.
pub fn program(session: &Session, path: &Path, fixed: bool) -> Written {
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.display().to_string();
    if session.seeds().len() > 1 {
        return with_seeds(session, folder, &name);
    }
    let parts = |with_refusals| {
        session
            .inputs()
            .iter()
            .map(|input| part_of(input, with_refusals))
            .collect::<Vec<_>>()
    };
    let Written { text, mut notes } = script(&parts(true), folder);
    let seen = comparable(session.run());
    let gives_what_was_seen = |text: &str, seed: u64| {
        let (run, solution) = session.replay(&name, text, seed, STEPS)?;
        (comparable(&run) == seen).then_some(solution)
    };
    let places = ChoiceSites::find(&text);
    let recorded = if has_room_for_notes(&text) {
        gives_what_was_seen(&places.noting(&text), session.seed())
    } else {
        None
    };
    let chosen = recorded.and_then(|solution| solution.globals.get(NOTES).map(ChoiceSites::chosen));
    let run = run_command(session, path);
    let Some(chosen) = chosen else {
        notes.push(format!(
            "run with --seed {}, the program does not quite give what was seen",
            session.seed()
        ));
        let head = format!(
            "// The inputs of a session of `ndscript repl`, whose seed was {}.\n",
            session.seed()
        );
        return Written {
            text: format!("{head}{text}"),
            notes,
        };
    };
    if fixed {
        let bare = script(&parts(false), folder).text;
        // It has these choices, in this order.
        let fixed = ChoiceSites::find(&bare).fixed(&bare, &chosen);
        // With any seed: a search whose effects are undone may still draw.
        let holds = |fixed: &String| {
            (1..=8).all(|other| {
                gives_what_was_seen(fixed, session.seed().wrapping_add(other)).is_some()
            })
        };
        if let Some(fixed) = fixed.filter(holds) {
            let head = "// The inputs of a session of `ndscript repl`, with what was chosen in place of the choices.\n";
            return Written {
                text: format!("{head}{fixed}"),
                notes,
            };
        }
        notes.push(
            "not all that was chosen can be written in place of the choices, so they stay"
                .to_string(),
        );
    }
    let answered = if session.has_answers() {
        ", with the answers in the comments"
    } else {
        ""
    };
    let head = format!(
        "// The inputs of a session of `ndscript repl`: `{run}` gives what was seen there{answered}.\n"
    );
    Written {
        text: format!("{head}{}", places.commented(&text, &chosen)),
        notes,
    }
}

/// The program of a session that was reseeded on its way. No program can do that, so chosen values replace the choices,
/// if possible.
fn with_seeds(session: &Session, folder: &Path, name: &str) -> Written {
    let later = &session.seeds()[1..];
    let parts = |with_refusals: bool, with_marks: bool| -> Vec<Part<'_>> {
        let marked = |at: usize| with_marks && later.iter().any(|seeding| seeding.inputs == at);
        let inputs = session.inputs().iter().enumerate();
        inputs
            .map(|(at, input)| {
                let mark = marked(at).then(|| format!("{MARK} = {at};\n"));
                Part {
                    mark,
                    ..part_of(input, with_refusals)
                }
            })
            .collect()
    };
    let Written { text, mut notes } = script(&parts(false, false), folder);
    let seen = comparable(session.run());
    let marked = script(&parts(true, true), folder).text;
    let chosen = if has_room_for_notes(&marked) {
        let recorded =
            session.replay_with_seeds(name, &ChoiceSites::find(&marked).noting(&marked), STEPS);
        recorded
            .filter(|(run, _)| comparable(run) == seen)
            .and_then(|(_, solution)| solution.globals.get(NOTES).map(ChoiceSites::chosen))
    } else {
        None
    };
    let why = "the seed was changed on the way, which a program cannot do";
    let holds = |fixed: &String| {
        (1..=8).all(|seed| {
            session
                .replay(name, fixed, seed, STEPS)
                .is_some_and(|(run, _)| comparable(&run) == seen)
        })
    };
    // It has these choices, in this order.
    let fixed = chosen
        .and_then(|chosen| ChoiceSites::find(&text).fixed(&text, &chosen))
        .filter(holds);
    match fixed {
        Some(fixed) => {
            notes.push(format!(
                "{why}: what was chosen stands in place of the choices"
            ));
            let head = "// The inputs of a session of `ndscript repl`, with what was chosen in place of the choices.\n";
            Written {
                text: format!("{head}{fixed}"),
                notes,
            }
        }
        None => {
            notes.push(format!(
                "{why}, and not all that was chosen can be written: the program does not quite give what was seen"
            ));
            let head = format!(
                "// The inputs of a session of `ndscript repl`, whose seed was {} at last.\n",
                session.seed()
            );
            Written {
                text: format!("{head}{text}"),
                notes,
            }
        }
    }
}

/// The command that runs the program as the session went.
fn run_command(session: &Session, path: &Path) -> String {
    let params = session
        .params()
        .iter()
        .map(|param| format!(" {}", params::written(param)));
    format!(
        "ndscript run {} --seed {}{}",
        shell_word(path),
        session.seed(),
        params.collect::<String>()
    )
}

/// Variables by name. A function that was declared again is one without a name in the program.
pub fn comparable(run: &Run) -> BTreeMap<String, String> {
    let globals = run.show_globals(COMPARED_BYTES);
    let unnamed = |value: String| {
        if value.starts_with("function") {
            "function".to_string()
        } else {
            value
        }
    };
    let own = |name: &str| !name.starts_with("noted__") && !name.starts_with("chosenAt");
    globals
        .into_iter()
        .filter(|(name, _)| own(name))
        .map(|(name, value)| (name, unnamed(value)))
        .collect()
}
