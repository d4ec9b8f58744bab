//! Barriers: stretches of a run whose choices are forgotten, or whose effects are undone, when they end.

use crate::value::Value;
use crate::value::value::Handle;

/// An open stretch.
#[derive(Clone, Copy, Debug)]
pub struct Barrier {
    pub kind: BarrierKind,
    /// How many choice points there were when it was opened.
    pub(super) choices: u32,
    /// What a branch may cost; `None` where being too dear must not be seen as a failure.
    pub bound: Option<Bound>,
}

impl Barrier {
    /// The number of the first choice point behind it. A search makes one there that ends it.
    #[inline]
    pub fn first(&self) -> usize {
        self.choices as usize
    }
}

/// The price from which on a branch is of no use to the `minimize` around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    pub price: Value,
    /// Whether that very price is too dear already, because a solution of that price is known.
    pub reached: bool,
}

/// What a stretch is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierKind {
    /// A call of a `deterministic` function.
    Commit,
    /// `not`, `solutions`, `countSolutions`: what happens inside is undone, so nobody can be asked.
    Search,
    Minimize,
    /// `withRestarts`: what happens inside may be undone, so nobody can be asked.
    Restarts,
    /// A call of the host: what is around it does not concern it.
    Errand,
    /// A function of a board, by the number of its constraint: as a call of a deterministic function, but what makes it
    /// fail counts as a failure of the constraint.
    Function {
        board: Handle,
        number: u32,
    },
}

#[cfg(feature = "save")]
saved!(struct Barrier { kind, choices, bound });
#[cfg(feature = "save")]
saved!(struct Bound { price, reached });
#[cfg(feature = "save")]
saved!(enum BarrierKind {
    0 => Commit {},
    1 => Search {},
    2 => Minimize {},
    3 => Errand {},
    4 => Restarts {},
    5 => Function { board, number },
});
