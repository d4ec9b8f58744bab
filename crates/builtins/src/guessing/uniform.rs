//! Narrow boards of which all solutions can be counted, and one of them drawn.

use super::uniform_work::{Uniform, Wants};
use crate::{Cost, Row, args};
use ndscript_heap::Value;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;

fn number_of_solutions(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::grid(context, "numberOfSolutions", arguments[0])?;
    context.perform(|context| Uniform::new(context, arguments[0], Wants::Number))
}

/// `__uniformSolution(b)`: the values of a solution by place, or null if there is none.
fn uniform_solution(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::grid(context, "uniformSolution", arguments[0])?;
    context.perform(|context| Uniform::new(context, arguments[0], Wants::Solution))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "numberOfSolutions",
        "g",
        1,
        Some(1),
        number_of_solutions,
        "In how many ways a grid can be decided whose constraints are `adjacent` (without `wrap`), `connected` (without options), \
         `atLeast`, `atMost` and `exactly`: exactly, however large the number is, as a text of digits. For narrow grids, up to about a dozen cells on \
         one side and few values; the other side may be long.",
        ("numberOfSolutions(adjacent(makeGrid(4, 40, setOf(0, 1)), (a, b) => a + b < 2))", "420802963205823680761001196358"),
    )
    .costing(Cost::Linear),
    Row::script(
        "uniformSolution",
        "g",
        &[(1, "uniformSolution")],
        "Decides such a grid by a draw, in which each of its solutions has the very same chance, and returns it; fails if there \
         is none. A failure later on does not try another one. It keeps all that `numberOfSolutions` looks at, cell by cell, so a \
         count over a long grid may take more memory than a run has.",
        ("uniformSolution(exactly(makeGrid(2, 1, setOf(0, 1)), 2, 1))[0, 0]", "{1}"),
    )
    .costing(Cost::Search),
    Row::plain("__uniformSolution", "", 1, Some(1), uniform_solution, "", ("", "")),
];
