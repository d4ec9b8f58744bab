//! `sample.nds`: what stands beside what in its maps stands so in the sample, and about as often.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use ndscript::render::{Canvas, RenderOptions, draw};
use ndscript::tiles::{TileSource, Tiles};
use ndscript::{Param, Program};

use super::support::{example, number, refusal, solve, text, tiles};

/// Rows of cells; what a cell is, is told by equality alone.
type Cells<T> = Vec<Vec<T>>;

/// Pairs that stand side by side, and pairs of which the second is below the first.
fn pairs<T: Clone + Ord>(cells: &Cells<T>) -> [BTreeSet<(T, T)>; 2] {
    let beside = cells.iter().flat_map(|row| {
        row.windows(2)
            .map(|pair| (pair[0].clone(), pair[1].clone()))
    });
    let below = cells
        .windows(2)
        .flat_map(|rows| rows[0].iter().cloned().zip(rows[1].iter().cloned()));
    [beside.collect(), below.collect()]
}

fn check_pairs<T: Clone + Ord + std::fmt::Debug>(sample: &Cells<T>, made: &Cells<T>) {
    let (allowed, found) = (pairs(sample), pairs(made));
    for (allowed, found) in allowed.iter().zip(&found) {
        let strange: Vec<_> = found.difference(allowed).collect();
        assert!(strange.is_empty(), "not in the sample: {strange:?}");
    }
}

fn shares<T: Clone + Ord>(maps: &[Cells<T>]) -> BTreeMap<T, f64> {
    let mut counts: BTreeMap<T, f64> = BTreeMap::new();
    for cell in maps.iter().flatten().flatten() {
        *counts.entry(cell.clone()).or_default() += 1.0;
    }
    let all: f64 = counts.values().sum();
    counts
        .into_iter()
        .map(|(cell, count)| (cell, count / all))
        .collect()
}

/// Tiles that are common in the sample are neither twice nor half as common in the maps.
fn check_shares<T: Clone + Ord + std::fmt::Debug>(
    sample: &Cells<T>,
    maps: &[Cells<T>],
    common: f64,
) {
    let (wanted, found) = (shares(std::slice::from_ref(sample)), shares(maps));
    assert_eq!(
        wanted.keys().collect::<Vec<_>>(),
        found.keys().collect::<Vec<_>>(),
        "some tile never comes"
    );
    for (cell, share) in wanted.into_iter().filter(|(_, share)| *share >= common) {
        let ratio = found[&cell] / share;
        assert!(
            (0.5..2.0).contains(&ratio),
            "{cell:?}: {} of the maps, {share} of the sample",
            found[&cell]
        );
    }
}

/// The rows of the text in the script, and the letter of each colour.
fn landscape() -> (Cells<char>, BTreeMap<String, char>) {
    let script = include_str!("../../../examples/tiles/sample.nds");
    let between = |text: &'static str, from: &str, to: &str| {
        let (_, behind) = text.split_once(from).unwrap();
        behind.split_once(to).unwrap().0
    };
    let rows = between(script, "\"sample\", `", "`")
        .trim()
        .lines()
        .map(|row| row.chars().collect())
        .collect();
    let entries = between(script, "colors = {", "}")
        .split(',')
        .filter(|entry| !entry.trim().is_empty());
    let colors = entries.map(|entry| {
        let (letter, color) = entry.split_once(": ").unwrap();
        (
            color.trim_matches('"').to_string(),
            letter.trim().trim_matches('"').chars().next().unwrap(),
        )
    });
    (rows, colors.collect())
}

fn letters(
    program: &Program,
    seed: u64,
    parameters: &[(String, Param)],
    of: &BTreeMap<String, char>,
) -> Cells<char> {
    let solution = solve(program, seed, parameters);
    assert_eq!(solution.pictures.len(), 1);
    tiles(&solution.pictures[0].1)
        .iter()
        .map(|row| row.iter().map(|color| of[color]).collect())
        .collect()
}

#[test]
fn text_maps_look_like_their_sample() {
    let (sample, of) = landscape();
    let program = example("tiles", "sample.nds");
    let mut maps = Vec::new();
    for seed in 1..=30 {
        let map = letters(&program, seed, &[], &of);
        assert_eq!((map.len(), map[0].len()), (18, 32));
        check_pairs(&sample, &map);
        assert!(
            map[0].iter().all(|cell| sample[0].contains(cell)),
            "the top is like that of the sample"
        );
        assert!(
            map[17].iter().all(|cell| sample[13].contains(cell)),
            "the bottom is like that of the sample"
        );
        maps.push(map);
    }
    check_shares(&sample, &maps, 0.05);
    maps.dedup();
    assert_eq!(maps.len(), 30);
    for (width, height) in [(1, 1), (1, 9), (9, 1), (2, 2), (60, 20)] {
        let size = [
            number("width", f64::from(width)),
            number("height", f64::from(height)),
            free(),
        ];
        let map = letters(&program, 5, &size, &of);
        assert_eq!((map.len(), map[0].len()), (height as usize, width as usize));
        check_pairs(&sample, &map);
    }
}

fn free() -> (String, Param) {
    ("edges".to_string(), Param::Boolean(false))
}

#[test]
fn a_sample_of_ones_own_is_learned_from() {
    let (_, of) = landscape();
    let program = example("tiles", "sample.nds");
    // Stripes that go down one step each column: from one cell all others follow.
    let rows: Vec<String> = (0..6)
        .map(|y| (0..6).map(|x| ['g', 'e', 's'][(x + 2 * y) % 3]).collect())
        .collect();
    let sample: Cells<char> = rows.iter().map(|row| row.chars().collect()).collect();
    let map = letters(
        &program,
        3,
        &[text("sample", &rows.join("\n")), free()],
        &of,
    );
    check_pairs(&sample, &map);
    let start = "ges".find(map[0][0]).unwrap();
    for (y, row) in map.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            assert_eq!(*cell, ['g', 'e', 's'][(start + x + 2 * y) % 3]);
        }
    }
    // A sample of one row says nothing of what may be below.
    let one_row = [text("sample", "ges"), number("width", 3.0), free()];
    assert!(
        program.run_with(1, &one_row).next().is_none(),
        "no map of 18 rows"
    );
}

/// The files beside the example.
struct Beside;

impl TileSource for Beside {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(std::fs::read(format!(
            "{}/examples/tiles/{path}",
            env!("CARGO_MANIFEST_DIR")
        ))
        .ok())
    }

    fn places(&self) -> String {
        "examples/tiles".to_string()
    }
}

/// The pixels of each square.
fn cut(
    width: u32,
    height: u32,
    size: u32,
    pixel: impl Fn(u32, u32) -> [u8; 4],
) -> Cells<Vec<[u8; 4]>> {
    let square = |x: u32, y: u32| {
        (0..size * size)
            .map(|at| pixel(x * size + at % size, y * size + at / size))
            .collect()
    };
    (0..height / size)
        .map(|y| (0..width / size).map(|x| square(x, y)).collect())
        .collect()
}

#[test]
fn maps_from_a_picture_are_made_of_its_squares() {
    let file = Beside.read("roads.png").unwrap().unwrap();
    let decoded = image::load(Cursor::new(file), image::ImageFormat::Png)
        .unwrap()
        .into_rgba8();
    let sample = cut(decoded.width(), decoded.height(), 8, |x, y| {
        decoded.get_pixel(x, y).0
    });
    let program = example("tiles", "sample.nds");
    let parameters = [text("picture", "roads"), number("size", 8.0)];
    let mut maps = Vec::new();
    for seed in 1..=20 {
        let solution = solve(&program, seed, &parameters);
        let drawn: Canvas = draw(
            &solution.pictures[0].1,
            &Tiles::new(Beside),
            &RenderOptions::default(),
        )
        .unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((drawn.width(), drawn.height()), (32 * 8, 18 * 8));
        let map = cut(drawn.width(), drawn.height(), 8, |x, y| {
            drawn.pixel(x, y).unwrap()
        });
        check_pairs(&sample, &map);
        maps.push(map);
    }
    check_shares(&sample, &maps, 0.08);
}

#[test]
fn bad_samples_are_refused_in_words() {
    let program = example("tiles", "sample.nds");
    for (bad, message) in [
        (vec![text("sample", "")], "the sample has no cells"),
        (
            vec![number("width", 61.0)],
            "width and height have to be whole numbers from 1 to 60",
        ),
        (
            vec![text("edges", "some")],
            "the parameter edges must be true or false",
        ),
        (vec![number("sample", 5.0)], "sample is a text map"),
    ] {
        assert!(refusal(&program, &bad).starts_with(message), "{message}");
    }
    for (bad, message) in [
        (vec![text("sample", "gg\nge?")], "row 1 has 3 cells"),
        (
            vec![text("sample", "gg\ng?")],
            "the legend has no \"?\" for the cell (1,1)",
        ),
        (
            vec![text("picture", "nowhere")],
            "there is no file \"nowhere.png\"",
        ),
        (
            vec![text("picture", "roads"), number("size", 7.0)],
            "cannot be cut into squares of 7 pixels",
        ),
    ] {
        match program.run_with(1, &bad).resume(u64::MAX) {
            ndscript::Outcome::Error(error) => {
                assert!(
                    error.diagnostic.message.contains(message),
                    "{}",
                    error.diagnostic.message
                );
            }
            other => panic!("{other:?}"),
        }
    }
}
