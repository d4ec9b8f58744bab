//! Reading files: programs, texts, and tile images from folders.

pub mod guard;
pub mod history;
pub mod imports;
pub mod outputs;
pub mod save;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ndscript::Limits;
use ndscript::counted::counted;
use ndscript::tiles::TileSource;

use super::exit::Stop;

/// The largest text that is read: a quarter of the default memory limit of a run.
const MAX_TEXT_BYTES: u64 = 1 << 28;
/// States of stopped runs of at most this size are read whatever the limit of memory is.
const LEAST_STATE_BYTES: u64 = 64 << 20;
/// The largest image file that is read.
const MAX_IMAGE_BYTES: u64 = 64 << 20;
/// So large an image file may be however little memory a run may use.
const LEAST_IMAGE_BYTES: u64 = 1 << 20;

/// Whether this path means standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name by which messages call a program file.
pub fn shown_name(path: &Path) -> String {
    if is_standard_input(path) {
        "<standard input>".to_string()
    } else {
        path.display().to_string()
    }
}

/// A path as a word of a command that can be typed.
pub fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "_-./\\:,+@".contains(c);
    let text = if text.starts_with('-') {
        format!("./{text}")
    } else {
        text
    };
    if !text.is_empty() && text.chars().all(is_plain) {
        text
    } else if text.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", text.replace('\'', "'\\''"))
    } else {
        format!("\"{text}\"")
    }
}

/// The folder that a program's file lies in; of standard input, the current one.
pub fn folder_of(path: &Path) -> PathBuf {
    let parent = if is_standard_input(path) {
        None
    } else {
        path.parent()
    };
    parent
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
        .to_path_buf()
}

/// The limits on reading a file that a person names. It may be anything: a pipe, a device, or larger than it says.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    bytes: u64,
    /// The longest wait for a file that is not regular.
    wait: Option<Duration>,
    /// Whether what is no regular file is refused.
    only_regular: bool,
}

impl Bounds {
    /// The bounds of the texts of a run with these limits of memory and time: a text is a part of what the run uses.
    pub fn new(memory: Option<u64>, time: Option<Duration>) -> Bounds {
        Bounds {
            bytes: memory.map_or(MAX_TEXT_BYTES, |bytes| bytes.min(MAX_TEXT_BYTES)),
            wait: time,
            only_regular: false,
        }
    }

    /// For the texts of a run whose process is talked to: it may not wait for a pipe, and standard input is not for it to read.
    pub fn of_regular_files() -> Bounds {
        Bounds {
            only_regular: true,
            ..Bounds::new(None, None)
        }
    }

    /// The bounds of the state of a run.
    ///
    /// A state is not much larger than the memory of the run, and a run that took much more than it may now cannot
    /// resume.
    pub fn of_state(memory: usize, time: Option<Duration>) -> Bounds {
        Bounds {
            bytes: (memory as u64).saturating_mul(2).max(LEAST_STATE_BYTES),
            wait: time,
            only_regular: false,
        }
    }

    /// Reads a file, a pipe or a device within the bounds.
    fn read(self, path: &Path, shown: &str) -> Result<Vec<u8>, Stop> {
        if self.only_regular {
            return read_regular(path, self.bytes).map_err(|why| cannot_read(shown, &why));
        }
        // Opening a folder works on some systems, reading it does not. Opening a pipe waits for a writer.
        let (is_folder, is_regular) =
            fs::metadata(path).map_or((false, true), |about| (about.is_dir(), about.is_file()));
        if is_folder {
            return Err(Stop::error(format!(
                "cannot read {shown}: it is a folder, not a file"
            )));
        }
        // A file that is too large by its metadata is not read at all.
        if fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() > self.bytes) {
            return Err(cannot_read(shown, &too_large(self.bytes)));
        }
        let whole = path.to_path_buf();
        let read = move || File::open(whole).and_then(|file| read_at_most(file, self.bytes));
        let bytes = match self.wait.filter(|_| !is_regular) {
            None => read(),
            Some(wait) => {
                let (sender, receiver) = mpsc::channel();
                thread::spawn(move || sender.send(read()));
                receiver.recv_timeout(wait).map_err(|_| {
                    let seconds = counted(wait.as_secs_f64(), "second");
                    Stop::limit(format!(
                        "stopped after {seconds}, as long as --timeout allows: {shown} has not come to its end"
                    ))
                })?
            }
        };
        bytes.map_err(|why| cannot_read(shown, &why))
    }
}

/// The text of a program, from a file or standard input.
pub fn read_program(path: &Path, bounds: Bounds) -> Result<String, Stop> {
    // No larger one is compiled.
    let bounds = Bounds {
        bytes: bounds.bytes.min(Limits::default().source as u64),
        ..bounds
    };
    if !is_standard_input(path) {
        guard::read(path)?;
        return read_text(path, bounds);
    }
    let bytes = read_at_most(io::stdin().lock(), bounds.bytes);
    into_text(
        "standard input",
        bytes.map_err(|why| cannot_read("standard input", &why))?,
    )
}

/// The text of a file.
pub fn read_text(path: &Path, bounds: Bounds) -> Result<String, Stop> {
    let shown = format!("\"{}\"", path.display());
    into_text(&shown, bounds.read(path, &shown)?)
}

/// The text of a file that can be read again: no pipe and no device.
pub fn read_regular_text(path: &Path) -> Result<String, Stop> {
    let shown = format!("\"{}\"", path.display());
    into_text(
        &shown,
        read_regular(path, MAX_TEXT_BYTES).map_err(|why| cannot_read(&shown, &why))?,
    )
}

/// The bytes of a file.
pub fn read_bytes(path: &Path, bounds: Bounds) -> Result<Vec<u8>, Stop> {
    bounds.read(path, &format!("\"{}\"", path.display()))
}

fn read_at_most(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        Err(too_large(most))
    } else {
        Ok(bytes)
    }
}

fn too_large(most: u64) -> io::Error {
    let most = if most < 1 << 20 {
        counted(most, "byte")
    } else {
        format!("{} MB", most >> 20)
    };
    io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {most}"))
}

/// The bytes of a file that a program names: a regular one, whose size is checked before it is read.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let check = |about: fs::Metadata| {
        if about.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !about.is_file() {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "it is not a regular file",
            ));
        }
        if about.len() > most {
            Err(too_large(most))
        } else {
            Ok(())
        }
    };
    // Before it is opened, since opening a pipe waits; and again, as it may be another one by then.
    check(fs::metadata(path)?)?;
    let file = File::open(path)?;
    check(file.metadata()?)?;
    read_at_most(file, most)
}

fn cannot_read(shown: &str, why: &io::Error) -> Stop {
    Stop::error(format!("cannot read {shown}: {}", in_words(why)))
}

/// The error of a file in words, without the system's error number.
pub fn in_words(why: &io::Error) -> String {
    match why.kind() {
        ErrorKind::NotFound => "there is no such file or folder".to_string(),
        ErrorKind::PermissionDenied => "permission denied".to_string(),
        ErrorKind::IsADirectory => "it is a folder, not a file".to_string(),
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
            "a file is where a folder is needed".to_string()
        }
        _ => {
            let text = why.to_string();
            text.find(" (os error")
                .map_or(text.clone(), |end| text[..end].to_string())
        }
    }
}

/// Bytes as text, which is UTF-8 and has no byte zero.
pub fn into_text(shown: &str, bytes: Vec<u8>) -> Result<String, Stop> {
    if bytes.contains(&0) {
        return Err(Stop::error(format!("{shown} is a binary file, not text")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        Stop::error(format!(
            "{shown} is not UTF-8 text: the byte {:#04x} in line {line} (byte {} of the file) cannot stand there\n\
             save the file as UTF-8",
            error.as_bytes()[valid],
            valid + 1
        ))
    })?;
    // Some editors begin a file with this mark; it is not part of the text.
    Ok(text
        .strip_prefix('\u{feff}')
        .map(str::to_string)
        .unwrap_or(text))
}

/// Folders for some use, each as it was given and by its real path; an error if one of them is none.
pub fn real_folders(
    kind: &str,
    folders: impl IntoIterator<Item = PathBuf>,
) -> Result<Vec<(PathBuf, PathBuf)>, Stop> {
    let mut known: Vec<(PathBuf, PathBuf)> = Vec::new();
    for folder in folders {
        let problem = |why: &str| {
            Stop::error(format!(
                "cannot use the {kind} folder \"{}\": {why}",
                folder.display()
            ))
        };
        let real = folder
            .canonicalize()
            .map_err(|why| problem(&in_words(&why)))?;
        if !real.is_dir() {
            return Err(problem("it is not a folder"));
        }
        if known.iter().all(|(_, other)| *other != real) {
            known.push((folder, real));
        }
    }
    Ok(known)
}

/// Names of folders for messages: `the folders "maps", "tiles"`.
pub fn folders_in_words(folders: &[(PathBuf, PathBuf)]) -> String {
    let names: Vec<String> = folders
        .iter()
        .map(|(given, _)| format!("\"{}\"", given.display()))
        .collect();
    match names.as_slice() {
        [one] => format!("the folder {one}"),
        _ => format!("the folders {}", names.join(", ")),
    }
}

/// Tile images from folders. Links are followed, but what they lead to must lie in one of the folders, too.
pub struct FolderTiles {
    /// Each as it was given and by its real path.
    folders: Vec<(PathBuf, PathBuf)>,
    /// The largest image file that is read.
    most: u64,
}

impl FolderTiles {
    /// Searches these folders in this order; an error if one of them is none.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Result<FolderTiles, Stop> {
        Ok(FolderTiles {
            folders: real_folders("tile", folders)?,
            most: MAX_IMAGE_BYTES,
        })
    }

    /// Whether a folder is one of these.
    pub fn is_searched(&self, folder: &Path) -> bool {
        let real = folder.canonicalize().ok();
        self.folders
            .iter()
            .any(|(_, known)| real.as_ref() == Some(known))
    }

    /// An image file is read apart from what a run uses, and decoding it may take as much again.
    pub fn within(self, memory: Option<u64>) -> FolderTiles {
        let most = memory.map_or(MAX_IMAGE_BYTES, |memory| {
            (memory / 8).clamp(LEAST_IMAGE_BYTES, MAX_IMAGE_BYTES)
        });
        FolderTiles { most, ..self }
    }
}

impl FolderTiles {
    /// Whether there is a folder at a path, inside of these.
    pub fn has(&self, path: &str) -> Result<bool, String> {
        for (_, folder) in &self.folders {
            let Ok(real) = folder.join(path).canonicalize() else {
                continue;
            };
            if real.is_dir() {
                if self
                    .folders
                    .iter()
                    .all(|(_, folder)| !real.starts_with(folder))
                {
                    return Err(format!("it is a link that leads out of {}", self.places()));
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl TileSource for FolderTiles {
    fn has_folder(&self, path: &str) -> Result<bool, String> {
        self.has(path)
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        for (_, folder) in &self.folders {
            let real = match folder.join(path).canonicalize() {
                Ok(real) => real,
                Err(why)
                    if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
                {
                    continue;
                }
                Err(why) if why.kind() == ErrorKind::InvalidFilename => continue,
                Err(why) => return Err(in_words(&why)),
            };
            if !real.is_file() {
                continue;
            }
            if self
                .folders
                .iter()
                .all(|(_, folder)| !real.starts_with(folder))
            {
                return Err(format!("it is a link that leads out of {}", self.places()));
            }
            guard::read(&real).map_err(|_| guard::IS_OUTPUT.to_string())?;
            return read_regular(&real, self.most)
                .map(Some)
                .map_err(|why| in_words(&why));
        }
        Ok(None)
    }

    fn places(&self) -> String {
        folders_in_words(&self.folders)
    }
}
