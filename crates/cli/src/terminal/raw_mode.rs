//! Raw mode of the terminal, for single keys and clicks, and the restoration of its earlier mode.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal as screen;

use crate::exit::Stop;
use crate::files::in_words;

/// Whether the terminal reports the mouse.
static HEARS_MOUSE: AtomicBool = AtomicBool::new(false);

/// Restores the terminal as it was before a question: for the end of the process, at any time.
pub fn restore_terminal() {
    if screen::is_raw_mode_enabled().unwrap_or(false) {
        deafen();
        let _ = screen::disable_raw_mode();
        // The cursor may be in the middle of a list.
        let _ = io::stdout().lock().write_all(b"\r\n");
    }
}

fn deafen() {
    if HEARS_MOUSE.swap(false, Ordering::SeqCst) {
        let _ = crossterm::execute!(io::stdout().lock(), DisableMouseCapture);
    }
}

/// Keys, and clicks if they are wanted, arrive one by one while this lives.
pub struct RawMode;

impl RawMode {
    pub fn new(wants_clicks: bool) -> Result<RawMode, Stop> {
        screen::enable_raw_mode().map_err(|why| cannot_use(&why))?;
        let raw = RawMode;
        if wants_clicks {
            // A terminal that has no mouse takes no notice.
            HEARS_MOUSE.store(true, Ordering::SeqCst);
            crossterm::execute!(io::stdout().lock(), EnableMouseCapture)
                .map_err(|why| cannot_use(&why))?;
        }
        Ok(raw)
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        deafen();
        let _ = screen::disable_raw_mode();
    }
}

pub fn cannot_use(why: &io::Error) -> Stop {
    Stop::error(format!("cannot use the terminal: {}", in_words(why)))
}
