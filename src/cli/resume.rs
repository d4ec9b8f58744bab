//! `ndscript resume`: goes on with a run that was stopped.

use std::path::PathBuf;

use ndscript::tiles::Tiles;

use super::exit::{Exit, Stop};
use super::files::{Bounds, FolderTiles};
use super::options::{ImportOptions, ProgramOptions, ResumeOptions, RunOptions, TileOptions};
use super::output::Output;
use super::run::{Search, engine};
use super::stopped::{self, Stopped};

/// Goes on as the options say, and where they say nothing as the run began.
pub fn resume(options: &ResumeOptions) -> Result<Exit, Stop> {
    let stopped = Stopped::read(&options.state, Bounds::of_state(options.limits.timeout))?;
    let run_options = RunOptions {
        program: ProgramOptions { file: PathBuf::from(&stopped.file), params: Vec::new(), seed: Some(stopped.seed) },
        solutions: options.solutions.or(stopped.wanted.map(stopped::count_of)),
        out: options.out.clone().unwrap_or_else(|| PathBuf::from(&stopped.out)),
        png: options.png.clone(),
        html: options.html.clone().or_else(|| stopped.html.as_ref().map(PathBuf::from)),
        tiles: TileOptions {
            tiles: stopped.tile_folders().chain(options.tiles.tiles.iter().cloned()).collect(),
            tile_size: options.tiles.tile_size.or_else(|| stopped.tile_size.and_then(|size| size.try_into().ok())),
        },
        // The texts of its files are in the state.
        imports: ImportOptions::default(),
        screen: options.screen,
        limits: options.limits,
        // What was not finished again is there for another time.
        save: Some(options.save.clone().unwrap_or_else(|| options.state.clone())),
        stats: options.stats,
    };
    let folders = run_options.tiles.tiles.clone();
    let tiles = Tiles::new(FolderTiles::new(folders.iter().cloned())?);
    let (engine, to_cancel) = engine(&run_options, &tiles);
    let (program, run) = stopped.restore(engine)?;
    let _ = to_cancel.set(run.cancel_token());
    let mut output = Output::new(&run_options, tiles);
    output.go_on(&stopped.output).ok_or_else(|| Stop::error("the state is damaged: its output is not in order"))?;
    let mut search = Search::new(&run_options, program, run, output, stopped.seed, folders);
    search.go_on(&stopped);
    search.finish()
}
