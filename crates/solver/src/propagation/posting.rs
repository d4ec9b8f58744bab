//! Posts constraints, and withdraws them, the latest first.

use std::sync::Arc;

use super::waking::{Pending, Waking};
use super::watchers::Watchers;
use crate::domains::Domains;
use crate::{Cardinality, Constraint, ConstraintNumber, Solver};
use ndscript_base::budget::Budget;

/// How high rows stand that grow with constraints.
#[derive(Clone, Copy, Debug, Default)]
pub struct Height {
    /// How many values there were.
    pub values: usize,
    /// How many words of domains.
    pub words: usize,
    /// How many links of watchers.
    pub links: usize,
}

/// The bytes of a constraint in the rows that have an entry for each: its own, weights, witnesses, queues, heights and
/// pending cells.
const BESIDE_CONSTRAINT: usize = 3 * size_of::<Constraint>() / 2 + 128;

impl Solver {
    /// Whether there are rows for constraints, as there are once one was begun.
    pub fn has_rows(&self) -> bool {
        !self.bound.is_empty()
    }

    /// Makes the rows that there are under constraints.
    pub fn make_rows(&mut self) {
        let places = self.places;
        self.domains = Domains::new(places);
        self.watchers = Watchers::new(places);
        (self.bound, self.unbound) = (vec![0; places], places);
        self.is_changed = vec![false; places];
        self.changed = Vec::with_capacity(places);
    }

    /// Places with these domains, as masks over this number of values, if all of them are known from the beginning.
    pub fn with_domains(values: usize, masks: &[Vec<u64>]) -> Solver {
        let mut solver = Solver::new(masks.len());
        solver.values = values;
        solver.make_rows();
        for (place, mask) in masks.iter().enumerate() {
            solver
                .domains
                .open_window(place, 0, values.div_ceil(64).max(1));
            for number in crate::ones(mask).filter(|number| *number < values) {
                solver.domains.insert(place, number);
            }
            solver.domains.set_initial(place);
        }
        solver
    }

    /// Places with these domains, as rows of `width` words each.
    pub(crate) fn with_rows(values: usize, width: usize, rows: &[u64]) -> Solver {
        let places = rows.len() / width.max(1);
        let mut solver = Solver::new(places);
        solver.values = values;
        solver.make_rows();
        for (place, row) in rows.chunks_exact(width.max(1)).enumerate() {
            solver.domains.open_window(place, 0, width);
            let (_, words) = solver.domains.words_mut(place);
            words.copy_from_slice(row);
            solver.domains.set_initial(place);
        }
        solver
    }

    /// Puts a constraint on places that have their domains; returns its number.
    pub fn add(&mut self, constraint: impl Into<Constraint>) -> u32 {
        let constraint = constraint.into().prepared(self);
        let places = constraint.places().unwrap_or_default();
        self.begin_post(places.len());
        places.iter().for_each(|place| self.watch(*place as usize));
        let number = self.constraints.len() as u32;
        self.post(Arc::new(constraint));
        number
    }

    /// Adds a value; returns its number.
    pub fn add_value(&mut self) -> u32 {
        self.values += 1;
        (self.values - 1) as u32
    }

    /// Begins to post a constraint that watches this number of places; first withdraw one that was begun and not
    /// posted. Values, windows of domains and watched places that are added from now on belong to it.
    pub fn begin_post(&mut self, watched: usize) {
        self.heights.truncate(self.constraints.len());
        self.heights.push(Height {
            values: self.values,
            words: self.domains.height(),
            links: self.watchers.height(),
        });
        self.watchers.make_room(watched);
    }

    /// The constraint that was begun watches a place, whose domain is known.
    #[inline]
    pub fn watch(&mut self, place: usize) {
        let number = self.constraints.len() as u32;
        self.watchers.add(number, place as u32);
        self.bind(place);
    }

    fn bind(&mut self, place: usize) {
        if let Some(bound) = self.bound.get_mut(place) {
            *bound += 1;
            self.unbound -= usize::from(*bound == 1);
        }
    }

    /// How many constraints there are, with one that was begun.
    pub fn count_with_begun(&self) -> usize {
        self.heights.len()
    }

    /// How high everything stood before a constraint.
    pub fn height(&self, number: usize) -> Option<Height> {
        self.heights.get(number).copied()
    }

    /// Removes the constraints from a number on, the latest first; true when done. If it stops within one, that one has
    /// lost only watches and values so far.
    pub fn withdraw(&mut self, length: usize, budget: &mut Budget) -> bool {
        while self.heights.len() > length {
            let Some(height) = self.heights.last().copied() else {
                break;
            };
            while self.watchers.height() > height.links {
                if budget.is_spent() {
                    return false;
                }
                budget.spend(4);
                let Some(place) = self.watchers.pop() else {
                    break;
                };
                if let Some(bound) = self.bound.get_mut(place) {
                    *bound = bound.saturating_sub(1);
                    self.unbound += usize::from(*bound == 0);
                }
            }
            self.domains.cut_back(height.words);
            while self.values > height.values {
                if budget.is_spent() {
                    return false;
                }
                budget.spend(8);
                self.values -= 1;
            }
            if self.constraints.len() == self.heights.len() {
                self.remove();
            }
            self.heights.pop();
            budget.spend(4);
        }
        self.queues
            .iter_mut()
            .for_each(|queue| queue.retain(|number| (*number as usize) < length));
        true
    }

    /// Posts a constraint, whose places are bound, and the combination with other constraints that follows from it.
    pub fn post(&mut self, constraint: Arc<Constraint>) {
        let may_be_member = self.may_be_member(&constraint);
        self.post_alone(constraint);
        if !may_be_member {
            return;
        }
        let (together, work) = Cardinality::beside(self, self.constraints.len() as u32 - 1);
        self.wakes += work;
        if let Some(together) = together {
            let constraint = Constraint::from(together);
            let places = constraint.places().unwrap_or_default();
            self.begin_post(places.len());
            self.wakes += places.len();
            places.iter().for_each(|place| self.watch(*place as usize));
            self.post_alone(Arc::new(constraint));
        }
    }

    fn may_be_member(&self, constraint: &Constraint) -> bool {
        let is_count = constraint.as_count().is_some();
        let is_different = matches!(constraint, Constraint::AllDifferent(_));
        self.tallies + usize::from(is_count) >= 2 && (is_count || is_different)
    }

    /// The most bytes that are taken apart from a constraint for its combination with others.
    pub fn bytes_beside(&self, constraint: &Constraint) -> usize {
        /// A network with all that goes with it.
        const LARGEST: usize = 1 << 18;
        match self.may_be_member(constraint) {
            true => LARGEST + 64 * self.places,
            false => 0,
        }
    }

    /// Whether another constraint removes all that this one does.
    pub(crate) fn is_superseded(&self, number: ConstraintNumber) -> bool {
        let waking = self.waking.get(number as usize);
        waking.is_some_and(|waking| waking.is_superseded)
    }

    /// Suspends the constraints that `constraint` supersedes, or enables them again.
    pub(crate) fn supersede(&mut self, constraint: &Constraint, rest: bool) {
        for number in constraint
            .as_cardinality()
            .map_or(&[][..], |own| &own.supersedes)
        {
            if let Some(waking) = self.waking.get_mut(*number as usize) {
                waking.is_superseded = rest;
            }
        }
    }

    /// Adds a constraint with its entries in all rows, and queues it.
    fn post_alone(&mut self, constraint: Arc<Constraint>) {
        let number = self.constraints.len() as u32;
        if constraint.places().is_none() {
            self.everywhere.push(number);
        }
        self.pending.push(if constraint.looks_at_changes() {
            Pending::all(self.places)
        } else {
            Pending::default()
        });
        self.waking.push(Waking::of(&constraint, true, 0));
        self.weights.push(0);
        self.witnesses.push(Vec::new());
        if constraint.is_native() {
            self.queues[constraint.rank()].push_back(number);
        } else {
            self.callbacks.push(number);
        }
        if constraint.joined_cells().is_some() {
            self.paths.push(number);
        }
        if constraint.may_run_short(self.places) {
            self.counts.push(number);
            self.wake_those_set_against_counts();
        }
        self.tallies += usize::from(constraint.as_count().is_some());
        self.supersede(&constraint, true);
        self.rule_bytes += self.bytes_of(&constraint);
        self.constraints.push(constraint);
    }

    /// The slack of a count matters to the paths and regions that were posted before it.
    fn wake_those_set_against_counts(&mut self) {
        for number in &self.everywhere {
            let is_concerned = self
                .constraints
                .get(*number as usize)
                .is_some_and(|other| other.joined_cells().is_some());
            let Some(waking) = self
                .waking
                .get_mut(*number as usize)
                .filter(|_| is_concerned)
            else {
                continue;
            };
            if !std::mem::replace(&mut waking.is_queued, true) {
                self.queues[usize::from(waking.rank)].push_back(*number);
            }
        }
    }

    /// The bytes of a constraint with everything that there is for each.
    pub(crate) fn bytes_of(&self, constraint: &Constraint) -> usize {
        let extra = constraint.bytes_beside(self.places);
        constraint.bytes() + BESIDE_CONSTRAINT + extra
    }

    /// Removes the latest constraint, whose places are no longer bound.
    fn remove(&mut self) {
        let Some(constraint) = self.constraints.pop() else {
            return;
        };
        self.rule_bytes = self.rule_bytes.saturating_sub(self.bytes_of(&constraint));
        if constraint.places().is_none() {
            self.everywhere.pop();
        }
        if !constraint.is_native() {
            self.callbacks.pop();
        }
        if constraint.joined_cells().is_some() {
            self.paths.pop();
        }
        if constraint.may_run_short(self.places) {
            self.counts.pop();
        }
        self.tallies -= usize::from(constraint.as_count().is_some());
        self.supersede(&constraint, false);
        let length = self.constraints.len();
        self.pending.truncate(length);
        self.waking.truncate(length);
        self.weights.truncate(length);
        self.witnesses.truncate(length);
    }
}
