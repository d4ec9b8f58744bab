//! Maps for Tiled, the editor whose files game engines read: TMX, or its content as JSON. The tiles become one image
//! beside the file, in the order of their names.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ndscript::markup;
use ndscript::picture::{Cell, Picture, TileMap};
use ndscript::tiles::{Tile, Tiles, Turn};
use ndscript_render::RenderOptions;
use serde_json::json;

use crate::exit::Stop;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Tmx,
    Json,
}

/// A file for maps, and how many were written.
#[derive(Clone, Debug)]
pub struct Target {
    pub form: Form,
    pub path: PathBuf,
    pub written: u64,
}

/// The data of a map to write.
#[derive(Default)]
pub struct Written {
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Cells that hold no tile: undecided ones, and contradictions.
    pub undecided: usize,
}

/// The files of a map in all forms that are wanted; `None` for a picture that is no map. Two forms may share an image.
pub fn draw_all(
    targets: &mut [Target],
    picture: &Picture,
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<Option<Written>, Stop> {
    let mut all: Option<Written> = None;
    for target in targets {
        let Some(written) = target.draw(picture, tiles, options)? else {
            continue;
        };
        let all = all.get_or_insert_default();
        all.undecided = written.undecided;
        for file in written.files {
            if !all.files.contains(&file) {
                all.files.push(file);
            }
        }
    }
    Ok(all)
}

impl Target {
    /// The files of a map; `None` for a picture that is no map.
    fn draw(
        &mut self,
        picture: &Picture,
        tiles: &Tiles,
        options: &RenderOptions,
    ) -> Result<Option<Written>, Stop> {
        let layers: &[TileMap] = match picture {
            Picture::Tiles(map) => std::slice::from_ref(map),
            Picture::Layers(maps) if !maps.is_empty() => maps,
            Picture::Layers(_) | Picture::Image(_) | Picture::Heat(_) | Picture::Legend(_) => {
                return Ok(None);
            }
        };
        self.written += 1;
        let path = numbered(&self.path, self.written);
        let image = path.with_file_name(format!("{}-tiles.png", stem(&path)));
        let set = TileSet::draw(layers, tiles, options)?;
        let image_name = image
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = match self.form {
            Form::Tmx => tmx(layers, &set, &stem(&path), &image_name),
            Form::Json => tiled_json(layers, &set, &stem(&path), &image_name),
        };
        let is_undecided = |cell: &&Cell| matches!(cell, Cell::Candidates(_) | Cell::Empty);
        let undecided = layers
            .iter()
            .flat_map(|map| &map.cells)
            .filter(is_undecided)
            .count();
        Ok(Some(Written {
            files: vec![(path, text.into_bytes()), (image, set.png)],
            undecided,
        }))
    }
}

/// The name of a file with the seed of its map: `map-7.tmx`.
pub fn with_seed(path: &Path, seed: u64) -> PathBuf {
    with_ending(path, &seed.to_string())
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// `map.tmx`, `map-2.tmx`, ...
fn numbered(path: &Path, number: u64) -> PathBuf {
    if number == 1 {
        return path.to_path_buf();
    }
    with_ending(path, &number.to_string())
}

fn with_ending(path: &Path, end: &str) -> PathBuf {
    let ending = path.extension().map_or(String::new(), |ending| {
        format!(".{}", ending.to_string_lossy())
    });
    path.with_file_name(format!("{}-{end}{ending}", stem(path)))
}

/// The number of tiles in a row of the image.
const ACROSS: u32 = 8;

/// The tiles of all layers in one image, each once.
struct TileSet {
    names: Vec<Arc<str>>,
    /// The numbers of the tiles of the map, from 1, with the bits that turn them.
    numbers: HashMap<Arc<str>, u32>,
    columns: u32,
    /// Width and height of a tile, and of the image.
    tile: (u32, u32),
    image: (u32, u32),
    png: Vec<u8>,
}

impl TileSet {
    /// Draws all tiles of the layers into one image, and numbers them.
    fn draw(layers: &[TileMap], tiles: &Tiles, options: &RenderOptions) -> Result<TileSet, Stop> {
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut places: HashMap<Arc<str>, u32> = HashMap::new();
        let mut numbers = HashMap::new();
        for name in layers.iter().flat_map(|map| &map.names) {
            if numbers.contains_key(name) {
                continue;
            }
            let (tile, bits) = turn_bits(name, tiles);
            let number = *places.entry(tile.clone()).or_insert_with(|| {
                names.push(tile);
                names.len() as u32
            });
            numbers.insert(name.clone(), number | bits);
        }
        let count = names.len() as u32;
        let columns = count.clamp(1, ACROSS);
        let rows = count.div_ceil(columns).max(1);
        // The rest of the last row repeats the last tile; a set without tiles shows nothing that is used.
        let cell = |at: u32| {
            if count == 0 {
                Cell::Empty
            } else {
                Cell::Tile(at.min(count - 1))
            }
        };
        let cells = (0..columns * rows).map(cell).collect();
        let picture = Picture::Tiles(TileMap {
            width: columns,
            height: rows,
            names: names.clone(),
            cells,
            candidates: Vec::new(),
        });
        let canvas =
            ndscript_render::draw(&picture, tiles, options).map_err(|why| Stop::undrawn(&why))?;
        let image = (canvas.width(), canvas.height());
        Ok(TileSet {
            names,
            numbers,
            columns,
            tile: (image.0 / columns, image.1 / rows),
            image,
            png: canvas.to_png(),
        })
    }
}

/// The tile that a name turns, and the bits by which Tiled turns it: first over the diagonal, then across and down. A tile
/// that is no square stays as it is drawn.
fn turn_bits(name: &Arc<str>, tiles: &Tiles) -> (Arc<str>, u32) {
    let mut plain: &str = name;
    let mut turns = Vec::new();
    while let Ok(Tile::Turned(turned)) = tiles.resolve(plain) {
        let Some((tile, _)) = plain.rsplit_once('@') else {
            break;
        };
        turns.push(turned.turn);
        plain = tile;
    }
    let is_square = tiles
        .resolve(plain)
        .is_ok_and(|tile| tile.size().0 == tile.size().1);
    if turns.is_empty() || !is_square {
        return (name.clone(), 0);
    }
    let (mut diagonal, mut across, mut down) = (false, false, false);
    for turn in turns.iter().rev() {
        (diagonal, across, down) = match turn {
            Turn::Quarter => (!diagonal, !down, across),
            Turn::Half => (diagonal, !across, !down),
            Turn::ThreeQuarters => (!diagonal, down, !across),
            Turn::Flip => (diagonal, !across, down),
        };
    }
    let bits = u32::from(across) << 31 | u32::from(down) << 30 | u32::from(diagonal) << 29;
    (plain.into(), bits)
}

/// Writes the numbers of a layer's tiles, a line for each row; 0 is no tile. Nothing is made but the text.
fn put_numbers(out: &mut String, map: &TileMap, set: &TileSet) {
    let places: Vec<u32> = map
        .names
        .iter()
        .map(|name| set.numbers.get(name).copied().unwrap_or(0))
        .collect();
    let columns = map.width.max(1) as usize;
    for (at, cell) in map.cells.iter().enumerate() {
        let number = match cell {
            Cell::Tile(tile) => places.get(*tile as usize).copied().unwrap_or(0),
            Cell::Candidates(_) | Cell::Empty | Cell::Nothing => 0,
        };
        let before = match at {
            0 => "",
            at if at % columns == 0 => ",\n",
            _ => ",",
        };
        let _ = write!(out, "{before}{number}");
    }
}

/// The name of a layer.
fn layer_name(name: &str, number: usize) -> String {
    if number == 1 {
        name.to_string()
    } else {
        format!("{name} {number}")
    }
}

/// The layers as a map in Tiled's XML form.
fn tmx(layers: &[TileMap], set: &TileSet, name: &str, image: &str) -> String {
    let (width, height, (tile_width, tile_height)) = (layers[0].width, layers[0].height, set.tile);
    let (name, image) = (markup::attribute(name), markup::attribute(image));
    let (image_width, image_height) = set.image;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <map version=\"1.10\" tiledversion=\"1.10.2\" orientation=\"orthogonal\" renderorder=\"right-down\" \
         width=\"{width}\" height=\"{height}\" tilewidth=\"{tile_width}\" tileheight=\"{tile_height}\" infinite=\"0\" \
         nextlayerid=\"{next}\" nextobjectid=\"1\">\n \
         <tileset firstgid=\"1\" name=\"{name}\" tilewidth=\"{tile_width}\" tileheight=\"{tile_height}\" \
         tilecount=\"{count}\" columns=\"{columns}\">\n  \
         <image source=\"{image}\" width=\"{image_width}\" height=\"{image_height}\"/>\n",
        count = set.names.len(),
        columns = set.columns,
        next = layers.len() + 1,
    );
    for (at, tile) in set.names.iter().enumerate() {
        // A `String` takes every write.
        let _ = write!(
            out,
            "  <tile id=\"{at}\" type=\"{tile}\">\n   <properties>\n    <property name=\"name\" value=\"{tile}\"/>\n   \
             </properties>\n  </tile>\n",
            tile = markup::attribute(tile)
        );
    }
    out.push_str(" </tileset>\n");
    for (map, number) in layers.iter().zip(1..) {
        let layer = layer_name(&name, number);
        let _ = write!(
            out,
            " <layer id=\"{number}\" name=\"{layer}\" width=\"{width}\" height=\"{height}\">\n  <data encoding=\"csv\">\n"
        );
        put_numbers(&mut out, map, set);
        out.push_str("\n</data>\n </layer>\n");
    }
    out.push_str("</map>\n");
    out
}

/// The layers as a map in Tiled's JSON form.
fn tiled_json(layers: &[TileMap], set: &TileSet, name: &str, image: &str) -> String {
    let tile = |(at, tile): (usize, &Arc<str>)| json!({ "id": at, "type": &**tile, "properties": [{ "name": "name", "type": "string", "value": &**tile }] });
    let tiles: Vec<serde_json::Value> = set.names.iter().enumerate().map(tile).collect();
    let (width, height) = (layers[0].width, layers[0].height);
    let map = json!({
        "type": "map", "version": "1.10", "tiledversion": "1.10.2",
        "orientation": "orthogonal", "renderorder": "right-down", "infinite": false,
        "width": width, "height": height, "tilewidth": set.tile.0, "tileheight": set.tile.1,
        "nextlayerid": layers.len() + 1, "nextobjectid": 1,
        "tilesets": [{
            "firstgid": 1, "name": name, "image": image, "imagewidth": set.image.0, "imageheight": set.image.1,
            "tilewidth": set.tile.0, "tileheight": set.tile.1, "tilecount": set.names.len(), "columns": set.columns,
            "margin": 0, "spacing": 0, "tiles": tiles
        }]
    });
    let mut out = open(&map);
    out.push_str("\"layers\": [");
    for (map, number) in layers.iter().zip(1..) {
        let layer = json!({
            "type": "tilelayer", "id": number, "name": layer_name(name, number), "width": width, "height": height,
            "x": 0, "y": 0, "opacity": 1, "visible": true
        });
        out.push_str(if number == 1 { "" } else { ", " });
        out.push_str(&open(&layer));
        out.push_str("\"data\": [\n");
        put_numbers(&mut out, map, set);
        out.push_str("]\n}");
    }
    out.push_str("]\n}\n");
    out
}

/// An object without its closing line, so that one more field can be added.
fn open(object: &serde_json::Value) -> String {
    let whole = format!("{object:#}");
    format!("{},\n  ", whole.trim_end_matches(['}', '\n']))
}
