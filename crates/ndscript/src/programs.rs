//! From texts to compiled programs: the engine, imports, the prelude.

pub mod compile_error;
pub mod engine;
pub mod import;
pub mod outline;
pub mod prelude;
pub mod program;
pub(crate) mod readings;
