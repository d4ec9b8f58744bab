//! Standard output, whose reader may leave before the end.

use std::io::{self, Write};

use super::exit::{Exit, Stop};
use super::files;

pub fn write(text: &str) -> Result<(), Stop> {
    io::stdout().lock().write_all(text.as_bytes()).map_err(|why| stop(&why))
}

pub fn flush() -> Result<(), Stop> {
    io::stdout().lock().flush().map_err(|why| stop(&why))
}

fn stop(why: &io::Error) -> Stop {
    match why.kind() {
        // Whoever read the text has enough of it, as `head` does after ten lines.
        io::ErrorKind::BrokenPipe => Stop::silent(Exit::Success),
        _ => Stop::error(format!("cannot write to standard output: {}", files::in_words(why))),
    }
}
