//! Which forms of instructions a machine runs.

/// Which forms of instructions a machine runs. Results and steps are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Driver {
    /// Fast forms, and full forms where those do not apply.
    #[default]
    Fast,
    /// Full forms alone.
    #[cfg_attr(
        not(debug_assertions),
        allow(dead_code, reason = "tests ask for it, in debug builds only")
    )]
    Plain,
}
