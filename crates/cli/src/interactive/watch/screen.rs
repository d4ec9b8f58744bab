//! The screen: a line about the run, its text and pictures, errors, and the keys.

use std::io::{self, Write};
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{Attribute, Print, SetAttribute};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ndscript::picture::Picture;
use ndscript::tiles::Tiles;
use ndscript::{PlacedPicture, Program};
use ndscript_render::{Canvas, RenderOptions};

use super::search::Found;
use crate::arguments::options::WatchFileOptions;
use crate::exit::Stop;
use crate::files::in_words;
use crate::runs::unfinished::end_of;
use crate::terminal;
use crate::terminal::pixels::Protocol;
use crate::terminal::preview::{Size, shown};

const KEYS: &str = "n next solution   s new seed   r again   p write the pictures   q quit";

/// The content of the screen.
#[derive(Default)]
pub struct View {
    seed: u64,
    program: Option<(Program, Tiles)>,
    is_searching: bool,
    /// The number of the solution that is shown.
    solution: u64,
    time: Duration,
    text: String,
    pictures: Vec<PlacedPicture>,
    /// The error; then text and pictures are those of a branch without a solution.
    problem: Problem,
    /// The words before such a text; none before that of a solution.
    unfinished: &'static str,
    pub remark: String,
    render: RenderOptions,
}

/// An error for the screen: control characters from programs or names are removed.
#[derive(Default)]
pub struct Problem(String);

impl Problem {
    /// In words, from anywhere.
    pub fn in_words(words: &str) -> Problem {
        Problem(terminal::harmless(words).into_owned())
    }

    /// With our own colors.
    pub fn styled(text: String) -> Problem {
        Problem(text)
    }
}

impl View {
    pub fn new(options: &WatchFileOptions) -> View {
        let render = RenderOptions {
            tile_size: options.tiles.tile_size,
            ..RenderOptions::default()
        };
        View {
            render,
            ..View::default()
        }
    }

    pub fn begin(&mut self, seed: u64) {
        let (program, render) = (self.program.take(), self.render.clone());
        *self = View {
            seed,
            is_searching: true,
            program,
            render,
            ..View::default()
        };
    }

    pub fn set_program(&mut self, program: Program, tiles: Tiles) {
        self.program = Some((program, tiles));
    }

    pub fn fail(&mut self, problem: Problem) {
        self.is_searching = false;
        self.problem = problem;
    }

    pub fn search_on(&mut self) {
        self.is_searching = true;
        self.remark.clear();
    }

    /// Shows that a search has ended, with the output of a branch without a solution.
    pub fn searched(
        &mut self,
        found: Found,
        unfinished: (String, Vec<PlacedPicture>),
        time: Duration,
    ) {
        self.is_searching = false;
        self.time = time;
        self.problem = Problem::default();
        let has_other = matches!(found, Found::NoSolution(_)) && self.solution > 0;
        if !has_other {
            (self.text, self.pictures) = unfinished;
            self.unfinished = found.unfinished();
        }
        match found {
            Found::Solution(solution) => {
                self.solution += 1;
                self.text = solution.text;
                self.pictures = solution.pictures;
            }
            Found::NoSolution(_) if self.solution > 0 => {
                self.remark = "there is no other solution".to_string()
            }
            Found::NoSolution(reason) => {
                let reason = reason.map_or(String::new(), |reason| {
                    format!("\n{}", terminal::reason(&reason))
                });
                self.problem = Problem::in_words(&format!("no solution{reason}"));
            }
            Found::Error(error) => {
                let columns = terminal::size().0 as usize;
                let sources = self
                    .program
                    .as_ref()
                    .map(|(program, _)| program.sources().clone())
                    .unwrap_or_default();
                self.problem = Problem::styled(error.diagnostic.render_in(&sources, true, columns));
            }
            Found::Stopped(words) => self.problem = Problem::in_words(&words),
        }
    }

    /// The pixels of the pictures that are shown.
    pub fn canvases(&self) -> Vec<Canvas> {
        self.pictures
            .iter()
            .filter_map(|(_, picture)| self.draw(picture).ok())
            .collect()
    }

    fn tiles(&self) -> Tiles {
        self.program
            .as_ref()
            .map_or_else(Tiles::default, |(_, tiles)| tiles.clone())
    }

    fn draw(&self, picture: &Picture) -> Result<Canvas, String> {
        ndscript_render::draw(picture, &self.tiles(), &self.render)
            .map_err(|why| format!("cannot draw a picture: {why}"))
    }

    fn head(&self, name: &str) -> String {
        let state = match (self.is_searching, self.solution) {
            (true, _) => "searching ...".to_string(),
            (false, 0) => String::new(),
            (false, number) => format!("solution {number}   {:.2} s", self.time.as_secs_f64()),
        };
        format!("{name}   seed {}   {state}", self.seed)
    }

    /// The lines between the head and the keys, which may contain colors: the last ones, and not many more than fit.
    /// Lines before them are not drawn.
    fn body(&self, rows: u32) -> Vec<String> {
        let lines_of = |text: &str| text.lines().map(str::to_string).collect::<Vec<String>>();
        let room = rows.saturating_sub(self.problem.0.lines().count() as u32);
        let mut parts = vec![lines_of(&self.problem.0)];
        let mut end = self.text.len();
        let mut left = room as usize;
        let mut put = |part: Vec<String>| {
            left = left.saturating_sub(part.len());
            parts.push(part);
            left > 0
        };
        for (offset, picture) in self.pictures.iter().rev() {
            let start = (*offset).min(end);
            if !put(lines_of(&terminal::harmless(&end_of(
                &self.text[start..end],
            )))) {
                return parts.into_iter().rev().flatten().collect();
            }
            end = start;
            if !put(lines_of(&self.in_blocks(picture, room))) {
                return parts.into_iter().rev().flatten().collect();
            }
        }
        put(lines_of(&terminal::harmless(&end_of(&self.text[..end]))));
        if !self.text.is_empty() || !self.pictures.is_empty() {
            parts.push(lines_of(self.unfinished));
        }
        parts.into_iter().rev().flatten().collect()
    }

    /// A picture of as many rows at most, if it can be drawn.
    fn in_blocks(&self, picture: &Picture, rows: u32) -> String {
        let canvas = match self.draw(picture) {
            Ok(canvas) => canvas,
            Err(why) => return terminal::harmless(&why).into_owned(),
        };
        // As large as two characters a cell, or as the space allows.
        let blocks = |size, free| {
            shown(
                Protocol::Blocks,
                size,
                picture,
                &canvas,
                free,
                &self.tiles(),
            )
        };
        let two = blocks(Size::Cells(2), 0);
        let fits = two.lines().count() as u32 <= rows;
        let free = terminal::size().1.saturating_sub(rows);
        if fits {
            two
        } else {
            blocks(Size::Window, free)
        }
    }
}

/// Rows of a terminal of unknown size.
const USUAL_ROWS: u32 = 24;

/// The alternate screen, which restores the terminal at the end.
pub struct Screen {
    name: String,
}

impl Screen {
    pub fn new(options: &WatchFileOptions) -> Result<Screen, Stop> {
        let cannot =
            |why: io::Error| Stop::error(format!("cannot use the terminal: {}", in_words(&why)));
        enable_raw_mode().map_err(cannot)?;
        let screen = Screen {
            name: options.program.file.display().to_string(),
        };
        execute!(io::stdout(), EnterAlternateScreen, Hide).map_err(cannot)?;
        Ok(screen)
    }

    pub fn show(&mut self, view: &View) {
        // If the terminal is gone, there is nowhere to report an error.
        let _ = self.draw(view);
    }

    /// Draws the screen: a head, the end of the text, and the foot.
    fn draw(&mut self, view: &View) -> io::Result<()> {
        let (columns, rows) = terminal::size();
        // A terminal that does not say how large it is is taken for a usual one: what is on the screen is to be little.
        let rows = if rows < u32::from(u16::MAX) {
            rows
        } else {
            USUAL_ROWS
        };
        let room = rows.saturating_sub(3);
        let lines = view.body(room);
        let mut out = io::stdout().lock();
        queue!(out, Clear(ClearType::All), MoveTo(0, 0))?;
        queue!(
            out,
            SetAttribute(Attribute::Bold),
            Print(cut(&view.head(&self.name), columns)),
            SetAttribute(Attribute::Reset)
        )?;
        // The beginning is cut: the end of a text was printed last.
        let first = lines.len().saturating_sub(room as usize);
        for (row, line) in lines[first..].iter().enumerate() {
            let line = if line.contains('\x1b') {
                line.clone()
            } else {
                cut(line, columns)
            };
            queue!(
                out,
                MoveTo(0, row as u16 + 1),
                Print(line),
                SetAttribute(Attribute::Reset)
            )?;
        }
        queue!(
            out,
            MoveTo(0, (rows - 2) as u16),
            Print(cut(&view.remark, columns))
        )?;
        queue!(
            out,
            MoveTo(0, (rows - 1) as u16),
            SetAttribute(Attribute::Dim),
            Print(cut(KEYS, columns))
        )?;
        queue!(out, SetAttribute(Attribute::Reset))?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

fn cut(text: &str, columns: u32) -> String {
    terminal::harmless(text.lines().next().unwrap_or_default())
        .chars()
        .take(columns as usize)
        .collect()
}
