//! Limits in the words of the command line.

use std::time::Duration;

use ndscript::LimitReached;
use ndscript::counted::counted;

/// A run has taken all the steps of `--max-steps`. Its last instruction may have taken several, so there may be a few more.
pub fn out_of_steps(steps: u64, most: u64) -> String {
    match steps {
        _ if steps == most => format!(
            "stopped after {}, as many as --max-steps allows",
            counted(steps, "step")
        ),
        _ => format!(
            "stopped after {}: --max-steps allows {most}",
            counted(steps, "step")
        ),
    }
}

/// A function of the host has no result yet. The command line has no such functions.
pub const WAITS: &str = "a function of the host waits, and nobody brings its result";

/// A run has taken all the time of `--timeout`.
pub fn out_of_time(most: Duration) -> String {
    format!(
        "stopped after {}, as long as --timeout allows",
        counted(most.as_secs_f64(), "second")
    )
}

/// Which limit a run has reached, and what to do about it.
pub fn in_words(limit: LimitReached) -> String {
    match limit {
        LimitReached::Steps(steps) => format!(
            "stopped after {}\n`--max-steps N` allows more",
            counted(steps, "step")
        ),
        LimitReached::Memory(bytes) => {
            format!(
                "stopped: the run has used its {} of memory\n`--max-memory SIZE` allows more",
                size(bytes)
            )
        }
        LimitReached::Depth(calls) => {
            format!(
                "stopped: {calls} nested calls are too many\ndoes a function call itself without end?"
            )
        }
        LimitReached::Output(bytes) => {
            format!(
                "stopped: a text has more than {}\ndoes a loop add to it without end?",
                size(bytes)
            )
        }
        LimitReached::Pictures(count) => {
            format!(
                "stopped: a solution has more than {}\ndoes a loop print them without end?",
                counted(count, "picture")
            )
        }
        LimitReached::PictureSize(cells) => {
            format!(
                "stopped: a picture has more than {}\nshow a smaller grid, or parts of it",
                counted(cells, "cell")
            )
        }
        LimitReached::Time(time) => {
            format!(
                "stopped after {}\n`--timeout SECONDS` allows more",
                counted(time.as_secs_f64(), "second")
            )
        }
        LimitReached::Cancelled => "interrupted".to_string(),
    }
}

fn size(bytes: usize) -> String {
    if bytes.is_multiple_of(1 << 20) {
        format!("{} MB", bytes >> 20)
    } else {
        crate::runs::stats::size_in_words(bytes)
    }
}
