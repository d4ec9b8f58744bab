//! Views read as types of Rust.

use super::convert::FromValue;
use super::value::Kind;
use super::view::{COPIED_PART, View};
use ndscript_heap::Value as Word;
use ndscript_heap::outside::value_error::ValueError;

impl View<'_> {
    /// The value as a type of Rust.
    ///
    /// # Errors
    /// [`ValueError::Kind`] if it is of another kind, [`ValueError::Inside`] if a part is. [`ValueError::TooLarge`] if
    /// what is shared in the run would take more memory as a copy than the run may, 32 bytes a part.
    pub fn read<T: FromValue>(self) -> Result<T, ValueError> {
        let most = self.context.limits.memory / COPIED_PART;
        if T::DEPTH > 0 && self.parts_of_copy(T::DEPTH, most) > most {
            return Err(ValueError::TooLarge);
        }
        T::try_from_value(self)
    }

    /// The field of an object as a type of Rust.
    ///
    /// ```
    /// use ndscript::{Engine, FromValue, ValueError, View};
    ///
    /// struct Tile { name: String, weight: f64 }
    ///
    /// impl FromValue for Tile {
    ///     const EXPECTED: &'static str = "a tile with name and weight";
    ///     fn from_value(view: View<'_>) -> Option<Tile> {
    ///         Tile::try_from_value(view).ok()
    ///     }
    ///     fn try_from_value(view: View<'_>) -> Result<Tile, ValueError> {
    ///         Ok(Tile { name: view.read_field("name")?, weight: view.read_field("weight")? })
    ///     }
    /// }
    ///
    /// let program = Engine::new().compile("var tiles = [{name: 'grass', weight: 1}, {name: 'sand', weight: 'heavy'}];")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let tiles = run.view_global("tiles").unwrap();
    /// let error = tiles.read::<Vec<Tile>>().err().unwrap();
    /// assert_eq!(error.to_string(), "at [1].weight: expected a number, not \"heavy\" (a string)");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    ///
    /// # Errors
    /// [`ValueError::Kind`] if this is no object, [`ValueError::NotAValue`] if there is no such field, unless the type is an
    /// `Option`; otherwise as [`View::read`], inside the field.
    pub fn read_field<T: FromValue>(self, name: &str) -> Result<T, ValueError> {
        if self.kind() != Kind::Object {
            return Err(self.not("an object"));
        }
        match self.field(name) {
            Some(field) => field.read().map_err(|error| error.at_field(name)),
            None if T::OPTIONAL => T::try_from_value(View {
                context: self.context,
                word: Word::NULL,
            }),
            None => Err(ValueError::NotAValue(format!(
                "the object has no field `{name}`"
            ))),
        }
    }

    /// Reads a field, with the default of the type if there is no such field, or null in it.
    ///
    /// # Errors
    /// As [`View::read_field`], except for missing fields.
    pub fn read_field_or_default<T: FromValue + Default>(
        self,
        name: &str,
    ) -> Result<T, ValueError> {
        match self.field(name) {
            None if self.kind() == Kind::Object => Ok(T::default()),
            Some(field) if field.is_null() => Ok(T::default()),
            _ => self.read_field(name),
        }
    }

    /// The element of an array as a type of Rust.
    ///
    /// # Errors
    /// [`ValueError::NotAValue`] if there is none; otherwise as [`View::read`], inside the element.
    pub fn read_element<T: FromValue>(self, index: usize) -> Result<T, ValueError> {
        match self.elements().nth(index) {
            Some(element) => element.read().map_err(|error| error.at_index(index)),
            None => Err(ValueError::NotAValue(format!(
                "there is no element {index}"
            ))),
        }
    }

    /// The field of an object that is an array of this number of elements: for derived code.
    #[doc(hidden)]
    pub fn field_of_size(self, name: &str, count: usize) -> Result<Self, ValueError> {
        let Some(field) = self.field(name) else {
            return Err(ValueError::NotAValue(format!(
                "the object has no field `{name}`"
            )));
        };
        if field.kind() == Kind::Array && field.len() == count {
            Ok(field)
        } else {
            let elements = ndscript_base::counted::counted(count, "element");
            Err(field.not(&format!("an array of {elements}")).at_field(name))
        }
    }
}
