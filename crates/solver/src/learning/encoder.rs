//! Domains and constraints as Boolean variables: one for each value of a place, or one for both if there are two; others for what
//! constraints speak of.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::engine::Engine;
use super::literal::Lit;
use super::log::Meaning;
use crate::kernel::{Item, Kernel};
use crate::propagators::KnownRejected;
use crate::{Candidates, Domains};
use ndscript_base::rng::Rng;
use ndscript_base::room;

/// Result of encoding a part of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// There are more parts.
    More,
    Done,
    /// The constraint cannot be encoded in Booleans, so the engine knows less than the constraints require.
    Relaxed,
}

/// Encodes places and constraints in an engine.
#[derive(Clone, Default)]
pub struct Encoder {
    pub engine: Engine,
    /// For each place its values with their literals, a place after another.
    values: Vec<(u32, Lit)>,
    starts: Vec<u32>,
    /// Literals for "the place has one of these values".
    masks: BTreeMap<(u32, Vec<u64>), Lit>,
    /// Literals for "the number of the place is at least that of the value at a rank", by place and factors.
    order_encodings: BTreeMap<(u32, Vec<i64>), Vec<Lit>>,
    truth: Option<Lit>,
    /// The texts that automata reject, until all is encoded.
    pub rejected: KnownRejected,
    /// Work of the present part beside what its bytes tell.
    pub work: usize,
}

/// Variables are decided in a random order at first: their scores are less than a part in any conflict.
const FIRST_SCORE: f64 = 1e-6;

impl Encoder {
    /// An encoder whose engine may take this number of bytes.
    pub fn with_bytes(bytes: usize) -> Encoder {
        let mut encoder = Encoder::default();
        encoder.engine.bytes_left = bytes;
        encoder
    }

    /// Adds the next place. Its preferred value is `good`, else random.
    pub fn add_place(
        &mut self,
        domains: &Domains,
        is_bound: bool,
        good: Option<u32>,
        rng: &mut Rng,
    ) {
        let place = self.places();
        self.starts.push(self.values.len() as u32);
        let numbers: Vec<u32> = domains
            .candidates(place)
            .numbers()
            .map(|number| number as u32)
            .collect();
        let truth = self.truth();
        if let Some(log) = &mut self.engine.log {
            log.add_place(numbers.clone());
        }
        match numbers[..] {
            // A place under no constraint has no candidates here.
            [] => self.engine.is_unsat |= is_bound,
            [only] => self.values.push((only, truth)),
            [first, second] => {
                let drawn = rng.below(2) == 0;
                let phase = good.map_or(drawn, |good| good == first);
                let score = rng.unit() * FIRST_SCORE;
                let literal = Lit::new(self.engine.add_variable(phase, score), true);
                self.record_meaning(literal, || Meaning::within(place, [first]));
                self.values.extend([(first, literal), (second, !literal)]);
            }
            _ => {
                let drawn = rng.below(numbers.len() as u64) as usize;
                let good = good.and_then(|good| numbers.binary_search(&good).ok());
                let preferred = good.unwrap_or(drawn);
                let mut literals = Vec::with_capacity(numbers.len());
                for (at, number) in numbers.iter().enumerate() {
                    let score = rng.unit() * FIRST_SCORE;
                    let variable = self.engine.add_variable(at == preferred, score);
                    literals.push(Lit::new(variable, true));
                    self.record_meaning(literals[at], || Meaning::within(place, [*number]));
                    self.values.push((*number, literals[at]));
                }
                self.engine.add_clause(&literals);
                self.engine.add_exclusion(&literals);
            }
        }
    }

    /// Draws again where what was drawn is likely to break a bound, as 52 floors of 100 cells do that are drawn from floors and
    /// walls: there values that keep it are tried first. The order in which they are tried stays drawn. Returns its work.
    pub fn keep_bounds(&mut self) -> usize {
        let phases = self.engine.phase.clone();
        let certain = |phase: &bool| if *phase { 1.0 } else { 0.0 };
        let mut chances: Vec<f64> = phases.iter().map(certain).collect();
        for place in 0..self.places() as u32 {
            let values = self.values(place);
            let chance = 1.0 / values.len() as f64;
            for (_, literal) in values {
                let is = literal.is();
                chances[literal.variable()] = if is { chance } else { 1.0 - chance };
            }
        }
        let work = self.engine.keep_bounds(&chances) + chances.len() + 3 * self.values.len();
        for place in 0..self.places() as u32 {
            let (start, values) = (
                self.starts[place as usize] as usize,
                self.values(place).len(),
            );
            let own = &self.values[start..start + values];
            let phase = &mut self.engine.phase;
            let is_wanted = |phase: &[bool], literal: Lit| {
                !phases[literal.variable()] && phase[literal.variable()]
            };
            if values > 2 && own.iter().any(|(_, own)| is_wanted(phase, *own)) {
                for (_, other) in own.iter().filter(|(_, own)| phases[own.variable()]) {
                    phase[other.variable()] = false;
                }
            }
        }
        work
    }

    /// The number of places so far.
    pub fn places(&self) -> usize {
        self.starts.len()
    }

    /// A literal that always holds.
    pub fn truth(&mut self) -> Lit {
        if let Some(truth) = self.truth {
            return truth;
        }
        let truth = Lit::new(self.engine.add_variable(true, 0.0), true);
        self.engine.add_clause(&[truth]);
        self.truth = Some(truth);
        truth
    }

    /// Records the meaning of a variable that was just added.
    pub fn record_meaning(&mut self, literal: Lit, meaning: impl FnOnce() -> Meaning) {
        if let Some(log) = &mut self.engine.log {
            log.record_meaning(literal, meaning());
        }
    }

    /// A new variable.
    pub fn variable(&mut self) -> Lit {
        Lit::new(self.engine.add_variable(false, 0.0), true)
    }

    /// The values of a place with their literals.
    pub fn values(&self, place: u32) -> &[(u32, Lit)] {
        let start = self.starts[place as usize] as usize;
        let end = self
            .starts
            .get(place as usize + 1)
            .map_or(self.values.len(), |end| *end as usize);
        &self.values[start..end]
    }

    /// The place has a value; `None` if it cannot.
    pub fn equals_literal(&self, place: u32, value: u32) -> Option<Lit> {
        let values = self.values(place);
        let at = values.binary_search_by_key(&value, |(number, _)| *number);
        at.ok().map(|at| values[at].1)
    }

    /// The place has one of the values of a mask.
    pub fn within(&mut self, place: u32, mask: &[u64]) -> Lit {
        let is_in = |value: u32| Candidates::whole(mask).has(value as usize);
        let (inside, outside): (Vec<_>, Vec<_>) = self
            .values(place)
            .iter()
            .copied()
            .partition(|(value, _)| is_in(*value));
        match (&inside[..], &outside[..]) {
            ([], _) => !self.truth(),
            (_, []) => self.truth(),
            ([(_, only)], _) => *only,
            (_, [(_, only)]) => !*only,
            _ => {
                let key = |values: &[(u32, Lit)]| {
                    let last = values.last().map_or(0, |(value, _)| *value as usize);
                    let mut key = vec![0; last / 64 + 1];
                    values
                        .iter()
                        .for_each(|(value, _)| key[*value as usize / 64] |= 1 << (value % 64));
                    key
                };
                if let Some(known) = self.masks.get(&(place, key(&inside))) {
                    return *known;
                }
                if let Some(known) = self.masks.get(&(place, key(&outside))) {
                    return !*known;
                }
                let key = key(&inside);
                let within = self.variable();
                let own = inside.iter().map(|(value, _)| *value);
                self.record_meaning(within, || Meaning::within(place as usize, own));
                let mut clause = vec![!within];
                for (_, literal) in inside {
                    self.engine.add_clause(&[!literal, within]);
                    clause.push(literal);
                }
                self.engine.add_clause(&clause);
                let mut clause = vec![within];
                for (_, literal) in outside {
                    self.engine.add_clause(&[!literal, !within]);
                    clause.push(literal);
                }
                self.engine.add_clause(&clause);
                self.masks.insert((place, key), within);
                within
            }
        }
    }

    /// The distinct numbers of a place in order, least first, and for each but the least a literal: the place has it or a
    /// greater one. `number` is that of a value.
    pub fn order_encoding(
        &mut self,
        place: u32,
        number: impl Fn(u32) -> i64,
    ) -> (Vec<i64>, Vec<Lit>) {
        let mut ranked: Vec<(i64, Lit)> = self
            .values(place)
            .iter()
            .map(|(value, literal)| (number(*value), *literal))
            .collect();
        ranked.sort_unstable();
        let mut numbers: Vec<i64> = ranked.iter().map(|(number, _)| *number).collect();
        numbers.dedup();
        let key: Vec<i64> = self
            .values(place)
            .iter()
            .map(|(value, _)| numbers.partition_point(|own| *own < number(*value)) as i64)
            .collect();
        if let Some(known) = self.order_encodings.get(&(place, key.clone())) {
            return (numbers, known.clone());
        }
        let having = |at: usize| -> Vec<Lit> {
            let own = ranked.iter().filter(|(number, _)| *number == numbers[at]);
            own.map(|(_, literal)| *literal).collect()
        };
        let mut rungs: Vec<Lit> = Vec::new();
        for at in 1..numbers.len() {
            // The last literal is that of the greatest number, if one value has it; the first is the negation of the least.
            let rung = match (&having(at)[..], &having(0)[..]) {
                ([only], _) if at + 1 == numbers.len() => *only,
                (_, [only]) if at == 1 => !*only,
                _ => {
                    let rung = self.variable();
                    let reached = self.values(place).iter().map(|(value, _)| *value);
                    let reached = reached.filter(|value| number(*value) >= numbers[at]);
                    let reached: Vec<u32> = reached.collect();
                    self.record_meaning(rung, || Meaning::within(place as usize, reached));
                    rung
                }
            };
            rungs.push(rung);
        }
        for at in 0..numbers.len() {
            let (reached, beyond) = (
                at.checked_sub(1).map(|at| rungs[at]),
                rungs.get(at).copied(),
            );
            if let (Some(reached), Some(beyond)) = (reached, beyond) {
                self.engine.add_clause(&[!beyond, reached]);
            }
            let own = having(at);
            for literal in &own {
                reached.into_iter().for_each(|reached| {
                    self.engine.add_clause(&[!*literal, reached]);
                });
                beyond.into_iter().for_each(|beyond| {
                    self.engine.add_clause(&[!*literal, !beyond]);
                });
            }
            let mut clause = own;
            clause.extend(reached.map(|reached| !reached));
            clause.extend(beyond);
            self.engine.add_clause(&clause);
        }
        self.order_encodings.insert((place, key), rungs.clone());
        (numbers, rungs)
    }

    /// For each value of the place: if the place has it, the other place has one of the values in its row.
    pub fn support(&mut self, place: u32, other: u32, row: impl Fn(u32) -> Vec<u64>) {
        for at in 0..self.values(place).len() {
            if self.engine.is_full {
                return;
            }
            let (value, literal) = self.values(place)[at];
            let row = row(value);
            let allowed = |value: u32| Candidates::whole(&row).has(value as usize);
            let (supports, others): (Vec<_>, Vec<_>) = self
                .values(other)
                .iter()
                .copied()
                .partition(|(value, _)| allowed(*value));
            if others.len() <= 2 {
                for (_, other) in others {
                    self.engine.add_clause(&[!literal, !other]);
                }
            } else {
                let mut clause = vec![!literal];
                clause.extend(supports.iter().map(|(_, literal)| *literal));
                self.engine.add_clause(&clause);
            }
        }
    }

    /// A kernel, by its items. Returns how many clauses were added beside it.
    pub fn add_kernel(&mut self, kernel: Arc<dyn Kernel>) -> usize {
        let mut edges = 0;
        let items: Vec<Lit> = kernel
            .items()
            .into_iter()
            .map(|item| match item {
                Item::Holds { place, values } => self.within(place, &values),
                Item::Fits {
                    first,
                    second,
                    pairs,
                } => {
                    edges += 1;
                    self.fits(first, second, &pairs, edges - 1)
                }
            })
            .collect();
        let clauses = kernel.clauses();
        let count = clauses.len();
        for clause in clauses {
            let clause = clause.iter().map(|literal| {
                let item = items[literal.item as usize];
                if literal.is { item } else { !item }
            });
            self.engine.add_clause(&clause.collect::<Vec<Lit>>());
        }
        self.engine.add_kernel(kernel, items);
        count
    }

    /// The values of two places fit.
    fn fits(&mut self, first: u32, second: u32, pairs: &[Box<[u64]>], edge: u32) -> Lit {
        let fits = self.variable();
        self.record_meaning(fits, || Meaning::Fits(edge));
        for at in 0..self.values(first).len() {
            if self.engine.is_full {
                break;
            }
            let (value, literal) = self.values(first)[at];
            let row: &[u64] = pairs.get(value as usize).map_or(&[], |row| row);
            // By values of the second: it fits with those of the row, and with no other.
            let within = self.within(second, row);
            self.engine.add_clause(&[!literal, !fits, within]);
            self.engine.add_clause(&[!literal, fits, !within]);
        }
        fits
    }

    /// The value that a place has, once all is decided.
    pub fn value_of(&self, place: u32) -> u32 {
        let values = self.values(place);
        let value = values
            .iter()
            .find(|(_, literal)| self.engine.holds(*literal));
        value.or(values.first()).map_or(0, |(value, _)| *value)
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        let masks = self.masks.keys().map(|(_, mask)| 64 + room::row(mask));
        let order_encodings = self
            .order_encodings
            .iter()
            .map(|((_, key), rungs)| 80 + room::row(key) + room::row(rungs));
        self.engine.bytes()
            + room::row(&self.values)
            + room::row(&self.starts)
            + masks.sum::<usize>()
            + order_encodings.sum::<usize>()
    }
}
