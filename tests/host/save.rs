//! Saved runs: what is bound to what, and what becomes of bytes that are not what was saved.

use ndscript::{Engine, LimitReached, Limits, Outcome, RestoreError, Run, RunError};

#[path = "../../examples/embed/save.rs"]
mod example;

#[test]
fn a_search_outlives_its_process() {
    example::main().unwrap();
}

/// A little of everything: every kind of value, open choices of every sort, a search for the cheapest, output.
pub const PROGRAM: &str = "
    var grid2 = makeGrid(3, 2, setOf(1, 2, 3));
    var people = priorityQueue(); enqueue(\"a\", people, 2.5); enqueue([1], people, 1);
    var q = queue(); foreach (i in range(20)) enqueue(i * 1e100, q);
    var big = toSet(range(50));
    var near = relation([1, 2], [setOf(1), \"x\"]);
    var o = {a: 1, b: {c: position(3, 4)}}; o.self = o;
    function counter() { var n = 0; return () => { n = n + 1; return n; }; }
    var tick = counter();
    printHeatmap(makeGrid(2, 1, 0.5));
    while (!isEmpty(nonsingletonPositionsOf(grid2))) {
        var p = chooseElement(nonsingletonPositionsOf(grid2));
        grid2[p] = setOf(chooseElement(grid2[p], {\"1\": 1, \"2\": 3, \"3\": 0}));
        tick();
        print(toString(grid2[p]));
    }
    function pick() { choose { cost(3); return chooseElement(big); } or { cost(1); return -1; } }
    var cheapest = minimize(pick);
    choose first print(\"one\"); or print(\"two\");
    var line = input(\"which?\");
    printImage(\"red\");
    print(cheapest, line, tick(), dequeue(people), peek(q), rightImage(near, setOf(1)), randomInt(0, 99));
";

fn engine() -> Engine {
    Engine::new().with_limits(Limits {
        memory: 64 << 20,
        ..Limits::default()
    })
}

/// A run after so many steps.
pub fn stopped(engine: &Engine, text: &str, steps: u64) -> Run {
    let mut run = engine.compile(text).unwrap().run(3);
    if let Outcome::Error(error) = run.resume(steps) {
        panic!("{error:?}");
    }
    run
}

/// All that is left of a run, as text.
fn rest(mut run: Run) -> String {
    let mut told = String::new();
    for _ in 0..40 {
        match run.resume(u64::MAX) {
            Outcome::Asked(question) => {
                told.push_str(&format!("{question:?}"));
                assert!(run.answer_text("that one"));
            }
            Outcome::Solved(solution) => {
                told.push_str(&format!("{} {:?};", solution.text, solution.pictures))
            }
            other => {
                told.push_str(&format!("{other:?}"));
                break;
            }
        }
    }
    told + &format!("{:?}", run.statistics().steps)
}

#[test]
fn a_run_goes_on_in_another_engine() {
    let expected = rest(stopped(&engine(), PROGRAM, 0));
    assert!(
        expected.contains("that one") && expected.contains("Failed"),
        "{expected}"
    );
    for steps in [0, 1, 60, 150, 220, 260, 400, 800, u64::MAX] {
        let saved = stopped(&engine(), PROGRAM, steps).save().unwrap();
        let other = engine();
        let program = other.compile(PROGRAM).unwrap();
        assert_eq!(
            rest(other.restore(&program, &saved).unwrap()),
            expected,
            "after {steps} steps"
        );
    }
}

#[test]
fn every_changed_or_missing_byte_is_noticed() {
    let engine = engine();
    let program = engine.compile(PROGRAM).unwrap();
    let saved = stopped(&engine, PROGRAM, 300).save().unwrap();
    assert!(engine.restore(&program, &saved).is_ok());
    for length in 0..saved.len() {
        assert!(
            engine.restore(&program, &saved[..length]).is_err(),
            "{length} bytes"
        );
    }
    let mut damaged = saved.clone();
    for at in 0..saved.len() {
        damaged[at] ^= 1 << (at % 8);
        assert!(engine.restore(&program, &damaged).is_err(), "byte {at}");
        damaged[at] = saved[at];
    }
    damaged.push(0);
    assert_eq!(
        engine.restore(&program, &damaged).err(),
        Some(RestoreError::Damaged)
    );
    assert_eq!(
        engine.restore(&program, b"").err(),
        Some(RestoreError::NotASave)
    );
    assert_eq!(
        engine.restore(&program, b"var x = 1;").err(),
        Some(RestoreError::NotASave)
    );
}

#[test]
fn a_save_belongs_to_its_program() {
    let engine = engine();
    let text = "print(choose(1, 2));";
    let saved = engine.compile(text).unwrap().run(1).save().unwrap();
    let restore = |engine: &Engine, name: &str, text: &str| {
        engine
            .restore(&engine.compile_named(name, text).unwrap(), &saved)
            .err()
    };
    assert_eq!(restore(&engine, "program", text), None);
    let outside = "what stands outside of its functions, or their order";
    let other = Some(RestoreError::Changed(outside.to_string()));
    assert_eq!(restore(&engine, "program", "print(choose(1, 3));"), other);
    assert_eq!(
        restore(&engine, "program", "print(choose(1, 2)); print(1);"),
        other
    );
}

#[test]
fn a_save_survives_what_does_not_matter() {
    let engine = engine().with_function("first", |n: i64| n);
    let text = "function f(x) { return x + choose(1, 2); }\nlet n = 0; while (n < 900) n += 1; print(f(first(n)));";
    let program = engine.compile(text).unwrap();
    let mut run = program.run(1);
    assert!(matches!(run.resume(100), Outcome::OutOfFuel));
    let saved = run.save().unwrap();
    let restored = |engine: &Engine, name: &str, text: &str| {
        let program = engine.compile_named(name, text).unwrap();
        engine.restore(&program, &saved).map(|run| {
            let texts: Vec<String> = run.map(|each| each.unwrap().text).collect();
            texts
        })
    };
    let found = Ok(vec!["901".to_string(), "902".to_string()]);
    let spaced = format!(
        "// A game.\n\n{}",
        text.replace("return", "/* a guess */\n  return")
    );
    let more = engine.clone().with_function("second", |n: i64| n);
    for (engine, name, text) in [
        (&engine, "elsewhere/game.nds", text),
        (&engine, "program", &*spaced),
        (&more, "program", text),
        (&more, "game", &*spaced),
    ] {
        assert_eq!(restored(engine, name, text), found, "{name}: {text}");
    }
    // Messages have the places of the text that there is now.
    let failing = text.replace("print(f(first(n)))", "error('here')");
    let mut run = engine.compile(&failing).unwrap().run(1);
    run.resume(100);
    let program = engine
        .compile(&failing.replace("error", "\n\nerror"))
        .unwrap();
    let mut run = engine.restore(&program, &run.save().unwrap()).unwrap();
    assert!(
        run.next()
            .unwrap()
            .unwrap_err()
            .to_string()
            .starts_with("program:4:1: here")
    );
}

#[test]
fn what_matters_and_has_changed_is_named() {
    let engine = engine().with_function("first", |n: i64| n);
    let text = "function f(x) { function inner() { return 1; } return x + inner(); } function g() { return 2; } print(f(g()));";
    let saved = engine.compile(text).unwrap().run(1).save().unwrap();
    let what = |engine: &Engine, text: &str| match engine
        .restore(&engine.compile(text).unwrap(), &saved)
        .err()
    {
        Some(RestoreError::Changed(what)) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        what(&engine, &text.replace("return 2", "return 3")),
        "the function `g`"
    );
    assert_eq!(
        what(&engine, &text.replace("return 1", "return 7")),
        "the function `inner`"
    );
    assert_eq!(
        what(
            &engine,
            &text.replace("function g() { return 2; }", "var g = () => 2;")
        ),
        "the function `g`, which is gone"
    );
    assert_eq!(
        what(&engine, &format!("{text} function h() {{}}")),
        "the function `h`, which is new"
    );
    assert!(
        what(&engine, &text.replace("f(g())", "f(g() + 1)"))
            .starts_with("what stands outside of its functions")
    );
    let missing = "the host's function `first`";
    assert!(what(&self::engine(), text).starts_with(missing));
    let other = self::engine()
        .with_function("zeroth", |n: i64| n)
        .with_function("first", |n: i64| n);
    assert!(what(&other, text).starts_with(missing));
    let other = self::engine().with_function("first", |n: i64, m: i64| n + m);
    assert!(what(&other, text).starts_with(missing));
}

#[test]
fn a_state_larger_than_the_limit_is_refused() {
    let text = "var a = range(100000); print(choose(1, 2));";
    let engine = engine();
    let mut run = engine.compile(text).unwrap().run(1);
    run.next().unwrap().unwrap();
    let saved = run.save().unwrap();
    let small = engine.clone().with_limits(Limits {
        memory: 500_000,
        ..Limits::default()
    });
    let program = small.compile(text).unwrap();
    assert_eq!(
        small.restore(&program, &saved).err(),
        Some(RestoreError::TooLarge)
    );
}

#[test]
fn a_copy_goes_on_where_a_limit_has_stopped_the_run() {
    let text = "var n = 0; while (n < 3000) { n = n + 1; choose n = n; or fail; } print(n);";
    let free = Engine::new();
    let limited = Engine::new().with_limits(Limits {
        steps: 2000,
        ..Limits::default()
    });
    let mut unstopped = free.compile(text).unwrap().run(5);
    let expected = unstopped.next().unwrap().unwrap();
    let mut run = limited.compile(text).unwrap().run(5);
    assert!(matches!(run.resume(u64::MAX), Outcome::Limit(_)));
    assert!(run.can_go_on());
    // The run itself stands still.
    assert!(matches!(
        run.next(),
        Some(Err(RunError::Limit(LimitReached::Steps(2000))))
    ));
    assert!(run.next().is_none());
    let program = free.compile(text).unwrap();
    let mut restored = free.restore(&program, &run.save().unwrap()).unwrap();
    assert_eq!(restored.next().unwrap().unwrap(), expected);
    assert_eq!(restored.statistics().steps, unstopped.statistics().steps);

    let mut run = program.run(5);
    let mut passed = 0;
    for steps in [0, 1, 10, 1000, 100, 500] {
        run.resume(steps);
        run.cancel_token().cancel();
        if let Outcome::Limit(_) = run.resume(u64::MAX) {
            passed += 1;
        }
        run = free.restore(&program, &run.save().unwrap()).unwrap();
    }
    assert!(passed > 3);
    assert_eq!(run.next().unwrap().unwrap(), expected);
    assert_eq!(run.statistics().steps, unstopped.statistics().steps);

    let mut run = free.compile("print(1 / 0);").unwrap().run(1);
    assert!(matches!(run.resume(u64::MAX), Outcome::Error(_)));
    assert!(!run.can_go_on());
    let mut run = free
        .restore(
            &free.compile("print(1 / 0);").unwrap(),
            &run.save().unwrap(),
        )
        .unwrap();
    assert!(matches!(run.resume(u64::MAX), Outcome::Failed));
}

#[test]
fn memory_that_runs_out_can_be_given() {
    let text = "var a = []; while (sizeOf(a) < 200000) push(a, [sizeOf(a)]); print(sizeOf(a));";
    let small = Engine::new().with_limits(Limits {
        memory: 4 << 20,
        ..Limits::default()
    });
    let mut run = small.compile(text).unwrap().run(1);
    assert!(matches!(run.resume(u64::MAX), Outcome::Limit(_)));
    assert!(run.can_go_on());
    let large = engine();
    let program = large.compile(text).unwrap();
    let mut restored = large.restore(&program, &run.save().unwrap()).unwrap();
    assert_eq!(restored.next().unwrap().unwrap().text, "200000");
}
