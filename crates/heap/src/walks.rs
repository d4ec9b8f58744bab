//! Walks over values that may be large: each can stop and resume.

pub mod brief;
pub mod compare;
pub mod copy;
pub mod freeze;
pub mod listing;
pub mod quoting;
pub mod search;
pub mod shell;
pub mod show;
pub mod sorting;
