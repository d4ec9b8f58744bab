//! The machine: runs bytecode, makes guesses, and backtracks.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod driver;
pub mod errors;
#[cfg(debug_assertions)]
pub mod exactness;
pub mod execute;
pub mod frame;
pub mod host;
mod loop_state;
pub mod machine;
mod memory;
pub mod natives;
pub mod op;
mod saved;
pub mod search;
mod sound;
pub mod step;
pub mod watch;
pub mod work;
