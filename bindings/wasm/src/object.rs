//! Plain JavaScript objects and arrays.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::JsValue;

/// An object under construction.
pub struct Fields(Object);

impl Fields {
    pub fn new() -> Fields {
        Fields(Object::new())
    }

    /// An object with a field `kind`, which tells it from others.
    pub fn of_kind(kind: &str) -> Fields {
        Fields::new().with("kind", kind)
    }

    pub fn with(self, key: &str, value: impl Into<JsValue>) -> Fields {
        // A new plain object takes every field.
        let _ = Reflect::set(&self.0, &key.into(), &value.into());
        self
    }

    /// The field is left out if there is no value.
    pub fn with_some(self, key: &str, value: Option<impl Into<JsValue>>) -> Fields {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }
}

impl From<Fields> for JsValue {
    fn from(fields: Fields) -> JsValue {
        fields.0.into()
    }
}

pub fn array<T: Into<JsValue>>(items: impl IntoIterator<Item = T>) -> JsValue {
    items.into_iter().map(Into::into).collect::<Array>().into()
}

/// A field of an object that JavaScript has handed in, if it is there.
pub fn field(object: &JsValue, key: &str) -> Option<JsValue> {
    Reflect::get(object, &key.into())
        .ok()
        .filter(|value| !value.is_undefined())
}
