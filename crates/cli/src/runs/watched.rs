//! A watched run: the common part of `trace`, `tree` and other commands.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use ndscript::reference;
use ndscript::source::{Sources, Span};
use ndscript::spelling::nearest;
use ndscript::tiles::Tiles;
use ndscript::{
    Engine, Event, LimitReached, Limits, Measurement, Moment, Observer, Outcome, Program, Run,
    Wanted, When,
};
use ndscript_render::RenderOptions;
use ndscript_timeline::Place;

use crate::arguments::options::{LimitOptions, SolutionCount};
use crate::arguments::search_options::WatchOptions;
use crate::arguments::{limits, params};
use crate::commands::run::{fresh_seed, memory_limit};
use crate::exit::{Exit, Stop};
use crate::files::imports::{FileImports, source_limit};
use crate::files::{self, Bounds, FolderTiles};
use crate::terminal::{self, say};
use crate::terminal::{ask, interrupt};

/// Steps between two looks at the clock.
const SLICE: u64 = 1 << 18;

/// A run with its limits.
pub struct Watched {
    program: Program,
    tiles: Tiles,
    run: Run,
    limits: LimitOptions,
    wanted: SolutionCount,
    color: bool,
    seed: u64,
    unanswered: Option<Unanswered>,
}

/// A question at which a run was left because nobody answered.
#[derive(Clone, Debug)]
pub struct Unanswered {
    /// The message that it was not answered.
    pub why: String,
    /// The place of the question.
    pub at: Option<Span>,
}

/// At most this many variables are named if a name is unknown.
const MOST_NAMED: usize = 12;

impl Watched {
    /// Makes a run ready; `None` if the program has mistakes, which were shown.
    pub fn new(options: &WatchOptions) -> Result<Option<Watched>, Stop> {
        Watched::of(options, &options.program.file, options.program.seed)
    }

    /// A watched run of another program, or with another seed.
    pub fn of(
        options: &WatchOptions,
        file: &Path,
        seed: Option<u64>,
    ) -> Result<Option<Watched>, Stop> {
        let memory = options.run.limits.memory.max_memory;
        let bounds = Bounds::new(memory, options.run.limits.timeout);
        let params = params::read_all(&options.program.params, bounds)?;
        let color = terminal::colors_messages(options.run.color);
        let text = files::read_program(file, bounds)?;
        let folder = files::folder_of(file);
        let imports = FileImports::new(folder.clone(), &options.run.imports.import_path, memory)?;
        let folders = std::iter::once(folder).chain(options.run.tiles.iter().cloned());
        let tiles = Tiles::new(FolderTiles::new(folders)?.within(memory));
        let limits = Limits {
            memory: memory_limit(memory),
            source: source_limit(memory),
            ..Limits::default()
        };
        let engine = Engine::new()
            .with_limits(limits)
            .with_imports(imports)
            .with_tiles(tiles.clone());
        let started = Instant::now();
        let engine = engine
            .with_debug(terminal::say)
            .with_clock(move || started.elapsed());
        let program = match engine.compile_named(&files::shown_name(file), &text) {
            Ok(program) => program,
            Err(error) => {
                error
                    .diagnostics
                    .iter()
                    .for_each(|each| terminal::show(each, &error.sources, color));
                return Ok(None);
            }
        };
        params::warn_of_unknown(&params, &program);
        let seed = match seed {
            Some(seed) => seed,
            None => {
                let seed = fresh_seed()?;
                say(&format!("seed {seed}"));
                seed
            }
        };
        let run = program.run_with(seed, &params);
        let wanted = options.run.solutions.unwrap_or(SolutionCount::AtMost(1));
        Ok(Some(Watched {
            program,
            tiles,
            run,
            limits: options.run.limits,
            wanted,
            color,
            seed,
            unanswered: None,
        }))
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Checks that the program has a variable, by the name or the place to be watched.
    ///
    /// # Errors
    /// If it has none; with the names that there are.
    pub fn knows(&self, place: &str) -> Result<(), Stop> {
        let name = place.parse::<Place>().map_err(Stop::error)?.variable;
        variable_of(&self.program, &name).map_err(Stop::error)
    }

    /// A copy of the run, if all of it can be copied.
    pub fn fork(&mut self) -> Option<Run> {
        let mut run = self.run.fork().ok()?;
        run.set_cancel_token(&self.run.cancel_token());
        Some(run)
    }

    /// Measures from now on what steps are spent on.
    pub fn measure(&mut self) {
        self.run.measure();
    }

    /// Keeps a constraint that failed on its board, while its branch fails.
    pub fn keep_refused(&mut self) {
        self.run.keep_refused(true);
    }

    /// The measurement of the run.
    pub fn measurement(&mut self) -> Measurement {
        self.run.measurement()
    }

    /// The run alone, and the wanted number of solutions.
    pub fn into_run(self) -> (Run, SolutionCount) {
        (self.run, self.wanted)
    }

    /// The question at which the run was left, if it was.
    pub fn unanswered(&self) -> Option<&Unanswered> {
        self.unanswered.as_ref()
    }

    /// The present moment of the run.
    pub fn when(&self) -> When {
        self.run.when()
    }

    /// The steps taken so far.
    pub fn steps(&self) -> u64 {
        self.run.statistics().steps
    }

    /// The tiles that the program knows.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// The most pixels of pictures: 16 bytes a pixel, as for those of `ndscript run`.
    pub fn max_pixels(&self) -> u64 {
        let most = RenderOptions::default().max_pixels;
        self.limits
            .memory
            .max_memory
            .map_or(most, |bytes| (bytes / 16).clamp(1 << 16, most))
    }

    /// The time limit of the run, and of drawing its pictures.
    pub fn timeout(&self) -> Option<Duration> {
        self.limits.timeout
    }

    pub fn sources(&self) -> &Sources {
        self.program.sources()
    }

    /// Runs to the end, to a limit, to a question without an answer, or until the observer stops it. If it finds no
    /// solution, the reason is written to standard error.
    pub fn finish(&mut self, observer: &mut impl Watching) -> Exit {
        interrupt::watch(self.run.cancel_token());
        let begin = Instant::now();
        let mut solutions = 0;
        let stopped = |message: String| {
            terminal::complain(&message);
            Exit::Limit
        };
        loop {
            if let Some(most) = self.limits.timeout.filter(|most| begin.elapsed() >= *most) {
                return stopped(limits::out_of_time(most));
            }
            let steps = self.run.statistics().steps;
            let left = self
                .limits
                .max_steps
                .map_or(u64::MAX, |most| most.saturating_sub(steps));
            let mut timed = Timed {
                observer,
                until: self.limits.timeout.map(|most| begin + most),
            };
            match self.run.watch(left.min(SLICE), &mut timed) {
                Outcome::Solved(_) => {
                    solutions += 1;
                    if self.wanted.is_reached(solutions) {
                        return Exit::Success;
                    }
                }
                // After a solution the run continues before the limits are checked, as in an unwatched run.
                Outcome::OutOfFuel => {
                    let steps = self.run.statistics().steps;
                    if let Some(most) = self.limits.max_steps.filter(|most| steps >= *most) {
                        return stopped(limits::out_of_steps(steps, most));
                    }
                }
                Outcome::Failed if solutions > 0 => return Exit::Success,
                Outcome::Failed => {
                    terminal::no_solution(self.run.failure_message());
                    return Exit::NoSolution;
                }
                Outcome::Error(error) => {
                    terminal::show(&error.diagnostic, self.program.sources(), self.color);
                    return Exit::Error;
                }
                Outcome::Limit(LimitReached::Cancelled) => {
                    interrupt::has_ended_in_order();
                    say("interrupted");
                    return Exit::Interrupted;
                }
                Outcome::Limit(limit) => return stopped(limits::in_words(limit)),
                Outcome::Waiting(_) => return stopped(limits::WAITS.to_string()),
                Outcome::Asked(question) => {
                    if let Err(stop) = ask::answer(&mut self.run, &question) {
                        // The result so far can still be shown.
                        crate::report(&stop);
                        self.unanswered = Some(Unanswered {
                            why: stop.message,
                            at: self.run.calls(1).first().and_then(|call| call.span),
                        });
                        return stop.exit;
                    }
                }
            }
            if observer.has_enough() {
                return if solutions > 0 {
                    Exit::Success
                } else {
                    Exit::NoSolution
                };
            }
        }
    }
}

/// Checks that a program has a variable of a name.
///
/// # Errors
/// If it has none; in words, with the names that there are.
pub fn variable_of(program: &Program, name: &str) -> Result<(), String> {
    let known = program.variables();
    if known.contains(&name) {
        return Ok(());
    }
    let more = if known.len() > MOST_NAMED {
        ", ..."
    } else {
        ""
    };
    let list = || format!("{}{more}", known[..known.len().min(MOST_NAMED)].join(", "));
    if program.functions().contains(&name) || reference::find(name).is_some() {
        let ask = if known.is_empty() {
            "the program has no variables".to_string()
        } else {
            list()
        };
        let help =
            format!("what can be asked about are variables, and parts of what they hold: {ask}");
        return Err(format!(
            "`{name}` is a function: nothing writes to it\n{help}"
        ));
    }
    let help = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "it has no variables".to_string(),
        None => format!("it has: {}", list()),
    };
    Err(format!("the program has no variable `{name}`\n{help}"))
}

/// An observer that has had enough when the time is over: what it does with an event may take long.
struct Timed<'a, O> {
    observer: &'a mut O,
    until: Option<Instant>,
}

impl<O: Observer> Observer for Timed<'_, O> {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let flow = self.observer.observe(moment, event);
        if self.until.is_some_and(|until| Instant::now() >= until) {
            ControlFlow::Break(())
        } else {
            flow
        }
    }

    fn wanted(&self) -> Wanted {
        self.observer.wanted()
    }

    fn traced(&self) -> Option<(&str, usize)> {
        self.observer.traced()
    }
}

/// An observer that may have seen enough.
pub trait Watching: Observer {
    fn has_enough(&self) -> bool {
        false
    }
}
