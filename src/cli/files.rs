//! Reading files: programs, the files that they import, texts, and tile images from folders.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use ndscript::ImportSource;
use ndscript::tiles::TileSource;

use super::exit::Stop;

/// The largest text that is read.
const MAX_TEXT_BYTES: u64 = 1 << 30;
/// The largest state of a stopped run that is read.
const MAX_STATE_BYTES: u64 = 1 << 36;
/// The largest image file that is read.
const MAX_IMAGE_BYTES: u64 = 64 << 20;

/// Whether this path stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name by which messages call a program file.
pub fn shown_name(path: &Path) -> String {
    if is_standard_input(path) { "<standard input>".to_string() } else { path.display().to_string() }
}

/// The folder that a program's file lies in; of standard input, the current one.
pub fn folder_of(path: &Path) -> PathBuf {
    let parent = if is_standard_input(path) { None } else { path.parent() };
    parent.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}

/// The text of a program, from a file or standard input.
pub fn read_program(path: &Path) -> Result<String, Stop> {
    if !is_standard_input(path) {
        return read_text(path);
    }
    let bytes = read_at_most(io::stdin().lock(), MAX_TEXT_BYTES);
    into_text("standard input", bytes.map_err(|why| cannot_read("standard input", &why))?)
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, Stop> {
    let shown = format!("\"{}\"", path.display());
    // Opening a folder works on some systems, reading it does not.
    if path.is_dir() {
        return Err(Stop::error(format!("cannot read {shown}: it is a folder, not a file")));
    }
    let bytes = File::open(path).and_then(|file| read_at_most(file, MAX_TEXT_BYTES));
    into_text(&shown, bytes.map_err(|why| cannot_read(&shown, &why))?)
}

/// The bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Stop> {
    let shown = format!("\"{}\"", path.display());
    let bytes = File::open(path).and_then(|file| read_at_most(file, MAX_STATE_BYTES));
    bytes.map_err(|why| cannot_read(&shown, &why))
}

fn read_at_most(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {} MB", most >> 20)));
    }
    Ok(bytes)
}

fn cannot_read(shown: &str, why: &io::Error) -> Stop {
    Stop::error(format!("cannot read {shown}: {}", in_words(why)))
}

/// What went wrong with a file, without the system's error number.
pub fn in_words(why: &io::Error) -> String {
    match why.kind() {
        ErrorKind::NotFound => "there is no such file or folder".to_string(),
        ErrorKind::PermissionDenied => "permission denied".to_string(),
        ErrorKind::IsADirectory => "it is a folder, not a file".to_string(),
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => "a file is where a folder is needed".to_string(),
        _ => {
            let text = why.to_string();
            text.find(" (os error").map_or(text.clone(), |end| text[..end].to_string())
        }
    }
}

fn into_text(shown: &str, bytes: Vec<u8>) -> Result<String, Stop> {
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
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

/// Imported files, read from where the path leads.
pub struct FileImports;

impl ImportSource for FileImports {
    fn read(&self, path: &str) -> Result<String, String> {
        read_text(Path::new(path)).map_err(|stop| stop.message.lines().next().unwrap_or_default().to_string())
    }
}

/// Tile images from folders. Links are followed, but what they lead to must lie in one of the folders, too.
pub struct FolderTiles {
    /// Each as it was given and as it really is.
    folders: Vec<(PathBuf, PathBuf)>,
}

impl FolderTiles {
    /// Searches these folders in this order; an error if one of them is none.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Result<FolderTiles, Stop> {
        let mut known: Vec<(PathBuf, PathBuf)> = Vec::new();
        for folder in folders {
            let problem =
                |why: &str| Stop::error(format!("cannot use the tile folder \"{}\": {why}", folder.display()));
            let real = folder.canonicalize().map_err(|why| problem(&in_words(&why)))?;
            if !real.is_dir() {
                return Err(problem("it is not a folder"));
            }
            if known.iter().all(|(_, other)| *other != real) {
                known.push((folder, real));
            }
        }
        Ok(FolderTiles { folders: known })
    }
}

impl TileSource for FolderTiles {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        for (_, folder) in &self.folders {
            let real = match folder.join(path).canonicalize() {
                Ok(real) => real,
                Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
                Err(why) if why.kind() == ErrorKind::InvalidFilename => continue,
                Err(why) => return Err(in_words(&why)),
            };
            if !real.is_file() {
                continue;
            }
            if self.folders.iter().all(|(_, folder)| !real.starts_with(folder)) {
                return Err(format!("it is a link that leads out of {}", self.places()));
            }
            let bytes = fs::File::open(&real).and_then(|file| read_at_most(file, MAX_IMAGE_BYTES));
            return bytes.map(Some).map_err(|why| in_words(&why));
        }
        Ok(None)
    }

    fn places(&self) -> String {
        let names: Vec<String> = self.folders.iter().map(|(given, _)| format!("\"{}\"", given.display())).collect();
        match names.as_slice() {
            [one] => format!("the folder {one}"),
            _ => format!("the folders {}", names.join(", ")),
        }
    }
}
