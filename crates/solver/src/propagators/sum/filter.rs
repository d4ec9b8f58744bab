//! `sumOf`: bounds of a sum, and what no sum within them has.

use super::{Sum, bounds};
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The bounds of the parts of a sum, found anew until nothing changes.
#[derive(Clone, Debug, Default)]
pub struct SumPropagation {
    at: usize,
    is_added: bool,
    changed: bool,
    bounds: Vec<(f64, f64)>,
    least: f64,
    most: f64,
    size: f64,
    is_rounded: bool,
    /// Whether a part may still be more or less.
    is_open: bool,
    mask: Vec<u64>,
}

impl SumPropagation {
    /// Removes the values with which no others reach a sum within the bounds, until nothing changes.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        sum: &Sum,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        const EXACT: f64 = 9_007_199_254_740_991.0;
        let count = sum.places.len();
        if sum.has_simple_bounds && solver.domains.is_plain() {
            return bounds::keep(solver, number, sum, budget);
        }
        if self.bounds.capacity() == 0 {
            let bytes = count * size_of::<(f64, f64)>();
            if !solver.is_granted(bytes) {
                return Ok(Fixpoint::NeedsMemory(bytes));
            }
            self.bounds.reserve_exact(count);
        }
        loop {
            if !self.is_added {
                while let Some(place) = sum.places.get(self.at) {
                    if budget.is_spent() {
                        return Ok(Fixpoint::NotYet);
                    }
                    let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
                    let mut visits = 2;
                    for value in solver.candidates(*place as usize).numbers() {
                        let part = sum.part(self.at, value);
                        // Beyond the exact ones, numbers are not trusted anyway.
                        self.is_rounded |= part as i64 as f64 != part;
                        from = from.min(part);
                        to = to.max(part);
                        visits += 2;
                    }
                    budget.spend(visits);
                    self.least += from;
                    self.most += to;
                    self.size += from.abs().max(to.abs());
                    self.is_open |= from != to;
                    self.bounds.push((from, to));
                    self.at += 1;
                }
                let slack = self.slack(EXACT);
                let is_decided = !self.is_open;
                let (low, high) = (sum.low, sum.high);
                if self.least > high + slack
                    || self.most < low - slack
                    || is_decided && (self.least > high || self.most < low)
                {
                    return Err(DomainWipeout);
                }
                (self.at, self.is_added) = (0, true);
            }
            let slack = self.slack(EXACT);
            while let Some(place) = sum.places.get(self.at) {
                if budget.is_spent() {
                    return Ok(Fixpoint::NotYet);
                }
                let place = *place as usize;
                let (from, to) = self.bounds.get(self.at).copied().unwrap_or_default();
                // If both ends stay, so does what lies between.
                if self.least - from + to <= sum.high + slack
                    && self.most - to + from >= sum.low - slack
                {
                    budget.spend(2);
                    self.at += 1;
                    continue;
                }
                let (first, words) = solver.candidates(place).words();
                self.mask.clear();
                self.mask.resize(words.len(), 0);
                let mut has_removed = false;
                let mut visits = 2;
                for value in solver.candidates(place).numbers() {
                    let part = sum.part(self.at, value);
                    visits += 2;
                    if self.least - from + part > sum.high + slack
                        || self.most - to + part < sum.low - slack
                    {
                        has_removed = true;
                    } else {
                        self.mask[value / 64 - first] |= 1 << (value % 64);
                    }
                }
                budget.spend(visits);
                if has_removed {
                    self.changed |= solver.keep_words(place, &self.mask, Some(number))?;
                }
                self.at += 1;
            }
            if !self.changed {
                return Ok(Fixpoint::Reached);
            }
            self.bounds.clear();
            let (bounds, mask) = (
                std::mem::take(&mut self.bounds),
                std::mem::take(&mut self.mask),
            );
            *self = SumPropagation {
                bounds,
                mask,
                ..SumPropagation::default()
            };
        }
    }

    /// The error to allow for in the bounds: if numbers are rounded, their last digits are not exact.
    fn slack(&self, exact: f64) -> f64 {
        if !self.is_rounded && self.size <= exact {
            0.0
        } else {
            self.size * 1e-12
        }
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.bounds) + room::row(&self.mask)
    }
}
