//! Nothing is written over what is read: a program, what it imports, a text that is given to it, an image that is a tile.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::exit::Stop;

/// The files that this process reads and writes, by their real paths.
#[derive(Default)]
struct Guard {
    read: HashSet<PathBuf>,
    outputs: Vec<PathBuf>,
}

static GUARD: LazyLock<Mutex<Guard>> = LazyLock::new(Mutex::default);

const PROGRAM: &str = "that is a program; name another file";
const READ: &str = "this run reads that file; name another one";

/// The message about an input whose name is that of an output as well.
pub const IS_OUTPUT: &str = "it is named as an output, which would be written over it";

fn guard() -> MutexGuard<'static, Guard> {
    GUARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// These files are going to be written, so that reading one of them is an error before anything has run.
pub fn announce<'p>(outputs: impl IntoIterator<Item = &'p Path>) {
    // A file that does not exist yet is not an input.
    guard().outputs = outputs
        .into_iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
}

/// Records that a file is read, so that it is not overwritten.
///
/// # Errors
/// If an output is to be written there.
pub fn read(path: &Path) -> Result<(), Stop> {
    if let Ok(real) = path.canonicalize() {
        guard().read.insert(real);
    }
    is_no_output(path)
}

/// Checks that a file is no output, without recording it: it may be written later on.
///
/// # Errors
/// As of [`read`].
pub fn is_no_output(path: &Path) -> Result<(), Stop> {
    if path
        .canonicalize()
        .is_ok_and(|real| guard().outputs.contains(&real))
    {
        return Err(Stop::error(format!(
            "cannot write \"{}\": {READ}",
            path.display()
        )));
    }
    Ok(())
}

/// Whether a file may be written.
///
/// # Errors
/// If it is read, or is a program that an option names as an output.
pub fn may_write(path: &Path) -> io::Result<()> {
    if path
        .canonicalize()
        .is_ok_and(|real| guard().read.contains(&real))
    {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, READ));
    }
    let is_program = path.extension().is_some_and(|ending| ending == "nds");
    if is_program
        && path
            .canonicalize()
            .is_ok_and(|real| guard().outputs.contains(&real))
    {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, PROGRAM));
    }
    Ok(())
}
