//! `ndscript resume`: goes on with a run that was stopped.

use std::path::PathBuf;

use ndscript::tiles::Tiles;

use super::exit::{Exit, Stop};
use super::files::FolderTiles;
use super::options::{ResumeOptions, RunOptions};
use super::output::Output;
use super::run::{Search, engine};
use super::stopped::{self, Stopped};

/// Goes on as the options say, and where they say nothing as the run began.
pub fn resume(options: &ResumeOptions) -> Result<Exit, Stop> {
    let stopped = Stopped::read(&options.state)?;
    let run_options = RunOptions {
        file: PathBuf::from(&stopped.file),
        params: Vec::new(),
        seed: Some(stopped.seed),
        solutions: options.solutions.or(stopped.wanted.map(stopped::count_of)),
        out: options.out.clone().unwrap_or_else(|| PathBuf::from(&stopped.out)),
        png: options.png.clone(),
        html: options.html.clone().or_else(|| stopped.html.as_ref().map(PathBuf::from)),
        tiles: stopped.tile_folders().chain(options.tiles.iter().cloned()).collect(),
        tile_size: options.tile_size.or_else(|| stopped.tile_size.and_then(|size| u32::try_from(size).ok())),
        preview: options.preview,
        color: options.color,
        max_steps: options.max_steps,
        max_memory: options.max_memory,
        timeout: options.timeout,
        // What was not finished again is there for another time.
        save: Some(options.save.clone().unwrap_or_else(|| options.state.clone())),
        stats: options.stats,
    };
    let tiles = Tiles::new(FolderTiles::new(run_options.tiles.iter().cloned())?);
    let (engine, to_cancel) = engine(&run_options, &tiles);
    let (program, run) = stopped.restore(engine)?;
    let _ = to_cancel.set(run.cancel_token());
    let mut output = Output::new(&run_options, tiles);
    output.go_on(&stopped.output).ok_or_else(|| Stop::error("the state is damaged: its output is not in order"))?;
    let mut search = Search::new(&run_options, program, run, output, stopped.seed, run_options.tiles.clone());
    search.go_on(&stopped);
    search.finish()
}
