//! What `why` answers: each cause of a value, and nothing else.

#[path = "reasons/collections.rs"]
mod collections;
#[path = "reasons/constraints.rs"]
mod constraints;
#[path = "reasons/flows.rs"]
mod flows;
#[path = "reasons/loops.rs"]
mod loops;
#[path = "reasons/searches.rs"]
mod searches;
#[path = "reasons/tracker.rs"]
mod tracker;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use ndscript::{Answer, Engine, Event, Moment, Target};
use ndscript_timeline::{Place, Recorded, Timeline};

use tracker::World;

/// What `why` says of a place at the end of a program, without the steps.
fn told(program: &str, place: &str) -> Vec<String> {
    let program = Engine::new().compile(program).unwrap();
    let mut timeline = Timeline::new(program.run(1));
    assert!(
        matches!(timeline.record(10_000_000), Recorded::Solved(_)),
        "{:?}",
        timeline.recorded()
    );
    let place: Place = place.parse().unwrap();
    let reasons = timeline.why(&place, timeline.end()).unwrap();
    let text = reasons.to_text(&place);
    text.lines()
        .skip(1)
        .map(|line| line.split(" (step").next().unwrap().to_string())
        .collect()
}

/// The values that were guessed behind what is told.
fn guessed(program: &str, place: &str) -> Vec<String> {
    let mut found: Vec<String> = told(program, place)
        .iter()
        .filter_map(|line| {
            Some(
                line.split_once(": guessed ")?
                    .1
                    .rsplit(' ')
                    .next()?
                    .to_string(),
            )
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Each place and the values that were guessed behind it.
fn assert_guessed(program: &str, expected: &[(&str, &[&str])]) {
    for (place, guesses) in expected {
        assert_eq!(
            guessed(program, place),
            *guesses,
            "{place} of\n{program}\n{}",
            told(program, place).join("\n")
        );
    }
}

#[test]
fn each_reading_of_a_place_has_its_part() {
    let text = "let o = {x: choose(1, 2)};\nlet first = o.x + 10; let second = o.x + 20;";
    assert_eq!(guessed(text, "first"), ["1"]);
    assert_eq!(guessed(text, "second"), ["1"]);
}

#[test]
fn what_stood_in_a_place_when_it_was_read_is_the_cause() {
    let text = "let o = {p: 0, q: 0};\nlet res = [0, 0];\no.p = choose(11, 12);\nlet before = o.p;\no.p = choose(21, 22);\n\
                res[0] = before;\no.q = choose(31, 32);\nlet t = o.p; o.p = o.q; o.q = t;\nres[1] = o.q;";
    assert_eq!(
        told(text, "res[0]")[..2],
        ["line 6: res[0] = 11, was 0", "  line 3: o.p = 11, was 0"]
    );
    assert_eq!(guessed(text, "res[0]"), ["11"]);
    assert_eq!(
        told(text, "res[1]")[..3],
        [
            "line 9: res[1] = 21, was 0",
            "  line 8: o.q = 21, was 31",
            "    line 5: o.p = 21, was 11"
        ]
    );
    assert_eq!(guessed(text, "o.p"), ["11", "21", "31"]);
}

#[test]
fn variables_of_one_name_are_told_apart() {
    let text = "let x = [choose(11, 12), choose(21, 22)];\nlet out = [0, 0, 0];\n\
                function take(i) {\n    let v = x[i];\n    { let v = choose(31, 32); out[2] = v; }\n    if (i > 0) take(i - 1);\n    \
                out[i] = v;\n    return v;\n}\nlet v = 5;\nlet first = take(0);\nlet second = take(1);\nv = v + second;";
    assert_eq!(guessed(text, "out[0]"), ["11"]);
    assert_eq!(guessed(text, "out[1]"), ["21"]);
    assert_eq!(guessed(text, "out[2]"), ["31"]);
    assert_eq!(guessed(text, "v"), ["21"]);
    let closures = "function adder(n) { return x => x + n; }\nlet one = adder(choose(1, 2));\nlet two = adder(choose(30, 40));\n\
                    let a = one(100);\nlet b = two(100);\nlet c = [0];\nfunction put() { c[0] = a; }\nput();";
    assert_eq!(guessed(closures, "a"), ["1"]);
    assert_eq!(guessed(closures, "b"), ["30"]);
    assert_eq!(guessed(closures, "c[0]"), ["1"]);
}

#[test]
fn one_board_has_no_part_in_another() {
    let text = "let a = [setOf(1, 2, 3), setOf(1, 2, 3)];\nlet b = [setOf(1, 2, 3), setOf(1, 2, 3)];\n\
                constrain(a, [0, 1], () => { if (isSingleton(a[0])) narrow(a, 1, except(a[1], a[0])); });\nallDifferent(b);\n\
                b[0] = setOf(choose(1, 2));\na[0] = setOf(choose(2, 3));";
    assert_eq!(
        told(text, "a[1]")[..2],
        [
            "line 3: a[1] = {1, 3}, lost 2",
            "  line 6: a[0] = {2}, lost 1, 3"
        ]
    );
    assert_eq!(guessed(text, "a[1]"), ["2"]);
    assert_eq!(guessed(text, "b[1]"), ["1"]);
}

#[test]
fn elements_take_along_where_they_came_from() {
    let text = "let a = [0, 0, 0];\na[0] = choose(11, 12);\na[1] = choose(21, 22);\na[2] = choose(31, 32);\nremoveAt(a, 0);\n\
                insert(a, 0, choose(41, 42));\npush(a, choose(51, 52));\nlet last = pop(a);\nlet r = reversed(a);\nlet s = sorted(a);\n\
                let first = r[0];\nlet q = [choose(61, 62), choose(71, 72)];\nlet head = removeAt(q, 0);\n\
                let waiting = queue();\nenqueue(choose(81, 82), waiting);\nenqueue(choose(91, 92), waiting);\nlet one = dequeue(waiting);";
    for (place, guesses) in [
        ("a[0]", vec!["41"]),
        ("a[1]", vec!["21"]),
        ("a[2]", vec!["31"]),
        ("last", vec!["51"]),
        ("first", vec!["31"]),
        ("r[1]", vec!["21"]),
        ("s", vec!["21", "31", "41"]),
        ("head", vec!["61"]),
        ("q[0]", vec!["71"]),
        ("one", vec!["81"]),
    ] {
        assert_eq!(guessed(text, place), guesses, "{place}");
    }
}

#[test]
fn all_different_names_the_places_that_need_the_values() {
    let text = "let all = setOf(1, 2, 3, 4, 5);\nlet c = [all, all, all, all, all];\nallDifferent(c);\nc[3] = setOf(3, 4, 5);\n\
                c[0] = setOf(1, 2);\nc[1] = setOf(1, 2);";
    let out = told(text, "c[4]");
    assert_eq!(
        out[0],
        "line 6: c[4] = {3, 4, 5}, lost 1, 2, by allDifferent with c[0], c[1]"
    );
    assert!(out.iter().all(|line| !line.contains("c[3]")), "{out:?}");
}

#[test]
fn of_a_collection_it_is_told_who_has_filled_it() {
    let text = "let res = [];\nfunction add(v) { push(res, v); }\nadd(choose(11, 12));\nadd(7);\nlet made = map([1, 2], v => v + res[0]);\n\
                let g = makeGrid(9, 9, 0);\nforeach (p in g) g[p] = p.x;";
    assert_eq!(
        told(text, "res"),
        [
            "line 2: res[1] = 7",
            "line 2: res[0] = 11",
            "  line 3: guessed alternative 1: 11",
            "line 1: res = []"
        ]
    );
    assert_eq!(guessed(text, "made"), ["11"]);
    let grid = told(text, "g");
    assert_eq!(grid[0], "line 7: g[8, 8] = 8, was 0");
    assert!(
        grid.contains(&"... and 69 other parts before: ask for one of them".to_string()),
        "{grid:?}"
    );
}

#[test]
fn what_was_not_evaluated_is_no_cause() {
    let text = "let g = [0, 0, 0];\ng[0] = choose(11, 12);\ng[1] = choose(21, 22);\ng[2] = choose(31, 32);\n\
                let both = g[0] == 9 && g[1] > 0;\nlet either = g[0] > 0 || g[2] > 2;\nlet one = g[0] > 0 ? g[1] : g[2];\n\
                let level = 0;\nif (g[2] > 5) level = 3; else level = g[1];\nlet copied = level;";
    for (place, guesses) in [
        ("both", vec!["11"]),
        ("either", vec!["11"]),
        ("one", vec!["11", "21"]),
        ("copied", vec!["31"]),
    ] {
        assert_eq!(guessed(text, place), guesses, "{place}");
    }
}

/// What was undone is forgotten, and what is done again has its own causes.
#[test]
fn what_was_undone_has_no_part() {
    let text = "let a = [0, 0, 0];\nlet k = choose(11, 12);\na[0] = k;\nlet c = choose(21, 22);\na[1] = a[0] + c;\nlet d = a[1];\n\
                a[0] = 5;\nrequire(k == 12 && c == 22);\na[2] = d;";
    assert_eq!(guessed(text, "a[2]"), ["12", "22"]);
    assert_eq!(told(text, "a[2]").len(), 6, "{:?}", told(text, "a[2]"));
}

/// Generated programs: somebody who has followed each value by hand and the reasons agree on every write and guess behind
/// every place.
#[test]
fn reasons_are_those_of_somebody_who_followed_every_value() {
    let programs = std::env::var("NDSCRIPT_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(150);
    let mut looked_at = 0;
    for seed in 0..programs {
        for asked in World::asked() {
            let world = World::new(seed, 14, asked);
            let program = Engine::new().compile(&world.text).unwrap();
            let mut timeline = Timeline::new(program.run(1));
            assert!(
                matches!(timeline.record(1_000_000), Recorded::Solved(_)),
                "{:?}",
                timeline.recorded()
            );
            for (text, deed) in world.places() {
                let place: Place = text.parse().unwrap();
                let reasons = timeline.why(&place, timeline.end()).unwrap();
                let name = |at: usize| {
                    let link = &reasons.links[at];
                    format!(
                        "{}: {}",
                        link.line.as_ref().map_or(0, |line| line.line),
                        link.place
                    )
                };
                let mut told = BTreeSet::new();
                let (mut seen, mut open) = (BTreeSet::new(), vec![0]);
                while let Some(at) = open.pop() {
                    if seen.insert(at) {
                        told.insert((
                            name(at),
                            reasons.links[at]
                                .from
                                .iter()
                                .map(|from| name(*from))
                                .collect(),
                        ));
                        open.extend(&reasons.links[at].from);
                    }
                }
                looked_at += 1;
                assert_eq!(
                    told,
                    world.behind(deed),
                    "seed {seed}, {text} of\n{}\n{}",
                    world.text,
                    reasons.to_text(&place)
                );
            }
        }
    }
    assert!(looked_at > 5 * programs);
}

/// What ends in an error has written nothing: no variable is told of that got no value.
#[test]
fn what_ends_in_an_error_has_written_nothing() {
    for text in [
        "let a = [1];\nlet z = a[5];",
        "function f(x) { let y = x; let z = x[7]; return z; }\nlet z = f([1]);",
        "let z = 1 / 0;",
        "let b = 2;\nb = toNumber(\"z\");",
    ] {
        let mut told = Vec::new();
        let observer = &mut |_: &Moment<'_>, event: &Event<'_>| {
            if let Event::Write {
                target: Target::Variable(name),
                value,
            } = event
            {
                told.push(format!("{name} = {value}"));
            }
            ControlFlow::Continue(())
        };
        Engine::new()
            .compile(text)
            .unwrap()
            .run(1)
            .watch(1000, observer);
        assert!(
            told.iter()
                .all(|told| !told.ends_with("= null") && !told.starts_with("z =")),
            "{text}: {told:?}"
        );
        assert!(
            told.iter().filter(|told| told.starts_with("b = ")).count() <= 1,
            "{text}: {told:?}"
        );
    }
}

/// What says where to look is no cause where something else is, unless it was guessed.
#[test]
fn what_leads_to_a_place_is_told_where_nothing_else_is() {
    let text = "let near = [[], []];\nnear[0] = [1];\nlet g = [0, 0];\ng[0] = choose(11, 12);\n\
                foreach (q in near[0]) g[q] = g[0] + 1;\nlet i = choose(0, 1);\nlet a = g[i];\nlet order = [0, 1];\norder[1] = 0;\n\
                let b = [7, 8];\nlet c = b[order[1]];";
    assert_eq!(
        told(text, "g[1]")[..2],
        ["line 5: g[1] = 12, was 0", "  line 4: g[0] = 11, was 0"]
    );
    assert!(
        told(text, "g[1]").iter().all(|line| !line.contains("near")),
        "{:?}",
        told(text, "g[1]")
    );
    assert_eq!(guessed(text, "a"), ["0", "11"]);
    assert_eq!(
        told(text, "c")[..2],
        ["line 11: c = 7", "  line 9: order[1] = 0, was 1"]
    );
}

/// What was asked of places that are not there has taken no room for them.
#[test]
fn an_index_out_of_range_is_an_error_and_no_more() {
    for wrong in [
        "let x = a[i];",
        "a[i] = 1;",
        "removeAt(a, i);",
        "insert(a, i, 1);",
        "a[i]++;",
    ] {
        let text = format!("let a = [1, choose(2, 3)]; let i = 1000000000000;\n{wrong}");
        let mut timeline = Timeline::new(Engine::new().compile(&text).unwrap().run(1));
        assert!(
            matches!(timeline.record(10_000_000), Recorded::Error(_)),
            "{wrong}"
        );
        let place: Place = "a".parse().unwrap();
        assert!(
            timeline
                .why(&place, timeline.end())
                .unwrap()
                .to_text(&place)
                .contains("guessed"),
            "{wrong}"
        );
    }
}

/// What went with a failure is not counted any more.
#[test]
fn many_failures_with_a_large_grid_leave_room() {
    let text = "let g = makeGrid(60, 60, 0);\nlet n = chooseElement(range(700));\ng[59, 59] = n; require(n == 699);";
    let limits = ndscript::Limits {
        memory: 16 << 20,
        ..ndscript::Limits::default()
    };
    let program = Engine::new().with_limits(limits).compile(text).unwrap();
    let mut timeline = Timeline::new(program.run(1));
    assert!(matches!(timeline.record(10_000_000), Recorded::Solved(_)));
    let place: Place = "g[59, 59]".parse().unwrap();
    let reasons = timeline
        .why(&place, timeline.end())
        .unwrap()
        .to_text(&place);
    assert!(reasons.contains("guessed alternative"), "{reasons}");
}

#[test]
fn which_function_was_called_is_a_cause() {
    let text = "let k = choose(3, 4); let z = choose(105, 106);\nlet f = k > 3 ? (x => z) : (x => z + 1); let one = f(0);\n\
                let all = [x => 1 + z, x => 2 + z]; let two = all[k % 2](1);\nlet three = map([1], k > 3 ? (x => z) : (x => 7 + z))[0];\n\
                function g(x) { return z; } let four = g(0); let h = g; let five = h(0);";
    assert_guessed(
        text,
        &[
            ("one", &["105", "3"]),
            ("two", &["105", "3"]),
            ("three", &["105", "3"]),
            ("four", &["105"]),
            ("five", &["105"]),
        ],
    );
}

#[test]
fn which_row_was_taken_is_a_cause() {
    let text = "let k = choose(1, 0); let g = gridFromText(\"ab\\ncd\"); let z = choose(\"x\", \"y\"); g[0, 1] = z;\n\
                let row = rowOf(g, k)[0]; let column = columnOf(g, k)[1]; let part = slice([1, 2, 3], k, 3)[0];\nlet first = rowOf(g, 1)[0];";
    assert_guessed(
        text,
        &[
            ("row", &["\"x\"", "1"]),
            ("column", &["1"]),
            ("part", &["1"]),
            ("first", &["\"x\""]),
        ],
    );
}

#[test]
fn what_was_drawn_is_told() {
    let told = |text: &str, place: &str| told(text, place);
    let text = "let n = randomInt(4, 4); let a = [0]; a[0] = n + 1;\nlet e = randomElement([7, 7]);\nlet w = randomElement([5, 6], x => 6 - x);\n\
                let p = setOf(1); let b = choose(randomInt(2, 2), randomInt(2, 2));";
    assert_eq!(
        told(text, "a[0]"),
        [
            "line 1: a[0] = 5, was 0",
            "  line 1: drew 4",
            "line 1: a = [0]"
        ]
    );
    assert_eq!(told(text, "e"), ["line 2: e = 7", "  line 2: drew 7"]);
    assert_eq!(told(text, "w"), ["line 3: w = 5", "  line 3: drew 5"]);
}

#[test]
fn what_a_person_answered_is_told() {
    let program = Engine::new()
        .compile("let name = input(\"Who?\");\nlet a = [name, 1];\na[1] = name + \"!\";")
        .unwrap();
    let mut timeline = Timeline::new(program.run(1));
    timeline.record(1000);
    assert!(timeline.answer(Answer::Line("Ada".to_string())));
    timeline.record(1000);
    let place: Place = "a[1]".parse().unwrap();
    let text = timeline
        .why(&place, timeline.end())
        .unwrap()
        .to_text(&place);
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.split(" (step").next().unwrap())
        .collect();
    assert_eq!(
        lines,
        [
            "a[1] = \"Ada!\"",
            "line 3: a[1] = \"Ada!\", was 1",
            "  line 1: asked \"Who?\"",
            "line 2: a = [\"Ada\", 1]"
        ]
    );
}

#[test]
fn only_candidates_are_lost() {
    let text = "let a = [5, 0]; a[0] = 6; a[1] = setOf(1, 2); a[1] = setOf(1);\nlet g = makeGrid(1, 1, setOf(1, 2, 3));\ng[0, 0] = setOf(2);\ng[0, 0] = 2;";
    assert_eq!(told(text, "a[0]")[0], "line 1: a[0] = 6, was 5");
    assert_eq!(
        told(text, "a[1]")[..2],
        ["line 1: a[1] = {1}, lost 2", "line 1: a[1] = {1, 2}, was 0"]
    );
    assert_eq!(
        told(text, "g[0,0]")[..2],
        [
            "line 4: g[0, 0] = 2, was {2}",
            "line 3: g[0, 0] = {2}, lost 1, 3"
        ]
    );
}

/// A board has places that no constraint is about, and what is written there has its reasons as anywhere else.
#[test]
fn places_without_a_constraint_keep_their_reasons() {
    for write in [
        "b[2] = choose(1, 2);",
        "b[2] = setOf(choose(1, 2));",
        "narrow(b, 2, choose(1, 2));",
    ] {
        let text = format!(
            "var b = [setOf(1, 2), setOf(1, 2), setOf(1, 2)]; allDifferent(b, [0, 1]);\n{write}"
        );
        assert_eq!(
            guessed(&text, "b[2]"),
            ["1"],
            "{write}: {:?}",
            told(&text, "b[2]")
        );
    }
    let text = "var b = [setOf(1, 2), setOf(1, 2)]; constrain(b, [0], () => { if (isSingleton(b[0])) narrow(b, 1, b[0]); });\n\
                narrow(b, 0, choose(1, 2));";
    assert_eq!(guessed(text, "b[1]"), ["1"], "{:?}", told(text, "b[1]"));
}

/// What the first constraint took away is a reason of one that comes later and knows nothing of it.
#[test]
fn a_place_narrowed_before_a_constraint_came_is_its_reason() {
    let text = "var b = [setOf(0, 1, 2), setOf(0, 1, 2), setOf(0, 1, 2)]; b[0] = setOf(choose(1, 2));\n\
                related(b, 1, 0, (x, y) => x <= y); related(b, 1, 2, (x, y) => x == y);";
    assert_eq!(guessed(text, "b[2]"), ["1"], "{:?}", told(text, "b[2]"));
}

#[test]
fn what_was_left_out_of_a_list_was_decided() {
    let text = "let k = choose(1, 2);\nlet free = filter([1], x => x != k); let r = isEmpty(free); let n = sizeOf(free);\n\
                let a = []; if (k == 1) a = [4]; let s = isEmpty(a); let m = [[], []]; push(m[k - 1], 3); let t = sizeOf(m[0]);";
    assert_guessed(
        text,
        &[("r", &["1"]), ("n", &["1"]), ("s", &["1"]), ("t", &["1"])],
    );
}

#[test]
fn an_order_that_was_drawn_is_told() {
    let text = "let order = shuffled([7, 7]); let first = order[0];";
    assert_eq!(
        told(text, "first"),
        ["line 1: first = 7", "  line 1: shuffled"]
    );
}

#[test]
fn what_a_place_had_lost_before_a_constraint_came_is_a_cause() {
    let text = "let b = [setOf(7, 8, 9), setOf(7, 8, 9), setOf(7, 8, 9)];\nb[0] = setOf(9);\nsumOf(b, 0, 24);\nb[1] = 8;";
    assert_eq!(
        told(text, "b[2]"),
        [
            "line 4: b[2] = {7}, lost 8, by sumOf with b[0], b[1]",
            "  line 4: b[1] = {8}, lost 7",
            "    line 3: b[1] = {7, 8}, lost 9, by sumOf with b[0]",
            "      line 2: b[0] = {9}, lost 7, 8",
            "  line 2: b[0] = {9}, lost 7, 8",
            "line 3: b[2] = {7, 8}, lost 9, by sumOf with b[0]",
            "  line 2: b[0] = {9}, lost 7, 8",
            "line 1: b = [{7, 8, 9}, {7, 8, 9}, {7, 8, 9}]",
        ]
    );
    let text = "let b = [setOf(1, 2), setOf(1, 2), setOf(1, 2)];\nnarrow(b, 0, 1);\n\
                tuples(b, [0, 1, 2], [[1, 1, 1], [1, 2, 2], [2, 1, 2]]);\nb[1] = 1;";
    assert_eq!(
        told(text, "b[2]")[0],
        "line 4: b[2] = {1}, lost 2, by tuples with b[0], b[1]"
    );
}

#[test]
fn what_the_same_statement_took_from_another_place_is_a_cause() {
    let text = "let map = {};\nforeach (land in [\"Chad\", \"Libya\", \"Niger\"]) map[land] = setOf(\"red\", \"green\", \"blue\");\n\
                related(map, \"Chad\", \"Niger\", (a, b) => a != b);\nrelated(map, \"Libya\", \"Niger\", (a, b) => a != b);\n\
                tuples(map, [\"Chad\", \"Libya\"], [[\"red\", \"green\"], [\"green\", \"red\"], [\"blue\", \"blue\"]]);\n\
                map.Chad = \"red\";";
    assert_eq!(
        told(text, "map.Niger")[..4],
        [
            "line 6: map.Niger = {\"blue\"}, lost \"green\", \"red\", by related with map.Chad, map.Libya",
            "  line 6: map.Libya = {\"green\"}, lost \"blue\", \"red\", by tuples with map.Chad",
            "    line 6: map.Chad = {\"red\"}, lost \"blue\", \"green\"",
            "  line 6: map.Chad = {\"red\"}, lost \"blue\", \"green\"",
        ]
    );
}

#[test]
fn all_that_a_cause_had_lost_is_told() {
    let text = "let b = [setOf(1, 2, 3), setOf(1, 2, 3), setOf(1, 2, 3)];\nallDifferent(b);\nnarrow(b, 0, setOf(1, 2));\natMost(b, 0, 1, [0]);";
    assert_eq!(
        told(text, "b[1]"),
        [
            "line 4: b[1] = {1, 3}, lost 2, by allDifferent with b[0]",
            "  line 4: b[0] = {2}, lost 1, by atMost",
            "    line 3: b[0] = {1, 2}, lost 3",
            "line 1: b = [{1, 2, 3}, {1, 2, 3}, {1, 2, 3}]",
        ]
    );
}
