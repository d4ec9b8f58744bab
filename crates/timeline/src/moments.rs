//! A run at a moment: places and their values, writes and events in words.

pub mod change;
pub mod drawn;
pub mod named;
pub mod narrowed;
pub mod place;
pub mod scene;
pub mod words;
