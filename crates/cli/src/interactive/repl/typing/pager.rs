//! Pauses after a screenful, if a person is reading.

use std::io::{self, IsTerminal, Write};

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use crate::terminal;
use crate::terminal::interrupt::while_waiting;

/// The lines shown since the latest pause.
pub struct Pager {
    is_read: bool,
    /// The number of lines written by then.
    from: u64,
}

const QUESTION: &str = "-- space or enter goes on, q ends --";

impl Pager {
    /// A pager for output that begins after this many lines.
    pub fn new(lines: u64) -> Pager {
        Pager {
            is_read: io::stdin().is_terminal() && io::stdout().is_terminal(),
            from: lines,
        }
    }

    /// Whether more is wanted, after this many lines; waits for a key after each screenful.
    pub fn wants_more(&mut self, lines: u64) -> bool {
        let window = u64::from(terminal::size().1.saturating_sub(1)).max(1);
        // The next output may be as long as the latest.
        if !self.is_read || lines - self.from < window.saturating_sub(1) {
            return true;
        }
        self.from = lines;
        ask()
    }
}

/// Asks whether to show more; waits for a key.
fn ask() -> bool {
    let write = |text: &str| {
        let mut out = io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    };
    write(QUESTION);
    if enable_raw_mode().is_err() {
        return true;
    }
    let continues = loop {
        match while_waiting(event::read) {
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => match key.code {
                KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                    break false;
                }
                KeyCode::Char(' ') | KeyCode::Enter | KeyCode::Down | KeyCode::PageDown => {
                    break true;
                }
                KeyCode::Char('q') | KeyCode::Esc => break false,
                _ => {}
            },
            Ok(_) => {}
            Err(_) => break false,
        }
    };
    let _ = disable_raw_mode();
    // The question is erased.
    write("\r\x1b[K");
    continues
}
