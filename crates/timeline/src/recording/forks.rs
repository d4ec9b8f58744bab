//! Forks of a run, so that no moment is far from one.

use super::event_log::EventLog;
use crate::When;
use ndscript::Run;

/// A copy of the run as it stood at a moment.
pub(crate) struct Fork {
    pub when: When,
    pub run: Run,
    /// How many questions had been answered.
    pub answered: usize,
    /// The events from here to the next fork.
    pub events: EventLog,
    bytes: usize,
}

/// The forks of a run, oldest first. They are thinned out as the run grows, so that their number and bytes stay
/// bounded.
pub(crate) struct Forks {
    list: Vec<Fork>,
    most: usize,
    most_bytes: usize,
    /// The steps between two of them.
    spacing: u64,
}

/// The steps between two forks to begin with.
const FIRST_SPACING: u64 = 1 << 12;

/// The bytes of a fork that each step pays for: forks are no closer than that, so that copying takes no longer than
/// running.
const BYTES_A_STEP: u64 = 32;

impl Forks {
    pub fn new(start: Fork, most: usize, most_bytes: usize) -> Forks {
        Forks {
            list: vec![start],
            most,
            most_bytes,
            spacing: FIRST_SPACING,
        }
    }

    pub fn bound(&mut self, most: usize, bytes: usize) {
        (self.most, self.most_bytes) = (most.max(2), bytes);
        self.thin();
    }

    pub fn list(&self) -> &[Fork] {
        &self.list
    }

    pub fn bytes(&self) -> usize {
        self.list.iter().map(|fork| fork.bytes).sum()
    }

    /// The log for events after the latest fork.
    pub fn latest_mut(&mut self) -> &mut EventLog {
        let last = self.list.len() - 1;
        &mut self.list[last].events
    }

    /// After how many more steps the next fork is due.
    pub fn due_in(&self, run: &Run) -> u64 {
        let since = run
            .statistics()
            .steps
            .saturating_sub(self.list.last().map_or(0, |fork| fork.when.step));
        self.spacing
            .max(run.memory() as u64 / BYTES_A_STEP)
            .saturating_sub(since)
    }

    /// Stores a fork of the run, if it can be forked.
    pub fn add(&mut self, run: &mut Run, answered: usize) {
        let when = run.when();
        let is_further = self
            .list
            .last()
            .is_none_or(|fork| fork.when.step < when.step);
        if !is_further {
            return;
        }
        // A run larger than the limit of all forks together is not copied: the copy would be dropped again.
        if Fork::bytes_of(run) > self.most_bytes {
            self.spacing = self.spacing.saturating_mul(2);
            return;
        }
        if let Ok(mut fork) = run.fork() {
            fork.go_once_more();
            self.list.push(Fork::new(fork, when, answered));
            self.thin();
        }
    }

    /// Leaves every second fork out until there are few enough.
    fn thin(&mut self) {
        while self.list.len() > 1 && (self.list.len() > self.most || self.bytes() > self.most_bytes)
        {
            self.spacing = self.spacing.saturating_mul(2);
            let mut remaining: Vec<Fork> = Vec::with_capacity(self.list.len() / 2 + 1);
            for (at, fork) in self.list.drain(..).enumerate() {
                match remaining.last_mut() {
                    Some(last) if at % 2 == 1 => last.events.join(&fork.events),
                    _ => remaining.push(fork),
                }
            }
            self.list = remaining;
        }
    }

    /// The number of the latest fork that is no later than a moment.
    pub fn before(&self, when: When) -> usize {
        self.list
            .partition_point(|fork| fork.when <= when)
            .saturating_sub(1)
    }
}

impl Fork {
    pub fn new(run: Run, when: When, answered: usize) -> Fork {
        let bytes = Fork::bytes_of(&run);
        Fork {
            when,
            run,
            answered,
            events: EventLog::default(),
            bytes,
        }
    }

    /// The bytes of a copy of a run.
    fn bytes_of(run: &Run) -> usize {
        run.memory() + run.record().bytes()
    }
}
