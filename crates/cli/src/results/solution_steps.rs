//! `ndscript explain --solve`: the steps by which a person could solve each board of a program.

use std::fmt::Write as _;

use ndscript::counted::counted;
use ndscript::{CallOutcome, Kind, Run, Value, View};
use serde_json::json;

use crate::arguments::search_options::ExplainOptions;
use crate::exit::{Exit, Stop};
use crate::runs::account::stopped;
use crate::runs::solved::{Solved, solved};
use crate::runs::watched::Watched;
use crate::terminal;
use crate::terminal::stdout;

/// A program at its first solution, with the steps of its boards.
pub struct Solution {
    pub run: Run,
    pub seed: u64,
    pub boards: Vec<BoardSteps>,
}

/// The steps of a board.
pub struct BoardSteps {
    /// The variable that holds it.
    pub name: String,
    pub board: Value,
    /// The value of [`Run::steps`].
    pub found: Value,
}

/// Writes the steps of all boards in variables of a program, at its first solution.
pub fn explain_solution(options: &ExplainOptions) -> Result<Exit, Stop> {
    let Solution { run, boards, .. } = match solve(options, options.watched.program.seed)? {
        Ok(solution) => solution,
        Err(exit) => return Ok(exit),
    };
    for board in &boards {
        let found = run.view(&board.found).map_err(wrong)?;
        let found = as_json(found);
        let [steps, difficulty, start, rules] = [0, 1, 2, 3].map(|part| &found[part]);
        let json = json!({"board": board.name, "difficulty": difficulty, "steps": steps, "start": start, "rules": rules});
        if options.json {
            stdout::write_json(&format!("{json}\n"))?;
        } else {
            stdout::write_text(&in_words(&json, boards.len() > 1, options.all))?;
        }
    }
    stdout::flush()?;
    Ok(Exit::Success)
}

/// Takes a program to its first solution, and finds the steps of its boards.
pub fn solve(options: &ExplainOptions, seed: Option<u64>) -> Result<Result<Solution, Exit>, Stop> {
    let file = &options.watched.program.file;
    let Some(watched) = Watched::of(&options.watched, file, seed)? else {
        return Ok(Err(Exit::Error));
    };
    let color = terminal::colors_messages(options.watched.run.color);
    let around = &options.watched.run.limits;
    let seed = watched.seed();
    let (run, _) = watched.into_run();
    let mut run = match solved(
        run,
        around,
        color,
        "the program asks a question: `explain --solve` answers none",
    )? {
        Solved::Yes(run) => *run,
        Solved::No(_) => {
            terminal::say("  hint: `ndscript explain` without --solve says what failed");
            return Ok(Err(Exit::NoSolution));
        }
        Solved::Interrupted => return Ok(Err(Exit::Interrupted)),
    };
    let is_wanted = |name: &str| options.board.as_ref().is_none_or(|wanted| wanted == name);
    let boards: Vec<(String, Value)> = run
        .view_globals()
        .filter(|(name, _)| is_wanted(name))
        .filter(|(_, view)| matches!(view.kind(), Kind::Grid | Kind::Array | Kind::Object))
        .filter(|(_, view)| view.is_constrained())
        .map(|(name, view)| (name.to_string(), view.hold()))
        .collect();
    if boards.is_empty() {
        return Err(Stop::error(match &options.board {
            Some(name) => format!("the program has no variable `{name}` that holds a board with constraints at its first solution"),
            None => "no variable of the program holds a board with constraints at its first solution: keep the board in a variable outside of functions".to_string(),
        }));
    }
    let fuel = around.max_steps.unwrap_or(u64::MAX);
    let mut solved = Vec::new();
    for (name, board) in boards {
        let Some(found) = ask(&mut run, &board, fuel, color)? else {
            return Ok(Err(Exit::Interrupted));
        };
        solved.push(BoardSteps { name, board, found });
    }
    Ok(Ok(Solution {
        run,
        seed,
        boards: solved,
    }))
}

/// The value of `Run::steps` for a board. `None` if it was interrupted.
fn ask(run: &mut Run, board: &Value, fuel: u64, color: bool) -> Result<Option<Value>, Stop> {
    let mut call = run.steps(board).map_err(wrong)?;
    let outcome = call.resume(fuel);
    drop(call);
    match outcome {
        CallOutcome::Returned(value) => Ok(Some(value)),
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

fn wrong(error: ndscript::ValueError) -> Stop {
    Stop::error(error.to_string())
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

/// A position of a grid.
fn as_cell(place: &serde_json::Value) -> Option<[u64; 2]> {
    Some([place.get(0)?.as_u64()?, place.get(1)?.as_u64()?])
}

/// At most this many values of an area are listed.
const MOST_VALUES: usize = 4;
/// Boards with more areas at a time are not divided into them.
const MOST_AREAS: usize = 64;

/// A part of a grid with values of its own.
struct Area {
    values: Vec<String>,
    corners: [[u64; 2]; 2],
}

/// Areas of a grid that have no values in common, as many helpers of a board are kept beside what is drawn of it: what cells of each hold.
fn areas(start: &[serde_json::Value]) -> Option<String> {
    let mut areas: Vec<Area> = Vec::new();
    for place in start {
        let cell = as_cell(&place[0])?;
        let values = place[1].as_array()?.iter();
        let values: Vec<String> = values
            .map(|value| value.as_str().map_or(value.to_string(), str::to_string))
            .collect();
        if values.len() < 2 {
            continue;
        }
        let mut joined = Area {
            values,
            corners: [cell, cell],
        };
        areas.retain(|area| {
            let is_other = !area
                .values
                .iter()
                .any(|value| joined.values.contains(value));
            if !is_other {
                for value in &area.values {
                    if !joined.values.contains(value) {
                        joined.values.push(value.clone());
                    }
                }
                for at in [0, 1] {
                    joined.corners[0][at] = joined.corners[0][at].min(area.corners[0][at]);
                    joined.corners[1][at] = joined.corners[1][at].max(area.corners[1][at]);
                }
            }
            is_other
        });
        areas.push(joined);
        if areas.len() > MOST_AREAS {
            return None;
        }
    }
    let is_apart = |one: &Area, other: &Area| {
        (0..2).any(|at| {
            one.corners[1][at] < other.corners[0][at] || other.corners[1][at] < one.corners[0][at]
        })
    };
    let are_apart =
        (0..areas.len()).all(|one| (0..one).all(|other| is_apart(&areas[one], &areas[other])));
    if areas.len() < 2 || !are_apart {
        return None;
    }
    areas.sort_by_key(|area| area.corners[0].map(std::cmp::Reverse));
    areas.reverse();
    let phrases = areas.iter().map(|area| {
        let [[left, top], [right, bottom]] = area.corners;
        let values = match &area.values[..] {
            [first, second, .., last] if area.values.len() > MOST_VALUES => {
                format!("{first}, {second}, ... {last}")
            }
            values => values.join(", "),
        };
        format!("({left},{top}) to ({right},{bottom}) hold {values}")
    });
    Some(format!(
        " Cells of different kinds: {}.",
        phrases.collect::<Vec<String>>().join("; ")
    ))
}

/// The steps of a board as text; plain ones are skipped unless `all`.
fn in_words(board: &serde_json::Value, with_name: bool, all: bool) -> String {
    let mut out = String::new();
    if with_name {
        let _ = writeln!(out, "{}:", board["board"].as_str().unwrap_or_default());
    }
    let steps = board["steps"].as_array().cloned().unwrap_or_default();
    // A conclusion from one known place is plain to see, unless it decides something.
    let is_told = |step: &&serde_json::Value| {
        let count = |name: &str| step[name].as_array().map_or(0, Vec::len);
        let is_plain = step["kind"] == "direct" && count("places") == 1 && count("decided") == 0;
        all || !is_plain
    };
    let skipped = steps.iter().filter(|step| !is_told(step)).count();
    if skipped > 0 {
        let _ = writeln!(
            out,
            "(Left out: {} in which one known place rules values out beside it. --all tells them.)",
            counted(skipped, "step")
        );
    }
    let start = board["start"].as_array().map_or(&[][..], Vec::as_slice);
    if !steps.is_empty()
        && start
            .first()
            .is_some_and(|place| as_cell(&place[0]).is_some())
    {
        let _ = writeln!(
            out,
            "((x,y) is the cell in column x of row y; both are counted from 0.{})",
            areas(start).unwrap_or_default()
        );
    }
    for (number, step) in (1..).zip(&steps).filter(|(_, step)| is_told(step)) {
        let _ = writeln!(
            out,
            "{number}. {}",
            step["text"].as_str().unwrap_or_default()
        );
    }
    let difficulty = &board["difficulty"];
    let end = match difficulty["end"].as_str() {
        Some("solved") => format!("Solved. Difficulty {} of 10", difficulty["level"]),
        Some("open") => "Nothing more follows: there are several solutions".to_string(),
        Some("none") => "There is no solution".to_string(),
        _ => "Nothing more was found: rules that are functions (`constrain`) are not looked at"
            .to_string(),
    };
    let kinds = [
        ("direct", "from one known place"),
        ("rule", "by one rule"),
        ("rules", "by several rules"),
        ("suppose", "by a longer supposition"),
        ("search", "by search"),
    ];
    let counts = kinds.iter().filter_map(|(kind, words)| {
        let count = difficulty[kind].as_u64().filter(|count| *count > 0)?;
        Some(format!("{count} {words}"))
    });
    let counts: Vec<String> = counts.collect();
    let _ = match &counts[..] {
        [] => writeln!(out, "{end}."),
        _ => writeln!(out, "{end}; steps: {}.", counts.join(", ")),
    };
    out
}
