//! `ndscript test`: runs the functions of a program whose names begin with `test`, each behind the program, with several
//! seeds. A test holds if it comes to its end; it does not if it fails, makes an error or returns false.

use std::path::Path;
use std::time::{Duration, Instant};

use ndscript::counted::counted;
use ndscript::diagnostics::Call;
use ndscript::source::SourceFile;
use ndscript::syntax::ast::StatementKind;
use ndscript::syntax::parse;
use ndscript::tiles::Tiles;
use ndscript::{CancelToken, Data, Engine, LimitReached, Limits, Outcome, Program, Run};

use super::exit::{Exit, Stop};
use super::files::{self, Bounds, FolderTiles};
use super::imports::{FileImports, source_limit};
use super::options::{LimitOptions, TestOptions};
use super::{interrupt, limits, run, stdout, terminal};

/// Steps between two looks at the clock.
const SLICE: u64 = 1 << 20;

/// Runs the tests of all files.
pub fn test(options: &TestOptions) -> Result<Exit, Stop> {
    let token = CancelToken::new();
    interrupt::watch(token.clone());
    let mut total = Total::default();
    for path in &options.files {
        if let Err(stop) = file(options, path, &token, &mut total) {
            super::report(&stop);
            total.broken += 1;
        }
        if interrupt::pressed() {
            return Ok(Exit::Interrupted);
        }
    }
    let Total {
        passed,
        failed,
        broken,
    } = total;
    let files = if broken == 0 {
        String::new()
    } else {
        format!(", {} could not be tested", counted(broken, "file"))
    };
    stdout::write_text(&format!(
        "{passed} of {} passed{files}\n",
        counted(passed + failed, "test")
    ))?;
    Ok(match (broken, failed) {
        (0, 0) => Exit::Success,
        (0, _) => Exit::NoSolution,
        _ => Exit::Error,
    })
}

#[derive(Default)]
struct Total {
    passed: u64,
    failed: u64,
    /// Files that could not be tested.
    broken: u64,
}

/// What the text that calls a test is called, which no person has written.
const CALL: &str = "<test>";

fn is_call((file, ..): (&SourceFile, usize, usize)) -> bool {
    &*file.name == CALL
}

/// How a run ended that came to no solution.
struct Failure {
    /// In words, with its place if it has one.
    words: String,
}

fn file(
    options: &TestOptions,
    path: &Path,
    token: &CancelToken,
    total: &mut Total,
) -> Result<(), Stop> {
    let memory = options.limits.memory.max_memory;
    let text = files::read_program(path, Bounds::new(memory, options.limits.timeout))?;
    let folders =
        std::iter::once(files::folder_of(path)).chain(options.tiles.tiles.iter().cloned());
    let tiles = Tiles::new(FolderTiles::new(folders)?.within(memory));
    let imports = FileImports::new(files::folder_of(path), &options.imports.import_path, memory)?;
    let limits = Limits {
        memory: run::memory_limit(memory),
        source: source_limit(memory),
        ..Limits::default()
    };
    let engine = Engine::new()
        .with_limits(limits)
        .with_tiles(tiles)
        .with_imports(imports)
        .with_debug(terminal::say);
    let color = terminal::colors_messages(options.color);
    let shown = files::shown_name(path);
    let program = match engine.compile_input(&shown, &text) {
        Ok(program) => program,
        Err(error) => {
            error
                .diagnostics
                .iter()
                .for_each(|each| terminal::show(each, &error.sources, color));
            return Err(Stop::error(format!("{shown} cannot be tested")));
        }
    };
    let names = tests_of(&text);
    stdout::write_text(&format!("{shown}\n"))?;
    if names.is_empty() {
        stdout::write_text(
            "  no function that needs no arguments and whose name begins with `test`\n",
        )?;
    }
    let seeds: Vec<u64> = (0..options.seeds)
        .map(|at| options.seed.wrapping_add(at))
        .collect();
    // The program runs once with each seed, and every test goes on from there.
    let mut begun: Vec<(u64, Result<Run, Failure>)> = Vec::new();
    for seed in &seeds {
        begun.push((*seed, begin(&program, *seed, options, token)));
    }
    for name in &names {
        let started = Instant::now();
        let mut found = None;
        for (seed, run) in &begun {
            let failure = match run {
                Err(failure) => Some(format!(
                    "the program itself stops before the test:\n{}",
                    failure.words
                )),
                Ok(run) => one(&program, run, name, options, token)
                    .err()
                    .map(|failure| failure.words),
            };
            if interrupt::pressed() {
                return Ok(());
            }
            if let Some(words) = failure {
                found = Some((*seed, words));
                break;
            }
        }
        tell(name, seeds.len(), started.elapsed(), found, total)?;
    }
    Ok(())
}

fn tell(
    name: &str,
    seeds: usize,
    time: Duration,
    failure: Option<(u64, String)>,
    total: &mut Total,
) -> Result<(), Stop> {
    let text = match failure {
        None => {
            total.passed += 1;
            format!(
                "  ok    {name}   {}, {:.2} s\n",
                counted(seeds, "seed"),
                time.as_secs_f64()
            )
        }
        Some((seed, words)) => {
            total.failed += 1;
            let lines: String = words
                .lines()
                .map(|line| format!("        {line}\n"))
                .collect();
            format!("  FAIL  {name}   seed {seed}\n{lines}")
        }
    };
    stdout::write_text(&text)?;
    stdout::flush()
}

/// The functions of a program that are tests.
fn tests_of(text: &str) -> Vec<String> {
    let text = text.strip_prefix("#!").map_or(text, |rest| {
        rest.split_once('\n').map_or("", |(_, rest)| rest)
    });
    let Ok(script) = parse(text, 0) else {
        return Vec::new();
    };
    let functions = script
        .statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Function(function) => Some(function),
            _ => None,
        });
    let tests = functions.filter(|function| {
        function
            .parameters
            .iter()
            .all(|parameter| parameter.default.is_some())
    });
    let names = tests
        .filter_map(|function| function.name.as_ref())
        .map(|name| name.name.to_string());
    names.filter(|name| name.starts_with("test")).collect()
}

/// The program at its first solution.
fn begin(
    program: &Program,
    seed: u64,
    options: &TestOptions,
    token: &CancelToken,
) -> Result<Run, Failure> {
    let mut run = program.run(seed);
    run.keep_globals(false);
    run.set_cancel_token(token);
    come_to_a_solution(&mut run, &options.limits)?;
    // A test is about this solution, not about any that could be found instead.
    run.commit();
    Ok(run)
}

fn one(
    program: &Program,
    run: &Run,
    name: &str,
    options: &TestOptions,
    token: &CancelToken,
) -> Result<(), Failure> {
    let failure = |words: String| Failure { words };
    let call = program
        .extend(CALL, &format!("return {name}();"))
        .map_err(|error| failure(error.to_string()))?;
    let mut run = run.clone();
    run.set_cancel_token(token);
    run.extend(&call).map_err(|why| failure(why.to_string()))?;
    match come_to_a_solution(&mut run, &options.limits)? {
        Data::Boolean(false) => Err(failure("it returns false".to_string())),
        _ => Ok(()),
    }
}

fn come_to_a_solution(run: &mut Run, options: &LimitOptions) -> Result<Data, Failure> {
    let (started, before) = (Instant::now(), run.statistics().steps);
    let words = loop {
        match run.resume(SLICE) {
            Outcome::Solved(solution) => return Ok(solution.value),
            Outcome::OutOfFuel => {}
            Outcome::Failed => {
                break run
                    .failure_message()
                    .map_or("it fails".to_string(), |reason| {
                        format!("it fails: {reason}")
                    });
            }
            Outcome::Error(mut error) => {
                let sources = run.program().sources();
                // That the test was called is known.
                let is_own = |call: &Call| {
                    call.span
                        .and_then(|span| sources.locate(span))
                        .is_some_and(is_call)
                };
                error.diagnostic.calls.retain(|call| !is_own(call));
                break error.diagnostic.render(sources, false);
            }
            Outcome::Waiting(_) => break limits::WAITS.to_string(),
            Outcome::Asked(question) => {
                break format!("it asks {:?}, and nobody answers", question.prompt);
            }
            Outcome::Limit(LimitReached::Cancelled) => break "interrupted".to_string(),
            Outcome::Limit(limit) => break limits::in_words(limit),
        }
        if options
            .max_steps
            .is_some_and(|most| run.statistics().steps - before >= most)
        {
            break "stopped after as many steps as --max-steps allows".to_string();
        }
        if options
            .timeout
            .is_some_and(|most| started.elapsed() >= most)
        {
            break "stopped after as much time as --timeout allows".to_string();
        }
    };
    Err(Failure { words })
}
