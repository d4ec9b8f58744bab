//! Pictures down to their pixels: tile names, sizes, scaling, limits, and the three ways to show them.

#[path = "pictures/samples.rs"]
mod samples;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use image::{ImageFormat, Rgba, RgbaImage};
use ndscript::picture::{Cell, HeatCell, HeatMap, Picture, TileMap};
use ndscript::tiles::{BuiltInTile, Tile, TileSource, Tiles};
use ndscript_render::{Canvas, RenderError, RenderOptions, draw, draw_to_fit, terminal};

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

/// Files in memory; counts how often it is asked.
#[derive(Clone, Default)]
struct Files {
    files: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
    reads: Arc<AtomicUsize>,
}

impl Files {
    fn with(self, path: &str, bytes: Vec<u8>) -> Files {
        self.files.lock().unwrap().insert(path.to_string(), bytes);
        self
    }
}

impl TileSource for Files {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        Ok(self.files.lock().unwrap().get(path).cloned())
    }

    fn places(&self) -> String {
        "the folder \"shelf\"".to_string()
    }
}

/// A PNG file whose left half is one colour and whose right half another.
fn halves(width: u32, height: u32, left: [u8; 4], right: [u8; 4]) -> Vec<u8> {
    let image = RgbaImage::from_fn(width, height, |x, _| {
        Rgba(if x < width / 2 { left } else { right })
    });
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

fn map(width: u32, height: u32, names: &[&str], cells: &[Cell], candidates: &[&[u32]]) -> Picture {
    assert_eq!(cells.len(), (width * height) as usize);
    Picture::Tiles(TileMap {
        width,
        height,
        names: names.iter().map(|name| (*name).into()).collect(),
        cells: cells.to_vec(),
        candidates: candidates.iter().map(|list| list.to_vec()).collect(),
    })
}

fn size(canvas: &Canvas) -> (u32, u32) {
    (canvas.width(), canvas.height())
}

fn shown(picture: &Picture, tiles: &Tiles) -> Canvas {
    draw(picture, tiles, &RenderOptions::default()).unwrap()
}

fn options(tile_size: u32) -> RenderOptions {
    RenderOptions {
        tile_size: Some(tile_size),
        ..RenderOptions::default()
    }
}

#[test]
fn flat_tiles_are_16_pixels_unless_told() {
    let picture = map(
        2,
        1,
        &["red", "#0000ff"],
        &[Cell::Tile(0), Cell::Tile(1)],
        &[],
    );
    let canvas = shown(&picture, &Tiles::default());
    assert_eq!(size(&canvas), (32, 16));
    assert_eq!(
        (canvas.pixel(15, 15), canvas.pixel(16, 0)),
        (Some(RED), Some(BLUE))
    );
    assert_eq!((canvas.pixel(32, 0), canvas.pixel(0, 16)), (None, None));
    assert_eq!(
        size(&draw(&picture, &Tiles::default(), &options(3)).unwrap()),
        (6, 3)
    );
}

#[test]
fn rows_go_down_and_columns_to_the_right() {
    let names = ["red", "lime", "blue", "white"];
    let picture = map(
        2,
        2,
        &names,
        &[Cell::Tile(0), Cell::Tile(1), Cell::Tile(2), Cell::Tile(3)],
        &[],
    );
    let canvas = draw(&picture, &Tiles::default(), &options(1)).unwrap();
    assert_eq!(canvas.pixels(), [RED, [0, 255, 0, 255], BLUE, [255; 4]]);
}

#[test]
fn a_file_comes_before_a_color_and_a_color_before_a_built_in_tile() {
    let tiles = Tiles::new(
        Files::default()
            .with("red.png", halves(2, 2, BLUE, BLUE))
            .with("wall.png", halves(2, 2, RED, RED)),
    );
    assert!(matches!(tiles.resolve("red"), Ok(Tile::Image(_))));
    assert!(matches!(tiles.resolve("wall"), Ok(Tile::Image(_))));
    assert_eq!(tiles.resolve("Tomato"), Ok(Tile::Color([255, 99, 71, 255])));
    assert_eq!(
        tiles.resolve("floor"),
        Ok(Tile::BuiltIn(BuiltInTile::Floor))
    );
    assert_eq!(
        tiles.resolve("#Ab00fF"),
        Ok(Tile::Color([0xab, 0, 0xff, 255]))
    );
    assert_eq!(tiles.resolve("transparent"), Ok(Tile::Color([0, 0, 0, 0])));
    for (name, _) in BuiltInTile::ALL {
        assert_eq!(tiles.check(name), Ok(()), "{name}");
    }
}

#[test]
fn the_extension_is_added_where_there_is_none() {
    let png = halves(2, 2, RED, RED);
    let tiles = Tiles::new(
        Files::default()
            .with("a/b.png", png.clone())
            .with("v1.2", png.clone())
            .with(".dot.png", png),
    );
    for name in ["a/b", "a/b.png", "./a//b", "v1.2", ".dot"] {
        assert!(matches!(tiles.resolve(name), Ok(Tile::Image(_))), "{name}");
    }
    assert!(tiles.check("b").is_err());
}

#[test]
fn names_that_lead_elsewhere_are_errors() {
    let tiles = Tiles::new(Files::default());
    for name in [
        "",
        "/etc/x",
        "..",
        "../x",
        "a/../../x",
        "a\\b",
        "C:x",
        "a\0b",
        ".",
        "./",
    ] {
        let message = tiles.check(name).unwrap_err();
        assert!(
            message.contains("relative path without `..`"),
            "{name:?}: {message}"
        );
    }
}

#[test]
fn unknown_names_say_where_was_looked() {
    let message = Tiles::new(Files::default()).check("gras").unwrap_err();
    assert_eq!(
        message,
        "unknown tile \"gras\": there is no file \"gras.png\" in the folder \"shelf\", and it is neither the name \
         of a color nor a built-in tile (left right up down wall floor door treasure monster unknown sea sand grass forest hill mountain road river bridge house tower)"
    );
    for name in [
        "rgb(1,2,3)",
        "fff",
        "abcdef",
        "#12345",
        "#gggggg",
        "#ff000080",
        "hsl(0 0% 0%)",
    ] {
        assert!(Tiles::default().check(name).is_err(), "{name}");
    }
}

#[test]
fn a_file_is_read_once() {
    let files = Files::default().with("a.png", halves(2, 2, RED, BLUE));
    let tiles = Tiles::new(files.clone());
    for _ in 0..100 {
        assert_eq!(tiles.clone().check("a"), Ok(()));
    }
    shown(&Picture::Image("a".into()), &tiles);
    assert_eq!(files.reads.load(Ordering::Relaxed), 1);
}

#[test]
fn all_tiles_of_a_map_have_the_size_of_the_largest() {
    let files = Files::default()
        .with("big.png", halves(32, 24, RED, BLUE))
        .with("small.png", halves(4, 4, BLUE, RED));
    let tiles = Tiles::new(files);
    let picture = map(
        3,
        1,
        &["big", "small", "lime"],
        &[Cell::Tile(0), Cell::Tile(1), Cell::Tile(2)],
        &[],
    );
    let canvas = shown(&picture, &tiles);
    assert_eq!(size(&canvas), (96, 24));
    // Scaled without smoothing: the edge between the halves stays sharp.
    let row: Vec<[u8; 4]> = (0..96).filter_map(|x| canvas.pixel(x, 23)).collect();
    let expected = [(16, RED), (32, BLUE), (16, RED), (32, [0, 255, 0, 255])];
    let expected: Vec<[u8; 4]> = expected
        .iter()
        .flat_map(|(count, color)| vec![*color; *count])
        .collect();
    assert_eq!(row, expected);
    assert_eq!(
        size(&shown(
            &map(1, 1, &["small"], &[Cell::Tile(0)], &[]),
            &tiles
        )),
        (4, 4)
    );
    assert_eq!(size(&draw(&picture, &tiles, &options(8)).unwrap()), (24, 8));
}

#[test]
fn an_image_is_printed_at_its_own_size() {
    let tiles = Tiles::new(Files::default().with("photo.png", halves(40, 7, RED, [0, 0, 255, 0])));
    let canvas = shown(&Picture::Image("photo".into()), &tiles);
    assert_eq!(size(&canvas), (40, 7));
    assert_eq!(
        (canvas.pixel(19, 6), canvas.pixel(20, 0)),
        (Some(RED), Some([0, 0, 255, 0]))
    );
    assert_eq!(
        size(&draw(&Picture::Image("photo".into()), &tiles, &options(5)).unwrap()),
        (40, 7)
    );
    assert_eq!(
        size(&shown(&Picture::Image("monster".into()), &tiles)),
        (16, 16)
    );
    assert_eq!(
        size(&draw(&Picture::Image("teal".into()), &tiles, &options(5)).unwrap()),
        (5, 5)
    );
}

#[test]
fn candidates_are_drawn_small() {
    let picture = map(
        1,
        1,
        &["red", "blue", "lime"],
        &[Cell::Candidates(0)],
        &[&[0, 1, 2]],
    );
    let canvas = shown(&picture, &Tiles::default());
    assert_eq!(size(&canvas), (16, 16));
    assert_eq!(
        (canvas.pixel(0, 0), canvas.pixel(7, 7)),
        (Some(RED), Some(RED))
    );
    assert_eq!(
        (canvas.pixel(8, 0), canvas.pixel(15, 7)),
        (Some(BLUE), Some(BLUE))
    );
    assert_eq!(canvas.pixel(0, 8), Some([0, 255, 0, 255]));
    let rest = canvas.pixel(8, 8).unwrap();
    assert!(rest[..3].iter().all(|part| *part < 64), "{rest:?}");
    // More than there are pixels: as many as fit, and nothing outside the cell.
    let many: Vec<u32> = (0..1000).map(|at| at % 3).collect();
    let picture = map(
        2,
        1,
        &["red", "blue", "lime"],
        &[Cell::Candidates(0), Cell::Tile(0)],
        &[&many],
    );
    let canvas = draw(&picture, &Tiles::default(), &options(2)).unwrap();
    assert_eq!(canvas.pixels()[..2], [RED, BLUE]);
    assert_eq!(
        (canvas.pixel(2, 0), canvas.pixel(3, 1)),
        (Some(RED), Some(RED))
    );
}

#[test]
fn a_contradiction_is_a_red_cross() {
    let canvas = shown(&map(1, 1, &[], &[Cell::Empty], &[]), &Tiles::default());
    assert_eq!(size(&canvas), (16, 16));
    let middle = canvas.pixel(8, 8).unwrap();
    assert!(
        middle[0] > 150 && middle[1] < 100 && middle[2] < 100,
        "{middle:?}"
    );
    for (x, y) in [(8, 1), (1, 8), (14, 8), (8, 14)] {
        assert!(canvas.pixel(x, y).unwrap()[0] < 64, "{x} {y}");
    }
    for at in 3..7 {
        assert_eq!(
            (canvas.pixel(at, at), canvas.pixel(15 - at, at)),
            (Some(middle), Some(middle)),
            "{at}"
        );
    }
}

/// A heat map of one row.
fn heat(names: &[&str], cells: &[HeatCell]) -> Picture {
    let names = names.iter().map(|name| Arc::from(*name)).collect();
    Picture::Heat(HeatMap {
        width: cells.len() as u32,
        height: 1,
        names,
        cells: cells.to_vec(),
    })
}

#[test]
fn heat_maps_go_from_dark_to_bright() {
    let numbers = [-1.0, 0.0, 0.5, 3.0].map(HeatCell::Number);
    let picture = heat(&[], &[&numbers[..], &[HeatCell::Blank]].concat());
    let canvas = draw(&picture, &Tiles::default(), &options(1)).unwrap();
    let brightness = |x: u32| {
        canvas.pixel(x, 0).unwrap()[..3]
            .iter()
            .map(|part| u32::from(*part))
            .sum::<u32>()
    };
    assert!((0..3).all(|x| brightness(x) < brightness(x + 1)));
    assert_eq!(
        (canvas.pixel(0, 0), canvas.pixel(3, 0)),
        (Some([68, 1, 84, 255]), Some([253, 231, 37, 255]))
    );
    let blank = canvas.pixel(4, 0).unwrap();
    assert!(
        blank[0].abs_diff(blank[2]) < 8 && blank[0] < 64,
        "{blank:?}"
    );
    assert_eq!(size(&shown(&picture, &Tiles::default())), (80, 16));
}

#[test]
fn heat_maps_of_extreme_numbers() {
    let color = |values: &[f64]| {
        let cells: Vec<HeatCell> = values.iter().copied().map(HeatCell::Number).collect();
        draw(&heat(&[], &cells), &Tiles::default(), &options(1))
            .unwrap()
            .pixels()
            .to_vec()
    };
    assert_eq!(color(&[-1.7e308, 0.0, 1.7e308])[1], [35, 133, 141, 255]);
    assert_eq!(color(&[5.0, 5.0]), [[68, 1, 84, 255]; 2]);
    let blank = draw(
        &heat(&[], &[HeatCell::Blank]),
        &Tiles::default(),
        &options(1),
    )
    .unwrap();
    assert_eq!(blank.pixels(), color(&[f64::NAN]));
    assert_eq!(color(&[0.0, 5e-324])[0], [68, 1, 84, 255]);
}

#[test]
fn tiles_in_heat_maps_are_drawn_among_the_numbers() {
    let files = Files::default().with("wide.png", halves(4, 2, RED, [0; 4]));
    let cells = [
        HeatCell::Tile(0),
        HeatCell::Number(1.0),
        HeatCell::Tile(1),
        HeatCell::Number(2.0),
        HeatCell::Blank,
    ];
    let picture = heat(&["blue", "wide.png"], &cells);
    let canvas = draw(&picture, &Tiles::new(files), &options(4)).unwrap();
    assert_eq!(size(&canvas), (20, 4));
    // Where a tile cannot be seen, the cell looks blank.
    let row: Vec<[u8; 4]> = (0..20).map(|x| canvas.pixel(x, 1).unwrap()).collect();
    let (least, greatest, blank) = ([68, 1, 84, 255], [253, 231, 37, 255], row[19]);
    let parts = [
        [BLUE; 4],
        [least; 4],
        [RED, RED, blank, blank],
        [greatest; 4],
        [blank; 4],
    ];
    assert_eq!(row, parts.concat());
    // Numbers alone decide the colours: a tile between them is neither the smallest nor the largest.
    let plain = shown(
        &heat(&[], &[HeatCell::Number(1.0), HeatCell::Number(2.0)]),
        &Tiles::default(),
    );
    assert_eq!(
        (plain.pixel(0, 0), plain.pixel(31, 0)),
        (Some(least), Some(greatest))
    );
    let unknown = draw(
        &heat(&["blau"], &[HeatCell::Tile(0)]),
        &Tiles::default(),
        &options(1),
    )
    .unwrap_err();
    assert!(unknown.to_string().contains("blau"), "{unknown}");
}

#[test]
fn sizes_are_checked_before_memory_is_asked_for() {
    let picture = Picture::Heat(HeatMap {
        width: 100_000,
        height: 100_000,
        names: vec![],
        cells: vec![],
    });
    let message = draw(&picture, &Tiles::default(), &RenderOptions::default()).unwrap_err();
    assert_eq!(
        message,
        RenderError::TooLarge {
            width: 1_600_000,
            height: 1_600_000,
            max_pixels: RenderOptions::default().max_pixels
        }
    );
    assert!(
        message.to_string().contains("1600000 x 1600000"),
        "{message}"
    );
    let huge = TileMap {
        width: u32::MAX,
        height: u32::MAX,
        names: vec!["red".into()],
        cells: vec![],
        candidates: vec![],
    };
    let result = draw(&Picture::Tiles(huge), &Tiles::default(), &options(u32::MAX));
    assert!(matches!(result, Err(RenderError::TooLarge { .. })));
    let picture = map(2, 2, &["red"], &[Cell::Tile(0); 4], &[]);
    let tight = RenderOptions {
        max_pixels: 1023,
        ..RenderOptions::default()
    };
    assert!(matches!(
        draw(&picture, &Tiles::default(), &tight),
        Err(RenderError::TooLarge { .. })
    ));
    assert!(
        draw(
            &picture,
            &Tiles::default(),
            &RenderOptions {
                max_pixels: 1024,
                ..tight
            }
        )
        .is_ok()
    );
}

#[test]
fn maps_without_cells_are_a_single_pixel() {
    for (width, height) in [(0, 0), (0, u32::MAX), (u32::MAX, 0)] {
        let canvas = shown(
            &Picture::Heat(HeatMap {
                width,
                height,
                names: vec![],
                cells: vec![],
            }),
            &Tiles::default(),
        );
        assert_eq!((size(&canvas), canvas.pixels()), ((1, 1), &[[0; 4]][..]));
        let tiles = TileMap {
            width,
            height,
            names: vec![],
            cells: vec![],
            candidates: vec![],
        };
        assert_eq!(
            size(&shown(&Picture::Tiles(tiles), &Tiles::default())),
            (1, 1)
        );
    }
}

#[test]
fn indexes_that_lead_nowhere_draw_nothing() {
    let canvas = shown(
        &map(2, 1, &["red"], &[Cell::Tile(7), Cell::Candidates(9)], &[]),
        &Tiles::default(),
    );
    assert_eq!(size(&canvas), (32, 16));
}

#[test]
fn bad_image_files_are_errors() {
    let png = halves(64, 64, RED, BLUE);
    let mut huge = png.clone();
    huge[16..20].copy_from_slice(&100_000u32.to_be_bytes());
    huge[20..24].copy_from_slice(&100_000u32.to_be_bytes());
    let mut flat = png.clone();
    flat[16..20].copy_from_slice(&0u32.to_be_bytes());
    let mut damaged = png.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 4].copy_from_slice(&[255; 4]);
    let files = Files::default()
        .with("text.png", b"hello".to_vec())
        .with("empty.png", vec![])
        .with("huge.png", huge)
        .with("flat.png", flat)
        .with("damaged.png", damaged)
        .with("short.png", png[..40].to_vec());
    let tiles = Tiles::new(files);
    let problem = |name: &str| tiles.check(name).unwrap_err();
    assert!(problem("text").contains("\"text.png\" is not a PNG file"));
    assert!(problem("empty").contains("is not a PNG file"));
    assert!(problem("huge").contains("too large: 100000 x 100000 pixels"));
    assert!(problem("flat").contains("no pixels"));
    for name in ["damaged", "short"] {
        assert_eq!(tiles.check(name), Ok(()));
        let message = draw(
            &Picture::Image(name.into()),
            &tiles,
            &RenderOptions::default(),
        )
        .unwrap_err()
        .to_string();
        assert!(
            message.contains(&format!("{name}.png\" cannot be decoded")),
            "{message}"
        );
    }
}

#[test]
fn tile_images_are_limited_together() {
    let tiles = Tiles::new(
        Files::default()
            .with("a.png", halves(8, 8, RED, RED))
            .with("b.png", halves(8, 8, RED, BLUE)),
    );
    let picture = map(1, 1, &["a", "b"], &[Cell::Tile(0)], &[]);
    let tight = RenderOptions {
        tile_size: Some(1),
        max_pixels: 127,
    };
    assert_eq!(
        draw(&picture, &tiles, &tight),
        Err(RenderError::TilesTooLarge {
            pixels: 128,
            max_pixels: 127
        })
    );
}

#[test]
fn png_files_keep_every_pixel() {
    let tiles = Tiles::new(Files::default().with("a.png", halves(9, 5, [1, 2, 3, 4], RED)));
    for name in ["a", "treasure", "#102030"] {
        let canvas = shown(&Picture::Image(name.into()), &tiles);
        let again = image::load_from_memory(&canvas.to_png())
            .unwrap()
            .into_rgba8();
        assert_eq!(again.dimensions(), size(&canvas));
        assert!(
            again
                .pixels()
                .map(|pixel| pixel.0)
                .eq(canvas.pixels().iter().copied()),
            "{name}"
        );
    }
}

#[test]
fn labels_are_letters_on_a_tile_in_a_frame() {
    let tiles = Tiles::default();
    let shown_label = |name: &str, size: Option<u32>| {
        let options = RenderOptions {
            tile_size: size,
            ..RenderOptions::default()
        };
        draw(&map(1, 1, &[name], &[Cell::Tile(0)], &[]), &tiles, &options).unwrap()
    };
    let canvas = shown_label("label:|gold|black|7", None);
    assert_eq!(size(&canvas), (16, 16));
    assert_eq!(canvas.pixel(0, 7), Some([0, 0, 0, 255]), "the frame");
    assert_eq!(
        canvas.pixel(2, 2),
        Some([255, 215, 0, 255]),
        "the background"
    );
    let letters = |canvas: &Canvas, color: [u8; 4]| {
        canvas
            .pixels()
            .iter()
            .filter(|pixel| **pixel == color)
            .count()
    };
    assert!(
        letters(&canvas, [32, 33, 38, 255]) > 10,
        "dark letters on what is light"
    );
    assert!(
        letters(&shown_label("label:|navy||7", None), [250, 250, 246, 255]) > 10,
        "and light ones on what is dark"
    );
    let red = [255, 0, 0, 255];
    let (small, large) = (
        shown_label("label:red|||W", None),
        shown_label("label:red|||W", Some(64)),
    );
    assert!(
        letters(&large, red) > 8 * letters(&small, red),
        "letters grow with the cell"
    );
    assert_eq!(small.pixel(0, 0), Some([0; 4]), "nothing behind them");
    assert_eq!(
        size(&shown_label("label:|white||Balthasar", None)),
        (58, 16),
        "cells are as wide as the longest label"
    );
    for name in [
        "label:",
        "label:red",
        "label:wall|||x",
        "label:|nowhere||x",
        "label:|label:|||y||x",
    ] {
        assert!(tiles.check(name).is_err(), "{name}");
    }
}

#[test]
fn layers_lie_over_one_another() {
    let layer = |names: &[&str], cells: &[Cell]| match map(2, 1, names, cells, &[]) {
        Picture::Tiles(map) => map,
        other => panic!("{other:?}"),
    };
    let ground = layer(&["green"], &[Cell::Tile(0), Cell::Tile(0)]);
    let things = layer(
        &["blue", "label:white|||A"],
        &[Cell::Nothing, Cell::Tile(1)],
    );
    let canvas = shown(&Picture::Layers(vec![ground, things]), &Tiles::default());
    let count = |color: [u8; 4], from: u32| {
        (0..16)
            .flat_map(|y| (from..from + 16).map(move |x| (x, y)))
            .filter(|(x, y)| canvas.pixel(*x, *y) == Some(color))
            .count()
    };
    let green = [0, 128, 0, 255];
    assert_eq!(count(green, 0), 256, "nothing covers it");
    assert!(
        (100..250).contains(&count(green, 16)) && count([255; 4], 16) > 10,
        "letters on green"
    );
    assert_eq!(
        size(&shown(&Picture::Layers(Vec::new()), &Tiles::default())),
        (1, 1)
    );
}

#[test]
fn a_map_that_is_too_large_is_drawn_small_enough() {
    let cells = vec![Cell::Tile(0); 100 * 50];
    let picture = map(100, 50, &["red"], &cells, &[]);
    let options = RenderOptions {
        tile_size: None,
        max_pixels: 100 * 50 * 30,
    };
    assert!(draw(&picture, &Tiles::default(), &options).is_err());
    let (canvas, smaller) = draw_to_fit(&picture, &Tiles::default(), &options).unwrap();
    assert_eq!((size(&canvas), smaller), ((500, 250), Some(5)));
    let told = RenderOptions {
        tile_size: Some(16),
        ..options.clone()
    };
    assert!(
        draw_to_fit(&picture, &Tiles::default(), &told).is_err(),
        "what was told stays"
    );
    let none = RenderOptions {
        max_pixels: 4_999,
        ..options
    };
    assert!(
        draw_to_fit(&picture, &Tiles::default(), &none).is_err(),
        "cells of no pixel"
    );
}

#[test]
fn built_in_tiles_differ_and_arrows_are_turned() {
    let all: Vec<Canvas> = BuiltInTile::ALL
        .iter()
        .map(|(name, _)| shown(&Picture::Image((*name).into()), &Tiles::default()))
        .collect();
    for (at, one) in all.iter().enumerate() {
        assert!(
            all[..at].iter().all(|other| other != one),
            "{}",
            BuiltInTile::ALL[at].0
        );
        assert!(one.pixels().iter().all(|pixel| pixel[3] == 255));
    }
    let [left, right, up, down] = &all[..4] else {
        unreachable!()
    };
    for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (x, y))) {
        assert_eq!(up.pixel(x, y), right.pixel(15 - y, x));
        assert_eq!(up.pixel(x, y), down.pixel(15 - x, 15 - y));
        assert_eq!(up.pixel(x, y), left.pixel(y, 15 - x));
    }
    // The point of each arrow: in the first rows of `up`, only the middle is ink.
    assert_ne!(up.pixel(7, 2), up.pixel(0, 2));
    assert_eq!(up.pixel(2, 2), up.pixel(0, 0));
}

#[test]
fn the_terminal_gets_two_pixels_a_character() {
    let names = ["red", "blue", "transparent"];
    let picture = map(2, 3, &names, &[0, 1, 1, 2, 2, 0].map(Cell::Tile), &[]);
    let canvas = draw(&picture, &Tiles::default(), &options(1)).unwrap();
    assert_eq!(
        terminal::half_blocks(&canvas, 80),
        "\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[0m\x1b[38;2;0;0;255m▀\x1b[0m\n \x1b[38;2;255;0;0m▀\x1b[0m\n"
    );
}

#[test]
fn the_terminal_is_never_too_narrow() {
    let canvas = shown(
        &map(4, 3, &["red"], &[Cell::Tile(0); 12], &[]),
        &Tiles::default(),
    );
    for (columns, width, lines) in [
        (200, 64, 24),
        (64, 64, 24),
        (20, 20, 8),
        (1, 1, 1),
        (0, 1, 1),
    ] {
        let text = terminal::half_blocks(&canvas, columns);
        assert_eq!(text.lines().count(), lines, "{columns}");
        assert!(
            text.lines().all(|line| line.matches('▀').count() == width),
            "{columns}"
        );
    }
}
