//! Pictures of grids, and grids as text.

mod aligning;
mod label;
mod legend;
pub mod picture;
mod picture_work;
