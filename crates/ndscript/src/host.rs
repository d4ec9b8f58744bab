//! What a host gives its programs: functions, constants, types, modules, tiles, and what they may not use.

pub mod allowed;
pub mod closures;
pub mod constants;
pub mod errand;
pub mod function;
pub mod host_type;
pub mod hosted;
pub mod method;
pub mod modules;
pub mod tile_access;
pub mod types;
pub mod waiting;
