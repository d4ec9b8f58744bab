//! A proof of what solutions a board has, with the names that the program has for its parts.

use super::rule_words::Words;
use ndscript_heap::Value;
use ndscript_machine::context::Context;
use ndscript_solver::proof::{Names, Prover};

/// Begins a proof of a board, which may take so many bytes.
///
/// # Errors
/// If it has no constraints, or one that nobody could check: in words.
pub fn prover(
    context: &Context,
    container: Value,
    seed: u64,
    most_bytes: usize,
) -> Result<Prover, String> {
    let board = context.heap.constrained(container);
    let board = board.ok_or("it has no constraints")?;
    let words = Words {
        context,
        container,
        board,
    };
    let solver = &context.heap.boards[board].solver;
    let names = Names {
        values: (0..solver.values() as u32)
            .map(|value| words.value(value))
            .collect(),
        places: (0..solver.places() as u32)
            .map(|place| words.place(place))
            .collect(),
        rules: (0..solver.constraints().len() as u32)
            .map(|rule| words.rule(rule))
            .collect(),
    };
    Prover::new(
        solver,
        &context.heap.givens(board),
        &names,
        seed,
        most_bytes,
    )
    .map_err(|refused| format!("{}: {}", words.rule(refused.rule), refused.why))
}
