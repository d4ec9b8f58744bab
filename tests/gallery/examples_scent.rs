//! The scent maps of `examples/scent/`, checked by a search that is written here.

#[path = "../support/mod.rs"]
mod support;

use std::collections::VecDeque;

use ndscript::picture::{HeatCell, Picture};
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

/// Its last table: the source of 21 moves from (4,7) to (3,7) and up to (3,2), each time with two sweeps, faded once.
const MOVED: &str = "
 15 16 17 18  #  6  7  8  9
 14  #  # 19  #  7  8  9 10
 11 10  # 20  #  8  9 10 11
  #  9  # 19  #  #  #  # 12
  7  8  # 18 17 16 15 14 13
  6  #  # 17  #  #  #  # 12
  3  2  # 16 15 14  # 10 11
  #  1  # 15 14 13  #  9 10
  0  0  # 14 13 12  #  8  9
  0  #  #  #  #  #  #  7  8
  0  0  1  2  3  4  5  6  7
  #  #  #  #  #  #  #  #  6
  0  0  0  0  1  2  3  4  5
  0  0  0  0  0  1  2  3  4
  0  0  0  0  0  0  1  2  3
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

type Place = (usize, usize);

/// Numbers; `None` in walls.
type Table = Vec<Vec<Option<f64>>>;

fn table(text: &str) -> Table {
    let row = |line: &str| {
        line.split_whitespace()
            .map(|word| word.parse().ok())
            .collect()
    };
    text.trim_matches('\n').lines().map(row).collect()
}

/// The numbers of a heat map, and the tiles that stand on it with their places.
fn heat_and_marks(picture: &Picture) -> (Table, Vec<(Place, String)>) {
    let Picture::Heat(map) = picture else {
        panic!("no heat map: {picture:?}")
    };
    let width = map.width as usize;
    let mut marks = Vec::new();
    let mut value = |(at, cell): (usize, &HeatCell)| match *cell {
        HeatCell::Number(number) => Some(number),
        HeatCell::Blank => panic!("a blank cell: walls are to look like walls"),
        HeatCell::Tile(tile) => {
            let name = map.names[tile as usize].to_string();
            if name != "wall" {
                marks.push(((at % width, at / width), name));
            }
            None
        }
    };
    let values: Vec<Option<f64>> = map.cells.iter().enumerate().map(&mut value).collect();
    (values.chunks(width).map(<[_]>::to_vec).collect(), marks)
}

fn heat(picture: &Picture) -> Table {
    let (table, marks) = heat_and_marks(picture);
    assert!(marks.is_empty(), "{marks:?}");
    table
}

/// The cells beside one, in four directions.
fn beside(map: &[Vec<char>], (x, y): Place) -> Vec<Place> {
    let steps = [
        (x.wrapping_sub(1), y),
        (x + 1, y),
        (x, y.wrapping_sub(1)),
        (x, y + 1),
    ];
    steps
        .into_iter()
        .filter(|&(x, y)| map.get(y).is_some_and(|row| x < row.len()))
        .collect()
}

fn characters<'a>(rows: impl IntoIterator<Item = &'a str>) -> Vec<Vec<char>> {
    rows.into_iter().map(|row| row.chars().collect()).collect()
}

/// How much smell a way from the source loses at least; `None` in walls and where there is no way.
fn least_losses(map: &[Vec<char>], source: Place) -> Vec<Vec<Option<u32>>> {
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

fn flooded(map: &[Vec<char>], source: Place, amount: u32) -> Table {
    let smell = |(cell, loss): (&char, Option<u32>)| {
        (*cell != '#').then(|| loss.map_or(0.0, |loss| f64::from(amount.saturating_sub(loss))))
    };
    let losses = least_losses(map, source);
    map.iter()
        .zip(losses)
        .map(|(cells, losses)| cells.iter().zip(losses).map(smell).collect())
        .collect()
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
    let solution = solve(
        &example("scent", "open.nds"),
        1,
        &[number("directions", 8.0)],
    );
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
    assert!(
        found
            .iter()
            .flatten()
            .all(|value| value.is_none_or(|value| value > 0.0))
    );
    assert!(
        solution.text.contains("\n75 cells have no smell.\n"),
        "{}",
        solution.text
    );
    assert!(
        solution.text.contains("\n0 cells have no smell.\n"),
        "{}",
        solution.text
    );

    let weak = solve(&program, 1, &[number("amount", 20.0)]);
    assert_eq!(heat(&weak.pictures[0].1), table(BOXED));
    assert_eq!(heat(&weak.pictures[1].1), flooded(&map, (4, 7), 20));
}

#[test]
fn a_moving_source_reaches_farther_with_the_numbers_of_the_document() {
    let program = example("scent", "moving.nds");
    let solution = solve(&program, 1, &[]);
    assert_eq!(solution.text, MOVED.trim_start_matches('\n'));
    assert_eq!(heat(&solution.pictures[0].1), table(MOVED));

    // Of one place it is the table before, faded once.
    let still = solve(&program, 1, &[text("way", " 4,7 "), number("amount", 20.0)]);
    let faded = |cell: &Option<f64>| cell.map(|smell| (smell - 1.0).max(0.0));
    let expected: Table = table(BOXED)
        .iter()
        .map(|row| row.iter().map(faded).collect())
        .collect();
    assert_eq!(heat(&still.pictures[0].1), expected);
}

#[test]
fn windows_let_less_smell_through() {
    let rows = ["..~.....", ".##.###.", "..#~#...", ".##.~.#."];
    let parameters = [
        text("map", &rows.join("\n")),
        number("x", 0.0),
        number("y", 2.0),
    ];
    let solution = solve(&example("scent", "twisty.nds"), 1, &parameters);
    assert_eq!(
        heat(&solution.pictures[1].1),
        flooded(&characters(rows), (0, 2), 60)
    );
}

/// The places of one creature.
fn trail(output: &str, who: &str) -> Vec<Place> {
    let line = output
        .lines()
        .find_map(|line| line.strip_prefix(who))
        .unwrap();
    let place = |word: &str| {
        let (x, y) = word.trim_matches(['(', ')']).split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    line.split_whitespace().map(place).collect()
}

/// How often a closed way goes clockwise round a point that it does not touch: the sum of the angles, in turns.
fn rounds(way: &[Place], (x, y): Place) -> i32 {
    let angle = |p: Place| (p.1 as f64 - y as f64).atan2(p.0 as f64 - x as f64);
    let turn = |(from, to): (&Place, &Place)| {
        let by = angle(*to) - angle(*from);
        let half = std::f64::consts::PI;
        if by > half {
            by - 2.0 * half
        } else if by < -half {
            by + 2.0 * half
        } else {
            by
        }
    };
    let whole: f64 = way.iter().zip(way.iter().cycle().skip(1)).map(turn).sum();
    (whole / (2.0 * std::f64::consts::PI)).round() as i32
}

/// What the cheapest way once round the source costs: found by going over all steps again and again until nothing gets
/// cheaper (Bellman and Ford), for each cell right of the source. `None` if there is no way round.
fn cheapest_round(map: &[Vec<char>], source: Place, keeps: i64) -> Option<i64> {
    let losses = least_losses(map, source);
    let (width, height) = (map[0].len(), map.len());
    let price =
        |(x, y): Place| losses[y][x].map(|loss| 1 + 4 * (40 - i64::from(loss) - keeps).pow(2));
    let crossed = |p: Place, q: Place| -> i64 {
        match (p.0 > source.0, p.1, q.1) {
            (true, from, to) if from == source.1 && to == source.1 + 1 => 1,
            (true, from, to) if from == source.1 + 1 && to == source.1 => -1,
            _ => 0,
        }
    };
    let mut best: Option<i64> = None;
    for start in (source.0 + 1..width)
        .map(|x| (x, source.1))
        .filter(|&(x, y)| losses[y][x].is_some())
    {
        let mut spent = std::collections::HashMap::from([((start, 0_i64), 0_i64)]);
        loop {
            let mut changed = false;
            for p in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                for level in -1..=2 {
                    let Some(&sum) = spent.get(&(p, level)) else {
                        continue;
                    };
                    for q in beside(map, p) {
                        let (after, Some(price)) = (level + crossed(p, q), price(q)) else {
                            continue;
                        };
                        if q == source || !(-1..=2).contains(&after) {
                            continue;
                        }
                        let known = spent.entry((q, after)).or_insert(i64::MAX);
                        if sum + price < *known {
                            *known = sum + price;
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        if let Some(&sum) = spent.get(&(start, 1)) {
            best = Some(best.map_or(sum, |best| best.min(sum)));
        }
    }
    best
}

/// A small generator of random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % below as u64) as usize
    }

    /// A map of floor with some walls; the corners are floor.
    fn map(&mut self, width: usize, height: usize, walls: usize) -> Vec<String> {
        let cell = |dice: &mut Dice, corner: bool| match dice.below(100) {
            n if n < walls && !corner => '#',
            n if n == 99 && !corner => '~',
            _ => '.',
        };
        let is_end = |at: usize, of: usize| at == 0 || at + 1 == of;
        (0..height)
            .map(|y| {
                (0..width)
                    .map(|x| cell(self, is_end(x, width) && is_end(y, height)))
                    .collect()
            })
            .collect()
    }
}

#[test]
fn creatures_approach_flee_and_walk_round() {
    let program = example("scent", "creatures.nds");
    let house = [
        "########", "#......#", "#.####.#", "#.#....#", "#......#", "#...#..#", "########",
    ];
    let mut dice = Dice(7);
    let (mut around, mut not) = (0, 0);
    for seed in 1..=10 {
        let rows: Vec<String> = if seed % 2 == 0 {
            house.map(String::from).to_vec()
        } else {
            dice.map(11, 8, 5 * seed as usize)
        };
        let map = characters(rows.iter().map(String::as_str));
        let keeps = 40 - 1 - dice.below(5) as i64;
        let parameters = [
            text("map", &rows.join("\n")),
            number("steps", 60.0),
            number("keeps", keeps as f64),
        ];
        let solution = solve(&program, seed, &parameters);
        let source = trail(&solution.text, "source")[0];
        let losses = least_losses(&map, source);
        let away = |(x, y): Place| losses[y][x].map_or(100, i64::from);

        for (who, sign) in [("hunter", 1), ("coward", -1)] {
            for step in trail(&solution.text, who).windows(2) {
                let (from, to) = (step[0], step[1]);
                let score = |p| -sign * away(p).min(40);
                let ways: Vec<_> = beside(&map, from)
                    .into_iter()
                    .filter(|&(x, y)| map[y][x] != '#')
                    .chain([from])
                    .collect();
                assert!(ways.contains(&to), "{who} jumps from {from:?} to {to:?}");
                assert_eq!(
                    score(to),
                    ways.into_iter().map(score).max().unwrap(),
                    "{who} at {from:?}"
                );
            }
        }
        let best = cheapest_round(&map, source, keeps);
        let dance = trail(&solution.text, "dancer");
        let line = solution
            .text
            .lines()
            .find(|line| line.starts_with("circuit"))
            .unwrap();
        if line.contains("none") {
            assert_eq!(best, None, "seed {seed}");
            not += 1;
            continue;
        }
        around += 1;
        let way = trail(&solution.text, "circuit");
        let next = |at: usize| way[(at + 1) % way.len()];
        assert!(
            (0..way.len())
                .all(|at| beside(&map, way[at]).contains(&next(at)) && !way.contains(&source))
        );
        assert_eq!(rounds(&way, source), 1, "{way:?} round {source:?}");
        let price: i64 = way
            .iter()
            .map(|&p| 1 + 4 * (40 - away(p) - keeps).pow(2))
            .sum();
        assert_eq!(Some(price), best, "seed {seed}: {way:?} round {source:?}");
        // Once it is on the way, the dancer goes along it, again and again.
        let Some(first) = dance.iter().position(|p| way.contains(p)) else {
            continue;
        };
        let at = way.iter().position(|p| *p == dance[first]).unwrap();
        let expected: Vec<_> = way
            .iter()
            .cycle()
            .skip(at)
            .take(dance.len() - first)
            .copied()
            .collect();
        assert_eq!(dance[first..], expected[..]);
    }
    assert!(
        around >= 4 && not >= 1,
        "{around} ways round, {not} times none"
    );
}

#[test]
fn smells_of_any_size_stand_in_columns() {
    let program = example("scent", "twisty.nds");
    for amount in [1.0, 9.0, 100.0, 1000.0, 1e9] {
        let solution = solve(&program, 1, &[number("amount", amount)]);
        let flooded = flooded(&characters(TWISTY), (4, 7), amount as u32);
        assert_eq!(heat(&solution.pictures[1].1), flooded);
        let (_, behind) = solution.text.split_once("Flooded:\n").unwrap();
        let shown: Vec<&str> = behind.lines().take(15).collect();
        assert_eq!(table(&shown.join("\n")), flooded, "{amount}");
        assert!(
            shown.iter().all(|line| line.len() == shown[0].len()),
            "{amount}"
        );
    }
}

/// All smell once, as the library's sweeps go: row by row, and then back.
fn sweep(map: &[Vec<char>], smell: &mut [Vec<i64>], sweeps: usize) {
    let order: Vec<_> = (0..map.len())
        .flat_map(|y| (0..map[0].len()).map(move |x| (x, y)))
        .collect();
    for round in 0..sweeps {
        let order: Vec<_> = if round % 2 == 0 {
            order.clone()
        } else {
            order.iter().rev().copied().collect()
        };
        for p in order.into_iter().filter(|&(x, y)| map[y][x] != '#') {
            for (x, y) in beside(map, p)
                .into_iter()
                .filter(|&(x, y)| map[y][x] != '#')
            {
                let loss = if map[y][x] == '~' { 3 } else { 1 };
                smell[y][x] = smell[y][x].max(smell[p.1][p.0] - loss);
            }
        }
    }
}

#[test]
fn the_hound_follows_a_trail_that_fades() {
    let program = example("scent", "hound.nds");
    let mut dice = Dice(3);
    let mut caught = 0;
    for seed in 1..=12 {
        let rows = dice.map(16, 9, 15);
        let map = characters(rows.iter().map(String::as_str));
        let (lead, sweeps) = (3 + dice.below(8), [0, 0, 1, 2][dice.below(4)]);
        let lasts = 2 * lead + 4 + dice.below(10);
        let named = [
            ("lead", lead),
            ("lasts", lasts),
            ("sweeps", sweeps),
            ("turns", 50),
            ("every", 1),
        ];
        let parameters: Vec<_> = named
            .iter()
            .map(|(name, n)| number(name, *n as f64))
            .chain([text("map", &rows.join("\n"))])
            .collect();
        let solution = solve(&program, seed, &parameters);
        let (hares, hounds) = (
            trail(&solution.text, "hare"),
            trail(&solution.text, "hound "),
        );
        let is_free = |&(x, y): &Place| map[y][x] != '#';
        assert!(
            hares
                .windows(2)
                .all(|step| step[0] == step[1] || beside(&map, step[0]).contains(&step[1]))
        );
        assert!(hares.iter().all(is_free));

        let mut smell = vec![vec![0; map[0].len()]; map.len()];
        smell[hares[0].1][hares[0].0] = lasts as i64;
        let (mut hound, mut step) = (None, 0);
        for (turn, &hare) in hares.iter().enumerate().skip(1) {
            smell
                .iter_mut()
                .flatten()
                .for_each(|value| *value = (*value - 1).max(0));
            smell[hare.1][hare.0] = lasts as i64;
            sweep(&map, &mut smell, sweeps);
            if turn == lead {
                hound = Some(hares[0]);
                assert_eq!(hounds[0], hares[0]);
            }
            for _ in 0..2 {
                let Some(from) = hound.filter(|from| *from != hare && turn > lead) else {
                    break;
                };
                step += 1;
                let score = |(x, y): Place| smell[y][x];
                let ways: Vec<_> = beside(&map, from)
                    .into_iter()
                    .filter(is_free)
                    .chain([from])
                    .collect();
                let to = hounds[step];
                assert!(
                    ways.contains(&to),
                    "the hound jumps from {from:?} to {to:?}"
                );
                assert_eq!(
                    score(to),
                    ways.into_iter().map(score).max().unwrap(),
                    "seed {seed}, turn {turn}"
                );
                hound = Some(to);
            }
            // Each picture shows the smell of its turn, and who stands in it.
            let (shown, marks) = heat_and_marks(&solution.pictures[turn - 1].1);
            for (y, row) in shown.iter().enumerate() {
                for (x, value) in row.iter().enumerate() {
                    assert!(
                        value.is_none_or(|value| value == smell[y][x] as f64),
                        "({x},{y}) in turn {turn}"
                    );
                }
            }
            let on_hare = if hound == Some(hare) {
                "monster"
            } else {
                "treasure"
            };
            assert!(
                marks.contains(&(hare, on_hare.to_string())),
                "turn {turn}: {marks:?}"
            );
            assert!(
                hound.is_none_or(|hound| marks.contains(&(hound, "monster".to_string()))),
                "turn {turn}: {marks:?}"
            );
        }
        assert_eq!(step + 1, hounds.len().max(1));
        let is_caught = hound == hares.last().copied();
        assert_eq!(
            solution.text.starts_with("The hound has the hare after"),
            is_caught,
            "{}",
            solution.text
        );
        assert!(is_caught || hares.len() == 51);
        caught += usize::from(is_caught);
        // On a trail as wide as the hare that lasts long enough, the hound never loses it.
        assert!(is_caught || sweeps > 0, "seed {seed}: {}", solution.text);
    }
    assert!(caught >= 8, "{caught}");
}

#[test]
fn noise_leaves_hot_spots_where_creatures_stand_still() {
    let program = example("scent", "noise.nds");
    let mut dice = Dice(5);
    let (mut kept, mut rolled, mut stuck) = (0, 0, 0);
    for seed in 1..=8 {
        let rows = dice.map(18, 12, 12);
        let map = characters(rows.iter().map(String::as_str));
        let fades = dice.below(10);
        let parameters = [
            text("map", &rows.join("\n")),
            number("amount", 60.0),
            number("fades", fades as f64),
            number("sides", 6.0),
        ];
        let solution = solve(&program, seed, &parameters);
        let source = trail(&solution.text, "source")[0];
        let smell = table(
            &solution
                .text
                .lines()
                .take(12)
                .collect::<Vec<_>>()
                .join("\n"),
        );
        let at = |(x, y): Place| smell[y][x];
        let clear = flooded(&map, source, 60);
        let free: Vec<_> = (0..12)
            .flat_map(|y| (0..18).map(move |x| (x, y)))
            .filter(|p| at(*p).is_some())
            .collect();
        for &(x, y) in &free {
            let lost = clear[y][x].unwrap() - at((x, y)).unwrap();
            if clear[y][x] >= Some(20.0) && (x, y) != source {
                assert!((0.0..=fades as f64).contains(&lost));
                rolled += fades;
                kept += fades - lost as usize;
            }
        }
        let ways = |p: Place| {
            beside(&map, p)
                .into_iter()
                .filter(|&(x, y)| map[y][x] != '#')
        };
        let is_hot =
            |p: &Place| *p != source && at(*p) > Some(0.0) && ways(*p).all(|q| at(q) <= at(*p));
        let hot = free.iter().filter(|p| is_hot(p)).count();
        assert!(
            solution
                .text
                .contains(&format!("\n{hot} cells are hot spots.\n")),
            "{}",
            solution.text
        );
        let last = solution.text.lines().last().unwrap();
        let (head, places) = last.split_once(" at: ").unwrap();
        let stand = trail(&format!("x{places}"), "x");
        assert!(
            head.starts_with(&format!("{} of 12 creatures", 12 - stand.len())),
            "{last}"
        );
        assert!(
            stand.iter().all(|p| is_hot(p) || at(*p) == Some(0.0)),
            "{last}"
        );
        assert!(
            fades > 0 || stand.iter().all(|p| at(*p) == Some(0.0)),
            "without noise everybody who smells it arrives"
        );
        stuck += stand.len();
    }
    // One roll in six keeps the smell.
    let share = kept as f64 / rolled as f64;
    assert!(
        rolled > 3000 && (0.14..0.20).contains(&share),
        "{kept} of {rolled}"
    );
    assert!(stuck > 20, "{stuck}");
}

#[test]
fn wind_carries_smell() {
    let program = example("scent", "wind.nds");
    let names = [
        ("north", (0, -1)),
        ("east", (1, 0)),
        ("south", (0, 1)),
        ("west", (-1, 0)),
        ("north-east", (1, -1)),
        ("south-east", (1, 1)),
        ("south-west", (-1, 1)),
        ("north-west", (-1, -1)),
    ];
    let mut dice = Dice(11);
    for round in 0..10_usize {
        let rows = dice.map(12, 9, 15);
        let map = characters(rows.iter().map(String::as_str));
        let (name, wind): (&str, (i64, i64)) = names[round % 8];
        let (strength, directions) = (dice.below(4), [4, 8][dice.below(2)]);
        let parameters = [
            text("map", &rows.join("\n")),
            text("wind", name),
            number("strength", strength as f64),
            number("directions", directions as f64),
            number("amount", 30.0),
            number("x", 11.0),
            number("y", 8.0),
        ];
        let solution = solve(&program, 1, &parameters);
        for (picture, strength) in [(0, 0), (1, strength as i64)] {
            // Over all steps again and again, until no cell smells more.
            let mut smell = vec![vec![0_i64; 12]; 9];
            smell[8][11] = 30;
            let mut changed = true;
            while changed {
                changed = false;
                for (y, x) in (0..9_i64).flat_map(|y| (0..12_i64).map(move |x| (y, x))) {
                    for (dy, dx) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))) {
                        let (to_x, to_y) = (x + dx, y + dy);
                        let is_step = (dx, dy) != (0, 0) && (directions == 8 || dx == 0 || dy == 0);
                        if !is_step || !(0..12).contains(&to_x) || !(0..9).contains(&to_y) {
                            continue;
                        }
                        let (from, to) = (
                            map[y as usize][x as usize],
                            map[to_y as usize][to_x as usize],
                        );
                        if from == '#' || to == '#' {
                            continue;
                        }
                        let against = 1 - (dx * wind.0 + dy * wind.1).signum();
                        let loss = if to == '~' { 3 } else { 1 } + strength * against;
                        let value = smell[y as usize][x as usize] - loss;
                        if value > smell[to_y as usize][to_x as usize] {
                            smell[to_y as usize][to_x as usize] = value;
                            changed = true;
                        }
                    }
                }
            }
            let (shown, marks) = heat_and_marks(&solution.pictures[picture].1);
            assert_eq!(marks, [((11, 8), "treasure".to_string())]);
            for (y, row) in shown.iter().enumerate() {
                for (x, value) in row.iter().enumerate() {
                    let is_open = map[y][x] != '#' && (x, y) != (11, 8);
                    assert_eq!(
                        *value,
                        is_open.then_some(smell[y][x] as f64),
                        "({x},{y}) in a wind to the {name}"
                    );
                }
            }
        }
    }
}

#[test]
fn things_are_put_where_nothing_smells() {
    let program = example("scent", "spawn.nds");
    let mut dice = Dice(13);
    for seed in 1..=10 {
        let rows = dice.map(20, 12, 12);
        let map = characters(rows.iter().map(String::as_str));
        let (amount, low) = (4 + dice.below(4), dice.below(3));
        let parameters = [
            text("map", &rows.join("\n")),
            number("amount", amount as f64),
            number("low", low as f64),
            number("things", 4.0),
        ];
        let solution = solve(&program, seed, &parameters);
        let source = trail(&solution.text, "source")[0];
        let things = trail(&solution.text, "things");
        assert_eq!(things.len(), 4);
        // Each was put where what stood there before smelled no more than allowed.
        for (at, &(x, y)) in things.iter().enumerate() {
            for &other in things[..at].iter().chain([&source]) {
                let smell = flooded(&map, other, amount as u32)[y][x].expect("no wall");
                assert!(
                    smell <= low as f64,
                    "seed {seed}: ({x},{y}) smells {smell} of {other:?}"
                );
            }
        }
        let (_, marks) = heat_and_marks(&solution.pictures[0].1);
        assert_eq!(marks.len(), 5);
    }
    // Each thing on a map of one row takes so much room that just three fit beside the source.
    let row = |things: f64| {
        [
            text("map", &".".repeat(13)),
            number("amount", 4.0),
            number("things", things),
            number("guesses", 13.0),
        ]
    };
    let fitting = (1..=20)
        .filter(|seed| program.run_with(*seed, &row(3.0)).next().is_some())
        .count();
    assert!(
        fitting > 0,
        "the search finds a place for three where there is one"
    );
    let mut run = program.run_with(1, &row(4.0));
    assert!(
        matches!(run.resume(u64::MAX), ndscript::Outcome::Failed),
        "there is no place for four"
    );
}

/// The smells of a space as printed, layer after layer; `None` in walls.
fn layers(output: &str) -> Vec<Option<f64>> {
    let rows = output
        .lines()
        .filter(|line| !line.starts_with("layer") && !line.contains("steps:"));
    rows.flat_map(|line| {
        line.split_whitespace()
            .map(|word| word.parse().ok())
            .collect::<Vec<_>>()
    })
    .collect()
}

#[test]
fn smell_spreads_in_any_number_of_dimensions() {
    let program = example("scent", "dimensions.nds");
    let mut dice = Dice(17);
    for sizes in [
        vec![17],
        vec![6, 5],
        vec![5, 4, 3],
        vec![4, 3, 3, 2],
        vec![3, 2, 2, 2, 3],
    ] {
        for seed in 1..=3 {
            let source: Vec<usize> = sizes.iter().map(|size| dice.below(*size)).collect();
            let words = |numbers: &[usize], by: &str| {
                numbers
                    .iter()
                    .map(usize::to_string)
                    .collect::<Vec<_>>()
                    .join(by)
            };
            let amount = 4 + dice.below(12);
            let parameters = [
                text("size", &words(&sizes, "x")),
                text("source", &words(&source, ",")),
                number("amount", amount as f64),
                number("walls", 0.2),
            ];
            let solution = solve(&program, seed, &parameters);
            let shown = layers(&solution.text);
            assert_eq!(shown.len(), sizes.iter().product::<usize>());
            let cell = |mut place: usize| -> Vec<usize> {
                let mut at = |size: &usize| (place % size, place /= size).0;
                sizes.iter().map(&mut at).collect()
            };
            let next_to = |a: &[usize], b: &[usize]| {
                a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).sum::<usize>() == 1
            };
            // Steps from the source, a ring at a time; neighbors are found by comparing all cells.
            let mut steps = vec![None; shown.len()];
            let start = (0..shown.len())
                .find(|place| cell(*place) == source)
                .unwrap();
            steps[start] = Some(0);
            for ring in 0.. {
                let reached: Vec<usize> = (0..shown.len())
                    .filter(|place| steps[*place] == Some(ring))
                    .collect();
                if reached.is_empty() {
                    break;
                }
                for place in 0..shown.len() {
                    let is_new = steps[place].is_none() && shown[place].is_some();
                    if is_new
                        && reached
                            .iter()
                            .any(|from| next_to(&cell(*from), &cell(place)))
                    {
                        steps[place] = Some(ring + 1);
                    }
                }
            }
            for place in 0..shown.len() {
                let expected =
                    steps[place].map_or(0.0, |steps: usize| amount.saturating_sub(steps) as f64);
                assert_eq!(
                    shown[place].unwrap_or(expected),
                    expected,
                    "{sizes:?}, seed {seed}: {:?}",
                    cell(place)
                );
            }
            assert_eq!(
                solution.pictures.len(),
                sizes.iter().skip(2).product::<usize>()
            );
            // The creature comes from where it smells least, and every step smells more.
            let last = solution.text.lines().last().unwrap();
            let (count, way) = last.split_once(" steps: ").unwrap();
            let trail: Vec<Vec<usize>> = way
                .split("] ")
                .map(|cell| {
                    cell.trim_matches(['[', ']'])
                        .split(", ")
                        .map(|n| n.parse().unwrap())
                        .collect()
                })
                .collect();
            assert_eq!(count.parse::<usize>().unwrap() + 1, trail.len());
            assert_eq!(*trail.last().unwrap(), source);
            assert!(
                trail.windows(2).all(|step| next_to(&step[0], &step[1])),
                "{last}"
            );
            let weakest = steps
                .iter()
                .flatten()
                .filter(|steps| **steps < amount)
                .max()
                .unwrap();
            assert_eq!(trail.len() - 1, *weakest);
        }
    }
}

#[test]
fn carved_doors_connect_all_regions() {
    let program = example("scent", "regions.nds");
    let rows = [
        "...##..", "...##..", "#######", "#######", ".##...~", "##.####",
    ];
    for (seed, map) in (1..=5).flat_map(|seed| [(seed, None), (seed, Some(rows.join("\n")))]) {
        let parameters: Vec<_> = map.iter().map(|map| text("map", map)).collect();
        let solution = solve(&program, seed, &parameters);
        let carved = characters(
            solution
                .text
                .lines()
                .filter(|line| line.chars().all(|c| ".#~+".contains(c))),
        );
        let source = (0, 0);
        let before: Vec<Vec<char>> = carved
            .iter()
            .map(|row| {
                row.iter()
                    .map(|&c| if c == '+' { '#' } else { c })
                    .collect()
            })
            .collect();
        let cut_off = |map: &[Vec<char>]| {
            let reached = least_losses(map, source).iter().flatten().flatten().count();
            map.iter().flatten().filter(|cell| **cell != '#').count() - reached
        };
        assert!(
            solution
                .text
                .starts_with(&format!("{} cells are cut off.\n", cut_off(&before))),
            "{}",
            solution.text
        );
        assert!(cut_off(&before) > 0);
        assert_eq!(cut_off(&carved), 0, "{}", solution.text);
        let doors = carved.iter().flatten().filter(|cell| **cell == '+').count();
        assert!(
            solution.text.contains(&format!("\n{doors} doors: ")),
            "{}",
            solution.text
        );
        let shown = tiles(&solution.pictures[2].1);
        assert_eq!(
            shown
                .iter()
                .flatten()
                .filter(|tile| *tile == "door")
                .count(),
            doors
        );
    }
}

#[test]
fn bad_input_is_told() {
    for (script, parameters, expected) in [
        (
            "open.nds",
            vec![number("directions", 6.0)],
            "directions has to be 4 or 8",
        ),
        (
            "open.nds",
            vec![text("sweeps", "many")],
            "the parameter sweeps must be a number",
        ),
        (
            "twisty.nds",
            vec![text("map", "..\n.\n")],
            "row 2 of the map has 1 cells, row 1 has 2",
        ),
        (
            "twisty.nds",
            vec![text("map", "..\n.?\n")],
            "row 2 of the map has the unknown cell \"?\"",
        ),
        (
            "twisty.nds",
            vec![number("x", 2.0), number("y", 2.0)],
            "that is no wall",
        ),
        (
            "twisty.nds",
            vec![number("x", 9.0)],
            "has to be a cell of the map",
        ),
        (
            "twisty.nds",
            vec![text("amount", "much")],
            "the parameter amount must be a number",
        ),
        (
            "twisty.nds",
            vec![number("amount", -5.0)],
            "amount has to be a whole number from 1",
        ),
        (
            "twisty.nds",
            vec![number("amount", 0.0)],
            "amount has to be a whole number from 1",
        ),
        (
            "moving.nds",
            vec![text("way", "4,7 2,2")],
            "\"2,2\" on the way is no column and row",
        ),
        (
            "moving.nds",
            vec![text("way", " ")],
            "way has to name cells",
        ),
        (
            "moving.nds",
            vec![number("sweeps", 0.0)],
            "sweeps has to be a whole number from 1 to 100",
        ),
        (
            "creatures.nds",
            vec![text("map", "...")],
            "at least four floor cells",
        ),
        (
            "creatures.nds",
            vec![number("steps", 0.5)],
            "steps has to be a whole number",
        ),
        (
            "creatures.nds",
            vec![number("keeps", 40.0)],
            "keeps has to be a number from 1 to 39",
        ),
        (
            "hound.nds",
            vec![number("lead", 0.0)],
            "lead has to be a whole number from 1",
        ),
        (
            "hound.nds",
            vec![text("sweeps", "no")],
            "the parameter sweeps must be a number",
        ),
        ("hound.nds", vec![text("map", ".#")], "at least two cells"),
        ("noise.nds", vec![number("sides", 1.0)], "sides from 2"),
        (
            "noise.nds",
            vec![number("amount", 0.5)],
            "amount has to be a whole number",
        ),
        (
            "noise.nds",
            vec![text("map", "#")],
            "a cell that is no wall",
        ),
        (
            "wind.nds",
            vec![text("wind", "up")],
            "the wind blows to one of north, east",
        ),
        (
            "wind.nds",
            vec![number("strength", -1.0)],
            "strength has to be a whole number from 0",
        ),
        (
            "wind.nds",
            vec![number("x", 99.0)],
            "has to be a cell of the map",
        ),
        (
            "wind.nds",
            vec![number("directions", 5.0)],
            "directions has to be 4 or 8",
        ),
        (
            "spawn.nds",
            vec![number("things", 0.0)],
            "whole numbers from 1 to 1000",
        ),
        (
            "spawn.nds",
            vec![number("low", 8.0)],
            "low one from 0 to amount - 1",
        ),
        (
            "dimensions.nds",
            vec![text("size", "3x")],
            "\"3x\" is no size",
        ),
        ("dimensions.nds", vec![text("size", "3x0x2")], "is no size"),
        (
            "dimensions.nds",
            vec![text("source", "1,2")],
            "\"1,2\" is no cell of a space of 9x7x4",
        ),
        (
            "dimensions.nds",
            vec![text("source", "9,2,1")],
            "is no cell of a space",
        ),
        (
            "dimensions.nds",
            vec![number("walls", 2.0)],
            "walls has to be a number from 0 to 1",
        ),
        (
            "dimensions.nds",
            vec![text("size", "100x100x100"), text("source", "1,1,1")],
            "1000000 cells, which takes long",
        ),
        (
            "dimensions.nds",
            vec![text("size", "2x2x100"), text("source", "1,1,1")],
            "has 100 layers, each a picture",
        ),
        (
            "regions.nds",
            vec![text("map", "##\n##\n")],
            "a cell that is no wall",
        ),
        ("regions.nds", vec![text("map", "")], "the map is empty"),
    ] {
        let message = refusal(&example("scent", script), &parameters);
        assert!(message.contains(expected), "{script}: {message}");
    }
}
