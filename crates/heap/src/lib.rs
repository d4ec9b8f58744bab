//! Values and everything they refer to: words, the heap with its undo log, and the operations that every part of
//! the language needs (order, equality, freezing, copying, text).
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod board;
mod content;
pub mod hashes;
pub mod kinds;
pub mod natural;
pub mod number;
pub mod outside;
pub mod sets;
pub mod store;
pub mod value;
pub mod walks;

pub use outside::sound::Surroundings;
pub use store::heap::{Changed, Heap};
pub use value::{Kind, Value};
