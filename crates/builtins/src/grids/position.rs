//! Positions on a grid.

use super::neighborhood::distance_by;
use crate::{Row, args};
use ndscript_bytecode::ResultKind;
use ndscript_bytecode::Shortcut;
use ndscript_heap::Value;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;

fn position(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let x = args::integer(context, "position", arguments[0])?;
    let y = args::integer(context, "position", arguments[1])?;
    context.position(x, y)
}

fn distance(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if arguments.len() > 2 {
        return distance_by(context, arguments);
    }
    let (px, py) = args::position(context, "distance", arguments[0])?;
    let (qx, qy) = args::position(context, "distance", arguments[1])?;
    Ok(Value::integer((px - qx).abs() + (py - qy).abs()))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "position",
        "x, y",
        2,
        Some(2),
        position,
        "The position in column x and row y; `p.x` and `p.y` are its parts. Both lie between -134217728 and 134217727.",
        ("position(3, 4) + position(1, 0)", "(4,4)"),
    ).giving(ResultKind::Position)
    .with_shortcuts(&[Shortcut::Position]),
    Row::plain(
        "distance",
        "p, q[, options]",
        2,
        Some(3),
        distance,
        "How many steps left, right, up or down lead from p to q. Options: `diagonal`, by which a step may also go aslant, and \
         `wrap`, a grid that goes on at its other side.",
        ("distance(position(0, 0), position(3, 4))", "7"),
    ),
];
