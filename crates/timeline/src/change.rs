//! A change that a search has made, kept in few bytes until somebody wants to read it.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use ndscript::View;
use ndscript::{Moment, Target};
use ndscript_base::source::Sources;

/// What a place got. Its text is `place = value`, with the beginning of a long value; see [`Node::writes`](super::Node::writes).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    place: Arc<str>,
    value: Kept,
}

/// A value, or the beginning of its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kept {
    Number(i64),
    Text(Box<str>),
}

impl Change {
    /// What was written to, as the program would write it.
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.value {
            Kept::Number(number) => write!(f, "{} = {number}", self.place),
            Kept::Text(text) => write!(f, "{} = {text}", self.place),
        }
    }
}

/// The names of variables, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(FxHashMap<Box<str>, Arc<str>>);

impl Names {
    fn of(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.get(name) {
            return known.clone();
        }
        let shared: Arc<str> = name.into();
        self.0.insert(name.into(), shared.clone());
        shared
    }

    /// A write, of whose value so many characters are kept.
    pub fn change(
        &mut self,
        (moment, sources): (&Moment<'_>, &Sources),
        target: &Target<'_>,
        value: View<'_>,
        most: usize,
    ) -> Change {
        let place = match target {
            Target::Variable(name) => self.of(name),
            // How it is called may be something else later.
            Target::Part(..) | Target::Whole(_) => target.text_in(moment, sources).into(),
        };
        let value = match value.as_i64() {
            Some(number) => Kept::Number(number),
            None => Kept::Text(value.beginning(most).into()),
        };
        Change { place, value }
    }
}
