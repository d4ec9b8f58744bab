//! Values of the language as values of JavaScript.

use js_sys::Set;
use ndscript::Data;
use wasm_bindgen::JsValue;

use crate::object::{Fields, array};

/// As `Value` of `types.d.ts` says. [`Data`] is nested 128 deep at most.
pub fn to_js(data: &Data) -> JsValue {
    match data {
        Data::Null => JsValue::NULL,
        Data::Boolean(value) => (*value).into(),
        Data::Integer(value) => (*value as f64).into(),
        Data::Float(value) => (*value).into(),
        Data::Text(text) => (&**text).into(),
        Data::Position(x, y) => position(*x, *y),
        Data::Array(parts) | Data::Queue(parts) => array(parts.iter().map(to_js)),
        Data::PriorityQueue(queue) => array(queue.elements().iter().map(to_js)),
        Data::Set(parts) => Set::new(&array(parts.iter().map(to_js))).into(),
        Data::Relation(pairs) => array(pairs.iter().map(|(a, b)| array([to_js(a), to_js(b)]))),
        Data::Grid(grid) => Fields::new()
            .with("width", grid.width() as f64)
            .with("height", grid.height() as f64)
            .with("cells", array(grid.cells().iter().map(to_js)))
            .into(),
        Data::Object(fields) => fields
            .iter()
            .fold(Fields::new(), |object, (key, value)| {
                object.with(key, to_js(value))
            })
            .into(),
        Data::Function(name) => Fields::new().with("function", &**name).into(),
        Data::Host(_, text) => (&**text).into(),
        _ => JsValue::UNDEFINED,
    }
}

pub fn position(x: i64, y: i64) -> JsValue {
    Fields::new().with("x", x as f64).with("y", y as f64).into()
}
