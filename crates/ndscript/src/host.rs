//! The host's side of programs: functions, constants, types, modules, tiles, and the built-ins that are not allowed.

pub mod allowed;
pub mod callback;
pub mod choices;
pub mod closures;
pub mod constants;
pub mod function;
pub mod host_type;
pub mod hosted;
pub mod method;
pub mod modules;
pub mod tile_access;
pub mod types;
pub mod waiting;
