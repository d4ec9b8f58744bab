//! The progress of propagating a board, or one of its constraints, to the fixpoint.

/// Whether propagation has come to its fixpoint, or why it has stopped before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixpoint {
    /// No constraint has anything to do.
    Reached,
    /// The budget was spent first: call again to continue.
    NotYet,
    /// The caller must grant this many bytes before it calls again.
    NeedsMemory(usize),
}
