//! The limits of a run, in one table.

use crate::counted::counted;
use std::time::Duration;

/// The limits of a run. The defaults are finite, and equal in debug and release builds and on every platform.
///
/// | limit | what it bounds | default | on the command line |
/// | --- | --- | --- | --- |
/// | `steps` | calls, loop turns, choices, failures, undone changes, and the work of built-ins | 10^12 | `--max-steps` |
/// | `memory` | bytes of everything that the run holds | 1 GiB | `--max-memory` |
/// | `depth` | calls that are open at the same time | 10,000,000 | |
/// | `output` | bytes of the text of a branch, and of the text of any one value | 256 MiB | |
/// | `pictures` | pictures of a branch | 10,000 | |
/// | `picture_cells` | cells of one picture | 64,000,000 | |
/// | `source` | bytes of source text, imports included | 64 MiB | |
/// | `time` | time spent in `Run::resume`, if the host hands in a clock | 1 hour | `--timeout` |
///
/// The machine checks its limits every 32,768 steps, and before and after every built-in that asks for memory. A limit
/// that is reached stops the run: nothing in a script catches it. A host that raises it (`Run::set_limits`) lets the
/// run continue.
///
/// ```
/// use ndscript::Limits;
/// let limits = Limits { steps: 1_000_000, ..Limits::default() };
/// assert_eq!(limits.memory, 1 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps: calls, loop turns, choices, failures, undone changes, and the work of built-ins. Default: 10^12.
    pub steps: u64,
    /// Bytes of everything that the run holds: values, the tables that find equal ones, what was remembered for going
    /// back, frames, text and pictures, as the allocator gives them. A step that begins below may end above, by a fifth
    /// at most and seldom by more than a tenth. Default: 1 GiB.
    pub memory: usize,
    /// Calls that are open at one time. Default: ten million.
    pub depth: usize,
    /// Bytes of text that a branch may have printed, and of the text of any one value. Default: 256 MiB.
    pub output: usize,
    /// Pictures that a branch may have printed. Default: 10,000.
    pub pictures: usize,
    /// Cells of one picture. Default: 64 million.
    pub picture_cells: usize,
    /// Bytes of source text of a program, imports included. Default: 64 MiB.
    pub source: usize,
    /// Time spent in `Run::resume`, by the clock of `Engine::with_clock`; without one it is not checked. Default: one
    /// hour.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 1_000_000_000_000,
            memory: 1 << 30,
            depth: 10_000_000,
            output: 256 << 20,
            pictures: 10_000,
            picture_cells: 64_000_000,
            source: 64 << 20,
            time: Duration::from_secs(3600),
        }
    }
}

/// The limit that a run reached, with its value.
///
/// ```
/// use ndscript::{Engine, Limits, RunError};
/// let limits = Limits { steps: 1000, ..Limits::default() };
/// let program = Engine::new().with_limits(limits).compile("while (true) {}")?;
/// let error = program.run(1).next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "the run reached its limit of 1000 steps: raise `Limits::steps`");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitReached {
    /// [`Limits::steps`].
    Steps(u64),
    /// [`Limits::memory`].
    Memory(usize),
    /// [`Limits::depth`].
    Depth(usize),
    /// [`Limits::output`].
    Output(usize),
    /// [`Limits::pictures`].
    Pictures(usize),
    /// [`Limits::picture_cells`].
    PictureSize(usize),
    /// [`Limits::time`].
    Time(Duration),
    /// The run was cancelled through its token.
    Cancelled,
}

impl LimitReached {
    /// Which limit it is: the name of its variant.
    pub fn name(self) -> &'static str {
        match self {
            LimitReached::Steps(_) => "Steps",
            LimitReached::Memory(_) => "Memory",
            LimitReached::Depth(_) => "Depth",
            LimitReached::Output(_) => "Output",
            LimitReached::Pictures(_) => "Pictures",
            LimitReached::PictureSize(_) => "PictureSize",
            LimitReached::Time(_) => "Time",
            LimitReached::Cancelled => "Cancelled",
        }
    }
}

impl std::fmt::Display for LimitReached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LimitReached::Steps(steps) => {
                write!(
                    f,
                    "the run reached its limit of {}: raise `Limits::steps`",
                    counted(*steps, "step")
                )
            }
            LimitReached::Memory(bytes) => write!(
                f,
                "the run reached its limit of {} of memory: raise `Limits::memory`",
                counted(*bytes, "byte")
            ),
            LimitReached::Depth(calls) => {
                write!(
                    f,
                    "the run reached its limit of {}: raise `Limits::depth`",
                    counted(*calls, "nested call")
                )
            }
            LimitReached::Output(bytes) => {
                write!(
                    f,
                    "the run reached its limit of {} of text: raise `Limits::output`",
                    counted(*bytes, "byte")
                )
            }
            LimitReached::Pictures(count) => {
                write!(
                    f,
                    "the run reached its limit of {}: raise `Limits::pictures`",
                    counted(*count, "picture")
                )
            }
            LimitReached::PictureSize(cells) => {
                write!(
                    f,
                    "a picture has more than {}, which is the limit: raise `Limits::picture_cells`",
                    counted(*cells, "cell")
                )
            }
            LimitReached::Time(time) => {
                let seconds = counted(time.as_secs_f64(), "second");
                write!(
                    f,
                    "the run reached its limit of {seconds}: raise `Limits::time`"
                )
            }
            LimitReached::Cancelled => f.write_str("the run was cancelled"),
        }
    }
}
