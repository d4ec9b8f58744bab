//! Choices and the built-ins that search. A search runs its attempt again and again from a copy of the state, each
//! time under the next list of decisions, until no list is left.

use super::interpreter::{ErrorName, Interpreter, Interrupt, Result, error};
use super::order::{DeepCopy, equal, set_of};
use super::state::State;
use super::value::Value;

/// Which alternative to take at each choice of an attempt, in the order in which they come.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// The alternative taken and the number of alternatives.
    taken: Vec<(usize, usize)>,
    /// How many of them this attempt has met.
    met: usize,
    /// What `firstVisit` was asked of, in all attempts. Its answers lie among the decisions, so that an attempt that
    /// repeats the beginning of an earlier one gets the answers of that.
    visited: Vec<Value>,
}

impl Decisions {
    fn next(&mut self, alternatives: usize) -> usize {
        if self.met == self.taken.len() {
            self.taken.push((0, alternatives));
        }
        self.met += 1;
        self.taken[self.met - 1].0
    }

    /// What was taken, where there was more than one alternative.
    pub fn way(&self) -> Vec<usize> {
        self.taken
            .iter()
            .filter(|(_, alternatives)| *alternatives > 1)
            .map(|(taken, _)| *taken)
            .collect()
    }

    /// Whether `visits` says that a value is new, or said so in the attempt whose beginning is repeated.
    fn visit(&mut self, visits: impl FnOnce(&mut Vec<Value>) -> bool) -> bool {
        if self.met == self.taken.len() {
            let answer = usize::from(visits(&mut self.visited));
            // There is no other.
            self.taken.push((answer, answer + 1));
        }
        self.met += 1;
        self.taken[self.met - 1].0 == 1
    }

    /// Turns to the next attempt: the latest decision that has an alternative left takes it. False if none has.
    fn advance(&mut self) -> bool {
        self.met = 0;
        while let Some((taken, alternatives)) = self.taken.last_mut() {
            *taken += 1;
            if *taken < *alternatives {
                return true;
            }
            self.taken.pop();
        }
        false
    }
}

/// A search under way.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    Plain,
    /// A `minimize`: what had been spent before it, and the price of its cheapest solution so far.
    Cheapest {
        before: f64,
        best: Option<f64>,
    },
}

impl Interpreter {
    /// A choice between so many alternatives.
    pub fn decide(&mut self, alternatives: usize) -> Result<usize> {
        self.charge(1)?;
        if alternatives == 0 {
            Err(Interrupt::Fail)
        } else {
            Ok(self.decisions.next(alternatives))
        }
    }

    /// Runs an attempt under every list of decisions. Solutions go to `found`, which says whether to go on. Returns
    /// the state before the search; the present one is that of the last attempt.
    pub fn attempts(
        &mut self,
        attempt: &mut dyn FnMut(&mut Interpreter) -> Result<Value>,
        found: &mut dyn FnMut(&mut Interpreter, Value) -> bool,
    ) -> Result<State> {
        let before = self.state.clone();
        let outer = std::mem::take(&mut self.decisions);
        let mut go_on = true;
        while go_on {
            self.charge(1 + before.things.len() / 8 + before.scopes.len() / 8)?;
            self.state = before.clone();
            match attempt(self) {
                Ok(value) => go_on = found(self, value),
                Err(Interrupt::Fail) => {}
                Err(Interrupt::Error(name, _)) if self.any_order => self.possible_errors.push(name),
                Err(other) => return Err(other),
            }
            go_on = go_on && self.decisions.advance();
            if go_on {
                self.lose_patience()?;
            }
        }
        self.decisions = outer;
        Ok(before)
    }

    fn inner(
        &mut self,
        search: Search,
        attempt: &mut dyn FnMut(&mut Interpreter) -> Result<Value>,
        found: &mut dyn FnMut(&mut Interpreter, Value) -> bool,
    ) -> Result<State> {
        self.searches.push(search);
        let result = self.attempts(attempt, found);
        // Which dear attempts a machine makes, and in which order, is its own affair, and so are their errors.
        if let Err(Interrupt::Error(..)) = result
            && let Some(Search::Cheapest { before, best }) = self.searches.last()
            && (self.state.spent > *before || *best == Some(0.0))
        {
            return Err(Interrupt::Drop(
                "an error of an attempt that costs something",
            ));
        }
        self.searches.pop();
        result
    }

    /// The first solution, with its effects.
    pub fn once(
        &mut self,
        attempt: &mut dyn FnMut(&mut Interpreter) -> Result<Value>,
    ) -> Result<Value> {
        let mut first = None;
        let before = self.inner(Search::Plain, attempt, &mut |i, value| {
            first = Some((i.state.clone(), value));
            false
        })?;
        self.adopt(first, before)
    }

    fn adopt(&mut self, solution: Option<(State, Value)>, before: State) -> Result<Value> {
        match solution {
            Some((state, value)) => {
                self.state = state;
                Ok(value)
            }
            None => {
                self.state = before;
                Err(Interrupt::Fail)
            }
        }
    }

    /// Counts a failure that goes back to a choice.
    fn lose_patience(&mut self) -> Result<()> {
        match self.patience.last_mut() {
            Some(1) => Err(Interrupt::GaveUp),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The first solution, unless there are so many failures before.
    pub fn within_failures(&mut self, function: &Value, failures: i64) -> Result<Value> {
        if failures < 1 {
            return error(ErrorName::Value, "no failures");
        }
        if self.any_order {
            return Err(Interrupt::Drop(
                "failures before the first of solutions in any order",
            ));
        }
        let (before, outer, searches) = (
            self.state.clone(),
            self.decisions.clone(),
            self.searches.len(),
        );
        self.patience.push(failures as u64);
        let result = self.once(&mut |i| i.call(function, Vec::new()));
        self.patience.pop();
        if let Err(Interrupt::GaveUp) = result {
            (self.state, self.decisions) = (before, outer);
            self.searches.truncate(searches);
            return Err(Interrupt::Fail);
        }
        result
    }

    pub fn not(&mut self, function: &Value) -> Result<Value> {
        let mut solved = false;
        let every = self.any_order;
        let before = self.inner(
            Search::Plain,
            &mut |i| i.call(function, Vec::new()),
            &mut |_, _| {
                solved = true;
                every
            },
        )?;
        self.state = before;
        if solved {
            Err(Interrupt::Fail)
        } else {
            Ok(Value::Boolean(true))
        }
    }

    pub fn solutions(&mut self, function: &Value, wanted: usize) -> Result<Value> {
        if wanted == 0 {
            return Ok(self.state.new_array(Vec::new()));
        }
        let mut found = Vec::new();
        let before = self.inner(
            Search::Plain,
            &mut |i| i.call(function, Vec::new()),
            &mut |i, value| {
                found.push((i.state.clone(), value));
                found.len() < wanted
            },
        )?;
        let common = before.things.len();
        self.state = before;
        let mut results = Vec::new();
        for (state, value) in &found {
            results.push(DeepCopy::new(state, &mut self.state, common).copy(value));
        }
        Ok(self.state.new_array(results))
    }

    pub fn count_solutions(&mut self, function: &Value) -> Result<Value> {
        let mut count = 0;
        let before = self.inner(
            Search::Plain,
            &mut |i| i.call(function, Vec::new()),
            &mut |_, _| {
                count += 1;
                true
            },
        )?;
        self.state = before;
        Ok(Value::Number(f64::from(count)))
    }

    pub fn minimize(&mut self, function: &Value) -> Result<Value> {
        let spent_before = self.state.spent;
        let owed_outside = std::mem::take(&mut self.state.owed);
        let mut cheapest: Option<(State, Value)> = None;
        let search = Search::Cheapest {
            before: spent_before,
            best: None,
        };
        let before = self.inner(
            search,
            &mut |i| i.call(function, Vec::new()),
            &mut |i, value| {
                for (board, places, factors) in std::mem::take(&mut i.state.owed) {
                    i.state.spent += i.least_sum(&board, &places, &factors).unwrap_or(0.0);
                }
                let price = i.state.spent - spent_before;
                if cheapest
                    .as_ref()
                    .is_none_or(|(state, _)| price < state.spent - spent_before)
                {
                    cheapest = Some((i.state.clone(), value));
                    if let Some(Search::Cheapest { best, .. }) = i.searches.last_mut() {
                        *best = Some(price);
                    }
                }
                true
            },
        )?;
        let result = self.adopt(cheapest, before);
        self.state.owed = owed_outside;
        result
    }

    pub fn first_visit(&mut self, value: &Value) -> Result<Value> {
        let frozen = set_of(&self.state, std::slice::from_ref(value))?;
        let state = &self.state;
        let is_first = self.decisions.visit(|visited| {
            let is_new = !visited.iter().any(|other| equal(state, other, &frozen));
            if is_new {
                visited.push(frozen);
            }
            is_new
        });
        Ok(Value::Boolean(is_first))
    }

    pub fn cost(&mut self, price: f64) -> Result<Value> {
        if price < 0.0 {
            return error(ErrorName::Value, "a negative cost");
        }
        self.state.spent += price;
        Ok(Value::Number(self.state.spent))
    }
}
