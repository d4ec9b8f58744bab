//! `sumOf`: the sum of the numbers that values have.

mod bounds;
mod filter;

use super::has_twice;
use crate::learning::encoder::{Encoded, Encoder};
use crate::propagator::{Call, Propagator};
use crate::{DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

use filter::SumPropagation;

/// Whole numbers up to this one are added exactly.
const MOST_WHOLE: f64 = (1_u64 << 50) as f64;

/// The sum of the numbers of values at places, each times the factor of its place.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The places.
    pub places: Vec<u32>,
    /// By what the number of each is multiplied.
    pub factors: Vec<f64>,
    /// Those of the values.
    pub numbers: Vec<f64>,
    /// The summand for each value of each place, one place after another, if that is not its number times the factor.
    pub parts: Vec<f64>,
    /// The least that it may be.
    pub low: f64,
    /// The most that it may be.
    pub high: f64,
    /// Whether its bounds are found at once, see `bounds.rs`.
    has_simple_bounds: bool,
}

impl Sum {
    /// Between two bounds.
    pub fn new(
        places: Vec<u32>,
        factors: Vec<f64>,
        numbers: Vec<f64>,
        [low, high]: [f64; 2],
    ) -> Sum {
        Sum {
            places,
            factors,
            numbers,
            parts: Vec::new(),
            low,
            high,
            has_simple_bounds: false,
        }
    }

    /// Makes a sum of summands: for each place one for each of the values.
    pub fn of_parts(places: Vec<u32>, values: usize, parts: Vec<f64>, bounds: [f64; 2]) -> Sum {
        let factors = vec![1.0; places.len()];
        Sum {
            parts,
            ..Sum::new(places, factors, vec![0.0; values], bounds)
        }
    }

    /// More than the summands of all places can reach.
    fn most_total(&self) -> f64 {
        let numbers = self.factors.iter().chain(&self.numbers).chain(&self.parts);
        let greatest = numbers.fold(1.0_f64, |most, number| most.max(number.abs()));
        greatest * greatest * self.places.len() as f64
    }

    /// Whether all parts are whole numbers that are added up exactly.
    pub(crate) fn is_whole(&self) -> bool {
        let is_whole = |number: &f64| number.trunc() == *number && number.abs() <= MOST_WHOLE;
        let mut numbers = self.factors.iter().chain(&self.numbers).chain(&self.parts);
        numbers.all(is_whole)
            && self.most_total() <= MOST_WHOLE
            && self.factors.len() == self.places.len()
    }

    #[inline(always)]
    pub(crate) fn part(&self, at: usize, value: usize) -> f64 {
        if !self.parts.is_empty() {
            let part = self.parts.get(at * self.numbers.len() + value);
            return part.copied().unwrap_or(0.0);
        }
        self.numbers.get(value).copied().unwrap_or(0.0)
            * self.factors.get(at).copied().unwrap_or(1.0)
    }
}

impl Propagator for Sum {
    type Progress = SumPropagation;

    fn name(&self) -> &'static str {
        "sumOf"
    }

    fn places(&self) -> Option<&[u32]> {
        Some(&self.places)
    }

    fn rank(&self) -> usize {
        1
    }

    fn prepare(&mut self, _: &Solver) {
        self.has_simple_bounds = self.parts.is_empty()
            && bounds::has_simple_bounds(&self.places, &self.factors, &self.numbers);
    }

    fn propagate_at_once(
        &self,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Option<Result<Fixpoint, DomainWipeout>> {
        (self.has_simple_bounds && solver.domains.is_plain())
            .then(|| bounds::keep(solver, call.number, self, budget))
    }

    fn reads_twice(&self) -> bool {
        has_twice(&self.places)
    }

    fn propagate(
        &self,
        progress: &mut SumPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        progress.resume(solver, call.number, self, budget)
    }

    fn bytes_of(progress: &SumPropagation) -> usize {
        progress.bytes()
    }

    /// Of each place the least number, and by how much each greater one is more than the one before.
    fn encode(&self, encoder: &mut Encoder, _: usize) -> Encoded {
        if !self.is_whole() {
            return Encoded::Relaxed;
        }
        let total = self.most_total();
        let (mut least, mut terms) = (0, Vec::new());
        for (at, place) in self.places.iter().enumerate() {
            let factor = self.factors[at] as i64;
            if factor == 0 {
                continue;
            }
            let number = |value: u32| match self.parts.is_empty() {
                true => self
                    .numbers
                    .get(value as usize)
                    .map_or(0, |own| *own as i64),
                false => self.part(at, value as usize) as i64,
            };
            let (numbers, rungs) = encoder.order_encoding(*place, number);
            least += factor * numbers.first().copied().unwrap_or(0);
            let steps = numbers.windows(2).map(|pair| factor * (pair[1] - pair[0]));
            terms.extend(steps.zip(rungs));
        }
        // Bounds may be endless.
        if self.high < total {
            let most = self.high.floor() as i64 - least;
            encoder.engine.add_linear(terms.clone(), most);
        }
        if self.low > -total {
            let negated = terms
                .into_iter()
                .map(|(step, rung)| (-step, rung))
                .collect();
            let most = least - self.low.ceil() as i64;
            encoder.engine.add_linear(negated, most);
        }
        Encoded::Done
    }

    /// The places for which values of another one would make a sum too large, or too small: those whose least number, or greatest,
    /// is another one than if they could have any value of the board, as few as leaving out finds; or all if rounding hides which.
    fn explain(&self, solver: &Solver, place: u32, values: &[u32]) -> Vec<u32> {
        if !self.parts.is_empty() {
            return solver.all_possible_reasons(&self.places, place);
        }
        let terms: Vec<(u32, f64)> = self
            .places
            .iter()
            .copied()
            .zip(self.factors.iter().copied())
            .collect();
        let own: f64 = terms
            .iter()
            .filter(|(other, _)| *other == place)
            .map(|(_, factor)| factor)
            .sum();
        let mut others: Vec<u32> = self
            .places
            .iter()
            .copied()
            .filter(|other| *other != place)
            .collect();
        others.sort_unstable();
        others.dedup();
        solver.sort_latest_first(&mut others);
        // A value too large for the sum is too small for the negated sum.
        let least_of = |other: u32, sign: f64, numbers: &mut dyn Iterator<Item = usize>| {
            let factor: f64 = terms
                .iter()
                .filter(|(own, _)| *own == other)
                .map(|(_, factor)| sign * factor)
                .sum();
            let numbers = numbers
                .filter_map(|number| self.numbers.get(number))
                .map(|number| number * factor);
            numbers.fold(f64::INFINITY, f64::min)
        };
        let mut reason = Vec::new();
        let mut is_clear = vec![false; values.len()];
        for (sign, most) in [(1.0, self.high), (-1.0, -self.low)] {
            let least = |other: u32| {
                least_of(
                    other,
                    sign,
                    &mut solver.candidates(other as usize).numbers(),
                )
            };
            let least_of_all: f64 = others.iter().map(|other| least(*other)).sum();
            // By how much too large it is at least.
            let mut surplus = f64::INFINITY;
            for (value, is_clear) in values.iter().zip(&mut is_clear) {
                let number = self
                    .numbers
                    .get(*value as usize)
                    .copied()
                    .unwrap_or(f64::NAN);
                let too_large = least_of_all + sign * own * number - most;
                if too_large > 0.0 && !*is_clear {
                    (*is_clear, surplus) = (true, surplus.min(too_large));
                }
            }
            if surplus == f64::INFINITY {
                continue;
            }
            for other in &others {
                let share = least(*other) - least_of(*other, sign, &mut (0..solver.values));
                if share < surplus && !solver.may_be_more_values() {
                    surplus -= share;
                } else {
                    reason.push(*other);
                }
            }
        }
        let mut reason = if is_clear.contains(&false) {
            others
        } else {
            reason
        };
        reason.sort_unstable();
        reason.dedup();
        reason
    }

    fn looks_at_ends(&self) -> bool {
        self.has_simple_bounds
    }

    fn bytes(&self) -> usize {
        room::row(&self.places)
            + room::row(&self.factors)
            + room::row(&self.numbers)
            + room::row(&self.parts)
    }

    fn fits(&self, _: usize) -> bool {
        let all = self.numbers.iter().chain(&self.factors).chain(&self.parts);
        let count = self.places.len().checked_mul(self.numbers.len());
        let has_all = self.parts.is_empty() || Some(self.parts.len()) == count;
        let mut all = all.chain([&self.low, &self.high]);
        has_all && self.factors.len() == self.places.len() && !all.any(|number| number.is_nan())
    }
}

impl ndscript_base::codec::Saved for Sum {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Sum {
            places,
            factors,
            numbers,
            parts,
            low,
            high,
            has_simple_bounds: _, // `prepare` sets it again.
        } = self;
        places.save(out);
        factors.save(out);
        numbers.save(out);
        parts.save(out);
        low.save(out);
        high.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Sum, ndscript_base::codec::Unsound> {
        let (places, factors, numbers) = (Vec::load(from)?, Vec::load(from)?, Vec::load(from)?);
        let parts = Vec::load(from)?;
        let bounds = [f64::load(from)?, f64::load(from)?];
        Ok(Sum {
            parts,
            ..Sum::new(places, factors, numbers, bounds)
        })
    }
}
