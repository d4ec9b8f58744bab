//! Boards by their containers: reading and writing their places.

use super::Board;
use crate::kinds::array::Role;
use crate::store::alike::alike_at_first;
use crate::store::heap::{Changed, Heap};
use crate::value::{Handle, Kind, Value};
use ndscript_solver::DomainWipeout;

impl Heap {
    /// The board of a container, if it ever had constraints.
    #[inline]
    pub fn board_of(&self, container: Value) -> Option<Handle> {
        let handle = container.payload();
        let board = match container.kind() {
            Kind::Grid => self.grids[handle].board,
            Kind::Array => self.arrays[handle].board(),
            Kind::Object => self.objects[handle].board,
            _ => 0,
        };
        board.checked_sub(1)
    }

    /// The board of a container that has constraints now.
    #[inline]
    pub fn constrained(&self, container: Value) -> Option<Handle> {
        self.board_of(container)
            .filter(|board| self.boards[*board].is_constrained())
    }

    /// The number of places of a container.
    pub fn places_of(&self, container: Value) -> usize {
        let handle = container.payload();
        match container.kind() {
            Kind::Grid => self.grids[handle].slots.len(),
            Kind::Array => self.array_len(handle),
            _ => self.objects[handle].len(),
        }
    }

    /// The value in a place of a container.
    #[inline]
    pub fn at_place(&self, container: Value, place: usize) -> Value {
        let handle = container.payload();
        let found = match container.kind() {
            Kind::Grid => self.grids[handle].slots.get(place),
            Kind::Array => self.arrays[handle].slots.get(place),
            _ => self.objects[handle].slots().get(2 * place + 1).copied(),
        };
        found.unwrap_or(Value::NULL)
    }

    /// How many places from one on, at most `most`, hold an equal value.
    pub fn alike_from(&self, container: Value, place: usize, most: usize) -> usize {
        let handle = container.payload();
        let values = match container.kind() {
            Kind::Grid => self.grids[handle].slots.values(),
            Kind::Array => self.arrays[handle].slots.values(),
            _ => return 1,
        };
        values
            .get(place..)
            .map_or(1, |values| alike_at_first(values, most))
            .max(1)
    }

    /// Writes to a place of a grid, an array or an object, and records the change if writes are recorded.
    pub fn put_at_place(&mut self, container: Value, place: usize, value: Value) {
        if let Some(written) = &mut self.written {
            written.push(Changed::Place(container, place));
        }
        let handle = container.payload();
        match container.kind() {
            Kind::Grid => self.set_cell(handle, place, value),
            Kind::Array => self.set_element(handle, place, value),
            _ => {
                let key = self.objects[handle].slots().get(2 * place).copied();
                if let Some(key) = key {
                    self.set_field(handle, key, value);
                }
            }
        }
    }

    /// Removes everything that is not in a mask from a bound place.
    ///
    /// # Errors
    /// [`DomainWipeout`] if nothing is left.
    pub fn narrow_place(
        &mut self,
        board: Handle,
        place: usize,
        mask: &[u64],
    ) -> Result<bool, DomainWipeout> {
        self.boards[board].solver.narrow(place, mask)
    }

    /// The number of candidates that the value of a place means.
    pub fn candidate_count(&self, content: Value) -> usize {
        if content.is_kind(Kind::Set) {
            self.set_len(content)
        } else {
            1
        }
    }

    /// The candidate with an index, in order.
    #[inline]
    pub fn candidate(&self, content: Value, index: usize) -> Option<Value> {
        if content.is_kind(Kind::Set) {
            self.set_get(content, index)
        } else {
            (index == 0).then_some(content)
        }
    }

    /// The visits that finding a candidate by its index takes.
    pub fn visits_of_candidate(&self, content: Value) -> usize {
        let is_tree =
            content.is_kind(Kind::Set) && self.sets[content.payload()].small_row().is_none();
        if is_tree { 12 } else { 4 }
    }

    /// The board of a container, made if it has none. Failures do not undo that: a board without constraints does
    /// nothing.
    pub fn make_board(&mut self, container: Value) -> Handle {
        let places = self.places_of(container);
        if let Some(board) = self.board_of(container) {
            if !self.boards[board].is_constrained() && self.boards[board].solver.places() != places
            {
                let Board {
                    counted_bytes: counted,
                    claim,
                    ..
                } = self.boards[board];
                self.boards[board] = Board {
                    counted_bytes: counted,
                    claim,
                    ..Board::of(container, places)
                };
                self.count_board(board);
            }
            return board;
        }
        let handle = self
            .boards
            .add(Board::of(container, places), &mut self.bytes);
        match container.kind() {
            Kind::Grid => self.grids[container.payload()].board = handle + 1,
            Kind::Array => {
                self.write_out(container.payload());
                self.arrays[container.payload()].role = Role::Board(handle + 1);
            }
            _ => self.objects[container.payload()].board = handle + 1,
        }
        handle
    }

    /// Updates the account for a board.
    pub(super) fn count_board(&mut self, board: Handle) {
        let now = self.boards[board].bytes();
        let before = std::mem::replace(&mut self.boards[board].counted_bytes, now);
        self.bytes = (self.bytes + now).saturating_sub(before);
    }

    /// Begins a change of a board: unfinished changes are discarded. Returns the claim for [`Heap::holds_claim`].
    pub fn claim_board(&mut self, board: Handle) -> u64 {
        self.claim(board, None)
    }

    /// As `claim_board`, for a guess at a place.
    pub fn claim_board_to_guess(&mut self, board: Handle, place: usize) -> u64 {
        self.claim(board, Some(place))
    }

    fn claim(&mut self, board: Handle, guess: Option<usize>) -> u64 {
        self.discard_changes(board);
        self.begin_noting(board, guess);
        self.boards[board].claim += 1;
        self.boards[board].claim
    }

    /// The number of the current claim on a board; each statement that changes the board has another one.
    pub fn claim_of(&self, container: Value) -> Option<u64> {
        self.constrained(container)
            .map(|board| self.boards[board].claim)
    }

    /// Whether no other change of the board has begun since the claim.
    pub fn holds_claim(&self, board: Handle, claim: u64) -> bool {
        self.boards
            .get(board)
            .is_some_and(|board| board.claim == claim)
    }
}
