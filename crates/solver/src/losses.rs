//! What places lose while `decide` guesses, in order and with the reason, so that a failure can be traced back to the
//! guesses that had a part in it ("conflict-directed backjumping" after Prosser, 1993, by the reasons of removals instead of
//! past variables).
//!
//! Noted is what a guess itself brings about, until the board is at rest. Whatever else changes the board, or what a
//! program did meanwhile, is noted as something of which nothing is known: then everything before it counts.

use super::propagators::{Cut, Lost, Mark};
use super::{Constraint, Solver};
use ndscript_base::budget::VISITS_OF_STEP;
use ndscript_base::room;

/// Candidates that a place has lost at once. The reason is a constraint, a neighbouring cell, or one of the four below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loss {
    place: u32,
    reason: u32,
}

/// Set in reasons that are cells.
const CELL: u32 = 1 << 31;
/// It was guessed what stands there.
const GUESSED: u32 = u32::MAX;
/// Something else was done, wherever.
const ANYTHING: u32 = u32::MAX - 1;
/// What was guessed has taken the rest away.
const TAKEN: u32 = u32::MAX - 2;
/// A way or a piece did without it as a count leaves too little for that: what all of it costs comes from anywhere.
const SHORT: u32 = u32::MAX - 3;

/// Why a board could not be brought to rest.
#[derive(Clone, Copy, Debug)]
enum Failure {
    /// A place has no candidate left.
    Wiped(u32),
    /// A constraint cannot hold any more.
    Broken(u32),
}

/// What was lost by guesses, the latest last.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    noted: Vec<Loss>,
    /// What each place had before, as marks, where ways or pieces are to be explained by that.
    before: Vec<Mark>,
    /// What all places had when the board could not be brought to rest.
    last: Vec<Mark>,
    /// Where the latest guess was noted.
    guessed_at: usize,
    /// Whether the statement under way is a guess.
    is_guess: bool,
    failure: Option<Failure>,
}

/// So many places are traced back at most; of a conflict with more of them nothing is known.
const MOST_PLACES: usize = 1 << 14;
/// So many losses by one guess are gone over.
const MOST_LOSSES: usize = 1 << 17;
/// So many cells are looked at for the ways and pieces of one conflict.
const MOST_VISITS: usize = 1 << 20;

/// A conflict: places whose candidates, as they were at some moment, leave no solution.
#[derive(Clone, Debug, Default)]
pub struct Conflict {
    /// Otherwise everything may have a part in it.
    is_known: bool,
    places: Vec<u32>,
    /// The same as bits.
    is_in: Vec<u64>,
    /// The constraints all of whose places are in it, as bits.
    constraints: Vec<u64>,
    /// What all places had at that moment, as marks, where ways or pieces are to be explained by that.
    marks: Vec<Mark>,
    /// How many constraints and values there were then: while there are others, marks say nothing.
    rules: [usize; 2],
    /// The way from which it comes by these marks, if that is so, and how much may still be looked at for such reasons.
    broken: Option<u32>,
    left: usize,
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
    pub fn forget(&mut self) {
        self.is_known = false;
        for place in self.places.drain(..) {
            self.is_in[place as usize / 64] = 0;
        }
        self.constraints.fill(0);
        self.marks.clear();
        self.broken = None;
    }

    fn begin(&mut self, solver: &Solver) {
        self.forget();
        self.is_known = true;
        self.is_in
            .resize(self.is_in.len().max(solver.places.div_ceil(64)), 0);
        self.constraints.resize(
            self.constraints
                .len()
                .max(solver.constraints.len().div_ceil(64)),
            0,
        );
        (self.rules, self.left) = (solver.extent(), MOST_VISITS);
    }

    /// Whether a place has a part.
    pub fn has(&self, place: usize) -> bool {
        self.is_in
            .get(place / 64)
            .is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Takes up a place of the board that it began with.
    pub fn add(&mut self, place: u32) {
        let Some(word) = self.is_in.get_mut(place as usize / 64) else {
            return self.forget();
        };
        let bit = 1 << (place % 64);
        if *word & bit == 0 {
            *word |= bit;
            self.places.push(place);
        }
    }

    /// Takes up the places of a constraint; returns how many there were to look at.
    fn add_all_of(&mut self, number: u32, constraint: Option<&Constraint>) -> usize {
        let Some(word) = self.constraints.get_mut(number as usize / 64) else {
            self.forget();
            return 1;
        };
        let bit = 1 << (number % 64);
        if *word & bit != 0 {
            return 1;
        }
        *word |= bit;
        // What looks at the whole board may have its reason anywhere.
        let Some(places) = constraint.and_then(Constraint::places) else {
            self.forget();
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

    /// Takes up the places from which it follows for a way or a piece that a place has lost something, or that there is no way.
    fn add_cut(&mut self, solver: &Solver, number: u32, lost: Option<Lost>, cut: &mut Cut) {
        if self.marks.len() != solver.places
            || self.rules != solver.extent()
            || cut.visits > self.left
        {
            return self.forget();
        }
        match cut.find(solver, &self.marks, number, lost) {
            Some(()) => cut.found.iter().for_each(|place| self.add(*place)),
            None => self.forget(),
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
        self.rules.to_vec().save(out);
        self.broken.save(out);
        self.left.save(out);
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
        let rules: Vec<usize> = Vec::load(from)?;
        conflict.rules = rules
            .try_into()
            .map_err(|_| ndscript_base::codec::Unsound::Wrong("a conflict is of no board"))?;
        (conflict.broken, conflict.left) = (Option::load(from)?, usize::load(from)?);
        conflict.is_known = is_known;
        Ok(conflict)
    }
}

impl Losses {
    /// The bytes that they own.
    pub fn bytes(&self) -> usize {
        room::row(&self.noted) + room::row(&self.before) + room::row(&self.last)
    }

    /// Whether places that lose candidates are to be told of.
    #[inline]
    pub fn are_noted(&self) -> bool {
        self.is_guess
    }

    fn push(&mut self, loss: Loss) {
        if self.noted.len() == self.noted.capacity() {
            room::grow(&mut self.noted, 1);
        }
        self.noted.push(loss);
    }

    /// Notes a loss with what the place had before.
    fn push_with(&mut self, loss: Loss, mark: Mark) {
        self.push(loss);
        if self.before.len() < self.noted.len() {
            let missing = self.noted.len() - self.before.len();
            room::grow(&mut self.before, missing);
        }
        // What was noted before there was any way or piece is not traced back over while there is one.
        self.before.resize(self.noted.len() - 1, 0);
        self.before.push(mark);
    }

    /// How many were noted.
    pub fn height(&self) -> usize {
        self.noted.len()
    }

    /// Notes a guess at a place that is under no constraint.
    pub fn push_free_guess(&mut self, place: usize) {
        self.push(Loss {
            place: place as u32,
            reason: GUESSED,
        });
    }

    /// Forgets what was noted from a height on, because it is undone.
    pub fn truncate(&mut self, height: usize) {
        self.noted.truncate(height);
        self.before.truncate(height);
    }

    /// Notes that something was done of which nothing is known, if any guess could be traced back over it.
    pub fn spoil(&mut self) {
        if self
            .noted
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
                // What was begun before and is begun anew counts once.
                let guess = Loss {
                    place: place as u32,
                    reason: GUESSED,
                };
                if self.noted.get(self.guessed_at) == Some(&guess)
                    && self
                        .noted
                        .last()
                        .is_some_and(|last| last.reason != ANYTHING)
                {
                    self.truncate(self.guessed_at);
                }
                self.guessed_at = self.noted.len();
                self.push(guess);
            }
            None => self.spoil(),
        }
    }
}

impl Losses {
    /// Whether there are only places that the board has. A constraint may have been taken away since.
    pub fn are_sound(&self, places: usize) -> bool {
        self.before.len() <= self.noted.len()
            && self.noted.iter().all(|loss| {
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
        // A statement under way is finished before.
        let Losses {
            noted,
            before,
            guessed_at,
            is_guess: _,
            failure: _,
            last: _,
        } = self;
        let flat: Vec<u32> = noted
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
        let noted = flat
            .chunks_exact(2)
            .map(|loss| Loss {
                place: loss[0],
                reason: loss[1],
            })
            .collect();
        let before = Vec::load(from)?;
        Ok(Losses {
            noted,
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

    /// Whether it can be explained by marks what ways and pieces take away.
    fn explains_ways(&self) -> bool {
        !self.ways.is_empty() && self.places <= MOST_PLACES
    }

    /// What a place has before it loses something, if that is noted and ways or pieces are to be explained by it.
    #[inline]
    pub(super) fn mark_to_note(&self, place: usize) -> Mark {
        if self.losses.is_guess && self.explains_ways() {
            self.mark_of(place)
        } else {
            0
        }
    }

    /// Notes that a place has lost candidates by a guess. Its mark is of before.
    pub(super) fn note_loss(&mut self, place: usize, by: Option<u32>, mark: Mark) {
        let reason = match (self.looks_from, by, self.runs_short) {
            (Some(cell), Some(_), _) => CELL | cell,
            (None, Some(constraint), None) => constraint,
            (None, Some(_), Some(_)) => SHORT,
            // The guess itself is noted already.
            (_, None, _) => TAKEN,
        };
        let loss = Loss {
            place: place as u32,
            reason,
        };
        if self.explains_ways() {
            self.losses.push_with(loss, mark);
        } else if reason != TAKEN {
            self.losses.push(loss);
        }
    }

    /// Notes why the board cannot be brought to rest.
    pub(super) fn note_failure(&mut self, by: u32) {
        if self.losses.is_guess {
            let last = self.losses.noted.last();
            let wiped = last.filter(|last| self.candidates(last.place as usize).is_empty());
            self.losses.failure =
                Some(wiped.map_or(Failure::Broken(by), |wiped| Failure::Wiped(wiped.place)));
            self.note_last();
        }
    }

    /// Notes what all places have, from where what ways and pieces have taken away is gone back over.
    fn note_last(&mut self) {
        let mut last = std::mem::take(&mut self.losses.last);
        last.clear();
        if self.explains_ways() {
            room::grow(&mut last, self.places);
            self.push_marks(&mut last);
        }
        self.losses.last = last;
    }

    /// The bytes that noting what is lost in one piece may take.
    pub fn bytes_to_note(&self) -> usize {
        if !self.losses.is_guess {
            return 0;
        }
        let losses = self.places.saturating_mul(self.values).min(MOST_LOSSES);
        let marks = if self.explains_ways() {
            2 * losses + self.places
        } else {
            0
        };
        2 * losses * size_of::<Loss>() + marks * size_of::<Mark>()
    }

    /// The bytes that explaining ways and pieces may take.
    pub fn bytes_to_explain(&self) -> usize {
        if self.explains_ways() {
            Cut::bytes(self.places)
        } else {
            0
        }
    }
}

impl Solver {
    /// What places lose while somebody guesses.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// The same, to be changed.
    pub fn losses_mut(&mut self) -> &mut Losses {
        &mut self.losses
    }

    /// Begins with what a guess that has just failed conflicts with: the latest places that the failure came from. Returns how
    /// many there were to look at.
    pub fn begin_conflict(&mut self, conflict: &mut Conflict) -> usize {
        conflict.forget();
        let Some(failure) = self.losses.failure else {
            return 0;
        };
        conflict.begin(self);
        std::mem::swap(&mut conflict.marks, &mut self.losses.last);
        match failure {
            Failure::Wiped(place) => conflict.add(place),
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
        let losses = self.losses.noted.get(height..).unwrap_or_default();
        let before = self.losses.before.get(height..).unwrap_or_default();
        let Some((guess, others)) = losses.split_first() else {
            conflict.forget();
            return (true, 0);
        };
        if guess.reason != GUESSED || losses.len() > MOST_LOSSES {
            conflict.forget();
            return (true, 0);
        }
        let (mut visits, mut cut) = (losses.len(), Cut::default());
        if let Some(number) = conflict.broken.take() {
            conflict.add_cut(self, number, None, &mut cut);
        }
        for (at, loss) in others.iter().enumerate().rev() {
            // With places from everywhere there is nothing to be found out.
            if conflict.places.len() == self.places {
                conflict.forget();
            }
            if !conflict.is_known {
                break;
            }
            let then = match (
                before.get(at + 1),
                conflict.marks.get_mut(loss.place as usize),
            ) {
                (Some(before), Some(mark)) => std::mem::replace(mark, *before),
                _ => 0,
            };
            match loss.reason {
                TAKEN => {}
                GUESSED | ANYTHING => conflict.forget(),
                _ if !conflict.has(loss.place as usize) => {}
                SHORT => conflict.forget(),
                cell if cell & CELL != 0 => conflict.add(cell & !CELL),
                number => {
                    let constraint = self.constraints.get(number as usize);
                    if constraint.is_some_and(|constraint| constraint.joined_cells().is_some()) {
                        let lost = Lost {
                            place: loss.place,
                            then,
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
            conflict.forget();
        }
        conflict.left = conflict.left.saturating_sub(cut.visits);
        let has_part = !conflict.is_known || conflict.has(guess.place as usize);
        (has_part, visits + cut.visits / VISITS_OF_STEP)
    }
}
