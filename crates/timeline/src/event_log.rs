//! What happens in a stretch of a run, in so few words that a long run can keep it.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::place::{Key, Place};
use ndscript::internals::Unreported;
use ndscript::{Event, Target};

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A choice point was made.
    Choice,
    /// An alternative was taken.
    Take,
    /// A branch has died.
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
    /// A line was come to.
    Line,
    /// Something was read, or a loop came to its next turn.
    Read,
    /// The run has come to its end.
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
            // `Event` may grow. Of what is left nothing is told in words.
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
/// Calls, returns and writes are not counted: nobody looks at every one of them while a run is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; KINDS]);

impl Counts {
    /// Those of a kind. Lines, reads, writes, calls and returns are not counted.
    pub fn of(&self, kind: Kind) -> u64 {
        self.0[kind as usize]
    }

    pub(super) fn add(&mut self, kind: Kind) {
        if !matches!(
            kind,
            Kind::Line | Kind::Read | Kind::Write | Kind::Call | Kind::Return
        ) {
            self.0[kind as usize] += 1;
        }
    }

    /// Counts what was chosen and has failed without being told of.
    pub(super) fn add_unreported(&mut self, unreported: &Unreported) {
        self.0[Kind::Choice as usize] += unreported.choices;
        self.0[Kind::Failure as usize] += unreported.failures;
        self.0[Kind::Take as usize] += unreported.choices + unreported.failures;
    }
}

/// Bits for the places that were written to; several places share one.
const WORDS: usize = 32;

/// What has happened in a stretch of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct EventLog {
    /// The kinds of events that there may have been, as bits.
    kinds: u32,
    written: [u64; WORDS],
    has_whole_writes: bool,
    /// Whether an element, a field or a cell was written to.
    pub has_part_writes: bool,
}

impl EventLog {
    pub fn note(&mut self, event: &Event<'_>) {
        self.add(Kind::of(event));
        if let Event::Write { target, .. } = event {
            match target {
                Target::Variable(name) => self.mark(bit_of(name)),
                Target::Part(_, key) => {
                    self.has_part_writes = true;
                    match Key::of(*key) {
                        Some(key) => self.mark(bit_of_key(&key)),
                        None => self.has_whole_writes = true,
                    }
                }
                Target::Whole(_) => self.has_whole_writes = true,
            }
        }
    }

    /// Notes what was done without being told of.
    pub fn note_unreported(&mut self, unreported: &Unreported) {
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
            self.mark(bit_of(&**name));
        }
    }

    /// Whether there may have been an event of a kind.
    pub fn may_have(&self, kind: Kind) -> bool {
        self.kinds >> kind as u32 & 1 == 1
    }

    fn add(&mut self, kind: Kind) {
        self.kinds |= 1 << kind as u32;
    }

    fn mark(&mut self, bit: usize) {
        self.written[bit / 64] |= 1 << (bit % 64);
    }

    fn is_marked(&self, bit: usize) -> bool {
        self.written[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Whether a place may have been written to.
    pub fn may_have_written(&self, place: &Place) -> bool {
        self.has_whole_writes
            || self.is_marked(bit_of(&place.variable))
            || place.path.iter().any(|key| self.is_marked(bit_of_key(key)))
    }

    /// What has happened in the stretch behind this one happens in this one from now on.
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

fn bit_of(value: impl Hash) -> usize {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as usize % (64 * WORDS)
}

/// The key of an object that looks like a number is the same as the number.
fn bit_of_key(key: &Key) -> usize {
    match key {
        Key::Field(name) => name.parse::<i64>().map_or_else(|_| bit_of(&**name), bit_of),
        Key::Index(index) => bit_of(*index),
        Key::Cell(x, y) => bit_of((*x, *y)),
    }
}
