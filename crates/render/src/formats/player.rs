//! A film as a page of its own: to be played, stopped, and gone through forward and back.

use std::fmt::Write as _;

use crate::RenderError;
use crate::canvas::Canvas;
use crate::sheet::Sheet;
use ndscript_base::markup;

/// The style and the script of the page.
const STYLE: &str = include_str!("player.css");
const SCRIPT: &str = include_str!("player.js");

/// A moment of a film.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The cells that are not as before, row by row, and the number of their look.
    pub changes: Vec<(u32, u32)>,
    /// Cells in which candidates have come back.
    pub returned: Vec<u32>,
    /// The cell that it is about.
    pub cell: Option<u32>,
    /// Whether the branch has failed.
    pub is_failure: bool,
    /// Whether the end was reached.
    pub is_solution: bool,
    /// The event in words.
    pub words: String,
    /// The progress of the search.
    pub counts: String,
}

/// A film that is being made.
///
/// ```
/// use ndscript::render::board::{BoardLayout, BoardPainter};
/// use ndscript::render::player::{Frame, Movie};
/// use ndscript::tiles::Tiles;
/// let layout = BoardLayout { size: (1, 1), cell: Some(16), captions: Vec::new(), max_pixels: 1 << 20 };
/// let mut painter = BoardPainter::new(&["red".to_string()], &Tiles::default(), &layout)?;
/// let mut movie = Movie::new("map", (3, 2), 16, 100, 1 << 20);
/// painter.show(0, Some(&[0]));
/// movie.add_look(painter.canvas(), painter.corner(0), "red");
/// movie.add(Frame { changes: vec![(0, 0)], words: "line 3: take 1 of 2".to_string(), ..Frame::default() });
/// assert!(movie.finish()?.contains("line 3: take 1 of 2"));
/// # Ok::<(), ndscript::render::RenderError>(())
/// ```
pub struct Movie {
    title: String,
    size: (u32, u32),
    time: u32,
    max_pixels: u64,
    /// The looks of a cell, and what they are in words.
    looks: Sheet,
    words: Vec<String>,
    frames: Vec<Frame>,
}

impl Movie {
    /// An empty movie of a board with this size in columns and rows, cells of this many pixels, and frames of this many
    /// milliseconds.
    pub fn new(title: &str, size: (u32, u32), cell: u32, time: u32, max_pixels: u64) -> Movie {
        Movie {
            title: title.to_string(),
            size,
            time,
            max_pixels,
            looks: Sheet::new(cell),
            words: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Adds what a cell can look like, which is found in a picture from a corner on; and what that is, in words.
    pub fn add_look(&mut self, canvas: &Canvas, corner: (u32, u32), words: &str) {
        self.looks.add(canvas, corner);
        self.words.push(words.to_string());
    }

    /// Adds a frame.
    pub fn add(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    /// The page.
    ///
    /// # Errors
    /// If the picture of all looks would be too large.
    pub fn finish(self) -> Result<String, RenderError> {
        let (cell, across) = (self.looks.cell(), self.looks.across());
        let sheet = self.looks.url(self.max_pixels)?;
        let title = markup::text(&self.title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
             <canvas id=\"board\" tabindex=\"0\" role=\"img\" aria-label=\"the grid\"></canvas>\n\
             <p id=\"words\" aria-live=\"polite\"></p>\n<p id=\"counts\"></p>\n\
             <p id=\"under\"></p>\n\
             <div id=\"controls\">\n<button id=\"play\" type=\"button\">play</button>\n\
             <button id=\"back\" type=\"button\" title=\"arrow left\">back</button>\n\
             <button id=\"on\" type=\"button\" title=\"arrow right\">on</button>\n\
             <button id=\"failure\" type=\"button\" title=\"f; F goes back\">next failure</button>\n\
             <label>speed <input id=\"speed\" type=\"range\" min=\"-4\" max=\"4\" value=\"0\" step=\"1\"></label>\n</div>\n\
             <input id=\"at\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"moment\">\n\
             <p class=\"hint\">space plays and stops, the arrow keys go one step, Home and End go far, f goes to the next failure</p>\n\
             <script>\nconst WIDTH = {}, HEIGHT = {}, CELL = {cell}, ACROSS = {across}, TIME = {};\nconst SHEET = \"{sheet}\";\nconst LOOKS = [",
            self.size.0, self.size.1, self.time,
        );
        for words in &self.words {
            let _ = write!(out, "{},", quoted(words));
        }
        // Each frame: kind, cell, words, counts, cells that came back, cell and look by turns.
        out.push_str("];\nconst FRAMES = [");
        for frame in &self.frames {
            let kind = if frame.is_failure {
                1
            } else {
                2 * u32::from(frame.is_solution)
            };
            let cell = frame.cell.map_or(-1, i64::from);
            let _ = write!(
                out,
                "\n[{kind},{cell},{},{},[",
                quoted(&frame.words),
                quoted(&frame.counts)
            );
            frame
                .returned
                .iter()
                .for_each(|at| out.push_str(&format!("{at},")));
            out.push_str("],[");
            frame
                .changes
                .iter()
                .for_each(|(at, look)| out.push_str(&format!("{at},{look},")));
            out.push_str("]],");
        }
        let _ = write!(out, "\n];\n{SCRIPT}</script>\n</body>\n</html>\n");
        Ok(out)
    }
}

/// A text as JavaScript writes it, also inside of a page.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"'
            | '\\'
            | '<'
            | '>'
            | '&'
            | '\u{0}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
