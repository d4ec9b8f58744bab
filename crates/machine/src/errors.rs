//! Errors for people, with their place and the calls that led there, and where a run failed.

pub mod error;
pub(crate) mod failures;
mod message;
pub(crate) mod shorten;
pub mod trace;
