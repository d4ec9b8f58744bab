//! `lexicographic`, two arrays of places at a time: the ranks of the values, as the language orders them.

use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::board::Rule;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;
use ndscript_machine::work::posting::{ConstraintBuilder, Target};
use ndscript_solver::propagators::{Lexicographic, UNRANKED};

/// The rule that one array of places reads no later than another.
#[derive(Clone)]
pub struct RowOrder {
    /// How many of the places are on the left.
    split: usize,
    /// All values of the board, in order.
    order: Value,
    /// The current place, and the current value of the order.
    at: usize,
    next: usize,
    /// The values that the places can have, as a mask, and one of them.
    domain: Vec<u64>,
    first: Option<Value>,
    ranks: Vec<u32>,
}

impl RowOrder {
    pub fn new(split: usize, order: Value) -> RowOrder {
        RowOrder {
            split,
            order,
            at: 0,
            next: 0,
            domain: Vec::new(),
            first: None,
            ranks: Vec::new(),
        }
    }

    /// Fails for a value that is neither a number nor a text, and for a number among texts.
    fn check(&mut self, context: &Context, value: Value) -> Result<(), Fault> {
        const FUNCTION: &str = "lexicographic";
        let is_text = value.is_kind(Kind::Text);
        if !is_text && context.heap.as_f64(value).is_none() {
            return Err(context.wrong_argument(FUNCTION, "numbers or texts as candidates", value));
        }
        let first = *self.first.get_or_insert(value);
        if is_text != first.is_kind(Kind::Text) {
            let message = format!(
                "`lexicographic` cannot order {} and {}",
                context.brief(first),
                context.brief(value)
            );
            return Err(Fault::error(ErrorKind::Type, message)
                .with_hint("the places hold numbers only, or texts only"));
        }
        Ok(())
    }
}

impl ConstraintBuilder for RowOrder {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        let board = &context.heap.boards[target.board];
        let (count, width) = (board.universe().len(), board.solver.width());
        if self.domain.is_empty() {
            if !target.asking.ask(context, 8 * width + 4 * count)? {
                return Ok(None);
            }
            budget.spend(width + count / 8);
            self.domain = vec![0; width];
            self.ranks = vec![UNRANKED; count];
        }
        while let Some(place) = target.places.get(self.at) {
            if budget.is_spent() {
                return Ok(None);
            }
            let solver = &context.heap.boards[target.board].solver;
            let (first, words) = solver.candidates(*place as usize).words();
            budget.spend(1 + words.len());
            let bits = self.domain.iter_mut().skip(first);
            bits.zip(words).for_each(|(bits, word)| *bits |= word);
            self.at += 1;
        }
        while let Some(value) = context.heap.element(self.order.payload(), self.next) {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(8);
            let number = context.heap.boards[target.board].number_of(value);
            if let Some(number) = number {
                if self.domain[number / 64] >> (number % 64) & 1 == 1 {
                    self.check(context, value)?;
                }
                self.ranks[number] = self.next as u32;
            }
            self.next += 1;
        }
        let rule = Lexicographic {
            places: std::mem::take(&mut target.places),
            split: self.split as u32,
            ranks: std::mem::take(&mut self.ranks),
        };
        Ok(Some(ndscript_solver::Constraint::from(rule).into()))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.order);
        tracer.values.extend(self.first);
    }

    fn bytes(&self) -> usize {
        room::row(&self.domain) + room::row(&self.ranks)
    }
}
