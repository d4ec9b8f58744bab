//! What may stand on the command line, and what it means.

pub mod command;
pub mod command_line;
pub mod limits;
pub mod options;
pub mod params;
pub mod search_options;
pub mod seed;
