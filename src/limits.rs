//! What a run may use, in one table.

/// The limits of a run. The defaults are the same in debug and release builds.
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
    /// Bytes of everything that the run holds: values, trail, choice points, frames, output. Default: 1 GiB.
    pub memory: usize,
    /// Calls that are open at the same time. Default: ten million.
    pub depth: usize,
    /// Bytes of text that a branch may have printed since the last solution. Default: 256 MiB.
    pub output: usize,
    /// Cells of one picture. Default: 64 million.
    pub picture_cells: usize,
    /// Bytes of source text of a program, imports included. Default: 64 MiB.
    pub source: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 1_000_000_000_000,
            memory: 1 << 30,
            depth: 10_000_000,
            output: 256 << 20,
            picture_cells: 64_000_000,
            source: 64 << 20,
        }
    }
}

/// The limit that a run reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitReached {
    /// [`Limits::steps`].
    Steps,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::depth`].
    Depth,
    /// [`Limits::output`].
    Output,
    /// [`Limits::picture_cells`].
    PictureSize,
    /// The run was cancelled through its token.
    Cancelled,
}

impl std::fmt::Display for LimitReached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LimitReached::Steps => "the run reached its limit of steps",
            LimitReached::Memory => "the run reached its limit of memory",
            LimitReached::Depth => "the run reached its limit of nested calls",
            LimitReached::Output => "the run reached its limit of printed text",
            LimitReached::PictureSize => "a picture is larger than the limit",
            LimitReached::Cancelled => "the run was cancelled",
        })
    }
}
