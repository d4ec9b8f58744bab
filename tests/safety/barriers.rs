//! A limit, a cancellation and an error pass through every barrier; none of them is a failure that a script could
//! turn into something else.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ndscript::{CancelToken, Engine, HostError, LimitReached, Limits, Outcome};

/// What can stand around `stop()`. Every one of them would print "caught" if it took the stop for a failure.
const BARRIERS: &[(&str, &str)] = &[
    ("nothing", "stop(); print(\"caught\");"),
    ("choose", "choose first { stop(); } or { print(\"caught\"); }"),
    ("chooseElement", "var x = chooseElement([1, 2, 3]); stop(); print(\"caught\");"),
    (
        "deterministic",
        "deterministic function f() { choose first { return stop(); } or { return 1; } } f(); print(\"caught\");",
    ),
    ("once", "choose first { once(() => stop()); } or { print(\"caught\"); }"),
    ("not", "not(() => { stop(); }); print(\"caught\");"),
    ("solutions", "solutions(() => { choose first { return stop(); } or { return 1; } }); print(\"caught\");"),
    ("first solutions", "solutions(() => { choose first { return stop(); } or { return 1; } }, 1); print(\"caught\");"),
    ("countSolutions", "countSolutions(() => { choose first { stop(); } or {} }); print(\"caught\");"),
    ("minimize", "minimize(() => { choose first { cost(1); stop(); } or { cost(2); } }); print(\"caught\");"),
    ("callback", "map([1, 2], x => { choose first { return stop(); } or { return x; } }); print(\"caught\");"),
    ("sorted", "sorted([2, 1], x => stop()); print(\"caught\");"),
    (
        "weights",
        "chooseElement([1, 2], x => { choose first { stop(); return 1; } or { return 1; } }); print(\"caught\");",
    ),
    ("foreach", "foreach (x in [1, 2]) { choose first { stop(); } or { print(\"caught\"); } }"),
    (
        "all of them",
        "once(() => solutions(() => minimize(() => { not(() => { countSolutions(() => { stop(); }); }); })));
                     print(\"caught\");",
    ),
];

/// Ways to stop, and the name of the limit that each comes to.
const STOPS: &[(&str, &str)] = &[
    ("Steps", "function stop() { while (true) {} }"),
    (
        "Steps",
        "function stop() { while (true) { choose first { fail; } or {} } }",
    ),
    (
        "Memory",
        "function stop() { var a = []; while (true) push(a, [1]); }",
    ),
    (
        "Memory",
        "function stop() { return makeGrid(10000, 10000, 0); }",
    ),
    // Choice points alone take little: what they keep is what fills memory.
    (
        "Memory",
        "function stop() { var n = []; while (true) { choose first { n = [1]; } or { n = [2]; } } }",
    ),
    ("Depth", "function stop() { return stop() + 1; }"),
    (
        "Output",
        "function stop() { while (true) print(\"0123456789abcdef\"); }",
    ),
    (
        "Output",
        "function stop() { let s = \"ab\"; while (true) s = s + s; }",
    ),
    (
        "Pictures",
        "function stop() { while (true) printImage(\"red\"); }",
    ),
    (
        "PictureSize",
        "function stop() { printHeatmap(makeGrid(40, 40, 0)); }",
    ),
    ("Cancelled", "function stop() { cancel(); while (true) {} }"),
    ("Time", "function stop() { wait(); while (true) {} }"),
];

fn limits() -> Limits {
    Limits {
        steps: 400_000,
        memory: 4 << 20,
        depth: 2_000,
        output: 100_000,
        pictures: 20,
        picture_cells: 1_000,
        time: Duration::from_secs(100),
        ..Limits::default()
    }
}

/// An engine whose script can cancel its own run, and let the host's clock jump.
fn engine() -> (Engine, Arc<Mutex<Option<CancelToken>>>) {
    let token: Arc<Mutex<Option<CancelToken>>> = Arc::default();
    let clock = Arc::new(Mutex::new(Duration::ZERO));
    let (seen, hands) = (clock.clone(), clock);
    let cancelled = token.clone();
    let engine = Engine::new()
        .with_limits(limits())
        .with_clock(move || *seen.lock().unwrap())
        .with_function("wait", move || -> Result<(), HostError> {
            *hands.lock().unwrap() += Duration::from_secs(1000);
            Ok(())
        })
        .with_function("cancel", move || -> Result<(), HostError> {
            if let Some(token) = cancelled.lock().unwrap().as_ref() {
                token.cancel();
            }
            Ok(())
        });
    (engine, token)
}

#[test]
fn every_limit_passes_every_barrier() {
    for (expected, stop) in STOPS {
        for (barrier, around) in BARRIERS {
            let (engine, token) = engine();
            let text = format!("{stop}\n{around}");
            let mut run = engine
                .compile(&text)
                .unwrap_or_else(|error| panic!("{error}"))
                .run(1);
            *token.lock().unwrap() = Some(run.cancel_token());
            let limit = match run.resume(u64::MAX) {
                Outcome::Limit(limit) => {
                    // A choice that stays open on every turn may come to the limit of memory before that of steps.
                    assert_eq!(limit.name(), *expected, "{stop} in {barrier}");
                    let message = limit.to_string();
                    assert!(
                        limit == LimitReached::Cancelled || message.contains("`Limits::"),
                        "{message}"
                    );
                    limit
                }
                other => panic!("{stop} in {barrier} is not a limit but {other:?}"),
            };
            assert!(
                !run.pending_output().0.contains("caught"),
                "{stop} in {barrier}"
            );
            let again = run.resume(1_000);
            assert!(
                matches!(again, Outcome::Limit(again) if again == limit),
                "{stop} in {barrier}: the run went on"
            );
        }
    }
}

#[test]
fn an_error_passes_every_barrier() {
    for error in [
        "[1][2]",
        "1 / 0",
        "undefinedName",
        "null.x",
        "error(\"mine\")",
        "insert(1, 2, 3)",
        "hostError()",
    ] {
        for (barrier, around) in BARRIERS {
            let engine = Engine::new().with_function("hostError", || -> Result<(), HostError> {
                Err(HostError::new("no such door"))
            });
            let text = format!("function stop() {{ return {error}; }}\n{around}");
            let mut run = engine
                .compile(&text)
                .unwrap_or_else(|error| panic!("{error}"))
                .run(1);
            let outcome = run.resume(u64::MAX);
            assert!(
                matches!(outcome, Outcome::Error(_)),
                "{error} in {barrier} is no error but {outcome:?}"
            );
            assert!(
                !run.pending_output().0.contains("caught"),
                "{error} in {barrier}"
            );
            assert!(
                matches!(run.resume(1_000), Outcome::Failed),
                "{error} in {barrier}: the run went on"
            );
        }
    }
}

#[test]
fn the_source_has_a_limit() {
    let engine = Engine::new().with_limits(Limits {
        source: 100,
        ..Limits::default()
    });
    assert!(engine.compile(&" ".repeat(100)).is_ok());
    let error = engine
        .compile(&" ".repeat(101))
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("limit of 100 bytes") && error.contains("Limits::source"),
        "{error}"
    );
}

#[test]
fn time_counts_while_the_run_is_resumed_only() {
    let clock = Arc::new(Mutex::new(Duration::ZERO));
    let hands = clock.clone();
    let engine = Engine::new()
        .with_limits(Limits {
            time: Duration::from_secs(5),
            ..Limits::default()
        })
        .with_clock(move || *hands.lock().unwrap());
    let mut run = engine.compile("while (true) {}").unwrap().run(1);
    for _ in 0..10 {
        assert!(matches!(run.resume(500_000), Outcome::OutOfFuel));
        *clock.lock().unwrap() += Duration::from_secs(3);
    }
}
