//! `reachable`: a path joins two cells. `path_search.rs` finds the cells that all such paths need.

use super::path_search::{Path, ReachablePropagation};
use super::region::Region;
use crate::explanation::Question;
use crate::groups::squares;
use crate::kernel::Kernel;
use crate::propagator::{Call, JoinedCells, Propagator};
use crate::propagators::is_grid;
use crate::propagators::network::{Lattice, Shape};
use crate::{DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// A path of cells of a grid that hold one of some values joins two of them.
#[derive(Clone, Debug)]
pub struct Reachable {
    /// Of the grid.
    pub columns: u32,
    /// Of the grid.
    pub rows: u32,
    /// As a mask.
    pub values: Vec<u64>,
    /// The two cells.
    pub ends: [u32; 2],
}

impl Reachable {
    fn cells(&self) -> JoinedCells<'_> {
        JoinedCells {
            columns: self.columns as usize,
            rows: self.rows as usize,
            values: &self.values,
            ends: Some(self.ends),
        }
    }
}

impl Propagator for Reachable {
    type Progress = ReachablePropagation;

    fn name(&self) -> &'static str {
        "reachable"
    }

    fn places(&self) -> Option<&[u32]> {
        None
    }

    fn rank(&self) -> usize {
        2
    }

    fn propagate(
        &self,
        progress: &mut ReachablePropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let path = Path {
            columns: self.columns as usize,
            rows: self.rows as usize,
            values: &self.values,
            ends: self.ends,
        };
        progress.resume(solver, call.number, path, call.witness, budget)
    }

    fn bytes_of(progress: &ReachablePropagation) -> usize {
        progress.bytes()
    }

    fn can_hold(&self, question: &Question<'_>) -> Option<(bool, usize)> {
        let holds = Region::of(self.cells()).joins(question, &self.ends);
        Some((holds, 4 * question.places()))
    }

    fn kernel(&self) -> Option<Box<dyn Kernel>> {
        let lattice = Lattice {
            columns: self.columns,
            rows: self.rows,
            ..Lattice::default()
        };
        let shape = Shape::Reachable {
            ends: self.ends,
            steps: [0, u32::MAX],
        };
        lattice.network(&self.values, shape).into_kernel()
    }

    fn joined_cells(&self) -> Option<JoinedCells<'_>> {
        Some(self.cells())
    }

    fn groups(&self, take: &mut dyn FnMut(Vec<u32>)) {
        squares(self.columns, self.rows, take);
    }

    fn bytes(&self) -> usize {
        room::row(&self.values)
    }

    /// A witness.
    fn bytes_beside(&self, places: usize) -> usize {
        4 * places
    }

    fn fits(&self, places: usize) -> bool {
        let are_there = self.ends.iter().all(|end| (*end as usize) < places);
        is_grid(self.columns, self.rows, places) && are_there
    }
}

impl ndscript_base::codec::Saved for Reachable {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        self.columns.save(out);
        self.rows.save(out);
        self.values.save(out);
        self.ends.iter().for_each(|end| end.save(out));
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Reachable, ndscript_base::codec::Unsound> {
        Ok(Reachable {
            columns: u32::load(from)?,
            rows: u32::load(from)?,
            values: Vec::load(from)?,
            ends: [u32::load(from)?, u32::load(from)?],
        })
    }
}
