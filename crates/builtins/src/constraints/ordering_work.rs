//! `ordered`, two places at a time: the values that the number of one allows for the other.

use super::constraint_work::Numbers;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::board::Rule;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::posting::{ConstraintBuilder, Target};
use ndscript_solver::{Constraint, Related};

/// The rule that the number of one place is not larger than that of another, or smaller.
#[derive(Clone)]
pub struct OrderedBuilder {
    places: [u32; 2],
    is_strict: bool,
    numbers: Numbers,
    /// The values from which the rows are made.
    at: usize,
    tables: [Vec<u64>; 2],
}

impl OrderedBuilder {
    pub fn new(places: [u32; 2], is_strict: bool) -> OrderedBuilder {
        OrderedBuilder {
            places,
            is_strict,
            numbers: Numbers::default(),
            at: 0,
            tables: Default::default(),
        }
    }
}

impl ConstraintBuilder for OrderedBuilder {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        if !self.numbers.resume(context, "ordered", target, budget)? {
            return Ok(None);
        }
        let board = &context.heap.boards[target.board];
        let (count, width) = (board.universe().len(), board.solver.width());
        if self.tables[0].is_empty() && count > 0 {
            if !target.asking.ask(context, 16 * count * width)? {
                return Ok(None);
            }
            budget.spend(count * width / 8);
            self.tables = [vec![0; count * width], vec![0; count * width]];
        }
        let numbers = self.numbers.numbers();
        while self.at < count {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(2 * count);
            let own = numbers[self.at];
            let [forward, backward] = &mut self.tables;
            for (other, number) in numbers.iter().enumerate() {
                let bit = 1 << (other % 64);
                if own < *number || own == *number && !self.is_strict {
                    forward[self.at * width + other / 64] |= bit;
                }
                if own > *number || own == *number && !self.is_strict {
                    backward[self.at * width + other / 64] |= bit;
                }
            }
            self.at += 1;
        }
        target.places.clear();
        let [forward, backward] = std::mem::take(&mut self.tables);
        let related = Related {
            places: self.places,
            width: width as u32,
            forward,
            backward,
        };
        Ok(Some(Constraint::from(related).into()))
    }

    fn bytes(&self) -> usize {
        self.numbers.bytes() + self.tables.iter().map(room::row).sum::<usize>()
    }
}
