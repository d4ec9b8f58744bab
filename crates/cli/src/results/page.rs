//! The web page of a run. It is written during the run, so that little of it is in memory.

use std::path::{Path, PathBuf};

use ndscript_render::html::{self, Piece};

use crate::exit::Stop;
use crate::files::save::GrowingFile;
use crate::runs::stopped::{Fields, StateReader};
use crate::terminal::say;

/// Room for the heading of a section, which is known at its end.
const HEADING: usize = 48;

/// The web page that is being made.
pub struct Page {
    /// `None` for a resumed page without a given path.
    path: Option<PathBuf>,
    title: String,
    /// The file, once something is written.
    file: Option<GrowingFile>,
    /// Why no more can be written.
    lost: Option<Stop>,
    /// The position of the heading of the current section.
    section: Option<u64>,
    /// The position of the first heading, which is written only if there is a second section.
    first: Option<u64>,
    solutions: u64,
    stored: Option<StoredPage>,
}

/// A saved run stores at most this many bytes of its page.
pub const MOST_STORED_BYTES: usize = 64 << 20;

/// The content of the page, for the state of a stopped run: the file itself could contain anything.
#[derive(Default)]
struct StoredPage {
    solutions: Vec<Vec<Piece>>,
    current: Vec<Piece>,
    bytes: usize,
    /// Its most bytes.
    most: usize,
}

impl StoredPage {
    fn up_to(most: usize) -> StoredPage {
        StoredPage {
            most,
            ..StoredPage::default()
        }
    }

    /// Stores a piece; false if that would be too much.
    fn keep(&mut self, piece: Piece) -> bool {
        self.bytes += size_of::<Piece>()
            + match &piece {
                Piece::Text(text) => text.len(),
                Piece::Image { png, name, .. } => png.len() + name.len(),
            };
        let fits = self.bytes <= self.most;
        if fits {
            self.current.push(piece);
        }
        fits
    }
}

impl Page {
    /// An empty page. If it is to be [saved](Page::put_state), at most `most_stored` bytes of its content are stored.
    pub fn new(path: PathBuf, title: String, most_stored: Option<usize>) -> Page {
        Page {
            path: Some(path),
            title,
            file: None,
            lost: None,
            section: None,
            first: None,
            solutions: 0,
            stored: most_stored.map(StoredPage::up_to),
        }
    }

    /// Whether no path is given.
    pub fn is_unnamed(&self) -> bool {
        self.path.is_none()
    }

    /// Whether there is nothing on it.
    fn is_empty(&self) -> bool {
        self.file.is_none() && self.lost.is_none()
    }

    /// Puts something into the section that is being written.
    pub fn put(&mut self, piece: Piece) {
        self.write(|page| {
            page.open_section()?;
            page.write_piece(&piece)
        });
        if self
            .stored
            .as_mut()
            .is_some_and(|stored| !stored.keep(piece))
        {
            self.stored = None;
            say(
                "the page of --html is longer than what a saved run keeps of it: a run that goes on begins a new one",
            );
        }
    }

    /// A solution is complete.
    pub fn end_solution(&mut self) {
        self.solutions += 1;
        let heading = format!("Solution {}", self.solutions);
        self.write(|page| page.end_section(&heading));
        self.stored
            .iter_mut()
            .for_each(|stored| stored.solutions.push(std::mem::take(&mut stored.current)));
    }

    /// Ends a branch without a solution.
    pub fn end_unfinished(&mut self) {
        self.write(|page| page.end_section("Unfinished"));
    }

    /// Begins a section after the solutions.
    pub fn begin_section(&mut self, heading: &str) {
        if self.section.is_some() {
            self.end_unfinished();
        }
        self.write(|page| {
            page.file()?
                .write(|file| html::write_section(heading, &[], file))
        });
    }

    /// Puts a piece after the latest section.
    pub fn put_after_section(&mut self, piece: &Piece) {
        self.write(|page| page.write_piece(piece));
    }

    /// Gives the file its name, which is returned; `None` if there is nothing to show.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub fn finish(&mut self) -> Result<Option<&Path>, Stop> {
        if self.section.is_some() {
            self.end_unfinished();
        }
        if self.is_empty() {
            return Ok(None);
        }
        self.write(|page| {
            let Some(mut file) = page.file.take() else {
                return Ok(());
            };
            file.write(|file| file.write_all(html::END.as_bytes()))?;
            file.finish()
        });
        match self.lost.take() {
            Some(stop) => Err(stop),
            None => Ok(self.path.as_deref()),
        }
    }

    /// Writes while the file exists and no write has failed.
    fn write(&mut self, write: impl FnOnce(&mut Page) -> Result<(), Stop>) {
        if self.path.is_some()
            && self.lost.is_none()
            && let Err(stop) = write(self)
        {
            self.lost = Some(stop);
        }
    }

    fn file(&mut self) -> Result<&mut GrowingFile, Stop> {
        if self.file.is_none() {
            let mut file = GrowingFile::begin(self.path.as_deref().unwrap_or(Path::new("")))?;
            file.write(|file| file.write_all(html::begin(&self.title).as_bytes()))?;
            self.file = Some(file);
        }
        self.file
            .as_mut()
            .ok_or_else(|| Stop::error("the page is closed"))
    }

    fn open_section(&mut self) -> Result<(), Stop> {
        if self.section.is_none() {
            let file = self.file()?;
            let at = file.end()?;
            file.write(|file| file.write_all(padded_heading("").as_bytes()))?;
            self.section = Some(at);
        }
        Ok(())
    }

    fn write_piece(&mut self, piece: &Piece) -> Result<(), Stop> {
        self.file()?
            .write(|file| html::write_section("", std::slice::from_ref(piece), file))
    }

    /// A page with one section needs no headings: the first gets its own when the second is complete.
    fn end_section(&mut self, heading: &str) -> Result<(), Stop> {
        self.open_section()?;
        let Some(at) = self.section.take() else {
            return Ok(());
        };
        match self.first {
            None => self.first = Some(at),
            Some(first) => {
                let file = self.file()?;
                file.write_over(first, padded_heading("Solution 1").as_bytes())?;
                file.write_over(at, padded_heading(heading).as_bytes())?;
            }
        }
        Ok(())
    }

    /// Writes down what it shows, for [`Page::take_state`].
    pub fn put_state<'a>(&'a self, fields: &mut Fields<'a>) {
        fields.bytes(self.title.as_bytes());
        let (solutions, current): (&[Vec<Piece>], &[Piece]) = self
            .stored
            .as_ref()
            .map_or((&[], &[]), |stored| (&stored.solutions, &stored.current));
        fields.number(solutions.len() as u64);
        solutions
            .iter()
            .for_each(|pieces| put_pieces(fields, pieces));
        put_pieces(fields, current);
    }

    /// Restores a saved page, in place of this one; `None` if these bytes are invalid.
    pub fn take_state(reader: &mut StateReader<'_>, replaced: Option<Page>) -> Option<Page> {
        let title = reader.text()?;
        let (solutions, current) = (reader.list(take_pieces)?, take_pieces(reader)?);
        let most_stored = replaced.as_ref().map_or(Some(MOST_STORED_BYTES), |page| {
            page.stored.as_ref().map(|most_stored| most_stored.most)
        });
        let path = replaced.and_then(|page| page.path);
        let mut page = Page {
            path,
            ..Page::new(PathBuf::new(), title, most_stored)
        };
        for pieces in solutions {
            pieces.into_iter().for_each(|piece| page.put(piece));
            page.end_solution();
        }
        current.into_iter().for_each(|piece| page.put(piece));
        Some(page)
    }
}

/// A heading, padded to the length of the longest one.
fn padded_heading(heading: &str) -> String {
    let heading = if heading.is_empty() {
        String::new()
    } else {
        format!("<h2>{heading}</h2>")
    };
    format!("{heading:HEADING$}\n")
}

/// Writes the pieces of a page into a saved state.
fn put_pieces<'a>(fields: &mut Fields<'a>, pieces: &'a [Piece]) {
    fields.number(pieces.len() as u64);
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                fields.number(0);
                fields.bytes(text.as_bytes());
            }
            Piece::Image {
                png,
                width,
                height,
                name,
            } => {
                fields.number(1);
                fields.bytes(name.as_bytes());
                fields.bytes(png);
                fields.number((*width).into());
                fields.number((*height).into());
            }
        }
    }
}

/// Reads the pieces of a page from a saved state.
fn take_pieces(reader: &mut StateReader<'_>) -> Option<Vec<Piece>> {
    reader.list(|reader| match reader.number()? {
        0 => Some(Piece::Text(reader.text()?)),
        1 => {
            let name = reader.text()?;
            let png = reader.bytes()?.to_vec();
            let (width, height) = (
                reader.number()?.try_into().ok()?,
                reader.number()?.try_into().ok()?,
            );
            Some(Piece::Image {
                png,
                width,
                height,
                name,
            })
        }
        _ => None,
    })
}
