//! Files that programs import: from the folder of the program and below it, and from folders that are named for that.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ndscript::{ImportSource, Limits, import_beside, syntax};

use super::guard;
use super::{folders_in_words, in_words, into_text, read_regular, real_folders};
use crate::exit::Stop;

/// Imported files. Links are followed, but what they lead to must lie in one of the folders, too. Clones share what
/// they know.
#[derive(Clone)]
pub struct FileImports {
    known: Arc<Mutex<Known>>,
    /// The largest file that is read.
    most: u64,
}

/// The folders and files that are known so far. A folder is stored as it was named and by its real path.
struct Known {
    /// Where programs lie.
    programs: Vec<(PathBuf, PathBuf)>,
    /// Where libraries lie.
    libraries: Vec<(PathBuf, PathBuf)>,
    /// The files that were found, as they really are, by the paths that messages call them by.
    files: HashMap<String, PathBuf>,
    /// The reverse mapping.
    paths: HashMap<PathBuf, String>,
}

/// The largest text of a program, imports included, of a run with this limit of memory.
pub fn source_limit(memory: Option<u64>) -> usize {
    let most = Limits::default().source;
    memory
        .and_then(|bytes| usize::try_from(bytes).ok())
        .map_or(most, |bytes| bytes.min(most))
}

impl FileImports {
    /// Searches in the folder of the importing file, which is `program` at first, and then in `libraries` in this
    /// order.
    ///
    /// # Errors
    /// If one of the folders is none.
    pub fn new(
        program: PathBuf,
        libraries: &[PathBuf],
        memory: Option<u64>,
    ) -> Result<FileImports, Stop> {
        let known = Known {
            programs: real_folders("program's", [program])?,
            libraries: real_folders("import", libraries.iter().cloned())?,
            files: HashMap::new(),
            paths: HashMap::new(),
        };
        Ok(FileImports {
            known: Arc::new(Mutex::new(known)),
            most: source_limit(memory) as u64,
        })
    }

    /// Allows programs in one more folder to import the files there.
    pub fn add(&self, program: PathBuf) {
        if let Ok(mut folders) = real_folders("program's", [program]) {
            self.known().programs.append(&mut folders);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// The file that a path leads to, if there is one.
    fn real(&self, path: &Path) -> Result<Option<PathBuf>, String> {
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(why) if why.kind() == ErrorKind::InvalidFilename => return Ok(None),
            Err(why) => return Err(in_words(&why)),
        };
        let mut folders = self.programs.iter().chain(&self.libraries);
        if folders.all(|(_, folder)| !real.starts_with(folder)) {
            let folders: Vec<_> = self
                .programs
                .iter()
                .chain(&self.libraries)
                .cloned()
                .collect();
            return Err(format!(
                "it is a link that leads out of {}",
                folders_in_words(&folders)
            ));
        }
        Ok(Some(real))
    }

    /// The path by which a program knows the file that it imports, if there is one: the file next to the importing one, or
    /// else in a library.
    fn locate(&mut self, importer: &str, name: &str) -> Result<Option<String>, String> {
        let sibling = import_beside(importer, name);
        let mut found = self.real(Path::new(&sibling))?.map(|real| (sibling, real));
        for (folder, _) in &self.libraries {
            if found.is_none() {
                let path = folder.join(name);
                found = self
                    .real(&path)?
                    .map(|real| (path.display().to_string(), real));
            }
        }
        let Some((path, real)) = found else {
            return Ok(None);
        };
        // A file runs once, by whatever paths it is imported.
        if let Some(again) = self.paths.get(&real) {
            return Ok(Some(again.clone()));
        }
        self.paths.insert(real.clone(), path.clone());
        self.files.insert(path.clone(), real);
        Ok(Some(path))
    }
}

impl FileImports {
    /// The text of a file, and where that lies.
    fn text(&self, path: &str) -> Result<(String, PathBuf), String> {
        let real = self
            .known()
            .files
            .get(path)
            .cloned()
            .ok_or("there is no such file")?;
        guard::read(&real).map_err(|_| guard::IS_OUTPUT)?;
        let bytes = read_regular(&real, self.most).map_err(|why| in_words(&why))?;
        let text = into_text("it", bytes)
            .map_err(|stop| stop.message.lines().next().unwrap_or_default().to_string())?;
        Ok((text, real))
    }
}

impl ImportSource for FileImports {
    fn locate(&self, importer: &str, name: &str) -> Result<Option<String>, String> {
        self.known().locate(importer, name)
    }

    fn read_data(&self, path: &str) -> Result<String, String> {
        self.text(path).map(|(text, _)| text)
    }

    fn read(&self, path: &str) -> Result<String, String> {
        let (text, real) = self.text(path)?;
        // Only programs are shown, because messages about a program's errors quote it.
        if real.extension().is_none_or(|extension| extension != "nds")
            && syntax::parse(&text, 0).is_err()
        {
            return Err("it is not a program of NDScript".to_string());
        }
        Ok(text)
    }
}
