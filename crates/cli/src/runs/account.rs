//! The cost of a tool outside of its run: time and memory, within the limits of the run.

use ndscript::LimitReached;

use super::clock::Clock;
use crate::arguments::limits;
use crate::exit::Stop;

/// The time and memory of a tool.
pub struct Account {
    clock: Clock,
    memory: usize,
    used: usize,
}

impl Account {
    pub fn new(clock: Clock, memory: usize) -> Account {
        Account {
            clock,
            memory,
            used: 0,
        }
    }

    /// Pays for something that takes time.
    ///
    /// # Errors
    /// If it is over.
    pub fn check(&self) -> Result<(), Stop> {
        match self.clock.is_over() {
            true => Err(Stop::limit(format!(
                "stopped after {}, as long as --timeout allows",
                self.clock.in_words()
            ))),
            false => Ok(()),
        }
    }

    /// Charges for something that takes memory, too.
    ///
    /// # Errors
    /// If the time is over, or there is no memory left.
    pub fn take(&mut self, bytes: usize) -> Result<(), Stop> {
        self.check()?;
        self.used = self.used.saturating_add(bytes);
        match self.used > self.memory {
            true => Err(stopped(LimitReached::Memory(self.memory))),
            false => Ok(()),
        }
    }
}

/// A limit that a run has reached.
pub fn stopped(limit: LimitReached) -> Stop {
    Stop::limit(match limit {
        LimitReached::Time(time) => limits::out_of_time(time),
        limit => limits::in_words(limit),
    })
}
