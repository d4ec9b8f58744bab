//! Constraints on boards: from the arguments of a call to what the solver posts.

mod automaton_work;
pub(crate) mod combined;
pub mod constraint;
mod constraint_work;
pub(crate) mod counting;
mod either_work;
mod lexicographic_work;
pub mod logic;
mod missing;
pub mod network;
mod network_work;
mod ordering_work;
mod pattern_work;
pub(crate) mod place;
mod region_sizes;
pub mod sum_work;
mod tuples_work;
