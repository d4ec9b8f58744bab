//! The sizes that regions may have, as programs say them.

use super::network_work::{element_of, length_of};
use ndscript_base::keyed::KeyedMap;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_solver::Division;

/// What was said of the sizes of nodes: each different answer once.
pub struct NodeSizes {
    answers: Vec<Value>,
    /// For each node the number of its answer.
    answer_of: Vec<u32>,
}

impl NodeSizes {
    /// From nodes with their answers, one after the other, or one answer for all; all are frozen, so that equal ones are one word.
    pub fn new(given: &[Value], nodes: &KeyedMap<Value, u32>) -> NodeSizes {
        let mut answers = Vec::new();
        let mut answer_of = vec![0; nodes.len()];
        let mut numbers: KeyedMap<Value, u32> = KeyedMap::default();
        if let [for_all] = given {
            answers.push(*for_all);
        }
        for pair in given.chunks_exact(2) {
            let number = *numbers.entry(pair[1]).or_insert_with(|| {
                answers.push(pair[1]);
                answers.len() as u32 - 1
            });
            if let Some(node) = nodes.get(&pair[0]) {
                answer_of[*node as usize] = number;
            }
        }
        NodeSizes { answers, answer_of }
    }

    /// How many sizes there are in all answers.
    pub fn count(&self, context: &Context) -> usize {
        let counts = self.answers.iter().map(|answer| count(context, *answer));
        counts.sum()
    }

    /// The rule that they make.
    pub fn division(&self, context: &mut Context, function: &str) -> Result<Division, Fault> {
        let mut rows = Vec::with_capacity(self.answers.len());
        for answer in &self.answers {
            rows.push(sizes_of(context, function, *answer)?);
        }
        Ok(match rows.is_empty() {
            true => Division::of_any_size(),
            false => Division::new(rows, self.answer_of.clone()),
        })
    }
}

fn is_list(given: Value) -> bool {
    matches!(given.kind(), Kind::Array | Kind::Set)
}

fn count(context: &Context, given: Value) -> usize {
    if is_list(given) {
        length_of(context, given)
    } else {
        1
    }
}

/// The sizes in an answer: a whole number, or an array or a set of them.
pub fn sizes_of(context: &mut Context, function: &str, given: Value) -> Result<Vec<u32>, Fault> {
    let count = count(context, given);
    let mut sizes = Vec::with_capacity(count);
    for at in 0..count {
        let value = match is_list(given) {
            true => element_of(context, given, at),
            false => given,
        };
        let size = value.as_integer().and_then(|size| u32::try_from(size).ok());
        sizes.push(size.ok_or_else(|| {
            let wanted = "a size: a whole number, or an array or a set of them";
            context.wrong_argument(function, wanted, value)
        })?);
    }
    sizes.retain(|size| *size > 0);
    sizes.sort_unstable();
    sizes.dedup();
    Ok(sizes)
}
