//! Boards as puzzles for a person: steps to the solution, difficulty, clues, proofs.

mod clueing_work;
pub mod proving;
mod rule_words;
pub(crate) mod solving;
mod solving_work;
