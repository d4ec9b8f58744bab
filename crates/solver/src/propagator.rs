//! What the solver asks of a constraint. A new one is a file in `propagators` that answers this, and a row in `constraint.rs`.

use std::fmt::Debug;

use super::explanation::{Asked, Question};
use super::kernel::Kernel;
use super::learning::encoder::{Encoded, Encoder};
use super::{DomainWipeout, Rest, Solver};
use ndscript_base::budget::Budget;

/// A call of a propagator.
pub struct Call<'a> {
    /// The number of its constraint.
    pub number: u32,
    /// What it remembers between calls: a matching, or a way that there is. No failure takes it back, so it is looked at, not
    /// believed.
    pub witness: &'a mut Vec<u32>,
}

impl Call<'_> {
    /// The same call once more.
    pub fn again(&mut self) -> Call<'_> {
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

/// Groups of places that are close have no more than this number, see [`Propagator::groups`].
pub const MOST_OF_GROUP: usize = 64;

/// The squares of two by two cells of a grid, each as a group.
pub fn squares(columns: u32, rows: u32, take: &mut dyn FnMut(Vec<u32>)) {
    for y in 0..rows {
        for x in 0..columns {
            let corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
            let inside = corners
                .into_iter()
                .filter(|(x, y)| *x < columns && *y < rows);
            let group: Vec<u32> = inside.map(|(x, y)| y * columns + x).collect();
            if group.len() > 1 {
                take(group);
            }
        }
    }
}

/// A kind of constraint.
pub trait Propagator: Clone + Debug {
    /// How far its propagation has come when it stops because the budget is spent.
    type Progress: Clone + Debug + Default;

    /// What it is called.
    fn name(&self) -> &'static str;

    /// The places that it is on; `None` for all.
    fn places(&self) -> Option<&[u32]>;

    /// The later, the more it costs.
    fn rank(&self) -> usize;

    /// Makes what follows for the solver that it is posted to, where that is no long work.
    fn prepare(&mut self, _solver: &Solver) {}

    /// Takes away what it rules out, in a way that keeps nothing between two calls: most of what puzzles and maps need comes to
    /// no more than this. `None` if there is no such way. If it stops, [`Propagator::propagate`] begins anew.
    fn propagate_at_once(
        &self,
        _solver: &mut Solver,
        _call: Call<'_>,
        _budget: &mut Budget,
    ) -> Option<Result<Rest, DomainWipeout>> {
        None
    }

    /// Goes on to take away what it rules out.
    ///
    /// # Errors
    /// [`DomainWipeout`] if it cannot hold.
    fn propagate(
        &self,
        progress: &mut Self::Progress,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Rest, DomainWipeout>;

    /// The bytes that its progress owns.
    fn bytes_of(_progress: &Self::Progress) -> usize {
        0
    }

    /// The other places from which it follows that a place has lost values, as they are now.
    fn explain(&self, solver: &Solver, place: u32, values: &[u32]) -> Vec<u32> {
        let rule = Asked {
            places: self.places(),
            knows_all_values: self.knows_all_values(),
            clues: self.clues(),
        };
        solver.fewest_reasons(rule, &|question| self.can_hold(question), place, values)
    }

    /// Whether it can hold with the domains of a question, and the work that finding out was. It may say so wrongly, but never the
    /// contrary. `None` if nothing is known of such constraints.
    fn can_hold(&self, _question: &Question<'_>) -> Option<(bool, usize)> {
        None
    }

    /// What follows for its Booleans and why, if it is a rule over a graph.
    fn kernel(&self) -> Option<Box<dyn Kernel>> {
        None
    }

    /// Says itself in Booleans, a part after another. What has a kernel is said by that.
    fn encode(&self, _encoder: &mut Encoder, _part: usize) -> Encoded {
        Encoded::Relaxed
    }

    /// Whether it says what follows for any values: some know only those that places could hold when it was made.
    fn knows_all_values(&self) -> bool {
        true
    }

    /// Places whose values were left out when it was made, as they had lost them before.
    fn clues(&self) -> &[u32] {
        &[]
    }

    /// Whether it reads the same place twice, so that what it takes away may concern itself.
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

    /// Hands out small groups of places that it joins closely: all of a constraint on few places, cells beside one another,
    /// edges that meet. Whoever changes a solution a little changes such places together.
    fn groups(&self, take: &mut dyn FnMut(Vec<u32>)) {
        if let Some(places) = self.places().filter(|places| places.len() <= MOST_OF_GROUP) {
            take(places.to_vec());
        }
    }

    /// The bytes that it owns.
    fn bytes(&self) -> usize;

    /// The bytes that the solver keeps for it, beside what it does for each.
    fn bytes_beside(&self, _places: usize) -> usize {
        0
    }

    /// Whether it looks only at places that there are, and is sound otherwise.
    fn fits(&self, _places: usize) -> bool {
        true
    }
}
