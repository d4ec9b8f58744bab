//! Limits in the words of the command line.

use ndscript::LimitReached;
use ndscript::counted::counted;

/// Which limit a run has come to, and what to do about it.
pub fn in_words(limit: LimitReached) -> String {
    match limit {
        LimitReached::Steps(steps) => format!("stopped after {}\n`--max-steps N` allows more", counted(steps, "step")),
        LimitReached::Memory(bytes) => {
            format!("stopped: the run has used its {} of memory\n`--max-memory SIZE` allows more", size(bytes))
        }
        LimitReached::Depth(calls) => {
            format!("stopped: {calls} nested calls are too many\ndoes a function call itself without end?")
        }
        LimitReached::Output(bytes) => {
            format!("stopped: a text has more than {}\ndoes a loop add to it without end?", size(bytes))
        }
        LimitReached::Pictures(count) => {
            format!(
                "stopped: a solution has more than {}\ndoes a loop print them without end?",
                counted(count, "picture")
            )
        }
        LimitReached::PictureSize(cells) => {
            format!("stopped: a picture has more than {}\nshow a smaller grid, or parts of it", counted(cells, "cell"))
        }
        LimitReached::Time(time) => {
            format!("stopped after {}\n`--timeout SECONDS` allows more", counted(time.as_secs_f64(), "second"))
        }
        LimitReached::Cancelled => "interrupted".to_string(),
    }
}

fn size(bytes: usize) -> String {
    if bytes.is_multiple_of(1 << 20) { format!("{} MB", bytes >> 20) } else { super::stats::size_in_words(bytes) }
}
