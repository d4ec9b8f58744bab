//! What follows from Booleans by a rule, and why: the part of a constraint that the propagator and the search that learns share.

use std::sync::Arc;

/// A Boolean that a kernel reasons about, by what it means for places of the board.
#[derive(Clone, Debug)]
pub enum Item {
    /// The place holds one of these values (a mask as elsewhere).
    Holds { place: u32, values: Box<[u64]> },
    /// The two places hold values that fit: for a value of the first by number, the mask of those of the second.
    Fits {
        first: u32,
        second: u32,
        pairs: Arc<[Box<[u64]>]>,
    },
}

/// What is known of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Status {
    #[default]
    Open,
    Yes,
    No,
}

/// A Boolean with what it is: the item by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    pub item: u32,
    pub is: bool,
}

/// What a kernel has found: each conclusion follows from its reason by the constraint alone.
#[derive(Clone, Debug, Default)]
pub struct Inferences {
    conclusions: Vec<(Literal, u32)>,
    reasons: Vec<Literal>,
    failure: Option<Vec<Literal>>,
    wants_reasons: bool,
    work: usize,
}

impl Inferences {
    pub fn new(wants_reasons: bool) -> Inferences {
        Inferences {
            wants_reasons,
            ..Inferences::default()
        }
    }

    pub fn failure(&self) -> Option<&[Literal]> {
        self.failure.as_deref()
    }

    pub fn conclusions(&self) -> impl Iterator<Item = (Literal, &[Literal])> {
        (0..self.conclusions.len()).map(|at| {
            let (literal, start) = self.conclusions[at];
            let end = self
                .conclusions
                .get(at + 1)
                .map_or(self.reasons.len(), |next| next.1 as usize);
            (literal, &self.reasons[start as usize..end])
        })
    }

    pub fn work(&self) -> usize {
        self.work
    }
}

/// What follows from the Booleans of a constraint.
pub trait Kernel: Send + Sync {
    fn items(&self) -> Vec<Item>;
    fn infer(&self, status: &[Status], found: &mut Inferences);
}
