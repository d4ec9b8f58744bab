//! A region that joins all terminals at a low cost: a search starts from all of them at once, and where two
//! components meet, they are joined (the minimum spanning tree of Mehlhorn, 1988). Cells of equal distance are
//! expanded in random order, so that another seed finds another region.
//!
//! Such a region is a witness: while its cells are open, and all terminals are on it or next to it, they can be
//! joined.

use super::cost_lower_bound::{Terminals, neighbors_of};
use crate::{Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::rng::Rng;
use ndscript_base::room;

/// Bits of a cell: it is open, a terminal, part of the region, visited by the search. From `SIDE` on, the side from
/// which the search came.
const OPEN: u8 = 1;
const TERMINAL: u8 = 2;
const JOINS: u8 = 4;
const VISITED: u8 = 8;
const SIDE: u32 = 4;

const VISITS_OF_CELL: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Reserve,
    LoadCells,
    Search,
    Collect,
    End,
}

#[derive(Clone, Debug, Default)]
pub struct Spanning {
    stage: Stage,
    done: usize,
    marks: Vec<u8>,
    /// Union-find: a cell points to the terminal that reached it, a terminal to another one of its component, or to
    /// itself.
    owners: Vec<u32>,
    now: Vec<u32>,
    later: Vec<u32>,
    draws: Option<Rng>,
    /// The number of components.
    parts: usize,
    /// The places of the region, in order.
    pub found: Vec<u32>,
}

impl Spanning {
    /// Continues the search.
    pub fn resume(&mut self, solver: &Solver, net: Terminals, budget: &mut Budget) -> Fixpoint {
        loop {
            let goes_on = match self.stage {
                Stage::Reserve => {
                    let count = net.shape.cell_count();
                    let bytes = count * (size_of::<u8>() + 4 * size_of::<u32>());
                    if !solver.is_granted(bytes) {
                        return Fixpoint::NeedsMemory(bytes);
                    }
                    (self.marks, self.owners) = (vec![0; count], vec![0; count]);
                    (self.now, self.later) = (Vec::with_capacity(count), Vec::with_capacity(count));
                    self.stage = Stage::LoadCells;
                    true
                }
                Stage::LoadCells => self.load_cells(solver, net, budget),
                Stage::Search => {
                    let mut draws = self.draws.take().unwrap_or_else(|| Rng::new(solver.ties));
                    let is_done = self.search(net, &mut draws, budget);
                    self.draws = Some(draws);
                    is_done
                }
                Stage::Collect => self.collect(solver, net, budget),
                Stage::End => return Fixpoint::Reached,
            };
            if !goes_on {
                return Fixpoint::NotYet;
            }
        }
    }

    /// Marks the cells that can be in the region, and the terminals; true when done.
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
                if found.must {
                    self.marks[cell] = OPEN | TERMINAL | VISITED;
                    self.owners[cell] = cell as u32;
                    self.now.push(cell as u32);
                }
            }
            self.done += 1;
        }
        (self.parts, self.done, self.stage) = (self.now.len(), 0, Stage::Search);
        true
    }

    /// Grows the components of all terminals step by step until they meet; true when done.
    fn search(&mut self, net: Terminals, draws: &mut Rng, budget: &mut Budget) -> bool {
        while self.parts > 1 {
            if budget.is_spent() {
                return false;
            }
            if self.now.is_empty() {
                if self.later.is_empty() {
                    break;
                }
                std::mem::swap(&mut self.now, &mut self.later);
            }
            let drawn = draws.below(self.now.len() as u64) as usize;
            let cell = self.now.swap_remove(drawn);
            budget.spend(VISITS_OF_CELL);
            let cell = cell as usize;
            let around = neighbors_of(net.shape, cell);
            let (first, is_back) = (draws.below(4) as usize, draws.below(2) == 0);
            for turn in 0..4 {
                let side = if is_back {
                    first + 4 - turn
                } else {
                    first + turn
                } % 4;
                let to = around[side];
                let mark = self.marks[to];
                if mark & OPEN == 0 {
                    continue;
                }
                if mark & VISITED == 0 {
                    // Seen from `to`, the search came from the opposite side.
                    self.marks[to] = mark | VISITED | ((side ^ 1) as u8) << SIDE;
                    self.owners[to] = self.owners[cell];
                    self.later.push(to as u32);
                    continue;
                }
                let [here, there] = [self.owner(cell), self.owner(to)];
                if here != there {
                    self.owners[there] = here as u32;
                    self.parts -= 1;
                    self.join(net, cell, budget);
                    self.join(net, to, budget);
                }
            }
        }
        (self.done, self.stage) = (0, Stage::Collect);
        true
    }

    /// The representative of the component of a cell.
    fn owner(&mut self, cell: usize) -> usize {
        let mut at = self.owners[cell] as usize;
        while self.owners[at] as usize != at {
            let above = self.owners[self.owners[at] as usize];
            self.owners[at] = above;
            at = above as usize;
        }
        at
    }

    /// Adds the cells between one and its component to the region. Cells of the region already lead there.
    fn join(&mut self, net: Terminals, mut cell: usize, budget: &mut Budget) {
        while self.marks[cell] & (TERMINAL | JOINS) == 0 {
            budget.spend(1);
            self.marks[cell] |= JOINS;
            cell = neighbors_of(net.shape, cell)[usize::from(self.marks[cell] >> SIDE & 3)];
        }
    }

    /// Collects the cells that join the terminals; true when done.
    fn collect(&mut self, solver: &Solver, net: Terminals, budget: &mut Budget) -> bool {
        let end = solver.places.min(self.done + budget.room_for(1));
        budget.spend(end - self.done);
        for (place, cell) in (self.done..end).zip(net.shape.cells_from(self.done)) {
            if self.marks[cell] & JOINS != 0 {
                self.found.push(place as u32);
            }
        }
        self.done = end;
        if end < solver.places {
            return false;
        }
        self.stage = Stage::End;
        true
    }

    pub fn bytes(&self) -> usize {
        [&self.owners, &self.now, &self.later, &self.found]
            .into_iter()
            .map(room::row)
            .sum::<usize>()
            + room::row(&self.marks)
    }
}
