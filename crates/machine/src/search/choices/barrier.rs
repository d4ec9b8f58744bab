//! Barriers, at whose end choices are discarded or effects undone, and how they bound choices.

use super::Choices;
use super::choice::Choice;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::value::Handle;

/// An open barrier.
#[derive(Clone, Copy, Debug)]
pub struct Barrier {
    pub kind: BarrierKind,
    /// How many choice points there were when it was opened.
    pub(super) choices: u32,
    /// What a branch may cost; `None` where a branch that costs too much must not count as a failure.
    pub bound: Option<Bound>,
}

impl Barrier {
    /// The number of the first choice point above it. A search makes one there that ends it.
    #[inline]
    pub fn first(&self) -> usize {
        self.choices as usize
    }
}

/// The price from which on the `minimize` around has no use for a branch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    pub price: Value,
    /// Whether a branch of exactly that price costs too much, because a solution of that price is known.
    pub reached: bool,
}

/// What a barrier is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierKind {
    /// A call of a `deterministic` function.
    Commit,
    /// `not`, `solutions`, `countSolutions`: effects inside are undone, so no questions can be asked.
    Search,
    Minimize,
    /// `withRestarts`: effects inside may be undone, so no questions can be asked.
    Restarts,
    /// A call by the host, independent of the run below it.
    HostCall,
    /// A function of a board, by the number of its constraint: as a call of a deterministic function, but its
    /// failures count as failures of the constraint.
    Function {
        board: Handle,
        number: u32,
    },
}

/// Barriers and other bounds.
impl Choices {
    /// The open barriers, outermost first.
    #[inline]
    pub fn barriers(&self) -> &[Barrier] {
        &self.barriers
    }

    /// How many of the choice points are older than the latest input.
    #[inline]
    pub fn floor(&self) -> usize {
        self.floor as usize
    }

    /// Whether a failure goes back to the latest one and crosses neither a barrier nor an earlier input.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        debug_assert_eq!(self.bounded, self.bounded_now());
        self.points.len() > self.bounded as usize
    }

    pub(super) fn bounded_now(&self) -> u32 {
        match self.barriers.last() {
            // Exceeding a bound is a failure, too.
            Some(barrier) if barrier.bound.is_some() => u32::MAX,
            Some(barrier) => self.floor.max(barrier.choices),
            None => self.floor,
        }
    }

    /// To be called whenever the innermost barrier or the floor may have changed.
    #[inline]
    pub(super) fn rebound(&mut self) {
        self.bounded = self.bounded_now();
    }

    /// Opens a barrier. Returns whether the row had to grow.
    #[inline]
    pub fn open(&mut self, kind: BarrierKind, bound: Option<Bound>) -> bool {
        let grows = self.barriers.len() == self.barriers.capacity();
        if grows {
            room::grow(&mut self.barriers, 1);
        }
        self.barriers.push(Barrier {
            kind,
            choices: self.points.len() as u32,
            bound,
        });
        self.rebound();
        grows
    }

    /// Closes the innermost barrier.
    #[inline]
    pub fn close(&mut self) -> Option<Barrier> {
        let closed = self.barriers.pop();
        self.rebound();
        closed
    }

    /// Closes the innermost barrier if it was opened after a choice point.
    #[inline]
    pub fn close_if_after(&mut self, choice: usize) -> Option<Barrier> {
        let closed = self
            .barriers
            .pop_if(|barrier| barrier.choices as usize > choice);
        if closed.is_some() {
            self.rebound();
        }
        closed
    }

    /// Closes all barriers but the outermost `count`.
    pub fn close_down_to(&mut self, count: usize) {
        self.barriers.truncate(count);
        self.rebound();
    }

    /// Sets what a branch inside of the innermost barrier may cost.
    pub fn set_bound(&mut self, bound: Bound) {
        if let Some(barrier) = self.barriers.last_mut() {
            barrier.bound = Some(bound);
        }
        self.rebound();
    }

    /// The choice point that the innermost search has made for its end.
    pub fn first_of_search(&self) -> Option<Choice> {
        self.points.get(self.barriers.last()?.first())
    }

    /// Assigns the choice points open now to earlier inputs: an input begins, or ends.
    pub fn set_floor(&mut self, floor: u32) {
        self.floor = floor;
        self.rebound();
    }
}

ndscript_base::saved!(struct Barrier { kind, choices, bound });
ndscript_base::saved!(struct Bound { price, reached });
ndscript_base::saved!(enum BarrierKind {
    0 => Commit {},
    1 => Search {},
    2 => Minimize {},
    3 => HostCall {},
    4 => Restarts {},
    5 => Function { board, number },
});
