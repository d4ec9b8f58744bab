//! The time that `--timeout` leaves a command for what it does apart from running the program.

use std::time::{Duration, Instant};

use ndscript::counted::counted;

/// Begins when it is made.
pub struct Clock {
    started: Instant,
    timeout: Option<Duration>,
}

impl Clock {
    pub fn new(timeout: Option<Duration>) -> Clock {
        Clock {
            started: Instant::now(),
            timeout,
        }
    }

    pub fn is_over(&self) -> bool {
        self.has_passed(100)
    }

    /// Whether such a share of the time is over, in hundredths.
    pub fn has_passed(&self, share: u32) -> bool {
        self.timeout
            .is_some_and(|most| self.started.elapsed() >= most * share / 100)
    }

    /// The time, in words.
    pub fn in_words(&self) -> String {
        counted(self.timeout.unwrap_or_default().as_secs_f64(), "second")
    }
}
