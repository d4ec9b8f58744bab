//! Handles to the values of a run.

use ndscript_heap::Kind as Word;
use ndscript_machine::host::roots::RootHandle;

/// A value of a run. As long as the handle lives, the value does; a clone is another handle to the same value.
///
/// A handle belongs to its run, whatever it refers to: in another run, clones included, it is an error
/// ([`ValueError::OtherRun`](crate::ValueError::OtherRun)). The content of an array, an object, a grid or a queue is
/// read as it is now: when the run backtracks to an earlier guess, later changes are undone, also those that handles see.
/// [`Run::data`](crate::Run::data) returns a value as it is at a moment, outside of any run.
///
/// ```
/// use ndscript::{Engine, Kind};
/// let program = Engine::new().compile("var list = [1]; function grow() { push(list, sizeOf(list)); return list; }")?;
/// let mut run = program.run(1);
/// run.next();
/// let list = run.global("list").unwrap();
/// assert_eq!(list.kind(), Kind::Array);
/// let view = run.view(&list)?;
/// assert_eq!((view.len(), view.get(0).unwrap().as_i64()), (1, Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Value(pub(crate) RootHandle);

/// The kind alone: the rest belongs to the run, which tells it by [`Run::data`](crate::Run::data).
impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Value").field(&self.kind()).finish()
    }
}

impl Value {
    /// The kind of the value.
    pub fn kind(&self) -> Kind {
        Kind::of(self.0.kind())
    }
}

/// The kind of a value, as the built-in `typeOf` names it; for types of the host that returns their name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// Any number.
    Number,
    /// A string.
    String,
    /// A position: a column and a row.
    Position,
    /// An array.
    Array,
    /// A set.
    Set,
    /// A relation.
    Relation,
    /// A grid.
    Grid,
    /// An object.
    Object,
    /// A queue, or a priority queue.
    Queue,
    /// A function of the program, a built-in or a function of the host.
    Function,
    /// A value of a type of the host.
    Host,
}

impl Kind {
    pub(crate) fn of(kind: Word) -> Kind {
        match kind {
            Word::Null | Word::Unset | Word::Variable => Kind::Null,
            Word::Boolean => Kind::Boolean,
            Word::Integer | Word::Float | Word::BoxedFloat => Kind::Number,
            Word::Text => Kind::String,
            Word::Position => Kind::Position,
            Word::Array => Kind::Array,
            Word::Set => Kind::Set,
            Word::Relation => Kind::Relation,
            Word::Grid => Kind::Grid,
            Word::Object => Kind::Object,
            Word::Queue => Kind::Queue,
            Word::Function | Word::Native | Word::Method => Kind::Function,
            Word::Host => Kind::Host,
        }
    }
}
