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

/// A question about the latest guesses has this part of a turn: they have a solution soon, or hardly ever.
const PART_OF_TURN: u64 = 4;

/// So many of the latest guesses are asked about, and this many times more after each answer that they have no solution.
const FIRST_REACH: u32 = 16;
const REACH_GROWTH: u32 = 4;

/// Each turn about the whole board is twice as long as the one before, at most this often.
const MOST_DOUBLED: u32 = 32;

/// The state of learning for the latest call of `decide` that has failed. Backtracking does not undo it.
#[derive(Clone, Debug, Default)]
pub struct Learning {
    call: u64,
    /// Choice points of the call above this number of them have led to no solution, whichever alternatives they have tried.
    since_height: usize,
    failures: u64,
    limit: u64,
    /// The steps that the run had taken at the first of these failures.
    steps: u64,
    /// How many times the search that learns was put off.
    postponements: u32,
    /// The next question takes back at most so many guesses; without a number, all that have led to no solution.
    reach: Option<u32>,
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
            since_height: 0,
            limit: NEXT_LIMIT,
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
        let turn = FIRST_TURN << (self.postponements / 2).min(MOST_DOUBLED);
        visits >= self.reach.map_or(turn, |_| turn / PART_OF_TURN)
    }

    /// Starts another period of guessing, and asks about the latest guesses then, or about the whole board if they were asked about.
    pub fn put_off(&mut self) {
        self.postponements = self.postponements.saturating_add(1);
        self.reach = match self.reach {
            None => Some(FIRST_REACH),
            Some(_) => None,
        };
        (self.is_due, self.failures) = (false, 0);
        self.limit = (2 * NEXT_LIMIT) << (self.postponements / 4).min(MOST_DOUBLED);
        self.solution.clear();
    }

    /// There is no solution: an earlier guess is wrong. Lowers the limit, so learning restarts soon, and asks about more guesses.
    pub fn refute(&mut self) {
        let reach = self.reach.map(|reach| reach.checked_mul(REACH_GROWTH));
        self.reach = reach.flatten();
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

ndscript_base::saved!(struct Learning { call, since_height, failures, limit, steps, postponements, reach, is_due, solution, guide, known });
