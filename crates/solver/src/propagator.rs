//! The interface of constraints. To add one, implement it in a file in `propagators`, and add a row to `constraint.rs`.

use crate::ConstraintNumber;
use crate::groups::MOST_OF_GROUP;
use std::fmt::Debug;

use super::explanation::{AskedRule, Question};
use super::kernel::Kernel;
use super::learning::encoder::{Encoded, Encoder};
use super::{DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;

/// A call of a propagator.
pub struct Call<'a> {
    /// The number of its constraint.
    pub number: ConstraintNumber,
    /// What it remembers between calls, such as a matching or a path. Backtracking does not restore it, so it is
    /// checked before use.
    pub witness: &'a mut Vec<u32>,
}

impl Call<'_> {
    /// Another call with equal arguments.
    pub fn reborrow(&mut self) -> Call<'_> {
        Call {
            number: self.number,
            witness: self.witness,
        }
    }
}

/// The cells of a grid that a constraint joins: a path between two of them, or all of them in one region.
#[derive(Clone, Copy, Debug)]
pub struct JoinedCells<'a> {
    /// Of the grid.
    pub columns: usize,
    /// Of the grid.
    pub rows: usize,
    /// The values that joined cells hold, as a mask.
    pub values: &'a [u64],
    /// The ends of a path; `None` for a region.
    pub ends: Option<[u32; 2]>,
}

/// A kind of constraint.
pub trait Propagator: Clone + Debug {
    /// The state of its propagation when it stops because the budget is spent.
    type Progress: Clone + Debug + Default;

    /// The name of the constraint, for messages.
    fn name(&self) -> &'static str;

    /// The places that it is on; `None` for all.
    fn places(&self) -> Option<&[u32]>;

    /// The later, the more it costs.
    fn rank(&self) -> usize;

    /// Makes what follows for the solver that it is posted to, where that is no long work.
    fn prepare(&mut self, _solver: &Solver) {}

    /// Removes what it rules out without storing anything between calls: enough for most puzzles and maps. `None` if
    /// the constraint has no such way. If it stops, [`Propagator::propagate`] begins anew.
    fn propagate_at_once(
        &self,
        _solver: &mut Solver,
        _call: Call<'_>,
        _budget: &mut Budget,
    ) -> Option<Result<Fixpoint, DomainWipeout>> {
        None
    }

    /// Continues to remove what it rules out.
    ///
    /// # Errors
    /// [`DomainWipeout`] if it cannot hold.
    fn propagate(
        &self,
        progress: &mut Self::Progress,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout>;

    /// The bytes that its progress owns.
    fn bytes_of(_progress: &Self::Progress) -> usize {
        0
    }

    /// The other places from which it follows that a place has lost values, as they are now.
    fn explain(&self, solver: &Solver, place: u32, values: &[u32]) -> Vec<u32> {
        let rule = AskedRule {
            places: self.places(),
            knows_all_values: self.knows_all_values(),
            clues: self.clues(),
        };
        solver.fewest_reasons(rule, &|question| self.can_hold(question), place, values)
    }

    /// Whether the constraint can hold with the domains of a question, and the work. A wrong "yes" is allowed, a wrong
    /// "no" is not. `None` if it cannot tell.
    fn can_hold(&self, _question: &Question<'_>) -> Option<(bool, usize)> {
        None
    }

    /// Its kernel, if it is a rule over a graph.
    fn kernel(&self) -> Option<Box<dyn Kernel>> {
        None
    }

    /// Encodes the constraint in Booleans, part by part. One with a kernel is encoded by that.
    fn encode(&self, _encoder: &mut Encoder, _part: usize) -> Encoded {
        Encoded::Relaxed
    }

    /// Whether it propagates for any values: some know only those that places could hold when it was made.
    fn knows_all_values(&self) -> bool {
        true
    }

    /// Places whose lost values were left out when it was made.
    fn clues(&self) -> &[u32] {
        &[]
    }

    /// Whether it reads a place twice, so that its own removals may concern it.
    fn reads_twice(&self) -> bool {
        false
    }

    /// Whether nothing follows for it from what lies between the ends of a domain.
    fn looks_at_ends(&self) -> bool {
        false
    }

    /// Whether it wants to know which places have changed.
    fn looks_at_changes(&self) -> bool {
        false
    }

    /// Whether it is propagated here. A callback is not.
    fn is_native(&self) -> bool {
        true
    }

    /// Whether it follows from others, and comes and goes with the one before it.
    fn is_derived(&self) -> bool {
        false
    }

    /// The cells that it joins, if it asks for a path or a region. Their cost is compared with the slack of counts.
    fn joined_cells(&self) -> Option<JoinedCells<'_>> {
        None
    }

    /// Whether paths and regions are compared with its slack, on a board with this number of places.
    fn may_run_short(&self, _places: usize) -> bool {
        false
    }

    /// Hands out small groups of places that it joins closely: all places of a constraint on few, cells beside one
    /// another, edges that meet. [`FairDraw`](crate::learning::FairDraw) changes such places together.
    fn groups(&self, take: &mut dyn FnMut(Vec<u32>)) {
        if let Some(places) = self.places().filter(|places| places.len() <= MOST_OF_GROUP) {
            take(places.to_vec());
        }
    }

    /// The bytes that it owns.
    fn bytes(&self) -> usize;

    /// The bytes that the solver stores for it, beyond what it stores for each constraint.
    fn bytes_beside(&self, _places: usize) -> usize {
        0
    }

    /// Whether all its places exist on a board of this size, and its data are sound.
    fn fits(&self, _places: usize) -> bool {
        true
    }
}
