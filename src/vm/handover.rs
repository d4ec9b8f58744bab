//! What the machine hands to its host: copies, which count while they are made.

use std::time::Duration;

use super::error::Fault;
use super::machine::{Machine, State};
use crate::limits::LimitReached;
use crate::value::Value;

impl Machine {
    /// The texts of values that go to the host together with what was printed since the last time. They are in
    /// registers, or held otherwise.
    ///
    /// # Errors
    /// A limit, if there is no room for the copies. The run has stopped then; it hands them over once there is.
    pub fn hand_over(&mut self, values: &[Value]) -> Result<Vec<String>, LimitReached> {
        let limit = match self.texts_of(values) {
            Ok(texts) => return Ok(texts),
            Err(Fault::Memory(_)) => {
                self.collect();
                match self.texts_of(values) {
                    Ok(texts) => return Ok(texts),
                    Err(Fault::Limit(limit)) => limit,
                    Err(_) => LimitReached::Memory(self.context.limits.memory),
                }
            }
            Err(Fault::Limit(limit)) => limit,
            Err(_) => LimitReached::Memory(self.context.limits.memory),
        };
        Err(self.hold_back(limit))
    }

    /// Stops the run because of a limit that was reached while it told its host something, which it tells again when
    /// the limit is lifted. Returns the limit.
    pub fn hold_back(&mut self, limit: LimitReached) -> LimitReached {
        self.undelivered = self.state == State::Solved;
        self.stop(limit);
        limit
    }

    /// The time by the host's clock, if there is one.
    pub fn now(&self) -> Duration {
        self.context.clock.as_ref().map_or(Duration::ZERO, |clock| clock())
    }

    /// Counts the time since a moment as time of the run.
    pub fn count_time(&mut self, since: Duration) {
        self.timed += self.now().saturating_sub(since);
    }

    fn texts_of(&mut self, values: &[Value]) -> Result<Vec<String>, Fault> {
        let output = &self.context.output;
        let mut copied = output.text.len().saturating_sub(output.handed_over.text as usize);
        self.context.reserve(copied)?;
        let mut texts = Vec::with_capacity(values.len());
        for value in values {
            let text = self.context.display(*value)?;
            copied += text.len();
            self.context.reserve(copied)?;
            texts.push(text);
        }
        self.statistics.memory = self.statistics.memory.max(self.context.bytes() + copied);
        Ok(texts)
    }
}
