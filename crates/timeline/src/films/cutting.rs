//! A film as pictures and as a page: what each shot looks like, and for how long it is shown.

use super::contents::Content;
use super::film::{Film, Shot, ShotKind};
use ndscript_base::picture::Picture;
use ndscript_base::tiles::Tiles;
use ndscript_render::animation::Part;
use ndscript_render::board::{BoardLayout, BoardPainter, Mark};
use ndscript_render::player::{Frame, Movie};
use ndscript_render::{Canvas, RenderError, RenderOptions, draw};

/// The last shot stays for this many milliseconds before a film repeats, and a failure as long as this many shots.
const END: u32 = 3000;
const FAILURE: u32 = 3;

/// How a film is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmOptions {
    /// The width and height of a cell in pixels; `None`: as large as is comfortable.
    pub cell: Option<u32>,
    /// How long a shot is shown, in milliseconds.
    pub milliseconds: u32,
    /// The most pixels that a picture may have.
    pub max_pixels: u64,
}

impl Default for FilmOptions {
    fn default() -> FilmOptions {
        FilmOptions {
            cell: None,
            milliseconds: 125,
            max_pixels: 1 << 26,
        }
    }
}

/// A film that is shown.
///
/// ```
/// use ndscript::render::animation::Gif;
/// use ndscript::tiles::Tiles;
/// use ndscript_timeline::{FilmRenderer, Film, FilmOptions};
/// let program = ndscript::Engine::new().compile("let g = makeGrid(2, 1, setOf(1, 2)); foreach (p in positionsOf(g)) g[p] = setOf(choose(1, 2));")?;
/// let mut film = Film::new(program.sources().clone(), None, 1, 100);
/// program.run(3).watch(1000, &mut film);
/// let cutting = FilmRenderer::new(film, Tiles::default(), FilmOptions::default());
/// let mut reel = cutting.reel()?;
/// let (width, height) = (reel.canvas().width(), reel.canvas().height());
/// let mut gif = Gif::new(Vec::new(), width, height)?;
/// while let Some(still) = reel.advance(&cutting) {
///     gif.add(reel.canvas(), still.part, still.milliseconds)?;
/// }
/// let printed = ndscript::picture::Picture::Image("red".into());
/// let still = reel.show_picture(&cutting, &printed)?.expect("there is room for a tile");
/// gif.add(reel.canvas(), still.part, still.milliseconds)?;
/// assert_eq!(reel.canvas().pixel(width / 2, still.part.1 + still.part.3 / 2), Some([255, 0, 0, 255]));
/// assert!(gif.finish()?.starts_with(b"GIF89a"));
/// assert!(cutting.page("two cells")?.contains("two cells"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FilmRenderer {
    film: Film,
    tiles: Tiles,
    values: Vec<String>,
    contents: Vec<Content>,
    layout: BoardLayout,
    milliseconds: u32,
}

/// A picture of a film: what of it is new, and for how long it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Still {
    /// The part that differs from the picture before; in the first one everything.
    pub part: Part,
    /// How long it is shown.
    pub milliseconds: u32,
}

/// A film while it is shown, one picture after another.
pub struct Reel {
    painter: BoardPainter,
    board: Board,
    next: usize,
}

impl FilmRenderer {
    /// Makes a film ready to be shown.
    pub fn new(film: Film, tiles: Tiles, showing: FilmOptions) -> FilmRenderer {
        let FilmOptions {
            cell,
            milliseconds,
            max_pixels,
        } = showing;
        let longest =
            |words: &dyn Fn(&Shot) -> usize| film.shots().iter().map(words).max().unwrap_or(0);
        let captions = vec![
            longest(&|shot| shot.words.chars().count()),
            longest(&|shot| counts(shot).chars().count()),
        ];
        let layout = BoardLayout {
            size: film.size(),
            cell,
            captions,
            max_pixels,
        };
        FilmRenderer {
            values: film.values(),
            contents: film.contents(),
            film,
            tiles,
            layout,
            milliseconds,
        }
    }

    /// The film that is cut.
    pub fn film(&self) -> &Film {
        &self.film
    }

    /// The pictures, from the first on.
    ///
    /// # Errors
    /// If they would be too large, or a tile cannot be read.
    pub fn reel(&self) -> Result<Reel, RenderError> {
        let painter = BoardPainter::new(&self.values, &self.tiles, &self.layout)?;
        Ok(Reel {
            painter,
            board: Board::new(self.film.size()),
            next: 0,
        })
    }

    /// A page that plays it, for which what a cell can look like is drawn once.
    ///
    /// # Errors
    /// As [`FilmRenderer::reel`].
    pub fn page(&self, title: &str) -> Result<String, RenderError> {
        Ok(self.page_while(title, &mut || true)?.unwrap_or_default())
    }

    /// The page, unless `may_continue`, which is asked between two pictures, gives up: then `None`.
    ///
    /// # Errors
    /// As [`FilmRenderer::reel`].
    pub fn page_while(
        &self,
        title: &str,
        may_continue: &mut dyn FnMut() -> bool,
    ) -> Result<Option<String>, RenderError> {
        let cell = BoardPainter::new(&self.values, &self.tiles, &self.layout)?.cell();
        let layout = BoardLayout {
            size: (1, 1),
            captions: Vec::new(),
            cell: Some(cell),
            ..self.layout.clone()
        };
        let mut painter = BoardPainter::new(&self.values, &self.tiles, &layout)?;
        let mut movie = Movie::new(
            title,
            self.film.size(),
            cell,
            self.milliseconds,
            self.layout.max_pixels,
        );
        for content in &self.contents {
            if !may_continue() {
                return Ok(None);
            }
            painter.show(0, candidates(content));
            let words: Vec<&str> = match content {
                Content::Nothing => vec!["nothing"],
                Content::Candidates(candidates) => candidates
                    .iter()
                    .map(|at| &*self.values[*at as usize])
                    .collect(),
            };
            movie.add_look(painter.canvas(), painter.corner(0), &words.join(", "));
        }
        let mut board = Board::new(self.film.size());
        for shot in self.film.shots() {
            if !may_continue() {
                return Ok(None);
            }
            let returned = board.take(shot, &self.contents);
            let changes = board
                .changed
                .iter()
                .map(|at| (*at, board.cells[*at as usize]))
                .collect();
            movie.add(Frame {
                changes,
                returned,
                cell: shot.cell.and_then(|cell| board.place(shot, cell)),
                is_failure: shot.kind == ShotKind::Failure,
                is_solution: shot.kind == ShotKind::Solution,
                words: shot.words.clone(),
                counts: counts(shot),
            });
        }
        movie.finish().map(Some)
    }
}

impl Reel {
    /// The picture that was shown last; an empty board before the first.
    pub fn canvas(&self) -> &Canvas {
        self.painter.canvas()
    }

    /// Shows the next picture of the film that this is a reel of; `None` after the last.
    pub fn advance(&mut self, cutting: &FilmRenderer) -> Option<Still> {
        let shots = cutting.film.shots();
        let shot = shots.get(self.next)?;
        self.next += 1;
        let painter = &mut self.painter;
        let returned = self.board.take(shot, &cutting.contents);
        painter.clear_marks();
        for at in &self.board.changed {
            painter.show(
                *at,
                candidates(&cutting.contents[self.board.cells[*at as usize] as usize]),
            );
        }
        returned
            .iter()
            .for_each(|at| painter.mark(*at, Mark::Returned));
        if let Some(at) = shot.cell.and_then(|cell| self.board.place(shot, cell)) {
            painter.mark(
                at,
                if shot.kind == ShotKind::Failure {
                    Mark::Failed
                } else {
                    Mark::Chosen
                },
            );
        }
        match shot.kind {
            ShotKind::Failure => painter.mark_all(Mark::Failed),
            ShotKind::Solution => painter.mark_all(Mark::Asked),
            _ => {}
        }
        painter.caption(0, &shot.words);
        painter.caption(1, &counts(shot));
        // A picture without anything new is a pixel.
        let part = painter.take_changed().unwrap_or((0, 0, 1, 1));
        let milliseconds = match shot.kind {
            _ if self.next == shots.len() => END,
            ShotKind::Failure => FAILURE * cutting.milliseconds,
            ShotKind::Solution => END / 2,
            _ => cutting.milliseconds,
        };
        Some(Still { part, milliseconds })
    }

    /// Shows a picture in place of the board, as large as fits: what was printed in the end, which may be made of more than the grid.
    /// `None` if it has more cells than the board has pixels.
    ///
    /// # Errors
    /// If a tile cannot be read.
    pub fn show_picture(
        &mut self,
        cutting: &FilmRenderer,
        picture: &Picture,
    ) -> Result<Option<Still>, RenderError> {
        let ((width, height), (columns, rows)) = (self.painter.size(), picture.size());
        let side = (width / columns.max(1)).min(height / rows.max(1));
        if side == 0 {
            return Ok(None);
        }
        let options = RenderOptions {
            tile_size: Some(side),
            max_pixels: cutting.layout.max_pixels,
        };
        let drawn = draw(picture, &cutting.tiles, &options)?;
        let part = self
            .painter
            .cover(&drawn)
            .then(|| self.painter.take_changed());
        Ok(part.flatten().map(|part| Still {
            part,
            milliseconds: END,
        }))
    }
}

fn counts(shot: &Shot) -> String {
    format!("failures {}  guesses {}", shot.failures, shot.guesses)
}

fn candidates(content: &Content) -> Option<&[u32]> {
    match content {
        Content::Nothing => None,
        Content::Candidates(candidates) => Some(candidates),
    }
}

/// The cells of the largest grid.
struct Board {
    size: (u32, u32),
    cells: Vec<u32>,
    changed: Vec<u32>,
}

impl Board {
    fn new(size: (u32, u32)) -> Board {
        Board {
            size,
            cells: vec![0; size.0 as usize * size.1 as usize],
            changed: Vec::new(),
        }
    }

    /// The place of a cell of a shot, whose grid may be smaller.
    fn place(&self, shot: &Shot, cell: u32) -> Option<u32> {
        let (x, y) = (cell % shot.size.0.max(1), cell / shot.size.0.max(1));
        (x < self.size.0 && y < self.size.1).then(|| y * self.size.0 + x)
    }

    /// Applies the changes of a shot; returns the cells in which candidates have come back.
    fn take(&mut self, shot: &Shot, contents: &[Content]) -> Vec<u32> {
        self.changed.clear();
        let mut returned = Vec::new();
        let is_whole = shot.changes.len() as u64 == u64::from(shot.size.0) * u64::from(shot.size.1);
        if is_whole && shot.size != self.size {
            // A grid of another size stands in place of the one before.
            self.changed
                .extend((0..self.cells.len() as u32).filter(|at| self.cells[*at as usize] != 0));
            self.cells.fill(0);
        }
        for (cell, content) in &shot.changes {
            let Some(at) = self.place(shot, *cell) else {
                continue;
            };
            let before = std::mem::replace(&mut self.cells[at as usize], *content);
            self.changed.push(at);
            let count =
                |content: u32| candidates(&contents[content as usize]).map_or(0, <[u32]>::len);
            if shot.kind == ShotKind::Back && count(*content) > count(before) {
                returned.push(at);
            }
        }
        returned
    }
}
