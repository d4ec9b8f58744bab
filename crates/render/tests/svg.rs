//! Drawings as SVG: another's crate draws them, pixel for pixel what the PNG files show.

use std::sync::Arc;

use ndscript::Engine;
use ndscript::picture::{Cell, Legend, Picture, TileMap};
use ndscript::tiles::{BuiltInTile, TileSource, Tiles};
use ndscript_render::{RenderError, RenderOptions, draw, draw_svg};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// A file of eight pixels, one of which cannot be seen.
struct Files;

impl TileSource for Files {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        let image = image::RgbaImage::from_fn(4, 2, |x, y| {
            image::Rgba([
                60 * x as u8,
                90,
                200 * y as u8,
                if x == 3 { 0 } else { 255 },
            ])
        });
        let mut file = std::io::Cursor::new(Vec::new());
        image.write_to(&mut file, image::ImageFormat::Png).unwrap();
        Ok((path == "leaf.png").then(|| file.into_inner()))
    }

    fn places(&self) -> String {
        "memory".to_string()
    }
}

/// What the other crate makes of it.
fn drawn(svg: &str) -> Pixmap {
    let tree =
        Tree::from_str(svg, &Options::default()).unwrap_or_else(|why| panic!("{why}: {svg}"));
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels
}

/// How many pixels of the SVG are not those of the PNG.
fn differences(picture: &Picture, tiles: &Tiles, options: &RenderOptions) -> usize {
    let (canvas, svg) = (
        draw(picture, tiles, options).unwrap(),
        draw_svg(picture, tiles, options).unwrap(),
    );
    let pixels = drawn(&svg);
    assert_eq!(
        (pixels.width(), pixels.height()),
        (canvas.width(), canvas.height()),
        "{svg}"
    );
    let other = pixels.pixels().iter().map(|pixel| pixel.demultiply());
    let other = other.map(|pixel| [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]);
    // The colour of what cannot be seen makes no difference.
    canvas
        .pixels()
        .iter()
        .zip(other)
        .filter(|(a, b)| (a[3], b[3]) != (0, 0) && *a != b)
        .count()
}

fn pictures_of(script: &str) -> Vec<Arc<Picture>> {
    let program = Engine::new()
        .with_tiles(Tiles::new(Files))
        .compile(script)
        .unwrap();
    let solution = program.run(1).next().unwrap().unwrap();
    solution
        .pictures
        .into_iter()
        .map(|(_, picture)| picture)
        .collect()
}

const SCRIPT: &str = r##"
printTilemap(grid([["red", "red", "wall"], ["#00ff80", "house", "wall"], ["red", "leaf", "transparent"]]));
let numbers = makeGrid(3, 2, null);
numbers[0, 0] = label(7); numbers[1, 0] = label("12", {color: "navy", background: "gold", frame: "black"});
numbers[2, 0] = label("Ada", {background: null}); numbers[0, 1] = label("x", {background: "grass", frame: "red"});
numbers[1, 1] = label("y", {background: "leaf"}); numbers[2, 1] = label("z", {background: "leaf@2:1,0"});
printLayers([makeGrid(3, 2, "sand"), numbers]);
printTilesetMap(grid([[setOf("red", "wall", "sea", "leaf"), setOf("red"), setOf(label("1"), label("2"))], ["sea", setOf("red", "blue"), "tower"]]));
printHeatmap(grid([[0, 1, 1, 2], [2, null, "wall", 7.5], [1, 1, "red", 2]]));
printLegend({"deep & wide": "sea", "<hill>": "hill", "flag": "red", "number": label(3), "a leaf": "leaf"});
printLegend(["wall", "floor"]);
printImage("leaf"); printImage("teal"); printImage("monster"); printImage(label("a long label"));
printTilemap(grid([["wall@8:1,0", "leaf@2:0,0"], ["leaf@2:1,0", "wall@8:1,0"]]));
"##;

#[test]
fn drawings_look_as_pixels_do() {
    let tiles = Tiles::new(Files);
    let pictures = pictures_of(SCRIPT);
    assert_eq!(pictures.len(), 11);
    for picture in &pictures {
        // What is shrunk shows some of its pixels in a PNG file, and the mean of them where shapes are drawn; the candidates
        // of a cell have half its size.
        let shrinks = matches!(&**picture, Picture::Tiles(map) if !map.candidates.is_empty());
        let sizes = if shrinks {
            [Some(32), Some(64), Some(96)]
        } else {
            [None, Some(32), Some(48)]
        };
        for tile_size in sizes {
            let options = RenderOptions {
                tile_size,
                ..RenderOptions::default()
            };
            assert_eq!(
                differences(picture, &tiles, &options),
                0,
                "{} at {tile_size:?}",
                picture.in_words()
            );
        }
    }
}

#[test]
fn every_built_in_tile_is_the_same() {
    for (name, _) in BuiltInTile::ALL {
        for size in [8, 16, 64] {
            let picture = Picture::Image(name.into());
            let options = RenderOptions {
                tile_size: Some(size),
                ..RenderOptions::default()
            };
            let different = differences(&picture, &Tiles::default(), &options);
            assert!(size == 8 || different == 0, "{name} at {size}: {different}");
        }
    }
}

#[test]
fn what_is_ours_is_shapes_and_files_are_embedded() {
    let svg = |script: &str| {
        draw_svg(
            &pictures_of(script)[0],
            &Tiles::new(Files),
            &RenderOptions::default(),
        )
        .unwrap()
    };
    let ours =
        svg("printTilemap(grid([['wall', label('A', {background: 'sea'})], ['red', 'red']]));");
    assert!(
        !ours.contains("<image") && !ours.contains("<text"),
        "{ours}"
    );
    // Cells of one colour are one shape.
    assert!(
        ours.contains("<path fill=\"#ff0000\" d=\"M0 16h32v16h-32z\"/>"),
        "{ours}"
    );
    let other = svg("printTilemap(makeGrid(5, 5, 'leaf'));");
    assert_eq!(
        other.matches("<image").count(),
        1,
        "a file is embedded once"
    );
    // Words of a picture are told to those who cannot see it, whatever is in them.
    let words = svg("printImage(label('<script>&\\u{1}'));");
    assert!(
        words.contains("&lt;script&gt;&amp;\\u{1}") && !words.contains("<script"),
        "{words}"
    );
}

#[test]
fn a_contradiction_is_a_cross() {
    let picture = pictures_of("printTilesetMap(makeGrid(1, 1, setOf()));");
    let svg = draw_svg(&picture[0], &Tiles::default(), &RenderOptions::default()).unwrap();
    let pixels = drawn(&svg);
    let red = pixels
        .pixels()
        .iter()
        .filter(|pixel| pixel.red() > 150)
        .count();
    assert!((20..100).contains(&red), "{red} pixels of the cross");
}

#[test]
fn drawings_that_would_be_too_large_are_refused_before_they_are() {
    let map = |side: u32, names: usize| {
        let cells = (0..side * side)
            .map(|at| Cell::Tile(at % names as u32))
            .collect();
        let names = (0..names)
            .map(|at| format!("label:|red||{at}").into())
            .collect();
        Picture::Tiles(TileMap {
            width: side,
            height: side,
            names,
            cells,
            candidates: Vec::new(),
        })
    };
    let options = RenderOptions {
        max_pixels: 4000,
        ..RenderOptions::default()
    };
    for picture in [
        map(100, 1),
        map(20, 400),
        Picture::Heat(ndscript::picture::HeatMap {
            width: u32::MAX,
            height: u32::MAX,
            names: vec![],
            cells: vec![],
        }),
    ] {
        assert_eq!(
            draw_svg(&picture, &Tiles::default(), &options),
            Err(RenderError::SvgTooLarge { max_bytes: 16_000 })
        );
    }
    let words: Vec<Arc<str>> = vec!["x".repeat(1 << 20).into()];
    let legend = Picture::Legend(Legend {
        names: vec!["red".into()],
        words,
    });
    assert!(draw_svg(&legend, &Tiles::default(), &options).is_err());
    assert!(draw(&legend, &Tiles::default(), &options).is_err());
}
