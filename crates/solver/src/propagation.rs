//! Propagation to the fixpoint: each constraint that has something to look at removes what it rules out, until
//! none finds anything more.

pub mod fixpoint;
mod narrowing;
pub mod posting;
mod standing;
pub mod waking;
pub mod watchers;

use crate::ConstraintNumber;
use std::collections::VecDeque;
use std::sync::Arc;

use super::constraint::Propagation;
use super::propagator::Call;
use super::{Constraint, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;

/// At most this many bytes are taken without asking.
const BYTES_WITHOUT_ASKING: usize = 1 << 12;

/// The visits of turning to a constraint.
const VISITS_OF_BEGINNING: usize = 4;

impl Solver {
    pub(super) fn is_at_fixpoint(&self) -> bool {
        self.unfinished.is_none() && self.queues.iter().all(|queue| queue.is_empty())
    }

    /// Whether a propagation may take this number of bytes.
    pub(super) fn is_granted(&self, bytes: usize) -> bool {
        bytes <= BYTES_WITHOUT_ASKING || bytes <= self.granted
    }

    /// Runs propagators until none finds anything more, or the budget is spent.
    ///
    /// # Errors
    /// [`DomainWipeout`] if a place has no candidate left; discard the changes then.
    pub fn propagate_to_fixpoint(
        &mut self,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        loop {
            if budget.is_spent() {
                return Ok(if self.is_at_fixpoint() {
                    Fixpoint::Reached
                } else {
                    Fixpoint::NotYet
                });
            }
            let (number, result) = match self.unfinished.take() {
                Some(mut unfinished) => {
                    let (number, propagation) = &mut *unfinished;
                    let (number, result) = (*number, self.resume(*number, propagation, budget));
                    if let Ok(Fixpoint::NotYet | Fixpoint::NeedsMemory(_)) = result {
                        self.unfinished = Some(unfinished);
                    }
                    (number, result)
                }
                None => {
                    let Some(number) = self.queues.iter_mut().find_map(VecDeque::pop_front) else {
                        budget.spend(std::mem::take(&mut self.wakes));
                        return Ok(Fixpoint::Reached);
                    };
                    self.waking[number as usize].is_queued = false;
                    (number, self.begin(number, budget))
                }
            };
            match result {
                Ok(Fixpoint::Reached) => self.granted = 0,
                Ok(other) => return Ok(other),
                Err(wiped) => return Err(self.wipeout_by(number, wiped)),
            }
        }
    }

    /// Starts the propagator of a constraint. If it does not finish, it is the unfinished propagation.
    fn begin(
        &mut self,
        number: ConstraintNumber,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let (constraint, mut witness) = self.take_with_witness(number);
        let call = Call {
            number,
            witness: &mut witness,
        };
        let (result, unfinished) = constraint.begin(self, call, budget);
        self.return_witness(number, witness, budget);
        if unfinished.is_some() {
            self.unfinished = unfinished;
        }
        result
    }

    fn resume(
        &mut self,
        number: ConstraintNumber,
        propagation: &mut Propagation,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let (constraint, mut witness) = self.take_with_witness(number);
        let call = Call {
            number,
            witness: &mut witness,
        };
        let result = constraint.resume(propagation, self, call, budget);
        self.return_witness(number, witness, budget);
        result
    }

    fn take_with_witness(&mut self, number: ConstraintNumber) -> (Arc<Constraint>, Vec<u32>) {
        let number = number as usize;
        let witness = std::mem::take(&mut self.witnesses[number]);
        (self.constraints[number].clone(), witness)
    }

    fn return_witness(&mut self, number: ConstraintNumber, witness: Vec<u32>, budget: &mut Budget) {
        self.witnesses[number as usize] = witness;
        self.looks_from = None;
        budget.spend(VISITS_OF_BEGINNING + std::mem::take(&mut self.wakes));
    }

    fn wipeout_by(&mut self, number: ConstraintNumber, wiped: DomainWipeout) -> DomainWipeout {
        self.granted = 0;
        self.weights[number as usize] += 1;
        self.failed = Some(number);
        self.record_failure(number);
        wiped
    }
}
