//! The names of a Tiled map's tiles.

use std::collections::HashMap;

use ndscript_base::room;
use ndscript_base::tiles::square_name;

use super::fields::Fields;

/// A set of tiles, as far as it has been read.
#[derive(Clone, Default)]
pub struct TileSet {
    first: u32,
    name: String,
    /// The width and height of a tile, and the margins around and between them in the picture.
    size: (u32, u32),
    gaps: (u32, u32),
    columns: u32,
    image: Option<String>,
    /// The names of single tiles.
    named: HashMap<u32, String>,
    bytes: usize,
}

impl TileSet {
    pub fn new(fields: &Fields) -> TileSet {
        let name = fields.get("name").map(str::to_string);
        TileSet {
            first: fields.number("firstgid"),
            name: name.unwrap_or_else(|| without_ending(fields.text("source"))),
            size: (fields.number("tilewidth"), fields.number("tileheight")),
            gaps: (fields.number("margin"), fields.number("spacing")),
            columns: fields.number("columns"),
            ..TileSet::default()
        }
    }

    /// Sets its first number.
    pub fn begin_at(&mut self, first: u32) {
        self.first = first;
    }

    /// Sets the picture of the set.
    pub fn draw_from(&mut self, fields: &Fields) {
        if self.columns == 0 && self.size.0 > 0 {
            self.columns = fields.number::<u32>("width") / self.size.0;
        }
        self.image = Some(without_ending(fields.text("source")));
    }

    /// Sets the picture of a tile that has its own.
    pub fn draw_tile(&mut self, tile: u32, fields: &Fields) {
        self.call(tile, without_ending(fields.text("source")));
    }

    /// Sets the name of a tile, unless it has one.
    pub fn call(&mut self, tile: u32, name: String) {
        self.bytes += name.capacity() + room::block(size_of::<(u32, String)>()) * 2;
        self.named.entry(tile).or_insert(name);
    }

    /// Sets the name of a tile, replacing any other.
    pub fn rename(&mut self, tile: u32, name: String) {
        self.named.remove(&tile);
        self.call(tile, name);
    }

    pub fn first(&self) -> u32 {
        self.first
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn bytes(&self) -> usize {
        self.bytes + self.name.capacity() + self.image.as_ref().map_or(0, String::capacity)
    }

    /// The name of a tile: its own, or by its square in a picture, or by the set and its number.
    pub fn tile(&self, tile: u32) -> String {
        if let Some(name) = self.named.get(&tile) {
            return name.clone();
        }
        let is_plain = self.size.0 == self.size.1 && self.size.0 > 0 && self.gaps == (0, 0);
        match &self.image {
            Some(image) if is_plain && self.columns > 0 => {
                square_name(image, self.size.0, tile % self.columns, tile / self.columns)
            }
            _ => format!("{}:{tile}", self.name),
        }
    }
}

fn without_ending(path: &str) -> String {
    let endings = [".png", ".tsx", ".tsj"];
    let short = endings.iter().find_map(|ending| path.strip_suffix(ending));
    short.unwrap_or(path).to_string()
}

/// The bits of a tile's number for its orientation.
const ACROSS: u32 = 0x8000_0000;
const DOWN: u32 = 0x4000_0000;
const DIAGONAL: u32 = 0x2000_0000;
/// A bit that only hexagonal maps have.
const HEXAGONAL: u32 = 0x1000_0000;

/// The name of a tile by its number in the map; `None` if there is no such tile.
pub fn name_of(number: u32, sets: &[TileSet]) -> Option<String> {
    let tile = number & !(ACROSS | DOWN | DIAGONAL | HEXAGONAL);
    let set = sets
        .iter()
        .filter(|set| set.first <= tile)
        .max_by_key(|set| set.first)?;
    let is_set = |bit| number & bit != 0;
    let turn = match (is_set(DIAGONAL), is_set(ACROSS), is_set(DOWN)) {
        (false, false, false) => "",
        (false, true, false) => "@flip",
        (false, false, true) => "@180@flip",
        (false, true, true) => "@180",
        (true, true, false) => "@90",
        (true, false, true) => "@270",
        (true, false, false) => "@90@flip",
        (true, true, true) => "@270@flip",
    };
    Some(set.tile(tile - set.first) + turn)
}
