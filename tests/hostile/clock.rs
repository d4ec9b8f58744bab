//! How long something took, without the time in which the processor was busy with other programs, where the system tells.

use std::time::{Duration, Instant};

/// Below this, what the system tells is too coarse, and other programs have hardly been in between.
const FINE: Duration = Duration::from_millis(2);

pub struct ThreadClock {
    /// What the processor had spent on the thread at some moment.
    spent: Option<Duration>,
    at: Instant,
}

impl ThreadClock {
    pub fn new() -> ThreadClock {
        ThreadClock {
            spent: spent(),
            at: Instant::now(),
        }
    }

    /// A beginning.
    pub fn start(&mut self) -> Instant {
        let now = Instant::now();
        if now - self.at > FINE {
            *self = ThreadClock::new();
        }
        now
    }

    /// The time since a beginning, the latest one; up to some milliseconds too much where other programs were in between.
    pub fn since(&mut self, start: Instant) -> Duration {
        let time = start.elapsed();
        if time < FINE {
            return time;
        }
        let before = self.spent;
        *self = ThreadClock::new();
        match (before, self.spent) {
            (Some(before), Some(now)) => time.min(now.saturating_sub(before)),
            _ => time,
        }
    }
}

/// What the processor has spent on the thread; Linux says.
fn spent() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
