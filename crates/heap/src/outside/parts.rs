//! The parts of collections outside of any run.

use std::fmt::{self, Debug, Formatter};
use std::ops::Deref;
use std::sync::Arc;

use super::data::Data;

/// The deepest nesting of parts. It is beyond what a run accepts, and shallow enough for all recursive functions on
/// data: comparing, showing, dropping.
const DEEPEST: u16 = 200;

/// The parts of a collection in [`Data`]: elements, pairs or fields. It reads like a slice, and is made of an array, a
/// `Vec` or an iterator.
///
/// Parts that would be nested more than 200 deep are left out ([`Data::Elided`]); no run takes more than 128 levels.
///
/// ```
/// use ndscript::Data;
/// let set = Data::Set([Data::from(1), Data::from(2)].into());
/// assert_eq!(set.elements().len(), 2);
/// let deep = (0..1_000_000).fold(Data::Null, |data, _| Data::Array([data].into()));
/// assert_eq!(deep.to_string(), "[...]");
/// ```
#[derive(Clone, PartialEq)]
pub struct Parts<T> {
    parts: Arc<[T]>,
    depth: u16,
}

/// What collections consist of.
pub trait Part {
    /// The data in it that may be nested itself.
    #[doc(hidden)]
    fn data(&mut self) -> impl Iterator<Item = &mut Data>;
}

impl Part for Data {
    fn data(&mut self) -> impl Iterator<Item = &mut Data> {
        std::iter::once(self)
    }
}

impl Part for (Data, Data) {
    fn data(&mut self) -> impl Iterator<Item = &mut Data> {
        [&mut self.0, &mut self.1].into_iter()
    }
}

impl Part for (Arc<str>, Data) {
    fn data(&mut self) -> impl Iterator<Item = &mut Data> {
        std::iter::once(&mut self.1)
    }
}

impl<T> Parts<T> {
    /// How deep its parts are nested, itself included.
    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }
}

impl Data {
    /// How deep its parts are nested; 0 if it has none.
    pub(crate) fn depth(&self) -> u16 {
        match self {
            Data::Array(parts) | Data::Set(parts) | Data::Queue(parts) => parts.depth(),
            Data::Relation(pairs) => pairs.depth(),
            Data::Object(fields) => fields.depth(),
            Data::Grid(grid) => grid.cells.depth(),
            Data::PriorityQueue(queue) => queue.elements.depth(),
            _ => 0,
        }
    }
}

impl<T: Part> Parts<T> {
    /// Parts that have replaced what is nested too deep.
    fn of(mut parts: Arc<[T]>) -> Parts<T> {
        let mut depth = 0;
        // The row is not shared yet.
        for data in Arc::get_mut(&mut parts)
            .unwrap_or_default()
            .iter_mut()
            .flat_map(Part::data)
        {
            depth = depth.max(data.depth());
            if data.depth() >= DEEPEST {
                *data = Data::Elided;
            }
        }
        // An incomplete one counts as deep as the original, so that it is not taken for the whole.
        Parts {
            parts,
            depth: (depth + 1).min(DEEPEST),
        }
    }
}

impl<T: Part> From<Vec<T>> for Parts<T> {
    fn from(parts: Vec<T>) -> Parts<T> {
        Parts::of(parts.into())
    }
}

impl<T: Part, const COUNT: usize> From<[T; COUNT]> for Parts<T> {
    fn from(parts: [T; COUNT]) -> Parts<T> {
        Parts::of(parts.into())
    }
}

impl<T: Part> FromIterator<T> for Parts<T> {
    /// An iterator that knows its length fills the row in its final place.
    fn from_iter<I: IntoIterator<Item = T>>(parts: I) -> Parts<T> {
        Parts::of(parts.into_iter().collect())
    }
}

impl<T> Deref for Parts<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.parts
    }
}

impl<'p, T> IntoIterator for &'p Parts<T> {
    type Item = &'p T;
    type IntoIter = std::slice::Iter<'p, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.parts.iter()
    }
}

impl<T: Debug> Debug for Parts<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.parts.fmt(f)
    }
}
