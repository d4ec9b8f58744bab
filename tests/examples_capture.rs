//! `examples/capture/`: every move is played again by rules that are written here once more.

mod support;

use std::collections::BTreeSet;

use ndscript::{Param, Solution};
use support::{example, number, refusal, solve, text, tiles};

/// A board by rows, eight by eight.
#[derive(Clone, Debug, PartialEq)]
struct Board(Vec<Vec<char>>);

type Place = (usize, usize);

impl Board {
    fn parse(text: &str) -> Board {
        let rows: Vec<Vec<char>> = text.split_whitespace().map(|row| row.chars().collect()).collect();
        assert!(rows.len() == 8 && rows.iter().all(|row| row.len() == 8), "{text}");
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
            let places: Vec<Place> = (0..8).map(|at| if line < 8 { (at, line) } else { (line - 8, at) }).collect();
            for run in places.chunk_by(|a, b| self.kind(*a) == self.kind(*b)) {
                if run.len() >= 3 && self.kind(run[0]) != '_' && run.iter().any(|place| moved.contains(place)) {
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
        assert_eq!(from.0.abs_diff(to.0) + from.1.abs_diff(to.1), 1, "{from:?} and {to:?} are neighbors");
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
    let letter = |name: &String| match name.trim_start_matches("tiles/").trim_end_matches("-picked") {
        "empty" => '_',
        "flaming" => 'S',
        other => other.chars().next().unwrap(),
    };
    let framed = names.iter().flatten().filter(|name| name.ends_with("-picked")).count();
    (Board(names.iter().map(|row| row.iter().map(letter).collect()).collect()), framed)
}

/// Plays the moves of a solution again, each with its picture; the board that is left.
fn replay(start: &str, solution: &Solution) -> (Board, usize) {
    let mut board = Board::parse(start);
    let mut count = 0;
    for line in solution.text.lines() {
        let Some((mv, left)) = line.split_once(". ").and_then(|(_, rest)| rest.split_once(": ")) else { continue };
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
    std::fs::read_to_string(format!("{}/examples/capture/boards/{name}.txt", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn run(script: &str, parameters: &[(String, Param)]) -> Solution {
    solve(&example("capture", script), 1, parameters)
}

#[test]
fn seven_moves_clear_wight() {
    let solution = run("moves.nds", &[]);
    let (board, moves) = replay(&file("wight"), &solution);
    assert_eq!((board.left(), moves), (0, 7));
    assert!(solution.text.contains("7. 7 4 up: 0 tiles left") && solution.text.contains("the board is clear"));
}

#[test]
fn the_solver_clears_all_boards() {
    for name in ["wight", "slope", "towers", "embers"] {
        let start = file(name);
        let unmoved: BTreeSet<Place> = (0..64).map(|at| (at % 8, at / 8)).collect();
        assert!(Board::parse(&start).matched(&unmoved).is_empty(), "{name} has a match from the beginning");
        let solution = run("clear.nds", &[text("board", &start)]);
        let (board, moves) = replay(&start, &solution);
        assert_eq!(board.left(), 0, "{name}");
        assert!(solution.text.contains(&format!("cleared in {moves} moves")), "{name}: {}", solution.text);
    }
}

#[test]
fn without_a_board_the_solver_takes_wight() {
    // The variables differ: one of them holds the parameter.
    let shown = |solution: Solution| (solution.text, solution.pictures);
    assert_eq!(shown(run("clear.nds", &[])), shown(run("clear.nds", &[text("board", &file("wight"))])));
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
    assert_eq!(check_move(&low(&["sbySgSyb", "gsSbSrSy"]), "6 0 down"), Board::parse(&low(&["g_______"])));
    // Out of reach, a flaming skull stays as it is.
    assert_eq!(check_move(&low(&["s_______", "gss____S"]), "6 0 down"), Board::parse(&low(&["g______S"])));
}

#[test]
fn random_moves_follow_the_same_rules() {
    // A small generator of its own: boards differ from run to run of this loop, not from test to test.
    let mut state = 12345u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let (mut matching, mut other) = (0, 0);
    for _ in 0..120 {
        let heights: Vec<u64> = (0..8).map(|_| 2 + next(7)).collect();
        let rows: Vec<String> = (0..8)
            .map(|y| {
                (0..8).map(|x| if 8 - y > heights[x] { '_' } else { ['y', 'b', 's', 'S'][next(4) as usize] }).collect()
            })
            .collect();
        let start = rows.join("\n");
        let mv = format!("{} {} {}", 1 + next(6), 1 + next(6), ["left", "right", "up", "down"][next(4) as usize]);
        if Board::parse(&start).play_text(&mv) {
            check_move(&start, &mv);
            matching += 1;
        } else {
            let refused = refusal(&example("capture", "moves.nds"), &[text("board", &start), text("moves", &mv)]);
            assert!(refused.ends_with("matches nothing"), "{start}\n{mv}: {refused}");
            other += 1;
        }
    }
    assert!(matching > 20 && other > 5, "{matching} and {other}");
}

#[test]
fn what_cannot_be_cleared_is_said() {
    for rows in [["bb_____b", "yy_____y"], ["________", "y_______"]] {
        let solution = run("clear.nds", &[text("board", &low(&rows))]);
        assert!(solution.text.starts_with("this board cannot be cleared\n"), "{}", solution.text);
        assert_eq!(solution.pictures.len(), 1);
    }
    let solution = run("clear.nds", &[text("board", &low(&[]))]);
    assert!(solution.text.starts_with("cleared in 0 moves"), "{}", solution.text);
    let solution = run("clear.nds", &[number("most", 5.0)]);
    assert!(solution.text.starts_with("no way found within 5 boards"), "{}", solution.text);
}

#[test]
fn bad_input_is_refused_in_words() {
    let wight = file("wight");
    let cases = [
        (text("board", "yy\nbb"), "a board has 8 lines, this one has 2"),
        (text("board", &wight.replace("_sgssgs_", "_sgssgs")), "line 7 of the board has 7 cells and not 8"),
        (text("board", &wight.replacen('r', "x", 1)), "line 1 of the board has a \"x\""),
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
