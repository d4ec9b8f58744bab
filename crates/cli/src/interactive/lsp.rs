//! `ndscript lsp`: carries messages between an editor and the language server.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use ndscript::Engine;
use ndscript::library::LibraryFile;
use ndscript::tiles::Tiles;
use ndscript_editor::{Files, Server, engine_of};

use crate::arguments::options::LspOptions;
use crate::exit::{Exit, Stop};
use crate::files::imports;
use crate::files::{self, FolderTiles};
use crate::interactive::messages::messages;
use crate::terminal::stdout;

/// At most this many programs of a folder are checked.
const MOST_PROGRAMS: usize = 2000;

/// At most this many folders are searched for them.
const MOST_FOLDERS: usize = 4000;

/// The editor must be silent for this time before programs are checked: requests right after a change are answered
/// first.
const SILENCE: Duration = Duration::from_millis(20);

/// The greatest depth of folders that are searched for programs.
const DEEPEST: usize = 8;

/// Serves an editor until it ends the connection.
pub fn lsp(options: &LspOptions) -> Result<Exit, Stop> {
    let engine = match &options.host {
        Some(path) => {
            let text = files::read_regular_text(path)?;
            engine_of(&text).map_err(|why| Stop::error(format!("{}: {why}", path.display())))?
        }
        None => Engine::new(),
    };
    let folders = options.imports.import_path.iter();
    let folders = folders.map(|folder| slashed(&folder.canonicalize().unwrap_or(folder.clone())));
    let mut server = Server::new(engine, Disk, folders.collect());
    let messages = messages();
    loop {
        // All that has come is taken first: it may cancel what waits.
        while let Ok(message) = messages.try_recv() {
            receive(&mut server, message)?;
        }
        if server.only_checks()
            && let Ok(message) = messages.recv_timeout(SILENCE)
        {
            receive(&mut server, message)?;
            continue;
        }
        match server.step() {
            Some(answers) => {
                for answer in answers {
                    stdout::write_styled(&format!("Content-Length: {}\r\n\r\n", answer.len()))?;
                    stdout::write_styled(&answer)?;
                }
                stdout::flush()?;
            }
            None => match server.ended() {
                Some(0) => return Ok(Exit::Success),
                // As the protocol has it for a session that was not shut down.
                Some(_) => return Ok(Exit::NoSolution),
                None => match messages.recv() {
                    Ok(message) => receive(&mut server, message)?,
                    // The editor has closed its end.
                    Err(_) => return Ok(Exit::NoSolution),
                },
            },
        }
    }
}

/// Hands a message over. What is no text is an empty message.
fn receive(server: &mut Server, message: Result<Vec<u8>, Stop>) -> Result<(), Stop> {
    server.receive(&String::from_utf8(message?).unwrap_or_default());
    Ok(())
}

/// The files of this machine.
struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        // Names that are no whole paths are those of the library, or of texts that were never saved.
        let path = Path::new(path);
        if !path.is_absolute() {
            return Err("it has no path".to_string());
        }
        let most = imports::source_limit(None) as u64;
        let bytes = files::read_regular(path, most).map_err(|why| files::in_words(&why))?;
        let text = files::into_text("it", bytes);
        text.map_err(|stop| stop.message.lines().next().unwrap_or_default().to_string())
    }

    fn programs(&self, folder: &str) -> Vec<String> {
        let programs = programs_in(Path::new(folder));
        programs.iter().map(|path| slashed(path)).collect()
    }

    fn library(&self, file: &LibraryFile) -> Option<String> {
        let path = cache_folder()?
            .join(env!("CARGO_PKG_VERSION"))
            .join(file.path);
        if fs::read(&path).is_ok_and(|bytes| bytes == file.text.as_bytes()) {
            return Some(slashed(&path));
        }
        fs::create_dir_all(path.parent()?).ok()?;
        fs::write(&path, file.text).ok()?;
        Some(slashed(&path))
    }

    fn tiles(&self, program: &str) -> Tiles {
        let folder = files::folder_of(Path::new(program));
        FolderTiles::new([folder]).map_or_else(|_| Tiles::default(), Tiles::new)
    }
}

/// The programs in a folder and below it, in the order of their names. Links are not followed, and what others have put
/// there is passed over: a whole disk may be opened as a project.
fn programs_in(folder: &Path) -> Vec<PathBuf> {
    let mut programs = Vec::new();
    let mut open = VecDeque::from([(folder.to_path_buf(), 0)]);
    for _ in 0..MOST_FOLDERS {
        let Some((folder, depth)) = open.pop_front() else {
            break;
        };
        // A folder that cannot be read does not hide the others.
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let (path, name) = (entry.path(), entry.file_name());
            let is_foreign = name.as_encoded_bytes().starts_with(b".") || name == "node_modules";
            if kind.is_dir() && depth < DEEPEST && !is_foreign {
                open.push_back((path, depth + 1));
            } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "nds") {
                programs.push(path);
            }
        }
    }
    programs.truncate(MOST_PROGRAMS);
    programs.sort();
    programs
}

/// The folder with copies of library files, for editors to open.
fn cache_folder() -> Option<PathBuf> {
    let set = |name: &str| {
        let value = env::var_os(name).map(PathBuf::from);
        value.filter(|path| path.is_absolute())
    };
    let cache = set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA"));
    let cache = cache.or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    Some(cache.join("ndscript"))
}

/// A path as addresses have it.
fn slashed(path: &Path) -> String {
    let path = path.display().to_string();
    if cfg!(windows) {
        path.trim_start_matches(r"\\?\").replace('\\', "/")
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::programs_in;

    #[test]
    fn programs_are_found_wherever_a_person_would_put_them() {
        let folder = std::env::temp_dir().join(format!("ndscript-lsp-{}", std::process::id()));
        for path in [
            "a/b/two.nds",
            "one.nds",
            ".git/x.nds",
            "node_modules/m/y.nds",
            "z/no.txt",
        ] {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = programs_in(&folder);
        let gone = programs_in(&folder.join("nowhere"));
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, [folder.join("a/b/two.nds"), folder.join("one.nds")]);
        assert!(gone.is_empty());
    }
}
