//! Checks a proof that a board has no solution, exactly one, or one at all. It shares no code with the solver that has
//! written it, and uses only the standard library: it knows places, values, and what each constraint means
//! (`docs/decisions/proofs.md`).
//!
//! A proof is text. Its head describes the board: [`head`](mod@head). After the line `log` it derives clauses step by
//! step: [`log`].
//!
//! - An *explanation* is a clause that one constraint alone implies: if none of its literals held, the constraint could not.
//! - A *nogood* is a clause that follows from clauses before it: if none of its literals held, each of the named clauses in turn would
//!   leave one literal, and the last one none.
//! - A *solution* is values for all places, under which each constraint holds. From there on it is ruled out.
//!
//! A clause without literals means that there is no solution, or none apart from the listed ones.
//!
//! ```
//! use ndscript_proof::{Claim, check};
//!
//! // Two places with one value cannot be different.
//! let proof = "ndscript proof 1\nv 0 | red\np 0 0 | left\np 1 0 | right\nr 0 different : 0 1 | they differ\nlog\ne 1 0\nend none\n";
//! assert_eq!(check(proof).unwrap().claim, Claim::None);
//! assert!(check(&proof.replace("different : 0 1", "different : 0")).is_err());
//! ```
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod bits;
mod board;
pub mod head;
pub mod log;
mod rules;
mod state;

use std::fmt;

pub use head::head;
pub use log::{check, check_while};

/// The claim of a proof about its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// There is no solution.
    None,
    /// There is exactly one.
    One,
    /// There is one at least.
    Some,
    /// There are two at least.
    Several,
}

impl Claim {
    /// The word after `end`.
    pub fn word(self) -> &'static str {
        match self {
            Claim::None => "none",
            Claim::One => "one",
            Claim::Some => "some",
            Claim::Several => "several",
        }
    }

    /// As a sentence about a board.
    pub fn in_words(self) -> &'static str {
        match self {
            Claim::None => "there is no solution",
            Claim::One => "there is exactly one solution",
            Claim::Some => "there is a solution",
            Claim::Several => "there is more than one solution",
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The claim that was proven.
    pub claim: Claim,
    /// The solutions of the proof: for each place, in order, the number of its value.
    pub solutions: Vec<Vec<u32>>,
    /// How many clauses one constraint explains, and how many follow from others.
    pub explanations: usize,
    /// See there.
    pub nogoods: usize,
}

/// Why a proof shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from 1 on.
    pub line: usize,
    /// The error.
    pub why: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for Wrong {}
