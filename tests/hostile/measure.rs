//! What a program does to its limits: the longest stretch between two looks at them, the most memory, how soon a
//! cancellation is seen, and how long its messages are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ndscript::tiles::{TileSource, Tiles};
use ndscript::{CancelToken, Engine, LimitReached, Outcome, Run, ScriptError};
use serde::{Deserialize, Serialize};

use super::allocator;
use super::clock::ThreadClock;
use super::program::Program;

/// Steps that the machine takes between two looks, and the most that it may take beyond: a piece of work of 65,536
/// visits, and as much again for what is about it.
pub const SLICE: u64 = 1 << 15;
pub const BEYOND_SLICE: u64 = 1 << 17;
/// The bytes of a message with its hints, label and calls.
pub const MESSAGE: usize = 8 << 10;

/// What may be used beyond the limit of memory.
pub fn beyond(limit: usize) -> usize {
    (limit / 4).max(16 << 20)
}

/// So many times the limits are looked at after every step, and then after every so many.
const CLOSE_LOOKS: u64 = 50_000;
const DISTANCE: u64 = 4_096;
/// At every so manieth look the run is cancelled.
const CANCELLED: u64 = 509;
const SOLUTIONS: usize = 3;

/// What one program did.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    pub end: String,
    pub steps: u64,
    pub looks: u64,
    /// The most steps between two looks, those that were granted apart.
    pub stretch: u64,
    /// The most steps that a cancelled run went on for.
    pub latency: u64,
    pub limit: usize,
    /// The most that the process took for the run, and the most that the run's account had.
    pub peak: usize,
    pub account: usize,
    /// What the run came back with when it took that most.
    pub peak_at: String,
    /// The bytes of the longest message.
    pub message: usize,
    pub time: Duration,
    /// The longest time between two looks, collections of garbage apart, and the longest collection.
    pub pause: Duration,
    pub pause_at: String,
    pub collection: Duration,
    /// The words of a panic.
    pub panic: Option<String>,
}

/// What scripts may not bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Promise {
    Stretch,
    Latency,
    Memory,
    Message,
    Panic,
}

impl Measured {
    /// The promises that are broken.
    pub fn broken(&self) -> Vec<Promise> {
        let broken = [
            (Promise::Stretch, self.stretch > BEYOND_SLICE),
            (Promise::Latency, self.latency > SLICE + BEYOND_SLICE),
            (Promise::Memory, self.peak > self.limit + beyond(self.limit)),
            (Promise::Message, self.message > MESSAGE),
            (Promise::Panic, self.panic.is_some()),
        ];
        broken
            .into_iter()
            .filter(|row| row.1)
            .map(|row| row.0)
            .collect()
    }

    pub fn nanoseconds_a_step(&self) -> f64 {
        self.time.as_nanos() as f64 / self.steps.max(1) as f64
    }
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Measured {
            end,
            steps,
            stretch,
            latency,
            pause,
            pause_at,
            collection,
            message,
            peak_at,
            ..
        } = self;
        write!(
            f,
            "{end}; {steps} steps, {:.1} ns each; stretch {stretch} steps, latency {latency}, pause {:.1} ms at {pause_at} \
             (collection {:.1} ms); {:.1} MB of {:.1} at {peak_at} (account {:.1}); message {message}",
            self.nanoseconds_a_step(),
            pause.as_secs_f64() * 1e3,
            collection.as_secs_f64() * 1e3,
            self.peak as f64 / 1e6,
            self.limit as f64 / 1e6,
            self.account as f64 / 1e6,
        )?;
        self.panic
            .as_ref()
            .map_or(Ok(()), |panic| write!(f, "; panic: {panic}"))
    }
}

/// One image file, in memory.
struct Noise;

impl TileSource for Noise {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        Ok((path == "noise.png").then(|| noise().clone()))
    }

    fn places(&self) -> String {
        "the memory of the test".to_string()
    }
}

fn noise() -> &'static Vec<u8> {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let text = "let g = makeGrid(16, 16, 0); foreach (p in g) g[p] = randomInt(0, 9); printHeatmap(g);";
        let solution = Engine::new().compile(text).unwrap().run(1).next().unwrap().unwrap();
        let options = ndscript::render::RenderOptions::default();
        ndscript::render::draw(&solution.pictures[0].1, &Tiles::default(), &options).unwrap().to_png()
    })
}

/// Runs a program on a small stack and measures it.
pub fn measure(program: &Program) -> Measured {
    noise();
    std::thread::scope(|scope| {
        let run =
            || catch_unwind(AssertUnwindSafe(|| measured(program))).map_err(|panic| words(&*panic));
        let thread = std::thread::Builder::new()
            .stack_size(1 << 20)
            .spawn_scoped(scope, run)
            .unwrap();
        let result = thread.join().unwrap_or_else(|panic| Err(words(&*panic)));
        result.unwrap_or_else(|words| Measured {
            end: "panic".into(),
            panic: Some(words),
            ..Measured::default()
        })
    })
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied())
        .unwrap_or("no words")
        .to_string()
}

fn measured(hostile: &Program) -> Measured {
    let limits = hostile.limits();
    let token = CancelToken::new();
    let is_armed = Arc::new(AtomicBool::new(false));
    let clock = clock(is_armed.clone(), token.clone());
    let tiles = Tiles::new(Noise);
    let engine = Engine::new()
        .with_limits(limits)
        .with_tiles(tiles)
        .with_clock(clock)
        .with_debug(|_| {});
    let program = match engine.compile(&hostile.text()) {
        Ok(program) => program,
        Err(error) => panic!("{error}"),
    };
    let before = allocator::live();
    let mut driver = Driver {
        run: program.run(1),
        program: &program,
        measured: Measured {
            limit: limits.memory,
            ..Measured::default()
        },
        peak: before,
        clock: ThreadClock::new(),
        token,
        is_armed,
    };
    driver.run.set_cancel_token(&driver.token.clone());
    driver.run.keep_globals(hostile.keeps_globals);
    allocator::forget_peak();
    driver.drive();
    let mut measured = driver.measured;
    measured.peak = (allocator::peak() - before).max(0) as usize;
    measured.account = driver.run.statistics().memory;
    measured.steps = driver.run.statistics().steps;
    measured
}

struct Driver<'a> {
    run: Run,
    program: &'a ndscript::Program,
    measured: Measured,
    /// The most that was taken up to now.
    peak: isize,
    clock: ThreadClock,
    token: CancelToken,
    is_armed: Arc<AtomicBool>,
}

/// The clock of the host. The run asks for the time when it begins to go on, behind its first look at the cancellation; so
/// a clock that is armed cancels it there, as another thread might.
fn clock(
    is_armed: Arc<AtomicBool>,
    token: CancelToken,
) -> impl Fn() -> Duration + Send + Sync + 'static {
    let started = Instant::now();
    move || {
        if is_armed.swap(false, Ordering::Relaxed) {
            token.cancel();
        }
        started.elapsed()
    }
}

impl Driver<'_> {
    /// Goes on to the end. Each time that the run comes back, it has looked at its limits.
    fn drive(&mut self) {
        let mut solutions = 0;
        loop {
            let cancels = self.measured.looks % CANCELLED == CANCELLED - 1;
            self.is_armed.store(cancels, Ordering::Relaxed);
            let fuel = match self.measured.looks {
                _ if cancels => u64::MAX,
                0..CLOSE_LOOKS => 1,
                _ => DISTANCE,
            };
            let outcome = self.stretch(fuel);
            self.token.clear();
            let end = match outcome {
                Outcome::OutOfFuel | Outcome::Limit(LimitReached::Cancelled) => continue,
                Outcome::Solved(_) => {
                    solutions += 1;
                    if solutions < SOLUTIONS {
                        continue;
                    }
                    "solved".to_string()
                }
                Outcome::Asked(question) => {
                    let answered = if question.options.is_some() {
                        self.run.answer(0)
                    } else {
                        self.run.answer_text("")
                    };
                    if answered {
                        continue;
                    }
                    "unanswered".to_string()
                }
                Outcome::Failed | Outcome::Waiting(_) => "failed".to_string(),
                Outcome::Error(error) => {
                    self.measured.message = message(&error);
                    let rendered = error.diagnostic.render(self.program.sources(), false);
                    assert!(!rendered.is_empty());
                    let line: String = error.diagnostic.message.chars().take(120).collect();
                    format!("error: {line}")
                }
                Outcome::Limit(limit) => {
                    self.measured.message = limit.to_string().len();
                    format!("limit: {}", limit.name())
                }
            };
            self.measured.end = end;
            break;
        }
        let globals = self
            .run
            .show_globals(100)
            .iter()
            .map(|global| global.1.len())
            .max();
        let shown = globals.unwrap_or(0).max(self.run.show_value(100).len());
        self.measured.message = self.measured.message.max(shown);
    }

    /// Goes on to the next look.
    fn stretch(&mut self, fuel: u64) -> Outcome {
        let before = self.run.statistics();
        let start = self.clock.start();
        let outcome = self.run.resume(fuel);
        let time = self.clock.since(start);
        let after = self.run.statistics();
        let steps = after.steps - before.steps;
        let measured = &mut self.measured;
        measured.looks += 1;
        measured.collection = self.run.longest_pause();
        // How long a collection took is known of the longest only.
        let collections = (after.collections - before.collections) as u32;
        let pause = time.saturating_sub(measured.collection * collections);
        measured.time += time;
        if pause > measured.pause {
            measured.pause = pause;
            measured.pause_at = name(&outcome).to_string();
        }
        if allocator::peak() > self.peak {
            self.peak = allocator::peak();
            measured.peak_at = name(&outcome).to_string();
        }
        // SECURITY.md names the operations that are not cut into pieces; a solution of `minimize` is three of them.
        let steps = steps.saturating_sub(3 * self.run.longest_operation());
        if fuel == u64::MAX {
            measured.latency = measured.latency.max(steps);
        } else {
            // What was granted are steps before the last look.
            measured.stretch = measured.stretch.max(steps.saturating_sub(fuel - 1));
        }
        outcome
    }
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::OutOfFuel => "a look",
        Outcome::Solved(_) => "a solution",
        Outcome::Asked(_) => "a question",
        Outcome::Waiting(_) => "a wait",
        Outcome::Failed => "the end",
        Outcome::Error(_) => "an error",
        Outcome::Limit(_) => "a limit",
    }
}

/// The bytes of everything that an error says.
fn message(error: &ScriptError) -> usize {
    let diagnostic = &error.diagnostic;
    let hints = diagnostic.hints.iter().map(String::len);
    let related = diagnostic.related.iter().map(|related| related.1.len());
    let calls = diagnostic.calls.iter().map(|call| call.text.len());
    diagnostic.message.len()
        + diagnostic.label.len()
        + hints.chain(related).chain(calls).sum::<usize>()
}
