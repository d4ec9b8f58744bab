//! Pauses after a screenful, where somebody is reading.

use std::io::{self, IsTerminal, Write};

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use crate::terminal;
use crate::terminal::interrupt::while_waiting;

/// What was shown since the latest pause.
pub struct Pager {
    is_read: bool,
    /// How many lines had been written then.
    from: u64,
}

const QUESTION: &str = "-- space or enter goes on, q ends --";

impl Pager {
    /// For what is written behind so many lines.
    pub fn new(lines: u64) -> Pager {
        Pager {
            is_read: io::stdin().is_terminal() && io::stdout().is_terminal(),
            from: lines,
        }
    }

    /// Whether more is wanted, now that so many lines were written; waits for a key after each screenful.
    pub fn wants_more(&mut self, lines: u64) -> bool {
        let window = u64::from(terminal::size().1.saturating_sub(1)).max(1);
        // What comes next may be as long as what came last.
        if !self.is_read || lines - self.from < window.saturating_sub(1) {
            return true;
        }
        self.from = lines;
        ask()
    }
}

fn ask() -> bool {
    let write = |text: &str| {
        let mut out = io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    };
    write(QUESTION);
    if enable_raw_mode().is_err() {
        return true;
    }
    let goes_on = loop {
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
    // The question goes.
    write("\r\x1b[K");
    goes_on
}
