//! What names stand for.

/// A local variable, by its number in [`Resolution::variables`](super::scope::Resolution::variables).
pub type VariableId = u32;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    Local(VariableId),
    Global(u32),
}
