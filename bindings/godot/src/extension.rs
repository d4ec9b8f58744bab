//! What Godot calls when it loads this library.
// Godot's bindings ask for one `unsafe impl`: the promise that Godot alone loads this library.
#![allow(unsafe_code)]

use godot::classes::ResourceLoader;
use godot::prelude::*;

use crate::program::{NdProgramLoader, remember_loader};

struct NdScriptExtension;

#[gdextension]
unsafe impl ExtensionLibrary for NdScriptExtension {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            let loader = NdProgramLoader::new_gd();
            ResourceLoader::singleton().add_resource_format_loader(&loader);
            remember_loader(Some(loader));
        }
    }

    fn on_stage_deinit(stage: InitStage) {
        if stage == InitStage::Scene
            && let Some(loader) = remember_loader(None)
        {
            ResourceLoader::singleton().remove_resource_format_loader(&loader);
        }
    }
}
