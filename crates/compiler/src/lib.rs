//! The compiler: from syntax trees to bytecode.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod check;
mod chosen_places;
mod commit;
mod emit;
mod lints;
mod notes;
pub mod resolve;

pub use emit::{Compiled, Unit, compile};
pub use resolve::meaning::Meaning;
