//! Fast forms of the built-ins that the prelude's `decide` calls for every guess, and of its loop. Each has the
//! effect of its full form, for equally many steps, where that is short: the board's index finds the place, and the
//! guess propagates at once. Otherwise nothing changes.

use crate::execute::CHOOSING;
use crate::machine::Machine;
use crate::natives::context::Context;
use crate::natives::native::{DecideStep, Native};
use ndscript_base::budget::{Budget, VISITS_OF_STEP};
use ndscript_bytecode::{Code, Op, Register};
use ndscript_heap::board::{Order, VISITS_OF_PICK};
use ndscript_heap::value::Handle;
use ndscript_heap::{Heap, Kind, Value};

/// The call of a built-in, and its work apart from its visits.
const CALL_AND_WORK: usize = 2;
/// Finding the next place by the index.
const PICKING: usize = CALL_AND_WORK + VISITS_OF_PICK / VISITS_OF_STEP;

/// The positions of the instructions in a turn of the loop of `decide`: the next place is found, a value of it is
/// guessed, the place is narrowed.
#[derive(Clone, Copy, Debug)]
pub struct DecideTurn {
    /// The first instruction, the one after finding the place, and those that make the guess, follow it, and jump
    /// back.
    begins: usize,
    found: usize,
    guesses: usize,
    guessed: usize,
    ends: usize,
    place: Register,
    /// The register that the place is compared with.
    nothing: Register,
    value: Register,
    call: Register,
    /// The choice point saves the registers below this one.
    live_registers: Register,
}

impl DecideTurn {
    /// The loop whose next place the instruction at `at` finds, if nothing else happens in it.
    pub fn enclosing(at: usize, code: &Code, natives: &[Native]) -> Option<DecideTurn> {
        let op = |at: usize| code.ops.get(at).copied();
        let is_stage = |native: u32, stage: DecideStep| {
            natives
                .get(native as usize)
                .is_some_and(|n| n.stage == Some(stage))
        };
        let Some(Op::CallNative {
            base: found_by,
            to: place,
            arguments: 3,
            native,
        }) = op(at)
        else {
            return None;
        };
        let (Some(Op::Null { to: nothing }), Some(Op::JumpNotEqual { a, b, target })) =
            (op(at + 1), op(at + 2))
        else {
            return None;
        };
        if !is_stage(native, DecideStep::NextPlace) || a != place || b != nothing {
            return None;
        }
        let guesses = target as usize;
        let Some(Op::GetIndex {
            to: first,
            base: board,
            index,
        }) = op(guesses)
        else {
            return None;
        };
        let Some(Op::Move {
            to: third,
            from: call,
        }) = op(guesses + 2)
        else {
            return None;
        };
        let Some(Op::CallNative {
            base: live_registers,
            to: value,
            arguments: 4,
            native,
        }) = op(guesses + 4)
        else {
            return None;
        };
        let is_guess = is_stage(native, DecideStep::Guess)
            && index == place
            && is_move(op(guesses + 1), board, live_registers + 2)
            && is_move(op(guesses + 3), place, live_registers + 4)
            && [first, third] == [live_registers + 1, live_registers + 3];
        let guessed = guesses + 5;
        let Some(Op::CallNative {
            base: last,
            to,
            arguments: 4,
            native,
        }) = op(guessed + 4)
        else {
            return None;
        };
        let given = [board, place, value, call];
        let is_narrowed = is_stage(native, DecideStep::Narrow)
            && (0..4).all(|number| {
                is_move(
                    op(guessed + usize::from(number)),
                    given[usize::from(number)],
                    last + 1 + number,
                )
            })
            && last >= live_registers
            && to >= live_registers;
        let ends = guessed + 5;
        let Some(Op::Loop { target: begins }) = op(ends) else {
            return None;
        };
        let begins = begins as usize;
        // The arguments for finding the next place are equal in every turn.
        let lasts = |from: Register| from < live_registers && from != place && from != value;
        let is_found_again = at == begins + 3
            && is_move(op(begins), board, found_by + 1)
            && match (op(begins + 1), op(begins + 2)) {
                (Some(Op::Integer { to, .. }), Some(Op::Null { to: then })) => {
                    [to, then] == [found_by + 2, found_by + 3]
                }
                (
                    Some(Op::Move { to, from: order }),
                    Some(Op::Move {
                        to: then,
                        from: places,
                    }),
                ) => [to, then] == [found_by + 2, found_by + 3] && lasts(order) && lasts(places),
                _ => false,
            };
        // No other register that the choice point saves is written.
        let are_own = place < live_registers
            && value < live_registers
            && (nothing >= live_registers || nothing == value)
            && found_by + 1 >= live_registers;
        let is_turn =
            is_guess && is_narrowed && is_found_again && are_own && lasts(board) && lasts(call);
        is_turn.then_some(DecideTurn {
            begins,
            found: at + 1,
            guesses,
            guessed,
            ends,
            place,
            nothing,
            value,
            call,
            live_registers,
        })
    }
}

/// Whether an instruction copies a register into another.
fn is_move(op: Option<Op>, source: Register, target: Register) -> bool {
    matches!(op, Some(Op::Move { to, from }) if to == target && from == source)
}

impl Machine {
    /// Carries out a built-in whose arguments follow `base`, and turns of the loop around it. False if it is left
    /// undone.
    #[inline(never)]
    pub(crate) fn decide_fast(&mut self, stage: DecideStep, base: u8, to: u8) -> bool {
        let window = self.base as usize;
        let first = window + base as usize + 1;
        let result = match stage {
            DecideStep::NextPlace => {
                return self.next_place_fast(
                    [
                        self.stack[first],
                        self.stack[first + 1],
                        self.stack[first + 2],
                    ],
                    to,
                );
            }
            DecideStep::Guess => {
                let [candidates, board, call] = [
                    self.stack[first],
                    self.stack[first + 1],
                    self.stack[first + 2],
                ];
                if self.context.may_be_advised(board) {
                    None
                } else {
                    self.guess_fast(candidates, call, base)
                }
            }
            DecideStep::Narrow => {
                let given = [
                    self.stack[first],
                    self.stack[first + 1],
                    self.stack[first + 2],
                    self.stack[first + 3],
                ];
                self.narrow_fast(given)
            }
        };
        let Some(result) = result else { return false };
        self.stack[window + to as usize] = result;
        true
    }

    /// Puts the place that `decide` chooses next into the register `to`, in the usual case; else returns false, and
    /// changes nothing.
    fn next_place_fast(&mut self, [board, order, places]: [Value; 3], to: u8) -> bool {
        let heap = &self.context.heap;
        let is_open = match board.kind() {
            Kind::Grid | Kind::Object => true,
            Kind::Array => {
                !heap.arrays[board.payload()].is_frozen()
                    && heap.arrays[board.payload()].view().is_none()
            }
            _ => false,
        };
        let Some(order) = order.as_integer().and_then(Order::numbered) else {
            return false;
        };
        if self.context.learning.is_due()
            || !is_open
            || places != Value::NULL
            || heap.at_place(board, 0).is_kind(Kind::Array)
        {
            return false;
        }
        let Some(handle) = heap.constrained(board) else {
            return false;
        };
        if !heap.has_sizes(handle, order.goes_by_count()) || !self.context.fits(0) {
            return false;
        }
        let Some(place) = self.pick_open(handle, order) else {
            return false;
        };
        self.context.charge(PICKING);
        let name = place.map_or(Value::NULL, |place| {
            self.context.name_of_place(board, place)
        });
        self.stack[self.base as usize + to as usize] = name;
        if let Some(place) = place
            && self.context.heap.rests_at_once(handle)
        {
            let turn = DecideTurn::enclosing(
                self.pc as usize - 1,
                &self.context.code,
                &self.context.natives,
            );
            if let Some(turn) = turn {
                self.pc =
                    self.run_decide_turn(turn, board.payload(), (handle, order), place) as u32;
            }
        }
        true
    }

    #[inline]
    fn pick_open(&mut self, board: Handle, order: Order) -> Option<Option<usize>> {
        let rng = &mut self.context.rng;
        self.context
            .heap
            .pick_open(board, order, |bound| rng.below(bound))
    }

    /// Continues the loop of `decide`, whose next place is found, at a grid whose guesses propagate at once; returns
    /// the instruction that is still to be carried out.
    fn run_decide_turn(
        &mut self,
        turn: DecideTurn,
        grid: Handle,
        (board, order): (Handle, Order),
        mut place: usize,
    ) -> usize {
        let window = self.base as usize;
        let call = self.stack[window + turn.call as usize];
        let Some(call) = call.as_integer().and_then(|call| u64::try_from(call).ok()) else {
            return turn.found;
        };
        // Only a failure changes this, so one check is enough.
        if self.context.notes_guesses(call) || self.context.learning.is_guided() {
            return turn.found;
        }
        loop {
            let candidates = self.context.heap.grids[grid]
                .slots
                .get(place)
                .unwrap_or(Value::NULL);
            if self.context.fuel <= CHOOSING || !candidates.is_kind(Kind::Set) {
                return turn.guesses;
            }
            self.stack[window + turn.nothing as usize] = Value::NULL;
            self.pc = turn.guessed as u32;
            let Some(value) = self.guess_fast(candidates, Value::NULL, turn.live_registers) else {
                return turn.guesses;
            };
            self.stack[window + turn.value as usize] = value;
            if self.context.fuel <= CHOOSING
                || self.context.heap.wants_check()
                || !self.narrow_at_once(board, place, value)
            {
                return turn.guessed;
            }
            if self.context.fuel <= 0 {
                return turn.ends;
            }
            self.context.fuel -= 1;
            if self.context.fuel <= CHOOSING || !self.context.fits(0) {
                return turn.begins;
            }
            let Some(picked) = self.pick_open(board, order) else {
                return turn.begins;
            };
            self.context.charge(PICKING);
            let name = picked.and_then(|place| self.context.heap.grids[grid].position_of(place));
            self.stack[window + turn.place as usize] = name.unwrap_or(Value::NULL);
            match picked {
                Some(picked) => {
                    self.context.heap.reach_for(board, grid, picked);
                    place = picked;
                }
                None => return turn.found,
            }
        }
    }

    /// Chooses a candidate in the usual case; else returns `None`, and changes nothing.
    fn guess_fast(&mut self, candidates: Value, call: Value, base: u8) -> Option<Value> {
        let is_noted = call
            .as_integer()
            .is_some_and(|call| self.context.notes_guesses(call as u64));
        if is_noted || self.context.learning.is_guided() || !candidates.is_kind(Kind::Set) {
            return None;
        }
        let count = self.context.heap.set_len(candidates);
        if count == 0 {
            return None;
        }
        self.context.charge(1);
        let picked = self.choose_place(candidates, count, base);
        let value = self
            .context
            .heap
            .set_get(candidates, picked)
            .unwrap_or(Value::NULL);
        self.context.charge_comparisons();
        Some(value)
    }

    /// Narrows a cell to a guess in the usual case; else returns `None`, and changes nothing.
    fn narrow_fast(&mut self, [board, name, value, call]: [Value; 4]) -> Option<Value> {
        let call = u64::try_from(call.as_integer()?).ok()?;
        let grid = board.handle_of(Kind::Grid)?;
        let (x, y) = name.as_position()?;
        let heap = &self.context.heap;
        let (cell, handle) = (heap.grids[grid].cell(x, y)?, heap.constrained(board)?);
        if self.context.notes_guesses(call) || heap.wants_check() || !heap.rests_at_once(handle) {
            return None;
        }
        self.narrow_at_once(handle, cell, value)
            .then(|| self.context.heap.at_place(board, cell))
    }

    /// Leaves a place of a board, whose guesses propagate at once, only one value, if there is the fuel and the
    /// memory for it.
    fn narrow_at_once(&mut self, board: Handle, place: usize, value: Value) -> bool {
        // After the call nobody checks the limits.
        let fuel = usize::try_from(self.context.fuel)
            .unwrap_or(0)
            .saturating_sub(CALL_AND_WORK);
        let piece = Budget::piece(self.context.piece).left() as usize;
        let most = piece.min(fuel * VISITS_OF_STEP);
        let limit = self.context.limits.memory;
        let fits = |heap: &mut Heap, bytes: usize| Context::fits_in(heap, limit, bytes);
        let Some(visits) = self
            .context
            .heap
            .guess_at_once(board, place, value, most, fits)
        else {
            return false;
        };
        self.context.charge(CALL_AND_WORK + visits / VISITS_OF_STEP);
        true
    }
}
