//! Sessions of a client: what it is told at each stop is what a run shows that was stopped there by itself.

mod client;
mod disorder;
mod forward_and_back;
mod looking;
mod narrowing;
mod pictures;
mod stopping;
