//! Interactive commands, for people and editors.

pub mod dap;
pub mod debug;
pub mod lsp;
mod messages;
pub mod play;
pub mod repl;
pub mod watch;
