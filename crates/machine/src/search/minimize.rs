//! The search for the cheapest solution: branch and bound, in attempts with a growing limit (iterative deepening on
//! the price, after Korf, 1985), so that an endless branch that costs something on every turn ends. Every attempt
//! begins with the random generator as it was. The cheapest solution so far is stored as its changes, so that its
//! effects can be restored without running it again.

mod in_machine;

use crate::host::output::OutputMark;
use ndscript_base::picture::Picture;
use ndscript_base::rng::Rng;
use ndscript_heap::board::{InitialDomains, Rule};
use ndscript_heap::{Changed, Kind, Value};
use std::sync::Arc;

/// Copying this many bytes of a text counts as a step.
const COPIED_OF_STEP: usize = 32;

/// A `minimize` that is being run.
#[derive(Clone, Debug)]
pub struct Minimization {
    /// The height of the trail when it began.
    trail: usize,
    output: OutputMark,
    best: Option<Box<BestSolution>>,
    /// The price at its beginning, and the greatest price in this attempt.
    start_price: Value,
    limit: Value,
    /// The least price of a branch that this attempt cut off.
    cheapest_cut: Option<Value>,
    rng: Rng,
    /// An array with the sums of boards that the branch has_owed_sums (`costOf`); null for a `decide` with `least`, which has
    /// no price.
    owed_sums: Value,
    /// Whether a solution was found that ends its attempt: the next one begins with its price as a bound.
    is_improved: bool,
}

/// The first of the cheapest solutions so far.
#[derive(Clone, Debug)]
struct BestSolution {
    /// Everything that it needs was made under this serial or an earlier one.
    serial: u64,
    /// Its price, or the sum to be minimized.
    spent: Value,
    result: Value,
    writes: Vec<RepeatedWrite>,
    text: String,
    pictures: Vec<(usize, Arc<Picture>)>,
}

/// A change to be repeated.
#[derive(Clone, Debug)]
enum RepeatedWrite {
    Global(u32, Value),
    Variable(u32, Value),
    Cell {
        grid: u32,
        cell: u32,
        value: Value,
    },
    /// All slots of an array, object or queue.
    Slots(Value, Vec<Value>),
    /// A host value, and its state as it is stored.
    Host(u32, Value),
    /// The constraints that the branch has posted on a board, and the board before them.
    Constraints(Value, Vec<Rule>, Arc<InitialDomains>),
}

impl RepeatedWrite {
    /// The change for observers.
    fn change(&self) -> Option<Changed> {
        match self {
            RepeatedWrite::Global(slot, _) => Some(Changed::Global(*slot)),
            RepeatedWrite::Variable(handle, _) => Some(Changed::Variable(*handle)),
            RepeatedWrite::Cell { grid, cell, .. } => Some(Changed::Place(
                Value::handle(Kind::Grid, *grid),
                *cell as usize,
            )),
            RepeatedWrite::Slots(container, _) => Some(Changed::Whole(*container)),
            RepeatedWrite::Host(handle, _) => {
                Some(Changed::Whole(Value::handle(Kind::Host, *handle)))
            }
            RepeatedWrite::Constraints(..) => None,
        }
    }

    /// The container that may be a board.
    fn container(&self) -> Option<Value> {
        match self {
            RepeatedWrite::Cell { grid, .. } => Some(Value::handle(Kind::Grid, *grid)),
            RepeatedWrite::Slots(container, _) | RepeatedWrite::Constraints(container, ..) => {
                Some(*container)
            }
            _ => None,
        }
    }
}

impl Minimization {
    /// Sets the limit of the next attempt.
    pub fn allow(&mut self, price: Value) {
        self.cheapest_cut = Some(price);
    }

    /// The price of its best solution so far.
    pub fn best_spent(&self) -> Option<Value> {
        Some(self.best.as_ref()?.spent)
    }

    /// Whether it is a `decide` with `least`: any solution improves on those before, and nothing is spent.
    pub fn is_least(&self) -> bool {
        self.owed_sums == Value::NULL
    }

    /// Lets it end with its best solution.
    pub fn settle(&mut self) {
        self.is_improved = false;
    }

    pub fn bytes(&self) -> usize {
        let best = |best: &BestSolution| {
            let slots = |write: &RepeatedWrite| match write {
                RepeatedWrite::Slots(_, values) => values.capacity() * 8,
                RepeatedWrite::Constraints(_, constraints, before) => {
                    let of_one = |rule: &Rule| rule.bytes() + size_of::<Rule>();
                    constraints.iter().map(of_one).sum::<usize>() + before.bytes()
                }
                _ => 0,
            };
            best.text.len()
                + best
                    .writes
                    .iter()
                    .map(|write| size_of::<RepeatedWrite>() + slots(write))
                    .sum::<usize>()
        };
        size_of::<Minimization>() + self.best.as_deref().map_or(0, best)
    }

    /// The values that it holds.
    pub fn values(&self, out: &mut Vec<Value>) {
        out.extend([self.start_price, self.limit, self.owed_sums]);
        out.extend(self.cheapest_cut);
        let Some(best) = &self.best else { return };
        out.extend([best.spent, best.result]);
        for write in &best.writes {
            match write {
                RepeatedWrite::Global(_, value) => out.push(*value),
                RepeatedWrite::Variable(handle, value) => {
                    out.extend([Value::handle(Kind::Variable, *handle), *value])
                }
                RepeatedWrite::Cell { grid, value, .. } => {
                    out.extend([Value::handle(Kind::Grid, *grid), *value])
                }
                RepeatedWrite::Slots(container, values) => {
                    out.push(*container);
                    out.extend_from_slice(values);
                }
                RepeatedWrite::Host(handle, kept) => {
                    out.extend([Value::handle(Kind::Host, *handle), *kept])
                }
                RepeatedWrite::Constraints(container, constraints, before) => {
                    out.push(*container);
                    out.extend(before.values());
                    out.extend(
                        constraints
                            .iter()
                            .flat_map(|constraint| constraint.values()),
                    );
                }
            }
        }
    }
}

ndscript_base::saved!(struct Minimization { trail, output, best, start_price, limit, cheapest_cut, rng, owed_sums, is_improved });

ndscript_base::saved!(struct BestSolution { serial, spent, result, writes, text, pictures });

ndscript_base::saved!(enum RepeatedWrite {
    0 => Global(slot, value),
    1 => Variable(handle, value),
    2 => Cell { grid, cell, value },
    3 => Slots(container, values),
    4 => Host(handle, kept),
    5 => Constraints(container, constraints, before),
});

impl Minimization {
    /// Checks what was read back: everything that it would write has a place.
    pub(crate) fn check(
        &self,
        context: &crate::natives::context::Context,
    ) -> Result<(), ndscript_base::codec::Unsound> {
        use ndscript_base::codec::ensure;
        let numbers = [Some(self.start_price), Some(self.limit), self.cheapest_cut];
        ensure(
            numbers.into_iter().flatten().all(Value::is_number),
            "a price is no number",
        )?;
        ensure(
            self.owed_sums == Value::NULL || self.owed_sums.is_kind(Kind::Array),
            "the owed sums are no array",
        )?;
        ensure(
            context.output.has(self.output),
            "a height lies outside the text",
        )?;
        let Some(best) = &self.best else {
            return Ok(());
        };
        ensure(best.spent.is_number(), "a price is no number")?;
        let heap = &context.heap;
        let fits = best.writes.iter().all(|write| match write {
            RepeatedWrite::Global(slot, _) => (*slot as usize) < heap.globals.len(),
            RepeatedWrite::Variable(handle, _) => heap.variables.is_used(*handle),
            RepeatedWrite::Cell { grid, cell, .. } => {
                heap.grids.is_used(*grid) && (*cell as usize) < heap.grids[*grid].slots.len()
            }
            RepeatedWrite::Slots(container, values) => heap.can_hold(*container, values),
            RepeatedWrite::Host(handle, kept) => {
                heap.has_host(*handle) && heap.is_saved_state_of(*kept, *handle)
            }
            RepeatedWrite::Constraints(container, constraints, before) => {
                let fits = |board| {
                    heap.can_have(board, constraints) && before.fits(heap.places_of(*container))
                };
                heap.board_of(*container).is_some_and(fits)
            }
        });
        ensure(fits, "a result would be written where nothing is")
    }
}
