//! What is done with arbitrary bytes: the fuzzing targets of `fuzz/` call these functions, and so does
//! `tests/safety/fuzz.rs` with a fixed share of inputs.

pub mod api;
pub mod restore;
pub mod script;
pub mod tile;
