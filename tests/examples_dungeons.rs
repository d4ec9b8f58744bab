//! The dungeons of `examples/dungeons/`, checked by rules, a count of all solutions and a deduction that are written
//! here once more.

mod support;

use ndscript::{Outcome, Param, Question, Run, Solution};
use support::{example, number, refusal, solve, text, tiles};

const DOCUMENT: &str = include_str!("../examples/dungeons/document.txt");

/// A dungeon as text shows it.
#[derive(Clone, Debug, PartialEq)]
struct Dungeon {
    columns: Vec<usize>,
    rows: Vec<usize>,
    /// By row, then column.
    cells: Vec<Vec<char>>,
}

type Place = (usize, usize);

impl Dungeon {
    /// Reads the lines up to the first that belongs to no dungeon.
    fn read(text: &str) -> Dungeon {
        let clue = |c: char| c.to_digit(10).unwrap() as usize;
        let mut lines = text.lines();
        let columns: Vec<usize> = lines.next().unwrap()[1..].chars().map(clue).collect();
        let body: Vec<&str> = lines.take_while(|line| line.len() == columns.len() + 1).collect();
        Dungeon {
            columns,
            rows: body.iter().map(|line| clue(line.chars().next().unwrap())).collect(),
            cells: body.iter().map(|line| line.chars().skip(1).collect()).collect(),
        }
    }

    fn places(&self) -> Vec<Place> {
        (0..self.rows.len()).flat_map(|y| (0..self.columns.len()).map(move |x| (x, y))).collect()
    }

    fn is_open(&self, (x, y): Place) -> bool {
        self.cells.get(y).and_then(|row| row.get(x)).is_some_and(|cell| *cell != '#')
    }

    fn beside(&self, (x, y): Place) -> Vec<Place> {
        let steps = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        steps.into_iter().filter(|&(x, y)| x < self.columns.len() && y < self.rows.len()).collect()
    }

    fn exits(&self, place: Place) -> usize {
        self.beside(place).into_iter().filter(|&each| self.is_open(each)).count()
    }

    fn unknown(&self) -> usize {
        self.cells.iter().flatten().filter(|cell| **cell == '.').count()
    }

    /// Whether it is the puzzle with its unknown cells filled in.
    fn fills(&self, puzzle: &Dungeon) -> bool {
        let same = |(mine, given): (&char, &char)| mine == given || (*given == '.' && "#x".contains(*mine));
        (&self.columns, &self.rows) == (&puzzle.columns, &puzzle.rows)
            && self.cells.iter().flatten().zip(puzzle.cells.iter().flatten()).all(same)
    }

    /// The cells of a room with exactly one exit, if there is one with this upper left corner.
    fn room(&self, (left, top): Place) -> Option<Vec<Place>> {
        let cells: Vec<Place> = (0..9).map(|i| (left + i % 3, top + i / 3)).collect();
        let exits = || {
            let beside = cells.iter().flat_map(|&cell| self.beside(cell));
            beside.filter(|cell| !cells.contains(cell) && self.is_open(*cell)).count()
        };
        (cells.iter().all(|&cell| self.is_open(cell)) && exits() == 1).then_some(cells)
    }

    /// The first rule of the puzzle that a filled dungeon breaks.
    fn broken_rule(&self) -> Option<String> {
        for (y, clue) in self.rows.iter().enumerate() {
            if self.cells[y].iter().filter(|cell| **cell == '#').count() != *clue {
                return Some(format!("row {y}"));
            }
        }
        for (x, clue) in self.columns.iter().enumerate() {
            if self.cells.iter().filter(|row| row[x] == '#').count() != *clue {
                return Some(format!("column {x}"));
            }
        }
        let open: Vec<Place> = self.places().into_iter().filter(|&place| self.is_open(place)).collect();
        for &(x, y) in &open {
            let exits = self.exits((x, y));
            if exits == 0 || (exits == 1) != (self.cells[y][x] == 'm') {
                return Some(format!("dead end or monster at ({x},{y})"));
            }
        }
        let has_treasure = |room: &Vec<Place>| room.iter().any(|&(x, y)| self.cells[y][x] == '$');
        let rooms: Vec<Vec<Place>> =
            self.places().into_iter().filter_map(|corner| self.room(corner)).filter(has_treasure).collect();
        for &(x, y) in &open {
            if self.cells[y][x] == '$' && !rooms.iter().any(|room| room.contains(&(x, y))) {
                return Some(format!("treasure at ({x},{y})"));
            }
            let square = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
            let in_room = || rooms.iter().any(|room| square.iter().all(|cell| room.contains(cell)));
            if square.iter().all(|&cell| self.is_open(cell)) && !in_room() {
                return Some(format!("open square at ({x},{y})"));
            }
        }
        let mut reached: Vec<Place> = open.iter().copied().take(1).collect();
        let mut next = 0;
        while next < reached.len() {
            let fresh = self.beside(reached[next]);
            let fresh: Vec<Place> =
                fresh.into_iter().filter(|cell| self.is_open(*cell) && !reached.contains(cell)).collect();
            reached.extend(fresh);
            next += 1;
        }
        (reached.len() != open.len()).then(|| "not connected".to_string())
    }

    /// All ways to fill it that keep all rules: every row in every way, as far as the columns allow.
    fn all_solutions(&self) -> Vec<Dungeon> {
        let mut found = Vec::new();
        let mut filled = self.clone();
        self.fill_rows(0, &mut filled, &mut self.columns.clone(), &mut found);
        found
    }

    fn fill_rows(&self, y: usize, filled: &mut Dungeon, left: &mut Vec<usize>, found: &mut Vec<Dungeon>) {
        if y == self.rows.len() {
            if left.iter().all(|walls| *walls == 0) && filled.broken_rule().is_none() {
                found.push(filled.clone());
            }
            return;
        }
        let below = self.rows.len() - y - 1;
        for walls in 0_u32..1 << self.columns.len() {
            let is_wall = |x: usize| walls >> x & 1 == 1;
            let fits = |x: usize| match self.cells[y][x] {
                '.' => (!is_wall(x) || left[x] > 0) && left[x] - usize::from(is_wall(x)) <= below,
                cell => (cell == '#') == is_wall(x) && left[x] >= usize::from(is_wall(x)),
            };
            if walls.count_ones() as usize != self.rows[y] || !(0..self.columns.len()).all(fits) {
                continue;
            }
            for (x, walls) in left.iter_mut().enumerate() {
                *walls -= usize::from(is_wall(x));
                if self.cells[y][x] == '.' {
                    filled.cells[y][x] = if is_wall(x) { '#' } else { 'x' };
                }
            }
            self.fill_rows(y + 1, filled, left, found);
            for (x, walls) in left.iter_mut().enumerate() {
                *walls += usize::from(is_wall(x));
            }
        }
    }

    /// Fills in what follows from counting the walls of rows, columns and monsters, one after another until nothing
    /// is new.
    fn deduced(&self) -> Dungeon {
        let mut counts: Vec<(Vec<Place>, usize)> = Vec::new();
        for (y, walls) in self.rows.iter().enumerate() {
            counts.push(((0..self.columns.len()).map(|x| (x, y)).collect(), *walls));
        }
        for (x, walls) in self.columns.iter().enumerate() {
            counts.push(((0..self.rows.len()).map(|y| (x, y)).collect(), *walls));
        }
        for (x, y) in self.places() {
            if self.cells[y][x] == 'm' {
                let around = self.beside((x, y));
                counts.push((around.clone(), around.len() - 1));
            }
        }
        let mut known = self.clone();
        loop {
            let before = known.unknown();
            for (places, walls) in &counts {
                let (open, rest): (Vec<Place>, Vec<Place>) =
                    places.iter().partition(|&&(x, y)| known.cells[y][x] == '.');
                let found = rest.iter().filter(|&&(x, y)| known.cells[y][x] == '#').count();
                let cell = match *walls {
                    walls if walls == found => 'x',
                    walls if walls == found + open.len() => '#',
                    _ => continue,
                };
                for (x, y) in open {
                    known.cells[y][x] = cell;
                }
            }
            if known.unknown() == before {
                return known;
            }
        }
    }
}

fn solve_puzzle(puzzle: &str) -> Solution {
    solve(&example("dungeons", "solve.nds"), 1, &[text("puzzle", puzzle)])
}

/// Solves a puzzle with one solution and checks all that is said about it.
fn check_single(puzzle: &str) -> Dungeon {
    let solution = solve_puzzle(puzzle);
    let (given, found) = (Dungeon::read(puzzle), Dungeon::read(&solution.text));
    assert!(found.fills(&given), "{}", solution.text);
    assert_eq!(found.broken_rule(), None, "{}", solution.text);
    assert!(solution.text.contains("This is the only solution."), "{}", solution.text);
    let (open, left) = (given.unknown(), given.deduced().unknown());
    let said = format!("Counting walls decides {} of {open} cells, the other rules {left}.", open - left);
    assert!(solution.text.contains(&said), "not {said:?} in {}", solution.text);
    assert_eq!(tiles(&solution.pictures[0].1), tile_names(&found));
    found
}

fn tile_names(dungeon: &Dungeon) -> Vec<Vec<String>> {
    let name = |cell: &char| match cell {
        '#' => "wall",
        'x' => "floor",
        'm' => "monster",
        '$' => "treasure",
        _ => "unknown",
    };
    dungeon.cells.iter().map(|row| row.iter().map(|cell| name(cell).to_string()).collect()).collect()
}

#[test]
fn the_puzzle_of_the_document_has_one_solution() {
    let found = check_single(DOCUMENT);
    assert_eq!(Dungeon::read(DOCUMENT).all_solutions(), std::slice::from_ref(&found));
    assert_eq!(Dungeon::read(DOCUMENT).deduced(), found, "with its first row given, counting walls is enough");

    let less = DOCUMENT.replace("3###xx$", "3.....$");
    assert_eq!(check_single(&less), found);
    assert_eq!(Dungeon::read(&less).all_solutions(), std::slice::from_ref(&found));
    assert!(Dungeon::read(&less).deduced().unknown() > 0);
}

#[test]
fn the_puzzles_of_the_folder_have_one_solution() {
    check_single(include_str!("../examples/dungeons/hard8.txt"));
    let soft = include_str!("../examples/dungeons/soft7x6.txt");
    assert_eq!(Dungeon::read(soft).deduced(), check_single(soft));
}

/// The puzzle of a filled dungeon: all but monsters and treasures unknown.
fn puzzle_of(dungeon: &Dungeon) -> String {
    let digits = |clues: &[usize]| clues.iter().map(|clue| clue.to_string()).collect::<String>();
    let mut text = format!(" {}\n", digits(&dungeon.columns));
    for (clue, row) in dungeon.rows.iter().zip(&dungeon.cells) {
        let cells: String = row.iter().map(|cell| if "#x".contains(*cell) { '.' } else { *cell }).collect();
        text += &format!("{clue}{cells}\n");
    }
    text
}

/// The dungeon of 4 by 4 whose walls are the bits of a number, with monsters in its dead ends and, if told so, a
/// treasure.
fn dungeon_of(walls: u32, treasure: Option<Place>) -> Dungeon {
    let is_wall = |x: usize, y: usize| walls >> (4 * y + x) & 1 == 1;
    let mut dungeon = Dungeon {
        columns: (0..4).map(|x| (0..4).filter(|&y| is_wall(x, y)).count()).collect(),
        rows: (0..4).map(|y| (0..4).filter(|&x| is_wall(x, y)).count()).collect(),
        cells: (0..4).map(|y| (0..4).map(|x| if is_wall(x, y) { '#' } else { 'x' }).collect()).collect(),
    };
    for (x, y) in dungeon.places() {
        if dungeon.is_open((x, y)) && dungeon.exits((x, y)) < 2 {
            dungeon.cells[y][x] = 'm';
        }
    }
    if let Some((x, y)) = treasure.filter(|&place| dungeon.is_open(place)) {
        dungeon.cells[y][x] = '$';
    }
    dungeon
}

/// Every dungeon of 4 by 4, and every hundredth that breaks a rule, as a puzzle whose solutions are counted.
#[test]
fn small_puzzles_have_as_many_solutions_as_counting_says() {
    let program = example("dungeons", "solve.nds");
    let mut seen = [0; 3];
    for (walls, treasure) in (0..1 << 16).flat_map(|walls| [(walls, None), (walls, Some((1, 2)))]) {
        let dungeon = dungeon_of(walls, treasure);
        let is_repeated = treasure.is_some_and(|place| !dungeon.is_open(place));
        if is_repeated || (dungeon.broken_rule().is_some() && walls % 100 != 0) {
            continue;
        }
        let puzzle = puzzle_of(&dungeon);
        let all = Dungeon::read(&puzzle).all_solutions();
        let solution = solve(&program, 1, &[text("puzzle", &puzzle)]);
        let said = match all.len() {
            0 => "This puzzle has no solution: ",
            1 => "This is the only solution.",
            _ => "There are more solutions.",
        };
        assert!(solution.text.contains(said), "{puzzle}{}", solution.text);
        assert!(all.is_empty() || all.contains(&Dungeon::read(&solution.text)), "{puzzle}{}", solution.text);
        seen[all.len().min(2)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

#[test]
fn made_puzzles_have_one_solution_and_the_level_asked_for() {
    let program = example("dungeons", "make.nds");
    let mut hard = 0;
    for (seed, width, height, level) in [
        (1, 6, 6, "soft"),
        (2, 6, 6, "medium"),
        (3, 6, 6, "hard"),
        (4, 5, 6, "hard"),
        (5, 4, 4, "hard"),
        (6, 7, 5, "hard"),
        (7, 5, 5, "soft"),
        (8, 8, 8, "hard"),
        (9, 8, 8, "soft"),
        (10, 8, 8, "medium"),
    ] {
        let parameters: [(String, Param); 3] =
            [number("width", f64::from(width)), number("height", f64::from(height)), text("level", level)];
        let solution = solve(&program, seed, &parameters);
        let puzzle = Dungeon::read(&solution.text);
        assert_eq!((puzzle.columns.len(), puzzle.rows.len()), (width as usize, height as usize));
        let text: String = solution.text.lines().take(height as usize + 1).map(|line| format!("{line}\n")).collect();
        let found = check_single(&text);
        assert_eq!(tiles(&solution.pictures[0].1), tile_names(&puzzle));
        assert_eq!(tiles(&solution.pictures[1].1), tile_names(&found));
        if width * height <= 36 {
            assert_eq!(puzzle.all_solutions(), [found], "{text}");
        }
        let left = puzzle.deduced().unknown();
        match level {
            "soft" => assert_eq!(left, 0),
            "medium" => assert!(left * 3 <= width as usize * height as usize),
            _ => hard += left,
        }
    }
    assert!(hard > 0, "no hard puzzle needs a guess");
}

/// The next question of a game.
fn question(run: &mut Run) -> Question {
    match run.resume(u64::MAX) {
        Outcome::Asked(question) => question,
        other => panic!("no question but {other:?}"),
    }
}

fn pick(run: &mut Run, option: &str) {
    let asked = question(run);
    let options = asked.options.unwrap();
    let number = options.iter().position(|each| each == option).unwrap_or_else(|| panic!("{option}: {options:?}"));
    assert!(run.answer(number));
}

#[test]
fn a_person_marks_cells_and_takes_marks_back() {
    let puzzle = DOCUMENT.replace("3###xx$", "3.....$");
    let mut run = example("dungeons", "play.nds").run_with(1, &[text("puzzle", &puzzle)]);
    let start = question(&mut run);
    let board = |text: &str| Dungeon::read(&text[text.find("\n 4").map_or(0, |at| at + 1)..]);
    assert_eq!(board(&start.text), Dungeon::read(&puzzle).deduced());
    assert_eq!(start.options.as_deref().unwrap(), ["mark a wall", "mark floor", "stop"]);
    let shown = tiles(&start.pictures[0].1);
    assert_eq!((shown[0][0].as_str(), shown[1][1].as_str(), shown[2][0].as_str()), ("saddlebrown", "khaki", "monster"));

    // Row 3 has one wall: with two it is broken.
    let mark = |run: &mut Run, what: &str, row: &str, column: &str| {
        pick(run, what);
        pick(run, row);
        pick(run, column);
    };
    mark(&mut run, "mark a wall", "row 3", "column 4");
    let after = question(&mut run);
    assert!(after.text.starts_with("row 3, column 4 is wall (your mark)\n"), "{}", after.text);
    assert!(after.text.contains("That cannot be: "), "{}", after.text);
    assert_eq!(after.options.as_deref().unwrap(), ["undo", "stop"]);
    pick(&mut run, "undo");
    assert_eq!(question(&mut run).text, start.text);

    mark(&mut run, "mark a wall", "row 1", "column 2");
    let Outcome::Solved(solution) = run.resume(u64::MAX) else { panic!("not solved") };
    assert!(solution.text.ends_with("Solved: all rules are kept.\n"), "{}", solution.text);
    assert_eq!(board(&solution.text).broken_rule(), None);
}

#[test]
fn bad_puzzles_are_told() {
    for (puzzle, expected) in [
        (String::new(), "a puzzle has a line of column clues"),
        (DOCUMENT.replace(" 414121", "414121"), "line 1 has to begin with a blank"),
        (DOCUMENT.replace(" 414121", " 4141.1"), "column 5 has no clue"),
        (DOCUMENT.replace(" 414121", " 41412"), "row 1 has 6 cells, but there are clues for 5 columns"),
        (DOCUMENT.replace("3###xx$", "###xx$"), "row 1 has no clue"),
        (DOCUMENT.replace("5......", "5....."), "row 4 has 5 cells"),
        (DOCUMENT.replace("5......", "5...?.."), "row 4 has the unknown cell \"?\""),
        (DOCUMENT.replace("5......", "4......"), "the clues contradict: the rows have 12 walls, the columns 13"),
        ("7".to_string(), "a puzzle has a line of column clues"),
    ] {
        let message = refusal(&example("dungeons", "solve.nds"), &[text("puzzle", &puzzle)]);
        assert!(message.starts_with(expected), "{puzzle}{message}");
    }
    for (puzzle, expected) in [
        (DOCUMENT.replace("3###xx$", "3##xxx$"), "This puzzle has no solution: "),
        (" 000\n0...\n0...\n0...\n".to_string(), "This puzzle has no solution: its clues fit"),
    ] {
        let solution = solve_puzzle(&puzzle);
        assert!(solution.text.starts_with(expected), "{puzzle}{}", solution.text);
    }
    let message = refusal(&example("dungeons", "play.nds"), &[text("puzzle", " 1\n")]);
    assert!(message.starts_with("a puzzle has"), "{message}");
    for (parameter, expected) in [
        (number("width", 3.0), "whole numbers from 4 to 8"),
        (text("height", "tall"), "whole numbers from 4 to 8"),
        (text("level", "easy"), "level has to be soft, medium or hard"),
    ] {
        let message = refusal(&example("dungeons", "make.nds"), &[parameter]);
        assert!(message.contains(expected), "{message}");
    }
}
