//! The open choice points, and what backtracking needs in addition to the trail: their remaining alternatives, the registers
//! and frames that they save, and the barriers between them.
//!
//! All of these are stacks in the order of choice points, which only [`Choices`] truncates:
//!
//! ```text
//! points        1         2                     3
//! large                   2's
//! saves         1's | of frames, for 1 | 2's | 3's | of frames, for 3
//! saved_frames        for 1                          for 3
//! barriers      behind 1            behind 2
//! ```
//!
//! The registers of a choice point come first among what is saved for it. Waiting frames into which control returns
//! later are saved above them, for the choice point that is the latest then, so a frame is saved at most once per
//! choice point that needs it.
//!
//! The verbs: [`choose`](Choices::choose) makes a choice point, [`take`](Choices::take) records what the latest has
//! left, [`fail`](Choices::fail) restores registers and calls as it saved them, [`pass_over`](Choices::pass_over) and
//! [`skip_latest`](Choices::skip_latest) let a failure go further down at once, [`drop_latest`](Choices::drop_latest)
//! removes the latest after a failure, [`drop_from`](Choices::drop_from) removes some without one and leaves older ones
//! what they need of theirs; [`open`](Choices::open) and [`close`](Choices::close) are for barriers.

pub mod barrier;
pub mod choice;
mod sound;

use std::sync::atomic::{Ordering, compiler_fence};

use barrier::Barrier;
use choice::{Choice, FramePart, LargeAlternatives, Resumption};

use crate::frame::Frame;
use ndscript_base::room;
use ndscript_bytecode::Writes;
use ndscript_heap::Value;
use ndscript_heap::store::deep::{BlockCache, DeepStack};

/// The stack of choice points with what belongs to them.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    points: DeepStack<Choice, 6>,
    /// The alternatives of choice points that have too many for the bits of a [`Choice`], in order.
    large: Vec<LargeAlternatives>,
    saves: DeepStack<Value, 1>,
    saved_frames: Vec<SavedFrame>,
    /// Waiting frames below this index are unchanged since the latest choice point, and must be saved when control
    /// returns into them.
    protect: u32,
    barriers: Vec<Barrier>,
    /// The number of choice points older than the latest input.
    floor: u32,
    /// With at most this number of choice points, a failure concerns a barrier or an earlier input.
    bounded: u32,
    /// The bytes that `large` owns.
    owned: usize,
    /// The most choice points that were open at once.
    highest: usize,
}

/// A frame as it was when the latest choice point was made, saved when control returned into it.
#[derive(Clone, Copy, Debug)]
struct SavedFrame {
    /// Its place among the frames.
    index: u32,
    frame: Frame,
    /// The stack index of its first saved register.
    first: u32,
    /// Their index among the saved registers.
    start: u32,
    length: u32,
}

/// A saved frame, for inspection.
#[derive(Clone, Debug)]
pub struct InspectedFrame {
    /// Its place among the frames.
    pub index: u32,
    pub frame: Frame,
    /// The stack index of its first saved register.
    pub first: u32,
    pub registers: Vec<Value>,
}

/// Reading.
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

    /// The number of open choice points, which is the height of the next one.
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
    pub fn large_of(&self, choice: &Choice) -> Option<&LargeAlternatives> {
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

    /// The stack index of the first saved register of a frame, as of a choice point; `None` if neither it nor a later
    /// one has saved the frame.
    pub fn saved_frame_since(&self, choice: &Choice, index: u32) -> Option<usize> {
        let mut since = self.saved_frames[choice.saved_frames as usize..].iter();
        since
            .find(|saved| saved.index == index)
            .map(|saved| saved.first as usize)
    }

    /// All saved frames, with their indices.
    pub fn saved_frames(&self) -> impl Iterator<Item = (u32, &Frame)> {
        self.saved_frames
            .iter()
            .map(|saved| (saved.index, &saved.frame))
    }

    /// The choice points, the latest first, each with the frames saved for it alone, the latest first.
    pub fn going_back(
        &self,
    ) -> impl Iterator<Item = (usize, Choice, Vec<InspectedFrame>)> + use<'_> {
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
                    InspectedFrame {
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

    /// How many values they refer to, large alternatives left out.
    pub fn count_values(&self) -> usize {
        self.saves.len() + self.points.len()
    }

    /// These values from one on, for the collector.
    pub fn values_from(&self, at: usize) -> impl Iterator<Item = Value> + '_ {
        let saves = self.saves.len();
        let points = self.points.iter_from(at.saturating_sub(saves));
        self.saves
            .iter_from(at)
            .chain(points.map(|choice| choice.from))
    }

    /// The values of large alternatives.
    pub fn large_values(&self) -> impl Iterator<Item = Value> + '_ {
        self.large.iter().flat_map(LargeAlternatives::values)
    }

    /// The bytes of the rows.
    pub fn bytes(&self) -> usize {
        self.points.bytes()
            + room::row(&self.large)
            + self.saves.bytes()
            + room::row(&self.saved_frames)
            + room::row(&self.barriers)
    }

    /// Whether heights are close to their limit, which can happen before memory is short: packed items take few
    /// bytes.
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
    /// Whether there is room for a choice point that saves this number of registers.
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

    /// Makes a choice point that saves these registers of the running frame.
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

    /// The value of `from` for the next choice point if its alternatives do not fit into bits.
    pub fn place_of_large(&self) -> Value {
        Value::size(self.large.len())
    }

    /// Stores alternatives that do not fit into bits, for the next choice point. Returns whether the row had to grow.
    pub fn add_large(&mut self, large: LargeAlternatives) -> bool {
        let grows = self.large.len() == self.large.capacity();
        if grows {
            room::grow(&mut self.large, 1);
        }
        self.owned += large.bytes();
        self.large.push(large);
        grows
    }

    /// Replaces the bits of the latest choice point by these alternatives. Returns whether the row had to grow.
    pub fn enlarge(&mut self, large: LargeAlternatives) -> bool {
        let place = self.place_of_large();
        if let Some(choice) = self.points.last_mut() {
            (choice.from, choice.left) = (place, 0);
        }
        self.add_large(large)
    }

    /// Draws from the large alternatives of the latest choice point. Returns the drawn value, whether any are left
    /// (as [`Choices::take`] expects it), and by how many bytes they have grown; `None` if it has no large
    /// alternatives.
    pub fn draw<T>(
        &mut self,
        draw: impl FnOnce(&mut LargeAlternatives) -> T,
    ) -> Option<(T, u32, usize)> {
        let large = self.large.last_mut()?;
        let before = large.bytes();
        let drawn = draw(large);
        let added = large.bytes().saturating_sub(before);
        self.owned += added;
        Some((drawn, u32::from(!large.is_used_up()), added))
    }

    /// The bytes that the next draw may allocate.
    pub fn bytes_to_draw(&self) -> usize {
        self.large
            .last()
            .map_or(0, LargeAlternatives::bytes_to_draw)
    }

    /// Records that the latest choice point was resumed, its remaining alternatives, and its new serial number.
    #[inline]
    pub fn take(&mut self, left: u32, serial: u64) {
        if let Some(choice) = self.points.last_mut() {
            choice.left = left;
            choice.serial = serial;
        }
    }

    /// Saves a waiting frame for the latest choice point, before control returns into it. Frames above it are saved
    /// already, or did not exist. Returns whether a row had to grow.
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

    /// Sets up to where waiting frames are protected, for code that runs in addition: a call by the host, and a new
    /// input, which has no frames below it.
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

    /// Restores the frames into which control has returned since the latest choice point, and its saved registers.
    #[inline]
    pub fn fail(
        &mut self,
        saved: std::ops::Range<usize>,
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
        self.saves.cut(point.saves as usize + saved.len());
        self.put_back(point, saved.start, 0, stack);
        self.protect = point.frames;
    }

    /// As `fail`, if control has returned into no frame since, so that registers below the first written one are
    /// unchanged. The choice point has to be resumed or dropped next.
    #[inline(always)]
    pub fn fail_in_frame(&mut self, point: FramePart, writes: Writes, stack: &mut [Value]) {
        debug_assert!(
            self.latest()
                .is_none_or(|choice| !self.has_frames_since(choice))
        );
        self.put_back(
            point,
            writes.first_saved as usize,
            writes.written.saturating_sub(writes.first_saved) as usize,
            stack,
        );
        self.protect = point.frames;
    }

    /// Restores the registers that the latest choice point has saved, from a register of its frame on, except the
    /// first of these.
    #[inline(always)]
    fn put_back(&mut self, point: FramePart, first: usize, same: usize, stack: &mut [Value]) {
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

    /// Restores the frames that were saved since this height, with their registers, the latest first.
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

    /// Removes the latest choice point after backtracking to it. Returns the bytes that its alternatives owned.
    #[inline(always)]
    pub fn drop_latest(&mut self) -> usize {
        let Some(choice) = self.points.last() else {
            return 0;
        };
        let (large, point) = (choice.large(), choice.in_frame());
        self.drop_failed(point);
        large.map_or(0, |place| self.drop_large(place))
    }

    /// As above for a choice point without large alternatives. Returns the serial of the new latest one, 0 if there
    /// is none.
    #[inline(always)]
    pub fn drop_failed(&mut self, point: FramePart) -> u64 {
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

    /// Removes the latest choice point without backtracking to it: a failure continues below, and needs what it has
    /// saved. Returns the bytes that its alternatives owned.
    pub fn skip_latest(&mut self) -> usize {
        let Some(choice) = self.points.last() else {
            return 0;
        };
        let place = choice.large();
        self.points.drop_last();
        place.map_or(0, |place| self.drop_large(place))
    }

    /// Removes the choice points above one, where a failure continues, which needs what they have saved. Returns the
    /// bytes that their alternatives owned.
    pub fn pass_over(&mut self, last: usize) -> usize {
        let place = self.first_large(last + 1);
        self.points.truncate(last + 1);
        place.map_or(0, |place| self.drop_large(place))
    }

    /// Commits: removes the choice points from a height on, and what they have saved unless an older one needs it.
    /// Returns the bytes that their alternatives owned.
    pub fn drop_from(&mut self, height: usize) -> usize {
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
        // Remaining saves move down in their row.
        let mut kept_registers = first_register;
        let is_near = self.saves.is_near(first_register);
        let (mut far, mut look) = (Vec::new(), BlockCache::default());
        // An older choice point needs the oldest save of each frame that it has not saved itself.
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
        // Barriers that are still open are older than all later choice points.
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

    /// The index below which frames are protected, given the number of saved frames: that of the frame saved last, or
    /// all frames that waited at the latest choice point.
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

    /// Discards everything: there will be no backtracking.
    pub fn clear(&mut self) {
        self.drop_from(0);
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
        // The floor follows from the inputs, and `highest` is in the figures of the run.
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
        let large: Vec<LargeAlternatives> = Vec::load(from)?;
        let owned = large.iter().map(LargeAlternatives::bytes).sum();
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
