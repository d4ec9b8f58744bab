//! Boards as puzzles for a person: steps to the solution, difficulty, clues, proofs.

mod clueing_work;
mod place_words;
pub mod proving;
mod rule_words;
pub(crate) mod solving;
mod solving_work;
mod step_words;
