//! The tiles of a layer: from the text of its numbers to a grid of names.

use super::names::{TileSet, name_of};
use super::unpacking::{Compression, Unpacker};
use super::values::{LONGEST_NAME, NotAMap, VALUES_OF_TAG, put, short, signed};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::value::Handle;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;

/// A map has at most this many cells in a layer.
const MOST_CELLS: u64 = 1 << 24;

/// How the numbers of a layer are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encoding {
    Csv,
    Base64,
    /// A tag for each.
    Tags,
}

/// The numbers of a rectangle of cells.
#[derive(Clone, Default)]
pub struct Chunk {
    pub left: i32,
    pub top: i32,
    pub width: u32,
    pub height: u32,
    pub numbers: Vec<u32>,
    /// Its bytes, where they are compressed.
    pub packed: Vec<u8>,
}

/// A layer being read: one rectangle, or, in an infinite map, several.
#[derive(Clone)]
pub struct Numbers {
    pub encoding: Encoding,
    compression: Option<Compression>,
    /// The layer as it would be whole, and its chunks.
    pub chunks: Vec<Chunk>,
    /// The digits of a number, or the bits of a text in base64, as far as they are read.
    partial: u64,
    bits: u32,
    has_digits: bool,
}

impl Numbers {
    /// # Errors
    /// If the words are none that Tiled writes.
    pub fn new(
        encoding: Option<&str>,
        compression: &str,
        (width, height): (u32, u32),
    ) -> Result<Numbers, String> {
        let encoding = match encoding {
            None => Encoding::Tags,
            Some("csv") => Encoding::Csv,
            Some("base64") => Encoding::Base64,
            Some(other) => {
                return Err(format!(
                    "the encoding {:?} is none that Tiled writes",
                    short(other)
                ));
            }
        };
        let compression = match compression {
            "" => None,
            name => Some(Compression::named(name).ok_or_else(|| {
                format!(
                    "the compression {:?} is none that Tiled writes",
                    short(name)
                )
            })?),
        };
        let whole = Chunk {
            width,
            height,
            ..Chunk::default()
        };
        Ok(Numbers {
            encoding,
            compression,
            chunks: vec![whole],
            partial: 0,
            bits: 0,
            has_digits: false,
        })
    }

    pub fn begin_chunk(&mut self, chunk: Chunk) {
        room::grow(&mut self.chunks, 1);
        self.chunks.push(chunk);
        (self.partial, self.bits, self.has_digits) = (0, 0, false);
    }

    pub fn take_number(&mut self, number: u32) {
        if let Some(chunk) = self.chunks.last_mut() {
            room::grow(&mut chunk.numbers, 1);
            chunk.numbers.push(number);
        }
    }

    /// The bytes of memory that this many more bytes of text may take.
    pub fn room(&self, length: usize) -> usize {
        let chunk = self.chunks.last();
        let rows = chunk.map_or(0, |chunk| {
            room::step(4 * chunk.numbers.capacity()) + room::step(chunk.packed.capacity())
        });
        8 * length + rows + room::step(self.chunks.capacity() * size_of::<Chunk>())
    }

    /// Reads a byte of text; false if it is not allowed there.
    ///
    /// # Errors
    /// If a number is too large.
    pub fn take(&mut self, byte: u8) -> Result<bool, NotAMap> {
        match self.encoding {
            Encoding::Base64 => Ok(self.take_base64(byte)),
            Encoding::Csv | Encoding::Tags => self.take_csv(byte),
        }
    }

    /// Ends the number that is being read.
    ///
    /// # Errors
    /// If it is too large.
    pub fn end_number(&mut self) -> Result<(), NotAMap> {
        if std::mem::take(&mut self.has_digits) {
            let number = u32::try_from(std::mem::take(&mut self.partial));
            self.take_number(
                number.map_err(|_| NotAMap::new("the number of a tile is too large"))?,
            );
        }
        Ok(())
    }

    fn take_csv(&mut self, byte: u8) -> Result<bool, NotAMap> {
        match byte {
            b'0'..=b'9' => {
                let digits = self.partial.saturating_mul(10);
                self.partial = digits.saturating_add(u64::from(byte - b'0'));
                self.has_digits = true;
            }
            b',' if self.has_digits => self.end_number()?,
            _ => return Ok(byte.is_ascii_whitespace()),
        }
        Ok(true)
    }

    /// Takes in six bits; four bytes, the least first, are a number.
    fn take_base64(&mut self, byte: u8) -> bool {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return byte == b'=' || byte.is_ascii_whitespace(),
        };
        self.partial = self.partial << 6 | u64::from(six);
        self.bits += 6;
        let width = if self.compression.is_some() { 8 } else { 32 };
        if self.bits >= width {
            self.bits -= width;
            let number = (self.partial >> self.bits) as u32;
            self.partial &= (1 << self.bits) - 1;
            match (self.compression, self.chunks.last_mut()) {
                (Some(_), Some(chunk)) => {
                    room::grow(&mut chunk.packed, 1);
                    chunk.packed.push(number as u8);
                }
                _ => self.take_number(number.swap_bytes()),
            }
        }
        true
    }

    fn bytes_of(chunks: &[Chunk]) -> usize {
        let rows = chunks
            .iter()
            .map(|chunk| room::row(&chunk.numbers) + room::row(&chunk.packed));
        rows.sum()
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.chunks) + Numbers::bytes_of(&self.chunks)
    }
}

/// The cells of a layer, being turned into names.
#[derive(Clone)]
struct Cells {
    left: i32,
    top: i32,
    width: u32,
    height: u32,
    values: Vec<Value>,
    chunk: usize,
    at: usize,
    last: (u32, Value),
}

/// A layer whose text is being read.
#[derive(Clone)]
pub struct LayerReader {
    layer: Handle,
    compression: Option<Compression>,
    chunks: Vec<Chunk>,
    /// The chunk that is unpacked.
    unpacked: usize,
    unpacking: Option<Unpacker>,
    cells: Option<Cells>,
}

impl LayerReader {
    pub fn new(layer: Handle, mut numbers: Numbers) -> LayerReader {
        // An infinite map has its numbers in chunks alone.
        if numbers.chunks.len() > 1 {
            numbers.chunks.remove(0);
        }
        LayerReader {
            layer,
            compression: numbers.compression,
            chunks: numbers.chunks,
            unpacked: 0,
            unpacking: None,
            cells: None,
        }
    }

    /// Continues; true when the layer has its grid.
    ///
    /// # Errors
    /// If numbers are broken, missing, or of no tile.
    pub fn resume(
        &mut self,
        context: &mut Context,
        sets: &[TileSet],
        budget: &mut Budget,
    ) -> Result<bool, NotAMap> {
        while let (Some(compression), Some(chunk)) =
            (self.compression, self.chunks.get_mut(self.unpacked))
        {
            if budget.is_spent() {
                return Ok(false);
            }
            let wanted = u64::from(chunk.width) * u64::from(chunk.height);
            if wanted > MOST_CELLS {
                break;
            }
            let unpacking = match &mut self.unpacking {
                Some(unpacking) => unpacking,
                None => {
                    let packed = std::mem::take(&mut chunk.packed);
                    self.unpacking
                        .insert(Unpacker::new(packed, compression).map_err(NotAMap::new)?)
                }
            };
            let numbers = &mut chunk.numbers;
            let row = room::step(4 * numbers.capacity());
            context.reserve(row + unpacking.bytes() + 2 * unpacking.room())?;
            let is_done = unpacking.resume(numbers, wanted as usize, budget);
            if is_done.map_err(NotAMap::new)? {
                self.unpacking = None;
                self.unpacked += 1;
            }
        }
        if self.cells.is_none() {
            let cells = self.begin_cells(context)?;
            self.cells = Some(cells);
        }
        self.name_cells(context, sets, budget)
    }

    /// Checks the numbers of a layer, and makes room for its cells.
    fn begin_cells(&self, context: &mut Context) -> Result<Cells, NotAMap> {
        let ends = |from: fn(&Chunk) -> (i32, u32)| {
            let ranges = self.chunks.iter().map(from);
            let ranges =
                ranges.map(|(from, size)| (i64::from(from), i64::from(from) + i64::from(size)));
            ranges.fold(None, |all: Option<(i64, i64)>, (low, high)| match all {
                Some((first, last)) => Some((first.min(low), last.max(high))),
                None => Some((low, high)),
            })
        };
        let (left, right) = ends(|chunk| (chunk.left, chunk.width)).unwrap_or_default();
        let (top, bottom) = ends(|chunk| (chunk.top, chunk.height)).unwrap_or_default();
        let (width, height) = (right - left, bottom - top);
        let count = (width as u64).saturating_mul(height as u64);
        if (width.max(height) as u64).max(count) > MOST_CELLS {
            let what = format!("a layer would be {width} x {height} cells large");
            return Err(NotAMap::Text(what));
        }
        for chunk in &self.chunks {
            let wanted = u64::from(chunk.width) * u64::from(chunk.height);
            if wanted != chunk.numbers.len() as u64 {
                let (found, width, height) = (chunk.numbers.len(), chunk.width, chunk.height);
                let what = format!("{width} x {height} cells have {found} numbers");
                return Err(NotAMap::Text(what));
            }
        }
        let count = count as usize;
        context.reserve(room::block(8 * count) + VALUES_OF_TAG)?;
        Ok(Cells {
            left: left as i32,
            top: top as i32,
            width: width as u32,
            height: height as u32,
            values: vec![Value::NULL; count],
            chunk: 0,
            at: 0,
            last: (0, Value::NULL),
        })
    }

    /// Names cells; true when the layer has its grid.
    fn name_cells(
        &mut self,
        context: &mut Context,
        sets: &[TileSet],
        budget: &mut Budget,
    ) -> Result<bool, NotAMap> {
        let Some(cells) = &mut self.cells else {
            return Ok(true);
        };
        while let Some(chunk) = self.chunks.get(cells.chunk) {
            while let Some(number) = chunk.numbers.get(cells.at).copied() {
                if budget.is_spent() {
                    return Ok(false);
                }
                budget.spend(2);
                if number == 0 {
                    cells.last = (0, Value::NULL);
                } else if number != cells.last.0 {
                    context.reserve(VALUES_OF_TAG + LONGEST_NAME)?;
                    budget.spend(sets.len() + 8);
                    let name = name_of(number, sets).ok_or_else(|| {
                        NotAMap::Text(format!("no set has a tile of the number {number}"))
                    })?;
                    cells.last = (number, context.heap.text(&name));
                }
                let x = chunk.left - cells.left + (cells.at as u32 % chunk.width) as i32;
                let y = chunk.top - cells.top + (cells.at as u32 / chunk.width) as i32;
                cells.values[y as usize * cells.width as usize + x as usize] = cells.last.1;
                cells.at += 1;
            }
            (cells.chunk, cells.at) = (cells.chunk + 1, 0);
        }
        context.reserve(VALUES_OF_TAG + 16 * cells.values.len())?;
        if let Some(cells) = self.cells.take() {
            put(context, self.layer, "x", signed(cells.left));
            put(context, self.layer, "y", signed(cells.top));
            let grid = context.heap.grid(cells.width, cells.height, cells.values);
            put(context, self.layer, "grid", grid);
        }
        Ok(true)
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        let layer = Value::handle(ndscript_heap::Kind::Object, self.layer);
        tracer.values.push(layer);
        if let Some(cells) = &self.cells {
            tracer.values.push(cells.last.1);
            tracer.values.extend_from_slice(&cells.values);
        }
    }

    pub fn bytes(&self) -> usize {
        let cells = self.cells.as_ref();
        room::row(&self.chunks)
            + Numbers::bytes_of(&self.chunks)
            + self.unpacking.as_ref().map_or(0, Unpacker::bytes)
            + cells.map_or(0, |cells| room::row(&cells.values))
    }
}
