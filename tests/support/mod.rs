//! Runs the programs of `examples/` through the public API.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::path::PathBuf;

use ndscript::picture::{Cell, Picture};
use ndscript::tiles::{TileSource, Tiles};
use ndscript::{Engine, ErrorKind, ImportSource, Outcome, Param, Program, Run, Solution};

/// The files of one folder below `examples/`.
pub struct Folder(pub PathBuf);

impl ImportSource for Folder {
    fn read(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(self.0.join(path)).map_err(|error| error.to_string())
    }
}

impl TileSource for Folder {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(std::fs::read(self.0.join(path)).ok())
    }

    fn places(&self) -> String {
        self.0.display().to_string()
    }
}

/// The folder `examples/<folder>`.
pub fn folder_of(folder: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(folder)
}

/// The program `examples/<folder>/<name>`, with its imports and its tiles.
pub fn example(folder: &str, name: &str) -> Program {
    let path = folder_of(folder);
    let text = std::fs::read_to_string(path.join(name)).unwrap();
    let engine = Engine::new()
        .with_imports(Folder(path.clone()))
        .with_tiles(Tiles::new(Folder(path)));
    engine
        .compile_named(name, &text)
        .unwrap_or_else(|error| panic!("{folder}/{name}: {error}"))
}

pub fn number(name: &str, value: f64) -> (String, Param) {
    (name.to_string(), Param::Number(value))
}

pub fn text(name: &str, value: &str) -> (String, Param) {
    (name.to_string(), Param::Text(value.into()))
}

/// The first solution of a run that asks nothing.
pub fn solve(program: &Program, seed: u64, parameters: &[(String, Param)]) -> Solution {
    finish(&mut program.run_with(seed, parameters))
}

/// The solution that a run comes to without asking again.
pub fn finish(run: &mut Run) -> Solution {
    match run.resume(u64::MAX) {
        Outcome::Solved(solution) => solution,
        other => panic!("no solution but {other:?}"),
    }
}

/// The message of a run that refuses its parameters, with its hint if there is one, in lines.
pub fn refusal(program: &Program, parameters: &[(String, Param)]) -> String {
    match program.run_with(1, parameters).resume(u64::MAX) {
        // What is of the wrong kind is refused by `param` itself.
        Outcome::Error(error) if [ErrorKind::Script, ErrorKind::Type].contains(&error.kind) => {
            let hints = error
                .diagnostic
                .hints
                .iter()
                .map(|hint| format!("\n{hint}"));
            error.diagnostic.message.clone() + &hints.collect::<String>()
        }
        other => panic!("no error of the script but {other:?}"),
    }
}

/// The tile names of a map, row by row.
pub fn tiles(picture: &Picture) -> Vec<Vec<String>> {
    let Picture::Tiles(map) = picture else {
        panic!("no tile map: {picture:?}")
    };
    let name = |cell: &Cell| match cell {
        Cell::Tile(tile) => map.names[*tile as usize].to_string(),
        other => format!("{other:?}"),
    };
    map.cells
        .chunks(map.width as usize)
        .map(|row| row.iter().map(name).collect())
        .collect()
}

/// What the run of a program that has no solution says about that; empty if it says nothing.
pub fn no_solution(program: &Program, seed: u64, parameters: &[(String, Param)]) -> String {
    let mut run = program.run_with(seed, parameters);
    match run.resume(u64::MAX) {
        Outcome::Failed => run.failure_message().unwrap_or_default().to_string(),
        other => panic!("no failure but {other:?}"),
    }
}
