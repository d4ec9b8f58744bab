//! Standard output, whose reader may leave before the end.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use super::{harmless, harmless_json};
use crate::exit::{Exit, Stop};
use crate::files;

/// What is shown by more than text, such as pictures and colours. The rest of it has nothing in it that a terminal obeys.
pub fn write_styled(text: &str) -> Result<(), Stop> {
    io::stdout()
        .lock()
        .write_all(text.as_bytes())
        .map_err(|why| stop(&why))
}

/// Text as it is written: on a terminal a [`harmless`] one, whatever names and texts of a program are in it.
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
        // Whoever read the text has enough of it, as `head` does after ten lines.
        io::ErrorKind::BrokenPipe => Stop::silent(Exit::Success),
        _ => Stop::error(format!(
            "cannot write to standard output: {}",
            files::in_words(why)
        )),
    }
}
