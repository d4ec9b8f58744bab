//! What the constraints of a board share: for every place its candidates as bits over the board's own universe of values.
//!
//! The cells of the board itself hold the candidates as values of the language, and they are the truth: they are what
//! the trail restores, what is saved and what scripts read. The bits follow them. While constraints are being brought to
//! rest the bits run ahead; then what has changed is written into the cells at once, or is forgotten if a place has no
//! candidate left.

mod automaton;
mod constraint;
mod different;
mod propagation;
mod sizes;
mod table;
mod ways;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

pub use automaton::Automaton;
pub use constraint::{Constraint, Direction};
pub use propagation::Rest;
use sizes::Sizes;
pub use table::Table;

use super::heap::Heap;
use super::room::{self, block};
use super::trail::{Entry, Target};
use super::value::{Handle, Kind, Value};

/// A board, as its constraints see it.
#[derive(Clone, Debug)]
pub struct Board {
    /// The grid, array or object.
    pub container: Value,
    /// How many places it has.
    pub places: usize,
    /// Words of bits that a place has.
    width: usize,
    /// Frozen values by number, and their numbers.
    universe: Vec<Value>,
    numbers: FxHashMap<Value, u32>,
    /// The candidates of places under a constraint, and what they were when the first was put on them.
    bits: Vec<u64>,
    initial: Vec<u64>,
    /// How many constraints there are on a place, and which; those on all places are in a list of their own.
    bound: Vec<u32>,
    unbound: usize,
    watchers: Vec<Vec<u32>>,
    everywhere: Vec<u32>,
    constraints: Vec<Constraint>,
    /// How many failures each has caused. No failure takes that back.
    weights: Vec<u64>,
    /// The serial under which the number of constraints was last logged.
    stamp: u64,
    /// Places whose bits run ahead of their cells.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    /// Constraints that have work to do, what is cheap first.
    queues: [VecDeque<u32>; 3],
    is_queued: Vec<bool>,
    /// Whether it looks at what lies around each place that has changed.
    looks_around: Vec<bool>,
    /// Places that have changed and that an `adjacent` has not looked at, by constraint.
    pending: Vec<Vec<u32>>,
    sizes: Option<Box<Sizes>>,
    /// Sets of the language by their bits and the other way round, if a word is enough. Emptied with the memo.
    sets: FxHashMap<u64, Value>,
    known: FxHashMap<Value, u64>,
}

impl Default for Board {
    fn default() -> Board {
        Board {
            container: Value::NULL,
            places: 0,
            width: 1,
            universe: Vec::new(),
            numbers: FxHashMap::default(),
            bits: Vec::new(),
            initial: Vec::new(),
            bound: Vec::new(),
            unbound: 0,
            watchers: Vec::new(),
            everywhere: Vec::new(),
            constraints: Vec::new(),
            weights: Vec::new(),
            stamp: 0,
            changed: Vec::new(),
            is_changed: Vec::new(),
            queues: Default::default(),
            is_queued: Vec::new(),
            looks_around: Vec::new(),
            pending: Vec::new(),
            sizes: None,
            sets: FxHashMap::default(),
            known: FxHashMap::default(),
        }
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

impl Board {
    fn of(container: Value, places: usize) -> Board {
        Board {
            container,
            places,
            bits: vec![0; places],
            initial: vec![0; places],
            bound: vec![0; places],
            unbound: places,
            is_changed: vec![false; places],
            ..Board::default()
        }
    }

    /// The bytes that a board of so many places takes at first.
    pub fn bytes_for(places: usize) -> usize {
        places * 32 + size_of::<Board>()
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.universe)
            + room::row(&self.bits)
            + room::row(&self.initial)
            + room::row(&self.bound)
            + room::row(&self.watchers)
            + self.watchers.iter().map(room::row).sum::<usize>()
            + room::row(&self.constraints)
            + self.constraints.iter().map(Constraint::bytes).sum::<usize>()
            + room::row(&self.changed)
            + room::row(&self.is_changed)
            + self.pending.iter().map(room::row).sum::<usize>()
            + self.sizes.as_ref().map_or(0, |sizes| block(size_of::<Sizes>()) + sizes.bytes())
            + room::hash_map(self.numbers.capacity(), 16)
            + room::hash_map(self.sets.capacity(), 16)
            + room::hash_map(self.known.capacity(), 16)
    }

    /// The values that places have or had as candidates, by number.
    pub fn universe(&self) -> &[Value] {
        &self.universe
    }

    /// Words of bits that a place has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether there is a constraint on a place.
    #[inline]
    pub fn is_bound(&self, place: usize) -> bool {
        self.bound.get(place).is_some_and(|bound| *bound > 0)
    }

    /// Whether there is any constraint.
    pub fn is_constrained(&self) -> bool {
        !self.constraints.is_empty()
    }

    /// The candidates of a place.
    #[inline]
    pub fn candidates(&self, place: usize) -> &[u64] {
        &self.bits[place * self.width..(place + 1) * self.width]
    }

    fn count(&self, place: usize) -> u32 {
        self.candidates(place).iter().map(|word| word.count_ones()).sum()
    }

    /// The number of a value, which is taken up if it is new.
    fn number(&mut self, value: Value) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = self.universe.len() as u32;
        self.universe.push(value);
        self.numbers.insert(value, number);
        if self.universe.len() > self.width * 64 {
            self.widen();
        }
        number
    }

    fn widen(&mut self) {
        let (old, new) = (self.width, self.width * 2);
        for row in [&mut self.bits, &mut self.initial] {
            *row = widened(row, old, new);
        }
        self.constraints.iter_mut().for_each(|constraint| constraint.widen(old, new));
        self.sets.clear();
        self.known.clear();
        self.width = new;
    }

    /// Bits for some of the values, of which each that no place had as a candidate is left out.
    pub fn bits_of(&self, values: &[Value]) -> Vec<u64> {
        let mut bits = vec![0; self.width];
        for number in values.iter().filter_map(|value| self.numbers.get(value)) {
            bits[*number as usize / 64] |= 1 << (number % 64);
        }
        bits
    }

    /// The first of the values that was no candidate of a place when the first constraint was put on it.
    pub fn stranger(&self, place: usize, values: &[Value]) -> Option<Value> {
        let initial = &self.initial[place * self.width..(place + 1) * self.width];
        let was_there = |value: &Value| {
            self.numbers.get(value).is_some_and(|number| initial[*number as usize / 64] >> (number % 64) & 1 == 1)
        };
        values.iter().copied().find(|value| !was_there(value))
    }

    /// Forgets what ran ahead: `cell` says what the cells hold.
    fn fall_back(&mut self, cell: impl Fn(&mut Board, usize)) {
        for at in 0..self.changed.len() {
            let place = self.changed[at] as usize;
            self.is_changed[place] = false;
            cell(self, place);
        }
        self.changed.clear();
        self.queues.iter_mut().for_each(VecDeque::clear);
        self.is_queued.iter_mut().for_each(|queued| *queued = false);
        self.pending.iter_mut().for_each(Vec::clear);
    }

    /// Takes away what is not in `mask`; `by` is the constraint that does so, which is not told of it.
    pub(super) fn keep(&mut self, place: usize, mask: &[u64], by: Option<u32>) -> Result<bool, Wiped> {
        let start = place * self.width;
        let mut left = 0;
        let mut differs = false;
        for (bits, mask) in self.bits[start..start + self.width].iter_mut().zip(mask) {
            differs |= *bits & !mask != 0;
            *bits &= mask;
            left |= *bits;
        }
        if differs {
            self.note_change(place, by);
        }
        if left == 0 { Err(Wiped) } else { Ok(differs) }
    }

    fn note_change(&mut self, place: usize, by: Option<u32>) {
        if !std::mem::replace(&mut self.is_changed[place], true) {
            self.changed.push(place as u32);
        }
        for at in 0..self.everywhere.len() {
            self.wake(self.everywhere[at], place, by);
        }
        for at in 0..self.watchers.get(place).map_or(0, Vec::len) {
            self.wake(self.watchers[place][at], place, by);
        }
    }

    fn wake(&mut self, constraint: u32, place: usize, by: Option<u32>) {
        let at = constraint as usize;
        if self.looks_around[at] {
            // Its own changes included.
            self.pending[at].push(place as u32);
        } else if by == Some(constraint) {
            return;
        }
        if by != Some(constraint) && !std::mem::replace(&mut self.is_queued[at], true) {
            let rank = self.constraints[at].rank();
            self.queues[rank].push_back(constraint);
        }
    }

    /// Puts a constraint on its places, which are bound.
    fn add(&mut self, constraint: Constraint) {
        let number = self.constraints.len() as u32;
        self.watch(number, &constraint);
        self.pending.resize(number as usize, Vec::new());
        let looks_around = matches!(constraint, Constraint::Adjacent { .. });
        self.looks_around.truncate(number as usize);
        self.looks_around.push(looks_around);
        let first = if looks_around { (0..self.places as u32).collect() } else { Vec::new() };
        self.pending.push(first);
        self.is_queued.resize(number as usize, false);
        self.is_queued.push(true);
        self.weights.truncate(number as usize);
        self.weights.push(0);
        self.queues[constraint.rank()].push_back(number);
        self.constraints.push(constraint);
    }

    fn watch(&mut self, number: u32, constraint: &Constraint) {
        match constraint.places() {
            None => self.everywhere.push(number),
            Some(places) => {
                if self.watchers.is_empty() {
                    self.watchers.resize(self.places, Vec::new());
                }
                for place in places {
                    self.watchers[*place as usize].push(number);
                }
            }
        }
    }

    /// Takes the constraints from a number on away, and with them what only they bound.
    fn truncate(&mut self, length: usize) {
        while self.constraints.len() > length {
            let Some(constraint) = self.constraints.pop() else { break };
            let number = self.constraints.len() as u32;
            match constraint.places() {
                None => {
                    self.everywhere.retain(|other| *other != number);
                    (0..self.places).for_each(|place| self.unbind(place));
                }
                Some(places) => {
                    for place in places {
                        if let Some(watchers) = self.watchers.get_mut(*place as usize) {
                            watchers.retain(|other| *other != number);
                        }
                        self.unbind(*place as usize);
                    }
                }
            }
        }
        self.pending.truncate(length);
        self.is_queued.truncate(length);
        self.looks_around.truncate(length);
        self.weights.truncate(length);
        self.queues.iter_mut().for_each(|queue| queue.retain(|number| (*number as usize) < length));
    }

    fn unbind(&mut self, place: usize) {
        if let Some(bound) = self.bound.get_mut(place) {
            *bound = bound.saturating_sub(1);
            if *bound == 0 {
                self.unbound += 1;
                self.sizes = None;
            }
        }
    }

    /// Forgets what refers to sets, which may be freed now.
    pub(super) fn forget_sets(&mut self) {
        self.sets = FxHashMap::default();
        self.known = FxHashMap::default();
    }
}

/// Rows of words, each made longer.
pub(super) fn widened(row: &[u64], old: usize, new: usize) -> Vec<u64> {
    let mut out = Vec::with_capacity(row.len() / old.max(1) * new);
    for words in row.chunks(old) {
        out.extend_from_slice(words);
        out.resize(out.len() + new - old, 0);
    }
    out
}

impl Heap {
    /// The board that a container is to its constraints, if it ever had any.
    #[inline]
    pub fn board_of(&self, container: Value) -> Option<Handle> {
        let handle = container.payload();
        let board = match container.kind() {
            Kind::Grid => self.grids[handle].board,
            Kind::Array => self.arrays[handle].board,
            Kind::Object => self.objects[handle].board,
            _ => 0,
        };
        board.checked_sub(1)
    }

    /// The board of a container that has constraints now.
    #[inline]
    pub fn constrained(&self, container: Value) -> Option<Handle> {
        self.board_of(container).filter(|board| self.boards[*board].is_constrained())
    }

    /// How many places a container has as a board.
    pub fn places_of(&self, container: Value) -> usize {
        let handle = container.payload();
        match container.kind() {
            Kind::Grid => self.grids[handle].slots.len(),
            Kind::Array => self.array_len(handle),
            _ => self.objects[handle].len(),
        }
    }

    /// What a place of a container holds.
    pub fn at_place(&self, container: Value, place: usize) -> Value {
        let handle = container.payload();
        let found = match container.kind() {
            Kind::Grid => self.grids[handle].slots.get(place),
            Kind::Array => self.arrays[handle].slots.get(place),
            _ => self.objects[handle].slots().get(2 * place + 1).copied(),
        };
        found.unwrap_or(Value::NULL)
    }

    /// The frozen values that are the candidates of what a place holds.
    pub fn candidates_in(&self, value: Value) -> Vec<Value> {
        if value.is_kind(Kind::Set) { self.set_elements(value) } else { vec![value] }
    }

    pub fn put_at_place(&mut self, container: Value, place: usize, value: Value) {
        if let Some(written) = &mut self.written {
            written.push((container, place));
        }
        let handle = container.payload();
        match container.kind() {
            Kind::Grid => self.set_cell(handle, place, value),
            Kind::Array => self.set_element(handle, place, value),
            _ => {
                let key = self.objects[handle].keys().nth(place);
                if let Some(key) = key {
                    self.set_field(handle, key, value);
                }
            }
        }
    }

    /// The board of a container, made if it has none. No failure takes that back: a board without constraints does
    /// nothing.
    pub fn make_board(&mut self, container: Value) -> Handle {
        if let Some(board) = self.board_of(container) {
            if self.boards[board].is_constrained() || self.boards[board].places == self.places_of(container) {
                return board;
            }
            self.boards[board] = Board::of(container, self.places_of(container));
            return board;
        }
        let board = Board::of(container, self.places_of(container));
        self.allocated(board.bytes());
        let handle = self.boards.add(board, &mut self.bytes);
        let link = match container.kind() {
            Kind::Grid => &mut self.grids[container.payload()].board,
            Kind::Array => &mut self.arrays[container.payload()].board,
            _ => &mut self.objects[container.payload()].board,
        };
        *link = handle + 1;
        handle
    }

    /// Gives places candidates as bits, for one more constraint on them. All that they hold is frozen.
    pub fn bind(&mut self, board: Handle, places: &mut dyn Iterator<Item = usize>) {
        let mut target = std::mem::take(&mut self.boards[board]);
        for place in places {
            target.bound[place] += 1;
            if target.bound[place] > 1 {
                continue;
            }
            target.unbound -= 1;
            target.sizes = None;
            let candidates = self.candidates_in(self.at_place(target.container, place));
            let numbers: Vec<u32> = candidates.iter().map(|value| target.number(*value)).collect();
            let width = target.width;
            let (bits, initial) = (&mut target.bits[place * width..], &mut target.initial[place * width..]);
            bits[..width].fill(0);
            for number in numbers {
                bits[number as usize / 64] |= 1 << (number % 64);
            }
            initial[..width].copy_from_slice(&bits[..width]);
        }
        self.boards[board] = target;
    }

    /// Puts a constraint on bound places, so that a failure takes it away again.
    pub fn add_constraint(&mut self, board: Handle, constraint: Constraint) {
        let (length, stamp) = (self.boards[board].constraints.len() as u32, self.boards[board].stamp);
        if stamp < self.top {
            let container = self.boards[board].container;
            self.log(Entry::new(Target::Board, board, length, container, stamp));
            self.boards[board].stamp = self.top;
        }
        // With the notes of who watches which place.
        let watched = constraint.places().map_or(self.boards[board].places, <[u32]>::len);
        self.allocated(constraint.bytes() + size_of::<Constraint>() + 8 * watched);
        self.boards[board].add(constraint);
    }

    /// Takes constraints away, as an undo wants it.
    pub(super) fn restore_constraints(&mut self, board: Handle, length: usize, stamp: u64) {
        self.forget_changes(board);
        if let Some(board) = self.boards.get_mut(board) {
            if length == 0 {
                // As if there never was any.
                *board = Board::of(board.container, board.places);
            } else {
                board.truncate(length);
            }
            board.stamp = stamp;
        }
    }

    /// Lets the bits of a place follow its cell, which was put back.
    #[cold]
    pub(super) fn follow_place(&mut self, container: Value, place: usize) {
        let Some(handle) = self.board_of(container) else { return };
        if !self.boards[handle].is_bound(place) {
            return;
        }
        let mut board = std::mem::take(&mut self.boards[handle]);
        self.follow(&mut board, place);
        if let Some(sizes) = &mut board.sizes {
            let width = board.width;
            let count = board.bits[place * width..(place + 1) * width].iter().map(|word| word.count_ones()).sum();
            sizes.set(place, count);
        }
        self.boards[handle] = board;
    }

    fn follow(&self, board: &mut Board, place: usize) {
        let value = self.at_place(board.container, place);
        let start = place * board.width;
        if board.width == 1
            && let Some(bits) = board.known.get(&value)
        {
            board.bits[start] = *bits;
            return;
        }
        let bits = board.bits_of(&self.candidates_in(value));
        board.bits[start..start + board.width].copy_from_slice(&bits);
        if board.width == 1 {
            board.known.insert(value, bits[0]);
        }
    }

    /// Forgets what runs ahead of the cells.
    pub fn forget_changes(&mut self, handle: Handle) {
        if self.boards.get(handle).is_none_or(|board| board.changed.is_empty() && board.is_at_rest()) {
            return;
        }
        let mut board = std::mem::take(&mut self.boards[handle]);
        board.fall_back(|board, place| self.follow(board, place));
        self.boards[handle] = board;
    }

    /// Takes away what is not in `mask` from a bound place.
    pub fn narrow_place(&mut self, board: Handle, place: usize, mask: &[u64]) -> Result<bool, Wiped> {
        self.boards[board].keep(place, mask, None)
    }

    /// The bytes that writing what has changed takes at most.
    pub fn bytes_to_settle(&self, board: Handle) -> usize {
        let board = &self.boards[board];
        board.changed.len() * 32 + self.bytes_to_write(board.container)
    }

    /// Writes what has changed into the cells.
    pub fn settle(&mut self, handle: Handle) {
        let mut board = std::mem::take(&mut self.boards[handle]);
        let changed = std::mem::take(&mut board.changed);
        for place in &changed {
            let place = *place as usize;
            board.is_changed[place] = false;
            let set = self.set_of_place(&mut board, place);
            if let Some(sizes) = &mut board.sizes {
                let width = board.width;
                let count = board.bits[place * width..(place + 1) * width].iter().map(|word| word.count_ones()).sum();
                sizes.set(place, count);
            }
            self.put_at_place(board.container, place, set);
        }
        board.changed = changed;
        board.changed.clear();
        self.boards[handle] = board;
    }

    fn set_of_place(&mut self, board: &mut Board, place: usize) -> Value {
        let bits = board.bits[place * board.width];
        if board.width == 1
            && let Some(set) = board.sets.get(&bits)
        {
            return *set;
        }
        let values = ones(board.candidates(place)).map(|number| board.universe[number]).collect();
        let set = self.set_of_frozen(values);
        if board.width == 1 {
            board.sets.insert(bits, set);
            board.known.insert(set, bits);
        }
        set
    }

    /// The constraints of a board, to be put on it again.
    pub fn constraints_of(&self, board: Handle) -> Vec<Constraint> {
        self.boards[board].constraints.clone()
    }

    /// Puts constraints on a board in place of those that it has. All of it is at rest.
    pub fn set_constraints(&mut self, board: Handle, constraints: Vec<Constraint>) {
        let kept = self.boards[board].constraints.len();
        for constraint in constraints.into_iter().skip(kept) {
            match constraint.places().map(<[u32]>::to_vec) {
                None => {
                    let places = self.boards[board].places;
                    self.bind(board, &mut (0..places));
                }
                Some(places) => self.bind(board, &mut places.iter().map(|place| *place as usize)),
            }
            self.add_constraint(board, constraint);
        }
        self.forget_changes(board);
    }
}

impl Heap {
    /// Undoes [`Heap::bind`] where no constraint came of it.
    pub fn release(&mut self, board: Handle, places: &mut dyn Iterator<Item = usize>) {
        places.for_each(|place| self.boards[board].unbind(place));
    }

    /// Lets the bits of all boards follow their cells, which were written behind their backs.
    pub fn follow_boards(&mut self) {
        let handles: Vec<Handle> = self.boards.handles().collect();
        for handle in handles {
            if self.boards[handle].is_constrained() {
                let mut board = std::mem::take(&mut self.boards[handle]);
                board.fall_back(|_, _| {});
                board.sizes = None;
                for place in (0..board.places).filter(|place| board.bound[*place] > 0).collect::<Vec<usize>>() {
                    self.follow(&mut board, place);
                }
                self.boards[handle] = board;
            }
        }
    }
}

#[cfg(feature = "save")]
impl crate::codec::Saved for Board {
    fn save(&self, out: &mut crate::codec::Writer) {
        self.container.save(out);
        if !self.is_constrained() {
            // Made anew, with as many places as the container has.
            let nothing = Board::default();
            nothing.save_rules(self.stamp, out);
            return;
        }
        self.save_rules(self.stamp, out);
    }

    /// The rest is made when all values are there.
    fn load(from: &mut crate::codec::Reader<'_>) -> Result<Board, crate::codec::Unsound> {
        let (container, places, width) = (Value::load(from)?, usize::load(from)?, usize::load(from)?);
        let (universe, initial) = (Vec::load(from)?, Vec::load(from)?);
        let (constraints, weights) = (Vec::load(from)?, Vec::load(from)?);
        let stamp = u64::load(from)?;
        Ok(Board { container, places, width, universe, initial, constraints, weights, stamp, ..Board::default() })
    }
}

#[cfg(feature = "save")]
impl Board {
    fn save_rules(&self, stamp: u64, out: &mut crate::codec::Writer) {
        use crate::codec::Saved;
        self.places.save(out);
        self.width.save(out);
        self.universe.save(out);
        self.initial.save(out);
        self.constraints.save(out);
        self.weights.save(out);
        stamp.save(out);
    }
}

#[cfg(feature = "save")]
impl Heap {
    /// Whether constraints fit to a board.
    pub fn can_have(&self, board: Handle, constraints: &[Constraint]) -> bool {
        let board = &self.boards[board];
        constraints.iter().all(|constraint| constraint.fits(board.places, board.universe.len(), board.width))
    }

    /// Checks the boards that were read back, and makes what was left out.
    pub(super) fn mend_boards(&mut self) -> Result<(), crate::codec::Unsound> {
        use crate::codec::ensure;
        let links = self.grids.iter().map(|grid| grid.board).chain(self.arrays.iter().map(|array| array.board));
        let mut links = links.chain(self.objects.iter().map(|object| object.board)).filter(|link| *link != 0);
        ensure(links.all(|link| self.boards.is_used(link - 1)), "a board is missing")?;
        for container in self.containers() {
            if let Some(board) = self.board_of(container) {
                ensure(self.boards[board].container == container, "a board belongs to something else")?;
            }
        }
        for handle in self.boards.handles().collect::<Vec<Handle>>() {
            let is_container = matches!(self.boards[handle].container.kind(), Kind::Grid | Kind::Array | Kind::Object);
            ensure(is_container && self.has(self.boards[handle].container), "a board belongs to nothing")?;
            let mut board = std::mem::take(&mut self.boards[handle]);
            let count = self.places_of(board.container);
            let needed = board.universe.len().div_ceil(64).max(1).next_power_of_two();
            ensure(board.width == needed, "a board has another number of candidates")?;
            if board.constraints.is_empty() {
                board = Board { stamp: board.stamp, ..Board::of(board.container, count) };
            }
            let places = board.places;
            let fits = places == count && board.initial.len() == count * board.width;
            ensure(fits && board.weights.len() == board.constraints.len(), "a board has another size")?;
            let numbered = |constraint: &Constraint| constraint.fits(places, board.universe.len(), board.width);
            ensure(board.constraints.iter().all(numbered), "a constraint looks at what is not there")?;
            let numbers = board.universe.iter().enumerate().map(|(number, value)| (*value, number as u32));
            board.numbers = numbers.collect();
            board.bits = vec![0; board.initial.len()];
            (board.bound, board.unbound, board.is_changed) = (vec![0; places], places, vec![false; places]);
            for (number, constraint) in std::mem::take(&mut board.constraints).into_iter().enumerate() {
                let all: Vec<u32> = match constraint.places() {
                    Some(own) => own.to_vec(),
                    None => (0..places as u32).collect(),
                };
                for place in all {
                    board.bound[place as usize] += 1;
                    board.unbound -= usize::from(board.bound[place as usize] == 1);
                }
                board.watch(number as u32, &constraint);
                board.looks_around.push(matches!(constraint, Constraint::Adjacent { .. }));
                board.constraints.push(constraint);
                board.pending.push(Vec::new());
                board.is_queued.push(false);
            }
            for place in 0..places {
                if board.bound[place] > 0 {
                    self.follow(&mut board, place);
                }
            }
            self.boards[handle] = board;
        }
        Ok(())
    }

    fn containers(&self) -> Vec<Value> {
        let grids = self.grids.handles().map(|handle| Value::handle(Kind::Grid, handle));
        let arrays = self.arrays.handles().map(|handle| Value::handle(Kind::Array, handle));
        let objects = self.objects.handles().map(|handle| Value::handle(Kind::Object, handle));
        grids.chain(arrays).chain(objects).collect()
    }
}
