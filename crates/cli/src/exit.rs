//! How a command ends.

use std::process::ExitCode;

use ndscript_render::RenderError;

/// How a command ended, as its exit code tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked; of a run: there was at least one solution.
    Success,
    /// The program has no solution.
    NoSolution,
    /// An error of usage, of a file or of the script.
    Error,
    /// A limit was reached.
    Limit,
    /// The person interrupted it.
    Interrupted,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::NoSolution => 1,
            Exit::Error => 2,
            Exit::Limit => 3,
            Exit::Interrupted => 130,
        }
    }
}

impl Exit {
    /// The reason why an unfinished run stopped, as events name it.
    pub fn stopped_by(self) -> Option<&'static str> {
        match self {
            Exit::Success | Exit::NoSolution => None,
            Exit::Error => Some("error"),
            Exit::Limit => Some("limit"),
            Exit::Interrupted => Some("interrupted"),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// The reason why a command cannot continue: a message for standard error, and the exit code.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Empty if there is nothing to report.
    pub message: String,
    pub exit: Exit,
}

impl Stop {
    /// An error in plain words.
    pub fn error(message: impl Into<String>) -> Stop {
        Stop {
            message: message.into(),
            exit: Exit::Error,
        }
    }

    /// A limit that was reached.
    pub fn limit(message: impl Into<String>) -> Stop {
        Stop {
            message: message.into(),
            exit: Exit::Limit,
        }
    }

    /// A picture could not be drawn.
    pub fn undrawn(why: &RenderError) -> Stop {
        if why.is_limit() {
            Stop::limit(why.to_string())
        } else {
            Stop::error(format!("cannot draw a picture: {why}"))
        }
    }

    /// A stop without a message.
    pub fn silent(exit: Exit) -> Stop {
        Stop {
            message: String::new(),
            exit,
        }
    }
}
