//! What editors and tools ask: names, completions, what a function is for, the reference.

pub mod functions;
pub mod names;
pub mod reference;
pub mod tooling;
mod vocabulary;
