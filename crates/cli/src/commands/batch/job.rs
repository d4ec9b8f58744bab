//! One map: a seed, and its result.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Instant;

use ndscript::{CancelToken, LimitReached, Outcome, Run, Solution, Statistics};
use ndscript_render::html::Piece;

use super::super::run::{keep_records, memory_limit};
use super::BatchInput;
use super::batch_result::{BatchResult, Ending};
use super::fingerprint::fingerprint_of;
use super::record::{self, LineLimits};
use crate::arguments::limits;
use crate::exit::{Exit, Stop};
use crate::files;
use crate::results::output::{maps, render_options};
use crate::results::tiled::{draw_all, with_seed};
use crate::terminal::interrupt;

/// Steps between two looks at the clock.
const SLICE: u64 = 1 << 18;

/// The steps that a stopped run may still take to finish with the cheapest result so far.
const STEPS_OF_GRACE: u64 = 1 << 20;
/// After each of so many parts of these steps, what another `minimize` has found by then is taken, too.
const SLICES_OF_GRACE: u64 = 64;

/// The drawings of a map.
#[derive(Default)]
struct Drawn {
    files: Vec<(PathBuf, Vec<u8>)>,
    pictures: usize,
    pieces: Vec<Piece>,
}

/// A map that is being made.
pub struct Job<'a> {
    recipe: &'a BatchInput<'a>,
    seed: u64,
    run: Run,
}

impl<'a> Job<'a> {
    pub fn new(recipe: &'a BatchInput<'a>, seed: u64, token: &CancelToken) -> Job<'a> {
        let mut run = recipe.program.run_with(seed, &recipe.params);
        run.set_cancel_token(token);
        run.keep_record(recipe.options.stats.is_some());
        run.keep_recorded_pictures(false);
        Job { recipe, seed, run }
    }

    /// Also records what the options show of a run apart from its solution.
    pub fn keeping_records(mut self) -> Job<'a> {
        keep_records(&mut self.run, self.recipe.options);
        self
    }

    pub fn into_run(self) -> Run {
        self.run
    }

    /// Runs the program with one seed, and collects what it gives.
    pub fn make(mut self) -> BatchResult {
        let started = Instant::now();
        let found = self.search(started);
        let best = match &found {
            Err(Ending::Stopped(Exit::Limit, _)) => self.best(),
            _ => None,
        };
        let Job { recipe, seed, run } = self;
        let tallies = run
            .record()
            .tallies()
            .map(|(name, amount)| (name.to_string(), amount))
            .collect();
        let finishing = JobFinisher {
            recipe,
            seed,
            figures: run.statistics(),
            tallies,
            started,
            best: best.as_ref().map(|(cost, _)| *cost),
        };
        // Its memory is needed for the results.
        drop(run);
        match found {
            Ok(solution) => finishing.with_solution(solution, Ending::Solved),
            Err(ending) => match best {
                Some((_, solution)) => finishing.with_solution(solution, ending),
                None => finishing.without_solution(ending),
            },
        }
    }

    /// The result of a stopped run with the cheapest result that a `minimize` has found so far, and its cost.
    fn best(&mut self) -> Option<(f64, Solution)> {
        let mut cost = self.run.take_best()?;
        for _ in 0..SLICES_OF_GRACE {
            match self.run.resume(STEPS_OF_GRACE / SLICES_OF_GRACE) {
                Outcome::Solved(solution) => return Some((cost, solution)),
                // Whatever is minimized after that ends with the first result that it finds.
                Outcome::OutOfFuel => cost = self.run.take_best().unwrap_or(cost),
                _ => return None,
            }
        }
        None
    }

    /// Searches for one solution within the limits.
    pub fn search(&mut self, started: Instant) -> Result<Solution, Ending> {
        let limits = &self.recipe.options.limits;
        loop {
            let left = limits.max_steps.map_or(SLICE, |most| {
                most.saturating_sub(self.run.statistics().steps)
            });
            match self.run.resume(left.min(SLICE)) {
                Outcome::Solved(solution) => return Ok(solution),
                Outcome::OutOfFuel => {}
                Outcome::Failed => {
                    return Err(Ending::NoSolution(
                        self.run.failure_message().map(str::to_string),
                    ));
                }
                Outcome::Error(error) => return Err(Ending::Error(error)),
                Outcome::Waiting(_) => {
                    return Err(Ending::Stopped(Exit::Error, limits::WAITS.to_string()));
                }
                Outcome::Asked(question) => {
                    let prompt = question.prompt;
                    let words = format!(
                        "the program asks {prompt:?}, but nobody can answer while many maps are made"
                    );
                    return Err(Ending::Stopped(Exit::Error, words));
                }
                Outcome::Limit(LimitReached::Cancelled) => return Err(Ending::Cancelled),
                Outcome::Limit(limit) => {
                    return Err(Ending::Stopped(Exit::Limit, limits::in_words(limit)));
                }
            }
            if let Some(most) = limits
                .max_steps
                .filter(|most| self.run.statistics().steps >= *most)
            {
                let steps = self.run.statistics().steps;
                return Err(Ending::Stopped(
                    Exit::Limit,
                    limits::out_of_steps(steps, most),
                ));
            }
            if let Some(most) = limits.timeout.filter(|most| started.elapsed() >= *most) {
                return Err(Ending::Stopped(Exit::Limit, limits::out_of_time(most)));
            }
        }
    }
}

/// Finishes a job when its search is over.
struct JobFinisher<'a> {
    recipe: &'a BatchInput<'a>,
    seed: u64,
    figures: Statistics,
    tallies: Vec<(String, f64)>,
    started: Instant,
    /// Cost of the best result found before stopping.
    best: Option<f64>,
}

impl JobFinisher<'_> {
    /// A result without any output.
    fn blank(&self, ending: Ending) -> BatchResult {
        BatchResult {
            seed: self.seed,
            ending,
            best: self.best,
            text: String::new(),
            line: Vec::new(),
            files: Vec::new(),
            pictures: 0,
            pieces: Vec::new(),
            figures: self.figures,
            tallies: self.tallies.clone(),
            time: self.started.elapsed(),
            fingerprint: [0; 32],
        }
    }

    /// The result of a run that has no solution.
    fn without_solution(&self, ending: Ending) -> BatchResult {
        let mut result = self.blank(ending);
        if self.recipe.options.batch.jsonl.is_some() {
            // All that is in it is short.
            result.line =
                record::line(&result, "", None, &LineLimits::of(0, &|| Ok(()))).unwrap_or_default();
        }
        result
    }

    fn with_solution(&self, solution: Solution, ending: Ending) -> BatchResult {
        self.finished(solution, ending).unwrap_or_else(|why| {
            self.without_solution(match why.exit {
                Exit::Interrupted => Ending::Cancelled,
                exit => Ending::Stopped(exit, why.message),
            })
        })
    }

    /// The result of a solution: its pictures, its fingerprint and its line of JSON.
    fn finished(&self, solution: Solution, ending: Ending) -> Result<BatchResult, Stop> {
        let options = self.recipe.options;
        let mut drawn = Drawn::default();
        self.draw_all(&solution, &mut drawn)?;
        let Solution {
            text,
            value,
            pictures,
            ..
        } = solution;
        let mut result = self.blank(ending);
        result.files = drawn.files;
        result.pictures = drawn.pictures as u64;
        result.pieces = drawn.pieces;
        if options.distinct {
            result.fingerprint = fingerprint_of(&text, &pictures, &value);
        }
        if options.batch.jsonl.is_some() {
            let go_on = || self.check();
            let allowance = LineLimits::of(memory_limit(options.limits.memory.max_memory), &go_on);
            result.line = record::line(&result, &text, Some(&value), &allowance)?;
        } else {
            result.text = text;
        }
        Ok(result)
    }

    /// Whether there is time left after the search.
    fn check(&self) -> Result<(), Stop> {
        if interrupt::pressed() {
            return Err(Stop::silent(Exit::Interrupted));
        }
        match self
            .recipe
            .options
            .limits
            .timeout
            .filter(|most| self.best.is_none() && self.started.elapsed() >= *most)
        {
            Some(most) => Err(Stop::limit(limits::out_of_time(most))),
            None => Ok(()),
        }
    }

    /// Draws the pictures and the maps of a solution.
    fn draw_all(&self, solution: &Solution, drawn: &mut Drawn) -> Result<(), Stop> {
        let BatchInput { options, tiles, .. } = self.recipe;
        let render = render_options(options);
        let mut maps = maps(options);
        maps.iter_mut()
            .for_each(|map| map.path = with_seed(&map.path, self.seed));
        let mut done = 0;
        for (offset, picture) in &solution.pictures {
            self.check()?;
            let canvas = ndscript_render::draw(picture, tiles, &render)
                .map_err(|why| Stop::undrawn(&why))?;
            let (path, png) = (self.picture_path(drawn.pictures), canvas.to_png());
            drawn.pictures += 1;
            if options.html.is_some() {
                let next = (*offset).clamp(done, solution.text.len());
                drawn.pieces.push(Piece::Text(
                    solution
                        .text
                        .get(done..next)
                        .unwrap_or_default()
                        .to_string(),
                ));
                done = next;
                let (width, height) = (canvas.width(), canvas.height());
                drawn.pieces.push(Piece::Image {
                    png: png.clone(),
                    width,
                    height,
                    name: picture.in_words(),
                });
            }
            drawn.files.push((path.clone(), png));
            if options.svg {
                let drawing = ndscript_render::draw_svg(picture, tiles, &render)
                    .map_err(|why| Stop::undrawn(&why))?;
                drawn
                    .files
                    .push((path.with_extension("svg"), drawing.into_bytes()));
            }
            let written = draw_all(&mut maps, picture, tiles, &render)?;
            drawn
                .files
                .extend(written.into_iter().flat_map(|written| written.files));
        }
        if options.html.is_some() {
            drawn.pieces.push(Piece::Text(
                solution.text.get(done..).unwrap_or_default().to_string(),
            ));
        }
        Ok(())
    }

    /// `map-7.png`, `map-7-2.png`, ... for the seed 7.
    fn picture_path(&self, before: usize) -> PathBuf {
        let options = self.recipe.options;
        let is_named = !files::is_standard_input(&options.program.file);
        let stem = options
            .program
            .file
            .file_stem()
            .filter(|_| is_named)
            .unwrap_or(OsStr::new("stdin"));
        let mut name = stem.to_os_string();
        name.push(format!("-{}", self.seed));
        if before > 0 {
            name.push(format!("-{}", before + 1));
        }
        name.push(".png");
        if options.out == std::path::Path::new(".") {
            name.into()
        } else {
            options.out.join(name)
        }
    }
}
