//! Reports when a file of the program may have changed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use notify::event::ModifyKind;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::WatchEvent;
use crate::exit::Stop;

/// The watched folders. Folders, because many editors write a new file and rename it to the old one.
pub struct Watched {
    watcher: RecommendedWatcher,
    folders: HashSet<PathBuf>,
    /// Files that this program writes itself.
    own: Arc<Mutex<HashSet<PathBuf>>>,
}

/// The extensions of programs and tiles.
const ENDINGS: [&str; 7] = ["nds", "png", "txt", "csv", "tmx", "json", "jpg"];

impl Watched {
    pub fn new(sender: Sender<WatchEvent>) -> Result<Watched, Stop> {
        let own: Arc<Mutex<HashSet<PathBuf>>> = Arc::default();
        let ignored = own.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            if is_change(event.kind) && event.paths.iter().any(|path| is_wanted(path, &ignored)) {
                // At the end there is no receiver.
                let _ = sender.send(WatchEvent::Changed);
            }
        });
        let watcher = watcher.map_err(|why| Stop::error(format!("cannot watch files: {why}")))?;
        Ok(Watched {
            watcher,
            folders: HashSet::new(),
            own,
        })
    }

    /// Watches these folders, too.
    pub fn watch(&mut self, folders: impl IntoIterator<Item = PathBuf>) {
        for folder in folders {
            let Ok(real) = folder.canonicalize() else {
                continue;
            };
            // A folder that cannot be watched takes nothing from the others.
            if !self.folders.contains(&real)
                && self
                    .watcher
                    .watch(&real, RecursiveMode::NonRecursive)
                    .is_ok()
            {
                self.folders.insert(real);
            }
        }
    }

    /// Changes of this file mean nothing from now on.
    pub fn ignore(&self, path: &Path) {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        self.own
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(whole);
    }
}

/// Whether the content of a file may be another one.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Create(_) | EventKind::Remove(_) => true,
        EventKind::Modify(what) => !matches!(what, ModifyKind::Metadata(_)),
        EventKind::Access(_) | EventKind::Any | EventKind::Other => false,
    }
}

fn is_wanted(path: &Path, own: &Mutex<HashSet<PathBuf>>) -> bool {
    let is_hidden = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    !is_hidden
        && ENDINGS.contains(&&*ending)
        && !own
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(path)
}
