//! How far bringing a board, or one of its constraints, to rest has come.

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// No constraint has anything to do.
    Reached,
    /// The budget is spent before.
    NotYet,
    /// It needs so many bytes, which are to be granted before it goes on.
    Wants(usize),
}
