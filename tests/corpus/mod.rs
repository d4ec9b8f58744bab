//! The scripts of `tests/language`, as material to change at random.

use std::path::{Path, PathBuf};

/// All scripts of the chapters, in the order of their paths.
pub fn scripts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(Path::new("tests/language"), &mut found);
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            collect(&entry, found);
        } else if entry
            .extension()
            .is_some_and(|extension| extension == "nds")
        {
            found.push(entry);
        }
    }
}
