//! How much work it is to put steps into words.

use super::region_words::work_of_regions;
use super::rule_words::{BoardPhrases, MOST_COMPARED};
use super::sum_words::work_of_sum;
use ndscript_solver::steps::Step;
use ndscript_solver::{Constraint, Shape};

impl BoardPhrases<'_> {
    /// How much work it is, in visits, to say what steps use of a rule.
    pub fn work_of_use(&self, number: u32, step: &Step) -> usize {
        let solver = &self.context.heap.boards[self.board].solver;
        match solver.constraints().get(number as usize).map(|own| &**own) {
            Some(Constraint::Tuples(rule)) => {
                rule.table.rows().len() * (1 + step.conclusions.len() / 16)
            }
            // All cells are looked at for each conclusion, for what is said and for what bounds a piece, and looked up among
            // those that the step knows.
            Some(Constraint::Connected(_)) => {
                solver.places() * (24 * (1 + step.conclusions.len()) + 4 * step.places.len())
            }
            Some(Constraint::Sum(rule)) => work_of_sum(rule, step),
            Some(Constraint::Network(rule)) => {
                let ahead = match rule.shape {
                    Shape::Regions(_) => work_of_regions(solver.places(), step) / 8,
                    _ => 0,
                };
                solver.places() + MOST_COMPARED + ahead
            }
            Some(Constraint::Related(_) | Constraint::Adjacent(_)) => {
                solver.places() + MOST_COMPARED
            }
            _ => 0,
        }
    }
}
