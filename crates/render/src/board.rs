//! A board whose places may still be many things: each candidate stands small at its own spot in the cell, so that one
//! sees it go when it is ruled out, and come back when a failure takes that back. Only what has changed is drawn anew.

use std::sync::Arc;

use super::arrow;
use super::canvas::{Area, Canvas};
use super::label;
use super::tile::{self, Bitmap};
use super::{RenderError, RenderOptions, UNDECIDED, draw_cross};
use ndscript_base::tiles::{Tile, Tiles};

/// The background around the board, and of captions.
const PAPER: [u8; 4] = [250, 250, 248, 255];
const INK: [u8; 4] = [34, 34, 38, 255];
const MUTED: [u8; 4] = [112, 112, 120, 255];
/// A cell that holds nothing.
const NOTHING: [u8; 4] = [214, 213, 208, 255];
/// A decided cell with words in it, and the words.
const DECIDED: [u8; 4] = [244, 240, 228, 255];
const CANDIDATE: [u8; 4] = [201, 205, 218, 255];
/// Between the cells of a board of words.
const LINE: [u8; 4] = [120, 120, 128, 255];

/// Around the board, so that a failure can flash there.
const MARGIN: u32 = 4;
/// A caption has at most this many lines.
const LINES: u32 = 4;
/// A line of a caption.
const CAPTION: u32 = 14;
/// The size of a board in pixels if the size of its cells is not given, roughly.
const COMFORTABLE: u32 = 560;
/// A small board's picture becomes as wide as this many letters of its captions need.
const LETTERS: usize = 56;
const SMALLEST_CELL: u32 = 4;
const LARGEST_CELL: u32 = 48;

/// Why a cell is pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The guess was made here.
    Chosen,
    /// Here it failed.
    Failed,
    /// Candidates have come back.
    Returned,
    /// The subject of the question.
    Asked,
    /// A reason for that.
    Reason,
}

impl Mark {
    /// Its color.
    pub fn color(self) -> [u8; 4] {
        match self {
            Mark::Chosen => [255, 196, 0, 255],
            Mark::Failed => [229, 56, 59, 255],
            Mark::Returned => [64, 156, 255, 255],
            Mark::Asked => [34, 160, 84, 255],
            Mark::Reason => [240, 140, 0, 255],
        }
    }
}

/// How large a board is, and how it is drawn.
#[derive(Clone, Debug)]
pub struct BoardLayout {
    /// Columns and rows.
    pub size: (u32, u32),
    /// The width and height of a cell in pixels; `None`: as large as is comfortable.
    pub cell: Option<u32>,
    /// The captions below the board: how many letters each has at most. The picture is made so wide that they can be read,
    /// and where one is longer still, it has several lines.
    pub captions: Vec<usize>,
    /// The most pixels that a picture may have.
    pub max_pixels: u64,
}

/// Draws a board that changes.
///
/// ```
/// use ndscript::render::board::{BoardLayout, BoardPainter};
/// use ndscript::tiles::Tiles;
/// let layout = BoardLayout { size: (2, 1), cell: Some(16), captions: Vec::new(), max_pixels: 1 << 20 };
/// let values = ["crimson".to_string(), "navy".to_string(), "7".to_string()];
/// let mut painter = BoardPainter::new(&values, &Tiles::default(), &layout)?;
/// painter.show(0, Some(&[0]));
/// painter.show(1, Some(&[1, 2]));
/// let changed = painter.take_changed().unwrap();
/// let (left, top) = painter.corner(0);
/// assert_eq!(painter.canvas().pixel(left + 8, top + 8), Some([220, 20, 60, 255]));
/// assert!(changed.2 >= 32 && painter.take_changed().is_none());
/// # Ok::<(), ndscript::render::RenderError>(())
/// ```
pub struct BoardPainter {
    canvas: Canvas,
    columns: u32,
    rows: u32,
    cell: u32,
    /// The first line and how many lines each caption has.
    captions: Vec<(u32, u32)>,
    /// The spots of candidates in a cell form this number of columns and rows.
    side: u32,
    looks: Vec<CandidateLook>,
    /// How many letters the longest words among the candidates have.
    longest_words: u32,
    has_lines: bool,
    cells: Vec<CellContent>,
    marked: Vec<u32>,
    border: Option<Mark>,
    changed: Option<Area>,
}

/// The look of a candidate.
enum CandidateLook {
    Tile(Bitmap),
    Words(String),
}

/// The content of a cell.
#[derive(Clone, PartialEq)]
enum CellContent {
    Nothing,
    Candidates(Arc<[u32]>),
}

impl BoardPainter {
    /// A painter for boards whose candidates are these values, by their text: names of tiles are drawn as tiles, all else
    /// as words. Their order is that of their spots in a cell.
    ///
    /// # Errors
    /// If a picture would be too large, or the image of a tile is damaged.
    pub fn new(
        values: &[String],
        tiles: &Tiles,
        layout: &BoardLayout,
    ) -> Result<BoardPainter, RenderError> {
        let options = RenderOptions {
            tile_size: None,
            max_pixels: layout.max_pixels,
        };
        // A number may be called like a file, but is none.
        let is_name = |value: &String| value.parse::<f64>().is_err() && !value.starts_with('.');
        let names: Vec<Option<Tile>> = values
            .iter()
            .map(|value| is_name(value).then(|| tiles.resolve(value).ok()).flatten())
            .collect();
        let found: Vec<Arc<str>> = values
            .iter()
            .zip(&names)
            .filter(|(_, tile)| tile.is_some())
            .map(|(value, _)| (**value).into())
            .collect();
        let tiles_found = tile::resolve_all(&found, tiles, &options)?;
        let mut bitmaps = tile::decode_all(&tiles_found)?.into_iter();
        let looks: Vec<CandidateLook> = values
            .iter()
            .zip(&names)
            .map(
                |(value, tile)| match tile.as_ref().and_then(|_| bitmaps.next()) {
                    Some(bitmap) => CandidateLook::Tile(bitmap),
                    None => CandidateLook::Words(value.clone()),
                },
            )
            .collect();
        let side = (values.len().max(1) as f64).sqrt().ceil() as u32;
        let words = looks.iter().filter_map(|look| match look {
            CandidateLook::Tile(_) => None,
            CandidateLook::Words(text) => Some(text.chars().count() as u32),
        });
        let longest_words = words.max().unwrap_or(0);
        let spot = match (looks.len(), longest_words.min(3)) {
            (0, _) => SMALLEST_CELL,
            (_, 0) => 3,
            (_, letters) => 4 * letters + 3,
        };
        let has_words = looks
            .iter()
            .any(|look| matches!(look, CandidateLook::Words(_)));
        let (columns, rows) = (layout.size.0.max(1), layout.size.1.max(1));
        let cell = layout
            .cell
            .unwrap_or_else(|| comfortable_cell(columns.max(rows), side * spot, has_words))
            .max(1);
        let (width, height) = (
            u64::from(columns) * u64::from(cell),
            u64::from(rows) * u64::from(cell),
        );
        let longest = layout
            .captions
            .iter()
            .copied()
            .max()
            .unwrap_or(0)
            .min(LETTERS);
        let width = width.max(longest as u64 * u64::from(label::LINE_LETTER.0));
        let (mut captions, mut lines) = (Vec::new(), 0);
        for letters in &layout.captions {
            let most = lines_for(*letters, letters_in(width));
            captions.push((lines, most));
            lines += most;
        }
        let below = if lines > 0 {
            lines * CAPTION + MARGIN
        } else {
            0
        };
        let mut canvas = Canvas::new(
            width + 2 * u64::from(MARGIN),
            height + 2 * u64::from(MARGIN) + u64::from(below),
            &options,
        )?;
        let whole = Area {
            x: 0,
            y: 0,
            width: canvas.width(),
            height: canvas.height(),
        };
        canvas.fill(whole, PAPER);
        let mut painter = BoardPainter {
            canvas,
            columns,
            rows,
            cell,
            captions,
            side,
            has_lines: has_words && cell >= 10,
            looks,
            longest_words,
            cells: vec![CellContent::Nothing; columns as usize * rows as usize],
            marked: Vec::new(),
            border: None,
            changed: Some(whole),
        };
        (0..painter.cells.len() as u32).for_each(|at| painter.draw_cell(at));
        Ok(painter)
    }

    /// The drawing so far.
    pub fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// The width and height of a cell in pixels.
    pub fn cell(&self) -> u32 {
        self.cell
    }

    /// The left and upper edge of a cell in the picture.
    pub fn corner(&self, at: u32) -> (u32, u32) {
        (
            MARGIN + at % self.columns * self.cell,
            MARGIN + at / self.columns * self.cell,
        )
    }

    /// Shows the candidates of a cell, counted row by row, by their numbers; `None` if it holds nothing. An empty list
    /// is a contradiction.
    pub fn show(&mut self, at: u32, candidates: Option<&[u32]>) {
        let Some(known) = self.cells.get_mut(at as usize) else {
            return;
        };
        let is_same = match (&*known, candidates) {
            (CellContent::Nothing, None) => true,
            (CellContent::Candidates(before), Some(now)) => **before == *now,
            _ => false,
        };
        if !is_same {
            *known = candidates.map_or(CellContent::Nothing, |candidates| {
                CellContent::Candidates(candidates.into())
            });
            self.draw_cell(at);
        }
    }

    /// Points at a cell until [`BoardPainter::clear_marks`].
    pub fn mark(&mut self, at: u32, mark: Mark) {
        if at as usize >= self.cells.len() {
            return;
        }
        self.marked.push(at);
        let thickness = (self.cell / 12).clamp(1, 3);
        let area = self.area(at);
        draw_frame(&mut self.canvas, area, thickness, mark.color());
        self.touch(area);
    }

    /// Draws an arrow from one cell to another. It stays where neither cell nor those between are drawn anew.
    pub fn arrow(&mut self, from: u32, to: u32, mark: Mark) {
        let last = self.cells.len() as u32;
        if from >= last || to >= last {
            return;
        }
        let middle = |(x, y): (u32, u32)| (x + self.cell / 2, y + self.cell / 2);
        let (begin, end) = (middle(self.corner(from)), middle(self.corner(to)));
        arrow::draw(
            &mut self.canvas,
            begin,
            end,
            (self.cell / 16).clamp(1, 4),
            mark.color(),
        );
        self.touch(Area {
            x: 0,
            y: 0,
            width: self.canvas.width(),
            height: self.canvas.height(),
        });
    }

    /// Points at the whole board.
    pub fn mark_all(&mut self, mark: Mark) {
        self.border = Some(mark);
        self.draw_border(mark.color());
    }

    /// Points at nothing any more.
    pub fn clear_marks(&mut self) {
        for at in std::mem::take(&mut self.marked) {
            self.draw_cell(at);
        }
        if self.border.take().is_some() {
            self.draw_border(PAPER);
        }
    }

    /// Writes a caption below the board, one of those of the layout; a text longer than the layout allows is cut off.
    pub fn caption(&mut self, number: usize, text: &str) {
        let Some((first, lines)) = self.captions.get(number).copied() else {
            return;
        };
        let top = 2 * MARGIN + self.rows * self.cell + first * CAPTION;
        let area = Area {
            x: 0,
            y: top,
            width: self.canvas.width(),
            height: lines * CAPTION,
        };
        self.canvas.fill(area, PAPER);
        let inner = Area {
            x: MARGIN,
            width: area.width.saturating_sub(2 * MARGIN),
            height: CAPTION.min(area.height),
            ..area
        };
        let color = if number == 0 { INK } else { MUTED };
        let rows = label::rows(text, letters_in(u64::from(inner.width)), lines as usize);
        for (line, row) in rows.iter().enumerate() {
            label::write_line(
                &mut self.canvas,
                Area {
                    y: top + line as u32 * CAPTION,
                    ..inner
                },
                row,
                color,
            );
        }
        self.touch(area);
    }

    /// The width and height of the board in pixels, without what is around it.
    pub fn size(&self) -> (u32, u32) {
        (self.columns * self.cell, self.rows * self.cell)
    }

    /// Covers the board by a picture, in the middle; false if that is larger. The next change of a cell is drawn over it.
    pub fn cover(&mut self, picture: &Canvas) -> bool {
        let (width, height) = self.size();
        if picture.width() > width || picture.height() > height {
            return false;
        }
        let board = Area {
            x: MARGIN,
            y: MARGIN,
            width,
            height,
        };
        self.clear_marks();
        self.canvas.fill(board, PAPER);
        let (left, top) = (
            MARGIN + (width - picture.width()) / 2,
            MARGIN + (height - picture.height()) / 2,
        );
        for y in 0..picture.height() {
            for (x, color) in (left..).zip(picture.row(y)) {
                self.canvas.put(x, top + y, *color);
            }
        }
        self.touch(board);
        true
    }

    /// The part of the picture that has changed since the last call: its left and upper edge, width and height.
    pub fn take_changed(&mut self) -> Option<(u32, u32, u32, u32)> {
        self.changed
            .take()
            .map(|area| (area.x, area.y, area.width, area.height))
    }

    fn area(&self, at: u32) -> Area {
        let (x, y) = self.corner(at);
        Area {
            x,
            y,
            width: self.cell,
            height: self.cell,
        }
    }

    fn touch(&mut self, area: Area) {
        self.changed = Some(self.changed.map_or(area, |changed| changed.union(area)));
    }

    fn draw_border(&mut self, color: [u8; 4]) {
        let area = Area {
            x: 0,
            y: 0,
            width: self.columns * self.cell + 2 * MARGIN,
            height: self.rows * self.cell + 2 * MARGIN,
        };
        draw_frame(&mut self.canvas, area, MARGIN - 1, color);
        self.touch(area);
    }

    /// Draws a cell anew.
    fn draw_cell(&mut self, at: u32) {
        let area = self.area(at);
        let canvas = &mut self.canvas;
        match &self.cells[at as usize] {
            CellContent::Nothing => canvas.fill(area, NOTHING),
            CellContent::Candidates(candidates) => match **candidates {
                [] => draw_cross(canvas, area),
                [only] => match self.looks.get(only as usize) {
                    Some(CandidateLook::Tile(bitmap)) => {
                        canvas.fill(area, UNDECIDED);
                        bitmap.draw_over(canvas, area);
                    }
                    Some(CandidateLook::Words(text)) => {
                        canvas.fill(area, DECIDED);
                        let area = inset(area, 1 + area.width / 8);
                        label::write(canvas, area, text, self.longest_words, INK, u32::MAX);
                    }
                    None => canvas.fill(area, NOTHING),
                },
                _ => {
                    canvas.fill(area, UNDECIDED);
                    // A gap, so that one sees which cell a candidate belongs to.
                    let inner = inset(area, (area.width / 12).max(u32::from(area.width >= 8)));
                    draw_candidates(
                        canvas,
                        inner,
                        candidates,
                        &self.looks,
                        self.longest_words,
                        self.side,
                    );
                }
            },
        }
        if self.has_lines {
            draw_frame(
                canvas,
                Area {
                    width: area.width + 1,
                    height: area.height + 1,
                    ..area
                },
                1,
                LINE,
            );
        }
        self.touch(Area {
            width: area.width + 1,
            height: area.height + 1,
            ..area
        });
    }
}

/// The number of letters of a caption that fit into a width in pixels.
fn letters_in(width: u64) -> usize {
    (width / u64::from(label::LINE_LETTER.0)).max(1) as usize
}

/// How many lines a caption needs. One that is broken between its words may need a line more than its letters do.
fn lines_for(letters: usize, room: usize) -> u32 {
    if letters <= room {
        1
    } else {
        (letters.div_ceil(room) as u32 + 1).min(LINES)
    }
}

/// Each candidate at its own spot; where the spots are too small to be seen, how many there are.
fn draw_candidates(
    canvas: &mut Canvas,
    area: Area,
    candidates: &[u32],
    looks: &[CandidateLook],
    longest: u32,
    side: u32,
) {
    if area.width < 2 * side {
        let count = candidates.len().to_string();
        let longest = looks.len().to_string().len() as u32;
        return label::write(canvas, area, &count, longest, CANDIDATE, u32::MAX);
    }
    for candidate in candidates {
        let spot = area.part(candidate % side, side, candidate / side, side);
        match looks.get(*candidate as usize) {
            Some(CandidateLook::Tile(bitmap)) => {
                bitmap.draw_over(canvas, inset(spot, u32::from(spot.width >= 7)))
            }
            Some(CandidateLook::Words(text)) => {
                // All spots have one size, so that all use equal letters.
                let spot = Area {
                    width: area.width / side,
                    height: area.height / side,
                    ..spot
                };
                label::write(canvas, spot, text, longest, CANDIDATE, 1);
            }
            None => {}
        }
    }
}

/// The four sides of an area, drawn so thick.
fn draw_frame(canvas: &mut Canvas, area: Area, thickness: u32, color: [u8; 4]) {
    let (wide, high) = (thickness.min(area.width), thickness.min(area.height));
    let (right, bottom) = (area.x + area.width - wide, area.y + area.height - high);
    canvas.fill(
        Area {
            height: high,
            ..area
        },
        color,
    );
    canvas.fill(
        Area {
            y: bottom,
            height: high,
            ..area
        },
        color,
    );
    canvas.fill(
        Area {
            width: wide,
            ..area
        },
        color,
    );
    canvas.fill(
        Area {
            x: right,
            width: wide,
            ..area
        },
        color,
    );
}

fn inset(area: Area, by: u32) -> Area {
    let by = by.min((area.width.min(area.height).max(1) - 1) / 2);
    Area {
        x: area.x + by,
        y: area.y + by,
        width: area.width - 2 * by,
        height: area.height - 2 * by,
    }
}

/// A cell so large that its candidates can be seen, and so small that the board can be.
fn comfortable_cell(cells: u32, needed: u32, has_words: bool) -> u32 {
    let most = COMFORTABLE / cells.max(1);
    let cell = most
        .clamp(SMALLEST_CELL, LARGEST_CELL)
        .max(needed.min(2 * most.max(SMALLEST_CELL)));
    // Tiles are drawn for sixteen pixels.
    if has_words || cell < 16 {
        cell
    } else {
        cell - cell % 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painter(values: &[&str], cell: u32) -> BoardPainter {
        let values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
        let layout = BoardLayout {
            size: (3, 2),
            cell: Some(cell),
            captions: vec![10],
            max_pixels: 1 << 20,
        };
        BoardPainter::new(&values, &Tiles::default(), &layout).unwrap()
    }

    /// The pixels of a spot of a cell.
    fn spot(painter: &BoardPainter, at: u32, candidate: u32) -> Vec<[u8; 4]> {
        let area = painter.area(at).part(
            candidate % painter.side,
            painter.side,
            candidate / painter.side,
            painter.side,
        );
        (0..area.height)
            .flat_map(|y| (0..area.width).map(move |x| (x, y)))
            .filter_map(|(x, y)| painter.canvas().pixel(area.x + x, area.y + y))
            .collect()
    }

    #[test]
    fn a_candidate_keeps_its_spot_while_others_go() {
        let mut painter = painter(&["red", "green", "blue", "khaki"], 20);
        painter.show(4, Some(&[0, 1, 2, 3]));
        let whole: Vec<_> = (0..4)
            .map(|candidate| spot(&painter, 4, candidate))
            .collect();
        painter.show(4, Some(&[1, 3]));
        for candidate in 0..4 {
            let now = spot(&painter, 4, candidate);
            if candidate % 2 == 1 {
                assert_eq!(now, whole[candidate as usize]);
            } else {
                assert!(
                    now.iter().all(|pixel| *pixel == UNDECIDED),
                    "the spot of {candidate} is empty"
                );
            }
        }
        painter.show(4, Some(&[0, 1, 2, 3]));
        assert!(
            (0..4).all(|candidate| spot(&painter, 4, candidate) == whole[candidate as usize]),
            "they come back"
        );
    }

    #[test]
    fn captions_of_small_boards_have_room() {
        let words = "line 12: the condition does not hold, and whoever looks at a board of six cells wants to know it";
        let layout = BoardLayout {
            size: (3, 2),
            cell: Some(8),
            captions: vec![words.len(), 8],
            max_pixels: 1 << 20,
        };
        let mut painter =
            BoardPainter::new(&["1".to_string()], &Tiles::default(), &layout).unwrap();
        let room = letters_in(u64::from(painter.canvas().width() - 2 * MARGIN));
        let (first, lines) = painter.captions[0];
        let rows = label::rows(words, room, lines as usize);
        assert!(first == 0 && room == LETTERS && rows.len() == 2, "{rows:?}");
        assert_eq!(rows.join(" "), words, "nothing is cut off");
        // Writing does not touch the other caption, and overwriting removes the old text.
        painter.caption(1, "failures");
        let before = painter.canvas().clone();
        painter.caption(0, words);
        assert_ne!(*painter.canvas(), before);
        painter.caption(0, "");
        assert_eq!(*painter.canvas(), before);
    }

    #[test]
    fn only_what_has_changed_is_told() {
        let mut painter = painter(&["1", "2", "10"], 24);
        assert!(painter.take_changed().is_some());
        painter.show(1, Some(&[0, 2]));
        painter.show(1, Some(&[0, 2]));
        assert_eq!(painter.take_changed(), Some((28, 4, 25, 25)));
        painter.show(1, Some(&[0, 2]));
        assert_eq!(painter.take_changed(), None);
        let before = painter.canvas().clone();
        painter.mark(1, Mark::Chosen);
        painter.mark_all(Mark::Failed);
        assert_ne!(*painter.canvas(), before);
        painter.clear_marks();
        assert_eq!(*painter.canvas(), before, "marks leave nothing behind");
    }
}
