//! The rows of `tuples`, made of the arguments in pieces.

use ndscript_base::counted::counted;

use super::missing::MissingValues;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::board::Rule;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;
use ndscript_machine::work::freezing::FreezeAllWork;
use ndscript_machine::work::posting::{ConstraintBuilder, Target};
use ndscript_solver::{Constraint, TableBuilder, TableProgress, Tuples};

/// Each repeated place of a row, as its index and the index of its first occurrence.
fn rereads(places: &[u32]) -> Vec<(usize, usize)> {
    let mut sorted: Vec<(u32, usize)> = places.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    let same = sorted.chunk_by(|a, b| a.0 == b.0);
    same.flat_map(|same| same[1..].iter().map(|(_, at)| (*at, same[0].1)))
        .collect()
}

/// The rows that places can spell.
#[derive(Clone)]
pub struct TuplesBuilder {
    rows: Value,
    at: usize,
    /// The repeated places of a row, see [`rereads`].
    rereads: Option<Vec<(usize, usize)>>,
    /// The values of a row.
    freezing: Option<FreezeAllWork>,
    numbers: Vec<u32>,
    /// For each row that was left out, the first place that could not have its value.
    clues: Vec<u32>,
    table: Option<TableBuilder>,
    /// Searches for values that no place can hold, and how many values of the row are numbered.
    missing: MissingValues,
    checked: usize,
}

impl TuplesBuilder {
    pub fn new(rows: Value, allows_missing: bool) -> TuplesBuilder {
        TuplesBuilder {
            missing: MissingValues::new(allows_missing),
            checked: 0,
            rows,
            at: 0,
            rereads: None,
            freezing: None,
            numbers: Vec::new(),
            clues: Vec::new(),
            table: None,
        }
    }

    /// The next row.
    fn row(&self, context: &mut Context) -> Option<Value> {
        match self.rows.kind() {
            Kind::Set => context.heap.set_get(self.rows, self.at),
            _ => context.heap.element(self.rows.payload(), self.at),
        }
    }

    /// Begins with the next row; false if there is no room for it.
    fn begin(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        row: Value,
    ) -> Result<bool, Fault> {
        let Some(array) = row.handle_of(Kind::Array) else {
            let fault = context.wrong_argument("tuples", "rows that are arrays", row);
            return Err(match row.is_kind(Kind::Text) {
                true => fault.with_hint("`map(words, chars)` makes rows of characters from texts"),
                false => fault,
            });
        };
        let (count, length) = (target.places.len(), context.heap.array_len(array));
        if length != count {
            let message = format!(
                "`tuples` has {}, but a row of {length}",
                counted(count, "place")
            );
            return Err(Fault::error(ErrorKind::Value, message)
                .with_hint("a row has a value for each place"));
        }
        let bytes = 8 * count + room::step(4 * self.numbers.len()).max(4 * count);
        if !target.asking.ask(context, bytes)? {
            return Ok(false);
        }
        room::grow(&mut self.numbers, count);
        self.freezing = Some(FreezeAllWork::new(context.heap.elements(array).to_vec()));
        Ok(true)
    }
}

impl ConstraintBuilder for TuplesBuilder {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        while self.table.is_none() {
            if budget.is_spent() {
                return Ok(None);
            }
            if self.freezing.is_none() {
                let Some(row) = self.row(context) else {
                    let length = target.places.len();
                    self.table = Some(TableBuilder::new(std::mem::take(&mut self.numbers), length));
                    break;
                };
                budget.spend(4 + target.places.len());
                if !self.begin(context, target, row)? {
                    return Ok(None);
                }
            }
            let Some(freezing) = &mut self.freezing else {
                continue;
            };
            if !freezing
                .resume(context, budget)
                .map_err(|why| context.no_frozen(why, Context::not_frozen))?
            {
                return Ok(None);
            }
            while let Some(value) = freezing.values.get(self.checked).copied() {
                if !self
                    .missing
                    .refuse(context, target, "tuples", value, budget)?
                {
                    return Ok(None);
                }
                self.checked += 1;
            }
            self.checked = 0;
            let board = &context.heap.boards[target.board];
            let before = self.numbers.len();
            let mut misfit = None;
            for (value, place) in freezing.values.iter().zip(&target.places) {
                let number = board.number_of(*value);
                let number =
                    number.filter(|number| board.solver.candidates(*place as usize).has(*number));
                self.numbers.extend(number.map(|number| number as u32));
                misfit = misfit.or(number.is_none().then_some(*place));
            }
            self.clues
                .extend(misfit.filter(|place| !self.clues.contains(place)));
            budget.spend(6 * target.places.len());
            // A row with a value that a place cannot have spells nothing, nor does one with two values for a place.
            let row = &self.numbers[before..];
            let rereads = self.rereads.get_or_insert_with(|| rereads(&target.places));
            if row.len() < target.places.len()
                || rereads.iter().any(|(at, first)| row[*at] != row[*first])
            {
                self.numbers.truncate(before);
            }
            self.freezing = None;
            self.at += 1;
        }
        let Some(table) = &mut self.table else {
            return Ok(None);
        };
        match table.resume(budget, &mut |bytes| context.fits(bytes)) {
            TableProgress::NotYet => Ok(None),
            TableProgress::Wants(bytes) => target.asking.refused(bytes).map(|_| None),
            TableProgress::Done(table) => {
                let (places, clues) = (
                    std::mem::take(&mut target.places),
                    std::mem::take(&mut self.clues),
                );
                Ok(Some(
                    Constraint::from(Tuples {
                        places,
                        table,
                        clues,
                    })
                    .into(),
                ))
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.rows);
        self.missing.trace(tracer);
        self.freezing
            .iter()
            .for_each(|freezing| freezing.trace(tracer));
    }

    fn bytes(&self) -> usize {
        self.freezing.as_ref().map_or(0, FreezeAllWork::bytes)
            + room::row(&self.numbers)
            + room::row(&self.clues)
            + self.rereads.as_ref().map_or(0, room::row)
            + self.table.as_ref().map_or(0, TableBuilder::bytes)
    }
}
