//! What a search has been like, kept while it is watched, and going back in it: no terminal, no files.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod approach;
mod booklet;
pub mod causes;
mod change;
pub mod compare;
mod contents;
mod cutting;
mod dot;
mod drawn;
mod event_log;
mod failing_cells;
pub mod film;
mod following;
mod forks;
mod json;
pub mod line;
mod maps;
mod named;
mod narrator;
mod narrowed;
mod node;
mod page;
mod place;
pub mod profile;
mod puzzle;
mod scene;
mod search;
mod shape;
mod speedscope;
mod svg;
mod text;
pub mod tree;
mod walk;
mod why;
mod words;

pub use approach::Beyond;
pub use booklet::booklet;
pub use causes::Causes;
pub use change::Change;
pub use compare::Comparison;
pub use contents::Content;
pub use cutting::{Cutting, Reel, Showing, Still};
pub use event_log::{Counts, Kind};
pub use failing_cells::FailingCells;
pub use film::{Film, Shot, ShotKind};
pub use line::{Recorded, Timeline};
pub use maps::MapChange;
pub use narrowed::CannotNarrow;
pub use ndscript::When;
pub use node::{Ended, Node, Origin, State, Stop};
pub use page::MapLooks;
pub use place::{Key, Place, variable};
pub use profile::{Cost, FunctionCost, Profile, SearchCost};
pub use puzzle::{Layout, Puzzle, PuzzlePlace, PuzzleRule, PuzzleStep};
pub use scene::{
    CallShown, CellShown, ChoiceShown, Detail, GridShown, LineAt, NoAlternative, Scene, Variable,
};
pub use search::{Direction, Found, Search, Sought};
pub use tree::SearchTree;
pub use walk::{Goal, NoWay, Walk};
pub use why::{Link, NoReason, Reasoning, Reasons, Why};
pub use words::in_words;
