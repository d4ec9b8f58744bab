//! An index of the places of a board by number of candidates, which finds a place with the fewest at once.

use std::ops::Range;

use super::Board;
use crate::kinds::undecided::Undecided;
use crate::store::alike::alike_at_first;
use crate::store::heap::Heap;
use crate::value::Handle;
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The most values of a board with an index: it takes a bit per place and size.
const MOST_VALUES: usize = 256;

const VISITS_OF_ENTERING: usize = 8;
/// The visits of picking a place by the index.
pub const VISITS_OF_PICK: usize = 4;

/// The order in which `decide` chooses places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Smallest,
    Conflicts,
    First,
    Random,
}

impl Order {
    /// The order of a code.
    #[inline]
    pub fn numbered(number: i64) -> Option<Order> {
        Some(match number {
            0 => Order::Smallest,
            1 => Order::Conflicts,
            2 => Order::First,
            3 => Order::Random,
            _ => return None,
        })
    }

    /// Whether the order depends on numbers of candidates.
    #[inline]
    pub fn goes_by_count(self) -> bool {
        matches!(self, Order::Smallest | Order::Conflicts)
    }
}

/// Places by number of candidates. Its answers do not depend on its history.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    counts: Vec<u16>,
    /// Sets of places by number of candidates, if requested; decided places are in none.
    by_count: Vec<Undecided>,
    open: Undecided,
    /// The number of places entered so far.
    entered: usize,
    /// By place, the failures of its constraints, except of those on all places. `None` if there are only those.
    conflicts: Vec<u64>,
    /// How many places have conflicts.
    in_conflict: usize,
}

impl Sizes {
    /// With this many indexes of places by number of candidates, and no place entered.
    fn new(places: usize, indexes: usize) -> Sizes {
        let empty = || Undecided::new(places, |_| false);
        Sizes {
            counts: vec![1; places],
            by_count: (0..indexes).map(|_| empty()).collect(),
            open: empty(),
            ..Sizes::default()
        }
    }

    fn bytes_for(places: usize, indexes: usize, has_conflicts: bool) -> usize {
        (if has_conflicts { 10 } else { 2 }) * places + (indexes + 1) * Undecided::bytes_for(places)
    }

    /// Whether it has entered all places.
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.entered == self.counts.len()
    }

    /// Whether it has sets of places by number of candidates.
    pub fn knows_counts(&self) -> bool {
        !self.by_count.is_empty()
    }

    /// A placeholder for an index that must be rebuilt, and whether it counts candidates.
    pub(super) fn placeholder(knows_counts: bool) -> Sizes {
        let by_count = if knows_counts {
            vec![Undecided::default()]
        } else {
            Vec::new()
        };
        Sizes {
            by_count,
            ..Sizes::default()
        }
    }

    /// The number of candidates in the cell of a place.
    #[inline]
    pub(super) fn count_of(&self, place: usize) -> u32 {
        u32::from(self.counts[place])
    }

    /// Sets the number of candidates of a place, and enters the place where it is found by that number.
    #[inline]
    pub fn set(&mut self, place: usize, count: u32) {
        let before = u32::from(std::mem::replace(&mut self.counts[place], count as u16));
        if before == count {
            return;
        }
        if self.knows_counts() {
            for side in [before, count].into_iter().filter(|side| *side != 1) {
                if let Some(places) = self.by_count.get_mut(side as usize) {
                    places.toggle(place);
                }
            }
        }
        if (before == 1) != (count == 1) {
            self.open.toggle(place);
        }
    }

    /// As `set`, while not all places are entered and nothing reads the index.
    fn enter(&mut self, place: usize, count: u32) {
        if count != u32::from(std::mem::replace(&mut self.counts[place], count as u16))
            && count != 1
        {
            if let Some(places) = self.by_count.get_mut(count as usize) {
                places.toggle_uncounted(place);
            }
            self.open.toggle_uncounted(place);
        }
    }

    /// As `enter` for several places with as many candidates, if nothing is known of them yet.
    fn enter_alike(&mut self, places: Range<usize>, count: u32) -> bool {
        let counts = &mut self.counts[places.clone()];
        if counts.iter().any(|known| *known != 1) {
            return false;
        }
        if count != 1 {
            counts.fill(count as u16);
            let indexes = self
                .by_count
                .get_mut(count as usize)
                .into_iter()
                .chain([&mut self.open]);
            indexes.for_each(|index| index.toggle_all_uncounted(places.clone()));
        }
        true
    }

    fn end_entering(&mut self) {
        self.by_count
            .iter_mut()
            .chain([&mut self.open])
            .for_each(Undecided::recount);
    }

    /// The undecided places, ascending.
    pub fn open(&self) -> &Undecided {
        &self.open
    }

    /// The undecided places with the fewest candidates.
    pub fn fewest(&self) -> Option<&Undecided> {
        self.by_count.iter().find(|places| places.len() > 0)
    }

    /// Whether failures of constraints on some of the places can be recorded.
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

/// The numbers of candidates of places, and the failures that their constraints have caused.
#[derive(Clone, Copy, Debug)]
pub struct Conflicts<'a> {
    counts: &'a [u16],
    failures: &'a [u64],
    /// The failures of constraints on all places.
    everywhere: u64,
}

impl Conflicts<'_> {
    pub fn places(&self) -> usize {
        self.counts.len()
    }

    /// The number of candidates of an undecided place, and its failures plus 1. The place with the smallest quotient
    /// is chosen first.
    #[inline]
    pub fn of(&self, place: usize) -> Option<(u64, u64)> {
        let count = self.counts[place];
        let failures = self.failures.get(place).copied().unwrap_or(0);
        (count != 1).then_some((u64::from(count), 1 + self.everywhere + failures))
    }
}

impl Board {
    /// Records a failure of a constraint in the index.
    pub(super) fn index_failure(&mut self, constraint: u32) {
        if let Some(sizes) = &mut self.sizes {
            let places = self.solver.constraints()[constraint as usize]
                .places()
                .unwrap_or_default();
            places
                .iter()
                .for_each(|place| sizes.add_conflicts(*place as usize, 1));
        }
    }
}

/// The state of the index.
pub enum Indexed {
    /// The board has no index: not all places are bound, or there are too many values.
    No,
    NotYet,
    Wants(usize),
    Yes,
}

impl Heap {
    /// Continues the index of the undecided places of a board, all of whose places are bound, by number of candidates
    /// if wanted. `fits` checks for memory before it is allocated.
    pub fn index_sizes(
        &mut self,
        handle: Handle,
        by_count: bool,
        budget: &mut Budget,
        fits: impl Fn(&mut Heap, usize) -> bool,
    ) -> Indexed {
        if self.has_sizes(handle, by_count) {
            return Indexed::Yes;
        }
        let board = &mut self.boards[handle];
        let is_bound = board.solver.is_bound_everywhere();
        if by_count
            && board
                .sizes
                .as_ref()
                .is_some_and(|sizes| !sizes.knows_counts())
        {
            board.sizes = None;
        }
        let most = board.universe.len();
        if !is_bound || most > MOST_VALUES {
            return Indexed::No;
        }
        if !self.freshen(handle, budget) {
            return Indexed::NotYet;
        }
        if self.boards[handle].sizes.is_none() {
            let places = self.boards[handle].solver.places();
            let has_conflicts = self.boards[handle].solver.watchers().height() > 0;
            let indexes = if by_count { most + 1 } else { 0 };
            let bytes = Sizes::bytes_for(places, indexes, has_conflicts);
            if !fits(self, bytes) {
                return Indexed::Wants(bytes);
            }
            budget.spend(places + indexes * places / 256);
            let mut sizes = Sizes::new(places, indexes);
            if has_conflicts {
                sizes.conflicts = vec![0; places];
            }
            self.boards[handle].sizes = Some(Box::new(sizes));
            self.count_board(handle);
        }
        let Board { sizes, solver, .. } = &mut self.boards[handle];
        let domains = solver.domains();
        let Some(sizes) = sizes else {
            return Indexed::No;
        };
        let is_new = sizes.entered < sizes.counts.len();
        while sizes.entered < sizes.counts.len() {
            if budget.is_spent() {
                return Indexed::NotYet;
            }
            let place = sizes.entered;
            if domains.is_plain() && !sizes.knows_conflicts() {
                let words = &domains.first_words()[place..sizes.counts.len()];
                let places =
                    place..place + alike_at_first(words, budget.room_for(VISITS_OF_ENTERING));
                if sizes.enter_alike(places.clone(), words[0].count_ones()) {
                    budget.spend(VISITS_OF_ENTERING * places.len());
                    sizes.entered = places.end;
                    continue;
                }
            }
            budget.spend(VISITS_OF_ENTERING);
            sizes.enter(place, domains.candidates(place).count());
            if sizes.knows_conflicts() {
                for constraint in solver.watchers().of(place) {
                    budget.spend(1);
                    sizes.add_conflicts(place, solver.weight(constraint));
                }
            }
            sizes.entered += 1;
        }
        if is_new {
            sizes.end_entering();
        }
        Indexed::Yes
    }

    /// Whether a board has an index that is up to date.
    #[inline]
    pub fn has_sizes(&self, handle: Handle, by_count: bool) -> bool {
        let board = &self.boards[handle];
        let knows = |sizes: &Sizes| sizes.is_whole() && (!by_count || sizes.knows_counts());
        board.stale.is_empty()
            && board.solver.is_bound_everywhere()
            && board.sizes.as_deref().is_some_and(knows)
    }

    /// The place that `decide` chooses by the index; none if all are decided. `None` if that requires visiting all
    /// places. `below` draws a number below another.
    #[inline]
    pub fn pick_open(
        &self,
        handle: Handle,
        order: Order,
        below: impl FnOnce(u64) -> u64,
    ) -> Option<Option<usize>> {
        let sizes = self.boards[handle].sizes.as_deref()?;
        if order == Order::Conflicts && sizes.in_conflict > 0 {
            return None;
        }
        let open = sizes.open();
        Some(match order {
            Order::First => open.select(0),
            _ if open.len() == 0 => None,
            Order::Random => open.select(below(open.len() as u64) as usize),
            Order::Smallest | Order::Conflicts => {
                let fewest = sizes.fewest().unwrap_or(open);
                fewest.select(below(fewest.len() as u64) as usize)
            }
        })
    }

    /// The index for `order: "conflicts"`; `None` if there is none.
    pub fn conflicts(&self, handle: Handle) -> Option<Conflicts<'_>> {
        let board = &self.boards[handle];
        let sizes = board.sizes.as_deref()?;
        let everywhere = board
            .solver
            .everywhere()
            .iter()
            .map(|number| board.solver.weight(*number));
        Some(Conflicts {
            counts: &sizes.counts,
            failures: &sizes.conflicts,
            everywhere: everywhere.sum(),
        })
    }

    /// One more than the failures of the constraints on a place, and the number of these constraints.
    pub fn weight_of_place(&self, handle: Handle, place: usize) -> (u64, usize) {
        let solver = &self.boards[handle].solver;
        let own = solver
            .watchers()
            .of(place)
            .chain(solver.everywhere().iter().copied());
        own.fold((1, 0), |(weight, count), number| {
            (weight + solver.weight(number), count + 1)
        })
    }
}
