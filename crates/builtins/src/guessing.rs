//! Choices, what the prelude's `decide` is made of, and solutions drawn from all of them.

pub(crate) mod decide;
pub(crate) mod decided;
mod fair_work;
pub(crate) mod place_work;
pub mod search;
pub(crate) mod uniform;
mod uniform_work;
