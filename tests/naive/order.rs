//! Equality, the canonical order, frozen copies and deep copies.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::interpreter::{ErrorName, Interrupt, error};
use super::state::{GLOBALS, State};
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
            let (Some(a), Some(b)) = (state.elements(a), state.elements(b)) else {
                return false;
            };
            a.len() == b.len()
                && a.iter()
                    .zip(&b)
                    .all(|(a, b)| equal_under(state, a, b, assumed))
        }
        (Value::Set(a), Value::Set(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b.iter())
                    .all(|(a, b)| equal_under(state, a, b, assumed))
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
            let difference = a
                .iter()
                .zip(b.iter())
                .map(|(a, b)| compare(a, b))
                .find(|order| order.is_ne());
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
        Value::Relation(id)
        | Value::Grid(id)
        | Value::Object(id)
        | Value::Queue(id)
        | Value::Function(id) => *id,
        _ => 0,
    }
}

/// What is stored when a value is put into a set.
pub fn frozen(state: &State, value: &Value, open: &mut Vec<usize>) -> Result<Value, Interrupt> {
    let Value::Array(id) = value else {
        return Ok(value.clone());
    };
    if open.contains(id) {
        return error(
            ErrorName::Value,
            "an array that contains itself cannot be put into a set",
        );
    }
    open.push(*id);
    let elements: Result<Vec<Value>, Interrupt> = state
        .array(*id)
        .iter()
        .map(|v| frozen(state, v, open))
        .collect();
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

/// Copies results of a search from its state into that before it: everything that can change, and what leads to it.
/// What is shared stays shared, and copies are made in the order of the originals.
pub struct DeepCopy<'a> {
    from: &'a State,
    into: &'a mut State,
    /// The number of things that both states have.
    common: usize,
    /// Whether what lies inside sets, relations and functions is copied as well, as for results of a search.
    everything: bool,
    /// What was reached: things and scopes by number, with their copies.
    things: BTreeMap<usize, Value>,
    scopes: BTreeMap<usize, usize>,
}

impl<'a> DeepCopy<'a> {
    pub fn new(from: &'a State, into: &'a mut State, common: usize) -> DeepCopy<'a> {
        DeepCopy {
            from,
            into,
            common,
            everything: true,
            things: BTreeMap::new(),
            scopes: BTreeMap::new(),
        }
    }

    /// The copying of `deepCopy`.
    pub fn of_data(from: &'a State, into: &'a mut State) -> DeepCopy<'a> {
        DeepCopy {
            everything: false,
            ..DeepCopy::new(from, into, usize::MAX)
        }
    }

    pub fn copy(mut self, value: &Value) -> Value {
        self.reach(value);
        for (id, copy) in &mut self.things {
            *copy = match &self.from.things[*id] {
                Thing::Array(_) => self.into.new_array(Vec::new()),
                Thing::Grid { .. } => self.into.new_grid(0, 0, Vec::new()),
                Thing::Object(_) => self.into.new_object(Vec::new()),
                Thing::Queue { .. } => self.into.new_queue(false, Vec::new()),
                Thing::Relation(_) => self.into.new_relation(Vec::new()),
                Thing::Function { code, .. } => self.into.new_function(code.clone(), GLOBALS),
            };
        }
        for copy in self.scopes.values_mut() {
            *copy = self.into.new_scope(GLOBALS);
        }
        for (id, copy) in self.things.clone() {
            let mut thing = self.from.things[id].clone();
            match &mut thing {
                Thing::Array(elements) => elements
                    .iter_mut()
                    .for_each(|value| *value = self.copy_of(value)),
                Thing::Grid { cells, .. } => cells
                    .iter_mut()
                    .for_each(|value| *value = self.copy_of(value)),
                Thing::Object(fields) => fields
                    .iter_mut()
                    .for_each(|(_, value)| *value = self.copy_of(value)),
                Thing::Queue { elements, .. } => elements
                    .iter_mut()
                    .for_each(|(_, value)| *value = self.copy_of(value)),
                Thing::Relation(pairs) => {
                    pairs
                        .iter_mut()
                        .for_each(|(a, b)| (*a, *b) = (self.element(a), self.element(b)));
                    pairs.sort_by(|x, y| compare(&x.0, &y.0).then_with(|| compare(&x.1, &y.1)));
                }
                Thing::Function { scope, .. } => *scope = self.scope(*scope),
            }
            if let Some(place) = thing_of(&copy) {
                self.into.things[place] = thing;
            }
        }
        for (id, copy) in self.scopes.clone() {
            let mut scope = self.from.scopes[id].clone();
            scope.parent = scope.parent.map(|parent| self.scope(parent));
            for value in scope.names.values_mut().flatten() {
                *value = self.copy_of(value);
            }
            self.into.scopes[copy] = scope;
        }
        self.copy_of(value)
    }

    fn scope(&self, scope: usize) -> usize {
        self.scopes.get(&scope).copied().unwrap_or(GLOBALS)
    }

    /// Whether a value leads to something that can change, other than globals.
    fn changes(&self, value: &Value) -> bool {
        match value {
            Value::Array(_) | Value::Grid(_) | Value::Object(_) | Value::Queue(_) => true,
            Value::Relation(_) | Value::Function(_) | Value::Set(_) if !self.everything => false,
            Value::Frozen(elements) | Value::Set(elements) => {
                elements.iter().any(|element| self.changes(element))
            }
            Value::Relation(id) => {
                *id >= self.common
                    || self
                        .from
                        .relation(*id)
                        .iter()
                        .any(|(a, b)| self.changes(a) || self.changes(b))
            }
            Value::Function(id) => *id >= self.common || self.from.function(*id).1 != GLOBALS,
            _ => false,
        }
    }

    /// Takes note of everything that is to be copied.
    fn reach(&mut self, value: &Value) {
        let id = match value {
            Value::Set(_) if !self.everything => return,
            Value::Frozen(elements) | Value::Set(elements) => {
                return elements.iter().for_each(|element| self.reach(element));
            }
            _ => match thing_of(value) {
                Some(id) if self.changes(value) => id,
                _ => return,
            },
        };
        if self.things.insert(id, Value::Null).is_some() {
            return;
        }
        let from = self.from;
        match &from.things[id] {
            Thing::Array(parts) | Thing::Grid { cells: parts, .. } => {
                parts.iter().for_each(|part| self.reach(part))
            }
            Thing::Object(fields) => fields.iter().for_each(|(_, part)| self.reach(part)),
            Thing::Queue { elements, .. } => elements.iter().for_each(|(_, part)| self.reach(part)),
            Thing::Relation(pairs) => pairs.iter().for_each(|(a, b)| {
                self.reach(a);
                self.reach(b);
            }),
            Thing::Function { scope, .. } => self.reach_scope(*scope),
        }
    }

    fn reach_scope(&mut self, scope: usize) {
        if scope == GLOBALS || self.scopes.insert(scope, GLOBALS).is_some() {
            return;
        }
        let from = self.from;
        from.scopes[scope]
            .names
            .values()
            .flatten()
            .for_each(|value| self.reach(value));
        from.scopes[scope]
            .parent
            .iter()
            .for_each(|parent| self.reach_scope(*parent));
    }

    /// The copy of a value; a frozen array becomes one that can be written.
    fn copy_of(&mut self, value: &Value) -> Value {
        match value {
            Value::Frozen(elements) => {
                let elements = elements
                    .iter()
                    .map(|element| self.copy_of(element))
                    .collect();
                self.into.new_array(elements)
            }
            Value::Set(_) if !self.everything => value.clone(),
            _ => self.element(value),
        }
    }

    /// The copy of a value as it lies in a set.
    fn element(&self, value: &Value) -> Value {
        match value {
            Value::Frozen(elements) => Value::Frozen(Rc::new(
                elements.iter().map(|part| self.element(part)).collect(),
            )),
            Value::Set(elements) => {
                let mut elements: Vec<Value> =
                    elements.iter().map(|part| self.element(part)).collect();
                elements.sort_by(compare);
                Value::Set(Rc::new(elements))
            }
            _ => thing_of(value)
                .and_then(|id| self.things.get(&id))
                .unwrap_or(value)
                .clone(),
        }
    }
}

fn thing_of(value: &Value) -> Option<usize> {
    match value {
        Value::Array(id) | Value::Relation(id) | Value::Grid(id) => Some(*id),
        Value::Object(id) | Value::Queue(id) | Value::Function(id) => Some(*id),
        _ => None,
    }
}
