//! Effects that were not reported to any observer.

use std::collections::BTreeSet;
use std::sync::Arc;

/// What a run has done that its watcher did not want reported.
#[derive(Clone, Debug, Default)]
pub struct Unreported {
    /// The variables that may have got a value.
    pub variables: BTreeSet<Arc<str>>,
    /// Whether functions may have been called, and have returned.
    pub calls: bool,
    pub choices: u64,
    pub failures: u64,
}
