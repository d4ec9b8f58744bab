//! `examples/capture/`: every move is played again by rules that are written here once more.

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;

use ndscript::{Param, Solution};
use support::{example, no_solution, number, refusal, solve, text, tiles};

/// A board by rows, eight by eight.
#[derive(Clone, Debug, PartialEq)]
struct Board(Vec<Vec<char>>);

type Place = (usize, usize);

impl Board {
    fn parse(text: &str) -> Board {
        let rows: Vec<Vec<char>> = text
            .split_whitespace()
            .map(|row| row.chars().collect())
            .collect();
        assert!(
            rows.len() == 8 && rows.iter().all(|row| row.len() == 8),
            "{text}"
        );
        Board(rows)
    }

    fn kind(&self, (x, y): Place) -> char {
        self.0[y][x].to_ascii_lowercase()
    }

    fn left(&self) -> usize {
        self.0.iter().flatten().filter(|tile| **tile != '_').count()
    }

    /// All places in lines of three or more of a kind with a place among `moved`.
    fn matched(&self, moved: &BTreeSet<Place>) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        for line in 0..16 {
            let places: Vec<Place> = (0..8)
                .map(|at| if line < 8 { (at, line) } else { (line - 8, at) })
                .collect();
            for run in places.chunk_by(|a, b| self.kind(*a) == self.kind(*b)) {
                if run.len() >= 3
                    && self.kind(run[0]) != '_'
                    && run.iter().any(|place| moved.contains(place))
                {
                    found.extend(run);
                }
            }
        }
        found
    }

    /// Adds what explodes, until nothing is added.
    fn explode(&self, destroyed: &mut BTreeSet<Place>) {
        loop {
            let before = destroyed.len();
            for (x, y) in destroyed.clone() {
                if self.0[y][x] == 'S' {
                    for near_y in y.saturating_sub(1)..=(y + 1).min(7) {
                        for near_x in x.saturating_sub(1)..=(x + 1).min(7) {
                            destroyed.insert((near_x, near_y));
                        }
                    }
                }
            }
            if destroyed.len() == before {
                return;
            }
        }
    }

    /// Swaps, and lets everything happen; false if nothing matches.
    fn play(&mut self, from: Place, to: Place) -> bool {
        assert_eq!(
            from.0.abs_diff(to.0) + from.1.abs_diff(to.1),
            1,
            "{from:?} and {to:?} are neighbors"
        );
        (self.0[from.1][from.0], self.0[to.1][to.0]) = (self.0[to.1][to.0], self.0[from.1][from.0]);
        let mut moved = BTreeSet::from([from, to]);
        let mut any = false;
        loop {
            let mut destroyed = self.matched(&moved);
            if destroyed.is_empty() {
                return any;
            }
            any = true;
            self.explode(&mut destroyed);
            for (x, y) in destroyed {
                self.0[y][x] = '_';
            }
            moved.clear();
            for x in 0..8 {
                let standing: Vec<usize> = (0..8).filter(|y| self.0[*y][x] != '_').collect();
                for (at, from) in standing.iter().enumerate().rev() {
                    let to = 8 - standing.len() + at;
                    if *from != to {
                        self.0[to][x] = self.0[*from][x];
                        self.0[*from][x] = '_';
                        moved.insert((x, to));
                    }
                }
            }
        }
    }

    /// Plays a move such as `7 1 up`: row, column, direction.
    fn play_text(&mut self, text: &str) -> bool {
        let parts: Vec<&str> = text.split(' ').collect();
        let (x, y): (usize, usize) = (parts[1].parse().unwrap(), parts[0].parse().unwrap());
        let to = match parts[2] {
            "left" => (x - 1, y),
            "right" => (x + 1, y),
            "up" => (x, y - 1),
            "down" => (x, y + 1),
            other => panic!("the direction {other:?}"),
        };
        self.play((x, y), to)
    }
}

/// The board that a picture shows, and how many of its tiles are framed.
fn shown(solution: &Solution, picture: usize) -> (Board, usize) {
    let names = tiles(&solution.pictures[picture].1);
    let letter = |name: &String| match name
        .trim_start_matches("tiles/")
        .trim_end_matches("-picked")
    {
        "empty" => '_',
        "flaming" => 'S',
        other => other.chars().next().unwrap(),
    };
    let framed = names
        .iter()
        .flatten()
        .filter(|name| name.ends_with("-picked"))
        .count();
    (
        Board(
            names
                .iter()
                .map(|row| row.iter().map(letter).collect())
                .collect(),
        ),
        framed,
    )
}

/// Plays the moves of a solution again, each with its picture; the board that is left.
fn replay(start: &str, solution: &Solution) -> (Board, usize) {
    let mut board = Board::parse(start);
    let mut count = 0;
    for line in solution.text.lines() {
        let Some((mv, left)) = line
            .split_once(". ")
            .and_then(|(_, rest)| rest.split_once(": "))
        else {
            continue;
        };
        assert_eq!(shown(solution, count), (board.clone(), 2), "before {line}");
        assert!(board.play_text(mv), "{line}: it matches nothing");
        assert_eq!(left, format!("{} tiles left", board.left()));
        count += 1;
    }
    assert_eq!(shown(solution, count), (board.clone(), 0));
    assert_eq!(solution.pictures.len(), count + 1);
    (board, count)
}

fn file(name: &str) -> String {
    std::fs::read_to_string(format!(
        "{}/examples/capture/boards/{name}.txt",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap()
}

fn run(script: &str, parameters: &[(String, Param)]) -> Solution {
    solve(&example("capture", script), 1, parameters)
}

#[test]
fn seven_moves_clear_wight() {
    let solution = run("moves.nds", &[]);
    let (board, moves) = replay(&file("wight"), &solution);
    assert_eq!((board.left(), moves), (0, 7));
    assert!(
        solution.text.contains("7. 7 4 up: 0 tiles left")
            && solution.text.contains("the board is clear")
    );
}

/// Plays what the solver found; how many moves it takes until nothing is left.
fn check_cleared(start: &str, solution: &Solution) -> usize {
    let (board, moves) = replay(start, solution);
    assert_eq!(board.left(), 0, "{start}");
    assert!(
        solution.text.contains(&format!("cleared in {moves} moves")),
        "{}",
        solution.text
    );
    moves
}

#[test]
fn the_boards_are_cleared() {
    for name in ["wight", "slope", "towers", "embers"] {
        let start = file(name);
        let unmoved: BTreeSet<Place> = (0..64).map(|at| (at % 8, at / 8)).collect();
        assert!(
            Board::parse(&start).matched(&unmoved).is_empty(),
            "{name} has a match from the beginning"
        );
        check_cleared(&start, &run("clear.nds", &[text("board", &start)]));
    }
}

#[test]
fn without_a_board_the_solver_takes_wight() {
    // The variables differ: one of them holds the parameter.
    let shown = |solution: Solution| (solution.text, solution.pictures);
    assert_eq!(
        shown(run("clear.nds", &[])),
        shown(run("clear.nds", &[text("board", &file("wight"))]))
    );
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

    /// A board that can be cleared, because it is made backwards: three of a kind are pushed in, one of them is swapped
    /// away, and what the move back leads to is the board from before.
    fn clearable(&mut self, tiles: usize, kinds: &[char]) -> Board {
        let everywhere: BTreeSet<Place> = (0..64).map(|at| (at % 8, at / 8)).collect();
        let mut board = Board::parse(&low(&[]));
        let mut attempts = 0;
        while board.left() < tiles {
            attempts += 1;
            if attempts > 3000 {
                (board, attempts) = (Board::parse(&low(&[])), 0);
            }
            let (upright, x, kind) = (
                self.below(2) == 0,
                self.below(8),
                kinds[self.below(kinds.len())],
            );
            let columns: Vec<usize> = if upright {
                vec![x; 3]
            } else {
                (x..x + 3).collect()
            };
            if columns[2] > 7 {
                continue;
            }
            let height = |board: &Board, x: usize| (0..8).filter(|y| board.0[*y][x] != '_').count();
            let above = self.below(1 + columns.iter().map(|x| height(&board, *x)).min().unwrap());
            if columns
                .iter()
                .any(|x| height(&board, *x) + if upright { 3 } else { 1 } > 8)
            {
                continue;
            }
            let mut next = board.clone();
            for &x in &columns {
                let top = 8 - height(&next, x);
                for y in top..8 - above {
                    next.0[y - 1][x] = next.0[y][x];
                }
                next.0[7 - above][x] = kind;
            }
            let at = self.below(3);
            let from = (columns[at], 7 - above - if upright { at } else { 0 });
            let (dx, dy) = [(-1, 0), (1, 0), (0, -1), (0, 1)][self.below(4)];
            let (to_x, to_y) = (from.0 as i32 + dx, from.1 as i32 + dy);
            if !(0..8).contains(&to_x) || !(0..8).contains(&to_y) {
                continue;
            }
            let to = (to_x as usize, to_y as usize);
            (next.0[from.1][from.0], next.0[to.1][to.0]) =
                (next.0[to.1][to.0], next.0[from.1][from.0]);
            let hangs =
                (0..7).any(|y| (0..8).any(|x| next.0[y][x] != '_' && next.0[y + 1][x] == '_'));
            if hangs || !next.matched(&everywhere).is_empty() {
                continue;
            }
            let mut back = next.clone();
            if back.play(to, from) && back == board {
                board = next;
            }
        }
        board
    }
}

impl Board {
    fn text(&self) -> String {
        self.0
            .iter()
            .map(|row| row.iter().collect::<String>())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

#[test]
fn random_boards_are_cleared() {
    // By hand, in a release build: CAPTURE_TILES=48 CAPTURE_BOARDS=10 cargo test --release --test examples_capture
    let variable = |name: &str, otherwise: usize| {
        std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
    };
    let (tiles, boards) = (variable("CAPTURE_TILES", 24), variable("CAPTURE_BOARDS", 5));
    let mut dice = Dice(tiles as u64);
    for kinds in ["ybgrpcs", "ybgrpcsS", "ybgrp", "ybgr"] {
        let kinds: Vec<char> = kinds.chars().collect();
        for _ in 0..boards {
            let start = dice.clearable(tiles, &kinds).text();
            let begun = std::time::Instant::now();
            let solution = run("clear.nds", &[text("board", &start)]);
            let moves = check_cleared(&start, &solution);
            println!(
                "{moves} moves in {:.1} s\n{start}\n",
                begun.elapsed().as_secs_f64()
            );
        }
    }
}

#[test]
fn hard_boards_of_four_colors_are_cleared_within_few_boards() {
    // The orders before took 11,335, 26,553 and 43,948 boards.
    for start in [
        "__r_g___ __b_ry__ r_rbygb_ ryrgrgg_ ygygrry_ rygbygyg rryyrgbb bbrgyryb",
        "___r___g __rby__b g_rrbg_y r_bryb_b grrggyyb yggbbrby rgyygryr yrrgybgr",
        "__bb_br_ __gb_rb_ _bbgbrg_ _rbbygy_ _yrgbrbg _ggyybgb rybyrybg yybggbrb",
    ] {
        let start = start.replace(' ', "\n");
        let solution = run(
            "clear.nds",
            &[text("board", &start), number("most", 4000.0)],
        );
        check_cleared(&start, &solution);
    }
}

#[test]
fn no_tile_crosses_two_empty_columns() {
    let given_up = |rows: &[&str]| {
        let words = no_solution(
            &example("capture", "clear.nds"),
            1,
            &[text("board", &low(rows))],
        );
        assert!(words.starts_with("this board cannot be cleared"), "{words}");
        words.contains("boards looked at 0,")
    };
    // Two on each side of two empty columns are given up before any move, not so of one.
    assert!(given_up(&["yy__yy__", "bb__yb__"]));
    assert!(!given_up(&["yy_yy___", "bb_yb___"]));
    // A single one beside three is given up, too, unless a flaming skull could still reach it.
    assert!(given_up(&["y_______", "bsbb__ss", "sbss__bb"]));
    assert!(!given_up(&["y_______", "bSbb__ss", "sbss__ss"]));
    // Three on each side are not.
    let start = low(&["yyy__bbb"]);
    check_cleared(&start, &run("clear.nds", &[text("board", &start)]));
}

/// Whether moves can clear a board: by looking at all boards that they lead to.
fn can_be_cleared(start: &Board) -> bool {
    let mut met = BTreeSet::from([start.text()]);
    let mut waiting = vec![start.clone()];
    while let Some(board) = waiting.pop() {
        if board.left() == 0 {
            return true;
        }
        for (x, y) in (0..64).map(|at| (at % 8, at / 8)) {
            for to in [(x + 1, y), (x, y + 1)] {
                let mut next = board.clone();
                if to.0 < 8 && to.1 < 8 && next.play((x, y), to) && met.insert(next.text()) {
                    waiting.push(next);
                }
            }
        }
    }
    false
}

#[test]
fn the_solver_knows_what_can_be_cleared() {
    let mut dice = Dice(99);
    let (mut yes, mut no) = (0, 0);
    while yes < 8 || no < 8 {
        // Three to five tiles of each of two or three kinds, put down at random.
        let mut board = Board::parse(&low(&[]));
        for kind in ['y', 'b', 'S', 's'].into_iter().take(2 + dice.below(3)) {
            for _ in 0..3 + dice.below(3) {
                let x = 2 + dice.below(4);
                let y = (0..8).rev().find(|y| board.0[*y][x] == '_').unwrap_or(0);
                board.0[y][x] = kind;
            }
        }
        let expected = can_be_cleared(&board);
        *if expected { &mut yes } else { &mut no } += 1;
        if yes > 12 || no > 12 {
            continue;
        }
        let parameters = [text("board", &board.text())];
        if expected {
            check_cleared(&board.text(), &run("clear.nds", &parameters));
        } else {
            let words = no_solution(&example("capture", "clear.nds"), 1, &parameters);
            assert!(
                words.starts_with("this board cannot be cleared"),
                "{words}\n{}",
                board.text()
            );
        }
    }
}

/// A board whose lowest rows are given.
fn low(rows: &[&str]) -> String {
    let mut all = vec!["________"; 8 - rows.len()];
    all.extend(rows);
    all.join("\n")
}

/// What the script makes of one move, and what the rules here make of it.
fn check_move(start: &str, mv: &str) -> Board {
    let solution = run("moves.nds", &[text("board", start), text("moves", mv)]);
    let (board, count) = replay(start, &solution);
    assert_eq!(count, 1, "{}", solution.text);
    board
}

#[test]
fn flaming_skulls_set_off_others_up_to_the_edges() {
    // Each skull lies beside the next, up to the right edge; only the tile that left the match is spared.
    assert_eq!(
        check_move(&low(&["sbySgSyb", "gsSbSrSy"]), "6 0 down"),
        Board::parse(&low(&["g_______"]))
    );
    // Out of reach, a flaming skull stays as it is.
    assert_eq!(
        check_move(&low(&["s_______", "gss____S"]), "6 0 down"),
        Board::parse(&low(&["g______S"]))
    );
}

#[test]
fn random_moves_follow_the_same_rules() {
    let mut dice = Dice(12345);
    let (mut matching, mut other) = (0, 0);
    for _ in 0..120 {
        let heights: Vec<usize> = (0..8).map(|_| 2 + dice.below(7)).collect();
        let rows: Vec<String> = (0..8)
            .map(|y| {
                (0..8)
                    .map(|x| {
                        if 8 - y > heights[x] {
                            '_'
                        } else {
                            ['y', 'b', 's', 'S'][dice.below(4)]
                        }
                    })
                    .collect()
            })
            .collect();
        let start = rows.join("\n");
        let mv = format!(
            "{} {} {}",
            1 + dice.below(6),
            1 + dice.below(6),
            ["left", "right", "up", "down"][dice.below(4)]
        );
        if Board::parse(&start).play_text(&mv) {
            check_move(&start, &mv);
            matching += 1;
        } else {
            let refused = refusal(
                &example("capture", "moves.nds"),
                &[text("board", &start), text("moves", &mv)],
            );
            assert!(
                refused.ends_with("matches nothing"),
                "{start}\n{mv}: {refused}"
            );
            other += 1;
        }
    }
    assert!(matching > 20 && other > 5, "{matching} and {other}");
}

#[test]
fn lines_that_stand_from_the_beginning_are_matched_by_swaps_of_equal_tiles() {
    for rows in [["________", "yyy_____"], ["ssS_____", "bbb_____"]] {
        let start = low(&rows);
        let solution = run("clear.nds", &[text("board", &start)]);
        assert_eq!(check_cleared(&start, &solution), 1, "{start}");
    }
}

#[test]
fn what_cannot_be_cleared_is_said() {
    let program = example("capture", "clear.nds");
    for rows in [["bb_____b", "yy_____y"], ["________", "y_______"]] {
        let words = no_solution(&program, 1, &[text("board", &low(&rows))]);
        assert!(words.starts_with("this board cannot be cleared"), "{words}");
    }
    let solution = run("clear.nds", &[text("board", &low(&[]))]);
    assert!(
        solution.text.starts_with("cleared in 0 moves"),
        "{}",
        solution.text
    );
    let words = no_solution(&example("capture", "clear.nds"), 1, &[number("most", 5.0)]);
    assert!(
        words.starts_with("no way found within 5 boards; most=20 looks at more"),
        "{words}"
    );
}

#[test]
fn blanks_in_a_board_do_not_count() {
    let solution = run("moves.nds", &[]);
    let wight = file("wight");
    let spaced: Vec<String> = wight.chars().map(String::from).collect();
    let indented = wight.lines().map(|line| format!("  \t{line} \r\n\n"));
    for board in [
        spaced.join(" "),
        indented.collect(),
        wight.replace('\n', ""),
        wight.replace('\n', " "),
        format!("{}\n ", spaced.concat().replace('\n', "\n\n")),
    ] {
        let again = run("moves.nds", &[text("board", &board)]);
        assert_eq!(again.text, solution.text, "{board:?}");
        assert_eq!(again.pictures, solution.pictures, "{board:?}");
    }
}

#[test]
fn bad_input_is_refused_in_words() {
    let wight = file("wight");
    let cases = [
        (
            text("board", "yy\nbb"),
            "a board has 8 lines, this one has 2",
        ),
        (
            text("board", &wight.replace("_sgssgs_", "_sgssgs")),
            "line 7 of the board has 7 cells and not 8",
        ),
        (
            text("board", &wight.replacen('r', "x", 1)),
            "line 1 of the board has a \"x\"",
        ),
        (number("board", 5.0), "a board is a text of 8 lines"),
    ];
    for (parameter, message) in &cases {
        for script in ["moves.nds", "clear.nds"] {
            let refused = refusal(&example("capture", script), std::slice::from_ref(parameter));
            assert!(refused.starts_with(message), "{script}: {refused}");
        }
    }
    for (moves, message) in [
        ("7 1", "\"7 1\" is no move"),
        ("", "\"\" is no move"),
        ("7 1 up, 8 1 up", "\"8 1 up\" is no move"),
        ("7 1 over", "\"over\" is no direction"),
        ("0 0 up", "the move \"0 0 up\" leads off the board"),
        ("7 7 right", "the move \"7 7 right\" leads off the board"),
        ("0 0 right", "move 1, 0 0 right, matches nothing"),
    ] {
        let refused = refusal(&example("capture", "moves.nds"), &[text("moves", moves)]);
        assert!(refused.contains(message), "{moves}: {refused}");
    }
}
