//! Values as text.

use super::state::State;
use super::value::{Value, is_integer};

/// A value as text, a string bare.
pub fn text(state: &State, value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        _ => inside(state, value, &mut Vec::new()),
    }
}

pub fn number(n: f64) -> String {
    if is_integer(n) {
        (n as i64).to_string()
    } else {
        ryu_js::Buffer::new().format(n).to_string()
    }
}

/// A value inside a collection; `open` are the collections around it.
fn inside(state: &State, value: &Value, open: &mut Vec<usize>) -> String {
    let id = match value {
        Value::Array(id) | Value::Object(id) | Value::Queue(id) => Some(*id),
        _ => None,
    };
    if id.is_some_and(|id| open.contains(&id)) {
        return "...".to_string();
    }
    open.extend(id);
    let text = match value {
        Value::Null => "null".to_string(),
        Value::Boolean(b) => b.to_string(),
        Value::Number(n) => number(*n),
        Value::String(text) => quoted(text),
        Value::Position(x, y) => format!("({x},{y})"),
        Value::Array(id) => format!("[{}]", list(state, state.array(*id).iter(), open)),
        Value::Frozen(elements) => format!("[{}]", list(state, elements.iter(), open)),
        Value::Set(elements) => format!("{{{}}}", list(state, elements.iter(), open)),
        Value::Relation(_) => "relation".to_string(),
        Value::Grid(id) => {
            let (width, height, _) = state.grid(*id);
            format!("grid {width}x{height}")
        }
        Value::Object(id) => {
            let fields: Vec<String> = state
                .object(*id)
                .iter()
                .map(|(key, value)| format!("{}: {}", shown_key(key), inside(state, value, open)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Queue(id) => format!(
            "queue [{}]",
            list(state, state.queue(*id).1.iter().map(|(_, v)| v), open)
        ),
        Value::Function(id) => match &state.function(*id).0.name {
            Some(name) => format!("function {}", name.name),
            None => "function".to_string(),
        },
        Value::Native(name) => format!("function {name}"),
    };
    if id.is_some() {
        open.pop();
    }
    text
}

fn list<'a>(
    state: &State,
    elements: impl Iterator<Item = &'a Value>,
    open: &mut Vec<usize>,
) -> String {
    elements
        .map(|element| inside(state, element, open))
        .collect::<Vec<_>>()
        .join(", ")
}

fn shown_key(key: &str) -> String {
    let mut chars = key.chars();
    let name = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_');
    if name { key.to_string() } else { quoted(key) }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            '\0' => quoted.push_str("\\0"),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
