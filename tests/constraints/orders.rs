//! Constraints that are put in another order leave the same candidates: each wakes the ones that its coming concerns. Whatever
//! the order, no solution is lost.

use super::{BTreeSet, Puzzle, Random, Rule, count, puzzle, shortage, shown, texts};

/// How often a board is begun anew, with its statements in another order.
const ORDERS: usize = 4;

/// What is left to a place by a statement of the program.
type Narrowing = (usize, Vec<usize>);

fn shuffled(random: &mut Random, mut lines: Vec<String>) -> Vec<String> {
    for at in (1..lines.len()).rev() {
        lines.swap(at, random.below(at + 1));
    }
    lines
}

fn narrowings(random: &mut Random, puzzle: &Puzzle) -> Vec<Narrowing> {
    let count = random.below(3);
    let some = |random: &mut Random| {
        (
            random.below(puzzle.domains.len()),
            random.some(puzzle.values, 1.max(puzzle.values - 2)),
        )
    };
    (0..count).map(|_| some(random)).collect()
}

/// The same statement as it is, or put inside a search, or behind a branch that has put others and failed.
fn wrapped(random: &mut Random, line: &str, others: &[String]) -> String {
    match random.below(6) {
        0 => format!("choose {{ {line} }} or {{ fail; }}"),
        1 => format!(
            "choose {{ {} fail; }} or {{ {line} }}",
            others[random.below(others.len())]
        ),
        2 => format!("minimize(() => {{ {line} cost(1); }});"),
        _ => line.to_string(),
    }
}

/// What a piece needs is set against a count only while the piece that is known is not much cheaper than what is left. Which one is
/// known depends on what was there before, on purpose: so does what is taken away.
fn depends_on_the_past(puzzle: &Puzzle) -> bool {
    let has = |is: fn(&Rule) -> bool| puzzle.rules.iter().any(is);
    has(|rule| matches!(rule, Rule::Connected { .. }))
        && has(|rule| matches!(rule, Rule::Count { .. }))
}

/// Compares what all orders leave, and with brute force. Says whether anything is left.
fn compare(random: &mut Random, number: usize, puzzle: &Puzzle) -> bool {
    let mut lines: Vec<String> = puzzle.statements().lines().map(str::to_string).collect();
    let narrowings = narrowings(random, puzzle);
    for (place, left) in &narrowings {
        lines.push(format!(
            "narrow(b, {}, toSet({left:?}));",
            puzzle.place(*place)
        ));
    }
    let mut solutions = puzzle.solutions();
    solutions.retain(|v| {
        narrowings
            .iter()
            .all(|(place, left)| left.contains(&v[*place]))
    });
    let is_kept = |found: &str| {
        let sets: Vec<BTreeSet<usize>> = found
            .trim_matches(['[', ']'])
            .split("}, {")
            .map(|set| {
                set.trim_matches(['{', '}'])
                    .split(", ")
                    .filter_map(|value| value.parse().ok())
                    .collect()
            })
            .collect();
        solutions
            .iter()
            .all(|v| v.iter().zip(&sets).all(|(value, set)| set.contains(value)))
    };
    let mut first: Option<(Vec<String>, String)> = None;
    for order in 0..ORDERS {
        let shuffled = shuffled(random, lines.clone());
        let put: Vec<String> = match order {
            0 => shuffled,
            _ => shuffled
                .iter()
                .map(|line| wrapped(random, line, &lines))
                .collect(),
        };
        let put = format!("{}{}\n", puzzle.declaration(), put.join("\n"));
        let program = format!("{put}{}", puzzle.printing());
        let found = texts(&program, number.is_multiple_of(16));
        match &found[..] {
            [] => assert!(solutions.is_empty(), "{number}: failed\n{program}"),
            [found] => assert!(is_kept(found), "{number}: {found}\n{program}"),
            _ => panic!("{number}: {found:?}\n{program}"),
        }
        if order + 1 == ORDERS {
            let mut decided = texts(
                &format!("{put}decide(b);\n{}", puzzle.printing()),
                number.is_multiple_of(16),
            );
            let each = |v: &Vec<usize>| shown(v.iter().map(|value| BTreeSet::from([*value])));
            let mut expected: Vec<String> = solutions.iter().map(each).collect();
            decided.sort();
            expected.sort();
            assert_eq!(decided, expected, "{number}:\n{program}");
        }
        match &first {
            None => first = Some((found, program)),
            Some(_) if depends_on_the_past(puzzle) => {}
            Some((expected, other)) => {
                assert_eq!(&found, expected, "{number}:\n{program}\nbut\n{other}")
            }
        }
    }
    first.is_some_and(|(found, _)| !found.is_empty())
}

#[test]
fn candidates_are_the_same_in_all_orders() {
    let mut random = Random(97);
    let mut left = 0;
    for number in 0..count() / 2 {
        let rules = 2 + random.below(3);
        let puzzle = puzzle(&mut random, rules);
        left += usize::from(compare(&mut random, number, &puzzle));
    }
    assert!(
        left > count() / 10,
        "too few boards have candidates left: {left}"
    );
}

#[test]
fn counts_and_ways_leave_the_same_in_all_orders() {
    let mut random = Random(98);
    let mut left = 0;
    for number in 0..count() / 2 {
        let puzzle = shortage::tight(&mut random);
        left += usize::from(compare(&mut random, number, &puzzle));
    }
    assert!(
        left > count() / 10,
        "too few boards have candidates left: {left}"
    );
}

/// A piece that was found while more had to be joined is not believed when that is undone: it may be none.
#[test]
fn a_piece_of_a_branch_that_failed_is_found_anew() {
    let board = "let b = makeGrid(3, 4, setOf(0, 1)); b[1, 0] = 1; b[0, 1] = 0; b[2, 1] = 0; b[2, 3] = 1; connected(b, 0);";
    let few = "atMost(b, 3, 0);";
    let at_once = texts(&format!("{board}{few} print(valuesOf(b));"), false);
    let tried = texts(
        &format!("{board} choose {{ {few} fail; }} or {{}} {few} print(valuesOf(b));"),
        false,
    );
    let cheapest = texts(
        &format!("{board} minimize(() => {{ {few} cost(1); }}); print(valuesOf(b));"),
        false,
    );
    assert_eq!(at_once, tried);
    assert_eq!(at_once, cheapest);
    assert!(at_once[0].matches("{0, 1}").count() == 0, "{at_once:?}");
}
