//! Choosing and backtracking.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::choices::barrier::BarrierKind;
use super::choices::choice::{
    BITS, Choice, LargeAlternatives, ONE_PICKED, RemainingElements, Resumption, all_bits,
    element_of_range, random_bit, range_word,
};
use super::shuffle::Shuffle;
use crate::errors::error::Fault;
use crate::machine::{Exit, Machine, State};
use ndscript_base::budget::Budget;
use ndscript_base::limits::LimitReached;
use ndscript_bytecode::{Flow, Op};
use ndscript_heap::{Kind, Value};

/// At most this many changes are undone between two checks of the limits.
pub(crate) const UNDONE_AT_ONCE: usize = 1 << 15;

/// An alternative that was drawn.
pub(crate) enum DrawnAlternative {
    /// The number of a jump target.
    Branch(usize),
    /// The place of an element in its collection.
    Element(Value, usize),
    Value(Value),
}

impl Machine {
    /// Chooses among the jump targets of a table; returns the one to take. Saves the registers below `live_registers`.
    #[inline]
    pub(crate) fn choose_branch(
        &mut self,
        count: usize,
        ordered: bool,
        live_registers: u8,
    ) -> usize {
        if count <= 1 {
            return 0;
        }
        if count > BITS {
            let mut left = Shuffle::new(count, ordered);
            let picked = left.draw(&mut self.context.rng);
            self.push_large(LargeAlternatives::Branches(left), live_registers);
            return picked;
        }
        let bits = all_bits(count);
        let picked = if ordered {
            0
        } else {
            random_bit(bits, &mut self.context.rng)
        };
        self.push_choice(Value::NULL, bits & !(1 << picked), live_registers);
        picked as usize
    }

    /// Chooses among the places of a collection; returns the one to take.
    #[inline]
    pub(crate) fn choose_place(
        &mut self,
        collection: Value,
        count: usize,
        live_registers: u8,
    ) -> usize {
        if count <= 1 {
            return 0;
        }
        if count > BITS {
            let picked = self.context.rng.below(count as u64) as u32;
            self.push_choice(collection, ONE_PICKED | picked, live_registers);
            return picked as usize;
        }
        let picked = self.context.rng.below(count as u64) as u32;
        self.push_choice(collection, all_bits(count) & !(1 << picked), live_registers);
        picked as usize
    }

    /// Chooses among values that it owns; returns the first one to try. Saves the registers below `live_registers`.
    pub(crate) fn choose_among(
        &mut self,
        alternatives: Vec<Value>,
        ordered: bool,
        live_registers: u8,
    ) -> Result<Value, Fault> {
        let first = *alternatives.first().ok_or(Fault::Fail)?;
        let count = alternatives.len();
        self.context.charge(count / 8);
        let collection = self.context.heap.array(alternatives);
        if ordered && count > 1 {
            let mut order = Shuffle::new(count, true);
            order.draw(&mut self.context.rng);
            self.push_large(
                LargeAlternatives::Elements(RemainingElements { collection, order }),
                live_registers,
            );
            return Ok(first);
        }
        let picked = self.choose_place(collection, count, live_registers);
        Ok(self.place_of(collection, picked))
    }

    /// Makes a choice point whose alternatives do not fit into bits.
    #[cold]
    pub(crate) fn push_large(&mut self, large: LargeAlternatives, live_registers: u8) {
        let (place, bytes) = (self.choices.place_of_large(), large.bytes());
        if self.choices.add_large(large) {
            self.count_room();
        }
        self.context.heap.allocated(bytes);
        self.push_choice(place, 0, live_registers);
    }

    /// Lists the remaining elements of a collection of which the latest choice point has picked one.
    pub(crate) fn list_the_rest(&mut self, collection: Value, picked: u32) {
        let size = self.alternatives(collection).unwrap_or(0).max(2);
        let many = LargeAlternatives::Elements(RemainingElements {
            collection,
            order: Shuffle::after_first(size, picked),
        });
        let bytes = many.bytes();
        if self.choices.enlarge(many) {
            self.count_room();
        }
        self.context.heap.allocated(bytes);
    }

    /// Subtracts from the account what freed alternatives owned.
    #[inline]
    pub(crate) fn free_owned(&mut self, bytes: usize) {
        if bytes > 0 {
            self.context.heap.bytes = self.context.heap.bytes.saturating_sub(bytes);
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room_for_choice(&mut self, registers: usize) {
        self.choices.grow(registers);
        self.count_room();
    }

    /// Makes a choice point that resumes after the current instruction.
    #[inline(always)]
    pub(crate) fn push_choice(&mut self, from: Value, left: u32, live_registers: u8) {
        let serial = self.context.heap.next_serial();
        let at = Resumption {
            pc: self.pc,
            base: self.base,
            frames: self.depth,
            trail: self.context.heap.trail_mark() as u32,
            output: self.context.output.height(),
        };
        let (base, live_registers) = (self.base as usize, live_registers as usize);
        if !self.choices.has_room(live_registers) {
            self.make_room_for_choice(live_registers);
        }
        let first = (self.context.code.writes[self.pc as usize - 1].first_saved as usize)
            .min(live_registers);
        let registers = &self.stack[base + first..base + live_registers];
        self.choices.choose(serial, (from, left), at, registers);
        self.context.heap.top = serial;
        self.statistics.choice_points += 1;
        self.statistics.alternatives += 1;
        #[cfg(debug_assertions)]
        self.record_state();
        self.context.fuel -= 1;
    }

    /// The register of its frame below which all are needed after a choice point.
    #[cfg(debug_assertions)]
    pub(crate) fn live_of(&self, choice: &Choice) -> usize {
        self.context.code.live_registers_at(choice.pc - 1) as usize
    }

    /// The registers of its frame that a choice point saves.
    #[inline]
    pub(crate) fn saved_registers(&self, choice: &Choice) -> Range<usize> {
        self.context.code.saved_at(choice.pc - 1)
    }

    /// A branch has failed. Backtracking from there may take several attempts; this runs before the first.
    fn begin_failing(&mut self) {
        self.statistics.failures += 1;
        self.skipped_by_failure = 0;
        if !self.guesses.is_empty() || self.context.heap.failed_board.is_some() {
            self.begin_conflict();
        }
    }

    /// Ends the next instruction as failed; the run backtracks when it resumes.
    pub(crate) fn leave_failing(&mut self) {
        self.begin_failing();
        // The work of computing the conflict is not saved.
        self.context.charge_comparisons();
        self.pc += 1;
        *self.unfinished.as_mut().unwrap_or(&mut self.state) = State::Failing;
    }

    /// Backtracks to the latest choice point with an alternative left, and takes it.
    ///
    /// # Errors
    /// [`Exit::Failed`] if there is none, [`Exit::Reentered`] if it belongs to an earlier input, or a reason to stop.
    pub(crate) fn fail(&mut self) -> Result<(), Exit> {
        if self.state == State::Running {
            self.count_failing();
        }
        // Resumed after a stop: continues with the conflict that is known already.
        if self.state != State::Failing {
            self.begin_failing();
        }
        loop {
            let Some(last) = self.choices.height().checked_sub(1) else {
                self.context.record.go_back(0);
                return Err(Exit::Failed);
            };
            let leaves = last < self.choices.floor();
            if leaves && self.stays {
                return Err(Exit::Failed);
            }
            if self.context.fuel < 0 {
                // A search without calls and loops still checks limits here.
                self.state = State::Failing;
                self.check_and_stop()?;
            }
            self.undo_in_pieces()?;
            if self
                .choices
                .latest()
                .is_some_and(|choice| choice.from.is_integer())
            {
                self.make_room_to_draw()?;
            }
            if !self.guesses.is_empty() {
                self.make_room_to_trace()?;
                if self.had_no_part(last) {
                    self.skip_choice();
                    self.state = State::Failing;
                    continue;
                }
            }
            let last = if self.restarts.is_empty() {
                last
            } else {
                self.count_failure(last)
            };
            let redone_guess = if self.guesses.is_empty() || last + 1 < self.choices.height() {
                None
            } else {
                self.guess_to_take_back()
            };
            let last = redone_guess.unwrap_or(last);
            if redone_guess.is_some() {
                self.pass_over(last);
                self.settle_floor();
            }
            self.restore(last);
            if leaves {
                self.leave_inputs(last);
            }
            #[cfg(debug_assertions)]
            self.compare_state(last);
            // A guess that a `minimize` cannot use is not tried once more.
            if redone_guess.is_some() && !self.skips(last) {
                self.guess_anew();
                self.state = State::Running;
                return Ok(());
            }
            if !self.skips(last) && self.take_next() {
                self.statistics.alternatives += 1;
                self.state = State::Running;
                if self.cancelled.load(Ordering::Relaxed) {
                    return Err(Exit::Limit(LimitReached::Cancelled));
                }
                return if std::mem::take(&mut self.has_left) {
                    Err(Exit::Reentered)
                } else {
                    Ok(())
                };
            }
            self.drop_latest_choice();
        }
    }

    /// Undoes the changes since the latest choice point in pieces, and checks limits between them. Resumed after a
    /// stop, it undoes the rest.
    #[inline]
    fn undo_in_pieces(&mut self) -> Result<(), Exit> {
        let Some(choice) = self.choices.latest() else {
            return Ok(());
        };
        let (serial, mark) = (choice.serial, choice.trail as usize);
        self.protect_held_texts();
        while self.context.heap.trail_mark() - mark > UNDONE_AT_ONCE {
            if self.must_settle(serial) {
                self.settle_roots();
            }
            let next = self.context.heap.trail_mark() - UNDONE_AT_ONCE;
            self.context.heap.undo_to(next);
            self.context.charge(UNDONE_AT_ONCE);
            self.state = State::Failing;
            self.check_and_stop()?;
        }
        while self.context.heap.has_long_undo(mark) {
            if self.must_settle(serial) {
                self.settle_roots();
            }
            let mut budget = Budget::piece(self.context.piece);
            let undone = self.context.heap.undo_long(mark, &mut budget);
            self.context.charge(undone + budget.steps());
            self.state = State::Failing;
            self.check_and_stop()?;
        }
        Ok(())
    }

    /// Requests the memory for the next alternative of the latest choice point, before anything is drawn.
    #[cold]
    #[inline(never)]
    fn make_room_to_draw(&mut self) -> Result<(), Exit> {
        let bytes = self.choices.bytes_to_draw();
        if bytes > 0 && !self.context.fits(bytes) {
            self.state = State::Failing;
            self.make_room(bytes)?;
        }
        Ok(())
    }

    /// Requests the memory for tracing a failure back.
    #[cold]
    fn make_room_to_trace(&mut self) -> Result<(), Exit> {
        let bytes = if self.conflict.is_known() {
            self.bytes_to_trace()
        } else {
            0
        };
        if bytes > 0 && !self.context.fits(bytes) {
            self.state = State::Failing;
            self.make_room(bytes)?;
        }
        Ok(())
    }

    /// Restores the state in which the choice point was made.
    #[inline]
    pub(crate) fn restore(&mut self, last: usize) {
        debug_assert_eq!(last + 1, self.choices.height());
        let Some(choice) = self.choices.latest().copied() else {
            return;
        };
        if self.context.record.is_wanted {
            self.context.record.go_back(choice.serial);
        }
        if self.must_settle(choice.serial) {
            self.settle_roots();
        }
        self.protect_held_texts();
        let undone = self.context.heap.undo_to(choice.trail as usize);
        self.context.fuel -= undone as i64 + 1;
        while let Some(barrier) = self.choices.close_if_after(last) {
            self.drop_visits();
            if let BarrierKind::Function { board, number } = barrier.kind {
                self.context.heap.blame(board, number);
            }
        }
        let freed = self.context.output.cut_back(choice.output);
        if freed > 0 {
            self.context.heap.bytes = self.context.heap.bytes.saturating_sub(freed);
        }
        self.depth = choice.frames;
        self.pc = choice.pc;
        self.base = choice.base;
        self.choices.fail(
            self.context.code.saved_at(choice.pc - 1),
            &mut self.stack,
            &mut self.frames,
        );
        if !self.host_writes.is_empty() {
            self.undo_host_writes(last);
        }
        if !self.guesses.is_empty() {
            self.return_to_guess(last);
        }
    }

    /// Whether a `minimize` has no use for the remaining alternatives of the choice point. Its own choice point ends
    /// the search and is never skipped.
    #[inline]
    fn skips(&mut self, last: usize) -> bool {
        self.choices
            .barriers()
            .last()
            .is_some_and(|barrier| barrier.bound.is_some() && barrier.first() != last)
            && self.is_too_dear()
    }

    /// Removes the latest choice point after a failure back to it.
    #[inline]
    pub(crate) fn drop_latest_choice(&mut self) {
        let freed = self.choices.drop_latest();
        self.free_owned(freed);
        if !self.guesses.is_empty() {
            self.record_last_alternative(self.choices.height());
        }
        self.context.heap.set_top(self.choices.latest_serial());
    }

    /// Removes the choice points above `last`, so that a failure continues there.
    pub(crate) fn pass_over(&mut self, last: usize) {
        let freed = self.choices.pass_over(last);
        self.free_owned(freed);
    }

    /// Takes an alternative out of a choice point, and removes the choice point with its last one. False if it has
    /// none: it was made for going back only.
    #[inline]
    pub(crate) fn take_next(&mut self) -> bool {
        let Some(Choice { from, left, pc, .. }) = self.choices.latest().copied() else {
            return false;
        };
        if from == Value::NULL {
            let (table, picked) = match self.context.code.ops[pc as usize - 1] {
                Op::ChooseFirst { table, .. } => (table, left.trailing_zeros()),
                Op::Choose { table, .. } => (table, random_bit(left, &mut self.context.rng)),
                // A call of the host.
                _ => return false,
            };
            self.pc = self.context.code.targets(table)[picked as usize];
            self.take(left & !(1 << picked));
        } else if left & ONE_PICKED == 0 && !from.is_integer() {
            let picked = random_bit(left, &mut self.context.rng);
            self.take(left & !(1 << picked));
            let value = self.place_of(from, picked as usize);
            self.put_result(value);
        } else {
            self.take_next_of_many(from, left, pc);
        }
        true
    }

    /// Puts the chosen value where the instruction that chose expects it.
    #[inline]
    pub(crate) fn put_result(&mut self, value: Value) {
        let to = self.context.code.result_at(self.pc - 1);
        self.stack[self.base as usize + to as usize] = value;
    }

    /// Records the alternatives that the latest choice point has left; removes it if there are none.
    #[inline]
    pub(crate) fn take(&mut self, left: u32) {
        if left == 0 {
            self.drop_latest_choice();
        } else {
            let serial = self.context.heap.next_serial();
            self.choices.take(left, serial);
            self.context.heap.top = serial;
        }
    }

    /// Draws the next one of many alternatives of the latest choice point, and continues with it.
    #[cold]
    #[inline(never)]
    fn take_next_of_many(&mut self, from: Value, left: u32, pc: u32) {
        if left & ONE_PICKED != 0 {
            // One was picked of many, so there are others.
            self.list_the_rest(from, left & !ONE_PICKED);
        }
        let (rng, fuel) = (&mut self.context.rng, &mut self.context.fuel);
        let drawn = self.choices.draw(|large| match large {
            LargeAlternatives::Branches(order) => DrawnAlternative::Branch(order.draw(rng)),
            LargeAlternatives::Elements(many) => {
                DrawnAlternative::Element(many.collection, many.order.draw(rng))
            }
            LargeAlternatives::Weighted(weighted) => {
                *fuel -= weighted.visits() as i64 / 4;
                DrawnAlternative::Value(weighted.draw(rng).unwrap_or(Value::NULL))
            }
        });
        let Some((drawn, left, added_bytes)) = drawn else {
            return;
        };
        self.context.heap.allocated(added_bytes);
        self.take(left);
        self.continue_with(drawn, pc);
    }

    /// Continues with an alternative of the choice that the instruction before `pc` has made. False if it has no such
    /// alternative.
    pub(crate) fn continue_with(&mut self, drawn: DrawnAlternative, pc: u32) -> bool {
        let value = match drawn {
            DrawnAlternative::Branch(number) => {
                let code = &self.context.code;
                let Flow::Branch(table) = code.ops[pc as usize - 1].flow() else {
                    return false;
                };
                let Some(target) = code.targets(table).get(number).copied() else {
                    return false;
                };
                self.pc = target;
                return true;
            }
            DrawnAlternative::Element(collection, index) => self.place_of(collection, index),
            DrawnAlternative::Value(value) => value,
        };
        self.put_result(value);
        true
    }

    /// Chooses one of the numbers from `from` up to below `to`.
    pub(crate) fn choose_number(
        &mut self,
        from: Value,
        to: Value,
        live_registers: u8,
    ) -> Result<Value, Fault> {
        let (from, to) = (from.integer_unchecked(), to.integer_unchecked());
        let count = (to - from).max(0) as usize;
        self.context.fuel -= 1;
        self.context.charge(count / 8);
        if count == 0 {
            return Err(Fault::Fail);
        }
        let numbers = match range_word(from, count) {
            Some(word) => word,
            None => {
                self.context.reserve(count.saturating_mul(8))?;
                self.context
                    .heap
                    .array((from..to).map(Value::integer).collect())
            }
        };
        let index = self.choose_place(numbers, count, live_registers);
        Ok(self.place_of(numbers, index))
    }

    /// How many alternatives the collection or table of a choice point has.
    pub(crate) fn alternatives(&self, from: Value) -> Option<usize> {
        match from.as_position() {
            Some((_, count)) => Some(count.max(0) as usize),
            None => self.places(from),
        }
    }

    /// The number of elements of a collection; `None` if the value is none.
    pub(crate) fn places(&self, collection: Value) -> Option<usize> {
        let heap = &self.context.heap;
        let handle = collection.payload();
        Some(match collection.kind() {
            Kind::Array => heap.array_len(handle),
            Kind::Set => heap.set_len(collection),
            Kind::Text => heap.texts[handle].characters as usize,
            Kind::Queue => heap.queues[handle].len(),
            Kind::Object => heap.objects[handle].len(),
            Kind::Grid => heap.grids[handle].slots.len(),
            _ => return None,
        })
    }

    /// The element of a collection at an index that it has.
    #[inline]
    pub(crate) fn place_of(&mut self, collection: Value, index: usize) -> Value {
        match collection.handle_of(Kind::Array) {
            Some(array) => self
                .context
                .heap
                .element(array, index)
                .unwrap_or(Value::NULL),
            None => self.place_of_other(collection, index),
        }
    }

    /// The element at an index of a collection that is not an array.
    #[inline(never)]
    fn place_of_other(&mut self, collection: Value, index: usize) -> Value {
        let heap = &mut self.context.heap;
        let handle = collection.payload();
        let found = match collection.kind() {
            Kind::Set => heap.set_get(collection, index),
            Kind::Text => {
                let character = heap.text_at(handle).character(index).map(str::to_string);
                character.map(|character| heap.text(&character))
            }
            Kind::Queue => {
                let queue = &heap.queues[handle];
                queue.values().get(queue.first() + index).copied()
            }
            Kind::Object => heap.objects[handle].key_at(index),
            Kind::Grid => heap.grids[handle].position_of(index),
            Kind::Position => element_of_range(collection, index),
            _ => None,
        };
        found.unwrap_or(Value::NULL)
    }
}
