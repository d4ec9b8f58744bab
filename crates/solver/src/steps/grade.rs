//! How hard a puzzle is, from the steps that solve it.

use super::{End, Kind, Step};

/// The difficulty of a puzzle by its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grade {
    /// How many steps of each kind there are: [`Kind::Direct`], [`Kind::Rule`], [`Kind::Rules`], [`Kind::Suppose`], [`Kind::Search`].
    pub steps: [usize; 5],
    /// The most places that a step follows from.
    pub largest: usize,
    /// The most steps in the chain of a supposition.
    pub longest: usize,
    /// From 0 (nothing to conclude) to 10.
    pub level: f64,
}

/// The level of one step: for each kind the base, and what its size adds at most.
const LEVELS: [(f64, f64); 5] = [(0.5, 0.0), (1.0, 2.5), (4.0, 1.0), (5.0, 3.0), (9.0, 0.0)];

/// Grades the steps of a solution.
///
/// A step by one rule counts 1, plus up to 2.5 with the places that it follows from (half of it at eight places); two rules
/// together 4 to 5; a supposition 5 to 8 with the length of its chain (half of it at eight steps); a search 9. The level of
/// all is the eighth root of the sum of their eighth powers, so that it is that of the hardest step where that stands alone, a
/// third more where it comes ten times, and hardly heeds the easy ones.
pub fn grade(steps: &[Step], end: End) -> Grade {
    let mut found = Grade::default();
    let mut sum: f64 = 0.0;
    for step in steps {
        let kind = step.kind as usize;
        found.steps[kind] += 1;
        found.largest = found.largest.max(step.places.len());
        found.longest = found.longest.max(step.chain.len());
        let size = match step.kind {
            Kind::Rule => step.places.len(),
            _ => step.chain.len(),
        };
        let (least, more) = LEVELS[kind];
        let level = least + more * size as f64 / (size as f64 + 8.0);
        // Multiplied and rooted so that all machines give the same bits.
        let fourth = (level * level) * (level * level);
        sum += fourth * fourth;
    }
    found.level = match end {
        End::Solved | End::NoSolution => sum.sqrt().sqrt().sqrt().min(10.0),
        End::Open | End::GaveUp => 10.0,
    };
    found
}
