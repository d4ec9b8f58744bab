//! From data to types of serde.

use std::sync::Arc;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::outside::data::{Data, GridData};
use crate::outside::value_error::ValueError;
use ndscript_base::counted::counted;

/// Data that is being read.
#[derive(Clone, Copy)]
pub(super) struct FromData<'de>(pub &'de Data);

impl<'de> IntoDeserializer<'de, ValueError> for FromData<'de> {
    type Deserializer = FromData<'de>;

    fn into_deserializer(self) -> FromData<'de> {
        self
    }
}

/// A sequence being read. Errors in an element name its index.
struct Elements<I> {
    left: I,
    read: usize,
}

impl<'de, T: IntoDeserializer<'de, ValueError>, I: ExactSizeIterator<Item = T>> SeqAccess<'de>
    for &mut Elements<I>
{
    type Error = ValueError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ValueError> {
        let Some(element) = self.left.next() else {
            return Ok(None);
        };
        self.read += 1;
        seed.deserialize(element.into_deserializer())
            .map(Some)
            .map_err(|error| error.at_index(self.read - 1))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// Lets a visitor read a list, and checks that it has read all of it.
fn sequence<'de, T: IntoDeserializer<'de, ValueError>, V: Visitor<'de>>(
    left: impl ExactSizeIterator<Item = T>,
    visitor: V,
) -> Result<V::Value, ValueError> {
    let mut elements = Elements { left, read: 0 };
    let value = visitor.visit_seq(&mut elements)?;
    match elements.left.len() {
        0 => Ok(value),
        left => Err(ValueError::invalid_length(
            elements.read + left,
            &Expected(elements.read),
        )),
    }
}

/// The number of elements expected.
struct Expected(usize);

impl serde::de::Expected for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&counted(self.0, "element"))
    }
}

fn elements<'de, V: Visitor<'de>>(
    elements: &'de [Data],
    visitor: V,
) -> Result<V::Value, ValueError> {
    sequence(elements.iter().map(FromData), visitor)
}

/// An object being read. Errors in a field name it.
struct Fields<'de> {
    left: std::slice::Iter<'de, (Arc<str>, Data)>,
    open: Option<&'de (Arc<str>, Data)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = ValueError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ValueError> {
        self.open = self.left.next();
        self.open
            .map(|(name, _)| seed.deserialize(Key(name)))
            .transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, ValueError> {
        let (name, value) = self
            .open
            .take()
            .ok_or_else(|| ValueError::custom("a field has no value"))?;
        seed.deserialize(FromData(value))
            .map_err(|error| error.at_field(name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// The rows of a grid.
fn rows<'de, V: Visitor<'de>>(grid: &'de GridData, visitor: V) -> Result<V::Value, ValueError> {
    sequence(grid.cells().chunks(grid.width().max(1)).map(Row), visitor)
}

impl<'de> Deserializer<'de> for FromData<'de> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.0 {
            Data::Null => visitor.visit_unit(),
            Data::Boolean(boolean) => visitor.visit_bool(*boolean),
            Data::Integer(integer) => visitor.visit_i64(*integer),
            Data::Float(float) => visitor.visit_f64(*float),
            Data::Text(text) => visitor.visit_borrowed_str(text),
            Data::Position(x, y) => visitor.visit_seq(SeqDeserializer::new([*x, *y].into_iter())),
            Data::Array(list) | Data::Set(list) | Data::Queue(list) => elements(list, visitor),
            Data::PriorityQueue(queue) => elements(&queue.elements, visitor),
            Data::Relation(pairs) => sequence(pairs.iter().map(Pair), visitor),
            Data::Grid(grid) => rows(grid, visitor),
            Data::Object(object) => visitor.visit_map(Fields {
                left: object.iter(),
                open: None,
            }),
            Data::Function(_) => Err(ValueError::custom("a function cannot be read as data")),
            Data::Host(name, _) => Err(ValueError::custom(format!(
                "the type `{name}` of the host has no data"
            ))),
            Data::Elided => Err(ValueError::custom("a part of the value was left out")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        if self.0.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        match self.0 {
            Data::Position(x, y) => {
                visitor.visit_map(MapDeserializer::new([("x", *x), ("y", *y)].into_iter()))
            }
            Data::Grid(grid) if names.contains(&"cells") => {
                let size = |number: usize| Data::Integer(number as i64);
                let parts = [
                    ("width", size(grid.width())),
                    ("height", size(grid.height())),
                ];
                let parts = parts.map(|(name, size)| (Part::Name(name), Part::Size(size)));
                let cells = (Part::Name("cells"), Part::Cells(grid.cells()));
                visitor.visit_map(MapDeserializer::new(parts.into_iter().chain([cells])))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        match self.0 {
            Data::Text(name) => visitor.visit_enum(Variant {
                name,
                content: None,
            }),
            Data::Object(object) if object.len() == 1 => visitor.visit_enum(Variant {
                name: &object[0].0,
                content: Some(&object[0].1),
            }),
            _ => Err(ValueError::invalid_type(
                Unexpected::Other("a value of another kind"),
                &"a string, or an object of one field",
            )),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

/// A part of a grid that is read as a struct.
enum Part<'de> {
    Name(&'static str),
    Size(Data),
    Cells(&'de [Data]),
}

impl<'de> IntoDeserializer<'de, ValueError> for Part<'de> {
    type Deserializer = Part<'de>;

    fn into_deserializer(self) -> Part<'de> {
        self
    }
}

impl<'de> Deserializer<'de> for Part<'de> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self {
            Part::Name(name) => visitor.visit_borrowed_str(name),
            Part::Size(size) => visitor.visit_i64(size.as_i64().unwrap_or(0)),
            Part::Cells(cells) => elements(cells, visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A row of a grid.
struct Row<'de>(&'de [Data]);

impl<'de> IntoDeserializer<'de, ValueError> for Row<'de> {
    type Deserializer = Part<'de>;

    fn into_deserializer(self) -> Part<'de> {
        Part::Cells(self.0)
    }
}

/// A pair of a relation.
struct Pair<'de>(&'de (Data, Data));

impl<'de> IntoDeserializer<'de, ValueError> for Pair<'de> {
    type Deserializer = Pair<'de>;

    fn into_deserializer(self) -> Pair<'de> {
        self
    }
}

impl<'de> Deserializer<'de> for Pair<'de> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_seq(SeqDeserializer::new(
            [FromData(&self.0.0), FromData(&self.0.1)].into_iter(),
        ))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The name of a field as the key of a map, which may be one of numbers.
struct Key<'de>(&'de str);

impl<'de> IntoDeserializer<'de, ValueError> for Key<'de> {
    type Deserializer = Key<'de>;

    fn into_deserializer(self) -> Key<'de> {
        self
    }
}

macro_rules! parsed {
    ($($method:ident $visit:ident $type:ty;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            match self.0.parse::<$type>() {
                Ok(parsed) => visitor.$visit(parsed),
                Err(_) => visitor.visit_borrowed_str(self.0),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_borrowed_str(self.0)
    }

    parsed! {
        deserialize_bool visit_bool bool;
        deserialize_i8 visit_i64 i64;
        deserialize_i16 visit_i64 i64;
        deserialize_i32 visit_i64 i64;
        deserialize_i64 visit_i64 i64;
        deserialize_u8 visit_u64 u64;
        deserialize_u16 visit_u64 u64;
        deserialize_u32 visit_u64 u64;
        deserialize_u64 visit_u64 u64;
        deserialize_f32 visit_f64 f64;
        deserialize_f64 visit_f64 f64;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_enum(Variant {
            name: self.0,
            content: None,
        })
    }

    forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// A variant of an enum by its name, with its content.
struct Variant<'de> {
    name: &'de str,
    content: Option<&'de Data>,
}

impl<'de> Variant<'de> {
    fn content(&self) -> Result<FromData<'de>, ValueError> {
        self.content.map(FromData).ok_or_else(|| {
            ValueError::invalid_type(
                Unexpected::UnitVariant,
                &"an object of one field, with what the variant holds",
            )
        })
    }
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = ValueError;
    type Variant = Variant<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Variant<'de>), ValueError> {
        let name: serde::de::value::BorrowedStrDeserializer<'de, ValueError> =
            serde::de::value::BorrowedStrDeserializer::new(self.name);
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = ValueError;

    fn unit_variant(self) -> Result<(), ValueError> {
        match self.content {
            None | Some(Data::Null) => Ok(()),
            Some(_) => Err(ValueError::invalid_type(
                Unexpected::NewtypeVariant,
                &"a variant that holds nothing",
            )),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, ValueError> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ValueError> {
        self.content()?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.content()?.deserialize_struct("", names, visitor)
    }
}
