//! Choices, the built-ins of the prelude's `decide`, and solutions drawn uniformly from all.

pub(crate) mod decide;
pub(crate) mod decided;
pub(crate) mod place_work;
pub mod search;
pub(crate) mod uniform;
mod uniform_work;
