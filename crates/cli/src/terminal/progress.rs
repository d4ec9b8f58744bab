//! A line on the terminal about the progress of a long search, which is updated.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use ndscript::Run;
use ndscript::counted::counted;

/// Shorter searches show none.
const DELAY: Duration = Duration::from_secs(2);
/// The time between updates.
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);

/// The line.
pub struct Progress {
    is_wanted: bool,
    is_shown: bool,
    renewed: Option<Instant>,
}

impl Progress {
    /// It is hidden if nobody would see it updated.
    pub fn new() -> Progress {
        Progress {
            is_wanted: io::stderr().is_terminal(),
            is_shown: false,
            renewed: None,
        }
    }

    /// Shows or renews it, of a run that has searched for so long.
    pub fn show(&mut self, run: &Run, time: Duration) {
        let is_due = self
            .renewed
            .is_none_or(|renewed| renewed.elapsed() >= UPDATE_INTERVAL);
        if !self.is_wanted || time < DELAY || !is_due {
            return;
        }
        self.renewed = Some(Instant::now());
        self.is_shown = true;
        // If it cannot be written, nothing is lost.
        let _ = write!(io::stderr().lock(), "\r\x1b[K{}", words(run, time));
    }

    /// Takes it away, before something else is written.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

/// The progress of a run.
fn words(run: &Run, time: Duration) -> String {
    let figures = run.statistics();
    let mut words = format!(
        "{:.0} s: {}, {}, {}",
        time.as_secs_f64(),
        counted(figures.steps, "step"),
        counted(figures.failures, "failure"),
        counted(run.open_choices(), "open choice")
    );
    if let Some(best) = run.best_so_far() {
        words += &format!(", the best so far costs {best}");
    }
    words
}
