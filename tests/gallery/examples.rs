//! Runs the examples and checks what they found: by rules written down here once more, not by stored output. Only the
//! programs of the README are held to the very output that stands there.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ndscript::picture::{Cell, Picture, TileMap};
use ndscript::{Engine, Limits, Param, Program, RunError, Solution};

/// More than any example needs, and little enough that a search gone wrong ends soon.
const STEPS: u64 = 50_000_000;

fn source(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn compile(path: &str) -> Program {
    let engine = Engine::new().with_limits(Limits {
        steps: STEPS,
        ..Limits::default()
    });
    engine
        .compile_named(path, &source(path))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn first(program: &Program, seed: u64, parameters: &[(String, Param)]) -> Solution {
    match program.run_with(seed, parameters).next() {
        Some(Ok(solution)) => solution,
        Some(Err(error)) => panic!("seed {seed}: {error}"),
        None => panic!("seed {seed}: no solution"),
    }
}

fn number(name: &str, value: u32) -> (String, Param) {
    (name.to_string(), Param::Number(value.into()))
}

/// The only picture of a solution, which is a map of tiles.
fn tile_map(solution: &Solution) -> &TileMap {
    let [(_, picture)] = &solution.pictures[..] else {
        panic!("{} pictures", solution.pictures.len())
    };
    match picture.as_ref() {
        Picture::Tiles(map) => map,
        other => panic!("no map of tiles: {other:?}"),
    }
}

/// The names of the tiles of a map, row by row.
fn tile_names(map: &TileMap) -> Vec<Vec<Arc<str>>> {
    let name = |cell: &Cell| match cell {
        Cell::Tile(index) => map.names[*index as usize].clone(),
        other => panic!("an undecided cell: {other:?}"),
    };
    let rows: Vec<Vec<_>> = map
        .cells
        .chunks(map.width as usize)
        .map(|row| row.iter().map(name).collect())
        .collect();
    assert_eq!(rows.len(), map.height as usize);
    rows
}

/// How many cells are sand, in a map where grass and water do not touch.
fn sand_in(rows: &[Vec<Arc<str>>], sand: &str, grass: &str, water: &str) -> usize {
    let tile = |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)).map(|name| &**name);
    for (y, row) in rows.iter().enumerate() {
        for (x, here) in row.iter().enumerate() {
            assert!(
                [sand, grass, water].contains(&&**here),
                "a tile {here} at {x}, {y}"
            );
            for there in [tile(x + 1, y), tile(x, y + 1)].into_iter().flatten() {
                let touch = [&**here, there].contains(&grass) && [&**here, there].contains(&water);
                assert!(!touch, "grass touches water at {x}, {y}");
            }
        }
    }
    rows.iter()
        .flatten()
        .filter(|name| &***name == sand)
        .count()
}

#[test]
fn maps_keep_water_from_grass_and_come_from_their_seeds() {
    let program = compile("tiles/map.nds");
    let mut maps = Vec::new();
    for seed in 0..50 {
        let solution = first(&program, seed, &[]);
        let rows = tile_names(tile_map(&solution));
        assert_eq!((rows.len(), rows[0].len()), (10, 10));
        sand_in(&rows, "brown", "green", "blue");
        assert_eq!(
            solution,
            first(&program, seed, &[]),
            "seed {seed} gives two maps"
        );
        maps.push(rows);
    }
    maps.sort();
    maps.dedup();
    assert_eq!(maps.len(), 50, "two seeds give the same map");
}

#[test]
fn weights_leave_little_sand() {
    let program = compile("tiles/weights.nds");
    for seed in 0..20 {
        let solution = first(&program, seed, &[number("size", 20)]);
        let rows = tile_names(tile_map(&solution));
        let sand = sand_in(&rows, "sandybrown", "forestgreen", "royalblue");
        assert_eq!(solution.text, format!("{sand} of 400 cells are sand.\n"));
        assert!(sand < 120, "seed {seed}: {sand} cells of sand");
    }
    let plain = compile("tiles/map.nds");
    let sand = |seed| {
        sand_in(
            &tile_names(tile_map(&first(&plain, seed, &[]))),
            "brown",
            "green",
            "blue",
        )
    };
    assert!(
        (0..20).map(sand).sum::<usize>() > 20 * 40,
        "the map without weights has little sand, too"
    );
}

type Place = (usize, usize);

/// The rows of the text that a script hands to `gridFromText`.
fn field_of(path: &str) -> Vec<Vec<char>> {
    let text = source(path);
    let (_, behind) = text.split_once("gridFromText(`").expect("a field");
    let (field, _) = behind.split_once('`').expect("the end of the field");
    field
        .trim()
        .lines()
        .map(|line| line.chars().collect())
        .collect()
}

fn find(field: &[Vec<char>], wanted: char) -> Place {
    let places = field
        .iter()
        .enumerate()
        .flat_map(|(y, row)| row.iter().enumerate().map(move |(x, c)| ((x, y), *c)));
    places
        .filter(|place| place.1 == wanted)
        .map(|place| place.0)
        .next()
        .expect("a place")
}

fn step(field: &[Vec<char>], (x, y): Place, arrow: char) -> Option<Place> {
    let (x, y) = match arrow {
        '>' => (x + 1, y),
        '<' => (x.checked_sub(1)?, y),
        'v' => (x, y + 1),
        '^' => (x, y.checked_sub(1)?),
        _ => return None,
    };
    let cell = *field.get(y)?.get(x)?;
    (cell != '#').then_some((x, y))
}

/// The cells that a drawn way enters, in order. All that is not on the way looks as in the field.
fn way(field: &[Vec<char>], drawn: &[Vec<char>]) -> Vec<Place> {
    let (start, goal) = (find(field, 'S'), find(field, 'G'));
    let mut places = vec![start];
    while *places.last().unwrap() != goal {
        let here = *places.last().unwrap();
        let next = step(field, here, drawn[here.1][here.0])
            .unwrap_or_else(|| panic!("the way breaks off at {here:?}"));
        assert!(!places.contains(&next), "the way comes to {next:?} twice");
        places.push(next);
    }
    assert_eq!(drawn.len(), field.len());
    for (y, row) in field.iter().enumerate() {
        assert_eq!(drawn[y].len(), row.len());
        for (x, cell) in row.iter().enumerate() {
            let on_way = places.contains(&(x, y)) && (x, y) != goal;
            assert!(
                on_way || drawn[y][x] == *cell,
                "the field changed at {x}, {y}"
            );
        }
    }
    places.remove(0);
    places
}

#[test]
fn every_way_right_and_down_is_found_once() {
    let path = "paths/right_down.nds";
    let field = field_of(path);
    let mut ways = BTreeSet::new();
    let program = compile(path);
    for solution in program.run(5) {
        let solution = solution.unwrap();
        let drawn: Vec<Vec<char>> = solution
            .text
            .lines()
            .map(|line| line.chars().collect())
            .collect();
        assert!(drawn.iter().flatten().all(|c| !"<^".contains(*c)));
        let places = way(&field, &drawn);
        let map = tile_map(&solution);
        assert_eq!(
            (map.height as usize, map.width as usize),
            (field.len(), field[0].len())
        );
        assert!(ways.insert(places), "a way was found twice");
    }
    // Ways from the start to each cell, row by row: those to the cell above and those to the cell on the left.
    let mut counts = vec![vec![0; field[0].len()]; field.len()];
    for (y, row) in field.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let above = if y > 0 { counts[y - 1][x] } else { 0 };
            let left = if x > 0 { counts[y][x - 1] } else { 0 };
            counts[y][x] = match cell {
                '#' => 0,
                'S' => 1,
                _ => above + left,
            };
        }
    }
    let goal = find(&field, 'G');
    assert_eq!(ways.len(), counts[goal.1][goal.0]);
    assert!(ways.len() > 1);
    for seed in 0..20 {
        first(&program, seed, &[]);
    }
}

/// The least price of a way from S to G, where `price` is that of entering a cell (Dijkstra's algorithm).
fn least_price(field: &[Vec<char>], price: impl Fn(char) -> usize) -> usize {
    let goal = find(field, 'G');
    let mut open = BTreeSet::from([(0, find(field, 'S'))]);
    let mut done = BTreeSet::new();
    while let Some((spent, here)) = open.pop_first() {
        if here == goal {
            return spent;
        }
        if done.insert(here) {
            let nexts = "><v^".chars().filter_map(|arrow| step(field, here, arrow));
            open.extend(nexts.map(|(x, y)| (spent + price(field[y][x]), (x, y))));
        }
    }
    panic!("the goal cannot be reached");
}

#[test]
fn the_cheapest_way_is_the_cheapest() {
    let path = "paths/cheapest.nds";
    let field = field_of(path);
    let price = |cell| if cell == '~' { 3 } else { 1 };
    let least = least_price(&field, price);
    let shortest = least_price(&field, |_| 1);
    let program = compile(path);
    for seed in 0..20 {
        let solution = first(&program, seed, &[]);
        let mut drawn: Vec<Vec<char>> = solution
            .text
            .lines()
            .map(|line| line.chars().collect())
            .collect();
        let last: String = drawn.pop().expect("a last line").into_iter().collect();
        let places = way(&field, &drawn);
        assert_eq!(
            places
                .iter()
                .map(|(x, y)| price(field[*y][*x]))
                .sum::<usize>(),
            least,
            "seed {seed}"
        );
        assert_eq!(
            last,
            format!("{} steps for a price of {least}.", places.len())
        );
        assert!(
            places.len() > shortest,
            "the example says that the shortest way is not the cheapest"
        );
        tile_map(&solution);
    }
}

/// The digits of the last board in a text.
fn board_of(text: &str) -> Vec<char> {
    let digits: Vec<char> = text
        .lines()
        .rev()
        .take(11)
        .flat_map(|line| line.chars().rev())
        .collect();
    digits
        .into_iter()
        .rev()
        .filter(char::is_ascii_digit)
        .collect()
}

fn check_sudoku(puzzle: &str, solved: &[char]) {
    assert_eq!(solved.len(), 81);
    for (given, digit) in puzzle.chars().zip(solved) {
        assert!(
            !given.is_ascii_digit() || given == '0' || given == *digit,
            "a given digit was changed"
        );
    }
    let units = (0..9_usize).flat_map(|i| {
        let row = move |k: usize| i * 9 + k;
        let column = move |k: usize| k * 9 + i;
        let cell = move |k: usize| (i / 3 * 3 + k / 3) * 9 + i % 3 * 3 + k % 3;
        [
            (0..9).map(row).collect::<Vec<_>>(),
            (0..9).map(column).collect(),
            (0..9).map(cell).collect(),
        ]
    });
    for unit in units {
        let digits: BTreeSet<char> = unit.iter().map(|place| solved[*place]).collect();
        assert_eq!(
            digits,
            ('1'..='9').collect(),
            "a digit is missing in the cells {unit:?}"
        );
    }
}

#[test]
fn sudokus_are_solved() {
    let path = "sudoku/sudoku.nds";
    let text = source(path);
    let (_, behind) = text.split_once("\"puzzle\", \"").expect("a puzzle");
    let puzzle = &behind[..81];
    let program = compile(path);
    let solved = board_of(&first(&program, 1, &[]).text);
    check_sudoku(puzzle, &solved);
    // The puzzle has one solution, whatever the seed.
    assert_eq!(solved, board_of(&first(&program, 2, &[]).text));

    let easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let empty = ".".repeat(81);
    for puzzle in [easy, &empty] {
        let parameters = [("puzzle".to_string(), Param::Text(puzzle.into()))];
        check_sudoku(puzzle, &board_of(&first(&program, 3, &parameters).text));
    }
    let twice = format!("11{}", ".".repeat(79));
    let mut run = program.run_with(
        1,
        &[("puzzle".to_string(), Param::Text(twice.as_str().into()))],
    );
    assert!(
        run.next().is_none(),
        "two equal digits in a row have no solution"
    );
}

#[test]
fn sudokus_by_constraints_are_solved() {
    let program = compile("sudoku/short.nds");
    let solved = |text: &str| {
        text.chars()
            .filter(char::is_ascii_digit)
            .collect::<Vec<char>>()
    };
    let found = solved(&first(&program, 1, &[]).text);
    assert_eq!(
        found,
        board_of(&first(&compile("sudoku/sudoku.nds"), 1, &[]).text)
    );
    let easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let parameters = [("puzzle".to_string(), Param::Text(easy.into()))];
    check_sudoku(easy, &solved(&first(&program, 3, &parameters).text));
    assert_eq!(program.run_with(1, &parameters).count(), 1);
}

fn check_queens_of(text: &str, n: usize) {
    let queens: Vec<(i64, i64)> = text
        .lines()
        .enumerate()
        .flat_map(|(y, row)| {
            row.char_indices()
                .filter(|c| c.1 == 'Q')
                .map(move |c| (c.0 as i64, y as i64))
        })
        .collect();
    assert_eq!((text.lines().count(), queens.len()), (n, n), "{text}");
    for (at, (x, y)) in queens.iter().enumerate() {
        for (other_x, other_y) in &queens[..at] {
            let (across, down) = ((x - other_x).abs(), (y - other_y).abs());
            assert!(
                across != 0 && down != 0 && across != down,
                "two queens attack each other:\n{text}"
            );
        }
    }
}

#[test]
fn queens_by_constraints_are_as_many() {
    let program = compile("queens/short.nds");
    check_queens_of(&first(&program, 1, &[number("n", 20)]).text, 20);
    for (n, count) in [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40)] {
        let texts: BTreeSet<String> = program
            .run_with(9, &[number("n", n)])
            .map(|solution| solution.unwrap().text)
            .collect();
        texts
            .iter()
            .for_each(|text| check_queens_of(text, n as usize));
        assert_eq!(texts.len(), count, "{n} queens");
    }
}

fn check_queens(solution: &Solution, n: usize) {
    let rows: Vec<&str> = solution.text.lines().collect();
    assert_eq!(rows.len(), n);
    let mut queens: Vec<(i64, i64)> = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), n);
        queens.extend(
            row.char_indices()
                .filter(|c| c.1 == 'Q')
                .map(|c| (c.0 as i64, y as i64)),
        );
    }
    assert_eq!(queens.len(), n);
    for (at, (x, y)) in queens.iter().enumerate() {
        for (other_x, other_y) in &queens[..at] {
            let (across, down) = ((x - other_x).abs(), (y - other_y).abs());
            assert!(
                across != 0 && down != 0 && across != down,
                "two queens attack each other:\n{}",
                solution.text
            );
        }
    }
    let tiles = tile_names(tile_map(solution));
    for (y, row) in tiles.iter().enumerate() {
        for (x, name) in row.iter().enumerate() {
            assert_eq!(&**name == "crimson", queens.contains(&(x as i64, y as i64)));
        }
    }
}

#[test]
fn queens_leave_one_another_alone() {
    let program = compile("queens/queens.nds");
    for seed in 0..20 {
        check_queens(&first(&program, seed, &[]), 8);
    }
    check_queens(&first(&program, 4, &[number("n", 12)]), 12);
    // The numbers of solutions are known.
    for (n, count) in [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40)] {
        let solutions: Vec<Solution> = program
            .run_with(9, &[number("n", n)])
            .map(|solution| solution.unwrap())
            .collect();
        solutions
            .iter()
            .for_each(|solution| check_queens(solution, n as usize));
        let texts: BTreeSet<&str> = solutions
            .iter()
            .map(|solution| solution.text.as_str())
            .collect();
        assert_eq!((texts.len(), solutions.len()), (count, count), "{n} queens");
    }
}

#[test]
fn every_example_parses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut folders = vec![root];
    let mut scripts = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "nds") {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(
                    ndscript::syntax::parse(&text, 0).is_ok(),
                    "{} has syntax errors",
                    path.display()
                );
                scripts += 1;
            }
        }
    }
    assert!(scripts >= 6);
}

/// What the command line shows for `ndscript run NAME --seed 1`, with ` --solutions all` if `all` is set.
fn shown(name: &str, text: &str, all: bool) -> String {
    let program = match Engine::new().compile_named(name, text) {
        Ok(program) => program,
        Err(error) => return error.to_string(),
    };
    let mut shown = String::new();
    for solution in program.run(1).take(if all { usize::MAX } else { 1 }) {
        match solution {
            Ok(solution) => {
                shown += &format!("{}{}", solution.text, if all { "---\n" } else { "" })
            }
            Err(RunError::Script(error)) => {
                shown += &error.diagnostic.render(program.sources(), false)
            }
            Err(other) => panic!("{name}: {other}"),
        }
    }
    shown
}

/// The search tree of a program's first solution.
fn tree(name: &str, program: &str) -> String {
    let program = Engine::new().compile_named(name, program).unwrap();
    let mut tree = ndscript_timeline::SearchTree::new(program.sources().clone(), 1000);
    program.run(1).watch(u64::MAX, &mut tree);
    tree.to_text()
}

#[test]
fn the_readme_says_what_programs_print() {
    let readme =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let mut program = "";
    let mut checked = 0;
    for block in readme.split("```").skip(1).step_by(2) {
        let (language, body) = block.split_once('\n').expect("a block of several lines");
        match language {
            "js" => program = body,
            "console" => {
                let (command, output) = body.split_once('\n').expect("a command and its output");
                let words: Vec<&str> = command.split(' ').collect();
                if let ["$", "ndscript", "repl", ..] = words[..] {
                    // Typed at a terminal, by crates/cli/tests/repl.
                    continue;
                }
                if let [
                    "$",
                    "ndscript",
                    what @ ("trace" | "tree"),
                    name,
                    "--seed",
                    "1",
                ] = words[..]
                {
                    // What a trace looks like is tested elsewhere; its beginning stands here.
                    if what == "tree" {
                        assert_eq!(
                            tree(name, program).trim_end(),
                            output.trim_end(),
                            "{command}"
                        );
                        checked += 1;
                    }
                    continue;
                }
                let (name, all) = match words[..] {
                    ["$", "ndscript", "run", name, "--seed", "1"] => (name, false),
                    [
                        "$",
                        "ndscript",
                        "run",
                        name,
                        "--seed",
                        "1",
                        "--solutions",
                        "all",
                    ] => (name, true),
                    _ => panic!("a command that this test does not know: {command}"),
                };
                assert_eq!(
                    shown(name, program, all).trim_end(),
                    output.trim_end(),
                    "{command}"
                );
                checked += 1;
            }
            _ => {}
        }
    }
    assert_eq!(checked, 11);
}
