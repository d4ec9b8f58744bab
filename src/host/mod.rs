//! The embedding API: an engine compiles programs, a program starts runs, a run yields solutions.

pub mod call;
pub mod calls;
pub mod cancel;
pub mod convert;
pub mod engine;
pub mod function;
pub mod functions;
pub mod globals;
pub mod growing;
pub mod handles;
pub mod host_type;
pub mod hosted;
pub mod import;
pub mod measure;
pub mod method;
pub mod observer;
#[cfg(feature = "timeline")]
pub(crate) mod origins;
pub mod outcome;
mod path;
mod prelude;
pub mod program;
mod reading;
pub mod removal;
pub mod run;
#[cfg(feature = "save")]
pub mod save;
#[cfg(feature = "serde")]
pub mod serde;
mod shown;
mod tiles;
pub mod tooling;
pub mod types;
pub mod value;
pub mod value_error;
pub mod view;
mod when;
