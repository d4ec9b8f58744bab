//! Public functions that take numbers, with the greatest, the least and the least fitting ones: none of them panics.

use ndscript::source::{Sources, Span};
use ndscript::{Engine, diagnostics};

#[test]
fn texts_are_parsed_wherever_they_begin() {
    for base in [0, 1, u32::MAX - 40, u32::MAX - 1, u32::MAX] {
        for text in [
            "",
            "x",
            "print(1);",
            "var é = `a${1}`; // c",
            "(((",
            "\"open",
            "import \"a.nds\"; f(1 +",
        ] {
            let _ = ndscript::syntax::parse(text, base);
        }
    }
}

#[test]
fn places_may_be_anywhere() {
    let mut sources = Sources::default();
    sources.add("a.nds", "var é = 1;\nprint(é);\r\n");
    sources.add("b.nds", "");
    for start in [0, 5, 6, 12, 24, 25, 26, u32::MAX - 1, u32::MAX] {
        for end in [0, 6, 25, u32::MAX] {
            let span = Span::new(start, end);
            let _ = sources.locate(span);
            let diagnostic =
                diagnostics::Diagnostic::error("wrong", span).with_related(span, "here");
            for columns in [0, 1, 30, usize::MAX] {
                assert!(
                    !diagnostic
                        .render_in(&sources, columns == 30, columns)
                        .is_empty()
                );
            }
        }
    }
    for columns in [0, 1, usize::MAX] {
        for indent in [0, 1, 100_000, usize::MAX] {
            let _ = diagnostics::wrap("one two three\nfour", columns, indent);
        }
    }
}

#[test]
fn words_are_completed_at_any_offset() {
    let engine = Engine::new();
    let text = "var größe = 1; gr";
    for offset in (0..=text.len() + 2).chain([usize::MAX]) {
        let _ = engine.complete(text, offset);
    }
}

#[test]
fn pictures_are_drawn_with_any_options() {
    use ndscript::picture::{Cell, HeatMap, Picture, TileMap};
    use ndscript::render::{RenderOptions, draw, terminal};
    use ndscript::tiles::Tiles;
    let names = vec!["red".into()];
    let map = |width, height, count| TileMap {
        width,
        height,
        names: names.clone(),
        cells: vec![Cell::Tile(0); count],
        candidates: Vec::new(),
    };
    let pictures = [
        Picture::Image("red".into()),
        Picture::Image("left".into()),
        Picture::Tiles(map(1, 1, 1)),
        Picture::Tiles(map(0, 0, 0)),
        Picture::Tiles(map(u32::MAX, u32::MAX, 1)),
        Picture::Tiles(map(2, 2, 1)),
    ];
    let _ = std::marker::PhantomData::<HeatMap>;
    for picture in &pictures {
        for tile_size in [None, Some(0), Some(1), Some(u32::MAX)] {
            for max_pixels in [0, 1, 1 << 16, u64::MAX] {
                if let Ok(canvas) = draw(
                    picture,
                    &Tiles::default(),
                    &RenderOptions {
                        tile_size,
                        max_pixels,
                    },
                ) {
                    for columns in [0, 1, 7, u32::MAX] {
                        let _ = terminal::half_blocks(&canvas, columns);
                    }
                    assert_eq!(canvas.pixel(u32::MAX, u32::MAX), None);
                }
            }
        }
    }
}
