//! What a row says of a built-in to whoever watches a run.

use super::native::Control;

/// What a built-in does with collections, as far as it is more than looking at all that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeEffect {
    Computes,
    /// It looks at what it is given, not into it.
    LooksAtShape,
    /// Which places of a board are open, and which is next, says nothing of what they hold then.
    Names,
    FindsPlaces,
    /// It asks how many places there are, or which.
    Counts,
    HasKey,
    ListsKeys,
    /// The elements of an array, the keys of an object, the positions of a grid.
    Lists,
    /// What it writes comes from its last arguments.
    Pushes,
    Inserts,
    RemovesAt,
    Pops,
    RemovesKey,
    Fills,
    Enqueues,
    Dequeues,
    Peeks,
    /// What a place of a board may be comes from the third argument.
    Narrows,
    /// What its constraint takes away comes from its arguments.
    Constrains,
    /// The new collection has the elements of old ones.
    Copies,
    CopiesDeeply,
    Slices,
    Concatenates,
    Reverses,
    /// Rows become a grid.
    LaysOut,
    Row,
    Column,
    /// As many elements, in an order that comes from all of them.
    Rearranges,
    Zips,
    /// One of the elements.
    Picks,
    Requires,
    Controls(Control),
}

/// Where a result comes from that the program does not compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    Drawn,
    Shuffled,
    Asked,
}

/// What a built-in that searches by choices of its own says of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchWords {
    /// While it takes its first alternative.
    pub first: &'static str,
    /// When it takes the other one.
    pub then: &'static str,
    /// When it has a result and goes back for more by its own `fail`, if it does.
    pub goes_on: Option<&'static str>,
}
