//! Data from and to what serde knows.

mod data;
mod read;
mod write;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::outside::data::Data;
use crate::outside::value_error::ValueError;

impl serde::ser::Error for ValueError {
    fn custom<T: std::fmt::Display>(message: T) -> ValueError {
        ValueError::NotAValue(message.to_string())
    }
}

impl serde::de::Error for ValueError {
    fn custom<T: std::fmt::Display>(message: T) -> ValueError {
        ValueError::NotAValue(message.to_string())
    }
}

impl Data {
    /// The data of any type that serde can serialize: structs and maps become objects, sequences and tuples arrays,
    /// `None` and `()` null, enums their name, or an object with one field of that name. Keys of maps become strings.
    ///
    /// ```
    /// use ndscript::Data;
    /// let data = Data::of(&(1, "two", vec![Some(0.5), None])).unwrap();
    /// assert_eq!(data.to_string(), "[1, \"two\", [0.5, null]]");
    /// assert_eq!(data.to::<(i64, String, Vec<Option<f64>>)>().unwrap(), (1, "two".to_string(), vec![Some(0.5), None]));
    /// ```
    ///
    /// # Errors
    /// [`ValueError::NotAValue`] for numbers that the language does not have, and for keys of maps that are neither
    /// strings, numbers nor truth values; [`ValueError::TooDeep`] if it is nested more than 128 deep.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Data, ValueError> {
        value.serialize(write::ToData { depth: 0 })
    }

    /// The data as any type that serde can deserialize. Sets, queues and positions are read as sequences, grids as
    /// sequences of rows, relations as sequences of pairs; positions also as structs with `x` and `y`, grids as
    /// structs with `width`, `height` and `cells`.
    ///
    /// # Errors
    /// [`ValueError::NotAValue`] with serde's message about the mismatch.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T, ValueError> {
        T::deserialize(read::FromData(self))
    }
}
