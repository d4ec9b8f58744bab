//! The events that a watcher wants.

/// The events that an `Observer` wants apart from what is printed, drawn and written to elements, fields and cells,
/// which it always gets. One that can do without choices, variables, calls or reasons lets the run go faster; it gets
/// some of them nevertheless.
///
/// ```
/// use ndscript::Wanted;
/// let usual = Wanted::default();
/// assert!(usual.choices && usual.variables && usual.calls && !usual.lines && !usual.reads);
/// assert_eq!(Wanted { choices: true, ..Wanted::NOTHING }.or(Wanted { calls: true, ..Wanted::NOTHING }).variables, false);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Every line that runs. A run stopped at a line has not run it yet.
    pub lines: bool,
    /// Reads from collections, and the turns of loops.
    pub reads: bool,
    /// Choices, alternatives that are taken, and failures.
    pub choices: bool,
    /// Writes to variables.
    pub variables: bool,
    /// Calls and returns.
    pub calls: bool,
    /// That a branch is about to fail, before anything of it is undone.
    pub deaths: bool,
    /// The places because of which candidates were removed: `Removal::from`, which takes long to compute.
    pub reasons: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            choices: true,
            variables: true,
            calls: true,
            reasons: true,
            ..Wanted::NOTHING
        }
    }
}

impl Wanted {
    /// None of these; only the events that every observer gets.
    pub const NOTHING: Wanted = Wanted {
        lines: false,
        reads: false,
        choices: false,
        variables: false,
        calls: false,
        deaths: false,
        reasons: false,
    };

    /// The union of both.
    #[must_use]
    pub fn or(self, other: Wanted) -> Wanted {
        Wanted {
            lines: self.lines || other.lines,
            reads: self.reads || other.reads,
            choices: self.choices || other.choices,
            variables: self.variables || other.variables,
            calls: self.calls || other.calls,
            deaths: self.deaths || other.deaths,
            reasons: self.reasons || other.reasons,
        }
    }

    /// Whether choices may go unreported.
    pub(super) fn skips_choices(self) -> bool {
        !self.choices && !self.variables
    }
}
