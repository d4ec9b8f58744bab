//! Immutable sets and relations: making, comparing and combining them, and remembered results.

pub mod difference;
pub mod memo;
pub mod relation;
pub mod set;
pub mod set_making;
pub mod set_operation;
pub mod treap;
