//! Where the text and the pictures of solutions go: standard output, PNG files, a web page.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ndscript::counted::counted;
use ndscript::picture::Picture;
use ndscript::tiles::Tiles;
use ndscript::{PlacedPicture, Record, Snapshot};
use ndscript_render::html::Piece;
use ndscript_render::{Canvas, RenderOptions};

use super::page::{MOST_STORED_BYTES, Page};
use super::tiled::{self, Form, Target};
use crate::arguments::options::RunOptions;
use crate::exit::{Exit, Stop};
use crate::files;
use crate::files::save::{save, save_unnamed};
use crate::runs::stopped::{Fields, StateReader};
use crate::runs::unfinished;
use crate::terminal::interrupt;
use crate::terminal::pixels::{self, Protocol};
use crate::terminal::preview::{PROMPT, Size, cells, shown};
use crate::terminal::stdout;
use crate::terminal::{self, in_one_line, say};

/// Takes what a run prints and puts it where the options say.
pub struct Output {
    tiles: Tiles,
    render: RenderOptions,
    shows_pictures: bool,
    protocol: Protocol,
    at_line_start: bool,
    /// The name of pictures without extension.
    script_name: OsString,
    folder: PathBuf,
    first_png: Option<PathBuf>,
    pictures: u64,
    /// If `first_png` names the first picture: the folder and the stem of the names of the others.
    named_after: Option<(PathBuf, OsString)>,
    /// The number of pictures before the first that `first_png` names.
    numbered_from: u64,
    page: Option<Page>,
    /// Whether pictures are written as SVG, too.
    writes_svg: bool,
    /// Files for the map editor Tiled.
    maps: Vec<Target>,
    /// Whether unfinished or lost output may exist.
    has_lost: bool,
    /// When the time for drawing is over.
    deadline: Option<Instant>,
}

/// Minimum drawing time for unfinished output, even after the deadline.
const GRACE: Duration = Duration::from_millis(500);

/// The drawing limits follow from those of the run: 16 bytes a pixel.
pub fn render_options(options: &RunOptions) -> RenderOptions {
    let default = RenderOptions::default();
    let max_pixels = options
        .limits
        .memory
        .max_memory
        .map_or(default.max_pixels, |bytes| (bytes / 16).max(1 << 16));
    RenderOptions {
        tile_size: options.tiles.tile_size,
        max_pixels,
    }
}

/// The files for the map editor Tiled that are wanted.
pub fn maps(options: &RunOptions) -> Vec<Target> {
    let target = |path: &Option<PathBuf>, form| {
        path.clone().map(|path| Target {
            form,
            path,
            written: 0,
        })
    };
    target(&options.tmx, Form::Tmx)
        .into_iter()
        .chain(target(&options.tiled_json, Form::Json))
        .collect()
}

/// Whether nothing more is drawn of what is shown although the run is over.
fn is_late(started: Instant, deadline: Option<Instant>) -> bool {
    let is_over =
        || interrupt::pressed() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    started.elapsed() >= GRACE && is_over()
}

/// The caption of a recorded picture.
fn caption(at: usize, snapshot: &Snapshot) -> String {
    let words = if snapshot.caption.is_empty() {
        String::new()
    } else {
        format!(": {}", snapshot.caption)
    };
    format!(
        "{}{words}{}",
        at + 1,
        if snapshot.is_dead {
            " (a dead end)"
        } else {
            ""
        }
    )
}

impl Output {
    pub fn new(options: &RunOptions, tiles: Tiles) -> Output {
        let standard_input = files::is_standard_input(&options.program.file);
        let stem = if standard_input {
            None
        } else {
            options.program.file.file_stem()
        };
        let script_name = stem.unwrap_or(OsStr::new("stdin")).to_os_string();
        let title = script_name.to_string_lossy();
        let memory = options
            .limits
            .memory
            .max_memory
            .and_then(|bytes| usize::try_from(bytes).ok());
        let most_stored = options
            .save
            .is_some()
            .then(|| memory.map_or(MOST_STORED_BYTES, |bytes| MOST_STORED_BYTES.min(bytes / 8)));
        let page = options
            .html
            .clone()
            .map(|path| Page::new(path, title.into_owned(), most_stored));
        Output {
            tiles,
            render: render_options(options),
            shows_pictures: terminal::shows_pictures(options.screen),
            protocol: pixels::protocol(options.screen.preview),
            at_line_start: true,
            script_name,
            folder: options.out.clone(),
            named_after: options
                .png
                .as_deref()
                .filter(|_| options.out == Path::new("."))
                .and_then(stem_of),
            first_png: options.png.clone(),
            pictures: 0,
            numbered_from: 0,
            page,
            writes_svg: options.svg,
            maps: maps(options),
            has_lost: false,
            deadline: None,
        }
    }

    /// The state of the output, for [`Output::restore_state`].
    pub fn state(&self) -> Vec<u8> {
        let mut fields = Fields::default();
        fields.number(self.at_line_start.into());
        fields.number(self.pictures);
        fields.option(self.page.as_ref(), |fields, page| page.put_state(fields));
        fields.into_bytes()
    }

    /// Restores the state of an earlier output; `None` if these bytes are invalid.
    pub fn restore_state(&mut self, state: &[u8]) -> Option<()> {
        let mut reader = StateReader(state);
        self.at_line_start = reader.number()? == 1;
        self.pictures = reader.number()?;
        self.numbered_from = self.pictures;
        let unused_page = &mut self.page;
        if let Some(page) = reader.option(|reader| Page::take_state(reader, unused_page.take()))? {
            self.page = Some(page);
        }
        reader.0.is_empty().then_some(())
    }

    /// Whether a page is being made that will not be written.
    pub fn has_unnamed_page(&self) -> bool {
        self.page.as_ref().is_some_and(Page::is_unnamed)
    }

    /// Whether something could not be put out, so that it would be missing if the run went on.
    pub fn has_lost(&self) -> bool {
        self.has_lost
    }

    /// Pictures are drawn up to this moment.
    pub fn draw_until(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Whether a picture may be drawn now, `before` others of `all`.
    fn may_draw(&self, before: usize, all: usize) -> Result<(), Stop> {
        if interrupt::pressed() {
            return Err(Stop {
                message: "interrupted".to_string(),
                exit: Exit::Interrupted,
            });
        }
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(Stop::limit(format!(
                "stopped while the pictures of a solution were drawn, {before} of {all}: the time that --timeout allows \
                 is over"
            )));
        }
        Ok(())
    }

    /// Puts out text and, at these byte offsets in it, pictures.
    pub fn put(&mut self, text: &str, pictures: &[PlacedPicture]) -> Result<(), Stop> {
        let mut done = 0;
        self.has_lost = true;
        for (at, (offset, picture)) in pictures.iter().enumerate() {
            self.may_draw(at, pictures.len())?;
            let next = (*offset).clamp(done, text.len());
            self.put_text(text.get(done..next).unwrap_or_default())?;
            done = next;
            self.put_picture(picture)?;
        }
        self.put_text(text.get(done..).unwrap_or_default())?;
        self.has_lost = false;
        stdout::flush()
    }

    /// Begins a new line before a question, so that on a terminal it does not follow printed text.
    pub fn before_question(&mut self) -> Result<(), Stop> {
        if !self.at_line_start && io::stdout().is_terminal() {
            stdout::write_text("\n")?;
            self.at_line_start = true;
        }
        stdout::flush()
    }

    /// Ends the text of a solution; with a line `---` where the solutions are counted.
    pub fn end_solution(&mut self, separated: bool) -> Result<(), Stop> {
        if let Some(page) = &mut self.page {
            page.end_solution();
        }
        if separated {
            stdout::write_text(if self.at_line_start {
                "---\n"
            } else {
                "\n---\n"
            })?;
        } else if !self.at_line_start && io::stdout().is_terminal() {
            // The shell's prompt must not follow on the same line.
            stdout::write_text("\n")?;
        }
        self.at_line_start = true;
        stdout::flush()
    }

    /// Shows a branch without a solution: the end of its text on standard error, and with the pictures on the web page.
    pub fn unfinished(&mut self, when: &str, text: &str, pictures: &[PlacedPicture]) {
        if text.is_empty() && pictures.is_empty() {
            return;
        }
        let marked = format!("printed {when}:");
        say(&marked);
        say(&unfinished::end_of(text));
        if !pictures.is_empty() {
            let count = counted(pictures.len(), "picture");
            let hint = if self.page.is_some() {
                ""
            } else {
                "; `--html FILE` shows what was unfinished"
            };
            say(&format!("(and {count}{hint})"));
        }
        let Some(page) = &mut self.page else { return };
        page.put(Piece::Text(marked));
        // Show as much text as a terminal does.
        let mut done = unfinished::shown_from(text);
        if done > 0 {
            page.put(Piece::Text("...\n".to_string()));
        }
        let started = Instant::now();
        for (at, (offset, picture)) in pictures.iter().enumerate() {
            if is_late(started, self.deadline) {
                page.put(Piece::Text(format!(
                    "\n(and {})\n",
                    counted(pictures.len() - at, "more picture")
                )));
                break;
            }
            let next = (*offset).clamp(done, text.len());
            page.put(Piece::Text(
                text.get(done..next).unwrap_or_default().to_string(),
            ));
            done = next;
            // A picture that cannot be drawn has its message elsewhere, or comes too late for one.
            if let Ok(canvas) = ndscript_render::draw(picture, &self.tiles, &self.render) {
                let (width, height) = (canvas.width(), canvas.height());
                page.put(Piece::Image {
                    png: canvas.to_png(),
                    width,
                    height,
                    name: picture.in_words(),
                });
            }
        }
        page.put(Piece::Text(
            text.get(done..).unwrap_or_default().to_string(),
        ));
        page.end_unfinished();
    }

    /// Writes the web page, if one is wanted and there is something on it.
    pub fn finish(&mut self, record: &Record) -> Result<(), Stop> {
        let Some(mut page) = self.page.take() else {
            return Ok(());
        };
        let has_recorded = !record.snapshots().is_empty() && !page.is_unnamed();
        let recorded = if has_recorded {
            self.put_recorded(&mut page, record)
        } else {
            Ok(())
        };
        let finished = page.finish().map(|path| path.map(Path::to_path_buf));
        self.page = Some(page);
        if let Some(path) = finished? {
            say(&format!("wrote {}", path.display()));
        }
        recorded
    }

    /// The pictures of a record, each with its caption.
    fn put_recorded(&self, page: &mut Page, record: &Record) -> Result<(), Stop> {
        page.begin_section("Recorded on the way");
        let snapshots = record.snapshots();
        let started = Instant::now();
        for (at, snapshot) in snapshots.iter().enumerate() {
            if is_late(started, self.deadline) {
                let more = counted(snapshots.len() - at, "more picture");
                page.put_after_section(&Piece::Text(format!(
                    "(and {more}, for which there was no time)"
                )));
                break;
            }
            let canvas = self.draw_recorded(snapshot)?;
            page.put_after_section(&Piece::Text(caption(at, snapshot)));
            let (width, height) = (canvas.width(), canvas.height());
            let name = snapshot.picture.in_words();
            page.put_after_section(&Piece::Image {
                png: canvas.to_png(),
                width,
                height,
                name,
            });
        }
        if record.left_out() > 0 {
            page.put_after_section(&Piece::Text(format!(
                "{} more were not kept",
                record.left_out()
            )));
        }
        Ok(())
    }

    /// A recorded picture; that of a dead end has a red frame.
    fn draw_recorded(&self, snapshot: &Snapshot) -> Result<Canvas, Stop> {
        let drawn = ndscript_render::draw_to_fit(&snapshot.picture, &self.tiles, &self.render);
        let (mut canvas, _) =
            drawn.map_err(|why| Stop::error(format!("cannot draw a picture: {why}")))?;
        if snapshot.is_dead {
            canvas.mark_dead();
        }
        Ok(canvas)
    }

    /// Writes the pictures of a record into a folder, with a list of their captions.
    pub fn write_recorded(&self, record: &Record, folder: &Path) -> Result<(), Stop> {
        let snapshots = record.snapshots();
        let digits = snapshots.len().to_string().len().max(3);
        let (mut written, mut captions) = (0, String::new());
        let started = Instant::now();
        for (at, snapshot) in snapshots.iter().enumerate() {
            if is_late(started, self.deadline) {
                break;
            }
            let name = format!("{:0digits$}.png", at + 1);
            save_unnamed(&folder.join(&name), &self.draw_recorded(snapshot)?.to_png())?;
            captions += &format!("{name}  {}\n", in_one_line(&caption(at, snapshot)));
            written += 1;
        }
        save_unnamed(&folder.join("captions.txt"), captions.as_bytes())?;
        let count = counted(written, "picture");
        let too_late = match snapshots.len() - written {
            0 => String::new(),
            number => format!("; there was no time for {number} more"),
        };
        let left_out = match record.left_out() {
            0 => String::new(),
            number => format!("; {number} more were not kept"),
        };
        say(&format!(
            "wrote {count} to {}{too_late}{left_out}",
            folder.display()
        ));
        Ok(())
    }

    fn put_text(&mut self, text: &str) -> Result<(), Stop> {
        if text.is_empty() {
            return Ok(());
        }
        self.at_line_start = text.ends_with('\n');
        if let Some(page) = &mut self.page {
            page.put(Piece::Text(text.to_string()));
        }
        stdout::write_text(text)
    }

    /// Shows a picture and writes it to its file.
    fn put_picture(&mut self, picture: &Picture) -> Result<(), Stop> {
        let drawn = ndscript_render::draw_to_fit(picture, &self.tiles, &self.render);
        let (canvas, smaller) = drawn.map_err(|why| Stop::undrawn(&why))?;
        if let Some(size) = smaller {
            let (columns, rows) = cells(picture);
            say(&format!(
                "the map of {columns} x {rows} cells is drawn with cells of {size} x {size} pixels, so that it is not too large"
            ));
        }
        if self.shows_pictures {
            self.show(picture, &canvas)?;
        }
        let png = canvas.to_png();
        let is_named = self.first_png.is_some() && self.pictures == self.numbered_from;
        let path = self.next_png();
        if is_named {
            save(&path, &png)
        } else {
            save_unnamed(&path, &png)
        }?;
        say(&format!("wrote {}", path.display()));
        if self.writes_svg {
            let drawing = ndscript_render::draw_svg(picture, &self.tiles, &self.render)
                .map_err(|why| Stop::undrawn(&why))?;
            let path = path.with_extension("svg");
            if is_named {
                save(&path, drawing.as_bytes())
            } else {
                save_unnamed(&path, drawing.as_bytes())
            }?;
            say(&format!("wrote {}", path.display()));
        }
        if let Some(written) = tiled::draw_all(&mut self.maps, picture, &self.tiles, &self.render)?
        {
            for (path, bytes) in &written.files {
                save(path, bytes)?;
                say(&format!("wrote {}", path.display()));
            }
            if written.undecided > 0 {
                let are = if written.undecided == 1 { "is" } else { "are" };
                let cells = counted(written.undecided, "cell");
                say(&format!(
                    "{cells} {are} undecided: there is no tile in the map"
                ));
            }
        }
        if let Some(page) = &mut self.page {
            let (width, height) = (canvas.width(), canvas.height());
            page.put(Piece::Image {
                png,
                width,
                height,
                name: picture.in_words(),
            });
        }
        Ok(())
    }

    fn show(&mut self, picture: &Picture, canvas: &Canvas) -> Result<(), Stop> {
        if !self.at_line_start {
            stdout::write_text("\n")?;
        }
        self.at_line_start = true;
        stdout::write_styled(&shown(
            self.protocol,
            Size::Window,
            picture,
            canvas,
            PROMPT,
            &self.tiles,
        ))?;
        stdout::flush()
    }

    /// Says that the file for the first picture was not written, as there was none.
    pub fn report_missing_picture(&self) {
        if let Some(path) = &self.first_png {
            say(&format!(
                "no picture was printed, so {} was not written",
                path.display()
            ));
        }
    }

    /// The file of the next picture: `map.png`, `map-2.png`, ... by the name of the program, or of the first picture.
    fn next_png(&mut self) -> PathBuf {
        self.pictures = self.pictures.saturating_add(1);
        if self.pictures == self.numbered_from.saturating_add(1)
            && let Some(path) = self.first_png.take()
        {
            return path;
        }
        let (folder, mut name) = match &self.named_after {
            Some((folder, stem)) => (folder, stem.clone()),
            None => (&self.folder, self.script_name.clone()),
        };
        if self.pictures > 1 {
            name.push(format!("-{}", self.pictures));
        }
        name.push(".png");
        if folder == Path::new(".") {
            name.into()
        } else {
            folder.join(name)
        }
    }
}

/// The folder and the stem of the pictures after the first one, which `--png` names: `map-2.png` beside `map.png`, so that runs with
/// other names do not overwrite one another. A device has no such neighbors, and where `--out` names a folder, they are there.
fn stem_of(first: &Path) -> Option<(PathBuf, OsString)> {
    let is_png = first
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    let folder = first.parent()?;
    let stem = first.file_stem().filter(|_| is_png)?;
    Some((folder.to_path_buf(), stem.to_os_string()))
}
