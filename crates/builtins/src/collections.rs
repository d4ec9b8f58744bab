//! Arrays, objects, queues, sets and relations, and functions of all collections.

pub mod array;
mod closure;
pub mod collection;
pub(crate) mod list_work;
pub(crate) mod object;
pub mod queue;
pub mod relation;
mod relation_work;
mod seeking;
pub mod set;
mod shift_work;
