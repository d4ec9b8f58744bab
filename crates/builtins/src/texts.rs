//! Strings: parts, searches, patterns.

mod padding;
pub mod regular;
pub mod text;
mod text_pattern;
pub mod text_search;
mod text_work;
