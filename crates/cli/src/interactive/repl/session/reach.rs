//! The files that a session can reach: more with each file that is loaded.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ndscript::tiles::TileSource;

use crate::exit::Stop;
use crate::files::imports::FileImports;
use crate::files::{Bounds, FolderTiles};

/// The files that a session can reach.
pub struct Reach {
    pub tiles: GrowingTiles,
    pub imports: FileImports,
    /// For the files that are loaded.
    pub bounds: Bounds,
}

impl Reach {
    /// The folder of a file that is loaded is one of the session's from then on.
    pub fn add(&self, folder: &Path) {
        self.tiles.add(folder.to_path_buf());
        self.imports.add(folder.to_path_buf());
    }
}

/// Tile images from the folders given at the start, and from those of files that are loaded later.
#[derive(Clone)]
pub struct GrowingTiles {
    folders: Arc<Mutex<Vec<PathBuf>>>,
    memory: Option<u64>,
}

impl GrowingTiles {
    /// Searches these folders; an error if one of them is none.
    pub fn new(folders: Vec<PathBuf>, memory: Option<u64>) -> Result<GrowingTiles, Stop> {
        FolderTiles::new(folders.clone())?;
        Ok(GrowingTiles {
            folders: Arc::new(Mutex::new(folders)),
            memory,
        })
    }

    fn add(&self, folder: PathBuf) {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if !folders.contains(&folder) {
            folders.insert(0, folder);
        }
    }

    fn tiles(&self) -> Option<FolderTiles> {
        let folders = self
            .folders
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        // A folder may have gone since.
        let there = folders.into_iter().filter(|folder| folder.is_dir());
        FolderTiles::new(there)
            .ok()
            .map(|tiles| tiles.within(self.memory))
    }
}

impl TileSource for GrowingTiles {
    fn has_folder(&self, path: &str) -> Result<bool, String> {
        self.tiles().map_or(Ok(false), |tiles| tiles.has(path))
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        self.tiles().map_or(Ok(None), |tiles| tiles.read(path))
    }

    fn places(&self) -> String {
        self.tiles()
            .map_or_else(String::new, |tiles| tiles.places())
    }
}
