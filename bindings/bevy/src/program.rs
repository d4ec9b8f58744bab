//! Programs as assets.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use ndscript::{Engine, ImportSource, Program};

/// A program, loaded from a `.nds` file and the files that it imports. When one of them changes while Bevy watches its
/// files, the program is loaded again, and its searches begin anew.
#[derive(Asset, TypePath)]
pub struct NdProgram(pub Program);

/// Compiles `.nds` files. Imports are assets beside the importing file.
#[derive(TypePath)]
pub struct ProgramLoader {
    engine: Engine,
}

impl ProgramLoader {
    /// With the engine that compiles.
    pub fn new(engine: Engine) -> ProgramLoader {
        ProgramLoader { engine }
    }
}

/// Why a program could not be loaded: its text has the place and what to do.
#[derive(Debug)]
pub struct ProgramError(String);

impl std::fmt::Display for ProgramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProgramError {}

/// The texts of imported files by path; `None` for one that could not be read.
type Texts = BTreeMap<String, Option<String>>;

/// The files that were read so far, and those that the compiler has asked for since.
#[derive(Clone, Default)]
struct Imports(Arc<Mutex<(Texts, Vec<String>)>>);

impl Imports {
    fn lock(&self) -> MutexGuard<'_, (Texts, Vec<String>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ImportSource for Imports {
    fn read(&self, path: &str) -> Result<String, String> {
        let (texts, missing) = &mut *self.lock();
        match texts.get(path) {
            Some(Some(text)) => Ok(text.clone()),
            Some(None) => Err("there is no such asset".to_string()),
            None => {
                missing.push(path.to_string());
                Err("it is not loaded yet".to_string())
            }
        }
    }
}

impl AssetLoader for ProgramLoader {
    type Asset = NdProgram;
    type Settings = ();
    type Error = ProgramError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        load_context: &mut LoadContext<'_>,
    ) -> Result<NdProgram, ProgramError> {
        let mut bytes = Vec::new();
        let read = reader.read_to_end(&mut bytes).await;
        read.map_err(|error| ProgramError(error.to_string()))?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| ProgramError("the file is no text in UTF-8".to_string()))?;
        let path = load_context.path().path().to_string_lossy().into_owned();
        let imports = Imports::default();
        let engine = self.engine.clone().with_imports(imports.clone());
        // The compiler cannot wait for a file: what it misses is read, and it begins again.
        loop {
            let compiled = engine.compile_named(&path, &text);
            let missing = std::mem::take(&mut imports.lock().1);
            if missing.is_empty() {
                return compiled
                    .map(NdProgram)
                    .map_err(|error| ProgramError(error.to_string()));
            }
            for path in missing {
                let bytes = load_context.read_asset_bytes(path.clone()).await.ok();
                let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
                imports.lock().0.insert(path, text);
            }
        }
    }

    fn extensions(&self) -> &[&str] {
        &["nds"]
    }
}
