//! The bytes of an image file, as a tile and as a picture to learn from.

use ndscript::render::{RenderOptions, draw};
use ndscript::tiles::{TileSource, Tiles};
use ndscript::{Engine, Limits, Outcome};

struct One(Vec<u8>);

impl TileSource for One {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        Ok((path == "t.png").then(|| self.0.clone()))
    }

    fn places(&self) -> String {
        "memory".to_string()
    }
}

pub fn drive(bytes: &[u8]) {
    let tiles = Tiles::new(One(bytes.to_vec()));
    let limits = Limits {
        steps: 2_000_000,
        memory: 16 << 20,
        picture_cells: 1 << 18,
        ..Limits::default()
    };
    let engine = Engine::new().with_limits(limits).with_tiles(tiles.clone());
    let text = "choose first { printImage(\"t.png\"); printTilemap(grid([[\"t\", \"red\"]])); }
                or { printTilesetMap(makeGrid(2, 1, setOf(\"t\", \"red\"))); }
                or { print(gridFromPicture(\"t\")); } or { print(gridFromPicture(\"t\", 3)[0, 0]); }";
    let mut run = engine
        .compile(text)
        .unwrap_or_else(|error| panic!("{error}"))
        .run(1);
    let options = RenderOptions {
        max_pixels: 1 << 18,
        ..RenderOptions::default()
    };
    while let Outcome::Solved(solution) = run.resume(u64::MAX) {
        for (_, picture) in solution.pictures {
            match draw(&picture, &tiles, &options) {
                Ok(canvas) => drop(canvas.to_png()),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}
