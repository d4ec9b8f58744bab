//! Errors in the values that a host gives to a run, or wants from it.

use std::fmt::{self, Display, Formatter};

use crate::outside::data::MAX_DEPTH;
use crate::outside::snapshot::Obstacle;
use ndscript_base::letters::is_name;
use ndscript_base::limits::LimitReached;

/// Why a value could not be read, made or set.
///
/// ```
/// use ndscript::{Engine, ValueError};
/// let program = Engine::new().compile("var list = [1, 2];")?;
/// let (mut run, mut other) = (program.run(1), program.run(1));
/// run.next();
/// let list = run.global("list").unwrap();
/// assert_eq!(run.read::<Vec<i64>>(&list), Ok(vec![1, 2]));
/// assert_eq!(other.read::<Vec<i64>>(&list), Err(ValueError::OtherRun));
/// assert_eq!(other.set_global("lits", 1).unwrap_err().to_string(), "the program has no global `lits`: did you mean `list`?");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueError {
    /// The value belongs to another run; a clone of a run is another run.
    OtherRun,
    /// The program has no global variable of this name.
    NoGlobal {
        /// The name that was asked for.
        name: String,
        /// The closest name that there is.
        nearest: Option<String>,
    },
    /// The global is a function of the program, a constant or a built-in, and cannot be set.
    CannotBeSet(String),
    /// The built-in is written in the language, and is not there because the program does not name it.
    NotIncluded(String),
    /// There is no room for it in the run.
    Limit(LimitReached),
    /// The value is of another kind than was asked for.
    Kind {
        /// The expected type: `a whole number`.
        expected: String,
        /// The value and its type: `"abc" (a string)`.
        found: String,
    },
    /// An error in a part of the value.
    Inside {
        /// Where the part is: `[3].price`.
        place: String,
        /// The error of the part.
        error: Box<ValueError>,
    },
    /// The host's value is not a value of the language.
    NotAValue(String),
    /// A value of this type of the host cannot be an element of a set: the type has no order.
    NoElement(String),
    /// A value of this type of the host cannot be copied: the type has no clone.
    NoClone(String),
    /// The value contains itself, so it has no end outside of its run.
    ContainsItself,
    /// Collections are nested more than 128 deep.
    TooDeep,
    /// Written out, the value would take more memory than the run may (`Limits::memory`).
    TooLarge,
}

impl Display for ValueError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ValueError::OtherRun => f.write_str(
                "the value belongs to another run: make it, or read it out as data, in the run that uses it",
            ),
            ValueError::NoGlobal { name, nearest: Some(nearest) } => {
                write!(f, "the program has no global `{name}`: did you mean `{nearest}`?")
            }
            ValueError::NoGlobal { name, nearest: None } => write!(f, "the program has no global `{name}`"),
            ValueError::CannotBeSet(name) => write!(f, "`{name}` is no variable of the program and cannot be set"),
            ValueError::NotIncluded(name) => {
                write!(
                    f,
                    "the program does not name `{name}`, so it came without it: let it hold `{name}` in a variable"
                )
            }
            ValueError::Limit(limit) => limit.fmt(f),
            ValueError::Kind { expected, found } => write!(f, "expected {expected}, not {found}"),
            ValueError::Inside { place, error } => write!(f, "at {place}: {error}"),
            ValueError::NotAValue(message) => f.write_str(message),
            ValueError::NoElement(noun) => {
                write!(f, "{noun} cannot be an element of a set: its type has no order")
            }
            ValueError::NoClone(noun) => write!(f, "{noun} cannot be copied: its type has no clone"),
            ValueError::ContainsItself => f.write_str("the value contains itself"),
            ValueError::TooDeep => write!(f, "the value is nested more than {MAX_DEPTH} deep"),
            ValueError::TooLarge => f.write_str(
                "written out, the value would take more memory than the run may: raise `Limits::memory`, or look at its parts",
            ),
        }
    }
}

impl std::error::Error for ValueError {}

impl ValueError {
    /// This error, for a part of a value: at `[3]`, or at `.name`.
    ///
    /// ```
    /// use ndscript::ValueError;
    /// let error = ValueError::TooDeep.inside(".parts".to_string()).inside("[3]".to_string());
    /// assert_eq!(error.to_string(), "at [3].parts: the value is nested more than 128 deep");
    /// ```
    pub fn inside(self, step: String) -> ValueError {
        match self {
            ValueError::Inside { place, error } => ValueError::Inside {
                place: step + &place,
                error,
            },
            error => ValueError::Inside {
                place: step,
                error: Box::new(error),
            },
        }
    }

    pub fn at_index(self, index: usize) -> ValueError {
        self.inside(format!("[{index}]"))
    }

    pub fn at_field(self, name: &str) -> ValueError {
        self.inside(if is_name(name) {
            format!(".{name}")
        } else {
            format!("[{name:?}]")
        })
    }
}

impl From<Obstacle> for ValueError {
    fn from(obstacle: Obstacle) -> ValueError {
        let no_value = |message| ValueError::NotAValue(message);
        match obstacle {
            Obstacle::ContainsItself => ValueError::ContainsItself,
            Obstacle::TooDeep => ValueError::TooDeep,
            Obstacle::TooLarge => ValueError::TooLarge,
            Obstacle::Stopped => ValueError::Limit(LimitReached::Cancelled),
            Obstacle::Overflow(integer) => {
                no_value(format!("{integer} is beyond the integers of the language"))
            }
            Obstacle::NotFinite => no_value("a number must be finite".to_string()),
            Obstacle::OutOfRange(x, y) => {
                no_value(format!("({x},{y}) is out of range for a position"))
            }
            Obstacle::OnlyNamed(what) => no_value(format!("{what} cannot be made from data")),
        }
    }
}
