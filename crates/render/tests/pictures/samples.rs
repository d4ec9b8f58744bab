//! Grids made of pictures, and the relations of a grid.

use std::collections::BTreeSet;

use ndscript::{Engine, ErrorKind, Limits, Outcome, Solution};

use super::*;

fn png(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let image = RgbaImage::from_fn(width, height, |x, y| Rgba(pixel(x, y)));
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

/// A number below `below` that looks random.
fn noise(x: u32, y: u32, seed: u32, below: u32) -> u32 {
    let mixed = (x + 7919 * y + 104_729 * seed + 1).wrapping_mul(2_654_435_761);
    ((mixed ^ mixed >> 15).wrapping_mul(2_246_822_519) >> 13) % below
}

fn run_with(files: &Files, limits: Limits, script: &str) -> Outcome {
    let engine = Engine::new()
        .with_tiles(Tiles::new(files.clone()))
        .with_limits(limits);
    engine.compile(script).unwrap().run(1).resume(u64::MAX)
}

fn run(files: &Files, script: &str) -> Solution {
    match run_with(files, Limits::default(), script) {
        Outcome::Solved(solution) => solution,
        other => panic!("{script}: {other:?}"),
    }
}

fn message(files: &Files, script: &str) -> (ErrorKind, String) {
    match run_with(files, Limits::default(), script) {
        Outcome::Error(error) => (error.kind, error.diagnostic.message.clone()),
        other => panic!("{script}: {other:?}"),
    }
}

#[test]
fn a_pixel_is_a_cell() {
    let color = |x, y| {
        [
            noise(x, y, 1, 256) as u8,
            noise(x, y, 2, 256) as u8,
            noise(x, y, 3, 256) as u8,
        ]
    };
    let opacity = |x, y| [255, 128, 0][noise(x, y, 4, 3) as usize];
    let file = png(37, 11, |x, y| {
        [
            color(x, y)[0],
            color(x, y)[1],
            color(x, y)[2],
            opacity(x, y),
        ]
    });
    let files = Files::default().with("noise.png", file);
    let text = run(
        &files,
        "var g = gridFromPicture(\"noise\"); foreach (y in range(heightOf(g))) printLine(join(rowOf(g, y), \" \"));",
    )
    .text;
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!((rows.len(), rows[0].len()), (11, 37));
    for (y, row) in rows.iter().enumerate() {
        for (x, name) in row.iter().enumerate() {
            let [red, green, blue] = color(x as u32, y as u32);
            assert_eq!(
                *name,
                format!("#{red:02x}{green:02x}{blue:02x}"),
                "{x}, {y}"
            );
        }
    }
    let text = run(
        &Files::default(),
        "var g = gridFromPicture(\"red\"); print(sizeOf(g), toSet(map(g, p => g[p])));",
    )
    .text;
    assert_eq!(text, "256{\"#ff0000\"}");
}

/// A picture of 6 x 4 squares of a size, of which several look alike.
fn quilt(size: u32) -> Vec<u8> {
    png(6 * size, 4 * size, |x, y| {
        let kind = noise(x / size, y / size, 5, 5);
        // Within a square, and the same in all squares of a kind.
        let shade = noise(x % size, y % size, kind, 200) as u8;
        [
            shade,
            40 * kind as u8,
            255 - shade,
            if kind == 4 { 90 } else { 255 },
        ]
    })
}

#[test]
fn squares_that_look_alike_are_one_tile_and_print_again() {
    for size in [1, 2, 3, 8, 16] {
        let files = Files::default().with("maps/quilt.png", quilt(size));
        let script = format!(
            "var g = gridFromPicture(\"maps/quilt.png\", {size});
             printTilemap(g); printImage(g[2, 3]); print(widthOf(g), \" \", heightOf(g), \" \", sizeOf(toSet(map(g, p => g[p]))));"
        );
        let solution = run(&files, &script);
        let kinds: BTreeSet<u32> = (0..24)
            .map(|cell| noise(cell % 6, cell / 6, 5, 5))
            .collect();
        assert!(
            kinds.len() > 3,
            "several squares have to be alike and several different"
        );
        assert_eq!(solution.text, format!("6 4 {}", kinds.len()));
        // Another engine knows the names as well.
        let tiles = Tiles::new(files.clone());
        let drawn = draw(&solution.pictures[0].1, &tiles, &options(size)).unwrap();
        let original = draw(
            &Picture::Image("maps/quilt".into()),
            &tiles,
            &RenderOptions::default(),
        )
        .unwrap();
        assert!(drawn == original, "size {size}");
        let square = shown(&solution.pictures[1].1, &tiles);
        assert_eq!(
            (super::size(&square), square.pixel(0, 0)),
            ((size, size), original.pixel(2 * size, 3 * size))
        );
        assert_eq!(
            files.reads.load(Ordering::Relaxed),
            3,
            "two engines read the file once for each of its two names"
        );
    }
}

#[test]
fn names_of_squares_mean_the_same_in_every_run() {
    let files = Files::default().with("quilt.png", quilt(4));
    let program = Engine::new()
        .with_tiles(Tiles::new(files.clone()))
        .compile("var g = gridFromPicture(\"quilt\", 4); ask(\"?\", [1]); printTilemap(g);")
        .unwrap();
    let mut run = program.run(1);
    assert!(matches!(run.resume(u64::MAX), Outcome::Asked(_)));
    let mut fork = run.clone();
    let ends: Vec<Solution> = [&mut run, &mut fork]
        .map(|run| {
            assert!(run.answer(0));
            match run.resume(u64::MAX) {
                Outcome::Solved(solution) => solution,
                other => panic!("{other:?}"),
            }
        })
        .to_vec();
    assert_eq!(ends[0], ends[1]);
    // A name that was written down before is a tile without the call that made it.
    let tiles = Tiles::new(files);
    let square = shown(&Picture::Image("quilt@4:5,3".into()), &tiles);
    let whole = shown(&Picture::Image("quilt".into()), &tiles);
    assert!(
        (0..16).all(|at| square.pixel(at % 4, at / 4) == whole.pixel(20 + at % 4, 12 + at / 4))
    );
    // A built-in tile has squares as well; its pixels come back in their order.
    let drawn = |script| {
        shown(
            &self::run(&Files::default(), script).pictures[0].1,
            &Tiles::default(),
        )
    };
    let quarters = drawn("printTilemap(gridFromPicture(\"wall\", 8));");
    let whole = drawn("printImage(\"wall\");");
    assert!(quarters == whole, "{:?}", super::size(&quarters));
}

#[test]
fn wrong_pictures_are_told() {
    let mut damaged = quilt(8);
    damaged.truncate(60);
    let mut huge = quilt(8);
    huge[16..24].copy_from_slice(&[0, 0, 64, 0, 0, 0, 64, 0]);
    let files = Files::default()
        .with("quilt.png", quilt(8))
        .with("text.png", b"no picture".to_vec())
        .with("damaged.png", damaged)
        .with("huge.png", huge);
    for (call, kind, part) in [
        (
            "\"nowhere\"",
            ErrorKind::Tile,
            "unknown tile \"nowhere\": there is no file \"nowhere.png\" in the folder \"shelf\"",
        ),
        (
            "\"nowhere\", 8",
            ErrorKind::Tile,
            "unknown tile \"nowhere\"",
        ),
        (
            "\"../quilt\"",
            ErrorKind::Tile,
            "a relative path without `..`",
        ),
        (
            "\"text\"",
            ErrorKind::Tile,
            "\"text.png\" is not a PNG file",
        ),
        (
            "\"damaged\"",
            ErrorKind::Tile,
            "\"damaged.png\" cannot be decoded",
        ),
        (
            "\"damaged\", 8",
            ErrorKind::Tile,
            "\"damaged.png\" cannot be decoded",
        ),
        (
            "\"huge\"",
            ErrorKind::Tile,
            "\"huge.png\" is too large: 16384 x 16384 pixels",
        ),
        (
            "\"quilt\", 7",
            ErrorKind::Tile,
            "cannot be cut into squares of 7 pixels: it is 48 pixels wide and 32 high",
        ),
        (
            "\"quilt\", 5000000000",
            ErrorKind::Value,
            "a size of squares that is 1 pixel or more, not 5000000000",
        ),
        (
            "\"quilt\", 0",
            ErrorKind::Value,
            "a size of squares that is 1 pixel or more, not 0",
        ),
        (
            "\"quilt\", -8",
            ErrorKind::Value,
            "a size of squares that is 1 pixel or more, not -8",
        ),
        (
            "\"quilt\", 2.5",
            ErrorKind::Type,
            "`gridFromPicture` wants a whole number as its second argument, not 2.5",
        ),
        (
            "\"quilt\", \"8\"",
            ErrorKind::Type,
            "`gridFromPicture` wants a whole number as its second argument, not \"8\"",
        ),
        (
            "5",
            ErrorKind::Type,
            "`gridFromPicture` wants a string, not 5",
        ),
        (
            "\"quilt@8:0,0\", 4",
            ErrorKind::Tile,
            "is a square of a picture already",
        ),
        (
            "\"quilt@8:6,0\"",
            ErrorKind::Tile,
            "has no square 6,0: it has 6 x 4 squares of 8 pixels",
        ),
        (
            "\"quilt@7:0,0\"",
            ErrorKind::Tile,
            "cannot be cut into squares of 7 pixels",
        ),
        ("\"quilt@08:0,0\"", ErrorKind::Tile, "cannot be a tile name"),
    ] {
        let (found, words) = message(&files, &format!("gridFromPicture({call});"));
        assert_eq!(found, kind, "{call}: {words}");
        assert!(words.contains(part), "{call}: {words}");
    }
    assert_eq!(
        run(&files, "print(widthOf(gridFromPicture(\"quilt@8:5,3\")));").text,
        "8"
    );
    let (kind, words) = message(&files, "relationsFrom([1, 2]);");
    assert!(
        kind == ErrorKind::Type && words.contains("`relationsFrom` wants a grid"),
        "{words}"
    );
}

#[test]
fn reading_a_picture_is_paid_for() {
    let files = Files::default().with(
        "wide.png",
        png(400, 400, |x, y| {
            [x as u8, y as u8, (x / 100 + y / 100) as u8, 255]
        }),
    );
    let read = "gridFromPicture(\"wide\");";
    let limit = |limits, script: &str| match run_with(&files, limits, script) {
        Outcome::Limit(limit) => limit.name(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        limit(
            Limits {
                picture_cells: 159_999,
                ..Limits::default()
            },
            read
        ),
        "PictureSize"
    );
    assert_eq!(
        limit(
            Limits {
                memory: 3 << 20,
                ..Limits::default()
            },
            read
        ),
        "Memory"
    );
    assert_eq!(
        limit(
            Limits {
                memory: 3 << 20,
                ..Limits::default()
            },
            "gridFromPicture(\"wide\", 10);"
        ),
        "Memory"
    );
    let again = format!("while (true) {read}");
    assert_eq!(
        limit(
            Limits {
                steps: 5_000_000,
                ..Limits::default()
            },
            &again
        ),
        "Steps"
    );
    // Garbage is no reason to stop.
    let room = Limits {
        memory: 48 << 20,
        ..Limits::default()
    };
    let times = "for (let i = 0; i < 12; i++) { let g = gridFromPicture(\"wide\"); relationsFrom(makeGrid(300, 300, g[i, 0])); }";
    assert!(matches!(run_with(&files, room, times), Outcome::Solved(_)));
    let related = "var g = makeGrid(400, 400, 1); while (true) relationsFrom(g);";
    assert_eq!(
        limit(
            Limits {
                steps: 20_000_000,
                ..Limits::default()
            },
            related
        ),
        "Steps"
    );
}

#[test]
fn relations_hold_what_stands_beside_what() {
    for (width, height) in [(1, 1), (1, 5), (6, 1), (4, 3), (7, 7)] {
        let cell = |x: u32, y: u32| noise(x, y, width + height, 4);
        let row = |y| {
            (0..width)
                .map(|x| format!("{}", cell(x, y)))
                .collect::<String>()
        };
        let rows: Vec<String> = (0..height).map(row).collect();
        let script = format!(
            "var r = relationsFrom(gridFromText(`{}`)); foreach (d in r) printLine(d, \" \", join(map(pairsOf(r[d]), p => p[0] + p[1]), \" \"));",
            rows.join("\n")
        );
        let mut expected = String::new();
        for (name, dx, dy) in [
            ("left", -1, 0),
            ("right", 1, 0),
            ("up", 0, -1),
            ("down", 0, 1),
        ] {
            let mut pairs = BTreeSet::new();
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                let (there_x, there_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                if there_x < width && there_y < height {
                    pairs.insert(format!("{}{}", cell(x, y), cell(there_x, there_y)));
                }
            }
            expected += &format!(
                "{name} {}\n",
                pairs.into_iter().collect::<Vec<_>>().join(" ")
            );
        }
        assert_eq!(
            run(&Files::default(), &script).text,
            expected,
            "{}",
            rows.join("\n")
        );
    }
    // Cells of any kind; an array is the value that it is at that moment.
    let script = "var a = [1]; var g = grid([[a, null], [setOf(2), a]]); var r = relationsFrom(g); push(a, 5);
        print(pairsOf(r.right), pairsOf(r.down), r.up([1], null), r.up(setOf(2), [1]));";
    assert_eq!(
        run(&Files::default(), script).text,
        "{[[1], null], [{2}, [1]]}{[null, [1]], [[1], {2}]}truetrue"
    );
    assert_eq!(
        run(
            &Files::default(),
            "print(pairsOf(relationsFrom(grid([])).left));"
        )
        .text,
        "{}"
    );
}
