//! What editors need of the language: the formatter, a function from text to text. No file, clock or terminal is
//! touched here; `ndscript fmt` does that.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod format;

pub use format::{FormatError, format};
