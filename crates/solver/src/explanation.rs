//! From which other places a removal follows: as few as a deletion filter finds (Chinneck and Dravnieks, 1991), which
//! tries halves first. Only a watched run asks; the work per statement is bounded, on large boards too.

use super::Solver;
use super::domains::Candidates;
use super::removals::MOST_REASON_PLACES;

/// A constraint that is asked for its reasons, and what is known of it.
#[derive(Clone, Copy)]
pub(super) struct AskedRule<'a> {
    pub places: Option<&'a [u32]>,
    pub knows_all_values: bool,
    pub clues: &'a [u32],
}

/// Whether a constraint can hold with some values of one place, while others have their present or their initial
/// domains.
pub struct Question<'b> {
    solver: &'b Solver,
    /// Whether relaxed places may have any value, also those that they did not have at first.
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
    /// A question for the reason why a place has lost these values; `of_all_values` if they are all that it had.
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

    /// The domain of a place in the question.
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

    /// The fewest of `places` from which, together with `always_included`, it follows that none of the values is left; and
    /// the work. `None` if that does not follow even from all of them, or the constraint cannot be asked.
    fn fewest(
        mut self,
        can_hold: &dyn Fn(&Question<'_>) -> Option<(bool, usize)>,
        places: Vec<u32>,
        always_included: &[u32],
        most_work: usize,
    ) -> (Option<Vec<u32>>, usize) {
        // Places that cannot be a reason have their initial domains.
        self.is_relaxed.fill(true);
        places
            .iter()
            .chain(always_included)
            .for_each(|place| self.is_relaxed[*place as usize] = false);
        let fails = |question: &mut Question<'_>| {
            let answer = can_hold(question);
            question.work += answer.map_or(0, |(_, work)| work);
            answer.is_some_and(|(holds, _)| !holds)
        };
        if !fails(&mut self) {
            return (None, self.work);
        }
        let mut needed = places;
        let mut size = needed.len().max(1);
        while size > 0 {
            let mut at = 0;
            while at < needed.len() && self.work < most_work {
                let end = (at + size).min(needed.len());
                needed[at..end]
                    .iter()
                    .for_each(|place| self.is_relaxed[*place as usize] = true);
                if fails(&mut self) {
                    needed.drain(at..end);
                } else {
                    needed[at..end]
                        .iter()
                        .for_each(|place| self.is_relaxed[*place as usize] = false);
                    at = end;
                }
            }
            size /= 2;
        }
        (Some(needed), self.work)
    }
}

impl Solver {
    /// The fewest places from which it follows.
    pub(super) fn fewest_reasons(
        &self,
        rule: AskedRule<'_>,
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
            // Other values that they could have had have no number here.
            places.truncate(if rule.places.is_some() {
                usize::MAX
            } else {
                MOST_REASON_PLACES
            });
            return places;
        }
        let is_narrow = |candidates: Candidates<'_>| (candidates.count() as usize) < self.values;
        let mut known = places.clone();
        match rule.knows_all_values {
            true => known.retain(|other| is_narrow(self.candidates(*other as usize))),
            false => known.retain(self.knows()),
        }
        // A table leaves out the rows that were impossible when it was posted, so those places belong to the reason.
        let mut clues = rule.clues.to_vec();
        clues.retain(|clue| *clue != place);
        known.retain(|other| !clues.contains(other));
        // Removals of this statement are left out first: older ones explain more.
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
        let mut reason = match rule.places {
            Some(_) => fewest.unwrap_or(known),
            None => fewest
                .unwrap_or_default()
                .into_iter()
                .take(MOST_REASON_PLACES)
                .collect(),
        };
        reason.append(&mut clues);
        if reason.is_empty() && !rule.knows_all_values {
            // They may have lost values before this statement posted the constraint, which knows nothing of that.
            let lost = |other: u32| {
                self.removals
                    .of(other as usize)
                    .map(|removal| removal.values.len())
                    .sum::<usize>()
            };
            let was_narrow = |other: &u32| {
                self.candidates(*other as usize).count() as usize + lost(*other) < self.values
            };
            reason = places.into_iter().filter(was_narrow).collect();
        }
        reason.sort_unstable();
        reason
    }

    /// Sorts places by the removals of this statement, the latest first; places that have lost nothing keep their
    /// order.
    pub(super) fn sort_latest_first(&self, places: &mut [u32]) {
        let latest = |other: &u32| self.removals.latest.get(other).map_or(0, |at| at + 1);
        places.sort_unstable_by_key(|other| (std::cmp::Reverse(latest(other)), *other));
    }

    /// The places that have lost candidates: each may make a path or a region cost more, or leave a count less.
    pub(super) fn all_that_costs(&self, place: usize) -> Vec<u32> {
        let others = (0..self.places as u32).filter(|other| *other as usize != place);
        others
            .filter(self.knows())
            .take(MOST_REASON_PLACES)
            .collect()
    }

    /// Whether a place may be a reason: it has lost candidates, or had lost some before a constraint was put on it.
    fn may_be_reason(&self) -> impl Fn(&u32) -> bool + '_ {
        let is_known = self.knows();
        move |place| {
            let is_narrow = (self.candidates(*place as usize).count() as usize) < self.values;
            is_narrow || self.may_be_more_values() || is_known(place)
        }
    }

    /// Whether a place has lost candidates, or has only one.
    fn knows(&self) -> impl Fn(&u32) -> bool + '_ {
        |place| {
            let now = self.candidates(*place as usize);
            now.count() == 1 || now.count() < self.initial(*place as usize).count()
        }
    }

    /// All of some places but one that may say anything.
    pub(super) fn all_possible_reasons(&self, places: &[u32], but: u32) -> Vec<u32> {
        let others = places.iter().copied().filter(|other| *other != but);
        others.filter(self.may_be_reason()).collect()
    }

    /// Whether places may have had values that have no number.
    pub(super) fn may_be_more_values(&self) -> bool {
        self.removals.are_more_values == Some(true)
    }
}
