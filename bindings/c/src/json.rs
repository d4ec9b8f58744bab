//! Values as JSON, plain or without loss, and back.
//!
//! The lossless form marks what JSON has no word for by a field `$`: `{"$":"set","elements":[1,2]}`.

use std::fmt::Write;
use std::sync::Arc;

use ndscript::{Data, GridData, Param, PriorityQueueData};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// Which form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As a program in JavaScript would like it best: sets and queues are arrays, positions `{"x":1,"y":2}`.
    Plain,
    /// Read again it gives the same value.
    Lossless,
}

pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What comes after this many bytes of JSON is left out: shared parts are written once for each place that they are in, so that a
/// small value may be a long text.
const MOST_BYTES: usize = 64 << 20;

/// A value as JSON. [`Data`] is nested 128 deep at most, so this may recurse.
///
/// # Errors
/// The plain form has no word for what is left out.
pub fn to_json(data: &Data, form: Form) -> Result<String, String> {
    let mut out = Out {
        text: String::new(),
        is_whole: true,
    };
    write_value(data, form, &mut out);
    match form {
        Form::Plain if !out.is_whole => Err(
            "a part of the value is inside itself, nested too deep or too large, and plain JSON has no word \
             for what is left out: the lossless form has, or read parts of the value by functions of the script"
                .to_string(),
        ),
        _ => Ok(out.text),
    }
}

/// JSON that is being written.
struct Out {
    text: String,
    is_whole: bool,
}

impl Out {
    fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push(&mut self, character: char) {
        self.text.push(character);
    }
}

fn write_value(data: &Data, form: Form, out: &mut Out) {
    let is_plain = form == Form::Plain;
    let put = |out: &mut Out, text: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = out.text.write_fmt(text);
    };
    match data {
        _ if out.text.len() > MOST_BYTES => write_elided(form, out),
        Data::Null => out.push_str("null"),
        Data::Boolean(value) => put(out, format_args!("{value}")),
        Data::Integer(value) => put(out, format_args!("{value}")),
        Data::Float(value) => out.push_str(&serde_json::Value::from(*value).to_string()),
        Data::Text(text) => out.push_str(&quoted(text)),
        Data::Position(x, y) if is_plain => put(out, format_args!("{{\"x\":{x},\"y\":{y}}}")),
        Data::Position(x, y) => put(
            out,
            format_args!("{{\"$\":\"position\",\"x\":{x},\"y\":{y}}}"),
        ),
        Data::Array(parts) => write_list(parts, form, out),
        Data::Set(parts) | Data::Queue(parts) if is_plain => write_list(parts, form, out),
        Data::Set(parts) => {
            out.push_str("{\"$\":\"set\",\"elements\":");
            write_list(parts, form, out);
            out.push('}');
        }
        Data::Queue(parts) => {
            out.push_str("{\"$\":\"queue\",\"elements\":");
            write_list(parts, form, out);
            out.push('}');
        }
        Data::PriorityQueue(queue) if is_plain => write_list(queue.elements(), form, out),
        Data::PriorityQueue(queue) => {
            out.push_str("{\"$\":\"priorityQueue\",\"entries\":[");
            let entries = queue.elements().iter().zip(queue.priorities());
            for (at, (element, priority)) in entries.enumerate() {
                out.push_str(if at > 0 { ",[" } else { "[" });
                write_value(element, form, out);
                out.push(',');
                write_value(&Data::from(*priority), form, out);
                out.push(']');
            }
            out.push_str("]}");
        }
        Data::Relation(pairs) => {
            let (before, after) = match form {
                Form::Plain => ("[", "]"),
                Form::Lossless => ("{\"$\":\"relation\",\"pairs\":[", "]}"),
            };
            out.push_str(before);
            for (at, (left, right)) in pairs.iter().enumerate() {
                out.push_str(if at > 0 { ",[" } else { "[" });
                write_value(left, form, out);
                out.push(',');
                write_value(right, form, out);
                out.push(']');
            }
            out.push_str(after);
        }
        Data::Grid(grid) => {
            let mark = if is_plain { "" } else { "\"$\":\"grid\"," };
            put(
                out,
                format_args!(
                    "{{{mark}\"width\":{},\"height\":{},\"cells\":",
                    grid.width(),
                    grid.height()
                ),
            );
            write_list(grid.cells(), form, out);
            out.push('}');
        }
        // A program may have a field `$` of its own.
        Data::Object(fields) if !is_plain && fields.iter().any(|(name, _)| &**name == "$") => {
            out.push_str("{\"$\":\"object\",\"fields\":[");
            for (at, (name, value)) in fields.iter().enumerate() {
                let separator = if at > 0 { "," } else { "" };
                put(out, format_args!("{separator}[{},", quoted(name)));
                write_value(value, form, out);
                out.push(']');
            }
            out.push_str("]}");
        }
        Data::Object(fields) => {
            out.push('{');
            for (at, (name, value)) in fields.iter().enumerate() {
                let separator = if at > 0 { "," } else { "" };
                put(out, format_args!("{separator}{}:", quoted(name)));
                write_value(value, form, out);
            }
            out.push('}');
        }
        Data::Function(name) if is_plain => {
            put(out, format_args!("{{\"function\":{}}}", quoted(name)))
        }
        Data::Function(name) => put(
            out,
            format_args!("{{\"$\":\"function\",\"name\":{}}}", quoted(name)),
        ),
        Data::Host(_, text) if is_plain => out.push_str(&quoted(text)),
        Data::Host(kind, text) => {
            put(
                out,
                format_args!(
                    "{{\"$\":\"host\",\"type\":{},\"text\":{}}}",
                    quoted(kind),
                    quoted(text)
                ),
            );
        }
        _ => write_elided(form, out),
    }
}

fn write_elided(form: Form, out: &mut Out) {
    out.is_whole = false;
    out.push_str(match form {
        Form::Plain => "null",
        Form::Lossless => "{\"$\":\"elided\"}",
    });
}

fn write_list(parts: &[Data], form: Form, out: &mut Out) {
    out.push('[');
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_value(part, form, out);
    }
    out.push(']');
}

/// JSON with the fields of objects in order.
enum Json {
    Value(Data),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Json, D::Error> {
        struct Reading;
        impl<'de> Visitor<'de> for Reading {
            type Value = Json;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Value(Data::Null))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
                Ok(Json::Value(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
                Ok(Json::Value(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
                Ok(Json::Value((value as f64).into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
                Ok(Json::Value(value.into()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Json, E> {
                Ok(Json::Value(value.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Json, A::Error> {
                let mut list = Vec::new();
                while let Some(part) = parts.next_element()? {
                    list.push(part);
                }
                Ok(Json::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<Json, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = parts.next_entry()? {
                    fields.push(field);
                }
                Ok(Json::Object(fields))
            }
        }
        from.deserialize_any(Reading)
    }
}

/// A value from JSON of either form; `what` is what it is for, in messages.
pub fn from_json(text: &str, what: &str) -> Result<Data, String> {
    data_of(read(text, what)?).map_err(|why| no_value(what, &why))
}

/// An array as its elements.
pub fn list_from_json(text: &str, what: &str) -> Result<Vec<Data>, String> {
    match read(text, what)? {
        Json::List(parts) => parts_of(parts).map_err(|why| no_value(what, &why)),
        _ => Err(format!("the JSON of the {what} has to be an array")),
    }
}

fn read(text: &str, what: &str) -> Result<Json, String> {
    look_over(text).map_err(|why| no_value(what, &why))?;
    let mut from = serde_json::Deserializer::from_str(text);
    // It is counted above, by what values need.
    from.disable_recursion_limit();
    Json::deserialize(&mut from)
        .and_then(|json| from.end().map(|()| json))
        .map_err(|why| format!("the JSON of the {what} cannot be read: {why}"))
}

/// Brackets around the innermost part: a relation in the lossless form has three for a level of the value, of which a run
/// takes 128, and there is the list of arguments.
const MOST_BRACKETS: usize = 3 * 128 + 1;

/// The greatest integer of the language.
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// Refuses what the parser would run into, or change without a word: it goes as deep as the text does, and takes long
/// integers for floats.
fn look_over(text: &str) -> Result<(), String> {
    let mut brackets = 0usize;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => length_of_text(rest),
            '-' | '0'..='9' => rest
                .find(|next: char| !matches!(next, '-' | '+' | '.' | 'e' | 'E' | '0'..='9'))
                .unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match first {
            '[' | '{' => brackets += 1,
            ']' | '}' => brackets = brackets.saturating_sub(1),
            '-' | '0'..='9' => {
                let digits = token.trim_start_matches('-');
                let is_integer =
                    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
                if is_integer && digits.parse().map_or(true, |size: u64| size > MAX_INTEGER) {
                    return Err(format!("{token} is beyond the integers of the language"));
                }
            }
            _ => {}
        }
        if brackets > MOST_BRACKETS {
            return Err("it is nested too deep".to_string());
        }
    }
    Ok(())
}

/// How long the text in quotes is that begins here.
fn length_of_text(text: &str) -> usize {
    let mut is_escaped = true;
    let end = text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 1)
}

fn no_value(what: &str, why: &str) -> String {
    format!("the JSON of the {what} is no value: {why}")
}

/// The parameters of a run: an object with a field for each.
pub fn parameters_from_json(text: &str) -> Result<Vec<(String, Param)>, String> {
    match from_json(text, "parameters")? {
        Data::Object(fields) => Ok(fields
            .iter()
            .map(|(name, value)| (name.to_string(), parameter(value)))
            .collect()),
        _ => Err(
            "the JSON of the parameters has to be an object with a field for each: {\"size\": 10}"
                .to_string(),
        ),
    }
}

fn parameter(value: &Data) -> Param {
    match value {
        Data::Boolean(value) => Param::Boolean(*value),
        Data::Integer(value) => Param::Number(*value as f64),
        Data::Float(value) => Param::Number(*value),
        Data::Text(text) => Param::Text(text.to_string()),
        other => Param::Data(other.clone()),
    }
}

fn data_of(json: Json) -> Result<Data, String> {
    match json {
        Json::Value(data) => Ok(data),
        Json::List(parts) => Ok(Data::Array(parts_of(parts)?.into())),
        Json::Object(fields) => match fields.iter().find(|(name, _)| name == "$") {
            None => Ok(Data::Object(fields_of(fields)?.into())),
            Some((_, Json::Value(Data::Text(kind)))) => {
                let kind = kind.clone();
                marked(&kind, fields)
            }
            Some(_) => {
                Err("the field `$` of an object says what it is, and has to be a text".to_string())
            }
        },
    }
}

fn parts_of(parts: Vec<Json>) -> Result<Vec<Data>, String> {
    parts.into_iter().map(data_of).collect()
}

fn fields_of(fields: Vec<(String, Json)>) -> Result<Vec<(Arc<str>, Data)>, String> {
    fields
        .into_iter()
        .map(|(name, value)| Ok((name.into(), data_of(value)?)))
        .collect()
}

/// What is marked by `$`.
fn marked(kind: &str, fields: Vec<(String, Json)>) -> Result<Data, String> {
    let fields = fields_of(fields.into_iter().filter(|(name, _)| name != "$").collect())?;
    let field = |name: &str| {
        fields
            .iter()
            .find(|field| &*field.0 == name)
            .map(|field| &field.1)
    };
    let integer = |name: &str| {
        field(name)
            .and_then(Data::as_i64)
            .ok_or_else(|| format!("a {kind} has to have an integer `{name}`"))
    };
    let list = |name: &str| match field(name) {
        Some(Data::Array(parts)) => Ok(parts.to_vec()),
        _ => Err(format!("a {kind} has to have an array `{name}`")),
    };
    let pairs = |name: &str| -> Result<Vec<(Data, Data)>, String> {
        let pair = |pair: Data| match pair.elements() {
            [a, b] => Ok((a.clone(), b.clone())),
            _ => Err(format!("`{name}` of a {kind} has to hold arrays of two")),
        };
        list(name)?.into_iter().map(pair).collect()
    };
    match kind {
        "position" => Ok(Data::Position(integer("x")?, integer("y")?)),
        "set" => Ok(Data::Set(list("elements")?.into())),
        "queue" => Ok(Data::Queue(list("elements")?.into())),
        "priorityQueue" => {
            let entry = |(element, priority): (Data, Data)| {
                let priority = priority.as_f64().ok_or("a priority has to be a number")?;
                Ok((element, priority))
            };
            let entries: Result<_, String> = pairs("entries")?.into_iter().map(entry).collect();
            Ok(Data::PriorityQueue(PriorityQueueData::new(entries?).into()))
        }
        "relation" => Ok(Data::Relation(pairs("pairs")?.into())),
        "grid" => {
            let (width, height) = (integer("width")?, integer("height")?);
            let grid = usize::try_from(width)
                .ok()
                .and_then(|width| GridData::new(width, list("cells").ok()?));
            let grid = grid.filter(|grid| grid.height() as i64 == height);
            grid.map(Data::from)
                .ok_or_else(|| "the cells of a grid have to be `width` times `height`".to_string())
        }
        "object" => {
            let field = |(name, value): (Data, Data)| match name {
                Data::Text(name) => Ok((name, value)),
                _ => Err("the names of fields have to be texts".to_string()),
            };
            let fields: Result<Vec<(Arc<str>, Data)>, String> =
                pairs("fields")?.into_iter().map(field).collect();
            Ok(Data::Object(fields?.into()))
        }
        other => Err(format!(
            "{other:?} cannot be handed in: `$` is position, set, queue, priorityQueue, relation, grid or object"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small value whose parts are shared again and again is no text of any length.
    #[test]
    fn shared_parts_end_somewhere() {
        let mut data = Data::Integer(1);
        for _ in 0..60 {
            data = Data::Array(vec![data.clone(), data].into());
        }
        for form in [Form::Plain, Form::Lossless] {
            let written = to_json(&data, form);
            assert_eq!(written.is_err(), form == Form::Plain);
            let text = written.unwrap_or("]".to_string());
            assert!(text.len() < MOST_BYTES + (1 << 12), "{}", text.len());
            assert!(text.ends_with("]"), "it is whole");
        }
    }
}
