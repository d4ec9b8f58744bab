//! Values of programs as Godot's, and back.

use std::sync::Arc;

use godot::builtin::VariantType;
use godot::prelude::*;
use ndscript::Data;

/// How deep values from Godot may be nested: an array can contain itself.
const DEEPEST: usize = 64;

fn list<'d>(elements: impl IntoIterator<Item = &'d Data>) -> Variant {
    let mut list = VarArray::new();
    for element in elements {
        list.push(&to_variant(element));
    }
    list.to_variant()
}

/// A value as Godot has it: positions are `Vector2i`, sets and queues arrays, relations arrays of pairs, grids
/// dictionaries with `width`, `height` and `cells` row by row, objects dictionaries.
pub fn to_variant(data: &Data) -> Variant {
    match data {
        Data::Null => Variant::nil(),
        Data::Boolean(value) => value.to_variant(),
        Data::Integer(value) => value.to_variant(),
        Data::Float(value) => value.to_variant(),
        Data::Text(text) => GString::from(&**text).to_variant(),
        Data::Position(x, y) => match (i32::try_from(*x), i32::try_from(*y)) {
            (Ok(x), Ok(y)) => Vector2i::new(x, y).to_variant(),
            _ => Vector2::new(*x as f32, *y as f32).to_variant(),
        },
        Data::Array(elements) | Data::Set(elements) | Data::Queue(elements) => {
            list(elements.iter())
        }
        Data::PriorityQueue(queue) => list(queue.elements().iter()),
        Data::Relation(pairs) => {
            let mut rows = VarArray::new();
            for (left, right) in pairs.iter() {
                rows.push(&list([left, right]));
            }
            rows.to_variant()
        }
        Data::Grid(grid) => {
            let mut fields = VarDictionary::new();
            fields.set("width", grid.width() as i64);
            fields.set("height", grid.height() as i64);
            fields.set("cells", &list(grid.cells()));
            fields.to_variant()
        }
        Data::Object(fields) => object(fields.iter().map(|(name, value)| (&**name, value))),
        other => GString::from(&other.to_string()).to_variant(),
    }
}

/// Named values as a dictionary.
pub fn object<'d>(fields: impl IntoIterator<Item = (&'d str, &'d Data)>) -> Variant {
    let mut object = VarDictionary::new();
    for (name, value) in fields {
        object.set(name, &to_variant(value));
    }
    object.to_variant()
}

/// A value of Godot for a program, or in words why there is none.
pub fn to_data(value: &Variant) -> Result<Data, String> {
    data_at(value, 0)
}

fn data_at(value: &Variant, depth: usize) -> Result<Data, String> {
    if depth > DEEPEST {
        return Err(format!("it is nested more than {DEEPEST} deep"));
    }
    Ok(match value.get_type() {
        VariantType::NIL => Data::Null,
        VariantType::BOOL => Data::Boolean(value.to()),
        VariantType::INT => Data::from(value.to::<i64>()),
        VariantType::FLOAT => Data::from(value.to::<f64>()),
        VariantType::VECTOR2I => {
            let place: Vector2i = value.to();
            Data::Position(i64::from(place.x), i64::from(place.y))
        }
        VariantType::STRING | VariantType::STRING_NAME => Data::from(value.stringify().to_string()),
        VariantType::ARRAY => {
            let elements: VarArray = value.to();
            let elements = elements.iter_shared();
            let elements: Result<Vec<Data>, String> = elements
                .map(|element| data_at(&element, depth + 1))
                .collect();
            Data::Array(elements?.into())
        }
        VariantType::DICTIONARY => {
            let fields: VarDictionary = value.to();
            let fields = fields.iter_shared().map(|(name, value)| {
                let name: Arc<str> = name.stringify().to_string().into();
                Ok((name, data_at(&value, depth + 1)?))
            });
            let fields: Result<Vec<(Arc<str>, Data)>, String> = fields.collect();
            Data::Object(fields?.into())
        }
        other => return Err(format!("a {other:?} cannot be a value of a program")),
    })
}
