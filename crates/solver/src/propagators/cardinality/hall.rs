//! Disjoint counts on equal places: for every set of classes, how many places can and how many must hold a value of
//! these (Hall, 1935; for both bounds Quimper and others, 2004). It is not run until a set may be tight.

use super::Bounds;
use crate::{Candidates, ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The most classes with bounds: the work is exponential in them.
pub(super) const MOST_CLASSES: usize = 6;
/// The number of sets of classes, including the class of all other values.
const SETS: usize = 1 << (MOST_CLASSES + 1);

/// Classes of values, each with its bounds.
#[derive(Clone, Debug)]
pub(super) struct Hall {
    classes: Vec<Bounds>,
}

/// The pass over the places, as far as it has come.
#[derive(Clone, Debug, Default)]
pub struct HallPropagation {
    at: usize,
    /// By set of classes, the number of places that can hold exactly these.
    counts: Vec<u32>,
    /// By set of classes of a place, the classes to remove from it; empty while counting.
    removed: Vec<u8>,
    has_changed: bool,
}

impl Hall {
    /// Classes have to be disjoint, and at most [`MOST_CLASSES`].
    pub fn new(classes: Vec<Bounds>) -> Hall {
        Hall { classes }
    }

    /// The classes of which a place can hold something, as bits; the last one is of all other values.
    fn classes_of(&self, candidates: Candidates<'_>) -> usize {
        let (first, words) = candidates.words();
        let mut others = false;
        let mut classes = 0;
        for (at, bits) in words.iter().enumerate() {
            let mut left = *bits;
            for (number, class) in self.classes.iter().enumerate() {
                let mask = class.values.get(first + at).copied().unwrap_or(0);
                classes |= usize::from(bits & mask != 0) << number;
                left &= !mask;
            }
            others |= left != 0;
        }
        classes | usize::from(others) << self.classes.len()
    }

    /// How many sets of classes there are.
    fn sets(&self) -> usize {
        1 << (self.classes.len() + 1)
    }

    /// All sets of classes with bounds, each with the sums of lower and of upper bounds.
    fn bounds(&self) -> impl Iterator<Item = (usize, u64, u64)> + '_ {
        (1..self.sets() / 2).map(|set| {
            let own = self.classes.iter().enumerate();
            let own = own.filter(move |(number, _)| set >> number & 1 == 1);
            let (mut least, mut most) = (0u64, 0u64);
            for (_, class) in own {
                least = least.saturating_add(class.least);
                most = most.saturating_add(class.most);
            }
            (set, least, most)
        })
    }

    /// By set, the number of places that can hold nothing but values of it (a subset sum).
    fn within(&self, counts: &[u32]) -> [u64; SETS] {
        let mut within = [0; SETS];
        for (sum, count) in within.iter_mut().zip(counts) {
            *sum = u64::from(*count);
        }
        for bit in 0..=self.classes.len() {
            for set in 0..self.sets() {
                if set >> bit & 1 == 1 {
                    within[set] += within[set ^ 1 << bit];
                }
            }
        }
        within
    }

    pub fn can_hold<'a>(&self, domains: impl Iterator<Item = Candidates<'a>>) -> bool {
        let mut counts = vec![0; self.sets()];
        domains.for_each(|domain| counts[self.classes_of(domain)] += 1);
        let within = self.within(&counts);
        let all = self.sets() - 1;
        self.bounds().all(|(set, least, most)| {
            within[set] <= most && within[all] - within[all ^ set] >= least
        })
    }

    pub fn bytes(&self) -> usize {
        let own = self.classes.iter();
        room::row(&self.classes) + own.map(|class| room::row(&class.values)).sum::<usize>()
    }
}

impl HallPropagation {
    /// Counts the places by the classes that they can have, and removes the classes for which the counts leave no room.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        places: &[u32],
        hall: &Hall,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        loop {
            if self.counts.is_empty() {
                self.counts = vec![0; hall.sets()];
            }
            if self.removed.is_empty() {
                while let Some(place) = places.get(self.at) {
                    if budget.is_spent() {
                        return Ok(Fixpoint::NotYet);
                    }
                    budget.spend(1 + hall.classes.len());
                    let classes = hall.classes_of(solver.candidates(*place as usize));
                    self.counts[classes] += 1;
                    self.at += 1;
                }
                budget.spend(hall.sets() * 4);
                let Some(slack) = self.find_removals(hall)? else {
                    self.at = 0;
                    continue;
                };
                solver.waking[number as usize].slack = slack;
                return Ok(Fixpoint::Reached);
            }
            while let Some(place) = places.get(self.at) {
                if budget.is_spent() {
                    return Ok(Fixpoint::NotYet);
                }
                budget.spend(1 + hall.classes.len());
                let candidates = solver.candidates(*place as usize);
                let removed = self.removed[hall.classes_of(candidates)];
                if removed != 0 {
                    self.remove_classes(solver, number, *place as usize, hall, removed)?;
                }
                self.at += 1;
            }
            let has_changed = self.has_changed;
            *self = HallPropagation::default();
            if !has_changed {
                // A tight set removes nothing more; changes wake this again.
                return Ok(Fixpoint::Reached);
            }
        }
    }

    /// Checks all sets of classes. Returns the slack, which is how many places have to change before anything can
    /// follow, or `None` if something follows now, which is then in `removed`.
    fn find_removals(&mut self, hall: &Hall) -> Result<Option<u32>, DomainWipeout> {
        let within = hall.within(&self.counts);
        let all = hall.sets() - 1;
        let mut removed = [0u8; SETS];
        let mut slack = u64::from(u32::MAX);
        let mut goes = false;
        for (set, least, most) in hall.bounds() {
            let (must, can) = (within[set], within[all] - within[all ^ set]);
            if can < least || must > most {
                return Err(DomainWipeout);
            }
            // A bound that always holds has no slack.
            if must < least {
                slack = slack.min(can - least);
            }
            if can > most {
                slack = slack.min(most - must);
            }
            let needs_all = can == least && must < least;
            let is_full = must == most && can > most;
            if !needs_all && !is_full {
                continue;
            }
            for (own, removed) in removed.iter_mut().enumerate().take(hall.sets()) {
                if own & set == 0 || own & !set == 0 || self.counts[own] == 0 {
                    continue;
                }
                let to_remove = if needs_all { own & !set } else { own & set };
                *removed |= to_remove as u8;
                goes = true;
            }
        }
        if !goes {
            return Ok(Some(slack as u32));
        }
        self.removed = removed[..hall.sets()].to_vec();
        Ok(None)
    }

    /// Removes some classes from a place; the bit after those of the classes stands for all other values.
    fn remove_classes(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        place: usize,
        hall: &Hall,
        removed: u8,
    ) -> Result<(), DomainWipeout> {
        let words = solver.width();
        let mut mask = vec![0u64; words];
        let others = usize::from(removed) >> hall.classes.len() & 1 == 1;
        for (at, word) in mask.iter_mut().enumerate() {
            let word_of = |class: &Bounds| class.values.get(at).copied().unwrap_or(0);
            let own = hall.classes.iter().enumerate();
            let going = own.filter(|(number, _)| removed >> number & 1 == 1);
            *word = going.fold(0, |word, (_, class)| word | word_of(class));
            if others {
                let known = hall
                    .classes
                    .iter()
                    .fold(0, |word, class| word | word_of(class));
                *word |= !known;
            }
        }
        self.has_changed |= solver.leave_out(place, &mask, Some(number))?;
        Ok(())
    }
}
