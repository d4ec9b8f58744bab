//! Everything that a failure undoes, in one struct that is copied whole.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use ndscript::syntax::ast::Function;

use super::value::{Thing, Value};

/// The scope of the globals.
pub const GLOBALS: usize = 0;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub parent: Option<usize>,
    /// `None` before the line that declares a `let` or `const`.
    pub names: BTreeMap<Arc<str>, Option<Value>>,
}

#[derive(Clone, Debug)]
pub struct State {
    pub things: Vec<Thing>,
    pub scopes: Vec<Scope>,
    pub text: String,
    pub spent: f64,
    /// The sums of boards that belong to the price of a `minimize`: places and factors.
    pub owed: Vec<(Value, Vec<usize>, Vec<f64>)>,
    /// The rules of boards.
    pub boards: super::boards::Boards,
}

impl State {
    pub fn new() -> State {
        State {
            things: Vec::new(),
            scopes: vec![Scope::default()],
            text: String::new(),
            spent: 0.0,
            owed: Vec::new(),
            boards: BTreeMap::new(),
        }
    }

    pub fn new_scope(&mut self, parent: usize) -> usize {
        self.scopes.push(Scope {
            parent: Some(parent),
            names: BTreeMap::new(),
        });
        self.scopes.len() - 1
    }

    fn add(&mut self, thing: Thing) -> usize {
        self.things.push(thing);
        self.things.len() - 1
    }

    pub fn new_array(&mut self, elements: Vec<Value>) -> Value {
        Value::Array(self.add(Thing::Array(elements)))
    }

    pub fn new_relation(&mut self, pairs: Vec<(Value, Value)>) -> Value {
        Value::Relation(self.add(Thing::Relation(pairs)))
    }

    pub fn new_grid(&mut self, width: usize, height: usize, cells: Vec<Value>) -> Value {
        Value::Grid(self.add(Thing::Grid {
            width,
            height,
            cells,
        }))
    }

    pub fn new_object(&mut self, fields: Vec<(Rc<str>, Value)>) -> Value {
        Value::Object(self.add(Thing::Object(fields)))
    }

    pub fn new_queue(&mut self, by_priority: bool, elements: Vec<(f64, Value)>) -> Value {
        Value::Queue(self.add(Thing::Queue {
            by_priority,
            elements,
        }))
    }

    pub fn new_function(&mut self, code: Arc<Function>, scope: usize) -> Value {
        Value::Function(self.add(Thing::Function { code, scope }))
    }

    pub fn array(&self, id: usize) -> &Vec<Value> {
        let Thing::Array(elements) = &self.things[id] else {
            unreachable!("not an array")
        };
        elements
    }

    pub fn array_mut(&mut self, id: usize) -> &mut Vec<Value> {
        let Thing::Array(elements) = &mut self.things[id] else {
            unreachable!("not an array")
        };
        elements
    }

    pub fn relation(&self, id: usize) -> &Vec<(Value, Value)> {
        let Thing::Relation(pairs) = &self.things[id] else {
            unreachable!("not a relation")
        };
        pairs
    }

    pub fn grid(&self, id: usize) -> (usize, usize, &Vec<Value>) {
        let Thing::Grid {
            width,
            height,
            cells,
        } = &self.things[id]
        else {
            unreachable!("not a grid")
        };
        (*width, *height, cells)
    }

    pub fn cells_mut(&mut self, id: usize) -> &mut Vec<Value> {
        let Thing::Grid { cells, .. } = &mut self.things[id] else {
            unreachable!("not a grid")
        };
        cells
    }

    pub fn object(&self, id: usize) -> &Vec<(Rc<str>, Value)> {
        let Thing::Object(fields) = &self.things[id] else {
            unreachable!("not an object")
        };
        fields
    }

    pub fn object_mut(&mut self, id: usize) -> &mut Vec<(Rc<str>, Value)> {
        let Thing::Object(fields) = &mut self.things[id] else {
            unreachable!("not an object")
        };
        fields
    }

    pub fn queue(&self, id: usize) -> (bool, &Vec<(f64, Value)>) {
        let Thing::Queue {
            by_priority,
            elements,
        } = &self.things[id]
        else {
            unreachable!("not a queue")
        };
        (*by_priority, elements)
    }

    pub fn queue_mut(&mut self, id: usize) -> &mut Vec<(f64, Value)> {
        let Thing::Queue { elements, .. } = &mut self.things[id] else {
            unreachable!("not a queue")
        };
        elements
    }

    pub fn function(&self, id: usize) -> (Arc<Function>, usize) {
        let Thing::Function { code, scope } = &self.things[id] else {
            unreachable!("not a function")
        };
        (code.clone(), *scope)
    }

    /// The elements of an array, frozen or not.
    pub fn elements(&self, value: &Value) -> Option<Vec<Value>> {
        match value {
            Value::Array(id) => Some(self.array(*id).clone()),
            Value::Frozen(elements) => Some(elements.to_vec()),
            _ => None,
        }
    }
}
