//! A growable row of values that knows which of its changes must be logged.
//!
//! A change is logged if and only if its place was last logged before the latest choice point (`top` is that
//! choice point's serial number, 0 when there is none) and the row itself is older than it. So however often a
//! place is written between two choice points, it costs one entry.

use crate::value::Value;
use ndscript_base::room::{self, block};

/// Values, with the serial numbers that say when each place was last logged.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    values: Vec<Value>,
    /// The serial in force when the row was made.
    born: u64,
    log: Option<Box<LogState>>,
}

#[derive(Clone, Debug, Default)]
struct LogState {
    /// The serial under which the length was last logged.
    length_stamp: u64,
    /// Places from here on did not exist at that choice point, or are logged already.
    floor: usize,
    /// For each place the serial under which it was last logged; shorter rows mean 0.
    stamps: Vec<u64>,
    /// Bytes that were allocated for the log and are not in the account yet.
    bytes_to_account: usize,
}

impl LogState {
    fn counted() -> Box<LogState> {
        Box::new(LogState {
            bytes_to_account: block(size_of::<LogState>()),
            ..LogState::default()
        })
    }
}

/// What must go to the trail before a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Undo {
    Element { index: u32, old: Value, stamp: u64 },
    Length { length: u32, floor: u32, stamp: u64 },
}

impl Slots {
    pub fn new(values: Vec<Value>, born: u64) -> Slots {
        Slots {
            values,
            born,
            log: None,
        }
    }

    #[inline(always)]
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<Value> {
        self.values.get(index).copied()
    }

    /// Reads what a write to a place is about to change.
    #[inline(always)]
    pub fn reach_for(&self, index: usize) -> u64 {
        let stamp = self
            .log
            .as_ref()
            .and_then(|log| log.stamps.get(index))
            .copied()
            .unwrap_or(0);
        stamp ^ self.get(index).map_or(0, Value::bits)
    }

    /// The serial in force when the row was made.
    pub fn born(&self) -> u64 {
        self.born
    }

    /// Whether no change needs logging.
    #[inline(always)]
    pub fn is_fresh(&self, top: u64) -> bool {
        self.born >= top
    }

    /// The values, for changes that need no log or are logged otherwise.
    #[inline(always)]
    pub fn values_mut_unlogged(&mut self) -> &mut Vec<Value> {
        &mut self.values
    }

    /// Writes a place that exists.
    #[inline]
    pub fn set(&mut self, index: usize, value: Value, top: u64) -> Option<Undo> {
        let undo = if self.born >= top {
            None
        } else {
            self.log_element(index, top)
        };
        self.values[index] = value;
        undo
    }

    /// What undoes a write to an element; `None` if no choice point is younger than its last write.
    #[inline(always)]
    fn log_element(&mut self, index: usize, top: u64) -> Option<Undo> {
        let log = self.log.get_or_insert_with(LogState::counted);
        if log.length_stamp >= top && index >= log.floor {
            return None;
        }
        if log.stamps.len() <= index {
            let size = self.values.len().max(index + 1);
            let more = size - log.stamps.len();
            log.bytes_to_account += room::grow(&mut log.stamps, more);
            log.stamps.resize(size, 0);
        }
        let stamp = log.stamps[index];
        if stamp >= top {
            return None;
        }
        log.stamps[index] = top;
        Some(Undo::Element {
            index: index as u32,
            old: self.values[index],
            stamp,
        })
    }

    /// What undoes a change of the length; `None` if no choice point is younger than its last change.
    #[inline]
    fn log_length(&mut self, top: u64) -> Option<Undo> {
        let length = self.values.len();
        let log = self.log.get_or_insert_with(LogState::counted);
        if log.length_stamp >= top {
            return None;
        }
        let undo = Undo::Length {
            length: length as u32,
            floor: log.floor as u32,
            stamp: log.length_stamp,
        };
        log.length_stamp = top;
        log.floor = length;
        Some(undo)
    }

    /// Appends a value, and returns what undoes that.
    #[inline]
    pub fn push(&mut self, value: Value, top: u64) -> Option<Undo> {
        let undo = if self.born >= top {
            None
        } else {
            self.log_length(top)
        };
        if self.values.len() == self.values.capacity() {
            room::grow(&mut self.values, 1);
        }
        self.values.push(value);
        undo
    }

    /// As [`Self::push`] for two: logging the first covers the second.
    #[inline]
    pub fn push_two(&mut self, first: Value, second: Value, top: u64) -> Option<Undo> {
        let undo = self.push(first, top);
        let again = self.push(second, top);
        debug_assert!(again.is_none(), "the length is logged once");
        undo
    }

    /// Removes and returns the last value of a row that is not empty. Both changes, of length and of place, may need
    /// a log.
    pub fn pop(&mut self, top: u64) -> (Value, [Option<Undo>; 2]) {
        let last = self.values.len() - 1;
        let value = self.values[last];
        if self.born >= top {
            self.values.pop();
            return (value, [None, None]);
        }
        let length = self.log_length(top);
        let element = self.log_element(last, top);
        let log = self.log.get_or_insert_with(LogState::counted);
        log.floor = log.floor.min(last);
        self.values.pop();
        (value, [length, element])
    }

    /// The row for logged writes, if nothing else must be done: its length does not change, and there is capacity for
    /// the serials of all its places.
    #[inline(always)]
    pub fn logged(&mut self, top: u64) -> Option<Logged<'_>> {
        let log = self.log.as_deref_mut()?;
        let is_plain =
            self.born < top && log.length_stamp < top && log.stamps.len() == self.values.len();
        is_plain.then(|| Logged {
            values: &mut self.values,
            stamps: &mut log.stamps,
            top,
        })
    }

    /// The bytes that the first logged write of a row allocates: the serials of all its places.
    #[inline]
    pub fn bytes_to_log(&self, top: u64) -> usize {
        if self.born >= top {
            return 0;
        }
        let stamps = self.log.as_ref().map_or(0, |log| log.stamps.len());
        (self.values.len().saturating_sub(stamps)) * size_of::<u64>()
    }

    /// The bytes that logging has allocated since the last call.
    pub fn take_bytes_to_account(&mut self) -> usize {
        self.log
            .as_mut()
            .map_or(0, |log| std::mem::take(&mut log.bytes_to_account))
    }

    /// Restores the state before an [`Undo`] of this row.
    #[inline(always)]
    pub fn restore(&mut self, undo: Undo) {
        let log = self.log.get_or_insert_with(LogState::counted);
        match undo {
            Undo::Element { index, old, stamp } => {
                let index = index as usize;
                if self.values.len() <= index {
                    self.values.resize(index + 1, Value::NULL);
                }
                self.values[index] = old;
                if let Some(place) = log.stamps.get_mut(index) {
                    *place = stamp;
                }
            }
            Undo::Length {
                length,
                floor,
                stamp,
            } => {
                self.values.resize(length as usize, Value::NULL);
                log.length_stamp = stamp;
                log.floor = floor as usize;
            }
        }
    }

    /// Whether the next value needs more room.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.values.len() == self.values.capacity()
    }

    /// Whether this many more values fit without growing.
    #[inline]
    pub fn has_room_for(&self, more: usize) -> bool {
        self.values.capacity() - self.values.len() >= more
    }

    /// The bytes of the values alone.
    #[inline]
    pub fn bytes_of_values(&self) -> usize {
        room::row(&self.values)
    }

    /// The bytes that the row owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.values)
            + self.log.as_ref().map_or(0, |log| {
                block(size_of::<LogState>()) + room::row(&log.stamps)
            })
    }
}

/// A row for writes, where every change is logged once.
pub struct Logged<'a> {
    values: &'a mut [Value],
    stamps: &'a mut [u64],
    top: u64,
}

impl Logged<'_> {
    /// Writes a place that exists.
    #[inline(always)]
    pub fn set(&mut self, index: usize, value: Value) -> Option<Undo> {
        let old = std::mem::replace(&mut self.values[index], value);
        let stamp = self.stamps[index];
        if stamp >= self.top {
            return None;
        }
        self.stamps[index] = self.top;
        Some(Undo::Element {
            index: index as u32,
            old,
            stamp,
        })
    }
}

ndscript_base::saved!(struct Slots { values, born, log });
impl ndscript_base::codec::Saved for LogState {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        // Everything is counted again when it is read back.
        let LogState {
            length_stamp,
            floor,
            stamps,
            bytes_to_account: _,
        } = self;
        length_stamp.save(out);
        floor.save(out);
        stamps.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<LogState, ndscript_base::codec::Unsound> {
        let (length_stamp, floor, stamps) =
            (u64::load(from)?, usize::load(from)?, Vec::load(from)?);
        Ok(LogState {
            length_stamp,
            floor,
            stamps,
            bytes_to_account: 0,
        })
    }
}
