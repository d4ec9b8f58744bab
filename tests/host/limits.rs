//! Runs that have stopped at a limit or were cancelled: they say so, and go on when it is lifted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use ndscript::{
    CancelToken, Data, Engine, HostType, HostValue, LimitReached, Limits, Outcome, Run, RunError,
    Solution, ValueError,
};

/// Programs that reach a limit, the limits, and the name of the one that they reach.
fn programs() -> Vec<(&'static str, Limits, &'static str)> {
    let all = Limits::default();
    let many = "let a = []; for (let i = 0; i < 60000; i++) push(a, [i]); choose first fail; or {} print(sum(map(a, x => x[0])));";
    vec![
        (
            "let n = 0; while (n < 5000) n += choose(1, 2); print(n);",
            Limits { steps: 999, ..all },
            "Steps",
        ),
        (
            many,
            Limits {
                memory: 2 << 20,
                ..all
            },
            "Memory",
        ),
        (
            "let s = \"ab\"; for (let i = 0; i < 21; i++) s += s; print(sizeOf(s));",
            Limits {
                memory: 2 << 20,
                ..all
            },
            "Memory",
        ),
        (
            "print(repeat(\"abcdef\", 300000));",
            Limits {
                memory: 3 << 20,
                ..all
            },
            "Memory",
        ),
        (
            "function f(n) { return n == 0 ? 0 : 1 + f(n - 1); } print(f(500));",
            Limits { depth: 100, ..all },
            "Depth",
        ),
        (
            "function f(n) { if (n == 0) return 0; return map([n], x => 1 + f(x - 1))[0]; } print(f(99));",
            Limits { depth: 50, ..all },
            "Depth",
        ),
        (
            "function f(a, n) { return n == 0 ? a : once(() => choose(f(a + n, n - 1), 7)); } print(f(0, 99));",
            Limits { depth: 50, ..all },
            "Depth",
        ),
        (
            "for (let i = 0; i < 100; i++) print(i, \";\"); return choose(1, 2);",
            Limits { output: 99, ..all },
            "Output",
        ),
        (
            "print(range(200)); return 5;",
            Limits { output: 99, ..all },
            "Output",
        ),
        (
            "let t = toString(range(200)); print(sizeOf(t));",
            Limits { output: 99, ..all },
            "Output",
        ),
        (
            "for (let i = 0; i < 9; i++) printImage(\"red\"); choose(1, 2);",
            Limits { pictures: 3, ..all },
            "Pictures",
        ),
        (
            "print(1); printHeatmap(makeGrid(9, 9, 1)); print(2);",
            Limits {
                picture_cells: 80,
                ..all
            },
            "PictureSize",
        ),
    ]
}

/// The first solutions of a run.
fn solutions(mut run: Run) -> Vec<Solution> {
    let mut found = Vec::new();
    while found.len() < 2 {
        match run.resume(u64::MAX) {
            Outcome::Solved(solution) => found.push(solution),
            Outcome::Failed => break,
            other => panic!("{other:?}"),
        }
    }
    found
}

fn stopped(text: &str, limits: Limits, name: &str) -> Run {
    let mut run = Engine::new()
        .with_limits(limits)
        .compile(text)
        .unwrap()
        .run(4);
    for _ in 0..3 {
        match run.resume(u64::MAX) {
            Outcome::Limit(limit) => assert_eq!(limit.name(), name, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    run
}

/// There may be as many sums of a value and an offset as pairs of both, but here there are few.
#[test]
fn different_sums_take_the_memory_of_the_sums_that_there_are() {
    let text = "let all = toSet(range(400)); let b = map(range(400), i => all);
        allDifferent(b, range(400), range(400)); print(sizeOf(b));";
    let limits = Limits {
        memory: 5 << 20,
        ..Limits::default()
    };
    let outcome = Engine::new()
        .with_limits(limits)
        .compile(text)
        .unwrap()
        .run(1)
        .resume(u64::MAX);
    assert!(matches!(outcome, Outcome::Solved(_)), "{outcome:?}");
}

#[test]
fn a_run_goes_on_when_its_limit_is_raised() {
    for (text, limits, name) in programs() {
        let expected = solutions(Engine::new().compile(text).unwrap().run(4));
        assert!(!expected.is_empty());
        let mut run = stopped(text, limits, name);
        // Setting the same limits again lifts nothing.
        run.set_limits(limits);
        assert!(
            matches!(run.resume(u64::MAX), Outcome::Limit(limit) if limit.name() == name),
            "{text}"
        );
        let mut clone = run.clone();
        for run in [&mut run, &mut clone] {
            run.set_limits(Limits::default());
            assert_eq!(*run.limits(), Limits::default());
        }
        assert_eq!(solutions(clone), expected, "{text}");
        assert_eq!(solutions(run), expected, "{text}");
    }
}

#[test]
fn a_saved_run_goes_on_under_other_limits() {
    for (text, limits, name) in programs() {
        let free = Engine::new();
        let program = free.compile(text).unwrap();
        let expected = solutions(program.run(4));
        let mut run = stopped(text, limits, name);
        assert!(run.can_go_on());
        let saved = run.save().unwrap();
        assert_eq!(
            solutions(free.restore(&program, &saved).unwrap()),
            expected,
            "{text}"
        );
    }
}

#[test]
fn limits_are_raised_little_by_little() {
    for (text, limits, name) in programs() {
        let expected = solutions(Engine::new().compile(text).unwrap().run(4));
        let mut run = stopped(text, limits, name);
        let (mut found, mut stops) = (Vec::new(), 0);
        while found.len() < expected.len() {
            match run.resume(u64::MAX) {
                Outcome::Solved(solution) => found.push(solution),
                Outcome::Limit(limit) => {
                    assert_eq!(limit.name(), name);
                    stops += 1;
                    let Limits {
                        steps,
                        memory,
                        depth,
                        output,
                        pictures,
                        picture_cells,
                        source,
                        time,
                    } = *run.limits();
                    let more = |amount: usize| amount + amount / 8 + 1;
                    run.set_limits(Limits {
                        steps: steps + steps / 8 + 1,
                        memory: more(memory),
                        depth: more(depth),
                        output: more(output),
                        pictures: more(pictures),
                        picture_cells: more(picture_cells),
                        source,
                        time,
                    });
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(stops > 0 && stops < 200, "{text}: {stops}");
        let texts = |found: &[Solution]| {
            found
                .iter()
                .map(|s| (s.text.clone(), s.pictures.len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(&found), texts(&expected), "{text}");
    }
}

#[test]
fn a_limit_can_be_lowered() {
    let program = Engine::new()
        .compile("let a = []; while (true) push(a, [1, 2]);")
        .unwrap();
    let mut run = program.run(1);
    assert!(matches!(run.resume(10_000), Outcome::OutOfFuel));
    run.set_limits(Limits {
        memory: 4 << 20,
        ..Limits::default()
    });
    assert!(matches!(
        run.resume(u64::MAX),
        Outcome::Limit(LimitReached::Memory(4_194_304))
    ));
    assert!(run.memory() < 6 << 20);
    run.set_limits(Limits {
        memory: 1 << 20,
        ..Limits::default()
    });
    assert!(matches!(
        run.resume(u64::MAX),
        Outcome::Limit(LimitReached::Memory(1_048_576))
    ));
}

#[test]
fn a_loop_over_a_run_ends_at_a_limit() {
    let limits = Limits {
        steps: 1000,
        ..Limits::default()
    };
    let program = Engine::new()
        .with_limits(limits)
        .compile("print(1); choose first {} or while (true) {}")
        .unwrap();
    let mut run = program.run(1);
    let told: Vec<_> = run.by_ref().collect();
    assert!(matches!(
        &told[..],
        [Ok(_), Err(RunError::Limit(LimitReached::Steps(1000)))]
    ));
    run.set_limits(Limits {
        steps: 2000,
        ..limits
    });
    assert!(matches!(
        &run.collect::<Vec<_>>()[..],
        [Err(RunError::Limit(LimitReached::Steps(2000)))]
    ));
}

#[test]
fn time_is_lifted_like_the_others() {
    let now = Arc::new(AtomicU64::new(0));
    let clock = now.clone();
    let limits = Limits {
        time: Duration::from_secs(5),
        ..Limits::default()
    };
    let engine = Engine::new()
        .with_limits(limits)
        .with_clock(move || Duration::from_secs(clock.fetch_add(1, Ordering::Relaxed)));
    let mut run = engine
        .compile("for (let i = 0; i < 2000000; i++) {} print(7);")
        .unwrap()
        .run(1);
    assert!(matches!(
        run.resume(u64::MAX),
        Outcome::Limit(LimitReached::Time(_))
    ));
    assert!(matches!(
        run.resume(u64::MAX),
        Outcome::Limit(LimitReached::Time(_))
    ));
    run.set_limits(Limits::default());
    assert!(matches!(run.resume(u64::MAX), Outcome::Solved(solution) if solution.text == "7"));
}

#[test]
fn a_call_that_reaches_a_limit_leaves_the_run_as_it_was() {
    let text = "var n = 1; function f(k) { n = k; while (true) {} } choose first {} or { n = 2; for (let i = 0; i < 9; i++) {} }";
    let mut run = Engine::new()
        .with_limits(Limits {
            steps: 9000,
            ..Limits::default()
        })
        .compile(text)
        .unwrap()
        .run(1);
    run.next().unwrap().unwrap();
    for _ in 0..2 {
        let mut call = run.call("f", (5,)).unwrap();
        assert!(matches!(
            call.next(),
            Some(Err(RunError::Limit(LimitReached::Steps(9000))))
        ));
        assert!(call.next().is_none());
        drop(call);
        assert_eq!(run.view_global("n").unwrap().as_i64(), Some(1));
    }
    assert!(matches!(
        run.resume(u64::MAX),
        Outcome::Limit(LimitReached::Steps(9000))
    ));
    run.set_limits(Limits::default());
    assert!(matches!(run.resume(u64::MAX), Outcome::Solved(_)));
    assert_eq!(run.view_global("n").unwrap().as_i64(), Some(2));
}

/// Each solution and each answer comes before the main loop looks at its limits.
#[test]
fn limits_are_looked_at_whenever_the_host_lets_a_run_go_on() {
    let texts = [
        "for (;;) { for (var i = 0; i < 1000; i++) {} choose first break; or {} }",
        "for (;;) { for (var i = 0; i < 1000; i++) {} input(\"go on?\"); }",
    ];
    for text in texts {
        let clock = AtomicU64::new(0);
        let engine = Engine::new()
            .with_limits(Limits {
                time: Duration::from_secs(20),
                ..Limits::default()
            })
            .with_clock(move || Duration::from_secs(clock.fetch_add(1, Ordering::Relaxed)));
        let mut run = engine.compile(text).unwrap().run(1);
        let go_on = |run: &mut ndscript::Run| {
            let outcome = run.resume(u64::MAX);
            assert!(!matches!(outcome, Outcome::Asked(_)) || run.answer_text("yes"));
            outcome
        };
        let mut looks = 0;
        let limit = loop {
            looks += 1;
            match go_on(&mut run) {
                Outcome::Solved(_) | Outcome::Asked(_) => {
                    assert!(looks < 100, "the clock is not looked at")
                }
                Outcome::Limit(limit) => break limit,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(limit, LimitReached::Time(Duration::from_secs(20)), "{text}");
        run.set_limits(Limits {
            time: Duration::MAX,
            ..Limits::default()
        });
        assert!(matches!(
            go_on(&mut run),
            Outcome::Solved(_) | Outcome::Asked(_)
        ));
        run.cancel_token().cancel();
        assert!(
            matches!(go_on(&mut run), Outcome::Limit(LimitReached::Cancelled)),
            "{text}"
        );
        run.cancel_token().clear();
        assert!(
            matches!(go_on(&mut run), Outcome::Solved(_) | Outcome::Asked(_)),
            "{text}"
        );
    }
}

/// A limit may be more than any machine has.
#[test]
fn memory_that_nobody_has_is_a_limit() {
    let limits = Limits {
        memory: usize::MAX,
        output: usize::MAX,
        picture_cells: usize::MAX,
        ..Limits::default()
    };
    let engine = Engine::new().with_limits(limits);
    for text in [
        "range(9007199254740991);",
        "range(-9007199254740991, 9007199254740991);",
        "foreach (x in shuffled(range(9007199254740991))) {}",
        "repeat(\"ab\", 9007199254740991);",
        "makeGrid(4294967295, 4294967295, 0);",
        "makeGrid(2147483647, 2147483647, 0);",
        "makeGrid(100000000, 1000000, 0);",
        "var a = [1]; toArray(range(4503599627370496));",
    ] {
        let mut run = engine.compile(text).unwrap().run(1);
        let outcome = run.resume(1_000_000);
        assert!(
            matches!(outcome, Outcome::Limit(_) | Outcome::Error(_)),
            "{text}: {outcome:?}"
        );
    }
}

#[test]
fn a_clone_has_a_token_of_its_own() {
    let program = Engine::new().compile("while (true) {}").unwrap();
    let mut run = program.run(1);
    let mut clone = run.clone();
    run.cancel_token().cancel();
    let mut later = run.clone();
    assert!(matches!(
        run.resume(1000),
        Outcome::Limit(LimitReached::Cancelled)
    ));
    assert!(matches!(
        run.resume(1000),
        Outcome::Limit(LimitReached::Cancelled)
    ));
    let mut last = run.clone();
    for other in [&mut clone, &mut later, &mut last] {
        assert!(matches!(other.resume(1000), Outcome::OutOfFuel));
    }
    run.cancel_token().clear();
    assert!(matches!(run.resume(1000), Outcome::OutOfFuel));

    let both = CancelToken::new();
    run.set_cancel_token(&both);
    clone.set_cancel_token(&run.cancel_token());
    both.cancel();
    for run in [&mut run, &mut clone] {
        assert!(matches!(
            run.resume(1000),
            Outcome::Limit(LimitReached::Cancelled)
        ));
    }
    assert!(matches!(later.resume(1000), Outcome::OutOfFuel));
}

/// What a run does in one step may begin below the limit of memory and end above it, but not far.
#[test]
fn memory_goes_a_fifth_beyond_its_limit_at_most() {
    let limit = 16 << 20;
    let engine = Engine::new().with_limits(Limits {
        memory: limit,
        ..Limits::default()
    });
    let mut stopped = 0;
    for entry in std::fs::read_dir("benches/memory").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "nds") {
            let mut run = engine
                .compile(&std::fs::read_to_string(&path).unwrap())
                .unwrap()
                .run(7);
            if let Outcome::Limit(reached) = run.resume(u64::MAX) {
                assert_eq!(reached, LimitReached::Memory(limit), "{}", path.display());
                stopped += 1;
            }
            let most = run.statistics().memory;
            assert!(
                most <= limit + limit / 5,
                "{}: {most} bytes",
                path.display()
            );
        }
    }
    assert!(stopped > 15, "{stopped}");
}

/// The first write behind a choice makes a row ready for undoing it, however long it is.
#[test]
fn a_write_into_a_large_collection_has_to_have_room() {
    let limit = 16 << 20;
    let engine = Engine::new().with_limits(Limits {
        memory: limit,
        ..Limits::default()
    });
    for (make, write) in [
        ("range(1300000)", "c[5] = 7"),
        ("range(1300000)", "pop(c)"),
        ("range(1300000)", "insert(c, 0, 1)"),
        ("range(1300000)", "removeAt(c, 0)"),
        ("makeGrid(1000, 1300, 1)", "c[5, 6] = 7"),
        ("makeGrid(1000, 1300, 1)", "c[position(5, 6)] = 7"),
        ("makeGrid(1000, 1300, 1)", "fill(c, 7)"),
        (
            "queue(); for (let i = 0; i < 900000; i++) enqueue(i, c)",
            "dequeue(c)",
        ),
        (
            "priorityQueue(); for (let i = 0; i < 400000; i++) enqueue(i, c, i)",
            "dequeue(c)",
        ),
        (
            "{}; for (let i = 0; i < 90000; i++) c[\"k\" + i] = i",
            "removeKey(c, \"k5\")",
        ),
    ] {
        let text = format!("var c = {make}; choose first {{ {write}; }} or {{}} print(sizeOf(c));");
        let mut run = engine.compile(&text).unwrap().run(7);
        assert!(
            matches!(
                run.resume(u64::MAX),
                Outcome::Limit(LimitReached::Memory(_)) | Outcome::Solved(_)
            ),
            "{text}"
        );
        let most = run.statistics().memory;
        assert!(most <= limit + limit / 5, "{text}: {most} bytes");
        run.set_limits(Limits::default());
        assert!(matches!(run.resume(u64::MAX), Outcome::Solved(_)), "{text}");
    }
}

/// A value of the host that cancels the run when somebody wants its data.
struct Canceller(CancelToken);

impl HostValue for Canceller {
    const NAME: &'static str = "canceller";
}

#[test]
fn the_data_of_a_solution_can_be_cancelled_and_comes_when_that_is_taken_back() {
    let token = CancelToken::new();
    let canceller = HostType::<Canceller>::new().data_by(|canceller| {
        canceller.0.cancel();
        Data::Null
    });
    let printed = Arc::new(AtomicUsize::new(0));
    let (given, count) = (token.clone(), printed.clone());
    let engine = Engine::new()
        .with_type(canceller)
        .with_function("canceller", move || Ok(Canceller(given.clone())))
        .with_print(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
    let text = "var first = canceller(), all = map(range(3000), i => toArray(range(20))); print(choose(1, 2)); return 5;";
    let mut run = engine.compile(text).unwrap().run(1);
    run.set_cancel_token(&token);
    run.keep_globals(true);
    for number in [1, 2] {
        for _ in 0..3 {
            assert!(matches!(
                run.resume(u64::MAX),
                Outcome::Limit(LimitReached::Cancelled)
            ));
        }
        // Whoever prints does so once, when there is a solution.
        assert_eq!(printed.load(Ordering::Relaxed), number - 1);
        run.keep_globals(false);
        token.clear();
        let Outcome::Solved(solution) = run.resume(u64::MAX) else {
            panic!("no solution")
        };
        assert_eq!(
            (solution.text, solution.value),
            (number.to_string(), 5.into())
        );
        assert_eq!(printed.load(Ordering::Relaxed), number);
        run.keep_globals(true);
    }
}

/// A value of the host for whose data half an hour goes by.
struct Sleeper(Arc<AtomicUsize>);

impl HostValue for Sleeper {
    const NAME: &'static str = "sleeper";
}

/// What is made for the host obeys the limit of time, too, and comes when that is raised.
#[test]
fn solutions_and_questions_are_made_within_the_time() {
    let seconds = Arc::new(AtomicUsize::new(0));
    let sleeper = HostType::<Sleeper>::new()
        .data_by(|sleeper| {
            sleeper.0.fetch_add(1800, Ordering::Relaxed);
            Data::Null
        })
        .shown_by(|sleeper| {
            sleeper.0.fetch_add(1800, Ordering::Relaxed);
            "sleeper".to_string()
        });
    let (given, clock) = (seconds.clone(), seconds.clone());
    let limits = Limits {
        time: Duration::from_secs(3600),
        ..Limits::default()
    };
    let engine = Engine::new()
        .with_limits(limits)
        .with_type(sleeper)
        .with_function("sleeper", move || Ok(Sleeper(given.clone())))
        .with_clock(move || Duration::from_secs(clock.load(Ordering::Relaxed) as u64));
    let all =
        "var all = [sleeper(), sleeper(), sleeper(), map(range(9000), i => toArray(range(20)))];";
    let solved = |outcome: &Outcome| matches!(outcome, Outcome::Solved(solution) if solution.value.elements().len() == 4);
    let asked = |outcome: &Outcome| matches!(outcome, Outcome::Asked(question) if question.prompt.len() > 90_000);
    let is_made = |outcome: &Outcome| solved(outcome) || asked(outcome);
    for end in ["return all;", "input(all);"] {
        let mut run = engine.compile(&format!("{all} {end}")).unwrap().run(1);
        for _ in 0..3 {
            let outcome = run.resume(u64::MAX);
            assert!(
                matches!(outcome, Outcome::Limit(LimitReached::Time(_))),
                "{end}"
            );
        }
        run.set_limits(Limits {
            time: Duration::from_secs(360_000),
            ..limits
        });
        assert!(is_made(&run.resume(u64::MAX)), "{end}");
    }
}

/// Nothing of a value is copied that the limit does not let a host have, however deep it lies.
#[test]
fn reading_what_is_too_large_lists_nothing() {
    let text = "var large = toArray(range(300000)), deep = large; foreach (i in range(200)) { let a = copy(large); a[0] = deep; deep = a; }";
    let limits = Limits {
        memory: 700 << 20,
        ..Limits::default()
    };
    let mut run = Engine::new()
        .with_limits(limits)
        .compile(text)
        .unwrap()
        .run(1);
    assert!(matches!(run.resume(u64::MAX), Outcome::Solved(_)));
    run.set_limits(Limits {
        memory: 64 << 20,
        ..limits
    });
    let deep = run.global("deep").unwrap();
    assert!(matches!(
        run.read::<Vec<Data>>(&deep),
        Err(ValueError::TooLarge)
    ));
    assert!(matches!(
        run.view(&deep).unwrap().whole_data(),
        Err(ValueError::TooLarge)
    ));
}
