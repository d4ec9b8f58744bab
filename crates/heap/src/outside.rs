//! Values outside of a run: as data of the host, through serde, and as the bytes of a saved run.

pub mod data;
pub mod parts;
mod saved;
mod saved_data;
pub mod saved_hosts;
#[cfg(feature = "serde")]
mod serde;
pub mod snapshot;
pub(crate) mod sound;
pub mod value_error;
