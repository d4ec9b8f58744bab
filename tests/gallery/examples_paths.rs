//! `examples/paths/`: mazes of one's own, and what is said where there is no way. The other ways are held to their rules
//! in `examples.rs`.

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;

use ndscript::{Engine, Outcome};
use support::{example, no_solution, refusal, solve, text, tiles};

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
}

/// What the cheapest way from S to G costs: all steps are gone over again and again until nothing gets cheaper.
fn cheapest(rows: &[Vec<char>]) -> Option<i64> {
    let price = |cell: char| if cell == '~' { 4 } else { 1 };
    let mut spent = BTreeMap::new();
    let at = |wanted: char| {
        let all = rows
            .iter()
            .enumerate()
            .flat_map(|(y, row)| row.iter().enumerate().map(move |(x, c)| (x, y, *c)));
        all.filter(|(_, _, c)| *c == wanted)
            .map(|(x, y, _)| (x, y))
            .next()
            .unwrap()
    };
    spent.insert(at('S'), 0);
    loop {
        let before = spent.clone();
        for ((x, y), sum) in &before {
            for (to_x, to_y) in [
                (x + 1, *y),
                (x.wrapping_sub(1), *y),
                (*x, y + 1),
                (*x, y.wrapping_sub(1)),
            ] {
                let Some(cell) = rows
                    .get(to_y)
                    .and_then(|row| row.get(to_x))
                    .filter(|cell| **cell != '#')
                else {
                    continue;
                };
                let known = spent.entry((to_x, to_y)).or_insert(i64::MAX);
                *known = (*known).min(sum + price(*cell));
            }
        }
        if spent == before {
            return spent.get(&at('G')).copied();
        }
    }
}

#[test]
fn mazes_of_ones_own_are_solved_or_have_no_way() {
    let program = example("paths", "maze.nds");
    let mut dice = Dice(1);
    let (mut solved, mut closed) = (0, 0);
    for _ in 0..40 {
        let (width, height) = (4 + dice.below(8), 3 + dice.below(6));
        let mut rows: Vec<Vec<char>> = (0..height)
            .map(|_| {
                (0..width)
                    .map(|_| ['.', '.', '~', '#'][dice.below(4)])
                    .collect()
            })
            .collect();
        rows[0][dice.below(width)] = 'S';
        rows[height - 1][dice.below(width)] = 'G';
        let maze: String = rows
            .iter()
            .map(|row| row.iter().collect::<String>() + "\n")
            .collect();
        let parameters = [text("maze", &maze)];
        let Some(least) = cheapest(&rows) else {
            let words = no_solution(&program, 1, &parameters);
            assert!(words.starts_with("there is no way from ("), "{words}");
            closed += 1;
            continue;
        };
        let solution = solve(&program, 1, &parameters);
        assert!(
            solution.text.ends_with(&format!(", cost {least}.\n")),
            "{}{maze}",
            solution.text
        );
        let red = ["#d8372f", "#8f1f1a"];
        let way = tiles(&solution.pictures[0].1)
            .concat()
            .iter()
            .filter(|tile| red.contains(&tile.as_str()))
            .count();
        assert!(
            solution.text.starts_with(&format!("{} steps", way - 1)),
            "{}{maze}",
            solution.text
        );
        solved += 1;
    }
    assert!(solved > 8 && closed > 8, "{solved} and {closed}");
}

#[test]
fn bad_mazes_are_refused_in_words() {
    for (maze, message) in [
        ("S.\nG", "row 2 of the maze has 1 cells, row 1 has 2"),
        (
            "S?G",
            "row 1 of the maze has the unknown cell \"?\"; cells are # . ~ S G",
        ),
        ("S..", "a maze has one G, this one has 0"),
        ("SSG", "a maze has one S, this one has 2"),
    ] {
        let refused = refusal(&example("paths", "maze.nds"), &[text("maze", maze)]);
        assert!(refused.starts_with(message), "{maze}: {refused}");
    }
}

/// The words of a program without a solution, made from an example by a change of its map.
fn words_without_a_way(name: &str, from: &str, to: &str) -> String {
    let path = format!("{}/examples/paths/{name}", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).unwrap();
    assert!(source.contains(from));
    let program = Engine::new()
        .compile_named(name, &source.replace(from, to))
        .unwrap();
    let mut run = program.run(1);
    assert!(matches!(run.resume(u64::MAX), Outcome::Failed));
    run.failure_message().unwrap().to_string()
}

#[test]
fn programs_that_guess_a_way_say_that_there_is_none() {
    let words = words_without_a_way("right_down.nds", "#.##.....#", "##########");
    assert_eq!(words, "no way from S to G goes right and down only");
    assert_eq!(
        words_without_a_way("cheapest.nds", "S.~~~", "S#~~~"),
        "there is no way from S to G"
    );
}
