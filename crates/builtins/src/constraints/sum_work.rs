//! `sumOf` with a function of value and place, which gives the summand for each value of each place.

use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::board::Rule;
use ndscript_heap::value::MAX_INTEGER;
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;
use ndscript_machine::work::posting::{ConstraintBuilder, Target};
use ndscript_solver::{Constraint, Sum};

/// A sum of parts: for each place an array of its candidates, and one of what each counts.
#[derive(Clone)]
pub struct SumOfParts {
    bounds: [f64; 2],
    argument: Value,
    /// The next place and its next candidate.
    at: usize,
    next: usize,
    parts: Vec<f64>,
    /// The next place to measure, and the greatest sum up to there.
    measured: usize,
    size: f64,
}

impl SumOfParts {
    pub fn new(bounds: [f64; 2], given: Value) -> SumOfParts {
        SumOfParts {
            bounds,
            argument: given,
            at: 0,
            next: 0,
            parts: Vec::new(),
            measured: 0,
            size: 0.0,
        }
    }

    /// The arrays of a place.
    fn rows(&self, context: &mut Context, place: usize) -> Option<[Value; 2]> {
        let pair = context.heap.element(self.argument.payload(), place)?;
        let values = context.heap.element(pair.payload(), 0)?;
        Some([values, context.heap.element(pair.payload(), 1)?])
    }

    /// Continues to compute how large the sum can be.
    fn measure(
        &mut self,
        context: &Context,
        target: &Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let solver = &context.heap.boards[target.board].solver;
        let values = solver.values();
        while let Some(place) = target.places.get(self.measured) {
            if budget.is_spent() {
                return Ok(false);
            }
            let candidates = solver.candidates(*place as usize);
            budget.spend(2 + candidates.count() as usize);
            let parts = candidates
                .numbers()
                .map(|value| self.parts[self.measured * values + value]);
            let mut largest = 0.0_f64;
            for part in parts {
                if part.is_nan() {
                    let message =
                        "the function that `sumOf` asks for factors has changed the board";
                    return Err(Fault::error(ErrorKind::Value, message));
                }
                largest = largest.max(part.abs());
            }
            self.size += largest;
            self.measured += 1;
        }
        if self.size <= MAX_INTEGER as f64 {
            return Ok(true);
        }
        Err(too_large())
    }
}

/// The error for a sum that would not be exact.
pub(crate) fn too_large() -> Fault {
    let message = format!(
        "`sumOf` may have to add up to more than {MAX_INTEGER}, the largest number up to which sums are exact"
    );
    Fault::error(ErrorKind::Overflow, message)
        .with_hint("use smaller numbers or factors, or fewer places")
}

impl ConstraintBuilder for SumOfParts {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        let values = context.heap.boards[target.board].solver.values();
        let count = target.places.len().saturating_mul(values);
        if self.parts.len() < count {
            if !target.asking.ask(context, count.saturating_mul(8))? {
                return Ok(None);
            }
            budget.spend(count / 8);
            self.parts = vec![f64::NAN; count];
        }
        while self.at < target.places.len() {
            let rows = self.rows(context, self.at);
            while let Some([candidates, parts]) = rows {
                if budget.is_spent() {
                    return Ok(None);
                }
                budget.spend(8);
                let value = context.heap.element(candidates.payload(), self.next);
                let part = context.heap.element(parts.payload(), self.next);
                let (Some(value), Some(part)) = (value, part) else {
                    break;
                };
                let number = context.heap.boards[target.board].number_of(value);
                if let (Some(number), Some(part)) = (number, context.heap.as_f64(part)) {
                    self.parts[self.at * values + number] = part;
                }
                self.next += 1;
            }
            (self.at, self.next) = (self.at + 1, 0);
        }
        if !self.measure(context, target, budget)? {
            return Ok(None);
        }
        // Values that no place can hold count as 0.
        self.parts
            .iter_mut()
            .filter(|part| part.is_nan())
            .for_each(|part| *part = 0.0);
        budget.spend(count / 8);
        let places = std::mem::take(&mut target.places);
        let sum = Sum::of_parts(places, values, std::mem::take(&mut self.parts), self.bounds);
        Ok(Some(Constraint::from(sum).into()))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.argument);
    }

    fn bytes(&self) -> usize {
        room::row(&self.parts)
    }
}
