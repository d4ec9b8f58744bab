//! `ndscript test`: runs the functions of a program whose names begin with `test`, each after the program, with several
//! seeds. A test passes if it reaches its end; not if it fails, makes an error or returns false.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use ndscript::diagnostics::Call;
use ndscript::source::{SourceFile, Span};
use ndscript::spelling::nearest;
use ndscript::syntax::ast::StatementKind;
use ndscript::syntax::parse;
use ndscript::tiles::Tiles;
use ndscript::{CancelToken, Data, Engine, LimitReached, Limits, Outcome, Program, Run};

use super::run;
use crate::arguments::limits;
use crate::arguments::options::{LimitOptions, TestOptions};
use crate::exit::{Exit, Stop};
use crate::files::imports::{FileImports, source_limit};
use crate::files::save;
use crate::files::{self, Bounds, FolderTiles};
use crate::results::finding::{Finding, Region};
use crate::results::junit;
use crate::results::test_result::{FileState, TestFailure, TestFile, TestResult, Total};
use crate::terminal;
use crate::terminal::{interrupt, stdout};

/// Steps between two looks at the clock.
const SLICE: u64 = 1 << 20;

/// Runs the tests of all files.
pub fn test(options: &TestOptions) -> Result<Exit, Stop> {
    let token = CancelToken::new();
    interrupt::watch(token.clone());
    let mut report = Report {
        options,
        files: Vec::new(),
        known: BTreeSet::new(),
    };
    for path in &options.files {
        let file = file(options, path, &token, &mut report)?;
        let is_broken = matches!(file.state, FileState::Broken(_));
        if options.json && is_broken {
            stdout::write_json(&format!("{}\n", file.to_json()))?;
        }
        report.files.push(file);
        if interrupt::pressed() {
            return Ok(Exit::Interrupted);
        }
    }
    report.end()
}

/// Where results go.
struct Report<'o> {
    options: &'o TestOptions,
    /// The tests that are done.
    files: Vec<TestFile>,
    /// The names of all tests in them, those that do not run, too.
    known: BTreeSet<String>,
}

impl Report<'_> {
    fn say(&self, words: &str) -> Result<(), Stop> {
        if self.options.json {
            return Ok(());
        }
        stdout::write_text(words)
    }

    fn result(&self, result: &TestResult) -> Result<(), Stop> {
        if self.options.json {
            stdout::write_json(&format!("{}\n", result.to_json()))?;
        } else {
            stdout::write_text(&result.words())?;
        }
        stdout::flush()
    }

    /// Writes the totals, and gives the exit code.
    fn end(&self) -> Result<Exit, Stop> {
        let total = Total::of(&self.files);
        if let Some(path) = &self.options.junit {
            save::save(path, junit::document(&self.files).as_bytes())?;
        }
        // The tests of a file that could not be read are unknown.
        let mut asked = self.options.only.iter().filter(|_| total.broken == 0);
        let unknown = asked.find(|name| !self.known.contains(*name));
        if self.options.json {
            stdout::write_json(&format!("{}\n", total.to_json()))?;
        } else if unknown.is_none() {
            stdout::write_text(&total.words())?;
        }
        if let Some(name) = unknown {
            return Err(Stop::error(self.unknown(name)));
        }
        Ok(match total {
            Total {
                broken: 0,
                failed: 0,
                ..
            } => Exit::Success,
            Total { broken: 0, .. } => Exit::NoSolution,
            _ => Exit::Error,
        })
    }

    /// The message about a name that no test has.
    fn unknown(&self, name: &str) -> String {
        const MOST: usize = 8;
        let known = self.known.iter().map(|known| &**known);
        let hint = match nearest(name, known.clone()) {
            Some(close) => format!("did you mean `{close}`?"),
            None if self.known.is_empty() => {
                "a test is a function that needs no arguments and whose name begins with `test`"
                    .to_string()
            }
            None => {
                let some: Vec<String> =
                    known.take(MOST).map(|known| format!("`{known}`")).collect();
                let more = if self.known.len() > MOST { ", ..." } else { "" };
                format!("there are {}{more}", some.join(", "))
            }
        };
        format!("no test is called `{name}`\n{hint}")
    }
}

/// The name of the source text that calls a test, which no person has written.
const CALL: &str = "<test>";

fn is_call((file, ..): (&SourceFile, usize, usize)) -> bool {
    &*file.name == CALL
}

/// The end of a run without a solution.
#[derive(Clone)]
struct Failure {
    /// In words, with its place if it has one.
    words: String,
    /// The error that it made, if it made one.
    error: Option<Arc<Finding>>,
}

fn failure(words: impl Into<String>) -> Failure {
    Failure {
        words: words.into(),
        error: None,
    }
}

/// Runs all tests of a file.
fn file(
    options: &TestOptions,
    path: &Path,
    token: &CancelToken,
    report: &mut Report,
) -> Result<TestFile, Stop> {
    let shown = files::shown_name(path);
    let state = match prepare(options, path) {
        Ok(Prepared::Program(program, text)) => {
            FileState::Tested(run_all(options, &shown, &program, &text, token, report)?)
        }
        Ok(Prepared::Mistakes(findings)) => {
            if !options.json {
                crate::report(&Stop::error(format!("{shown} cannot be tested")));
            }
            FileState::Broken(findings)
        }
        Err(stop) => {
            if !options.json {
                crate::report(&stop);
            }
            FileState::Broken(vec![Finding::of_file(&stop.message)])
        }
    };
    Ok(TestFile { name: shown, state })
}

/// A file, prepared for its tests.
enum Prepared {
    /// A program, with its text.
    Program(Program, String),
    /// Nothing, because of mistakes.
    Mistakes(Vec<Finding>),
}

/// Reads and compiles a file.
fn prepare(options: &TestOptions, path: &Path) -> Result<Prepared, Stop> {
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
    match engine.compile_input(&files::shown_name(path), &text) {
        Ok(program) => Ok(Prepared::Program(program, text)),
        Err(error) => {
            let findings = error.diagnostics.iter().map(|each| {
                if !options.json {
                    let color = terminal::colors_messages(options.color);
                    terminal::show(each, &error.sources, color);
                }
                Finding::of(each, &error.sources)
            });
            Ok(Prepared::Mistakes(findings.collect()))
        }
    }
}

/// Runs the tests of a program; those that an interruption leaves are not among the results.
fn run_all(
    options: &TestOptions,
    shown: &str,
    program: &Program,
    text: &str,
    token: &CancelToken,
    report: &mut Report,
) -> Result<Vec<TestResult>, Stop> {
    let mut tests = tests_of(text);
    let names = tests.iter().map(|(name, _)| name.clone());
    report.known.extend(names);
    let only = &options.only;
    if !only.is_empty() {
        tests.retain(|(name, _)| only.contains(name));
        if tests.is_empty() {
            return Ok(Vec::new());
        }
    }
    report.say(&format!("{shown}\n"))?;
    if tests.is_empty() {
        report.say("  no function that needs no arguments and whose name begins with `test`\n")?;
    }
    // The program runs once with each seed, and every test continues from there.
    let mut running: Vec<(u64, Result<Run, Failure>)> = Vec::new();
    for at in 0..options.seeds {
        let seed = options.seed.wrapping_add(at);
        running.push((seed, begin(program, seed, options, token)));
    }
    let mut results = Vec::new();
    for (name, span) in tests {
        let started = Instant::now();
        let mut failed = None;
        for (seed, run) in &running {
            let failure = match run {
                Err(failure) => Some(Failure {
                    words: format!(
                        "the program itself stops before the test:\n{}",
                        failure.words
                    ),
                    error: failure.error.clone(),
                }),
                Ok(run) => one(program, run, &name, options, token).err(),
            };
            if interrupt::pressed() {
                return Ok(results);
            }
            if let Some(Failure { words, error }) = failure {
                failed = Some(TestFailure {
                    seed: *seed,
                    words,
                    error,
                });
                break;
            }
        }
        let result = TestResult {
            region: Region::of(program.sources(), span),
            file: shown.to_string(),
            name,
            seeds: options.seeds,
            time: started.elapsed(),
            failure: failed,
        };
        report.result(&result)?;
        results.push(result);
    }
    Ok(results)
}

/// The functions of a program that are tests, with the places of their names.
fn tests_of(text: &str) -> Vec<(String, Span)> {
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
        .map(|name| (name.name.to_string(), name.span));
    names.filter(|(name, _)| name.starts_with("test")).collect()
}

/// The program at its first solution.
fn begin(
    program: &Program,
    seed: u64,
    options: &TestOptions,
    token: &CancelToken,
) -> Result<Run, Failure> {
    let mut run = program.run(seed);
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
    let call = program
        .extend(CALL, &format!("return {name}();"))
        .map_err(|error| failure(error.to_string()))?;
    let mut run = run.clone();
    run.set_cancel_token(token);
    run.extend(&call).map_err(|why| failure(why.to_string()))?;
    match come_to_a_solution(&mut run, &options.limits)? {
        Data::Boolean(false) => Err(failure("it returns false")),
        _ => Ok(()),
    }
}

/// Runs until a solution; everything else is the failure of a test.
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
                // The call of the test itself is left out.
                let is_own = |call: &Call| {
                    call.span
                        .and_then(|span| sources.locate(span))
                        .is_some_and(is_call)
                };
                error.diagnostic.calls.retain(|call| !is_own(call));
                return Err(Failure {
                    words: error.diagnostic.render(sources, false),
                    error: Some(Arc::new(Finding::of(&error.diagnostic, sources))),
                });
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
    Err(failure(words))
}
