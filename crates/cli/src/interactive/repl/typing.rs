//! Lines as they are typed: the editor with its colours and completions, and the commands.

pub mod command;
mod complete;
pub mod editor;
pub mod pager;
mod paint;
