//! Sets and relations, which never change: made, compared, joined, remembered.

pub mod difference;
pub mod memo;
pub mod relation;
pub mod set;
pub mod set_making;
pub mod set_operation;
pub mod treap;
