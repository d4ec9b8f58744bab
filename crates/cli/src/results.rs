//! Results, in the forms that people and tools read.

pub mod booklet;
pub mod finding;
pub mod junit;
pub mod output;
mod page;
pub mod sarif;
pub mod solution_steps;
pub mod test_result;
pub mod tiled;
