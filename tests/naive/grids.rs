//! Positions and grids.

use super::interpreter::{ErrorName, Interpreter, Result, boolean, error, type_error};
use super::numbers;
use super::order::{DeepCopy, equal};
use super::targets::position_in;
use super::value::Value;

pub fn call(i: &mut Interpreter, name: &str, arguments: &[Value]) -> Option<Result<Value>> {
    Some(match (name, arguments) {
        ("position", [x, y]) => numbers::integer(x)
            .and_then(|x| numbers::integer(y).and_then(|y| numbers::position(x, y))),
        ("distance", [Value::Position(ax, ay), Value::Position(bx, by)]) => {
            numbers::whole(((ax - bx).abs() + (ay - by).abs()) as f64)
        }
        ("grid", [rows]) => grid(i, rows),
        ("makeGrid", [width, height, value]) => make_grid(i, width, height, value),
        ("widthOf", [Value::Grid(id)]) => Ok(Value::Number(i.state.grid(*id).0 as f64)),
        ("heightOf", [Value::Grid(id)]) => Ok(Value::Number(i.state.grid(*id).1 as f64)),
        ("positionsOf", [Value::Grid(id)]) => {
            let positions = positions(i, *id, |_| true);
            Ok(i.state.new_array(positions))
        }
        ("nonsingletonPositionsOf", [Value::Grid(id)]) => {
            let positions = positions(
                i,
                *id,
                |cell| matches!(cell, Value::Set(set) if set.len() != 1),
            );
            Ok(i.state.new_array(positions))
        }
        ("inGrid", [Value::Position(x, y), Value::Grid(id)]) => {
            Ok(Value::Boolean(inside(i, *id, *x, *y)))
        }
        ("rowOf", [Value::Grid(id), y]) => {
            let (width, height, cells) = i.state.grid(*id);
            let cells = cells.clone();
            position_in(y, height).map(|y| {
                i.state
                    .new_array(cells[y * width..(y + 1) * width].to_vec())
            })
        }
        ("columnOf", [Value::Grid(id), x]) => {
            let (width, height, cells) = i.state.grid(*id);
            let cells = cells.clone();
            position_in(x, width).map(|x| {
                let column = (0..height).map(|y| cells[y * width + x].clone()).collect();
                i.state.new_array(column)
            })
        }
        ("valuesOf", [Value::Grid(id)]) => {
            let cells = i.state.grid(*id).2.clone();
            Ok(i.state.new_array(cells))
        }
        ("mapGrid", [Value::Grid(id), f]) => map_grid(i, *id, f),
        ("floodFill", [Value::Grid(id), start, test]) => {
            let reached = reached(i, *id, start, test, None);
            reached.and_then(|reached| {
                i.new_set(
                    &reached
                        .into_iter()
                        .map(|(at, _)| at)
                        .collect::<Vec<Value>>(),
                )
            })
        }
        ("shortestPath", [Value::Grid(id), from, to, test]) => {
            shortest_path(i, *id, from, to, test)
        }
        ("fill", [Value::Grid(id), value]) => {
            i.state.cells_mut(*id).fill(value.clone());
            Ok(arguments[0].clone())
        }
        ("neighborsOf", [Value::Position(x, y), Value::Grid(id)]) => Ok(neighbors(
            i,
            *id,
            *x,
            *y,
            &[(-1, 0), (1, 0), (0, -1), (0, 1)],
        )),
        ("neighbors8Of", [Value::Position(x, y), Value::Grid(id)]) => {
            let around = [
                (-1, -1),
                (0, -1),
                (1, -1),
                (-1, 0),
                (1, 0),
                (-1, 1),
                (0, 1),
                (1, 1),
            ];
            Ok(neighbors(i, *id, *x, *y, &around))
        }
        _ => return None,
    })
}

fn grid(i: &mut Interpreter, rows: &Value) -> Result<Value> {
    let Some(rows) = i.state.elements(rows) else {
        return type_error("an array of rows", rows);
    };
    let mut width = None;
    let mut cells = Vec::new();
    for row in &rows {
        let Some(row) = i.state.elements(row) else {
            return type_error("a row", row);
        };
        if width.is_some_and(|width| width != row.len()) {
            return error(ErrorName::Value, "rows of different lengths");
        }
        width = Some(row.len());
        cells.extend(row);
    }
    Ok(i.state.new_grid(width.unwrap_or(0), rows.len(), cells))
}

fn make_grid(i: &mut Interpreter, width: &Value, height: &Value, value: &Value) -> Result<Value> {
    let (width, height) = (numbers::integer(width)?, numbers::integer(height)?);
    if width < 0 || height < 0 {
        return error(ErrorName::Value, "a negative size");
    }
    i.charge((width * height) as usize)?;
    let (width, height) = (width as usize, height as usize);
    let mut cells = vec![value.clone(); width * height];
    if matches!(
        value,
        Value::Array(_) | Value::Object(_) | Value::Queue(_) | Value::Grid(_)
    ) {
        for cell in cells.iter_mut().skip(1) {
            let from = i.state.clone();
            *cell = DeepCopy::of_data(&from, &mut i.state).copy(value);
        }
    }
    Ok(i.state.new_grid(width, height, cells))
}

fn map_grid(i: &mut Interpreter, grid: usize, function: &Value) -> Result<Value> {
    let (width, height, cells) = i.state.grid(grid);
    let mut results = Vec::new();
    for (cell, position) in cells.clone().into_iter().zip(positions(i, grid, |_| true)) {
        results.push(i.call(function, vec![cell, position])?);
    }
    Ok(i.state.new_grid(width, height, results))
}

/// The positions that pass a test and can be reached, nearest first, each with the number of the one before it. The
/// search ends when the last one that is wanted is found.
fn reached(
    i: &mut Interpreter,
    grid: usize,
    start: &Value,
    test: &Value,
    wanted: Option<&Value>,
) -> Result<Vec<(Value, usize)>> {
    let Value::Position(x, y) = *start else {
        return type_error("a position", start);
    };
    if !inside(i, grid, x, y) {
        return error(ErrorName::Index, "a position outside the grid");
    }
    let values = match test {
        Value::Function(_) | Value::Native(_) => None,
        Value::Set(_) => Some(test.clone()),
        _ => Some(i.new_set(std::slice::from_ref(test))?),
    };
    let passes = |i: &mut Interpreter, at: &Value| match (&values, at) {
        (Some(Value::Set(values)), Value::Position(x, y)) => {
            let (width, _, cells) = i.state.grid(grid);
            let cell = &cells[*y as usize * width + *x as usize];
            Ok(values.iter().any(|value| equal(&i.state, value, cell)))
        }
        _ => boolean(&i.call(test, vec![at.clone()])?),
    };
    let mut found = Vec::new();
    let mut asked = vec![start.clone()];
    if passes(i, start)? {
        found.push((start.clone(), 0));
    }
    let mut at = 0;
    while let Some((Value::Position(x, y), _)) = found.get(at).cloned() {
        if wanted.is_some_and(|wanted| asked.iter().any(|at| equal(&i.state, at, wanted))) {
            break;
        }
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let next = Value::Position(x + dx, y + dy);
            if !inside(i, grid, x + dx, y + dy) || asked.iter().any(|at| equal(&i.state, at, &next))
            {
                continue;
            }
            i.charge(1)?;
            asked.push(next.clone());
            if passes(i, &next)? {
                found.push((next, at));
            }
        }
        at += 1;
    }
    Ok(found)
}

fn shortest_path(
    i: &mut Interpreter,
    grid: usize,
    from: &Value,
    to: &Value,
    test: &Value,
) -> Result<Value> {
    match to {
        Value::Position(x, y) if inside(i, grid, *x, *y) => {}
        _ => return error(ErrorName::Index, "a position outside the grid"),
    }
    let found = reached(i, grid, from, test, Some(to))?;
    let Some(mut at) = found
        .iter()
        .position(|(position, _)| equal(&i.state, position, to))
    else {
        return Ok(Value::Null);
    };
    let mut path = vec![to.clone()];
    while at > 0 {
        at = found[at].1;
        path.push(found[at].0.clone());
    }
    path.reverse();
    Ok(i.state.new_array(path))
}

fn positions(i: &Interpreter, grid: usize, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
    let (width, _, cells) = i.state.grid(grid);
    let cells = cells.iter().enumerate().filter(|(_, cell)| wanted(cell));
    cells
        .map(|(at, _)| Value::Position((at % width) as i64, (at / width) as i64))
        .collect()
}

fn inside(i: &Interpreter, grid: usize, x: i64, y: i64) -> bool {
    let (width, height, _) = i.state.grid(grid);
    x >= 0 && y >= 0 && x < width as i64 && y < height as i64
}

fn neighbors(i: &mut Interpreter, grid: usize, x: i64, y: i64, around: &[(i64, i64)]) -> Value {
    let places = around.iter().map(|(dx, dy)| (x + dx, y + dy));
    let inside: Vec<Value> = places
        .filter(|(x, y)| inside(i, grid, *x, *y))
        .map(|(x, y)| Value::Position(x, y))
        .collect();
    i.state.new_array(inside)
}
