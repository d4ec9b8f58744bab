//! A proof of the solutions of a board, with the program's names for its parts.

use super::first_words::FirstKnown;
use super::rule_words::BoardPhrases;
use ndscript_base::keyed::KeyedMap;
use ndscript_heap::Value;
use ndscript_machine::natives::context::{Context, Refused};
use ndscript_solver::proof::{Names, Prover};

/// The names of the places that are under no rule and could hold several values.
pub fn free_places(context: &Context, container: Value) -> Vec<String> {
    let Some(board) = context.heap.constrained(container) else {
        return Vec::new();
    };
    let words = BoardPhrases {
        context,
        container,
        board,
        first: &FirstKnown::default(),
        sentences: &KeyedMap::default(),
    };
    let free = context.heap.free_places(board);
    free.into_iter().map(|place| words.place(place)).collect()
}

/// Begins a proof of a board, which may take `bytes` bytes.
///
/// # Errors
/// If it has no constraints, or one that cannot be checked: in words.
pub fn prover(
    context: &Context,
    container: Value,
    seed: u64,
    most_bytes: usize,
) -> Result<Prover, String> {
    let refused = context.refused.latest.as_deref();
    if let Some(refused) = refused.filter(|refused| refused.container == container) {
        return of_refused(context, refused, seed, most_bytes);
    }
    let board = context.heap.constrained(container);
    let board = board.ok_or("it has no constraints")?;
    let (first, _) = FirstKnown::of(context, board);
    let words = BoardPhrases {
        context,
        container,
        board,
        first: &first,
        sentences: &KeyedMap::default(),
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

/// The prover for a board with the constraint that could not hold on it.
fn of_refused(
    context: &Context,
    refused: &Refused,
    seed: u64,
    most_bytes: usize,
) -> Result<Prover, String> {
    let solver = &refused.solver;
    let place = |place| context.words(context.name_of_place(refused.container, place));
    let name = |rule: &std::sync::Arc<ndscript_solver::Constraint>| rule.name().to_string();
    let names = Names {
        values: refused.values.clone(),
        places: (0..solver.places()).map(place).collect(),
        rules: solver.constraints().iter().map(name).collect(),
    };
    Prover::new(solver, &refused.givens, &names, seed, most_bytes)
        .map_err(|refused| format!("{}: {}", names.rules[refused.rule as usize], refused.why))
}
