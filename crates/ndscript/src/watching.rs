//! Events of a run, for observers.

pub mod measure;
pub mod observer;
pub mod origins;
pub mod removal;
mod shown;
