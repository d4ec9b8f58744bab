//! What a run tells whoever looks on while it runs.

pub mod measure;
pub mod observer;
pub mod origins;
pub mod removal;
mod shown;
