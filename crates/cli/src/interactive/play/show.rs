//! The output of a game: text, and pictures as half blocks.

use std::io::{self, IsTerminal};

use ndscript::PlacedPicture;
use ndscript::picture::Picture;
use ndscript::tiles::Tiles;
use ndscript_render::RenderOptions;

use super::click::Target;
use crate::arguments::options::PlayOptions;
use crate::exit::Stop;
use crate::terminal;
use crate::terminal::pixels::Protocol;
use crate::terminal::preview::{Size, cells, dots, shown};
use crate::terminal::stdout;

/// Standard output as a game uses it.
pub struct Show {
    tiles: Tiles,
    render: RenderOptions,
    shows_pictures: bool,
    at_line_start: bool,
    /// The latest picture, if the person sees it.
    target: Option<Target>,
}

impl Show {
    pub fn new(options: &PlayOptions, tiles: Tiles) -> Show {
        Show {
            tiles,
            render: RenderOptions {
                tile_size: options.tiles.tile_size,
                ..RenderOptions::default()
            },
            shows_pictures: terminal::shows_pictures(options.screen),
            at_line_start: true,
            target: None,
        }
    }

    /// Shows text and, at these byte offsets in it, pictures, which leave `free` lines of the window free.
    pub fn put(&mut self, text: &str, pictures: &[PlacedPicture], free: u32) -> Result<(), Stop> {
        let mut done = 0;
        for (offset, picture) in pictures {
            let next = (*offset).clamp(done, text.len());
            self.put_text(text.get(done..next).unwrap_or_default())?;
            done = next;
            if self.shows_pictures {
                let canvas = ndscript_render::draw(picture, &self.tiles, &self.render)
                    .map_err(|why| Stop::undrawn(&why))?;
                self.end_line()?;
                self.at_line_start = true;
                stdout::write_styled(&shown(
                    Protocol::Blocks,
                    Size::Window,
                    picture,
                    &canvas,
                    free,
                    &self.tiles,
                ))?;
                if !matches!(**picture, Picture::Legend(_)) {
                    self.target = Some(Target::new(cells(picture), dots(picture, &canvas, free)));
                }
            }
        }
        self.put_text(text.get(done..).unwrap_or_default())?;
        stdout::flush()
    }

    /// The latest picture, if the person sees one.
    pub fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// Records rows that were written elsewhere.
    pub fn passed(&mut self, rows: u32) {
        if let Some(target) = &mut self.target {
            target.wrote(&"\n".repeat(rows as usize), u32::MAX);
        }
    }

    /// Begins a new line before a question.
    pub fn before_question(&mut self) -> Result<(), Stop> {
        if io::stdout().is_terminal() {
            self.end_line()?;
        }
        stdout::flush()
    }

    /// The last text stands.
    pub fn end(&mut self) -> Result<(), Stop> {
        self.before_question()
    }

    fn end_line(&mut self) -> Result<(), Stop> {
        if self.at_line_start {
            Ok(())
        } else {
            self.put_text("\n")
        }
    }

    fn put_text(&mut self, text: &str) -> Result<(), Stop> {
        if !text.is_empty() {
            self.at_line_start = text.ends_with('\n');
        }
        let shown = stdout::shown(text);
        if let Some(target) = &mut self.target {
            target.wrote(&shown, terminal::size().0);
        }
        stdout::write_styled(&shown)
    }
}
