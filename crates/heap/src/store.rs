//! Where values live: arenas by kind, the trail, the collector, packed stacks.

pub(crate) mod alike;
pub mod arena;
pub mod collection;
mod counting;
pub mod deep;
pub mod handle_table;
pub mod heap;
pub mod packing;
mod protected_ranges;
pub mod slots;
pub mod trail;
