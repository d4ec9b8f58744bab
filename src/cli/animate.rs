//! `ndscript animate`: how a grid comes to be, as a film.

use std::path::Path;

use ndscript::render::RenderError;
use ndscript::render::animation::{AnimationError, Apng, Gif, Part};
use ndscript::render::board::{BoardLayout, BoardPainter, Mark};
use ndscript::render::player::{Frame, Movie};
use ndscript::timeline::{Content, Film, Shot, ShotKind};

use super::exit::{Exit, Stop};
use super::files;
use super::save::{save, save_unnamed};
use super::search_options::AnimateOptions;
use super::terminal::say;
use super::watched::{Watched, Watching};

/// The last frame stays for so long before the film begins again, and a failure for so many frames.
const END: u32 = 3000;
const FAILURE: u32 = 3;

/// Lines of words below the grid.
const CAPTIONS: u32 = 2;

impl Watching for Film {}

/// Runs a program and films a grid of it.
pub fn animate(options: &AnimateOptions) -> Result<Exit, Stop> {
    let Some(mut watched) = Watched::new(&options.watched)? else { return Ok(Exit::Error) };
    options.watch.iter().try_for_each(|name| watched.knows(name))?;
    let most = options.max_frames as usize;
    let mut film = Film::new(watched.sources().clone(), options.watch.clone(), options.every, most);
    let exit = watched.finish(&mut film)?;
    if film.shots().is_empty() {
        // What went wrong with the program was said already.
        return if exit == Exit::Error { Ok(exit) } else { Err(nothing_to_show(options, film.others())) };
    }
    let mut cutting = Cutting::new(&film, &watched, options)?;
    if let Some(path) = &options.gif {
        let mut file = Vec::new();
        let (width, height) = cutting.size();
        let mut gif = Gif::new(&mut file, width, height).map_err(cannot_make)?;
        cutting.play(|painter, part, time, _| gif.add(painter.canvas(), part, time).map_err(cannot_make))?;
        gif.finish().map_err(cannot_make)?;
        cutting.write(path, &file)?;
    }
    if let Some(path) = &options.apng {
        let mut file = Vec::new();
        let (width, height) = cutting.size();
        let count = film.shots().len() as u32;
        let mut apng = Apng::new(&mut file, width, height, count).map_err(cannot_make)?;
        cutting.play(|painter, part, time, _| apng.add(painter.canvas(), part, time).map_err(cannot_make))?;
        apng.finish().map_err(cannot_make)?;
        cutting.write(path, &file)?;
    }
    if let Some(folder) = &options.frames {
        let digits = film.shots().len().to_string().len();
        cutting.play(|painter, _, _, number| {
            save_unnamed(&folder.join(format!("{:0digits$}.png", number + 1)), &painter.canvas().to_png())
        })?;
        say(&format!("wrote {} pictures to {}: {}", film.shots().len(), folder.display(), cutting.in_words()));
    }
    if let Some(path) = &options.html {
        let page = cutting.page(&files::shown_name(&options.watched.program.file))?;
        cutting.write(path, page.as_bytes())?;
    }
    Ok(exit)
}

fn nothing_to_show(options: &AnimateOptions, others: &[String]) -> Stop {
    Stop::error(match (&options.watch, others) {
        (Some(name), _) => format!(
            "there is nothing to show: the variable `{name}` held no grid that was written to\n\
             --watch names the variable that holds the grid"
        ),
        (None, []) => "there is nothing to show: no global variable held a grid with sets of candidates\n\
                       --watch NAME names the variable of another grid"
            .to_string(),
        (None, [first, ..]) => format!(
            "there is nothing to show: no global variable held a grid with sets of candidates\n\
             a variable of a function did: --watch {first}"
        ),
    })
}

fn cannot_make(why: AnimationError) -> Stop {
    Stop::error(format!("cannot make the animation: {why}"))
}

fn cannot_draw(why: RenderError) -> Stop {
    match why {
        RenderError::Tile(_) => Stop::error(format!("cannot draw the grid: {why}")),
        _ => Stop::limit(why.to_string()),
    }
}

/// Makes pictures of shots.
struct Cutting<'a> {
    film: &'a Film,
    values: Vec<String>,
    contents: Vec<Content>,
    layout: BoardLayout,
    watched: &'a Watched,
    /// How long a frame is shown, in milliseconds.
    time: u32,
}

impl<'a> Cutting<'a> {
    fn new(film: &'a Film, watched: &'a Watched, options: &AnimateOptions) -> Result<Cutting<'a>, Stop> {
        let layout = BoardLayout {
            size: film.size(),
            cell: options.tile_size,
            captions: CAPTIONS,
            max_pixels: watched.max_pixels(),
        };
        let time = (1000.0 / options.fps).round() as u32;
        Ok(Cutting { film, values: film.values(), contents: film.contents(), layout, watched, time })
    }

    fn painter(&self) -> Result<BoardPainter, Stop> {
        BoardPainter::new(&self.values, self.watched.tiles(), &self.layout).map_err(cannot_draw)
    }

    fn size(&self) -> (u32, u32) {
        self.painter().map_or((1, 1), |painter| (painter.canvas().width(), painter.canvas().height()))
    }

    /// Shows the shots one after another: the picture, what of it is new, for how long, and its number.
    fn play(&mut self, mut show: impl FnMut(&BoardPainter, Part, u32, usize) -> Result<(), Stop>) -> Result<(), Stop> {
        let mut painter = self.painter()?;
        let mut state = Board::new(self.film.size());
        for (number, shot) in self.film.shots().iter().enumerate() {
            let returned = state.take(shot, &self.contents);
            painter.clear_marks();
            for at in &state.changed {
                painter.show(*at, candidates(&self.contents[state.cells[*at as usize] as usize]));
            }
            returned.iter().for_each(|at| painter.mark(*at, Mark::Returned));
            if let Some(at) = shot.cell.and_then(|cell| state.place(shot, cell)) {
                painter.mark(at, if shot.kind == ShotKind::Failure { Mark::Failed } else { Mark::Chosen });
            }
            match shot.kind {
                ShotKind::Failure => painter.mark_all(Mark::Failed),
                ShotKind::Solution => painter.mark_all(Mark::Asked),
                _ => {}
            }
            painter.caption(0, &shot.words);
            painter.caption(1, &counts(shot));
            // A frame without anything new is a pixel.
            let part = painter.take_changed().unwrap_or((0, 0, 1, 1));
            let time = match shot.kind {
                _ if number + 1 == self.film.shots().len() => END,
                ShotKind::Failure => FAILURE * self.time,
                ShotKind::Solution => END / 2,
                _ => self.time,
            };
            show(&painter, part, time, number)?;
        }
        Ok(())
    }

    /// The page, for which what a cell can look like is drawn once.
    fn page(&self, title: &str) -> Result<String, Stop> {
        let layout = BoardLayout { size: (1, 1), captions: 0, ..self.layout.clone() };
        let cell = self.painter()?.cell();
        let layout = BoardLayout { cell: Some(cell), ..layout };
        let mut painter = BoardPainter::new(&self.values, self.watched.tiles(), &layout).map_err(cannot_draw)?;
        let mut movie = Movie::new(title, self.film.size(), cell, self.time, self.layout.max_pixels);
        for content in &self.contents {
            painter.show(0, candidates(content));
            let words: Vec<&str> = match content {
                Content::Nothing => vec!["nothing"],
                Content::Candidates(candidates) => candidates.iter().map(|at| &*self.values[*at as usize]).collect(),
            };
            movie.add_look(painter.canvas(), painter.corner(0), &words.join(", "));
        }
        let mut state = Board::new(self.film.size());
        for shot in self.film.shots() {
            let returned = state.take(shot, &self.contents);
            let changes = state.changed.iter().map(|at| (*at, state.cells[*at as usize])).collect();
            movie.add(Frame {
                changes,
                returned,
                cell: shot.cell.and_then(|cell| state.place(shot, cell)),
                is_failure: shot.kind == ShotKind::Failure,
                is_solution: shot.kind == ShotKind::Solution,
                words: shot.words.clone(),
                counts: counts(shot),
            });
        }
        movie.finish().map_err(cannot_draw)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Stop> {
        save(path, bytes)?;
        say(&format!("wrote {}: {}", path.display(), self.in_words()));
        Ok(())
    }

    fn in_words(&self) -> String {
        let shots = self.film.shots();
        let name = self.film.watched().unwrap_or("");
        let frames = if shots.len() == 1 { "1 frame".to_string() } else { format!("{} frames", shots.len()) };
        match self.film.stride() {
            1 => format!("{frames} of `{name}`"),
            stride => format!("{frames} of `{name}`, one every {stride} events of the search"),
        }
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

/// What the cells of the largest grid hold.
struct Board {
    size: (u32, u32),
    cells: Vec<u32>,
    changed: Vec<u32>,
}

impl Board {
    fn new(size: (u32, u32)) -> Board {
        Board { size, cells: vec![0; size.0 as usize * size.1 as usize], changed: Vec::new() }
    }

    /// The place of a cell of a shot, whose grid may be smaller.
    fn place(&self, shot: &Shot, cell: u32) -> Option<u32> {
        let (x, y) = (cell % shot.size.0.max(1), cell / shot.size.0.max(1));
        (x < self.size.0 && y < self.size.1).then(|| y * self.size.0 + x)
    }

    /// Takes up the changes of a shot; the cells in which candidates have come back.
    fn take(&mut self, shot: &Shot, contents: &[Content]) -> Vec<u32> {
        self.changed.clear();
        let mut returned = Vec::new();
        let is_whole = shot.changes.len() as u64 == u64::from(shot.size.0) * u64::from(shot.size.1);
        if is_whole && shot.size != self.size {
            // A grid of another size stands in place of the one before.
            self.changed.extend((0..self.cells.len() as u32).filter(|at| self.cells[*at as usize] != 0));
            self.cells.fill(0);
        }
        for (cell, content) in &shot.changes {
            let Some(at) = self.place(shot, *cell) else { continue };
            let before = std::mem::replace(&mut self.cells[at as usize], *content);
            self.changed.push(at);
            let count = |content: u32| candidates(&contents[content as usize]).map_or(0, <[u32]>::len);
            if shot.kind == ShotKind::Back && count(*content) > count(before) {
                returned.push(at);
            }
        }
        returned
    }
}
