//! From tree to bytecode.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod assign;
mod assigned;
mod call;
mod check;
mod chosen_places;
mod commit;
mod condition;
mod doubts;
mod emit;
mod expression;
mod function;
mod given;
mod hoist;
mod literal;
mod meaning;
mod notes;
pub mod resolve;
mod scope;
mod statement;
mod top_level;

pub use emit::{Compiled, Unit, compile};
pub use meaning::Meaning;
