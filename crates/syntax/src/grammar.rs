//! The parser that LALRPOP makes of `crates/syntax/grammar/ndscript.lalrpop`.

#![allow(clippy::all, clippy::pedantic, dead_code, unused, missing_docs)]

include!("parser.rs");
