//! `ndscript run`: searches for solutions and shows them.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ndscript::tiles::Tiles;
use ndscript::{CancelToken, Engine, LimitReached, Limits, Outcome, Program, Question, Run};

use super::exit::{Exit, Stop};
use super::files::{self, FileImports, FolderTiles};
use super::options::{RunOptions, SolutionCount};
use super::output::Output;
use super::terminal::say;
use super::{ask, interrupt, params, stats, terminal};

/// How many steps are made between two looks at the clock.
const SLICE: u64 = 1 << 20;

/// How many steps are made before Ctrl-C is watched for. Until then it ends the process, and nothing is lost by that.
const UNWATCHED: u64 = 1 << 14;

/// A search under way.
struct Search<'a> {
    options: &'a RunOptions,
    color: bool,
    program: Program,
    run: Run,
    output: Output,
    solutions: u64,
    /// Whether Ctrl-C is watched for. That takes a thread, which most short runs end before.
    watched: bool,
    /// The time spent searching; waiting for a person does not count.
    time: Duration,
}

/// Runs a program as the options say.
pub fn run(options: &RunOptions) -> Result<Exit, Stop> {
    let params = params::read_all(&options.params)?;
    let color = terminal::colors_messages(options.color);
    let text = files::read_program(&options.file)?;
    let folders = std::iter::once(files::folder_of(&options.file)).chain(options.tiles.iter().cloned());
    let tiles = Tiles::new(FolderTiles::new(folders)?);
    let to_cancel: Arc<OnceLock<CancelToken>> = Arc::default();
    let seen_by_debug = to_cancel.clone();
    let debug = move |line: &str| {
        // Whoever sees a line of it may take it for a sign that Ctrl-C works.
        seen_by_debug.get().into_iter().for_each(|run| interrupt::watch(run.clone()));
        say(line);
    };
    let engine = Engine::new()
        .with_limits(limits(options))
        .with_tiles(tiles.clone())
        .with_imports(FileImports)
        .with_debug(debug);
    let program = match engine.compile_named(&files::shown_name(&options.file), &text) {
        Ok(program) => program,
        Err(error) => {
            error.diagnostics.iter().for_each(|each| say(&each.render(&error.sources, color)));
            return Ok(Exit::Error);
        }
    };
    let seed = match options.seed {
        Some(seed) => seed,
        None => fresh_seed()?,
    };
    let mut run = program.run_with(seed, &params);
    run.keep_globals(false);
    let _ = to_cancel.set(run.cancel_token());
    let output = Output::new(options, tiles);
    let mut search =
        Search { options, color, program, run, output, solutions: 0, watched: false, time: Duration::ZERO };
    if options.html.is_some() {
        search.watch();
    }
    let result = search.search();
    // What was found stays, whatever came after it.
    let finished = search.output.finish();
    if options.stats {
        say(&stats::show(seed, search.solutions, &search.run.statistics(), search.time));
    }
    let exit = result?;
    finished?;
    Ok(if interrupt::pressed() { Exit::Interrupted } else { exit })
}

fn limits(options: &RunOptions) -> Limits {
    let mut limits = Limits::default();
    if let Some(bytes) = options.max_memory {
        limits.memory = usize::try_from(bytes).unwrap_or(usize::MAX);
    }
    limits
}

/// A seed that is short enough to be typed again.
pub fn fresh_seed() -> Result<u64, Stop> {
    let seed = getrandom::u32().map_err(|why| Stop::error(format!("the system gives no random seed: {why}")))?;
    Ok(u64::from(seed))
}

impl Search<'_> {
    fn search(&mut self) -> Result<Exit, Stop> {
        let wanted = self.options.solutions.unwrap_or(SolutionCount::AtMost(1));
        loop {
            let started = Instant::now();
            let outcome = self.run.resume(self.slice());
            self.time += started.elapsed();
            let is_over = match &outcome {
                Outcome::Solved(solution) => solution.pictures.is_empty() && wanted.is_reached(self.solutions + 1),
                other => matches!(other, Outcome::Failed | Outcome::Error(_)),
            };
            if !is_over {
                self.watch();
            }
            match outcome {
                Outcome::Solved(solution) => {
                    self.output.put(&solution.text, &solution.pictures)?;
                    self.output.end_solution(self.options.solutions.is_some())?;
                    self.solutions += 1;
                    if wanted.is_reached(self.solutions) {
                        return Ok(Exit::Success);
                    }
                }
                Outcome::OutOfFuel => self.check_limits()?,
                Outcome::Asked(question) => self.ask(&question)?,
                Outcome::Failed if self.solutions > 0 => return Ok(Exit::Success),
                Outcome::Failed => {
                    say("no solution");
                    return Ok(Exit::NoSolution);
                }
                Outcome::Error(error) => {
                    say(&error.diagnostic.render(self.program.sources(), self.color));
                    return Ok(Exit::Error);
                }
                Outcome::Limit(LimitReached::Cancelled) => {
                    say("interrupted");
                    return Ok(Exit::Interrupted);
                }
                Outcome::Limit(limit) => return Err(Stop::limit(format!("stopped: {limit}"))),
            }
        }
    }

    /// Watches for Ctrl-C from now on.
    fn watch(&mut self) {
        if !std::mem::replace(&mut self.watched, true) {
            interrupt::watch(self.run.cancel_token());
        }
    }

    fn slice(&self) -> u64 {
        let slice = if self.watched { SLICE } else { UNWATCHED };
        let left = self.options.max_steps.map_or(slice, |most| most.saturating_sub(self.run.statistics().steps));
        left.min(slice)
    }

    fn check_limits(&self) -> Result<(), Stop> {
        if let Some(most) = self.options.max_steps.filter(|most| self.run.statistics().steps >= *most) {
            return Err(Stop::limit(format!("stopped after {most} steps, as many as --max-steps allows")));
        }
        if let Some(most) = self.options.timeout.filter(|most| self.time >= *most) {
            let seconds = most.as_secs_f64();
            return Err(Stop::limit(format!("stopped after {seconds} seconds, as long as --timeout allows")));
        }
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<(), Stop> {
        self.output.put(&question.text, &question.pictures)?;
        self.output.before_question()?;
        let ended = || Stop::error(format!("the input ended before {:?} was answered", question.prompt));
        match &question.options {
            Some(options) => {
                let index = ask::pick(&question.prompt, options)?.ok_or_else(ended)?;
                self.run.answer(index);
            }
            None => {
                let line = ask::line(&question.prompt)?.ok_or_else(ended)?;
                self.run.answer_text(&line);
            }
        }
        Ok(())
    }
}
