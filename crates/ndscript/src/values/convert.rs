//! Values of the language as values of Rust, and back.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::sync::Arc;

use super::value::{Kind, Value};
use super::view::View;
use ndscript_base::counted::counted;
use ndscript_heap::kinds::hosted::NoCopy;
use ndscript_heap::outside::data::Data;
use ndscript_heap::outside::value_error::ValueError;
use ndscript_heap::walks::freeze::Unfreezable;
use ndscript_heap::{Heap, Value as Word};
use ndscript_machine::natives::context::Context;

/// Rust types that values can be read as.
///
/// Integers, floats, `bool`, `String`, `char`, tuples of two whole numbers for positions, other tuples (up to six) for
/// arrays of that number of elements, `Option` for values that may be null, `Vec`, `Box<[T]>` and `[T; N]` for the
/// elements of an array, a set or a queue, `BTreeSet` and `HashSet` for those of a set, `BTreeMap` and `HashMap` with
/// `String` keys for the fields of an object, [`GridData`](crate::GridData), [`Data`] for anything, and [`Value`] for a
/// handle. Structs and enums of the host get it by `#[derive(NdData)]` of the crate `ndscript-derive`, or read the
/// parts of a view:
///
/// ```
/// use ndscript::{Engine, FromValue, View};
///
/// struct Tile { name: String, weight: f64 }
///
/// impl FromValue for Tile {
///     const EXPECTED: &'static str = "a tile with name and weight";
///     fn from_value(view: View<'_>) -> Option<Tile> {
///         Some(Tile { name: view.field("name")?.read().ok()?, weight: view.field("weight")?.as_f64()? })
///     }
/// }
///
/// let engine = Engine::new().with_function("describe", |tile: Tile| Ok(format!("{} x{}", tile.name, tile.weight)));
/// let program = engine.compile("print(describe({name: \"grass\", weight: 2.5}));")?;
/// assert_eq!(program.run(1).next().unwrap().unwrap().text, "grass x2.5");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no value of the language becomes `{Self}`",
    label = "a value cannot be read as this",
    note = "derive it, `#[derive(NdData)]`, implement `FromValue`, or take `Data` or a `View` and look for yourself"
)]
pub trait FromValue: Sized {
    /// The expected kind, for messages: `a string`.
    const EXPECTED: &'static str;

    /// Whether an argument of this type may be left out at the end of a call.
    #[doc(hidden)]
    const OPTIONAL: bool = false;

    /// How many levels of the script's value an argument of this type copies: its size counts that far.
    #[doc(hidden)]
    const DEPTH: usize = usize::MAX;

    /// Whether it is a whole number: two of these in a tuple are a position.
    #[doc(hidden)]
    const IS_WHOLE: bool = false;

    /// The value as this type; `None` if it is of another kind.
    fn from_value(view: View<'_>) -> Option<Self>;

    /// Reads the value, or returns the error. A type with parts names the part, see [`View::read_field`].
    ///
    /// # Errors
    /// [`ValueError::Kind`], or the error inside.
    fn try_from_value(view: View<'_>) -> Result<Self, ValueError> {
        Self::from_value(view).ok_or_else(|| view.not(Self::EXPECTED))
    }
}

/// Rust types that become values: what [`FromValue`] lists, arrays, slices, `&str`, and every `Option` of them.
///
/// A type of the host's own makes its parts first:
///
/// ```
/// use ndscript::{Engine, IntoValue, Made, Maker, ValueError};
///
/// struct Tile { name: &'static str, weight: f64 }
///
/// impl IntoValue for Tile {
///     fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
///         let fields = [("name", self.name.into_value(maker)?), ("weight", self.weight.into_value(maker)?)];
///         Ok(maker.object(fields))
///     }
/// }
///
/// let engine = Engine::new().with_function("grass", || Ok(Tile { name: "grass", weight: 2.5 }));
/// let program = engine.compile("print(grass());")?;
/// assert_eq!(program.run(1).next().unwrap().unwrap().text, "{name: \"grass\", weight: 2.5}");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value of the language",
    label = "this cannot be handed to a script",
    note = "derive it, `#[derive(NdData)]`, implement `IntoValue`, or make it a value of the host: `HostValue` and `HostType`"
)]
pub trait IntoValue {
    /// Whether it is a whole number: two of these in a tuple are a position.
    #[doc(hidden)]
    const IS_WHOLE: bool = false;

    /// The value of the language.
    ///
    /// # Errors
    /// If there is no such value: an integer beyond 2^53 - 1, a float that is not finite, a position out of range, a
    /// handle of another run.
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError>;
}

/// A run in which values are being made.
pub struct Maker<'a> {
    pub(crate) context: &'a mut Context,
    brand: Brand<'a>,
}

/// A value that was just made for the run of its [`Maker`]. It goes nowhere else.
#[derive(Clone, Copy)]
pub struct Made<'a> {
    pub(crate) word: Word,
    brand: Brand<'a>,
}

/// Makes a lifetime invariant, so that what was made in one run is no value of another.
type Brand<'a> = PhantomData<fn(&'a ()) -> &'a ()>;

impl<'a> Maker<'a> {
    pub(crate) fn new(context: &'a mut Context) -> Maker<'a> {
        Maker {
            context,
            brand: PhantomData,
        }
    }

    pub(crate) fn made(&self, word: Word) -> Made<'a> {
        Made {
            word,
            brand: PhantomData,
        }
    }

    /// An array of these elements.
    pub fn array(&mut self, elements: impl IntoIterator<Item = Made<'a>>) -> Made<'a> {
        let elements: Vec<Word> = elements.into_iter().map(|element| element.word).collect();
        self.context.charge(elements.len());
        let array = self.context.heap.array(elements);
        self.made(array)
    }

    /// The set of these elements.
    ///
    /// # Errors
    /// [`ValueError::ContainsItself`] for an array that does: it has no place in a set. [`ValueError::NoElement`] for a
    /// value of a type of the host that has no order.
    pub fn set(
        &mut self,
        elements: impl IntoIterator<Item = Made<'a>>,
    ) -> Result<Made<'a>, ValueError> {
        let mut frozen = Vec::new();
        for element in elements {
            let word = self
                .context
                .heap
                .freeze(element.word)
                .map_err(|unfreezable| self.no_element(unfreezable))?;
            frozen.push(word);
        }
        self.context.charge(frozen.len() * 4);
        let set = self.context.heap.set_of_frozen(frozen);
        Ok(self.made(set))
    }

    fn no_element(&self, unfreezable: Unfreezable) -> ValueError {
        match unfreezable {
            Unfreezable::ContainsItself => ValueError::ContainsItself,
            Unfreezable::Host(NoCopy::NoOrder(word)) => {
                ValueError::NoElement(self.context.host_noun(word))
            }
            Unfreezable::Host(NoCopy::NoClone(word) | NoCopy::Gone(word)) => {
                ValueError::NoClone(self.context.host_noun(word))
            }
        }
    }

    /// An object with these fields, in this order.
    pub fn object<'n>(
        &mut self,
        fields: impl IntoIterator<Item = (&'n str, Made<'a>)>,
    ) -> Made<'a> {
        let object = self.context.heap.object();
        for (name, value) in fields {
            let name = self.context.heap.text(name);
            self.context
                .heap
                .set_field(object.payload(), name, value.word);
            self.context.charge(1);
        }
        self.made(object)
    }

    /// A grid of cells that lie row by row.
    ///
    /// # Errors
    /// [`ValueError::NotAValue`] unless they fill a number of rows of that width.
    pub fn grid(
        &mut self,
        width: usize,
        cells: impl IntoIterator<Item = Made<'a>>,
    ) -> Result<Made<'a>, ValueError> {
        let cells: Vec<Word> = cells.into_iter().map(|cell| cell.word).collect();
        let height = cells.len().checked_div(width).unwrap_or(0);
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(columns), Ok(rows)) if width * height == cells.len() => {
                self.context.charge(cells.len());
                let grid = self.context.heap.grid(columns, rows, cells);
                Ok(self.made(grid))
            }
            _ => Err(ValueError::NotAValue(format!(
                "{} cannot make whole rows of {width}",
                counted(cells.len(), "cell")
            ))),
        }
    }

    pub(crate) fn word(&mut self, value: impl IntoValue) -> Result<Word, ValueError> {
        value.into_value(self).map(|made| made.word)
    }
}

/// Makes a value in a run.
pub(crate) fn make(context: &mut Context, value: impl IntoValue) -> Result<Word, ValueError> {
    Maker::new(context).word(value)
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl FromValue for $type {
            const EXPECTED: &'static str = "a whole number in range";
            const DEPTH: usize = 0;
            const IS_WHOLE: bool = true;
            fn from_value(view: View<'_>) -> Option<$type> {
                view.as_i64()?.try_into().ok()
            }
        }

        impl IntoValue for $type {
            const IS_WHOLE: bool = true;

            fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
                let word = i64::try_from(self).ok().and_then(|integer| Heap::integer(integer).ok());
                let word = word.ok_or_else(|| {
                    ValueError::NotAValue(format!("{self} is beyond the integers of the language"))
                })?;
                Ok(maker.made(word))
            }
        }
    )*};
}

integers! { i8 i16 i32 isize u8 u16 u32 u64 usize }

impl FromValue for i64 {
    const EXPECTED: &'static str = "a whole number";
    const DEPTH: usize = 0;
    const IS_WHOLE: bool = true;
    fn from_value(view: View<'_>) -> Option<i64> {
        view.as_i64()
    }
}

impl IntoValue for i64 {
    const IS_WHOLE: bool = true;

    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        match Heap::integer(self) {
            Ok(word) => Ok(maker.made(word)),
            Err(_) => Err(ValueError::NotAValue(format!(
                "{self} is beyond the integers of the language"
            ))),
        }
    }
}

impl FromValue for f64 {
    const EXPECTED: &'static str = "a number";
    const DEPTH: usize = 0;
    fn from_value(view: View<'_>) -> Option<f64> {
        view.as_f64()
    }
}

impl IntoValue for f64 {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        match maker.context.heap.float(self) {
            Ok(word) => Ok(maker.made(word)),
            Err(_) => Err(ValueError::NotAValue(format!(
                "{self} is not a finite number"
            ))),
        }
    }
}

impl FromValue for f32 {
    const EXPECTED: &'static str = "a number";
    const DEPTH: usize = 0;
    fn from_value(view: View<'_>) -> Option<f32> {
        view.as_f64().map(|number| number as f32)
    }
}

impl IntoValue for f32 {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        f64::from(self).into_value(maker)
    }
}

impl FromValue for bool {
    const EXPECTED: &'static str = "true or false";
    const DEPTH: usize = 0;
    fn from_value(view: View<'_>) -> Option<bool> {
        view.as_bool()
    }
}

impl IntoValue for bool {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        Ok(maker.made(Word::boolean(self)))
    }
}

impl FromValue for String {
    const EXPECTED: &'static str = "a string";
    fn from_value(view: View<'_>) -> Option<String> {
        view.as_str().map(str::to_string)
    }
}

impl FromValue for Arc<str> {
    const EXPECTED: &'static str = "a string";
    fn from_value(view: View<'_>) -> Option<Arc<str>> {
        view.as_str().map(Arc::from)
    }
}

impl FromValue for char {
    const EXPECTED: &'static str = "a string of one character";
    const DEPTH: usize = 0;
    fn from_value(view: View<'_>) -> Option<char> {
        let mut characters = view.as_str()?.chars();
        characters.next().filter(|_| characters.next().is_none())
    }
}

impl IntoValue for &str {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        let word = maker.context.heap.text(self);
        maker.context.charge(self.len() / 8);
        Ok(maker.made(word))
    }
}

impl IntoValue for String {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        maker.context.charge(self.len() / 8);
        let word = maker.context.heap.text_owned(self);
        Ok(maker.made(word))
    }
}

impl IntoValue for &String {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        self.as_str().into_value(maker)
    }
}

impl IntoValue for Arc<str> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        (*self).into_value(maker)
    }
}

impl IntoValue for char {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        (*self.encode_utf8(&mut [0; 4])).into_value(maker)
    }
}

impl FromValue for () {
    const EXPECTED: &'static str = "null";
    const DEPTH: usize = 0;
    fn from_value(view: View<'_>) -> Option<()> {
        view.is_null().then_some(())
    }
}

impl IntoValue for () {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        Ok(maker.made(Word::NULL))
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const OPTIONAL: bool = true;
    const DEPTH: usize = T::DEPTH;
    fn from_value(view: View<'_>) -> Option<Option<T>> {
        if view.is_null() {
            Some(None)
        } else {
            T::from_value(view).map(Some)
        }
    }

    fn try_from_value(view: View<'_>) -> Result<Option<T>, ValueError> {
        if view.is_null() {
            Ok(None)
        } else {
            T::try_from_value(view).map(Some)
        }
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        match self {
            Some(value) => value.into_value(maker),
            None => ().into_value(maker),
        }
    }
}

/// The elements of a collection, or what is wrong with the first that is not as it should be.
pub(crate) fn elements_of<T: FromValue, C: FromIterator<T>>(
    view: View<'_>,
) -> Result<C, ValueError> {
    let element = |(at, view)| T::try_from_value(view).map_err(|error| error.at_index(at));
    view.elements().enumerate().map(element).collect()
}

impl<T: FromValue> FromValue for Vec<T> {
    const EXPECTED: &'static str = "an array, a set or a queue of the right elements";
    const DEPTH: usize = T::DEPTH.saturating_add(1);
    fn from_value(view: View<'_>) -> Option<Vec<T>> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<Vec<T>, ValueError> {
        match view.kind() {
            Kind::Array | Kind::Set | Kind::Queue => elements_of(view),
            _ => Err(view.not(Self::EXPECTED)),
        }
    }
}

pub(crate) fn array_of<'a>(
    elements: impl Iterator<Item = impl IntoValue>,
    maker: &mut Maker<'a>,
) -> Result<Made<'a>, ValueError> {
    let elements: Vec<Made<'a>> = elements
        .map(|element| element.into_value(maker))
        .collect::<Result<_, _>>()?;
    Ok(maker.array(elements))
}

impl<T: IntoValue> IntoValue for Vec<T> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        array_of(self.into_iter(), maker)
    }
}

impl<T: IntoValue, const N: usize> IntoValue for [T; N] {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        array_of(self.into_iter(), maker)
    }
}

impl<T: IntoValue + Clone> IntoValue for &[T] {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        array_of(self.iter().cloned(), maker)
    }
}

impl<T: FromValue + Ord> FromValue for BTreeSet<T> {
    const EXPECTED: &'static str = "a set of the right elements";
    const DEPTH: usize = T::DEPTH.saturating_add(1);
    fn from_value(view: View<'_>) -> Option<BTreeSet<T>> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<BTreeSet<T>, ValueError> {
        if view.kind() == Kind::Set {
            elements_of(view)
        } else {
            Err(view.not(Self::EXPECTED))
        }
    }
}

impl<T: IntoValue> IntoValue for BTreeSet<T> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        let elements: Result<Vec<Made<'a>>, _> = self
            .into_iter()
            .map(|element| element.into_value(maker))
            .collect();
        maker.set(elements?)
    }
}

impl<T: FromValue> FromValue for BTreeMap<String, T> {
    const EXPECTED: &'static str = "an object with the right fields";
    const DEPTH: usize = T::DEPTH.saturating_add(1);
    fn from_value(view: View<'_>) -> Option<BTreeMap<String, T>> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<BTreeMap<String, T>, ValueError> {
        if view.kind() != Kind::Object {
            return Err(view.not(Self::EXPECTED));
        }
        let field = |(name, value): (&str, View<'_>)| {
            let value = T::try_from_value(value).map_err(|error| error.at_field(name))?;
            Ok((name.to_string(), value))
        };
        view.fields().map(field).collect()
    }
}

impl<T: IntoValue> IntoValue for BTreeMap<String, T> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        let mut fields = Vec::with_capacity(self.len());
        for (name, value) in self {
            fields.push((name, value.into_value(maker)?));
        }
        Ok(maker.object(fields.iter().map(|(name, value)| (name.as_str(), *value))))
    }
}

impl FromValue for Data {
    const EXPECTED: &'static str = "a value without cycles";
    fn from_value(view: View<'_>) -> Option<Data> {
        view.whole_data().ok()
    }

    fn try_from_value(view: View<'_>) -> Result<Data, ValueError> {
        view.whole_data()
    }
}

impl IntoValue for &Data {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        let word = maker.context.heap.make(self)?;
        maker.context.charge_comparisons();
        Ok(maker.made(word))
    }
}

impl IntoValue for Data {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        (&self).into_value(maker)
    }
}

impl FromValue for Value {
    const EXPECTED: &'static str = "a value";
    const DEPTH: usize = 0;
    fn from_value(view: View<'_>) -> Option<Value> {
        Some(view.hold())
    }
}

impl IntoValue for &Value {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        maker
            .context
            .roots
            .value(&self.0)
            .map(|word| maker.made(word))
            .ok_or(ValueError::OtherRun)
    }
}

impl IntoValue for Value {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        (&self).into_value(maker)
    }
}
