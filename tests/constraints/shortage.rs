//! Ways and pieces beside counts that leave little: what they need at least is set against what is left.

use std::ops::ControlFlow;

use ndscript::{Engine, Event, Limits, Moment, Outcome, Target};

use super::{BTreeSet, Puzzle, Random, Rule, Shape, count, shown, texts};

/// A grid with a way or a piece, and one or two counts over most of it.
pub(super) fn tight(random: &mut Random) -> Puzzle {
    let columns = 2 + random.below(3);
    let rows = 2 + random.below(if columns == 4 { 2 } else { 3 });
    let (places, values) = (columns * rows, if columns * rows > 9 { 2 } else { 3 });
    let domains = (0..places)
        .map(|_| match random.below(5) {
            0 => vec![random.below(values)],
            _ => (0..values).collect(),
        })
        .collect();
    let held = random.some(values, 1);
    let joins = match random.below(2) {
        0 => Rule::Connected {
            values: held.clone(),
        },
        _ => Rule::Reachable {
            values: held.clone(),
            from: random.below(places),
            to: random.below(places),
        },
    };
    let mut rules = vec![joins];
    for _ in 0..1 + random.below(2) {
        let counted = if random.below(2) == 0 {
            held.clone()
        } else {
            random.some(values, 1)
        };
        let all: Vec<usize> = (0..places).collect();
        let own = if random.below(2) == 0 {
            all
        } else {
            random.some(places, places / 2)
        };
        let least = random.below(own.len() + 1);
        let (least, most) = [(least, usize::MAX), (0, least), (least, least)][random.below(3)];
        let put = Rule::Count {
            places: own,
            values: counted,
            least,
            most,
        };
        // A count may be there before what is joined, or come later.
        let at = random.below(rules.len() + 1);
        rules.insert(at, put);
    }
    Puzzle {
        shape: Shape::Grid { columns },
        domains,
        values,
        rules,
        is_wide: random.below(4) == 0,
    }
}

#[test]
fn counts_beside_ways_and_pieces_leave_what_brute_force_finds() {
    let mut random = Random(83);
    let mut solved = 0;
    for number in 0..count() {
        let puzzle = tight(&mut random);
        let expected = puzzle.solutions();
        let put = format!("{}{}", puzzle.declaration(), puzzle.statements());
        // Nothing that a solution has is taken away.
        let at_once = texts(&format!("{put}{}", puzzle.printing()), false);
        assert!(
            expected.is_empty() || at_once.len() == 1,
            "{number}:\n{put}"
        );
        let order = ["", ", {order: \"random\"}", ", {backjump: false}"][number % 3];
        let program = format!("{put}decide(b{order});\n{}", puzzle.printing());
        let mut found = texts(&program, number % 8 == 0);
        let each = |v: &Vec<usize>| shown(v.iter().map(|value| BTreeSet::from([*value])));
        let mut expected: Vec<String> = expected.iter().map(each).collect();
        expected.sort();
        found.sort();
        assert!(
            found == expected,
            "{number}: {} for {}\n{program}",
            found.len(),
            expected.len()
        );
        solved += usize::from(!expected.is_empty());
    }
    assert!(
        solved > count() / 4,
        "too few boards have a solution: {solved}"
    );
}

/// As few cells as a shortest way has leave no other ways.
#[test]
fn a_count_that_leaves_a_shortest_way_leaves_nothing_beside() {
    let row = "let g = makeGrid(4, 2, setOf(\"#\", \".\")); g[1, 0] = \"#\";";
    let way = "reachable(g, \".\", position(0, 0), position(3, 0));";
    let program = format!("{row}{way} atMost(g, 6, \".\"); printGrid(g);");
    let all = texts(&program, false).concat();
    let all = all.split_whitespace().collect::<String>();
    assert_eq!(
        all,
        "{\".\"}#{\"#\",\".\"}{\".\"}{\".\"}{\".\"}{\".\"}{\"#\",\".\"}"
    );
    assert!(texts(&format!("{row}{way} atMost(g, 5, \".\");"), false).is_empty());
    assert!(texts(&format!("{row}{way} atLeast(g, 3, \"#\");"), false).is_empty());
    assert_eq!(
        texts(&format!("{row}{way} atLeast(g, 2, \"#\");"), false).len(),
        1
    );
    // No cell is certain before: nothing but the count knows it.
    let open = "let g = makeGrid(5, 3, setOf(\"#\", \".\")); atMost(g, 5, \".\"); reachable(g, \".\", position(0, 0), position(4, 0));";
    let shown = texts(
        &format!("{open} printLine(map(valuesOf(g), sizeOf), rowOf(g, 0));"),
        false,
    )
    .concat();
    let row = "{\".\"}, ".repeat(4);
    assert_eq!(
        shown.trim(),
        format!("[{}1][{row}{{\".\"}}]", "1, ".repeat(14))
    );
}

/// Without that such searches go on for ever: what was guessed wrong shows when next to nothing is left.
#[test]
fn searches_end_where_little_is_left() {
    let board =
        |size: usize| format!("let n = {size}; let g = makeGrid(n, n, setOf(\"#\", \".\"));");
    let way = |size, rest: &str| {
        format!(
            "{} reachable(g, \".\", position(0, 0), position(n - 1, n - 1)); {rest} decide(g);",
            board(size)
        )
    };
    let piece = |size, rest: &str| {
        let some = "foreach (p in g) if ((7 * p.x + 5 * p.y) % 29 == 0) narrow(g, p, \".\");";
        format!(
            "{} {some} connected(g, \".\"); {rest} decide(g);",
            board(size)
        )
    };
    let programs = [
        way(14, "atMost(g, 27, \".\");"),
        way(16, "exactly(g, 45, \".\");"),
        way(16, "atLeast(g, 210, \"#\");"),
        piece(16, "exactly(g, 60, \".\");"),
        piece(16, "atLeast(g, 190, \"#\");"),
        format!(
            "{} connected(g, \"#\"); exactly(g, 200, \"#\"); decide(g);",
            board(24)
        ),
        format!(
            "{} connected(g, \"#\"); exactly(g, 200, \"#\"); decide(g, {{weights: {{\"#\": 2, \".\": 1}}}});",
            board(24)
        ),
    ];
    for program in programs {
        for seed in 1..=3 {
            let limits = Limits {
                steps: 3_000_000,
                ..Limits::default()
            };
            let compiled = Engine::new()
                .with_limits(limits)
                .compile(&program)
                .expect("a program");
            let outcome = compiled.run(seed).resume(u64::MAX);
            assert!(
                matches!(outcome, Outcome::Solved(_)),
                "seed {seed}: {program}\n{outcome:?}"
            );
        }
    }
}

/// What a way does without because a count leaves too little is told with the count.
#[test]
fn what_runs_short_is_told_with_the_count() {
    let program = "let g = makeGrid(5, 3, setOf(\"#\", \".\")); atMost(g, 5, \".\"); reachable(g, \".\", position(0, 0), position(4, 0));";
    let compiled = Engine::new().compile(program).expect("a program");
    let mut told = BTreeSet::new();
    let outcome = compiled
        .run(1)
        .watch(u64::MAX, &mut |moment: &Moment, event: &Event| {
            if let Event::Write {
                target: Target::Part(board, place),
                ..
            } = event
            {
                let removals = moment.removals(*board, *place);
                told.extend(
                    removals
                        .iter()
                        .map(|removal| (removal.constraint, removal.beside)),
                );
            }
            ControlFlow::Continue(())
        });
    assert!(matches!(outcome, Outcome::Solved(_)), "{outcome:?}");
    assert!(
        told.contains(&(Some("reachable"), Some("atMost"))),
        "{told:?}"
    );
    assert!(told.contains(&(Some("reachable"), None)), "{told:?}");
}
