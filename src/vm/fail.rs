//! Choosing, and going back.

use std::ops::Range;
use std::sync::atomic::{Ordering, compiler_fence};

use super::barrier::BarrierKind;
use super::choice::{BITS, Choice, Large, ManyLeft, ONE_PICKED, random_bit};
use super::error::Fault;
use super::machine::{Exit, Machine, State};
use super::op::guess::{element_of_range, range_word};
use super::shuffle::Shuffle;
use crate::bytecode::Op;
use crate::limits::LimitReached;
use crate::value::budget::Budget;
use crate::value::{Kind, Value, room};

/// So many changes are undone between two looks at the limits.
pub(super) const UNDONE_AT_ONCE: usize = 1 << 15;

/// As many alternatives as there are, as bits.
#[inline]
pub(super) fn all_bits(count: usize) -> u32 {
    (1 << count) - 1
}

impl Machine {
    /// Chooses among the jump targets of a table; returns the one to take. Keeps the registers below `live`.
    #[inline]
    pub(super) fn choose_branch(&mut self, count: usize, ordered: bool, live: u8) -> usize {
        if count <= 1 {
            return 0;
        }
        if count > BITS {
            let mut left = Shuffle::new(count, ordered);
            let picked = left.draw(&mut self.context.rng);
            self.push_large(Large::Branches(left), live);
            return picked;
        }
        let bits = all_bits(count);
        let picked = if ordered { 0 } else { random_bit(bits, &mut self.context.rng) };
        self.push_choice(Value::NULL, bits & !(1 << picked), live);
        picked as usize
    }

    /// Chooses among the places of a collection; returns the one to take.
    #[inline]
    pub(super) fn choose_place(&mut self, collection: Value, count: usize, live: u8) -> usize {
        if count <= 1 {
            return 0;
        }
        if count > BITS {
            let picked = self.context.rng.below(count as u64) as u32;
            self.push_choice(collection, ONE_PICKED | picked, live);
            return picked as usize;
        }
        let bits = all_bits(count);
        let picked = random_bit(bits, &mut self.context.rng);
        self.push_choice(collection, bits & !(1 << picked), live);
        picked as usize
    }

    /// Chooses among values that nobody else holds; returns the one to take. Keeps the registers below `live`.
    pub(super) fn choose_among(&mut self, alternatives: Vec<Value>, ordered: bool, live: u8) -> Result<Value, Fault> {
        let first = *alternatives.first().ok_or(Fault::Fail)?;
        let count = alternatives.len();
        self.context.charge(count / 8);
        let collection = self.context.heap.array(alternatives);
        if ordered && count > 1 {
            let mut order = Shuffle::new(count, true);
            order.draw(&mut self.context.rng);
            self.push_large(Large::Elements(ManyLeft { collection, order }), live);
            return Ok(first);
        }
        let picked = self.choose_place(collection, count, live);
        Ok(self.place_of(collection, picked))
    }

    /// Makes a choice point whose alternatives do not fit into a few bits.
    #[cold]
    pub(super) fn push_large(&mut self, large: Large, live: u8) {
        let place = Value::size(self.large.len());
        self.add_large(large);
        self.push_choice(place, 0, live);
    }

    pub(super) fn add_large(&mut self, large: Large) {
        if self.large.len() == self.large.capacity() {
            room::grow(&mut self.large, 1);
            self.count_room();
        }
        self.own(large.bytes());
        self.large.push(large);
    }

    /// Drops what is left of large choice points, from a place on.
    #[cold]
    pub(super) fn drop_large(&mut self, place: usize) {
        let owned: usize = self.large.drain(place..).map(|large| large.bytes()).sum();
        self.owned -= owned;
        self.context.heap.bytes = self.context.heap.bytes.saturating_sub(owned);
    }

    /// Counts what alternatives own.
    pub(super) fn own(&mut self, bytes: usize) {
        self.owned += bytes;
        self.context.heap.allocated(bytes);
    }

    #[cold]
    #[inline(never)]
    fn make_room_for_choice(&mut self, live: usize) {
        room::grow(&mut self.choices, 1);
        room::grow(&mut self.saves, live);
        self.count_room();
    }

    /// Makes a choice point that resumes behind the current instruction.
    #[inline(always)]
    pub(super) fn push_choice(&mut self, from: Value, left: u32, live: u8) {
        let serial = self.context.heap.next_serial();
        let choice = Choice {
            serial,
            from,
            left,
            pc: self.pc,
            base: self.base,
            frames: self.depth,
            trail: self.context.heap.trail_mark() as u32,
            saves: self.saves.len() as u32,
            saved_frames: self.saved_frames.len() as u32,
            output: self.context.output.height(),
        };
        let base = self.base as usize;
        if self.choices.len() == self.choices.capacity() || self.saves.capacity() - self.saves.len() < live as usize {
            self.make_room_for_choice(live as usize);
        }
        let live = live as usize;
        let first = (self.context.code.first_written[self.pc as usize - 1] as usize).min(live);
        // They are few: a loop is done before a copy by blocks has begun.
        self.saves.extend(self.stack[base + first..base + live].iter().map(|register| {
            compiler_fence(Ordering::Acquire);
            *register
        }));
        self.choices.push(choice);
        self.context.heap.top = serial;
        self.protect = self.depth;
        self.statistics.choice_points += 1;
        #[cfg(debug_assertions)]
        self.note_state();
        self.context.fuel -= 1;
    }

    /// Up to where waiting frames were needed by the choice points below a height, when there were so many saved
    /// frames: up to the one saved last, or all that waited when the latest of them was made.
    pub(super) fn protected_below(&self, height: usize, saved_frames: usize) -> u32 {
        let Some(below) = height.checked_sub(1).map(|below| &self.choices[below]) else { return 0 };
        if saved_frames > below.saved_frames as usize {
            self.saved_frames[saved_frames - 1].index
        } else {
            below.frames
        }
    }

    /// Below which register of its frame all are needed behind a choice point.
    #[cfg(debug_assertions)]
    pub(super) fn live_of(&self, choice: &Choice) -> usize {
        self.context.code.live_at(choice.pc - 1) as usize
    }

    /// Which registers of its frame a choice point keeps.
    #[inline]
    pub(super) fn kept_of(&self, choice: &Choice) -> Range<usize> {
        self.context.code.kept_at(choice.pc - 1)
    }

    /// Goes back to the latest choice point that has an alternative left, and takes that.
    ///
    /// # Errors
    /// [`Exit::Failed`] if there is none, [`Exit::Reentered`] if it belongs to an earlier input, or a reason to stop.
    pub(super) fn fail(&mut self) -> Result<(), Exit> {
        if self.context.record.is_wanted {
            self.note_failing();
        }
        // Stopped on the way back, it goes on with what it has found out.
        if self.state != State::Failing {
            self.skipped_by_failure = 0;
            if !self.guesses.is_empty() || self.context.heap.refuted.is_some() {
                self.begin_conflict();
            }
        }
        loop {
            let Some(last) = self.choices.len().checked_sub(1) else {
                self.context.record.go_back(0);
                return Err(Exit::Failed);
            };
            let leaves = last < self.floor as usize;
            if leaves && self.stays {
                return Err(Exit::Failed);
            }
            if self.context.fuel < 0 {
                // An endless search that makes no call and no turn still comes to a check here.
                self.state = State::Failing;
                self.check_and_stop()?;
            }
            self.undo_in_pieces(last)?;
            if self.choices[last].from.is_integer() {
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
            let last = if self.restarts.is_empty() { last } else { self.count_failure(last) };
            self.restore(last);
            if leaves {
                self.leave_inputs(last);
            }
            #[cfg(debug_assertions)]
            self.compare_state(last);
            if !self.skips(last) && self.take_next(last) {
                self.state = State::Running;
                if self.cancelled.load(Ordering::Relaxed) {
                    return Err(Exit::Limit(LimitReached::Cancelled));
                }
                return if std::mem::take(&mut self.has_left) { Err(Exit::Reentered) } else { Ok(()) };
            }
            self.drop_last_choice(last);
        }
    }

    /// Puts the registers of a choice point's frame back that it keeps.
    #[inline]
    fn restore_registers(&mut self, choice: &Choice) {
        let kept = self.kept_of(choice);
        let (start, first, count) = (choice.saves as usize, choice.base as usize + kept.start, kept.len());
        self.saves.truncate(start + count);
        for (register, saved) in self.stack[first..first + count].iter_mut().zip(&self.saves[start..start + count]) {
            *register = *saved;
        }
    }

    /// Undoes what is more than a piece of the changes since a choice point was made, and looks at the limits meanwhile.
    /// Stopped in between, it goes on with what is left.
    #[inline]
    fn undo_in_pieces(&mut self, last: usize) -> Result<(), Exit> {
        let choice = &self.choices[last];
        let (serial, mark) = (choice.serial, choice.trail as usize);
        while self.context.heap.trail_mark() - mark > UNDONE_AT_ONCE {
            if self.must_settle(serial) {
                self.settle_held();
            }
            let next = self.context.heap.trail_mark() - UNDONE_AT_ONCE;
            self.context.heap.undo_to(next);
            self.context.charge(UNDONE_AT_ONCE);
            self.state = State::Failing;
            self.check_and_stop()?;
        }
        while self.context.heap.has_long_undo(mark) {
            if self.must_settle(serial) {
                self.settle_held();
            }
            let mut budget = Budget::piece(self.context.piece);
            let undone = self.context.heap.undo_long(mark, &mut budget);
            self.context.charge(undone + budget.steps());
            self.state = State::Failing;
            self.check_and_stop()?;
        }
        Ok(())
    }

    /// Asks for the room that the next alternative of the latest choice point takes, when nothing was drawn yet.
    #[cold]
    #[inline(never)]
    fn make_room_to_draw(&mut self) -> Result<(), Exit> {
        let bytes = self.large.last().map_or(0, Large::bytes_to_draw);
        if bytes > 0 && !self.context.fits(bytes) {
            self.state = State::Failing;
            self.make_room(bytes)?;
        }
        Ok(())
    }

    /// Asks for the room that tracing back what a failure comes from takes.
    #[cold]
    fn make_room_to_trace(&mut self) -> Result<(), Exit> {
        let bytes = if self.conflict.is_known() { self.bytes_to_trace() } else { 0 };
        if bytes > 0 && !self.context.fits(bytes) {
            self.state = State::Failing;
            self.make_room(bytes)?;
        }
        Ok(())
    }

    /// Puts everything back to where it was when the choice point was made.
    #[inline]
    pub(super) fn restore(&mut self, last: usize) {
        self.statistics.failures += 1;
        let choice = self.choices[last];
        if self.context.record.is_wanted {
            self.context.record.go_back(choice.serial);
        }
        if self.must_settle(choice.serial) {
            self.settle_held();
        }
        let undone = self.context.heap.undo_to(choice.trail as usize);
        self.context.fuel -= undone as i64 + 1;
        if self.saved_frames.len() > choice.saved_frames as usize {
            self.restore_frames(choice.saved_frames as usize);
        }
        while let Some(barrier) = self.barriers.last().filter(|barrier| barrier.choices as usize > last).copied() {
            self.close_barrier();
            if let BarrierKind::Function { board, number } = barrier.kind {
                self.context.heap.blame(board, number);
            }
        }
        let freed = self.context.output.cut_back(choice.output);
        if freed > 0 {
            self.context.heap.bytes = self.context.heap.bytes.saturating_sub(freed);
        }
        self.depth = choice.frames;
        self.protect = choice.frames;
        self.pc = choice.pc;
        self.base = choice.base;
        self.restore_registers(&choice);
        if !self.host_writes.is_empty() {
            self.undo_host_writes(last);
        }
        if !self.guesses.is_empty() {
            self.return_to_guess(last);
        }
    }

    /// Puts the frames back that control has returned into since the choice point was made.
    #[cold]
    #[inline(never)]
    fn restore_frames(&mut self, height: usize) {
        for saved in self.saved_frames.drain(height..).rev() {
            let (first, start, length) = (saved.first as usize, saved.start as usize, saved.length as usize);
            self.stack[first..first + length].copy_from_slice(&self.saves[start..start + length]);
            self.frames[saved.index as usize] = saved.frame;
        }
    }

    /// Whether a `minimize` has no use for what the choice point has left. Its own choice point ends the search and
    /// is never skipped.
    #[inline]
    fn skips(&mut self, last: usize) -> bool {
        self.barriers.last().is_some_and(|barrier| barrier.bound.is_some() && barrier.choices as usize != last)
            && self.is_too_dear()
    }

    #[inline]
    pub(super) fn drop_last_choice(&mut self, last: usize) {
        let Some(choice) = self.choices.pop() else { return };
        if let Some(large) = choice.large() {
            self.drop_large(large);
        }
        if !self.guesses.is_empty() {
            self.note_last_alternative(last);
        }
        self.saves.truncate(choice.saves as usize);
        self.protect = self.protected_below(last, choice.saved_frames as usize);
        self.context.heap.top = last.checked_sub(1).map_or(0, |below| self.choices[below].serial);
    }

    /// Takes an alternative out of a choice point, and the choice point away with its last one. False if it has none:
    /// it was made for going back only.
    #[inline]
    fn take_next(&mut self, last: usize) -> bool {
        let Choice { from, left, pc, .. } = self.choices[last];
        if from == Value::NULL {
            let (table, picked) = match self.context.code.ops[pc as usize - 1] {
                Op::ChooseFirst { table, .. } => (table, left.trailing_zeros()),
                Op::Choose { table, .. } => (table, random_bit(left, &mut self.context.rng)),
                // A call of the host.
                _ => return false,
            };
            self.pc = self.context.code.targets(table)[picked as usize];
            self.picked(last, left & !(1 << picked));
        } else if left & ONE_PICKED == 0 && !from.is_integer() {
            let picked = random_bit(left, &mut self.context.rng);
            self.picked(last, left & !(1 << picked));
            let value = self.place_of(from, picked as usize);
            self.put_result(value);
        } else {
            self.take_next_of_many(last);
        }
        true
    }

    /// Puts what was chosen where the instruction that chose wants it.
    #[inline]
    pub(super) fn put_result(&mut self, value: Value) {
        let to = self.context.code.result_at(self.pc - 1);
        self.stack[self.base as usize + to as usize] = value;
    }

    /// Notes what a choice point has left.
    #[inline]
    pub(super) fn picked(&mut self, last: usize, left: u32) {
        if left == 0 {
            self.drop_last_choice(last);
        } else {
            let serial = self.context.heap.next_serial();
            self.choices[last].left = left;
            self.choices[last].serial = serial;
            self.context.heap.top = serial;
        }
    }

    #[cold]
    #[inline(never)]
    fn take_next_of_many(&mut self, last: usize) {
        let Choice { from, left, pc, .. } = self.choices[last];
        if left & ONE_PICKED != 0 {
            // One was picked of many, so there are others.
            let size = self.alternatives(from).unwrap_or(0).max(2);
            let many = ManyLeft { collection: from, order: Shuffle::after_first(size, left & !ONE_PICKED) };
            self.choices[last].from = Value::size(self.large.len());
            self.choices[last].left = 0;
            self.add_large(Large::Elements(many));
        }
        let rng = &mut self.context.rng;
        let Some(large) = self.large.last_mut() else { return };
        let before = large.bytes();
        let mut jump = None;
        let mut value = Value::NULL;
        let mut place = None;
        match large {
            Large::Branches(order) => jump = Some(order.draw(rng)),
            Large::Elements(many) => place = Some((many.collection, many.order.draw(rng))),
            Large::Weighted(weighted) => {
                self.context.fuel -= weighted.visits() as i64 / 4;
                value = weighted.draw(rng).unwrap_or(Value::NULL);
            }
        }
        let grown = large.bytes().saturating_sub(before);
        let left = !large.is_used_up() as u32;
        self.own(grown);
        self.picked(last, left);
        if let Some(jump) = jump {
            if let Op::ChooseFirst { table, .. } | Op::Choose { table, .. } = self.context.code.ops[pc as usize - 1] {
                self.pc = self.context.code.targets(table)[jump];
            }
            return;
        }
        if let Some((collection, index)) = place {
            value = self.place_of(collection, index);
        }
        self.put_result(value);
    }

    /// Chooses one of the numbers from one to another, which it leaves out.
    pub(super) fn choose_number(&mut self, from: Value, to: Value, live: u8) -> Result<Value, Fault> {
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
                self.context.heap.array((from..to).map(Value::integer).collect())
            }
        };
        let index = self.choose_place(numbers, count, live);
        Ok(self.place_of(numbers, index))
    }

    /// How many alternatives there are in what a choice point chooses from.
    pub(super) fn alternatives(&self, from: Value) -> Option<usize> {
        match from.as_position() {
            Some((_, count)) => Some(count.max(0) as usize),
            None => self.places(from),
        }
    }

    /// The number of elements of a collection; `None` if the value is none.
    pub(super) fn places(&self, collection: Value) -> Option<usize> {
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
    pub(super) fn place_of(&mut self, collection: Value, index: usize) -> Value {
        match collection.handle_of(Kind::Array) {
            Some(array) => self.context.heap.element(array, index).unwrap_or(Value::NULL),
            None => self.place_of_other(collection, index),
        }
    }

    #[inline(never)]
    fn place_of_other(&mut self, collection: Value, index: usize) -> Value {
        let heap = &mut self.context.heap;
        let handle = collection.payload();
        let found = match collection.kind() {
            Kind::Set => heap.set_get(collection, index),
            Kind::Text => {
                let character = heap.texts[handle].character(index).map(str::to_string);
                character.map(|character| heap.text(&character))
            }
            Kind::Queue => {
                let queue = &heap.queues[handle];
                queue.values().get(queue.first() + index).copied()
            }
            Kind::Object => heap.objects[handle].keys().nth(index),
            Kind::Grid => heap.grids[handle].position_of(index),
            Kind::Position => element_of_range(collection, index),
            _ => None,
        };
        found.unwrap_or(Value::NULL)
    }
}
