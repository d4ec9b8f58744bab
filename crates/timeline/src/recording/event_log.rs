//! Summarizes the events of a stretch of a run in constant space: kinds as bits, and a Bloom filter of the places
//! that were written.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::moments::place::{Key, Place};
use ndscript::internals::Unreported;
use ndscript::{Event, Target};

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A choice point was made.
    Choice,
    /// An alternative was taken.
    Take,
    /// A branch has failed.
    Failure,
    /// Something was written.
    Write,
    /// Text was printed.
    Print,
    /// A picture was printed.
    Picture,
    /// A picture was recorded by `snapshot`.
    Snapshot,
    /// A function was called.
    Call,
    /// A function has returned.
    Return,
    /// A solution was found.
    Solution,
    /// A line begins.
    Line,
    /// Something was read, or a loop began its next turn.
    Read,
    /// The run has ended.
    End,
}

/// How many kinds there are.
const KINDS: usize = Kind::End as usize + 1;

impl Kind {
    /// The kind of an event.
    pub fn of(event: &Event<'_>) -> Kind {
        match event {
            Event::Choice { .. } => Kind::Choice,
            Event::Take { .. } => Kind::Take,
            Event::Fail { .. } => Kind::Failure,
            Event::Write { .. } => Kind::Write,
            Event::Print { .. } => Kind::Print,
            Event::Picture { .. } => Kind::Picture,
            Event::Snapshot { .. } => Kind::Snapshot,
            Event::Enter { .. } => Kind::Call,
            Event::Leave { .. } => Kind::Return,
            Event::Solution { .. } => Kind::Solution,
            Event::Line => Kind::Line,
            Event::End { .. } => Kind::End,
            // `Event` may get more variants; those have no words.
            _ => Kind::Read,
        }
    }

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Choice => "choice",
            Kind::Take => "take",
            Kind::Failure => "failure",
            Kind::Write => "write",
            Kind::Print => "print",
            Kind::Picture => "picture",
            Kind::Snapshot => "snapshot",
            Kind::Call => "call",
            Kind::Return => "return",
            Kind::Solution => "solution",
            Kind::Line => "line",
            Kind::Read => "read",
            Kind::End => "end",
        }
    }
}

/// How many events of each kind there were.
///
/// Calls, returns and writes are not counted: while a run is recorded, they are not observed one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; KINDS]);

impl Counts {
    /// The number of events of a kind. Lines, reads, writes, calls and returns are not counted.
    pub fn of(&self, kind: Kind) -> u64 {
        self.0[kind as usize]
    }

    pub(crate) fn add(&mut self, kind: Kind) {
        if !matches!(
            kind,
            Kind::Line | Kind::Read | Kind::Write | Kind::Call | Kind::Return
        ) {
            self.0[kind as usize] += 1;
        }
    }

    /// Counts choices and failures that were not reported.
    pub(crate) fn add_unreported(&mut self, unreported: &Unreported) {
        self.0[Kind::Choice as usize] += unreported.choices;
        self.0[Kind::Failure as usize] += unreported.failures;
        self.0[Kind::Take as usize] += unreported.choices + unreported.failures;
    }
}

/// Words of the filter of written places. Several places can share a bit, so it may say yes for a place that was not
/// written.
const WORDS: usize = 32;

/// The summary of a stretch of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLog {
    /// Kinds of events that may have happened, as bits.
    kinds: u32,
    written: [u64; WORDS],
    has_whole_writes: bool,
    /// Whether an element, a field or a cell was written to.
    pub has_part_writes: bool,
}

impl EventLog {
    /// Records an event: how many there were of its kind, and a filter of the places that were written to.
    pub fn record(&mut self, event: &Event<'_>) {
        self.add(Kind::of(event));
        if let Event::Write { target, .. } = event {
            match target {
                Target::Variable(name) => self.set_filter_bit(filter_bit(name)),
                Target::Part(_, key) => {
                    self.has_part_writes = true;
                    match Key::of(*key) {
                        Some(key) => self.set_filter_bit(key_filter_bit(&key)),
                        None => self.has_whole_writes = true,
                    }
                }
                Target::Whole(_) => self.has_whole_writes = true,
            }
        }
    }

    /// Adds what happened without being reported.
    pub fn record_unreported(&mut self, unreported: &Unreported) {
        if unreported.choices > 0 {
            [Kind::Choice, Kind::Take]
                .into_iter()
                .for_each(|kind| self.add(kind));
        }
        if unreported.failures > 0 {
            [Kind::Failure, Kind::Take]
                .into_iter()
                .for_each(|kind| self.add(kind));
        }
        if unreported.calls {
            [Kind::Call, Kind::Return]
                .into_iter()
                .for_each(|kind| self.add(kind));
        }
        for name in &unreported.variables {
            self.add(Kind::Write);
            self.set_filter_bit(filter_bit(&**name));
        }
    }

    /// Whether there may have been an event of a kind.
    pub fn may_have(&self, kind: Kind) -> bool {
        self.kinds >> kind as u32 & 1 == 1
    }

    fn add(&mut self, kind: Kind) {
        self.kinds |= 1 << kind as u32;
    }

    fn set_filter_bit(&mut self, bit: usize) {
        self.written[bit / 64] |= 1 << (bit % 64);
    }

    fn has_filter_bit(&self, bit: usize) -> bool {
        self.written[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Whether a place may have been written to.
    pub fn may_have_written(&self, place: &Place) -> bool {
        self.has_whole_writes
            || self.has_filter_bit(filter_bit(&place.variable))
            || place
                .path
                .iter()
                .any(|key| self.has_filter_bit(key_filter_bit(key)))
    }

    /// Adds the summary of the stretch that follows this one.
    pub fn join(&mut self, next: &EventLog) {
        self.kinds |= next.kinds;
        self.written
            .iter_mut()
            .zip(next.written)
            .for_each(|(mine, other)| *mine |= other);
        self.has_whole_writes |= next.has_whole_writes;
        self.has_part_writes |= next.has_part_writes;
    }
}

fn filter_bit(value: impl Hash) -> usize {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as usize % (64 * WORDS)
}

/// The filter bit of a key. A field whose name is a number has the bit of that index: objects can be read by both.
fn key_filter_bit(key: &Key) -> usize {
    match key {
        Key::Field(name) => name
            .parse::<i64>()
            .map_or_else(|_| filter_bit(&**name), filter_bit),
        Key::Index(index) => filter_bit(*index),
        Key::Cell(x, y) => filter_bit((*x, *y)),
    }
}
