//! `ndscript check`: says what is wrong with programs without running them.

use ndscript::Engine;
use ndscript::tiles::Tiles;

use super::exit::{Exit, Stop};
use super::files::{self, Bounds, FolderTiles};
use super::imports::FileImports;
use super::options::CheckOptions;
use super::terminal;

/// Checks all files, also those behind one that has errors.
pub fn check(options: &CheckOptions) -> Result<Exit, Stop> {
    let color = terminal::colors_messages(options.color);
    let mut exit = Exit::Success;
    for path in &options.files {
        let text = files::read_program(path, Bounds::new(None, None));
        let imports = FileImports::new(files::folder_of(path), &options.imports.import_path, None);
        let tiles = FolderTiles::new([files::folder_of(path)]);
        let (text, imports, tiles) = match text.and_then(|text| Ok((text, imports?, tiles?))) {
            Ok(all) => all,
            Err(stop) => {
                super::report(&stop);
                exit = Exit::Error;
                continue;
            }
        };
        let engine = Engine::new()
            .with_imports(imports)
            .with_tiles(Tiles::new(tiles));
        match engine.compile_named(&files::shown_name(path), &text) {
            Ok(program) => {
                program
                    .warnings()
                    .iter()
                    .for_each(|each| terminal::show(each, program.sources(), color));
            }
            Err(error) => {
                error
                    .diagnostics
                    .iter()
                    .for_each(|each| terminal::show(each, &error.sources, color));
                exit = Exit::Error;
            }
        }
    }
    Ok(exit)
}
