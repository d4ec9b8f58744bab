//! The scent maps of `examples/scent/`, checked by a search that is written here.

mod support;

use std::collections::VecDeque;

use ndscript::picture::Picture;
use support::{example, number, refusal, solve, text, tiles};

/// The corrected table of the document: an open map, a source of 9 in its middle, two sweeps, faded once.
const CORRECTED: &str = "
  0  0  0  0  1  0  0  0  0
  0  0  0  1  2  1  0  0  0
  0  0  1  2  3  2  1  0  0
  0  1  2  3  4  3  2  1  0
  1  2  3  4  5  4  3  2  1
  2  3  4  5  6  5  4  3  2
  3  4  5  6  7  6  5  4  3
  4  5  6  7  8  7  6  5  4
  3  4  5  6  7  6  5  4  3
  2  3  4  5  6  5  4  3  2
  1  2  3  4  5  4  3  2  1
  0  1  2  3  4  3  2  1  0
  0  0  1  2  3  2  1  0  0
  0  0  0  1  2  1  0  0  0
  0  0  0  0  1  0  0  0  0
";

/// Its first table, from one sweep.
const FIRST: &str = "
  0  0  0  0  0  0  0  0  0
  0  0  0  0  0  0  0  0  0
  0  0  0  0  0  0  0  0  0
  0  0  0  0  0  0  0  0  0
  0  0  0  0  0  0  0  0  0
  0  0  0  0  0  0  0  0  0
  0  0  0  0  7  6  5  4  3
  0  0  0  7  8  7  6  5  4
  0  0  0  6  7  6  5  4  3
  0  0  0  5  6  5  4  3  2
  0  0  0  4  5  4  3  2  1
  0  0  0  3  4  3  2  1  0
  0  0  0  2  3  2  1  0  0
  0  0  0  1  2  1  0  0  0
  0  0  0  0  1  0  0  0  0
";

/// What two sweeps without fading give in the passages of the document, from a source of 20; walls are #.
const BOXED: &str = "
  9 10 11 12  #  0  0  0  0
  8  #  # 13  #  0  0  0  0
  0  0  # 14  #  0  0  0  0
  #  0  # 15  #  #  #  #  0
  0  0  # 16 15  0  0  0  0
  0  #  # 17  #  #  #  #  0
  0  0  # 18 19 18  #  0  0
  #  0  # 19 20 19  #  0  0
  0  0  # 18 19 18  #  0  0
  0  #  #  #  #  #  #  0  0
  0  0  0  0  0  0  0  0  0
  #  #  #  #  #  #  #  #  0
  0  0  0  0  0  0  0  0  0
  0  0  0  0  0  0  0  0  0
  0  0  0  0  0  0  0  0  0
";

const TWISTY: [&str; 15] = [
    "....#....",
    ".##.#....",
    "..#.#....",
    "#.#.####.",
    "..#......",
    ".##.####.",
    "..#...#..",
    "#.#...#..",
    "..#...#..",
    ".######..",
    ".........",
    "########.",
    ".........",
    ".........",
    ".........",
];

type Table = Vec<Vec<Option<f64>>>;

fn table(text: &str) -> Table {
    let row = |line: &str| line.split_whitespace().map(|word| word.parse().ok()).collect();
    text.trim_matches('\n').lines().map(row).collect()
}

fn heat(picture: &Picture) -> Table {
    let Picture::Heat(map) = picture else { panic!("no heat map: {picture:?}") };
    map.values.chunks(map.width as usize).map(<[_]>::to_vec).collect()
}

/// The cells beside one, in four directions.
fn beside(map: &[Vec<char>], (x, y): (usize, usize)) -> Vec<(usize, usize)> {
    let steps = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    steps.into_iter().filter(|&(x, y)| map.get(y).is_some_and(|row| x < row.len())).collect()
}

fn characters<'a>(rows: impl IntoIterator<Item = &'a str>) -> Vec<Vec<char>> {
    rows.into_iter().map(|row| row.chars().collect()).collect()
}

/// How much smell a way from the source loses at least; `None` in walls and where there is no way.
fn least_losses(map: &[Vec<char>], source: (usize, usize)) -> Vec<Vec<Option<u32>>> {
    let mut losses = vec![vec![None; map[0].len()]; map.len()];
    losses[source.1][source.0] = Some(0);
    let mut waiting = VecDeque::from([source]);
    while let Some(here) = waiting.pop_front() {
        let loss = losses[here.1][here.0].unwrap();
        for (x, y) in beside(map, here) {
            let entering = match map[y][x] {
                '#' => continue,
                '~' => 3,
                _ => 1,
            };
            if losses[y][x].is_none_or(|known| loss + entering < known) {
                losses[y][x] = Some(loss + entering);
                waiting.push_back((x, y));
            }
        }
    }
    losses
}

fn flooded(map: &[Vec<char>], source: (usize, usize), amount: u32) -> Table {
    let smell = |(cell, loss): (&char, Option<u32>)| {
        (*cell != '#').then(|| loss.map_or(0.0, |loss| f64::from(amount.saturating_sub(loss))))
    };
    let losses = least_losses(map, source);
    map.iter().zip(losses).map(|(cells, losses)| cells.iter().zip(losses).map(smell).collect()).collect()
}

#[test]
fn the_open_map_has_the_numbers_of_the_document() {
    let program = example("scent", "open.nds");
    for (sweeps, expected) in [(1.0, FIRST), (2.0, CORRECTED)] {
        let solution = solve(&program, 1, &[number("sweeps", sweeps)]);
        assert_eq!(solution.text, expected.trim_start_matches('\n'));
        assert_eq!(heat(&solution.pictures[0].1), table(expected));
    }
}

#[test]
fn eight_directions_spread_in_squares() {
    let solution = solve(&example("scent", "open.nds"), 1, &[number("directions", 8.0)]);
    for (y, row) in heat(&solution.pictures[0].1).iter().enumerate() {
        for (x, value) in row.iter().enumerate() {
            let away = x.abs_diff(4).max(y.abs_diff(7));
            assert_eq!(*value, Some(8.0 - away as f64), "at ({x},{y})");
        }
    }
}

#[test]
fn the_twisty_passage_is_flooded_to_its_ends() {
    let program = example("scent", "twisty.nds");
    let solution = solve(&program, 1, &[]);
    let map = characters(TWISTY);
    let found = heat(&solution.pictures[1].1);
    assert_eq!(found, flooded(&map, (4, 7), 60));
    assert!(found.iter().flatten().all(|value| value.is_none_or(|value| value > 0.0)));
    assert!(solution.text.contains("\n75 cells have no smell.\n"), "{}", solution.text);
    assert!(solution.text.contains("\n0 cells have no smell.\n"), "{}", solution.text);

    let weak = solve(&program, 1, &[number("amount", 20.0)]);
    assert_eq!(heat(&weak.pictures[0].1), table(BOXED));
    assert_eq!(heat(&weak.pictures[1].1), flooded(&map, (4, 7), 20));
}

#[test]
fn windows_let_less_smell_through() {
    let rows = ["..~.....", ".##.###.", "..#~#...", ".##.~.#."];
    let parameters = [text("map", &rows.join("\n")), number("x", 0.0), number("y", 2.0)];
    let solution = solve(&example("scent", "twisty.nds"), 1, &parameters);
    assert_eq!(heat(&solution.pictures[1].1), flooded(&characters(rows), (0, 2), 60));
}

/// The places of one creature.
fn trail(output: &str, who: &str) -> Vec<(usize, usize)> {
    let line = output.lines().find_map(|line| line.strip_prefix(who)).unwrap();
    let place = |word: &str| {
        let (x, y) = word.trim_matches(['(', ')']).split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    line.split_whitespace().map(place).collect()
}

#[test]
fn creatures_approach_flee_and_circle() {
    let rows = ["########", "#......#", "#.####.#", "#.#....#", "#......#", "#...#..#", "########"];
    let map = characters(rows);
    let program = example("scent", "creatures.nds");
    let mut dances = Vec::new();
    for seed in 1..=8 {
        let solution = solve(&program, seed, &[text("map", &rows.join("\n")), number("steps", 15.0)]);
        let source = trail(&solution.text, "source")[0];
        let losses = least_losses(&map, source);
        let away = |(x, y): (usize, usize)| losses[y][x].unwrap_or_else(|| panic!("({x},{y}) is a wall"));

        for (who, sign) in [("hunter", 1), ("coward", -1)] {
            for step in trail(&solution.text, who).windows(2) {
                let (from, to) = (step[0], step[1]);
                let score = |p| -sign * i64::from(away(p));
                let ways: Vec<_> =
                    beside(&map, from).into_iter().filter(|&(x, y)| map[y][x] != '#').chain([from]).collect();
                assert!(ways.contains(&to), "{who} jumps from {from:?} to {to:?}");
                assert_eq!(score(to), ways.into_iter().map(score).max().unwrap(), "{who} at {from:?}");
            }
        }
        assert_eq!(away(*trail(&solution.text, "hunter").last().unwrap()), 0);

        let dance = trail(&solution.text, "dancer");
        assert!(dance.windows(2).all(|step| beside(&map, step[0]).contains(&step[1])));
        assert!(dance.iter().all(|&p| away(p) < 60));
        dances.push(dance);
    }
    dances.dedup();
    assert!(dances.len() > 4, "seeds should lead to different trails");
}

#[test]
fn carved_doors_connect_all_regions() {
    let program = example("scent", "regions.nds");
    let rows = ["...##..", "...##..", "#######", "#######", ".##...~", "##.####"];
    for (seed, map) in (1..=5).flat_map(|seed| [(seed, None), (seed, Some(rows.join("\n")))]) {
        let parameters: Vec<_> = map.iter().map(|map| text("map", map)).collect();
        let solution = solve(&program, seed, &parameters);
        let carved = characters(solution.text.lines().filter(|line| line.chars().all(|c| ".#~+".contains(c))));
        let source = (0, 0);
        let before: Vec<Vec<char>> =
            carved.iter().map(|row| row.iter().map(|&c| if c == '+' { '#' } else { c }).collect()).collect();
        let cut_off = |map: &[Vec<char>]| {
            let reached = least_losses(map, source).iter().flatten().flatten().count();
            map.iter().flatten().filter(|cell| **cell != '#').count() - reached
        };
        assert!(solution.text.starts_with(&format!("{} cells are cut off.\n", cut_off(&before))), "{}", solution.text);
        assert!(cut_off(&before) > 0);
        assert_eq!(cut_off(&carved), 0, "{}", solution.text);
        let doors = carved.iter().flatten().filter(|cell| **cell == '+').count();
        assert!(solution.text.contains(&format!("\n{doors} doors: ")), "{}", solution.text);
        let shown = tiles(&solution.pictures[2].1);
        assert_eq!(shown.iter().flatten().filter(|tile| *tile == "door").count(), doors);
    }
}

#[test]
fn bad_input_is_told() {
    for (script, parameters, expected) in [
        ("open.nds", vec![number("directions", 6.0)], "directions has to be 4 or 8"),
        ("open.nds", vec![text("sweeps", "many")], "sweeps a whole number"),
        ("twisty.nds", vec![text("map", "..\n.\n")], "row 2 of the map has 1 cells, row 1 has 2"),
        ("twisty.nds", vec![text("map", "..\n.?\n")], "row 2 of the map has the unknown cell \"?\""),
        ("twisty.nds", vec![number("x", 2.0), number("y", 2.0)], "that is no wall"),
        ("twisty.nds", vec![number("x", 9.0)], "has to be a cell of the map"),
        ("twisty.nds", vec![text("amount", "much")], "whole numbers"),
        ("creatures.nds", vec![text("map", "...")], "at least four floor cells"),
        ("creatures.nds", vec![number("steps", 0.5)], "steps has to be a whole number"),
        ("regions.nds", vec![text("map", "##\n##\n")], "a cell that is no wall"),
        ("regions.nds", vec![text("map", "")], "the map is empty"),
    ] {
        let message = refusal(&example("scent", script), &parameters);
        assert!(message.contains(expected), "{script}: {message}");
    }
}
