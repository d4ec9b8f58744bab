//! A move that a client wants: a step, or on to whatever it wants to stop at.

use ndscript_timeline::{Direction, Goal, Search, When};

/// Where the client wants to go.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// A step of this kind.
    Step(Goal),
    /// On to whatever it wants to stop at.
    Continue,
}

/// A move that is being made.
pub struct Motion {
    pub wish: Wish,
    pub direction: Direction,
    pub search: Search,
    /// Where it began.
    pub from: When,
    /// A step that does not go into calls ends where calls are nested so deep at most.
    pub depth: Option<usize>,
}
