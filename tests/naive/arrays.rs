//! Arrays, strings, objects and queues.

use super::collections::{elements, key};
use super::interpreter::{ErrorName, Interpreter, Interrupt, Result, error};
use super::numbers;
use super::order::equal;
use super::targets::position_in;
use super::value::Value;

pub fn call(i: &mut Interpreter, name: &str, arguments: &[Value]) -> Option<Result<Value>> {
    Some(match (name, arguments) {
        ("queue" | "priorityQueue", []) => {
            Ok(i.state.new_queue(name == "priorityQueue", Vec::new()))
        }
        ("enqueue", [value, Value::Queue(id)]) => {
            let (by_priority, waiting) = i.state.queue(*id);
            if by_priority {
                return Some(Err(Interrupt::Drop("a priority queue without a priority")));
            }
            if !waiting
                .iter()
                .any(|(_, other)| equal(&i.state, other, value))
            {
                i.state.queue_mut(*id).push((0.0, value.clone()));
            }
            Ok(value.clone())
        }
        ("enqueue", [value, Value::Queue(id), priority]) => {
            numbers::number(priority).and_then(|priority| {
                let (by_priority, waiting) = i.state.queue(*id);
                if !by_priority {
                    return Err(Interrupt::Drop("a queue with a priority"));
                }
                let at = waiting
                    .iter()
                    .position(|(other, _)| *other > priority)
                    .unwrap_or(waiting.len());
                i.state.queue_mut(*id).insert(at, (priority, value.clone()));
                Ok(value.clone())
            })
        }
        ("dequeue" | "peek", [Value::Queue(id)]) => match i.state.queue(*id).1.first().cloned() {
            None => error(ErrorName::Empty, "of an empty queue"),
            Some((_, value)) => {
                if name == "dequeue" {
                    i.state.queue_mut(*id).remove(0);
                }
                Ok(value)
            }
        },
        ("push" | "pop" | "insert" | "removeAt", [Value::Frozen(_), ..]) => {
            error(ErrorName::Frozen, "copy it first")
        }
        ("push", [Value::Array(id), value]) => {
            i.state.array_mut(*id).push(value.clone());
            Ok(arguments[0].clone())
        }
        ("pop", [Value::Array(id)]) => match i.state.array_mut(*id).pop() {
            Some(value) => Ok(value),
            None => error(ErrorName::Empty, "pop of an empty array"),
        },
        ("insert", [Value::Array(id), at, value]) => position_in(at, i.state.array(*id).len() + 1)
            .map(|at| {
                i.state.array_mut(*id).insert(at, value.clone());
                arguments[0].clone()
            }),
        ("removeAt", [Value::Array(id), at]) => {
            position_in(at, i.state.array(*id).len()).map(|at| i.state.array_mut(*id).remove(at))
        }
        ("slice", [Value::Array(_) | Value::Frozen(_), from, to]) => {
            let elements = i.state.elements(&arguments[0]).unwrap_or_default();
            part(from, to, elements.len())
                .map(|(from, to)| i.state.new_array(elements[from..to].to_vec()))
        }
        (
            "concat",
            [
                Value::Array(_) | Value::Frozen(_),
                Value::Array(_) | Value::Frozen(_),
            ],
        ) => {
            let mut joined = i.state.elements(&arguments[0]).unwrap_or_default();
            joined.extend(i.state.elements(&arguments[1]).unwrap_or_default());
            Ok(i.state.new_array(joined))
        }
        ("indexOf", [Value::Array(_) | Value::Frozen(_), value]) => {
            let elements = i.state.elements(&arguments[0]).unwrap_or_default();
            let at = elements
                .iter()
                .position(|other| equal(&i.state, other, value));
            Ok(Value::Number(at.map_or(-1.0, |at| at as f64)))
        }
        (_, [Value::String(text), rest @ ..]) => return string(i, name, text, rest),
        (_, [Value::Object(id), rest @ ..]) => return object(i, name, *id, rest),
        _ => return None,
    })
}

/// The bounds of a part of a list.
fn part(from: &Value, to: &Value, length: usize) -> Result<(usize, usize)> {
    let (from, to) = (position_in(from, length + 1)?, position_in(to, length + 1)?);
    if from > to {
        error(ErrorName::Index, "from is behind to")
    } else {
        Ok((from, to))
    }
}

fn string(i: &mut Interpreter, name: &str, text: &str, rest: &[Value]) -> Option<Result<Value>> {
    let texts = |i: &mut Interpreter, texts: Vec<String>| {
        let texts = texts.into_iter().map(Value::text).collect();
        Ok(i.state.new_array(texts))
    };
    Some(match (name, rest) {
        ("split", [Value::String(separator)]) if separator.is_empty() => {
            texts(i, text.chars().map(String::from).collect())
        }
        ("split", [Value::String(separator)]) => {
            texts(i, text.split(&**separator).map(str::to_string).collect())
        }
        ("chars", []) => texts(i, text.chars().map(String::from).collect()),
        ("lines", []) => texts(i, text.lines().map(str::to_string).collect()),
        ("substring", [from, to]) => {
            let chars: Vec<char> = text.chars().collect();
            part(from, to, chars.len())
                .map(|(from, to)| Value::text(chars[from..to].iter().collect::<String>()))
        }
        ("indexOf", [Value::String(wanted)]) => {
            let at = text
                .find(&**wanted)
                .map_or(-1.0, |at| text[..at].chars().count() as f64);
            Ok(Value::Number(at))
        }
        ("replace", [Value::String(from), Value::String(to)]) => {
            Ok(Value::text(text.replace(&**from, to)))
        }
        ("trim", []) => Ok(Value::text(text.trim())),
        ("upper", []) => Ok(Value::text(text.to_uppercase())),
        ("lower", []) => Ok(Value::text(text.to_lowercase())),
        ("startsWith", [Value::String(start)]) => Ok(Value::Boolean(text.starts_with(&**start))),
        ("endsWith", [Value::String(end)]) => Ok(Value::Boolean(text.ends_with(&**end))),
        ("repeat", [times]) => numbers::integer(times).and_then(|times| match times {
            times if times < 0 => error(ErrorName::Value, "a negative number of times"),
            times if times > 1000 => Err(Interrupt::Drop("a long text")),
            times => Ok(Value::text(text.repeat(times as usize))),
        }),
        _ => return None,
    })
}

fn object(i: &mut Interpreter, name: &str, id: usize, rest: &[Value]) -> Option<Result<Value>> {
    let fields = i.state.object(id).clone();
    Some(match (name, rest) {
        ("keysOf", []) => {
            let keys = fields
                .into_iter()
                .map(|(key, _)| Value::String(key))
                .collect();
            Ok(i.state.new_array(keys))
        }
        ("valuesOf", []) => {
            let values = fields.into_iter().map(|(_, value)| value).collect();
            Ok(i.state.new_array(values))
        }
        ("has", [Value::String(name)]) => Ok(Value::Boolean(key(name, &fields).is_some())),
        ("removeKey", [Value::String(name)]) => {
            if let Some(at) = key(name, &fields) {
                i.state.object_mut(id).remove(at);
            }
            Ok(Value::Null)
        }
        ("nonsingletonFieldsOf", []) => {
            let undecided = fields.into_iter().filter(|(_, value)| {
                matches!(value, Value::Set(_) | Value::Array(_) | Value::Frozen(_))
                    && elements(&i.state, value).is_ok_and(|elements| elements.len() != 1)
            });
            let keys = undecided.map(|(key, _)| Value::String(key)).collect();
            Ok(i.state.new_array(keys))
        }
        _ => return None,
    })
}
