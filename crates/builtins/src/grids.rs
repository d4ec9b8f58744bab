//! Grids, positions, neighborhoods, and learning from samples.

pub mod grid;
pub(crate) mod grid_work;
mod neighborhood;
pub mod position;
pub mod sample;
