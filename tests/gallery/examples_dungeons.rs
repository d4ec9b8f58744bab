//! The dungeons of `examples/dungeons/`, checked by rules, a count of all solutions and a deduction that are written
//! here once more.

#[path = "../support/mod.rs"]
mod support;

use ndscript::{Data, Outcome, Param, Program, Question, Run, Solution};
use support::{example, number, refusal, solve, text, tiles};

const DOCUMENT: &str = include_str!("../../examples/dungeons/document.txt");

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
        let mut lines = text.lines();
        let head = lines.next().unwrap();
        // Where a clue has two digits, blanks stand between all numbers and cells.
        let is_spaced = head.trim().contains(' ');
        let parts = |line: &str| -> Vec<String> {
            if is_spaced {
                line.split_whitespace().map(str::to_string).collect()
            } else {
                line.chars().map(String::from).collect()
            }
        };
        let clue = |part: &String| part.parse::<usize>().unwrap();
        let columns: Vec<usize> = parts(head)
            .iter()
            .filter(|part| *part != " ")
            .map(clue)
            .collect();
        let is_row = |parts: &Vec<String>| {
            parts.len() == columns.len() + 1 && parts[0].parse::<usize>().is_ok()
        };
        let body: Vec<Vec<String>> = lines.map(parts).take_while(is_row).collect();
        Dungeon {
            columns,
            rows: body.iter().map(|parts| clue(&parts[0])).collect(),
            cells: body
                .iter()
                .map(|parts| {
                    parts[1..]
                        .iter()
                        .map(|part| part.chars().next().unwrap())
                        .collect()
                })
                .collect(),
        }
    }

    fn places(&self) -> Vec<Place> {
        (0..self.rows.len())
            .flat_map(|y| (0..self.columns.len()).map(move |x| (x, y)))
            .collect()
    }

    fn is_open(&self, (x, y): Place) -> bool {
        self.cells
            .get(y)
            .and_then(|row| row.get(x))
            .is_some_and(|cell| *cell != '#')
    }

    fn beside(&self, (x, y): Place) -> Vec<Place> {
        let steps = [
            (x.wrapping_sub(1), y),
            (x + 1, y),
            (x, y.wrapping_sub(1)),
            (x, y + 1),
        ];
        steps
            .into_iter()
            .filter(|&(x, y)| x < self.columns.len() && y < self.rows.len())
            .collect()
    }

    fn exits(&self, place: Place) -> usize {
        self.beside(place)
            .into_iter()
            .filter(|&each| self.is_open(each))
            .count()
    }

    fn unknown(&self) -> usize {
        self.cells
            .iter()
            .flatten()
            .filter(|cell| **cell == '.')
            .count()
    }

    /// Whether it is the puzzle with its unknown cells filled in.
    fn fills(&self, puzzle: &Dungeon) -> bool {
        let same = |(mine, given): (&char, &char)| {
            mine == given || (*given == '.' && "#x".contains(*mine))
        };
        (&self.columns, &self.rows) == (&puzzle.columns, &puzzle.rows)
            && self
                .cells
                .iter()
                .flatten()
                .zip(puzzle.cells.iter().flatten())
                .all(same)
    }

    /// The cells of a room with exactly one exit, if there is one with this upper left corner.
    fn room(&self, (left, top): Place) -> Option<Vec<Place>> {
        let cells: Vec<Place> = (0..9).map(|i| (left + i % 3, top + i / 3)).collect();
        let exits = || {
            let beside = cells.iter().flat_map(|&cell| self.beside(cell));
            beside
                .filter(|cell| !cells.contains(cell) && self.is_open(*cell))
                .count()
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
        let open: Vec<Place> = self
            .places()
            .into_iter()
            .filter(|&place| self.is_open(place))
            .collect();
        for &(x, y) in &open {
            let exits = self.exits((x, y));
            if exits == 0 || (exits == 1) != (self.cells[y][x] == 'm') {
                return Some(format!("dead end or monster at ({x},{y})"));
            }
        }
        let has_treasure = |room: &Vec<Place>| room.iter().any(|&(x, y)| self.cells[y][x] == '$');
        let rooms: Vec<Vec<Place>> = self
            .places()
            .into_iter()
            .filter_map(|corner| self.room(corner))
            .filter(has_treasure)
            .collect();
        for &(x, y) in &open {
            if self.cells[y][x] == '$' && !rooms.iter().any(|room| room.contains(&(x, y))) {
                return Some(format!("treasure at ({x},{y})"));
            }
            let square = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
            let in_room = || {
                rooms
                    .iter()
                    .any(|room| square.iter().all(|cell| room.contains(cell)))
            };
            if square.iter().all(|&cell| self.is_open(cell)) && !in_room() {
                return Some(format!("open square at ({x},{y})"));
            }
        }
        let mut reached: Vec<Place> = open.iter().copied().take(1).collect();
        let mut next = 0;
        while next < reached.len() {
            let fresh = self.beside(reached[next]);
            let fresh: Vec<Place> = fresh
                .into_iter()
                .filter(|cell| self.is_open(*cell) && !reached.contains(cell))
                .collect();
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

    fn fill_rows(
        &self,
        y: usize,
        filled: &mut Dungeon,
        left: &mut Vec<usize>,
        found: &mut Vec<Dungeon>,
    ) {
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
                let found = rest
                    .iter()
                    .filter(|&&(x, y)| known.cells[y][x] == '#')
                    .count();
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
    solve(
        &example("dungeons", "solve.nds"),
        1,
        &[text("puzzle", puzzle)],
    )
}

/// Solves a puzzle with one solution and checks all that is said about it.
fn check_single(puzzle: &str) -> Dungeon {
    let solution = solve_puzzle(puzzle);
    let (given, found) = (Dungeon::read(puzzle), Dungeon::read(&solution.text));
    assert!(found.fills(&given), "{}", solution.text);
    assert_eq!(found.broken_rule(), None, "{}", solution.text);
    assert!(
        solution.text.contains("This is the only solution."),
        "{}",
        solution.text
    );
    let (open, left) = (given.unknown(), given.deduced().unknown());
    let said = format!(
        "Counting walls decides {} of {open} cells, the other rules {left}.",
        open - left
    );
    assert!(
        solution.text.contains(&said),
        "not {said:?} in {}",
        solution.text
    );
    assert_eq!(tiles(&solution.pictures[0].1), tile_names(&found));
    found
}

/// The picture of a dungeon: its clues at the left and above it.
fn tile_names(dungeon: &Dungeon) -> Vec<Vec<String>> {
    let name = |cell: &char| match cell {
        '#' => "wall",
        'x' => "floor",
        'm' => "monster",
        '$' => "treasure",
        _ => "tiles/blank",
    };
    let clue = |clue: &usize| format!("tiles/clues@16:{clue},0");
    let head = std::iter::once("#e2d6b5".to_string())
        .chain(dungeon.columns.iter().map(clue))
        .collect();
    let row = |(walls, cells): (&usize, &Vec<char>)| {
        std::iter::once(clue(walls))
            .chain(cells.iter().map(|cell| name(cell).to_string()))
            .collect()
    };
    std::iter::once(head)
        .chain(dungeon.rows.iter().zip(&dungeon.cells).map(row))
        .collect()
}

#[test]
fn the_puzzle_of_the_document_has_one_solution() {
    let found = check_single(DOCUMENT);
    assert_eq!(
        Dungeon::read(DOCUMENT).all_solutions(),
        std::slice::from_ref(&found)
    );
    assert_eq!(
        Dungeon::read(DOCUMENT).deduced(),
        found,
        "with its first row given, counting walls is enough"
    );

    let less = DOCUMENT.replace("3###xx$", "3.....$");
    assert_eq!(check_single(&less), found);
    assert_eq!(
        Dungeon::read(&less).all_solutions(),
        std::slice::from_ref(&found)
    );
    assert!(Dungeon::read(&less).deduced().unknown() > 0);
}

#[test]
fn the_puzzles_of_the_folder_have_one_solution() {
    check_single(include_str!("../../examples/dungeons/hard8.txt"));
    let soft = include_str!("../../examples/dungeons/soft7x6.txt");
    assert_eq!(Dungeon::read(soft).deduced(), check_single(soft));
}

/// The puzzle of a filled dungeon: all but monsters and treasures unknown.
fn puzzle_of(dungeon: &Dungeon) -> String {
    let digits = |clues: &[usize]| {
        clues
            .iter()
            .map(|clue| clue.to_string())
            .collect::<String>()
    };
    let mut text = format!(" {}\n", digits(&dungeon.columns));
    for (clue, row) in dungeon.rows.iter().zip(&dungeon.cells) {
        let cells: String = row
            .iter()
            .map(|cell| if "#x".contains(*cell) { '.' } else { *cell })
            .collect();
        text += &format!("{clue}{cells}\n");
    }
    text
}

/// The dungeon of 4 by 4 whose walls are the bits of a number, with monsters in its dead ends and, if told so, a
/// treasure.
fn dungeon_of(walls: u32, treasure: Option<Place>) -> Dungeon {
    let is_wall = |x: usize, y: usize| walls >> (4 * y + x) & 1 == 1;
    let mut dungeon = Dungeon {
        columns: (0..4)
            .map(|x| (0..4).filter(|&y| is_wall(x, y)).count())
            .collect(),
        rows: (0..4)
            .map(|y| (0..4).filter(|&x| is_wall(x, y)).count())
            .collect(),
        cells: (0..4)
            .map(|y| {
                (0..4)
                    .map(|x| if is_wall(x, y) { '#' } else { 'x' })
                    .collect()
            })
            .collect(),
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
        seen[all.len().min(2)] += 1;
        let parameters = [text("puzzle", &puzzle)];
        if all.is_empty() {
            assert_no_solution(&program, &parameters);
            continue;
        }
        let solution = solve(&program, 1, &parameters);
        let said = if all.len() == 1 {
            "This is the only solution."
        } else {
            "There are more solutions."
        };
        assert!(solution.text.contains(said), "{puzzle}{}", solution.text);
        assert!(
            all.contains(&Dungeon::read(&solution.text)),
            "{puzzle}{}",
            solution.text
        );
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// The solver by constraints finds exactly the solutions that counting finds, each as often as its treasures have rooms.
#[test]
fn the_short_solver_finds_all_solutions() {
    let program = example("dungeons", "short.nds");
    let mut seen = [0; 3];
    let more = (0..1 << 16)
        .step_by(61)
        .flat_map(|walls| [(walls, None), (walls, Some((1, 2)))]);
    for (walls, treasure) in more {
        let dungeon = dungeon_of(walls, treasure);
        let is_repeated = treasure.is_some_and(|place| !dungeon.is_open(place));
        if is_repeated || (dungeon.broken_rule().is_some() && walls % 50 != 0) {
            continue;
        }
        let puzzle = puzzle_of(&dungeon);
        let all = Dungeon::read(&puzzle).all_solutions();
        seen[all.len().min(2)] += 1;
        let mut found: Vec<Dungeon> = Vec::new();
        for solution in program.run_with(1, &[text("puzzle", &puzzle)]) {
            let solution = Dungeon::read(&solution.unwrap().text);
            if !found.contains(&solution) {
                found.push(solution);
            }
        }
        assert!(
            found.len() == all.len() && all.iter().all(|each| found.contains(each)),
            "{puzzle}{found:?}"
        );
    }
    assert!(seen[0] > 0 && seen[1] > 20, "{seen:?}");
    let hard = include_str!("../../examples/dungeons/hard8.txt");
    let solution = solve(&program, 1, &[text("puzzle", hard)]);
    let found = Dungeon::read(&solution.text);
    assert!(
        found.fills(&Dungeon::read(hard)) && found.broken_rule().is_none(),
        "{}",
        solution.text
    );
    assert_eq!(tiles(&solution.pictures[0].1), tile_names(&found));
}

fn assert_no_solution(program: &Program, parameters: &[(String, Param)]) {
    let outcome = program.run_with(1, parameters).resume(u64::MAX);
    assert!(
        matches!(outcome, Outcome::Failed),
        "{parameters:?}: {outcome:?}"
    );
}

fn sized(width: usize, height: usize, level: &str) -> [(String, Param); 3] {
    [
        number("width", width as f64),
        number("height", height as f64),
        text("level", level),
    ]
}

/// Makes a puzzle and checks it with another solver.
fn check_made(
    program: &Program,
    seed: u64,
    width: usize,
    height: usize,
    level: &str,
) -> (Dungeon, Dungeon) {
    let solution = solve(program, seed, &sized(width, height, level));
    let puzzle = Dungeon::read(&solution.text);
    let told = format!(
        "seed {seed}, {width} x {height} {level}:\n{}",
        solution.text
    );
    assert_eq!(
        (puzzle.columns.len(), puzzle.rows.len()),
        (width, height),
        "{told}"
    );
    let mut found = Rows::new(&puzzle).solutions(2);
    assert_eq!(found.len(), 1, "{told}");
    let found = found.remove(0);
    assert!(
        found.fills(&puzzle) && found.broken_rule().is_none(),
        "{told}"
    );
    assert_eq!(
        tiles(&solution.pictures[0].1),
        tile_names(&puzzle),
        "{told}"
    );
    assert_eq!(tiles(&solution.pictures[1].1), tile_names(&found), "{told}");
    let (unknown, left) = (puzzle.unknown(), puzzle.deduced().unknown());
    let said = format!(
        "Counting walls decides {} of {unknown} cells, the other rules {left}.",
        unknown - left
    );
    assert!(solution.text.contains(&said), "not {said:?}: {told}");
    match level {
        "soft" => assert_eq!(left, 0, "{told}"),
        "medium" => assert!(left * 3 <= unknown, "{told}"),
        _ => {}
    }
    (puzzle, found)
}

/// Another solver: row after row in every way, as far as columns, squares, dead ends and connection allow. A row of
/// cells is the bits of a number, a wall is 1.
struct Rows<'a> {
    puzzle: &'a Dungeon,
    /// For each row, the ways to fill it that its clue and the given cells allow.
    ways: Vec<Vec<u32>>,
    /// For each row, the left columns of squares that may lie in a treasure's room with the row below.
    in_room: Vec<u32>,
    monsters: Vec<u32>,
    open: u32,
    found: Vec<Dungeon>,
}

impl Rows<'_> {
    fn new(puzzle: &Dungeon) -> Rows<'_> {
        let (width, height) = (puzzle.columns.len(), puzzle.rows.len());
        let bits = |y: usize, wanted: &str| {
            let row = puzzle.cells[y].iter().enumerate();
            row.filter(|(_, cell)| wanted.contains(**cell))
                .fold(0_u32, |bits, (x, _)| bits | 1 << x)
        };
        let ways = |y: usize| {
            let (walls, floor) = (bits(y, "#"), bits(y, "xm$"));
            let fits = |way: &u32| {
                way.count_ones() as usize == puzzle.rows[y] && way & floor == 0 && walls & !way == 0
            };
            (0..1_u32 << width).filter(fits).collect()
        };
        let mut in_room = vec![0; height];
        for (x, y) in puzzle
            .places()
            .into_iter()
            .filter(|&(x, y)| puzzle.cells[y][x] == '$')
        {
            // A room reaches two cells from its treasure at most; the whole rule is checked at the end.
            let columns = (x.saturating_sub(2)..(x + 2).min(width))
                .fold(0, |bits, column| bits | 1 << column);
            in_room[y.saturating_sub(2)..(y + 2).min(height)]
                .iter_mut()
                .for_each(|row| *row |= columns);
        }
        let walls: usize = puzzle.rows.iter().sum();
        Rows {
            puzzle,
            ways: (0..height).map(ways).collect(),
            in_room,
            monsters: (0..height).map(|y| bits(y, "m")).collect(),
            open: (width * height - walls) as u32,
            found: Vec::new(),
        }
    }

    /// As many solutions as there are, or as are wanted.
    fn solutions(mut self, wanted: usize) -> Vec<Dungeon> {
        self.fill(&mut Vec::new(), &mut self.puzzle.columns.clone(), wanted);
        self.found
    }

    fn fill(&mut self, rows: &mut Vec<u32>, left: &mut Vec<usize>, wanted: usize) {
        let y = rows.len();
        let height = self.puzzle.rows.len();
        if y == height {
            self.keep(rows, left);
            return;
        }
        // Of each column, the rows from here on that may have a wall.
        let ahead = |x: usize| {
            self.puzzle.cells[y..]
                .iter()
                .filter(|row| !"xm$".contains(row[x]))
                .count()
        };
        if (0..left.len()).any(|x| left[x] > ahead(x)) {
            return;
        }
        let mask = |test: &dyn Fn(usize) -> bool| {
            (0..left.len())
                .filter(|x| test(*x))
                .fold(0_u32, |m, x| m | 1 << x)
        };
        let full = mask(&|x| left[x] == 0);
        let needed = mask(&|x| left[x] == ahead(x) && !"xm$".contains(self.puzzle.cells[y][x]));
        for at in 0..self.ways[y].len() {
            let way = self.ways[y][at];
            if way & full != 0 || needed & !way != 0 {
                continue;
            }
            rows.push(way);
            if self.fits(rows) {
                (0..left.len()).for_each(|x| left[x] -= (way >> x & 1) as usize);
                self.fill(rows, left, wanted);
                (0..left.len()).for_each(|x| left[x] += (way >> x & 1) as usize);
            }
            rows.pop();
            if self.found.len() >= wanted {
                return;
            }
        }
    }

    /// The open cells of a row, none outside.
    fn open_in(&self, rows: &[u32], y: usize) -> u32 {
        rows.get(y)
            .map_or(0, |row| !row & ((1 << self.puzzle.columns.len()) - 1))
    }

    /// Whether the latest row fits below the ones before it.
    fn fits(&self, rows: &[u32]) -> bool {
        let y = rows.len() - 1;
        let is_last = rows.len() == self.puzzle.rows.len();
        if y > 0 {
            let both = self.open_in(rows, y) & self.open_in(rows, y - 1);
            if both & both >> 1 & !self.in_room[y - 1] != 0 {
                return false;
            }
        }
        (y == 0 || self.has_right_exits(rows, y - 1))
            && (!is_last || self.has_right_exits(rows, y))
            && self.hangs_together(rows)
    }

    fn has_right_exits(&self, rows: &[u32], y: usize) -> bool {
        let open = self.open_in(rows, y);
        let above = if y > 0 { self.open_in(rows, y - 1) } else { 0 };
        let sides = [open << 1, open >> 1, above, self.open_in(rows, y + 1)];
        let (mut one, mut two) = (0, 0);
        for side in sides {
            two |= one & side;
            one |= side;
        }
        let monsters = self.monsters[y];
        (open & !monsters) & !two == 0 && monsters & !one == 0 && monsters & two == 0
    }

    /// Whether every piece of floor reaches the latest row, or is all the floor that there is.
    fn hangs_together(&self, rows: &[u32]) -> bool {
        let open: Vec<u32> = (0..rows.len()).map(|y| self.open_in(rows, y)).collect();
        let mut reached = vec![0; open.len()];
        reached[open.len() - 1] = open[open.len() - 1];
        let spread = |reached: &mut Vec<u32>| loop {
            let before = reached.clone();
            for y in (0..open.len()).rev().chain(0..open.len()) {
                let beside = if y > 0 { reached[y - 1] } else { 0 }
                    | reached.get(y + 1).copied().unwrap_or(0);
                reached[y] |= open[y] & (beside | reached[y] << 1 | reached[y] >> 1);
            }
            if *reached == before {
                break;
            }
        };
        spread(&mut reached);
        reached == open || self.open == open.iter().map(|row| row.count_ones()).sum::<u32>()
    }

    fn keep(&mut self, rows: &[u32], left: &[usize]) {
        let mut filled = self.puzzle.clone();
        for (row, cells) in rows.iter().zip(&mut filled.cells) {
            for (x, cell) in cells
                .iter_mut()
                .enumerate()
                .filter(|(_, cell)| **cell == '.')
            {
                *cell = if row >> x & 1 == 1 { '#' } else { 'x' };
            }
        }
        if left.iter().all(|walls| *walls == 0) && filled.broken_rule().is_none() {
            self.found.push(filled);
        }
    }
}

/// Hundreds of puzzles of all sizes; `NDSCRIPT_DUNGEONS` says how many times as many.
#[test]
fn made_puzzles_have_one_solution_and_the_level_asked_for() {
    let program = example("dungeons", "make.nds");
    let times: u64 = std::env::var("NDSCRIPT_DUNGEONS").map_or(1, |times| times.parse().unwrap());
    let (mut made, mut hard, mut shares) = (0, 0, Vec::new());
    for round in 0..times {
        let mut check = |seed: u64, width: usize, height: usize| {
            let level = ["soft", "medium", "hard"][seed as usize % 3];
            let (puzzle, found) = check_made(&program, seed, width, height, level);
            if width * height <= 25 {
                assert_eq!(puzzle.all_solutions(), [found]);
            }
            made += 1;
            let (unknown, left) = (puzzle.unknown(), puzzle.deduced().unknown());
            hard += usize::from(level == "hard" && left > 0);
            shares.extend((level == "medium" && unknown > 0).then(|| left as f64 / unknown as f64));
        };
        for seed in 0..270 {
            check(
                1000 * round + seed,
                4 + seed as usize % 3,
                4 + seed as usize / 3 % 3,
            );
        }
        for (seed, width, height) in (300..340)
            .zip([(7, 7), (8, 7), (7, 9), (8, 8)].repeat(10))
            .map(|(a, b)| (a, b.0, b.1))
        {
            check(1000 * round + seed, width, height);
        }
        for (seed, width, height) in [
            (301, 10, 10),
            (303, 12, 10),
            (304, 12, 12),
            (306, 9, 12),
            (307, 11, 11),
        ] {
            check(1000 * round + seed, width, height);
        }
    }
    assert!(
        made >= 300 && hard > 40,
        "{hard} of {made} puzzles need a guess"
    );
    // What is handed out is measured: without a guess too many it would come to the share that is allowed.
    assert!(
        shares.iter().any(|share| *share > 0.2) && shares.iter().all(|share| *share <= 1.0 / 3.0),
        "{shares:?}"
    );
}

/// The next question of a game.
/// Of what a large one gives away from the beginning there is enough, and not all.
#[test]
fn a_puzzle_that_gives_cells_at_once_is_made_and_solved() {
    let made = solve(&example("dungeons", "make.nds"), 1, &sized(14, 13, "hard"));
    let puzzle = Dungeon::read(&made.text);
    assert!(puzzle.unknown() > 100, "{}", made.text);
    let found = check_single(made.text.split("Counting").next().unwrap());
    assert_eq!(
        tiles(&made.pictures[1].1),
        tile_names(&found),
        "{}",
        made.text
    );
}

fn question(run: &mut Run) -> Question {
    match run.resume(u64::MAX) {
        Outcome::Asked(question) => question,
        other => panic!("no question but {other:?}"),
    }
}

fn enter(run: &mut Run, line: &str) -> Question {
    assert!(question(run).options.is_none());
    assert!(run.answer_text(line));
    question(run)
}

/// The board that a text ends with, but for lines below it.
fn board(text: &str) -> Dungeon {
    Dungeon::read(&text[text.rfind("\n 4").map_or(0, |at| at + 1)..])
}

fn open_puzzle() -> String {
    DOCUMENT.replace("3###xx$", "3.....$")
}

#[test]
fn a_person_marks_cells_and_takes_marks_back() {
    let puzzle = open_puzzle();
    let mut run = example("dungeons", "play.nds").run_with(1, &[text("puzzle", &puzzle)]);
    let start = question(&mut run);
    assert_eq!(board(&start.text), Dungeon::read(&puzzle).deduced());
    assert!(
        start
            .text
            .contains("the monster in row 3, column 1: x 3 2\n"),
        "{}",
        start.text
    );
    let shown = tiles(&start.pictures[0].1);
    let shown = |x: usize, y: usize| shown[y][x].as_str();
    assert_eq!(
        (shown(1, 1), shown(2, 2), shown(1, 3)),
        ("saddlebrown", "khaki", "monster")
    );
    assert_eq!(
        (shown(0, 0), shown(1, 0), shown(2, 0)),
        ("#e2d6b5", "tiles/clues@16:4,1", "tiles/clues@16:1,0")
    );

    // Row 3 has one wall: with two it is broken.
    let after = enter(&mut run, "# 3 4");
    assert!(
        after.text.starts_with("your mark: # 3 4\n"),
        "{}",
        after.text
    );
    assert!(after.text.contains("That cannot be: "), "{}", after.text);
    assert!(
        tiles(&after.pictures[0].1)
            .iter()
            .flatten()
            .any(|tile| tile.ends_with(",2")),
        "no clue is red"
    );
    for word in ["check", "hint"] {
        let said = enter(&mut run, word);
        let wrong = if word == "check" {
            "Wrong: # 3 4."
        } else {
            "Something is wrong already"
        };
        assert!(
            said.text.starts_with(wrong) && said.pictures.is_empty(),
            "{}",
            said.text
        );
    }
    assert_eq!(board(&enter(&mut run, "undo").text), board(&start.text));
    assert_eq!(
        enter(&mut run, "undo").text,
        "There is no mark to take back.\n"
    );

    // A mark is taken back by itself, too, and what followed from it.
    enter(&mut run, "x 1 4");
    assert_eq!(
        enter(&mut run, "check").text,
        "So far all is right; 20 cells are unknown.\n"
    );
    assert_eq!(board(&enter(&mut run, ". 1 4").text), board(&start.text));

    // Clicks stand for lines.
    let click = |run: &mut Run, x: i64, y: i64, button: &str| {
        let cell = Data::Position(x, y);
        run.call_once::<Option<String>>("clicked", (cell, button))
            .unwrap()
            .unwrap()
    };
    assert_eq!(click(&mut run, 4, 1, "left").as_deref(), Some("# 1 4"));
    assert_eq!(click(&mut run, 4, 1, "right").as_deref(), Some("x 1 4"));
    assert_eq!(
        (click(&mut run, 0, 1, "left"), click(&mut run, 6, 1, "left")),
        (None, None)
    );

    assert!(run.answer_text("# 1 2, x 1 4-5"));
    let Outcome::Solved(solution) = run.resume(u64::MAX) else {
        panic!("not solved")
    };
    assert!(
        solution.text.ends_with("Solved: all rules are kept.\n"),
        "{}",
        solution.text
    );
    assert_eq!(board(&solution.text).broken_rule(), None);
}

#[test]
fn lines_that_are_no_marks_are_told() {
    let mut run = example("dungeons", "play.nds").run_with(1, &[text("puzzle", &open_puzzle())]);
    for (line, expected) in [
        ("", "# 3 4 marks row 3, column 4 as wall"),
        ("help", "# 3 4 marks row 3, column 4 as wall"),
        ("wall 3 4", "# 3 4 marks"),
        ("# 3", "# 3 4 marks"),
        ("#", "# 3 4 marks"),
        ("# 3 4 5", "# 3 4 marks"),
        ("# # 3 4", "# 3 4 marks"),
        ("# 3 4 x", "# 3 4 marks"),
        ("# 3 1-2-3", "# 3 4 marks"),
        ("# 4-3 1", "# 3 4 marks"),
        (
            "# 1 7",
            "there is no row 1, column 7: there are 6 rows and 6 columns",
        ),
        ("x 0 1", "there is no row 0, column 1"),
        ("x 3 1", "row 3, column 1 is given by the puzzle"),
        ("x 1 1", "row 1, column 1 is known already, from column 1"),
        (". 1 2", "row 1, column 2 has no mark"),
    ] {
        let said = enter(&mut run, line);
        assert!(
            said.text.starts_with(expected) && said.pictures.is_empty(),
            "{line:?}: {}",
            said.text
        );
    }
}

/// Hints alone lead through a puzzle, with and without deductions by the game, and each is right.
#[test]
fn hints_lead_to_the_solution() {
    for (puzzle, automatic) in [
        (open_puzzle(), true),
        (open_puzzle(), false),
        (
            include_str!("../../examples/dungeons/hard8.txt").to_string(),
            true,
        ),
    ] {
        let answer = Rows::new(&Dungeon::read(&puzzle)).solutions(2).remove(0);
        let parameters = [
            text("puzzle", &puzzle),
            ("automatic".to_string(), Param::Boolean(automatic)),
        ];
        let mut run = example("dungeons", "play.nds").run_with(1, &parameters);
        let mut hints = 0;
        let solution = loop {
            let hint = enter(&mut run, "hint").text;
            let words: Vec<&str> = hint.split([' ', ',', ':']).take(3).collect();
            let place = |at: usize| {
                words[at]
                    .parse::<usize>()
                    .unwrap_or_else(|_| panic!("{hint}"))
                    - 1
            };
            assert_eq!(
                answer.cells[place(1)][place(2)].to_string(),
                words[0],
                "{hint}"
            );
            hints += 1;
            assert!(run.answer_text(&words.join(" ")));
            match run.resume(u64::MAX) {
                Outcome::Asked(_) => {}
                Outcome::Solved(solution) => break solution,
                other => panic!("{other:?}"),
            }
        };
        assert!(solution.text.ends_with("Solved: all rules are kept.\n"));
        assert!(hints > if automatic { 1 } else { 30 }, "{hints} hints");
    }
}

/// Larger puzzles than clues of one digit allow are read as they are written.
#[test]
fn clues_of_two_digits_keep_apart() {
    let program = example("dungeons", "make.nds");
    let has_two_digits = |text: &str| text.lines().next().unwrap().trim().contains(' ');
    let made = (1..40).map(|seed| solve(&program, seed, &sized(10, 7, "hard")));
    let solution = made
        .into_iter()
        .find(|solution| has_two_digits(&solution.text))
        .expect("a clue of two digits");
    let puzzle: String = solution
        .text
        .lines()
        .take(8)
        .map(|line| format!("{line}\n"))
        .collect();
    check_single(&puzzle);
}

#[test]
fn bad_puzzles_are_told() {
    for (puzzle, expected) in [
        (String::new(), "a puzzle has a line of column clues"),
        (
            DOCUMENT.replace(" 414121", "414121"),
            "line 1 has to begin with a blank",
        ),
        (
            DOCUMENT.replace(" 414121", " 4141.1"),
            "column 5 has no clue",
        ),
        (
            DOCUMENT.replace(" 414121", " 41412"),
            "row 1 has 6 cells, but there are clues for 5 columns",
        ),
        (DOCUMENT.replace("3###xx$", "###xx$"), "row 1 has no clue"),
        (DOCUMENT.replace("5......", "5....."), "row 4 has 5 cells"),
        (
            DOCUMENT.replace("5......", "5...?.."),
            "row 4 has the unknown cell \"?\"",
        ),
        (
            DOCUMENT.replace("5......", "5 ....."),
            "row 4 has the unknown cell \" \"",
        ),
        (
            DOCUMENT.replace(" 414121", " 41 121"),
            "column 3 has no clue: line 1 has \" \" above it",
        ),
        (
            " 1 10 2\n 1 . .\n 1 . .\n".to_string(),
            "row 1 has 2 cells, but there are clues for 3 columns",
        ),
        (
            " 1 x\n 1 . .\n 2 . .\n".to_string(),
            "column 2 has no clue: line 1 has \"x\" above it",
        ),
        (" 1 2\n. . .\n1 . .\n".to_string(), "row 1 has no clue"),
        (
            format!(
                " {}\n1{}\n1{}\n",
                "1".repeat(25),
                ".".repeat(25),
                ".".repeat(25)
            ),
            "this puzzle is 25 wide and 2 high",
        ),
        ("7".to_string(), "a puzzle has a line of column clues"),
    ] {
        let message = refusal(
            &example("dungeons", "solve.nds"),
            &[text("puzzle", &puzzle)],
        );
        assert!(message.starts_with(expected), "{puzzle}{message}");
    }
    let wide = format!(
        " {}\n1{}\n1{}\n",
        "1".repeat(25),
        ".".repeat(25),
        ".".repeat(25)
    );
    let parameters = [text("puzzle", &wide), number("most", 25.0)];
    assert_no_solution(&example("dungeons", "solve.nds"), &parameters);
    // Contradictions of all kinds end alike: without a solution.
    for puzzle in [
        DOCUMENT.replace("5......", "4......"),
        DOCUMENT.replace("3###xx$", "3##xxx$"),
        DOCUMENT.replace("3###xx$", "9###xx$"),
        " 000\n0...\n0...\n0...\n".to_string(),
    ] {
        for script in ["solve.nds", "play.nds"] {
            assert_no_solution(&example("dungeons", script), &[text("puzzle", &puzzle)]);
        }
    }
    let message = refusal(&example("dungeons", "play.nds"), &[text("puzzle", " 1\n")]);
    assert!(message.starts_with("a puzzle has"), "{message}");
    for (parameter, expected) in [
        (number("width", 3.0), "whole numbers from 4 to 20"),
        (
            text("height", "tall"),
            "the parameter height must be a number",
        ),
        (number("height", 25.0), "most=25 allows it"),
        (
            number("most", 41.0),
            "most is the largest number of rows and columns, from 2 to 40",
        ),
        (
            text("level", "easy"),
            "level has to be soft, medium or hard",
        ),
    ] {
        let message = refusal(&example("dungeons", "make.nds"), &[parameter]);
        assert!(message.contains(expected), "{message}");
    }
}
