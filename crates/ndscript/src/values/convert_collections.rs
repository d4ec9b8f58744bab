//! Tuples, maps, sets, arrays and grids of Rust as values of the language, and back.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use super::convert::{FromValue, IntoValue, Made, Maker, array_of, elements_of};
use super::value::Kind;
use super::view::View;
use ndscript_heap::Value as Word;
use ndscript_heap::outside::data::{Data, GridData};
use ndscript_heap::outside::value_error::ValueError;

/// The elements of an array of exactly `count`.
fn parts_of<'v>(view: View<'v>, count: usize, expected: &str) -> Result<Vec<View<'v>>, ValueError> {
    let is_right = view.kind() == Kind::Array && view.len() == count;
    if is_right {
        Ok(view.elements().collect())
    } else {
        Err(view.not(expected))
    }
}

const fn larger(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Two whole numbers are a position. Others are an array of two; numbers are also read from a position.
impl<A: FromValue, B: FromValue> FromValue for (A, B) {
    const EXPECTED: &'static str = if A::IS_WHOLE && B::IS_WHOLE {
        "a position"
    } else {
        "an array of two elements"
    };
    const DEPTH: usize = if A::IS_WHOLE && B::IS_WHOLE {
        0
    } else {
        larger(A::DEPTH, B::DEPTH).saturating_add(1)
    };

    fn from_value(view: View<'_>) -> Option<(A, B)> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<(A, B), ValueError> {
        if let Some((x, y)) = view.as_position() {
            let coordinate = |number| View {
                context: view.context,
                word: Word::integer(number),
            };
            let x = A::try_from_value(coordinate(x)).map_err(|error| error.at_field("x"))?;
            let y = B::try_from_value(coordinate(y)).map_err(|error| error.at_field("y"))?;
            return Ok((x, y));
        }
        if A::IS_WHOLE && B::IS_WHOLE {
            return Err(view.not(Self::EXPECTED));
        }
        let parts = parts_of(view, 2, Self::EXPECTED)?;
        let a = A::try_from_value(parts[0]).map_err(|error| error.at_index(0))?;
        let b = B::try_from_value(parts[1]).map_err(|error| error.at_index(1))?;
        Ok((a, b))
    }
}

impl<A: IntoValue, B: IntoValue> IntoValue for (A, B) {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        let (a, b) = (self.0.into_value(maker)?, self.1.into_value(maker)?);
        if !(A::IS_WHOLE && B::IS_WHOLE) {
            return Ok(maker.array([a, b]));
        }
        let (x, y) = (a.word.as_integer(), b.word.as_integer());
        match x.zip(y).and_then(|(x, y)| Word::position(x, y)) {
            Some(word) => Ok(maker.made(word)),
            None => Err(ValueError::NotAValue(format!(
                "({},{}) is out of range for a position",
                x.unwrap_or_default(),
                y.unwrap_or_default()
            ))),
        }
    }
}

macro_rules! tuples {
    ($count:literal $words:literal: $($type:ident $at:tt)*) => {
        impl<$($type: FromValue),*> FromValue for ($($type,)*) {
            const EXPECTED: &'static str = concat!("an array of ", $words, " elements");
            const DEPTH: usize = {
                let mut depth = 0;
                $(depth = larger(depth, $type::DEPTH);)*
                depth.saturating_add(1)
            };

            fn from_value(view: View<'_>) -> Option<Self> {
                Self::try_from_value(view).ok()
            }

            fn try_from_value(view: View<'_>) -> Result<Self, ValueError> {
                let parts = parts_of(view, $count, Self::EXPECTED)?;
                Ok(($($type::try_from_value(parts[$at]).map_err(|error| error.at_index($at))?,)*))
            }
        }

        impl<$($type: IntoValue),*> IntoValue for ($($type,)*) {
            fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
                let parts = [$(self.$at.into_value(maker)?),*];
                Ok(maker.array(parts))
            }
        }
    };
}

tuples!(3 "three": A 0 B 1 C 2);
tuples!(4 "four": A 0 B 1 C 2 D 3);
tuples!(5 "five": A 0 B 1 C 2 D 3 E 4);
tuples!(6 "six": A 0 B 1 C 2 D 3 E 4 F 5);

impl<T: FromValue, const N: usize> FromValue for [T; N] {
    const EXPECTED: &'static str = "an array, a set or a queue of as many elements as are wanted";
    const DEPTH: usize = T::DEPTH.saturating_add(1);

    fn from_value(view: View<'_>) -> Option<[T; N]> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<[T; N], ValueError> {
        let elements = Vec::<T>::try_from_value(view)?;
        let count = elements.len();
        elements
            .try_into()
            .map_err(|_| view.not(&format!("{N} elements, and there are {count}")))
    }
}

impl<T: FromValue> FromValue for Box<[T]> {
    const EXPECTED: &'static str = Vec::<T>::EXPECTED;
    const DEPTH: usize = Vec::<T>::DEPTH;

    fn from_value(view: View<'_>) -> Option<Box<[T]>> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<Box<[T]>, ValueError> {
        Vec::try_from_value(view).map(Vec::into_boxed_slice)
    }
}

impl<T: IntoValue> IntoValue for Box<[T]> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        array_of(self.into_vec().into_iter(), maker)
    }
}

impl<T: IntoValue + Clone> IntoValue for &Vec<T> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        self.as_slice().into_value(maker)
    }
}

impl<T: FromValue, S: BuildHasher + Default> FromValue for HashMap<String, T, S> {
    const EXPECTED: &'static str = "an object with the right fields";
    const DEPTH: usize = T::DEPTH.saturating_add(1);

    fn from_value(view: View<'_>) -> Option<Self> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<Self, ValueError> {
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

/// The fields go by the alphabet: no order of a hash table may reach a result.
impl<T: IntoValue, S> IntoValue for HashMap<String, T, S> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        let mut fields: Vec<(String, T)> = self.into_iter().collect();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        let mut made = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            made.push((name, value.into_value(maker)?));
        }
        Ok(maker.object(made.iter().map(|(name, value)| (name.as_str(), *value))))
    }
}

impl<T: FromValue + Eq + Hash, S: BuildHasher + Default> FromValue for HashSet<T, S> {
    const EXPECTED: &'static str = "a set of the right elements";
    const DEPTH: usize = T::DEPTH.saturating_add(1);

    fn from_value(view: View<'_>) -> Option<Self> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<Self, ValueError> {
        if view.kind() == Kind::Set {
            elements_of(view)
        } else {
            Err(view.not(Self::EXPECTED))
        }
    }
}

/// The elements are made in their order: no order of a hash table may reach a result.
impl<T: IntoValue + Ord, S> IntoValue for HashSet<T, S> {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        let mut elements: Vec<T> = self.into_iter().collect();
        elements.sort();
        let made: Result<Vec<Made<'a>>, _> = elements
            .into_iter()
            .map(|element| element.into_value(maker))
            .collect();
        maker.set(made?)
    }
}

impl FromValue for GridData {
    const EXPECTED: &'static str = "a grid";

    fn from_value(view: View<'_>) -> Option<GridData> {
        Self::try_from_value(view).ok()
    }

    fn try_from_value(view: View<'_>) -> Result<GridData, ValueError> {
        if view.kind() != Kind::Grid {
            return Err(view.not(Self::EXPECTED));
        }
        match view.whole_data()? {
            Data::Grid(grid) => Ok(GridData::clone(&grid)),
            _ => Err(view.not(Self::EXPECTED)),
        }
    }
}

impl IntoValue for GridData {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        Data::from(self).into_value(maker)
    }
}
