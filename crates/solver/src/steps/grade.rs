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

/// The grade of the hardest step alone: for each kind the base, and what its size adds at most.
const HARDEST: [(f64, f64); 5] = [(0.5, 0.0), (1.0, 2.5), (4.0, 1.0), (5.0, 3.0), (9.0, 0.0)];

/// Grades the steps of a solution.
///
/// The level is that of the hardest step, plus up to one for the number of steps that are as hard (a logarithm: ten
/// steps of the hardest kind add a half). A step by one rule counts 1, plus up to 2.5 with the places that it follows
/// from (half of it at eight places); two rules together 4 to 5; a supposition 5 to 8 with the length of its chain
/// (half of it at eight steps); a search 9.
pub fn grade(steps: &[Step], end: End) -> Grade {
    let mut found = Grade::default();
    let (mut hardest, mut how_often) = (0.0, 0.0);
    for step in steps {
        let kind = step.kind as usize;
        found.steps[kind] += 1;
        found.largest = found.largest.max(step.places.len());
        found.longest = found.longest.max(step.chain.len());
        let size = match step.kind {
            Kind::Rule => step.places.len(),
            _ => step.chain.len(),
        };
        let (least, more) = HARDEST[kind];
        let level = least + more * size as f64 / (size as f64 + 8.0);
        if level > hardest + 0.25 {
            (hardest, how_often) = (level, 0.0);
        }
        if level > hardest - 0.25 {
            how_often += 1.0;
        }
        hardest = hardest.max(level);
    }
    let repeated: f64 = if how_often > 0.0 {
        (0.5 * f64::log10(how_often)).min(1.0)
    } else {
        0.0
    };
    found.level = match end {
        End::Solved | End::NoSolution => (hardest + repeated).min(10.0),
        End::Open | End::GaveUp => 10.0,
    };
    found
}
