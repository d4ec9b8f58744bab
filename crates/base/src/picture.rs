//! Descriptions of pictures, which the picture built-ins put into a solution: they are drawn only on request.

use crate::counted::counted;
use std::sync::Arc;

/// A picture of a solution. The `render` feature turns it into pixels.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// One image, as printed by `printImage`.
    Image(Arc<str>),
    /// A map of cells, row by row.
    Tiles(TileMap),
    /// Numbers as colors, with tiles between them.
    Heat(HeatMap),
    /// Maps of one size, each drawn over those before it.
    Layers(Vec<TileMap>),
    /// The meaning of tiles.
    Legend(Legend),
}

/// Tiles with words beside them; `names` and `words` are equally long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Legend {
    /// The names of the tiles.
    pub names: Vec<Arc<str>>,
    /// The words beside each.
    pub words: Vec<Arc<str>>,
}

/// A rectangle of cells, `cells.len() == width * height`, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct TileMap {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The names that cells refer to by index, each once.
    pub names: Vec<Arc<str>>,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The lists of names that [`Cell::Candidates`] refers to by index, each once.
    pub candidates: Vec<Vec<u32>>,
}

/// The content of a cell of a tile map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// One tile, drawn over the whole cell.
    Tile(u32),
    /// Several tiles, drawn small side by side.
    Candidates(u32),
    /// A contradiction: drawn as a cross.
    Empty,
    /// Nothing: what lies below shows.
    Nothing,
}

/// A rectangle of numbers, `cells.len() == width * height`, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The names of tiles that cells refer to by index, each once.
    pub names: Vec<Arc<str>>,
    /// The cells, row by row.
    pub cells: Vec<HeatCell>,
}

/// The content of a cell of a heat map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HeatCell {
    /// Nothing.
    Blank,
    /// A number, as a color between those of the smallest and the largest of the map.
    Number(f64),
    /// A tile, as in a tile map: what is no number, such as a wall.
    Tile(u32),
}

/// The bytes of a list of names. A text that is shared has two counts before it, and an allocator gives out blocks of 16
/// bytes with a few of its own: with short names that is more than the names themselves.
#[allow(clippy::ptr_arg, reason = "what the row has room for counts")]
fn names_bytes(names: &Vec<Arc<str>>) -> usize {
    let each = names
        .iter()
        .map(|name| (16 + name.len() + 8).next_multiple_of(16))
        .sum::<usize>();
    names.capacity() * size_of::<Arc<str>>() + each
}

impl TileMap {
    /// The bytes of its lists.
    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
            + names_bytes(&self.names)
            + self
                .candidates
                .iter()
                .map(|list| 24 + list.capacity() * 4)
                .sum::<usize>()
    }
}

impl Picture {
    /// Its columns and rows; an image and a legend count as one cell.
    ///
    /// ```
    /// use ndscript::picture::Picture;
    /// assert_eq!(Picture::Image("tree".into()).size(), (1, 1));
    /// ```
    pub fn size(&self) -> (u32, u32) {
        match self {
            Picture::Image(_) | Picture::Legend(_) => (1, 1),
            Picture::Tiles(map) => (map.width, map.height),
            Picture::Heat(map) => (map.width, map.height),
            Picture::Layers(maps) => maps.first().map_or((0, 0), |map| (map.width, map.height)),
        }
    }

    /// A description in words, for those who cannot see it.
    ///
    /// ```
    /// use ndscript::picture::Picture;
    /// assert_eq!(Picture::Image("tree".into()).in_words(), "the tile tree");
    /// ```
    pub fn in_words(&self) -> String {
        let size = |width: u32, height: u32| {
            format!(
                "{} and {}",
                counted(width, "column"),
                counted(height, "row")
            )
        };
        let named = |map: &TileMap| {
            let shown: Vec<String> = map
                .names
                .iter()
                .take(12)
                .map(|name| tile_in_words(name))
                .collect();
            let more = if map.names.len() > 12 {
                " and others"
            } else {
                ""
            };
            if shown.is_empty() {
                String::new()
            } else {
                format!(" of {}{more}", shown.join(", "))
            }
        };
        match self {
            Picture::Image(name) => format!("the tile {}", tile_in_words(name)),
            Picture::Tiles(map) => {
                format!("a map with {}{}", size(map.width, map.height), named(map))
            }
            Picture::Heat(map) => format!(
                "a map of numbers as colors, with {}",
                size(map.width, map.height)
            ),
            Picture::Layers(maps) => match maps.last() {
                Some(top) => {
                    let size = size(top.width, top.height);
                    format!(
                        "a map in {} with {size}{}",
                        counted(maps.len(), "layer"),
                        named(top)
                    )
                }
                None => "an empty map".to_string(),
            },
            Picture::Legend(legend) => {
                let entry = |(tile, words): (&Arc<str>, &Arc<str>)| match tile_in_words(tile) {
                    tile if tile == **words => tile,
                    tile => format!("{tile}: {words}"),
                };
                let entries = legend
                    .names
                    .iter()
                    .zip(&legend.words)
                    .take(100)
                    .map(entry)
                    .collect::<Vec<_>>();
                format!("a legend: {}", entries.join(", "))
            }
        }
    }

    /// The bytes that the description takes.
    pub fn bytes(&self) -> usize {
        size_of::<Picture>()
            + match self {
                Picture::Image(name) => name.len(),
                Picture::Tiles(map) => map.bytes(),
                Picture::Layers(maps) => maps
                    .iter()
                    .map(|map| size_of::<TileMap>() + map.bytes())
                    .sum(),
                Picture::Heat(map) => {
                    map.cells.capacity() * size_of::<HeatCell>() + names_bytes(&map.names)
                }
                Picture::Legend(legend) => names_bytes(&legend.names) + names_bytes(&legend.words),
            }
    }
}

/// A tile's name as words: of a label what stands on it.
fn tile_in_words(name: &str) -> String {
    let label = name
        .strip_prefix("label:")
        .and_then(|parts| parts.splitn(4, '|').nth(3));
    label.map_or_else(|| name.to_string(), |text| format!("{text:?}"))
}

mod saved {
    use super::{Cell, HeatCell, HeatMap, Legend, Picture, TileMap};

    saved!(enum Picture { 0 => Image(name), 1 => Tiles(map), 2 => Heat(map), 3 => Layers(maps), 4 => Legend(legend) } sound: is_whole, "a picture does not fit its own size");
    saved!(struct Legend { names, words });
    saved!(struct TileMap { width, height, names, cells, candidates });
    saved!(enum Cell { 0 => Tile(name), 1 => Candidates(list), 2 => Empty {}, 3 => Nothing {} });
    saved!(struct HeatMap { width, height, names, cells });
    saved!(enum HeatCell { 0 => Blank {}, 1 => Number(value), 2 => Tile(name) });

    impl TileMap {
        fn is_whole(&self) -> bool {
            let name = |at: u32| (at as usize) < self.names.len();
            let cell = |cell: &Cell| match *cell {
                Cell::Tile(at) => name(at),
                Cell::Candidates(list) => (list as usize) < self.candidates.len(),
                Cell::Empty | Cell::Nothing => true,
            };
            u64::from(self.width) * u64::from(self.height) == self.cells.len() as u64
                && self.cells.iter().all(cell)
                && self.candidates.iter().flatten().all(|at| name(*at))
        }
    }

    impl Picture {
        /// Whether it has all its cells, and refers to nothing that is not there.
        fn is_whole(&self) -> bool {
            let area = |width: u32, height: u32| u64::from(width) * u64::from(height);
            match self {
                Picture::Image(_) => true,
                Picture::Heat(map) => {
                    let cell = |cell: &HeatCell| match *cell {
                        HeatCell::Blank => true,
                        HeatCell::Number(value) => value.is_finite(),
                        HeatCell::Tile(at) => (at as usize) < map.names.len(),
                    };
                    area(map.width, map.height) == map.cells.len() as u64
                        && map.cells.iter().all(cell)
                }
                Picture::Tiles(map) => map.is_whole(),
                Picture::Legend(legend) => legend.names.len() == legend.words.len(),
                Picture::Layers(maps) => {
                    let size = |map: &TileMap| (map.width, map.height);
                    maps.iter()
                        .all(|map| map.is_whole() && size(map) == size(&maps[0]))
                }
            }
        }
    }
}
