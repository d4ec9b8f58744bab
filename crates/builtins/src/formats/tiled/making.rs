//! A map of Tiled as an object: its tags, of XML or JSON, become values.

use super::fields::Fields;
use super::layer::{Chunk, Encoding, LayerReader, Numbers};
use super::names::{TileSet, name_of};
use super::values::{LONGEST_NAME, NotAMap, VALUES_OF_TAG, put, put_text, short};
use super::wang::{WangSet, WangSetReader, colors};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;

/// A tag that is open.
#[derive(Clone)]
struct OpenTag {
    name: String,
    /// The object that gets properties: the map, layers, sets, tiles, things; `None` for a tag without properties.
    owner: Option<Handle>,
}

/// Something that takes long, between two tags.
#[derive(Clone)]
enum Task {
    Layer(LayerReader),
    Wang(WangSetReader),
}

/// A map, or a set of tiles by itself, as far as it is made.
#[derive(Clone, Default)]
pub struct MapBuilder {
    map: Option<Handle>,
    size: (u32, u32),
    open: Vec<OpenTag>,
    layers: Vec<Value>,
    objects: Vec<Value>,
    tile_sets: Vec<Value>,
    sets: Vec<TileSet>,
    /// The texts of sets, by name; the set to read next, and where its numbers begin.
    texts: Option<Handle>,
    elsewhere: Option<Value>,
    first: Option<u32>,
    has_closed_set: bool,
    /// The tiles of a set with properties, and the current one.
    tiles: Vec<Value>,
    tile: Option<(u32, Handle)>,
    wang_sets: Vec<Value>,
    wang: Option<WangSet>,
    /// A property whose value is between its tags: its name and type, and the text so far.
    property: Option<(String, String)>,
    text: String,
    pub numbers: Option<Numbers>,
    task: Option<Task>,
    pub result: Option<Value>,
}

impl MapBuilder {
    pub fn new(given: Option<Handle>) -> MapBuilder {
        MapBuilder {
            texts: given,
            ..MapBuilder::default()
        }
    }

    pub fn is_busy(&self) -> bool {
        self.task.is_some()
    }

    /// Continues long work; true when it is done.
    ///
    /// # Errors
    /// If something in the file is wrong.
    pub fn work(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, NotAMap> {
        let is_done = match &mut self.task {
            Some(Task::Layer(layer)) => layer.resume(context, &self.sets, budget)?,
            Some(Task::Wang(wang)) => {
                let set = self.sets.last();
                wang.resume(
                    context,
                    |tile| set.map_or_else(String::new, |set| set.tile(tile)),
                    budget,
                )?
            }
            None => true,
        };
        if is_done {
            self.task = None;
        }
        Ok(is_done)
    }

    /// The bytes that the values and rows of a tag of this length may take.
    pub fn room(&self, context: &Context, length: usize) -> usize {
        let owner = self.open.iter().rev().find_map(|open| open.owner);
        let fields = owner.map_or(0, |owner| {
            let owner = Value::handle(Kind::Object, owner);
            context.heap.bytes_to_write(owner)
        });
        let rows = self.rows();
        let rows: usize = rows.iter().map(|row| room::step(8 * row.capacity())).sum();
        let sets = room::step(self.sets.capacity() * size_of::<TileSet>());
        let numbers = self.numbers.as_ref().map_or(0, |numbers| numbers.room(0));
        let named = self.sets.last().map_or(0, TileSet::bytes);
        let wang = self.wang.as_ref().map_or(0, WangSet::bytes);
        let text = room::step(self.text.capacity());
        VALUES_OF_TAG + 8 * length + fields + rows + sets + numbers + named + 2 * wang + text
    }

    fn rows(&self) -> [&Vec<Value>; 5] {
        [
            &self.layers,
            &self.objects,
            &self.tile_sets,
            &self.tiles,
            &self.wang_sets,
        ]
    }

    pub fn is_in(&self, tag: &str) -> bool {
        self.open.iter().any(|open| open.name == tag)
    }

    pub fn innermost(&self) -> Option<&str> {
        self.open.last().map(|open| &*open.name)
    }

    /// The text of a set that the last tag has named, if it is given.
    pub fn take_elsewhere(&mut self) -> Option<Value> {
        self.elsewhere.take()
    }

    /// Whether a set of tiles has ended since this was asked.
    pub fn take_closed_set(&mut self) -> bool {
        std::mem::take(&mut self.has_closed_set)
    }

    /// Whether the text between tags is wanted.
    pub fn wants_text(&self) -> bool {
        let is_text = |tag| self.innermost() == Some(tag);
        self.property.is_some() && is_text("property") || is_text("text") && self.is_in("object")
    }

    /// Adds a text between tags, which fits into memory.
    pub fn take_text(&mut self, text: &str) {
        room::grow_text(&mut self.text, text.len());
        self.text.push_str(text);
    }

    /// Opens a tag; its values fit into memory.
    ///
    /// # Errors
    /// If it is not allowed there.
    pub fn enter(
        &mut self,
        context: &mut Context,
        name: &str,
        fields: &Fields,
    ) -> Result<(), NotAMap> {
        if self.open.is_empty() && !matches!(name, "map" | "tileset") {
            let reader = match name {
                "set" => "`readTileSet` of \"std/tiles\"",
                _ => "`readXml`",
            };
            let name = short(name);
            return Err(NotAMap::Text(format!(
                "this is no map of Tiled: it begins with `<{name}>`; {reader} reads it"
            )));
        }
        if self.open.len() > 100 {
            return Err(NotAMap::new("tags are nested more than 100 deep"));
        }
        let owner = match name {
            "map" if self.map.is_some() => return Err(NotAMap::new("a map stands within a map")),
            "map" => Some(self.enter_map(context, fields)),
            "tileset" => self.enter_set(context, fields),
            "image" => {
                let is_of_set = self.is_in("tileset");
                if let (Some(set), true) = (self.sets.last_mut(), is_of_set) {
                    match self.tile {
                        Some((tile, _)) => set.draw_tile(tile, fields),
                        None => set.draw_from(fields),
                    }
                }
                None
            }
            "tile" => self.enter_tile(context, fields),
            "layer" | "objectgroup" | "imagelayer" if !self.is_in("tileset") => {
                Some(self.enter_layer(context, name, fields))
            }
            "object" if !self.is_in("tileset") => Some(self.enter_object(context, fields)?),
            // Their properties are not used, and do not belong to the parent.
            "object" | "objectgroup" => Some(context.heap.object().payload()),
            "ellipse" | "point" | "polygon" | "polyline" | "text" => {
                self.shape(context, name, fields);
                None
            }
            "property" => self.enter_property(context, fields),
            "wangset" if self.is_in("tileset") => {
                let set = context.heap.object().payload();
                put_text(context, set, "name", fields.text("name"));
                put_text(context, set, "kind", fields.class());
                room::grow(&mut self.wang_sets, 1);
                self.wang_sets.push(Value::handle(Kind::Object, set));
                self.wang = Some(WangSet::default());
                Some(properties_of(context, set))
            }
            "wangcolor" | "wangedgecolor" | "wangcornercolor" => {
                if let Some(wang) = &mut self.wang {
                    room::grow(&mut wang.colors, 1);
                    wang.colors.push(context.heap.text(fields.text("name")));
                }
                Some(context.heap.object().payload())
            }
            "wangtile" => {
                if let Some(wang) = &mut self.wang {
                    let colors = colors(fields.text("wangid"))
                        .ok_or_else(|| NotAMap::new("a tile of a Wang set has no eight colors"))?;
                    room::grow(&mut wang.tiles, 1);
                    wang.tiles.push((fields.number("tileid"), colors));
                }
                None
            }
            "data" if self.innermost() == Some("layer") => {
                let encoding = fields.get("encoding");
                let numbers = Numbers::new(encoding, fields.text("compression"), self.size);
                self.numbers = Some(numbers.map_err(NotAMap::Text)?);
                None
            }
            "chunk" => {
                if let Some(numbers) = &mut self.numbers {
                    numbers.begin_chunk(Chunk {
                        left: fields.number("x"),
                        top: fields.number("y"),
                        width: fields.number("width"),
                        height: fields.number("height"),
                        ..Chunk::default()
                    });
                }
                None
            }
            _ => None,
        };
        let name = name.to_string();
        self.open.push(OpenTag { name, owner });
        Ok(())
    }

    /// Makes the object for the map.
    fn enter_map(&mut self, context: &mut Context, fields: &Fields) -> Handle {
        self.size = (fields.number("width"), fields.number("height"));
        let map = context.heap.object().payload();
        self.map = Some(map);
        put(context, map, "width", Value::size(self.size.0 as usize));
        put(context, map, "height", Value::size(self.size.1 as usize));
        let orientation = fields.get("orientation").unwrap_or("orthogonal");
        put_text(context, map, "orientation", orientation);
        for (field, name) in [
            ("tilewidth", "tileWidth"),
            ("tileheight", "tileHeight"),
            ("hexsidelength", "hexSideLength"),
        ] {
            if fields.get(field).is_some() {
                put(
                    context,
                    map,
                    name,
                    Value::size(fields.number::<u32>(field) as usize),
                );
            }
        }
        for (field, name) in [
            ("staggeraxis", "staggerAxis"),
            ("staggerindex", "staggerIndex"),
        ] {
            if let Some(text) = fields.get(field) {
                put_text(context, map, name, text);
            }
        }
        properties_of(context, map)
    }

    /// Makes the object for a tile set; `None` if the set is in a file of its own, which is read next.
    fn enter_set(&mut self, context: &mut Context, fields: &Fields) -> Option<Handle> {
        if let Some(text) = fields
            .get("source")
            .and_then(|source| self.text_of_set(context, source))
        {
            self.elsewhere = Some(text);
            self.first = Some(fields.number("firstgid"));
            return None;
        }
        let mut set = TileSet::new(fields);
        if let Some(first) = self.first.take() {
            set.begin_at(first);
        }
        let object = context.heap.object().payload();
        let name = context.heap.text(set.name());
        put(context, object, "name", name);
        put(context, object, "first", Value::size(set.first() as usize));
        room::grow(&mut self.tile_sets, 1);
        self.tile_sets.push(Value::handle(Kind::Object, object));
        room::grow(&mut self.sets, 1);
        self.sets.push(set);
        Some(properties_of(context, object))
    }

    /// The text of a set by the name that the map has for it, or the last part of that name.
    fn text_of_set(&self, context: &Context, source: &str) -> Option<Value> {
        let given = self.texts?;
        let last = source.rsplit('/').next().unwrap_or(source);
        let keys = [source, last].into_iter();
        let keys = keys.filter_map(|name| context.heap.find_text(name));
        let text = keys
            .filter_map(|key| context.heap.objects[given].get(key))
            .next()?;
        text.is_kind(Kind::Text).then_some(text)
    }

    /// A tile of a set with properties; or the number of one in a layer.
    fn enter_tile(&mut self, context: &mut Context, fields: &Fields) -> Option<Handle> {
        if let Some(numbers) = &mut self.numbers {
            if numbers.encoding == Encoding::Tags {
                numbers.take_number(fields.number("gid"));
            }
            return None;
        }
        let set = self.sets.last_mut()?;
        let (number, class) = (fields.number("id"), fields.class());
        if !class.is_empty() {
            set.call(number, class.to_string());
        }
        let tile = context.heap.object().payload();
        put(context, tile, "id", Value::size(number as usize));
        put(context, tile, "name", Value::NULL);
        put_text(context, tile, "kind", class);
        let weight = fields.get("probability").and_then(|text| text.parse().ok());
        let weight = context.heap.float(weight.unwrap_or(1.0));
        put(context, tile, "probability", weight.unwrap_or(Value::NULL));
        room::grow(&mut self.tiles, 1);
        self.tiles.push(Value::handle(Kind::Object, tile));
        self.tile = Some((number, tile));
        Some(properties_of(context, tile))
    }

    fn enter_layer(&mut self, context: &mut Context, tag: &str, fields: &Fields) -> Handle {
        let kind = match tag {
            "layer" => "tiles",
            "objectgroup" => "objects",
            _ => "image",
        };
        let layer = context.heap.object().payload();
        room::grow(&mut self.layers, 1);
        self.layers.push(Value::handle(Kind::Object, layer));
        put_text(context, layer, "name", fields.text("name"));
        put_text(context, layer, "kind", kind);
        put(context, layer, "visible", visible(fields));
        properties_of(context, layer)
    }

    /// Makes the object for an object on the map.
    fn enter_object(&mut self, context: &mut Context, fields: &Fields) -> Result<Handle, NotAMap> {
        let object = context.heap.object().payload();
        room::grow(&mut self.objects, 1);
        self.objects.push(Value::handle(Kind::Object, object));
        put(
            context,
            object,
            "id",
            Value::size(fields.number::<u32>("id") as usize),
        );
        put_text(context, object, "name", fields.text("name"));
        put_text(context, object, "kind", fields.class());
        for field in ["x", "y", "width", "height", "rotation"] {
            let number = context.heap.float(fields.number(field));
            put(context, object, field, number.unwrap_or(Value::NULL));
        }
        put(context, object, "visible", visible(fields));
        let tile = fields.number("gid");
        let shape = if tile == 0 { "rectangle" } else { "tile" };
        put_text(context, object, "shape", shape);
        if tile != 0 {
            let name = name_of(tile, &self.sets)
                .ok_or_else(|| NotAMap::Text(format!("no set has a tile of the number {tile}")))?;
            put_text(context, object, "tile", &name);
        }
        if let Some(template) = fields.get("template") {
            put_text(context, object, "template", template);
        }
        Ok(properties_of(context, object))
    }

    /// The object that is being read, if it is one of the map.
    fn object(&self) -> Option<Handle> {
        let is_one = self.is_in("object") && !self.is_in("tileset");
        let object = self.objects.last().filter(|_| is_one)?;
        Some(object.payload())
    }

    /// Sets the shape of the current object, with its points.
    fn shape(&mut self, context: &mut Context, shape: &str, fields: &Fields) {
        let Some(object) = self.object() else {
            return;
        };
        put_text(context, object, "shape", shape);
        let Some(points) = fields.get("points") else {
            return;
        };
        let mut all = Vec::new();
        for point in points.split_ascii_whitespace() {
            let mut pair = Vec::new();
            for number in point.split(',') {
                let number = context.heap.float(number.parse().unwrap_or(0.0));
                pair.push(number.unwrap_or(Value::NULL));
            }
            all.push(context.heap.array(pair));
        }
        let all = context.heap.array(all);
        put(context, object, "points", all);
    }

    /// A property; if it is an object, its own properties go into that object.
    fn enter_property(&mut self, context: &mut Context, fields: &Fields) -> Option<Handle> {
        let (name, kind) = (fields.text("name"), fields.text("type"));
        if kind == "class" {
            let inner = context.heap.object();
            self.put_property(context, name, inner);
            return Some(inner.payload());
        }
        match fields.get("value") {
            Some(value) => self.take_property(context, name, kind, value),
            None => {
                self.text.clear();
                self.property = Some((name.to_string(), kind.to_string()));
            }
        }
        None
    }

    fn take_property(&mut self, context: &mut Context, name: &str, kind: &str, text: &str) {
        let value = match kind {
            "bool" => Value::boolean(text == "true"),
            "int" | "float" | "object" => text
                .parse()
                .ok()
                .and_then(|number| context.heap.float(number).ok())
                .unwrap_or(Value::NULL),
            _ => context.heap.text(text),
        };
        self.put_property(context, name, value);
    }

    /// Adds a property that is a value already; it fits into memory.
    pub fn put_property(&mut self, context: &mut Context, name: &str, value: Value) {
        let is_of_tile = self.open.iter().rev().find(|open| open.owner.is_some());
        let is_of_tile = is_of_tile.is_some_and(|open| open.name == "tile");
        if let (Some(set), Some((tile, _)), "name", true, Some(text)) = (
            self.sets.last_mut(),
            self.tile,
            name,
            is_of_tile,
            context.heap.as_str(value),
        ) && text.len() < LONGEST_NAME / 2
        {
            set.rename(tile, text.to_string());
        }
        if let Some(owner) = self.open.iter().rev().find_map(|open| open.owner) {
            put(context, owner, name, value);
        }
    }

    /// Closes the innermost tag.
    ///
    /// # Errors
    /// If another one is open, or something in it is wrong.
    pub fn close(&mut self, context: &mut Context, name: &str) -> Result<(), NotAMap> {
        if self.innermost() != Some(name) {
            let what = format!("`</{}>` closes nothing", short(name));
            return Err(NotAMap::Text(what));
        }
        match name {
            "data" => {
                if let (Some(mut numbers), Some(layer)) = (self.numbers.take(), self.layers.last())
                {
                    numbers.end_number()?;
                    let layer = layer.payload();
                    self.task = Some(Task::Layer(LayerReader::new(layer, numbers)));
                }
            }
            "chunk" => {
                if let Some(numbers) = &mut self.numbers {
                    numbers.end_number()?;
                }
            }
            "objectgroup" if !self.is_in("tileset") => {
                let objects = context.heap.array(std::mem::take(&mut self.objects));
                if let Some(layer) = self.layers.last() {
                    put(context, layer.payload(), "objects", objects);
                }
            }
            "property" => {
                if let Some((name, kind)) = self.property.take() {
                    let text = std::mem::take(&mut self.text);
                    self.take_property(context, &name, &kind, &text);
                }
            }
            "text" => {
                let text = std::mem::take(&mut self.text);
                if let Some(object) = self.object() {
                    put_text(context, object, "text", &text);
                }
            }
            "tile" => {
                if let (Some((number, tile)), Some(set)) = (self.tile.take(), self.sets.last()) {
                    put_text(context, tile, "name", &set.tile(number));
                }
            }
            "wangset" => self.close_wang_set(context),
            "tileset" => self.close_set(context),
            "map" => {
                if let Some(map) = self.map {
                    let layers = context.heap.array(std::mem::take(&mut self.layers));
                    put(context, map, "layers", layers);
                    let sets = context.heap.array(std::mem::take(&mut self.tile_sets));
                    put(context, map, "tilesets", sets);
                    self.result = Some(Value::handle(Kind::Object, map));
                }
            }
            _ => {}
        }
        self.open.pop();
        Ok(())
    }

    fn close_wang_set(&mut self, context: &mut Context) {
        let (Some(wang), Some(object)) = (self.wang.take(), self.wang_sets.last()) else {
            return;
        };
        let colors = context.heap.array(wang.colors);
        put(context, object.payload(), "colors", colors);
        let relations = context.heap.object();
        put(context, object.payload(), "relations", relations);
        self.task = Some(Task::Wang(WangSetReader::new(
            relations.payload(),
            wang.tiles,
        )));
    }

    /// A set of tiles, which may be the whole file.
    fn close_set(&mut self, context: &mut Context) {
        let Some(object) = self.tile_sets.last().copied() else {
            return;
        };
        // The tag of a set that refers to another text has no content of its own.
        if self.open.last().is_some_and(|open| open.owner.is_some()) {
            let tiles = context.heap.array(std::mem::take(&mut self.tiles));
            put(context, object.payload(), "tiles", tiles);
            let wang = context.heap.array(std::mem::take(&mut self.wang_sets));
            put(context, object.payload(), "wangSets", wang);
            self.has_closed_set = true;
        }
        if self.map.is_none() {
            self.result = Some(object);
        }
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.result);
        tracer.values.extend(self.elsewhere);
        for row in self.rows() {
            tracer.values.extend_from_slice(row);
        }
        if let Some(wang) = &self.wang {
            tracer.values.extend_from_slice(&wang.colors);
        }
        let owners = self.open.iter().filter_map(|open| open.owner);
        let tile = self.tile.map(|(_, tile)| tile);
        let objects = owners.chain(self.map).chain(self.texts).chain(tile);
        let objects = objects.map(|object| Value::handle(Kind::Object, object));
        tracer.values.extend(objects);
        match &self.task {
            Some(Task::Layer(layer)) => layer.trace(tracer),
            Some(Task::Wang(wang)) => wang.trace(tracer),
            None => {}
        }
    }

    pub fn bytes(&self) -> usize {
        let rows: usize = self.rows().into_iter().map(room::row).sum();
        let sets: usize = self.sets.iter().map(TileSet::bytes).sum();
        let open = self
            .open
            .iter()
            .map(|open| room::block(open.name.capacity()));
        let task = match &self.task {
            Some(Task::Layer(layer)) => layer.bytes(),
            Some(Task::Wang(wang)) => wang.bytes(),
            None => 0,
        };
        rows + sets
            + room::row(&self.sets)
            + room::row(&self.open)
            + open.sum::<usize>()
            + room::block(self.text.capacity())
            + self.numbers.as_ref().map_or(0, Numbers::bytes)
            + self.wang.as_ref().map_or(0, WangSet::bytes)
            + task
    }
}

fn visible(fields: &Fields) -> Value {
    let text = fields.get("visible");
    Value::boolean(text.is_none_or(|text| !matches!(text, "0" | "false")))
}

/// The properties of a map, a layer or a thing, which are empty.
fn properties_of(context: &mut Context, object: Handle) -> Handle {
    let properties = context.heap.object();
    put(context, object, "properties", properties);
    properties.payload()
}
