//! What a search has been like, kept while it is watched: no terminal, no files.

pub mod causes;
mod dot;
pub mod film;
mod json;
mod page;
mod shape;
mod svg;
mod text;
pub mod tree;

pub use causes::Causes;
pub use film::{Content, Film, Shot, ShotKind};
pub use tree::{Node, SearchTree, State};
