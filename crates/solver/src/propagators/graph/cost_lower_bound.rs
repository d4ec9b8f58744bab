//! How many more cells it takes at least to join some of a grid, and which others cannot be among so few: the dual ascent of
//! Wong (1984) for Steiner trees. Each step counts one more cell, as everything that is joined to one of them has to come in over a cell
//! around it that was not counted yet. For two cells that comes to the length of a shortest way.

use super::count_slack::CountSlack;
use super::depth::Shape;
use crate::{DomainWipeout, Rest, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// What is to be joined.
#[derive(Clone, Copy)]
pub(super) struct Net<'a> {
    pub shape: Shape,
    /// It leads over cells that hold one of these.
    pub values: &'a [u64],
    /// Two cells, if it is not all that hold nothing else.
    pub ends: Option<[u32; 2]>,
}

impl Net<'_> {
    pub fn cell_of(&self, place: usize) -> usize {
        self.shape.cell_of(place)
    }
}

/// What is known of a cell: whether something may be there, whether that takes one from what is left, whether it is still to be joined, and
/// whether it is reached from the first one for as little as is left. Above that, from which sides coming in was counted.
const OPEN: u8 = 1;
const COSTS: u8 = 2;
const TO_BE_JOINED: u8 = 4;
const REACHED: u8 = 8;
const FIRST_SIDE: u8 = 16;

/// The moment at which the first cell is turned to.
const FIRST_TURN: u32 = 1;
/// The visits of a cell whose neighbours are looked at.
const VISITS_OF_CELL: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Reserve,
    Look,
    Price,
    /// What leads to the cell at hand for nothing more.
    Gather,
    /// One more cell is counted, of those from which that is entered.
    Raise,
    Spread,
    Take,
    End,
}

#[derive(Clone, Debug, Default)]
pub struct CostLowerBound {
    stage: Stage,
    /// How far what is gone over in this stage is done.
    done: usize,
    marks: Vec<u8>,
    /// When each cell was found to lead to the one at hand: in the turn at hand if that is its first moment or later.
    seen: Vec<u32>,
    first_moment: u32,
    moment: u32,
    /// The cells to be joined, and which of them is at hand.
    joined: Vec<u32>,
    turn: usize,
    /// Whether another one of them was met, or the cells of the rim are gone beyond.
    is_met: bool,
    now: Vec<u32>,
    /// Cells that can be come into at a price only.
    rim: Vec<u32>,
    /// What it takes at least.
    pub least: u64,
    /// Whether anything was taken away.
    pub has_taken: bool,
}

impl CostLowerBound {
    /// Goes on to take away what costs more than an slack has left.
    ///
    /// # Errors
    /// [`DomainWipeout`] if joining what is to be joined does.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: u32,
        net: Net,
        slack: CountSlack,
        budget: &mut Budget,
    ) -> Result<Rest, DomainWipeout> {
        loop {
            let goes_on = match self.stage {
                Stage::Reserve => {
                    let count = net.shape.cell_count();
                    let bytes = count * (size_of::<u8>() + 4 * size_of::<u32>());
                    if !solver.is_granted(bytes) {
                        return Ok(Rest::Wants(bytes));
                    }
                    self.reserve(count);
                    self.stage = Stage::Look;
                    true
                }
                Stage::Look => self.look(solver, net, budget),
                Stage::Price => self.price(solver, net, slack, budget),
                Stage::Gather => self.gather(net, budget),
                Stage::Raise => self.raise(net, slack, budget)?,
                Stage::Spread => self.spread(net, slack, budget),
                Stage::Take => self.take(solver, number, net, slack, budget)?,
                Stage::End => return Ok(Rest::Reached),
            };
            if !goes_on {
                return Ok(Rest::NotYet);
            }
        }
    }

    fn reserve(&mut self, count: usize) {
        self.marks = vec![0; count];
        self.seen = vec![0; count];
        (self.now, self.rim, self.joined) = (
            Vec::with_capacity(count),
            Vec::with_capacity(count),
            Vec::with_capacity(count),
        );
        (self.first_moment, self.moment) = (0, FIRST_TURN - 1);
    }

    /// Goes on to find out where something may be, and what is to be joined.
    fn look(&mut self, solver: &Solver, net: Net, budget: &mut Budget) -> bool {
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
                    self.joined.push(cell as u32);
                }
            }
            self.done += 1;
        }
        self.joined.extend(
            net.ends
                .into_iter()
                .flatten()
                .map(|end| net.cell_of(end as usize) as u32),
        );
        self.joined.dedup();
        budget.spend(self.joined.len());
        self.joined
            .iter()
            .for_each(|cell| self.marks[*cell as usize] |= TO_BE_JOINED);
        (self.stage, self.done) = (Stage::Price, 0);
        true
    }

    /// Goes on to find out what takes one from what is left.
    fn price(&mut self, solver: &Solver, net: Net, slack: CountSlack, budget: &mut Budget) -> bool {
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
        self.turn_to_next();
        true
    }

    /// Turns to the next cell that is to be joined; the first one is where all others are joined to.
    fn turn_to_next(&mut self) {
        self.turn += 1;
        self.now.clear();
        self.rim.clear();
        self.is_met = false;
        (self.first_moment, self.done) = (self.moment + 1, 0);
        self.moment += 1;
        match self.joined.get(self.turn) {
            Some(cell) => {
                self.seen[*cell as usize] = self.moment;
                self.now.push(*cell);
                self.stage = Stage::Gather;
            }
            None => match self.joined.first() {
                Some(root) => {
                    self.marks[*root as usize] |= REACHED;
                    self.now.push(*root);
                    self.stage = Stage::Spread;
                }
                // A piece of nothing takes nothing.
                None => self.stage = Stage::End,
            },
        }
    }

    /// Enters a cell that leads to the one at hand.
    fn enter(&mut self, cell: usize) {
        self.seen[cell] = self.moment;
        self.now.push(cell as u32);
        self.is_met |= self.marks[cell] & TO_BE_JOINED != 0;
    }

    /// Goes on with what leads to the cell at hand for nothing more, up to another one that is to be joined.
    fn gather(&mut self, net: Net, budget: &mut Budget) -> bool {
        while !self.is_met
            && let Some(cell) = self.now.pop()
        {
            if budget.is_spent() {
                self.now.push(cell);
                return false;
            }
            budget.spend(VISITS_OF_CELL);
            let (cell, mut is_rim) = (cell as usize, false);
            let mark = self.marks[cell];
            for (side, from) in beside(net.shape, cell).into_iter().enumerate() {
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
        if self.is_met {
            // Whatever joins that one joins this one, too.
            let cell = self.joined[self.turn] as usize;
            self.marks[cell] &= !TO_BE_JOINED;
            self.turn_to_next();
        } else {
            (self.stage, self.done) = (Stage::Raise, 0);
            self.moment += 1;
            self.least += 1;
        }
        true
    }

    /// Goes on to count one more cell.
    fn raise(
        &mut self,
        net: Net,
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
            for (side, from) in beside(net.shape, cell).into_iter().enumerate() {
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
        self.stage = Stage::Gather;
        Ok(true)
    }

    /// Goes on to find out which cells can be joined to the first one for what is left beyond the least.
    fn spread(&mut self, net: Net, slack: CountSlack, budget: &mut Budget) -> bool {
        let more = if net.ends.is_some() {
            0
        } else {
            slack.left - self.least
        };
        loop {
            while self.is_met
                && let Some(cell) = self.rim.pop()
            {
                if budget.is_spent() {
                    self.rim.push(cell);
                    return false;
                }
                budget.spend(VISITS_OF_CELL);
                for to in beside(net.shape, cell as usize) {
                    if self.marks[to] & (OPEN | REACHED) == OPEN {
                        self.marks[to] |= REACHED;
                        self.now.push(to as u32);
                    }
                }
            }
            self.is_met = false;
            while let Some(cell) = self.now.pop() {
                if budget.is_spent() {
                    self.now.push(cell);
                    return false;
                }
                budget.spend(VISITS_OF_CELL);
                let mut is_rim = false;
                for (side, to) in beside(net.shape, cell as usize).into_iter().enumerate() {
                    let mark = self.marks[to];
                    if mark & OPEN == 0 || mark & REACHED != 0 {
                        continue;
                    }
                    // From there this cell lies on the opposite side.
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
            // One more for all that lies behind.
            self.done += 1;
            self.is_met = true;
        }
        // What lies beside a way costs one by itself.
        let is_tight = net.ends.is_none() || self.least == slack.left;
        (self.stage, self.done) = (if is_tight { Stage::Take } else { Stage::End }, 0);
        true
    }

    /// Goes on to take away what there is too little left for.
    fn take(
        &mut self,
        solver: &mut Solver,
        number: u32,
        net: Net,
        slack: CountSlack,
        budget: &mut Budget,
    ) -> Result<bool, DomainWipeout> {
        // Of a way only what leads to its other end is meant, to which was turned first.
        let on_way = if net.ends.is_some() { FIRST_TURN } else { 0 };
        for (place, cell) in slack.cells_from(self.done, solver.places, net.shape) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(1);
            let mark = self.marks[cell];
            if mark & COSTS != 0 && (mark & REACHED == 0 || self.seen[cell] < on_way) {
                budget.spend(2);
                // Nothing more is left for what lies beside a way; beside a piece may be what is short, but not of the piece.
                self.has_taken |= match net.ends {
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
        [&self.seen, &self.joined, &self.now, &self.rim]
            .into_iter()
            .map(room::row)
            .sum::<usize>()
            + room::row(&self.marks)
    }
}

/// The cells beside another; two sides that lie opposite differ in the last bit of their number.
#[inline(always)]
pub(super) fn beside(shape: Shape, cell: usize) -> [usize; 4] {
    let stride = shape.stride();
    [cell - 1, cell + 1, cell - stride, cell + stride]
}
