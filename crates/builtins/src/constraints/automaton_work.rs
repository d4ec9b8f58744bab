//! The automaton of an `automaton`, made of its transitions in pieces.

use ndscript_base::budget::Budget;
use ndscript_base::keyed::KeyedMap;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::board::Rule;
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;
use ndscript_machine::work::freezing::FreezeAllWork;
use ndscript_machine::work::posting::{ConstraintBuilder, Target};
use ndscript_solver::{Automaton, Constraint, Pattern, Wording};

/// At most this many states, counted as the solver does: once for each set of values by which one is entered.
pub const MOST_STATES: usize = 8192;

/// The error for an automaton that is too large.
pub fn too_large() -> Fault {
    let message = format!("`automaton` has more than {MOST_STATES} states");
    Fault::error(ErrorKind::Value, message)
        .with_hint("let a state say no more of the values before it than those after it depend on")
}

/// The transitions of an automaton: each is a state, a value and the state after it.
#[derive(Clone)]
pub struct AutomatonBuilder {
    /// The start, the transitions, and the states in which it may end.
    freezing: FreezeAllWork,
    transitions: usize,
    /// The next transition, and the numbers of the states.
    at: usize,
    numbers: KeyedMap<Value, u32>,
    /// The values that lead from one state to another.
    masks: KeyedMap<(u32, u32), Vec<u64>>,
}

impl AutomatonBuilder {
    pub fn new(start: Value, transitions: &[Value], ends: &[Value]) -> AutomatonBuilder {
        let all = [&[start], transitions, ends].concat();
        AutomatonBuilder {
            freezing: FreezeAllWork::new(all),
            transitions: transitions.len() / 3,
            at: 0,
            numbers: KeyedMap::default(),
            masks: KeyedMap::default(),
        }
    }

    fn number(&mut self, state: Value) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(state).or_insert(next)
    }

    /// The automaton whose states are pairs of a state of the program and the values by which it is entered, so that
    /// all transitions into one read equal values.
    fn automaton(&mut self, width: usize) -> Result<Automaton, Fault> {
        let mut transitions: Vec<((u32, u32), Vec<u64>)> =
            std::mem::take(&mut self.masks).into_iter().collect();
        transitions.sort_unstable();
        // State 0 is the start before anything is read.
        let mut entered: Vec<(u32, &[u64])> = transitions
            .iter()
            .map(|((_, to), mask)| (*to, &mask[..]))
            .collect();
        entered.sort_unstable();
        entered.dedup();
        let states = entered.len() + 1;
        if states > MOST_STATES {
            return Err(too_large());
        }
        let words = Automaton::state_words(states);
        let (mut follows, mut ends) = (vec![0; states * words], vec![0; words]);
        for ((from, to), mask) in &transitions {
            let to = entered
                .binary_search(&(*to, &mask[..]))
                .map_or(0, |at| at + 1);
            let first = entered.partition_point(|(state, _)| state < from) + 1;
            let last = entered.partition_point(|(state, _)| state <= from) + 1;
            let start = (*from == 0).then_some(0);
            for from in (first..last).chain(start) {
                follows[from * words + to / 64] |= 1 << (to % 64);
            }
        }
        for end in self.freezing.values.iter().skip(1 + 3 * self.transitions) {
            let Some(end) = self.numbers.get(end) else {
                continue;
            };
            let entered = (1..).zip(&entered).filter(|(_, (state, _))| state == end);
            let start = (*end == 0).then_some(0);
            for at in entered.map(|(at, _)| at).chain(start) {
                ends[at / 64] |= 1 << (at % 64);
            }
        }
        // No transition leads to the start state, so its class is arbitrary.
        let classes = std::iter::once(0).chain(0..states as u32 - 1).collect();
        let masks = match entered.is_empty() {
            true => vec![0; width],
            false => entered
                .iter()
                .flat_map(|(_, mask)| *mask)
                .copied()
                .collect(),
        };
        Ok(Automaton {
            states: states as u32,
            follows,
            classes,
            masks,
            words: width as u32,
            ends,
        })
    }
}

impl ConstraintBuilder for AutomatonBuilder {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        if !self
            .freezing
            .resume(context, budget)
            .map_err(|why| context.no_frozen(why, Context::not_frozen))?
        {
            return Ok(None);
        }
        let width = context.heap.boards[target.board].solver.width();
        let bytes = self.transitions * (8 * width + 96);
        if self.at == 0 && !target.asking.ask(context, bytes)? {
            return Ok(None);
        }
        let start = self.freezing.values.first().copied();
        start.map(|start| self.number(start));
        while self.at < self.transitions {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(4 + width);
            let transition = self.freezing.values[1 + 3 * self.at..]
                .first_chunk()
                .copied();
            let Some([from, value, to]) = transition else {
                break;
            };
            self.at += 1;
            // A value that no place of the board holds any more leads nowhere.
            let Some(value) = context.heap.boards[target.board].number_of(value) else {
                continue;
            };
            let ends = (self.number(from), self.number(to));
            let mask = self.masks.entry(ends).or_insert_with(|| vec![0; width]);
            mask[value / 64] |= 1 << (value % 64);
        }
        let states = self.masks.len().min(MOST_STATES) + 1;
        let bytes = states * (8 * states.div_ceil(64) + 8 * width + 4);
        if !target.asking.ask(context, bytes)? {
            return Ok(None);
        }
        budget.spend(bytes / 32);
        let automaton = self.automaton(width)?;
        let places = std::mem::take(&mut target.places);
        let pattern = Pattern::new(places, automaton, Wording::Transitions);
        Ok(Some(
            Constraint::from(pattern)
                .prepared(&context.heap.boards[target.board].solver)
                .into(),
        ))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.freezing.trace(tracer);
        tracer.values.extend(self.numbers.keys());
    }

    fn bytes(&self) -> usize {
        let masks = self.masks.values().map(room::row).sum::<usize>();
        self.freezing.bytes()
            + room::hash_map(self.numbers.capacity(), 12)
            + room::hash_map(self.masks.capacity(), 32)
            + masks
    }
}
