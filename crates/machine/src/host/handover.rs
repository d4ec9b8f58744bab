//! Copies of values and output for the host, which count as memory while they are made.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::errors::error::Fault;
use crate::machine::{Machine, State};
use ndscript_base::budget::Budget;
use ndscript_base::limits::LimitReached;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::walks::show::ShowWalk;

impl Machine {
    /// The texts of `count` values that the host gets together with the output since the last time. The values are in
    /// registers, or rooted otherwise.
    ///
    /// # Errors
    /// A limit, if there is no memory for the copies, or a cancellation. The run stops then, and hands them over once
    /// the limit is lifted.
    pub fn hand_over(
        &mut self,
        count: usize,
        value: impl Fn(&Machine, usize) -> Value,
    ) -> Result<Vec<String>, LimitReached> {
        let limit = match self.texts_of(count, &value) {
            Ok(texts) => return Ok(texts),
            Err(Fault::Memory(_)) => {
                self.collect();
                match self.texts_of(count, &value) {
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

    /// Stops the run because a limit was reached while handing something over; it is handed over again when the limit
    /// is lifted. Returns the limit.
    pub fn hold_back(&mut self, limit: LimitReached) -> LimitReached {
        self.undelivered = self.state == State::Solved;
        self.stop(limit);
        limit
    }

    /// The time by the host's clock, if there is one.
    pub fn now(&self) -> Duration {
        self.context
            .clock
            .as_ref()
            .map_or(Duration::ZERO, |clock| clock())
    }

    /// Counts the time since a moment as time of the run.
    pub fn count_time(&mut self, since: Duration) {
        self.timed += self.now().saturating_sub(since);
    }

    /// The limit that stops a handover which began at `begin`: it may take long, and is not charged.
    pub fn limit_since(&self, begin: Duration) -> Option<LimitReached> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Some(LimitReached::Cancelled);
        }
        let limit = self.context.limits.time;
        let is_late =
            self.context.clock.is_some() && self.timed + self.now().saturating_sub(begin) > limit;
        is_late.then_some(LimitReached::Time(limit))
    }

    /// The texts of some values for the host, within the limit of memory.
    fn texts_of(
        &mut self,
        count: usize,
        value: &impl Fn(&Machine, usize) -> Value,
    ) -> Result<Vec<String>, Fault> {
        let begin = self.now();
        let output = &self.context.output;
        let printed = output
            .text
            .len()
            .saturating_sub(output.handed_over.text as usize);
        let mut copied = printed.saturating_add(count.saturating_mul(size_of::<String>()));
        self.context.reserve(copied)?;
        let mut texts = Vec::with_capacity(count);
        for at in 0..count {
            let text = self.text_of(value(self, at), copied, begin)?;
            copied += room::block(text.capacity());
            self.context.reserve(copied)?;
            texts.push(text);
        }
        self.statistics.memory = self.statistics.memory.max(self.context.bytes() + copied);
        Ok(texts)
    }

    /// The text of a value, when `copied` bytes are in use for copies already. Obeys the time limit since `begin`.
    fn text_of(&self, value: Value, copied: usize, begin: Duration) -> Result<String, Fault> {
        let context = &self.context;
        let room = context
            .limits
            .memory
            .saturating_sub(context.bytes().saturating_add(copied));
        let limit = context.limits.output.min(room);
        let mut out = String::new();
        let mut showing = ShowWalk::default();
        showing.begin(
            &context.heap,
            value,
            true,
            context,
            &mut out,
            &mut Budget::unlimited(),
        );
        loop {
            let mut budget = Budget::piece(context.piece);
            match showing.resume(&context.heap, context, &mut out, limit, &mut budget) {
                Ok(true) => return Ok(out),
                Ok(false) => {
                    if let Some(limit) = self.limit_since(begin) {
                        return Err(Fault::Limit(limit));
                    }
                }
                Err(_) if room < context.limits.output => return Err(Fault::Memory(0)),
                Err(_) => return Err(Fault::Limit(LimitReached::Output(context.limits.output))),
            }
        }
    }
}
