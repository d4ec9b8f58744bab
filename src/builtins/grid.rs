//! Grids: x counts columns from the left, y rows from the top, both from 0.

use rustc_hash::FxHashMap;

use super::{Cost, Row, args};
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
            context.charge(cells / 8);
            Ok((width as u32, height as u32))
        }
        _ => Err(Fault::error(ErrorKind::Value, format!("a grid of {width} by {height} cells is too large"))),
    }
}

fn uneven(row: usize, length: usize, width: usize) -> Fault {
    Fault::error(
        ErrorKind::Value,
        format!("the rows of a grid must be equally long, but row {row} has {length} cells and row 0 has {width}"),
    )
}

fn grid(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let rows = args::handle(context, "grid", "an array of rows", Kind::Array, arguments[0])?;
    context.reserve(context.heap.array_len(rows) * 8)?;
    let rows = context.heap.elements(rows).to_vec();
    let mut width = None;
    for (at, row) in rows.iter().enumerate() {
        let row = args::handle(context, "grid", "an array of rows that are arrays", Kind::Array, *row)?;
        let length = context.heap.array_len(row);
        let width = *width.get_or_insert(length);
        if length != width {
            return Err(uneven(at, length, width));
        }
    }
    let (width, height) = room(context, width.unwrap_or(0), rows.len())?;
    let mut cells = Vec::with_capacity(width as usize * height as usize);
    for row in rows {
        cells.extend_from_slice(context.heap.elements(row.payload()));
    }
    Ok(context.heap.grid(width, height, cells))
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
    let (width, height) = room(context, sizes[0], sizes[1])?;
    Ok(context.heap.grid(width, height, vec![arguments[2]; width as usize * height as usize]))
}

/// The rows of a text. Blank lines at both ends are dropped, but one of spaces that is as long as the rows is a row.
fn rows_of(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let is_blank = |line: &&str| line.trim().is_empty();
    let width = lines.iter().find(|line| !is_blank(line)).map_or(0, |line| line.chars().count());
    let is_row = |line: &&str| !is_blank(line) || (!line.is_empty() && line.chars().count() == width);
    match (lines.iter().position(&is_row), lines.iter().rposition(is_row)) {
        (Some(first), Some(last)) => lines[first..=last].to_vec(),
        _ => Vec::new(),
    }
}

fn grid_from_text(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = args::text(context, "gridFromText", arguments[0])?;
    let legend = match arguments.get(1) {
        Some(legend) => Some(args::object(context, "gridFromText", *legend)?),
        None => None,
    };
    let rows = rows_of(&text);
    let width = rows.first().map_or(0, |row| row.chars().count());
    for (at, row) in rows.iter().enumerate() {
        let length = row.chars().count();
        if length != width {
            return Err(uneven(at, length, width));
        }
    }
    let (width, height) = room(context, width, rows.len())?;
    context.charge(text.len());
    let mut cells = Vec::with_capacity(width as usize * height as usize);
    let mut met: FxHashMap<char, Value> = FxHashMap::default();
    for (y, row) in rows.iter().enumerate() {
        for (x, character) in row.chars().enumerate() {
            let value = match met.get(&character) {
                Some(value) => *value,
                None => {
                    let key = context.heap.text(character.encode_utf8(&mut [0; 4]));
                    let value = match legend {
                        Some(legend) => context.heap.objects[legend].get(key).ok_or_else(|| {
                            let message = format!("the legend has no {} for the cell ({x},{y})", context.brief(key));
                            Fault::error(ErrorKind::Value, message).with_hint(
                                "the legend is an object that gives the value for every character of the text",
                            )
                        })?,
                        None => key,
                    };
                    met.insert(character, value);
                    value
                }
            };
            cells.push(value);
        }
    }
    Ok(context.heap.grid(width, height, cells))
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
    let positions = args::collection(context, "positionsOf", arguments[0])?;
    Ok(context.heap.array(positions))
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
    context.reserve(width * 8)?;
    context.charge(width / 8);
    let row = context.heap.grids[grid].slots.values()[y * width..(y + 1) * width].to_vec();
    Ok(context.heap.array(row))
}

fn column_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "columnOf", arguments[0])?;
    let (width, height) = (context.heap.grids[grid].width, context.heap.grids[grid].height as usize);
    let x = line(context, "columnOf", "column", arguments[1], width)?;
    context.reserve(height * 8)?;
    context.charge(height / 4);
    let column = context.heap.grids[grid].slots.values().iter().skip(x).step_by(width as usize).copied().collect();
    Ok(context.heap.array(column))
}

fn fill(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "fill", arguments[0])?;
    let slots = &context.heap.grids[grid].slots;
    let cells = slots.len();
    if !slots.is_fresh(context.heap.top) {
        // An entry of the trail and a stamp for every cell.
        context.reserve(cells * 32)?;
    }
    context.charge(cells / 2);
    for cell in 0..cells {
        context.heap.set_cell(grid, cell, arguments[1]);
    }
    Ok(arguments[0])
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
    let grid = args::grid(context, "nonsingletonPositionsOf", arguments[0])?;
    let (positions, looked_at) = context.heap.undecided_positions(grid);
    context.charge(looked_at / 4);
    Ok(positions)
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
        "A new grid with the same value in every cell.",
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
