//! `ndscript dap`: the debugger for editors, on standard input and output. Messages follow the Debug Adapter Protocol,
//! each after a header with its length.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ndscript::diagnostics::Diagnostic;
use ndscript::picture::Picture;
use ndscript::tiles::Tiles;
use ndscript::{Engine, Limits, Run};
use ndscript_dap::{Host, Launch, Session};
use ndscript_render::RenderOptions;
use serde_json::Value;

use crate::arguments::options::DapOptions;
use crate::arguments::{params, seed};
use crate::commands::run;
use crate::exit::{Exit, Stop};
use crate::files::imports::{FileImports, source_limit};
use crate::files::{self, Bounds, FolderTiles};
use crate::interactive::messages::messages;
use crate::terminal;

/// Steps between two looks for messages of the client.
const SLICE: u64 = 1 << 19;

/// How often pictures of a moving run are shown.
const BETWEEN_PICTURES: Duration = Duration::from_millis(200);

/// Serves a client until it leaves.
pub fn dap(_: &DapOptions) -> Result<Exit, Stop> {
    // Reading waits for the client; the run does not.
    let messages = messages();
    let mut session = Session::new(Files::default());
    let mut shown = Instant::now();
    while !session.has_ended() {
        match next(&messages, session.is_moving()) {
            Some(Some(message)) => {
                // A message that is no JSON is ignored; the next one may be a request.
                let message = serde_json::from_slice(&message?).unwrap_or_default();
                write(&session.handle(&message))?;
            }
            Some(None) => write(&session.work(SLICE))?,
            None => break,
        }
        if session.is_moving() && shown.elapsed() >= BETWEEN_PICTURES {
            write(&session.pictures())?;
            shown = Instant::now();
        }
    }
    Ok(Exit::Success)
}

/// The next message; `Some(None)` if there is none yet and the run continues, `None` at the end of input.
fn next<M>(messages: &Receiver<M>, is_moving: bool) -> Option<Option<M>> {
    if !is_moving {
        return messages.recv().ok().map(Some);
    }
    match messages.try_recv() {
        Ok(message) => Some(Some(message)),
        Err(TryRecvError::Empty) => Some(None),
        Err(TryRecvError::Disconnected) => None,
    }
}

fn write(messages: &[Value]) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    for message in messages {
        let text = message.to_string();
        let written = write!(out, "Content-Length: {}\r\n\r\n{text}", text.len());
        if written.and_then(|()| out.flush()).is_err() {
            // The client is gone, so there is nobody to report to.
            return Err(Stop::silent(Exit::Success));
        }
    }
    Ok(())
}

/// Programs are files.
#[derive(Default)]
struct Files {
    /// Those of the program that was launched last.
    tiles: Tiles,
}

impl Host for Files {
    fn launch(&mut self, launch: &Launch) -> Result<Run, String> {
        self.run(launch).map_err(|stop| stop.message)
    }

    fn path(&self, name: &str) -> Option<String> {
        let path = fs::canonicalize(name).ok()?;
        path.is_file().then(|| path.display().to_string())
    }

    fn picture(&self, picture: &Picture) -> Option<String> {
        let options = RenderOptions::default();
        let (canvas, _) = ndscript_render::draw_to_fit(picture, &self.tiles, &options).ok()?;
        Some(format!(
            "data:image/png;base64,{}",
            STANDARD.encode(canvas.to_png())
        ))
    }

    fn is_same_file(&self, one: &str, other: &str) -> bool {
        one == other
            || match (fs::canonicalize(one), fs::canonicalize(other)) {
                (Ok(one), Ok(other)) => one == other,
                _ => false,
            }
    }
}

impl Files {
    /// Makes the run that a launch asks for.
    fn run(&mut self, launch: &Launch) -> Result<Run, Stop> {
        let path = Path::new(&launch.program);
        let arguments: Vec<OsString> = launch
            .params
            .iter()
            .map(|(name, value)| OsString::from(format!("{name}={value}")))
            .collect();
        let params = params::read_all(&arguments, Bounds::of_regular_files())?;
        let text = files::read_regular_text(path)?;
        let folder = files::folder_of(path);
        let import_path: Vec<PathBuf> = launch.import_path.iter().map(PathBuf::from).collect();
        let imports = FileImports::new(folder.clone(), &import_path, None)?;
        let tiles = launch.tiles.iter().map(PathBuf::from);
        let tiles = FolderTiles::new(std::iter::once(folder).chain(tiles))?;
        self.tiles = Tiles::new(tiles);
        let limits = Limits {
            memory: run::memory_limit(None),
            source: source_limit(None),
            steps: launch.max_steps.unwrap_or(Limits::default().steps),
            ..Limits::default()
        };
        let engine = Engine::new()
            .with_limits(limits)
            .with_imports(imports)
            .with_tiles(self.tiles.clone())
            .with_debug(terminal::say);
        let program = engine
            .compile_named(&files::shown_name(path), &text)
            .map_err(|error| {
                let all = error.diagnostics.iter();
                let shown: Vec<String> = all
                    .map(|each: &Diagnostic| each.render(&error.sources, false))
                    .collect();
                Stop::error(shown.join("\n"))
            })?;
        let seed = match &launch.seed {
            Some(text) => seed::read(text).map_err(Stop::error)?,
            None => run::fresh_seed()?,
        };
        Ok(program.run_with(seed, &params))
    }
}
