//! The programs that make puzzles: each puzzle has one solution by its rules, written down here once more.

#[path = "../support/mod.rs"]
mod support;

use ndscript::picture::{Cell, Picture};
use ndscript::{Param, Solution};
use support::{example, number, solve};

/// A puzzle of a small size.
fn made(file: &str, seed: u64, size: usize, more: &[(&str, f64)]) -> Solution {
    let mut parameters = vec![number("size", size as f64)];
    parameters.extend(more.iter().map(|(name, value)| number(name, *value)));
    solve(&example("makers", file), seed, &parameters)
}

/// What stands in the cells of the lowest layer of its picture, row by row.
fn words(solution: &Solution) -> Vec<String> {
    let map = match solution.pictures[0].1.as_ref() {
        Picture::Layers(layers) => &layers[0],
        Picture::Tiles(map) => map,
        other => panic!("no map: {other:?}"),
    };
    let word = |cell: &Cell| match cell {
        Cell::Tile(name) => map.names[*name as usize].to_string(),
        _ => String::new(),
    };
    map.cells.iter().map(word).collect()
}

/// The numbers in the cells.
fn numbers(solution: &Solution) -> Vec<Option<usize>> {
    // In a picture with layers a label has a background of its own.
    let number = |word: &String| {
        let label = word.strip_prefix("label:")?;
        label.rsplit('|').next()?.parse().ok()
    };
    words(solution).iter().map(number).collect()
}

/// How many ways there are to fill cells with numbers below `values`, up to two. `may_be` looks at what is filled so far.
fn fillings(
    clues: &[Option<usize>],
    values: std::ops::Range<usize>,
    may_be: &dyn Fn(&[usize]) -> bool,
) -> usize {
    fn go(
        filled: &mut Vec<usize>,
        clues: &[Option<usize>],
        values: &std::ops::Range<usize>,
        may_be: &dyn Fn(&[usize]) -> bool,
    ) -> usize {
        if filled.len() == clues.len() {
            return 1;
        }
        let mut found = 0;
        for value in values.clone() {
            if clues[filled.len()].is_some_and(|clue| clue != value) || found > 1 {
                continue;
            }
            filled.push(value);
            if may_be(filled) {
                found += go(filled, clues, values, may_be);
            }
            filled.pop();
        }
        found
    }
    go(&mut Vec::new(), clues, &values, may_be)
}

/// One solution with all clues, and several without any of them.
fn assert_fewest(clues: &[Option<usize>], left: &dyn Fn(&[Option<usize>]) -> usize) {
    assert_eq!(left(clues), 1, "{clues:?}");
    for place in (0..clues.len()).filter(|place| clues[*place].is_some()) {
        let mut fewer = clues.to_vec();
        fewer[place] = None;
        assert!(left(&fewer) > 1, "{clues:?} needs no {place}");
    }
}

/// Cells that touch and are alike, as groups of places.
fn pieces<T: PartialEq>(cells: &[T], width: usize) -> Vec<Vec<usize>> {
    let mut seen = vec![false; cells.len()];
    let mut pieces = Vec::new();
    for start in 0..cells.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut piece = vec![start];
        let mut at = 0;
        while let Some(place) = piece.get(at).copied() {
            at += 1;
            for other in 0..cells.len() {
                let (x, y) = (
                    (place % width).abs_diff(other % width),
                    (place / width).abs_diff(other / width),
                );
                if x + y == 1 && !seen[other] && cells[other] == cells[place] {
                    seen[other] = true;
                    piece.push(other);
                }
            }
        }
        pieces.push(piece);
    }
    pieces
}

#[test]
fn a_binairo_has_one_solution_and_no_clue_too_many() {
    const SIZE: usize = 6;
    let may_be = |filled: &[usize]| {
        let place = filled.len() - 1;
        let (x, y) = (place % SIZE, place / SIZE);
        let row = &filled[y * SIZE..];
        let column: Vec<usize> = (0..=y).map(|y| filled[y * SIZE + x]).collect();
        [row, &column].iter().all(|line| {
            let is_run = line
                .windows(3)
                .any(|three| three[0] == three[1] && three[1] == three[2]);
            let count = |value| line.iter().filter(|own| **own == value).count();
            !is_run && count(0) <= SIZE / 2 && count(1) <= SIZE / 2
        })
    };
    for seed in 0..4 {
        let clues = numbers(&made("binairo.nds", seed, SIZE, &[]));
        assert_fewest(&clues, &|clues| fillings(clues, 0..2, &may_be));
    }
}

#[test]
fn a_fillomino_has_one_solution_and_no_number_too_many() {
    const SIZE: usize = 3;
    let may_be = |filled: &[usize]| {
        filled.len() < SIZE * SIZE
            || pieces(filled, SIZE)
                .iter()
                .all(|piece| piece.len() == filled[piece[0]])
    };
    for seed in 0..4 {
        let clues = numbers(&made("fillomino.nds", seed, SIZE, &[("largest", 4.0)]));
        assert_fewest(&clues, &|clues| fillings(clues, 1..5, &may_be));
    }
}

#[test]
fn skyscrapers_have_one_solution_and_no_number_too_many() {
    const SIZE: usize = 4;
    const WIDE: usize = SIZE + 2;
    let seen = |line: &mut dyn Iterator<Item = usize>| {
        let mut highest = 0;
        line.filter(|height| {
            let is_seen = *height > highest;
            highest = highest.max(*height);
            is_seen
        })
        .count()
    };
    for seed in 0..4 {
        let clues = numbers(&made("skyscrapers.nds", seed, SIZE, &[]));
        assert_fewest(&clues, &|clues| {
            let holds = |clue: Option<usize>, line: &mut dyn Iterator<Item = usize>| {
                clue.is_none_or(|clue| seen(line) == clue)
            };
            let may_be = |filled: &[usize]| {
                let place = filled.len() - 1;
                let (x, y) = (place % SIZE, place / SIZE);
                let row = &filled[y * SIZE..];
                let column: Vec<usize> = (0..=y).map(|y| filled[y * SIZE + x]).collect();
                let is_new = |line: &[usize]| !line[..line.len() - 1].contains(&filled[place]);
                let row_holds = || {
                    let clue = |x: usize| clues[(y + 1) * WIDE + x];
                    holds(clue(0), &mut row.iter().copied())
                        && holds(clue(WIDE - 1), &mut row.iter().rev().copied())
                };
                let column_holds = || {
                    let clue = |y: usize| clues[y * WIDE + x + 1];
                    holds(clue(0), &mut column.iter().copied())
                        && holds(clue(WIDE - 1), &mut column.iter().rev().copied())
                };
                is_new(row)
                    && is_new(&column)
                    && (row.len() < SIZE || row_holds())
                    && (column.len() < SIZE || column_holds())
            };
            fillings(&[None; SIZE * SIZE], 1..SIZE + 1, &may_be)
        });
    }
}

#[test]
fn a_nonogram_has_one_solution() {
    const SIZE: usize = 6;
    let runs = |line: &[usize]| -> Vec<usize> {
        let runs = line.split(|value| *value == 0);
        runs.map(<[usize]>::len).filter(|run| *run > 0).collect()
    };
    let read = |text: &str| -> Vec<usize> {
        text.split_whitespace()
            .map(|run| run.parse().unwrap())
            .collect()
    };
    for seed in 0..4 {
        let solution = made("nonogram.nds", seed, SIZE, &[]);
        let lines: Vec<&str> = solution.text.lines().collect();
        let rows: Vec<Vec<usize>> = lines[..SIZE].iter().map(|line| read(line)).collect();
        let columns = lines[SIZE].strip_prefix("columns ").unwrap().split(',');
        let columns: Vec<Vec<usize>> = columns.map(read).collect();
        let may_be = |filled: &[usize]| {
            let place = filled.len() - 1;
            let (x, y) = (place % SIZE, place / SIZE);
            let column: Vec<usize> = (0..=y).map(|y| filled[y * SIZE + x]).collect();
            (x < SIZE - 1 || runs(&filled[y * SIZE..]) == rows[y])
                && (y < SIZE - 1 || runs(&column) == columns[x])
        };
        assert_eq!(
            fillings(&[None; SIZE * SIZE], 0..2, &may_be),
            1,
            "{}",
            solution.text
        );
        let drawn: Vec<usize> = words(&solution)
            .iter()
            .map(|word| usize::from(word == "black"))
            .collect();
        assert!((1..=SIZE * SIZE).all(|count| count % SIZE > 0 || may_be(&drawn[..count])));
    }
}

#[test]
fn a_star_battle_has_one_solution() {
    const SIZE: usize = 5;
    for seed in 0..4 {
        let regions = words(&made("stars.nds", seed, SIZE, &[]));
        assert_eq!(pieces(&regions, SIZE).len(), SIZE);
        // The column of the star of each row.
        let may_be = |columns: &[usize]| {
            let last = columns.len() - 1;
            let region = |y: usize| &regions[y * SIZE + columns[y]];
            (0..last).all(|y| {
                let touches = y + 1 == last && columns[y].abs_diff(columns[last]) < 2;
                columns[y] != columns[last] && region(y) != region(last) && !touches
            })
        };
        assert_eq!(fillings(&[None; SIZE], 0..SIZE, &may_be), 1, "{regions:?}");
    }
}

#[test]
fn a_nurikabe_has_one_solution() {
    const SIZE: usize = 4;
    for seed in 0..4 {
        let clues = numbers(&made("nurikabe.nds", seed, SIZE, &[]));
        let holds = |land: u32| {
            let cells: Vec<bool> = (0..SIZE * SIZE)
                .map(|place| land >> place & 1 == 1)
                .collect();
            let (islands, sea): (Vec<_>, Vec<_>) = pieces(&cells, SIZE)
                .into_iter()
                .partition(|piece| cells[piece[0]]);
            let is_square = |place: usize| {
                let four = [place, place + 1, place + SIZE, place + SIZE + 1];
                place % SIZE < SIZE - 1
                    && place / SIZE < SIZE - 1
                    && four.iter().all(|place| !cells[*place])
            };
            sea.len() == 1
                && !(0..SIZE * SIZE).any(is_square)
                && islands.iter().all(|island| {
                    let told: Vec<usize> =
                        island.iter().filter_map(|place| clues[*place]).collect();
                    told == [island.len()]
                })
                && clues
                    .iter()
                    .zip(&cells)
                    .all(|(clue, is_land)| clue.is_none() || *is_land)
        };
        let found = (0..1 << (SIZE * SIZE)).filter(|land| holds(*land)).count();
        assert_eq!(found, 1, "{clues:?}");
    }
}

#[test]
fn bridges_have_one_solution() {
    const WIDE: usize = 7;
    for seed in 0..4 {
        let told = numbers(&made("bridges.nds", seed, 4, &[("islands", 6.0)]));
        let islands: Vec<usize> = (0..told.len())
            .filter(|place| told[*place].is_some())
            .collect();
        // Between neighbors in a row or column, with the cells that lie under their bridges.
        let mut ways: Vec<([usize; 2], Vec<usize>)> = Vec::new();
        for from in &islands {
            for step in [1, WIDE] {
                let between = (1..).map(|count| from + count * step);
                let is_in = |place: &usize| {
                    *place < told.len() && (step == WIDE || place / WIDE == from / WIDE)
                };
                let line: Vec<usize> = between.take_while(is_in).collect();
                if let Some(at) = line.iter().position(|place| told[*place].is_some()) {
                    ways.push(([*from, line[at]], line[..at].to_vec()));
                }
            }
        }
        let may_be = |bridges: &[usize]| {
            let built = || ways.iter().zip(bridges).filter(|(_, count)| **count > 0);
            let mut cells: Vec<usize> = built().flat_map(|((_, cells), _)| cells.clone()).collect();
            let all = cells.len();
            cells.sort_unstable();
            cells.dedup();
            if cells.len() < all || bridges.len() < ways.len() {
                return cells.len() == all;
            }
            let degree = |island: usize| -> usize {
                let own = built().filter(|((ends, _), _)| ends.contains(&island));
                own.map(|(_, count)| count).sum()
            };
            let mut reached = vec![islands[0]];
            while let Some(next) = built().find_map(|((ends, _), _)| {
                let is_in = ends.map(|end| reached.contains(&end));
                match is_in {
                    [true, false] => Some(ends[1]),
                    [false, true] => Some(ends[0]),
                    _ => None,
                }
            }) {
                reached.push(next);
            }
            reached.len() == islands.len()
                && islands
                    .iter()
                    .all(|island| Some(degree(*island)) == told[*island])
        };
        assert_eq!(
            fillings(&vec![None; ways.len()], 0..3, &may_be),
            1,
            "{told:?}"
        );
    }
}

#[test]
fn the_level_lies_between_the_bounds_that_are_asked_for() {
    let bounds: &[(&str, usize, f64, f64)] = &[
        ("binairo.nds", 6, 1.0, 4.0),
        ("binairo.nds", 6, 4.0, 7.0),
        ("stars.nds", 6, 1.0, 4.0),
        ("skyscrapers.nds", 4, 2.0, 5.0),
    ];
    for (file, size, low, high) in bounds {
        let text = made(file, 1, *size, &[("low", *low), ("high", *high)]).text;
        let level: f64 = text.split_whitespace().last().unwrap().parse().unwrap();
        assert!((*low..=*high).contains(&level), "{file}: {text}");
    }
}

#[test]
fn what_no_puzzle_can_be_fails() {
    // No binairo is that hard.
    let parameters: [(String, Param); 3] =
        [number("size", 4.0), number("low", 9.5), number("high", 9.6)];
    let program = example("makers", "binairo.nds");
    assert!(
        program
            .run_with(1, &parameters)
            .next()
            .is_none_or(|end| end.is_err())
    );
}
