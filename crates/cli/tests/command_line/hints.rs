//! `ndscript hint`: what it says is forced is forced, by the reasons that it gives, and each of them is needed.

use super::*;

fn example(path: &str) -> String {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("examples")
        .join(path)
        .to_str()
        .unwrap()
        .to_string()
}

fn hint(path: &str, options: &[&str]) -> Ended {
    Folder::new().run(&[&["hint", &example(path), "--seed", "1"], options].concat())
}

fn told(path: &str, options: &[&str]) -> serde_json::Value {
    let ended = hint(path, &[options, &["--json"]].concat());
    assert_eq!(ended.code, 0, "{}", ended.err);
    serde_json::from_str(&ended.out).unwrap()
}

fn cell(place: &serde_json::Value) -> (usize, usize) {
    (
        place[0].as_u64().unwrap() as usize,
        place[1].as_u64().unwrap() as usize,
    )
}

/// How many places of a sudoku hold the same digit in all of its solutions, though they are not given, and whether one is among
/// them; by asking for each other digit whether there is a solution with it.
fn forced_in(puzzle: &str, place: usize) -> (usize, bool) {
    let lines = (0..9).flat_map(|i| {
        [
            (0..9).map(|x| 9 * i + x).collect(),
            (0..9).map(|y| 9 * y + i).collect(),
        ]
    });
    let boxes = (0..9).map(|i| {
        (0..9)
            .map(|at| (i / 3 * 3 + at / 3) * 9 + i % 3 * 3 + at % 3)
            .collect()
    });
    let units: Vec<Vec<usize>> = lines.chain(boxes).collect();
    let givens = || -> [u8; 81] {
        std::array::from_fn(|at| puzzle.as_bytes()[at].saturating_sub(b'0') % 10)
    };
    let is_empty = |at: &usize| puzzle.as_bytes()[*at] == b'.';
    let clear = |mut cells: [u8; 81]| {
        (0..81).filter(is_empty).for_each(|at| cells[at] = 0);
        cells
    };
    let can_be = |at: usize, digit: u8| {
        let mut cells = clear(givens());
        let is_free = |unit: &&Vec<usize>| unit.contains(&at);
        if units
            .iter()
            .filter(is_free)
            .any(|unit| unit.iter().any(|other| cells[*other] == digit))
        {
            return false;
        }
        cells[at] = digit;
        has_filling(&mut cells, &units)
    };
    let is_forced = |at: &usize| (1..=9).filter(|digit| can_be(*at, *digit)).count() == 1;
    let forced: Vec<usize> = (0..81).filter(is_empty).filter(is_forced).collect();
    (forced.len(), forced.contains(&place))
}

/// Most places of a sudoku with several solutions are free, and no hint is about one of those.
#[test]
fn a_hint_for_a_sudoku_with_several_solutions_is_about_a_forced_place() {
    // Without some of its digits: of the many solutions left, all agree in some places.
    for (gone, least) in [
        (&[0, 4, 20, 27, 39][..], 1),
        (&[1, 12, 35, 44, 57, 70], 1),
        (&[9, 14, 25, 53, 66], 1),
    ] {
        let mut bytes = SUDOKU.as_bytes().to_vec();
        gone.iter().for_each(|at| bytes[*at] = b'.');
        let puzzle = String::from_utf8(bytes).unwrap();
        let ended = hint("sudoku/hint.nds", &[&format!("puzzle={puzzle}"), "--json"]);
        let told: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
        let open = puzzle.bytes().filter(|cell| *cell == b'.').count();
        if told["place"].is_null() {
            assert_eq!(forced_in(&puzzle, 0).0, 0, "{puzzle}");
            continue;
        }
        let (x, y) = cell(&told["place"]);
        let (forced, is_forced) = forced_in(&puzzle, 9 * y + x);
        assert!(is_forced, "{puzzle}: {told}");
        assert_eq!(told["forced"].as_u64(), Some(forced as u64), "{puzzle}");
        assert!(
            (least..open).contains(&forced),
            "{forced} of {open} places of {puzzle} are forced"
        );
    }
}

const SUDOKU: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Whether digits can be put into a sudoku by some of its rules: a plain search, in which nothing is clever.
fn has_filling(cells: &mut [u8; 81], units: &[Vec<usize>]) -> bool {
    let can_be = |cells: &[u8; 81], at: usize, digit: u8| {
        units
            .iter()
            .filter(|unit| unit.contains(&at))
            .all(|unit| unit.iter().all(|other| cells[*other] != digit))
    };
    // Cells that no rule is about do not matter.
    let open = (0..81).filter(|at| cells[*at] == 0 && units.iter().any(|unit| unit.contains(at)));
    let choices = open.map(|at| {
        (
            at,
            (1..=9)
                .filter(|digit| can_be(cells, at, *digit))
                .collect::<Vec<u8>>(),
        )
    });
    let Some((at, digits)) = choices.min_by_key(|(_, digits)| digits.len()) else {
        return true;
    };
    for digit in digits {
        cells[at] = digit;
        if has_filling(cells, units) {
            return true;
        }
    }
    cells[at] = 0;
    false
}

#[test]
fn a_hint_for_a_sudoku_is_forced_by_its_reasons() {
    // The same with fewer and with more of its digits.
    let easier = SUDOKU
        .replace("53..7....", "534.7.91.")
        .replace("6..195...", "6721953.8");
    for puzzle in [SUDOKU, &easier] {
        let told = told("sudoku/hint.nds", &[&format!("puzzle={puzzle}")]);
        let at = |place: &serde_json::Value| cell(place).1 * 9 + cell(place).0;
        let (place, value) = (
            at(&told["place"]),
            told["value"].as_str().unwrap().parse::<u8>().unwrap(),
        );
        let reasons = told["reasons"].as_array().unwrap();
        assert_eq!(puzzle.as_bytes()[place], b'.');
        // With some of the reasons, and any other digit at the place.
        let is_open = |without: Option<usize>| {
            let left = reasons
                .iter()
                .enumerate()
                .filter(|(at, _)| Some(*at) != without)
                .map(|(_, reason)| reason);
            let places = left.map(|reason| {
                reason["places"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(at)
                    .collect::<Vec<_>>()
            });
            let (units, givens): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
                places.partition(|places| places.len() == 9);
            (1..=9).filter(|digit| *digit != value).any(|digit| {
                let mut cells = [0; 81];
                givens
                    .iter()
                    .for_each(|given| cells[given[0]] = puzzle.as_bytes()[given[0]] - b'0');
                let is_free = |unit: &&Vec<usize>| unit.contains(&place);
                if units
                    .iter()
                    .filter(is_free)
                    .any(|unit| unit.iter().any(|other| cells[*other] == digit))
                {
                    return false;
                }
                cells[place] = digit;
                has_filling(&mut cells, &units)
            })
        };
        assert!(!is_open(None), "{puzzle}: {told}");
        for number in 0..reasons.len() {
            assert!(
                is_open(Some(number)),
                "{puzzle}: reason {number} of {told} is not needed"
            );
        }
    }
}

/// All ways to lay mines are counted.
#[test]
fn a_hint_for_minesweeper_is_forced_by_its_reasons() {
    for (field, mines) in [
        ("1###\n112#\n001#\n0000", -1),
        ("####\n#2##\n#1##\n####", 3),
        ("#1#\n110\n#00", -1),
        ("1#\n##", 1),
    ] {
        let ended = hint(
            "games/hint.nds",
            &[
                &format!("field={field}"),
                &format!("mines={mines}"),
                "--json",
            ],
        );
        let rows: Vec<&[u8]> = field.lines().map(str::as_bytes).collect();
        let (width, height) = (rows[0].len(), rows.len());
        let places = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let closed: Vec<(usize, usize)> = places().filter(|(x, y)| rows[*y][*x] == b'#').collect();
        // Whether a layout keeps a clue at a place.
        let keeps = |layout: u32, (x, y): (usize, usize)| {
            let near = closed
                .iter()
                .enumerate()
                .filter(|(_, other)| other.0.abs_diff(x) <= 1 && other.1.abs_diff(y) <= 1);
            near.filter(|(at, _)| layout >> at & 1 == 1).count() == usize::from(rows[y][x] - b'0')
        };
        let layouts = |clues: &[(usize, usize)], counts: bool| -> Vec<u32> {
            let all = (0..1u32 << closed.len())
                .filter(|layout| !counts || i64::from(layout.count_ones()) == mines);
            all.filter(|layout| clues.iter().all(|clue| keeps(*layout, *clue)))
                .collect()
        };
        let clues: Vec<_> = places().filter(|(x, y)| rows[*y][*x] != b'#').collect();
        let solutions = layouts(&clues, mines >= 0);
        let is_forced = |at: usize, among: &[u32]| {
            among
                .iter()
                .all(|layout| layout >> at & 1 == among[0] >> at & 1)
        };
        let forced = (0..closed.len())
            .filter(|at| is_forced(*at, &solutions))
            .count();
        if forced == 0 {
            let told: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
            assert!(
                ended.code == 1 && told["place"].is_null(),
                "{field}: {}",
                ended.out
            );
            let is_full = closed.is_empty();
            assert_eq!(
                told["why"].as_str().unwrap().starts_with("nothing is open"),
                is_full,
                "{field}: {told}"
            );
            continue;
        }
        let told: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
        assert_eq!(told["forced"].as_u64(), Some(forced as u64), "{field}");
        let at = closed
            .iter()
            .position(|place| *place == cell(&told["place"]))
            .unwrap();
        let is_mine = u32::from(told["value"] == "mine");
        let reasons = told["reasons"].as_array().unwrap();
        let named = |without: Option<usize>| {
            let left = reasons
                .iter()
                .enumerate()
                .filter(|(number, _)| Some(*number) != without);
            let (mut clues, mut counts) = (Vec::new(), false);
            for (_, reason) in left {
                match reason["places"].as_array().unwrap().first() {
                    Some(place) => clues.push(cell(place)),
                    None => counts = true,
                }
            }
            layouts(&clues, counts)
        };
        assert!(
            named(None).iter().all(|layout| layout >> at & 1 == is_mine),
            "{field}: {told}"
        );
        for number in 0..reasons.len() {
            assert!(
                named(Some(number))
                    .iter()
                    .any(|layout| layout >> at & 1 != is_mine),
                "{field}: {number} of {told}"
            );
        }
    }
}

/// Whoever asks for JSON gets it, also where there is no hint.
#[test]
fn a_hint_that_is_none_says_why_in_json() {
    let folder = Folder::new()
        .with("none.nds", "fail \"no start\";")
        .with("wrong.nds", "let x = 1 / 0;")
        .with("long.nds", "while (true) {}")
        .with("other.nds", "let x = 1;");
    for (file, options, code, why) in [
        ("none.nds", &[][..], 1, "no solution: no start"),
        ("wrong.nds", &[], 2, ""),
        (
            "long.nds",
            &["--max-steps", "1000"],
            3,
            "--max-steps allows",
        ),
        ("other.nds", &[], 2, "hintPuzzle"),
    ] {
        let ended = folder.run(&[&["hint", file, "--json", "--seed", "1"], options].concat());
        assert_eq!(ended.code, code, "{file}: {}", ended.err);
        let told: serde_json::Value =
            serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{file}: {}", ended.out));
        assert!(
            told["place"].is_null() && told["why"].as_str().unwrap().contains(why),
            "{file}: {told}"
        );
    }
}

#[test]
fn a_hint_for_a_dungeon_says_a_cell_of_its_solution() {
    let told = told("dungeons/hint.nds", &[]);
    let folder = Folder::new();
    let solved = folder.run(&["run", &example("dungeons/solve.nds"), "--seed", "1"]);
    let rows: Vec<&str> = solved.out.lines().skip(1).collect();
    let (x, y) = cell(&told["place"]);
    let expected = if told["value"] == "wall" { '#' } else { 'x' };
    assert_eq!(
        rows[y].chars().nth(x + 1),
        Some(expected),
        "{told}\n{}",
        solved.out
    );
}

/// What a dungeon of four rows and columns says, one reason after another: columns, rows, monsters, and the rules.
struct Dungeon {
    columns: Vec<u32>,
    rows: Vec<u32>,
    cells: Vec<Vec<u8>>,
}

impl Dungeon {
    fn read(text: &str) -> Dungeon {
        let mut lines = text.lines();
        let digits = |text: &str| {
            text.trim()
                .bytes()
                .map(|digit| u32::from(digit - b'0'))
                .collect()
        };
        let columns = digits(lines.next().unwrap());
        let rows: Vec<&[u8]> = lines.map(str::as_bytes).collect();
        let clues = rows.iter().map(|row| u32::from(row[0] - b'0')).collect();
        Dungeon {
            columns,
            rows: clues,
            cells: rows.iter().map(|row| row[1..].to_vec()).collect(),
        }
    }

    fn size(&self) -> (usize, usize) {
        (self.columns.len(), self.rows.len())
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (width, height) = self.size();
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    fn monsters(&self) -> Vec<(usize, usize)> {
        self.places()
            .filter(|(x, y)| self.cells[*y][*x] == b'm')
            .collect()
    }

    /// All layouts of walls in which what is there stands on floor.
    fn layouts(&self) -> Vec<Vec<Vec<bool>>> {
        let (width, height) = self.size();
        let layout = |bits: u32| -> Vec<Vec<bool>> {
            (0..height)
                .map(|y| {
                    (0..width)
                        .map(|x| bits >> (y * width + x) & 1 == 1)
                        .collect()
                })
                .collect()
        };
        let fits = |walls: &Vec<Vec<bool>>| {
            self.places().all(|(x, y)| match self.cells[y][x] {
                b'.' => true,
                b'#' => walls[y][x],
                _ => !walls[y][x],
            })
        };
        (0..1u32 << (width * height))
            .map(layout)
            .filter(fits)
            .collect()
    }

    fn beside(&self, (x, y): (usize, usize)) -> Vec<(usize, usize)> {
        self.places()
            .filter(|(a, b)| a.abs_diff(x) + b.abs_diff(y) == 1)
            .collect()
    }

    /// Whether a layout keeps a reason.
    fn keeps(&self, walls: &[Vec<bool>], reason: usize) -> bool {
        let (width, height) = self.size();
        let monsters = self.monsters();
        match reason {
            at if at < width => {
                walls.iter().filter(|row| row[at]).count() as u32 == self.columns[at]
            }
            at if at < width + height => {
                walls[at - width].iter().filter(|wall| **wall).count() as u32
                    == self.rows[at - width]
            }
            at if at < width + height + monsters.len() => {
                self.is_dead_end(walls, monsters[at - width - height])
            }
            _ => self.keeps_rules(walls),
        }
    }

    fn is_dead_end(&self, walls: &[Vec<bool>], at: (usize, usize)) -> bool {
        self.beside(at)
            .iter()
            .filter(|(x, y)| !walls[*y][*x])
            .count()
            == 1
    }

    /// In a dungeon without treasures: floor without a monster leads on, no square of floor, and all floor in one piece.
    fn keeps_rules(&self, walls: &[Vec<bool>]) -> bool {
        let floor: Vec<(usize, usize)> = self.places().filter(|(x, y)| !walls[*y][*x]).collect();
        let monsters = self.monsters();
        let leads_on = |at: &(usize, usize)| {
            self.beside(*at)
                .iter()
                .filter(|(x, y)| !walls[*y][*x])
                .count()
                >= 2
        };
        if floor
            .iter()
            .any(|at| !monsters.contains(at) && !leads_on(at))
        {
            return false;
        }
        let square = |(x, y): &(usize, usize)| {
            [(0, 0), (1, 0), (0, 1), (1, 1)]
                .iter()
                .all(|(a, b)| floor.contains(&(x + a, y + b)))
        };
        if floor.iter().any(square) {
            return false;
        }
        let (mut reached, mut next) = (
            Vec::new(),
            floor.first().copied().into_iter().collect::<Vec<_>>(),
        );
        while let Some(at) = next.pop() {
            if !reached.contains(&at) {
                reached.push(at);
                next.extend(self.beside(at).into_iter().filter(|(x, y)| !walls[*y][*x]));
            }
        }
        reached.len() == floor.len()
    }
}

/// All layouts of walls are counted.
#[test]
fn a_hint_for_a_dungeon_is_forced_by_its_reasons() {
    let (mut hints, mut free) = (0, 0);
    for puzzle in [
        // Two ways to fill it, which agree in half of its places.
        " 1111\n1....\n1....\n1....\n1....",
        " 4211\n2.m.m\n1....\n3....\n2...m",
        " 3121\n4....\n0m...\n2....\n1....",
        " 2114\n2m.m.\n1....\n3....\n2..m.",
        " 2222\n2....\n2....\n2....\n2....",
    ] {
        let dungeon = Dungeon::read(puzzle);
        let layouts = dungeon.layouts();
        let count = dungeon.columns.len() + dungeon.rows.len() + dungeon.monsters().len() + 1;
        let kept_by = |reasons: &[usize]| -> Vec<&Vec<Vec<bool>>> {
            layouts
                .iter()
                .filter(|walls| reasons.iter().all(|reason| dungeon.keeps(walls, *reason)))
                .collect()
        };
        let solutions = kept_by(&(0..count).collect::<Vec<usize>>());
        let ended = hint(
            "dungeons/hint.nds",
            &[&format!("puzzle={puzzle}"), "--json"],
        );
        if solutions.is_empty() {
            assert!(
                ended.code == 1 && ended.err.contains("no solution"),
                "{puzzle}: {}",
                ended.out
            );
            continue;
        }
        let is_wall = |walls: &[Vec<bool>], (x, y): (usize, usize)| walls[y][x];
        let agree = |among: &[&Vec<Vec<bool>>], at| {
            among
                .iter()
                .all(|walls| is_wall(walls, at) == is_wall(among[0], at))
        };
        let open = dungeon
            .places()
            .filter(|(x, y)| dungeon.cells[*y][*x] == b'.');
        let (forced, others): (Vec<_>, Vec<_>) = open.partition(|at| agree(&solutions, *at));
        free += others.len();
        let told: serde_json::Value =
            serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{}", ended.err));
        if forced.is_empty() {
            assert!(told["place"].is_null(), "{puzzle}: {told}");
            continue;
        }
        hints += 1;
        assert_eq!(
            told["forced"].as_u64(),
            Some(forced.len() as u64),
            "{puzzle}: {told}"
        );
        let (at, wall) = (cell(&told["place"]), told["value"] == "wall");
        let reasons: Vec<usize> = told["reasons"]
            .as_array()
            .unwrap()
            .iter()
            .map(|reason| reason["number"].as_u64().unwrap() as usize)
            .collect();
        assert!(
            kept_by(&reasons)
                .iter()
                .all(|walls| is_wall(walls, at) == wall),
            "{puzzle}: {told} is not forced"
        );
        for number in 0..reasons.len() {
            let left: Vec<usize> = reasons
                .iter()
                .copied()
                .filter(|reason| *reason != reasons[number])
                .collect();
            assert!(
                kept_by(&left)
                    .iter()
                    .any(|walls| is_wall(walls, at) != wall),
                "{puzzle}: {number} of {told}"
            );
        }
    }
    assert!(hints == 4 && free >= 8, "{hints} hints, {free} free places");
}

/// What `solve` does not answer in time may be forced, but it is not said.
#[test]
fn what_is_not_known_to_be_forced_is_no_hint() {
    let puzzle = "let g = grid([[setOf(1, 2), setOf(1, 2)]]);\n\
                  function hintPuzzle() {\n\
                      return {board: g, reasons: [{text: \"r\", places: []}], solve: (numbers, place, value) => {\n\
                          if (place == null) return grid([[1, 2]]);\n\
                          if (place == position(0, 0)) for (;;) {}\n\
                          fail;\n\
                      }};\n\
                  }";
    let ended = Folder::new()
        .with("a.nds", puzzle)
        .run(&["hint", "a.nds", "--seed", "1", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(
        (told["place"].clone(), told["forced"].clone()),
        (serde_json::json!([1, 0]), 1.into()),
        "{told}"
    );
}

#[test]
fn a_hint_reads_well_and_is_drawn() {
    let folder = Folder::new();
    let ended = folder.run(&[
        "hint",
        &example("games/hint.nds"),
        "--seed",
        "1",
        "--png",
        "hint.png",
    ]);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("hint", ended.out) });
    assert!(fs::read(folder.path("hint.png")).unwrap().starts_with(PNG));
}

#[test]
fn a_program_that_is_no_puzzle_is_told() {
    let says = |text: &str, code: i32, part: &str| {
        let ended = script(text).run(&["hint", "a.nds", "--seed", "1"]);
        assert!(
            ended.code == code && ended.err.contains(part),
            "{} {}",
            ended.code,
            ended.err
        );
    };
    says("let x = 1;", 2, "has no function `hintPuzzle`");
    says(
        "function hintPuzzle() { return {}; }",
        2,
        "nothing with `board`",
    );
    says(
        "function hintPuzzle() { return { board: 1 }; }",
        2,
        "no grid",
    );
    says("function hintPuzzle() { fail; }", 2, "has failed");
    let puzzle = |solve: &str| {
        format!(
            "function hintPuzzle() {{ return {{ board: makeGrid(1, 1, null), reasons: [], solve: {solve} }}; }}"
        )
    };
    says(
        &puzzle("(numbers, place, value) => { fail; }"),
        1,
        "no solution",
    );
    says(
        &puzzle("(numbers, place, value) => 3"),
        2,
        "does not return a grid",
    );
    says(&puzzle("(numbers, place, value) => 1 / 0"), 2, "divi");
    // With its place, and how it is called where that is what is wrong.
    says(&puzzle("(numbers, place, value) => 1 / 0"), 2, "a.nds:1:");
    says(
        &puzzle("numbers => null"),
        2,
        "`ndscript hint` calls `solve(numbers, place, value)`",
    );
    says("let x = 1 / 0;", 2, "a.nds:1:");
    let free = script(&puzzle(
        "(numbers, place, value) => makeGrid(1, 1, chooseElement(value == null ? [1] : [2]))",
    ));
    free.run(&["hint", "a.nds", "--seed", "1"]).expect(
        1,
        "nothing is forced: the open place can be filled in more than one way\n",
    );
}

/// Whoever does not look at the question has no answer to it.
#[test]
fn a_solve_that_does_not_look_at_the_place_is_told() {
    let blind = script(
        "function hintPuzzle() { return {board: makeGrid(1, 1, null), reasons: [], solve: (n, p, v) => makeGrid(1, 1, 1)}; }",
    );
    blind
        .run(&["hint", "a.nds", "--seed", "1"])
        .says("returns a grid with 1 in (0,0), though")
        .expect_code(2);
    let endless = script(
        "function hintPuzzle() { return {board: makeGrid(1, 1, null), reasons: [], solve: (n, p, v) => { for (;;) {} }}; }",
    );
    endless
        .run(&["hint", "a.nds", "--seed", "1", "--max-steps", "1000"])
        .says("--max-steps allows")
        .expect_code(3);
    let failed = script("fail \"bad start\";");
    failed
        .run(&["hint", "a.nds", "--seed", "1"])
        .says("the last reason given: bad start")
        .expect_code(1);
}

/// A board that is full has no forced place, but neither has it one that could be filled in several ways.
#[test]
fn of_a_full_board_it_is_said_that_nothing_is_open() {
    let board = |cells: &str| {
        format!(
            "let g = grid([{cells}]);\n\
             function hintPuzzle() {{\n\
                 return {{board: g, reasons: [], solve: (n, p, v) => {{\n\
                     let filled = grid([[choose(1, 3), choose(2, 4)]]); require(p == null || filled[p] != v); return filled;\n\
                 }}}};\n\
             }}"
        )
    };
    let words = "nothing is open: every place is filled";
    let full = script(&board("[1, setOf(2)]"));
    full.run(&["hint", "a.nds", "--seed", "1"])
        .expect(1, &format!("{words}\n"));
    let told: serde_json::Value =
        serde_json::from_str(&full.run(&["hint", "a.nds", "--seed", "1", "--json"]).out).unwrap();
    assert_eq!(told, serde_json::json!({"place": null, "why": words}));
    script(&board("[setOf(1, 3), setOf(2, 4)]"))
        .run(&["hint", "a.nds", "--seed", "1"])
        .expect(
            1,
            "nothing is forced: every open place can be filled in more than one way\n",
        );
}

#[test]
fn a_hint_obeys_its_limit_of_time_and_tells_what_it_does_not_know() {
    let puzzle = "let g = makeGrid(2, 2, setOf(1, 2));\n\
                  function hintPuzzle() {\n\
                      return {board: g, reasons: [{text: \"r\", places: []}], solve: (n, p, v) => { for (;;) {} }};\n\
                  }";
    let folder = Folder::new()
        .with("endless.nds", puzzle)
        .with("late.nds", "for (;;) {}");
    let ended = folder.run(&["hint", "endless.nds", "--seed", "1"]);
    assert!(
        ended
            .out
            .starts_with("no place is known to be forced: a call of `solve`"),
        "{}",
        ended.out
    );
    let ended = folder.run(&["hint", "late.nds", "--seed", "1", "--timeout", "0.1"]);
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (
            3,
            "stopped after 0.1 seconds, as long as --timeout allows\n"
        )
    );
}

/// What a program for hints gives back may share much, and what is made of it outside of the run is paid for.
#[test]
fn a_hint_obeys_its_limits_outside_of_the_run() {
    let puzzle = "let places = map(range(4096), i => position(i % 64, floor(i / 64)));\n\
                  let reason = {text: \"r\", places: places};\n\
                  function hintPuzzle() {\n\
                      return {board: makeGrid(64, 64, setOf(1, 2)), reasons: map(range(20000), i => reason),\n\
                          solve: (n, p, v) => makeGrid(64, 64, 1)};\n\
                  }";
    let wide = "let values = toSet(range(5000));\n\
                function hintPuzzle() {\n\
                    return {board: makeGrid(100, 100, values), reasons: [], solve: (n, p, v) => makeGrid(100, 100, 1)};\n\
                }";
    let folder = Folder::new()
        .with("puzzle.nds", puzzle)
        .with("wide.nds", wide);
    for file in ["puzzle.nds", "wide.nds"] {
        let ended = folder.run(&["hint", file, "--seed", "1", "--max-memory", "24M"]);
        assert_eq!(ended.code, 3, "{}", ended.err);
        assert!(
            ended.err.contains("24 MB of memory"),
            "{file}: {}",
            ended.err
        );
    }
    let ended = folder.run(&["hint", "puzzle.nds", "--seed", "1", "--timeout", "0.2"]);
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(
        ended.err.contains("as long as --timeout allows"),
        "{}",
        ended.err
    );
}

#[test]
fn values_that_are_too_long_to_compare_are_no_filling() {
    let puzzle = "let a = [1]; for (let i = 0; i < 60; i++) a = [a, a];\n\
                  function hintPuzzle() {\n\
                      return {board: makeGrid(2, 2, setOf(1, 2)), reasons: [], solve: (n, p, v) => makeGrid(2, 2, a)};\n\
                  }";
    let ended = Folder::new()
        .with("long.nds", puzzle)
        .run(&["hint", "long.nds", "--seed", "1"]);
    assert_eq!(ended.code, 2, "{}", ended.err);
    assert!(ended.err.contains("too large"), "{}", ended.err);
}
