//! Backjumping: a failure of `decide` goes back to the latest guess that had a part in it ("conflict-directed
//! backjumping", Prosser, 1993). The skipped branches hold no solution: the constraints of the board exclude all of
//! them, whatever was guessed there.
//!
//! Guesses are recorded from the first failure of their call on, as most maps are made without any. Going back to one
//! that is not recorded tries its next alternative, and records later guesses.
//!
//! Each guess stores the conflicts of the alternatives that have failed already: the places whose candidates, as they
//! were before it, leave these alternatives no solution. When no alternative is left, their union is a conflict of
//! the earlier guesses. Only guesses of one call of `decide` are skipped, and none after which something else has
//! happened to the board: a function of the program has written to it or posted a constraint, or the host has called
//! or written. A function that only reads changes nothing that the constraints say. Any other failure, of such a
//! function too, goes back to the latest choice point.

mod in_machine;

use ndscript_base::room;
use ndscript_heap::Value;

/// A guess of `decide` that may be wrong. It stays when its choice point is removed because the last alternative was
/// taken.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The call of `decide`.
    pub call: u64,
    pub board: Value,
    /// How many choice points there were before its own.
    pub choices: u32,
    /// Whether its last alternative was taken.
    pub is_last: bool,
    /// The number of removals recorded for the board before it.
    pub losses: usize,
    pub failed: Failed,
}

/// Why the alternatives of a guess that were tried have failed.
#[derive(Clone, Debug)]
pub enum Failed {
    /// The candidates of these places leave them no solution. Empty while no alternative has failed.
    Places(Vec<u32>),
    /// For any reason.
    Somehow,
}

impl Guess {
    pub fn bytes(&self) -> usize {
        if let Failed::Places(places) = &self.failed {
            room::row(places)
        } else {
            0
        }
    }
}

/// The number of a call; none if its guesses are not to be skipped.
fn number_of(call: Value) -> Option<u64> {
    call.as_integer().and_then(|call| u64::try_from(call).ok())
}

impl Default for Failed {
    fn default() -> Failed {
        Failed::Places(Vec::new())
    }
}

ndscript_base::saved!(struct Guess { call, board, choices, is_last, losses, failed });

ndscript_base::saved!(enum Failed { 0 => Places(places), 1 => Somehow {} });
