//! What the constraints of a board share: for every place its candidates as bits over the board's own universe of values.
//!
//! The cells of the board itself hold the candidates as values of the language, and they are the truth: they are what
//! the trail restores, what is saved and what scripts read. The bits follow them. While constraints are being brought to
//! rest the bits run ahead; then what has changed is written into the cells, or is forgotten if a place has no candidate
//! left.
//!
//! Constraints come and go like a stack, and with them all that only they need: values of the universe, windows of bits,
//! notes of who watches what.

mod adding;
mod agenda;
mod allowance;
mod apart;
mod at_once;
mod automaton;
mod binding;
mod bounds;
mod constraint;
mod counting;
mod cut;
mod depth;
mod different;
mod domains;
mod few_states;
mod few_symbols;
mod follow;
mod hall;
mod losses;
mod many_symbols;
mod outlay;
mod piece;
mod places;
mod propagation;
mod reaching;
mod reasons;
mod relating;
mod removal;
mod rest;
mod saved;
mod sizes;
mod spanning;
mod sum;
mod supports;
mod symbol_set;
mod symbols;
mod table;
mod thrift;
mod vicinity;
mod watchers;
mod ways;
mod witness;

use std::collections::VecDeque;
use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;

pub use automaton::Automaton;
pub use binding::{AtFirst, Binding, Bound};
pub use constraint::{Constraint, Direction, Tally};
pub use domains::Candidates;
use domains::Domains;
pub use follow::SetOfPlace;
pub use losses::Conflict;
use losses::Losses;
use propagation::Propagation;
pub use removal::{DeadEnd, Removal};
pub use rest::Rest;
use sizes::Sizes;
pub use sizes::{Indexed, Order, VISITS_OF_PICK};
pub use supports::Supports;
pub use table::{Table, TableMaking, Tabled};
use watchers::Watchers;

pub use at_once::VISITS_OF_GUESS;

use super::value::Value;
use ndscript_base::room::{self, block};

/// A board, as its constraints see it.
#[derive(Clone, Debug)]
pub struct Board {
    /// The grid, array or object.
    pub container: Value,
    /// How many places it has.
    pub places: usize,
    /// Frozen values by number, and their numbers.
    universe: Vec<Value>,
    numbers: KeyedMap<Value, u32>,
    /// The candidates of places under a constraint. There are none, nor other rows, while there is no constraint.
    domains: Domains,
    /// How many constraints there are on a place, and which; those on all places are in a list of their own.
    bound: Vec<u32>,
    unbound: usize,
    watchers: Watchers,
    everywhere: Vec<u32>,
    /// They never change, so that who wants to put them on it again need not copy them.
    constraints: Vec<Arc<Constraint>>,
    /// For each that parts places the numbers of the values that these may have all at once, for each way between two places its
    /// witness; mended when they are used.
    matchings: Vec<Vec<u32>>,
    /// Those of them that are functions of the program, ways and pieces, and counts that these are set against.
    functions: Vec<u32>,
    ways: Vec<u32>,
    counts: Vec<u32>,
    /// How high everything stood before each constraint, and before one that is on its way.
    heights: Vec<Height>,
    /// The bytes of all constraints, with what each has in other rows.
    rule_bytes: usize,
    /// How many failures each has caused. No failure takes that back.
    weights: Vec<u64>,
    /// When each has something to look at.
    waking: Vec<Waking>,
    /// The serial under which the number of constraints was last logged.
    stamp: u64,
    /// Places whose bits run ahead of their cells.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    /// Places whose bits stayed behind when their cells were put back, because there are many of them; of the last one the
    /// candidates from one on.
    stale: Vec<u32>,
    stale_from: usize,
    /// Constraints that have work to do, what is cheap first. Functions of the program never wait here: they count as if
    /// they did already.
    queues: [VecDeque<u32>; 3],
    /// How often a constraint was told of a change, which is not paid for yet.
    wakes: usize,
    /// Cells that have changed and that a constraint has not looked at which wants to know them, by constraint.
    pending: Vec<Pending>,
    /// What goes on with which constraint, and the bytes that it may take.
    under_way: Option<Box<(u32, Propagation)>>,
    granted: usize,
    /// What was taken away since then and why, if somebody watches; the cell that `adjacent` looks around; and the
    /// constraint that has failed last.
    removals: removal::Removals,
    is_explained: bool,
    gives_reasons: bool,
    looks_from: Option<u32>,
    /// The count that leaves less than what is taken away now would cost.
    runs_short: Option<u32>,
    failed: Option<u32>,
    /// What guesses have taken away, as long as they may turn out to be wrong.
    losses: Losses,
    /// How often somebody began to change the board: who comes back to it sees whether others were there.
    claim: u64,
    sizes: Option<Box<Sizes>>,
    /// Sets of the language by their bits and the other way round, if a word is enough. Emptied with the memo.
    sets: KeyedMap<u64, Value>,
    known: KeyedMap<Value, u64>,
    /// What was looked up in `sets` last, by a hash that anybody may know: what meets in an entry replaces it.
    near: Vec<(u64, Value)>,
    /// Numbers of values in the order of the values, if a word is enough: empty as long as nobody asked, or when values went.
    ranked: Vec<u8>,
    /// The bytes that the account has of it.
    counted: usize,
}

/// How high rows stand that grow with constraints.
#[derive(Clone, Copy, Debug, Default)]
struct Height {
    universe: usize,
    words: usize,
    links: usize,
}

/// When a constraint has something to look at.
#[derive(Clone, Copy, Debug, Default)]
struct Waking {
    /// How many places have to lose something before that, if it is more than one. A failure gives places something back, so that
    /// it is at least as many then.
    slack: u32,
    /// Its queue, and whether it waits there.
    rank: u8,
    is_queued: bool,
    /// Whether it wants to know which cells have changed.
    wants_cells: bool,
    /// Whether it reads a place twice, so that what it takes away may concern itself.
    rereads: bool,
    /// Whether the least and the largest of what a place has are all that it looks at.
    by_ends: bool,
}

impl Waking {
    fn of(constraint: &Constraint, is_queued: bool, slack: u32) -> Waking {
        Waking {
            slack,
            rank: constraint.rank() as u8,
            is_queued,
            wants_cells: constraint.looks_at_changes(),
            rereads: constraint.reads_twice(),
            by_ends: constraint.looks_at_ends(),
        }
    }
}

/// Cells that wait, the latest last, each once.
#[derive(Clone, Debug, Default)]
struct Pending {
    cells: Vec<u32>,
    is_in: Vec<bool>,
}

impl Pending {
    /// All cells.
    fn all(count: usize) -> Pending {
        Pending {
            cells: (0..count as u32).collect(),
            is_in: vec![true; count],
        }
    }

    fn push(&mut self, cell: usize) {
        if let Some(is_in) = self.is_in.get_mut(cell)
            && !std::mem::replace(is_in, true)
        {
            self.cells.push(cell as u32);
        }
    }

    fn pop(&mut self) -> Option<u32> {
        let cell = self.cells.pop()?;
        self.is_in[cell as usize] = false;
        Some(cell)
    }
}

/// A place has no candidate left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wiped;

/// The numbers of the bits that are set.
pub(super) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                at * 64 + bit
            })
        })
    })
}

/// Whether the first or the last one of a word is gone.
#[inline(always)]
fn has_other_ends(before: u64, left: u64) -> bool {
    let gone = before & !left;
    gone & before & before.wrapping_neg() != 0 || gone > left
}

/// How many ones the first numbers have.
const COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut at = 1;
    while at < counts.len() {
        counts[at] = counts[at / 2] + at as u8 % 2;
        at += 1;
    }
    counts
};

/// How many candidates a word stands for. Most boards have few values, and not every processor counts ones.
#[inline(always)]
fn count_of(word: u64) -> u32 {
    COUNTS
        .get(word as usize)
        .map_or_else(|| word.count_ones(), |count| u32::from(*count))
}

/// What a constraint takes in rows that have an entry for each: its own, weights, matchings, queues, heights and pending
/// cells.
const BESIDE_CONSTRAINT: usize = 3 * size_of::<Constraint>() / 2 + 128;

impl Default for Board {
    fn default() -> Board {
        Board::of(Value::NULL, 0)
    }
}

impl Board {
    fn of(container: Value, places: usize) -> Board {
        Board {
            container,
            places,
            universe: Vec::new(),
            numbers: KeyedMap::default(),
            domains: Domains::default(),
            bound: Vec::new(),
            unbound: places,
            watchers: Watchers::default(),
            everywhere: Vec::new(),
            constraints: Vec::new(),
            matchings: Vec::new(),
            functions: Vec::new(),
            ways: Vec::new(),
            counts: Vec::new(),
            heights: Vec::new(),
            rule_bytes: 0,
            weights: Vec::new(),
            waking: Vec::new(),
            stamp: 0,
            changed: Vec::new(),
            is_changed: Vec::new(),
            stale: Vec::new(),
            stale_from: 0,
            queues: Default::default(),
            wakes: 0,
            pending: Vec::new(),
            under_way: None,
            granted: 0,
            removals: removal::Removals::default(),
            is_explained: false,
            gives_reasons: false,
            looks_from: None,
            runs_short: None,
            failed: None,
            losses: Losses::default(),
            claim: 0,
            sizes: None,
            sets: KeyedMap::default(),
            known: KeyedMap::default(),
            near: Vec::new(),
            ranked: Vec::new(),
            counted: 0,
        }
    }

    /// The bytes of the rows that a board of so many places has under constraints.
    pub fn bytes_of_rows(places: usize) -> usize {
        places * (2 * 8 + 4 + 8 + 4 + 4 + 1) + (16 << follow::NEAR_BITS)
    }

    fn has_rows(&self) -> bool {
        !self.bound.is_empty()
    }

    fn make_rows(&mut self) {
        let places = self.places;
        self.domains = Domains::new(places);
        self.watchers = Watchers::new(places);
        (self.bound, self.unbound) = (vec![0; places], places);
        self.is_changed = vec![false; places];
        self.changed = Vec::with_capacity(places);
        self.stale = Vec::new();
        self.near = vec![(0, Value::NULL); 1 << follow::NEAR_BITS];
    }

    /// The bytes of what bringing it to rest may change, without what it was told of.
    fn bytes_in_motion(&self) -> usize {
        let under_way = self.under_way.as_ref().map_or(0, |under_way| {
            block(size_of_val(&**under_way)) + under_way.1.bytes()
        });
        self.losses.bytes() + under_way.max(self.granted)
    }

    /// The bytes of everything that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.universe)
            + self.domains.bytes()
            + self.watchers.bytes()
            + room::row(&self.bound)
            + self.rule_bytes
            + room::row(&self.functions)
            + room::row(&self.ways)
            + room::row(&self.counts)
            + room::row(&self.changed)
            + room::row(&self.is_changed)
            + room::row(&self.stale)
            + room::row(&self.near)
            + room::row(&self.ranked)
            + self.bytes_in_motion()
            + self
                .sizes
                .as_ref()
                .map_or(0, |sizes| block(size_of::<Sizes>()) + sizes.bytes())
            + room::hash_map(self.numbers.capacity(), 16)
            + room::hash_map(self.sets.capacity(), 16)
            + room::hash_map(self.known.capacity(), 16)
    }

    /// The values that places have as candidates, by number.
    pub fn universe(&self) -> &[Value] {
        &self.universe
    }

    /// The constraints, in the order in which they were put.
    pub fn constraints(&self) -> &[Arc<Constraint>] {
        &self.constraints
    }

    /// Words of bits for all values.
    pub fn width(&self) -> usize {
        self.universe.len().div_ceil(64).max(1)
    }

    /// The number of a value.
    #[inline]
    pub fn number_of(&self, value: Value) -> Option<usize> {
        self.numbers.get(&value).map(|number| *number as usize)
    }

    /// The bit of a value in the only word of every place, if no bits are behind their cells.
    #[inline]
    pub fn only_bit(&self, value: Value) -> Option<u64> {
        let is_plain =
            self.universe.len() <= 64 && self.domains.is_plain() && self.stale.is_empty();
        self.number_of(value)
            .filter(|_| is_plain)
            .map(|number| 1 << number)
    }

    /// Whether there is a constraint on a place.
    #[inline]
    pub fn is_bound(&self, place: usize) -> bool {
        !self.everywhere.is_empty() || self.bound.get(place).is_some_and(|bound| *bound > 0)
    }

    /// Whether there is a constraint on every place.
    #[inline]
    fn is_bound_everywhere(&self) -> bool {
        !self.everywhere.is_empty() || self.has_rows() && self.unbound == 0
    }

    /// Whether there is any constraint.
    pub fn is_constrained(&self) -> bool {
        !self.constraints.is_empty()
    }

    /// The candidates of a place.
    #[inline]
    pub fn candidates(&self, place: usize) -> Candidates<'_> {
        self.domains.candidates(place)
    }

    /// What the candidates of a place were when the first constraint was put on it.
    pub fn initial(&self, place: usize) -> Candidates<'_> {
        self.domains.initial(place)
    }

    /// Takes away what is not in a mask; `by` is the constraint that does so, which is not told of it.
    pub(super) fn keep(
        &mut self,
        place: usize,
        mask: &[u64],
        by: Option<u32>,
    ) -> Result<bool, Wiped> {
        self.change(place, by, |word, _| mask.get(word).copied().unwrap_or(0))
    }

    /// Takes away what is in a mask.
    pub(super) fn leave_out(
        &mut self,
        place: usize,
        mask: &[u64],
        by: Option<u32>,
    ) -> Result<bool, Wiped> {
        self.change(place, by, |word, _| !mask.get(word).copied().unwrap_or(0))
    }

    /// Takes away what is not in words like those of the place.
    pub(super) fn keep_words(
        &mut self,
        place: usize,
        words: &[u64],
        by: Option<u32>,
    ) -> Result<bool, Wiped> {
        self.change(place, by, |_, at| words.get(at).copied().unwrap_or(0))
    }

    /// Leaves so many of the candidates of a place whose only word that is.
    #[inline]
    fn keep_word(&mut self, place: usize, left: u64, by: u32) -> Result<(), Wiped> {
        let mark = self.mark_to_note(place);
        let before = std::mem::replace(&mut self.domains.words_mut(place).1[0], left);
        if self.is_explained {
            self.note_removal(place, Some(by), &[before]);
        }
        if self.losses.are_noted() {
            self.note_loss(place, Some(by), mark);
        }
        self.note_change(place, Some(by), has_other_ends(before, left));
        if left == 0 { Err(Wiped) } else { Ok(()) }
    }

    /// `stays` is given the number of a word among all, and among those of the place.
    #[inline(always)]
    fn change(
        &mut self,
        place: usize,
        by: Option<u32>,
        stays: impl Fn(usize, usize) -> u64,
    ) -> Result<bool, Wiped> {
        let before = if self.is_explained {
            self.domains.candidates(place).words().1.to_vec()
        } else {
            Vec::new()
        };
        let mark = self.mark_to_note(place);
        let (first, words) = self.domains.words_mut(place);
        let (mut left, mut goes) = (0, 0);
        // Of longer rows it is not known.
        let only = if let [word] = words {
            Some(*word)
        } else {
            None
        };
        for (at, bits) in words.iter_mut().enumerate() {
            let stays = stays(first + at, at);
            goes |= *bits & !stays;
            *bits &= stays;
            left |= *bits;
        }
        if goes != 0 {
            if self.is_explained {
                self.note_removal(place, by, &before);
            }
            if self.losses.are_noted() {
                self.note_loss(place, by, mark);
            }
            self.note_change(
                place,
                by,
                only.is_none_or(|before| has_other_ends(before, left)),
            );
        }
        if left == 0 { Err(Wiped) } else { Ok(goes != 0) }
    }

    fn note_change(&mut self, place: usize, by: Option<u32>, has_other_ends: bool) {
        if !std::mem::replace(&mut self.is_changed[place], true) {
            self.changed.push(place as u32);
        }
        for at in 0..self.everywhere.len() {
            self.wake(self.everywhere[at], place, by, has_other_ends);
        }
        let mut link = self.watchers.first(place);
        while let Some(at) = link {
            let (constraint, next) = self.watchers.get(at);
            self.wake(constraint, place, by, has_other_ends);
            link = next;
        }
    }

    #[inline]
    fn wake(&mut self, constraint: u32, place: usize, by: Option<u32>, has_other_ends: bool) {
        self.wakes += 1;
        let at = constraint as usize;
        let Some(waking) = self.waking.get_mut(at) else {
            return;
        };
        if waking.wants_cells {
            // Of its own changes, too.
            self.pending[at].push(place);
        }
        if waking.slack > 1 {
            waking.slack -= 1;
            return;
        }
        let is_concerned =
            (by != Some(constraint) || waking.rereads) && (has_other_ends || !waking.by_ends);
        if is_concerned && !std::mem::replace(&mut waking.is_queued, true) {
            self.queues[usize::from(waking.rank)].push_back(constraint);
        }
    }

    /// Puts a constraint on its places, which are bound.
    fn add(&mut self, constraint: Arc<Constraint>) {
        let number = self.constraints.len() as u32;
        if constraint.places().is_none() {
            self.everywhere.push(number);
        } else if self
            .sizes
            .as_ref()
            .is_some_and(|sizes| !sizes.knows_conflicts())
        {
            self.sizes = None;
        }
        self.pending.push(if constraint.looks_at_changes() {
            Pending::all(self.places)
        } else {
            Pending::default()
        });
        self.waking.push(Waking::of(&constraint, true, 0));
        self.weights.push(0);
        self.matchings.push(Vec::new());
        if constraint.is_native() {
            self.queues[constraint.rank()].push_back(number);
        } else {
            self.functions.push(number);
        }
        if constraint.joined().is_some() {
            self.ways.push(number);
        }
        if constraint.may_run_short(self.places) {
            self.counts.push(number);
            self.wake_those_set_against_counts();
        }
        self.rule_bytes += self.bytes_of(&constraint);
        self.constraints.push(constraint);
    }

    /// What a count leaves concerns ways and pieces that were there before it.
    fn wake_those_set_against_counts(&mut self) {
        for number in &self.everywhere {
            let is_concerned = self
                .constraints
                .get(*number as usize)
                .is_some_and(|other| other.heeds_counts());
            let Some(waking) = self
                .waking
                .get_mut(*number as usize)
                .filter(|_| is_concerned)
            else {
                continue;
            };
            if !std::mem::replace(&mut waking.is_queued, true) {
                self.queues[usize::from(waking.rank)].push_back(*number);
            }
        }
    }

    /// The bytes of a constraint with everything that there is for each.
    fn bytes_of(&self, constraint: &Constraint) -> usize {
        let beside = match constraint {
            // Cells that wait, and a witness, which may grow.
            Constraint::Connected { .. } => (5 + 8) * self.places,
            _ if constraint.looks_at_changes() => 5 * self.places,
            Constraint::Reachable { .. } => 4 * self.places,
            Constraint::Different { places, .. } => room::row(places),
            _ => 0,
        };
        constraint.bytes() + BESIDE_CONSTRAINT + beside
    }

    /// Takes the latest constraint away, of which no place is bound any more.
    fn remove(&mut self) {
        let Some(constraint) = self.constraints.pop() else {
            return;
        };
        self.rule_bytes = self.rule_bytes.saturating_sub(self.bytes_of(&constraint));
        if constraint.places().is_none() {
            self.everywhere.pop();
        }
        if !constraint.is_native() {
            self.functions.pop();
        }
        if constraint.joined().is_some() {
            self.ways.pop();
        }
        if constraint.may_run_short(self.places) {
            self.counts.pop();
        }
        let length = self.constraints.len();
        self.pending.truncate(length);
        self.waking.truncate(length);
        self.weights.truncate(length);
        self.matchings.truncate(length);
    }

    /// Forgets what refers to sets, which may be freed now.
    pub(super) fn forget_sets(&mut self) {
        self.sets = KeyedMap::default();
        self.known = KeyedMap::default();
        self.near.fill((0, Value::NULL));
        self.counted = self.bytes();
    }
}
