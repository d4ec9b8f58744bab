//! Tile names: the meaning of each one, and the source of its image.
//!
//! A name is `#rrggbb`, else an image file, else a CSS color, else a built-in tile, in this order. The library opens no
//! file by itself: a [`TileSource`] of the host does. `NAME@SIZE:X,Y` is a square cut out of the picture of `NAME`;
//! `NAME@90`, `NAME@180` and `NAME@270` are turned clockwise, and `NAME@flip` is mirrored.

pub use super::sides::Sides;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::counted::counted;
use crate::keyed::KeyedMap;

use crate::source::relative_path;

/// The greatest number of pixels of one tile image.
pub const MAX_IMAGE_PIXELS: u64 = 1 << 24;
/// The greatest width and height of one tile image.
pub const MAX_IMAGE_SIDE: u32 = 1 << 14;
/// The width and height of a tile that has no size of its own, in pixels.
pub const FLAT_TILE_SIZE: u32 = 16;
/// The most bytes of image files that are cached; beyond that they are read again.
const MAX_KEPT_BYTES: usize = 256 << 20;
/// The longest name of a tile.
pub const MAX_NAME_BYTES: usize = 1000;
/// The most names that are cached.
const MAX_KEPT_NAMES: usize = 1 << 16;

/// Where the image files of tiles come from: folders, an archive, memory.
pub trait TileSource: Send + Sync {
    /// The bytes of the image file at `path`, `None` if there is none. The path is relative, its parts are
    /// separated by `/`, and none of them is `..`. An `Err` says in words what went wrong.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String>;

    /// The places that are searched, for messages: `the folders "maps" and "tiles"`.
    fn places(&self) -> String;

    /// Whether there is a folder at `path`, for programs that name the folder of their tiles. By default any folder may
    /// exist.
    fn has_folder(&self, path: &str) -> Result<bool, String> {
        let _ = path;
        Ok(true)
    }
}

/// The tile of a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Tile {
    /// A flat tile: red, green, blue, opacity.
    Color([u8; 4]),
    /// A PNG file.
    Image(ImageFile),
    /// A tile that comes with the language.
    BuiltIn(BuiltInTile),
    /// A square of another tile.
    Square(Square),
    /// Another tile, turned or mirrored.
    Turned(Turned),
    /// Words on a tile.
    Label(Label),
}

impl Tile {
    /// The width and height in pixels, unless others are given.
    pub fn size(&self) -> (u32, u32) {
        match self {
            Tile::Image(image) => (image.width, image.height),
            Tile::Color(_) | Tile::BuiltIn(_) => (FLAT_TILE_SIZE, FLAT_TILE_SIZE),
            Tile::Square(square) => (square.size, square.size),
            Tile::Turned(turned) => {
                let (width, height) = turned.of.size();
                if turned.turn.is_sideways() {
                    (height, width)
                } else {
                    (width, height)
                }
            }
            Tile::Label(label) => {
                let under = label.background.as_ref().map_or((0, 0), |tile| tile.size());
                // Three small letters fit into a tile.
                let letters = label.text.chars().count() as u32;
                let width = if letters <= 3 {
                    FLAT_TILE_SIZE
                } else {
                    6 * letters + 4
                };
                (width.max(under.0), FLAT_TILE_SIZE.max(under.1))
            }
        }
    }
}

/// Words on a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The words.
    pub text: Arc<str>,
    /// The color of the letters.
    pub color: [u8; 4],
    /// Their background; nothing if it is `None`.
    pub background: Option<Arc<Tile>>,
    /// The color of the frame, if there is one.
    pub frame: Option<[u8; 4]>,
    /// The sides that the frame has.
    pub sides: Sides,
}

/// The longest label, in characters.
const LONGEST_LABEL: usize = 100;

/// The name of a label: `label:COLOR|BACKGROUND|FRAME|TEXT`, of which all but the text may be empty. `look` is color,
/// background and frame. A frame that has not all sides is `SIDES@COLOR`, the sides by their first letters: `lt@black`.
///
/// # Errors
/// A message if the label is too long.
pub fn label_name(text: &str, look: [Option<&str>; 3]) -> Result<String, String> {
    if text.chars().nth(LONGEST_LABEL).is_some() {
        return Err(format!(
            "a label has at most {LONGEST_LABEL} characters, and this one has more"
        ));
    }
    let [color, background, frame] = look.map(Option::unwrap_or_default);
    Ok(format!("{LABEL}{color}|{background}|{frame}|{text}"))
}

/// The prefix of labels. No other tile's name has a colon, so it hides none.
const LABEL: &str = "label:";

/// Letters on what is light, and on what is dark.
const DARK_LETTERS: [u8; 4] = [32, 33, 38, 255];
const LIGHT_LETTERS: [u8; 4] = [250, 250, 246, 255];

/// One of the equal squares that a tile is cut into.
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    /// The whole, which is no square itself.
    pub of: Arc<Tile>,
    /// The width and height of the square in pixels; it divides those of the whole.
    pub size: u32,
    /// The number of squares to the left of it.
    pub column: u32,
    /// How many squares are above it.
    pub row: u32,
}

/// A tile that is turned or mirrored.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// The tile as it is, which may be turned itself.
    pub of: Arc<Tile>,
    /// The turn.
    pub turn: Turn,
}

/// A turn of a tile, clockwise, or a look into a mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// By a quarter: `@90`.
    Quarter,
    /// By a half: `@180`.
    Half,
    /// By three quarters: `@270`.
    ThreeQuarters,
    /// Left and right change places: `@flip`.
    Flip,
}

impl Turn {
    /// The turn after the `@`.
    pub(crate) fn named(name: &str) -> Option<Turn> {
        Some(match name {
            "90" => Turn::Quarter,
            "180" => Turn::Half,
            "270" => Turn::ThreeQuarters,
            "flip" => Turn::Flip,
            _ => return None,
        })
    }

    /// Whether width and height change places.
    pub fn is_sideways(self) -> bool {
        matches!(self, Turn::Quarter | Turn::ThreeQuarters)
    }

    /// Where a pixel of the turned tile was in the tile as it is, which has this width and height.
    pub fn source(self, x: u32, y: u32, (width, height): (u32, u32)) -> (u32, u32) {
        match self {
            Turn::Quarter => (y, height - 1 - x),
            Turn::Half => (width - 1 - x, height - 1 - y),
            Turn::ThreeQuarters => (width - 1 - y, x),
            Turn::Flip => (width - 1 - x, y),
        }
    }
}

/// The parts of the name of a turned tile: the name of the tile before it is turned, the turn, and its words.
fn parse_turn(name: &str) -> Option<(&str, Turn, &str)> {
    let (tile, turn) = name.rsplit_once('@')?;
    // A label may end with anything.
    if tile.is_empty() || name.starts_with(LABEL) {
        return None;
    }
    Some((tile, Turn::named(turn)?, turn))
}

/// The name of a turned tile before its last turn, and the words of that turn: `pipe@90` and `flip` of `pipe@90@flip`.
pub fn turn_in(name: &str) -> Option<(&str, &str)> {
    parse_turn(name).map(|(tile, _, words)| (tile, words))
}

/// The name of a square of the picture `name`.
///
/// ```
/// use ndscript::tiles::{Tile, Tiles, square_name};
/// let name = square_name("wall", 8, 1, 0);
/// assert_eq!(name, "wall@8:1,0");
/// assert!(matches!(Tiles::default().resolve(&name), Ok(Tile::Square(_))));
/// assert!(Tiles::default().check("wall@8:2,0").is_err());
/// ```
pub fn square_name(name: &str, size: u32, column: u32, row: u32) -> String {
    format!("{name}@{size}:{column},{row}")
}

/// How many squares of a size a picture consists of, across and down.
///
/// # Errors
/// A message if they do not fill it.
pub fn squares_in(
    name: &str,
    (width, height): (u32, u32),
    size: u32,
) -> Result<(u32, u32), String> {
    if size > 0 && width % size == 0 && height % size == 0 {
        return Ok((width / size, height / size));
    }
    Err(format!(
        "the picture {name:?} cannot be cut into squares of {}: it is {} wide and {height} high, and the size has to \
         divide both",
        counted(size, "pixel"),
        counted(width, "pixel")
    ))
}

/// A PNG file whose header was checked; its pixels are not decoded yet.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageFile {
    /// The path that it was found under.
    pub path: Arc<str>,
    /// The whole file.
    pub bytes: Arc<[u8]>,
    /// Its width in pixels, at least 1.
    pub width: u32,
    /// Its height in pixels, at least 1.
    pub height: u32,
}

/// The tiles that come with the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltInTile {
    /// An arrow to the left.
    Left,
    /// An arrow to the right.
    Right,
    /// An arrow upwards.
    Up,
    /// An arrow downwards.
    Down,
    /// A wall of bricks.
    Wall,
    /// A floor.
    Floor,
    /// A door.
    Door,
    /// A treasure.
    Treasure,
    /// A monster.
    Monster,
    /// A question mark.
    Unknown,
    /// The sea.
    Sea,
    /// Sand.
    Sand,
    /// Grass.
    Grass,
    /// A forest.
    Forest,
    /// Hills.
    Hill,
    /// Mountains.
    Mountain,
    /// A road.
    Road,
    /// A river.
    River,
    /// A bridge over water.
    Bridge,
    /// A house.
    House,
    /// A tower.
    Tower,
}

impl BuiltInTile {
    /// All of them, with their names.
    pub const ALL: [(&str, BuiltInTile); 21] = [
        ("left", BuiltInTile::Left),
        ("right", BuiltInTile::Right),
        ("up", BuiltInTile::Up),
        ("down", BuiltInTile::Down),
        ("wall", BuiltInTile::Wall),
        ("floor", BuiltInTile::Floor),
        ("door", BuiltInTile::Door),
        ("treasure", BuiltInTile::Treasure),
        ("monster", BuiltInTile::Monster),
        ("unknown", BuiltInTile::Unknown),
        ("sea", BuiltInTile::Sea),
        ("sand", BuiltInTile::Sand),
        ("grass", BuiltInTile::Grass),
        ("forest", BuiltInTile::Forest),
        ("hill", BuiltInTile::Hill),
        ("mountain", BuiltInTile::Mountain),
        ("road", BuiltInTile::Road),
        ("river", BuiltInTile::River),
        ("bridge", BuiltInTile::Bridge),
        ("house", BuiltInTile::House),
        ("tower", BuiltInTile::Tower),
    ];

    /// The built-in tile of a name.
    pub fn named(name: &str) -> Option<BuiltInTile> {
        BuiltInTile::ALL
            .iter()
            .find(|(each, _)| *each == name)
            .map(|(_, tile)| *tile)
    }
}

/// Resolves tile names and caches the results. Clones share the cache.
///
/// ```
/// use ndscript::tiles::{BuiltInTile, Tile, Tiles};
/// let tiles = Tiles::default();
/// assert_eq!(tiles.resolve("#ff8000"), Ok(Tile::Color([255, 128, 0, 255])));
/// assert_eq!(tiles.resolve("navy"), Ok(Tile::Color([0, 0, 128, 255])));
/// assert_eq!(tiles.resolve("left"), Ok(Tile::BuiltIn(BuiltInTile::Left)));
/// assert!(tiles.check("../secret").unwrap_err().contains("without `..`"));
/// ```
#[derive(Clone, Default)]
pub struct Tiles {
    source: Option<Arc<dyn TileSource>>,
    known: Arc<Mutex<Known>>,
}

/// Folders of a program, and a name in it.
type InFolders = (Arc<[Arc<str>]>, Box<str>);

#[derive(Default)]
struct Known {
    tiles: KeyedMap<Arc<str>, Tile>,
    bytes: usize,
    /// The full names of tiles in programs that name folders: by the folders and the name.
    full_names: KeyedMap<InFolders, Arc<str>>,
}

/// Before any part of a long name is used.
fn refuse_long(name: &str) -> Result<(), String> {
    if name.len() <= MAX_NAME_BYTES {
        return Ok(());
    }
    let begin: String = name.chars().take(40).collect();
    Err(format!(
        "the name of a tile has at most {MAX_NAME_BYTES} bytes, which {begin:?}... has not"
    ))
}

impl Tiles {
    /// Tiles whose images come from `source`; `Tiles::default()` knows only colors and built-in tiles.
    pub fn new(source: impl TileSource + 'static) -> Tiles {
        Tiles {
            source: Some(Arc::new(source)),
            known: Arc::default(),
        }
    }

    /// Whether the name is a tile; if not, a message that tells where it was searched. Asking for a name again is
    /// cheap.
    pub fn check(&self, name: &str) -> Result<(), String> {
        refuse_long(name)?;
        if hex_color(name).is_some() || self.known().tiles.contains_key(name) {
            return Ok(());
        }
        self.resolve(name).map(drop)
    }

    /// Whether a program may name this folder as one of its tiles; if not, a message.
    pub fn check_folder(&self, folder: &str) -> Result<(), String> {
        let Some(source) = &self.source else {
            return Err("image files are not available here".to_string());
        };
        match source.has_folder(folder) {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!(
                "there is no folder {folder:?} in {}",
                source.places()
            )),
            Err(why) => Err(why),
        }
    }

    /// The name by which a tile is drawn everywhere: an image in one of the folders of the program gets the folder's
    /// name before its own. If the name is no tile, a message.
    pub fn full_name(&self, name: &str, folders: &Arc<[Arc<str>]>) -> Result<Arc<str>, String> {
        if folders.is_empty() {
            return self.check(name).map(|()| name.into());
        }
        refuse_long(name)?;
        let key = (folders.clone(), name.into());
        if let Some(full) = self.known().full_names.get(&key) {
            return Ok(full.clone());
        }
        let full = self.look_for(name, folders)?;
        let mut known = self.known();
        if known.full_names.len() >= MAX_KEPT_NAMES {
            known.full_names.clear();
        }
        known.full_names.insert(key, full.clone());
        Ok(full)
    }

    /// The full name of a tile, by which it is found from any folder; searches the folders in order.
    fn look_for(&self, name: &str, folders: &Arc<[Arc<str>]>) -> Result<Arc<str>, String> {
        if let Some((picture, size, column, row)) = parse_square(name) {
            let full = square_name(&self.full_name(picture, folders)?, size, column, row);
            return self.check(&full).map(|()| full.into());
        }
        if let Some((tile, _, turn)) = parse_turn(name)
            && !matches!(self.resolve(name), Ok(Tile::Image(_)))
        {
            let full = format!("{}@{turn}", self.full_name(tile, folders)?);
            return self.check(&full).map(|()| full.into());
        }
        let label = name
            .strip_prefix(LABEL)
            .map(|parts| parts.splitn(4, '|').collect::<Vec<_>>());
        if let Some([color, background, frame, text]) = label.as_deref() {
            let background = match *background {
                "" => "".into(),
                // The message about it is that of the whole.
                label if label.starts_with(LABEL) => label.into(),
                tile => self.full_name(tile, folders)?,
            };
            let full = format!("{LABEL}{color}|{background}|{frame}|{text}");
            return self.check(&full).map(|()| full.into());
        }
        if label.is_none()
            && hex_color(name).is_none()
            && let Ok(path) = image_path(name)
            && self.image(&path)?.is_none()
        {
            for folder in folders.iter() {
                let full = format!("{folder}/{name}");
                if self.image(&image_path(&full)?)?.is_some() {
                    return self.check(&full).map(|()| full.into());
                }
            }
        }
        self.check(name).map(|()| name.into()).map_err(|problem| {
            let folders: Vec<String> = folders.iter().map(|folder| format!("{folder:?}")).collect();
            format!(
                "{problem}; the program's tile folders were searched, too: {}",
                folders.join(", ")
            )
        })
    }

    /// The image file at a path, if there is one.
    fn image(&self, path: &str) -> Result<Option<ImageFile>, String> {
        let Some(source) = &self.source else {
            return Ok(None);
        };
        let found = source
            .read(path)
            .map_err(|why| format!("cannot read the tile image {path:?}: {why}"))?;
        let Some(bytes) = found else { return Ok(None) };
        let (width, height) = png_size(path, &bytes)?;
        Ok(Some(ImageFile {
            path: path.into(),
            bytes: bytes.into(),
            width,
            height,
        }))
    }

    /// The tile of the name; if there is none, a message that tells where it was searched.
    pub fn resolve(&self, name: &str) -> Result<Tile, String> {
        refuse_long(name)?;
        if let Some(color) = hex_color(name) {
            return Ok(Tile::Color(color));
        }
        if let Some(tile) = self.known().tiles.get(name) {
            return Ok(tile.clone());
        }
        // Not under the lock: a source may be slow, and may itself use these tiles.
        let tile = self.look_up(name)?;
        self.remember(name, &tile);
        Ok(tile)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, name: &str, tile: &Tile) {
        let size = name.len()
            + if let Tile::Image(image) = tile {
                image.bytes.len()
            } else {
                0
            };
        let mut known = self.known();
        if known.bytes + size > MAX_KEPT_BYTES || known.tiles.len() >= MAX_KEPT_NAMES {
            *known = Known::default();
        }
        if known.tiles.insert(name.into(), tile.clone()).is_none() {
            known.bytes += size;
        }
    }

    /// Finds out what a name stands for: a square of a picture, a label, an image, a turned tile, a color or a built-in
    /// tile.
    fn look_up(&self, name: &str) -> Result<Tile, String> {
        if let Some((picture, size, column, row)) = parse_square(name) {
            return self
                .look_up_square(picture, size, column, row)
                .map(Tile::Square);
        }
        if let Some(parts) = name.strip_prefix(LABEL) {
            return self.look_up_label(parts).map(Tile::Label);
        }
        let path = image_path(name);
        if let Ok(path) = &path
            && let Some(image) = self.image(path)?
        {
            return Ok(Tile::Image(image));
        }
        // A file may have such a name itself.
        if let Some((tile, turn, _)) = parse_turn(name) {
            let resolved = Arc::new(self.resolve(tile)?);
            return Ok(Tile::Turned(Turned { of: resolved, turn }));
        }
        let path = path?;
        if let Some(color) = css_color(name) {
            return Ok(Tile::Color(color));
        }
        BuiltInTile::named(name)
            .map(Tile::BuiltIn)
            .ok_or_else(|| self.unknown(name, &path))
    }

    /// Reads the name of a label, and finds the colors and the tile in it.
    fn look_up_label(&self, parts: &str) -> Result<Label, String> {
        let mut parts = parts.splitn(4, '|');
        let (Some(color), Some(background), Some(frame), Some(text)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(
                "the name of a label is `label:COLOR|BACKGROUND|FRAME|TEXT`; `label(text)` makes one".to_string()
            );
        };
        let flat = |name: &str, what: &str| match self.resolve(name)? {
            Tile::Color(color) => Ok(color),
            _ => Err(format!(
                "the {what} of a label is a color, which {name:?} is not"
            )),
        };
        if background.starts_with(LABEL) {
            return Err("a label cannot stand on another one".to_string());
        }
        let under = if background.is_empty() {
            None
        } else {
            Some(self.resolve(background)?)
        };
        let color = match (color, &under) {
            ("", Some(Tile::Color([red, green, blue, 128..=255]))) => {
                let light = 3 * u32::from(*red) + 6 * u32::from(*green) + u32::from(*blue);
                if light > 1300 {
                    DARK_LETTERS
                } else {
                    LIGHT_LETTERS
                }
            }
            ("", _) => DARK_LETTERS,
            (color, _) => flat(color, "color")?,
        };
        let (sides, frame) = match frame.split_once('@') {
            None => (Sides::ALL, frame),
            Some((letters, frame)) => {
                let unknown = || {
                    format!(
                        "the sides of a frame are some of l, t, r and b, which {letters:?} is not"
                    )
                };
                (Sides::named(letters).ok_or_else(unknown)?, frame)
            }
        };
        let frame = if frame.is_empty() {
            None
        } else {
            Some(flat(frame, "frame")?)
        };
        Ok(Label {
            text: text.into(),
            color,
            background: under.map(Arc::new),
            frame,
            sides,
        })
    }

    /// Finds a square that is cut out of a picture.
    fn look_up_square(
        &self,
        name: &str,
        size: u32,
        column: u32,
        row: u32,
    ) -> Result<Square, String> {
        if parse_square(name).is_some() {
            return Err(format!(
                "{name:?} is a square of a picture already, and is not cut into squares once more"
            ));
        }
        let resolved = self.resolve(name)?;
        let (columns, rows) = squares_in(name, resolved.size(), size)?;
        if column >= columns || row >= rows {
            return Err(format!(
                "the picture {name:?} has no square {column},{row}: it has {columns} x {rows} squares of {}, counted \
                 from 0",
                counted(size, "pixel")
            ));
        }
        Ok(Square {
            of: Arc::new(resolved),
            size,
            column,
            row,
        })
    }

    /// The error of a name that no tile has.
    fn unknown(&self, name: &str, path: &str) -> String {
        let files = match &self.source {
            Some(source) => format!("there is no file {path:?} in {}", source.places()),
            None => "image files are not available here".to_string(),
        };
        let built_in: Vec<&str> = BuiltInTile::ALL.iter().map(|(name, _)| *name).collect();
        let color = if name.starts_with('#') {
            "a color like \"#ff8800\" (six digits)"
        } else {
            "the name of a color"
        };
        let turn = if name.contains('@') && !name.contains(':') {
            "; a turn is written @90, @180, @270 or @flip"
        } else {
            ""
        };
        format!(
            "unknown tile {name:?}: {files}, and it is neither {color} nor a built-in tile ({}){turn}",
            built_in.join(" ")
        )
    }
}

impl std::fmt::Debug for Tiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let places = self.source.as_ref().map(|source| source.places());
        f.debug_struct("Tiles")
            .field("places", &places)
            .finish_non_exhaustive()
    }
}

fn hex_color(name: &str) -> Option<[u8; 4]> {
    let digits = name.strip_prefix('#')?;
    if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue, 255])
}

/// The parts of a square's name: picture, size, column, row. No other tile's name has a colon, so it hides none.
fn parse_square(name: &str) -> Option<(&str, u32, u32, u32)> {
    let (picture, numbers) = name.rsplit_once('@')?;
    let (size, place) = numbers.split_once(':')?;
    let (column, row) = place.split_once(',')?;
    let number = |text: &str| {
        text.parse()
            .ok()
            .filter(|number: &u32| number.to_string() == text)
    };
    Some((picture, number(size)?, number(column)?, number(row)?))
}

fn css_color(name: &str) -> Option<[u8; 4]> {
    // The table alone: the crate's parser also reads functions such as `rgb(...)`, which are no names.
    match csscolorparser::NAMED_COLORS.get(name.into()) {
        Some([red, green, blue]) => Some([*red, *green, *blue, 255]),
        None => name.eq_ignore_ascii_case("transparent").then_some([0; 4]),
    }
}

/// The names of all colors that are tiles, sorted.
///
/// ```
/// assert!(ndscript::tiles::color_names().contains(&"teal"));
/// ```
pub fn color_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = csscolorparser::NAMED_COLORS
        .keys()
        .map(|name| name.as_str())
        .collect();
    names.sort_unstable();
    names
}

/// The path of the image file that a name may mean, with `.png` if it has no extension.
fn image_path(name: &str) -> Result<String, String> {
    let Some(path) = relative_path(name) else {
        let last = name.rsplit(':').next().unwrap_or_default();
        return Err(match last.parse::<u32>() {
            Ok(_) => format!(
                "{name:?} is a tile of a map of Tiled whose set is in a file of its own, and `readTiled` had not got that: \
                 `readTiled(s, {{\"set.tsx\": text}})`, with the name that the map gives the file"
            ),
            Err(_) => format!(
                "{name:?} cannot be a tile name: a tile name is a relative path without `..`"
            ),
        });
    };
    let last = path.rsplit('/').next().unwrap_or_default();
    let has_extension = last
        .rfind('.')
        .is_some_and(|dot| dot > 0 && dot + 1 < last.len());
    Ok(if has_extension {
        path
    } else {
        format!("{path}.png")
    })
}

/// The size that a PNG file's header gives, if it is one that may be decoded.
fn png_size(path: &str, bytes: &[u8]) -> Result<(u32, u32), String> {
    let header = bytes
        .get(..24)
        .filter(|head| head.starts_with(b"\x89PNG\r\n\x1a\n") && &head[12..16] == b"IHDR");
    let Some(header) = header else {
        return Err(format!("the tile image {path:?} is not a PNG file"));
    };
    let number = |at: usize| {
        header[at..at + 4]
            .iter()
            .fold(0, |sum: u32, byte| sum << 8 | u32::from(*byte))
    };
    let (width, height) = (number(16), number(20));
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 {
        return Err(format!(
            "the tile image {path:?} is damaged: it has no pixels"
        ));
    }
    if width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE || pixels > MAX_IMAGE_PIXELS {
        return Err(format!(
            "the tile image {path:?} is too large: {width} x {height} pixels; \
             at most {MAX_IMAGE_SIDE} on a side and {MAX_IMAGE_PIXELS} in all"
        ));
    }
    Ok((width, height))
}
