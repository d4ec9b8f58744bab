//! Values of a run in the hands of its host: handles, views, and Rust's own types in and out.

pub mod convert;
mod convert_collections;
mod handles;
pub mod path;
mod reading;
#[cfg(feature = "serde")]
pub mod serde;
pub mod value;
pub mod view;
