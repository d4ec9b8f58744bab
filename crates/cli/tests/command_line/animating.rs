//! `ndscript animate`.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use ndscript::{Engine, Event, Kind, Moment};

use super::*;

/// The candidates of each cell, by their numbers.
type State = Vec<BTreeSet<usize>>;

const CELL: usize = 24;
/// Around the grid.
const MARGIN: usize = 4;

/// A whole picture, row by row, and how long it is shown.
type Frame = (Vec<[u8; 3]>, u16);

/// The width of a GIF and its frames.
fn decoded(file: &[u8]) -> (usize, Vec<Frame>) {
    let mut decoder = gif::DecodeOptions::new().read_info(file).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut picture = vec![[0; 3]; width * height];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let palette = frame.palette.as_ref().unwrap();
        for (at, number) in frame.buffer.iter().enumerate() {
            // What is as before is left out.
            if frame.transparent == Some(*number) {
                continue;
            }
            let x = usize::from(frame.left) + at % usize::from(frame.width);
            let y = usize::from(frame.top) + at / usize::from(frame.width);
            let color = &palette[3 * usize::from(*number)..][..3];
            picture[y * width + x] = [color[0], color[1], color[2]];
        }
        frames.push((picture.clone(), frame.delay));
    }
    (width, frames)
}

/// Which candidates a frame shows: those whose colour stands at their own spots, or all over the cell.
fn read(picture: &[[u8; 3]], width: usize, size: (usize, usize), colors: &[[u8; 3]]) -> State {
    let side = (colors.len() as f64).sqrt().ceil() as usize;
    let places = (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y)));
    let pixel = |x: usize, y: usize| picture[y * width + x];
    let candidates = |(x, y): (usize, usize)| {
        let (left, top) = (MARGIN + x * CELL, MARGIN + y * CELL);
        let middle = pixel(left + CELL / 2, top + 4);
        // One that is alone fills the cell up to where the spots end.
        if let Some(only) = colors
            .iter()
            .position(|color| *color == middle && pixel(left + CELL / 2, top + CELL - 4) == middle)
        {
            return BTreeSet::from([only]);
        }
        let spot = |at: usize| left + 2 + (2 * at + 1) * (CELL - 4) / (2 * side);
        let is_there = |number: &usize| {
            let (x, y) = (spot(number % side), spot(number / side) - left + top);
            pixel(x, y) == colors[*number]
        };
        (0..colors.len()).filter(is_there).collect()
    };
    places.map(candidates).collect()
}

/// What the grid `g` holds whenever something happens, each time that it is another.
fn watched(script: &str, seed: u64, names: &[&str]) -> Vec<State> {
    let program = Engine::new().compile(script).unwrap();
    let mut states: Vec<State> = Vec::new();
    program
        .run(seed)
        .watch(u64::MAX, &mut |moment: &Moment, event: &Event| {
            let is_telling = !matches!(event, Event::Fail { .. } | Event::Choice { .. });
            if let Some(grid) = moment
                .global("g")
                .filter(|grid| grid.kind() == Kind::Grid && is_telling)
            {
                let state: State = grid
                    .cells()
                    .map(|cell| {
                        names
                            .iter()
                            .enumerate()
                            .filter(|(_, name)| cell.contains(**name))
                            .map(|(at, _)| at)
                            .collect()
                    })
                    .collect();
                if states.last() != Some(&state) {
                    states.push(state);
                }
            }
            ControlFlow::Continue(())
        });
    states
}

/// A strip in which a wrong guess shows late.
const STRIP: &str = "\
var g = makeGrid(3, 2, setOf(\"crimson\", \"gold\", \"green\", \"navy\", \"plum\"));
deterministic function rule(p, allowed) {
    let left = intersection(g[p], allowed);
    if (left == g[p]) return;
    require(!isEmpty(left));
    g[p] = left;
    if (isSingleton(left)) foreach (n in neighborsOf(p, g)) rule(n, except(g[n], left));
}
foreach (p in positionsOf(g)) {
    if (!isSingleton(g[p])) rule(p, setOf(chooseElement(g[p])));
    require(p.x < 2 || p.y < 1 || g[p] == setOf(\"plum\"));
}
require(g[0, 0] == setOf(\"gold\") || g[0, 0] == setOf(\"plum\"), \"wrong from the beginning\");
";

#[test]
fn a_gif_shows_what_the_run_has_done() {
    let names = ["crimson", "gold", "green", "navy", "plum"];
    let colors = [
        [220, 20, 60],
        [255, 215, 0],
        [0, 128, 0],
        [0, 0, 128],
        [221, 160, 221],
    ];
    let folder = script(STRIP);
    for seed in ["1", "5", "8"] {
        let size = CELL.to_string();
        let options = [
            "--seed",
            seed,
            "--tile-size",
            &size,
            "--max-frames",
            "100000",
            "--gif",
            "g.gif",
        ];
        let ended = folder.run(&[&["animate", "a.nds"], &options[..]].concat());
        assert!(
            ended.code == 0 && ended.err.contains("frames of `g`"),
            "{}",
            ended.err
        );
        let (width, frames) = decoded(&fs::read(folder.path("g.gif")).unwrap());
        let mut shown: Vec<State> = frames
            .iter()
            .map(|frame| read(&frame.0, width, (3, 2), &colors))
            .collect();
        shown.dedup();
        let mut states = watched(STRIP, seed.parse().unwrap(), &names);
        // The film begins when there is a grid.
        states.retain(|state| state.len() == 6);
        assert_eq!(shown, states, "seed {seed}");
        let flashes = frames
            .iter()
            .filter(|frame| frame.0[width + 1] == [229, 56, 59])
            .count();
        assert!(flashes > 0 && flashes < frames.len(), "failures flash");
    }
}

#[test]
fn a_long_search_is_thinned_out() {
    let folder = script(STRIP);
    let gif = |most: &str| {
        let options = [
            "animate",
            "a.nds",
            "--seed",
            "8",
            "--max-frames",
            most,
            "--gif",
            "g.gif",
        ];
        let ended = folder.run(&options);
        assert_eq!(ended.code, 0, "{}", ended.err);
        decoded(&fs::read(folder.path("g.gif")).unwrap()).1
    };
    let (all, some, few) = (gif("10000"), gif("40"), gif("3"));
    assert!(
        all.len() > 60 && (10..=40).contains(&some.len()) && few.len() <= 3,
        "{} {} {}",
        all.len(),
        some.len(),
        few.len()
    );
    // Its board: below stands how it got there.
    let rows = 24 * 100;
    assert_eq!(
        all.last().unwrap().0[..rows],
        some.last().unwrap().0[..rows],
        "the end is the same"
    );
    let flashes = some.iter().filter(|frame| frame.1 == 30).count();
    assert!(flashes >= 3, "failures are not lost: {flashes}");
}

#[test]
fn all_forms_of_an_animation_have_the_same_frames() {
    let folder = script(STRIP);
    let outputs = [
        "--gif", "g.gif", "--apng", "g.png", "--html", "g.html", "--frames", "frames",
    ];
    let ended = folder.run(&[&["animate", "a.nds", "--seed", "1"], &outputs[..]].concat());
    assert_eq!(ended.code, 0, "{}", ended.err);
    let frames = decoded(&fs::read(folder.path("g.gif")).unwrap()).1.len();
    let pictures = folder
        .files()
        .iter()
        .filter(|name| name.starts_with("frames/"))
        .count();
    let apng = fs::read(folder.path("g.png")).unwrap();
    let chunks = apng.windows(4).filter(|window| window == b"fcTL").count();
    let page = fs::read_to_string(folder.path("g.html")).unwrap();
    let told = page
        .lines()
        .filter(|line| line.starts_with('[') && line.ends_with("],"))
        .count();
    assert_eq!([pictures, chunks, told], [frames; 3]);
    assert!(
        !page.contains("src=\"") && !page.contains("href="),
        "the page needs nothing else"
    );
}

#[test]
fn an_animation_that_cannot_be_made_is_told() {
    let folder = script("let g = makeGrid(2, 2, \"x\"); let h = 1; let x = choose(1, 2);");
    let ended = folder.run(&["animate", "a.nds"]);
    assert!(
        ended.code == 2 && ended.err.contains("--gif"),
        "{}",
        ended.err
    );
    let says = |options: &[&str], code: i32, part: &str| {
        let ended = folder.run(&[&["animate", "a.nds", "--seed", "1"], options].concat());
        assert!(
            ended.code == code && ended.err.contains(part),
            "{} {}",
            ended.code,
            ended.err
        );
    };
    says(
        &["--gif", "g.gif"],
        2,
        "no global variable held a grid with sets",
    );
    says(
        &["--gif", "g.gif", "--watch", "h"],
        2,
        "the variable `h` held no grid that was written to",
    );
    says(
        &["--gif", "g.gif", "--watch", "nope"],
        2,
        "the program has no variable `nope`",
    );
    says(&["--gif", "g.gif", "--watch", "g"], 0, "frame");
    says(&["--gif", ".", "--watch", "g"], 2, "cannot write");
    says(
        &["--gif", "g.gif", "--watch", "g", "--fps", "0"],
        2,
        "0.1 to 100",
    );
}

/// A grid may be in a variable of a function; which one, the message says where none was named.
#[test]
fn a_grid_of_a_function_is_filmed() {
    let folder = script(
        "function fill() {
            let board = makeGrid(2, 1, setOf(1, 2, 3));
            foreach (p in board) board[p] = setOf(chooseElement(board[p]));
            require(board[0, 0] != board[1, 0]);
            return sizeOf(board);
        }
        printLine(fill());",
    );
    let ended = folder.run(&["animate", "a.nds", "--seed", "1", "--gif", "g.gif"]);
    assert!(
        ended.code == 2
            && ended
                .err
                .contains("a variable of a function did: --watch board"),
        "{}",
        ended.err
    );
    let ended = folder.run(&[
        "animate", "a.nds", "--seed", "1", "--gif", "g.gif", "--watch", "board",
    ]);
    assert!(
        ended.code == 0 && ended.err.contains("frames of `board`"),
        "{}",
        ended.err
    );
}
