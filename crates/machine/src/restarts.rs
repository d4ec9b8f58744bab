//! `withRestarts`: a search that begins again after some failures, as a wrong early guess may take for ever to be found
//! out. How many failures grows by the sequence of Luby, Sinclair and Zuckerman (1993), so that no run is much worse
//! than with the best number.

use super::choices::barrier::BarrierKind;
use super::error::{ErrorKind, Fault};
use super::machine::Machine;
use ndscript_heap::Value;

/// A `withRestarts` that is being run, or a `withinFailures`, which makes one attempt only.
#[derive(Clone, Copy, Debug)]
pub struct Restarts {
    /// The number of its barrier. The first choice point behind that is its own.
    pub barrier: u32,
    unit: u64,
    /// The number of the attempt, from 1, and how many failures it may still have.
    attempt: u64,
    left: u64,
    /// Whether the attempt was broken off.
    is_cut: bool,
    /// Heights of what inner searches have gathered.
    gatherings: u32,
    minimizations: u32,
}

/// The n-th number, from 1, of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...
fn luby(mut n: u64) -> u64 {
    loop {
        // The sequence up to a power of two less one ends with half of that power.
        let power = (n + 1).next_power_of_two();
        if power == n + 1 {
            return power / 2;
        }
        n -= power / 2 - 1;
    }
}

impl Machine {
    /// Begins the search; `function` is what the program calls.
    pub(super) fn open_restarts(&mut self, unit: Value, function: Value) -> Result<(), Fault> {
        let function = self.context.heap.as_str(function).unwrap_or_default();
        let unit = match unit.as_integer() {
            Some(unit) if unit > 0 => unit as u64,
            Some(unit) => {
                let message = format!(
                    "`{function}` wants a number of failures that is 1 or more, not {unit}"
                );
                return Err(Fault::error(ErrorKind::Value, message));
            }
            None => {
                return Err(self.context.wrong_argument(
                    function,
                    "a whole number of failures",
                    unit,
                ));
            }
        };
        self.open_barrier(BarrierKind::Restarts, None);
        self.restarts.push(Restarts {
            barrier: self.choices.barriers().len() as u32 - 1,
            unit,
            attempt: 1,
            left: unit,
            is_cut: false,
            gatherings: self.gatherings.len() as u32,
            minimizations: self.minimizations.len() as u32,
        });
        Ok(())
    }

    /// Ends the search with a result: its choices are forgotten, its own included.
    pub(super) fn end_restarts(&mut self) -> Result<Value, Fault> {
        self.restarts.pop();
        self.close_and_forget();
        if self.is_too_dear() {
            Err(Fault::Fail)
        } else {
            Ok(Value::NULL)
        }
    }

    /// At the end of an attempt without result: fails if it has searched everything, else prepares the next.
    pub(super) fn next_attempt(&mut self) -> Result<Value, Fault> {
        let Some(restarts) = self.restarts.last_mut() else {
            return Err(Fault::Fail);
        };
        if !std::mem::take(&mut restarts.is_cut) {
            self.restarts.pop();
            self.close_barrier();
            return Err(Fault::Fail);
        }
        restarts.attempt += 1;
        restarts.left = luby(restarts.attempt).saturating_mul(restarts.unit);
        self.forget_visits_of_attempt();
        Ok(Value::NULL)
    }

    /// Counts a failure back to a choice point; returns the one to go back to, which is that of the innermost
    /// `withRestarts` if its attempt has had enough of them.
    #[cold]
    pub(super) fn count_failure(&mut self, last: usize) -> usize {
        let Some(restarts) = self.restarts.last_mut() else {
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
        self.gatherings.truncate(gatherings);
        self.minimizations.truncate(minimizations);
        self.context.charge(self.choices.height() - own);
        self.pass_over(own);
        self.settle_floor();
        own
    }
}

ndscript_base::saved!(struct Restarts { barrier, unit, attempt, left, is_cut, gatherings, minimizations });

#[cfg(test)]
mod tests {
    #[test]
    fn the_sequence_is_that_of_luby() {
        let first: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
