//! Boards as puzzles for a person: steps to the solution, difficulty, clues, proofs.

mod chain_words;
mod clueing_work;
mod edge_words;
mod first_words;
mod pattern_words;
mod piece_words;
mod place_words;
pub mod proving;
mod region_words;
mod relation_words;
mod rule_words;
pub(crate) mod solving;
mod solving_work;
mod step_words;
mod sum_words;
mod table_words;
mod work_of_words;
