//! From tree to bytecode.

mod assign;
mod call;
mod condition;
mod emit;
mod expression;
mod function;
pub mod resolve;
mod scope;
mod statement;

pub use emit::{Unit, compile};
