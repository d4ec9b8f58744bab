//! What places lose while `decide` guesses, in order and with the reason, so that a failure can be traced back to the
//! guesses that had a part in it ("conflict-directed backjumping" after Prosser, 1993, by the reasons of removals instead of
//! past variables).
//!
//! Only what follows from a guess is recorded, until the fixpoint. Any other change of the board, and whatever a
//! program did meanwhile, is recorded as unknown: then everything before it counts as a part of the conflict.

use super::propagators::{Cut, Lost, Mark};
use super::{Constraint, Solver};
use crate::ConstraintNumber;
use ndscript_base::budget::VISITS_OF_STEP;
use ndscript_base::room;

/// Candidates that a place has lost at once. The reason is a constraint, a neighboring cell, or one of the four below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loss {
    place: u32,
    reason: u32,
}

/// Set in reasons that are cells.
const CELL: u32 = 1 << 31;
/// The value of this place was guessed.
const GUESSED: u32 = u32::MAX;
/// Something unknown was done, anywhere.
const ANYTHING: u32 = u32::MAX - 1;
/// The guess itself removed the other candidates.
const TAKEN: u32 = u32::MAX - 2;
/// A path or a region avoids it because a count leaves too little: the reasons may lie anywhere.
const SHORT: u32 = u32::MAX - 3;

/// Why propagation failed.
#[derive(Clone, Copy, Debug)]
enum Failure {
    /// A place has no candidate left.
    Wipeout(u32),
    /// A constraint cannot hold any more.
    Broken(u32),
}

/// The losses by guesses, the latest last.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    recorded: Vec<Loss>,
    /// By loss, the earlier domain of its place as a mark, if there are paths or regions to explain.
    before: Vec<Mark>,
    /// The domains of all places when propagation failed, as marks.
    last: Vec<Mark>,
    /// The index of the latest guess.
    guessed_at: usize,
    /// Whether the current statement is a guess.
    is_guess: bool,
    failure: Option<Failure>,
}

/// At most this many places are traced back; a larger conflict counts as unknown.
const MOST_PLACES: usize = 1 << 14;
/// At most this many losses of one guess are traced back.
const MOST_LOSSES: usize = 1 << 17;
/// At most this many cells are visited for the paths and regions of one conflict.
const MOST_VISITS: usize = 1 << 20;

/// A conflict: places whose candidates, as they were at some moment, leave no solution.
#[derive(Clone, Debug, Default)]
pub struct Conflict {
    /// Otherwise everything may have a part in it.
    is_known: bool,
    places: Vec<u32>,
    /// The places as bits.
    is_in: Vec<u64>,
    /// The constraints all of whose places are in it, as bits.
    constraints: Vec<u64>,
    /// The domains of all places at that moment, as marks, if there are paths or regions to explain.
    marks: Vec<Mark>,
    /// How many constraints and values there were then: while there are others, marks say nothing.
    extent: [usize; 2],
    /// The constraint on paths that these marks alone make fail, if there is one; and the visits left for such reasons.
    broken: Option<u32>,
    visits_left: usize,
}

impl Conflict {
    /// Whether it is known which places have a part.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// The places, in no order that matters.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// From now on everything may have a part.
    pub fn set_unknown(&mut self) {
        self.is_known = false;
        for place in self.places.drain(..) {
            self.is_in[place as usize / 64] = 0;
        }
        self.constraints.fill(0);
        self.marks.clear();
        self.broken = None;
    }

    /// Forgets the earlier conflict, and makes room for one of this solver.
    fn begin(&mut self, solver: &Solver) {
        self.set_unknown();
        self.is_known = true;
        self.is_in
            .resize(self.is_in.len().max(solver.places.div_ceil(64)), 0);
        self.constraints.resize(
            self.constraints
                .len()
                .max(solver.constraints.len().div_ceil(64)),
            0,
        );
        (self.extent, self.visits_left) = (solver.extent(), MOST_VISITS);
    }

    /// Whether a place has a part.
    pub fn has(&self, place: usize) -> bool {
        self.is_in
            .get(place / 64)
            .is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Adds a place of the board.
    pub fn add(&mut self, place: u32) {
        let Some(word) = self.is_in.get_mut(place as usize / 64) else {
            return self.set_unknown();
        };
        let bit = 1 << (place % 64);
        if *word & bit == 0 {
            *word |= bit;
            self.places.push(place);
        }
    }

    /// Adds the places of a constraint; returns how many there were to look at.
    fn add_all_of(&mut self, number: ConstraintNumber, constraint: Option<&Constraint>) -> usize {
        let Some(word) = self.constraints.get_mut(number as usize / 64) else {
            self.set_unknown();
            return 1;
        };
        let bit = 1 << (number % 64);
        if *word & bit != 0 {
            return 1;
        }
        *word |= bit;
        // A constraint on the whole board may have its reason anywhere.
        let Some(places) = constraint.and_then(Constraint::places) else {
            self.set_unknown();
            return 1;
        };
        places.iter().for_each(|place| self.add(*place));
        places.len() + 1
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.places)
            + room::row(&self.is_in)
            + room::row(&self.constraints)
            + room::row(&self.marks)
    }

    /// Adds the places from which it follows for a path or a region that a place has lost candidates, or that none
    /// exists.
    fn add_cut(
        &mut self,
        solver: &Solver,
        number: ConstraintNumber,
        lost: Option<Lost>,
        cut: &mut Cut,
    ) {
        if self.marks.len() != solver.places
            || self.extent != solver.extent()
            || cut.visits > self.visits_left
        {
            return self.set_unknown();
        }
        match cut.find(solver, &self.marks, number, lost) {
            Some(()) => cut.found.iter().for_each(|place| self.add(*place)),
            None => self.set_unknown(),
        }
    }
}

impl ndscript_base::codec::Saved for Conflict {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        self.is_known.save(out);
        self.places.save(out);
        // Its bits follow from `places`.
        self.is_in.len().save(out);
        self.constraints.save(out);
        self.marks.save(out);
        self.extent.to_vec().save(out);
        self.broken.save(out);
        self.visits_left.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Conflict, ndscript_base::codec::Unsound> {
        let (is_known, places): (bool, Vec<u32>) = (bool::load(from)?, Vec::load(from)?);
        let words = usize::load(from)?;
        from.make_room::<u64>(words)?;
        let constraints = Vec::load(from)?;
        let mut conflict = Conflict {
            is_known: true,
            is_in: vec![0; words],
            constraints,
            ..Conflict::default()
        };
        places.iter().for_each(|place| conflict.add(*place));
        ndscript_base::codec::ensure(
            conflict.places == places,
            "a conflict lies outside of its board",
        )?;
        conflict.marks = Vec::load(from)?;
        let extent: Vec<usize> = Vec::load(from)?;
        conflict.extent = extent
            .try_into()
            .map_err(|_| ndscript_base::codec::Unsound::Wrong("a conflict is of no board"))?;
        (conflict.broken, conflict.visits_left) = (Option::load(from)?, usize::load(from)?);
        conflict.is_known = is_known;
        Ok(conflict)
    }
}

impl Losses {
    /// The bytes that they own.
    pub fn bytes(&self) -> usize {
        room::row(&self.recorded) + room::row(&self.before) + room::row(&self.last)
    }

    /// Whether losses are recorded.
    #[inline]
    pub fn are_recorded(&self) -> bool {
        self.is_guess
    }

    fn push(&mut self, loss: Loss) {
        if self.recorded.len() == self.recorded.capacity() {
            room::grow(&mut self.recorded, 1);
        }
        self.recorded.push(loss);
    }

    /// Records a loss with the earlier domain of the place.
    fn push_with(&mut self, loss: Loss, mark: Mark) {
        self.push(loss);
        if self.before.len() < self.recorded.len() {
            let missing = self.recorded.len() - self.before.len();
            room::grow(&mut self.before, missing);
        }
        // Losses from before the first path or region are not traced back while there is one.
        self.before.resize(self.recorded.len() - 1, 0);
        self.before.push(mark);
    }

    /// The number of recorded losses.
    pub fn height(&self) -> usize {
        self.recorded.len()
    }

    /// Records a guess at a place that is under no constraint.
    pub fn push_free_guess(&mut self, place: usize) {
        self.push(Loss {
            place: place as u32,
            reason: GUESSED,
        });
    }

    /// Discards the losses from a height on, because they are undone.
    pub fn truncate(&mut self, height: usize) {
        self.recorded.truncate(height);
        self.before.truncate(height);
    }

    /// Records that something unknown was done, if a guess could be traced back over it.
    pub fn mark_unknown(&mut self) {
        if self
            .recorded
            .last()
            .is_some_and(|last| last.reason != ANYTHING)
        {
            self.push(Loss {
                place: 0,
                reason: ANYTHING,
            });
        }
    }

    /// Begins a statement: a guess at a place, or another one.
    pub fn begin_statement(&mut self, guess: Option<usize>) {
        (self.is_guess, self.failure) = (guess.is_some(), None);
        match guess {
            Some(place) => {
                // A guess that is begun anew counts once.
                let guess = Loss {
                    place: place as u32,
                    reason: GUESSED,
                };
                if self.recorded.get(self.guessed_at) == Some(&guess)
                    && self
                        .recorded
                        .last()
                        .is_some_and(|last| last.reason != ANYTHING)
                {
                    self.truncate(self.guessed_at);
                }
                self.guessed_at = self.recorded.len();
                self.push(guess);
            }
            None => self.mark_unknown(),
        }
    }
}

impl Losses {
    /// Whether all places exist on the board. A constraint may have been withdrawn since.
    pub fn are_sound(&self, places: usize) -> bool {
        self.before.len() <= self.recorded.len()
            && self.recorded.iter().all(|loss| {
                let has_reason = match loss.reason {
                    GUESSED | ANYTHING | TAKEN | SHORT => true,
                    cell if cell & CELL != 0 => ((cell & !CELL) as usize) < places,
                    _ => true,
                };
                (loss.place as usize) < places && has_reason
            })
    }
}

impl ndscript_base::codec::Saved for Losses {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        // The current statement is finished first.
        let Losses {
            recorded,
            before,
            guessed_at,
            is_guess: _,
            failure: _,
            last: _,
        } = self;
        let flat: Vec<u32> = recorded
            .iter()
            .flat_map(|loss| [loss.place, loss.reason])
            .collect();
        flat.save(out);
        before.save(out);
        guessed_at.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Losses, ndscript_base::codec::Unsound> {
        let flat: Vec<u32> = Vec::load(from)?;
        let recorded = flat
            .chunks_exact(2)
            .map(|loss| Loss {
                place: loss[0],
                reason: loss[1],
            })
            .collect();
        let before = Vec::load(from)?;
        Ok(Losses {
            recorded,
            before,
            guessed_at: usize::load(from)?,
            ..Losses::default()
        })
    }
}

impl Solver {
    /// How many constraints and values there are.
    fn extent(&self) -> [usize; 2] {
        [self.constraints.len(), self.values]
    }

    /// Whether marks can explain the removals of paths and regions.
    fn explains_paths(&self) -> bool {
        !self.paths.is_empty() && self.places <= MOST_PLACES
    }

    /// The domain of a place before a loss, if losses are recorded and there are paths or regions to explain.
    #[inline]
    pub(super) fn mark_to_record(&self, place: usize) -> Mark {
        if self.losses.is_guess && self.explains_paths() {
            self.mark_of(place)
        } else {
            0
        }
    }

    /// Records that a place has lost candidates by a guess. The mark is its earlier domain.
    pub(super) fn record_loss(&mut self, place: usize, by: Option<ConstraintNumber>, mark: Mark) {
        let reason = match (self.looks_from, by, self.runs_short) {
            (Some(cell), Some(_), _) => CELL | cell,
            (None, Some(constraint), None) => constraint,
            (None, Some(_), Some(_)) => SHORT,
            // The guess itself is already recorded.
            (_, None, _) => TAKEN,
        };
        let loss = Loss {
            place: place as u32,
            reason,
        };
        if self.explains_paths() {
            self.losses.push_with(loss, mark);
        } else if reason != TAKEN {
            self.losses.push(loss);
        }
    }

    /// Records why propagation failed.
    pub(super) fn record_failure(&mut self, by: u32) {
        if self.losses.is_guess {
            let last = self.losses.recorded.last();
            let wiped = last.filter(|last| self.candidates(last.place as usize).is_empty());
            self.losses.failure =
                Some(wiped.map_or(Failure::Broken(by), |wiped| Failure::Wipeout(wiped.place)));
            self.record_last();
        }
    }

    /// Records the domains of all places, from which removals of paths and regions are traced back.
    fn record_last(&mut self) {
        let mut last = std::mem::take(&mut self.losses.last);
        last.clear();
        if self.explains_paths() {
            room::grow(&mut last, self.places);
            self.push_marks(&mut last);
        }
        self.losses.last = last;
    }

    /// The bytes that recording the losses of one piece may take.
    pub fn bytes_to_record(&self) -> usize {
        if !self.losses.is_guess {
            return 0;
        }
        let losses = self.places.saturating_mul(self.values).min(MOST_LOSSES);
        let marks = if self.explains_paths() {
            2 * losses + self.places
        } else {
            0
        };
        2 * losses * size_of::<Loss>() + marks * size_of::<Mark>()
    }

    /// The bytes that explaining paths and regions may take.
    pub fn bytes_to_explain(&self) -> usize {
        if self.explains_paths() {
            Cut::bytes(self.places)
        } else {
            0
        }
    }
}

impl Solver {
    /// The losses by guesses.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// The losses, mutably.
    pub fn losses_mut(&mut self) -> &mut Losses {
        &mut self.losses
    }

    /// Begins the conflict of a guess that has just failed: the latest places that the failure came from. Returns how many
    /// there were to look at.
    pub fn begin_conflict(&mut self, conflict: &mut Conflict) -> usize {
        conflict.set_unknown();
        let Some(failure) = self.losses.failure else {
            return 0;
        };
        conflict.begin(self);
        std::mem::swap(&mut conflict.marks, &mut self.losses.last);
        match failure {
            Failure::Wipeout(place) => conflict.add(place),
            Failure::Broken(number) => {
                let constraint = self.constraints.get(number as usize);
                if constraint.is_some_and(|constraint| constraint.joined_cells().is_some()) {
                    conflict.broken = Some(number);
                } else {
                    return conflict.add_all_of(number, constraint.map(|constraint| &**constraint));
                }
            }
        }
        0
    }

    /// Traces a conflict back to before a guess, over all that was lost since then: first to last, the places that have a
    /// part are those that the later ones came from. Returns whether the guess has a part itself, and the work that was.
    pub fn trace_back(&self, height: usize, conflict: &mut Conflict) -> (bool, usize) {
        let losses = self.losses.recorded.get(height..).unwrap_or_default();
        let before = self.losses.before.get(height..).unwrap_or_default();
        let Some((guess, others)) = losses.split_first() else {
            conflict.set_unknown();
            return (true, 0);
        };
        if guess.reason != GUESSED || losses.len() > MOST_LOSSES {
            conflict.set_unknown();
            return (true, 0);
        }
        let (mut visits, mut cut) = (losses.len(), Cut::default());
        if let Some(number) = conflict.broken.take() {
            conflict.add_cut(self, number, None, &mut cut);
        }
        for (at, loss) in others.iter().enumerate().rev() {
            // With all places in it, nothing more can be learned.
            if conflict.places.len() == self.places {
                conflict.set_unknown();
            }
            if !conflict.is_known {
                break;
            }
            let mark_after = match (
                before.get(at + 1),
                conflict.marks.get_mut(loss.place as usize),
            ) {
                (Some(before), Some(mark)) => std::mem::replace(mark, *before),
                _ => 0,
            };
            match loss.reason {
                TAKEN => {}
                GUESSED | ANYTHING => conflict.set_unknown(),
                _ if !conflict.has(loss.place as usize) => {}
                SHORT => conflict.set_unknown(),
                cell if cell & CELL != 0 => conflict.add(cell & !CELL),
                number => {
                    let constraint = self.constraints.get(number as usize);
                    if constraint.is_some_and(|constraint| constraint.joined_cells().is_some()) {
                        let lost = Lost {
                            place: loss.place,
                            mark: mark_after,
                        };
                        conflict.add_cut(self, number, Some(lost), &mut cut);
                    } else {
                        visits +=
                            conflict.add_all_of(number, constraint.map(|constraint| &**constraint));
                    }
                }
            }
        }
        if conflict.places.len() > MOST_PLACES {
            conflict.set_unknown();
        }
        conflict.visits_left = conflict.visits_left.saturating_sub(cut.visits);
        let has_part = !conflict.is_known || conflict.has(guess.place as usize);
        (has_part, visits + cut.visits / VISITS_OF_STEP)
    }
}
