//! `ndscript explain --solve`: the way that a person could take to the solution of each board of a program.

use std::fmt::Write as _;

use ndscript::{CallOutcome, Kind, Run, Value, View};
use serde_json::json;

use super::account::stopped;
use super::exit::{Exit, Stop};
use super::search_options::ExplainOptions;
use super::solved::{Solved, solved};
use super::watched::Watched;
use super::{stdout, terminal};

/// Tells the steps of all boards in variables of a program, at its first solution.
pub fn tell(options: &ExplainOptions) -> Result<Exit, Stop> {
    let Some(watched) = Watched::new(&options.watched)? else {
        return Ok(Exit::Error);
    };
    let color = terminal::colors_messages(options.watched.around.color);
    let around = &options.watched.around.limits;
    let (run, _) = watched.into_run();
    let mut run = match solved(
        run,
        around,
        color,
        "the program asks a question: `explain --solve` answers none",
    )? {
        Solved::Yes(run) => *run,
        Solved::No(_) => return Ok(Exit::NoSolution),
        Solved::Interrupted => return Ok(Exit::Interrupted),
    };
    let boards: Vec<(String, Value)> = run
        .view_globals()
        .filter(|(_, view)| matches!(view.kind(), Kind::Grid | Kind::Array | Kind::Object))
        .filter(|(_, view)| view.is_constrained())
        .map(|(name, view)| (name.to_string(), view.hold()))
        .collect();
    if boards.is_empty() {
        return Err(Stop::error(
            "no variable of the program holds a board with constraints at its first solution: keep the board in a variable outside of functions",
        ));
    }
    let fuel = around.max_steps.unwrap_or(u64::MAX);
    let mut told = Vec::new();
    for (name, board) in boards {
        let Some(found) = ask(&mut run, &board, fuel, color)? else {
            return Ok(Exit::Interrupted);
        };
        told.push(json!({"board": name, "difficulty": found[1], "steps": found[0]}));
    }
    if options.json {
        for board in &told {
            stdout::write_json(&format!("{board}\n"))?;
        }
    } else {
        for board in &told {
            stdout::write_text(&in_words(board, told.len() > 1, options.all))?;
        }
    }
    stdout::flush()?;
    Ok(Exit::Success)
}

/// The steps and the difficulty of a board. `None` if it was interrupted.
fn ask(
    run: &mut Run,
    board: &Value,
    fuel: u64,
    color: bool,
) -> Result<Option<serde_json::Value>, Stop> {
    let wrong = |error: ndscript::ValueError| Stop::error(error.to_string());
    let mut call = run.steps(board).map_err(wrong)?;
    let outcome = call.resume(fuel);
    drop(call);
    match outcome {
        CallOutcome::Returned(value) => {
            let view = run.view(&value).map_err(wrong)?;
            Ok(Some(as_json(view)))
        }
        CallOutcome::Limit(ndscript::LimitReached::Cancelled) => Ok(None),
        CallOutcome::Limit(limit) => Err(stopped(limit)),
        CallOutcome::OutOfFuel => Err(Stop::limit(
            "the steps were not found after as many steps of the machine as --max-steps allows",
        )),
        CallOutcome::Error(error) => {
            terminal::show(&error.diagnostic, run.program().sources(), color);
            Err(Stop::silent(Exit::Error))
        }
        CallOutcome::Failed | CallOutcome::Asked(_) | CallOutcome::Waiting(_) => {
            Err(Stop::error("the steps cannot be told"))
        }
    }
}

/// A value of the language; a position is `[x, y]`, and what JSON has no form for is its text.
fn as_json(view: View<'_>) -> serde_json::Value {
    match view.kind() {
        Kind::Null => serde_json::Value::Null,
        Kind::Array => view.elements().map(as_json).collect(),
        Kind::Object => {
            let fields = view.fields();
            let fields = fields.map(|(name, value)| (name.to_string(), as_json(value)));
            serde_json::Value::Object(fields.collect())
        }
        _ => match (
            view.as_bool(),
            view.as_i64(),
            view.as_f64(),
            view.as_position(),
        ) {
            (Some(value), ..) => json!(value),
            (_, Some(value), ..) => json!(value),
            (_, _, Some(value), _) => json!(value),
            (.., Some((x, y))) => json!([x, y]),
            _ => json!(
                view.as_str()
                    .map_or_else(|| view.to_string(), str::to_string)
            ),
        },
    }
}

fn in_words(board: &serde_json::Value, with_name: bool, all: bool) -> String {
    let mut out = String::new();
    if with_name {
        let _ = writeln!(out, "{}:", board["board"].as_str().unwrap_or_default());
    }
    let steps = board["steps"].as_array().cloned().unwrap_or_default();
    let (mut number, mut skipped) = (0, 0);
    for step in &steps {
        number += 1;
        // What one known place says is plain to see, unless it decides something.
        let is_plain =
            step["kind"] == "direct" && step["decided"].as_array().is_none_or(Vec::is_empty);
        if is_plain && !all {
            skipped += 1;
            continue;
        }
        let _ = writeln!(
            out,
            "{number}. {}",
            step["text"].as_str().unwrap_or_default()
        );
    }
    if skipped > 0 {
        let _ = writeln!(
            out,
            "(Left out: {skipped} steps in which one known place rules values out beside it. --all tells them.)"
        );
    }
    let difficulty = &board["difficulty"];
    let end = match difficulty["end"].as_str() {
        Some("solved") => "Solved.",
        Some("open") => "Nothing more follows: there are several solutions.",
        Some("none") => "There is no solution.",
        _ => "Nothing more was found.",
    };
    let _ = writeln!(
        out,
        "{end} Difficulty {} of 10: {} by one rule, {} by two, {} suppositions, {} by search.",
        difficulty["level"],
        difficulty["rule"],
        difficulty["rules"],
        difficulty["suppose"],
        difficulty["search"]
    );
    out
}
