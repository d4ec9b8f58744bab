//! `reachable`: finds the cells that all paths between two cells need.
//!
//! A first search finds a path; a second one finds the detours around it. From each cell of the path in turn it
//! searches the cells off the path, and records how far along the path it comes back. All paths need a cell beyond
//! which no detour has come back when the search gets there. Both searches try the direction of the end first, and
//! stop as soon as no further cell can be needed.
//!
//! The result is a witness: the path, and detours around those of its cells that are not needed. While all these
//! cells are open and the needed ones are decided, no change elsewhere has a consequence, so checking a few cells is
//! mostly enough. A witness depends on the current domains only, so backtracking need not undo it.

use super::cost_filtering::{CostFiltering, Known};
use super::cost_lower_bound::Terminals;
use super::depth::Shape;
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The cells of a grid that hold one of `values`, and the two `ends` that a path of such cells is to join.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    pub columns: usize,
    pub rows: usize,
    pub values: &'a [u64],
    pub ends: [u32; 2],
}

impl Path<'_> {
    fn is_possible(&self, solver: &Solver, place: usize) -> bool {
        match solver.domains.is_plain() {
            true => solver.domains.first_words()[place] & self.values.first().unwrap_or(&0) != 0,
            false => solver.candidates(place).meets(self.values),
        }
    }

    fn is_certain(&self, solver: &Solver, place: usize) -> bool {
        match solver.domains.is_plain() {
            true => solver.domains.first_words()[place] & !self.values.first().unwrap_or(&0) == 0,
            false => !solver.candidates(place).has_others(self.values),
        }
    }

    /// The distance from a cell to the one below. Cells are the places in rows, with a border of closed cells around.
    fn stride(&self) -> usize {
        self.columns + 2
    }

    fn cell_of(&self, place: usize) -> usize {
        (place / self.columns + 1) * self.stride() + place % self.columns + 1
    }

    fn place_of(&self, cell: u32) -> u32 {
        let (cell, stride) = (cell as usize, self.stride());
        ((cell / stride - 1) * self.columns + cell % stride - 1) as u32
    }

    /// The neighbors of a cell, each with whether it is nearer to `end`.
    #[inline(always)]
    fn neighbors(&self, cell: usize, end: [usize; 2]) -> [(usize, bool); 4] {
        let stride = self.stride();
        let (x, y) = (cell % stride, cell / stride);
        [
            (cell - 1, end[0] < x),
            (cell + 1, end[0] > x),
            (cell - stride, end[1] < y),
            (cell + stride, end[1] > y),
        ]
    }

    fn net(&self) -> Terminals<'_> {
        Terminals {
            shape: Shape {
                columns: self.columns,
                rows: self.rows,
            },
            values: self.values,
            ends: Some(self.ends),
        }
    }

    /// The path, which is the first part of a witness.
    fn in_witness<'w>(&self, witness: &'w [u32]) -> Known<'w> {
        let last = witness.iter().position(|entry| entry >> 1 == self.ends[1]);
        Known {
            entries: last.map_or(witness, |last| &witness[..=last]),
            shift: 1,
            may_be_cheaper: false,
        }
    }

    /// Whether an entry of a witness still holds. An entry is twice a place, plus one if all paths need it.
    fn entry_holds(&self, solver: &Solver, entry: u32) -> bool {
        let place = (entry >> 1) as usize;
        place < solver.places
            && self.is_possible(solver, place)
            && (entry & 1 == 0 || self.is_certain(solver, place))
    }
}

/// What the searches know of a cell: `OPEN`, not visited; `OPEN_AND_CERTAIN`, also certain to be used (only when
/// searching by cost); `CLOSED`; from `ON_PATH` on, `ON_PATH` plus its index on the path. Lower numbers are the cell
/// from which a search came.
const OPEN: u32 = u32::MAX;
const CLOSED: u32 = u32::MAX - 1;
const OPEN_AND_CERTAIN: u32 = u32::MAX - 2;
const ON_PATH: u32 = 1 << 31;
/// No cell.
const NOWHERE: u32 = u32::MAX;
/// Visits to expand a cell.
const VISITS_OF_CELL: usize = 4;
/// Resetting cells is fast: this number is one visit.
const CELLS_RESET_PER_VISIT: usize = 16;

/// What a [`Return`] takes at most on any platform. What is asked for is charged, and steps are the same everywhere.
const BYTES_OF_RETURN: usize = 24;

/// A detour: where it leaves the path and comes back.
#[derive(Clone, Copy, Debug)]
struct Return {
    /// Indices on the path.
    from: usize,
    to: usize,
    /// The last cell before `to`.
    by: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Begin,
    CheckWitness,
    Reserve,
    LoadCells,
    FindPath,
    TracePath,
    ResetCells,
    MarkPath,
    FindDetours,
    MakeWitness,
    Remove,
    /// Compare the cost of the path with the slack of counts.
    CompareCost,
}

impl Stage {
    fn next(self) -> Stage {
        match self {
            Stage::Begin => Stage::CheckWitness,
            Stage::CheckWitness => Stage::Reserve,
            Stage::Reserve => Stage::LoadCells,
            Stage::LoadCells => Stage::FindPath,
            Stage::FindPath => Stage::TracePath,
            Stage::TracePath => Stage::ResetCells,
            Stage::ResetCells => Stage::MarkPath,
            Stage::MarkPath => Stage::FindDetours,
            Stage::FindDetours => Stage::MakeWitness,
            Stage::MakeWitness => Stage::Remove,
            Stage::Remove | Stage::CompareCost => Stage::CompareCost,
        }
    }
}

/// Both searches, as far as they have come.
#[derive(Clone, Debug, Default)]
pub struct ReachablePropagation {
    stage: Stage,
    cells: Vec<u32>,
    /// How far the loop of this stage is done; in `MakeWitness`, how far along the path the detours reach.
    done: usize,
    path: Vec<u32>,
    /// Cells to expand: `now` before `later`, which holds those farther from the end (or at a cost).
    now: Vec<u32>,
    later: Vec<u32>,
    /// The index on the path of the cell from which the second search starts.
    at: usize,
    returns: Vec<Return>,
    /// The cells of the path that all paths need, in order, and how many of them are in the witness already.
    needed: Vec<u32>,
    witnessed: usize,
    /// The next return to put into the witness, and the cell from which a path is traced back.
    returned: usize,
    trace_from: u32,
    /// The new witness, as far as it is built.
    new_witness: Vec<u32>,
    cost_filtering: CostFiltering,
    is_weighed: bool,
    /// Whether to look for a path of the fewest additional cells instead of the fewest steps.
    is_cheap: bool,
}

/// Whether a cell is open and not visited.
fn is_open(known: u32) -> bool {
    known == OPEN || known == OPEN_AND_CERTAIN
}

impl ReachablePropagation {
    /// Removes what is ruled out. `witness` is from an earlier run, and replaced if it no longer holds.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        path: Path,
        witness: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        loop {
            let is_done = match self.stage {
                Stage::Begin => {
                    budget.spend(16);
                    true
                }
                Stage::CheckWitness => {
                    if !self.check(solver, path, witness, budget) {
                        return Ok(Fixpoint::NotYet);
                    }
                    if !witness.is_empty() && self.done == witness.len() {
                        self.stage = Stage::CompareCost;
                        continue;
                    }
                    true
                }
                Stage::Reserve => {
                    let count = path.cell_of(solver.places + path.columns);
                    let bytes = count * (6 * size_of::<u32>() + BYTES_OF_RETURN);
                    if !solver.is_granted(bytes) {
                        return Ok(Fixpoint::NeedsMemory(bytes));
                    }
                    self.reserve(solver, number, path, count)?;
                    true
                }
                Stage::LoadCells => self.load_cells(solver, path, budget),
                Stage::FindPath => self.find_path(path, budget)?,
                Stage::TracePath => self.trace_path(path, budget),
                Stage::ResetCells => self.reset_cells(budget),
                Stage::MarkPath => self.mark_path(budget),
                Stage::FindDetours => self.find_detours(path, budget),
                Stage::MakeWitness => self.make_witness(path, witness, budget),
                Stage::Remove => self.take(solver, number, path, budget)?,
                Stage::CompareCost if self.is_weighed || solver.counts.is_empty() => {
                    return Ok(Fixpoint::Reached);
                }
                Stage::CompareCost => {
                    // Free the memory of the finished search.
                    let is_cheap = self.is_cheap;
                    if !self.cells.is_empty() {
                        *self = ReachablePropagation {
                            stage: Stage::CompareCost,
                            is_cheap,
                            ..ReachablePropagation::default()
                        };
                    }
                    let known = Known {
                        may_be_cheaper: !is_cheap,
                        ..path.in_witness(witness)
                    };
                    match self
                        .cost_filtering
                        .resume(solver, number, path.net(), known, budget)?
                    {
                        // A search for a cheaper path costs little compared with the lower bound that follows
                        // otherwise.
                        Fixpoint::Reached if self.cost_filtering.wants_cheaper => {
                            *self = ReachablePropagation {
                                stage: Stage::Reserve,
                                is_cheap: true,
                                ..ReachablePropagation::default()
                            };
                            continue;
                        }
                        Fixpoint::Reached if !self.cost_filtering.has_removed => {
                            return Ok(Fixpoint::Reached);
                        }
                        Fixpoint::Reached => {}
                        other => return Ok(other),
                    }
                    // Something was removed: search again.
                    *self = ReachablePropagation {
                        stage: Stage::Reserve,
                        is_weighed: true,
                        is_cheap,
                        ..ReachablePropagation::default()
                    };
                    continue;
                }
            };
            if !is_done {
                return Ok(Fixpoint::NotYet);
            }
            (self.stage, self.done) = (self.stage.next(), 0);
        }
    }

    /// Checks the witness from `done` on: entries before `done` hold. Returns false if the budget is spent.
    fn check(&mut self, solver: &Solver, path: Path, witness: &[u32], budget: &mut Budget) -> bool {
        let count = (witness.len() - self.done).min(budget.room_for(1));
        let holding = witness[self.done..self.done + count]
            .iter()
            .take_while(|entry| path.entry_holds(solver, **entry))
            .count();
        budget.spend(holding + 1);
        self.done += holding;
        holding < count || self.done == witness.len()
    }

    fn reserve(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        path: Path,
        count: usize,
    ) -> Result<(), DomainWipeout> {
        for end in path.ends {
            solver.keep(end as usize, path.values, Some(number))?;
        }
        let first = path.cell_of(path.ends[0] as usize) as u32;
        (self.cells, self.now) = (vec![CLOSED; count], vec![first]);
        Ok(())
    }

    fn take(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        path: Path,
        budget: &mut Budget,
    ) -> Result<bool, DomainWipeout> {
        while let Some(cell) = self.needed.get(self.done) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(2);
            solver.keep(path.place_of(*cell) as usize, path.values, Some(number))?;
            self.done += 1;
        }
        Ok(true)
    }

    /// The next cell to expand.
    fn next_cell(&mut self) -> Option<u32> {
        if self.now.is_empty() {
            std::mem::swap(&mut self.now, &mut self.later);
        }
        self.now.pop()
    }

    /// Loads which cells are open. Returns false if the budget is spent.
    fn load_cells(&mut self, solver: &Solver, path: Path, budget: &mut Budget) -> bool {
        while self.done < solver.places {
            if budget.is_spent() {
                return false;
            }
            let (place, cell) = (self.done, path.cell_of(self.done));
            if solver.domains.is_plain() {
                let count = (path.columns - place % path.columns).min(budget.room_for(1));
                budget.spend(count);
                let values = path.values.first().copied().unwrap_or(0);
                let words = &solver.domains.first_words()[place..place + count];
                for (known, bits) in self.cells[cell..cell + count].iter_mut().zip(words) {
                    *known = if bits & values == 0 {
                        CLOSED
                    } else if self.is_cheap && bits & !values == 0 {
                        OPEN_AND_CERTAIN
                    } else {
                        OPEN
                    };
                }
                self.done += count;
                continue;
            }
            budget.spend(1 + solver.candidates(place).words().1.len());
            if path.is_possible(solver, place) {
                self.cells[cell] = if self.is_cheap && path.is_certain(solver, place) {
                    OPEN_AND_CERTAIN
                } else {
                    OPEN
                };
            }
            self.done += 1;
        }
        let first = path.cell_of(path.ends[0] as usize);
        self.cells[first] = first as u32;
        self.trace_from = path.cell_of(path.ends[1] as usize) as u32;
        true
    }

    /// Searches for a path; true once there is one, false if the budget is spent.
    fn find_path(&mut self, path: Path, budget: &mut Budget) -> Result<bool, DomainWipeout> {
        let end = path.cell_of(path.ends[1] as usize);
        let target = [end % path.stride(), end / path.stride()];
        while is_open(self.cells[end]) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(VISITS_OF_CELL);
            let Some(cell) = self.next_cell() else {
                return Err(DomainWipeout);
            };
            for (neighbor, is_nearer) in path.neighbors(cell as usize, target) {
                let known = self.cells[neighbor];
                if is_open(known) {
                    self.cells[neighbor] = cell;
                    let is_first = if self.is_cheap {
                        known == OPEN_AND_CERTAIN
                    } else {
                        is_nearer
                    };
                    if is_first {
                        self.now.push(neighbor as u32)
                    } else {
                        self.later.push(neighbor as u32)
                    }
                }
            }
        }
        Ok(true)
    }

    /// Stores the path that was found, traced back from its end.
    fn trace_path(&mut self, path: Path, budget: &mut Budget) -> bool {
        let first = path.cell_of(path.ends[0] as usize) as u32;
        while self.trace_from != first {
            if budget.is_spent() {
                return false;
            }
            budget.spend(1);
            self.path.push(self.trace_from);
            self.trace_from = self.cells[self.trace_from as usize];
        }
        self.path.push(first);
        self.path.reverse();
        self.trace_from = NOWHERE;
        true
    }

    /// Resets all cells that are not closed to open, and empties the queues. False if the budget is spent.
    fn reset_cells(&mut self, budget: &mut Budget) -> bool {
        while self.done < self.cells.len() {
            if budget.is_spent() {
                return false;
            }
            let count = (self.cells.len() - self.done)
                .min(CELLS_RESET_PER_VISIT.saturating_mul(budget.room_for(1)));
            budget.spend(count.div_ceil(CELLS_RESET_PER_VISIT));
            for cell in &mut self.cells[self.done..self.done + count] {
                *cell = if *cell == CLOSED { CLOSED } else { OPEN };
            }
            self.done += count;
        }
        self.now.clear();
        self.later.clear();
        true
    }

    /// Marks the cells of the path with their index.
    fn mark_path(&mut self, budget: &mut Budget) -> bool {
        while let Some(cell) = self.path.get(self.done) {
            if budget.is_spent() {
                return false;
            }
            budget.spend(1);
            self.cells[*cell as usize] = ON_PATH + self.done as u32;
            self.done += 1;
        }
        self.now.extend(self.path.first());
        true
    }

    /// The largest index on the path to which a detour comes back.
    fn furthest_return(&self) -> usize {
        self.returns.last().map_or(0, |last| last.to)
    }

    /// Searches for detours; true once all needed cells are known, false if the budget is spent.
    fn find_detours(&mut self, path: Path, budget: &mut Budget) -> bool {
        let last = self.path.len() - 1;
        let end = path.cell_of(path.ends[1] as usize);
        let target = [end % path.stride(), end / path.stride()];
        let mut furthest = self.furthest_return();
        while furthest < last && self.at < last {
            if budget.is_spent() {
                return false;
            }
            budget.spend(VISITS_OF_CELL);
            let Some(cell) = self.next_cell() else {
                self.at += 1;
                if self.at < last && furthest <= self.at {
                    self.needed.push(self.path[self.at]);
                }
                self.now.push(self.path[self.at]);
                continue;
            };
            for (neighbor, is_nearer) in path.neighbors(cell as usize, target) {
                let known = self.cells[neighbor];
                if known == OPEN {
                    self.cells[neighbor] = cell;
                    if is_nearer {
                        self.now.push(neighbor as u32)
                    } else {
                        self.later.push(neighbor as u32)
                    }
                } else if (ON_PATH..OPEN_AND_CERTAIN).contains(&known) {
                    let step = (known - ON_PATH) as usize;
                    // Coming back to the next cell of the path skips no cell.
                    if step > furthest.max(self.at + 1) {
                        self.returns.push(Return {
                            from: self.at,
                            to: step,
                            by: cell,
                        });
                        furthest = step;
                    }
                }
            }
        }
        true
    }

    /// Makes a witness of the path and the fewest detours that cover it.
    fn make_witness(&mut self, path: Path, witness: &mut Vec<u32>, budget: &mut Budget) -> bool {
        if self.done == 0 {
            self.new_witness.reserve_exact(self.path.len());
            self.done = 1;
        }
        while self.new_witness.len() < self.path.len() {
            if budget.is_spent() {
                return false;
            }
            budget.spend(1);
            let (at, cell) = (self.new_witness.len(), self.path[self.new_witness.len()]);
            let is_end = at == 0 || at + 1 == self.path.len();
            let is_needed = self.needed.get(self.witnessed) == Some(&cell);
            self.witnessed += usize::from(is_needed);
            self.new_witness
                .push(2 * path.place_of(cell) + u32::from(is_end || is_needed));
        }
        while self.done + 1 < self.path.len() {
            if budget.is_spent() {
                return false;
            }
            budget.spend(1);
            if self.trace_from < NOWHERE && self.cells[self.trace_from as usize] < ON_PATH {
                self.new_witness.push(2 * path.place_of(self.trace_from));
                self.trace_from = self.cells[self.trace_from as usize];
                continue;
            }
            if self.trace_from < NOWHERE {
                (self.trace_from, self.done) = (NOWHERE, self.returns[self.returned - 1].to);
                continue;
            }
            while self
                .returns
                .get(self.returned)
                .is_some_and(|other| other.from < self.done)
            {
                self.returned += 1;
            }
            match self.returned.checked_sub(1).map(|last| self.returns[last]) {
                Some(around) if around.to > self.done => self.trace_from = around.by,
                _ => self.done += 1,
            }
        }
        *witness = std::mem::take(&mut self.new_witness);
        witness.shrink_to_fit();
        true
    }

    pub fn bytes(&self) -> usize {
        let rows = [
            &self.cells,
            &self.path,
            &self.now,
            &self.later,
            &self.needed,
            &self.new_witness,
        ];
        rows.into_iter().map(room::row).sum::<usize>()
            + room::row(&self.returns)
            + self.cost_filtering.bytes()
    }
}
