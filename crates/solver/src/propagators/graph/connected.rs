//! `connected`: finds the cells that all regions need, and those that none can use.

use super::cost_filtering::{CostFiltering, Known};
use super::cost_lower_bound::Terminals;
use super::depth::{
    ARTICULATION, CERTAIN_TERMINAL, CLOSED, Depth, LEADS_TO_TERMINAL, OPEN, Records, VISITS_OF_CELL,
};
use super::region::Region;
use super::spanning::Spanning;
use super::vicinity::{FEW_CHANGES, Vicinity};
use super::witness::{Witness, WitnessState};
use crate::explanation::Question;
use crate::groups::squares;
use crate::kernel::Kernel;
use crate::propagator::{Call, JoinedCells, Propagator};
use crate::propagators::is_grid;
use crate::propagators::network::{Lattice, Shape};
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The cells of a grid that hold one of `values` form one region.
#[derive(Clone, Debug)]
pub struct Connected {
    /// Of the grid.
    pub columns: u32,
    /// Of the grid.
    pub rows: u32,
    /// As a mask.
    pub values: Vec<u64>,
}

impl Connected {
    fn cells(&self) -> JoinedCells<'_> {
        JoinedCells {
            columns: self.columns as usize,
            rows: self.rows as usize,
            values: &self.values,
            ends: None,
        }
    }
}

impl Propagator for Connected {
    type Progress = ConnectedPropagation;

    fn name(&self) -> &'static str {
        "connected"
    }

    fn places(&self) -> Option<&[u32]> {
        None
    }

    fn rank(&self) -> usize {
        2
    }

    fn propagate(
        &self,
        progress: &mut ConnectedPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        progress.resume(
            solver,
            call.number,
            Region::of(self.cells()),
            call.witness,
            budget,
        )
    }

    fn bytes_of(progress: &ConnectedPropagation) -> usize {
        progress.bytes()
    }

    fn can_hold(&self, question: &Question<'_>) -> Option<(bool, usize)> {
        let is_terminal = |place: &u32| !question.domain(*place).has_others(&self.values);
        let musts: Vec<u32> = (0..question.places() as u32).filter(is_terminal).collect();
        let holds = Region::of(self.cells()).joins(question, &musts);
        Some((holds, 4 * question.places()))
    }

    fn looks_at_changes(&self) -> bool {
        true
    }

    fn kernel(&self) -> Option<Box<dyn Kernel>> {
        let lattice = Lattice {
            columns: self.columns,
            rows: self.rows,
            ..Lattice::default()
        };
        let shape = Shape::Connected;
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

    /// Changed cells, and a witness, which may grow.
    fn bytes_beside(&self, places: usize) -> usize {
        (5 + 8) * places
    }

    fn fits(&self, places: usize) -> bool {
        is_grid(self.columns, self.rows, places)
    }
}

ndscript_base::saved!(struct Connected { columns, rows, values });

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Begin,
    Reserve,
    LoadCells,
    Search,
    Remove,
    /// Update the witness if it may be invalid, and compare its cost with the slack of counts.
    UpdateWitness,
    FindTree,
    CompareCost,
    /// Its own removals have no further consequence for it.
    End,
}

/// A pass over all cells, a depth-first search from one of them, and a pass that removes what the search rules out.
/// If the vicinity of the changes shows that nothing follows, none of these run.
#[derive(Clone, Debug, Default)]
pub struct ConnectedPropagation {
    stage: Stage,
    /// What the search records of cells.
    order: Vec<u32>,
    low: Vec<u32>,
    marks: Vec<u8>,
    root: Option<usize>,
    depth: Depth,
    /// The number of open cells.
    open: u32,
    /// The next place.
    at: usize,
    spanning: Spanning,
    cost_filtering: CostFiltering,
    is_weighed: bool,
}

impl ConnectedPropagation {
    /// Removes what is ruled out. `witness` is from an earlier run, if counts of the board need one.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        region: Region,
        witness: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        loop {
            match self.join(solver, number, region, budget)? {
                Fixpoint::Reached if solver.counts.is_empty() => break,
                Fixpoint::Reached => {}
                other => return Ok(other),
            }
            match self.weigh(solver, number, region, witness, budget)? {
                // Something was removed: run again.
                Fixpoint::Reached if self.cost_filtering.has_removed => {
                    *self = ConnectedPropagation {
                        stage: Stage::Reserve,
                        is_weighed: true,
                        ..ConnectedPropagation::default()
                    };
                }
                Fixpoint::Reached => break,
                other => return Ok(other),
            }
        }
        Ok(if clear(solver, number, budget) {
            Fixpoint::Reached
        } else {
            Fixpoint::NotYet
        })
    }

    /// Compares the cost of a region with the slack of counts.
    fn weigh(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        region: Region,
        witness: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let net = Terminals {
            shape: region.shape(),
            values: region.values,
            ends: None,
        };
        if self.stage == Stage::UpdateWitness {
            // Free the memory of the search.
            (self.order, self.low, self.marks) = Default::default();
            self.stage = match Witness(witness).update(solver, number, region, budget) {
                WitnessState::Plenty => Stage::End,
                WitnessState::Stands => Stage::CompareCost,
                WitnessState::Lost => Stage::FindTree,
            };
        }
        if self.stage == Stage::FindTree {
            match self.spanning.resume(solver, net, budget) {
                Fixpoint::Reached => {}
                other => return Ok(other),
            }
            Witness(witness).replace(
                solver,
                std::mem::take(&mut self.spanning).found,
                self.is_weighed,
            );
            self.stage = if self.is_weighed {
                Stage::End
            } else {
                Stage::CompareCost
            };
        }
        if self.stage == Stage::CompareCost {
            let mut witness = Witness(witness);
            let known = Known {
                entries: witness.places(),
                shift: 0,
                may_be_cheaper: false,
            };
            match self
                .cost_filtering
                .resume(solver, number, net, known, budget)?
            {
                Fixpoint::Reached => {}
                other => return Ok(other),
            }
            match self.cost_filtering.has_removed {
                true => witness.discard(),
                false => witness.set_near(self.cost_filtering.is_near),
            }
            self.stage = Stage::End;
        }
        Ok(Fixpoint::Reached)
    }

    /// Removes what cannot be in one region, unless the vicinity of the changes shows that nothing follows.
    fn join(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        region: Region,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        if self.stage == Stage::Begin {
            budget.spend(16);
            let changes = &solver.pending[number as usize].cells;
            // At first all cells are new, and there was no fixpoint. Without changes only a count is new.
            let few = changes.len() < solver.places && changes.len() <= FEW_CHANGES;
            if few
                && (Vicinity {
                    solver,
                    region,
                    changes,
                })
                .is_settled(budget)
            {
                self.stage = Stage::UpdateWitness;
                return Ok(Fixpoint::Reached);
            }
            self.stage = Stage::Reserve;
        }
        if self.stage == Stage::Reserve {
            let count = region.shape().cell_count();
            let bytes = count * (size_of::<u8>() + 2 * size_of::<u32>());
            if !solver.is_granted(bytes) {
                return Ok(Fixpoint::NeedsMemory(bytes));
            }
            self.order = vec![CLOSED; count];
            self.low = vec![0; count];
            self.marks = vec![0; count];
            self.stage = Stage::LoadCells;
        }
        if self.stage == Stage::LoadCells && !self.load_cells(solver, region, budget) {
            return Ok(Fixpoint::NotYet);
        }
        if self.stage == Stage::Search {
            if self.root.is_some() && !self.search(region, budget) {
                return Ok(Fixpoint::NotYet);
            }
            let is_apart = self.root.is_some() && self.depth.count < self.open;
            (self.stage, self.at) = (
                if is_apart || self.depth.finds_needed {
                    Stage::Remove
                } else {
                    Stage::UpdateWitness
                },
                0,
            );
        }
        while self.stage == Stage::Remove {
            if self.at == solver.places {
                self.stage = Stage::UpdateWitness;
                break;
            }
            if budget.is_spent() {
                return Ok(Fixpoint::NotYet);
            }
            let (place, cell) = (self.at, region.cell_of(self.at));
            let count = (region.columns - place % region.columns).min(budget.room_for(2));
            budget.spend(2 * count);
            self.at += count;
            for (at, known) in self.marks[cell..cell + count].iter().enumerate() {
                if self.order[cell + at] == OPEN {
                    solver.leave_out(place + at, region.values, Some(number))?;
                }
                if known & ARTICULATION != 0 {
                    solver.keep(place + at, region.values, Some(number))?;
                }
            }
        }
        Ok(Fixpoint::Reached)
    }

    /// Loads which cells are open and which are terminals, and where the search begins.
    fn load_cells(&mut self, solver: &Solver, region: Region, budget: &mut Budget) -> bool {
        while self.at < solver.places {
            if budget.is_spent() {
                return false;
            }
            let (place, cell) = (self.at, region.cell_of(self.at));
            if solver.domains.is_plain() {
                self.load_row(solver, region, cell, budget);
                continue;
            }
            budget.spend(3 + 2 * solver.candidates(place).words().1.len());
            if region.may(solver, place) {
                (self.order[cell], self.open) = (OPEN, self.open + 1);
            }
            if region.must(solver, place) {
                self.marks[cell] = CERTAIN_TERMINAL | LEADS_TO_TERMINAL;
                self.root.get_or_insert(cell);
            }
            self.at += 1;
        }
        if let Some(root) = self.root {
            let records = &mut Records {
                order: &mut self.order,
                low: &mut self.low,
                marks: &mut self.marks,
            };
            self.depth.begin(root, records);
        }
        self.stage = Stage::Search;
        true
    }

    /// Loads the rest of a row of cells, where domains are one word.
    fn load_row(&mut self, solver: &Solver, region: Region, cell: usize, budget: &mut Budget) {
        let left = region.columns - self.at % region.columns;
        let count = left.min(budget.room_for(2));
        budget.spend(2 * count);
        let values = region.values.first().copied().unwrap_or(0);
        let words = &solver.domains.first_words()[self.at..self.at + count];
        let cells = self.order[cell..cell + count]
            .iter_mut()
            .zip(&mut self.marks[cell..cell + count]);
        for ((order, mark), bits) in cells.zip(words) {
            let is_open = bits & values != 0;
            *order = if is_open { OPEN } else { CLOSED };
            *mark = if bits & !values == 0 {
                CERTAIN_TERMINAL | LEADS_TO_TERMINAL
            } else {
                0
            };
            self.open += u32::from(is_open);
        }
        if self.root.is_none() {
            let first = self.marks[cell..cell + count]
                .iter()
                .position(|mark| mark & CERTAIN_TERMINAL != 0);
            self.root = first.map(|at| cell + at);
        }
        self.at += count;
    }

    /// Goes on with the depth-first search; true when done.
    fn search(&mut self, region: Region, budget: &mut Budget) -> bool {
        let most = budget.room_for(VISITS_OF_CELL).min(u32::MAX as usize) as u32;
        let before = self.depth.count;
        let records = &mut Records {
            order: &mut self.order,
            low: &mut self.low,
            marks: &mut self.marks,
        };
        let is_done = self.depth.resume(region.shape(), records, most);
        budget.spend(VISITS_OF_CELL * (self.depth.count - before) as usize + 1);
        is_done
    }

    pub fn bytes(&self) -> usize {
        let own = room::row(&self.marks) + room::row(&self.order) + room::row(&self.low);
        own + self.spanning.bytes() + self.cost_filtering.bytes()
    }
}

/// Continues clearing the changed cells; true when that is done.
fn clear(solver: &mut Solver, number: ConstraintNumber, budget: &mut Budget) -> bool {
    let pending = &mut solver.pending[number as usize];
    while pending.pop().is_some() {
        if budget.is_spent() {
            return false;
        }
        budget.spend(1);
    }
    true
}
