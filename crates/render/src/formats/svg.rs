//! Pictures as SVG, which are sharp at any size: colors, built-in tiles and words are shapes, image files are embedded.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::html;
use crate::canvas::Area;
use crate::heat::Scale;
use crate::legend::{self, Layout};
use crate::rectangles::rectangles;
use crate::tile::{Bitmap, DecodedPicture, cell_size, decode, resolve_all, size_of_tile};
use crate::{CROSS, RenderError, RenderOptions, UNDECIDED, label};
use ndscript_base::markup;
use ndscript_base::picture::{Cell, HeatCell, HeatMap, Legend, Picture, TileMap};
use ndscript_base::tiles::{Tile, Tiles};

/// Draws a picture as SVG. At its own size it looks as the pixels of [`draw`](crate::draw).
///
/// ```
/// use ndscript::picture::Picture;
/// use ndscript::render::{RenderOptions, draw_svg};
/// use ndscript::tiles::Tiles;
/// let drawing = draw_svg(&Picture::Image("teal".into()), &Tiles::default(), &RenderOptions::default()).unwrap();
/// assert!(drawing.contains("<path fill=\"#008080\" d=\"M0 0h16v16h-16z\"/>"));
/// ```
///
/// # Errors
/// As `draw`; also if the text would be longer than four bytes for each pixel that a picture may have.
pub fn draw_svg(
    picture: &Picture,
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<String, RenderError> {
    let max_bytes = options.max_pixels.saturating_mul(4);
    let most = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    match Sheet::draw(picture, tiles, options, most) {
        Ok(text) => Ok(text),
        Err(Stop::Full) => Err(RenderError::SvgTooLarge { max_bytes }),
        Err(Stop::Error(why)) => Err(why),
    }
}

/// Why a drawing is not finished.
enum Stop {
    Full,
    Error(RenderError),
}

impl From<fmt::Error> for Stop {
    fn from(_: fmt::Error) -> Stop {
        Stop::Full
    }
}

impl From<RenderError> for Stop {
    fn from(why: RenderError) -> Stop {
        Stop::Error(why)
    }
}

/// A text that refuses what would make it longer than this.
struct Bounded {
    text: String,
    most: usize,
}

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.text.len() + more.len() > self.most {
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

/// The shape of a tile.
#[derive(Clone, Copy)]
enum Ink {
    Color([u8; 4]),
    /// A shape of this number.
    Shape(u32),
}

/// A drawing that is being made.
struct Sheet {
    tiles: Vec<Tile>,
    /// What the labels among them have in common.
    common: label::Common,
    /// Tiles beneath labels, by what they are, and their places among the tiles.
    grounds: BTreeMap<String, usize>,
    whole: DecodedPicture,
    /// Shapes, each written once and used where it is seen.
    shapes: Bounded,
    count: u32,
    /// The shapes of tiles, by tile, width and height.
    known: BTreeMap<(usize, u32, u32), Ink>,
    body: Bounded,
}

impl Sheet {
    fn draw(
        picture: &Picture,
        tiles: &Tiles,
        options: &RenderOptions,
        most: usize,
    ) -> Result<String, Stop> {
        let names = match picture {
            Picture::Image(name) => vec![name.clone()],
            Picture::Tiles(map) => map.names.clone(),
            Picture::Heat(map) => map.names.clone(),
            Picture::Legend(legend) => legend.names.clone(),
            Picture::Layers(maps) => maps
                .iter()
                .flat_map(|map| map.names.iter().cloned())
                .collect(),
        };
        let text = || Bounded {
            text: String::new(),
            most,
        };
        let found = resolve_all(&names, tiles, options)?;
        let mut sheet = Sheet {
            common: label::Common::of(&found),
            tiles: found,
            grounds: BTreeMap::new(),
            whole: None,
            shapes: text(),
            count: 0,
            known: BTreeMap::new(),
            body: text(),
        };
        let cell = match (picture, sheet.tiles.as_slice()) {
            (Picture::Image(_), [tile]) => size_of_tile(tile, options),
            (_, found) => cell_size(found, options),
        };
        let of_cells = |width: u32, height: u32| {
            // Rectangles and the cells that they cover take memory before there is any text.
            if u64::from(width) * u64::from(height) > options.max_pixels / 4 {
                return Err(Stop::Full);
            }
            Ok((
                u64::from(width) * u64::from(cell.0),
                u64::from(height) * u64::from(cell.1),
            ))
        };
        let (width, height) = match picture {
            Picture::Image(_) => {
                let map = TileMap {
                    width: 1,
                    height: 1,
                    names,
                    cells: vec![Cell::Tile(0)],
                    candidates: Vec::new(),
                };
                sheet.layer(&map, cell, 0)?;
                of_cells(1, 1)?
            }
            Picture::Tiles(map) => {
                let size = of_cells(map.width, map.height)?;
                sheet.layer(map, cell, 0)?;
                size
            }
            Picture::Layers(maps) => {
                let (width, height) = maps.first().map_or((0, 0), |map| (map.width, map.height));
                let size = of_cells(width, height)?;
                let mut first = 0;
                for map in maps {
                    sheet.layer(map, cell, first)?;
                    first += map.names.len();
                }
                size
            }
            Picture::Heat(map) => {
                let size = of_cells(map.width, map.height)?;
                sheet.heat(map, cell)?;
                size
            }
            Picture::Legend(legend) => {
                let layout = Layout::of(legend, cell);
                // Letters are dots before they are shapes.
                if layout.width.saturating_mul(layout.height) > options.max_pixels.min(1 << 31) {
                    return Err(Stop::Full);
                }
                sheet.legend(legend, &layout)?;
                (layout.width, layout.height)
            }
        };
        sheet.finish(width.max(1), height.max(1), &picture.in_words())
    }

    fn finish(mut self, width: u64, height: u64, words: &str) -> Result<String, Stop> {
        let mut whole = Bounded {
            text: String::new(),
            most: self.body.most,
        };
        write!(
            whole,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" shape-rendering=\"crispEdges\" role=\"img\">\n\
             <title>{}</title>\n",
            markup::text(words)
        )?;
        if !self.shapes.text.is_empty() {
            let shapes = std::mem::take(&mut self.shapes.text);
            write!(whole, "<defs>\n{shapes}</defs>\n")?;
        }
        writeln!(whole, "{}</svg>", self.body.text)?;
        Ok(whole.text)
    }

    /// The shape of a tile at a size. It is written if that is not yet done.
    fn ink(&mut self, tile: usize, (width, height): (u32, u32)) -> Result<Option<Ink>, Stop> {
        let Some(what) = self.tiles.get(tile).cloned() else {
            return Ok(None);
        };
        let is_label = matches!(what, Tile::Label(_));
        let own = if is_label {
            (width, height)
        } else {
            what.size()
        };
        if let Some(color) = flat(&what) {
            return Ok(Some(Ink::Color(color)));
        }
        if let Some(ink) = self.known.get(&(tile, width, height)) {
            return Ok(Some(*ink));
        }
        let ink = if own == (width, height) {
            match &what {
                Tile::Label(words) => self.label(words, (width, height))?,
                what => self.tile(what)?,
            }
        } else {
            let Some(Ink::Shape(base)) = self.ink(tile, own)? else {
                return Ok(None);
            };
            let (x, y) = (
                f64::from(width) / f64::from(own.0.max(1)),
                f64::from(height) / f64::from(own.1.max(1)),
            );
            let id = self.begin_shape();
            writeln!(
                self.shapes,
                "<g id=\"s{id}\" transform=\"scale({x} {y})\"><use xlink:href=\"#s{base}\"/></g>"
            )?;
            Ink::Shape(id)
        };
        self.known.insert((tile, width, height), ink);
        Ok(Some(ink))
    }

    fn begin_shape(&mut self) -> u32 {
        self.count += 1;
        self.count
    }

    /// Writes a tile that is no label, at its own size.
    fn tile(&mut self, what: &Tile) -> Result<Ink, Stop> {
        let bitmap = decode(what, &mut self.whole)?;
        let Bitmap::Pixels(canvas) = bitmap else {
            return Ok(Ink::Color([0; 4]));
        };
        let id = self.begin_shape();
        if is_drawn_here(what) {
            let pixels = rectangles(canvas.width(), canvas.height(), |x, y| canvas.pixel(x, y));
            write!(self.shapes, "<g id=\"s{id}\">")?;
            paths(&mut self.shapes, pixels, (1, 1))?;
            writeln!(self.shapes, "</g>")?;
        } else {
            let (width, height, data) = (
                canvas.width(),
                canvas.height(),
                html::base64(&canvas.to_png()),
            );
            // For readers that do not know the style, there is the older attribute.
            writeln!(
                self.shapes,
                "<image id=\"s{id}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
                 image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" \
                 xlink:href=\"data:image/png;base64,{data}\"/>"
            )?;
        }
        Ok(Ink::Shape(id))
    }

    fn label(
        &mut self,
        words: &ndscript_base::tiles::Label,
        size: (u32, u32),
    ) -> Result<Ink, Stop> {
        let ground = match &words.background {
            Some(tile) => {
                let place = self.ground(tile);
                self.ink(place, size)?
            }
            None => None,
        };
        let id = self.begin_shape();
        let area = Area {
            x: 0,
            y: 0,
            width: size.0,
            height: size.1,
        };
        write!(self.shapes, "<g id=\"s{id}\">")?;
        match ground {
            Some(Ink::Color(color)) => paths(&mut self.shapes, vec![(color, area)], (1, 1))?,
            Some(Ink::Shape(shape)) => write!(self.shapes, "<use xlink:href=\"#s{shape}\"/>")?,
            None => {}
        }
        if let Some(color) = words.frame {
            paths(
                &mut self.shapes,
                label::frame(area, words.sides)
                    .into_iter()
                    .map(|side| (color, side))
                    .collect(),
                (1, 1),
            )?;
        }
        if let Some(letters) = label::letters_in(area, self.common, &words.text) {
            let dots = letters
                .rectangles()
                .into_iter()
                .map(|dot| (words.color, dot))
                .collect();
            paths(&mut self.shapes, dots, (1, 1))?;
        }
        writeln!(self.shapes, "</g>")?;
        Ok(Ink::Shape(id))
    }

    /// The place of a tile beneath labels.
    fn ground(&mut self, tile: &Tile) -> usize {
        let tiles = &mut self.tiles;
        *self.grounds.entry(key(tile)).or_insert_with(|| {
            tiles.push(tile.clone());
            tiles.len() - 1
        })
    }

    /// Writes a map whose names begin at a place among the tiles.
    fn layer(&mut self, map: &TileMap, cell: (u32, u32), first: usize) -> Result<(), Stop> {
        // Tiles that occur only among candidates have other sizes.
        let mut is_seen = vec![false; map.names.len()];
        for cell in &map.cells {
            if let Cell::Tile(tile) = cell
                && let Some(is_seen) = is_seen.get_mut(*tile as usize)
            {
                *is_seen = true;
            }
        }
        let mut inks = Vec::with_capacity(map.names.len());
        for (at, is_seen) in is_seen.into_iter().enumerate() {
            inks.push(if is_seen {
                self.ink(first + at, cell)?
            } else {
                None
            });
        }
        let mut undecided = Vec::with_capacity(map.candidates.len());
        for list in &map.candidates {
            undecided.push(self.candidates(list, cell, first)?);
        }
        let mut cross = None;
        if map.cells.contains(&Cell::Empty) {
            cross = Some(self.cross(cell)?);
        }
        let at = |x: u32, y: u32| {
            map.cells
                .get(y as usize * map.width as usize + x as usize)
                .copied()
        };
        let ink_of = |cell: Cell| match cell {
            Cell::Tile(tile) => inks.get(tile as usize).copied().flatten(),
            Cell::Candidates(list) => undecided.get(list as usize).copied().map(Ink::Shape),
            Cell::Empty => cross.map(Ink::Shape),
            Cell::Nothing => None,
        };
        let flat = rectangles(map.width, map.height, |x, y| {
            match at(x, y).and_then(ink_of) {
                Some(Ink::Color(color)) => Some(color),
                _ => None,
            }
        });
        paths(&mut self.body, flat, cell)?;
        if !flat_only(&inks) || !undecided.is_empty() || cross.is_some() {
            for (y, x) in (0..map.height).flat_map(|y| (0..map.width).map(move |x| (y, x))) {
                if let Some(Ink::Shape(shape)) = at(x, y).and_then(ink_of) {
                    let (x, y) = (
                        u64::from(x) * u64::from(cell.0),
                        u64::from(y) * u64::from(cell.1),
                    );
                    writeln!(
                        self.body,
                        "<use xlink:href=\"#s{shape}\" x=\"{x}\" y=\"{y}\"/>"
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Writes the shape of an undecided cell.
    fn candidates(&mut self, list: &[u32], cell: (u32, u32), first: usize) -> Result<u32, Stop> {
        let area = Area {
            x: 0,
            y: 0,
            width: cell.0,
            height: cell.1,
        };
        let places = crate::places_of_candidates(list.len(), area);
        let mut parts = Vec::new();
        for (part, candidate) in places.zip(list) {
            if let Some(ink) = self.ink(first + *candidate as usize, (part.width, part.height))? {
                parts.push((part, ink));
            }
        }
        let id = self.begin_shape();
        write!(self.shapes, "<g id=\"s{id}\">")?;
        paths(&mut self.shapes, vec![(UNDECIDED, area)], (1, 1))?;
        for (part, ink) in parts {
            match ink {
                Ink::Color(color) => paths(&mut self.shapes, vec![(color, part)], (1, 1))?,
                Ink::Shape(shape) => {
                    write!(
                        self.shapes,
                        "<use xlink:href=\"#s{shape}\" x=\"{}\" y=\"{}\"/>",
                        part.x, part.y
                    )?;
                }
            }
        }
        writeln!(self.shapes, "</g>")?;
        Ok(id)
    }

    /// Writes the shape of a contradiction.
    fn cross(&mut self, (width, height): (u32, u32)) -> Result<u32, Stop> {
        let id = self.begin_shape();
        let thickness = f64::from((width.min(height) / 8).max(1));
        let (near, right, bottom) = (thickness * 1.25, f64::from(width), f64::from(height));
        let (far_x, far_y) = (right - near, bottom - near);
        write!(self.shapes, "<g id=\"s{id}\">")?;
        paths(
            &mut self.shapes,
            vec![(
                UNDECIDED,
                Area {
                    x: 0,
                    y: 0,
                    width,
                    height,
                },
            )],
            (1, 1),
        )?;
        writeln!(
            self.shapes,
            "<path stroke=\"{}\" stroke-width=\"{}\" shape-rendering=\"auto\" \
             d=\"M{near} {near}L{far_x} {far_y}M{far_x} {near}L{near} {far_y}\"/></g>",
            hex(CROSS),
            thickness * 1.25
        )?;
        Ok(id)
    }

    fn heat(&mut self, map: &HeatMap, cell: (u32, u32)) -> Result<(), Stop> {
        let scale = Scale::of(map);
        let at = |x: u32, y: u32| map.cells.get(y as usize * map.width as usize + x as usize);
        let under = rectangles(map.width, map.height, |x, y| {
            at(x, y).map(|cell| scale.under(cell))
        });
        paths(&mut self.body, under, cell)?;
        // The tiles over the colors are a map of their own.
        let over = |cell: &HeatCell| {
            if let HeatCell::Tile(tile) = cell {
                Cell::Tile(*tile)
            } else {
                Cell::Nothing
            }
        };
        let cells = map.cells.iter().map(over).collect();
        let over = TileMap {
            width: map.width,
            height: map.height,
            names: map.names.clone(),
            cells,
            candidates: Vec::new(),
        };
        self.layer(&over, cell, 0)
    }

    fn legend(&mut self, legend: &Legend, layout: &Layout) -> Result<(), Stop> {
        let paper = Area {
            x: 0,
            y: 0,
            width: layout.width as u32,
            height: layout.height as u32,
        };
        paths(&mut self.body, vec![(legend::PAPER, paper)], (1, 1))?;
        for (entry, words) in legend.words.iter().enumerate() {
            let (area, (x, y)) = layout.place(entry);
            match self.ink(entry, (area.width, area.height))? {
                Some(Ink::Color(color)) => paths(&mut self.body, vec![(color, area)], (1, 1))?,
                Some(Ink::Shape(shape)) => {
                    writeln!(
                        self.body,
                        "<use xlink:href=\"#s{shape}\" x=\"{}\" y=\"{}\"/>",
                        area.x, area.y
                    )?;
                }
                None => {}
            }
            let dots = label::line(x, y, layout.scale, words).rectangles();
            paths(
                &mut self.body,
                dots.into_iter().map(|dot| (legend::INK, dot)).collect(),
                (1, 1),
            )?;
        }
        Ok(())
    }
}

fn flat_only(inks: &[Option<Ink>]) -> bool {
    inks.iter().all(|ink| !matches!(ink, Some(Ink::Shape(_))))
}

/// The color of a tile that has a single one.
fn flat(tile: &Tile) -> Option<[u8; 4]> {
    match tile {
        Tile::Color(color) => Some(*color),
        Tile::Square(square) => flat(&square.of),
        Tile::Turned(turned) => flat(&turned.of),
        Tile::Image(_) | Tile::BuiltIn(_) | Tile::Label(_) => None,
    }
}

/// Whether the pixels of a tile are a drawing of this project.
fn is_drawn_here(tile: &Tile) -> bool {
    match tile {
        Tile::BuiltIn(_) => true,
        Tile::Square(square) => is_drawn_here(&square.of),
        Tile::Turned(turned) => is_drawn_here(&turned.of),
        Tile::Image(_) | Tile::Color(_) | Tile::Label(_) => false,
    }
}

/// The key that distinguishes tiles beneath a label.
fn key(tile: &Tile) -> String {
    match tile {
        Tile::Image(file) => format!("file {}", file.path),
        Tile::Square(square) => format!(
            "square {}:{},{} {}",
            square.size,
            square.column,
            square.row,
            key(&square.of)
        ),
        Tile::Turned(turned) => format!("turned {:?} {}", turned.turn, key(&turned.of)),
        Tile::Color(_) | Tile::BuiltIn(_) | Tile::Label(_) => format!("{tile:?}"),
    }
}

/// Writes rectangles of cells, one path for each color.
fn paths(out: &mut Bounded, mut areas: Vec<([u8; 4], Area)>, cell: (u32, u32)) -> fmt::Result {
    areas.retain(|(color, area)| color[3] > 0 && area.width > 0 && area.height > 0);
    areas.sort_by_key(|(color, _)| *color);
    for same in areas.chunk_by(|a, b| a.0 == b.0) {
        let [.., opacity] = same[0].0;
        write!(out, "<path fill=\"{}\"", hex(same[0].0))?;
        if opacity < 255 {
            write!(out, " fill-opacity=\"{}\"", f64::from(opacity) / 255.0)?;
        }
        out.write_str(" d=\"")?;
        for (_, area) in same {
            let across = |length: u32| u64::from(length) * u64::from(cell.0);
            let down = |length: u32| u64::from(length) * u64::from(cell.1);
            let (x, y, width, height) = (
                across(area.x),
                down(area.y),
                across(area.width),
                down(area.height),
            );
            write!(out, "M{x} {y}h{width}v{height}h-{width}z")?;
        }
        writeln!(out, "\"/>")?;
    }
    Ok(())
}

fn hex([red, green, blue, _]: [u8; 4]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
