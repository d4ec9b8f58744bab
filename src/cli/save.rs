//! Writing files so that there is never half of one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::exit::Stop;
use super::files::in_words;

/// The file that is being written at this moment, to be removed if the process has to end at once.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what is half written, and lets nothing more be written.
pub fn abandon() {
    let mut unfinished = unfinished();
    if let Some(path) = unfinished.take() {
        let _ = fs::remove_file(path);
    }
    // The process is about to end: whoever wants to write waits for that.
    std::mem::forget(unfinished);
}

/// Writes a file under a temporary name in the same folder, which is made if need be, and renames it.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    write(path, bytes).map_err(|why| Stop::error(format!("cannot write \"{}\": {}", path.display(), in_words(&why))))
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it has no file name"));
    };
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut temporary_name = std::ffi::OsString::from(".");
    temporary_name.push(name);
    temporary_name.push(format!(".{}.tmp", std::process::id()));
    let temporary = folder.join(temporary_name);
    let file = {
        let mut unfinished = unfinished();
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        *unfinished = Some(temporary.clone());
        file
    };
    let written = fill(file, bytes);
    let mut unfinished = unfinished();
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    *unfinished = None;
    done
}

fn fill(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.flush()
}
