//! Equality, the canonical order, frozen copies and deep copies.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::interpreter::{ErrorName, Interrupt, error};
use super::state::State;
use super::value::{Thing, Value};

/// `==`: by content for numbers, strings, positions, arrays and sets; by identity for the rest.
pub fn equal(state: &State, a: &Value, b: &Value) -> bool {
    equal_under(state, a, b, &mut Vec::new())
}

/// `assumed` are the pairs of arrays that are being compared further out: a cycle is equal if nothing differs.
fn equal_under(state: &State, a: &Value, b: &Value, assumed: &mut Vec<(usize, usize)>) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Boolean(a), Value::Boolean(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Position(ax, ay), Value::Position(bx, by)) => (ax, ay) == (bx, by),
        (Value::Array(_) | Value::Frozen(_), Value::Array(_) | Value::Frozen(_)) => {
            if let (Value::Array(a), Value::Array(b)) = (a, b) {
                if a == b || assumed.contains(&(*a, *b)) {
                    return true;
                }
                assumed.push((*a, *b));
            }
            let (Some(a), Some(b)) = (state.elements(a), state.elements(b)) else { return false };
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| equal_under(state, a, b, assumed))
        }
        (Value::Set(a), Value::Set(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equal_under(state, a, b, assumed))
        }
        (Value::Relation(a), Value::Relation(b))
        | (Value::Grid(a), Value::Grid(b))
        | (Value::Object(a), Value::Object(b))
        | (Value::Queue(a), Value::Queue(b))
        | (Value::Function(a), Value::Function(b)) => a == b,
        (Value::Native(a), Value::Native(b)) => a == b,
        _ => false,
    }
}

/// The canonical order, of values as they lie in sets.
pub fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Boolean(a), Value::Boolean(b)) => a.cmp(b),
        (Value::Position(ax, ay), Value::Position(bx, by)) => (ay, ax).cmp(&(by, bx)),
        (Value::Frozen(a), Value::Frozen(b)) | (Value::Set(a), Value::Set(b)) => {
            let difference = a.iter().zip(b.iter()).map(|(a, b)| compare(a, b)).find(|order| order.is_ne());
            difference.unwrap_or(a.len().cmp(&b.len()))
        }
        (Value::Native(a), Value::Native(b)) => a.cmp(b),
        _ => (rank(a), creation(a)).cmp(&(rank(b), creation(b))),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Boolean(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Position(..) => 4,
        Value::Array(_) | Value::Frozen(_) => 5,
        Value::Set(_) => 6,
        Value::Native(_) => 7,
        _ => 8,
    }
}

fn creation(value: &Value) -> usize {
    match value {
        Value::Relation(id) | Value::Grid(id) | Value::Object(id) | Value::Queue(id) | Value::Function(id) => *id,
        _ => 0,
    }
}

/// What is stored when a value is put into a set.
pub fn frozen(state: &State, value: &Value, open: &mut Vec<usize>) -> Result<Value, Interrupt> {
    let Value::Array(id) = value else { return Ok(value.clone()) };
    if open.contains(id) {
        return error(ErrorName::Value, "an array that contains itself cannot be put into a set");
    }
    open.push(*id);
    let elements: Result<Vec<Value>, Interrupt> = state.array(*id).iter().map(|v| frozen(state, v, open)).collect();
    open.pop();
    Ok(Value::Frozen(Rc::new(elements?)))
}

pub fn set_of(state: &State, elements: &[Value]) -> Result<Value, Interrupt> {
    let mut members = Vec::new();
    for element in elements {
        members.push(frozen(state, element, &mut Vec::new())?);
    }
    members.sort_by(compare);
    members.dedup_by(|a, b| compare(a, b).is_eq());
    Ok(Value::Set(Rc::new(members)))
}

/// Copies deeply from one state into another, keeping what is shared shared. `from` may be a later state than
/// `into`: what was made since then and cannot be copied cannot be carried over.
pub struct DeepCopy<'a> {
    from: &'a State,
    into: &'a mut State,
    /// The number of things that both states have.
    common: usize,
    copies: BTreeMap<usize, Value>,
}

impl<'a> DeepCopy<'a> {
    pub fn new(from: &'a State, into: &'a mut State, common: usize) -> DeepCopy<'a> {
        DeepCopy { from, into, common, copies: BTreeMap::new() }
    }

    pub fn copy(&mut self, value: &Value) -> Result<Value, Interrupt> {
        let id = match value {
            Value::Array(id) | Value::Grid(id) | Value::Object(id) | Value::Queue(id) => *id,
            Value::Frozen(elements) => {
                let elements: Result<Vec<Value>, Interrupt> =
                    elements.iter().map(|element| self.copy(element)).collect();
                return Ok(self.into.new_array(elements?));
            }
            Value::Function(id) | Value::Relation(id) if *id >= self.common => {
                return Err(Interrupt::Drop("a function or relation leaves an undone search"));
            }
            _ => return Ok(value.clone()),
        };
        if let Some(copy) = self.copies.get(&id) {
            return Ok(copy.clone());
        }
        let copy = match value {
            Value::Array(_) => self.into.new_array(Vec::new()),
            Value::Grid(_) => self.into.new_grid(0, 0, Vec::new()),
            Value::Object(_) => self.into.new_object(Vec::new()),
            _ => self.into.new_queue(false, Vec::new()),
        };
        self.copies.insert(id, copy.clone());
        let (Value::Array(place) | Value::Grid(place) | Value::Object(place) | Value::Queue(place)) = copy else {
            unreachable!("a copy has its kind")
        };
        let mut thing = self.from.things[id].clone();
        let parts: Vec<&mut Value> = match &mut thing {
            Thing::Array(elements) => elements.iter_mut().collect(),
            Thing::Grid { cells, .. } => cells.iter_mut().collect(),
            Thing::Object(fields) => fields.iter_mut().map(|(_, value)| value).collect(),
            Thing::Queue { elements, .. } => elements.iter_mut().map(|(_, value)| value).collect(),
            Thing::Relation(_) | Thing::Function { .. } => Vec::new(),
        };
        for part in parts {
            *part = self.copy(part)?;
        }
        self.into.things[place] = thing;
        Ok(copy)
    }
}
