//! Data as a type of serde itself, so that it can be written as JSON, and read.

use std::fmt;
use std::sync::Arc;

use ndscript_base::keyed::KeyedSet;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeSeq, Serializer};

use crate::outside::data::{Data, GridData};
use crate::value::MAX_INTEGER;

/// As [`Data::to`] reads it: sets, queues and positions are sequences, grids sequences of rows, relations sequences
/// of pairs. Functions, and parts that were left out, are errors.
impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Data::Null => serializer.serialize_unit(),
            Data::Boolean(boolean) => serializer.serialize_bool(*boolean),
            Data::Integer(integer) => serializer.serialize_i64(*integer),
            Data::Float(float) => serializer.serialize_f64(*float),
            Data::Text(text) => serializer.serialize_str(text),
            Data::Position(x, y) => [x, y].serialize(serializer),
            Data::Array(elements) | Data::Set(elements) | Data::Queue(elements) => {
                serializer.collect_seq(&**elements)
            }
            Data::PriorityQueue(queue) => serializer.collect_seq(&*queue.elements),
            Data::Relation(pairs) => serializer.collect_seq(&**pairs),
            Data::Grid(grid) => rows(grid, serializer),
            Data::Object(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (&**name, value)))
            }
            Data::Function(_) => Err(S::Error::custom("a function cannot be written as data")),
            Data::Host(name, _) => Err(S::Error::custom(format!(
                "the type `{name}` of the host has no data"
            ))),
            Data::Elided => Err(S::Error::custom("a part of the value was left out")),
        }
    }
}

fn rows<S: Serializer>(grid: &GridData, serializer: S) -> Result<S::Ok, S::Error> {
    let mut rows = serializer.serialize_seq(Some(grid.height()))?;
    for row in grid.cells().chunks(grid.width().max(1)) {
        rows.serialize_element(row)?;
    }
    rows.end()
}

/// Sequences become arrays and maps objects.
impl<'d> Deserialize<'d> for Data {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Data, D::Error> {
        deserializer.deserialize_any(AnyData)
    }
}

struct AnyData;

impl<'d> Visitor<'d> for AnyData {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of the language")
    }

    fn visit_unit<E>(self) -> Result<Data, E> {
        Ok(Data::Null)
    }

    fn visit_none<E>(self) -> Result<Data, E> {
        Ok(Data::Null)
    }

    fn visit_some<D: Deserializer<'d>>(self, deserializer: D) -> Result<Data, D::Error> {
        Data::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Data, E> {
        Ok(Data::Boolean(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Data, E> {
        if value.unsigned_abs() <= MAX_INTEGER as u64 {
            Ok(Data::Integer(value))
        } else {
            Err(E::custom(format!(
                "{value} is beyond the integers of the language"
            )))
        }
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Data, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => Err(E::custom(format!(
                "{value} is beyond the integers of the language"
            ))),
        }
    }

    fn visit_f64<E>(self, value: f64) -> Result<Data, E> {
        Ok(Data::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Data, E> {
        Ok(Data::from(value))
    }

    fn visit_seq<A: SeqAccess<'d>>(self, mut list: A) -> Result<Data, A::Error> {
        let mut elements: Vec<Data> = Vec::new();
        while let Some(element) = list.next_element()? {
            elements.push(element);
        }
        Ok(Data::Array(elements.into()))
    }

    fn visit_map<A: MapAccess<'d>>(self, mut map: A) -> Result<Data, A::Error> {
        let mut fields: Vec<(Arc<str>, Data)> = Vec::new();
        let mut names: KeyedSet<Arc<str>> = KeyedSet::default();
        while let Some((name, value)) = map.next_entry::<String, Data>()? {
            let name: Arc<str> = name.into();
            if !names.insert(name.clone()) {
                return Err(A::Error::custom(format!("the field `{name}` comes twice")));
            }
            fields.push((name, value));
        }
        Ok(Data::Object(fields.into()))
    }
}
