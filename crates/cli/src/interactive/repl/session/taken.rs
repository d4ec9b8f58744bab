//! What is chosen at the open choices, found by going the way of the session once more.

use std::ops::ControlFlow;

use ndscript::source::Sources;
use ndscript::{Event, Moment, Observer, Wanted};

use super::Session;

/// So many bytes of a value are kept.
const SHORT: usize = 60;

/// A choice point that is open.
struct Open {
    id: u64,
    /// How many alternatives it had.
    of: usize,
    chosen: String,
}

/// Follows the choice points of a run, from one on that has none.
struct Taken {
    sources: Sources,
    /// The earliest first. Those that were closed without a word stand above the others.
    open: Vec<Open>,
}

impl Observer for Taken {
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
                self.open.push(Open {
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
                        (Some(value), _) => value.beginning(SHORT),
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

/// What was chosen at each open choice of a session, the latest first; nothing if its way is not known any more.
pub fn taken(session: &Session) -> Vec<String> {
    let mut taken = Taken {
        sources: session.program().sources().clone(),
        open: Vec::new(),
    };
    if !session.has_whole_way() || session.all_once_more(&mut taken).is_err() {
        return Vec::new();
    }
    taken.open.truncate(session.run().open_choices());
    taken
        .open
        .into_iter()
        .rev()
        .map(|open| open.chosen)
        .collect()
}
