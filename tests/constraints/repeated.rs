//! Places that are listed twice: each rule that reads its places in order, beside others, against brute force.

use std::collections::BTreeSet;

use super::{Puzzle, Random, Rule, VALUES, count, puzzle, rule, shown, texts};

/// The same places and some of them once more, in another order.
fn listed_twice(random: &mut Random, places: &mut Vec<usize>) {
    for _ in 0..1 + random.below(3) {
        let again = places[random.below(places.len())];
        places.insert(random.below(places.len() + 1), again);
    }
}

/// A rule that reads some place twice.
pub(super) fn repeated(random: &mut Random, puzzle: &Puzzle) -> Rule {
    loop {
        let mut made = rule(random, puzzle.shape, puzzle.domains.len());
        match &mut made {
            Rule::Different {
                places,
                offsets: Some(offsets),
            } => {
                listed_twice(random, places);
                *offsets = places.iter().map(|_| random.below(7) as i64 - 3).collect();
            }
            Rule::Sum {
                places, factors, ..
            } => {
                listed_twice(random, places);
                *factors = places.iter().map(|_| random.below(5) as i64 - 2).collect();
            }
            Rule::Table { places, rows } => {
                listed_twice(random, places);
                let row =
                    |random: &mut Random| places.iter().map(|_| random.below(VALUES)).collect();
                *rows = (0..20 + random.below(90)).map(|_| row(random)).collect();
            }
            Rule::Pattern { places, .. } => listed_twice(random, places),
            Rule::Related { p, q, .. } => *q = *p,
            Rule::Count { places, .. } => {
                // Listed twice it counts once.
                places.sort_unstable();
            }
            _ => continue,
        }
        return made;
    }
}

#[test]
fn places_that_are_listed_twice_are_read_twice() {
    let mut random = Random(91);
    let mut solved = 0;
    for number in 0..count() {
        let rules = random.below(3);
        let mut puzzle = puzzle(&mut random, rules);
        for _ in 0..1 + random.below(2) {
            let rule = repeated(&mut random, &puzzle);
            puzzle.rules.push(rule);
        }
        let program = format!(
            "{}{}decide(b);\n{}",
            puzzle.declaration(),
            puzzle.statements(),
            puzzle.printing()
        );
        let mut found = texts(&program, number % 8 == 0);
        let each = |v: &Vec<usize>| shown(v.iter().map(|value| BTreeSet::from([*value])));
        let mut expected: Vec<String> = puzzle.solutions().iter().map(each).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{number}:\n{program}");
        solved += usize::from(!expected.is_empty());
    }
    assert!(
        solved > count() / 10,
        "too few boards have a solution: {solved}"
    );
}
