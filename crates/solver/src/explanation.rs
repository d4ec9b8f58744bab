//! From which other places it follows that a place has lost values: as few as leaving out finds (a deletion filter, after Chinneck and
//! Dravnieks, 1991), by halves first. Whoever asks is watching; a look at a large board costs no more than a share of a statement.

use super::Solver;
use super::domains::Candidates;
use super::removals::MOST_TOLD;

/// What is known of a constraint that is asked for its reasons.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub places: Option<&'a [u32]>,
    pub knows_all_values: bool,
    pub clues: &'a [u32],
}

/// Whether a constraint can hold with some values of one place, if others are what they are now, or what they could be at first.
pub struct Question<'b> {
    solver: &'b Solver,
    /// Whether places may have had any value, beside those that they had at first.
    of_all_values: bool,
    place: u32,
    /// The values as bits.
    values: Vec<u64>,
    /// All values of the board.
    all: Vec<u64>,
    is_relaxed: Vec<bool>,
    work: usize,
}

impl<'b> Question<'b> {
    fn new(solver: &'b Solver, of_all_values: bool, place: u32, values: &[u32]) -> Question<'b> {
        let words = solver.width();
        let bits = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut bits = vec![0; words];
            numbers.for_each(|number| bits[number / 64] |= 1 << (number % 64));
            bits
        };
        Question {
            solver,
            of_all_values,
            place,
            values: bits(&mut values.iter().map(|value| *value as usize)),
            all: bits(&mut (0..solver.values)),
            is_relaxed: vec![false; solver.places],
            work: 0,
        }
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.solver.places
    }

    /// How many values there are.
    pub fn values(&self) -> usize {
        self.solver.values
    }

    /// What a place may have in the question.
    pub fn domain(&self, place: u32) -> Candidates<'_> {
        if place == self.place {
            Candidates::whole(&self.values)
        } else if !self.is_relaxed[place as usize] {
            self.solver.candidates(place as usize)
        } else if self.of_all_values {
            Candidates::whole(&self.all)
        } else {
            self.solver.initial(place as usize)
        }
    }

    /// The fewest of some places from which it follows that nothing of the values is left, beside others that are told anyway, and the work
    /// that was. `None` if it does not follow from all of them, or nothing is known of such constraints.
    fn fewest(
        mut self,
        can_hold: &dyn Fn(&Question<'_>) -> Option<(bool, usize)>,
        places: Vec<u32>,
        told_anyway: &[u32],
        most_work: usize,
    ) -> (Option<Vec<u32>>, usize) {
        // What is no candidate for a reason is as it could be at first.
        self.is_relaxed.fill(true);
        places
            .iter()
            .chain(told_anyway)
            .for_each(|place| self.is_relaxed[*place as usize] = false);
        let fails = |question: &mut Question<'_>| {
            let answer = can_hold(question);
            question.work += answer.map_or(0, |(_, work)| work);
            answer.is_some_and(|(holds, _)| !holds)
        };
        if !fails(&mut self) {
            return (None, self.work);
        }
        let mut kept = places;
        let mut size = kept.len().max(1);
        while size > 0 {
            let mut at = 0;
            while at < kept.len() && self.work < most_work {
                let end = (at + size).min(kept.len());
                kept[at..end]
                    .iter()
                    .for_each(|place| self.is_relaxed[*place as usize] = true);
                if fails(&mut self) {
                    kept.drain(at..end);
                } else {
                    kept[at..end]
                        .iter()
                        .for_each(|place| self.is_relaxed[*place as usize] = false);
                    at = end;
                }
            }
            size /= 2;
        }
        (Some(kept), self.work)
    }
}

impl Solver {
    /// The fewest places from which it follows.
    pub(super) fn fewest_reasons(
        &self,
        rule: Asked<'_>,
        can_hold: &dyn Fn(&Question<'_>) -> Option<(bool, usize)>,
        place: u32,
        values: &[u32],
    ) -> Vec<u32> {
        let everywhere = || (0..self.places as u32).collect();
        let mut places: Vec<u32> = rule.places.map_or_else(everywhere, <[u32]>::to_vec);
        places.sort_unstable();
        places.dedup();
        places.retain(|other| *other != place);
        if self.may_be_more_values() {
            // What else they could have been has no number here.
            places.truncate(if rule.places.is_some() {
                usize::MAX
            } else {
                MOST_TOLD
            });
            return places;
        }
        let is_narrow = |candidates: Candidates<'_>| (candidates.count() as usize) < self.values;
        let mut known = places.clone();
        match rule.knows_all_values {
            true => known.retain(|other| is_narrow(self.candidates(*other as usize))),
            false => known.retain(self.knows()),
        }
        // Rows are left out of a table for what was known before it was put.
        let mut clues = rule.clues.to_vec();
        clues.retain(|clue| *clue != place);
        known.retain(|other| !clues.contains(other));
        // What this statement has taken away is left out first: what was known before says more.
        self.sort_latest_first(&mut known);
        let question = Question::new(self, rule.knows_all_values, place, values);
        let (fewest, work) = question.fewest(
            can_hold,
            known.clone(),
            &clues,
            self.removals.work_left.get(),
        );
        self.removals
            .work_left
            .set(self.removals.work_left.get().saturating_sub(work));
        let mut told = match rule.places {
            Some(_) => fewest.unwrap_or(known),
            None => fewest
                .unwrap_or_default()
                .into_iter()
                .take(MOST_TOLD)
                .collect(),
        };
        told.append(&mut clues);
        if told.is_empty() && !rule.knows_all_values {
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
    pub(super) fn sort_latest_first(&self, places: &mut [u32]) {
        let latest = |other: &u32| self.removals.latest.get(other).map_or(0, |at| at + 1);
        places.sort_unstable_by_key(|other| (std::cmp::Reverse(latest(other)), *other));
    }

    /// The places that have lost anything: each may make a way or a piece longer, or a count leave less.
    pub(super) fn all_that_costs(&self, place: usize) -> Vec<u32> {
        let others = (0..self.places as u32).filter(|other| *other as usize != place);
        others.filter(self.knows()).take(MOST_TOLD).collect()
    }

    /// Whether a place may say anything: it says something, or may have before a constraint was put there.
    fn may_tell(&self) -> impl Fn(&u32) -> bool + '_ {
        let knows = self.knows();
        move |place| {
            let is_narrow = (self.candidates(*place as usize).count() as usize) < self.values;
            is_narrow || self.may_be_more_values() || knows(place)
        }
    }

    /// Whether a place says anything: it has lost candidates, or has only one.
    fn knows(&self) -> impl Fn(&u32) -> bool + '_ {
        |place| {
            let now = self.candidates(*place as usize);
            now.count() == 1 || now.count() < self.initial(*place as usize).count()
        }
    }

    /// All of some places but one that may say anything.
    pub(super) fn all_that_may_tell(&self, places: &[u32], but: u32) -> Vec<u32> {
        let others = places.iter().copied().filter(|other| *other != but);
        others.filter(self.may_tell()).collect()
    }

    /// Whether places may have had values that have no number.
    pub(super) fn may_be_more_values(&self) -> bool {
        self.removals.are_more_values == Some(true)
    }
}
