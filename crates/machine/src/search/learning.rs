//! When the guesses of a `decide` fail again and again, they are undone back to the latest solution, and a search
//! that learns from its conflicts ([`ndscript_solver::learning`]) decides whether there is a solution, and finds one.
//! The guesses are then made again, following that solution, so that every solution still comes once.

mod in_machine;

use ndscript_base::room;
use ndscript_heap::Value;

/// Failures before the learning search starts; most boards are solved earlier, in less time than making its copy of
/// the board takes.
const FIRST_LIMIT: u64 = 1024;

/// The limit after learning has refuted a guess: the rest is likely to be as hard.
const NEXT_LIMIT: u64 = 64;

/// This part of the limit is enough if the failures took this many steps for each that the limit allows.
const PART_OF_LIMIT: u64 = 8;

/// More make whoever fails at all wait for the search, which mostly ends at once; with fewer it costs more than it saves.
const STEPS_OF_FAILURE: u64 = 512;

/// The visits of the first turn of the search that learns, some tenths of a second: many a search that begins elsewhere is over
/// at once where one that goes on is not. With a quarter of it, puzzles that need one turn take two.
const FIRST_TURN: u64 = 1 << 25;

/// So many guesses are refuted one by one before the first question about the whole board.
const FIRST_REFUTED: u32 = 8;

/// Each turn is twice as long as the one before, at most this often.
const MOST_DOUBLED: u32 = 32;

/// The state of learning for the latest call of `decide` that has failed. Backtracking does not undo it.
#[derive(Clone, Debug, Default)]
pub struct Learning {
    call: u64,
    /// Guesses up to this serial may have led to solutions and stay.
    since_serial: u64,
    /// Choice points above this number of them have led to no solution, whichever alternatives they have tried.
    since_height: usize,
    failures: u64,
    limit: u64,
    /// The steps that the run had taken at the first of these failures.
    steps: u64,
    /// How many times the search that learns was put off.
    postponements: u32,
    /// How many guesses it has refuted since it was asked about the whole board, and how often it was.
    refuted: u32,
    wholes: u32,
    /// Whether the search that learns is asked before the next guess.
    is_due: bool,
    /// By place the number of the value that the solution has there; empty if none is known.
    solution: Vec<u32>,
    /// By place, the value numbers of a solution that only costs too much; a better one is likely to be similar.
    guide: Vec<u32>,
    /// By place, the value numbers of the only solution so far, if nothing is wanted but one besides it; else empty.
    known: Vec<u32>,
}

impl Learning {
    /// Whether nothing is wanted of a call but a solution besides this one.
    pub fn is_known(&self, call: u64, solution: &[u32]) -> bool {
        self.call == call && self.known == solution
    }

    /// From now on nothing is wanted of a call but a solution besides this one: all its guesses may be taken back, and the search that
    /// learns is asked about the whole board. Guesses may then come to the known solution once more.
    pub fn look_besides(&mut self, call: u64, known: Vec<u32>) {
        // Turns go on growing, or a search that takes long would never end.
        let postponements = match self.call == call {
            true => self.postponements,
            false => 0,
        };
        *self = Learning {
            call,
            since_serial: call,
            since_height: u32::MAX as usize,
            limit: NEXT_LIMIT << postponements.min(MOST_DOUBLED),
            postponements,
            known,
            ..Learning::default()
        };
    }

    /// The solution besides which another one is wanted; empty if there is none.
    pub fn known(&self) -> &[u32] {
        &self.known
    }

    /// Whether the search that learns is asked before the next guess.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.is_due
    }

    /// Uses a solution. If it does not cover all constraints it may be wrong, and learning runs less often.
    pub fn use_solution(&mut self, solution: Vec<u32>, may_be_none: bool) {
        self.solution = solution;
        (self.is_due, self.failures) = (false, 0);
        self.limit = if may_be_none {
            self.limit.saturating_mul(4)
        } else {
            FIRST_LIMIT
        };
    }

    /// Whether a search that has made this many visits is put off: neither way of searching is better for all boards,
    /// so they alternate, with growing turns.
    pub fn has_had_its_turn(&self, visits: u64) -> bool {
        visits >= FIRST_TURN << self.postponements.min(MOST_DOUBLED)
    }

    /// Starts another period of guessing.
    pub fn put_off(&mut self) {
        self.postponements = self.postponements.saturating_add(1);
        (self.is_due, self.failures) = (false, 0);
        self.limit = (2 * NEXT_LIMIT) << self.postponements.min(MOST_DOUBLED);
        self.solution.clear();
    }

    /// Whether all guesses without a solution are taken back, and not only those at their first alternative: so many alternatives
    /// were refuted one by one that it is time to ask about the whole board. What they have shown is lost then, so it takes twice
    /// as many of them the next time.
    fn asks_about_the_whole(&mut self) -> bool {
        let is_time = self.refuted >= FIRST_REFUTED << self.wholes.min(MOST_DOUBLED / 2);
        if is_time {
            self.refuted = 0;
            self.wholes = self.wholes.saturating_add(1);
        }
        is_time
    }

    /// There is no solution: an earlier guess is wrong. Lowers the limit, so learning restarts soon.
    pub fn refute(&mut self) {
        self.refuted = self.refuted.saturating_add(1);
        (self.is_due, self.failures, self.limit) = (false, 0, NEXT_LIMIT);
        self.solution.clear();
    }

    /// Whether there were enough failures, or enough work for a part of them, to start the search that learns.
    fn has_failed_enough(&self, steps: u64) -> bool {
        let is_part = self.failures >= self.limit / PART_OF_LIMIT;
        let work = self.limit.saturating_mul(STEPS_OF_FAILURE);
        self.failures >= self.limit || is_part && steps.saturating_sub(self.steps) >= work
    }

    /// Called when the run continues at another place.
    pub fn discard_question(&mut self) {
        self.is_due = false;
    }

    /// Learning cannot decide this call.
    pub fn give_up(&mut self) {
        (self.is_due, self.limit) = (false, u64::MAX);
    }

    /// The number of the value that is tried first at a place of the board of a call.
    pub fn suggested(&self, call: Value, place: usize) -> Option<u32> {
        let is_own = call
            .as_integer()
            .is_some_and(|call| call as u64 == self.call);
        let known = self.solution.get(place).or_else(|| self.guide.get(place));
        known.copied().filter(|_| is_own)
    }

    /// Whether the values of a solution, or of one that costs too much, are tried first.
    #[inline]
    pub fn is_guided(&self) -> bool {
        !self.guide.is_empty() || !self.solution.is_empty()
    }

    /// By place the value of a solution that costs too much; empty if none is known.
    pub fn guide(&self) -> &[u32] {
        &self.guide
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.solution) + room::row(&self.guide) + room::row(&self.known)
    }
}

ndscript_base::saved!(struct Learning { call, since_serial, since_height, failures, limit, steps, postponements, refuted, wholes, is_due, solution, guide, known });
