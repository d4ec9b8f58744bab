//! Standard output, whose reader may leave before the end.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use super::{harmless, harmless_json};
use crate::exit::{Exit, Stop};
use crate::files;

/// Output with more than text, such as pictures and colors. Apart from those it has no control characters.
pub fn write_styled(text: &str) -> Result<(), Stop> {
    io::stdout()
        .lock()
        .write_all(text.as_bytes())
        .map_err(|why| stop(&why))
}

/// Text as it is written: on a terminal without control characters, whatever names and texts of a program it contains.
pub fn shown(text: &str) -> Cow<'_, str> {
    if io::stdout().is_terminal() {
        harmless(text)
    } else {
        Cow::Borrowed(text)
    }
}

pub fn write_text(text: &str) -> Result<(), Stop> {
    write_styled(&shown(text))
}

/// JSON with texts of a program: on a terminal [`harmless_json`].
pub fn write_json(json: &str) -> Result<(), Stop> {
    write_styled(&if io::stdout().is_terminal() {
        harmless_json(json)
    } else {
        Cow::Borrowed(json)
    })
}

pub fn flush() -> Result<(), Stop> {
    io::stdout().lock().flush().map_err(|why| stop(&why))
}

fn stop(why: &io::Error) -> Stop {
    match why.kind() {
        // The reader has enough, as `head` does after ten lines.
        io::ErrorKind::BrokenPipe => Stop::silent(Exit::Success),
        _ => Stop::error(format!(
            "cannot write to standard output: {}",
            files::in_words(why)
        )),
    }
}
