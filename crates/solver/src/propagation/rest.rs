//! How far bringing a board, or one of its constraints, to rest has come.

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// No constraint has anything to do.
    Reached,
    /// The budget is spent before.
    NotYet,
    /// It needs this number of bytes, to be granted before it resumes.
    Wants(usize),
}
