//! Programs as resources.

use std::cell::RefCell;

use godot::classes::{IResourceFormatLoader, Resource, ResourceFormatLoader};
use godot::global::Error;
use godot::prelude::*;
use ndscript::tiles::Tiles;
use ndscript::{Engine, Program};

use crate::files::{Imports, TileImages, read_text};

/// A program, loaded from a `.nds` file, or with a text that is given to `source`.
#[derive(GodotClass)]
#[class(base = Resource, init, tool)]
pub struct NdProgram {
    /// The text of the program.
    #[var(get = get_source, set = set_source)]
    #[export(multiline)]
    source: GString,
    compiled: Option<Result<Program, String>>,
    base: Base<Resource>,
}

/// The engine for programs of a game.
fn engine() -> Engine {
    Engine::new()
        .with_imports(Imports)
        .with_tiles(tiles())
        .with_debug(|line| godot_print!("{line}"))
}

/// The tiles with which pictures of programs are drawn.
pub fn tiles() -> Tiles {
    Tiles::new(TileImages)
}

impl NdProgram {
    /// The program, compiled on the first call, or its errors with their places.
    pub fn program(&mut self) -> Result<Program, String> {
        let path = self.base().get_path().to_string();
        let compiled = self.compiled.get_or_insert_with(|| {
            let name = if path.is_empty() {
                "program.nds"
            } else {
                &path
            };
            let compiled = engine().compile_named(name, &self.source.to_string());
            compiled.map_err(|error| error.to_string())
        });
        compiled.clone()
    }
}

#[godot_api]
impl NdProgram {
    /// The text of the program.
    #[func]
    fn get_source(&self) -> GString {
        self.source.clone()
    }

    /// Gives the program another text.
    #[func]
    fn set_source(&mut self, source: GString) {
        self.source = source;
        self.compiled = None;
        self.base_mut().emit_changed();
    }

    /// Why the program cannot run, with the places; empty if it can.
    #[func]
    fn get_error(&mut self) -> GString {
        GString::from(&self.program().err().unwrap_or_default())
    }
}

/// Loads `.nds` files as `NdProgram`.
#[derive(GodotClass)]
#[class(base = ResourceFormatLoader, init, tool)]
pub struct NdProgramLoader {
    base: Base<ResourceFormatLoader>,
}

#[godot_api]
impl IResourceFormatLoader for NdProgramLoader {
    fn get_recognized_extensions(&self) -> PackedStringArray {
        PackedStringArray::from(&[GString::from("nds")])
    }

    fn handles_type(&self, class: StringName) -> bool {
        matches!(class.to_string().as_str(), "NdProgram" | "Resource")
    }

    fn get_resource_type(&self, path: GString) -> GString {
        let is_program = path.to_string().ends_with(".nds");
        GString::from(if is_program { "NdProgram" } else { "" })
    }

    fn load(
        &self,
        path: GString,
        _original_path: GString,
        _use_sub_threads: bool,
        _cache_mode: i32,
    ) -> Variant {
        match read_text(&path.to_string()) {
            Ok(text) => {
                let mut program = NdProgram::new_gd();
                program.bind_mut().source = GString::from(&text);
                program.to_variant()
            }
            Err(why) => {
                godot_error!("{why}");
                Error::ERR_CANT_OPEN.to_variant()
            }
        }
    }
}

thread_local! {
    /// Godot asks for the same loader when the extension is unloaded.
    static LOADER: RefCell<Option<Gd<NdProgramLoader>>> = const { RefCell::new(None) };
}

/// Stores the loader that is registered, and returns the one before.
pub fn remember_loader(loader: Option<Gd<NdProgramLoader>>) -> Option<Gd<NdProgramLoader>> {
    LOADER.with(|stored| stored.replace(loader))
}
