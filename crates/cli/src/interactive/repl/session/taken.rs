//! The chosen alternatives of the open choices, found by running through the session again.

use std::ops::ControlFlow;

use ndscript::source::Sources;
use ndscript::{Event, Moment, Observer, Wanted};

use super::Session;

/// At most this many bytes of a value are stored.
const MOST_BYTES: usize = 60;

/// A choice point that is open.
struct OpenChoicePoint {
    id: u64,
    /// The number of its alternatives.
    of: usize,
    chosen: String,
}

/// Follows the choice points of a run, from one on that has none.
struct ChoiceTracker {
    sources: Sources,
    /// The earliest first. Those that were closed without a word stand above the others.
    open: Vec<OpenChoicePoint>,
}

impl Observer for ChoiceTracker {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Choice {
                id,
                parent,
                alternatives,
            } => {
                let below =
                    parent.and_then(|parent| self.open.iter().rposition(|open| open.id == parent));
                self.open.truncate(below.map_or(0, |below| below + 1));
                self.open.push(OpenChoicePoint {
                    id: *id,
                    of: *alternatives,
                    chosen: String::new(),
                });
            }
            Event::Take {
                id,
                number,
                alternative,
                value,
            } => {
                let Some(at) = self.open.iter().rposition(|open| open.id == *id) else {
                    return ControlFlow::Continue(());
                };
                let is_last = number + 1 >= self.open[at].of;
                self.open.truncate(if is_last { at } else { at + 1 });
                if let Some(open) = self.open.get_mut(at) {
                    open.chosen = match (value, alternative) {
                        (Some(value), _) => value.beginning(MOST_BYTES),
                        (None, Some(span)) => self.sources.text(*span).to_string(),
                        (None, None) => moment
                            .search_in_words(*number)
                            .unwrap_or_default()
                            .to_string(),
                    };
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            reasons: false,
            ..Wanted::default()
        }
    }
}

/// The chosen alternative of each open choice of a session, the latest first; empty if its states are no longer known.
pub fn chosen_alternatives(session: &Session) -> Vec<String> {
    let mut tracker = ChoiceTracker {
        sources: session.program().sources().clone(),
        open: Vec::new(),
    };
    if !session.has_all_states() || session.all_once_more(&mut tracker).is_err() {
        return Vec::new();
    }
    tracker.open.truncate(session.run().open_choices());
    tracker
        .open
        .into_iter()
        .rev()
        .map(|open| open.chosen)
        .collect()
}
