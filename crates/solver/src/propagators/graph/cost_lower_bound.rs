//! A lower bound of the number of cells that joining the terminals costs, and which cells no solution within the
//! slack can use: the dual ascent of Wong (1984) for Steiner trees. Each step raises the bound by one: every cell
//! through which the current component can be entered costs one that was not counted yet. For two terminals the bound
//! is the length of a shortest path.

use super::count_slack::CountSlack;
use super::depth::Shape;
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The terminals, and the cells over which they can be joined.
#[derive(Clone, Copy)]
pub(super) struct Terminals<'a> {
    pub shape: Shape,
    /// Cells that can hold one of these are open.
    pub values: &'a [u64],
    /// The two ends of a path. `None` for a region: its terminals are the cells that can hold nothing but `values`.
    pub ends: Option<[u32; 2]>,
}

impl Terminals<'_> {
    pub fn cell_of(&self, place: usize) -> usize {
        self.shape.cell_of(place)
    }
}

/// Bits of a cell: it is open; using it takes one from the slack; it is a terminal that is not joined yet; it can be
/// reached from the first terminal within the slack. From `FIRST_SIDE` on, the sides from which entering it was
/// counted.
const OPEN: u8 = 1;
const COSTS: u8 = 2;
const TERMINAL: u8 = 4;
const REACHED: u8 = 8;
const FIRST_SIDE: u8 = 16;

/// The moment of the turn of the first terminal.
const FIRST_TURN: u32 = 1;
/// Visits to expand a cell.
const VISITS_OF_CELL: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Reserve,
    LoadCells,
    PriceCells,
    /// Grow the component of the current terminal over edges that cost nothing more.
    GrowComponent,
    /// Count one more cell on all edges into the component.
    RaiseBound,
    ReachWithinSlack,
    Remove,
    End,
}

#[derive(Clone, Debug, Default)]
pub struct CostLowerBound {
    stage: Stage,
    /// The position of the loop of this stage.
    done: usize,
    marks: Vec<u8>,
    /// When each cell joined the component of the current terminal: before `first_moment` if it has not in this turn.
    seen: Vec<u32>,
    first_moment: u32,
    moment: u32,
    /// The terminals, and the index of the current one.
    terminals: Vec<u32>,
    turn: usize,
    /// In `Grow`: whether another terminal was reached. In `Spread`: whether the rim is being expanded.
    has_reached: bool,
    now: Vec<u32>,
    /// Cells of the component that have an edge at a cost.
    rim: Vec<u32>,
    /// The lower bound.
    pub least: u64,
    /// Whether anything was removed.
    pub has_removed: bool,
}

impl CostLowerBound {
    /// Removes what costs more than `slack` leaves.
    ///
    /// # Errors
    /// [`DomainWipeout`] if joining what is to be joined does.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        net: Terminals,
        slack: CountSlack,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        loop {
            let is_done = match self.stage {
                Stage::Reserve => {
                    let count = net.shape.cell_count();
                    let bytes = count * (size_of::<u8>() + 4 * size_of::<u32>());
                    if !solver.is_granted(bytes) {
                        return Ok(Fixpoint::NeedsMemory(bytes));
                    }
                    self.reserve(count);
                    self.stage = Stage::LoadCells;
                    true
                }
                Stage::LoadCells => self.load_cells(solver, net, budget),
                Stage::PriceCells => self.price(solver, net, slack, budget),
                Stage::GrowComponent => self.grow_component(net, budget),
                Stage::RaiseBound => self.raise_bound(net, slack, budget)?,
                Stage::ReachWithinSlack => self.reach_within_slack(net, slack, budget),
                Stage::Remove => self.take(solver, number, net, slack, budget)?,
                Stage::End => return Ok(Fixpoint::Reached),
            };
            if !is_done {
                return Ok(Fixpoint::NotYet);
            }
        }
    }

    fn reserve(&mut self, count: usize) {
        self.marks = vec![0; count];
        self.seen = vec![0; count];
        (self.now, self.rim, self.terminals) = (
            Vec::with_capacity(count),
            Vec::with_capacity(count),
            Vec::with_capacity(count),
        );
        (self.first_moment, self.moment) = (0, FIRST_TURN - 1);
    }

    /// Loads the open cells and the terminals. Returns false if the budget is spent.
    fn load_cells(&mut self, solver: &Solver, net: Terminals, budget: &mut Budget) -> bool {
        let first = self.done;
        for (place, cell) in (first..solver.places).zip(net.shape.cells_from(first)) {
            if budget.is_spent() {
                return false;
            }
            let found = solver.domains.look_for(place, net.values);
            budget.spend(found.visits);
            if found.may {
                self.marks[cell] = OPEN;
                if net.ends.is_none() && found.must {
                    self.terminals.push(cell as u32);
                }
            }
            self.done += 1;
        }
        self.terminals.extend(
            net.ends
                .into_iter()
                .flatten()
                .map(|end| net.cell_of(end as usize) as u32),
        );
        self.terminals.dedup();
        budget.spend(self.terminals.len());
        self.terminals
            .iter()
            .for_each(|cell| self.marks[*cell as usize] |= TERMINAL);
        (self.stage, self.done) = (Stage::PriceCells, 0);
        true
    }

    /// Marks the cells that take one from the slack. Returns false if the budget is spent.
    fn price(
        &mut self,
        solver: &Solver,
        net: Terminals,
        slack: CountSlack,
        budget: &mut Budget,
    ) -> bool {
        for (place, cell) in slack.cells_from(self.done, solver.places, net.shape) {
            if budget.is_spent() {
                return false;
            }
            let candidates = solver.candidates(place);
            budget.spend(1 + candidates.words().1.len());
            let mark = &mut self.marks[cell];
            if *mark & OPEN != 0 && slack.is_taken_by(candidates, net.values) {
                *mark |= COSTS;
            }
            self.done += 1;
        }
        self.done = 0;
        self.start_next_terminal();
        true
    }

    /// Starts the turn of the next terminal; the first terminal is the root that all others are joined to, and comes
    /// last.
    fn start_next_terminal(&mut self) {
        self.turn += 1;
        self.now.clear();
        self.rim.clear();
        self.has_reached = false;
        (self.first_moment, self.done) = (self.moment + 1, 0);
        self.moment += 1;
        match self.terminals.get(self.turn) {
            Some(cell) => {
                self.seen[*cell as usize] = self.moment;
                self.now.push(*cell);
                self.stage = Stage::GrowComponent;
            }
            None => match self.terminals.first() {
                Some(root) => {
                    self.marks[*root as usize] |= REACHED;
                    self.now.push(*root);
                    self.stage = Stage::ReachWithinSlack;
                }
                // An empty region costs nothing.
                None => self.stage = Stage::End,
            },
        }
    }

    /// Adds a cell to the component of the current terminal.
    fn enter(&mut self, cell: usize) {
        self.seen[cell] = self.moment;
        self.now.push(cell as u32);
        self.has_reached |= self.marks[cell] & TERMINAL != 0;
    }

    /// Grows the component over edges that cost nothing more, until it includes another terminal or is complete.
    fn grow_component(&mut self, net: Terminals, budget: &mut Budget) -> bool {
        while !self.has_reached
            && let Some(cell) = self.now.pop()
        {
            if budget.is_spent() {
                self.now.push(cell);
                return false;
            }
            budget.spend(VISITS_OF_CELL);
            let (cell, mut is_rim) = (cell as usize, false);
            let mark = self.marks[cell];
            for (side, from) in neighbors_of(net.shape, cell).into_iter().enumerate() {
                if self.marks[from] & OPEN == 0 || self.seen[from] >= self.first_moment {
                    continue;
                }
                if mark & COSTS == 0 || mark & FIRST_SIDE << side != 0 {
                    self.enter(from);
                } else {
                    is_rim = true;
                }
            }
            if is_rim {
                self.rim.push(cell as u32);
            }
        }
        if self.has_reached {
            // Whatever joins the other terminal joins this one, too.
            let cell = self.terminals[self.turn] as usize;
            self.marks[cell] &= !TERMINAL;
            self.start_next_terminal();
        } else {
            (self.stage, self.done) = (Stage::RaiseBound, 0);
            self.moment += 1;
            self.least += 1;
        }
        true
    }

    /// Counts one more cell on all edges into the component.
    fn raise_bound(
        &mut self,
        net: Terminals,
        slack: CountSlack,
        budget: &mut Budget,
    ) -> Result<bool, DomainWipeout> {
        if self.least > slack.left || self.rim.is_empty() {
            return Err(DomainWipeout);
        }
        while let Some(cell) = self.rim.get(self.done) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(VISITS_OF_CELL);
            let cell = *cell as usize;
            self.done += 1;
            for (side, from) in neighbors_of(net.shape, cell).into_iter().enumerate() {
                let is_outside = self.seen[from] < self.first_moment;
                if self.marks[from] & OPEN == 0 || !is_outside && self.seen[from] < self.moment {
                    continue;
                }
                self.marks[cell] |= FIRST_SIDE << side;
                if is_outside {
                    self.enter(from);
                }
            }
        }
        self.rim.clear();
        self.stage = Stage::GrowComponent;
        Ok(true)
    }

    /// Marks the cells that the first terminal reaches within what the slack leaves beyond the bound.
    fn reach_within_slack(
        &mut self,
        net: Terminals,
        slack: CountSlack,
        budget: &mut Budget,
    ) -> bool {
        let more = if net.ends.is_some() {
            0
        } else {
            slack.left - self.least
        };
        loop {
            while self.has_reached
                && let Some(cell) = self.rim.pop()
            {
                if budget.is_spent() {
                    self.rim.push(cell);
                    return false;
                }
                budget.spend(VISITS_OF_CELL);
                for to in neighbors_of(net.shape, cell as usize) {
                    if self.marks[to] & (OPEN | REACHED) == OPEN {
                        self.marks[to] |= REACHED;
                        self.now.push(to as u32);
                    }
                }
            }
            self.has_reached = false;
            while let Some(cell) = self.now.pop() {
                if budget.is_spent() {
                    self.now.push(cell);
                    return false;
                }
                budget.spend(VISITS_OF_CELL);
                let mut is_rim = false;
                for (side, to) in neighbors_of(net.shape, cell as usize)
                    .into_iter()
                    .enumerate()
                {
                    let mark = self.marks[to];
                    if mark & OPEN == 0 || mark & REACHED != 0 {
                        continue;
                    }
                    // Seen from there, this cell lies on the opposite side.
                    if mark & COSTS == 0 || mark & FIRST_SIDE << (side ^ 1) != 0 {
                        self.marks[to] |= REACHED;
                        self.now.push(to as u32);
                    } else {
                        is_rim = true;
                    }
                }
                if is_rim {
                    self.rim.push(cell);
                }
            }
            if self.done as u64 == more || self.rim.is_empty() {
                break;
            }
            // Every cell beyond the rim costs one more.
            self.done += 1;
            self.has_reached = true;
        }
        // A cell off the path costs one by itself.
        let is_tight = net.ends.is_none() || self.least == slack.left;
        (self.stage, self.done) = (if is_tight { Stage::Remove } else { Stage::End }, 0);
        true
    }

    /// Removes what costs more than the slack.
    fn take(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        net: Terminals,
        slack: CountSlack,
        budget: &mut Budget,
    ) -> Result<bool, DomainWipeout> {
        // For a path, only cells that lead to its other end count; that end had the first turn.
        let on_way = if net.ends.is_some() { FIRST_TURN } else { 0 };
        for (place, cell) in slack.cells_from(self.done, solver.places, net.shape) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(1);
            let mark = self.marks[cell];
            if mark & COSTS != 0 && (mark & REACHED == 0 || self.seen[cell] < on_way) {
                budget.spend(2);
                // The slack leaves nothing for cells off a path. Off a region, cells may still hold what is short,
                // but not as part of the region.
                self.has_removed |= match net.ends {
                    Some(_) => slack.keep_from(solver, place, number)?,
                    None => solver.leave_out(place, net.values, Some(number))?,
                };
            }
            self.done += 1;
        }
        self.stage = Stage::End;
        Ok(true)
    }

    pub fn bytes(&self) -> usize {
        [&self.seen, &self.terminals, &self.now, &self.rim]
            .into_iter()
            .map(room::row)
            .sum::<usize>()
            + room::row(&self.marks)
    }
}

/// The neighbors of a cell. The numbers of opposite sides differ in the last bit.
#[inline(always)]
pub(super) fn neighbors_of(shape: Shape, cell: usize) -> [usize; 4] {
    let stride = shape.stride();
    [cell - 1, cell + 1, cell - stride, cell + stride]
}
