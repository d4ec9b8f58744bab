//! Why places lose candidates, noted while somebody watches: which constraint has taken them away, and from what other
//! places it had that. Nothing of it is kept in a run that nobody watches.

use std::cell::Cell;

use super::domains::Candidates;
use super::reasons::{self, Question};
use super::symbols::Places;
use super::{Board, Constraint, hall};
use crate::heap::Heap;
use crate::value::{Handle, Value};
use ndscript_base::keyed::KeyedMap;

/// What a statement has taken away, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Removals {
    noted: Vec<Noted>,
    /// By place, the latest of its.
    latest: KeyedMap<u32, u32>,
    /// What finding reasons may still take for this statement.
    work_left: Cell<usize>,
    /// Whether places without a constraint hold values that the board has no number of: there may be more that others had before.
    are_more_values: Option<bool>,
}

/// Of a constraint on the whole board so many places are told, though it may need more.
const MOST_TOLD: usize = 64;

/// So many places without a constraint are looked at for values that the board has no number of.
const LOOKED_AT: usize = 256;

impl Removals {
    fn push(&mut self, mut noted: Noted) {
        noted.before = self.latest.insert(noted.place, self.noted.len() as u32);
        self.noted.push(noted);
    }

    /// Those of one place, the latest first.
    fn of(&self, place: usize) -> impl Iterator<Item = &Noted> {
        let latest = self
            .latest
            .get(&(place as u32))
            .map(|at| &self.noted[*at as usize]);
        std::iter::successors(latest, |noted| {
            noted.before.map(|at| &self.noted[at as usize])
        })
    }
}

/// Candidates that a place has lost at once.
#[derive(Clone, Debug)]
struct Noted {
    place: u32,
    /// What the same place had lost before.
    before: Option<u32>,
    /// The constraint; none if the statement itself has done it.
    by: Option<u32>,
    /// The count that leaves too little.
    beside: Option<u32>,
    /// Numbers of values.
    values: Vec<u32>,
    /// The places that it came from, and what they could be then.
    from: Vec<(u32, Vec<u32>)>,
}

/// What is to be added up.
struct Adding<'a> {
    places: &'a [u32],
    factors: &'a [f64],
    numbers: &'a [f64],
    bounds: (f64, f64),
}

/// Candidates that a place of a board has lost at once.
#[derive(Clone, Debug)]
pub struct Removal {
    pub place: usize,
    /// The built-in that has put the constraint on the board; none if the statement itself has taken them away.
    pub constraint: Option<&'static str>,
    /// The built-in of the count that it is set against, if that leaves too little.
    pub beside: Option<&'static str>,
    /// Its number on the board.
    pub number: Option<u32>,
    /// What was lost.
    pub values: Vec<Value>,
    /// The places that it came from, with the candidates that they had then. None if it follows from the constraint alone.
    pub from: Vec<(usize, Vec<Value>)>,
}

/// A board that has come to a place without candidates.
#[derive(Clone, Debug)]
pub struct DeadEnd {
    pub container: Value,
    /// How candidates were lost since the statement began, the last ones last.
    pub removals: Vec<Removal>,
    /// The constraint that could not hold, if it was one.
    pub constraint: Option<&'static str>,
    /// The places that it is on; none where it is on all.
    pub on: Vec<u32>,
}

impl Board {
    /// Notes what a place has lost: what it had before is in words like its own.
    #[cold]
    pub(super) fn note_removal(&mut self, place: usize, by: Option<u32>, before: &[u64]) {
        let (first, words) = self.candidates(place).words();
        let gone: Vec<u64> = before
            .iter()
            .zip(words)
            .map(|(before, now)| before & !now)
            .collect();
        let values: Vec<u32> = super::ones(&gone)
            .map(|number| (64 * first + number) as u32)
            .collect();
        let from = by
            .filter(|_| self.gives_reasons)
            .map_or_else(Vec::new, |by| self.reasons(place, by, &values));
        self.removals.push(Noted {
            place: place as u32,
            before: None,
            by,
            beside: self.runs_short,
            values,
            from,
        });
    }

    /// The places from which a constraint knows that values cannot stand at another.
    fn reasons(&self, place: usize, by: u32, values: &[u32]) -> Vec<(u32, Vec<u32>)> {
        let Some(constraint) = self.constraints.get(by as usize).cloned() else {
            return Vec::new();
        };
        let now = |other: u32| {
            (
                other,
                self.candidates(other as usize)
                    .numbers()
                    .map(|number| number as u32)
                    .collect(),
            )
        };
        if let Some(cell) = self.looks_from {
            return vec![now(cell)];
        }
        if self.runs_short.is_some() {
            return self.all_that_costs(place).into_iter().map(now).collect();
        }
        let others = constraint
            .places()
            .unwrap_or_default()
            .iter()
            .copied()
            .filter(|other| *other as usize != place);
        match &*constraint {
            // One that has the value already is reason enough.
            Constraint::Different {
                places,
                symbols,
                starts,
                shifts,
            } => {
                let has = |other: &u32| {
                    let candidates = self.candidates(*other as usize);
                    candidates.count() == 1
                        && values.iter().any(|value| candidates.has(*value as usize))
                };
                let decided: Vec<u32> = others.clone().filter(has).collect();
                let are_enough = starts.is_empty() && decided.len() >= values.len();
                if are_enough {
                    return decided.into_iter().map(now).collect();
                }
                let own = Places {
                    places,
                    symbols,
                    starts,
                    shifts,
                };
                match self.in_need_of_symbols(own, place as u32, values) {
                    Some(found) => found.into_iter().map(now).collect(),
                    None => others.filter(self.may_tell()).map(now).collect(),
                }
            }
            // Enough places have one of the values, or enough can have none.
            Constraint::Count {
                values: counted, ..
            } => {
                let is_counted = |value: u32| {
                    counted
                        .get(value as usize / 64)
                        .is_some_and(|word| word >> (value % 64) & 1 == 1)
                };
                let are_counted = values.first().is_some_and(|value| is_counted(*value));
                let tells = |other: &u32| {
                    let candidates = self.candidates(*other as usize);
                    if are_counted {
                        !candidates.has_others(counted)
                    } else {
                        !candidates.meets(counted)
                    }
                };
                others.filter(tells).map(now).collect()
            }
            Constraint::Sum {
                places,
                factors,
                numbers,
                low,
                high,
                ..
            } => {
                let sum = Adding {
                    places,
                    factors,
                    numbers,
                    bounds: (*low, *high),
                };
                self.in_sum(&sum, place as u32, values)
                    .into_iter()
                    .map(now)
                    .collect()
            }
            Constraint::Function { .. } | Constraint::Adjacent { .. } => {
                others.filter(self.may_tell()).map(now).collect()
            }
            rule => self
                .fewest_reasons(rule, place as u32, values)
                .into_iter()
                .map(now)
                .collect(),
        }
    }

    /// The fewest places from which it follows.
    fn fewest_reasons(&self, rule: &Constraint, place: u32, values: &[u32]) -> Vec<u32> {
        let everywhere = || (0..self.places as u32).collect();
        let mut places: Vec<u32> = rule.places().map_or_else(everywhere, <[u32]>::to_vec);
        places.sort_unstable();
        places.dedup();
        places.retain(|other| *other != place);
        if self.removals.are_more_values == Some(true) {
            // What else they could have been has no number here.
            places.truncate(if rule.places().is_some() {
                usize::MAX
            } else {
                MOST_TOLD
            });
            return places;
        }
        let is_narrow =
            |candidates: Candidates<'_>| (candidates.count() as usize) < self.universe.len();
        let mut known = places.clone();
        match Question::knows_all_values(rule) {
            true => known.retain(|other| is_narrow(self.candidates(*other as usize))),
            false => known.retain(self.knows()),
        }
        // Rows are left out of a table for what was known before it was put.
        let mut clues = if let Constraint::Table { clues, .. } = rule {
            clues.clone()
        } else {
            Vec::new()
        };
        clues.retain(|clue| *clue != place);
        known.retain(|other| !clues.contains(other));
        // What this statement has taken away is left out first: what was known before says more.
        self.sort_latest_first(&mut known);
        let question = Question::new(self, rule, place, values);
        let (fewest, work) = question.fewest(known.clone(), &clues, self.removals.work_left.get());
        self.removals
            .work_left
            .set(self.removals.work_left.get().saturating_sub(work));
        let mut told = match rule.places() {
            Some(_) => fewest.unwrap_or(known),
            None => fewest
                .unwrap_or_default()
                .into_iter()
                .take(MOST_TOLD)
                .collect(),
        };
        told.append(&mut clues);
        if told.is_empty() && !Question::knows_all_values(rule) {
            // They may have been narrowed before this statement put the constraint there, which knows nothing of what they had lost.
            let lost = |other: u32| {
                self.removals
                    .of(other as usize)
                    .map(|noted| noted.values.len())
                    .sum::<usize>()
            };
            let was_narrow = |other: &u32| {
                self.candidates(*other as usize).count() as usize + lost(*other)
                    < self.universe.len()
            };
            told = places.into_iter().filter(was_narrow).collect();
        }
        told.sort_unstable();
        told
    }

    /// Sorts places by what the statement has taken away, the latest first; those that have lost nothing as they come.
    fn sort_latest_first(&self, places: &mut [u32]) {
        let latest = |other: &u32| self.removals.latest.get(other).map_or(0, |at| at + 1);
        places.sort_unstable_by_key(|other| (std::cmp::Reverse(latest(other)), *other));
    }

    /// The places that have lost anything: each may make a way or a piece longer, or a count leave less.
    fn all_that_costs(&self, place: usize) -> Vec<u32> {
        let others = (0..self.places as u32).filter(|other| *other as usize != place);
        others.filter(self.knows()).take(MOST_TOLD).collect()
    }

    /// The places for which values of another one would make a sum too large, or too small: those whose least number, or greatest,
    /// is another one than if they could have any value of the board, as few as leaving out finds; or all if rounding hides which.
    fn in_sum(&self, sum: &Adding<'_>, place: u32, values: &[u32]) -> Vec<u32> {
        let terms: Vec<(u32, f64)> = sum
            .places
            .iter()
            .copied()
            .zip(sum.factors.iter().copied())
            .collect();
        let own: f64 = terms
            .iter()
            .filter(|(other, _)| *other == place)
            .map(|(_, factor)| factor)
            .sum();
        let mut others: Vec<u32> = sum
            .places
            .iter()
            .copied()
            .filter(|other| *other != place)
            .collect();
        others.sort_unstable();
        others.dedup();
        self.sort_latest_first(&mut others);
        // What is too large for the sum is too small for the negative of it.
        let least_of = |other: u32, sign: f64, numbers: &mut dyn Iterator<Item = usize>| {
            let factor: f64 = terms
                .iter()
                .filter(|(own, _)| *own == other)
                .map(|(_, factor)| sign * factor)
                .sum();
            let numbers = numbers
                .filter_map(|number| sum.numbers.get(number))
                .map(|number| number * factor);
            numbers.fold(f64::INFINITY, f64::min)
        };
        let mut told = Vec::new();
        let mut is_clear = vec![false; values.len()];
        for (sign, most) in [(1.0, sum.bounds.1), (-1.0, -sum.bounds.0)] {
            let least =
                |other: u32| least_of(other, sign, &mut self.candidates(other as usize).numbers());
            let least_of_all: f64 = others.iter().map(|other| least(*other)).sum();
            // By how much too large it is at least.
            let mut surplus = f64::INFINITY;
            for (value, is_clear) in values.iter().zip(&mut is_clear) {
                let number = sum
                    .numbers
                    .get(*value as usize)
                    .copied()
                    .unwrap_or(f64::NAN);
                let too_large = least_of_all + sign * own * number - most;
                if too_large > 0.0 && !*is_clear {
                    (*is_clear, surplus) = (true, surplus.min(too_large));
                }
            }
            if surplus == f64::INFINITY {
                continue;
            }
            for other in &others {
                let share = least(*other) - least_of(*other, sign, &mut (0..self.universe.len()));
                if share < surplus && self.removals.are_more_values != Some(true) {
                    surplus -= share;
                } else {
                    told.push(*other);
                }
            }
        }
        let mut told = if is_clear.contains(&false) {
            others
        } else {
            told
        };
        told.sort_unstable();
        told.dedup();
        told
    }

    /// The places that need the symbols that values are at another one, if each is there once.
    fn in_need_of_symbols(&self, own: Places<'_>, place: u32, values: &[u32]) -> Option<Vec<u32>> {
        let mut needed = Vec::new();
        let mut others = Vec::new();
        for (at, other) in own.places.iter().enumerate() {
            let candidates = self.candidates(*other as usize);
            let symbol = |value: usize| own.symbol(at, candidates.words().0, value);
            if *other != place {
                others.push((*other, candidates.numbers().map(symbol).collect()));
            } else if needed.is_empty() {
                needed.extend(values.iter().map(|value| symbol(*value as usize)));
            } else {
                return None;
            }
        }
        hall::in_need_of(&needed, &others)
    }

    /// Whether a place may say anything: it says something, or may have before a constraint was put there.
    fn may_tell(&self) -> impl Fn(&u32) -> bool + '_ {
        let knows = self.knows();
        move |place| {
            let is_narrow =
                (self.candidates(*place as usize).count() as usize) < self.universe.len();
            is_narrow || self.removals.are_more_values == Some(true) || knows(place)
        }
    }

    /// Whether a place says anything: it has lost candidates, or has only one.
    fn knows(&self) -> impl Fn(&u32) -> bool + '_ {
        |place| {
            let now = self.candidates(*place as usize);
            now.count() == 1 || now.count() < self.initial(*place as usize).count()
        }
    }

    fn removal(&self, noted: &Noted) -> Removal {
        let values = |numbers: &[u32]| {
            numbers
                .iter()
                .filter_map(|number| self.universe.get(*number as usize).copied())
                .collect()
        };
        Removal {
            place: noted.place as usize,
            constraint: self.name_of(noted.by),
            beside: self.name_of(noted.beside),
            number: noted.by,
            values: values(&noted.values),
            from: noted
                .from
                .iter()
                .map(|(place, numbers)| (*place as usize, values(numbers)))
                .collect(),
        }
    }

    fn name_of(&self, number: Option<u32>) -> Option<&'static str> {
        self.constraints
            .get(number? as usize)
            .map(|constraint| constraint.name())
    }
}

impl Heap {
    /// Why a place of a board has lost candidates since the latest statement began that wrote to the board, in order.
    /// Nothing is known unless somebody watched.
    pub fn removals(&self, container: Value, place: usize) -> Vec<Removal> {
        let Some(board) = self.constrained(container) else {
            return Vec::new();
        };
        let board = &self.boards[board];
        let mut removals: Vec<Removal> = board
            .removals
            .of(place)
            .map(|noted| board.removal(noted))
            .collect();
        removals.reverse();
        removals
    }

    /// How many candidates a place of a board had when the latest statement began that wrote to the board.
    pub fn candidates_at_first(&self, container: Value, place: usize) -> Option<usize> {
        let board = &self.boards[self.constrained(container)?];
        let lost: usize = board
            .removals
            .of(place)
            .map(|noted| noted.values.len())
            .sum();
        Some(board.candidates(place).count() as usize + lost)
    }

    /// Begins to note removals for a statement, or not. It may be a guess at a place.
    #[inline]
    pub(super) fn begin_noting(&mut self, handle: Handle, guess: Option<usize>) {
        let (is_watched, gives_reasons) = (self.written.is_some(), self.gives_reasons);
        let board = &mut self.boards[handle];
        board.losses.begin_statement(guess);
        board.is_explained = is_watched;
        board.gives_reasons = gives_reasons;
        // Mostly nobody watches, and a map is not made for nothing.
        if !board.removals.noted.is_empty() {
            board.removals = Removals::default();
        }
        board.removals.work_left.set(reasons::MOST_WORK);
        board.removals.are_more_values = None;
        board.failed = None;
        if is_watched {
            self.dead_end = None;
        }
    }

    /// Finds out whether places of a board without a constraint hold values that it has no number of, as far as one looks, when all
    /// places of the constraint that was put are bound.
    pub(super) fn look_beyond(&mut self, handle: Handle) {
        let board = &self.boards[handle];
        if !board.gives_reasons || board.removals.are_more_values.is_some() {
            return;
        }
        let loose = (0..board.places).filter(|place| board.unbound > 0 && !board.is_bound(*place));
        let are_more = loose.take(LOOKED_AT).any(|place| {
            let held = self.at_place(board.container, place);
            let mut candidates =
                (0..self.candidate_count(held)).filter_map(|at| self.candidate(held, at));
            candidates.any(|candidate| board.number_of(candidate).is_none())
        });
        self.boards[handle].removals.are_more_values = Some(are_more);
    }

    /// Notes how a board has come to a place without candidates, before that is undone.
    pub fn note_dead_end(&mut self, handle: Handle) {
        let board = &self.boards[handle];
        let constraint = board.name_of(board.failed);
        self.wiped_by = constraint;
        if !board.is_explained {
            return;
        }
        let removals = board
            .removals
            .noted
            .iter()
            .map(|noted| board.removal(noted))
            .collect();
        let failed = board
            .failed
            .and_then(|number| board.constraints.get(number as usize));
        let on = failed
            .and_then(|constraint| constraint.places())
            .map_or_else(Vec::new, <[u32]>::to_vec);
        self.dead_end = Some(Box::new(DeadEnd {
            container: board.container,
            removals,
            constraint,
            on,
        }));
    }
}

impl DeadEnd {
    /// The values that it holds.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let removed = self.removals.iter().flat_map(|removal| {
            let from = removal.from.iter().flat_map(|(_, values)| values);
            removal.values.iter().chain(from).copied()
        });
        std::iter::once(self.container).chain(removed)
    }
}
