//! Queries of editors and tools: names, completions, documentation of functions, the reference.

mod description;
pub mod functions;
pub mod names;
pub mod reference;
pub mod tooling;
mod vocabulary;
