//! Bringing the constraints of a board to rest: each that has something to look at takes away what it rules out, until
//! none finds anything more.

use super::constraint::{Constraint, Direction};
use super::{Board, Wiped, different, ones, ways};
use crate::value::budget::Budget;
use crate::value::heap::Heap;
use crate::value::undecided::Undecided;
use crate::value::value::Handle;

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Reached,
    /// The budget is spent before.
    NotYet,
}

impl Heap {
    /// Goes on until the board is at rest or the budget is spent.
    ///
    /// # Errors
    /// [`Wiped`] if a place has no candidate left; what has changed is forgotten then.
    pub fn bring_to_rest(&mut self, board: Handle, budget: &mut Budget) -> Result<Rest, Wiped> {
        let result = self.boards[board].go(budget);
        if result.is_err() {
            self.forget_changes(board);
        }
        result
    }
}

impl Board {
    pub(super) fn is_at_rest(&self) -> bool {
        self.queues.iter().all(|queue| queue.is_empty())
    }

    fn go(&mut self, budget: &mut Budget) -> Result<Rest, Wiped> {
        while let Some(rank) = self.queues.iter().position(|queue| !queue.is_empty()) {
            if budget.is_spent() {
                return Ok(Rest::NotYet);
            }
            let Some(number) = self.queues[rank].pop_front() else { break };
            self.is_queued[number as usize] = false;
            let nothing = Constraint::Related { places: [0; 2], forward: Vec::new(), backward: Vec::new() };
            let mut constraint = std::mem::replace(&mut self.constraints[number as usize], nothing);
            let result = self.propagate(number, &mut constraint, budget);
            self.constraints[number as usize] = constraint;
            if result.is_err() {
                self.weights[number as usize] += 1;
            }
            if let Rest::NotYet = result? {
                self.is_queued[number as usize] = true;
                self.queues[rank].push_front(number);
                return Ok(Rest::NotYet);
            }
        }
        Ok(Rest::Reached)
    }

    fn propagate(&mut self, number: u32, constraint: &mut Constraint, budget: &mut Budget) -> Result<Rest, Wiped> {
        match constraint {
            Constraint::Different { places, symbols, matching } => {
                let looked_at = different::propagate(self, number, places, symbols, matching)?;
                budget.spend(places.len() + 8 * looked_at + 8);
            }
            Constraint::Related { places: [left, right], forward, backward } => {
                self.revise(*left, *right, forward, number, budget)?;
                if self.revise(*right, *left, backward, number, budget)? {
                    self.revise(*left, *right, forward, number, budget)?;
                }
            }
            Constraint::Adjacent { columns, rows, wraps, directions } => {
                return self.look_around(number, (*columns, *rows, *wraps), directions, budget);
            }
            Constraint::Count { places, values, least, most } => {
                budget.spend(4 * places.len() + 8);
                self.count_places(number, places, values, *least, *most)?;
            }
            Constraint::Table { places, table } => {
                let work = table.propagate(self, number, places)?;
                budget.spend(work);
            }
            Constraint::Pattern { places, automaton } => {
                let work = automaton.propagate(self, number, places)?;
                budget.spend(work);
            }
            Constraint::Connected { columns, rows, values } => {
                budget.spend(12 * self.places + 8);
                ways::connect(self, number, (*columns, *rows), values)?;
            }
            Constraint::Reachable { columns, rows, values, ends } => {
                budget.spend(12 * self.places + 8);
                ways::join(self, number, (*columns, *rows), values, *ends)?;
            }
            Constraint::Sum { places, factors, numbers, low, high } => {
                while self.add_up(number, places, factors, numbers, (*low, *high), budget)? {}
            }
        }
        Ok(Rest::Reached)
    }

    /// What may stand where something allows what, for all candidates of a place together.
    fn image(&self, place: usize, allowed: &[u64]) -> Vec<u64> {
        let mut image = vec![0; self.width];
        for number in ones(self.candidates(place)) {
            let row = allowed.get(number * self.width..(number + 1) * self.width).unwrap_or_default();
            image.iter_mut().zip(row).for_each(|(image, row)| *image |= row);
        }
        image
    }

    /// Takes away what no candidate of another place allows.
    fn revise(&mut self, from: u32, to: u32, allowed: &[u64], number: u32, budget: &mut Budget) -> Result<bool, Wiped> {
        budget.spend(2 * self.count(from as usize) as usize * self.width + 4);
        if from == to {
            return self.keep_loops(from as usize, allowed, Some(number));
        }
        let image = self.image(from as usize, allowed);
        self.keep(to as usize, &image, Some(number))
    }

    /// Keeps the candidates of a place that allow themselves beside them: it is its own neighbour.
    fn keep_loops(&mut self, place: usize, allowed: &[u64], by: Option<u32>) -> Result<bool, Wiped> {
        let mut mask = vec![0; self.width];
        for number in ones(self.candidates(place)) {
            let word = allowed.get(number * self.width + number / 64).copied().unwrap_or(0);
            mask[number / 64] |= word & 1 << (number % 64);
        }
        self.keep(place, &mask, by)
    }

    /// Looks at the neighbours of all cells that have changed, and of those that change by that.
    fn look_around(
        &mut self,
        number: u32,
        (columns, rows, wraps): (u32, u32, bool),
        directions: &[Direction],
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let (columns, rows) = (i64::from(columns), i64::from(rows));
        while let Some(cell) = self.pending[number as usize].pop() {
            if budget.is_spent() {
                self.pending[number as usize].push(cell);
                return Ok(Rest::NotYet);
            }
            let (x, y) = (i64::from(cell) % columns, i64::from(cell) / columns);
            let candidates = self.count(cell as usize) as usize;
            for direction in directions {
                let (mut to_x, mut to_y) = (x + i64::from(direction.columns), y + i64::from(direction.rows));
                if wraps {
                    (to_x, to_y) = (to_x.rem_euclid(columns), to_y.rem_euclid(rows));
                } else if to_x < 0 || to_y < 0 || to_x >= columns || to_y >= rows {
                    continue;
                }
                budget.spend(candidates * self.width + 4);
                let to = (to_y * columns + to_x) as usize;
                if to == cell as usize {
                    self.keep_loops(to, &direction.allowed, Some(number))?;
                } else if self.width == 1 {
                    let mut image = 0;
                    let mut rest = self.bits[cell as usize];
                    while rest != 0 {
                        image |= direction.allowed.get(rest.trailing_zeros() as usize).copied().unwrap_or(0);
                        rest &= rest - 1;
                    }
                    self.keep(to, &[image], Some(number))?;
                } else {
                    let image = self.image(cell as usize, &direction.allowed);
                    self.keep(to, &image, Some(number))?;
                }
            }
        }
        Ok(Rest::Reached)
    }

    fn count_places(
        &mut self,
        number: u32,
        places: &[u32],
        values: &[u64],
        least: u64,
        most: u64,
    ) -> Result<(), Wiped> {
        let others: Vec<u64> = values.iter().map(|word| !word).collect();
        let meets = |board: &Board, place: u32, mask: &[u64]| {
            board.candidates(place as usize).iter().zip(mask).any(|(bits, mask)| bits & mask != 0)
        };
        let possible = places.iter().filter(|place| meets(self, **place, values)).count() as u64;
        let certain = places.iter().filter(|place| !meets(self, **place, &others)).count() as u64;
        if possible < least || certain > most {
            return Err(Wiped);
        }
        for place in places {
            if possible == least && meets(self, *place, values) {
                self.keep(*place as usize, values, Some(number))?;
            } else if certain == most && meets(self, *place, &others) {
                self.keep(*place as usize, &others, Some(number))?;
            }
        }
        Ok(())
    }

    /// Looks once at all places of a sum; whether something has changed.
    fn add_up(
        &mut self,
        number: u32,
        places: &[u32],
        factors: &[f64],
        numbers: &[f64],
        (low, high): (f64, f64),
        budget: &mut Budget,
    ) -> Result<bool, Wiped> {
        const EXACT: f64 = 9_007_199_254_740_991.0;
        let mut bounds = Vec::with_capacity(places.len());
        let (mut least, mut most, mut size) = (0.0, 0.0, 0.0);
        let mut is_exact = true;
        for (place, factor) in places.iter().zip(factors) {
            let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
            for value in ones(self.candidates(*place as usize)) {
                let part = numbers[value] * factor;
                is_exact &= part.fract() == 0.0;
                from = from.min(part);
                to = to.max(part);
            }
            least += from;
            most += to;
            size += from.abs().max(to.abs());
            bounds.push((from, to));
        }
        // Where numbers are rounded, the bounds are not to be trusted to the last digit.
        let slack = if is_exact && size <= EXACT { 0.0 } else { size * 1e-12 };
        let is_decided = bounds.iter().all(|(from, to)| from == to);
        if least > high + slack || most < low - slack || is_decided && (least > high || most < low) {
            return Err(Wiped);
        }
        let mut changed = false;
        for ((place, factor), (from, to)) in places.iter().zip(factors).zip(bounds) {
            let mut mask = vec![0; self.width];
            let mut takes = false;
            for value in ones(self.candidates(*place as usize)) {
                let part = numbers[value] * factor;
                if least - from + part > high + slack || most - to + part < low - slack {
                    takes = true;
                } else {
                    mask[value / 64] |= 1 << (value % 64);
                }
            }
            budget.spend(4 * self.count(*place as usize) as usize + 4);
            if takes {
                changed |= self.keep(*place as usize, &mask, Some(number))?;
            }
        }
        Ok(changed)
    }
}

impl Heap {
    /// The undecided places of a board all of whose places are bound: all of them, and those with the fewest candidates.
    pub fn open_places(&mut self, handle: Handle) -> Option<(&Undecided, &Undecided)> {
        let board = &mut self.boards[handle];
        if board.unbound > 0 {
            return None;
        }
        if board.sizes.is_none() {
            let counts: Vec<u32> = (0..board.places).map(|place| board.count(place)).collect();
            let sizes = super::Sizes::new(counts);
            let bytes = sizes.bytes();
            board.sizes = Some(Box::new(sizes));
            self.allocated(bytes);
        }
        let sizes = self.boards[handle].sizes.as_deref()?;
        Some((sizes.open(), sizes.fewest().unwrap_or(sizes.open())))
    }

    /// How many failures the constraints on a place have caused, and 1.
    pub fn weight_of_place(&self, handle: Handle, place: usize) -> u64 {
        let board = &self.boards[handle];
        let own = board.watchers.get(place).into_iter().flatten();
        1 + own.chain(&board.everywhere).map(|number| board.weights[*number as usize]).sum::<u64>()
    }
}
