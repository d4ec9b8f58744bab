//! Why a search went as it did: where a value came from, where branches failed, what the time was spent on.

pub mod causes;
pub(crate) mod failing_cells;
mod narrator;
pub mod profile;
pub(crate) mod why;
