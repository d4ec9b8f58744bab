//! What a run failed at most that has come to nothing: found by running it once more, so that runs which come to something do
//! not pay for it.

use std::time::{Duration, Instant};

use ndscript::counted::counted;
use ndscript::{Limits, Outcome, Run};

use super::{interrupt, stats};

/// Of fewer failures a person needs no count.
const FEWEST: u64 = 10;

/// The run goes once more for so long at most, with such a share of its limit of memory.
const MOST: Duration = Duration::from_millis(250);
const SHARE: usize = 8;
const SLICE: u64 = 1 << 17;

/// The lines that failed most, in words; `run` makes the run at the beginning of what has taken so many steps, with so many
/// failures. Nothing if there were few.
pub fn in_words(run: impl FnOnce() -> Run, steps: u64, failures: u64) -> Option<String> {
    if failures < FEWEST {
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
    while run.statistics().steps < steps {
        if begun.elapsed() >= MOST || interrupt::pressed() {
            has_all = false;
            break;
        }
        match run.resume(SLICE.min(steps - run.statistics().steps)) {
            Outcome::Solved(_) | Outcome::OutOfFuel => {}
            Outcome::Failed | Outcome::Error(_) => break,
            // What a person has answered is not known here, nor is there as much memory.
            Outcome::Asked(_) | Outcome::Limit(_) => {
                has_all = false;
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
    // The last failure has nowhere to go back to, and is one of a line all the same.
    let all = run.record().failing().map(|(_, count)| count).sum::<u64>().max(failures);
    let mut out = format!("it failed {}, most often here{of}; `ndscript explain` tells more:", counted(all, "time"));
    for (file, line, count, text) in lines {
        let text = stats::shortened(text, stats::LINE);
        let is_own = sources.files().first().is_some_and(|own| *own.name == *file);
        let file = if is_own { String::new() } else { format!("{file}, ") };
        out += &format!("\n{:>15}  {file}line {line}: {text}", counted(count, "time"));
    }
    Some(out)
}
