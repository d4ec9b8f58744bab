//! `readTiled`: the text of a `.tmx` file as an object, tag by tag.

use super::tiled_markup::{Attributes, Piece, piece};
use super::tiled_names::{TileSet, name_of};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::value::Handle;
use ndscript_heap::{Heap, Kind, Value};
use ndscript_machine::context::Context;
use ndscript_machine::error::{ErrorKind, Fault};
use ndscript_machine::work::{Tracer, Work};

/// A tag, with what stands in it, is no longer than so many bytes.
const LONGEST_TAG: usize = 1 << 14;
/// A map has no more cells than so many in a layer.
const MOST_CELLS: u64 = 1 << 24;
/// So many bytes of a layer's numbers are read at a time.
const BLOCK: usize = 1 << 10;
/// What the values that come of one tag take, beside its texts.
const VALUES_OF_TAG: usize = 1 << 12;

/// How the numbers of a layer are written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    Csv,
    Base64,
    /// A tag for each.
    Tags,
}

/// The numbers of a rectangle of cells.
#[derive(Clone, Default)]
struct Chunk {
    left: i32,
    top: i32,
    width: u32,
    height: u32,
    numbers: Vec<u32>,
}

/// A text on its way to a map.
#[derive(Clone)]
pub struct TiledReading {
    text: Value,
    at: usize,
    map: Option<Handle>,
    size: (u32, u32),
    /// The names of the tags that are open.
    open: Vec<String>,
    /// What takes in properties: the map, layers, things; `None` for what keeps none.
    owners: Vec<Option<Handle>>,
    layers: Vec<Value>,
    objects: Vec<Value>,
    tile_sets: Vec<Value>,
    sets: Vec<TileSet>,
    /// The tile of a set that is being read.
    tile: Option<u32>,
    encoding: Option<Encoding>,
    chunks: Vec<Chunk>,
    /// The digits of a number, or the bits of a text in base64, as far as they are read.
    partial: u64,
    bits: u32,
    has_digits: bool,
    /// The cells of a layer as they are named, with what is known of names.
    cells: Option<Cells>,
    result: Option<Value>,
}

/// A layer's numbers on their way to names.
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

impl TiledReading {
    pub fn new(text: Value) -> TiledReading {
        TiledReading {
            text,
            at: 0,
            map: None,
            size: (0, 0),
            open: Vec::new(),
            owners: Vec::new(),
            layers: Vec::new(),
            objects: Vec::new(),
            tile_sets: Vec::new(),
            sets: Vec::new(),
            tile: None,
            encoding: None,
            chunks: Vec::new(),
            partial: 0,
            bits: 0,
            has_digits: false,
            cells: None,
            result: None,
        }
    }

    fn wrong(&self, context: &Context, what: &str) -> Fault {
        let text = context.heap.as_str(self.text).unwrap_or_default();
        let line = text[..self.at].matches('\n').count() + 1;
        let message = format!("`readTiled` cannot read line {line}: {what}");
        Fault::error(ErrorKind::Value, message)
    }

    /// The bytes that the values and rows of one tag may take.
    fn room(&self, context: &Context, length: usize) -> usize {
        let owner = self.owners.iter().rev().find_map(|owner| *owner);
        let fields = owner.map_or(0, |owner| {
            context
                .heap
                .bytes_to_write(Value::handle(Kind::Object, owner))
        });
        let rows = [&self.layers, &self.objects, &self.tile_sets];
        let rows: usize = rows.iter().map(|row| room::step(8 * row.capacity())).sum();
        let sets = room::step(self.sets.capacity() * size_of::<TileSet>());
        let chunks = room::step(self.chunks.capacity() * size_of::<Chunk>());
        let numbers = self
            .chunks
            .last()
            .map_or(0, |chunk| 4 * chunk.numbers.capacity());
        let named = self.sets.last().map_or(0, TileSet::bytes);
        VALUES_OF_TAG + 8 * length + fields + rows + sets + chunks + room::step(numbers) + named
    }

    /// Reads the tag that comes next, or goes to it.
    fn read_tag(&mut self, context: &mut Context, budget: &mut Budget) -> Result<(), Fault> {
        let text = context.heap.as_str(self.text).unwrap_or_default();
        let mut most = (text.len() - self.at).min(LONGEST_TAG);
        while !text.is_char_boundary(self.at + most) {
            most -= 1;
        }
        let rest = &text[self.at..self.at + most];
        let Some(length) = rest.find('<') else {
            budget.spend(most / 16 + 1);
            self.at += most;
            if self.at == text.len() {
                return Err(match &self.open[..] {
                    [] => self.wrong(context, "this is no map of Tiled: it has no `<map>`"),
                    [.., tag] => {
                        let what = format!("the text ends within `<{}>`", short(tag));
                        self.wrong(context, &what)
                    }
                });
            }
            return Ok(());
        };
        budget.spend(length / 16 + 1);
        if length > 0 {
            // What a long property says stands between its tags.
            self.at += length;
            return Ok(());
        }
        let Some((found, length)) = piece(rest) else {
            let what = match rest.len() < LONGEST_TAG - 4 {
                true => "the text ends within a tag",
                false => "a tag is longer than 16,000 characters",
            };
            return Err(self.wrong(context, what));
        };
        budget.spend(length / 4 + 8);
        // The tag is taken out of the heap, which takes in what comes of it.
        let tag = match found {
            Piece::Other => String::new(),
            Piece::Open(..) | Piece::Close(_) => rest[..length].to_string(),
        };
        context.reserve(self.room(context, length))?;
        match piece(&tag) {
            Some((Piece::Close(name), _)) => self.close(context, name)?,
            Some((Piece::Open(name, attributes, is_closed), _)) => {
                self.enter(context, name, attributes)?;
                if is_closed {
                    self.close(context, name)?;
                }
            }
            Some((Piece::Other, _)) | None => {}
        }
        self.at += length;
        Ok(())
    }

    fn enter(
        &mut self,
        context: &mut Context,
        name: &str,
        attributes: Attributes<'_>,
    ) -> Result<(), Fault> {
        if self.open.is_empty() && name != "map" {
            let what = match name {
                "tileset" => "this is a set of tiles without a map (.tsx)".to_string(),
                _ => format!(
                    "this is no map of Tiled: it begins with `<{}>`",
                    short(name)
                ),
            };
            return Err(self.wrong(context, &what));
        }
        if self.open.len() > 100 {
            return Err(self.wrong(context, "tags are nested more than 100 deep"));
        }
        let mut owner = None;
        match name {
            "map" => {
                self.size = (attributes.number("width"), attributes.number("height"));
                let map = context.heap.object().payload();
                self.map = Some(map);
                put(context, map, "width", integer(self.size.0));
                put(context, map, "height", integer(self.size.1));
                let properties = properties_of(context, map);
                owner = Some(properties);
            }
            "tileset" => {
                let set = TileSet::new(attributes);
                let object = context.heap.object().payload();
                let name = context.heap.text(set.name());
                put(context, object, "name", name);
                put(context, object, "first", integer(set.first()));
                room::grow(&mut self.tile_sets, 1);
                self.tile_sets.push(Value::handle(Kind::Object, object));
                room::grow(&mut self.sets, 1);
                self.sets.push(set);
            }
            "image" => {
                let is_of_set = self.is_in("tileset");
                if let (Some(set), true) = (self.sets.last_mut(), is_of_set) {
                    match self.tile {
                        Some(tile) => set.draw_tile(tile, attributes),
                        None => set.draw_from(attributes),
                    }
                }
            }
            "tile" if self.encoding == Some(Encoding::Tags) => {
                self.take_number(attributes.number("gid"));
            }
            "tile" => {
                self.tile = Some(attributes.number("id"));
                let class = attributes.get("type").or_else(|| attributes.get("class"));
                if let (Some(set), Some(class)) = (self.sets.last_mut(), class)
                    && !class.is_empty()
                {
                    set.call(attributes.number("id"), class);
                }
            }
            "layer" | "objectgroup" | "imagelayer" if !self.is_in("tileset") => {
                let kind = match name {
                    "layer" => "tiles",
                    "objectgroup" => "objects",
                    _ => "image",
                };
                let layer = context.heap.object().payload();
                room::grow(&mut self.layers, 1);
                self.layers.push(Value::handle(Kind::Object, layer));
                put_text(
                    context,
                    layer,
                    "name",
                    &attributes.get("name").unwrap_or_default(),
                );
                put_text(context, layer, "kind", kind);
                let visible = attributes.get("visible").is_none_or(|value| value != "0");
                put(context, layer, "visible", boolean(visible));
                owner = Some(properties_of(context, layer));
            }
            "object" if !self.is_in("tileset") => {
                let object = context.heap.object().payload();
                room::grow(&mut self.objects, 1);
                self.objects.push(Value::handle(Kind::Object, object));
                put_text(
                    context,
                    object,
                    "name",
                    &attributes.get("name").unwrap_or_default(),
                );
                let class = attributes.get("type").or_else(|| attributes.get("class"));
                put_text(context, object, "kind", &class.unwrap_or_default());
                for field in ["x", "y", "width", "height"] {
                    let number = context.heap.float(attributes.number(field));
                    put(context, object, field, number.unwrap_or(Value::NULL));
                }
                owner = Some(properties_of(context, object));
            }
            "property" => self.take_property(context, attributes),
            "data" => self.begin_data(context, attributes)?,
            "chunk" if self.encoding.is_some() => {
                let chunk = Chunk {
                    left: attributes.number("x"),
                    top: attributes.number("y"),
                    width: attributes.number("width"),
                    height: attributes.number("height"),
                    numbers: Vec::new(),
                };
                room::grow(&mut self.chunks, 1);
                self.chunks.push(chunk);
                self.begin_numbers();
            }
            _ => {}
        }
        self.open.push(name.to_string());
        self.owners.push(owner);
        Ok(())
    }

    fn is_in(&self, tag: &str) -> bool {
        self.open.iter().any(|open| open == tag)
    }

    fn take_property(&mut self, context: &mut Context, attributes: Attributes<'_>) {
        let name = attributes.get("name").unwrap_or_default();
        let value = attributes.get("value").unwrap_or_default();
        if self.is_in("tileset") {
            if let (Some(set), Some(tile), "name") = (self.sets.last_mut(), self.tile, &*name) {
                set.rename(tile, value);
            }
            return;
        }
        let kind = attributes.get("type").unwrap_or_default();
        let value = match &*kind {
            "bool" => boolean(value == "true"),
            "int" | "float" | "object" => value
                .parse()
                .ok()
                .and_then(|number| context.heap.float(number).ok())
                .unwrap_or(Value::NULL),
            _ => context.heap.text(&value),
        };
        if let Some(owner) = self.owners.iter().rev().find_map(|owner| *owner) {
            put(context, owner, &name, value);
        }
    }

    fn begin_data(&mut self, context: &Context, attributes: Attributes<'_>) -> Result<(), Fault> {
        if let Some(compression) = attributes
            .get("compression")
            .filter(|name| !name.is_empty())
        {
            let what = format!(
                "the layer is compressed ({}): in Tiled, set Map > Map Properties > Tile Layer Format to CSV",
                short(&compression)
            );
            return Err(self.wrong(context, &what));
        }
        self.encoding = Some(match attributes.get("encoding").as_deref() {
            None => Encoding::Tags,
            Some("csv") => Encoding::Csv,
            Some("base64") => Encoding::Base64,
            Some(other) => {
                let what = format!("the encoding {:?} is none that Tiled writes", short(other));
                return Err(self.wrong(context, &what));
            }
        });
        let (width, height) = self.size;
        let whole = Chunk {
            width,
            height,
            ..Chunk::default()
        };
        self.chunks = vec![whole];
        self.begin_numbers();
        Ok(())
    }

    fn begin_numbers(&mut self) {
        (self.partial, self.bits, self.has_digits) = (0, 0, false);
    }

    fn take_number(&mut self, number: u32) {
        if let Some(chunk) = self.chunks.last_mut() {
            room::grow(&mut chunk.numbers, 1);
            chunk.numbers.push(number);
        }
    }

    /// Whether the numbers of a layer are being read.
    fn is_in_numbers(&self) -> bool {
        matches!(self.encoding, Some(Encoding::Csv | Encoding::Base64))
            && self
                .open
                .last()
                .is_some_and(|tag| tag == "data" || tag == "chunk")
    }

    /// Reads numbers up to the next tag; true when it is there.
    fn read_numbers(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        context.reserve(self.room(context, BLOCK))?;
        let text = context.heap.as_str(self.text).unwrap_or_default();
        let most = (self.at + BLOCK).min(text.len());
        let block = text.as_bytes()[self.at..most].to_vec();
        budget.spend(block.len());
        for byte in &block {
            if *byte == b'<' {
                if std::mem::take(&mut self.has_digits) {
                    self.take_digits(context)?;
                }
                return Ok(true);
            }
            let known = match self.encoding {
                Some(Encoding::Base64) => self.take_base64(*byte),
                _ => self.take_csv(context, *byte)?,
            };
            if !known {
                return Err(self.wrong(context, "what stands here is no number of a tile"));
            }
            self.at += 1;
        }
        match self.at == context.heap.as_str(self.text).unwrap_or_default().len() {
            true => Err(self.wrong(context, "the text ends within a layer")),
            false => Ok(false),
        }
    }

    fn take_digits(&mut self, context: &Context) -> Result<(), Fault> {
        let number = u32::try_from(self.partial)
            .map_err(|_| self.wrong(context, "the number of a tile is too large"))?;
        self.partial = 0;
        self.take_number(number);
        Ok(())
    }

    fn take_csv(&mut self, context: &Context, byte: u8) -> Result<bool, Fault> {
        match byte {
            b'0'..=b'9' => {
                self.partial = self
                    .partial
                    .saturating_mul(10)
                    .saturating_add(u64::from(byte - b'0'));
                self.has_digits = true;
            }
            b',' if self.has_digits => {
                self.has_digits = false;
                self.take_digits(context)?;
            }
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
        if self.bits >= 32 {
            self.bits -= 32;
            let number = (self.partial >> self.bits) as u32;
            self.partial &= (1 << self.bits) - 1;
            self.take_number(number.swap_bytes());
        }
        true
    }

    fn close(&mut self, context: &mut Context, name: &str) -> Result<(), Fault> {
        if self.open.last().is_none_or(|open| open != name) {
            let what = format!("`</{}>` closes nothing", short(name));
            return Err(self.wrong(context, &what));
        }
        match name {
            "data" => self.begin_cells(context)?,
            "objectgroup" if !self.is_in("tileset") => {
                let objects = context.heap.array(std::mem::take(&mut self.objects));
                if let Some(layer) = self.layers.last() {
                    put(context, layer.payload(), "objects", objects);
                }
            }
            "tile" => self.tile = None,
            "map" => {
                let Some(map) = self.map else {
                    return Ok(());
                };
                let layers = context.heap.array(std::mem::take(&mut self.layers));
                put(context, map, "layers", layers);
                let sets = context.heap.array(std::mem::take(&mut self.tile_sets));
                put(context, map, "tilesets", sets);
                self.result = Some(Value::handle(Kind::Object, map));
            }
            _ => {}
        }
        self.open.pop();
        self.owners.pop();
        Ok(())
    }

    /// Checks the numbers of a layer, and makes room for its cells.
    fn begin_cells(&mut self, context: &mut Context) -> Result<(), Fault> {
        // An infinite map has its numbers in chunks alone.
        let chunks = match &self.chunks[..] {
            [_, chunks @ ..] if !chunks.is_empty() => chunks,
            whole => whole,
        };
        for chunk in chunks {
            let wanted = u64::from(chunk.width) * u64::from(chunk.height);
            if wanted != chunk.numbers.len() as u64 {
                let (found, width, height) = (chunk.numbers.len(), chunk.width, chunk.height);
                let what = format!("{width} x {height} cells have {found} numbers");
                return Err(self.wrong(context, &what));
            }
        }
        let ends = |from: fn(&Chunk) -> (i32, u32)| {
            let ranges = chunks.iter().map(from);
            let ranges =
                ranges.map(|(from, size)| (i64::from(from), i64::from(from) + i64::from(size)));
            ranges.fold(None, |all: Option<(i64, i64)>, (low, high)| match all {
                Some((first, last)) => Some((first.min(low), last.max(high))),
                None => Some((low, high)),
            })
        };
        let (left, right) = ends(|chunk| (chunk.left, chunk.width)).unwrap_or_default();
        let (top, bottom) = ends(|chunk| (chunk.top, chunk.height)).unwrap_or_default();
        let count = ((right - left) as u64).saturating_mul((bottom - top) as u64);
        let longest = (right - left).max(bottom - top) as u64;
        if longest.max(count) > MOST_CELLS {
            let what = format!(
                "a layer would be {} x {} cells large",
                right - left,
                bottom - top
            );
            return Err(self.wrong(context, &what));
        }
        let count = count as usize;
        context.reserve(room::block(8 * count) + VALUES_OF_TAG)?;
        if self.chunks.len() > 1 {
            self.chunks.remove(0);
        }
        self.encoding = None;
        self.cells = Some(Cells {
            left: left as i32,
            top: top as i32,
            width: (right - left) as u32,
            height: (bottom - top) as u32,
            values: vec![Value::NULL; count],
            chunk: 0,
            at: 0,
            last: (0, Value::NULL),
        });
        Ok(())
    }

    /// Names cells; true when the layer has its grid.
    fn name_cells(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
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
                    context.reserve(VALUES_OF_TAG + LONGEST_TAG)?;
                    budget.spend(self.sets.len() + 8);
                    let Some(name) = name_of(number, &self.sets) else {
                        let what = format!("no set has a tile of the number {number}");
                        return Err(self.wrong(context, &what));
                    };
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
        if let (Some(cells), Some(layer)) = (self.cells.take(), self.layers.last()) {
            let layer = layer.payload();
            put(context, layer, "x", signed(cells.left));
            put(context, layer, "y", signed(cells.top));
            let grid = context.heap.grid(cells.width, cells.height, cells.values);
            put(context, layer, "grid", grid);
        }
        self.chunks = Vec::new();
        Ok(true)
    }
}

/// The beginning of a name, for messages.
fn short(name: &str) -> String {
    name.chars().take(40).collect()
}

fn integer(number: u32) -> Value {
    Heap::integer(i64::from(number)).unwrap_or(Value::NULL)
}

fn signed(number: i32) -> Value {
    Heap::integer(i64::from(number)).unwrap_or(Value::NULL)
}

fn boolean(is: bool) -> Value {
    if is { Value::TRUE } else { Value::FALSE }
}

/// Writes a field; there is room for it.
fn put(context: &mut Context, object: Handle, key: &str, value: Value) {
    let key = context.heap.text(key);
    context.heap.set_field(object, key, value);
}

fn put_text(context: &mut Context, object: Handle, key: &str, text: &str) {
    let text = context.heap.text(text);
    put(context, object, key, text);
}

/// The properties of a map, a layer or a thing, which are empty.
fn properties_of(context: &mut Context, object: Handle) -> Handle {
    let properties = context.heap.object();
    put(context, object, "properties", properties);
    properties.payload()
}

impl Work for TiledReading {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        loop {
            if budget.is_spent() {
                return Ok(None);
            }
            if self.result.is_some() {
                return Ok(self.result);
            }
            if self.cells.is_some() {
                if !self.name_cells(context, budget)? {
                    return Ok(None);
                }
            } else if !self.is_in_numbers() || self.read_numbers(context, budget)? {
                self.read_tag(context, budget)?;
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
        tracer.values.extend(self.result);
        for row in [&self.layers, &self.objects, &self.tile_sets] {
            tracer.values.extend_from_slice(row);
        }
        let objects = self.owners.iter().flatten().chain(&self.map);
        tracer
            .values
            .extend(objects.map(|object| Value::handle(Kind::Object, *object)));
        if let Some(cells) = &self.cells {
            tracer.values.push(cells.last.1);
            tracer.values.extend_from_slice(&cells.values);
        }
    }

    fn bytes(&self) -> usize {
        let rows = [&self.layers, &self.objects, &self.tile_sets];
        let rows: usize = rows.iter().map(|row| room::row(row)).sum();
        let sets: usize = self.sets.iter().map(TileSet::bytes).sum();
        let numbers: usize = self
            .chunks
            .iter()
            .map(|chunk| room::row(&chunk.numbers))
            .sum();
        rows + sets
            + numbers
            + room::row(&self.sets)
            + room::row(&self.chunks)
            + room::row(&self.open)
            + room::row(&self.owners)
            + self
                .open
                .iter()
                .map(|tag| room::block(tag.capacity()))
                .sum::<usize>()
            + self
                .cells
                .as_ref()
                .map_or(0, |cells| room::row(&cells.values))
    }

    fn fork(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}
