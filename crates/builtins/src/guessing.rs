//! Choices, the built-ins of the prelude's `decide`, and solutions drawn uniformly from all.

pub(crate) mod decide;
pub(crate) mod decided;
mod fair_work;
pub(crate) mod place_work;
pub mod search;
pub(crate) mod uniform;
mod uniform_work;
