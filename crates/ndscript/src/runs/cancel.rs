//! Stopping runs from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops runs from another thread. A clone of a token stops the runs of the original.
///
/// ```
/// use ndscript::{CancelToken, Engine, LimitReached, Outcome};
/// let program = Engine::new().compile("while (true) {}")?;
/// let stop_all = CancelToken::new();
/// let mut runs: Vec<_> = (0..3).map(|seed| program.run(seed)).collect();
/// runs.iter_mut().for_each(|run| run.set_cancel_token(&stop_all));
/// stop_all.cancel();
/// for run in &mut runs {
///     assert!(matches!(run.resume(u64::MAX), Outcome::Limit(LimitReached::Cancelled)));
/// }
/// // Taken back, they go on.
/// stop_all.clear();
/// assert!(matches!(runs[0].resume(1000), Outcome::OutOfFuel));
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Default)]
pub struct CancelToken(pub(crate) Arc<AtomicBool>);

impl CancelToken {
    /// A token for runs that are given it with [`Run::set_cancel_token`](crate::Run::set_cancel_token).
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Stops the runs at their next check with [`LimitReached::Cancelled`](crate::LimitReached::Cancelled).
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether they are to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes the cancellation back: the runs can be resumed again.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
