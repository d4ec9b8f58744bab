//! Puzzles with their solutions as a page for print.

mod page;
mod picture;
mod rules;

pub use page::booklet;
