//! Why places lose candidates, noted while somebody watches: which constraint has taken them away, and from what other
//! places it had that. Nothing of it is kept in a run that nobody watches.

use std::cell::Cell;

use super::domains::Candidates;
use super::reasons::{self, Question};
use super::symbols::Places;
use super::{Constraint, Solver, hall};
use crate::keyed::KeyedMap;

/// What a statement has taken away, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Removals {
    noted: Vec<Removal>,
    /// By place, the latest of its.
    latest: KeyedMap<u32, u32>,
    /// What finding reasons may still take for this statement.
    work_left: Cell<usize>,
    /// Whether places without a constraint hold values that the board has no number of: there may be more that others had before.
    are_more_values: Option<bool>,
}

/// Of a constraint on the whole board so many places are told, though it may need more.
const MOST_TOLD: usize = 64;

impl Removals {
    fn push(&mut self, mut noted: Removal) {
        noted.before = self.latest.insert(noted.place, self.noted.len() as u32);
        self.noted.push(noted);
    }

    /// Those of one place, the latest first.
    fn of(&self, place: usize) -> impl Iterator<Item = &Removal> {
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
pub struct Removal {
    pub place: u32,
    /// What the same place had lost before.
    before: Option<u32>,
    /// The constraint; none if the statement itself has done it.
    pub by: Option<u32>,
    /// The count that it is set against, if that leaves too little.
    pub beside: Option<u32>,
    /// Numbers of values.
    pub values: Vec<u32>,
    /// The places that it came from, and what they could be then. None if it follows from the constraint alone.
    pub from: Vec<(u32, Vec<u32>)>,
}

/// What is to be added up.
struct Adding<'a> {
    places: &'a [u32],
    factors: &'a [f64],
    numbers: &'a [f64],
    bounds: (f64, f64),
}

impl Solver {
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
        self.removals.push(Removal {
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
            Constraint::Callback { .. } | Constraint::Adjacent { .. } => {
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
        let is_narrow = |candidates: Candidates<'_>| (candidates.count() as usize) < self.values;
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
                self.candidates(*other as usize).count() as usize + lost(*other) < self.values
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
                let share = least(*other) - least_of(*other, sign, &mut (0..self.values));
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
            let is_narrow = (self.candidates(*place as usize).count() as usize) < self.values;
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

    /// What the latest statement has taken away, in order. Nothing is known unless somebody watches.
    pub fn removals(&self) -> &[Removal] {
        &self.removals.noted
    }

    /// Those of one place, the latest first.
    pub fn removals_of(&self, place: usize) -> impl Iterator<Item = &Removal> {
        self.removals.of(place)
    }

    /// How many candidates a place has lost by the latest statement.
    pub fn lost(&self, place: usize) -> usize {
        self.removals
            .of(place)
            .map(|removal| removal.values.len())
            .sum()
    }

    /// Begins a statement, which may be a guess at a place: whether its removals are noted, and with their reasons.
    #[inline]
    pub fn begin_statement(&mut self, guess: Option<usize>, is_watched: bool, gives_reasons: bool) {
        self.losses.begin_statement(guess);
        self.is_explained = is_watched;
        self.gives_reasons = gives_reasons;
        // Mostly nobody watches, and a map is not made for nothing.
        if !self.removals.noted.is_empty() {
            self.removals = Removals::default();
        }
        self.removals.work_left.set(reasons::MOST_WORK);
        self.removals.are_more_values = None;
        self.failed = None;
    }

    /// Whether removals are noted.
    pub fn is_explained(&self) -> bool {
        self.is_explained
    }

    /// Whether reasons wait to be told if places without a constraint hold values that have no number.
    pub fn asks_for_more_values(&self) -> bool {
        self.gives_reasons && self.removals.are_more_values.is_none()
    }

    /// Answers that.
    pub fn tell_of_more_values(&mut self, are_more: bool) {
        self.removals.are_more_values = Some(are_more);
    }

    /// What a constraint is called.
    pub fn name_of(&self, number: Option<u32>) -> Option<&'static str> {
        self.constraints
            .get(number? as usize)
            .map(|constraint| constraint.name())
    }
}
