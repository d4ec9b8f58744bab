//! Interactive commands, for people and editors.

pub mod dap;
pub mod debug;
pub mod lsp;
pub mod play;
pub mod repl;
pub mod watch;
