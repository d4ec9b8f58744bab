//! Engines: what programs may use, and what editors ask.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ndscript::source::relative_path;
use ndscript::tiles::{TileSource, Tiles};
use ndscript::{Choices, Data, Engine, ImportSource, Limits, Rest};
use serde_json::{Value, json};

use crate::border::{bytes, emptied, give_text, given, guard, text};
use crate::host_function::{NdsAlternative, NdsFreeUserData, NdsFunction, UserData};
use crate::message::{function, messages, unread};
use crate::program::NdsProgram;
use crate::run::NdsRun;

/// Compiles programs, and holds what they may use.
pub struct NdsEngine {
    state: Mutex<State>,
}

struct State {
    engine: Engine,
    limits: Limits,
    files: Files,
}

/// A file: its path, and what is in it.
type File = (String, Vec<u8>);

/// Texts to import, and PNG files of tiles. They are few.
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
        "the files that the host has added".to_string()
    }
}

impl NdsEngine {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn engine(&self) -> (Engine, Tiles) {
        let tiles = Tiles::new(self.files.clone());
        let engine = self.engine.clone().with_limits(self.limits);
        (
            engine
                .with_imports(self.files.clone())
                .with_tiles(tiles.clone()),
            tiles,
        )
    }
}

/// An engine that allows nothing but computing.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_new() -> Option<Box<NdsEngine>> {
    guard(None, || {
        let started = Instant::now();
        Ok(Some(Box::new(NdsEngine {
            state: Mutex::new(State {
                engine: Engine::new().with_clock(move || started.elapsed()),
                limits: Limits::default(),
                files: Files::default(),
            }),
        })))
    })
}

/// Frees an engine. Its programs and runs go on. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_free(engine: Option<Box<NdsEngine>>) {
    guard((), || {
        drop(engine);
        Ok(())
    });
}

/// Sets a limit for programs that are compiled from now on: "steps", "memory" (bytes), "depth", "output" (bytes),
/// "pictures", "pictureCells", "source" (bytes) or "milliseconds".
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_set_limit(
    engine: Option<&NdsEngine>,
    name: *const c_char,
    limit: u64,
) -> bool {
    guard(false, || {
        let mut state = given(engine, "engine")?.lock();
        let limits = &mut state.limits;
        let size = usize::try_from(limit).unwrap_or(usize::MAX);
        match text(name, "name of the limit")? {
            "steps" => limits.steps = limit,
            "memory" => limits.memory = size,
            "depth" => limits.depth = size,
            "output" => limits.output = size,
            "pictures" => limits.pictures = size,
            "pictureCells" => limits.picture_cells = size,
            "source" => limits.source = size,
            "milliseconds" => limits.time = Duration::from_millis(limit),
            other => {
                return Err(format!(
                    "there is no limit {other:?}: it is steps, memory, depth, output, pictures, pictureCells, source or \
                     milliseconds"
                ));
            }
        }
        Ok(true)
    })
}

/// Sets a key, 32 bytes, that the runs of programs which are compiled from now on are saved with, and that
/// nds_engine_restore asks for. Without a key restore only what comes from people whom you trust: anybody can make up a
/// saved run whose values no program could reach.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_set_save_key(
    engine: Option<&NdsEngine>,
    key: *const u8,
    length: usize,
) -> bool {
    guard(false, || {
        let mut state = given(engine, "engine")?.lock();
        let key = bytes(key, length, "key")?;
        let key = key
            .try_into()
            .map_err(|_| format!("a key has 32 bytes, not {length}"))?;
        state.engine = state.engine.clone().with_save_key(key);
        Ok(true)
    })
}

/// Adds a file, for `import` or as the image of a tile (PNG), in place of one with the same path: a relative path with
/// `/` and without `..`, as programs name it.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_add_file(
    engine: Option<&NdsEngine>,
    path: *const c_char,
    content: *const u8,
    length: usize,
) -> bool {
    guard(false, || {
        let state = given(engine, "engine")?.lock();
        let path = text(path, "path")?;
        let path = relative_path(path).ok_or_else(|| {
            format!("the path of a file is a relative one without `..`, not {path:?}")
        })?;
        let content = bytes(content, length, "file")?.to_vec();
        let mut files = state.files.lock();
        files.retain(|file| file.0 != path);
        files.push((path, content));
        Ok(true)
    })
}

/// Adds a function that programs which are compiled from now on can call, with at least `least` and at most `most`
/// arguments, or any number if `most` is negative. `free_user_data` may be NULL; it is called, from any thread, when no
/// engine, program and run needs the function any more, and also if this fails. A function takes the place of an earlier
/// one with its name.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_add_function(
    engine: Option<&NdsEngine>,
    name: *const c_char,
    least: u32,
    most: i32,
    function: NdsFunction,
    user_data: *mut c_void,
    free_user_data: NdsFreeUserData,
) -> bool {
    // Made first: so the user data is freed whatever is wrong with the rest.
    let user_data = UserData {
        pointer: user_data,
        free: free_user_data,
    };
    guard(false, || {
        let function = given(function, "function")?;
        let call = move |arguments: Rest<Data>| user_data.call(function, &arguments);
        add(engine, name, least, most, |engine, name| {
            engine.with_function(name, call)
        })
    })
}

/// Adds a function as nds_engine_add_function does, whose result is a choice of the script among alternatives that are made
/// one by one. There may be no end to them. Nothing is kept between two of them but `user_data`, which all runs share.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_add_alternatives(
    engine: Option<&NdsEngine>,
    name: *const c_char,
    least: u32,
    most: i32,
    function: NdsAlternative,
    user_data: *mut c_void,
    free_user_data: NdsFreeUserData,
) -> bool {
    let user_data = Arc::new(UserData {
        pointer: user_data,
        free: free_user_data,
    });
    guard(false, || {
        let function = given(function, "function")?;
        let alternatives = move |arguments: Rest<Data>| {
            let user_data = user_data.clone();
            Choices::try_lazily_charged(move |number| {
                user_data.alternative(function, &arguments, number)
            })
        };
        add(engine, name, least, most, |engine, name| {
            engine.with_function(name, alternatives)
        })
    })
}

/// Adds a function by `with`, which gives the engine more.
fn add(
    engine: Option<&NdsEngine>,
    name: *const c_char,
    least: u32,
    most: i32,
    with: impl FnOnce(Engine, &str) -> Engine,
) -> Result<bool, String> {
    let engine = given(engine, "engine")?;
    let name = text(name, "name of the function")?;
    let mut state = engine.lock();
    let added = with(state.engine.clone(), name).with_arity(least, u32::try_from(most).ok());
    // A name that no program can write is an error of every program.
    let refused = added.check("").diagnostics.into_iter().next();
    let unneeded = match refused {
        None => std::mem::replace(&mut state.engine, added),
        Some(_) => added,
    };
    // What frees user data may use the engine.
    drop(state);
    drop(unneeded);
    refused.map_or(Ok(true), |error| Err(error.message))
}

/// Compiles a program that messages call by `name`. `diagnostics` may be NULL; otherwise it gets a JSON array of all
/// errors, at least one, or of all warnings if there is a program, to be given back with nds_free.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_compile(
    engine: Option<&NdsEngine>,
    name: *const c_char,
    program: *const c_char,
    diagnostics: Option<&mut *mut c_char>,
) -> Option<Box<NdsProgram>> {
    let diagnostics = emptied(diagnostics, null_mut());
    guard(None, || {
        let read = || {
            let (engine, tiles) = given(engine, "engine")?.lock().engine();
            let name = text(name, "name of the program")?;
            Ok((engine, tiles, name, text(program, "program")?))
        };
        let compiled = read().map_err(|why: String| (unread(&why), why)).and_then(
            |(engine, tiles, name, text)| match engine.compile_named(name, text) {
                Ok(program) => Ok(NdsProgram { program, tiles }),
                Err(error) => Err((
                    messages(&error.diagnostics, &error.sources),
                    error.to_string(),
                )),
            },
        );
        if let Some(place) = diagnostics {
            let told = match &compiled {
                Ok(it) => &messages(it.program.warnings(), it.program.sources()),
                Err((told, _)) => told,
            };
            *place = give_text(&told.to_string());
        }
        compiled
            .map(|program| Some(Box::new(program)))
            .map_err(|(_, why)| why)
    })
}

/// What is wrong with a program, or may not be what is meant, as a JSON array; nothing runs.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_check(
    engine: Option<&NdsEngine>,
    name: *const c_char,
    program: *const c_char,
) -> *mut c_char {
    guard(null_mut(), || {
        let (engine, _) = given(engine, "engine")?.lock().engine();
        let check = engine.check_named(
            text(name, "name of the program")?,
            text(program, "program")?,
        );
        Ok(give_text(
            &messages(&check.diagnostics, &check.sources).to_string(),
        ))
    })
}

/// What the word before a cursor, a place in bytes, may become: JSON with `start`, where the word begins, and `words`.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_complete(
    engine: Option<&NdsEngine>,
    program: *const c_char,
    cursor: usize,
) -> *mut c_char {
    guard(null_mut(), || {
        let (engine, _) = given(engine, "engine")?.lock().engine();
        let found = engine.complete(text(program, "program")?, cursor);
        let words: Vec<Value> = found
            .words
            .iter()
            .map(|word| json!({"word": &*word.word, "function": word.function.as_ref().map(function)}))
            .collect();
        Ok(give_text(
            &json!({"start": found.start, "words": words}).to_string(),
        ))
    })
}

/// All functions that programs can call, built-ins and those of the host, as a JSON array.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_functions(engine: Option<&NdsEngine>) -> *mut c_char {
    guard(null_mut(), || {
        let (engine, _) = given(engine, "engine")?.lock().engine();
        let functions: Value = engine.functions().map(|known| function(&known)).collect();
        Ok(give_text(&functions.to_string()))
    })
}

/// A run as nds_run_save has saved it, of the same program and with the same host functions; see
/// nds_engine_set_save_key for runs that strangers have saved.
#[unsafe(no_mangle)]
pub extern "C" fn nds_engine_restore(
    engine: Option<&NdsEngine>,
    program: Option<&NdsProgram>,
    saved: *const u8,
    length: usize,
) -> Option<Box<NdsRun>> {
    guard(None, || {
        let (engine, _) = given(engine, "engine")?.lock().engine();
        let program = given(program, "program")?;
        let saved = bytes(saved, length, "saved run")?;
        let run = engine
            .restore(&program.program, saved)
            .map_err(|why| why.to_string())?;
        Ok(Some(Box::new(NdsRun::new(run, program.tiles.clone()))))
    })
}
