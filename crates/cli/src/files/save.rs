//! Writing files so that none is ever half written.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::guard;
use super::in_words;
use crate::exit::Stop;

/// The files being written, to be removed if the process has to end at once.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes unfinished files, and prevents further writing.
pub fn abandon() {
    let mut unfinished = unfinished();
    for path in unfinished.drain(..) {
        let _ = fs::remove_file(path);
    }
    // The process is about to end: other writers wait for that.
    std::mem::forget(unfinished);
}

/// Writes a file under a temporary name in the same folder, which is created if needed, and renames it. Only regular
/// files are replaced: a device or a pipe receives the bytes, and a link is refused, because its name is not the one
/// that a person means.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    save_pieces(path, [bytes])
}

/// Writes a file as [`save`] does, from consecutive pieces.
pub fn save_pieces<'p>(
    path: &Path,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> Result<(), Stop> {
    cannot_write(path, guard::may_write(path))?;
    write_pieces(path, pieces)
}

/// Writes a file as [`save`] does, also over an input of this process: that was requested.
pub fn save_over(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    write_pieces(path, [bytes])
}

/// Writes a file as a whole, or appends to a stream such as a pipe.
fn write_pieces<'p>(path: &Path, pieces: impl IntoIterator<Item = &'p [u8]>) -> Result<(), Stop> {
    let written = match place_of(path) {
        Ok(OutputTarget::File) => write(path, pieces),
        Ok(OutputTarget::Stream) => {
            OpenOptions::new()
                .write(true)
                .open(path)
                .and_then(|mut file| {
                    pieces
                        .into_iter()
                        .try_for_each(|piece| file.write_all(piece))
                })
        }
        Err(why) => Err(why),
    };
    cannot_write(path, written)
}

/// Writes a file with a generated name, such as that of a numbered picture: never to a device, pipe or link.
pub fn save_unnamed(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    cannot_write(path, guard::may_write(path))?;
    let written = match place_of(path) {
        Ok(OutputTarget::File) => write(path, [bytes]),
        Ok(OutputTarget::Stream) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
        Err(why) => Err(why),
    };
    cannot_write(path, written)
}

/// Opens a file that a person names, to be written bit by bit; its folder is made if need be, and links are refused.
pub fn create(path: &Path) -> Result<File, Stop> {
    cannot_write(path, guard::may_write(path))?;
    let opened = match place_of(path) {
        Ok(OutputTarget::File) => make_folder_of(path).and_then(|_| File::create(path)),
        Ok(OutputTarget::Stream) => OpenOptions::new().write(true).open(path),
        Err(why) => Err(why),
    };
    opened.map_err(|why| not_written(path, &why))
}

/// The error for a file that cannot be written.
pub fn not_written(path: &Path, why: &io::Error) -> Stop {
    Stop::error(format!(
        "cannot write \"{}\": {}",
        path.display(),
        in_words(why)
    ))
}

/// Makes the folder that a file is to lie in.
fn make_folder_of(path: &Path) -> io::Result<&Path> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    Ok(folder)
}

fn cannot_write(path: &Path, written: io::Result<()>) -> Result<(), Stop> {
    written.map_err(|why| not_written(path, &why))
}

/// The kind of an output.
enum OutputTarget {
    /// A regular file, or none yet.
    File,
    /// A device or a pipe.
    Stream,
}

/// What a path names: a file that can be replaced, or a stream.
fn place_of(path: &Path) -> io::Result<OutputTarget> {
    if path == Path::new("-") {
        let why = "for standard output name /dev/stdout, and ./- for a file of that name";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        // Whatever else is wrong shows when it is written.
        Err(_) => return Ok(OutputTarget::File),
    };
    if about.is_file() {
        return Ok(OutputTarget::File);
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
    Ok(OutputTarget::Stream)
}

fn write<'p>(path: &Path, pieces: impl IntoIterator<Item = &'p [u8]>) -> io::Result<()> {
    let mut file = Temporary::in_same_folder(path)?;
    pieces
        .into_iter()
        .try_for_each(|piece| file.0.write_all(piece))?;
    file.persist(path)
}

/// A file without its name yet. It is removed unless it gets one.
struct Temporary(BufWriter<File>, PathBuf);

impl Temporary {
    fn in_same_folder(path: &Path) -> io::Result<Temporary> {
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it has no file name",
            ));
        };
        Temporary::in_folder(make_folder_of(path)?, name)
    }

    fn in_folder(folder: &Path, name: &OsStr) -> io::Result<Temporary> {
        let mut temporary_name = OsString::from(".");
        temporary_name.push(name);
        temporary_name.push(format!(".{}.tmp", std::process::id()));
        let path = folder.join(temporary_name);
        let mut unfinished = unfinished();
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)?;
        unfinished.push(path.clone());
        Ok(Temporary(BufWriter::new(file), path))
    }

    fn persist(mut self, path: &Path) -> io::Result<()> {
        self.0.flush()?;
        // A signal handler that ends the process now waits until the rename is done.
        let mut unfinished = unfinished();
        fs::rename(&self.1, path)?;
        unfinished.retain(|known| *known != self.1);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        if let Some(at) = unfinished.iter().position(|known| *known == self.1) {
            unfinished.remove(at);
            let _ = fs::remove_file(&self.1);
        }
    }
}

/// A file that grows while a program runs, and has its name once it is complete. Up to then nothing under that name changes.
pub struct GrowingFile {
    file: Temporary,
    path: PathBuf,
    place: OutputTarget,
}

impl GrowingFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written under this name, or no temporary file fits beside it.
    pub fn begin(path: &Path) -> Result<GrowingFile, Stop> {
        cannot_write(path, guard::may_write(path))?;
        let target = place_of(path).and_then(|place| {
            let file = match place {
                OutputTarget::File => Temporary::in_same_folder(path),
                // A device or a pipe receives its bytes in one piece.
                OutputTarget::Stream => {
                    Temporary::in_folder(&std::env::temp_dir(), OsStr::new("ndscript"))
                }
            }?;
            Ok(GrowingFile {
                file,
                path: path.to_path_buf(),
                place,
            })
        });
        target.map_err(|why| not_written(path, &why))
    }

    /// Writes to its end.
    pub fn write(
        &mut self,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Stop> {
        fill(&mut self.file.0).map_err(|why| not_written(&self.path, &why))
    }

    /// The present length of the file.
    pub fn end(&mut self) -> Result<u64, Stop> {
        self.file
            .0
            .stream_position()
            .map_err(|why| not_written(&self.path, &why))
    }

    /// Writes over what was written before.
    pub fn write_over(&mut self, at: u64, bytes: &[u8]) -> Result<(), Stop> {
        let file = &mut self.file.0;
        let written = file
            .seek(SeekFrom::Start(at))
            .and_then(|_| file.write_all(bytes));
        written
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(|why| not_written(&self.path, &why))?;
        Ok(())
    }

    /// Gives it its name.
    pub fn finish(self) -> Result<(), Stop> {
        let GrowingFile {
            mut file,
            path,
            place,
        } = self;
        let named = match place {
            OutputTarget::File => file.persist(&path),
            OutputTarget::Stream => file.0.flush().and_then(|()| {
                let mut whole = file.0.get_ref();
                whole.seek(SeekFrom::Start(0))?;
                let mut stream = OpenOptions::new().write(true).open(&path)?;
                io::copy(&mut whole, &mut stream).map(|_| ())
            }),
        };
        named.map_err(|why| not_written(&path, &why))
    }
}
