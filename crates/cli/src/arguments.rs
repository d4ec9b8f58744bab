//! The command line: its options, and what they mean.

pub mod command;
pub mod command_line;
pub mod limits;
pub mod options;
pub mod params;
pub mod search_options;
pub mod seed;
