//! What the host of a run sets, calls and inspects.

pub mod alternatives;
pub mod brief_value;
pub mod global;
pub mod handover;
pub mod host_call;
pub mod hosted;
pub mod inputs;
pub mod inspect;
pub mod output;
pub mod parameter;
pub mod profile;
pub mod record;
pub mod roots;
pub mod variables;
pub mod when;
