//! Files of the game: imports and tile images below `res://` or `user://`.

use godot::classes::{DirAccess, FileAccess, file_access::ModeFlags};
use ndscript::ImportSource;
use ndscript::tiles::TileSource;

/// The text of a file, or in words why there is none.
pub fn read_text(path: &str) -> Result<String, String> {
    match FileAccess::open(path, ModeFlags::READ) {
        Some(file) => Ok(file.get_as_text().to_string()),
        None => Err(format!("Godot cannot open `{path}`")),
    }
}

/// Imports are files beside the importing one.
pub struct Imports;

impl ImportSource for Imports {
    fn read(&self, path: &str) -> Result<String, String> {
        read_text(path)
    }
}

/// Tile images are files of the game. Their names are relative to `res://`, or to a folder that the program imports.
pub struct TileImages;

/// Import paths of folders are whole; names of tiles are relative.
fn whole(path: &str) -> String {
    if path.contains("://") {
        path.to_string()
    } else {
        format!("res://{path}")
    }
}

impl TileSource for TileImages {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        let path = whole(path);
        if !FileAccess::file_exists(&path) {
            return Ok(None);
        }
        Ok(Some(FileAccess::get_file_as_bytes(&path).to_vec()))
    }

    fn places(&self) -> String {
        "the files below `res://`".to_string()
    }

    fn has_folder(&self, path: &str) -> Result<bool, String> {
        Ok(DirAccess::dir_exists_absolute(&whole(path)))
    }
}
