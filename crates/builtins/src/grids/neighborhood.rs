//! Neighborhoods by options: `wrap`, by which a grid continues at its opposite side, and `diagonal`.

use crate::args;
use crate::options::{flag, known_options};
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;

const SIDES: [(i64, i64); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
const AROUND: [(i64, i64); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// `neighborsOf(p, g, options)`
pub fn neighbors_by(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "neighborsOf";
    let (x, y) = args::position(context, FUNCTION, arguments[0])?;
    let grid = args::grid(context, FUNCTION, arguments[1])?;
    let options = arguments[2];
    known_options(context, FUNCTION, options, &["wrap", "diagonal"])?;
    let wraps = flag(context, FUNCTION, options, "wrap")?;
    let steps = match flag(context, FUNCTION, options, "diagonal")? {
        true => &AROUND[..],
        false => &SIDES[..],
    };
    let grid = &context.heap.grids[grid];
    let (width, height) = (i64::from(grid.width), i64::from(grid.height));
    if grid.cell(x, y).is_none() && wraps {
        let message = format!("`{FUNCTION}` wants a position inside the grid, not ({x},{y})");
        return Err(Fault::error(ErrorKind::Index, message));
    }
    let mut found: Vec<Value> = Vec::with_capacity(steps.len());
    for (dx, dy) in steps {
        let (mut to_x, mut to_y) = (x + dx, y + dy);
        if wraps {
            (to_x, to_y) = (to_x.rem_euclid(width), to_y.rem_euclid(height));
        }
        let is_inside = (0..width).contains(&to_x) && (0..height).contains(&to_y);
        let position = Value::position(to_x, to_y).filter(|_| is_inside);
        // On a narrow grid two steps may lead to one cell, and one back to its start.
        let position = position
            .filter(|position| !wraps || (to_x, to_y) != (x, y) && !found.contains(position));
        found.extend(position);
    }
    Ok(context.heap.array(found))
}

/// `distance(p, q, options)`: steps with diagonal ones, or over the borders of the grid that `wrap` names.
pub fn distance_by(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "distance";
    let (px, py) = args::position(context, FUNCTION, arguments[0])?;
    let (qx, qy) = args::position(context, FUNCTION, arguments[1])?;
    let options = arguments[2];
    known_options(context, FUNCTION, options, &["wrap", "diagonal"])?;
    let diagonal = flag(context, FUNCTION, options, "diagonal")?;
    let (mut dx, mut dy) = ((px - qx).abs(), (py - qy).abs());
    if let Some(wrap) = option(context, options, "wrap") {
        let Some(grid) = wrap.handle_of(Kind::Grid) else {
            let fault = context.wrong_argument(FUNCTION, "a grid as its option `wrap`", wrap);
            return Err(
                fault.with_hint("its size says where it goes on: `distance(p, q, {wrap: g})`")
            );
        };
        let grid = &context.heap.grids[grid];
        let around = |steps: i64, size: u32| {
            let rest = steps.rem_euclid(i64::from(size).max(1));
            rest.min(i64::from(size) - rest)
        };
        (dx, dy) = (around(dx, grid.width), around(dy, grid.height));
    }
    Ok(Value::integer(if diagonal { dx.max(dy) } else { dx + dy }))
}

/// `__neighborhood(options, name)`: an error in the name of a built-in unless these are options of a neighborhood;
/// returns whether one of them is a function.
pub fn check_neighborhood(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = args::text(context, "", arguments[1])?;
    let options = arguments[0];
    known_options(context, &name, options, &["wrap", "diagonal", "neighbors"])?;
    flag(context, &name, options, "wrap")?;
    flag(context, &name, options, "diagonal")?;
    match option(context, options, "neighbors") {
        None => Ok(Value::FALSE),
        Some(function) if function.is_kind(Kind::Function) => Ok(Value::TRUE),
        Some(other) => {
            Err(context.wrong_argument(&name, "a function as its option `neighbors`", other))
        }
    }
}

fn option(context: &Context, options: Value, name: &str) -> Option<Value> {
    let key = context.heap.find_text(name)?;
    let options = options.handle_of(Kind::Object)?;
    context.heap.objects[options].get(key)
}
