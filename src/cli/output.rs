//! Where the text and the pictures of solutions go: standard output, PNG files, a web page.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ndscript::counted::counted;
use ndscript::picture::Picture;
use ndscript::render::html::{self, Piece};
use ndscript::render::{self, Canvas, RenderOptions};
use ndscript::tiles::Tiles;
use ndscript::{PlacedPicture, Record, Snapshot};

use super::exit::{Exit, Stop};
use super::options::RunOptions;
use super::pixels::{self, Protocol};
use super::preview::{PROMPT, Size, cells, shown};
use super::save::{save, save_unnamed, save_with};
use super::stdout;
use super::stopped::{Fields, Taken};
use super::terminal::{self, say_text};
use super::tiled::{Form, Target};
use super::unfinished;
use super::{files, interrupt};

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
    /// How many pictures there were before the first that `first_png` names.
    numbered_from: u64,
    page: Option<Page>,
    /// Whether pictures are written as SVG, too.
    writes_svg: bool,
    /// Files for the map editor Tiled.
    maps: Vec<Target>,
    /// Whether something is on its way out, or was lost there.
    has_lost: bool,
    /// When the time for drawing is over.
    deadline: Option<Instant>,
}

/// What came to no solution is drawn for so long, also when the time of the run is over.
const GRACE: Duration = Duration::from_millis(500);

fn put_pieces(fields: &mut Fields, pieces: &[Piece]) {
    fields.number(pieces.len() as u64);
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                fields.number(0);
                fields.bytes(text.as_bytes());
            }
            Piece::Image { png, width, height, name } => {
                fields.number(1);
                fields.bytes(name.as_bytes());
                fields.bytes(png);
                fields.number((*width).into());
                fields.number((*height).into());
            }
        }
    }
}

fn take_pieces(taken: &mut Taken<'_>) -> Option<Vec<Piece>> {
    taken.list(|taken| match taken.number()? {
        0 => Some(Piece::Text(taken.text()?)),
        1 => {
            let name = taken.text()?;
            let png = taken.bytes()?.to_vec();
            let (width, height) = (taken.number()?.try_into().ok()?, taken.number()?.try_into().ok()?);
            Some(Piece::Image { png, width, height, name })
        }
        _ => None,
    })
}

/// What a picture may take while it is drawn goes with what the run may: 16 bytes a pixel.
pub fn render_options(options: &RunOptions) -> RenderOptions {
    let default = RenderOptions::default();
    let max_pixels = options.limits.memory.max_memory.map_or(default.max_pixels, |bytes| (bytes / 16).max(1 << 16));
    RenderOptions { tile_size: options.tiles.tile_size, max_pixels }
}

/// The files for the map editor Tiled that are wanted.
pub fn maps(options: &RunOptions) -> Vec<Target> {
    let target = |path: &Option<PathBuf>, form| path.clone().map(|path| Target { form, path, written: 0 });
    target(&options.tmx, Form::Tmx).into_iter().chain(target(&options.tiled_json, Form::Json)).collect()
}

/// What stands above a recorded picture.
fn caption(at: usize, snapshot: &Snapshot) -> String {
    let words = if snapshot.caption.is_empty() { String::new() } else { format!(": {}", snapshot.caption) };
    format!("{}{words}{}", at + 1, if snapshot.is_dead { " (a dead end)" } else { "" })
}

/// The web page that is being made.
struct Page {
    /// `None` where it goes on from before, and nobody has said yet where it is to be written.
    path: Option<PathBuf>,
    title: String,
    solutions: Vec<Vec<Piece>>,
    /// What the next solution has printed so far.
    current: Vec<Piece>,
}

impl Output {
    pub fn new(options: &RunOptions, tiles: Tiles) -> Output {
        let standard_input = files::is_standard_input(&options.program.file);
        let stem = if standard_input { None } else { options.program.file.file_stem() };
        let script_name = stem.unwrap_or(OsStr::new("stdin")).to_os_string();
        let page = options.html.clone().map(|path| Page {
            path: Some(path),
            title: script_name.to_string_lossy().into_owned(),
            solutions: Vec::new(),
            current: Vec::new(),
        });
        Output {
            tiles,
            render: render_options(options),
            shows_pictures: terminal::shows_pictures(options.screen),
            protocol: pixels::protocol(options.screen.preview),
            at_line_start: true,
            script_name,
            folder: options.out.clone(),
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

    /// How far the output has come, for [`Output::go_on`].
    pub fn state(&self) -> Vec<u8> {
        let mut fields = Fields::default();
        fields.number(self.at_line_start.into());
        fields.number(self.pictures);
        fields.option(self.page.as_ref(), |fields, page| {
            fields.bytes(page.title.as_bytes());
            fields.number(page.solutions.len() as u64);
            page.solutions.iter().for_each(|pieces| put_pieces(fields, pieces));
            put_pieces(fields, &page.current);
        });
        fields.into_bytes()
    }

    /// Goes on where another output had come to; `None` if these bytes do not say where.
    pub fn go_on(&mut self, state: &[u8]) -> Option<()> {
        let mut taken = Taken(state);
        self.at_line_start = taken.number()? == 1;
        self.pictures = taken.number()?;
        self.numbered_from = self.pictures;
        let page = taken.option(|taken| Some((taken.text()?, taken.list(take_pieces)?, take_pieces(taken)?)))?;
        if let Some((title, solutions, current)) = page {
            let path = self.page.take().and_then(|page| page.path);
            self.page = Some(Page { path, title, solutions, current });
        }
        taken.0.is_empty().then_some(())
    }

    /// Whether a page is being made that will not be written.
    pub fn has_unnamed_page(&self) -> bool {
        self.page.as_ref().is_some_and(|page| page.path.is_none())
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
            return Err(Stop { message: "interrupted".to_string(), exit: Exit::Interrupted });
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
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

    /// Makes room for a question, so that on a terminal it does not follow printed text on the same line.
    pub fn before_question(&mut self) -> Result<(), Stop> {
        if !self.at_line_start && io::stdout().is_terminal() {
            stdout::write("\n")?;
            self.at_line_start = true;
        }
        stdout::flush()
    }

    /// Ends the text of a solution; with a line `---` where the solutions are counted.
    pub fn end_solution(&mut self, separated: bool) -> Result<(), Stop> {
        if let Some(page) = &mut self.page {
            page.solutions.push(std::mem::take(&mut page.current));
        }
        if separated {
            stdout::write(if self.at_line_start { "---\n" } else { "\n---\n" })?;
        } else if !self.at_line_start && io::stdout().is_terminal() {
            // The shell's prompt is not to follow on the same line.
            stdout::write("\n")?;
        }
        self.at_line_start = true;
        stdout::flush()
    }

    /// Shows what came to no solution: the end of its text on standard error, and with the pictures on the web page.
    pub fn unfinished(&mut self, when: &str, text: &str, pictures: &[PlacedPicture]) {
        if text.is_empty() && pictures.is_empty() {
            return;
        }
        let marked = format!("printed {when}:");
        say_text(&marked);
        say_text(&unfinished::end_of(text));
        if !pictures.is_empty() {
            let count = counted(pictures.len(), "picture");
            let hint = if self.page.is_some() { "" } else { "; `--html FILE` shows what was unfinished" };
            say_text(&format!("(and {count}{hint})"));
        }
        let Some(mut pieces) = self.page.as_mut().map(|page| std::mem::take(&mut page.current)) else { return };
        pieces.insert(0, Piece::Text(marked));
        // Of the text as much as a terminal shows.
        let mut done = unfinished::shown_from(text);
        if done > 0 {
            pieces.push(Piece::Text("...\n".to_string()));
        }
        let begun = Instant::now();
        for (at, (offset, picture)) in pictures.iter().enumerate() {
            if begun.elapsed() >= GRACE && self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                pieces.push(Piece::Text(format!("\n(and {})\n", counted(pictures.len() - at, "more picture"))));
                break;
            }
            let next = (*offset).clamp(done, text.len());
            pieces.push(Piece::Text(text.get(done..next).unwrap_or_default().to_string()));
            done = next;
            // What cannot be drawn has its message elsewhere, or comes too late for one.
            if let Ok(canvas) = render::draw(picture, &self.tiles, &self.render) {
                let (width, height) = (canvas.width(), canvas.height());
                pieces.push(Piece::Image { png: canvas.to_png(), width, height, name: picture.in_words() });
            }
        }
        pieces.push(Piece::Text(text.get(done..).unwrap_or_default().to_string()));
        if let Some(page) = &mut self.page {
            page.solutions.push(pieces);
        }
    }

    /// Writes the web page, if one is wanted and there was a solution.
    pub fn finish(&mut self, record: &Record) -> Result<(), Stop> {
        let has_recorded = !record.snapshots().is_empty();
        let Some(page) = self.page.as_ref().filter(|page| !page.solutions.is_empty() || has_recorded) else {
            return Ok(());
        };
        let Some(path) = &page.path else { return Ok(()) };
        let recorded = if has_recorded { self.recorded(record)? } else { Vec::new() };
        save_with(path, |file| {
            file.write_all(html::begin(&page.title).as_bytes())?;
            html::write_solutions(&page.solutions, file)?;
            if has_recorded {
                html::write_section("Recorded on the way", &recorded, file)?;
            }
            file.write_all(html::END.as_bytes())
        })?;
        say_text(&format!("wrote {}", path.display()));
        Ok(())
    }

    /// The pictures of a record, each with its caption.
    fn recorded(&self, record: &Record) -> Result<Vec<Piece>, Stop> {
        let mut pieces = Vec::new();
        for (at, snapshot) in record.snapshots().iter().enumerate() {
            let canvas = self.draw_recorded(snapshot)?;
            pieces.push(Piece::Text(caption(at, snapshot)));
            let (width, height) = (canvas.width(), canvas.height());
            pieces.push(Piece::Image { png: canvas.to_png(), width, height, name: snapshot.picture.in_words() });
        }
        if record.left_out() > 0 {
            pieces.push(Piece::Text(format!("{} more were not kept", record.left_out())));
        }
        Ok(pieces)
    }

    /// A recorded picture; that of a dead end has a red frame.
    fn draw_recorded(&self, snapshot: &Snapshot) -> Result<Canvas, Stop> {
        let drawn = render::draw_to_fit(&snapshot.picture, &self.tiles, &self.render);
        let (mut canvas, _) = drawn.map_err(|why| Stop::error(format!("cannot draw a picture: {why}")))?;
        if snapshot.is_dead {
            canvas.mark_dead();
        }
        Ok(canvas)
    }

    /// Writes the pictures of a record into a folder, with a list of their captions.
    pub fn write_recorded(&self, record: &Record, folder: &Path) -> Result<(), Stop> {
        let snapshots = record.snapshots();
        let digits = snapshots.len().to_string().len().max(3);
        let mut captions = String::new();
        for (at, snapshot) in snapshots.iter().enumerate() {
            let name = format!("{:0digits$}.png", at + 1);
            save_unnamed(&folder.join(&name), &self.draw_recorded(snapshot)?.to_png())?;
            captions += &format!("{name}  {}\n", caption(at, snapshot));
        }
        save_unnamed(&folder.join("captions.txt"), captions.as_bytes())?;
        let count = counted(snapshots.len(), "picture");
        let left_out = match record.left_out() {
            0 => String::new(),
            number => format!("; {number} more were not kept"),
        };
        say_text(&format!("wrote {count} to {}{left_out}", folder.display()));
        Ok(())
    }

    fn put_text(&mut self, text: &str) -> Result<(), Stop> {
        if text.is_empty() {
            return Ok(());
        }
        self.at_line_start = text.ends_with('\n');
        if let Some(page) = &mut self.page {
            page.current.push(Piece::Text(text.to_string()));
        }
        stdout::write_text(text)
    }

    fn put_picture(&mut self, picture: &Picture) -> Result<(), Stop> {
        let drawn = render::draw_to_fit(picture, &self.tiles, &self.render);
        let (canvas, smaller) = drawn.map_err(|why| Stop::undrawn(&why))?;
        if let Some(size) = smaller {
            let (columns, rows) = cells(picture);
            say_text(&format!(
                "the map of {columns} x {rows} cells is drawn with cells of {size} x {size} pixels, so that it is not too large"
            ));
        }
        if self.shows_pictures {
            self.show(picture, &canvas)?;
        }
        let png = canvas.to_png();
        let is_named = self.first_png.is_some() && self.pictures == self.numbered_from;
        let path = self.next_png();
        if is_named { save(&path, &png) } else { save_unnamed(&path, &png) }?;
        say_text(&format!("wrote {}", path.display()));
        if self.writes_svg {
            let drawing = render::draw_svg(picture, &self.tiles, &self.render).map_err(|why| Stop::undrawn(&why))?;
            let path = path.with_extension("svg");
            if is_named { save(&path, drawing.as_bytes()) } else { save_unnamed(&path, drawing.as_bytes()) }?;
            say_text(&format!("wrote {}", path.display()));
        }
        for target in &mut self.maps {
            let Some(written) = target.draw(picture, &self.tiles, &self.render)? else { continue };
            for (path, bytes) in &written.files {
                save(path, bytes)?;
                say_text(&format!("wrote {}", path.display()));
            }
            if written.undecided > 0 {
                let are = if written.undecided == 1 { "is" } else { "are" };
                let cells = counted(written.undecided, "cell");
                say_text(&format!("{cells} {are} undecided: there is no tile in the map"));
            }
        }
        if let Some(page) = &mut self.page {
            let (width, height) = (canvas.width(), canvas.height());
            page.current.push(Piece::Image { png, width, height, name: picture.in_words() });
        }
        Ok(())
    }

    fn show(&mut self, picture: &Picture, canvas: &Canvas) -> Result<(), Stop> {
        if !self.at_line_start {
            stdout::write("\n")?;
        }
        self.at_line_start = true;
        stdout::write(&shown(self.protocol, Size::Window, picture, canvas, PROMPT, &self.tiles))?;
        stdout::flush()
    }

    /// The file of the next picture: `map.png`, `map-2.png`, ...
    fn next_png(&mut self) -> PathBuf {
        self.pictures = self.pictures.saturating_add(1);
        if self.pictures == self.numbered_from.saturating_add(1)
            && let Some(path) = self.first_png.take()
        {
            return path;
        }
        let mut name = self.script_name.clone();
        if self.pictures > 1 {
            name.push(format!("-{}", self.pictures));
        }
        name.push(".png");
        if self.folder == Path::new(".") { name.into() } else { self.folder.join(name) }
    }
}
