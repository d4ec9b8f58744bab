//! Values. What can change lives in the state, and a value only names it.

use std::rc::Rc;
use std::sync::Arc;

use ndscript::syntax::ast::Function;

/// The largest integer; beyond it integers overflow.
pub const MAX_INTEGER: f64 = 9_007_199_254_740_991.0;

#[derive(Clone, Debug)]
pub enum Value {
    Null,
    Boolean(bool),
    /// Integers and floats alike: a number without fraction up to [`MAX_INTEGER`] is an integer.
    Number(f64),
    String(Rc<str>),
    Position(i64, i64),
    /// An array that can be written, as an index into the state's things.
    Array(usize),
    /// The frozen copy of an array, as it lies in sets.
    Frozen(Rc<Vec<Value>>),
    /// Sorted in canonical order, without doubles.
    Set(Rc<Vec<Value>>),
    Relation(usize),
    Grid(usize),
    Object(usize),
    Queue(usize),
    Function(usize),
    Native(&'static str),
}

impl Value {
    pub fn text(text: impl Into<String>) -> Value {
        Value::String(Rc::from(text.into()))
    }

    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Boolean(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Position(..) => "position",
            Value::Array(_) | Value::Frozen(_) => "array",
            Value::Set(_) => "set",
            Value::Relation(_) => "relation",
            Value::Grid(_) => "grid",
            Value::Object(_) => "object",
            Value::Queue(_) => "queue",
            Value::Function(_) | Value::Native(_) => "function",
        }
    }

    pub fn integer(&self) -> Option<i64> {
        match self {
            Value::Number(n) if is_integer(*n) => Some(*n as i64),
            _ => None,
        }
    }
}

pub fn is_integer(n: f64) -> bool {
    n.fract() == 0.0 && n.abs() <= MAX_INTEGER
}

/// What has an identity and can change (or at least is made at a moment).
#[derive(Clone, Debug)]
pub enum Thing {
    Array(Vec<Value>),
    Relation(Vec<(Value, Value)>),
    Grid {
        width: usize,
        height: usize,
        cells: Vec<Value>,
    },
    Object(Vec<(Rc<str>, Value)>),
    /// Elements with their priorities, in the order in which they leave.
    Queue {
        by_priority: bool,
        elements: Vec<(f64, Value)>,
    },
    Function {
        code: Arc<Function>,
        scope: usize,
    },
}
