//! From text to tree: lexer, grammar, and errors in words.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod ast;
mod brackets;
mod build;
mod changed;
pub mod foreign;
mod grammar;
pub mod highlight;
mod lexer;
mod parse;
pub mod parts;
mod repair;
mod shift;
mod syntax_error;
mod token;

pub use changed::{TextRead, read_changed};
pub use parse::limited;
pub use parse::{is_unfinished, parse, read};
pub use token::KEYWORDS;
