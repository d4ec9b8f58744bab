//! Stopping runs.

use ndscript::CancelToken;

use crate::border::{given, guard};
use crate::run::NdsRun;

/// Lets a run stop at its next look at limits, with NDS_OUTCOME_LIMIT. From any thread, also while the run goes on. The
/// run must not be freed meanwhile.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_cancel(run: Option<&NdsRun>) -> bool {
    with_token(run, CancelToken::cancel)
}

/// Takes a cancellation back: the run can go on, and so can a call that it was in. From any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_uncancel(run: Option<&NdsRun>) -> bool {
    with_token(run, CancelToken::clear)
}

fn with_token(run: Option<&NdsRun>, act: impl FnOnce(&CancelToken)) -> bool {
    guard(false, || {
        act(given(run, "run")?.token());
        Ok(true)
    })
}
