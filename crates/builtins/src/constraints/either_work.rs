//! `either` as a finite automaton: it reads the places one after the other, and one of them must hold one of its
//! values.

use super::missing::MissingSearch;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::board::Rule;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;
use ndscript_machine::work::candidates::MaskWork;
use ndscript_machine::work::posting::{ConstraintBuilder, Target};
use ndscript_solver::{Automaton, Constraint, Pattern, Wording};

/// The states of a place: neither an earlier place nor this one holds its values; this one is the first that does; an
/// earlier one does.
const STATES: usize = 3;

/// The rule that one of the places holds one of its values.
#[derive(Clone)]
pub struct EitherBuilder {
    /// The values of each place, in the order of the places.
    values: Vec<MaskWork>,
    at: usize,
    missing: Option<MissingSearch>,
    allows_missing: bool,
}

impl EitherBuilder {
    pub fn new(values: Vec<Value>, allows_missing: bool) -> EitherBuilder {
        EitherBuilder {
            values: values.into_iter().map(MaskWork::new).collect(),
            at: 0,
            missing: None,
            allows_missing,
        }
    }

    /// The automaton: class 0 is any value, and each place has one for its own.
    fn automaton(&mut self, values: usize, width: usize) -> Automaton {
        let count = self.values.len();
        let states = STATES * count + 1;
        let words = states.div_ceil(64);
        let mut masks = vec![0; width];
        (0..values).for_each(|value| masks[value / 64] |= 1 << (value % 64));
        let (mut classes, mut follows, mut ends) =
            (vec![0], vec![0; states * words], vec![0; words]);
        let mut set = |from: usize, to: usize| follows[from * words + to / 64] |= 1 << (to % 64);
        for (at, values) in self.values.iter_mut().enumerate() {
            masks.extend(values.take());
            classes.extend([0, at as u32 + 1, 0]);
            let state = |at: usize, kind: usize| STATES * at + kind + 1;
            let before = |kind| if at == 0 { 0 } else { state(at - 1, kind) };
            set(before(0), state(at, 0));
            set(before(0), state(at, 1));
            if at > 0 {
                set(before(1), state(at, 2));
                set(before(2), state(at, 2));
            }
        }
        for end in [states - 2, states - 1].into_iter().filter(|_| count > 0) {
            ends[end / 64] |= 1 << (end % 64);
        }
        Automaton {
            states: states as u32,
            follows,
            classes,
            masks,
            words: width as u32,
            ends,
        }
    }
}

impl ConstraintBuilder for EitherBuilder {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        const FUNCTION: &str = "either";
        while let Some(values) = self.values.get_mut(self.at) {
            if !values.freeze(context, budget)?
                || !values.mask(context, target.board, &mut target.asking, budget)?
            {
                return Ok(None);
            }
            values.refuse_list(context, target.board, FUNCTION, budget)?;
            if let Some(value) = values.unknown().filter(|_| !self.allows_missing) {
                let missing = self.missing.get_or_insert_default();
                if !missing.refuse(context, target, FUNCTION, value, budget)? {
                    return Ok(None);
                }
            }
            self.missing = None;
            self.at += 1;
        }
        let board = &context.heap.boards[target.board];
        let (all, width) = (board.universe().len(), board.solver.width());
        let states = STATES * self.values.len() + 1;
        let bytes = states * (8 * states.div_ceil(64) + 4) + 8 * width * (self.values.len() + 1);
        if !target.asking.ask(context, bytes)? {
            return Ok(None);
        }
        budget.spend(bytes / 32 + all);
        let automaton = self.automaton(all, width);
        let pattern = Pattern::new(
            std::mem::take(&mut target.places),
            automaton,
            Wording::Either,
        );
        Ok(Some(
            Constraint::from(pattern)
                .prepared(&context.heap.boards[target.board].solver)
                .into(),
        ))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.values.iter().for_each(|values| values.trace(tracer));
    }

    fn bytes(&self) -> usize {
        room::row(&self.values) + self.values.iter().map(MaskWork::bytes).sum::<usize>()
    }
}
