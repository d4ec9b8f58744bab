//! Engines: what programs may use, and what editors ask.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ndscript::reference::find_word;
use ndscript::syntax::highlight::tokens;
use ndscript::tiles::{TileSource, Tiles};
use ndscript::{EngineFunction, ImportSource, Limits};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::message::messages;
use crate::object::{Fields, array, field};
use crate::offsets::{Walk, byte_behind, units_before};
use crate::program::Program;

/// What a run may use unless it is told otherwise: a page shares four gigabytes with all that it holds.
const MEMORY: usize = 512 << 20;
/// Texts of a branch, and cells of a picture, that a page can still show.
const OUTPUT: usize = 16 << 20;
const PICTURES: usize = 1000;
const PICTURE_CELLS: usize = 1 << 24;
const SOURCE: usize = 4 << 20;

/// A file of a project: its path, and what is in it.
type File = (String, Vec<u8>);

/// The files of a project: texts to import, and PNG files for tiles. They are few.
#[derive(Clone, Default)]
struct Files(Arc<Mutex<Vec<File>>>);

impl Files {
    fn lock(&self) -> MutexGuard<'_, Vec<File>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, path: &str) -> Option<Vec<u8>> {
        self.lock()
            .iter()
            .find(|file| file.0 == path)
            .map(|file| file.1.clone())
    }

    /// Takes a file away; whether it was there.
    fn remove(&self, path: &str) -> bool {
        let mut files = self.lock();
        let before = files.len();
        files.retain(|file| file.0 != path);
        files.len() < before
    }
}

impl ImportSource for Files {
    fn read(&self, path: &str) -> Result<String, String> {
        let bytes = self
            .get(path)
            .ok_or_else(|| "there is no such file".to_string())?;
        String::from_utf8(bytes).map_err(|_| "it is no text".to_string())
    }
}

impl TileSource for Files {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.get(path))
    }

    fn places(&self) -> String {
        "the files of this project".to_string()
    }
}

/// What programs may use: limits, and the files that they import and draw.
#[wasm_bindgen]
pub struct Engine {
    limits: Limits,
    files: Files,
}

#[wasm_bindgen]
impl Engine {
    /// An engine without any file. Limits that are left out have defaults that fit a page.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "Partial<Limits>")] limits: JsValue,
    ) -> Engine {
        let number = |name: &str| {
            field(&limits, name)
                .and_then(|value| value.as_f64())
                .filter(|value| *value >= 0.0)
        };
        let size =
            |name: &str, default: usize| number(name).map_or(default, |value| value as usize);
        let defaults = Limits::default();
        let limits = Limits {
            steps: number("steps").map_or(defaults.steps, |steps| steps as u64),
            memory: size("memory", MEMORY),
            depth: size("depth", defaults.depth),
            output: size("output", OUTPUT),
            pictures: size("pictures", PICTURES),
            picture_cells: size("pictureCells", PICTURE_CELLS),
            source: size("source", SOURCE),
            time: defaults.time,
        };
        Engine {
            limits,
            files: Files::default(),
        }
    }

    /// Puts a file into the project, for `import` or as the image of a tile. Programs that are compiled already keep the
    /// tiles that they have.
    #[wasm_bindgen(js_name = "setFile")]
    pub fn set_file(&self, path: &str, bytes: Vec<u8>) {
        self.files.remove(path);
        self.files.lock().push((path.to_string(), bytes));
    }

    /// Takes a file out of the project; false if there is none.
    #[wasm_bindgen(js_name = "removeFile")]
    pub fn remove_file(&self, path: &str) -> bool {
        self.files.remove(path)
    }

    /// Compiles a program that messages call by a name. Throws an `Error` whose `diagnostics` are all mistakes.
    pub fn compile(&self, name: &str, text: &str) -> Result<Program, JsValue> {
        let tiles = Tiles::new(self.files.clone());
        match self.with_files(&tiles).compile_named(name, text) {
            Ok(program) => Ok(Program::new(program, tiles)),
            Err(error) => {
                let thrown: JsValue = js_sys::Error::new(&error.to_string()).into();
                let diagnostics = messages(&error.diagnostics, &error.sources);
                let _ = js_sys::Reflect::set(&thrown, &"diagnostics".into(), &diagnostics);
                Err(thrown)
            }
        }
    }

    /// What is wrong with a program, or may not be what is meant; nothing runs.
    #[wasm_bindgen(unchecked_return_type = "Diagnostic[]")]
    pub fn check(&self, name: &str, text: &str) -> JsValue {
        let check = self
            .with_files(&Tiles::new(self.files.clone()))
            .check_named(name, text);
        messages(&check.diagnostics, &check.sources)
    }

    /// What a function is for, or a word such as `choose`.
    #[wasm_bindgen(unchecked_return_type = "Doc | undefined")]
    pub fn doc(&self, name: &str) -> JsValue {
        let engine = ndscript::Engine::new();
        let word = || {
            let word = find_word(name)?;
            let fields = Fields::new()
                .with("name", name)
                .with("call", word.forms.join("\n"));
            let fields = fields.with("domain", "The language");
            Some(
                fields
                    .with("doc", word.doc)
                    .with("example", word.example)
                    .with("gives", word.gives)
                    .into(),
            )
        };
        engine
            .doc(name)
            .map(|function| doc(&function))
            .or_else(word)
            .unwrap_or(JsValue::UNDEFINED)
    }

    /// All functions that programs can call, by domain.
    #[wasm_bindgen(unchecked_return_type = "Doc[]")]
    pub fn functions(&self) -> JsValue {
        array(
            ndscript::Engine::new()
                .functions()
                .map(|function| doc(&function)),
        )
    }

    /// What the word before a cursor may become.
    #[wasm_bindgen(unchecked_return_type = "Completions")]
    pub fn complete(&self, text: &str, cursor: usize) -> JsValue {
        let found = ndscript::Engine::new().complete(text, byte_behind(text, cursor));
        let words = found.words.iter().map(|completion| {
            Fields::new()
                .with("word", &*completion.word)
                .with_some("function", completion.function.as_ref().map(doc))
        });
        let words = array(words);
        Fields::new()
            .with("start", units_before(text, found.start) as f64)
            .with("words", words)
            .into()
    }

    /// The tokens of a text, however broken, for colors: three numbers each, its class, its start and its end. The
    /// classes are 0 keyword, 1 name, 2 number, 3 string, 4 comment, 5 bracket, 6 operator, 7 error.
    pub fn tokens(&self, text: &str) -> Vec<u32> {
        let mut walk = Walk::new(text);
        let mut out = Vec::new();
        for (class, range) in tokens(text) {
            let start = walk.units_before(range.start);
            out.extend([
                class as u32,
                start as u32,
                walk.units_before(range.end) as u32,
            ]);
        }
        out
    }
}

impl Engine {
    fn with_files(&self, tiles: &Tiles) -> ndscript::Engine {
        ndscript::Engine::new()
            .with_limits(self.limits)
            .with_imports(self.files.clone())
            .with_tiles(tiles.clone())
    }
}

fn doc(function: &EngineFunction) -> JsValue {
    Fields::new()
        .with("name", &*function.name)
        .with("call", function.call())
        .with("domain", function.domain)
        .with("doc", &*function.doc)
        .with("example", &*function.example)
        .with("gives", &*function.gives)
        .into()
}

/// The version of the language and its engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}
