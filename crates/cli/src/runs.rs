//! Runs as the commands need them: watched, at their first solution, stopped, and what they took or failed at.

pub mod account;
pub mod clock;
pub mod dead_ends;
pub mod failing;
pub mod solved;
pub mod standing;
pub mod stats;
pub mod stopped;
pub mod unfinished;
pub mod watched;
