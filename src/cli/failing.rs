//! What a run failed at most that has come to nothing: found by running it once more, so that runs which come to something do
//! not pay for it.

use std::time::{Duration, Instant};

use ndscript::counted::counted;
use ndscript::{Limits, Outcome, Run, Statistics};

use super::{interrupt, stats};

/// Of fewer failures a person needs no count, where the program has told why.
const FEWEST: u64 = 10;

/// The run goes once more for so long at most, with such a share of its limit of memory.
const MOST: Duration = Duration::from_millis(250);
const SHARE: usize = 8;
const SLICE: u64 = 1 << 17;

/// The lines that failed most, in words; `run` makes the run at the beginning of what has taken these figures, and has come
/// to its end by itself or was stopped. Nothing if there were few failures and why was told already.
pub fn in_words(run: impl FnOnce() -> Run, figures: Statistics, was_stopped: bool, is_told: bool) -> Option<String> {
    let Statistics { steps, failures, .. } = figures;
    let fewest = if is_told { FEWEST } else { 1 };
    if failures < fewest {
        return None;
    }
    let mut run = run();
    run.go_once_more();
    // The run itself is still there.
    run.set_limits(Limits { memory: run.limits().memory / SHARE, ..*run.limits() });
    run.keep_record(true);
    run.keep_recorded_pictures(false);
    let begun = Instant::now();
    let mut has_all = true;
    // A run stops as soon as it has taken more than it may: this one is to stop at the very step at which the other did.
    let most = if was_stopped { steps - 1 } else { u64::MAX };
    while run.statistics().steps < steps || !was_stopped {
        if begun.elapsed() >= MOST || interrupt::pressed() {
            has_all = false;
            break;
        }
        let left = most.saturating_sub(run.statistics().steps);
        // The last slice leaves nothing that another one would have to take.
        match run.resume(if left < 2 * SLICE { left } else { SLICE }) {
            Outcome::Solved(_) | Outcome::OutOfFuel => {}
            Outcome::Failed | Outcome::Error(_) => break,
            // What a person has answered is not known here, nor is there as much memory.
            Outcome::Asked(_) | Outcome::Limit(_) => {
                has_all = run.statistics().steps >= steps;
                break;
            }
        }
    }
    let sources = run.program().sources().clone();
    let lines = stats::failing(run.record(), &sources);
    if lines.is_empty() {
        return None;
    }
    let of =
        if has_all { String::new() } else { format!(" (in its first {})", counted(run.statistics().steps, "step")) };
    let in_words = |file: &str, line: usize, text: &str| {
        let is_own = sources.files().first().is_some_and(|own| *own.name == *file);
        let file = if is_own { String::new() } else { format!("{file}, ") };
        format!("{file}line {line}: {}", stats::shortened(text, stats::LINE))
    };
    if let ([(file, line, _, text)], 1) = (&lines[..], failures) {
        return Some(format!("it failed on {}", in_words(file, *line, text)));
    }
    let times = counted(failures, "time");
    let mut out = format!("it failed {times}, most often here{of}; `ndscript explain` tells more:");
    for (file, line, count, text) in lines {
        out += &format!("\n{:>15}  {}", counted(count, "time"), in_words(file, line, text));
    }
    Some(out)
}
