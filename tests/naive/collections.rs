//! What all collections have in common.

use std::cmp::Ordering;
use std::rc::Rc;

use super::interpreter::{ErrorName, Interpreter, Interrupt, Result, boolean, error, type_error};
use super::numbers;
use super::order::equal;
use super::show;
use super::state::State;
use super::value::Value;

/// What `foreach` goes over.
pub fn elements(state: &State, collection: &Value) -> Result<Vec<Value>> {
    match collection {
        Value::Array(id) => Ok(state.array(*id).clone()),
        Value::Frozen(elements) | Value::Set(elements) => Ok(elements.to_vec()),
        Value::Queue(id) => Ok(state
            .queue(*id)
            .1
            .iter()
            .map(|(_, value)| value.clone())
            .collect()),
        Value::Object(id) => Ok(state
            .object(*id)
            .iter()
            .map(|(key, _)| Value::String(key.clone()))
            .collect()),
        Value::Grid(id) => {
            let (width, height, _) = state.grid(*id);
            let cells = 0..width * height;
            Ok(cells
                .map(|cell| Value::Position((cell % width) as i64, (cell / width) as i64))
                .collect())
        }
        Value::String(text) => Ok(text.chars().map(Value::text).collect()),
        _ => type_error("a collection", collection),
    }
}

pub fn call(i: &mut Interpreter, name: &str, arguments: &[Value]) -> Option<Result<Value>> {
    Some(match (name, arguments) {
        ("isEmpty", [Value::Relation(id)]) => Ok(Value::Boolean(i.state.relation(*id).is_empty())),
        ("sizeOf", [Value::Relation(id)]) => Ok(Value::Number(i.state.relation(*id).len() as f64)),
        ("count", [c, f]) => count(i, c, f),
        ("groupBy", [c, f]) => group_by(i, c, f),
        ("isEmpty", [c]) => elements(&i.state, c).map(|c| Value::Boolean(c.is_empty())),
        ("isSingleton", [c]) => elements(&i.state, c).map(|c| Value::Boolean(c.len() == 1)),
        ("sizeOf", [c]) => elements(&i.state, c).map(|c| Value::Number(c.len() as f64)),
        ("contains", [element, Value::String(text)]) => Ok(Value::Boolean(
            matches!(element, Value::String(part) if text.contains(&**part)),
        )),
        ("contains", [element, c]) => elements(&i.state, c)
            .map(|c| Value::Boolean(c.iter().any(|other| equal(&i.state, other, element)))),
        ("singletonValue", [c]) => elements(&i.state, c).and_then(|c| match &c[..] {
            [one] => Ok(one.clone()),
            _ => Err(Interrupt::Fail),
        }),
        ("toArray", [c]) => elements(&i.state, c).map(|c| i.state.new_array(c)),
        ("toSet", [c]) => elements(&i.state, c).and_then(|c| i.new_set(&c)),
        ("map", [c, f]) => map(i, c, f),
        ("filter", [c, f]) => filter(i, c, f),
        ("reduce", [c, f, start]) => reduce(i, c, f, start),
        ("minBy", [c, f]) => best_by(i, c, f, Ordering::Less),
        ("maxBy", [c, f]) => best_by(i, c, f, Ordering::Greater),
        ("any", [c, f]) => some(i, c, f, true),
        ("all", [c, f]) => {
            some(i, c, f, false).map(|b| Value::Boolean(!matches!(b, Value::Boolean(true))))
        }
        ("sum", [c]) => sum(i, c),
        ("sorted", [c]) => sorted(i, c, None),
        ("sorted", [c, key]) => sorted(i, c, Some(key)),
        ("reversed", [c]) => elements(&i.state, c).map(|mut c| {
            c.reverse();
            i.state.new_array(c)
        }),
        ("zip", [c, d]) => zip(i, c, d),
        ("range", _) => range(i, arguments),
        ("join", [c, Value::String(separator)]) => elements(&i.state, c).map(|c| {
            let texts: Vec<String> = c
                .iter()
                .map(|element| show::text(&i.state, element))
                .collect();
            Value::text(texts.join(separator))
        }),
        _ => return None,
    })
}

fn map(i: &mut Interpreter, collection: &Value, function: &Value) -> Result<Value> {
    let mut results = Vec::new();
    for element in elements(&i.state, collection)? {
        results.push(i.call(function, vec![element])?);
    }
    Ok(i.state.new_array(results))
}

fn best_by(
    i: &mut Interpreter,
    collection: &Value,
    function: &Value,
    wanted: Ordering,
) -> Result<Value> {
    let mut best: Option<(Value, Value)> = None;
    for element in elements(&i.state, collection)? {
        let rank = i.call(function, vec![element.clone()])?;
        let comes = match (&rank, best.as_ref().map(|best| &best.1)) {
            (Value::Number(_) | Value::String(_), None) => true,
            (Value::Number(rank), Some(Value::Number(best))) => rank.total_cmp(best) == wanted,
            (Value::String(rank), Some(Value::String(best))) => rank.cmp(best) == wanted,
            _ => return type_error("numbers or strings", &rank),
        };
        if comes {
            best = Some((element, rank));
        }
    }
    best.map_or_else(|| error(ErrorName::Empty, "of nothing"), |best| Ok(best.0))
}

fn filter(i: &mut Interpreter, collection: &Value, function: &Value) -> Result<Value> {
    let mut kept = Vec::new();
    for element in elements(&i.state, collection)? {
        if boolean(&i.call(function, vec![element.clone()])?)? {
            kept.push(element);
        }
    }
    Ok(i.state.new_array(kept))
}

fn count(i: &mut Interpreter, collection: &Value, function: &Value) -> Result<Value> {
    let mut found = 0.0;
    for element in elements(&i.state, collection)? {
        if boolean(&i.call(function, vec![element])?)? {
            found += 1.0;
        }
    }
    Ok(Value::Number(found))
}

/// The groups grow while they are gathered, but nobody else sees them before all is done.
fn group_by(i: &mut Interpreter, collection: &Value, function: &Value) -> Result<Value> {
    let mut groups: Vec<(Rc<str>, Vec<Value>)> = Vec::new();
    for element in elements(&i.state, collection)? {
        let found = i.call(function, vec![element.clone()])?;
        let text = show::text(&i.state, &found);
        match groups.iter_mut().find(|(key, _)| **key == *text) {
            Some((_, group)) => group.push(element),
            None => groups.push((text.as_str().into(), vec![element])),
        }
    }
    let mut fields = Vec::new();
    for (key, group) in groups {
        fields.push((key, i.state.new_array(group)));
    }
    Ok(i.state.new_object(fields))
}

fn reduce(
    i: &mut Interpreter,
    collection: &Value,
    function: &Value,
    start: &Value,
) -> Result<Value> {
    let mut accumulated = start.clone();
    for element in elements(&i.state, collection)? {
        accumulated = i.call(function, vec![accumulated, element])?;
    }
    Ok(accumulated)
}

/// Whether the function gives `wanted` for some element.
fn some(i: &mut Interpreter, collection: &Value, function: &Value, wanted: bool) -> Result<Value> {
    for element in elements(&i.state, collection)? {
        if boolean(&i.call(function, vec![element])?)? == wanted {
            return Ok(Value::Boolean(true));
        }
    }
    Ok(Value::Boolean(false))
}

fn sum(i: &mut Interpreter, collection: &Value) -> Result<Value> {
    let mut total = Value::Number(0.0);
    for element in elements(&i.state, collection)? {
        numbers::number(&element)?;
        total = i.binary(ndscript::syntax::ast::BinaryOperator::Add, &total, &element)?;
    }
    Ok(total)
}

fn sorted(i: &mut Interpreter, collection: &Value, key: Option<&Value>) -> Result<Value> {
    let mut keyed = Vec::new();
    for element in elements(&i.state, collection)? {
        let key = match key {
            Some(key) => i.call(key, vec![element.clone()])?,
            None => element.clone(),
        };
        keyed.push((key, element));
    }
    let comparable = keyed.iter().all(|(key, _)| matches!(key, Value::Number(_)))
        || keyed.iter().all(|(key, _)| matches!(key, Value::String(_)));
    if !comparable {
        return Err(Interrupt::Drop(
            "sorted by other keys than numbers or strings",
        ));
    }
    keyed.sort_by(|(a, _), (b, _)| super::order::compare(a, b));
    Ok(i.state
        .new_array(keyed.into_iter().map(|(_, element)| element).collect()))
}

fn zip(i: &mut Interpreter, c: &Value, d: &Value) -> Result<Value> {
    let mut pairs = Vec::new();
    for (a, b) in elements(&i.state, c)?
        .into_iter()
        .zip(elements(&i.state, d)?)
    {
        pairs.push(i.state.new_array(vec![a, b]));
    }
    Ok(i.state.new_array(pairs))
}

fn range(i: &mut Interpreter, arguments: &[Value]) -> Result<Value> {
    let mut bounds = Vec::new();
    for argument in arguments {
        bounds.push(numbers::integer(argument)?);
    }
    let (mut next, end, step) = match bounds[..] {
        [n] => (0, n, 1),
        [a, b] => (a, b, 1),
        [a, b, step] => (a, b, step),
        _ => (0, 0, 1),
    };
    if step == 0 {
        return error(ErrorName::Value, "a step of 0");
    }
    let mut numbers = Vec::new();
    while if step > 0 { next < end } else { next > end } {
        i.charge(1)?;
        numbers.push(Value::Number(next as f64));
        next += step;
    }
    Ok(i.state.new_array(numbers))
}

/// A key as the objects store it.
pub fn key(text: &Rc<str>, fields: &[(Rc<str>, Value)]) -> Option<usize> {
    fields.iter().position(|(key, _)| key == text)
}
