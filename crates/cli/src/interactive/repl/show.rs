//! The output of the REPL: text and pictures in order, values, remarks and messages.

use std::io::{self, IsTerminal, Write};

use ndscript::PlacedPicture;
use ndscript::counted::counted;
use ndscript::diagnostics::{Diagnostic, wrap};
use ndscript::picture::Picture;
use ndscript::source::Sources;
use ndscript::tiles::Tiles;
use ndscript_render::{Canvas, RenderOptions};

use super::reply::Answer;
use crate::arguments::options::ReplOptions;
use crate::exit::Stop;
use crate::terminal;
use crate::terminal::pixels::{self, Protocol};
use crate::terminal::preview::{PROMPT, Size, shown};

/// Where a session is shown: standard output, and standard error for what went wrong.
pub struct Screen {
    tiles: Tiles,
    render: RenderOptions,
    shows_pictures: bool,
    protocol: Protocol,
    pub size: Size,
    colors: bool,
    at_line_start: bool,
    /// Lines of the window that were written so far.
    lines: u64,
    /// Standard output is closed.
    is_closed: bool,
    /// The last message, where those that repeat it are counted and not shown.
    repeated: Option<Repeated>,
}

/// A message that may come again and again.
#[derive(Default)]
struct Repeated {
    message: String,
    times: u64,
}

/// A repeated message is shown at most this many times.
const SHOWN_REPEATS: u64 = 3;

impl Screen {
    pub fn new(options: &ReplOptions, tiles: Tiles) -> Screen {
        Screen {
            tiles,
            render: RenderOptions {
                tile_size: options.tiles.tile_size,
                ..RenderOptions::default()
            },
            shows_pictures: terminal::shows_pictures(options.screen),
            protocol: pixels::protocol(options.screen.preview),
            size: Size::Cells(2),
            colors: terminal::colors_messages(options.screen.color),
            at_line_start: true,
            lines: 0,
            is_closed: false,
            repeated: None,
        }
    }

    /// Whether standard output was closed.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Lines of the window that were written so far, those counted that a long line takes.
    pub fn lines_written(&self) -> u64 {
        self.lines
    }

    /// Shows the output of an input, and its value.
    pub fn answer(&mut self, answer: &Answer) {
        self.output(&answer.text, &answer.pictures);
        self.end_line();
        if let Some(value) = &answer.value {
            self.line(value);
        }
    }

    /// Text and, at these byte offsets in it, pictures.
    pub fn output(&mut self, text: &str, pictures: &[PlacedPicture]) {
        let mut done = 0;
        for (offset, picture) in pictures {
            let next = (*offset).clamp(done, text.len());
            self.text(text.get(done..next).unwrap_or_default());
            done = next;
            self.picture(picture);
        }
        self.text(text.get(done..).unwrap_or_default());
        self.flush();
    }

    /// Shows a picture in the terminal, or says how to write it.
    fn picture(&mut self, picture: &Picture) {
        match self.draw(picture) {
            Ok(canvas) if self.shows_pictures => {
                self.end_line();
                self.write(&shown(
                    self.protocol,
                    self.size,
                    picture,
                    &canvas,
                    PROMPT,
                    &self.tiles,
                ));
            }
            Ok(canvas) => {
                self.end_line();
                let size = format!("{}x{}", canvas.width(), canvas.height());
                self.text(&format!(
                    "(a picture of {size} pixels: `:png FILE` writes it)\n"
                ));
            }
            Err(stop) => self.problem(&stop.message),
        }
    }

    /// The pixels of a picture.
    pub fn draw(&self, picture: &Picture) -> Result<Canvas, Stop> {
        ndscript_render::draw(picture, &self.tiles, &self.render).map_err(|why| Stop::undrawn(&why))
    }

    /// A line of its own.
    pub fn line(&mut self, line: &str) {
        self.end_line();
        self.text(line);
        self.end_line();
        self.flush();
    }

    /// Writes words, wrapped at the width of the window.
    pub fn words(&mut self, line: &str) {
        self.line(&wrap(line, terminal::output_columns(), 2));
    }

    /// Something that went wrong, in words; further lines are hints.
    pub fn problem(&mut self, message: &str) {
        self.end_repeats();
        self.end_line();
        self.flush();
        let word = if self.colors {
            "\x1b[31merror\x1b[0m: "
        } else {
            "error: "
        };
        terminal::complain_of(word, message);
    }

    /// Writes a remark, which is no error.
    pub fn remark(&mut self, message: &str) {
        self.end_repeats();
        self.end_line();
        self.flush();
        terminal::complain(message);
    }

    /// A text of the program on standard error.
    pub fn remark_text(&mut self, text: &str) {
        self.end_repeats();
        self.end_line();
        self.flush();
        terminal::say(text);
    }

    /// A message about a place in the session's files.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &Sources) {
        let message = diagnostic.render_in(sources, self.colors, terminal::message_columns());
        if let Some(repeated) = self
            .repeated
            .as_mut()
            .filter(|repeated| repeated.message == message)
        {
            repeated.times += 1;
            if repeated.times > SHOWN_REPEATS {
                return;
            }
        } else {
            self.end_repeats();
        }
        self.end_line();
        self.flush();
        terminal::say_styled(&message);
        if let Some(repeated) = self
            .repeated
            .as_mut()
            .filter(|repeated| repeated.message != message)
        {
            *repeated = Repeated { message, times: 1 };
        }
    }

    /// Messages are not read as they appear: from now on repeats of the last one are counted.
    pub fn count_repeats(&mut self) {
        self.repeated = Some(Repeated::default());
    }

    /// Reports how often the last message was repeated without being shown.
    pub fn end_repeats(&mut self) {
        let Some(last) = self.repeated.as_mut().map(std::mem::take) else {
            return;
        };
        if last.times > SHOWN_REPEATS {
            terminal::say(&format!(
                "the same again, {}",
                counted(last.times - SHOWN_REPEATS, "more time")
            ));
        }
    }

    /// Ends the line that was begun, if one was.
    pub fn end_line(&mut self) {
        if !self.at_line_start {
            self.text("\n");
        }
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let shown = if io::stdout().is_terminal() {
            terminal::harmless(text)
        } else {
            text.into()
        };
        self.write(&shown);
    }

    fn write(&mut self, text: &str) {
        self.end_repeats();
        self.at_line_start = text.ends_with('\n');
        let columns = terminal::size().0 as usize;
        // The lines of a picture fit.
        let rows = |line: &str| {
            if line.contains('\x1b') {
                1
            } else {
                line.chars().count().div_ceil(columns).max(1)
            }
        };
        self.lines += text.lines().map(rows).sum::<usize>() as u64;
        self.is_closed |= io::stdout().lock().write_all(text.as_bytes()).is_err();
    }

    fn flush(&mut self) {
        self.is_closed |= io::stdout().lock().flush().is_err();
    }
}
