//! The REPL: programs that grow by inputs, and the command driven through a real terminal.

#[cfg(unix)]
#[path = "repl/commands.rs"]
mod commands;
#[cfg(unix)]
#[path = "repl/debugging.rs"]
mod debugging;
#[path = "repl/growing.rs"]
mod growing;
#[cfg(unix)]
#[path = "repl/playing.rs"]
mod playing;
#[cfg(unix)]
#[path = "repl/terminal.rs"]
mod terminal;
#[cfg(unix)]
#[path = "repl/typing.rs"]
mod typing;
#[cfg(unix)]
#[path = "repl/watching.rs"]
mod watching;
