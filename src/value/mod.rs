//! Values and everything they refer to: words, the heap with its undo log, and the operations that every part of
//! the language needs (order, equality, freezing, copying, text).

mod alike;
pub mod arena;
pub mod array;
pub mod board;
pub mod brief;
pub mod budget;
mod carried;
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
pub mod queue;
pub mod relation;
pub mod room;
#[cfg(feature = "save")]
mod saved;
#[cfg(feature = "save")]
mod saved_data;
#[cfg(feature = "save")]
pub mod saved_hosts;
pub mod search;
pub mod set;
pub mod set_making;
pub mod set_operation;
pub mod shell;
pub mod show;
pub mod slots;
pub mod snapshot;
pub mod sorting;
#[cfg(feature = "save")]
mod sound;

pub mod text;
pub mod trail;
pub mod treap;
pub mod undecided;
#[allow(clippy::module_inception)]
pub mod value;

pub use heap::{Changed, Heap};
#[cfg(feature = "save")]
pub use sound::Surroundings;
pub use value::{Kind, Value};
