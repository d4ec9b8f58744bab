//! `withRestarts` and `retry`. The former is a search that begins again after some failures, as a search may never
//! recover from a wrong early guess. The number of failures allowed grows by the sequence of Luby, Sinclair and
//! Zuckerman (1993), so that no run is much worse than with the best number.

mod in_machine;

use ndscript_base::luby::luby;

/// A `withRestarts` or a `retry` that is being run, or a `withinFailures`, which makes one attempt only.
#[derive(Clone, Copy, Debug)]
pub struct Restarts {
    /// The number of its barrier. The first choice point above that is its own.
    pub barrier: u32,
    unit: u64,
    /// The number of the attempt, from 1, and how many failures it may still have.
    attempt: u64,
    left: u64,
    /// Whether the attempt was broken off.
    is_cut: bool,
    /// How many attempts may end without a result since they have searched everything; `u64::MAX` for any number.
    times: u64,
    /// How many words the generator had given out when the attempt began.
    draws: u64,
    /// Heights of what inner searches have gathered.
    gatherings: u32,
    minimizations: u32,
}

impl Restarts {
    /// The failures allowed in the attempt.
    fn left_at_first(&self) -> u64 {
        luby(self.attempt).saturating_mul(self.unit)
    }
}

ndscript_base::saved!(struct Restarts { barrier, unit, attempt, left, is_cut, times, draws, gatherings, minimizations });
