//! A map as a line of JSON.

use ndscript::Data;
use serde_json::{Map, Value, json};

use super::job::{Ending, Made};

/// Everything about a map, on one line.
pub fn line(made: &Made) -> String {
    let mut fields = Map::new();
    let mut add = |name: &str, value: Value| drop(fields.insert(name.to_string(), value));
    add("seed", json!(made.seed));
    add("solved", json!(made.is_solved()));
    let end = match &made.ending {
        Ending::Solved(_) => "solution",
        Ending::NoSolution(_) => "no solution",
        Ending::Error(_) => "error",
        Ending::Stopped(..) => "stopped",
        Ending::Cancelled => "interrupted",
    };
    add("end", json!(end));
    match &made.ending {
        Ending::Solved(value) => add("value", data(value)),
        _ => add("message", json!(made.in_words())),
    }
    add("text", json!(made.text));
    let files: Vec<String> = made.files.iter().map(|(path, _)| path.display().to_string()).collect();
    add("files", json!(files));
    add("steps", json!(made.figures.steps));
    add("choice_points", json!(made.figures.choice_points));
    add("failures", json!(made.figures.failures));
    add("time", json!((made.time.as_secs_f64() * 1e6).round() / 1e6));
    Value::Object(fields).to_string()
}

/// A value as JSON: positions have `x` and `y`, sets and queues are arrays, grids arrays of rows, relations arrays of pairs,
/// and what has no content is its text.
pub fn data(value: &Data) -> Value {
    match value {
        Data::Null => Value::Null,
        Data::Boolean(value) => json!(value),
        Data::Integer(value) => json!(value),
        Data::Float(value) => json!(value),
        Data::Text(text) => json!(&**text),
        Data::Position(x, y) => json!({ "x": x, "y": y }),
        Data::Array(parts) | Data::Set(parts) | Data::Queue(parts) => parts.iter().map(data).collect(),
        Data::Relation(pairs) => pairs.iter().map(|(a, b)| json!([data(a), data(b)])).collect(),
        Data::Grid(grid) => {
            let rows = grid.cells().chunks(grid.width().max(1));
            rows.map(|row| row.iter().map(data).collect::<Value>()).collect()
        }
        Data::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.to_string(), data(value))).collect())
        }
        other => json!(other.to_string()),
    }
}
