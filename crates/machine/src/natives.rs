//! Built-ins as the machine sees them: what they can access, their descriptions, and those that only the machine can
//! carry out.

pub mod context;
pub mod control;
mod due_functions;
pub mod effect;
pub mod native;
