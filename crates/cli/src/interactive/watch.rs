//! `ndscript watch`: runs a program again whenever a file of it changes, beside an editor.

mod files;
mod screen;
mod search;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ndscript::tiles::Tiles;
use ndscript::{CancelToken, Engine, Limits, Param, Program, Run};

use crate::arguments::options::WatchFileOptions;
use crate::arguments::params;
use crate::commands::run;
use crate::exit::{Exit, Stop};
use crate::files::imports::{FileImports, source_limit};
use crate::files::save::save;
use crate::files::{self as reading, Bounds, FolderTiles};
use crate::terminal;
use files::Watched;
use screen::{Problem, Screen, View};
use search::{Found, Searched, search};

/// An event that the loop handles.
enum WatchEvent {
    Key(KeyCode, KeyModifiers),
    /// The window has another size.
    Resized,
    /// A file of the program may have changed.
    Changed,
    /// The search of this number has ended.
    Searched(u64, Box<Searched>),
}

/// How long changes are gathered: an editor may write a file in several goes.
const QUIET_TIME: Duration = Duration::from_millis(60);

/// Watches until a key ends it.
pub fn watch(options: &WatchFileOptions) -> Result<Exit, Stop> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Stop::error(
            "`ndscript watch` needs a terminal\n`ndscript run FILE` runs a program once",
        ));
    }
    if reading::is_standard_input(&options.program.file) {
        return Err(Stop::error("standard input cannot be watched: name a file"));
    }
    let bounds = Bounds::new(options.limits.memory.max_memory, options.limits.timeout);
    let params = params::read_all(&options.program.params, bounds)?;
    let seed = match options.program.seed {
        Some(seed) => seed,
        None => run::fresh_seed()?,
    };
    let (sender, receiver) = mpsc::channel();
    let watched = Watched::new(sender.clone())?;
    let screen = Screen::new(options)?;
    let keys = sender.clone();
    thread::spawn(move || read_keys(&keys));
    let mut watcher = Watcher {
        options,
        params,
        seed,
        sender,
        watched,
        screen,
        token: CancelToken::new(),
        searches: 0,
        run: None,
        view: View::new(options),
        written: 0,
    };
    watcher.start();
    // The first search may take long, or nothing may come of the program at all.
    watcher.screen.show(&watcher.view);
    watcher.attend(&receiver)
}

fn read_keys(sender: &Sender<WatchEvent>) {
    while let Ok(event) = event::read() {
        let happening = match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                WatchEvent::Key(key.code, key.modifiers)
            }
            Event::Resize(..) => WatchEvent::Resized,
            _ => continue,
        };
        if sender.send(happening).is_err() {
            return;
        }
    }
}

struct Watcher<'a> {
    options: &'a WatchFileOptions,
    params: Vec<(String, Param)>,
    seed: u64,
    sender: Sender<WatchEvent>,
    watched: Watched,
    screen: Screen,
    /// Stops the current search.
    token: CancelToken,
    /// The number of the latest search: what earlier ones find is of no interest any more.
    searches: u64,
    /// The run that has found what is shown, for the next solution.
    run: Option<Run>,
    view: View,
    /// Pictures that were written.
    written: u64,
}

impl Watcher<'_> {
    /// Handles keys and changes of files until the person leaves.
    fn attend(&mut self, receiver: &Receiver<WatchEvent>) -> Result<Exit, Stop> {
        while let Ok(happening) = receiver.recv() {
            match happening {
                WatchEvent::Key(code, modifiers) => {
                    if self.press(code, modifiers) {
                        break;
                    }
                }
                WatchEvent::Resized => {}
                WatchEvent::Changed => {
                    let mut others = Vec::new();
                    while let Ok(next) = receiver.recv_timeout(QUIET_TIME) {
                        if !matches!(next, WatchEvent::Changed) {
                            others.push(next);
                        }
                    }
                    self.start();
                    for other in others {
                        match other {
                            WatchEvent::Key(code, modifiers) if self.press(code, modifiers) => {
                                return Ok(self.end());
                            }
                            WatchEvent::Searched(number, searched) => {
                                self.searched(number, *searched)
                            }
                            _ => {}
                        }
                    }
                }
                WatchEvent::Searched(number, searched) => self.searched(number, *searched),
            }
            self.screen.show(&self.view);
        }
        Ok(self.end())
    }

    fn end(&mut self) -> Exit {
        self.token.cancel();
        Exit::Success
    }

    /// Handles a key; true if the command is to end.
    fn press(&mut self, code: KeyCode, modifiers: KeyModifiers) -> bool {
        match code {
            KeyCode::Char('c' | 'd') if modifiers.contains(KeyModifiers::CONTROL) => return true,
            KeyCode::Char('q') | KeyCode::Esc => return true,
            KeyCode::Char('n') | KeyCode::Char(' ') => self.next(),
            KeyCode::Char('s') => match run::fresh_seed() {
                Ok(seed) => {
                    self.seed = seed;
                    self.start();
                }
                Err(stop) => self.view.remark = stop.message,
            },
            KeyCode::Char('r') => self.start(),
            KeyCode::Char('p') => self.write_pictures(),
            _ => {}
        }
        false
    }

    /// Compiles the program as it is now, and searches for its first solution.
    fn start(&mut self) {
        self.token.cancel();
        self.searches += 1;
        self.run = None;
        self.view.begin(self.seed);
        let (program, tiles) = match self.compile() {
            Ok(compiled) => compiled,
            Err(problem) => {
                self.view.fail(problem);
                return;
            }
        };
        self.view.remark = params::unknown(&self.params, &program)
            .into_iter()
            .next()
            .unwrap_or_default();
        self.view.set_program(program.clone(), tiles);
        let run = program.run_with(self.seed, &self.params);
        self.search(run);
    }

    fn search(&mut self, mut run: Run) {
        self.token = CancelToken::new();
        run.set_cancel_token(&self.token);
        let (number, sender, limits) = (self.searches, self.sender.clone(), self.options.limits);
        thread::spawn(move || {
            sender.send(WatchEvent::Searched(number, Box::new(search(run, limits))))
        });
    }

    fn searched(&mut self, number: u64, searched: Searched) {
        if number != self.searches {
            return;
        }
        if matches!(searched.found, Found::Solution(_)) {
            self.run = Some(searched.run);
        }
        self.view.searched(
            searched.found,
            (searched.text, searched.pictures),
            searched.time,
        );
    }

    fn next(&mut self) {
        let Some(run) = self.run.take() else { return };
        self.searches += 1;
        self.view.search_on();
        self.search(run);
    }

    /// Reads and compiles the program anew, and watches the folders that it is in.
    fn compile(&mut self) -> Result<(Program, Tiles), Problem> {
        let problem = |stop: Stop| Problem::in_words(&stop.message);
        let file = &self.options.program.file;
        let memory = self.options.limits.memory.max_memory;
        let folder = reading::folder_of(file);
        let folders: Vec<PathBuf> = std::iter::once(folder.clone())
            .chain(self.options.tiles.tiles.iter().cloned())
            .collect();
        // Whatever is wrong with the program, its next version is waited for.
        self.watched.watch(
            folders
                .iter()
                .chain(&self.options.imports.import_path)
                .cloned(),
        );
        let text = reading::read_program(file, Bounds::new(memory, None)).map_err(problem)?;
        let tiles = FolderTiles::new(folders).map_err(problem)?.within(memory);
        let tiles = Tiles::new(tiles);
        let imports =
            FileImports::new(folder, &self.options.imports.import_path, memory).map_err(problem)?;
        let limits = Limits {
            memory: run::memory_limit(memory),
            source: source_limit(memory),
            ..Limits::default()
        };
        // Output of `debug` has no place on the screen.
        let engine = Engine::new()
            .with_limits(limits)
            .with_tiles(tiles.clone())
            .with_imports(imports);
        let columns = terminal::size().0 as usize;
        match engine.compile_named(&reading::shown_name(file), &text) {
            Ok(program) => {
                let files = program
                    .sources()
                    .files()
                    .iter()
                    .map(|file| reading::folder_of(file.name.as_ref().as_ref()));
                self.watched.watch(files.collect::<Vec<_>>());
                Ok((program, tiles))
            }
            Err(error) => {
                let messages = error
                    .diagnostics
                    .iter()
                    .map(|each| each.render_in(&error.sources, true, columns));
                Err(Problem::styled(messages.collect::<Vec<_>>().join("\n")))
            }
        }
    }

    /// Writes the pictures that are shown, as `ndscript run` would.
    fn write_pictures(&mut self) {
        let stem = self
            .options
            .program
            .file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut names = Vec::new();
        for canvas in self.view.canvases() {
            self.written += 1;
            let number = if self.written == 1 {
                String::new()
            } else {
                format!("-{}", self.written)
            };
            let path = self.options.out.join(format!("{stem}{number}.png"));
            let path = path
                .strip_prefix(".")
                .map_or(path.clone(), std::path::Path::to_path_buf);
            self.watched.ignore(&path);
            match save(&path, &canvas.to_png()) {
                Ok(()) => names.push(path.display().to_string()),
                Err(stop) => {
                    self.view.remark = stop.message;
                    return;
                }
            }
        }
        self.view.remark = if names.is_empty() {
            "there is no picture".into()
        } else {
            format!("wrote {}", names.join(", "))
        };
    }
}
