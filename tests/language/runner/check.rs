//! Compares what a script does with what it says.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ndscript::diagnostics::Diagnostic;
use ndscript::picture::{Cell, HeatCell, Picture};
use ndscript::{CompileError, Engine, ImportSource, Limits, Solution};

use super::expectation::{self, Expectation, Mistake};
#[cfg(debug_assertions)]
use super::observe::observe_plainly;
use super::observe::{Ending, Observed, observe};
use super::saved::check_saved;

/// Where the imports of a script are looked for.
struct Folder(PathBuf);

impl ImportSource for Folder {
    fn read(&self, path: &str) -> Result<String, String> {
        fs::read_to_string(self.0.join(path)).map_err(|error| error.to_string())
    }
}

/// Runs a script under all its seeds; `Err` says what went wrong with the first of them that did.
pub fn check(path: &Path, text: &str) -> Result<(), String> {
    let name = path
        .strip_prefix(env!("CARGO_MANIFEST_DIR"))
        .unwrap_or(path)
        .display();
    let expectation = expectation::read(text).map_err(|problem| format!("{name}: {problem}"))?;
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let debug = Arc::new(Mutex::new(Vec::new()));
    let sink = debug.clone();
    let memory = expectation
        .max_memory
        .map_or(64 << 20, |bytes| bytes as usize);
    let limits = Limits {
        memory,
        output: 16 << 20,
        depth: 200_000,
        ..Limits::default()
    };
    let engine = Engine::new()
        .with_limits(limits)
        .with_imports(Folder(folder))
        .with_debug(move |line: &str| {
            sink.lock()
                .unwrap()
                .push(line.trim_end_matches('\n').to_string())
        });
    let program = match engine.compile_named(
        &path.file_name().unwrap_or_default().to_string_lossy(),
        text,
    ) {
        Ok(program) => program,
        Err(error) => {
            return check_syntax_errors(&expectation, &error)
                .map_err(|problem| format!("{name}: {problem}"));
        }
    };
    if !expectation.syntax_errors.is_empty() {
        return Err(format!(
            "{name}: compiles, but should have {:?}",
            expectation.syntax_errors
        ));
    }
    for seed in 1..=expectation.seeds {
        let observed = observe(&program, &expectation, seed);
        if seed == 1
            && expectation.seeds > 1
            && observe(&program, &expectation, seed).solutions != observed.solutions
        {
            return Err(format!(
                "{name}: a second run with seed 1 differs from the first"
            ));
        }
        compare(&expectation, &observed)
            .map_err(|problem| format!("{name}, seed {seed}: {problem}"))?;
        let lines = std::mem::take(&mut *debug.lock().unwrap());
        #[cfg(debug_assertions)]
        if seed == 1 && expectation.max_steps.is_none() {
            // With long work in small pieces nearly everything is long, and comes to the same.
            let engine = engine.clone().with_pieces(30);
            let main = &program.sources().files()[0];
            let small = engine
                .compile_named(&main.name, &main.text)
                .map_err(|error| error.to_string())?;
            let in_pieces = observe(&small, &expectation, seed);
            compare(&expectation, &in_pieces)
                .map_err(|problem| format!("{name}, in small pieces: {problem}"))?;
            check_saved(&engine, &small, &expectation, &in_pieces)
                .map_err(|problem| format!("{name}, in small pieces: {problem}"))?;
            debug.lock().unwrap().clear();
        }
        #[cfg(debug_assertions)]
        if seed == 1 && expectation.limit.is_none() {
            let plain = observe_plainly(&program, &expectation, seed);
            compare(&expectation, &plain)
                .map_err(|problem| format!("{name}, plainly: {problem}"))?;
            same_figures(&observed, &plain).map_err(|problem| format!("{name}: {problem}"))?;
            debug.lock().unwrap().clear();
        }
        if seed == 1 {
            check_saved(&engine, &program, &expectation, &observed)
                .map_err(|problem| format!("{name}: {problem}"))?;
            let lines_again = std::mem::take(&mut *debug.lock().unwrap());
            if lines != lines_again {
                return Err(format!(
                    "{name}: saved and restored, it says {lines_again:?} and not {lines:?}"
                ));
            }
        }
        if !expectation.debug.is_empty() && lines != expectation.debug {
            return Err(format!(
                "{name}: expected from debug {:?}, got {lines:?}",
                expectation.debug
            ));
        }
    }
    Ok(())
}

/// Full forms take the same steps as fast ones.
#[cfg(debug_assertions)]
fn same_figures(fast: &Observed, plain: &Observed) -> Result<(), String> {
    let figures = |observed: &Observed| {
        let figures = observed.statistics;
        [figures.steps, figures.choice_points, figures.failures]
    };
    if figures(fast) != figures(plain) {
        return Err(format!(
            "steps, choices and failures {:?}, but plainly {:?}",
            figures(fast),
            figures(plain)
        ));
    }
    Ok(())
}

/// All that a message says, in lower case.
pub fn words(diagnostic: &Diagnostic) -> String {
    let mut words = format!("{}\n{}\n", diagnostic.message, diagnostic.label);
    for text in diagnostic
        .related
        .iter()
        .map(|(_, text)| text)
        .chain(&diagnostic.hints)
    {
        words.push_str(text);
        words.push('\n');
    }
    words.to_lowercase()
}

fn check_syntax_errors(expectation: &Expectation, error: &CompileError) -> Result<(), String> {
    let mut left: Vec<&Diagnostic> = error.diagnostics.iter().collect();
    let missing: Vec<&Mistake> = expectation
        .syntax_errors
        .iter()
        .filter(|mistake| {
            let fits = |diagnostic: &&Diagnostic| {
                let line = diagnostic
                    .span
                    .and_then(|span| Some(error.sources.locate(span)?.1));
                words(diagnostic).contains(&mistake.part.to_lowercase())
                    && (mistake.line.is_none() || mistake.line == line)
            };
            let found = left.iter().position(fits);
            if let Some(index) = found {
                left.remove(index);
            }
            found.is_none()
        })
        .collect();
    if missing.is_empty() && left.is_empty() {
        return Ok(());
    }
    Err(format!(
        "expected syntax errors: {:?}\n--- but got:\n{error}",
        expectation.syntax_errors
    ))
}

fn compare(expectation: &Expectation, observed: &Observed) -> Result<(), String> {
    compare_ending(expectation, observed)?;
    if expectation.solutions.is_some() || !expectation.solution_list.is_empty() {
        compare_solutions(expectation, observed)?;
    } else if expectation.error.is_none()
        && expectation.limit.is_none()
        && !expectation.no_solution
        && observed.solutions.is_empty()
    {
        return Err("expected a solution".into());
    }
    compare_text(expectation, observed)?;
    if let Some(value) = &expectation.value
        && observed
            .solutions
            .first()
            .map(|solution| solution.value.to_string())
            .as_ref()
            != Some(value)
    {
        return Err(format!(
            "expected the value {value}, got {:?}",
            observed.solutions.first().map(|s| &s.value)
        ));
    }
    compare_pictures(expectation, observed)?;
    if expectation.message.is_some() && expectation.message != observed.message {
        return Err(format!(
            "expected the message {:?}, got {:?}",
            expectation.message, observed.message
        ));
    }
    if !expectation.questions.is_empty() && expectation.questions != observed.questions {
        return Err(format!(
            "expected questions {:?}, got {:?}",
            expectation.questions, observed.questions
        ));
    }
    Ok(())
}

fn compare_ending(expectation: &Expectation, observed: &Observed) -> Result<(), String> {
    match (&observed.ending, &expectation.error, &expectation.limit) {
        (
            Ending::Error {
                kind,
                message,
                line,
                rendered,
                ..
            },
            Some(mistake),
            None,
        ) => {
            let kind = format!("{kind:?}");
            let right = message.contains(&mistake.part.to_lowercase())
                && (mistake.kind.is_empty() || mistake.kind == kind)
                && (mistake.line.is_none() || mistake.line == *line);
            if right {
                Ok(())
            } else {
                Err(format!(
                    "expected {mistake:?}\n--- but got {kind}:\n{rendered}"
                ))
            }
        }
        (Ending::Error { kind, rendered, .. }, _, _) => {
            Err(format!("unexpected {kind:?} error:\n{rendered}"))
        }
        (Ending::Limit { name, .. }, None, Some(limit)) if name.starts_with(limit.as_str()) => {
            Ok(())
        }
        (Ending::Limit { name, .. }, _, limit) => Err(format!("limit {name}, expected {limit:?}")),
        (Ending::Unanswered, ..) => Err(format!("no answer to {:?}", observed.questions.last())),
        (_, Some(mistake), _) => Err(format!(
            "expected {mistake:?}, but there is no error{}",
            shown(observed)
        )),
        (_, _, Some(limit)) => Err(format!(
            "expected a limit {limit}, but none was reached{}",
            shown(observed)
        )),
        (Ending::NoMore, ..) if expectation.no_solution && observed.solutions.is_empty() => Ok(()),
        _ if expectation.no_solution => Err(format!("expected no solution{}", shown(observed))),
        _ => Ok(()),
    }
}

fn shown(observed: &Observed) -> String {
    let mut text = String::new();
    for solution in &observed.solutions {
        let _ = write!(
            text,
            "\n--- solution with value {} and text:\n{}",
            solution.value, solution.text
        );
    }
    text
}

/// A solution in one line: its text, or its value if it prints nothing.
fn summary(solution: &Solution) -> String {
    if solution.text.is_empty() {
        solution.value.to_string()
    } else {
        without_last_break(&solution.text).to_string()
    }
}

fn without_last_break(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

fn compare_solutions(expectation: &Expectation, observed: &Observed) -> Result<(), String> {
    let mut expected = expectation.solution_list.clone();
    let mut actual: Vec<String> = observed.solutions.iter().map(summary).collect();
    if expectation.any_order {
        expected.sort();
        actual.sort();
    }
    if expected == actual {
        return Ok(());
    }
    Err(format!(
        "expected solutions:\n{}\n--- but got:\n{}",
        expected.join("\n"),
        actual.join("\n")
    ))
}

fn compare_text(expectation: &Expectation, observed: &Observed) -> Result<(), String> {
    if expectation.text.is_empty() && !expectation.no_text {
        return Ok(());
    }
    let mut actual = observed.text_before.clone();
    actual.push_str(match (&observed.ending, observed.solutions.first()) {
        (_, Some(solution)) => &solution.text,
        (Ending::Error { text, .. } | Ending::Limit { text, .. }, None) => text,
        _ => "",
    });
    if expectation.no_text && !actual.is_empty() {
        return Err(format!("expected no text, got:\n{actual}"));
    }
    let expected = expectation.text.join("\n");
    if expected == without_last_break(&actual) {
        return Ok(());
    }
    Err(format!(
        "expected text:\n{expected}\n--- but got:\n{actual}"
    ))
}

fn compare_pictures(expectation: &Expectation, observed: &Observed) -> Result<(), String> {
    let pictures = observed
        .solutions
        .first()
        .map(|solution| solution.pictures.as_slice())
        .unwrap_or_default();
    let actual: Vec<String> = pictures
        .iter()
        .map(|(_, picture)| describe(picture))
        .collect();
    if !expectation.pictures.is_empty() && actual != expectation.pictures {
        return Err(format!(
            "expected pictures {:?}, got {actual:?}",
            expectation.pictures
        ));
    }
    let places: Vec<usize> = pictures.iter().map(|(place, _)| *place).collect();
    match &expectation.picture_places {
        Some(expected) if *expected != places => {
            Err(format!("expected pictures at {expected:?}, got {places:?}"))
        }
        _ => Ok(()),
    }
}

/// A picture in one line: `image red`, `tiles red blue / {blue,red} x`, `heat 1 2.5 / - wall`.
fn describe(picture: &Picture) -> String {
    fn rows(width: u32, cells: impl Iterator<Item = String>) -> String {
        let cells: Vec<String> = cells.collect();
        cells
            .chunks(width.max(1) as usize)
            .map(|row| row.join(" "))
            .collect::<Vec<_>>()
            .join(" / ")
    }
    match picture {
        Picture::Layers(maps) => {
            let maps = maps
                .iter()
                .map(|map| describe(&Picture::Tiles(map.clone())));
            format!("layers: {}", maps.collect::<Vec<String>>().join("; "))
        }
        Picture::Image(name) => format!("image {name}"),
        Picture::Legend(legend) => {
            let entry = |(name, words): (&Arc<str>, &Arc<str>)| format!("{words}: {name}");
            let entries = legend.names.iter().zip(&legend.words).map(entry);
            format!("legend {}", entries.collect::<Vec<_>>().join(", "))
        }
        Picture::Heat(map) => {
            let cells = map.cells.iter().map(|cell| match cell {
                HeatCell::Blank => "-".into(),
                HeatCell::Number(number) => number.to_string(),
                HeatCell::Tile(index) => map.names[*index as usize].to_string(),
            });
            format!("heat {}", rows(map.width, cells))
        }
        Picture::Tiles(map) => {
            let name = |index: &u32| map.names[*index as usize].to_string();
            let cells = map.cells.iter().map(|cell| match cell {
                Cell::Tile(index) => name(index),
                Cell::Candidates(index) => {
                    let names: Vec<String> =
                        map.candidates[*index as usize].iter().map(name).collect();
                    format!("{{{}}}", names.join(","))
                }
                Cell::Empty => "x".into(),
                Cell::Nothing => "-".into(),
            });
            format!("tiles {}", rows(map.width, cells))
        }
    }
}
