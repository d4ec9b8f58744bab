//! Typing lines: the editor with its colors and completions, and the commands.

pub mod command;
mod complete;
pub mod editor;
pub mod pager;
mod paint;
