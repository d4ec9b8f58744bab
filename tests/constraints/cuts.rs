//! Ways and pieces explain what they take away, so that a failure goes back past guesses that had no part in it: the solutions are
//! those that brute force finds, and an early guess that is wrong is found out however many ways lie between.

use ndscript::{Engine, Limits, Outcome, Statistics};

use super::backjumping::{all_of, begun};
use super::{BTreeSet, Puzzle, Random, Rule, Shape, count, shown};

/// A grid with ways and pieces, some of it behind a wall, and rules that say nothing by themselves before most of their places are guessed.
fn parted(random: &mut Random) -> Puzzle {
    let has_wall = random.below(2) == 0;
    let columns = if has_wall { 5 } else { 3 + random.below(2) };
    let rows = if columns == 3 { 4 } else { 3 };
    let is_wall = |place: usize| has_wall && place % columns == 2;
    let mut domains: Vec<Vec<usize>> = (0..columns * rows)
        .map(|place| if is_wall(place) { vec![2] } else { vec![0, 1] })
        .collect();
    for _ in 0..random.below(3) {
        let place = random.below(domains.len());
        domains[place] = if is_wall(place) {
            vec![2]
        } else {
            random.some(3, 1)
        };
    }
    let open: Vec<usize> = (0..domains.len())
        .filter(|place| !is_wall(*place))
        .collect();
    let mut rules = Vec::new();
    for _ in 0..1 + random.below(3) {
        let values = if random.below(6) == 0 {
            random.some(3, 1)
        } else {
            vec![random.below(2)]
        };
        let from = open[random.below(open.len())];
        // Mostly on the same side of the wall.
        let same: Vec<usize> = open
            .iter()
            .copied()
            .filter(|to| !has_wall || (to % columns < 2) == (from % columns < 2))
            .collect();
        let to = if random.below(8) == 0 {
            open[random.below(open.len())]
        } else {
            same[random.below(same.len())]
        };
        rules.push(match random.below(3) {
            0 => Rule::Connected { values },
            _ => Rule::Reachable { values, from, to },
        });
    }
    for _ in 0..1 + random.below(4) {
        let three: Vec<usize> = (0..3).map(|_| open[random.below(open.len())]).collect();
        let places: Vec<usize> = BTreeSet::from_iter(three).into_iter().collect();
        let parity = random.below(2);
        let rows =
            (0..1 << places.len()).map(|bits| (0..places.len()).map(|at| bits >> at & 1).collect());
        let rows = rows
            .filter(|row: &Vec<usize>| row.iter().sum::<usize>() % 2 == parity)
            .collect();
        rules.push(Rule::Table { places, rows });
    }
    for _ in 0..random.below(3) {
        // Some of them are so large that ways and pieces are set against them.
        let mut places = open.clone();
        while places.len() > 3 + random.below(8) {
            places.remove(random.below(places.len()));
        }
        let least = random.below(places.len());
        let (least, most) = [(least, usize::MAX), (0, least), (least, least)][random.below(3)];
        let at = random.below(rules.len() + 1);
        rules.insert(
            at,
            Rule::Count {
                places,
                values: vec![random.below(2)],
                least,
                most,
            },
        );
    }
    Puzzle {
        shape: Shape::Grid { columns },
        domains,
        values: 4,
        rules,
        is_wide: random.below(4) == 0,
    }
}

/// What a solution prints.
fn each(v: &[usize]) -> String {
    shown(v.iter().map(|value| BTreeSet::from([*value])))
}

/// The solutions that brute force finds; what is looked at fast comes first.
fn solutions(puzzle: &mut Puzzle) -> Vec<String> {
    let rules = puzzle.rules.clone();
    puzzle
        .rules
        .sort_by_key(|rule| matches!(rule, Rule::Connected { .. } | Rule::Reachable { .. }));
    let mut solutions: Vec<String> = puzzle.solutions().iter().map(|v| each(v)).collect();
    puzzle.rules = rules;
    solutions.sort();
    solutions
}

const ORDERS: [&str; 4] = [
    "order: \"first\"",
    "order: \"random\"",
    "order: \"conflicts\"",
    "weights: {\"0\": 1, \"1\": 9, \"2\": 1}",
];

#[test]
fn ways_and_pieces_have_the_solutions_that_brute_force_finds() {
    let mut random = Random(401);
    let (mut skipped, mut solved, mut without, mut with) = (0, 0, 0, 0);
    for number in 0..count() {
        let mut puzzle = parted(&mut random);
        let expected = solutions(&mut puzzle);
        solved += usize::from(!expected.is_empty());
        let order = ORDERS[number % ORDERS.len()];
        for backjump in [true, false] {
            let program = format!(
                "{}{}decide(b, {{{order}, backjump: {backjump}}});\n{}",
                puzzle.declaration(),
                puzzle.statements(),
                puzzle.printing()
            );
            let mut run = begun(&program, (number % 5 == 0).then_some(256));
            #[cfg(debug_assertions)]
            if number % 8 == 0 {
                run.verify_backtracking();
            }
            let _ = &mut run;
            let (mut found, figures) = all_of(run, &program);
            found.sort();
            assert_eq!(found, expected, "{number}:\n{program}");
            if backjump {
                (skipped, with) = (skipped + figures.skipped, with + figures.failures);
            } else {
                without += figures.failures;
            }
        }
    }
    eprintln!("{solved} {skipped} {with} {without}");
    assert!(
        solved > count() / 3,
        "too few boards have a solution: {solved}"
    );
    assert!(
        skipped > count() as u64 / 40,
        "too few guesses were skipped: {skipped}"
    );
    assert!(with < without, "{with} failures instead of {without}");
}

/// Blocks between walls, in most of which two ways have to cross. They can do so on a bridge, if there is one: in the last block that
/// hangs on what was guessed in the first.
fn crossing(random: &mut Random) -> Puzzle {
    let (columns, rows, blocks) = (4 + random.below(2), 4, 2 + random.below(2));
    let mut domains = Vec::new();
    let mut rules = Vec::new();
    for block in 0..blocks {
        let first = domains.len();
        domains.extend((0..columns * rows).map(|_| vec![0, 1]));
        domains.extend((0..columns).map(|_| vec![3]));
        let own: Vec<usize> = (first..first + columns * rows).collect();
        let some = |random: &mut Random| own[random.below(own.len())];
        let bridge = first + columns * (1 + random.below(2)) + 1 + random.below(columns - 2);
        if block + 1 == blocks && random.below(4) > 0 {
            // There is a bridge for one of two values of an earlier cell.
            domains[bridge] = vec![0, 1, 2];
            let (from, value) = (random.below(columns * rows), random.below(2));
            let table = (0..4)
                .map(|one| (0..4).map(|other| (one == value) == (other == 2)).collect())
                .collect();
            rules.push(Rule::Related {
                p: from,
                q: bridge,
                table,
            });
        } else if random.below(8) > 0 {
            domains[bridge] = vec![2];
        }
        let [left, right] = [0, columns - 1].map(|x| first + columns * random.below(rows) + x);
        let [top, bottom] =
            [0, rows - 1].map(|y| first + columns * y + 1 + random.below(columns - 2));
        rules.push(Rule::Reachable {
            values: vec![0, 2],
            from: left,
            to: right,
        });
        rules.push(match random.below(8) {
            0 => Rule::Connected { values: vec![1, 2] },
            _ => Rule::Reachable {
                values: vec![1, 2],
                from: top,
                to: bottom,
            },
        });
        if random.below(2) == 0 {
            let places: Vec<usize> = BTreeSet::from_iter((0..3).map(|_| some(random)))
                .into_iter()
                .collect();
            let parity = random.below(2);
            let rows = (0..1 << places.len())
                .map(|bits| (0..places.len()).map(|at| bits >> at & 1).collect());
            let rows = rows
                .filter(|row: &Vec<usize>| row.iter().sum::<usize>() % 2 == parity)
                .collect();
            rules.push(Rule::Table { places, rows });
        }
        if random.below(2) == 0 {
            let (half, value) = (own.len() / 2, random.below(2));
            let (least, most) = [
                (half - 2 + random.below(3), usize::MAX),
                (0, half + random.below(3)),
            ][random.below(2)];
            let at = random.below(rules.len() + 1);
            let places = own;
            rules.insert(
                at,
                Rule::Count {
                    places,
                    values: vec![value],
                    least,
                    most,
                },
            );
        }
    }
    Puzzle {
        shape: Shape::Grid { columns },
        domains,
        values: 4,
        rules,
        is_wide: random.below(4) == 0,
    }
}

/// Whether a search finds something, if that is known within some steps, and what it took.
fn comes_to(puzzle: &Puzzle, options: &str) -> (Option<bool>, Statistics) {
    let program = format!(
        "{}{}decide(b, {{{options}}});",
        puzzle.declaration(),
        puzzle.statements()
    );
    let limits = Limits {
        steps: 400_000,
        ..Limits::default()
    };
    let compiled = Engine::new()
        .with_limits(limits)
        .compile(&program)
        .expect("a program");
    let mut run = compiled.run(7);
    let found = match run.resume(u64::MAX) {
        Outcome::Solved(_) => Some(true),
        Outcome::Failed => Some(false),
        _ => None,
    };
    (found, run.statistics())
}

/// On larger boards going back one guess at a time is the referee, where that comes to an end.
#[test]
fn larger_boards_have_solutions_with_it_if_they_have_some_without() {
    let mut random = Random(601);
    let (mut skipped, mut solved, mut failed, mut ended) = (0, 0, 0, [0; 2]);
    for number in 0..2 * count() {
        let puzzle = crossing(&mut random);
        let order = ORDERS[number % ORDERS.len()];
        let [with, without] = [true, false]
            .map(|backjump| comes_to(&puzzle, &format!("{order}, backjump: {backjump}")));
        ended = [
            ended[0] + usize::from(with.0.is_some()),
            ended[1] + usize::from(without.0.is_some()),
        ];
        if let (Some(found), Some(expected)) = (with.0, without.0) {
            let put = || format!("{}{}", puzzle.declaration(), puzzle.statements());
            assert!(found == expected, "{number}: {found}\n{}{order}", put());
            skipped += with.1.skipped;
            solved += usize::from(found);
            failed += usize::from(!found && with.1.failures > 0);
        }
    }
    eprintln!("{skipped} {solved} {failed} {ended:?}");
    assert!(
        solved > count() / 4 && failed > count() / 4,
        "{solved} {failed}"
    );
    assert!(
        skipped > count() as u64,
        "too few guesses were skipped: {skipped}"
    );
}

/// The first solution of a run and what it took, where it is saved and forked by turns after so many steps.
fn first_in_stretches(program: &str, steps: u64) -> (String, [u64; 4]) {
    let engine = Engine::new();
    let compiled = engine
        .compile(program)
        .unwrap_or_else(|error| panic!("{program}\n{error}"));
    let (mut run, mut left) = (compiled.run(7), 400_000_u64);
    for turn in 0_u64.. {
        let text = match run.resume(steps.min(left)) {
            Outcome::Solved(solution) => solution.text,
            Outcome::Failed => "none".to_string(),
            Outcome::OutOfFuel if left > steps => {
                left -= steps;
                run = match turn % 2 {
                    0 => run.fork().expect("it has no values of the host"),
                    _ => engine
                        .restore(&compiled, &run.save().expect("it has none"))
                        .expect("a run"),
                };
                continue;
            }
            Outcome::OutOfFuel => "open".to_string(),
            other => panic!("{program}\n{other:?}"),
        };
        let figures = run.statistics();
        return (
            text,
            [
                figures.failures,
                figures.skipped,
                figures.choice_points,
                figures.steps,
            ],
        );
    }
    unreachable!()
}

#[test]
fn runs_of_ways_and_pieces_that_are_stopped_saved_and_forked_are_the_same() {
    let mut random = Random(503);
    let mut skipped = 0;
    for number in 0..count() / 5 {
        let puzzle = crossing(&mut random);
        let order = ORDERS[number % ORDERS.len()];
        let program = format!(
            "{}{}decide(b, {{{order}}});\n{}",
            puzzle.declaration(),
            puzzle.statements(),
            puzzle.printing()
        );
        let plain = first_in_stretches(&program, 400_000);
        if plain.0 == "open" || plain.1[0] > 300 {
            continue;
        }
        let stopped = first_in_stretches(&program, 53);
        assert!(
            plain == stopped,
            "in stretches, {number}: {plain:?} {stopped:?}\n{program}"
        );
        skipped += plain.1[1];
    }
    eprintln!("{skipped}");
    assert!(
        skipped > count() as u64 / 40,
        "too few guesses were skipped: {skipped}"
    );
}

/// What a search for all solutions takes that is saved after so many steps, or never.
fn steps_of_all(program: &str, seed: u64, stretch: Option<u64>) -> [u64; 3] {
    let engine = Engine::new();
    let compiled = engine
        .compile(program)
        .unwrap_or_else(|error| panic!("{program}\n{error}"));
    let mut run = compiled.run(seed);
    loop {
        match run.resume(stretch.unwrap_or(400_000)) {
            Outcome::Solved(_) => {}
            Outcome::OutOfFuel => {
                run = engine
                    .restore(
                        &compiled,
                        &run.save().expect("it has no values of the host"),
                    )
                    .expect("a run");
            }
            Outcome::Failed => break,
            other => panic!("{program}\n{other:?}"),
        }
    }
    let figures = run.statistics();
    [figures.steps, figures.failures, figures.choice_points]
}

/// A piece that fails leaves changes that it has not come to, and nothing else need be waiting then. They are no part of what is saved.
#[test]
fn what_a_failed_piece_has_not_come_to_is_forgotten() {
    let program = "
        let b = makeGrid(3, 3, setOf(0, 1));
        connected(b, toSet([0]));
        tuples(b, [position(1, 0), position(2, 2)], [[1, 1], [0, 0], [1, 0]]);
        decide(b, {backjump: false});";
    for seed in 0..12 {
        assert_eq!(
            steps_of_all(program, seed, None),
            steps_of_all(program, seed, Some(11)),
            "seed {seed}"
        );
    }
}

/// So many squares, in each of which a way from left to right crosses one from top to bottom. Both can lead over a bridge in the middle; in
/// the last square that is only there if the first guess says so, and that there is no other way shows only when much is guessed.
fn crossings(squares: usize, options: &str) -> String {
    format!(
        "let squares = {squares};
         let g = makeGrid(4, 5 * squares + 1, \"|\");
         g[0, 0] = setOf(\".\", \"+\");
         foreach (n in range(squares)) {{
             foreach (y in range(4)) foreach (x in range(4)) g[x, 5 * n + y + 1] = setOf(\".\", \"#\");
             g[2, 5 * n + 3] = \"+\";
         }}
         let last = position(2, 5 * squares - 2);
         g[last] = setOf(\".\", \"#\", \"+\");
         foreach (n in range(squares)) {{
             let y = 5 * n + 1;
             reachable(g, setOf(\".\", \"+\"), position(0, y + 2), position(3, y + 2));
             reachable(g, setOf(\"#\", \"+\"), position(2, y), position(2, y + 3));
         }}
         related(g, position(0, 0), last, (f, v) => (f == \"+\") == (v == \"+\"));
         decide(g, {{order: \"first\", weights: {{\".\": 1, \"+\": 0, \"#\": 0}}{options}}});
         print(singletonValue(g[0, 0]));"
    )
}

fn failures_of(program: &str) -> u64 {
    let mut run = begun(program, None);
    match run.resume(u64::MAX) {
        Outcome::Solved(solution) => assert_eq!(solution.text, "+"),
        other => panic!("{program}\n{other:?}"),
    }
    run.statistics().failures
}

#[test]
fn a_wrong_early_guess_is_found_out_however_many_ways_lie_between() {
    let squares = [2, 4, 8].map(|squares| failures_of(&crossings(squares, "")));
    eprintln!("{squares:?}");
    assert!(
        squares[1] <= 3 * squares[0] && squares[2] <= 3 * squares[1],
        "{squares:?}"
    );
    // One after another each square multiplies them.
    let off = [1, 2].map(|squares| failures_of(&crossings(squares, ", backjump: false")));
    eprintln!("{off:?}");
    assert!(
        off[1] > 20 * off[0] && off[1] > 4 * squares[2],
        "{squares:?} {off:?}"
    );
}
