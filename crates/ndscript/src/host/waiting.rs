//! Functions of the host that wait: for a network, a person, another frame.

use super::function::{HostError, HostResult, HostReturned};
use crate::runs::run::Run;
use crate::values::convert::{IntoValue, Maker};
use ndscript_heap::outside::value_error::ValueError;
use ndscript_machine::natives::native::HostReturn;

/// The return value of a host function that has no result yet. The run stops with
/// [`Outcome::Waiting`](crate::Outcome::Waiting) and this number, a ticket that the host has picked, and continues once
/// [`Run::deliver`] has brought the result, or [`Run::refuse`] an error. A function that waits at times returns
/// [`HostAnswer`](crate::HostAnswer).
///
/// Earlier choices stay open meanwhile; if the run backtracks beyond the call and reaches it again, the function is
/// called again. A clone of a waiting run, and one that was saved, waits for this number, too: each of them is to get
/// its result, and the host must know after a restart what the number means.
///
/// ```
/// use ndscript::{Engine, Outcome, Waiting};
/// let engine = Engine::new().with_function("download", |name: String| Waiting(name.len() as u64));
/// let program = engine.compile("let map = download(choose('dungeon', 'cave')); require(map != ''); print('got ', map);")?;
/// let mut run = program.run(1);
/// assert!(matches!(run.resume(1000), Outcome::Waiting(7)));
/// assert!(matches!(run.resume(1000), Outcome::Waiting(7)), "it goes on waiting");
/// let saved = run.save()?;
/// run.deliver(7, "")?; // nothing there: the program tries the other one
/// assert!(matches!(run.resume(1000), Outcome::Waiting(4)));
/// run.deliver(4, "rooms")?;
/// assert!(matches!(run.resume(1000), Outcome::Solved(solution) if solution.text == "got rooms"));
///
/// let mut restored = engine.restore(&program, &saved)?;
/// assert!(restored.deliver(4, "rooms").is_err(), "it waits for number 7");
/// restored.refuse(7, "the network is down")?;
/// assert!(matches!(restored.resume(1000), Outcome::Error(error) if error.diagnostic.message == "the network is down"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Waiting(pub u64);

impl HostResult for Waiting {
    fn give(self, _: Maker<'_>) -> Result<HostReturned, ValueError> {
        Ok(HostReturned(HostReturn::Wait(self.0)))
    }
}

impl Run {
    /// The number that a function of the host waits by, if one does.
    pub fn ticket(&self) -> Option<u64> {
        self.machine.ticket()
    }

    fn must_wait_for(&self, ticket: u64) -> Result<(), ValueError> {
        match self.machine.ticket() {
            Some(waiting) if waiting == ticket => Ok(()),
            Some(waiting) => Err(ValueError::NotAValue(format!(
                "the run waits for number {waiting}, not for {ticket}"
            ))),
            None => Err(ValueError::NotAValue(format!(
                "nothing in the run waits for number {ticket}"
            ))),
        }
    }

    /// Brings the result of a function of the host that waits; the run continues with it when it is resumed. For a call
    /// of the host ([`Run::begin_call`]) that waits, [`Run::resume_call`] continues.
    ///
    /// # Errors
    /// [`ValueError::NotAValue`] if nothing waits for this number, and the errors of [`Run::make`] about the value; then
    /// the run still waits.
    pub fn deliver(&mut self, ticket: u64, value: impl IntoValue) -> Result<(), ValueError> {
        self.must_wait_for(ticket)?;
        let made = self.make(value)?;
        let word = self.machine.context.roots.value(&made.0);
        let word = word.ok_or(ValueError::OtherRun)?;
        self.machine.deliver(ticket, word);
        Ok(())
    }

    /// Ends a waiting function of the host with an error, which is an error of the script at that call.
    ///
    /// # Errors
    /// [`ValueError::NotAValue`] if nothing waits for this number.
    pub fn refuse(&mut self, ticket: u64, message: impl Into<String>) -> Result<(), ValueError> {
        self.must_wait_for(ticket)?;
        let error = HostError::new(message);
        self.machine.refuse(ticket, error.to_string());
        Ok(())
    }
}
