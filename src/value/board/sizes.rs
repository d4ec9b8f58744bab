//! Which places of a board have how many candidates, so that a place with the fewest is found at once.

use super::Board;
use crate::value::budget::Budget;
use crate::value::heap::Heap;
use crate::value::room;
use crate::value::undecided::Undecided;
use crate::value::value::Handle;

/// Boards with more values have no such index: it takes a bit a place for each number of candidates.
const MOST_VALUES: usize = 256;

/// Places by number of candidates. What is found does not depend on how it came to be.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    counts: Vec<u32>,
    /// By number of candidates; the decided ones, which have one, are in none.
    by_count: Vec<Undecided>,
    open: Undecided,
    /// So many places are entered.
    entered: usize,
    /// For each place the failures that constraints on it have caused, without those that are on all places. None if
    /// there are only those.
    conflicts: Vec<u64>,
    /// How many places have any.
    in_conflict: usize,
}

impl Sizes {
    /// Of places that have so many candidates at most, with none entered.
    fn new(places: usize, most: usize) -> Sizes {
        let empty = || Undecided::new(places, |_| false);
        Sizes {
            counts: vec![1; places],
            by_count: (0..=most).map(|_| empty()).collect(),
            open: empty(),
            ..Sizes::default()
        }
    }

    fn bytes_for(places: usize, most: usize, has_conflicts: bool) -> usize {
        // A bit a place, and the counts above.
        let index = room::block(places.div_ceil(64) * 8) * 5 / 4 + 2 * size_of::<Undecided>();
        (if has_conflicts { 12 } else { 4 }) * places + (most + 2) * index
    }

    pub fn set(&mut self, place: usize, count: u32) {
        let before = std::mem::replace(&mut self.counts[place], count);
        if before == count {
            return;
        }
        for side in [before, count].into_iter().filter(|side| *side != 1) {
            if let Some(places) = self.by_count.get_mut(side as usize) {
                places.toggle(place);
            }
        }
        if (before == 1) != (count == 1) {
            self.open.toggle(place);
        }
    }

    /// The same as long as not all places are entered, when nothing is asked.
    fn enter(&mut self, place: usize, count: u32) {
        if count != std::mem::replace(&mut self.counts[place], count) && count != 1 {
            if let Some(places) = self.by_count.get_mut(count as usize) {
                places.toggle_uncounted(place);
            }
            self.open.toggle_uncounted(place);
        }
    }

    fn end_entering(&mut self) {
        self.by_count.iter_mut().chain([&mut self.open]).for_each(Undecided::count_again);
    }

    /// The undecided places, ascending.
    pub fn open(&self) -> &Undecided {
        &self.open
    }

    /// The places with the fewest candidates of those that are undecided.
    pub fn fewest(&self) -> Option<&Undecided> {
        self.by_count.iter().find(|places| places.len() > 0)
    }

    /// Whether there is room for failures of constraints that are on some places only.
    pub fn knows_conflicts(&self) -> bool {
        !self.conflicts.is_empty()
    }

    fn add_conflicts(&mut self, place: usize, failures: u64) {
        if let Some(conflicts) = self.conflicts.get_mut(place) {
            self.in_conflict += usize::from(*conflicts == 0 && failures > 0);
            *conflicts += failures;
        }
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.counts)
            + room::row(&self.conflicts)
            + room::row(&self.by_count)
            + self.by_count.iter().map(Undecided::bytes).sum::<usize>()
            + self.open.bytes()
    }
}

/// How many candidates places have, and how many failures their constraints have caused.
#[derive(Clone, Copy, Debug)]
pub struct Conflicts<'a> {
    counts: &'a [u32],
    failures: &'a [u64],
    /// Those of constraints that are on all places.
    everywhere: u64,
    /// Whether they are not the same for all places.
    pub are_uneven: bool,
}

impl Conflicts<'_> {
    pub fn places(&self) -> usize {
        self.counts.len()
    }

    /// The candidates of an undecided place, and 1 more than the failures: the smaller the one is for the other, the
    /// sooner it is turned to.
    #[inline]
    pub fn of(&self, place: usize) -> Option<(u64, u64)> {
        let count = self.counts[place];
        let failures = self.failures.get(place).copied().unwrap_or(0);
        (count != 1).then_some((u64::from(count), 1 + self.everywhere + failures))
    }
}

impl Board {
    /// Notes that a constraint has caused a failure.
    pub(super) fn note_conflict(&mut self, constraint: u32) {
        self.weights[constraint as usize] += 1;
        if let Some(sizes) = &mut self.sizes {
            let places = self.constraints[constraint as usize].places().unwrap_or_default();
            places.iter().for_each(|place| sizes.add_conflicts(*place as usize, 1));
        }
    }
}

/// How far the index of open places is.
pub enum Indexed {
    /// The board has none: not all places are bound, or there are too many values.
    No,
    NotYet,
    Wants(usize),
    Yes,
}

impl Heap {
    /// Goes on with the index of the undecided places of a board all of whose places are bound. `fits` is asked for
    /// memory before it is taken.
    pub fn index_sizes(
        &mut self,
        handle: Handle,
        budget: &mut Budget,
        fits: impl Fn(&mut Heap, usize) -> bool,
    ) -> Indexed {
        let board = &self.boards[handle];
        let is_bound = !board.everywhere.is_empty() || board.has_rows() && board.unbound == 0;
        let has_all = board.sizes.as_ref().is_some_and(|sizes| sizes.entered == sizes.counts.len());
        if has_all && is_bound && board.stale.is_empty() {
            return Indexed::Yes;
        }
        let most = board.universe.len();
        if !is_bound || most > MOST_VALUES {
            return Indexed::No;
        }
        if !self.freshen(handle, budget) {
            return Indexed::NotYet;
        }
        if self.boards[handle].sizes.is_none() {
            let places = self.boards[handle].places;
            let has_conflicts = self.boards[handle].watchers.height() > 0;
            let bytes = Sizes::bytes_for(places, most, has_conflicts);
            if !fits(self, bytes) {
                return Indexed::Wants(bytes);
            }
            budget.spend(places + most * places / 256);
            let mut sizes = Sizes::new(places, most);
            if has_conflicts {
                sizes.conflicts = vec![0; places];
            }
            self.boards[handle].sizes = Some(Box::new(sizes));
            self.count_board(handle);
        }
        let Board { sizes, domains, watchers, weights, .. } = &mut self.boards[handle];
        let Some(sizes) = sizes else { return Indexed::No };
        let is_new = sizes.entered < sizes.counts.len();
        while sizes.entered < sizes.counts.len() {
            if budget.is_spent() {
                return Indexed::NotYet;
            }
            budget.spend(8);
            let place = sizes.entered;
            sizes.enter(place, domains.candidates(place).count());
            if sizes.knows_conflicts() {
                for constraint in watchers.of(place) {
                    budget.spend(1);
                    sizes.add_conflicts(place, weights.get(constraint as usize).copied().unwrap_or(0));
                }
            }
            sizes.entered += 1;
        }
        if is_new {
            sizes.end_entering();
        }
        Indexed::Yes
    }

    /// The undecided places by the index: all of them, and those with the fewest candidates.
    pub fn open_places(&self, handle: Handle) -> Option<(&Undecided, &Undecided)> {
        let sizes = self.boards[handle].sizes.as_deref()?;
        Some((sizes.open(), sizes.fewest().unwrap_or(sizes.open())))
    }

    /// What `order: "conflicts"` looks at; nothing if there is no index.
    pub fn conflicts(&self, handle: Handle) -> Option<Conflicts<'_>> {
        let board = &self.boards[handle];
        let sizes = board.sizes.as_deref()?;
        let everywhere =
            board.everywhere.iter().map(|number| board.weights.get(*number as usize).copied().unwrap_or(0));
        Some(Conflicts {
            counts: &sizes.counts,
            failures: &sizes.conflicts,
            everywhere: everywhere.sum(),
            are_uneven: sizes.in_conflict > 0,
        })
    }

    /// How many failures the constraints on a place have caused, and 1; and how many constraints those are.
    pub fn weight_of_place(&self, handle: Handle, place: usize) -> (u64, usize) {
        let board = &self.boards[handle];
        let own = board.watchers.of(place).chain(board.everywhere.iter().copied());
        own.fold((1, 0), |(weight, count), number| {
            (weight + board.weights.get(number as usize).copied().unwrap_or(0), count + 1)
        })
    }
}
