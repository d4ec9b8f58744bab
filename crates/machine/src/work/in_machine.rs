//! How the machine continues work that takes more than a piece.

use super::{CurrentWork, WorkResult};
use crate::errors::error::Fault;
use crate::machine::{Exit, Machine};

impl Machine {
    /// Moves current works out of the machine, for the time of a collection.
    pub(crate) fn take_works(&mut self) -> [CurrentWork; 2] {
        let interrupted = self
            .host_call
            .as_mut()
            .map(|host_call| std::mem::take(&mut host_call.current_work));
        [
            std::mem::take(&mut self.context.current_work),
            interrupted.unwrap_or_default(),
        ]
    }

    /// Moves them back.
    pub(crate) fn put_works(&mut self, [under_way, interrupted]: [CurrentWork; 2]) {
        self.context.current_work = under_way;
        if let Some(host_call) = &mut self.host_call {
            host_call.current_work = interrupted;
        }
    }

    /// Recomputes the bytes of current works.
    pub(crate) fn count_works(&mut self) -> usize {
        let host_call = self
            .host_call
            .iter_mut()
            .map(|host_call| &mut host_call.current_work);
        let works = std::iter::once(&mut self.context.current_work).chain(host_call);
        works.fold(0, |sum, work| {
            work.counted = work.bytes();
            sum + work.counted
        })
    }

    /// Resumes the current work, and runs its instruction once it is done.
    ///
    /// # Errors
    /// A reason to stop; the work is still there then if it is not done.
    pub(crate) fn go_on_working(&mut self) -> Result<(), Exit> {
        loop {
            // Charge the memory of the previous piece, which the instruction may have done itself.
            self.context.count_work();
            self.check_and_stop()?;
            let Some(mut work) = self.context.current_work.work.take() else {
                break;
            };
            match self.context.do_piece(&mut *work) {
                Ok(None) => self.context.current_work.work = Some(work),
                Ok(Some(value)) => {
                    self.context.current_work.done = Some(WorkResult::of(work, value))
                }
                Err(Fault::Memory(bytes)) => {
                    self.context.current_work.work = Some(work);
                    self.context.count_work();
                    self.make_room(bytes)?;
                }
                Err(fault) => {
                    drop(work);
                    self.context.count_work();
                    self.pc += 1;
                    return self.handle(fault);
                }
            }
        }
        self.pc += 1;
        if let Some(WorkResult::Wrong(complaint)) = self
            .context
            .current_work
            .done
            .take_if(|done| matches!(done, WorkResult::Wrong(_)))
        {
            return self.handle(Fault::Error(complaint));
        }
        let code = self.context.code.clone();
        let result = self.step(&code);
        // The instruction may not have taken the result.
        self.context.current_work.done = None;
        self.context.count_work();
        match result {
            Err(Exit::Working) => Ok(()),
            other => other,
        }
    }

    /// Drops the current work: its instruction will not run, or starts again.
    pub(crate) fn drop_work(&mut self) {
        self.context.current_work.work = None;
        self.context.current_work.done = None;
        self.context.current_work.resting = None;
        self.context.learning.discard_question();
        self.context.count_work();
    }

    /// Finishes the current work regardless of limits, so that it need not be saved. If its result is not a value,
    /// the instruction repeats the work.
    pub(crate) fn finish_work(&mut self) {
        // The run is paused: all fuel was given back.
        self.context.fuel = 0;
        while let Some(mut work) = self.context.current_work.work.take() {
            match self.context.do_piece(&mut *work) {
                Ok(None) => self.context.current_work.work = Some(work),
                Ok(Some(value)) => {
                    self.context.current_work.done = Some(WorkResult::of(work, value))
                }
                // Repeated, it would cost less: what it has frozen and converted is known by now.
                Err(Fault::Fail) => self.leave_failing(),
                Err(Fault::Error(complaint)) => {
                    self.context.current_work.done = Some(WorkResult::Wrong(complaint))
                }
                // Its instruction starts again, and is charged again.
                Err(_) => self.context.fuel += self.context.current_work.paid,
            }
            self.context.count_work();
        }
        // Results that are not values are not saved.
        if self
            .context
            .current_work
            .done
            .take_if(|done| matches!(done, WorkResult::Whole(_)))
            .is_some()
        {
            self.context.fuel += self.context.current_work.paid;
            self.context.count_work();
        }
        self.statistics.steps = self
            .statistics
            .steps
            .saturating_add_signed(-self.context.fuel);
        self.context.fuel = 0;
    }
}
