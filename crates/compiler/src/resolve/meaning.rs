//! The meanings of names.

/// A local variable, by its number in [`Resolution::variables`](super::scope::Resolution::variables).
pub type VariableId = u32;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    Local(VariableId),
    Global(u32),
}
