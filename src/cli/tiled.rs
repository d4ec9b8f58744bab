//! Maps for Tiled, the editor whose files game engines read: TMX, or the same as JSON. The tiles become one image beside
//! the file, in the order of their names.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ndscript::picture::{Cell, Picture, TileMap};
use ndscript::render::{self, RenderError, RenderOptions};
use ndscript::tiles::Tiles;
use serde_json::json;

use super::exit::Stop;
use super::save::save;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Tmx,
    Json,
}

/// A file that maps are wanted in, and how many were written.
#[derive(Clone, Debug)]
pub struct Target {
    pub form: Form,
    pub path: PathBuf,
    pub written: u64,
}

/// What was written for a map.
pub struct Written {
    pub files: Vec<PathBuf>,
    /// Cells that hold no tile: undecided ones, and contradictions.
    pub undecided: usize,
}

impl Target {
    /// Writes a map; `None` for a picture that is none.
    pub fn write(
        &mut self,
        picture: &Picture,
        tiles: &Tiles,
        options: &RenderOptions,
    ) -> Result<Option<Written>, Stop> {
        let Picture::Tiles(map) = picture else { return Ok(None) };
        self.written += 1;
        let path = numbered(&self.path, self.written);
        let image = path.with_file_name(format!("{}-tiles.png", stem(&path)));
        let set = TileSet::draw(map, tiles, options)?;
        let image_name = image.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = match self.form {
            Form::Tmx => tmx(map, &set, &stem(&path), &image_name),
            Form::Json => tiled_json(map, &set, &stem(&path), &image_name),
        };
        save(&image, &set.png)?;
        save(&path, text.as_bytes())?;
        let undecided = map.cells.iter().filter(|cell| !matches!(cell, Cell::Tile(_))).count();
        Ok(Some(Written { files: vec![path, image], undecided }))
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// `map.tmx`, `map-2.tmx`, ...
fn numbered(path: &Path, number: u64) -> PathBuf {
    if number == 1 {
        return path.to_path_buf();
    }
    let ending = path.extension().map_or(String::new(), |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{}-{number}{ending}", stem(path)))
}

/// Tiles of an image stand in rows of this many.
const ACROSS: u32 = 8;

/// The tiles of a map in one image.
struct TileSet {
    names: Vec<Arc<str>>,
    columns: u32,
    /// Width and height of a tile, and of the image.
    tile: (u32, u32),
    image: (u32, u32),
    png: Vec<u8>,
}

impl TileSet {
    fn draw(map: &TileMap, tiles: &Tiles, options: &RenderOptions) -> Result<TileSet, Stop> {
        let names = map.names.clone();
        let count = names.len() as u32;
        let columns = count.clamp(1, ACROSS);
        let rows = count.div_ceil(columns).max(1);
        // What is left over in the last row shows the last tile again; a set without tiles shows nothing that is used.
        let cell = |at: u32| if count == 0 { Cell::Empty } else { Cell::Tile(at.min(count - 1)) };
        let cells = (0..columns * rows).map(cell).collect();
        let picture = Picture::Tiles(TileMap {
            width: columns,
            height: rows,
            names: names.clone(),
            cells,
            candidates: Vec::new(),
        });
        let canvas = render::draw(&picture, tiles, options).map_err(|why| match why {
            RenderError::Tile(_) => Stop::error(format!("cannot draw the tiles: {why}")),
            RenderError::TooLarge { .. } | RenderError::TilesTooLarge { .. } => Stop::limit(why.to_string()),
        })?;
        let image = (canvas.width(), canvas.height());
        Ok(TileSet { names, columns, tile: (image.0 / columns, image.1 / rows), image, png: canvas.to_png() })
    }
}

/// The number of a cell's tile in the map; 0 is no tile.
fn number_of(cell: &Cell) -> u32 {
    match cell {
        Cell::Tile(tile) => tile + 1,
        Cell::Candidates(_) | Cell::Empty | Cell::Nothing => 0,
    }
}

fn tmx(map: &TileMap, set: &TileSet, name: &str, image: &str) -> String {
    let (width, height, (tile_width, tile_height)) = (map.width, map.height, set.tile);
    let (name, image) = (escape(name), escape(image));
    let (image_width, image_height) = set.image;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <map version=\"1.10\" tiledversion=\"1.10.2\" orientation=\"orthogonal\" renderorder=\"right-down\" \
         width=\"{width}\" height=\"{height}\" tilewidth=\"{tile_width}\" tileheight=\"{tile_height}\" infinite=\"0\" \
         nextlayerid=\"2\" nextobjectid=\"1\">\n \
         <tileset firstgid=\"1\" name=\"{name}\" tilewidth=\"{tile_width}\" tileheight=\"{tile_height}\" \
         tilecount=\"{count}\" columns=\"{columns}\">\n  \
         <image source=\"{image}\" width=\"{image_width}\" height=\"{image_height}\"/>\n",
        count = set.names.len(),
        columns = set.columns,
    );
    for (at, tile) in set.names.iter().enumerate() {
        // A `String` takes every write.
        let _ = write!(
            out,
            "  <tile id=\"{at}\" type=\"{tile}\">\n   <properties>\n    <property name=\"name\" value=\"{tile}\"/>\n   \
             </properties>\n  </tile>\n",
            tile = escape(tile)
        );
    }
    let _ = write!(
        out,
        " </tileset>\n <layer id=\"1\" name=\"{name}\" width=\"{width}\" height=\"{height}\">\n  <data encoding=\"csv\">\n"
    );
    let rows: Vec<String> =
        rows(map).map(|row| row.iter().map(|cell| number_of(cell).to_string()).collect::<Vec<_>>().join(",")).collect();
    out.push_str(&rows.join(",\n"));
    out.push_str("\n</data>\n </layer>\n</map>\n");
    out
}

fn rows(map: &TileMap) -> impl Iterator<Item = &[Cell]> {
    map.cells.chunks(map.width.max(1) as usize)
}

fn tiled_json(map: &TileMap, set: &TileSet, name: &str, image: &str) -> String {
    let data: Vec<u32> = map.cells.iter().map(number_of).collect();
    let tile = |(at, tile): (usize, &Arc<str>)| json!({ "id": at, "type": &**tile, "properties": [{ "name": "name", "type": "string", "value": &**tile }] });
    let tiles: Vec<serde_json::Value> = set.names.iter().enumerate().map(tile).collect();
    let map = json!({
        "type": "map", "version": "1.10", "tiledversion": "1.10.2",
        "orientation": "orthogonal", "renderorder": "right-down", "infinite": false,
        "width": map.width, "height": map.height, "tilewidth": set.tile.0, "tileheight": set.tile.1,
        "nextlayerid": 2, "nextobjectid": 1,
        "tilesets": [{
            "firstgid": 1, "name": name, "image": image, "imagewidth": set.image.0, "imageheight": set.image.1,
            "tilewidth": set.tile.0, "tileheight": set.tile.1, "tilecount": set.names.len(), "columns": set.columns,
            "margin": 0, "spacing": 0, "tiles": tiles
        }],
        "layers": [{
            "type": "tilelayer", "id": 1, "name": name, "width": map.width, "height": map.height, "x": 0, "y": 0,
            "opacity": 1, "visible": true, "data": data
        }]
    });
    format!("{map:#}\n")
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no place for the others.
            character if character.is_control() => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
    out
}
