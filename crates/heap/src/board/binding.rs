//! Putting constraints on places, and taking them away again.

use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;

use super::watchers::Watchers;
use super::{Board, Constraint, Height};
use crate::heap::Heap;
use crate::trail::{Entry, Target};
use crate::value::{Handle, Value};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// How far binding has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    NotYet,
    /// It needs so many bytes.
    Wants(usize),
    /// All places are bound; one has no candidate if it says so.
    Done {
        is_empty: bool,
    },
}

/// The binding of places for one more constraint; all that they hold is frozen.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    at: usize,
    is_begun: bool,
    is_empty: bool,
    /// The values of the place whose candidates are numbered: how many of them are, and the least and the largest number.
    numbered: usize,
    least: u32,
    most: u32,
    /// Whether the window of the place is open, and its candidates are entered.
    is_open: bool,
    /// What the latest place held that was bound, and that place.
    latest: Option<(Value, u32)>,
    /// Places by what they hold: many hold the same few sets.
    met: KeyedMap<Value, u32>,
    /// For constraints that were on the board before: how it was then.
    before: Option<Arc<AtFirst>>,
}

/// What a board was like when places of it got their first constraint. Constraints that are put on it again number the same
/// values in the same way.
#[derive(Clone, Debug, Default)]
pub struct AtFirst {
    /// The values, in the order of their numbers.
    universe: Vec<Value>,
    /// For each place what it held; null where it has no constraint.
    held: Vec<Value>,
}

ndscript_base::saved!(struct AtFirst { universe, held });

impl AtFirst {
    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.held) + room::row(&self.universe)
    }

    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.universe.iter().chain(&self.held).copied()
    }

    /// Whether it can be that of so many places. There is nothing in it where nobody has to know.
    pub fn fits(&self, places: usize) -> bool {
        self.held.is_empty() && self.universe.is_empty() || self.held.len() == places
    }
}

/// What is met is noted for so many sets at most.
const MOST_MET: usize = 1 << 12;
/// What binding a place takes that holds the same as the latest one.
const VISITS_OF_ALIKE: usize = 6;
/// Candidates are numbered in portions for which there is room.
const PORTION: usize = 256;

impl Binding {
    pub fn bytes(&self) -> usize {
        room::hash_map(self.met.capacity(), 16)
    }

    /// Goes on to bind places, or all of them. `fits` is asked for memory before it is taken.
    pub fn go(
        &mut self,
        heap: &mut Heap,
        handle: Handle,
        places: Option<&[u32]>,
        budget: &mut Budget,
        fits: impl Fn(&mut Heap, usize) -> bool,
    ) -> Bound {
        if !self.is_begun {
            let board = &heap.boards[handle];
            let rows = if board.has_rows() {
                0
            } else {
                Board::bytes_of_rows(board.places)
            };
            let bytes = rows
                + places.map_or(0, |places| Watchers::bytes_for(places.len()))
                + 40 * MOST_MET.min(places.map_or(board.places, <[u32]>::len));
            if !fits(heap, bytes) {
                return Bound::Wants(bytes);
            }
            let board = &mut heap.boards[handle];
            if rows > 0 {
                budget.spend(board.places / 4);
                board.make_rows();
            }
            board.heights.truncate(board.constraints.len());
            board.heights.push(Height {
                universe: board.universe.len(),
                words: board.domains.height(),
                links: board.watchers.height(),
            });
            board.watchers.make_room(places.map_or(0, <[u32]>::len));
            if let Some(before) = &self.before {
                budget.spend(4 * before.universe.len());
                before
                    .universe
                    .iter()
                    .for_each(|value| _ = board.number(*value));
            }
            self.is_begun = true;
            heap.count_board(handle);
        }
        let count = places.map_or(heap.boards[handle].places, <[u32]>::len);
        let mut board = std::mem::take(&mut heap.boards[handle]);
        let result = loop {
            if self.at == count {
                break Bound::Done {
                    is_empty: self.is_empty,
                };
            }
            if budget.is_spent() {
                break Bound::NotYet;
            }
            if places.is_none() {
                let alike = self.bind_alike(heap, &mut board, budget);
                self.at += alike;
                if alike > 0 {
                    continue;
                }
            }
            let place = places.map_or(self.at, |places| places[self.at] as usize);
            if !board.is_bound(place) {
                match self.bind(heap, &mut board, place, budget, &fits) {
                    Bound::Done { .. } => {}
                    other => break other,
                }
            }
            budget.spend(3);
            self.is_empty |= board.candidates(place).is_empty();
            if places.is_some() {
                let number = board.constraints.len() as u32;
                board.watchers.add(number, place as u32);
                if let Some(bound) = board.bound.get_mut(place) {
                    *bound += 1;
                    board.unbound -= usize::from(*bound == 1);
                }
            }
            self.at += 1;
        };
        heap.boards[handle] = board;
        heap.count_board(handle);
        result
    }

    /// Does so with the next places if they hold the same as the latest one and nothing is known of them; returns how many
    /// those are.
    fn bind_alike(&mut self, heap: &Heap, board: &mut Board, budget: &mut Budget) -> usize {
        let Some((latest, known)) = self.latest else {
            return 0;
        };
        let are_new = board.everywhere.is_empty() && board.unbound == board.places;
        if self.before.is_some() || !are_new || !board.domains.is_plain() {
            return 0;
        }
        if heap.at_place(board.container, self.at) != latest {
            return 0;
        }
        let most = budget.room_for(VISITS_OF_ALIKE).min(board.places - self.at);
        let alike = heap.alike_from(board.container, self.at, most);
        budget.spend(VISITS_OF_ALIKE * alike);
        board.drop_sizes();
        board
            .domains
            .copy_word_to(known as usize, self.at..self.at + alike);
        self.is_empty |= board.candidates(known as usize).is_empty();
        alike
    }

    /// Gives a place the candidates that it holds as bits.
    fn bind(
        &mut self,
        heap: &mut Heap,
        board: &mut Board,
        place: usize,
        budget: &mut Budget,
        fits: &impl Fn(&mut Heap, usize) -> bool,
    ) -> Bound {
        board.drop_sizes();
        let before = self
            .before
            .as_ref()
            .and_then(|before| before.held.get(place))
            .filter(|held| **held != Value::NULL);
        let held = before
            .copied()
            .unwrap_or_else(|| heap.at_place(board.container, place));
        if let Some((latest, known)) = self.latest
            && latest == held
            && board.domains.is_plain()
        {
            budget.spend(3);
            board.domains.copy_word(known as usize, place);
            return Bound::Done { is_empty: false };
        }
        let count = heap.candidate_count(held);
        let is_new = self.numbered == 0 && !self.is_open;
        if is_new
            && count > 1
            && let Some(known) = self.met.get(&held)
        {
            let window = board.domains.window(*known as usize);
            let (first, length) = (window.first as usize, window.length as usize);
            let bytes = board.domains.bytes_for_window(board.places, first, length);
            if bytes > 0 && !fits(heap, bytes) {
                return Bound::Wants(bytes);
            }
            budget.spend(2 + length);
            board
                .domains
                .open_window(board.places, place, first, length);
            board.domains.copy_initial(*known as usize, place);
            self.latest = Some((held, place as u32));
            return Bound::Done { is_empty: false };
        }
        let visits = heap.visits_of_candidate(held) + 4;
        if is_new {
            (self.least, self.most) = (u32::MAX, 0);
        }
        while !self.is_open && self.numbered < count {
            if budget.is_spent() {
                return Bound::NotYet;
            }
            let spare = board.numbers.capacity() - board.numbers.len();
            if spare < PORTION.min(count - self.numbered) {
                let bytes = room::hash_map(
                    (2 * board.numbers.capacity()).max(board.numbers.len() + PORTION),
                    16,
                ) + room::step(board.universe.len() * 8)
                    + 8 * PORTION;
                if board.numbers.capacity() > PORTION && !fits(heap, bytes) {
                    return Bound::Wants(bytes);
                }
                board.numbers.reserve(PORTION.min(count - self.numbered));
            }
            let end = count.min(self.numbered + PORTION);
            while self.numbered < end {
                let value = heap.candidate(held, self.numbered).unwrap_or(Value::NULL);
                let number = board.number(value);
                (self.least, self.most) = (self.least.min(number), self.most.max(number));
                self.numbered += 1;
                budget.spend(visits);
            }
        }
        if !self.is_open {
            let (first, last) = if count == 0 {
                (0, 0)
            } else {
                (self.least as usize / 64, self.most as usize / 64)
            };
            let bytes = board
                .domains
                .bytes_for_window(board.places, first, last - first + 1);
            if bytes > 0 && !fits(heap, bytes) {
                return Bound::Wants(bytes);
            }
            budget.spend(
                last - first
                    + if board.domains.is_plain() && last > 0 {
                        board.places / 8
                    } else {
                        0
                    },
            );
            board
                .domains
                .open_window(board.places, place, first, last - first + 1);
            self.is_open = true;
            self.numbered = count;
        }
        // Entered from the last one on, so that nothing else has to be noted.
        while self.numbered > 0 {
            if budget.is_spent() {
                return Bound::NotYet;
            }
            let value = heap
                .candidate(held, self.numbered - 1)
                .unwrap_or(Value::NULL);
            if let Some(number) = board.number_of(value) {
                board.domains.insert(place, number);
            }
            self.numbered -= 1;
            budget.spend(visits);
        }
        board.domains.set_initial(place);
        self.is_open = false;
        if count > 1 && self.met.len() < MOST_MET {
            self.met.insert(held, place as u32);
        }
        Bound::Done { is_empty: false }
    }
}

impl Board {
    /// The number of a value, which is taken up if it is new.
    fn number(&mut self, value: Value) -> u32 {
        let next = self.universe.len() as u32;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            if self.universe.len() == self.universe.capacity() {
                room::grow(&mut self.universe, 1);
            }
            self.universe.push(value);
        }
        number
    }

    fn drop_sizes(&mut self) {
        if self.sizes.is_some() {
            self.sizes = None;
        }
    }

    /// Goes on to take away the constraints from a number on, the latest first; true when that is done. What is left of one
    /// that is taken away in part are its links.
    fn take_away(&mut self, length: usize, budget: &mut Budget) -> bool {
        while self.heights.len() > length {
            let Some(height) = self.heights.last().copied() else {
                break;
            };
            while self.watchers.height() > height.links {
                if budget.is_spent() {
                    return false;
                }
                budget.spend(4);
                let Some(place) = self.watchers.pop() else {
                    break;
                };
                if let Some(bound) = self.bound.get_mut(place) {
                    *bound = bound.saturating_sub(1);
                    self.unbound += usize::from(*bound == 0);
                }
            }
            self.drop_sizes();
            self.domains.cut_back(height.words);
            if self.universe.len() > height.universe {
                while self.universe.len() > height.universe {
                    if budget.is_spent() {
                        return false;
                    }
                    budget.spend(8);
                    if let Some(value) = self.universe.pop() {
                        self.numbers.remove(&value);
                    }
                }
                self.sets.clear();
                self.known.clear();
                self.near.fill((0, Value::NULL));
                self.ranked.clear();
            }
            if self.constraints.len() == self.heights.len() {
                self.remove();
            }
            self.heights.pop();
            budget.spend(4);
        }
        self.queues
            .iter_mut()
            .for_each(|queue| queue.retain(|number| (*number as usize) < length));
        true
    }
}

impl Heap {
    /// Puts a constraint on places that were bound for it, so that a failure takes it away again.
    pub fn add_constraint(&mut self, board: Handle, constraint: impl Into<Arc<Constraint>>) {
        let mut constraint = constraint.into();
        // One that was on the board before has its flag.
        if constraint.values().any(|held| held == Value::NULL) {
            self.enter_in_agenda(board, Arc::make_mut(&mut constraint));
        }
        let (length, stamp) = (
            self.boards[board].constraints.len() as u32,
            self.boards[board].stamp,
        );
        if stamp < self.top {
            let container = self.boards[board].container;
            self.log(Entry::new(Target::Board, board, length, container, stamp));
            self.boards[board].stamp = self.top;
        }
        self.boards[board].losses.spoil();
        self.boards[board].add(constraint);
        self.has_large_boards |=
            self.boards[board].watchers.height() + 2 * self.boards[board].universe.len() > AT_ONCE;
        self.count_board(board);
    }

    /// Goes on to take constraints away that were put on last, so that so many are left; true when that is done.
    pub fn withdraw_constraints(
        &mut self,
        board: Handle,
        length: usize,
        budget: &mut Budget,
    ) -> bool {
        let is_done = self.boards[board].take_away(length, budget);
        if is_done && !self.boards[board].is_constrained() {
            self.drop_rows(board);
        }
        self.count_board(board);
        is_done
    }

    /// How many constraints a board has.
    pub fn constraint_count(&self, board: Handle) -> usize {
        self.boards[board].constraints.len()
    }

    fn drop_rows(&mut self, handle: Handle) {
        let Board {
            container,
            places,
            stamp,
            claim,
            counted,
            ..
        } = self.boards[handle];
        self.boards[handle] = Board {
            stamp,
            claim,
            counted,
            ..Board::of(container, places)
        };
    }

    /// Goes on to take constraints away, as an undo wants it; true when that is done.
    pub(crate) fn restore_constraints(
        &mut self,
        board: Handle,
        length: usize,
        stamp: u64,
        budget: &mut Budget,
    ) -> bool {
        if self.boards.get(board).is_none() {
            return true;
        }
        if length == 0 {
            // As if there never was any.
            self.drop_rows(board);
        } else {
            self.forget_changes(board);
            if !self.boards[board].take_away(length, budget) {
                self.count_board(board);
                return false;
            }
        }
        self.boards[board].claim += 1;
        self.boards[board].stamp = stamp;
        self.count_board(board);
        true
    }

    /// Whether so many constraints cannot be taken from a board at once.
    pub(crate) fn is_long_to_restore(&self, board: Handle, length: usize) -> bool {
        let Some(board) = self.boards.get(board) else {
            return false;
        };
        let Some(height) = board.heights.get(length) else {
            return false;
        };
        let links = board.watchers.height() - height.links.min(board.watchers.height());
        let values = board.universe.len() - height.universe.min(board.universe.len());
        length > 0 && links + 2 * values > AT_ONCE
    }

    /// The constraints of a board from a number on, to be put on it again.
    pub fn constraints_of(&self, board: Handle, from: usize) -> Vec<Arc<Constraint>> {
        self.boards[board]
            .constraints
            .get(from..)
            .unwrap_or_default()
            .to_vec()
    }

    /// How many of them there are.
    pub fn number_of_constraints(&self, board: Handle, from: usize) -> usize {
        self.boards[board].constraints.len().saturating_sub(from)
    }

    /// The bytes of them, with those of the list.
    pub fn bytes_of_constraints(&self, board: Handle, from: usize) -> usize {
        let constraints = self.boards[board]
            .constraints
            .get(from..)
            .unwrap_or_default();
        constraints
            .iter()
            .map(|constraint| constraint.bytes() + size_of::<Arc<Constraint>>())
            .sum()
    }

    /// How many values and places a board has.
    pub fn size_at_first(&self, board: Handle) -> usize {
        self.boards[board].universe.len() + self.boards[board].places
    }

    /// Whether the constraints of a board from a number on look only at places that were under a constraint before, and at values that
    /// had a number then: to put them on it again, nobody has to know what it was like at first.
    pub fn adds_constraints_only(&self, board: Handle, from: usize) -> bool {
        let board = &self.boards[board];
        board
            .heights
            .get(from)
            .is_some_and(|height| height.universe == board.universe.len())
            && board
                .everywhere
                .first()
                .is_some_and(|number| (*number as usize) < from)
    }

    /// How a board was when its places got their first constraint, as far as constraints from a number on need that.
    pub fn at_first(&mut self, handle: Handle, from: usize) -> AtFirst {
        if self.adds_constraints_only(handle, from) {
            return AtFirst::default();
        }
        let Board {
            universe, places, ..
        } = &self.boards[handle];
        let (universe, places) = (universe.clone(), *places);
        let mut held = Vec::with_capacity(places);
        let mut latest: Option<(Vec<u64>, usize, Value)> = None;
        for place in 0..places {
            let board = &self.boards[handle];
            if !board.is_bound(place) {
                held.push(Value::NULL);
                continue;
            }
            let (first, words) = board.initial(place).words();
            let known = latest
                .as_ref()
                .filter(|known| known.1 == first && known.0 == words)
                .map(|known| known.2);
            if let Some(set) = known {
                held.push(set);
                continue;
            }
            let (words, values) = (words.to_vec(), board.initial(place).numbers());
            let values: Vec<Value> = values
                .filter_map(|number| universe.get(number).copied())
                .collect();
            self.note_work(2 * values.len());
            let set = self.set_of_frozen(values);
            latest = Some((words, first, set));
            held.push(set);
        }
        AtFirst { universe, held }
    }

    /// Puts constraints on a board again, which was like that before. All of it is at rest.
    pub fn add_again(
        &mut self,
        board: Handle,
        constraints: &[Arc<Constraint>],
        before: &Arc<AtFirst>,
    ) {
        self.forget_changes(board);
        let mut budget = Budget::unlimited();
        for constraint in constraints {
            let mut binding = Binding {
                before: Some(before.clone()),
                ..Binding::default()
            };
            binding.go(self, board, constraint.places(), &mut budget, |_, _| true);
            self.add_constraint(board, constraint.clone());
        }
        self.note_work(budget.steps());
        self.forget_changes(board);
    }
}

/// So many links are taken away at once.
const AT_ONCE: usize = 1 << 15;
