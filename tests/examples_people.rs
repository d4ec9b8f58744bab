//! `examples/people/`: the rules of the village, written here once more.

mod support;

use std::collections::BTreeMap;

use support::{example, number, solve, text, tiles};

type Pairs = BTreeMap<String, String>;

/// Reads `Ada loves Bruno, owes Clara money and fears Dorian.` line by line.
fn read(story: &str) -> [Pairs; 3] {
    let mut all: [Pairs; 3] = Default::default();
    for line in story.lines() {
        let words: Vec<&str> = line.split([' ', ',', '.']).filter(|word| !word.is_empty()).collect();
        let behind = |word: &str| words[words.iter().position(|each| *each == word).unwrap() + 1].to_string();
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
            assert_eq!((loves.len(), owes.len(), fears.len()), (count as usize, count as usize - 1, count as usize));
            for pairs in [&loves, &owes, &fears] {
                assert!(pairs.iter().all(|(a, b)| a != b && loves.contains_key(b)), "{}", solution.text);
            }
            assert_eq!(loves.iter().filter(|(a, b)| loves[*b] == **a).count(), 2, "one couple: {}", solution.text);
            let are_rivals = |a: &str, b: &str| a != b && loves[a] == loves[b];
            for (debtor, creditor) in &owes {
                assert!(loves[debtor] != *creditor && !are_rivals(debtor, creditor), "{}", solution.text);
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
                assert!(reason && loves[who] != *feared && fears[feared] != *who, "{}", solution.text);
            }
            check_picture(&tiles(&solution.pictures[0].1), &[("heart", &loves), ("coin", &owes), ("ghost", &fears)]);
        }
    }
}

fn check_picture(shown: &[Vec<String>], tables: &[(&str, &Pairs)]) {
    let names: Vec<&String> = tables[0].1.keys().collect();
    for (at, (mark, pairs)) in tables.iter().enumerate() {
        let left = at * (names.len() + 2);
        for (row, who) in names.iter().enumerate() {
            assert_eq!(shown[row + 1][left], format!("tiles/{}", who.to_lowercase()));
            for (column, whom) in names.iter().enumerate() {
                let marked = shown[row + 1][left + column + 1] == format!("tiles/{mark}");
                assert_eq!(marked, pairs.get(*who) == Some(*whom), "{who} {mark} {whom}");
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
    for bad in [number("people", 3.0), number("people", 9.0), number("people", 4.5), text("people", "many")] {
        let solution = solve(&program, 1, &[bad]);
        assert!(solution.text.starts_with("people has to be a whole number from 4 to 8"), "{}", solution.text);
    }
}
