//! Commands that do their work and end: a file each, named as the command.

pub mod animate;
mod batch;
pub mod check;
pub mod doc;
pub mod explain;
pub mod fmt;
pub mod hint;
pub mod manual;
pub mod new;
pub mod profile;
pub mod resume;
pub mod run;
pub mod solve;
pub mod test;
pub mod tiles;
pub mod trace;
pub mod tree;
pub mod verify;
pub mod why;
