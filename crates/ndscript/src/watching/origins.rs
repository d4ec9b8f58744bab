//! Where values came from in a run that was watched for it.

use crate::runs::run::Run;
use crate::values::view::View;
use ndscript_machine::machine::Machine;
use ndscript_machine::watch::origins::Definition;
use ndscript_machine::watch::origins::Origins;

/// The recorded origins of values in a run: definitions, by numbers.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct OriginIndex<'a> {
    origins: &'a Origins,
    machine: &'a Machine,
}

impl Run {
    /// The recorded origins of values, if the run was watched for that.
    #[doc(hidden)]
    pub fn origins(&self) -> Option<OriginIndex<'_>> {
        Some(OriginIndex {
            origins: self.watch.origins.as_deref()?,
            machine: &self.machine,
        })
    }
}

impl<'a> OriginIndex<'a> {
    /// Whether there was too much to be known.
    pub fn is_full(&self) -> bool {
        self.origins.is_full()
    }

    /// The definitions, in order.
    pub fn definitions(&self) -> &'a [Definition] {
        self.origins.definitions()
    }

    /// The definitions of the variable that a name means now, the latest first; or the sources of its value.
    pub fn of_variable(&self, name: &str) -> Vec<u32> {
        self.origins.of_variable(self.machine, name)
    }

    /// The definitions of a place of a collection, the latest first; or the sources of its value.
    pub fn of_place(&self, collection: View<'_>, place: usize) -> Vec<u32> {
        self.origins.of_place(collection.word, place)
    }

    /// The latest definitions of the places of a collection.
    pub fn of_contents(&self, collection: View<'_>) -> Vec<u32> {
        self.origins.of_contents(self.machine, collection.word)
    }
}
