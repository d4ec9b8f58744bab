//! The REPL: programs that grow by inputs, and the command driven through a real terminal.

#[path = "repl/growing.rs"]
mod growing;
