//! Events, and the watchers that receive them.

use std::borrow::Cow;
use std::sync::Arc;

use super::When;
use crate::host::record::Snapshot;
use crate::machine::Machine;
use ndscript_base::picture::Picture;
use ndscript_base::source::Span;
use ndscript_bytecode::{Code, Function};
use ndscript_heap::Value;

/// Where and when something happens.
#[derive(Clone, Copy, Debug)]
pub struct EventPoint {
    pub span: Option<Span>,
    /// The moments before and after the instruction.
    pub began: When,
    pub when: When,
}

/// A watcher of a search.
pub trait Watcher {
    /// Whether the main loop may run between reports. Otherwise no main loop is compiled for it.
    fn lets_run() -> bool
    where
        Self: Sized,
    {
        true
    }

    /// Receives an event. False stops the run after the instruction.
    fn tell(&mut self, machine: &Machine, at: EventPoint, event: WatchEvent<'_>) -> bool;
    /// As `tell`, for the most frequent event: a variable, element, field or cell gets a value.
    fn tell_write(
        &mut self,
        machine: &Machine,
        at: EventPoint,
        target: Written<'_>,
        value: Value,
    ) -> bool;
    /// Called before each instruction, for watchers that see every instruction.
    fn begin(&mut self, _machine: &Machine, _code: &Code) {}
    /// Called after the instruction.
    fn end(&mut self, _machine: &Machine, _code: &Code, _at: EventPoint) {}
}

/// The watcher of runs that are not watched. It has no values, so none of its methods is ever called.
pub enum NoWatcher {}

impl Watcher for NoWatcher {
    fn lets_run() -> bool {
        false
    }

    fn tell(&mut self, _: &Machine, _: EventPoint, _: WatchEvent<'_>) -> bool {
        match *self {}
    }

    fn tell_write(&mut self, _: &Machine, _: EventPoint, _: Written<'_>, _: Value) -> bool {
        match *self {}
    }
}

/// An event; see docs/language.md.
pub enum WatchEvent<'a> {
    /// A line is about to be carried out. Only on request.
    Line,
    /// An element, a field or a cell was read. Only on request.
    Read {
        container: Value,
        key: Value,
    },
    /// An element, a field or a cell that holds this value is about to be written. Only on request.
    Overwritten {
        container: Value,
        key: Value,
        held: Value,
    },
    /// The branch is about to fail, and nothing is undone yet. Only on request.
    Failing,
    /// A loop, whose place this is, starts its next turn. Only on request.
    Turn,
    /// A choice point was made.
    Choice {
        id: u64,
        parent: Option<u64>,
        alternatives: usize,
    },
    /// One of its alternatives is tried.
    Take {
        id: u64,
        number: usize,
        alternative: Option<Span>,
        value: Option<Value>,
    },
    /// A branch has failed.
    Fail {
        why: Why<'a>,
    },
    Print {
        text: &'a str,
    },
    Picture {
        picture: &'a Arc<Picture>,
    },
    Snapshot {
        snapshot: &'a Snapshot,
    },
    /// A function of the program was called; its arguments are consecutive values.
    Enter {
        function: &'a Function,
        arguments: &'a [Value],
    },
    /// It has returned.
    Leave {
        function: &'a Function,
        value: Value,
    },
}

/// Why a branch has failed.
#[derive(Clone, Copy, Debug)]
pub enum Why<'a> {
    /// `fail`, or a condition that did not hold; with the program's message if there is one.
    Refused(Option<&'a str>),
    /// There was nothing to choose from.
    NothingToChoose,
    /// A place of a board has no candidate left.
    NoCandidate,
    /// A built-in has found that no alternative can succeed.
    BuiltIn(&'a str),
    /// The condition of `require` does not hold.
    DoesNotHold,
    /// Another cause.
    Other,
    /// It costs more than `minimize` has a use for: as much as a solution that is `known`, or more than the current
    /// limit.
    TooDear { known: bool },
    /// It has ended, and another solution was asked for.
    Solved,
    /// The search of a built-in has a result and continues; in words.
    GoesOn(&'static str),
}

impl<'a> Why<'a> {
    /// As people read it.
    pub fn in_words(self) -> Cow<'a, str> {
        Cow::Borrowed(match self {
            Why::Refused(Some(message)) => message,
            Why::Refused(None) => "fail",
            Why::NothingToChoose => "nothing to choose from",
            Why::NoCandidate => NO_CANDIDATE,
            Why::DoesNotHold => "the condition does not hold",
            Why::BuiltIn(name) => return Cow::Owned(format!("`{name}` leaves nothing")),
            Why::Other => "nothing is left to try",
            Why::TooDear { known: true } => "no cheaper than the best solution",
            Why::TooDear { known: false } => "dearer than `minimize` searches up to now",
            Why::Solved => GOES_ON,
            Why::GoesOn(words) => words,
        })
    }
}

/// The reason of a branch in which a place of a board was emptied.
pub const NO_CANDIDATE: &str = "no candidate is left";

/// Why a run goes back from a solution.
pub const GOES_ON: &str = "another solution is wanted";

/// The target of a write.
#[derive(Clone, Copy, Debug)]
pub enum Written<'a> {
    Variable(&'a str),
    /// An element, a field or a cell, by its index, key or position.
    Part(Value, Value),
    /// A collection whose elements have changed.
    Whole(Value),
}
