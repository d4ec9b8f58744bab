//! Going back past guesses that had no part in a failure: boards of several loose parts have the same solutions with and
//! without it, whatever else the program does, and a run that is watched, stopped, saved or forked is the same run.

use std::collections::BTreeSet;

use ndscript::{Engine, Event, Limits, Moment, Outcome, Run, Statistics};

use super::{Puzzle, Random, Regular, Rule, Shape, Way, shown, table};

/// A board of two parts whose rules do not concern each other, or hardly: equations modulo 2 of three places each, of which
/// a rule by itself says nothing before two of them are guessed.
fn loose(random: &mut Random, scripts: bool) -> Puzzle {
    let shape = [Shape::Array, Shape::Object, Shape::Grid { columns: 3 }][random.below(3)];
    let count = if matches!(shape, Shape::Grid { .. }) {
        9
    } else {
        8 + random.below(3)
    };
    let mut domains: Vec<Vec<usize>> = (0..count).map(|_| vec![0, 1]).collect();
    let mut rules = Vec::new();
    for group in 0..2 {
        let places: Vec<usize> = (0..count).filter(|place| place % 2 == group).collect();
        for _ in 0..2 + random.below(4) {
            let mut three = random.some(places.len(), 3);
            three.truncate(3);
            let parity = random.below(2);
            let rows = (0..8).map(|bits| vec![bits & 1, bits >> 1 & 1, bits >> 2]);
            let rows = rows
                .filter(|row: &Vec<usize>| row.iter().sum::<usize>() % 2 == parity)
                .collect();
            rules.push(Rule::Table {
                places: three.iter().map(|at| places[*at]).collect(),
                rows,
            });
        }
    }
    for _ in 0..random.below(3) {
        domains[random.below(count)].push(2);
    }
    rules.extend((0..random.below(3)).map(|_| narrow_rule(random, count, scripts)));
    let is_grid = matches!(shape, Shape::Grid { .. });
    if is_grid && random.below(4) == 0 {
        // Few pairs are ruled out, or nothing is left to search.
        let rare = (0..4)
            .map(|_| (0..4).map(|_| random.below(8) > 0).collect())
            .collect();
        rules.push(Rule::Adjacent {
            table: rare,
            down: None,
            wrap: false,
            diagonal: false,
        });
    }
    if is_grid && random.below(6) == 0 {
        rules.push(Rule::Connected { values: vec![0, 1] });
    }
    Puzzle {
        shape,
        domains,
        values: 4,
        rules,
        is_wide: random.below(4) == 0,
    }
}

fn narrow_rule(random: &mut Random, count: usize, scripts: bool) -> Rule {
    let mut places = random.some(count, 2);
    places.truncate(2 + random.below(2));
    match random.below(if scripts { 8 } else { 7 }) {
        0 => Rule::Different {
            places,
            offsets: None,
        },
        1 => {
            let offsets = Some(places.iter().map(|_| random.below(3) as i64).collect());
            Rule::Different { places, offsets }
        }
        2 => Rule::Related {
            p: places[0],
            q: places[1],
            table: table(random),
        },
        3 => {
            let least = random.below(places.len() + 1);
            let most = if random.below(2) == 0 {
                usize::MAX
            } else {
                least
            };
            Rule::Count {
                places,
                values: random.some(3, 1),
                least,
                most,
            }
        }
        4 => {
            let factors = places.iter().map(|_| random.below(5) as i64 - 2).collect();
            let low = random.below(9) as i64 - 4;
            Rule::Sum {
                places,
                factors,
                low,
                high: low + random.below(3) as i64,
            }
        }
        5 => {
            let row = |random: &mut Random| places.iter().map(|_| random.below(3)).collect();
            let rows = (0..3 + random.below(20)).map(|_| row(random)).collect();
            Rule::Table { places, rows }
        }
        6 => Rule::Pattern {
            places,
            expression: Regular::some(random, 3),
        },
        _ => {
            let low = random.below(2 * places.len()) as i64;
            let ways = [Way::Late, Way::Narrowing, Way::Assigning, Way::Choosing];
            Rule::Script {
                places,
                low,
                high: low + random.below(4) as i64,
                way: ways[random.below(ways.len())],
            }
        }
    }
}

fn engine() -> Engine {
    Engine::new().with_limits(Limits {
        steps: 50_000_000,
        ..Limits::default()
    })
}

pub(super) fn begun(program: &str, pieces: Option<u32>) -> Run {
    let mut engine = engine();
    #[cfg(debug_assertions)]
    if let Some(pieces) = pieces {
        engine = engine.with_pieces(pieces);
    }
    let _ = &mut engine;
    let _ = pieces;
    engine
        .compile(program)
        .unwrap_or_else(|error| panic!("{program}\n{error}"))
        .run(7)
}

/// The texts of all solutions, in their order, and what finding them took.
pub(super) fn all_of(mut run: Run, program: &str) -> (Vec<String>, Statistics) {
    let mut texts = Vec::new();
    loop {
        match run.resume(u64::MAX) {
            Outcome::Solved(solution) => texts.push(solution.text),
            Outcome::Failed => return (texts, run.statistics()),
            other => panic!("{program}\n{other:?}"),
        }
    }
}

fn each(v: &[usize]) -> String {
    shown(v.iter().map(|value| BTreeSet::from([*value])))
}

fn boards() -> usize {
    super::count() * 2 / 3
}

const ORDERS: [&str; 5] = [
    "{}",
    "{order: \"first\"}",
    "{order: \"random\"}",
    "{order: \"conflicts\"}",
    "{weights: {\"0\": 1, \"1\": 3, \"2\": 9}}",
];

#[test]
fn boards_of_loose_parts_have_the_same_solutions() {
    let mut random = Random(101);
    let (mut skipped, mut solved, mut without, mut with) = (0, 0, 0_u64, 0_u64);
    for number in 0..boards() {
        let puzzle = loose(&mut random, number % 3 == 0);
        let order = ORDERS[number % ORDERS.len()];
        let off = if order == "{}" {
            "{backjump: false}".to_string()
        } else {
            order.replace('}', ", backjump: false}")
        };
        let off = off
            .replace("9}, backjump: false}", "9}}")
            .replace("{weights", "{backjump: false, weights");
        let program = |options: &str| {
            format!(
                "{}{}decide(b, {options});\n{}",
                puzzle.declaration(),
                puzzle.statements(),
                puzzle.printing()
            )
        };
        let mut expected: Vec<String> = puzzle.solutions().iter().map(|v| each(v)).collect();
        expected.sort();
        solved += usize::from(!expected.is_empty());
        for options in [order, &off] {
            let program = program(options);
            let mut run = begun(&program, (number % 5 == 0).then_some(256));
            #[cfg(debug_assertions)]
            if number % 8 == 0 {
                run.verify_backtracking();
            }
            let _ = &mut run;
            let (mut found, figures) = all_of(run, &program);
            found.sort();
            assert_eq!(found, expected, "{number}:\n{program}");
            if options == order {
                (skipped, with) = (skipped + figures.skipped, with + figures.failures);
            } else {
                assert_eq!(figures.skipped, 0, "{number}:\n{program}");
                without += figures.failures;
            }
        }
    }
    assert!(
        solved > boards() / 5,
        "too few boards have a solution: {solved}"
    );
    assert!(
        skipped > boards() as u64 / 10,
        "too few guesses were skipped: {skipped}"
    );
    assert!(with < without, "{with} failures instead of {without}");
}

/// What programs do around `decide`, and what they then print of the solutions.
#[test]
fn searches_around_it_find_the_same() {
    let mut random = Random(211);
    let mut skipped = 0;
    for number in 0..boards() / 2 {
        let puzzle = loose(&mut random, number % 4 == 0);
        let solutions = puzzle.solutions();
        let list = |places: std::ops::Range<usize>| puzzle.list(&places.collect::<Vec<usize>>());
        let (count, half) = (puzzle.domains.len(), puzzle.domains.len() / 2);
        let at = |place: usize| format!("singletonValue(b[{}])", puzzle.place(place));
        let sum = |v: &[usize]| v.iter().sum::<usize>();
        let added = (0..count).map(at).collect::<Vec<String>>().join(" + ");
        let (before, after) = (
            format!("{}{}", puzzle.declaration(), puzzle.statements()),
            puzzle.printing(),
        );
        let all = |filter: &dyn Fn(&[usize]) -> bool| {
            solutions
                .iter()
                .filter(|v| filter(v))
                .map(|v| each(v))
                .collect::<Vec<String>>()
        };
        let (program, mut expected) = match number % 7 {
            // In two goes, with a condition of the program in between and one behind.
            0 => (
                format!(
                    "{before}decide(b, {{places: {}}});\nrequire({} != 1);\ndecide(b);\nrequire(({added}) % 3 != 0);\n{after}",
                    list(0..half),
                    at(0)
                ),
                all(&|v| v[0] != 1 && sum(v) % 3 != 0),
            ),
            1 => (
                format!("{before}print(countSolutions(() => decide(b)));"),
                vec![solutions.len().to_string()],
            ),
            2 => (
                format!(
                    "{before}not(() => {{ decide(b); require(({added}) % 4 == 0); }});\nprint(\"none\");"
                ),
                if solutions.iter().any(|v| sum(v) % 4 == 0) {
                    Vec::new()
                } else {
                    vec!["none".to_string()]
                },
            ),
            3 => (
                format!(
                    "{before}minimize(() => {{ decide(b); cost({added}); }});\nprint({added});"
                ),
                solutions
                    .iter()
                    .map(|v| sum(v))
                    .min()
                    .map(|least| least.to_string())
                    .into_iter()
                    .collect(),
            ),
            // What it costs is known place after place, so that branches are cut off in between.
            4 => {
                let ways: Vec<String> = (0..count)
                    .map(|place| {
                        format!(
                            "decide(b, {{places: [{}]}}); cost({});",
                            puzzle.place(place),
                            at(place)
                        )
                    })
                    .collect();
                (
                    format!(
                        "{before}minimize(() => {{ {} }});\nprint({added});",
                        ways.join(" ")
                    ),
                    solutions
                        .iter()
                        .map(|v| sum(v))
                        .min()
                        .map(|least| least.to_string())
                        .into_iter()
                        .collect(),
                )
            }
            5 => (
                format!(
                    "{before}withRestarts(() => {{ decide(b); require(({added}) % 3 != 0); }}, 2);\nrequire(({added}) % 3 != 0);\nprint(\"some\");"
                ),
                solutions
                    .iter()
                    .find(|v| sum(v) % 3 != 0)
                    .map(|_| "some".to_string())
                    .into_iter()
                    .collect(),
            ),
            // A guess of the program between two calls, and one below.
            _ => (
                format!(
                    "{before}var n = choose(0, 1);\ndecide(b, {{places: {}}});\nvar m = choose(0, 1);\ndecide(b);\nrequire({} == n + m);\nprint(n, m, \" \");\n{after}",
                    list(0..half),
                    at(0)
                ),
                (0..4)
                    .flat_map(|pair| {
                        let (n, m) = (pair / 2, pair % 2);
                        let fits = solutions.iter().filter(move |v| v[0] == n + m);
                        fits.map(move |v| format!("{n}{m} {}", each(v)))
                            .collect::<Vec<String>>()
                    })
                    .collect(),
            ),
        };
        let (mut found, figures) =
            all_of(begun(&program, (number % 5 == 0).then_some(256)), &program);
        found.sort();
        expected.sort();
        // Without any solution the rules may say so before the search begins.
        let has_begun = !(found.is_empty() && solutions.is_empty());
        assert!(
            !has_begun || found == expected,
            "{number}: {found:?}\n{expected:?}\n{program}"
        );
        skipped += figures.skipped;
    }
    assert!(
        skipped > boards() as u64 / 20,
        "too few guesses were skipped: {skipped}"
    );
}

/// The rest of a run, by saving it, or by a fork, at many moments.
fn in_stretches(program: &str, steps: u64) -> (Vec<String>, Statistics) {
    let mut run = begun(program, None);
    let mut texts = Vec::new();
    for turn in 0_u64.. {
        match run.resume(steps) {
            Outcome::Solved(solution) => texts.push(solution.text),
            Outcome::Failed => return (texts, run.statistics()),
            Outcome::OutOfFuel if turn % 2 == 0 => {
                run = run.fork().expect("it has no values of the host")
            }
            Outcome::OutOfFuel => {
                let bytes = run
                    .save()
                    .unwrap_or_else(|error| panic!("{program}\n{error}"));
                let engine = engine();
                let compiled = engine
                    .compile(program)
                    .unwrap_or_else(|error| panic!("{program}\n{error}"));
                run = engine
                    .restore(&compiled, &bytes)
                    .unwrap_or_else(|error| panic!("{program}\n{error}"));
            }
            other => panic!("{program}\n{other:?}"),
        }
    }
    unreachable!()
}

#[test]
fn runs_that_are_watched_stopped_saved_and_forked_are_the_same() {
    let mut random = Random(307);
    let mut skipped = 0;
    for number in 0..boards() / 3 {
        let puzzle = loose(&mut random, number % 4 == 0);
        let order = ORDERS[number % ORDERS.len()];
        let program = format!(
            "{}{}decide(b, {order});\n{}",
            puzzle.declaration(),
            puzzle.statements(),
            puzzle.printing()
        );
        let plain = all_of(begun(&program, None), &program);
        let mut run = begun(&program, None);
        let mut texts = Vec::new();
        let mut observer = |_: &Moment<'_>, _: &Event<'_>| std::ops::ControlFlow::Continue(());
        loop {
            match run.watch(u64::MAX, &mut observer) {
                Outcome::Solved(solution) => texts.push(solution.text),
                Outcome::Failed => break,
                other => panic!("{program}\n{other:?}"),
            }
        }
        let of = |(texts, figures): &(Vec<String>, Statistics)| {
            (
                texts.clone(),
                figures.steps,
                figures.failures,
                figures.skipped,
                figures.choice_points,
            )
        };
        assert_eq!(
            of(&plain),
            of(&(texts, run.statistics())),
            "watched, {number}:\n{program}"
        );
        assert_eq!(
            of(&plain),
            of(&in_stretches(&program, 37)),
            "in stretches, {number}:\n{program}"
        );
        skipped += plain.1.skipped;
    }
    assert!(
        skipped > boards() as u64 / 30,
        "too few guesses were skipped: {skipped}"
    );
}

/// So many puzzles that have nothing to do with each other, behind a guess that is wrong: the last puzzle has no solution
/// then, as the sums of any three of its four places are odd and that of all is odd, too. Only guessing finds that out.
fn one_after_another(puzzles: usize, options: &str) -> String {
    format!(
        "var b = {{first: setOf(0, 1)}};
         foreach (n in range({puzzles})) foreach (k in range(4)) b[`p${{n}}_${{k}}`] = setOf(0, 1, 2, 3);
         var names = n => map(range(4), k => `p${{n}}_${{k}}`);
         foreach (n in range({puzzles} - 1)) {{
             allDifferent(b, names(n));
             sumOf(b, 2, 4, slice(names(n), 0, 2));
         }}
         var threes = [];
         var fours = [];
         foreach (v in range(4)) foreach (w in range(4)) foreach (x in range(4)) {{
             push(threes, [1, v, w, x]);
             if ((v + w + x) % 2 == 1) push(threes, [0, v, w, x]);
             foreach (y in range(4)) {{
                 push(fours, [1, v, w, x, y]);
                 if ((v + w + x + y) % 2 == 1) push(fours, [0, v, w, x, y]);
             }}
         }}
         var last = names({puzzles} - 1);
         foreach (left in range(4)) {{
             var three = copy(last);
             removeAt(three, left);
             tuples(b, concat([\"first\"], three), threes);
         }}
         tuples(b, concat([\"first\"], last), fours);
         decide(b, {{order: \"first\", weights: {{\"0\": 1, \"1\": 0, \"2\": 0, \"3\": 0}}{options}}});
         print(singletonValue(b.first));"
    )
}

fn first_of(program: &str) -> Statistics {
    let mut run = begun(program, None);
    match run.resume(u64::MAX) {
        Outcome::Solved(solution) => assert_eq!(solution.text, "1"),
        other => panic!("{program}\n{other:?}"),
    }
    run.statistics()
}

#[test]
fn a_wrong_early_guess_is_found_out_however_many_puzzles_lie_between() {
    let few = first_of(&one_after_another(2, ""));
    let many = first_of(&one_after_another(20, ""));
    assert!(few.failures > 3, "{few:?}");
    // Only what was guessed before the first failure is tried again, each alternative once.
    let puzzles = [5, 10, 20].map(|puzzles| first_of(&one_after_another(puzzles, "")).failures);
    assert!(
        puzzles[1] <= 3 * puzzles[0] && puzzles[2] <= 3 * puzzles[1],
        "{puzzles:?}"
    );
    assert!(
        many.failures < 100 * few.failures && many.skipped > few.skipped,
        "{many:?}"
    );
    // One after another each puzzle multiplies them.
    let off =
        [2, 3].map(|puzzles| first_of(&one_after_another(puzzles, ", backjump: false")).failures);
    assert!(
        off[0] > few.failures && off[1] > 4 * off[0] && off[1] > many.failures,
        "{few:?} {many:?} {off:?}"
    );
}

#[test]
fn what_programs_do_between_guesses_keeps_them_from_being_skipped() {
    // The parts of a board that have nothing to do with each other, and a function that looks on.
    let program = |put: &str, options: &str| {
        let loose = "related(b, 0, 1, (x, y) => x <= y);\nrelated(b, 2, 3, (x, y) => x <= y);\n";
        let tight = "foreach (p in [4, 5]) foreach (q in range(p + 1, 7)) related(b, p, q, (x, y) => x != y);\n";
        format!(
            "var seen = 0;\nvar b = concat(map(range(4), n => setOf(1, 2, 3)), map(range(3), n => setOf(1, 2)));\n{loose}{tight}{put}\
             decide(b, {{order: \"first\"{options}}});\nprint(seen);"
        )
    };
    let failed = |program: String| {
        let (found, figures) = all_of(begun(&program, None), &program);
        assert!(found.is_empty(), "{found:?}\n{program}");
        figures
    };
    let with = failed(program("", ""));
    let without = failed(program("", ", backjump: false"));
    assert!(
        with.skipped > 0 && with.failures * 4 < without.failures,
        "{with:?} {without:?}"
    );
    for put in [
        "constrain(b, [0, 1, 2, 3], () => { seen += 1; });\n",
        "constrain(b, [0, 1, 2, 3], () => { debug(1); });\n",
    ] {
        let with = failed(program(put, ""));
        let without = failed(program(put, ", backjump: false"));
        // What only looks changes nothing that the constraints say.
        assert!(with.failures < without.failures, "{put}");
    }
    let weighed = failed(program("", ", weights: x => x"));
    assert_eq!((weighed.skipped, weighed.failures), (0, without.failures));
}
