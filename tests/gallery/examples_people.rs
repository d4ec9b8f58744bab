//! `examples/people/` and the maze of `examples/paths/`: their rules, written here once more.

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;

use support::{example, number, refusal, solve, text, tiles};

type Pairs = BTreeMap<String, String>;

/// Reads `Ada loves Bruno, owes Clara money and fears Dorian.` line by line.
fn read(story: &str) -> [Pairs; 3] {
    let mut all: [Pairs; 3] = Default::default();
    for line in story.lines() {
        let words: Vec<&str> = line
            .split([' ', ',', '.'])
            .filter(|word| !word.is_empty())
            .collect();
        let behind = |word: &str| {
            words[words.iter().position(|each| *each == word).unwrap() + 1].to_string()
        };
        let who = words[0].to_string();
        all[0].insert(who.clone(), behind("loves"));
        if behind("owes") != "nobody" {
            all[1].insert(who.clone(), behind("owes"));
        }
        all[2].insert(who, behind("fears"));
    }
    all
}

#[test]
fn villages_keep_the_rules() {
    let program = example("people", "people.nds");
    for count in [4, 5, 7, 8] {
        for seed in 1..=12 {
            let solution = solve(&program, seed, &[number("people", f64::from(count))]);
            let [loves, owes, fears] = read(&solution.text);
            assert_eq!(
                (loves.len(), owes.len(), fears.len()),
                (count as usize, count as usize - 1, count as usize)
            );
            for pairs in [&loves, &owes, &fears] {
                assert!(
                    pairs.iter().all(|(a, b)| a != b && loves.contains_key(b)),
                    "{}",
                    solution.text
                );
            }
            assert_eq!(
                loves.iter().filter(|(a, b)| loves[*b] == **a).count(),
                2,
                "one couple: {}",
                solution.text
            );
            let are_rivals = |a: &str, b: &str| a != b && loves[a] == loves[b];
            for (debtor, creditor) in &owes {
                assert!(
                    loves[debtor] != *creditor && !are_rivals(debtor, creditor),
                    "{}",
                    solution.text
                );
                let (mut at, mut steps) = (creditor, 1);
                while let Some(next) = owes.get(at) {
                    (at, steps) = (next, steps + 1);
                    assert!(steps <= count, "debts in a circle: {}", solution.text);
                }
            }
            for (who, feared) in &fears {
                let creditor = owes.get(who);
                let reason = creditor == Some(feared)
                    || creditor.is_some_and(|creditor| loves[creditor] == *feared)
                    || are_rivals(who, feared);
                assert!(
                    reason && loves[who] != *feared && fears[feared] != *who,
                    "{}",
                    solution.text
                );
            }
            check_picture(
                &tiles(&solution.pictures[0].1),
                &[("heart", &loves), ("coin", &owes), ("ghost", &fears)],
            );
        }
    }
}

fn check_picture(shown: &[Vec<String>], tables: &[(&str, &Pairs)]) {
    let names: Vec<&String> = tables[0].1.keys().collect();
    for (at, (mark, pairs)) in tables.iter().enumerate() {
        let left = at * (names.len() + 2);
        for (row, who) in names.iter().enumerate() {
            assert_eq!(
                shown[row + 1][left],
                format!("tiles/{}", who.to_lowercase())
            );
            for (column, whom) in names.iter().enumerate() {
                let marked = shown[row + 1][left + column + 1] == format!("tiles/{mark}");
                assert_eq!(
                    marked,
                    pairs.get(*who) == Some(*whom),
                    "{who} {mark} {whom}"
                );
            }
        }
    }
}

#[test]
fn villages_differ() {
    let program = example("people", "people.nds");
    assert_eq!(solve(&program, 1, &[]).text, solve(&program, 1, &[]).text);
    assert_ne!(solve(&program, 1, &[]).text, solve(&program, 2, &[]).text);
}

#[test]
fn bad_input_is_refused_in_words() {
    let program = example("people", "people.nds");
    for bad in [
        number("people", 3.0),
        number("people", 9.0),
        number("people", 4.5),
    ] {
        let message = refusal(&program, &[bad]);
        assert!(
            message.starts_with("people has to be a whole number from 4 to 8"),
            "{message}"
        );
    }
    assert!(
        refusal(&program, &[text("people", "many")])
            .starts_with("the parameter people must be a number")
    );
}

#[test]
fn the_way_through_the_maze_is_the_cheapest() {
    let program = example("paths", "maze.nds");
    for seed in 1..=10 {
        let parameters = [
            number("width", 12.0),
            number("height", 9.0),
            number("loops", 0.3),
        ];
        let solution = solve(&program, seed, &parameters);
        let shown = tiles(&solution.pictures[0].1);
        let (width, height) = (shown[0].len(), shown.len());
        assert_eq!((width, height), (25, 19));
        // What a cell costs, and whether the way comes through; walls cannot be entered.
        let cell = |x: usize, y: usize| match shown[y][x].as_str() {
            "#e9e2d0" => Some((1, false)),
            "#d8372f" => Some((1, true)),
            "#b08a5b" => Some((4, false)),
            "#8f1f1a" => Some((4, true)),
            other => {
                assert_eq!(other, "#2f3340");
                None
            }
        };
        let all: Vec<(usize, usize)> = (1..height - 1)
            .flat_map(|y| (1..width - 1).map(move |x| (x, y)))
            .collect();
        let free: Vec<(usize, usize)> = all
            .into_iter()
            .filter(|(x, y)| cell(*x, *y).is_some())
            .collect();
        // Prices are passed on until no cell gets cheaper.
        let mut spent: BTreeMap<(usize, usize), u32> = BTreeMap::from([((1, 1), 0)]);
        loop {
            let before = spent.clone();
            for (x, y) in &free {
                let near = [(x - 1, *y), (x + 1, *y), (*x, y - 1), (*x, y + 1)];
                if let Some(least) = near
                    .iter()
                    .filter_map(|place| spent.get(place))
                    .min()
                    .copied()
                {
                    let sum = least + cell(*x, *y).unwrap().0;
                    let known = spent.entry((*x, *y)).or_insert(sum);
                    *known = sum.min(*known);
                }
            }
            if spent == before {
                break;
            }
        }
        assert_eq!(spent.len(), free.len(), "all of the maze can be reached");
        let way: Vec<_> = free
            .iter()
            .filter(|(x, y)| cell(*x, *y).unwrap().1)
            .collect();
        let cost: u32 = way
            .iter()
            .filter(|place| ***place != (1, 1))
            .map(|(x, y)| cell(*x, *y).unwrap().0)
            .sum();
        assert_eq!(cost, spent[&(width - 2, height - 2)]);
        assert!(
            solution
                .text
                .starts_with(&format!("{} steps, ", way.len() - 1)),
            "{}",
            solution.text
        );
        assert!(
            solution.text.ends_with(&format!("cost {cost}.\n")),
            "{}",
            solution.text
        );
    }
    for (bad, message) in [
        (
            number("width", 1.0),
            "width and height have to be whole numbers from 2 to 40",
        ),
        (
            text("height", "tall"),
            "the parameter height must be a number",
        ),
        (
            number("mud", 2.0),
            "loops and mud have to be numbers from 0 to 1",
        ),
    ] {
        assert!(refusal(&program, &[bad]).starts_with(message), "{message}");
    }
}
