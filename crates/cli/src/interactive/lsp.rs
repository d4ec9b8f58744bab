//! `ndscript lsp`: carries messages between an editor and the language server.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use std::{env, fs, thread};

use ndscript::Engine;
use ndscript::library::LibraryFile;
use ndscript::tiles::Tiles;
use ndscript_editor::{Files, Server, engine_of};

use crate::arguments::options::LspOptions;
use crate::exit::{Exit, Stop};
use crate::files::imports;
use crate::files::{self, FolderTiles};
use crate::terminal::stdout;

/// The longest message that is taken. A text of such a length is no program that anybody edits.
const LONGEST: usize = 256 << 20;

/// The longest header of a message.
const LONGEST_HEADER: u64 = 8 << 10;

/// At most this many programs of a folder are checked.
const MOST_PROGRAMS: usize = 2000;

/// At most this many folders are searched for them.
const MOST_FOLDERS: usize = 4000;

/// The editor must be silent for this time before programs are checked: requests right after a change are answered
/// first.
const SILENCE: Duration = Duration::from_millis(20);

/// The greatest depth of folders that are searched for programs.
const DEEPEST: usize = 8;

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
            server.receive(&message?);
        }
        if server.only_checks()
            && let Ok(message) = messages.recv_timeout(SILENCE)
        {
            server.receive(&message?);
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
                    Ok(message) => server.receive(&message?),
                    // The editor has closed its end.
                    Err(_) => return Ok(Exit::NoSolution),
                },
            },
        }
    }
}

/// The messages on standard input, as they arrive. Invalid text is an empty message.
fn messages() -> Receiver<Result<String, Stop>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let message = match read_message(&mut input) {
                Ok(Some(bytes)) => Ok(String::from_utf8(bytes).unwrap_or_default()),
                Ok(None) => return,
                Err(why) => Err(Stop::error(format!(
                    "cannot read a message of the editor: {why}"
                ))),
            };
            let is_last = message.is_err();
            if sender.send(message).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

/// The bytes of the next message; `None` at the end of the input.
fn read_message(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_string());
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = String::new();
        let read = input.by_ref().take(LONGEST_HEADER).read_line(&mut line)?;
        if read == 0 && is_first {
            return Ok(None);
        }
        if !line.ends_with('\n') {
            return Err(invalid("its header does not end"));
        }
        is_first = false;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.ok_or_else(|| invalid("its header has no Content-Length"))?;
    if length > LONGEST {
        return Err(invalid("it is too long"));
    }
    let mut bytes = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Ok(None);
    }
    Ok(Some(bytes))
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

    use super::{programs_in, read_message};

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

    #[test]
    fn messages_are_read_one_by_one() {
        let mut input = &b"Content-Length: 2\r\n\r\n{}content-length:3\r\nX: y\r\n\r\n[1]"[..];
        assert_eq!(read_message(&mut input).unwrap().unwrap(), b"{}");
        assert_eq!(read_message(&mut input).unwrap().unwrap(), b"[1]");
        assert_eq!(read_message(&mut input).unwrap(), None);
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for input in [
            "{}\r\n\r\n",
            "Content-Length: x\r\n\r\n",
            "Content-Length: 999999999999\r\n\r\n",
            "Content",
        ] {
            assert!(read_message(&mut input.as_bytes()).is_err(), "{input}");
        }
        assert!(read_message(&mut "x".repeat(1 << 20).as_bytes()).is_err());
        // Nobody is left who could want an answer.
        assert_eq!(
            read_message(&mut &b"Content-Length: 9\r\n\r\n{"[..]).unwrap(),
            None
        );
    }
}
