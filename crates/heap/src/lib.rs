//! Values and everything they refer to: words, the heap with its undo log, and the operations that every part of
//! the language needs (order, equality, freezing, copying, text).
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod alike;
pub mod arena;
pub mod array;
pub mod board;
pub mod brief;
pub mod collect;
pub mod compare;
mod content;
pub mod copy;
pub mod data;
pub mod deep;
pub mod difference;
pub mod freeze;
pub mod function;
pub mod grid;
pub mod growing;
pub mod handle_table;
pub mod heap;
pub mod hosted;
pub mod listing;
pub mod memo;
pub mod natural;
pub mod number;
pub mod object;
pub mod packing;
pub mod parts;
mod protected_ranges;
pub mod queue;
pub mod relation;
mod saved;
mod saved_data;
pub mod saved_hosts;
pub mod search;
#[cfg(feature = "serde")]
mod serde;
pub mod set;
pub mod set_making;
pub mod set_operation;
pub mod shell;
pub mod show;
pub mod slots;
pub mod snapshot;
pub mod sorting;
mod sound;

pub mod text;
pub mod trail;
pub mod treap;
pub mod undecided;
#[allow(clippy::module_inception)]
pub mod value;
pub mod value_error;

pub use heap::{Changed, Heap};
pub use sound::Surroundings;
pub use value::{Kind, Value};
