//! Posts constraints on boards, and removes them again.

use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;

use super::{Board, Rule};
use crate::store::heap::Heap;
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Value};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_solver::Watchers;

/// The result of a slice of binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindStatus {
    NotYet,
    /// This number of bytes has to be granted first.
    Wants(usize),
    /// All places are bound; whether one of them has no candidate.
    Done {
        is_empty: bool,
    },
}

/// Binds places, that is gives them domains as bits, for one more constraint. The values that they hold are frozen.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    at: usize,
    is_begun: bool,
    is_empty: bool,
    /// The values of the current place: how many are numbered, and the least and the greatest number.
    numbered: usize,
    least: u32,
    most: u32,
    /// Whether the window of the place is open, and its candidates are entered.
    is_open: bool,
    /// The latest bound place, with the value that it held.
    latest: Option<(Value, u32)>,
    /// A bound place for each value that was found: many places hold one of a few sets.
    place_by_value: KeyedMap<Value, u32>,
    /// When constraints are restored: the initial domains at that time.
    before: Option<Arc<InitialDomains>>,
}

/// The content of a board when its places got their first constraint. Restored constraints then number values as
/// before.
#[derive(Clone, Debug, Default)]
pub struct InitialDomains {
    /// The values, in the order of their numbers.
    universe: Vec<Value>,
    /// By place, its content; null where it has no constraint.
    contents: Vec<Value>,
}

ndscript_base::saved!(struct InitialDomains { universe, contents });

impl InitialDomains {
    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.contents) + room::row(&self.universe)
    }

    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.universe.iter().chain(&self.contents).copied()
    }

    /// Whether it can belong to a board of `places` places. It is empty where it is not needed.
    pub fn fits(&self, places: usize) -> bool {
        self.contents.is_empty() && self.universe.is_empty() || self.contents.len() == places
    }
}

/// The most values recorded there.
const MOST_VALUES_MET: usize = 1 << 12;
/// Visits to bind a place that holds an equal value to the previous one.
const VISITS_OF_ALIKE: usize = 6;
/// Candidates are numbered in portions, each with its memory granted.
const PORTION: usize = 256;

impl Binding {
    pub fn bytes(&self) -> usize {
        room::hash_map(self.place_by_value.capacity(), 16)
    }

    /// Continues binding `places`, or all places. `fits` is asked before memory is allocated.
    pub fn resume(
        &mut self,
        heap: &mut Heap,
        handle: Handle,
        places: Option<&[u32]>,
        budget: &mut Budget,
        fits: impl Fn(&mut Heap, usize) -> bool,
    ) -> BindStatus {
        if !self.is_begun {
            let board = &heap.boards[handle];
            let count = board.solver.places();
            let rows = if board.solver.has_rows() {
                0
            } else {
                Board::bytes_of_rows(count)
            };
            let bytes = rows
                + places.map_or(0, |places| Watchers::bytes_for(places.len()))
                + 40 * MOST_VALUES_MET.min(places.map_or(count, <[u32]>::len));
            if !fits(heap, bytes) {
                return BindStatus::Wants(bytes);
            }
            let board = &mut heap.boards[handle];
            if rows > 0 {
                budget.spend(count / 4);
                board.make_rows();
            }
            board.solver.begin_post(places.map_or(0, <[u32]>::len));
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
        let count = places.map_or(heap.boards[handle].solver.places(), <[u32]>::len);
        let mut board = std::mem::take(&mut heap.boards[handle]);
        let result = loop {
            if self.at == count {
                break BindStatus::Done {
                    is_empty: self.is_empty,
                };
            }
            if budget.is_spent() {
                break BindStatus::NotYet;
            }
            if places.is_none() {
                let alike = self.bind_alike(heap, &mut board, budget);
                self.at += alike;
                if alike > 0 {
                    continue;
                }
            }
            let place = places.map_or(self.at, |places| places[self.at] as usize);
            if !board.solver.is_bound(place) {
                match self.bind(heap, &mut board, place, budget, &fits) {
                    BindStatus::Done { .. } => {}
                    other => break other,
                }
            }
            budget.spend(3);
            self.is_empty |= board.solver.candidates(place).is_empty();
            if places.is_some() {
                board.solver.watch(place);
            }
            self.at += 1;
        };
        heap.boards[handle] = board;
        heap.count_board(handle);
        result
    }

    /// Binds the next places that hold the value of the latest one and are not known yet. Returns their number.
    fn bind_alike(&mut self, heap: &Heap, board: &mut Board, budget: &mut Budget) -> usize {
        let Some((latest, known)) = self.latest else {
            return 0;
        };
        let are_new =
            board.solver.everywhere().is_empty() && board.solver.unbound() == board.solver.places();
        if self.before.is_some() || !are_new || !board.solver.domains().is_plain() {
            return 0;
        }
        if heap.at_place(board.container, self.at) != latest {
            return 0;
        }
        let most = budget
            .room_for(VISITS_OF_ALIKE)
            .min(board.solver.places() - self.at);
        let alike = heap.alike_from(board.container, self.at, most);
        budget.spend(VISITS_OF_ALIKE * alike);
        board.drop_sizes();
        board
            .solver
            .domains_mut()
            .copy_word_to(known as usize, self.at..self.at + alike);
        self.is_empty |= board.solver.candidates(known as usize).is_empty();
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
    ) -> BindStatus {
        board.drop_sizes();
        let before = self
            .before
            .as_ref()
            .and_then(|before| before.contents.get(place))
            .filter(|content| **content != Value::NULL);
        let content = before
            .copied()
            .unwrap_or_else(|| heap.at_place(board.container, place));
        if let Some((latest, known)) = self.latest
            && latest == content
            && board.solver.domains().is_plain()
        {
            budget.spend(3);
            board.solver.domains_mut().copy_word(known as usize, place);
            return BindStatus::Done { is_empty: false };
        }
        let count = heap.candidate_count(content);
        let is_new = self.numbered == 0 && !self.is_open;
        if is_new
            && count > 1
            && let Some(known) = self.place_by_value.get(&content)
        {
            let window = board.solver.domains().window(*known as usize);
            let (first, length) = (window.first as usize, window.length as usize);
            let bytes = board.solver.domains().bytes_for_window(first, length);
            if bytes > 0 && !fits(heap, bytes) {
                return BindStatus::Wants(bytes);
            }
            budget.spend(2 + length);
            board.solver.domains_mut().open_window(place, first, length);
            board
                .solver
                .domains_mut()
                .copy_initial(*known as usize, place);
            self.latest = Some((content, place as u32));
            return BindStatus::Done { is_empty: false };
        }
        let visits = heap.visits_of_candidate(content) + 4;
        if is_new {
            (self.least, self.most) = (u32::MAX, 0);
        }
        while !self.is_open && self.numbered < count {
            if budget.is_spent() {
                return BindStatus::NotYet;
            }
            let spare = board.numbers.capacity() - board.numbers.len();
            if spare < PORTION.min(count - self.numbered) {
                let bytes = room::hash_map(
                    (2 * board.numbers.capacity()).max(board.numbers.len() + PORTION),
                    16,
                ) + room::step(board.universe.len() * 8)
                    + 8 * PORTION;
                if board.numbers.capacity() > PORTION && !fits(heap, bytes) {
                    return BindStatus::Wants(bytes);
                }
                board.numbers.reserve(PORTION.min(count - self.numbered));
            }
            let end = count.min(self.numbered + PORTION);
            while self.numbered < end {
                let value = heap
                    .candidate(content, self.numbered)
                    .unwrap_or(Value::NULL);
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
                .solver
                .domains()
                .bytes_for_window(first, last - first + 1);
            if bytes > 0 && !fits(heap, bytes) {
                return BindStatus::Wants(bytes);
            }
            budget.spend(
                last - first
                    + if board.solver.domains().is_plain() && last > 0 {
                        board.solver.places() / 8
                    } else {
                        0
                    },
            );
            board
                .solver
                .domains_mut()
                .open_window(place, first, last - first + 1);
            self.is_open = true;
            self.numbered = count;
        }
        // From the last one to the first, so that no more state is needed.
        while self.numbered > 0 {
            if budget.is_spent() {
                return BindStatus::NotYet;
            }
            let value = heap
                .candidate(content, self.numbered - 1)
                .unwrap_or(Value::NULL);
            if let Some(number) = board.number_of(value) {
                board.solver.domains_mut().insert(place, number);
            }
            self.numbered -= 1;
            budget.spend(visits);
        }
        board.solver.domains_mut().set_initial(place);
        self.is_open = false;
        if count > 1 && self.place_by_value.len() < MOST_VALUES_MET {
            self.place_by_value.insert(content, place as u32);
        }
        BindStatus::Done { is_empty: false }
    }
}

impl Board {
    /// The number of a value; a new value gets the next one.
    fn number(&mut self, value: Value) -> u32 {
        let next = self.universe.len() as u32;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.solver.add_value();
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

    /// Continues to remove constraints, the latest first, until `length` are left; true when that is done.
    fn pop_constraints(&mut self, length: usize, budget: &mut Budget) -> bool {
        if self.solver.count_with_begun() > length {
            self.drop_sizes();
        }
        let is_done = self.solver.withdraw(length, budget);
        self.functions.truncate(self.solver.callbacks().len());
        if self.universe.len() > self.solver.values() {
            for value in self.universe.drain(self.solver.values()..) {
                self.numbers.remove(&value);
            }
            self.sets.clear();
            self.known.clear();
            self.near.fill((0, Value::NULL));
            self.ranked.clear();
        }
        is_done
    }
}

impl Heap {
    /// Posts a constraint on places that were bound for it, so that a failure removes it again.
    pub fn add_constraint(&mut self, board: Handle, rule: impl Into<Rule>) {
        let mut rule = rule.into();
        self.begin_givens(board);
        self.enter_in_agenda(board, &mut rule);
        let (length, stamp) = (
            self.boards[board].solver.constraints().len() as u32,
            self.boards[board].stamp,
        );
        if stamp < self.top {
            let container = self.boards[board].container;
            self.log(Entry::new(Target::Board, board, length, container, stamp));
            self.boards[board].stamp = self.top;
        }
        let own = &mut self.boards[board];
        own.solver.losses_mut().mark_unknown();
        own.add(rule);
        self.has_large_boards |= own.solver.watchers().height() + 2 * own.universe.len() > AT_ONCE;
        self.count_board(board);
    }

    /// Continues to remove the latest constraints until `length` are left; true when that is done.
    pub fn withdraw_constraints(
        &mut self,
        board: Handle,
        length: usize,
        budget: &mut Budget,
    ) -> bool {
        let is_done = self.boards[board].pop_constraints(length, budget);
        if is_done && !self.boards[board].is_constrained() {
            self.drop_rows(board);
        }
        self.count_board(board);
        is_done
    }

    /// The number of constraints on a board.
    pub fn constraint_count(&self, board: Handle) -> usize {
        self.boards[board].solver.constraints().len()
    }

    /// Frees all that the constraints of a board take, as if it had never had any.
    fn drop_rows(&mut self, handle: Handle) {
        let places = self.boards[handle].solver.places();
        let Board {
            container,
            stamp,
            claim,
            counted_bytes: counted,
            ..
        } = self.boards[handle];
        self.boards[handle] = Board {
            stamp,
            claim,
            counted_bytes: counted,
            ..Board::of(container, places)
        };
    }

    /// Continues to remove constraints for an undo; true when that is done.
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
            // As if the board had never been constrained.
            self.drop_rows(board);
        } else {
            self.discard_changes(board);
            if !self.boards[board].pop_constraints(length, budget) {
                self.count_board(board);
                return false;
            }
        }
        self.boards[board].claim += 1;
        self.boards[board].stamp = stamp;
        self.count_board(board);
        true
    }

    /// Whether removing constraints down to `length` is more than a piece.
    pub(crate) fn is_long_to_restore(&self, board: Handle, length: usize) -> bool {
        let Some(solver) = self.boards.get(board).map(|board| &board.solver) else {
            return false;
        };
        let Some(height) = solver.height(length) else {
            return false;
        };
        let links = solver.watchers().height().saturating_sub(height.links);
        let values = solver.values().saturating_sub(height.values);
        length > 0 && links + 2 * values > AT_ONCE
    }

    /// The constraints of a board from a number on, to be posted again.
    pub fn constraints_of(&self, board: Handle, from: usize) -> Vec<Rule> {
        let board = &self.boards[board];
        let constraints = board.solver.constraints().get(from..).unwrap_or_default();
        let functions = board
            .solver
            .callbacks()
            .iter()
            .zip(&board.functions)
            .skip_while(|(number, _)| (**number as usize) < from);
        let mut functions = functions.map(|(_, function)| *function);
        constraints
            .iter()
            // Derived constraints are made again with their members.
            .filter(|constraint| !constraint.is_derived())
            .map(|constraint| Rule {
                constraint: constraint.clone(),
                function: if constraint.is_native() {
                    None
                } else {
                    functions.next()
                },
            })
            .collect()
    }

    /// How many constraints there are from one on.
    pub fn number_of_constraints(&self, board: Handle, from: usize) -> usize {
        self.constraint_count(board).saturating_sub(from)
    }

    /// The bytes of the constraints from one on, with those of the list.
    pub fn bytes_of_constraints(&self, board: Handle, from: usize) -> usize {
        let constraints = self.boards[board].solver.constraints();
        let constraints = constraints.get(from..).unwrap_or_default();
        constraints
            .iter()
            .map(|constraint| constraint.bytes() + size_of::<Rule>())
            .sum()
    }

    /// The numbers of values and places of a board.
    pub fn size_at_first(&self, board: Handle) -> usize {
        self.boards[board].universe.len() + self.boards[board].solver.places()
    }

    /// Whether the constraints from a number on use only places that were constrained before, and values that had
    /// numbers. Posting them again then needs no initial domains.
    pub fn adds_constraints_only(&self, board: Handle, from: usize) -> bool {
        let solver = &self.boards[board].solver;
        solver
            .height(from)
            .is_some_and(|height| height.values == solver.values())
            && solver
                .everywhere()
                .first()
                .is_some_and(|number| (*number as usize) < from)
    }

    /// The content of a board when its places got their first constraint, as far as constraints from a number on need
    /// it.
    pub fn at_first(&mut self, handle: Handle, from: usize) -> InitialDomains {
        if self.adds_constraints_only(handle, from) {
            return InitialDomains::default();
        }
        let universe = self.boards[handle].universe.clone();
        let places = self.boards[handle].solver.places();
        let mut contents = Vec::with_capacity(places);
        let mut latest: Option<(Vec<u64>, usize, Value)> = None;
        for place in 0..places {
            let solver = &self.boards[handle].solver;
            if !solver.is_bound(place) {
                contents.push(Value::NULL);
                continue;
            }
            let (first, words) = solver.initial(place).words();
            let known = latest
                .as_ref()
                .filter(|known| known.1 == first && known.0 == words)
                .map(|known| known.2);
            if let Some(set) = known {
                contents.push(set);
                continue;
            }
            let (words, values) = (words.to_vec(), solver.initial(place).numbers());
            let values: Vec<Value> = values
                .filter_map(|number| universe.get(number).copied())
                .collect();
            self.record_work(2 * values.len());
            let set = self.set_of_frozen(values);
            latest = Some((words, first, set));
            contents.push(set);
        }
        InitialDomains { universe, contents }
    }

    /// Posts constraints again on a board with these initial domains, which is at a fixpoint.
    pub fn repost(&mut self, board: Handle, rules: &[Rule], before: &Arc<InitialDomains>) {
        self.discard_changes(board);
        let mut budget = Budget::unlimited();
        for rule in rules {
            let mut binding = Binding {
                before: Some(before.clone()),
                ..Binding::default()
            };
            binding.resume(
                self,
                board,
                rule.constraint.places(),
                &mut budget,
                |_, _| true,
            );
            self.add_constraint(board, rule.clone());
        }
        self.record_work(budget.steps());
        self.discard_changes(board);
    }
}

/// The most links removed in a piece.
const AT_ONCE: usize = 1 << 15;
