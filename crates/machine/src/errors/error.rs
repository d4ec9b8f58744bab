//! Why an instruction was not carried out.

use ndscript_base::diagnostics::bounded;
use ndscript_base::limits::LimitReached;
use ndscript_heap::Value;

/// The hint for a set where the value in it is meant.
pub const VALUE_OF_SET: &str = "`singletonValue(s)` is the only element of a set, `valueAt(b, place)` that of a place of a \
    board, and `decided(b)` a whole board with plain values";

/// The kinds of errors that a script can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// A value of the wrong kind.
    Type,
    /// A wrong number of arguments.
    Arity,
    /// An undefined name, or one used before its line.
    Undefined,
    /// An index out of range.
    Index,
    /// A field that an object does not have.
    Field,
    /// A division by zero, or a result that is no number.
    Arithmetic,
    /// An integer beyond the range.
    Overflow,
    /// Nothing there to take: `pop`, `dequeue`, `peek`, `min`, `max`.
    Empty,
    /// A write to a frozen array.
    Frozen,
    /// The right kind of value, but not a usable one.
    Value,
    /// A tile that cannot be found or read.
    Tile,
    /// A question where none can be asked.
    Ask,
    /// A function of the host reported an error.
    Host,
    /// The script ended its run with `error(message)`.
    Script,
}

/// An error of the script, without its place.
#[derive(Clone, Debug, PartialEq)]
pub struct UnlocatedError {
    pub kind: ErrorKind,
    pub message: String,
    /// What to do, if there is something to say.
    pub hint: Option<String>,
    /// The argument of a built-in that it is about.
    pub argument: Option<Value>,
}

impl UnlocatedError {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> UnlocatedError {
        UnlocatedError {
            kind,
            message: bounded(message.into()),
            hint: None,
            argument: None,
        }
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> UnlocatedError {
        self.hint = Some(bounded(hint.into()));
        self
    }
}

/// Why an instruction or a built-in came to no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// An earlier guess was wrong.
    Fail,
    Error(Box<UnlocatedError>),
    Limit(LimitReached),
    /// Allocation needs this many bytes: collect garbage, then try again.
    Memory(usize),
    /// The work exceeds one piece. It continues as the current work; the instruction runs again when it is done.
    Later,
}

impl Fault {
    pub fn error(kind: ErrorKind, message: impl Into<String>) -> Fault {
        Fault::Error(Box::new(UnlocatedError::new(kind, message)))
    }

    pub fn with_hint(self, hint: impl Into<String>) -> Fault {
        match self {
            Fault::Error(complaint) => Fault::Error(Box::new(complaint.with_hint(hint))),
            other => other,
        }
    }
}

ndscript_base::saved!(struct UnlocatedError { kind, message, hint, argument });
ndscript_base::saved!(enum ErrorKind {
    0 => Type {},
    1 => Arity {},
    2 => Undefined {},
    3 => Index {},
    4 => Field {},
    5 => Arithmetic {},
    6 => Overflow {},
    7 => Empty {},
    8 => Frozen {},
    9 => Value {},
    10 => Tile {},
    11 => Ask {},
    12 => Host {},
    13 => Script {},
});
