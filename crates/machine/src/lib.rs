//! The machine: runs bytecode, guesses, and takes guesses back.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod alternative;
pub mod barrier;
mod best;
pub mod choices;
pub mod context;
pub mod control;
mod due_functions;
pub mod error;
#[cfg(debug_assertions)]
pub mod exactness;
pub mod execute;
pub mod fail;
mod failures;
pub mod frame;
pub mod global;
mod guesses;
pub mod handover;
pub mod host_call;
pub mod hosted;
pub mod inputs;
pub mod inspect;
mod loop_state;
pub mod machine;
mod memory;
mod message;
pub mod minimize;
pub mod native;
pub mod op;
pub mod output;
pub mod parameter;
pub mod profile;
pub mod record;
pub mod restarts;
pub mod roots;
mod saved;
mod shorten;
pub mod shuffle;
mod sound;
pub mod step;
pub mod trace;
pub mod variables;
pub mod visits;
pub mod watch;
pub mod weighted;
pub mod when;
pub mod work;
