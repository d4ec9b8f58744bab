//! Paths and regions of cells of a grid, and what counts leave for them.

mod connected;
mod cost_filtering;
mod cost_lower_bound;
mod count_slack;
mod cut;
mod depth;
mod path_search;
mod reachable;
mod region;
mod spanning;
mod vicinity;
mod witness;

pub use connected::Connected;
pub use cut::{Cut, Lost, Mark};
pub use reachable::Reachable;
pub use witness::Advice;
