//! Moments of a run.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// A moment of a run: the boundary between two instructions.
///
/// The same moment occurs in every run of a program with the same seed, parameters and answers. Moments are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct When {
    /// The steps that the run has taken.
    pub step: u64,
    /// The instructions carried out since that step.
    pub inside: u32,
}

impl When {
    /// Before the first instruction.
    pub const START: When = When { step: 0, inside: 0 };

    /// The first moment at which `step` steps were taken.
    pub fn step(step: u64) -> When {
        When { step, inside: 0 }
    }
}

/// `1234`, or `1234.5` for the moment five instructions later.
impl Display for When {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.inside {
            0 => write!(f, "{}", self.step),
            inside => write!(f, "{}.{inside}", self.step),
        }
    }
}

/// ```
/// use ndscript::When;
/// assert_eq!("12.3".parse(), Ok(When { step: 12, inside: 3 }));
/// assert_eq!(When::step(7).to_string(), "7");
/// assert!("soon".parse::<When>().is_err());
/// ```
impl FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<When, String> {
        let (step, inside) = text.split_once('.').unwrap_or((text, "0"));
        match (step.parse(), inside.parse()) {
            (Ok(step), Ok(inside)) => Ok(When { step, inside }),
            _ => Err(format!(
                "`{text}` is not a moment: write a step, such as `1234` or `1234.5`"
            )),
        }
    }
}
