//! Reading and writing of names, fields, elements and cells.

use std::rc::Rc;
use std::sync::Arc;

use ndscript::syntax::ast::{BinaryOperator, Expression, Target};

use super::builtins;
use super::interpreter::{ErrorName, Interpreter, Result, error, type_error};
use super::numbers;
use super::state::GLOBALS;
use super::value::Value;

/// A target whose parts have been evaluated.
enum Place {
    Name(Arc<str>, usize),
    Field(Value, Arc<str>),
    Index(Value, Vec<Value>),
}

impl Interpreter {
    fn place(&mut self, target: &Target, scope: usize) -> Result<Place> {
        match target {
            Target::Name(name) => Ok(Place::Name(name.name.clone(), scope)),
            Target::Field { object, field, .. } => Ok(Place::Field(
                self.evaluate(object, scope)?,
                field.name.clone(),
            )),
            Target::Index {
                object, indexes, ..
            } => Ok(Place::Index(
                self.evaluate(object, scope)?,
                self.evaluate_all(indexes, scope)?,
            )),
        }
    }

    fn read(&mut self, place: &Place) -> Result<Value> {
        match place {
            Place::Name(name, scope) => self.read_name(name, *scope),
            Place::Field(object, field) => self.read_field(object, field),
            Place::Index(object, indexes) => self.read_index(object, indexes),
        }
    }

    fn write(&mut self, place: &Place, value: Value) -> Result<()> {
        match place {
            Place::Name(name, scope) => self.assign_name(name, value, *scope),
            Place::Field(object, field) => self.write_field(object, field, value),
            Place::Index(object, indexes) => self.write_index(object, indexes, value),
        }
    }

    pub fn assign(
        &mut self,
        target: &Target,
        operator: Option<BinaryOperator>,
        value: &Expression,
        scope: usize,
    ) -> Result<Value> {
        let place = self.place(target, scope)?;
        let value = match operator {
            None => self.evaluate(value, scope)?,
            Some(operator) => {
                let old = self.read(&place)?;
                let operand = self.evaluate(value, scope)?;
                self.binary(operator, &old, &operand)?
            }
        };
        self.write(&place, value.clone())?;
        Ok(value)
    }

    pub fn update(
        &mut self,
        target: &Target,
        increment: bool,
        prefix: bool,
        scope: usize,
    ) -> Result<Value> {
        let place = self.place(target, scope)?;
        let old = self.read(&place)?;
        let by = if increment { 1.0 } else { -1.0 };
        numbers::number(&old)?;
        let new = numbers::binary(BinaryOperator::Add, &old, &Value::Number(by))?;
        self.write(&place, new.clone())?;
        Ok(if prefix { new } else { old })
    }

    /// The scope that declares a name, from the inside out.
    fn scope_of(&self, name: &str, scope: usize) -> Option<usize> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            if self.state.scopes[scope].names.contains_key(name) {
                return Some(scope);
            }
            next = self.state.scopes[scope].parent;
        }
        None
    }

    pub fn read_name(&mut self, name: &str, scope: usize) -> Result<Value> {
        match self.scope_of(name, scope) {
            Some(scope) => match &self.state.scopes[scope].names[name] {
                Some(value) => Ok(value.clone()),
                None => error(
                    ErrorName::Undefined,
                    format!("{name} is used before its declaration"),
                ),
            },
            None => match builtins::named(name) {
                Some(native) => Ok(native),
                None => error(ErrorName::Undefined, format!("{name} is not defined")),
            },
        }
    }

    pub fn assign_name(&mut self, name: &Arc<str>, value: Value, scope: usize) -> Result<()> {
        let scope = self.scope_of(name, scope);
        if let Some(scope) = scope
            && self.state.scopes[scope].names[name].is_none()
        {
            return error(
                ErrorName::Undefined,
                format!("{name} is assigned before its line"),
            );
        }
        self.state.scopes[scope.unwrap_or(GLOBALS)]
            .names
            .insert(name.clone(), Some(value));
        Ok(())
    }

    pub fn read_field(&mut self, object: &Value, field: &str) -> Result<Value> {
        match object {
            Value::Object(id) => match self
                .state
                .object(*id)
                .iter()
                .find(|(key, _)| &**key == field)
            {
                Some((_, value)) => Ok(value.clone()),
                None => error(ErrorName::Field, format!("no field {field}")),
            },
            Value::Position(x, y) => match field {
                "x" => Ok(Value::Number(*x as f64)),
                "y" => Ok(Value::Number(*y as f64)),
                _ => error(ErrorName::Field, "a position has x and y"),
            },
            _ => type_error("an object", object),
        }
    }

    fn write_field(&mut self, object: &Value, field: &str, value: Value) -> Result<()> {
        let Value::Object(id) = object else {
            return type_error("an object", object);
        };
        let known = self
            .state
            .object(*id)
            .iter()
            .position(|(key, _)| &**key == field);
        if let Some(at) = known
            && let Some(done) = self.assign_place(object, at, &value)
        {
            return done.map(|_| ());
        }
        let fields = self.state.object_mut(*id);
        match fields.iter_mut().find(|(key, _)| &**key == field) {
            Some((_, place)) => *place = value,
            None => fields.push((Rc::from(field), value)),
        }
        Ok(())
    }

    pub fn read_index(&mut self, object: &Value, indexes: &[Value]) -> Result<Value> {
        match (object, indexes) {
            (Value::Grid(id), _) => {
                let cell = self.cell(*id, indexes)?;
                Ok(self.state.grid(*id).2[cell].clone())
            }
            (Value::Array(_) | Value::Frozen(_), [index]) => {
                let elements = self.state.elements(object).unwrap_or_default();
                Ok(elements[position_in(index, elements.len())?].clone())
            }
            (Value::String(text), [index]) => {
                let chars: Vec<char> = text.chars().collect();
                Ok(Value::text(chars[position_in(index, chars.len())?]))
            }
            (Value::Object(_), [Value::String(key)]) => self.read_field(object, key),
            (Value::Object(_), [index]) => type_error("a string", index),
            _ => type_error("something with elements", object),
        }
    }

    fn write_index(&mut self, object: &Value, indexes: &[Value], value: Value) -> Result<()> {
        match (object, indexes) {
            (Value::Grid(id), _) => {
                let cell = self.cell(*id, indexes)?;
                if let Some(done) = self.assign_place(object, cell, &value) {
                    return done.map(|_| ());
                }
                self.state.cells_mut(*id)[cell] = value;
                Ok(())
            }
            (Value::Array(id), [index]) => {
                let at = position_in(index, self.state.array(*id).len())?;
                if let Some(done) = self.assign_place(object, at, &value) {
                    return done.map(|_| ());
                }
                self.state.array_mut(*id)[at] = value;
                Ok(())
            }
            (Value::Frozen(_), [_]) => error(ErrorName::Frozen, "copy it first"),
            (Value::Object(_), [Value::String(key)]) => self.write_field(object, key, value),
            (Value::Object(_), [index]) => type_error("a string", index),
            _ => type_error("something with elements", object),
        }
    }

    /// The index into its cells of `g[x, y]` or `g[p]`.
    pub fn cell(&self, grid: usize, indexes: &[Value]) -> Result<usize> {
        let (x, y) = match indexes {
            [Value::Position(x, y)] => (*x, *y),
            [x, y] => (numbers::integer(x)?, numbers::integer(y)?),
            [other] => return type_error("a position", other),
            _ => return error(ErrorName::Arity, "a grid takes one or two indexes"),
        };
        let (width, height, _) = self.state.grid(grid);
        if x < 0 || y < 0 || x >= width as i64 || y >= height as i64 {
            return error(ErrorName::Index, format!("({x},{y}) is outside"));
        }
        Ok(y as usize * width + x as usize)
    }
}

/// An index as a place in a list of this length.
pub fn position_in(index: &Value, length: usize) -> Result<usize> {
    let at = numbers::integer(index)?;
    if at < 0 || at >= length as i64 {
        return error(ErrorName::Index, format!("index {at} of {length} elements"));
    }
    Ok(at as usize)
}
