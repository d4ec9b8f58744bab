//! The common parts of all crates of NDScript: sources and their positions, messages, limits, the random generator, the
//! bytes of saves, budgets of work, and descriptions of pictures and tiles.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod budget;
#[macro_use]
pub mod codec;
pub mod counted;
pub mod diagnostics;
pub mod keyed;
pub mod letters;
pub mod limits;
pub mod luby;
pub mod markup;
pub mod picture;
pub mod rng;
pub mod room;
mod sides;
pub mod source;
pub mod spelling;
pub mod tiles;
