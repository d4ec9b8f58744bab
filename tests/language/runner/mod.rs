//! What the language tests are made of.

pub mod check;
pub mod expectation;
pub mod generated;
pub mod observe;
pub mod saved;

#[path = "../../support/interrupted.rs"]
pub mod interrupted;
