//! A recorded run, and going to any moment of it.

pub(crate) mod approach;
pub(crate) mod event_log;
mod forks;
pub mod line;
pub(crate) mod search;
pub(crate) mod walk;
