//! Grids, positions, neighborhoods, and what is learned from a sample.

pub mod grid;
pub(crate) mod grid_work;
mod neighborhood;
pub mod position;
pub mod sample;
