//! A search in its own thread, so that keys and file changes are handled meanwhile.

use std::time::{Duration, Instant};

use ndscript::{LimitReached, Outcome, PlacedPicture, Run, ScriptError, Solution};

use crate::arguments::limits;
use crate::arguments::options::LimitOptions;

/// The result of a search.
pub enum Found {
    Solution(Solution),
    NoSolution(Option<String>),
    Error(Box<ScriptError>),
    /// In words.
    Stopped(String),
}

impl Found {
    /// The heading of the text of a branch without a solution.
    pub fn unfinished(&self) -> &'static str {
        match self {
            Found::Solution(_) => "",
            Found::NoSolution(_) => "printed before the last failure:",
            Found::Error(_) => "printed before the error:",
            Found::Stopped(_) => "printed before the run was stopped:",
        }
    }
}

/// A search that has ended.
pub struct Searched {
    pub run: Run,
    pub found: Found,
    /// The text of a branch without a solution.
    pub text: String,
    pub pictures: Vec<PlacedPicture>,
    pub time: Duration,
}

/// Steps between two looks at the clock.
const SLICE: u64 = 1 << 20;

/// Searches for the next solution.
pub fn search(mut run: Run, options: LimitOptions) -> Searched {
    let started = Instant::now();
    let before = run.statistics().steps;
    let found = loop {
        match run.resume(SLICE) {
            Outcome::Solved(solution) => break Found::Solution(solution),
            Outcome::OutOfFuel => {}
            Outcome::Failed => break Found::NoSolution(run.failure_message().map(str::to_string)),
            Outcome::Error(error) => break Found::Error(error),
            Outcome::Waiting(_) => break Found::Stopped(limits::WAITS.to_string()),
            Outcome::Asked(question) => {
                break Found::Stopped(format!(
                    "the program asks {:?}: `ndscript play` answers it",
                    question.prompt
                ));
            }
            Outcome::Limit(LimitReached::Cancelled) => {
                break Found::Stopped("interrupted".to_string());
            }
            Outcome::Limit(limit) => break Found::Stopped(limits::in_words(limit)),
        }
        if options
            .max_steps
            .is_some_and(|most| run.statistics().steps - before >= most)
        {
            break Found::Stopped("stopped after as many steps as --max-steps allows".to_string());
        }
        if options
            .timeout
            .is_some_and(|most| started.elapsed() >= most)
        {
            break Found::Stopped("stopped after as much time as --timeout allows".to_string());
        }
    };
    let time = started.elapsed();
    let (text, pictures) = match &found {
        Found::Solution(_) => Default::default(),
        _ => (run.pending_text().to_string(), run.pending_pictures()),
    };
    Searched {
        run,
        found,
        text,
        pictures,
        time,
    }
}
