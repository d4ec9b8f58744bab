//! `reachable`: what all ways between two cells need.
//!
//! A first search finds a way, a second one what lies beside it: from each cell of the way in turn it goes on past the way, and
//! notes how far along it comes back. A cell at which nothing has come back further along yet is one that all ways need. Both
//! searches go towards the end first, and stop when nothing can be needed any more.
//!
//! What they have found is a witness: the way, and ways around those of its cells that are not needed. As long as all these cells
//! are open, and the needed ones are on the way already, whatever happens elsewhere has no consequence: so a look at few cells
//! is mostly enough. A witness says nothing of what was at rest before, so it is not undone.

use super::cost_filtering::{CostFiltering, Known};
use super::cost_lower_bound::Net;
use super::depth::Shape;
use crate::{DomainWipeout, Rest, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The cells of a grid that hold one of some values, and two that a way of them is to join.
#[derive(Clone, Copy)]
pub struct Way<'a> {
    pub columns: usize,
    pub rows: usize,
    pub values: &'a [u64],
    pub ends: [u32; 2],
}

impl Way<'_> {
    fn may(&self, solver: &Solver, place: usize) -> bool {
        match solver.domains.is_plain() {
            true => solver.domains.first_words()[place] & self.values.first().unwrap_or(&0) != 0,
            false => solver.candidates(place).meets(self.values),
        }
    }

    fn must(&self, solver: &Solver, place: usize) -> bool {
        match solver.domains.is_plain() {
            true => solver.domains.first_words()[place] & !self.values.first().unwrap_or(&0) == 0,
            false => !solver.candidates(place).has_others(self.values),
        }
    }

    /// From a cell to the one below: cells are the places in rows with a border of closed ones around.
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

    /// The cells beside another, and whether they lie nearer to the end.
    #[inline(always)]
    fn beside(&self, cell: usize, end: [usize; 2]) -> [(usize, bool); 4] {
        let stride = self.stride();
        let (x, y) = (cell % stride, cell / stride);
        [
            (cell - 1, end[0] < x),
            (cell + 1, end[0] > x),
            (cell - stride, end[1] < y),
            (cell + stride, end[1] > y),
        ]
    }

    fn net(&self) -> Net<'_> {
        Net {
            shape: Shape {
                columns: self.columns,
                rows: self.rows,
            },
            values: self.values,
            ends: Some(self.ends),
        }
    }

    /// The way as a witness begins with it.
    fn in_witness<'w>(&self, witness: &'w [u32]) -> Known<'w> {
        let last = witness.iter().position(|entry| entry >> 1 == self.ends[1]);
        Known {
            entries: last.map_or(witness, |last| &witness[..=last]),
            shift: 1,
            may_be_cheaper: false,
        }
    }

    /// Whether an entry of a witness holds: it is twice a place, and one more if all ways need it.
    fn stands(&self, solver: &Solver, entry: u32) -> bool {
        let place = (entry >> 1) as usize;
        place < solver.places
            && self.may(solver, place)
            && (entry & 1 == 0 || self.must(solver, place))
    }
}

/// What is known of a cell: that no search has been there (and that it is on the way already, where the search goes by costs), that
/// nothing may be there, or where on the way it lies, if it is this and less than those. Everything below is the cell from where a search has come.
const OPEN: u32 = u32::MAX;
const CLOSED: u32 = u32::MAX - 1;
const OPEN_FOR_NOTHING: u32 = u32::MAX - 2;
const ON_WAY: u32 = 1 << 31;
/// No cell.
const NOWHERE: u32 = u32::MAX;
/// The visits of a cell from which a search goes on.
const VISITS_OF_CELL: usize = 4;
/// What is known of cells is gone over many at once.
const CELLS_FORGOTTEN_FOR_A_VISIT: usize = 16;

/// Where a search past the way comes back to it.
#[derive(Clone, Copy, Debug)]
struct Return {
    /// Where on the way it has left it, and where it comes back.
    from: usize,
    to: usize,
    /// The last cell before that.
    by: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Begin,
    Check,
    Reserve,
    Look,
    Find,
    Trace,
    Forget,
    Lay,
    GoAround,
    Testify,
    Take,
    /// What the way costs is set against what counts leave.
    Weigh,
}

impl Stage {
    fn next(self) -> Stage {
        match self {
            Stage::Begin => Stage::Check,
            Stage::Check => Stage::Reserve,
            Stage::Reserve => Stage::Look,
            Stage::Look => Stage::Find,
            Stage::Find => Stage::Trace,
            Stage::Trace => Stage::Forget,
            Stage::Forget => Stage::Lay,
            Stage::Lay => Stage::GoAround,
            Stage::GoAround => Stage::Testify,
            Stage::Testify => Stage::Take,
            Stage::Take | Stage::Weigh => Stage::Weigh,
        }
    }
}

/// Both searches on their way.
#[derive(Clone, Debug, Default)]
pub struct ReachablePropagation {
    stage: Stage,
    cells: Vec<u32>,
    /// How far what is gone over in this stage is done; for a witness, how far along the way there are ways around it.
    done: usize,
    way: Vec<u32>,
    /// From where the search goes on: first without a way round, then with one.
    now: Vec<u32>,
    later: Vec<u32>,
    /// The cell of the way from which the second search goes on, and how far along the way it has come.
    at: usize,
    returns: Vec<Return>,
    /// Those of its cells that all ways need, in the same order, and how many of them are in the witness.
    needed: Vec<u32>,
    witnessed: usize,
    /// The return that is looked at next, for a witness, and the cell from which its way leads back.
    returned: usize,
    back: u32,
    /// The witness as far as it is made.
    made: Vec<u32>,
    cost_filtering: CostFiltering,
    is_weighed: bool,
    /// Whether the way is to need as few more cells as can be, in place of as few steps.
    is_cheap: bool,
}

/// Whether no search has been at a cell yet where something may be.
fn is_open(known: u32) -> bool {
    known == OPEN || known == OPEN_FOR_NOTHING
}

impl ReachablePropagation {
    /// Takes away what is ruled out. `witness` is of an earlier look, and may hold still.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: u32,
        way: Way,
        witness: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<Rest, DomainWipeout> {
        loop {
            let goes_on = match self.stage {
                Stage::Begin => {
                    budget.spend(16);
                    true
                }
                Stage::Check => {
                    if !self.check(solver, way, witness, budget) {
                        return Ok(Rest::NotYet);
                    }
                    if !witness.is_empty() && self.done == witness.len() {
                        self.stage = Stage::Weigh;
                        continue;
                    }
                    true
                }
                Stage::Reserve => {
                    let count = way.cell_of(solver.places + way.columns);
                    let bytes = count * (6 * size_of::<u32>() + size_of::<Return>());
                    if !solver.is_granted(bytes) {
                        return Ok(Rest::Wants(bytes));
                    }
                    self.reserve(solver, number, way, count)?;
                    true
                }
                Stage::Look => self.look(solver, way, budget),
                Stage::Find => self.find(way, budget)?,
                Stage::Trace => self.trace(way, budget),
                Stage::Forget => self.forget(budget),
                Stage::Lay => self.lay(budget),
                Stage::GoAround => self.go_around(way, budget),
                Stage::Testify => self.testify(way, witness, budget),
                Stage::Take => self.take(solver, number, way, budget)?,
                Stage::Weigh if self.is_weighed || solver.counts.is_empty() => {
                    return Ok(Rest::Reached);
                }
                Stage::Weigh => {
                    // A search that is done needs no room any more.
                    let is_cheap = self.is_cheap;
                    if !self.cells.is_empty() {
                        *self = ReachablePropagation {
                            stage: Stage::Weigh,
                            is_cheap,
                            ..ReachablePropagation::default()
                        };
                    }
                    let known = Known {
                        may_be_cheaper: !is_cheap,
                        ..way.in_witness(witness)
                    };
                    match self
                        .cost_filtering
                        .resume(solver, number, way.net(), known, budget)?
                    {
                        // Whether there is a way for less, a search tells that is short beside what follows.
                        Rest::Reached if self.cost_filtering.wants_cheaper => {
                            *self = ReachablePropagation {
                                stage: Stage::Reserve,
                                is_cheap: true,
                                ..ReachablePropagation::default()
                            };
                            continue;
                        }
                        Rest::Reached if !self.cost_filtering.has_taken => {
                            return Ok(Rest::Reached);
                        }
                        Rest::Reached => {}
                        other => return Ok(other),
                    }
                    // What is left is looked at once more.
                    *self = ReachablePropagation {
                        stage: Stage::Reserve,
                        is_weighed: true,
                        is_cheap,
                        ..ReachablePropagation::default()
                    };
                    continue;
                }
            };
            if !goes_on {
                return Ok(Rest::NotYet);
            }
            (self.stage, self.done) = (self.stage.next(), 0);
        }
    }

    /// Goes on to find out whether a witness holds: as far as `done` it does.
    fn check(&mut self, solver: &Solver, way: Way, witness: &[u32], budget: &mut Budget) -> bool {
        let count = (witness.len() - self.done).min(budget.room_for(1));
        let standing = witness[self.done..self.done + count]
            .iter()
            .take_while(|entry| way.stands(solver, **entry))
            .count();
        budget.spend(standing + 1);
        self.done += standing;
        standing < count || self.done == witness.len()
    }

    fn reserve(
        &mut self,
        solver: &mut Solver,
        number: u32,
        way: Way,
        count: usize,
    ) -> Result<(), DomainWipeout> {
        for end in way.ends {
            solver.keep(end as usize, way.values, Some(number))?;
        }
        let first = way.cell_of(way.ends[0] as usize) as u32;
        (self.cells, self.now) = (vec![CLOSED; count], vec![first]);
        Ok(())
    }

    fn take(
        &mut self,
        solver: &mut Solver,
        number: u32,
        way: Way,
        budget: &mut Budget,
    ) -> Result<bool, DomainWipeout> {
        while let Some(cell) = self.needed.get(self.done) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(2);
            solver.keep(way.place_of(*cell) as usize, way.values, Some(number))?;
            self.done += 1;
        }
        Ok(true)
    }

    /// The next cell from which a search goes on.
    fn next(&mut self) -> Option<u32> {
        if self.now.is_empty() {
            std::mem::swap(&mut self.now, &mut self.later);
        }
        self.now.pop()
    }

    /// Goes on to find out where something may be.
    fn look(&mut self, solver: &Solver, way: Way, budget: &mut Budget) -> bool {
        while self.done < solver.places {
            if budget.is_spent() {
                return false;
            }
            let (place, cell) = (self.done, way.cell_of(self.done));
            if solver.domains.is_plain() {
                let count = (way.columns - place % way.columns).min(budget.room_for(1));
                budget.spend(count);
                let values = way.values.first().copied().unwrap_or(0);
                let words = &solver.domains.first_words()[place..place + count];
                for (known, bits) in self.cells[cell..cell + count].iter_mut().zip(words) {
                    *known = if bits & values == 0 {
                        CLOSED
                    } else if self.is_cheap && bits & !values == 0 {
                        OPEN_FOR_NOTHING
                    } else {
                        OPEN
                    };
                }
                self.done += count;
                continue;
            }
            budget.spend(1 + solver.candidates(place).words().1.len());
            if way.may(solver, place) {
                self.cells[cell] = if self.is_cheap && way.must(solver, place) {
                    OPEN_FOR_NOTHING
                } else {
                    OPEN
                };
            }
            self.done += 1;
        }
        let first = way.cell_of(way.ends[0] as usize);
        self.cells[first] = first as u32;
        self.back = way.cell_of(way.ends[1] as usize) as u32;
        true
    }

    /// Goes on to look for a way; true when there is one.
    fn find(&mut self, way: Way, budget: &mut Budget) -> Result<bool, DomainWipeout> {
        let end = way.cell_of(way.ends[1] as usize);
        let target = [end % way.stride(), end / way.stride()];
        while is_open(self.cells[end]) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(VISITS_OF_CELL);
            let Some(cell) = self.next() else {
                return Err(DomainWipeout);
            };
            for (beside, is_nearer) in way.beside(cell as usize, target) {
                let known = self.cells[beside];
                if is_open(known) {
                    self.cells[beside] = cell;
                    let is_first = if self.is_cheap {
                        known == OPEN_FOR_NOTHING
                    } else {
                        is_nearer
                    };
                    if is_first {
                        self.now.push(beside as u32)
                    } else {
                        self.later.push(beside as u32)
                    }
                }
            }
        }
        Ok(true)
    }

    /// Goes on to note the way that was found, from its end.
    fn trace(&mut self, way: Way, budget: &mut Budget) -> bool {
        let first = way.cell_of(way.ends[0] as usize) as u32;
        while self.back != first {
            if budget.is_spent() {
                return false;
            }
            budget.spend(1);
            self.way.push(self.back);
            self.back = self.cells[self.back as usize];
        }
        self.way.push(first);
        self.way.reverse();
        self.back = NOWHERE;
        true
    }

    /// Goes on to forget where the search was.
    fn forget(&mut self, budget: &mut Budget) -> bool {
        while self.done < self.cells.len() {
            if budget.is_spent() {
                return false;
            }
            let count = (self.cells.len() - self.done)
                .min(CELLS_FORGOTTEN_FOR_A_VISIT.saturating_mul(budget.room_for(1)));
            budget.spend(count.div_ceil(CELLS_FORGOTTEN_FOR_A_VISIT));
            for cell in &mut self.cells[self.done..self.done + count] {
                *cell = if *cell == CLOSED { CLOSED } else { OPEN };
            }
            self.done += count;
        }
        self.now.clear();
        self.later.clear();
        true
    }

    /// Goes on to lay the way over the cells.
    fn lay(&mut self, budget: &mut Budget) -> bool {
        while let Some(cell) = self.way.get(self.done) {
            if budget.is_spent() {
                return false;
            }
            budget.spend(1);
            self.cells[*cell as usize] = ON_WAY + self.done as u32;
            self.done += 1;
        }
        self.now.extend(self.way.first());
        true
    }

    /// How far along the way the search past it has come.
    fn furthest(&self) -> usize {
        self.returns.last().map_or(0, |last| last.to)
    }

    /// Goes on past the way; true when all cells that are needed are known.
    fn go_around(&mut self, way: Way, budget: &mut Budget) -> bool {
        let last = self.way.len() - 1;
        let end = way.cell_of(way.ends[1] as usize);
        let target = [end % way.stride(), end / way.stride()];
        let mut furthest = self.furthest();
        while furthest < last && self.at < last {
            if budget.is_spent() {
                return false;
            }
            budget.spend(VISITS_OF_CELL);
            let Some(cell) = self.next() else {
                self.at += 1;
                if self.at < last && furthest <= self.at {
                    self.needed.push(self.way[self.at]);
                }
                self.now.push(self.way[self.at]);
                continue;
            };
            for (beside, is_nearer) in way.beside(cell as usize, target) {
                let known = self.cells[beside];
                if known == OPEN {
                    self.cells[beside] = cell;
                    if is_nearer {
                        self.now.push(beside as u32)
                    } else {
                        self.later.push(beside as u32)
                    }
                } else if (ON_WAY..OPEN_FOR_NOTHING).contains(&known) {
                    let step = (known - ON_WAY) as usize;
                    // The next cell of the way is no way around anything.
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

    /// Goes on to make a witness of the way and as few ways around its cells as lead along all of it.
    fn testify(&mut self, way: Way, witness: &mut Vec<u32>, budget: &mut Budget) -> bool {
        if self.done == 0 {
            self.made.reserve_exact(self.way.len());
            self.done = 1;
        }
        while self.made.len() < self.way.len() {
            if budget.is_spent() {
                return false;
            }
            budget.spend(1);
            let (at, cell) = (self.made.len(), self.way[self.made.len()]);
            let is_end = at == 0 || at + 1 == self.way.len();
            let is_needed = self.needed.get(self.witnessed) == Some(&cell);
            self.witnessed += usize::from(is_needed);
            self.made
                .push(2 * way.place_of(cell) + u32::from(is_end || is_needed));
        }
        while self.done + 1 < self.way.len() {
            if budget.is_spent() {
                return false;
            }
            budget.spend(1);
            if self.back < NOWHERE && self.cells[self.back as usize] < ON_WAY {
                self.made.push(2 * way.place_of(self.back));
                self.back = self.cells[self.back as usize];
                continue;
            }
            if self.back < NOWHERE {
                (self.back, self.done) = (NOWHERE, self.returns[self.returned - 1].to);
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
                Some(around) if around.to > self.done => self.back = around.by,
                _ => self.done += 1,
            }
        }
        *witness = std::mem::take(&mut self.made);
        witness.shrink_to_fit();
        true
    }

    pub fn bytes(&self) -> usize {
        let rows = [
            &self.cells,
            &self.way,
            &self.now,
            &self.later,
            &self.needed,
            &self.made,
        ];
        rows.into_iter().map(room::row).sum::<usize>()
            + room::row(&self.returns)
            + self.cost_filtering.bytes()
    }
}
