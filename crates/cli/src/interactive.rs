//! Commands that a person or an editor talks with until they are told to end.

pub mod dap;
pub mod debug;
pub mod lsp;
mod messages;
pub mod play;
pub mod repl;
pub mod watch;
