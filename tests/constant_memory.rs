//! What must not grow with the number of turns, by the machine's own account.

use ndscript::{Engine, Limits, Outcome, Statistics};

/// Runs a program within a tight limit of memory and returns what it did.
fn run(text: &str) -> (String, Statistics) {
    let limits = Limits {
        memory: 32 << 20,
        ..Limits::default()
    };
    let program = Engine::new().with_limits(limits).compile(text).unwrap();
    let mut run = program.run(1);
    match run.resume(u64::MAX) {
        Outcome::Solved(solution) => (solution.text, run.statistics()),
        other => panic!("{other:?} of {text}"),
    }
}

/// Below the size at which garbage is collected for the first time, and some.
const SMALL: usize = 20 << 20;

#[test]
fn a_million_deterministic_calls_with_choices_inside() {
    let (text, statistics) =
        run("deterministic function pick(i) { var x = choose(1, 2, 3); if (x == 1) fail; return x + i; }
         var sum = 0;
         choose first {} or {}
         for (let i = 0; i < 1000000; i++) sum += pick(i) - i;
         print(sum);");
    assert_eq!(text, "2000000");
    assert!(
        statistics.memory < SMALL && statistics.open_choices < 10,
        "{statistics:?}"
    );
}

#[test]
fn ten_million_writes_to_one_place_after_a_choice() {
    for (declare, write) in [
        ("var x = 0;", "x = i;"),
        ("var a = [0, 0]; ", "a[1] = i;"),
        ("var g = makeGrid(3, 3, 0);", "g[1, 1] = i;"),
        ("var o = {n: 0};", "o.n = i;"),
        ("let x = 0; let f = () => x; ", "x = i;"),
    ] {
        let turns = if cfg!(debug_assertions) {
            2_000_000
        } else {
            10_000_000
        };
        let program = format!(
            "{declare} choose first {{}} or {{}} for (let i = 0; i < {turns}; i++) {write} print(\"done\");"
        );
        let (text, statistics) = run(&program);
        assert_eq!(text, "done");
        assert!(statistics.memory < 100_000, "{write} {statistics:?}");
    }
}

#[test]
fn a_grid_cell_that_is_decided_and_undecided_again_and_again() {
    let (_, statistics) = run("var g = makeGrid(4, 4, setOf(1, 2));
         var open = nonsingletonPositionsOf(g);
         choose first {} or {}
         for (let i = 0; i < 1000000; i++) { g[0, 0] = setOf(1); g[0, 0] = setOf(1, 2); }
         print(sizeOf(open));");
    assert!(statistics.memory < 200_000, "{statistics:?}");
}

/// Each failure takes back how far the text has grown, and what comes next is written over it.
#[test]
fn a_text_that_grows_beside_failures() {
    let grow = |turns: usize| {
        run(&format!(
            "var s = \"\";
             for (let i = 0; i < {turns}; i++) {{
                 once(() => {{ choose first {{ s += \"wrong\"; fail; }} or {{ s += \"é\"; }} or {{ fail; }} }});
                 choose first {{ s += \"x\"; if (i % 2 == 0) fail; }} or {{ s += \"yy\"; }}
             }}
             print(sizeOf(s));"
        ))
    };
    let (text, statistics) = grow(40_000);
    assert_eq!(text, "100000");
    let (_, half) = grow(20_000);
    assert!(
        statistics.steps < half.steps * 21 / 10,
        "{} and {} steps",
        half.steps,
        statistics.steps
    );
}

/// They own no block, so their garbage is nothing but places that are used again.
#[test]
fn functions_that_capture_nothing() {
    let (text, statistics) =
        run("for (let i = 0; i < 8000000; i++) { let f = () => 1; } print(\"done\");");
    assert_eq!(text, "done");
    assert!(statistics.memory < SMALL, "{statistics:?}");
}

#[test]
fn a_loop_whose_once_succeeds() {
    let (text, statistics) = run("var n = 0;
         for (let i = 0; i < 300000; i++) { once(() => { let x = chooseElement([1, 2, 3]); n += 1; return x; }); }
         print(n);");
    assert_eq!(text, "300000");
    assert!(
        statistics.memory < SMALL && statistics.open_choices < 10,
        "{statistics:?}"
    );
}

#[test]
fn a_loop_that_makes_garbage() {
    let (text, statistics) = run("var last = null;
         for (let i = 0; i < 400000; i++) last = {number: i, list: [i, i + 1, \"text \" + i], set: setOf(i, i + 1)};
         print(last.number);");
    assert_eq!(text, "399999");
    assert!(
        statistics.collections > 2 && statistics.memory < 32 << 20,
        "{statistics:?}"
    );
}

#[test]
fn a_queue_that_stays_short() {
    let (_, statistics) = run(
        "var q = queue();
         choose first {} or {}
         for (let i = 0; i < 300000; i++) { enqueue(i, q); enqueue(i + 1, q); dequeue(q); if (sizeOf(q) > 40) dequeue(q); }
         print(sizeOf(q));",
    );
    assert!(statistics.memory < 2 << 20, "{statistics:?}");
}

#[test]
fn a_large_set_built_one_by_one() {
    let size = if cfg!(debug_assertions) {
        20_000
    } else {
        100_000
    };
    let program = format!(
        "var s = setOf();
         for (let i = 0; i < {size}; i++) s = add(s, (i * 7919) % {size});
         print(sizeOf(s), \" \", toArray(s)[17], \" \", s == toSet(range({size})));"
    );
    let limits = Limits {
        memory: 256 << 20,
        ..Limits::default()
    };
    let solution = Engine::new()
        .with_limits(limits)
        .compile(&program)
        .unwrap()
        .run(1)
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(solution.text, format!("{size} 17 true"));
}

#[test]
fn a_hundred_thousand_nested_calls() {
    let (text, statistics) = run(
        "function depth(n) { if (n == 0) return 0; return 1 + depth(n - 1); } print(depth(100000));",
    );
    assert_eq!(text, "100000");
    assert!(statistics.depth >= 100_000, "{statistics:?}");
}

#[test]
fn the_time_of_a_decision_does_not_grow_with_the_map() {
    // Steps, not seconds: they count the work of built-ins, too.
    let per_cell = |size: usize| {
        let text = include_str!("../examples/tiles/map.nds")
            .replace("makeGrid(10, 10,", &format!("makeGrid({size}, {size},"))
            .replace("printTilesetMap(g, \"gray\");", "");
        let limits = Limits {
            memory: 1 << 30,
            ..Limits::default()
        };
        let program = Engine::new().with_limits(limits).compile(&text).unwrap();
        let mut run = program.run(7);
        assert!(matches!(run.resume(u64::MAX), Outcome::Solved(_)));
        run.statistics().steps as f64 / (size * size) as f64
    };
    let (small, large) = (per_cell(32), per_cell(150));
    assert!(
        large < small * 1.3,
        "{small} steps a cell at 32, {large} at 150"
    );
}
