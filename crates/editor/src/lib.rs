//! What editors need of the language: the formatter, a function from text to text, and the language server, a function from
//! messages to messages. No file, clock or terminal is touched here; `ndscript fmt` and `ndscript lsp` do that.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub(crate) mod format;
mod host;
mod outline;
mod server;
mod store;
mod text;

pub use format::{FormatError, format};
pub use host::{HostError, engine_of};
pub use server::Server;
pub use store::{Files, NoFiles};
