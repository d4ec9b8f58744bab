//! Recordings of searches: what happened, why, and going back in them. No terminal, no files.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod booklet;
pub mod films;
mod moments;
mod puzzle;
pub mod reasons;
pub mod recording;
pub mod tree;

pub use booklet::booklet;
pub use films::contents::Content;
pub use films::cutting::{FilmOptions, FilmRenderer, Reel, Still};
pub use films::film::{Film, Shot, ShotKind};
pub use films::maps::MapChange;
pub use moments::change::Change;
pub use moments::narrowed::CannotNarrow;
pub use moments::place::{Key, Place, variable};
pub use moments::scene::{
    CallShown, CellShown, ChoiceShown, Detail, GridShown, LineAt, NoAlternative, Scene, Variable,
};
pub use moments::words::in_words;
pub use ndscript::When;
pub use puzzle::{Layout, Puzzle, PuzzlePlace, PuzzleRule, PuzzleStep};
pub use reasons::causes::Causes;
pub use reasons::failing_cells::FailingCells;
pub use reasons::profile::{Cost, FunctionCost, Profile, SearchCost};
pub use reasons::why::{Link, NoReason, Reasoning, Reasons, Why};
pub use recording::approach::Beyond;
pub use recording::event_log::{Counts, Kind};
pub use recording::line::{Recorded, Timeline};
pub use recording::search::{Direction, Found, Search, Sought};
pub use recording::walk::{Goal, NoWay, Walk};
pub use tree::SearchTree;
pub use tree::compare::Comparison;
pub use tree::node::{AlternativeEnd, Node, Origin, State, Stop};
pub use tree::page::MapLooks;
