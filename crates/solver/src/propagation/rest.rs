//! The progress of propagating a board, or one of its constraints, to the fixpoint.

/// The progress of propagation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// No constraint has anything to do.
    Reached,
    /// The budget is spent before.
    NotYet,
    /// It needs this number of bytes, to be granted before it resumes.
    Wants(usize),
}
