//! A real pseudo-terminal with the REPL in it, and what a person would see on its screen.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Longer than any machine needs for one answer; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// So many that nothing scrolls away.
pub const ROWS: u16 = 300;

pub const UP: &str = "\x1b[A";
pub const RIGHT: &str = "\x1b[C";
pub const CTRL_C: &str = "\x03";
pub const CTRL_D: &str = "\x04";
pub const CTRL_R: &str = "\x12";

/// A folder of its own for a test, removed with it.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("ndscript-repl-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct Screen {
    parser: vt100::Parser,
    is_closed: bool,
}

/// A terminal with a program in it.
pub struct Terminal {
    screen: Arc<(Mutex<Screen>, Condvar)>,
    keys: Arc<Mutex<Box<dyn Write + Send>>>,
    child: Box<dyn Child + Send + Sync>,
    // Held open: the program would be hung up otherwise.
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    /// The REPL with these arguments, in a window of 100 columns.
    pub fn new(folder: &Folder, arguments: &[&str]) -> Terminal {
        Terminal::with(folder, arguments, 100, &[])
    }

    pub fn with(
        folder: &Folder,
        arguments: &[&str],
        columns: u16,
        variables: &[(&str, &str)],
    ) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_ndscript"));
        command.args(arguments);
        Terminal::spawn(folder, command, columns, variables)
    }

    /// A shell with this command; the program is `$NDSCRIPT`.
    pub fn shell(folder: &Folder, script: &str) -> Terminal {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script]);
        Terminal::spawn(
            folder,
            command,
            100,
            &[("NDSCRIPT", env!("CARGO_BIN_EXE_ndscript"))],
        )
    }

    fn spawn(
        folder: &Folder,
        mut command: CommandBuilder,
        columns: u16,
        variables: &[(&str, &str)],
    ) -> Terminal {
        let size = PtySize {
            rows: ROWS,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        command.cwd(folder.path());
        command.env("TERM", "xterm-256color");
        command.env("NDSCRIPT_HISTORY", folder.path().join("history"));
        command.env_remove("NO_COLOR");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut output = pair.master.try_clone_reader().unwrap();
        let keys = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let answers = keys.clone();
        let size = |length: u16| NonZeroU16::new(length).unwrap();
        let parser = vt100::Parser::new(size(ROWS), size(columns), 0);
        let screen = Arc::new((
            Mutex::new(Screen {
                parser,
                is_closed: false,
            }),
            Condvar::new(),
        ));
        let shared = screen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                // A terminal whose program has ended reads as an error on some systems.
                let count = output.read(&mut bytes).unwrap_or(0);
                let mut screen = shared.0.lock().unwrap();
                screen.parser.process(&bytes[..count]);
                screen.is_closed = count == 0;
                // The program asks where the cursor is.
                if bytes[..count].ends_with(b"\x1b[6n") {
                    let (row, column) = screen.parser.screen().cursor_position();
                    let answer = format!("\x1b[{};{}R", row + 1, column + 1);
                    answers
                        .lock()
                        .unwrap()
                        .write_all(answer.as_bytes())
                        .unwrap();
                }
                shared.1.notify_all();
                if count == 0 {
                    break;
                }
            }
        });
        Terminal {
            screen,
            keys,
            child,
            _master: pair.master,
        }
    }

    /// Types keys, without waiting for anything.
    pub fn keys(&mut self, keys: &str) {
        let mut out = self.keys.lock().unwrap();
        out.write_all(keys.as_bytes()).unwrap();
        out.flush().unwrap();
    }

    /// Presses and lets go a mouse button, 0 for the left one and 2 for the right one, at a place from 0.
    pub fn click(&mut self, button: u8, row: usize, column: usize) {
        let at = format!("{button};{};{}", column + 1, row + 1);
        self.keys(&format!("\x1b[<{at}M\x1b[<{at}m"));
    }

    /// Whether the program wants to hear of the mouse.
    pub fn hears_mouse(&self) -> bool {
        self.screen
            .0
            .lock()
            .unwrap()
            .parser
            .screen()
            .mouse_protocol_mode()
            != vt100::MouseProtocolMode::None
    }

    /// Types a line, waits for this prompt to come next, and returns what was written between the two.
    pub fn line(&mut self, line: &str, next_prompt: &str) -> String {
        let row = self.cursor().0;
        self.keys(&format!("{line}\r"));
        self.prompt_below(next_prompt, Some(row));
        let lines = self.lines();
        let end = self.cursor().0 as usize;
        // The typed line may take several rows, but what it says begins behind its last one.
        let typed = line.split(['\r', '\n']).count();
        lines[(row as usize + typed).min(end)..end].join("\n")
    }

    /// Types a line, and waits for whatever prompt comes next.
    pub fn type_line(&mut self, line: &str) {
        let row = self.cursor().0;
        self.keys(&format!("{line}\r"));
        self.wait("a prompt", |screen| {
            let (below, column) = screen.parser.screen().cursor_position();
            let prompt = screen
                .parser
                .screen()
                .contents_between(below, 0, below, column);
            let is_first = prompt.starts_with(|c: char| c.is_ascii_digit());
            below > row && is_first && prompt.ends_with("> ") && prompt.matches('>').count() == 1
        });
    }

    /// Clears the screen, on which this prompt stands.
    pub fn clear(&mut self, prompt: &str) {
        self.keys("\x0c");
        self.wait("a clear screen", |screen| {
            screen.parser.screen().cursor_position().0 == 0
        });
        self.prompt(prompt);
    }

    /// Waits until the cursor stands behind this prompt.
    pub fn prompt(&self, prompt: &str) {
        self.prompt_below(prompt, None);
    }

    fn prompt_below(&self, prompt: &str, above: Option<u16>) {
        self.wait(&format!("the prompt {prompt:?}"), |screen| {
            let (row, column) = screen.parser.screen().cursor_position();
            let line = screen.parser.screen().contents_between(row, 0, row, column);
            line == prompt && above.is_none_or(|above| row > above)
        });
    }

    /// Waits until the screen shows a text.
    pub fn shows(&self, text: &str) {
        self.wait(&format!("{text:?}"), |screen| {
            screen.parser.screen().contents().contains(text)
        });
    }

    fn wait(&self, what: &str, mut holds: impl FnMut(&mut Screen) -> bool) {
        let started = Instant::now();
        let mut screen = self.screen.0.lock().unwrap();
        while !holds(&mut screen) {
            let left = PATIENCE.saturating_sub(started.elapsed());
            let contents = screen.parser.screen().contents();
            assert!(
                !left.is_zero() && !screen.is_closed,
                "no sign of {what} on the screen:\n{contents}"
            );
            screen = self
                .screen
                .1
                .wait_timeout(screen, left.min(Duration::from_secs(1)))
                .unwrap()
                .0;
        }
    }

    pub fn lines(&self) -> Vec<String> {
        let screen = self.screen.0.lock().unwrap();
        let columns = screen.parser.screen().size().1.get();
        screen.parser.screen().rows(0, columns).collect()
    }

    pub fn cursor(&self) -> (u16, u16) {
        self.screen
            .0
            .lock()
            .unwrap()
            .parser
            .screen()
            .cursor_position()
    }

    /// The foreground of a place on the screen.
    pub fn color(&self, row: usize, column: usize) -> vt100::Color {
        let screen = self.screen.0.lock().unwrap();
        screen
            .parser
            .screen()
            .cell(row as u16, column as u16)
            .map_or(vt100::Color::Default, vt100::Cell::fgcolor)
    }

    /// Waits until exactly these columns of a row are underlined.
    pub fn waits_for_underline(&self, row: usize, columns: &[u16]) {
        self.wait(&format!("an underline at {columns:?}"), |screen| {
            let width = screen.parser.screen().size().1.get();
            let is_underlined = |column: &u16| {
                screen
                    .parser
                    .screen()
                    .cell(row as u16, *column)
                    .is_some_and(vt100::Cell::underline)
            };
            (0..width).filter(is_underlined).eq(columns.iter().copied())
        });
    }

    /// Waits for the program to end; its exit code.
    pub fn end(mut self) -> u32 {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(
                started.elapsed() < PATIENCE,
                "the program does not end:\n{}",
                self.lines().join("\n")
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
