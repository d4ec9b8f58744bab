//! Guessing and going back: choice points, failures, the searches inside a search, draws.

pub mod alternative;
pub mod barrier;
mod best;
pub mod choices;
pub mod fail;
pub(crate) mod guesses;
pub mod learning;
pub mod minimize;
pub mod restarts;
pub mod shuffle;
pub mod visits;
pub mod weighted;
