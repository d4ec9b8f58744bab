//! `ndscript explain --solve --html`: a booklet of puzzles with their solutions, for print.

use std::path::Path;

use ndscript::{Kind, Run, View};
use ndscript_timeline::{Puzzle, booklet};

use super::solution_steps::{self, BoardSteps, Solution};
use crate::arguments::search_options::ExplainOptions;
use crate::arguments::seed;
use crate::exit::{Exit, Stop};
use crate::files;
use crate::files::save::save;
use crate::terminal::say;

/// Makes puzzles from one seed or several, and writes them with their solutions.
pub fn write(options: &ExplainOptions, path: &Path) -> Result<Exit, Stop> {
    let mut puzzles = Vec::new();
    let count = options.count.unwrap_or(1);
    let mut seed = options.watched.program.seed;
    let mut last = Exit::Success;
    for _ in 0..count {
        match solution_steps::solve(options, seed)? {
            Ok(solution) => {
                puzzles.extend(puzzles_of(&solution, options)?);
                seed = Some(solution.seed.wrapping_add(1));
            }
            // Another seed may still give a puzzle.
            Err(Exit::NoSolution) => {
                last = Exit::NoSolution;
                if let Some(seed) = seed {
                    say(&format!("seed {} is left out", seed::shown(seed)));
                }
                seed = seed.map(|seed| seed.wrapping_add(1));
            }
            Err(exit) => return Ok(exit),
        }
    }
    if puzzles.is_empty() {
        return match last {
            Exit::NoSolution => Ok(last),
            _ => Err(Stop::error(
                "there is no puzzle: nothing follows from the rules and what is given",
            )),
        };
    }
    let title = match &options.title {
        Some(title) => title.clone(),
        None => {
            let file = &options.watched.program.file;
            let name = file.file_name().map(Path::new);
            format!("Puzzles of {}", files::shown_name(name.unwrap_or(file)))
        }
    };
    let page = booklet(&title, &puzzles, options.all);
    save(path, page.as_bytes())?;
    say(&format!("wrote {}", path.display()));
    Ok(Exit::Success)
}

/// The boards of a solution of which something follows.
fn puzzles_of(solution: &Solution, options: &ExplainOptions) -> Result<Vec<Puzzle>, Stop> {
    let Solution { run, seed, boards } = solution;
    let wrong = |why: ndscript::ValueError| Stop::error(why.to_string());
    let seed = seed::shown(*seed);
    let mut puzzles = Vec::new();
    for BoardSteps { name, board, found } in boards {
        let (board, found) = (run.view(board), run.view(found));
        let (board, found) = (board.map_err(wrong)?, found.map_err(wrong)?);
        let shown = match boards.len() {
            1 => format!("seed {seed}"),
            _ => format!("{name}, seed {seed}"),
        };
        let mut puzzle = Puzzle::new(&shown, board, found);
        if !puzzle.is_solvable() {
            say(&format!(
                "{name} of seed {seed} is left out: nothing follows there"
            ));
            continue;
        }
        if let Some(view) = global(run, options.clues.as_deref(), Kind::Grid)? {
            puzzle.put_clues(view);
        }
        if let Some(view) = global(run, options.rows.as_deref(), Kind::Array)? {
            puzzle.put_rows(view);
        }
        if let Some(view) = global(run, options.columns.as_deref(), Kind::Array)? {
            puzzle.put_columns(view);
        }
        puzzles.push(puzzle);
    }
    Ok(puzzles)
}

/// A variable that an option names, or a field of it.
fn global<'r>(run: &'r Run, name: Option<&str>, kind: Kind) -> Result<Option<View<'r>>, Stop> {
    let Some(name) = name else { return Ok(None) };
    let mut parts = name.split('.');
    let view = parts.next().and_then(|variable| run.view_global(variable));
    let view = parts
        .fold(view, |view, field| view?.field(field))
        .ok_or_else(|| Stop::error(format!("the program has no variable `{name}`")))?;
    if view.kind() == kind {
        return Ok(Some(view));
    }
    let wanted = match kind {
        Kind::Grid => "a grid of clues, one for each cell of the board",
        _ => "an array with the clues of each line",
    };
    Err(Stop::error(format!(
        "`{name}` is to be {wanted}, and is {}",
        view.beginning(80)
    )))
}
