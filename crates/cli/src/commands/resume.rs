//! `ndscript resume`: resumes a run that was stopped.

use std::path::Path;

use ndscript::tiles::{TileSource, Tiles};

use super::run::{SolutionSearch, engine, memory_limit};
use crate::arguments::options::{
    BatchOptions, ImportOptions, ProgramOptions, ResumeOptions, RunOptions, TileOptions,
};
use crate::exit::{Exit, Stop};
use crate::files::guard;
use crate::files::{self, Bounds, FolderTiles};
use crate::results::output::Output;
use crate::runs::stopped::{self, Stopped};
use crate::terminal::complain;

/// The greatest size of a map's cells that `--tile-size` takes.
const MAX_TILE_SIZE: u64 = 1024;

/// Resumes as the options say. The state contains what is searched for and the progress; where pictures are written,
/// and which folders are read, has to be given again.
pub fn resume(options: &ResumeOptions) -> Result<Exit, Stop> {
    guard::is_no_output(&options.state)?;
    let stopped = Stopped::read(
        &options.state,
        Bounds::of_state(
            memory_limit(options.limits.memory.max_memory),
            options.limits.timeout,
        ),
    )?;
    let tile_size = stopped
        .tile_size
        .filter(|size| (1..=MAX_TILE_SIZE).contains(size));
    let run_options = RunOptions {
        // Pictures are called after the state, as those of a run are after the program.
        program: ProgramOptions {
            file: options.state.clone(),
            params: Vec::new(),
            seed: Some(stopped.seed),
        },
        solutions: options.solutions.or(stopped.wanted.map(stopped::count_of)),
        out: options.out.clone(),
        png: options.png.clone(),
        html: options.html.clone(),
        tiles: TileOptions {
            tiles: options.tiles.tiles.clone(),
            tile_size: options
                .tiles
                .tile_size
                .or_else(|| tile_size.and_then(|size| size.try_into().ok())),
        },
        // The texts of its files are in the state.
        imports: ImportOptions::default(),
        screen: options.screen,
        limits: options.limits,
        // If it stops again, its state is saved for another time.
        save: Some(
            options
                .save
                .clone()
                .unwrap_or_else(|| options.state.clone()),
        ),
        distinct: false,
        frames: None,
        svg: options.svg,
        tmx: None,
        tiled_json: None,
        batch: BatchOptions::default(),
        stats: options.stats,
    };
    let folders = std::iter::once(files::folder_of(&options.state))
        .chain(options.tiles.tiles.iter().cloned());
    let memory = options.limits.memory.max_memory;
    let folders = FolderTiles::new(folders)?.within(memory);
    let before = stopped
        .tiles
        .iter()
        .filter(|folder| !folders.is_searched(Path::new(folder)))
        .cloned()
        .collect();
    let tiles = Tiles::new(TilesFromBefore { folders, before });
    let (engine, to_cancel) = engine(&run_options, &tiles);
    let (program, run) = stopped.restore(engine)?;
    // Their texts are in the state, but they are still input files.
    program
        .sources()
        .files()
        .iter()
        .try_for_each(|file| guard::read(Path::new(&*file.name)))?;
    let _ = to_cancel.set(run.cancel_token());
    let mut output = Output::new(&run_options, tiles);
    output
        .restore_state(&stopped.output)
        .ok_or_else(|| Stop::error("the state is damaged: its output is not in order"))?;
    if output.has_unnamed_page() {
        complain("warning: the run was making a web page\n`--html FILE` goes on with it");
    }
    let mut search = SolutionSearch::new(
        &run_options,
        program,
        run,
        output,
        stopped.seed,
        stopped.tiles.clone(),
    );
    search.restore_progress(&stopped);
    search.finish()
}

/// Tile images from folders that are named now. Those that the run had before are words in messages.
struct TilesFromBefore {
    folders: FolderTiles,
    before: Vec<String>,
}

impl TileSource for TilesFromBefore {
    fn has_folder(&self, path: &str) -> Result<bool, String> {
        self.folders.has(path)
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        self.folders.read(path)
    }

    fn places(&self) -> String {
        let places = self.folders.places();
        if self.before.is_empty() {
            return places;
        }
        let before: Vec<String> = self
            .before
            .iter()
            .map(|folder| format!("`--tiles {folder:?}`"))
            .collect();
        format!(
            "{places} (the run had others before: {} lets it look there again)",
            before.join(" ")
        )
    }
}
