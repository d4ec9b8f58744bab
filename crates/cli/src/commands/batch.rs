//! `ndscript run --count N`: many maps, from many seeds, on many cores. Seeds are taken and results are written in
//! order, so that nothing depends on the number of threads.

mod batch_result;
mod fingerprint;
mod job;
mod race;
mod record;
mod summary;

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ndscript::counted::counted;
use ndscript::tiles::Tiles;
use ndscript::{CancelToken, Param, Program};
use ndscript_render::html::{self, Piece};

use crate::arguments::options::{RunOptions, StatsForm};
use crate::exit::{Exit, Stop};
use crate::files::save::{create, not_written, save_unnamed};
use crate::terminal;
use crate::terminal::{complain, say};
use crate::terminal::{interrupt, stdout};
use batch_result::{BatchResult, Ending};
pub use fingerprint::fingerprint_of;
use job::Job;
pub use race::race;
use summary::Summary;

/// The common input of all maps.
pub struct BatchInput<'a> {
    pub options: &'a RunOptions,
    pub program: Program,
    pub params: Vec<(String, Param)>,
    pub tiles: Tiles,
    pub seed: u64,
}

/// At most this many maps for each core may wait until one with an earlier seed is done.
const MOST_WAITING: u64 = 64;

/// The most bytes of waiting maps; beyond that no other map is begun until the earliest is done.
const MOST_WAITING_BYTES: usize = 64 << 20;

/// At most this many maps without a solution are named, each in a line.
const MOST_NAMED: u64 = 20;

/// Makes maps from consecutive seeds.
pub fn batch(recipe: &BatchInput<'_>, count: u64) -> Result<Exit, Stop> {
    let jobs = recipe
        .options
        .batch
        .jobs
        .unwrap_or_else(cores)
        .min(count.max(1));
    let token = CancelToken::new();
    interrupt::watch(token.clone());
    let mut desk = ResultWriter::new(recipe, count)?;
    let queue = Queue::new(count, jobs * MOST_WAITING);
    let result = thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..jobs {
            let (sender, token, queue) = (sender.clone(), token.clone(), &queue);
            scope.spawn(move || {
                while let Some(number) = queue.take() {
                    let map = Job::new(recipe, recipe.seed.wrapping_add(number), &token).make();
                    queue.waits(map.bytes());
                    if sender.send((number, map)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early: BTreeMap<u64, BatchResult> = BTreeMap::new();
        let mut result = Ok(());
        for (number, map) in receiver {
            early.insert(number, map);
            while let Some(map) = early.remove(&desk.done) {
                let bytes = map.bytes();
                result = desk.put(map);
                queue.done(desk.done, bytes);
                if result.is_err() || interrupt::pressed() {
                    token.cancel();
                    queue.close();
                    break;
                }
            }
            if result.is_err() {
                break;
            }
        }
        // Seeds after one that was interrupted may have finished before it.
        result.and_then(|()| early.into_values().try_for_each(|map| desk.put(map)))
    });
    result?;
    desk.finish()
}

/// The default number of threads.
pub fn cores() -> u64 {
    thread::available_parallelism().map_or(1, |cores| cores.get() as u64)
}

/// The progress of a batch.
#[derive(Default)]
struct Progress {
    next: u64,
    /// Up to which number all are done.
    done: u64,
    /// The bytes of what is made and waits for earlier ones.
    waiting: usize,
}

/// Hands out numbers, but not too far ahead of the finished ones.
struct Queue {
    state: Mutex<Progress>,
    changed: Condvar,
    count: u64,
    ahead: u64,
    is_closed: AtomicBool,
}

impl Queue {
    fn new(count: u64, ahead: u64) -> Queue {
        Queue {
            state: Mutex::default(),
            changed: Condvar::new(),
            count,
            ahead,
            is_closed: AtomicBool::new(false),
        }
    }

    /// The next number to work on; waits while the others are too far behind. `None` if there are no more.
    fn take(&self) -> Option<u64> {
        let mut state = self.state();
        loop {
            if state.next >= self.count || self.is_closed.load(Ordering::SeqCst) {
                return None;
            }
            // The earliest unfinished map is always in progress, so the maps that wait for it will resume.
            let is_far = state.next >= state.done.saturating_add(self.ahead);
            let is_much = state.next > state.done && state.waiting > MOST_WAITING_BYTES;
            if !is_far && !is_much {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, Progress> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a finished map of this size that waits.
    fn waits(&self, bytes: usize) {
        self.state().waiting += bytes;
    }

    /// Records that all maps up to a number are done, and the bytes of the last one are free.
    fn done(&self, up_to: u64, bytes: usize) {
        let mut state = self.state();
        (state.done, state.waiting) = (up_to, state.waiting.saturating_sub(bytes));
        self.changed.notify_all();
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        self.done(u64::MAX / 2, 0);
    }
}

/// Takes maps in the order of their seeds, and writes what belongs to them.
struct ResultWriter<'a> {
    options: &'a RunOptions,
    color: bool,
    sources: ndscript::source::Sources,
    /// The number of finished maps.
    done: u64,
    solved: u64,
    /// Maps that print what an earlier one has printed.
    repeated: u64,
    files: u64,
    /// How maps ended that were not solved; the gravest of it.
    exit: Option<Exit>,
    unsolved: u64,
    fingerprints: HashSet<[u8; 32]>,
    lines: Option<Lines>,
    page: Option<(BufWriter<File>, PathBuf)>,
    summary: Summary,
    bar: ProgressBar,
}

/// Where the lines of JSON go.
enum Lines {
    Output,
    File(BufWriter<File>, PathBuf),
}

impl<'a> ResultWriter<'a> {
    fn new(recipe: &BatchInput<'a>, count: u64) -> Result<ResultWriter<'a>, Stop> {
        let options = recipe.options;
        let lines = match &options.batch.jsonl {
            None => None,
            Some(path) if path == Path::new("-") => Some(Lines::Output),
            Some(path) => Some(Lines::File(BufWriter::new(create(path)?), path.clone())),
        };
        let page = match &options.html {
            None => None,
            Some(path) => {
                let mut file = BufWriter::new(create(path)?);
                let title = options
                    .program
                    .file
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy();
                file.write_all(html::begin(&title).as_bytes())
                    .map_err(|why| not_written(path, &why))?;
                Some((file, path.clone()))
            }
        };
        let is_seen = io::stderr().is_terminal() && !io::stdout().is_terminal()
            || lines.is_some() && io::stderr().is_terminal();
        let target = if is_seen {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(count), target);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {pos} of {len}, {msg}, {eta} left")
        {
            bar.set_style(style);
        }
        Ok(ResultWriter {
            options,
            color: terminal::colors_messages(options.screen.color),
            sources: recipe.program.sources().clone(),
            done: 0,
            solved: 0,
            repeated: 0,
            files: 0,
            exit: None,
            unsolved: 0,
            fingerprints: HashSet::new(),
            lines,
            page,
            summary: Summary::default(),
            bar,
        })
    }

    fn put(&mut self, map: BatchResult) -> Result<(), Stop> {
        if matches!(map.ending, Ending::Cancelled) {
            return Ok(());
        }
        self.done += 1;
        self.summary.add(&map);
        let result = self.put_out(&map);
        self.bar.set_message(format!("{} solved", self.solved));
        self.bar.inc(1);
        result
    }

    /// Writes the files and the lines of a result, unless it repeats an earlier one.
    fn put_out(&mut self, result: &BatchResult) -> Result<(), Stop> {
        if !result.is_solved() {
            self.report_failure(result);
            self.show_unsolved(result)?;
            // Files of a stopped run are written, too.
            for (path, bytes) in &result.files {
                save_unnamed(path, bytes)?;
            }
            return self.line(result);
        }
        self.solved += 1;
        if self.options.distinct && !self.fingerprints.insert(result.fingerprint) {
            self.repeated += 1;
            return Ok(());
        }
        for (path, bytes) in &result.files {
            save_unnamed(path, bytes)?;
        }
        self.files += result.pictures;
        if let Some((file, path)) = &mut self.page {
            let written =
                html::write_section(&format!("Seed {}", result.seed), &result.pieces, file);
            written.map_err(|why| not_written(path, &why))?;
        }
        if self.lines.is_none() {
            let end = if result.text.is_empty() || result.text.ends_with('\n') {
                ""
            } else {
                "\n"
            };
            stdout::write_text(&result.text)?;
            stdout::write_text(&format!("{end}---\n"))?;
            return stdout::flush();
        }
        self.line(result)
    }

    /// Puts a note on the page for each of the first few maps without a solution, with the reason.
    fn show_unsolved(&mut self, result: &BatchResult) -> Result<(), Stop> {
        let Some((file, path)) = self.page.as_mut().filter(|_| self.unsolved <= MOST_NAMED) else {
            return Ok(());
        };
        let section = html::section(
            &format!("Seed {}", result.seed),
            &[Piece::Text(result.in_words())],
        );
        file.write_all(section.as_bytes())
            .map_err(|why| not_written(path, &why))
    }

    fn line(&mut self, result: &BatchResult) -> Result<(), Stop> {
        let Some(lines) = &mut self.lines else {
            return Ok(());
        };
        match lines {
            Lines::Output => {
                stdout::write_json(&String::from_utf8_lossy(&result.line))?;
                stdout::flush()
            }
            Lines::File(file, path) => file
                .write_all(&result.line)
                .map_err(|why| not_written(path, &why)),
        }
    }

    /// Reports why a map has no solution: the first error in full, and the first few in a line each.
    fn report_failure(&mut self, result: &BatchResult) {
        self.unsolved += 1;
        let is_first_error = self.exit != Some(Exit::Error);
        self.exit = Some(self.exit.unwrap_or(result.exit()));
        let words = format!("seed {}: {}", result.seed, result.in_words());
        self.bar.suspend(|| match &result.ending {
            Ending::Error(error) if is_first_error => {
                say(&words);
                terminal::show(&error.diagnostic, &self.sources, self.color);
            }
            _ if self.unsolved <= MOST_NAMED => say(&words),
            _ => {}
        });
        // The gravest counts: an error, then a limit.
        if result.exit() == Exit::Error || self.exit == Some(Exit::NoSolution) {
            self.exit = Some(result.exit());
        }
    }

    /// Ends all outputs, and says what was written.
    fn finish(mut self) -> Result<Exit, Stop> {
        self.bar.finish_and_clear();
        if let Some(Lines::File(file, path)) = &mut self.lines {
            file.flush().map_err(|why| not_written(path, &why))?;
        }
        if let Some((file, path)) = &mut self.page {
            if self.unsolved > MOST_NAMED {
                let words = format!("and {} more without a solution", self.unsolved - MOST_NAMED);
                let section = html::section("", &[Piece::Text(words)]);
                file.write_all(section.as_bytes())
                    .map_err(|why| not_written(path, &why))?;
            }
            let written = file
                .write_all(html::END.as_bytes())
                .and_then(|()| file.flush());
            written.map_err(|why| not_written(path, &why))?;
            say(&format!("wrote {}", path.display()));
        }
        if self.unsolved > MOST_NAMED {
            say(&format!(
                "and {} more without a solution",
                self.unsolved - MOST_NAMED
            ));
        }
        let mut words = format!("{} of {} solved", self.solved, counted(self.done, "map"));
        if self.repeated > 0 {
            words.push_str(&format!(
                ", {} printed before",
                counted(self.repeated, "map")
            ));
        }
        if self.files > 0 {
            words.push_str(&format!(
                ", {} in {}",
                counted(self.files, "picture"),
                self.options.out.display()
            ));
        }
        say(&words);
        match self.options.stats {
            Some(StatsForm::Text) => say(&self.summary.text()),
            Some(StatsForm::Json) => say(&self.summary.json()),
            None => {}
        }
        if interrupt::pressed() {
            complain("interrupted");
            return Ok(Exit::Interrupted);
        }
        Ok(match self.exit {
            // An error in the program takes precedence over other results.
            Some(Exit::Error) => Exit::Error,
            _ if self.solved > 0 => Exit::Success,
            other => other.unwrap_or(Exit::NoSolution),
        })
    }
}
