//! `ndscript run`: searches for solutions and shows them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ndscript::counted::counted;
use ndscript::tiles::Tiles;
use ndscript::{
    CancelToken, Engine, LimitReached, Limits, Outcome, Param, PlacedPicture, Program, Question,
    Record, Run, Solution,
};

use super::batch::{self, BatchInput};
use crate::arguments::options::{RunOptions, SolutionCount, StatsForm};
use crate::arguments::{limits, params};
use crate::exit::{Exit, Stop};
use crate::files::imports::{FileImports, source_limit};
use crate::files::{self, Bounds, FolderTiles, shell_word};
use crate::results::output::Output;
use crate::runs::stats::{self, Stats};
use crate::runs::stopped::{self, Stopped};
use crate::runs::{dead_ends, failing, standing};
use crate::terminal;
use crate::terminal::progress::Progress;
use crate::terminal::{ask, interrupt};
use crate::terminal::{say, say_json};

/// Steps between two looks at the clock.
const SLICE: u64 = 1 << 20;

/// Steps before Ctrl-C is handled. Until then it ends the process, which loses nothing.
const UNWATCHED: u64 = 1 << 19;

/// The additional time and steps for a stopped run to finish with the cheapest result found so far.
const GRACE: Duration = Duration::from_secs(2);
const STEPS_OF_GRACE: u64 = 10_000_000;

/// The cheapest result so far, with which a stopped run finishes.
struct BestResult {
    cost: f64,
    /// Why it was stopped.
    why: String,
    until: Instant,
    /// The steps that it may have taken.
    steps: u64,
}

/// A search in progress.
pub struct SolutionSearch<'a> {
    options: &'a RunOptions,
    color: bool,
    program: Program,
    run: Run,
    output: Output,
    /// The names of the folders of tile images.
    folders: Vec<String>,
    seed: u64,
    solutions: u64,
    /// Whether Ctrl-C is watched for. That takes a thread, which most short runs end before.
    watched: bool,
    /// The time spent searching; waiting for a person does not count.
    time: Duration,
    /// The time, and the steps, that were spent before the run was stopped.
    time_before: Duration,
    steps_before: u64,
    /// Whether what was printed before the next question has been shown.
    shown: bool,
    /// The result taken from a stopped `minimize`.
    best: Option<BestResult>,
    progress: Progress,
    /// Whether the search can be repeated, with these values for its parameters: it has not been saved, and no question
    /// was answered.
    params: Option<Vec<(String, Param)>>,
    /// Hashes of the solutions so far, if equal ones are left out.
    fingerprints: HashSet<[u8; 32]>,
}

/// Runs a program as the options say.
pub fn run(options: &RunOptions) -> Result<Exit, Stop> {
    let memory = options.limits.memory.max_memory;
    let bounds = Bounds::new(memory, options.limits.timeout);
    let params = params::read_all(&options.program.params, bounds)?;
    let color = terminal::colors_messages(options.screen.color);
    let text = files::read_program(&options.program.file, bounds)?;
    let folders: Vec<PathBuf> = std::iter::once(files::folder_of(&options.program.file))
        .chain(options.tiles.tiles.iter().cloned())
        .collect();
    let tiles = Tiles::new(FolderTiles::new(folders.iter().cloned())?.within(memory));
    let imports = FileImports::new(
        files::folder_of(&options.program.file),
        &options.imports.import_path,
        memory,
    )?;
    let (engine, to_cancel) = engine(options, &tiles);
    let engine = engine.with_imports(imports);
    let program = match engine.compile_named(&files::shown_name(&options.program.file), &text) {
        Ok(program) => program,
        Err(error) => {
            error
                .diagnostics
                .iter()
                .for_each(|each| terminal::show(each, &error.sources, color));
            return Ok(Exit::Error);
        }
    };
    params::warn_of_unknown(&params, &program);
    let seed = match options.program.seed {
        Some(seed) => seed,
        None => fresh_seed()?,
    };
    if let Some(count) = options
        .batch
        .count
        .or(options.batch.jsonl.is_some().then_some(1))
    {
        return batch::batch(
            &BatchInput {
                options,
                program,
                params,
                tiles,
                seed,
            },
            count,
        );
    }
    if let Some(runners) = options.batch.race {
        let mut output = Output::new(options, tiles.clone());
        let sources = program.sources().clone();
        let winner = match batch::race(
            &BatchInput {
                options,
                program,
                params,
                tiles,
                seed,
            },
            runners,
        )? {
            Ok(winner) => winner,
            Err(exit) => return Ok(exit),
        };
        let left = options
            .limits
            .timeout
            .map(|most| most.saturating_sub(winner.time));
        output.draw_until(left.and_then(|left| Instant::now().checked_add(left)));
        output.put(&winner.solution.text, &winner.solution.pictures)?;
        output.end_solution(false)?;
        output.report_missing_picture();
        let record = winner.run.record();
        write_records(options, &mut output, record)?;
        show_stats(options.stats, || Stats {
            seed: winner.seed,
            solutions: 1,
            figures: winner.run.statistics(),
            time: winner.time,
            pause: winner.run.longest_pause(),
            record,
            sources: &sources,
        });
        return Ok(Exit::Success);
    }
    let mut run = program.run_with(seed, &params);
    keep_records(&mut run, options);
    let _ = to_cancel.set(run.cancel_token());
    let output = Output::new(options, tiles);
    // Absolute, so that the run can be resumed anywhere.
    let whole = |path: &PathBuf| {
        path.canonicalize()
            .unwrap_or_else(|_| path.clone())
            .to_string_lossy()
            .into_owned()
    };
    let folders = folders.iter().map(whole).collect();
    let mut search = SolutionSearch::new(options, program, run, output, seed, folders);
    search.params = Some(params);
    search.finish()
}

/// Turns on the records of a run that the options show apart from its solutions.
pub fn keep_records(run: &mut Run, options: &RunOptions) {
    let shows_pictures = options.html.is_some() || options.frames.is_some();
    run.keep_record(options.stats.is_some() || shows_pictures);
    run.keep_recorded_pictures(shows_pictures);
}

/// Finishes the page, and writes the pictures that `snapshot` has recorded.
fn write_records(options: &RunOptions, output: &mut Output, record: &Record) -> Result<(), Stop> {
    output.finish(record)?;
    if options.html.is_some() || options.frames.is_some() {
        report_undrawn(record);
    }
    options
        .frames
        .as_ref()
        .map_or(Ok(()), |folder| output.write_recorded(record, folder))
}

fn show_stats<'s>(form: Option<StatsForm>, stats: impl FnOnce() -> Stats<'s>) {
    let Some(form) = form else { return };
    match form {
        StatsForm::Json => say_json(&stats::json(&stats())),
        StatsForm::Text => say(&stats::show(&stats())),
    }
}

/// The engine of a run, and where to put the token that Ctrl-C cancels it with.
pub fn engine(options: &RunOptions, tiles: &Tiles) -> (Engine, Arc<OnceLock<CancelToken>>) {
    let to_cancel: Arc<OnceLock<CancelToken>> = Arc::default();
    let seen_by_debug = to_cancel.clone();
    let debug = move |line: &str| {
        // Otherwise a line of it could be taken for a sign that Ctrl-C works.
        seen_by_debug
            .get()
            .into_iter()
            .for_each(|run| interrupt::watch(run.clone()));
        say(line);
    };
    let started = Instant::now();
    let engine = Engine::new()
        .with_limits(limits(options))
        .with_clock(move || started.elapsed());
    (
        engine.with_tiles(tiles.clone()).with_debug(debug),
        to_cancel,
    )
}

/// The bytes that a run may use, of those that the options allow.
pub fn memory_limit(given: Option<u64>) -> usize {
    given.map_or(Limits::default().memory, |bytes| {
        usize::try_from(bytes).unwrap_or(usize::MAX)
    })
}

fn limits(options: &RunOptions) -> Limits {
    // `--timeout` leaves the run as it is, so that it can be saved: the clock is for `--stats` only.
    let memory = options.limits.memory.max_memory;
    Limits {
        time: Duration::MAX,
        memory: memory_limit(memory),
        source: source_limit(memory),
        ..Limits::default()
    }
}

/// Says that pictures are missing because they cannot be drawn.
fn report_undrawn(record: &Record) {
    let undrawn = record.undrawn();
    if undrawn > 0 {
        let calls = counted(undrawn, "snapshot");
        say(&format!(
            "{calls} could not be drawn: every cell has to hold the name of a tile, or a set of such names"
        ));
    }
}

/// A seed that is short enough to be typed again.
pub fn fresh_seed() -> Result<u64, Stop> {
    let seed = getrandom::u32()
        .map_err(|why| Stop::error(format!("the system gives no random seed: {why}")))?;
    Ok(u64::from(seed))
}

impl<'a> SolutionSearch<'a> {
    pub fn new(
        options: &'a RunOptions,
        program: Program,
        run: Run,
        output: Output,
        seed: u64,
        folders: Vec<String>,
    ) -> SolutionSearch<'a> {
        SolutionSearch {
            options,
            color: terminal::colors_messages(options.screen.color),
            folders,
            program,
            run,
            output,
            seed,
            solutions: 0,
            watched: false,
            time: Duration::ZERO,
            time_before: Duration::ZERO,
            steps_before: 0,
            shown: false,
            best: None,
            progress: Progress::new(),
            params: None,
            fingerprints: HashSet::new(),
        }
    }

    /// Restores the progress of a stopped run. Limits count from here.
    pub fn restore_progress(&mut self, stopped: &Stopped) {
        self.solutions = stopped.solutions;
        self.time = stopped.time;
        self.time_before = stopped.time;
        self.steps_before = self.run.statistics().steps;
        self.shown = stopped.shown;
    }

    /// Searches, and does what remains at the end.
    pub fn finish(mut self) -> Result<Exit, Stop> {
        if self.options.html.is_some() || self.options.save.is_some() {
            self.watch();
        }
        if self.options.save.is_some() {
            interrupt::wants_state();
        }
        let result = self.search();
        // Pictures found so far are drawn, whatever happened after them.
        self.output.draw_until(self.time_is_over());
        let finished = write_records(self.options, &mut self.output, self.run.record());
        if self.solutions > 0 {
            self.output.report_missing_picture();
        }
        show_stats(self.options.stats, || Stats {
            seed: self.seed,
            solutions: self.solutions,
            figures: self.run.statistics(),
            time: self.time,
            pause: self.run.longest_pause(),
            record: self.run.record(),
            sources: self.program.sources(),
        });
        let exit = match result {
            Err(stop) if stop.exit == Exit::Limit => return Err(self.stopped(stop)),
            Ok(Exit::Interrupted) => return Err(self.stopped(Stop::silent(Exit::Interrupted))),
            other => other?,
        };
        finished?;
        Ok(if interrupt::pressed() {
            Exit::Interrupted
        } else {
            exit
        })
    }

    /// Writes the state of a run that was stopped, if that is wanted and the run can resume.
    fn stopped(&mut self, mut stop: Stop) -> Stop {
        let Some(path) = &self.options.save else {
            return stop;
        };
        interrupt::while_saving(|| {
            // The other limits cannot be raised from here.
            let may_go_on = matches!(
                self.run.stopped_at(),
                None | Some(
                    LimitReached::Steps(_)
                        | LimitReached::Memory(_)
                        | LimitReached::Time(_)
                        | LimitReached::Cancelled
                )
            );
            let line = if self.output.has_lost() || !may_go_on || !self.run.can_go_on() {
                "a run cannot go on after this limit, so it was not saved".to_string()
            } else {
                match self
                    .state(self.shown)
                    .and_then(|stopped| stopped.write(path))
                {
                    Ok(()) => format!("`{}` goes on from here", self.resumption(path)),
                    Err(problem) => {
                        say(&format!("error: the run is not saved: {}", problem.message));
                        return;
                    }
                }
            };
            if stop.message.is_empty() {
                say(&line);
            } else {
                stop.message = format!("{}\n{line}", stop.message);
            }
        });
        stop
    }

    /// The command that resumes the run, with the options that have to be given again.
    fn resumption(&self, state: &Path) -> String {
        let mut words = format!("ndscript resume {}", shell_word(state));
        if self.options.out != Path::new(".") {
            words.push_str(&format!(" --out {}", shell_word(&self.options.out)));
        }
        if let Some(page) = &self.options.html {
            words.push_str(&format!(" --html {}", shell_word(page)));
        }
        for folder in &self.options.tiles.tiles {
            words.push_str(&format!(" --tiles {}", shell_word(folder)));
        }
        words
    }

    /// The state of the run as it is saved to a file.
    fn state(&mut self, shown: bool) -> Result<Stopped, Stop> {
        let run = self
            .run
            .save()
            .map_err(|why| Stop::error(why.to_string()))?;
        Ok(Stopped {
            sources: Stopped::texts(self.program.sources()),
            tiles: self.folders.clone(),
            tile_size: self.options.tiles.tile_size.map(u64::from),
            wanted: self.options.solutions.map(stopped::number_of),
            seed: self.seed,
            solutions: self.solutions,
            time: self.time,
            shown,
            output: self.output.state(),
            run,
        })
    }

    /// Runs until there are enough solutions, and shows each.
    fn search(&mut self) -> Result<Exit, Stop> {
        let wanted = self.options.solutions.unwrap_or(SolutionCount::AtMost(1));
        loop {
            // Solutions and questions may come faster than a slice is used up.
            self.check_time()?;
            let started = Instant::now();
            let outcome = self.run.resume(self.slice());
            self.time += started.elapsed();
            match outcome {
                Outcome::OutOfFuel => self.progress.show(&self.run, self.time),
                _ => self.progress.clear(),
            }
            let is_over = match &outcome {
                Outcome::Solved(solution) => {
                    solution.pictures.is_empty()
                        && wanted.is_reached(self.solutions.saturating_add(1))
                }
                other => matches!(other, Outcome::Failed | Outcome::Error(_)),
            };
            if !is_over {
                self.watch();
            }
            match outcome {
                Outcome::Solved(solution) => {
                    if !self.timed(|search| search.put_solution(&solution))? {
                        continue;
                    }
                    self.solutions = self.solutions.saturating_add(1);
                    if let Some(taken) = &self.best {
                        return Err(Stop::limit(format!(
                            "{}\nthis is the cheapest result so far, with a cost of {}; it is not proven to be the cheapest",
                            taken.why, taken.cost
                        )));
                    }
                    if wanted.is_reached(self.solutions) {
                        return Ok(Exit::Success);
                    }
                }
                Outcome::OutOfFuel => self.check_steps()?,
                Outcome::Waiting(_) => return Err(Stop::error(crate::arguments::limits::WAITS)),
                Outcome::Asked(question) => {
                    self.params = None;
                    self.ask(&question)?;
                }
                Outcome::Failed if self.solutions > 0 => return Ok(Exit::Success),
                Outcome::Failed => {
                    self.show_unfinished("before the last failure");
                    terminal::no_solution(self.run.failure_message());
                    self.show_failing_lines(false);
                    self.show_dead_end();
                    if self.run.statistics().choice_points == 0 {
                        say(
                            "  hint: nothing was guessed, so there was nothing to go back to; a draw such as `randomInt` is no guess, and `retry(f)` draws again until `f()` has a result",
                        );
                    }
                    return Ok(Exit::NoSolution);
                }
                Outcome::Error(error) => {
                    self.show_unfinished("before the error");
                    terminal::show(&error.diagnostic, self.program.sources(), self.color);
                    return Ok(Exit::Error);
                }
                Outcome::Limit(limit) if self.takes_best(&limits::in_words(limit)) => {}
                Outcome::Limit(LimitReached::Cancelled) => {
                    self.show_unfinished("before it was interrupted");
                    self.show_failing_lines(true);
                    self.show_current_line();
                    say("interrupted");
                    return Ok(Exit::Interrupted);
                }
                Outcome::Limit(limit) => {
                    self.show_unfinished("before the run was stopped");
                    self.show_failing_lines(true);
                    self.show_current_line();
                    return Err(Stop::limit(limits::in_words(limit)));
                }
            }
        }
    }

    /// Does something whose time is time of the run.
    fn timed<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let started = Instant::now();
        let result = work(self);
        self.time += started.elapsed();
        result
    }

    /// Puts out a solution. False if it equals one before, and only different ones are wanted.
    fn put_solution(&mut self, solution: &Solution) -> Result<bool, Stop> {
        if self.options.distinct
            && !self.fingerprints.insert(batch::fingerprint_of(
                &solution.text,
                &solution.pictures,
                &solution.value,
            ))
        {
            return Ok(false);
        }
        self.put(&solution.text, &solution.pictures)?;
        self.output.end_solution(self.options.solutions.is_some())?;
        Ok(true)
    }

    /// Puts out what was printed.
    fn put(&mut self, text: &str, pictures: &[PlacedPicture]) -> Result<(), Stop> {
        self.output.draw_until(self.time_is_over());
        self.output.put(text, pictures)
    }

    /// The end of the time limit, if only the run uses time from now on.
    fn time_is_over(&self) -> Option<Instant> {
        if let Some(taken) = &self.best {
            return Some(taken.until);
        }
        let spent = self.time - self.time_before;
        let left = self
            .options
            .limits
            .timeout
            .map(|most| most.saturating_sub(spent));
        left.and_then(|left| Instant::now().checked_add(left))
    }

    /// Shows on standard error the output of a branch without a solution.
    fn show_unfinished(&mut self, when: &str) {
        self.output.draw_until(self.time_is_over());
        // If the run is saved, this is printed when it resumes.
        if self.options.save.is_none() && !self.shown {
            self.output
                .unfinished(when, self.run.pending_text(), &self.run.pending_pictures());
        }
    }

    /// Says which lines failed most, if there was no solution.
    fn show_failing_lines(&self, was_stopped: bool) {
        // A saved run may still find something.
        if self.solutions > 0 || (was_stopped && self.options.save.is_some()) {
            return;
        }
        if let Some(words) = failing::in_words(
            &self.run,
            self.steps_before > 0,
            self.run.failure_message().is_some(),
        ) {
            say(&words);
        }
    }

    /// Says on which line a run was stopped. One that is saved goes on from there.
    fn show_current_line(&self) {
        if self.options.save.is_none()
            && let Some(words) = standing::in_words(&self.run)
        {
            say(&words);
        }
    }

    /// Says which rule of a board leaves nothing, if there is no solution because of that.
    fn show_dead_end(&self) {
        if let Some(params) = &self.params
            && let Some(words) = dead_ends::in_words(&self.run, self.seed, params)
        {
            say(&words);
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
        if self.best.is_some() {
            return SLICE;
        }
        let left = self
            .options
            .limits
            .max_steps
            .map_or(slice, |most| most.saturating_sub(self.steps()));
        left.min(slice)
    }

    /// Steps since the run began or was resumed.
    fn steps(&self) -> u64 {
        self.run.statistics().steps - self.steps_before
    }

    /// Lets a run that is to be stopped finish with the cheapest result that a `minimize` has found so far. A saved run
    /// continues the search later instead.
    fn takes_best(&mut self, why: &str) -> bool {
        if self.options.save.is_some() || self.best.is_some() {
            return false;
        }
        // The search is over in any case.
        self.run.cancel_token().clear();
        let Some(cost) = self.run.take_best() else {
            return false;
        };
        let why = why.lines().next().unwrap_or_default().to_string();
        self.best = Some(BestResult {
            cost,
            why,
            until: Instant::now() + GRACE,
            steps: self.run.statistics().steps + STEPS_OF_GRACE,
        });
        true
    }

    /// Whether a stopped run may still finish.
    fn has_grace(&self) -> bool {
        self.best.as_ref().is_some_and(|result| {
            Instant::now() < result.until && self.run.statistics().steps < result.steps
        })
    }

    /// Stops the run at the limit of steps; takes the best solution so far if there is one.
    fn check_steps(&mut self) -> Result<(), Stop> {
        if let Some(most) = self
            .options
            .limits
            .max_steps
            .filter(|most| self.steps() >= *most && !self.has_grace())
        {
            if self.takes_best(&limits::out_of_steps(self.steps(), most)) {
                return Ok(());
            }
            self.progress.clear();
            self.show_unfinished("before the run was stopped");
            self.show_failing_lines(true);
            self.show_current_line();
            return Err(Stop::limit(limits::out_of_steps(self.steps(), most)));
        }
        Ok(())
    }

    /// Stops the run at the limit of time; takes the best solution so far if there is one.
    fn check_time(&mut self) -> Result<(), Stop> {
        // Whatever a stopped run minimizes after that ends with the first result that it finds.
        if let Some(taken) = &mut self.best
            && let Some(cost) = self.run.take_best()
        {
            taken.cost = cost;
        }
        if let Some(taken) = &self.best
            && !self.has_grace()
        {
            return Err(Stop::limit(taken.why.clone()));
        }
        if let Some(most) = self
            .options
            .limits
            .timeout
            .filter(|most| self.time - self.time_before >= *most && !self.has_grace())
        {
            if self.takes_best(&limits::out_of_time(most)) {
                return Ok(());
            }
            self.progress.clear();
            self.show_unfinished("before the run was stopped");
            self.show_failing_lines(true);
            self.show_current_line();
            return Err(Stop::limit(limits::out_of_time(most)));
        }
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<(), Stop> {
        if !std::mem::take(&mut self.shown) {
            self.timed(|search| search.put(&question.text, &question.pictures))?;
        }
        self.output.before_question()?;
        if let Some(path) = &self.options.save {
            // Ctrl-C ends the process while it waits, and then the run can be resumed at this question.
            let command = self.resumption(path);
            interrupt::save_on_end(path.clone(), self.state(true)?.to_bytes(), command);
        }
        ask::answer(&mut self.run, question)
    }
}
