//! From types of serde to data.

use std::sync::Arc;

use serde::ser::{self, Error, Serialize};

use crate::outside::data::{Data, MAX_DEPTH};
use crate::outside::value_error::ValueError;
use crate::value::MAX_INTEGER;

/// Makes data inside this many collections.
#[derive(Clone, Copy)]
pub(super) struct ToData {
    pub depth: usize,
}

impl ToData {
    fn inside(self) -> Result<ToData, ValueError> {
        if self.depth >= MAX_DEPTH {
            Err(ValueError::TooDeep)
        } else {
            Ok(ToData {
                depth: self.depth + 1,
            })
        }
    }

    /// Begins a list, inside of an object with the variant's name if there is one.
    fn list(self, variant: Option<&'static str>) -> Result<List, ValueError> {
        let inside = if variant.is_some() {
            self.inside()?
        } else {
            self
        };
        Ok(List {
            inside: inside.inside()?,
            variant,
            elements: Vec::new(),
        })
    }

    /// Begins an object, inside of one with the variant's name if there is one.
    fn fields(self, variant: Option<&'static str>) -> Result<Fields, ValueError> {
        let inside = if variant.is_some() {
            self.inside()?
        } else {
            self
        };
        Ok(Fields {
            inside: inside.inside()?,
            variant,
            key: None,
            fields: Vec::new(),
        })
    }
}

fn of_variant(variant: Option<&'static str>, data: Data) -> Data {
    match variant {
        Some(variant) => Data::object([(variant, data)]),
        None => data,
    }
}

fn integer(integer: i128) -> Result<Data, ValueError> {
    match i64::try_from(integer) {
        Ok(small) if small.unsigned_abs() <= MAX_INTEGER as u64 => Ok(Data::Integer(small)),
        _ => Err(ValueError::custom(format!(
            "{integer} is beyond the integers of the language"
        ))),
    }
}

macro_rules! integers {
    ($($method:ident $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Result<Data, ValueError> {
            integer(i128::from(value))
        }
    )*};
}

impl ser::Serializer for ToData {
    type Ok = Data;
    type Error = ValueError;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = List;
    type SerializeMap = Fields;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Fields;

    integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
    }

    fn serialize_u128(self, value: u128) -> Result<Data, ValueError> {
        integer(i128::try_from(value).unwrap_or(i128::MAX))
    }

    fn serialize_bool(self, value: bool) -> Result<Data, ValueError> {
        Ok(Data::Boolean(value))
    }

    fn serialize_f32(self, value: f32) -> Result<Data, ValueError> {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<Data, ValueError> {
        if value.is_finite() {
            Ok(Data::from(value))
        } else {
            Err(ValueError::custom(format!(
                "{value} is not a finite number"
            )))
        }
    }

    fn serialize_char(self, value: char) -> Result<Data, ValueError> {
        Ok(Data::from(value.to_string()))
    }

    fn serialize_str(self, value: &str) -> Result<Data, ValueError> {
        Ok(Data::from(value))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Data, ValueError> {
        Ok(Data::Array(
            value
                .iter()
                .map(|byte| Data::Integer(i64::from(*byte)))
                .collect(),
        ))
    }

    fn serialize_none(self) -> Result<Data, ValueError> {
        Ok(Data::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Data, ValueError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Data, ValueError> {
        Ok(Data::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Data, ValueError> {
        Ok(Data::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Data, ValueError> {
        Ok(Data::from(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Data, ValueError> {
        // Types that contain themselves recurse in native calls, too, whatever they consist of.
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Data, ValueError> {
        Ok(of_variant(Some(variant), value.serialize(self.inside()?)?))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List, ValueError> {
        self.list(None)
    }

    fn serialize_tuple(self, _: usize) -> Result<List, ValueError> {
        self.list(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List, ValueError> {
        self.list(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List, ValueError> {
        self.list(Some(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields, ValueError> {
        self.fields(None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields, ValueError> {
        self.fields(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields, ValueError> {
        self.fields(Some(variant))
    }
}

/// A list that is being made.
pub(super) struct List {
    inside: ToData,
    variant: Option<&'static str>,
    elements: Vec<Data>,
}

impl List {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        self.elements.push(value.serialize(self.inside)?);
        Ok(())
    }

    fn finish(self) -> Data {
        of_variant(self.variant, Data::Array(self.elements.into()))
    }
}

macro_rules! lists {
    ($($trait:ident $method:ident;)*) => {$(
        impl ser::$trait for List {
            type Ok = Data;
            type Error = ValueError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
                self.push(value)
            }

            fn end(self) -> Result<Data, ValueError> {
                Ok(self.finish())
            }
        }
    )*};
}

lists! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// An object that is being made.
pub(super) struct Fields {
    inside: ToData,
    variant: Option<&'static str>,
    key: Option<Arc<str>>,
    fields: Vec<(Arc<str>, Data)>,
}

impl Fields {
    fn push<T: Serialize + ?Sized>(&mut self, name: Arc<str>, value: &T) -> Result<(), ValueError> {
        self.fields.push((name, value.serialize(self.inside)?));
        Ok(())
    }

    fn finish(self) -> Data {
        of_variant(self.variant, Data::Object(self.fields.into()))
    }
}

impl ser::SerializeMap for Fields {
    type Ok = Data;
    type Error = ValueError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), ValueError> {
        let key = match key.serialize(self.inside)? {
            Data::Text(text) => text,
            key @ (Data::Integer(_) | Data::Float(_) | Data::Boolean(_)) => key.to_string().into(),
            _ => {
                return Err(ValueError::custom(
                    "the key of a map is neither a string, a number nor a truth value",
                ));
            }
        };
        self.key = Some(key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        let key = self.key.take().unwrap_or_default();
        self.push(key, value)
    }

    fn end(self) -> Result<Data, ValueError> {
        Ok(self.finish())
    }
}

macro_rules! structs {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Fields {
            type Ok = Data;
            type Error = ValueError;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), ValueError> {
                self.push(name.into(), value)
            }

            fn end(self) -> Result<Data, ValueError> {
                Ok(self.finish())
            }
        }
    )*};
}

structs! { SerializeStruct SerializeStructVariant }
