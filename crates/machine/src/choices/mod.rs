//! The open choice points, and what failing needs beside the trail: what is left of their alternatives, the registers and
//! waiting calls that they keep, and the barriers between them.
//!
//! All of it is stacks of one order, which [`Choices`] alone cuts:
//!
//! ```text
//! points        1         2                     3
//! large                   2's
//! saves         1's | of frames, for 1 | 2's | 3's | of frames, for 3
//! saved_frames        for 1                          for 3
//! barriers      behind 1            behind 2
//! ```
//!
//! A choice point's own registers come first of what is saved for it. Frames that control returns into later are saved above
//! them, for the choice point that is the latest by then, so that each frame is saved once for each that needs it at most.
//!
//! The verbs: [`choose`](Choices::choose) makes a choice point, [`take`](Choices::take) notes what the latest has left,
//! [`fail`](Choices::fail) puts registers and calls back as it found them, [`pass_over`](Choices::pass_over) and
//! [`skip_latest`](Choices::skip_latest) let a failure go further down at once, [`drop_latest`](Choices::drop_latest) takes the latest away after a failure,
//! [`forget`](Choices::forget) takes some away without one and leaves older ones what they need of theirs;
//! [`open`](Choices::open) and [`close`](Choices::close) are for barriers.

pub mod barrier;
pub mod choice;
mod sound;

use std::sync::atomic::{Ordering, compiler_fence};

use barrier::Barrier;
use choice::{Choice, InFrame, Large, Resumption};

use crate::frame::Frame;
use ndscript_base::room;
use ndscript_bytecode::Writes;
use ndscript_heap::Value;
use ndscript_heap::deep::{BlockCache, DeepStack};

/// The stack of choice points with what belongs to them.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    points: DeepStack<Choice, 6>,
    /// What is left of the choice points that have too many alternatives for a few bits, in their order.
    large: Vec<Large>,
    saves: DeepStack<Value, 1>,
    saved_frames: Vec<SavedFrame>,
    /// Waiting frames below this are as they were when the latest choice point was made, and must be saved when
    /// control returns into them.
    protect: u32,
    barriers: Vec<Barrier>,
    /// How many of them are older than the latest input.
    floor: u32,
    /// With no more choice points than this, a failure concerns a barrier or an earlier input.
    bounded: u32,
    /// The bytes that `large` owns.
    owned: usize,
    /// How many choice points were open at once, at most.
    highest: usize,
}

/// A frame as it was when the latest choice point was made, saved when control returned into it.
#[derive(Clone, Copy, Debug)]
struct SavedFrame {
    /// Its place among the frames.
    index: u32,
    frame: Frame,
    /// Where on the stack those of its registers begin that are saved.
    first: u32,
    /// Where they are among the saved ones.
    start: u32,
    length: u32,
}

/// A waiting call as a choice point keeps it.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its place among the frames.
    pub index: u32,
    pub frame: Frame,
    /// Where on the stack the registers begin that are kept.
    pub first: u32,
    pub registers: Vec<Value>,
}

/// What there is.
impl Choices {
    /// The open choice points from a height on, oldest first.
    pub fn points_from(&self, height: usize) -> impl Iterator<Item = Choice> + '_ {
        self.points.iter_from(height)
    }

    /// The choice point at a height.
    #[inline]
    pub fn point(&self, height: usize) -> Option<Choice> {
        self.points.get(height)
    }

    /// The latest one.
    #[inline(always)]
    pub fn latest(&self) -> Option<&Choice> {
        self.points.last()
    }

    /// How many choice points are open: what is made now stands at this height.
    #[inline(always)]
    pub fn height(&self) -> usize {
        self.points.len()
    }

    /// The greatest height that there was.
    pub fn highest(&self) -> usize {
        self.highest
    }

    /// The serial number of the latest one, 0 if there is none.
    #[inline]
    pub fn latest_serial(&self) -> u64 {
        self.points.last().map_or(0, |choice| choice.serial)
    }

    /// The alternatives of a choice point, if they are too many for a few bits.
    pub fn large_of(&self, choice: &Choice) -> Option<&Large> {
        self.large.get(choice.large()?)
    }

    /// Waiting frames below this must be saved when control returns into them.
    #[inline]
    pub fn protect(&self) -> u32 {
        self.protect
    }

    /// Whether control has returned into frames since a choice point was made.
    #[inline]
    pub fn has_frames_since(&self, choice: &Choice) -> bool {
        self.saved_frames.len() > choice.saved_frames as usize
    }

    /// From where on the stack on the call at a place among the frames is kept for a choice point, or for a later one.
    pub fn kept_since(&self, choice: &Choice, index: u32) -> Option<usize> {
        let mut since = self.saved_frames[choice.saved_frames as usize..].iter();
        since
            .find(|saved| saved.index == index)
            .map(|saved| saved.first as usize)
    }

    /// All calls that are kept, with their places among the frames.
    pub fn saved_frames(&self) -> impl Iterator<Item = (u32, &Frame)> {
        self.saved_frames
            .iter()
            .map(|saved| (saved.index, &saved.frame))
    }

    /// The choice points, the latest first, each with the calls that are kept for it alone, the latest first.
    pub fn going_back(&self) -> impl Iterator<Item = (usize, Choice, Vec<Kept>)> + use<'_> {
        let (mut end, mut look) = (self.saved_frames.len(), BlockCache::default());
        (0..self.height())
            .rev()
            .zip(self.points.iter_back_to(0))
            .map(move |(at, choice)| {
                let first = (choice.saved_frames as usize).min(end);
                let frames = self.saved_frames[first..end].iter().rev();
                end = first;
                let kept = frames.map(|saved| {
                    let registers = saved.start as usize..(saved.start + saved.length) as usize;
                    Kept {
                        index: saved.index,
                        frame: saved.frame,
                        first: saved.first,
                        registers: registers
                            .filter_map(|at| self.saves.look(at, &mut look))
                            .collect(),
                    }
                });
                (at, choice, kept.collect())
            })
    }

    /// The values that they refer to, for the collector.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let alternatives = self.points.iter().map(|choice| choice.from);
        self.saves
            .iter()
            .chain(alternatives)
            .chain(self.large.iter().flat_map(Large::values))
    }

    /// The bytes of the rows.
    pub fn bytes(&self) -> usize {
        self.points.bytes()
            + room::row(&self.large)
            + self.saves.bytes()
            + room::row(&self.saved_frames)
            + room::row(&self.barriers)
    }

    /// Whether heights are about to run out. What is packed may take so little that memory is left.
    pub fn is_full(&self) -> bool {
        self.points.is_full() || self.saves.is_full()
    }

    /// The bytes that alternatives own.
    pub fn owned(&self) -> usize {
        self.owned
    }
}

/// Choosing and failing.
impl Choices {
    /// Whether there is room for a choice point that keeps so many registers.
    #[inline]
    pub fn has_room(&self, registers: usize) -> bool {
        self.points.has_room(1) && self.saves.has_room(registers)
    }

    #[cold]
    #[inline(never)]
    pub fn grow(&mut self, registers: usize) {
        if !self.points.has_room(1) {
            self.points.make_room(1);
        }
        if !self.saves.has_room(registers) {
            self.saves.make_room(registers);
        }
    }

    /// Makes a choice point, which keeps these registers of the running frame.
    #[inline(always)]
    pub fn choose(
        &mut self,
        serial: u64,
        (from, left): (Value, u32),
        at: Resumption,
        registers: &[Value],
    ) {
        let Resumption {
            pc,
            base,
            frames,
            trail,
            output,
        } = at;
        let (saves, saved_frames) = (self.saves.len() as u32, self.saved_frames.len() as u32);
        let choice = Choice {
            serial,
            from,
            left,
            pc,
            base,
            frames,
            trail,
            saves,
            saved_frames,
            output,
        };
        // They are few: one by one, that is done before a copy by blocks has begun.
        for register in registers {
            self.saves.push(*register);
        }
        self.points.push(choice);
        self.highest = self.highest.max(self.points.len());
        self.protect = frames;
    }

    /// What the choice point that is made next has for `from` if its alternatives do not fit into a few bits.
    pub fn place_of_large(&self) -> Value {
        Value::size(self.large.len())
    }

    /// Takes up alternatives that do not fit into a few bits, for a choice point that is made next. Returns whether the
    /// row had to grow.
    pub fn add_large(&mut self, large: Large) -> bool {
        let grows = self.large.len() == self.large.capacity();
        if grows {
            room::grow(&mut self.large, 1);
        }
        self.owned += large.bytes();
        self.large.push(large);
        grows
    }

    /// Gives the latest choice point these alternatives in the place of its bits. Returns whether the row had to grow.
    pub fn enlarge(&mut self, large: Large) -> bool {
        let place = self.place_of_large();
        if let Some(choice) = self.points.last_mut() {
            (choice.from, choice.left) = (place, 0);
        }
        self.add_large(large)
    }

    /// Takes from the alternatives of the latest choice point that are too many for bits. Returns what was taken,
    /// whether any are left, as [`Choices::take`] wants it, and by how many bytes they have grown.
    pub fn draw<T>(&mut self, draw: impl FnOnce(&mut Large) -> T) -> Option<(T, u32, usize)> {
        let large = self.large.last_mut()?;
        let before = large.bytes();
        let drawn = draw(large);
        let grown = large.bytes().saturating_sub(before);
        self.owned += grown;
        Some((drawn, u32::from(!large.is_used_up()), grown))
    }

    /// What drawing from these alternatives may take at once.
    pub fn bytes_to_draw(&self) -> usize {
        self.large.last().map_or(0, Large::bytes_to_draw)
    }

    /// Notes that the latest choice point was resumed and what it has left, under another serial number.
    #[inline]
    pub fn take(&mut self, left: u32, serial: u64) {
        if let Some(choice) = self.points.last_mut() {
            choice.left = left;
            choice.serial = serial;
        }
    }

    /// Saves a waiting frame as the latest choice point needs it, before control returns into it. Those above it are
    /// saved or were not there. Returns whether a row had to grow.
    pub fn save_frame(
        &mut self,
        index: usize,
        frame: Frame,
        first: usize,
        registers: &[Value],
    ) -> bool {
        let length = registers.len();
        let grows =
            !self.saves.has_room(length) || self.saved_frames.len() == self.saved_frames.capacity();
        if grows {
            self.make_room_for_frame(length);
        }
        let start = self.saves.len() as u32;
        let (index, first, length) = (index as u32, first as u32, length as u32);
        self.saves.extend(registers.iter().copied());
        self.saved_frames.push(SavedFrame {
            index,
            frame,
            first,
            start,
            length,
        });
        self.protect = index;
        grows
    }

    /// Sets up to where waiting frames are protected, for what runs besides: a call of the host, and a new input, which has
    /// no frames below it.
    pub fn set_protect(&mut self, protect: u32) {
        self.protect = protect;
    }

    #[cold]
    #[inline(never)]
    fn make_room_for_frame(&mut self, registers: usize) {
        if !self.saves.has_room(registers) {
            self.saves.make_room(registers);
        }
        room::grow(&mut self.saved_frames, 1);
    }

    /// Puts the calls that control has returned into since the latest choice point was made, and the registers of its own
    /// frame that it keeps, back as it found them.
    #[inline]
    pub fn fail(
        &mut self,
        kept: std::ops::Range<usize>,
        stack: &mut [Value],
        frames: &mut [Frame],
    ) {
        let Some(choice) = self.points.last() else {
            return;
        };
        let point = choice.in_frame();
        if self.has_frames_since(choice) {
            self.restore_frames(point.saved_frames as usize, stack, frames);
        }
        self.saves.cut(point.saves as usize + kept.len());
        self.put_back(point, kept.start, 0, stack);
        self.protect = point.frames;
    }

    /// The same where control has returned into no frame since, so that the registers below the first that was written are
    /// as they were. The choice point is to be taken from next, or dropped.
    #[inline(always)]
    pub fn fail_in_frame(&mut self, point: InFrame, writes: Writes, stack: &mut [Value]) {
        debug_assert!(
            self.latest()
                .is_none_or(|choice| !self.has_frames_since(choice))
        );
        self.put_back(
            point,
            writes.kept as usize,
            writes.written.saturating_sub(writes.kept) as usize,
            stack,
        );
        self.protect = point.frames;
    }

    /// Puts back what the latest choice point keeps, from a register of its frame on, but for the first of these.
    #[inline(always)]
    fn put_back(&mut self, point: InFrame, first: usize, same: usize, stack: &mut [Value]) {
        if !self.saves.is_near(point.saves as usize) {
            self.saves.lift(point.saves as usize);
        }
        let saved = self.saves.near_from(point.saves as usize);
        let registers = &mut stack[point.base as usize + first..];
        // They are few: one by one, that is done before a copy by blocks has begun.
        let mut at = same;
        while at < saved.len() {
            compiler_fence(Ordering::Acquire);
            registers[at] = saved[at];
            at += 1;
        }
    }

    #[cold]
    #[inline(never)]
    fn restore_frames(&mut self, height: usize, stack: &mut [Value], frames: &mut [Frame]) {
        let mut look = BlockCache::default();
        for saved in self.saved_frames.drain(height..).rev() {
            let (first, start, length) = (
                saved.first as usize,
                saved.start as usize,
                saved.length as usize,
            );
            let registers = &mut stack[first..first + length];
            if self.saves.is_near(start) {
                registers.copy_from_slice(&self.saves.near_from(start)[..length]);
            } else {
                for (register, at) in registers.iter_mut().zip(start..) {
                    *register = self.saves.look(at, &mut look).unwrap_or(Value::NULL);
                }
            }
            frames[saved.index as usize] = saved.frame;
        }
    }

    /// Takes the latest choice point away, which was failed back to. Returns the bytes that its alternatives owned.
    #[inline(always)]
    pub fn drop_latest(&mut self) -> usize {
        let Some(choice) = self.points.last() else {
            return 0;
        };
        let (large, point) = (choice.large(), choice.in_frame());
        self.drop_failed(point);
        large.map_or(0, |place| self.drop_large(place))
    }

    /// The same for one of few alternatives, which owns nothing. Returns the serial of the latest one that is left, 0 if
    /// there is none.
    #[inline(always)]
    pub fn drop_failed(&mut self, point: InFrame) -> u64 {
        self.points.drop_last();
        self.saves.cut(point.saves as usize);
        let (protect, serial) = match self.points.last() {
            Some(below) => (
                self.protected_by(below, point.saved_frames as usize),
                below.serial,
            ),
            None => (0, 0),
        };
        self.protect = protect;
        serial
    }

    /// Takes the latest choice point away without going back to it, so that failing goes on below; what it has saved is
    /// needed for the way back. Returns the bytes that its alternatives owned.
    pub fn skip_latest(&mut self) -> usize {
        let Some(choice) = self.points.last() else {
            return 0;
        };
        let place = choice.large();
        self.points.drop_last();
        place.map_or(0, |place| self.drop_large(place))
    }

    /// Takes the choice points behind one away, so that failing goes on there; what they have saved is needed for the
    /// way back. Returns the bytes that their alternatives owned.
    pub fn pass_over(&mut self, last: usize) -> usize {
        let place = self.first_large(last + 1);
        self.points.truncate(last + 1);
        place.map_or(0, |place| self.drop_large(place))
    }

    /// Takes the choice points from a height on away, without going back to them, and of what they have saved all that no
    /// older one needs. Returns the bytes that their alternatives owned.
    pub fn forget(&mut self, height: usize) -> usize {
        let Some(first) = self.points.get(height) else {
            return 0;
        };
        let (first_register, first_frame) = (first.saves as usize, first.saved_frames as usize);
        let place = self.first_large(height);
        self.points.truncate(height);
        let mut kept_frames = first_frame;
        let mut needed = self
            .points
            .last()
            .map_or(0, |below| self.protected_by(below, first_frame));
        // Where they are at hand, what is kept moves down in its place.
        let mut kept_registers = first_register;
        let is_near = self.saves.is_near(first_register);
        let (mut far, mut look) = (Vec::new(), BlockCache::default());
        // The oldest save of a frame that was still unsaved for the choice point below is the one it needs.
        for at in first_frame..self.saved_frames.len() {
            let mut saved = self.saved_frames[at];
            if saved.index < needed {
                needed = saved.index;
                let registers = saved.start as usize..(saved.start + saved.length) as usize;
                if is_near {
                    let registers =
                        registers.start - first_register..registers.end - first_register;
                    let near = self.saves.near_from_mut(first_register);
                    near.copy_within(registers, kept_registers - first_register);
                } else {
                    far.extend(registers.filter_map(|at| self.saves.look(at, &mut look)));
                }
                saved.start = kept_registers as u32;
                kept_registers += saved.length as usize;
                self.saved_frames[kept_frames] = saved;
                kept_frames += 1;
            }
        }
        self.saved_frames.truncate(kept_frames);
        if is_near {
            self.saves.cut(kept_registers);
        } else {
            self.saves.cut(first_register);
            if !self.saves.has_room(far.len()) {
                self.saves.make_room(far.len());
            }
            self.saves.extend(far.into_iter());
        }
        self.protect = needed;
        // What is still open was opened before all that is chosen from here on.
        for barrier in self
            .barriers
            .iter_mut()
            .rev()
            .take_while(|barrier| barrier.choices as usize > height)
        {
            barrier.choices = height as u32;
        }
        self.floor = self.floor.min(height as u32);
        self.rebound();
        place.map_or(0, |place| self.drop_large(place))
    }

    /// The place of the alternatives of the oldest choice point from a height on that has too many for a few bits.
    fn first_large(&self, height: usize) -> Option<usize> {
        if self.large.is_empty() {
            None
        } else {
            self.points
                .iter_from(height)
                .find_map(|choice| choice.large())
        }
    }

    /// Up to where waiting frames were needed by the latest choice point and those below, when there were so many saved
    /// frames: up to the one saved last, or all that waited when it was made.
    #[inline(always)]
    fn protected_by(&self, below: &Choice, saved_frames: usize) -> u32 {
        if saved_frames > below.saved_frames as usize {
            self.saved_frames[saved_frames - 1].index
        } else {
            below.frames
        }
    }

    /// Drops large alternatives from a place on.
    #[cold]
    fn drop_large(&mut self, place: usize) -> usize {
        let freed = self.large.drain(place..).map(|large| large.bytes()).sum();
        self.owned -= freed;
        freed
    }

    /// Forgets everything: nothing will be gone back to.
    pub fn clear(&mut self) {
        self.forget(0);
        self.saves.cut(0);
        self.saved_frames.clear();
        self.barriers.clear();
        self.rebound();
        self.protect = 0;
    }
}

ndscript_base::saved!(struct SavedFrame { index, frame, first, start, length });

impl ndscript_base::codec::Saved for Choices {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        // The floor follows from the inputs, and how high it was stands in the figures of the run.
        let Choices {
            points,
            large,
            saves,
            saved_frames,
            protect,
            barriers,
            floor: _,
            bounded: _,
            owned: _,
            highest: _,
        } = self;
        points.save(out);
        large.save(out);
        saves.save(out);
        saved_frames.save(out);
        protect.save(out);
        barriers.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Choices, ndscript_base::codec::Unsound> {
        let points: DeepStack<Choice, 6> = DeepStack::load(from)?;
        let large: Vec<Large> = Vec::load(from)?;
        let owned = large.iter().map(Large::bytes).sum();
        let mut choices = Choices {
            highest: points.len(),
            points,
            large,
            saves: DeepStack::load(from)?,
            saved_frames: Vec::load(from)?,
            protect: u32::load(from)?,
            barriers: Vec::load(from)?,
            floor: 0,
            bounded: 0,
            owned,
        };
        choices.rebound();
        Ok(choices)
    }
}
