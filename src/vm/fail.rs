//! Choosing, and going back.

use super::choice::{Alternatives, Choice, ManyLeft, random_bit};
use super::error::Fault;
use super::machine::{Exit, Machine, State};
use super::shuffle::Shuffle;
use crate::limits::LimitReached;
use crate::value::{Kind, Value, room};

/// Up to this many alternatives are the bits of a word.
const BITS: usize = 32;

/// What a choice point gives when it is resumed.
enum Next {
    Jump { table: u32, alternative: usize },
    Element { collection: Value, index: usize, to: u8 },
    Value { value: Value, to: u8 },
}

fn all_bits(count: usize) -> u32 {
    if count >= BITS { u32::MAX } else { (1 << count) - 1 }
}

impl Machine {
    /// Chooses among the jump targets of a table; returns the one to take. Keeps the first `live` registers.
    pub(super) fn choose_branch(&mut self, table: u32, count: usize, ordered: bool, live: u8) -> usize {
        if count <= 1 {
            return 0;
        }
        if count > BITS {
            let mut left = Box::new(Shuffle::new(count, ordered));
            let picked = left.draw(&mut self.context.rng);
            self.push_choice(Alternatives::ManyBranches { table, left }, live);
            return picked;
        }
        let bits = all_bits(count);
        let picked = if ordered { 0 } else { random_bit(bits, &mut self.context.rng) };
        self.push_choice(Alternatives::Branches { table, ordered, left: bits & !(1 << picked) }, live);
        picked as usize
    }

    /// Chooses among the places of a collection; returns the one to take.
    pub(super) fn choose_place(&mut self, collection: Value, count: usize, to: u8, live: u8) -> usize {
        if count <= 1 {
            return 0;
        }
        if count > BITS {
            let picked = self.context.rng.below(count as u64) as u32;
            self.push_choice(Alternatives::OncePicked { collection, to, picked }, live);
            return picked as usize;
        }
        let bits = all_bits(count);
        let picked = random_bit(bits, &mut self.context.rng);
        self.push_choice(Alternatives::Elements { collection, to, left: bits & !(1 << picked) }, live);
        picked as usize
    }

    /// Chooses among values that nobody else holds, for register `to`; returns the one to take. Keeps the first
    /// `live` registers.
    pub(super) fn choose_among(
        &mut self,
        alternatives: Vec<Value>,
        ordered: bool,
        live: u8,
        to: u8,
    ) -> Result<Value, Fault> {
        let first = *alternatives.first().ok_or(Fault::Fail)?;
        let count = alternatives.len();
        self.context.charge(count / 8);
        let collection = self.context.heap.array(alternatives);
        if ordered && count > 1 {
            self.push_choice(Alternatives::InOrder { collection, to, next: 1 }, live);
            return Ok(first);
        }
        let picked = self.choose_place(collection, count, to, live);
        Ok(self.place_of(collection, picked))
    }

    /// Makes a choice point that resumes behind the current instruction.
    pub(super) fn push_choice(&mut self, alternatives: Alternatives, live: u8) {
        let serial = self.context.heap.next_serial();
        let owned = alternatives.bytes();
        let choice = Choice {
            serial,
            alternatives,
            closure: self.closure,
            function: self.function,
            pc: self.pc,
            base: self.base,
            frames: self.frames.len() as u32,
            trail: self.context.heap.trail_mark() as u32,
            saves: self.saves.len() as u32,
            saved_frames: self.saved_frames.len() as u32,
            output: self.context.output.mark(),
            protect: self.protect,
            barriers: self.barriers.len() as u32,
            live,
        };
        let base = self.base as usize;
        self.make_room_for_choice(live as usize);
        self.saves.extend_from_slice(&self.stack[base..base + live as usize]);
        self.choices.push(choice);
        self.context.heap.top = serial;
        self.own(owned);
        self.protect = self.frames.len() as u32;
        self.statistics.choice_points += 1;
        #[cfg(debug_assertions)]
        self.note_state();
        self.context.fuel -= 1;
    }

    #[inline]
    fn make_room_for_choice(&mut self, live: usize) {
        if self.choices.len() == self.choices.capacity() || self.saves.capacity() - self.saves.len() < live {
            room::grow(&mut self.choices, 1);
            room::grow(&mut self.saves, live);
            self.count_room();
        }
    }

    /// Counts what alternatives own.
    #[inline]
    fn own(&mut self, bytes: usize) {
        self.owned += bytes;
        self.context.heap.allocated(bytes);
    }

    #[inline]
    pub(super) fn disown(&mut self, bytes: usize) {
        self.owned -= bytes;
        self.context.heap.bytes = self.context.heap.bytes.saturating_sub(bytes);
    }

    /// Goes back to the latest choice point that has an alternative left, and takes that.
    ///
    /// # Errors
    /// [`Exit::Failed`] if there is none, [`Exit::Reentered`] if it belongs to an earlier input, or a reason to stop.
    pub(super) fn fail(&mut self) -> Result<(), Exit> {
        loop {
            let Some(last) = self.choices.len().checked_sub(1) else { return Err(Exit::Failed) };
            let leaves = last < self.floor as usize;
            if leaves && self.stays {
                return Err(Exit::Failed);
            }
            if self.context.fuel < 0 {
                // An endless search that makes no call and no turn still comes to a check here.
                self.state = State::Failing;
                self.check()?;
                self.state = State::Running;
            }
            self.restore(last);
            if leaves {
                self.leave_inputs(last);
            }
            #[cfg(debug_assertions)]
            self.compare_state(last);
            if self.skips(last) {
                self.drop_last_choice(last);
                continue;
            }
            let Some(next) = self.draw(last) else {
                self.drop_last_choice(last);
                continue;
            };
            self.state = State::Running;
            self.take(next)?;
            return if std::mem::take(&mut self.has_left) { Err(Exit::Reentered) } else { Ok(()) };
        }
    }

    /// Puts everything back to where it was when the choice point was made.
    pub(super) fn restore(&mut self, last: usize) {
        self.statistics.failures += 1;
        let choice = &self.choices[last];
        let undone = self.context.heap.undo_to(choice.trail as usize);
        self.context.fuel -= undone as i64 + 1;
        while self.saved_frames.len() > choice.saved_frames as usize {
            let Some(saved) = self.saved_frames.pop() else { break };
            let (start, length) = (saved.start as usize, saved.length as usize);
            let base = saved.frame.base as usize;
            self.stack[base..base + length].copy_from_slice(&self.saves[start..start + length]);
            let index = saved.index as usize;
            if index < self.frames.len() {
                self.frames[index] = saved.frame;
            } else {
                self.frames.push(saved.frame);
            }
        }
        let (start, live) = (choice.saves as usize, choice.live as usize);
        self.saves.truncate(start + live);
        self.frames.truncate(choice.frames as usize);
        let freed = self.context.output.cut_back(choice.output);
        self.context.heap.bytes = self.context.heap.bytes.saturating_sub(freed);
        self.barriers.truncate(choice.barriers as usize);
        self.protect = choice.frames;
        self.function = choice.function;
        self.pc = choice.pc;
        self.base = choice.base;
        self.closure = choice.closure;
        let base = self.base as usize;
        self.stack[base..base + live].copy_from_slice(&self.saves[start..start + live]);
    }

    /// Whether a `minimize` has no use for what the choice point has left. Its own choice point ends the search and
    /// is never skipped.
    fn skips(&mut self, last: usize) -> bool {
        self.barriers.last().is_some_and(|barrier| barrier.bound.is_some() && barrier.choices as usize != last)
            && self.is_too_dear()
    }

    pub(super) fn drop_last_choice(&mut self, last: usize) {
        let Some(choice) = self.choices.pop() else { return };
        self.disown(choice.alternatives.bytes());
        self.saves.truncate(choice.saves as usize);
        self.protect = choice.protect;
        self.context.heap.top = last.checked_sub(1).map_or(0, |below| self.choices[below].serial);
    }

    /// Takes an alternative out of a choice point, and the choice point away with its last one.
    fn draw(&mut self, last: usize) -> Option<Next> {
        if let Alternatives::OncePicked { collection, to, picked } = self.choices[last].alternatives {
            // One was picked of many, so there are others.
            let size = self.places(collection).unwrap_or(0).max(2);
            let left = Box::new(ManyLeft { collection, order: Shuffle::after_first(size, picked) });
            self.choices[last].alternatives = Alternatives::ManyElements { to, left };
            self.own(self.choices[last].alternatives.bytes());
        }
        let rng = &mut self.context.rng;
        let (next, is_last) = match &mut self.choices[last].alternatives {
            Alternatives::Branches { table, ordered, left } => {
                if *left == 0 {
                    return None;
                }
                let picked = if *ordered { left.trailing_zeros() } else { random_bit(*left, rng) };
                *left &= !(1 << picked);
                (Next::Jump { table: *table, alternative: picked as usize }, *left == 0)
            }
            Alternatives::ManyBranches { table, left } => {
                let alternative = left.draw(rng);
                (Next::Jump { table: *table, alternative }, left.left() == 0)
            }
            Alternatives::Elements { collection, to, left } => {
                if *left == 0 {
                    return None;
                }
                let picked = random_bit(*left, rng);
                *left &= !(1 << picked);
                (Next::Element { collection: *collection, index: picked as usize, to: *to }, *left == 0)
            }
            Alternatives::InOrder { collection, to, next } => {
                let index = *next as usize;
                *next += 1;
                let is_last = *next as usize >= self.context.heap.array_len(collection.payload());
                (Next::Element { collection: *collection, index, to: *to }, is_last)
            }
            // Turned into a shuffle above.
            Alternatives::OncePicked { .. } => return None,
            Alternatives::ManyElements { to, left } => {
                let before = left.order.bytes();
                let index = left.order.draw(rng);
                let grown = left.order.bytes().saturating_sub(before);
                let next = Next::Element { collection: left.collection, index, to: *to };
                let is_last = left.order.left() == 0;
                self.owned += grown;
                self.context.heap.allocated(grown);
                (next, is_last)
            }
            Alternatives::Weighted { to, left } => {
                // Each draw goes over all weights that are left.
                self.context.fuel -= left.elements.len() as i64 / 4;
                let value = left.draw(rng)?;
                (Next::Value { value, to: *to }, left.elements.is_empty())
            }
        };
        if is_last {
            self.drop_last_choice(last);
        } else {
            let serial = self.context.heap.next_serial();
            self.choices[last].serial = serial;
            self.context.heap.top = serial;
        }
        Some(next)
    }

    fn take(&mut self, next: Next) -> Result<(), Exit> {
        let base = self.base as usize;
        match next {
            Next::Jump { table, alternative } => {
                let code = &self.context.code.functions[self.function as usize];
                self.pc = code.tables[table as usize][alternative];
            }
            Next::Element { collection, index, to } => {
                let value = self.place_of(collection, index);
                self.stack[base + to as usize] = value;
            }
            Next::Value { value, to } => self.stack[base + to as usize] = value,
        }
        if self.cancelled.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Exit::Limit(LimitReached::Cancelled));
        }
        Ok(())
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
    pub(super) fn place_of(&mut self, collection: Value, index: usize) -> Value {
        let heap = &mut self.context.heap;
        let handle = collection.payload();
        let found = match collection.kind() {
            Kind::Array => heap.element(handle, index),
            Kind::Set => heap.set_get(collection, index),
            Kind::Text => {
                let character = heap.texts[handle].character(index).map(str::to_string);
                character.map(|character| heap.text(&character))
            }
            Kind::Queue => heap.queues[handle].list(heap).get(index).copied(),
            Kind::Object => heap.objects[handle].keys().nth(index),
            Kind::Grid => heap.grids[handle].position_of(index),
            _ => None,
        };
        found.unwrap_or(Value::NULL)
    }
}
