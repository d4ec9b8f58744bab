//! A write of a search, stored in few bytes until its text is wanted.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use ndscript::View;
use ndscript::{Moment, Target};
use ndscript_base::source::Sources;

/// A write to a place. Its text is `place = value`, where a long value is shortened; see
/// [`Node::writes`](crate::Node::writes).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    place: Arc<str>,
    value: StoredValue,
}

/// A value, or the beginning of its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum StoredValue {
    Number(i64),
    Text(Box<str>),
}

impl Change {
    /// The place, as the program would write it.
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.value {
            StoredValue::Number(number) => write!(f, "{} = {number}", self.place),
            StoredValue::Text(text) => write!(f, "{} = {text}", self.place),
        }
    }
}

/// Interned names of variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(FxHashMap<Box<str>, Arc<str>>);

impl Names {
    fn intern(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.get(name) {
            return known.clone();
        }
        let shared: Arc<str> = name.into();
        self.0.insert(name.into(), shared.clone());
        shared
    }

    /// Records a write, with at most `most` characters of its value.
    pub fn record_write(
        &mut self,
        (moment, sources): (&Moment<'_>, &Sources),
        target: &Target<'_>,
        value: View<'_>,
        most: usize,
    ) -> Change {
        let place = match target {
            Target::Variable(name) => self.intern(name),
            // Stored as text, since variables may refer to other collections later.
            Target::Part(..) | Target::Whole(_) => target.text_in(moment, sources).into(),
        };
        let value = match value.as_i64() {
            Some(number) => StoredValue::Number(number),
            None => StoredValue::Text(value.beginning(most).into()),
        };
        Change { place, value }
    }
}
