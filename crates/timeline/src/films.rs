//! How a grid came to be: what its cells could hold at each moment, as maps and films.

pub(crate) mod contents;
pub(crate) mod cutting;
pub mod film;
mod grid_tracker;
pub(crate) mod maps;
