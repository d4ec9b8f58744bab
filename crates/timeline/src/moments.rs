//! What there is to see at a moment of a run: places and what they hold, writes and events in words.

pub mod change;
pub mod drawn;
pub mod named;
pub mod narrowed;
pub mod place;
pub mod scene;
pub mod words;
