//! A check for tests: a failure restores exactly the state in which the choice point was made.
//!
//! Hashed are all values that the program can reach from registers, frames, globals and the output, by content; not
//! the random state, the fuel, the tables of interned values, and unused registers.

mod in_machine;

/// Hashes of the state at choice points.
#[derive(Clone, Debug, Default)]
pub struct States {
    /// The hash at each open one.
    open: Vec<u64>,
    /// The hash of all, in order.
    all: u64,
}
