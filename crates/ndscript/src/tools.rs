//! Queries of editors and tools: names, completions, documentation of functions, the reference.

pub mod functions;
pub mod names;
pub mod reference;
pub mod tooling;
mod vocabulary;
