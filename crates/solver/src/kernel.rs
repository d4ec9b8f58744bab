//! What follows from the Booleans of a rule over a graph, and why: one function for both the propagator and the search
//! that learns.

use std::ops::Range;
use std::sync::Arc;

/// A Boolean that a kernel reasons about, by its meaning for places of the board.
#[derive(Clone, Debug)]
pub enum Item {
    /// The place holds one of these values (a mask as elsewhere).
    Holds {
        /// The place, by number.
        place: u32,
        /// The values, as a mask.
        values: Box<[u64]>,
    },
    /// The two places hold values that fit: for a value of the first by number, the mask of those of the second.
    Fits {
        /// A place, by number.
        first: u32,
        /// Another one.
        second: u32,
        /// The allowed pairs of values.
        pairs: Arc<[Box<[u64]>]>,
    },
}

/// Whether an item holds, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Status {
    /// It may be so or not.
    #[default]
    Open,
    /// It is so.
    Yes,
    /// It is not so.
    No,
}

/// A Boolean, by the number of its item, and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The item, by its number in [`Kernel::items`].
    pub item: u32,
    /// Whether it is so.
    pub is: bool,
}

impl Literal {
    /// The item is so.
    pub fn yes(item: u32) -> Literal {
        Literal { item, is: true }
    }

    /// The item is not so.
    pub fn no(item: u32) -> Literal {
        Literal { item, is: false }
    }
}

/// The inferences of a kernel: each conclusion follows from its reason by the constraint alone.
#[derive(Clone, Debug, Default)]
pub struct Inferences {
    wants_reasons: bool,
    /// Each with the part of the list that is its reason.
    conclusions: Vec<(Literal, Range<u32>)>,
    reasons: Vec<Literal>,
    failure: Option<Vec<Literal>>,
    work: usize,
}

impl Inferences {
    /// Nothing found yet.
    pub fn new(wants_reasons: bool) -> Inferences {
        Inferences {
            wants_reasons,
            ..Inferences::default()
        }
    }

    /// Whether reasons are wanted.
    pub fn wants_reasons(&self) -> bool {
        self.wants_reasons
    }

    /// Adds a conclusion. The reason is a list of literals that hold now; it is empty if no reasons are wanted.
    pub fn conclude(&mut self, literal: Literal, reason: impl IntoIterator<Item = Literal>) {
        let start = self.reasons.len() as u32;
        if self.wants_reasons {
            self.reasons.extend(reason);
        }
        let reason = start..self.reasons.len() as u32;
        self.conclusions.push((literal, reason));
    }

    /// Adds a conclusion that has the same reason as the last one.
    pub fn conclude_too(&mut self, literal: Literal) {
        let last = self.conclusions.last();
        let reason = last.map_or(0..0, |(_, reason)| reason.clone());
        self.conclusions.push((literal, reason));
    }

    /// Records that the constraint cannot hold. Only the first failure counts.
    pub fn fail(&mut self, reason: impl IntoIterator<Item = Literal>) {
        if self.failure.is_none() {
            let reason = reason.into_iter();
            self.failure = Some(match self.wants_reasons {
                true => reason.collect(),
                false => Vec::new(),
            });
        }
    }

    /// Adds a conclusion whose reason is computed only if it is wanted.
    pub fn conclude_by(&mut self, literal: Literal, reason: impl FnOnce() -> Vec<Literal>) {
        match self.wants_reasons {
            true => self.conclude(literal, reason()),
            false => self.conclude(literal, []),
        }
    }

    /// Records that the constraint cannot hold, with a reason that is computed only if it is wanted. Always true, as
    /// something was found.
    pub fn fail_by(&mut self, reason: impl FnOnce() -> Vec<Literal>) -> bool {
        match self.wants_reasons {
            true => self.fail(reason()),
            false => self.fail([]),
        }
        true
    }

    /// Counts visits that were made to infer.
    pub fn spend(&mut self, visits: usize) {
        self.work += visits;
    }

    /// Discards all inferences.
    pub fn clear(&mut self) {
        self.conclusions.clear();
        self.reasons.clear();
        self.failure = None;
        self.work = 0;
    }

    /// Why it cannot hold, if it cannot.
    pub fn failure(&self) -> Option<&[Literal]> {
        self.failure.as_deref()
    }

    /// The conclusions, each with its reason, in the order found.
    pub fn conclusions(&self) -> impl Iterator<Item = (Literal, &[Literal])> {
        self.conclusions.iter().map(|(literal, reason)| {
            let reason = reason.start as usize..reason.end as usize;
            (*literal, &self.reasons[reason])
        })
    }

    /// The visits made, for the caller to take from its budget.
    pub fn work(&self) -> usize {
        self.work
    }
}

/// Infers what follows from the Booleans of a constraint.
pub trait Kernel: Send + Sync {
    /// The items, in the order of their numbers.
    fn items(&self) -> Vec<Item>;

    /// Everything that follows at once (need not be a fixpoint: it is called again after its conclusions are carried out).
    fn infer(&self, status: &[Status], found: &mut Inferences);

    /// Some of what it says, of few items each, as clauses: a search that has them asks less often for the rest.
    fn clauses(&self) -> Vec<Vec<Literal>> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_belongs_to_its_conclusion() {
        let mut found = Inferences::new(true);
        found.conclude(Literal::yes(1), [Literal::no(2), Literal::yes(3)]);
        found.conclude(Literal::no(4), []);
        found.conclude(Literal::no(5), [Literal::yes(6)]);
        found.conclude_too(Literal::no(7));
        let all: Vec<_> = found.conclusions().collect();
        assert_eq!(
            all[0],
            (Literal::yes(1), &[Literal::no(2), Literal::yes(3)][..])
        );
        assert_eq!(all[1], (Literal::no(4), &[][..]));
        assert_eq!(all[2], (Literal::no(5), &[Literal::yes(6)][..]));
        assert_eq!(all[3], (Literal::no(7), &[Literal::yes(6)][..]));
        found.fail([Literal::yes(6)]);
        found.fail([]);
        assert_eq!(found.failure(), Some(&[Literal::yes(6)][..]));
        found.clear();
        assert_eq!(found.conclusions().count(), 0);
        assert!(found.failure().is_none() && found.wants_reasons());
    }

    #[test]
    fn without_reasons_there_are_only_conclusions() {
        let mut found = Inferences::new(false);
        found.conclude(Literal::yes(1), [Literal::no(2)]);
        found.fail([Literal::no(2)]);
        assert_eq!(found.conclusions().next(), Some((Literal::yes(1), &[][..])));
        assert_eq!(found.failure(), Some(&[][..]));
    }
}
