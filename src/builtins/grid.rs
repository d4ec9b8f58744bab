//! Grids: x counts columns from the left, y rows from the top, both from 0.

use super::grid_work::{Drawing, Filling, Gridding, Indexing, uneven};
use super::{Cost, Row, args};
use crate::value::budget::Budget;
use crate::value::listing::Listing;
use crate::value::value::MAX_COORDINATE;
use crate::value::{Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::{ErrorKind, Fault};

/// Checks a size and makes room for the cells.
fn room(context: &mut Context, width: usize, height: usize) -> Result<(u32, u32), Fault> {
    let most = MAX_COORDINATE as usize + 1;
    let cells = width.checked_mul(height).filter(|cells| *cells < u32::MAX as usize);
    match cells {
        Some(cells) if width <= most && height <= most => {
            context.reserve(cells * 8)?;
            Ok((width as u32, height as u32))
        }
        _ => Err(Fault::error(ErrorKind::Value, format!("a grid of {width} by {height} cells is too large"))),
    }
}

fn grid(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let rows = args::handle(context, "grid", "an array of rows", Kind::Array, arguments[0])?;
    context.perform(move |context| {
        let rows = context.heap.elements(rows).to_vec();
        context.charge(rows.len() / 8);
        if !rows.is_empty() {
            check_row(context, &rows, 0)?;
        }
        let width = rows.first().map_or(0, |row| context.heap.array_len(row.payload()));
        let size = room(context, width, rows.len())?;
        Ok(Gridding::new(rows, size, check_row))
    })
}

/// An error unless a row is an array as long as the first.
fn check_row(context: &mut Context, rows: &[Value], at: usize) -> Result<(), Fault> {
    let row = args::handle(context, "grid", "an array of rows that are arrays", Kind::Array, rows[at])?;
    let (length, width) = (context.heap.array_len(row), context.heap.array_len(rows[0].payload()));
    if length == width { Ok(()) } else { Err(uneven(at, length, width)) }
}

/// Refuses one value that can be changed for many cells: who changes it in one would change it in all.
fn not_shared(context: &Context, function: &str, value: Value) -> Result<(), Fault> {
    let what = match value.kind() {
        Kind::Array if !context.heap.arrays[value.payload()].frozen => "array",
        Kind::Object => "object",
        Kind::Queue => "queue",
        Kind::Grid => "grid",
        _ => return Ok(()),
    };
    let fault = Fault::error(ErrorKind::Value, format!("`{function}` would put the same {what} into every cell"));
    Err(fault.with_hint("give each cell its own: `foreach (p in positionsOf(g)) g[p] = ...;`"))
}

fn make_grid(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let mut sizes = [0; 2];
    for (size, argument) in sizes.iter_mut().zip(arguments) {
        let number = args::integer(context, "makeGrid", *argument)?;
        *size = usize::try_from(number).map_err(|_| {
            Fault::error(
                ErrorKind::Value,
                format!("the width and height of a grid must not be negative, as {number} is"),
            )
        })?;
    }
    let value = arguments[2];
    if sizes[0].saturating_mul(sizes[1]) > 1 {
        not_shared(context, "makeGrid", value)?;
    }
    context.perform_listing(
        move |context| {
            let (width, height) = room(context, sizes[0], sizes[1])?;
            Ok(Listing::of_same(value, width as usize * height as usize))
        },
        move |context, cells| Ok(context.heap.grid(sizes[0] as u32, sizes[1] as u32, cells)),
    )
}

fn grid_from_text(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::handle(context, "gridFromText", "a string", Kind::Text, arguments[0])?;
    let legend = match arguments.get(1) {
        Some(legend) => Some(args::object(context, "gridFromText", *legend)?),
        None => None,
    };
    let text = arguments[0];
    context.perform(move |_| Ok(Drawing::new(text, legend, room)))
}

fn width_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "widthOf", arguments[0])?;
    Ok(Value::size(context.heap.grids[grid].width as usize))
}

fn height_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "heightOf", arguments[0])?;
    Ok(Value::size(context.heap.grids[grid].height as usize))
}

fn positions_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::grid(context, "positionsOf", arguments[0])?;
    let grid = arguments[0];
    context.perform_array(move |context| context.list(grid))
}

fn in_grid(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (x, y) = args::position(context, "inGrid", arguments[0])?;
    let grid = args::grid(context, "inGrid", arguments[1])?;
    Ok(Value::boolean(context.heap.grids[grid].cell(x, y).is_some()))
}

/// The number of a row or column.
fn line(context: &Context, function: &str, what: &str, value: Value, count: u32) -> Result<usize, Fault> {
    let number = args::integer(context, function, value)?;
    if number < 0 || number >= count as i64 {
        return Err(Fault::error(
            ErrorKind::Index,
            format!("`{function}` got {number}, but the grid has no such {what}"),
        )
        .with_hint(format!("it has {count} {what}s, counted from 0")));
    }
    Ok(number as usize)
}

fn row_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "rowOf", arguments[0])?;
    let (width, height) = (context.heap.grids[grid].width as usize, context.heap.grids[grid].height);
    let y = line(context, "rowOf", "row", arguments[1], height)?;
    let cells = arguments[0];
    context.perform_array(move |_| Ok(Listing::of_slots(cells, y * width, 1, width)))
}

fn column_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "columnOf", arguments[0])?;
    let (width, height) = (context.heap.grids[grid].width, context.heap.grids[grid].height as usize);
    let x = line(context, "columnOf", "column", arguments[1], width)?;
    let cells = arguments[0];
    context.perform_array(move |_| Ok(Listing::of_slots(cells, x, width as usize, height)))
}

fn fill(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "fill", arguments[0])?;
    let (value, result) = (arguments[1], arguments[0]);
    if context.heap.constrained(result).is_some() {
        return context.assign_all_places(result, value);
    }
    if context.heap.grids[grid].slots.len() > 1 {
        not_shared(context, "fill", value)?;
    }
    context.perform(move |context| {
        let slots = &context.heap.grids[grid].slots;
        if !slots.is_fresh(context.heap.top) {
            // An entry of the trail and a stamp for every cell.
            context.reserve(slots.len() * 32)?;
        }
        Ok(Filling::new(result, value))
    })
}

/// A new array of those of some positions near one that lie inside a grid.
#[inline(always)]
fn near<const N: usize>(
    context: &mut Context,
    function: &str,
    arguments: &[Value],
    steps: [(i64, i64); N],
) -> Result<Value, Fault> {
    let (x, y) = args::position(context, function, arguments[0])?;
    let grid = args::grid(context, function, arguments[1])?;
    let grid = &context.heap.grids[grid];
    let (width, height) = (grid.width as u64, grid.height as u64);
    let mut inside = Vec::with_capacity(N);
    for (dx, dy) in steps {
        let (x, y) = (x + dx, y + dy);
        if (x as u64) < width && (y as u64) < height {
            inside.extend(Value::position(x, y));
        }
    }
    Ok(context.heap.array(inside))
}

fn neighbors_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    near(context, "neighborsOf", arguments, [(-1, 0), (1, 0), (0, -1), (0, 1)])
}

fn neighbors8_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let steps = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    near(context, "neighbors8Of", arguments, steps)
}

fn nonsingleton_positions_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::grid(context, "nonsingletonPositionsOf", arguments[0])?;
    undecided_positions(context, arguments[0])
}

/// The positions of the cells of a grid that are undecided.
pub(super) fn undecided_positions(context: &mut Context, grid: Value) -> Result<Value, Fault> {
    // Nearly always there is an index already.
    let mut budget = Budget::for_short(context.piece);
    if context.under_way.is_pending() || !context.heap.index_undecided(grid.payload(), &mut budget) {
        context.perform(move |_| Ok(Indexing { grid }))?;
    }
    context.charge(budget.steps());
    Ok(context.heap.undecided_positions(grid.payload()))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "grid",
        "rows",
        1,
        Some(1),
        grid,
        "A new grid of the cells in an array of equally long arrays.",
        ("grid([[1, 2, 3], [4, 5, 6]])", "grid 3x2"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "makeGrid",
        "width, height, value",
        3,
        Some(3),
        make_grid,
        "A new grid with the same value in every cell. What can be changed, such as an array, is refused: give each cell its own.",
        ("var g = makeGrid(3, 4, 0); g[2, 3]", "0"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "gridFromText",
        "text[, legend]",
        1,
        Some(2),
        grid_from_text,
        "A new grid with a row for each line and a cell for each character, or for what the legend gives for it.",
        ("rowOf(gridFromText(\"#.\", {\"#\": 1, \".\": 0}), 0)", "[1, 0]"),
    )
    .costing(Cost::Linear),
    Row::plain("widthOf", "grid", 1, Some(1), width_of, "The number of columns.", ("widthOf(makeGrid(3, 4, 0))", "3")),
    Row::plain("heightOf", "grid", 1, Some(1), height_of, "The number of rows.", ("heightOf(makeGrid(3, 4, 0))", "4")),
    Row::plain(
        "positionsOf",
        "grid",
        1,
        Some(1),
        positions_of,
        "The array of all positions, row by row.",
        ("positionsOf(makeGrid(2, 2, 0))", "[(0,0), (1,0), (0,1), (1,1)]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "inGrid",
        "position, grid",
        2,
        Some(2),
        in_grid,
        "Whether the position lies inside the grid.",
        ("inGrid(position(2, 0), makeGrid(2, 2, 0))", "false"),
    ),
    Row::plain(
        "rowOf",
        "grid, y",
        2,
        Some(2),
        row_of,
        "A new array of the cells of a row.",
        ("rowOf(grid([[1, 2], [3, 4]]), 1)", "[3, 4]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "columnOf",
        "grid, x",
        2,
        Some(2),
        column_of,
        "A new array of the cells of a column.",
        ("columnOf(grid([[1, 2], [3, 4]]), 1)", "[2, 4]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "fill",
        "grid, value",
        2,
        Some(2),
        fill,
        "Writes a value into every cell; returns the grid.",
        ("rowOf(fill(makeGrid(2, 2, 0), 7), 1)", "[7, 7]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "neighborsOf",
        "position, grid",
        2,
        Some(2),
        neighbors_of,
        "The array of the positions to the left, to the right, above and below that lie inside the grid.",
        ("neighborsOf(position(0, 0), makeGrid(2, 2, 0))", "[(1,0), (0,1)]"),
    )
    .returning_fresh(),
    Row::plain(
        "neighbors8Of",
        "position, grid",
        2,
        Some(2),
        neighbors8_of,
        "The array of the eight positions around this one, row by row, that lie inside the grid.",
        ("neighbors8Of(position(0, 0), makeGrid(2, 2, 0))", "[(1,0), (0,1), (1,1)]"),
    )
    .returning_fresh(),
    Row::plain(
        "nonsingletonPositionsOf",
        "grid",
        1,
        Some(1),
        nonsingleton_positions_of,
        "The array of the positions, row by row, of the cells that hold a set with not exactly one element.",
        ("nonsingletonPositionsOf(grid([[setOf(1, 2), setOf(1)], [setOf(), 5]]))", "[(0,0), (0,1)]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
];
