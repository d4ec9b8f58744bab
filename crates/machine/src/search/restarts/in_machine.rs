//! How the machine restarts a search.

use super::Restarts;
use crate::errors::error::{ErrorKind, Fault};
use crate::machine::Machine;
use crate::search::choices::barrier::BarrierKind;
use ndscript_heap::Value;

impl Machine {
    /// Begins the search; `function` is the program's function. With `retries`, `unit` counts attempts.
    pub(crate) fn open_restarts(
        &mut self,
        unit: Value,
        function: Value,
        retries: bool,
    ) -> Result<(), Fault> {
        let function = self.context.heap.as_str(function).unwrap_or_default();
        let what = if retries { "attempts" } else { "failures" };
        let number = match unit.as_integer() {
            Some(number) if number > 0 => number as u64,
            None if retries && unit == Value::NULL => u64::MAX,
            Some(number) => {
                let message = format!(
                    "`{function}` wants a number of {what} that is 1 or more, not {number}"
                );
                return Err(Fault::error(ErrorKind::Value, message));
            }
            None => {
                let wanted = format!("a whole number of {what}");
                return Err(self.context.wrong_argument(function, &wanted, unit));
            }
        };
        let (unit, times) = if retries {
            (u64::MAX, number)
        } else {
            (number, 1)
        };
        self.open_barrier(BarrierKind::Restarts, None);
        self.search.restarts.push(Restarts {
            barrier: self.choices.barriers().len() as u32 - 1,
            unit,
            attempt: 1,
            left: unit,
            is_cut: false,
            times,
            draws: self.context.rng.draws(),
            gatherings: self.search.gatherings.len() as u32,
            minimizations: self.search.minimizations.len() as u32,
        });
        Ok(())
    }

    /// Whether an open barrier, by its number, is that of a `retry`, which does not count failures inside an attempt.
    pub(crate) fn is_retry(&self, barrier: usize) -> bool {
        let mut open = self.search.restarts.iter();
        open.any(|restarts| restarts.barrier as usize == barrier && restarts.unit == u64::MAX)
    }

    /// Ends the search with a result: discards its choices, the one of the search included.
    pub(crate) fn end_restarts(&mut self) -> Result<Value, Fault> {
        self.search.restarts.pop();
        self.close_and_commit();
        if self.is_too_dear() {
            Err(Fault::Fail)
        } else {
            Ok(Value::NULL)
        }
    }

    /// At the end of an attempt without result: fails if it has searched everything, else prepares the next.
    pub(crate) fn next_attempt(&mut self) -> Result<Value, Fault> {
        let Some(restarts) = self.search.restarts.last_mut() else {
            return Err(Fault::Fail);
        };
        let draws = std::mem::replace(&mut restarts.draws, self.context.rng.draws());
        if !std::mem::take(&mut restarts.is_cut) {
            restarts.times -= u64::from(restarts.times < u64::MAX);
            if restarts.times == 0 {
                let failed_at_once = restarts.left == restarts.left_at_first();
                let is_retry = restarts.unit == u64::MAX;
                let has_drawn = draws != self.context.rng.draws();
                self.search.restarts.pop();
                self.close_barrier();
                // Nothing was chosen inside, so nothing else could be tried.
                if failed_at_once && has_drawn && !is_retry {
                    self.context.extend_failure_message(
                        "`withRestarts` begins again only after choices that fail, and there were none: `retry(f)` \
                         draws again until `f()` has a result",
                    )?;
                }
                return Err(Fault::Fail);
            }
        }
        restarts.attempt += 1;
        restarts.left = restarts.left_at_first();
        self.clear_visits_of_attempt();
        Ok(Value::NULL)
    }

    /// Ends a search after its only attempt, which has no result: whether it was broken off, so that it may have missed
    /// one. Null if the best result so far was asked for meanwhile.
    pub(crate) fn end_round(&mut self) -> Value {
        let own = self.choices.barriers().len() - 1;
        let round = self
            .search
            .restarts
            .pop_if(|round| round.barrier as usize == own);
        self.close_barrier();
        round.map_or(Value::NULL, |round| Value::boolean(round.is_cut))
    }

    /// Counts a failure back to a choice point; returns the one to go back to, which is that of the innermost
    /// `withRestarts` if its attempt has had enough of them.
    #[cold]
    pub(crate) fn count_failure(&mut self, last: usize) -> usize {
        let Some(restarts) = self.search.restarts.last_mut() else {
            return last;
        };
        let Some(barrier) = self.choices.barriers().get(restarts.barrier as usize) else {
            return last;
        };
        let own = barrier.first();
        if last <= own {
            return last;
        }
        restarts.left = restarts.left.saturating_sub(1);
        if restarts.left > 0 {
            return last;
        }
        restarts.is_cut = true;
        let (gatherings, minimizations) = (
            restarts.gatherings as usize,
            restarts.minimizations as usize,
        );
        self.search.gatherings.truncate(gatherings);
        self.search.minimizations.truncate(minimizations);
        self.context.charge(self.choices.height() - own);
        self.pass_over(own);
        self.settle_floor();
        own
    }
}
