//! Writing files so that there is never half of one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
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

/// Writes a file under a temporary name in the same folder, which is made if need be, and renames it. Only regular files
/// are replaced: a device or a pipe takes the bytes, and a link is refused, since it is not its name that a person means.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    save_with(path, |file| file.write_all(bytes))
}

/// The same, bit by bit.
pub fn save_with(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Stop> {
    let written = match place_of(path) {
        Ok(Place::File) => write(path, fill),
        Ok(Place::Stream) => OpenOptions::new().write(true).open(path).and_then(|file| fill_and_flush(file, fill)),
        Err(why) => Err(why),
    };
    cannot_write(path, written)
}

/// The same for a name that nobody has typed, such as that of a numbered picture: nothing but a file is written.
pub fn save_unnamed(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    let written = match place_of(path) {
        Ok(Place::File) => write(path, |file| file.write_all(bytes)),
        Ok(Place::Stream) => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
        Err(why) => Err(why),
    };
    cannot_write(path, written)
}

/// Opens a file that a person names, to be written bit by bit; its folder is made if need be, and links are refused.
pub fn create(path: &Path) -> Result<File, Stop> {
    let opened = match place_of(path) {
        Ok(Place::File) => make_folder_of(path).and_then(|_| File::create(path)),
        Ok(Place::Stream) => OpenOptions::new().write(true).open(path),
        Err(why) => Err(why),
    };
    opened.map_err(|why| not_written(path, &why))
}

/// That a file cannot be written, in words.
pub fn not_written(path: &Path, why: &io::Error) -> Stop {
    Stop::error(format!("cannot write \"{}\": {}", path.display(), in_words(why)))
}

/// Makes the folder that a file is to lie in.
fn make_folder_of(path: &Path) -> io::Result<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    Ok(folder)
}

fn cannot_write(path: &Path, written: io::Result<()>) -> Result<(), Stop> {
    written.map_err(|why| not_written(path, &why))
}

/// What is written to.
enum Place {
    /// A regular file, or none yet.
    File,
    /// A device or a pipe.
    Stream,
}

fn place_of(path: &Path) -> io::Result<Place> {
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        // Whatever else is wrong shows when it is written.
        Err(_) => return Ok(Place::File),
    };
    if about.is_file() {
        return Ok(Place::File);
    }
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if about.is_symlink() {
        let leads_to = fs::metadata(path).ok();
        // `/dev/stdout` is a link to whatever standard output is.
        if leads_to.is_none_or(|about| about.is_file() || about.is_dir()) {
            let why = "it is a link: name the file that it leads to, or remove it";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
    }
    Ok(Place::Stream)
}

fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it has no file name"));
    };
    let folder = make_folder_of(path)?;
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
    let written = fill_and_flush(file, fill);
    let mut unfinished = unfinished();
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    *unfinished = None;
    done
}

fn fill_and_flush(file: File, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    fill(&mut file)?;
    file.flush()
}
