//! Grids: x counts columns from the left, y rows from the top, both from 0.

use super::grid_work::{FillGrid, GridFromRows, GridOfCopies, IndexUndecided, uneven};
use super::neighborhood::{check_neighborhood, neighbors_by};
use crate::formats::table_work::{FormatDetection, GridFromText};
use crate::{Cost, Row, args};
use ndscript_base::budget::Budget;
use ndscript_base::counted::counted;
use ndscript_bytecode::{Form, ResultKind};
use ndscript_heap::value::MAX_COORDINATE;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::NativeEffect;

/// Checks a size, and that the cells fit into memory.
fn check_size(context: &mut Context, width: usize, height: usize) -> Result<(u32, u32), Fault> {
    let most = MAX_COORDINATE as usize + 1;
    let cells = width
        .checked_mul(height)
        .filter(|cells| *cells < u32::MAX as usize);
    match cells {
        Some(cells) if width <= most && height <= most => {
            context.reserve(cells * 8)?;
            Ok((width as u32, height as u32))
        }
        _ => Err(Fault::error(
            ErrorKind::Value,
            format!("a grid of {width} by {height} cells is too large"),
        )),
    }
}

fn grid(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::handle(
        context,
        "grid",
        "an array of rows",
        Kind::Array,
        arguments[0],
    )?;
    let rows = arguments[0];
    context.perform(move |context| {
        Ok(GridFromRows::new(
            context.list(rows)?,
            check_row,
            check_size,
        ))
    })
}

/// An error unless a row is an array as long as the first.
fn check_row(context: &mut Context, rows: &[Value], at: usize) -> Result<(), Fault> {
    let row = args::handle(
        context,
        "grid",
        "an array of rows that are arrays",
        Kind::Array,
        rows[at],
    )?;
    let (length, width) = (
        context.heap.array_len(row),
        context.heap.array_len(rows[0].payload()),
    );
    if length == width {
        Ok(())
    } else {
        Err(uneven(at, length, width))
    }
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
    if GridOfCopies::is_needed(context, value) {
        return context.perform(move |context| {
            Ok(GridOfCopies::new(
                value,
                check_size(context, sizes[0], sizes[1])?,
            ))
        });
    }
    context.perform_listing(
        move |context| {
            let (width, height) = check_size(context, sizes[0], sizes[1])?;
            Ok(ListWalk::of_same(value, width as usize * height as usize))
        },
        move |context, cells| Ok(context.heap.grid(sizes[0] as u32, sizes[1] as u32, cells)),
    )
}

fn grid_from_text(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::handle(
        context,
        "gridFromText",
        "a string",
        Kind::Text,
        arguments[0],
    )?;
    let legend = match arguments.get(1) {
        Some(legend) => Some(args::object(context, "gridFromText", *legend)?),
        None => None,
    };
    let text = arguments[0];
    if let Some(file) = file_of(context.heap.as_str(text).unwrap_or_default()) {
        let message = format!("`gridFromText` wants rows of characters, but this text is {file}");
        return Err(Fault::error(ErrorKind::Value, message));
    }
    context.perform(move |_| {
        Ok(GridFromText::Detecting(
            FormatDetection::default(),
            text,
            legend,
            check_size,
        ))
    })
}

/// The format of a text that a program wrote for programs, and the function that reads it.
fn file_of(text: &str) -> Option<&'static str> {
    let blanks = ['\u{feff}', ' ', '\t', '\r', '\n'];
    let start = text.trim_start_matches(blanks);
    let mut most = start.len().min(1000);
    while !start.is_char_boundary(most) {
        most -= 1;
    }
    let head = &start[..most];
    if let Some(rest) = head.strip_prefix('{') {
        let is_object = rest.trim_start_matches(blanks).starts_with('"');
        if !is_object || !text.trim_end_matches(blanks).ends_with('}') {
            return None;
        }
        return Some("JSON: `readTiled` reads maps of Tiled, `readJson` anything else");
    }
    let is_markup = [
        "<?xml",
        "<!DOCTYPE",
        "<map ",
        "<map>",
        "<tileset ",
        "<set>",
        "<set ",
    ]
    .iter()
    .any(|tag| head.starts_with(tag));
    if !is_markup {
        return None;
    }
    match head.contains("<map") || head.contains("<tileset") {
        true => Some("a file of Tiled: `readTiled` reads it"),
        false => Some("XML: `readXml` reads it"),
    }
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
    Ok(Value::boolean(
        context.heap.grids[grid].cell(x, y).is_some(),
    ))
}

/// The number of a row or column.
fn line(
    context: &Context,
    function: &str,
    what: &str,
    value: Value,
    count: u32,
) -> Result<usize, Fault> {
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
    let (width, height) = (
        context.heap.grids[grid].width as usize,
        context.heap.grids[grid].height,
    );
    let y = line(context, "rowOf", "row", arguments[1], height)?;
    let cells = arguments[0];
    context.perform_array(move |_| Ok(ListWalk::of_slots(cells, y * width, 1, width)))
}

fn column_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "columnOf", arguments[0])?;
    let (width, height) = (
        context.heap.grids[grid].width,
        context.heap.grids[grid].height as usize,
    );
    let x = line(context, "columnOf", "column", arguments[1], width)?;
    let cells = arguments[0];
    context.perform_array(move |_| Ok(ListWalk::of_slots(cells, x, width as usize, height)))
}

fn fill(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "fill", arguments[0])?;
    let (value, result) = (arguments[1], arguments[0]);
    if context.heap.constrained(result).is_some() {
        return context.assign_all_places(result, value);
    }
    context.changed = Some(result);
    context.perform(move |context| {
        let slots = &context.heap.grids[grid].slots;
        if !slots.is_fresh(context.heap.serials.top) {
            // An entry of the trail and a stamp for every cell.
            context.reserve(slots.len() * 32)?;
        }
        Ok(FillGrid::new(result, value))
    })
}

/// A new array of those of some positions near one that are inside a grid.
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
    if arguments.len() > 2 {
        return neighbors_by(context, arguments);
    }
    near(
        context,
        "neighborsOf",
        arguments,
        [(-1, 0), (1, 0), (0, -1), (0, 1)],
    )
}

fn neighbors8_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let steps = [
        (-1, -1),
        (0, -1),
        (1, -1),
        (-1, 0),
        (1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
    ];
    near(context, "neighbors8Of", arguments, steps)
}

/// `__grid(g, name)`: an error in the name of a built-in unless `g` is a grid.
fn check_grid(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = args::text(context, "", arguments[1])?;
    args::grid(context, &name, arguments[0]).map(|_| Value::NULL)
}

/// `__inside(p, g, name)`: an error in the name of a built-in unless `g` is a grid and `p` a position in it.
fn check_inside(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = args::text(context, "", arguments[2])?;
    let grid = args::grid(context, &name, arguments[1])?;
    let (x, y) = args::position(context, &name, arguments[0])?;
    let grid = &context.heap.grids[grid];
    match grid.cell(x, y) {
        Some(_) => Ok(Value::NULL),
        None => {
            let size = format!(
                "{} and {}",
                counted(grid.width, "column"),
                counted(grid.height, "row")
            );
            let message = format!("`{name}` wants a position inside the grid, not ({x},{y})");
            Err(Fault::error(ErrorKind::Index, message).with_hint(format!(
                "the grid has {size}, counted from 0; `inGrid(p, g)` tells before"
            )))
        }
    }
}

fn nonsingleton_positions_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::grid(context, "nonsingletonPositionsOf", arguments[0])?;
    undecided_positions(context, arguments[0])
}

/// The positions of the cells of a grid that are undecided.
pub(crate) fn undecided_positions(context: &mut Context, grid: Value) -> Result<Value, Fault> {
    // Nearly always there is an index already.
    context.once_and_for_all(|context| {
        let mut budget = Budget::for_short(context.piece);
        if context.current_work.is_pending()
            || !context.heap.index_undecided(grid.payload(), &mut budget)
        {
            context.perform(move |_| Ok(IndexUndecided { grid }))?;
        }
        context.charge(budget.steps());
        Ok(())
    })?;
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
    ).with_effect(NativeEffect::LaysOut).giving(ResultKind::Grid)
    .costing(Cost::Linear),
    Row::plain(
        "makeGrid",
        "width, height, value",
        3,
        Some(3),
        make_grid,
        "A new grid with the same value in every cell. Of an array, an object, a queue or a grid, every cell but the \
         first gets a copy of its own.",
        ("var g = makeGrid(2, 1, []); push(g[0, 0], 7); [g[0, 0], g[1, 0]]", "[[7], []]"),
    ).giving(ResultKind::Grid).with_form(Form::MakeGrid)
    .costing(Cost::Linear),
    Row::plain(
        "gridFromText",
        "text[, legend]",
        1,
        Some(2),
        grid_from_text,
        "A new grid with a row for each line and a cell for each character, or for what the legend gives for it. Of a table of numbers \
         with commas between them, as Tiled writes layers, a cell for each number.",
        ("rowOf(gridFromText(\"#.\", {\"#\": 1, \".\": 0}), 0)", "[1, 0]"),
    ).giving(ResultKind::Grid)
    .costing(Cost::Linear),
    Row::plain("widthOf", "grid", 1, Some(1), width_of, "The number of columns.", ("widthOf(makeGrid(3, 4, 0))", "3")).with_effect(NativeEffect::LooksAtShape).giving(ResultKind::Number),
    Row::plain("heightOf", "grid", 1, Some(1), height_of, "The number of rows.", ("heightOf(makeGrid(3, 4, 0))", "4")).with_effect(NativeEffect::LooksAtShape).giving(ResultKind::Number),
    Row::plain(
        "positionsOf",
        "grid",
        1,
        Some(1),
        positions_of,
        "The array of all positions, row by row.",
        ("positionsOf(makeGrid(2, 2, 0))", "[(0,0), (1,0), (0,1), (1,1)]"),
    ).with_effect(NativeEffect::LooksAtShape).giving(ResultKind::Array)
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
    ).with_effect(NativeEffect::LooksAtShape),
    Row::plain(
        "rowOf",
        "grid, y",
        2,
        Some(2),
        row_of,
        "A new array of the cells of a row.",
        ("rowOf(grid([[1, 2], [3, 4]]), 1)", "[3, 4]"),
    ).with_effect(NativeEffect::Row)
    .listing_line("p.y == 0")
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
    ).with_effect(NativeEffect::Column)
    .listing_line("p.x == 0")
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
    ).with_effect(NativeEffect::Fills)
    .costing(Cost::Linear),
    Row::plain(
        "neighborsOf",
        "position, grid[, options]",
        2,
        Some(3),
        neighbors_of,
        "The array of the positions to the left, to the right, above and below that lie inside the grid. Options: `wrap`, by \
         which the grid goes on at its other side, and `diagonal`, by which all eight around are neighbors, row by row.",
        ("neighborsOf(position(0, 0), makeGrid(2, 2, 0))", "[(1,0), (0,1)]"),
    ).with_effect(NativeEffect::LooksAtShape).giving(ResultKind::Array).with_form(Form::Neighbors)
    .returning_fresh(),
    Row::plain(
        "neighbors8Of",
        "position, grid",
        2,
        Some(2),
        neighbors8_of,
        "The array of the eight positions around this one, row by row, that lie inside the grid.",
        ("neighbors8Of(position(0, 0), makeGrid(2, 2, 0))", "[(1,0), (0,1), (1,1)]"),
    ).with_effect(NativeEffect::LooksAtShape).giving(ResultKind::Array).with_form(Form::Neighbors8)
    .returning_fresh(),
    Row::plain(
        "nonsingletonPositionsOf",
        "grid",
        1,
        Some(1),
        nonsingleton_positions_of,
        "The array of the positions, row by row, of the cells that hold a set with not exactly one element.",
        ("nonsingletonPositionsOf(grid([[setOf(1, 2), setOf(1)], [setOf(), 5]]))", "[(0,0), (0,1)]"),
    ).with_effect(NativeEffect::FindsPlaces).listing_undecided()
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::script(
        "mapGrid",
        "grid, f",
        &[(2, "mapGrid")],
        "A new grid of the results of `f(value, position)`, called for every cell, row by row. A function of one parameter \
         gets the value alone.",
        ("rowOf(mapGrid(grid([[1, 2], [3, 4]]), (v, p) => v * 10 + p.x), 1)", "[30, 41]"),
    ).giving(ResultKind::Grid).with_form(Form::Map)
    .costing(Cost::Calls),
    Row::script(
        "floodFill",
        "grid, start, test[, options]",
        &[(3, "floodFill"), (4, "floodFillBy")],
        "The set of the positions that can be reached from `start`, left, right, up and down, by positions for which \
         `test(position)` is true, itself included. The test may also be the value that the cells hold (of a decided board: \
         give `decided(g)`), or a set of such \
         values. Empty if `start` does not pass. Options: `wrap` and `diagonal` as in `neighborsOf`; or `neighbors`, a function \
         from a position to those next to it.",
        ("floodFill(gridFromText(\"..#.\"), position(0, 0), \".\")", "{(0,0), (1,0)}"),
    ).looking_for(2, 0).giving(ResultKind::Set)
    .costing(Cost::Calls),
    Row::script(
        "shortestPath",
        "grid, from, to, test[, options]",
        &[(4, "shortestPath"), (5, "shortestPathBy")],
        "The array of the positions of a shortest way, both ends included, left, right, up and down; null if there is \
         none. All of them pass the test: `test(position)` is true, or the cell holds that value, or one of that set. Options \
         are those of `floodFill`.",
        ("let g = gridFromText(\".#.\\n...\"); shortestPath(g, position(0, 0), position(2, 0), p => g[p] != \"#\")",
         "[(0,0), (0,1), (1,1), (2,1), (2,0)]"),
    ).looking_for(3, 0)
    .costing(Cost::Calls),
    Row::plain("__grid", "", 2, Some(2), check_grid, "", ("", "")),
    Row::plain("__inside", "", 3, Some(3), check_inside, "", ("", "")),
    Row::plain(
        "__neighborhood",
        "",
        2,
        Some(2),
        check_neighborhood,
        "",
        ("", ""),
    ),
];
