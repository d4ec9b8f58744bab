//! From text to tree: lexer, grammar, and errors in words.

pub mod ast;
mod brackets;
mod build;
mod grammar;
pub mod highlight;
mod lexer;
mod parse;
pub mod parts;
mod repair;
mod syntax_error;
mod token;

pub(crate) use parse::limited;
pub use parse::{is_unfinished, parse};
pub use token::KEYWORDS;
