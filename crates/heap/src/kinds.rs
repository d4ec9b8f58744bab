//! Kinds of objects, a file each. Sets and relations have a folder of their own.

pub mod array;
pub mod function;
pub mod grid;
pub mod growing;
pub mod hosted;
pub mod object;
pub mod queue;
pub mod text;
pub mod undecided;
