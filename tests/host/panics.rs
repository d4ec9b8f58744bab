//! A function of the host that panics, and a host that goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ndscript::{Engine, ErrorKind, HostError, HostType, HostValue, Outcome, Run, RunError};

#[derive(Clone)]
struct Counter(i64);

impl HostValue for Counter {
    const NAME: &'static str = "counter";
}

fn engine() -> Engine {
    let counter = HostType::<Counter>::new().cloned().method_mut(
        "count",
        |counter: &mut Counter, by: i64| {
            counter.0 += by;
            assert!(by > 0, "a panic of the host");
            Ok(counter.0)
        },
    );
    Engine::new()
        .with_function("inverse", |n: i64| {
            if n == 0 {
                panic!("a panic of the host")
            } else {
                Ok::<_, HostError>(1 / n)
            }
        })
        .with_type(counter)
        .with_debug(|line: &str| assert!(!line.contains("panic"), "a panic of the host"))
}

const SCRIPTS: [&str; 4] = [
    "var n = choose(1, 0, 2); var x = 7; x = inverse(n); print(x);",
    "var n = choose(1, 0, 2); function f(n) { let x = 7; x = 5 + inverse(n); return x; } print(map([1, n], f));",
    "var n = choose(1, 0, 2); print(counter.count(n));",
    "var n = choose(1, 0, 2); debug(n == 0 ? \"panic\" : \"fine\"); print(n);",
];

/// The panic goes through to whoever resumed the run.
fn panics<T>(work: impl FnOnce() -> T) {
    assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
}

#[track_caller]
fn is_broken(outcome: &Outcome) {
    let Outcome::Error(error) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(error.kind, ErrorKind::Host);
    assert!(
        error
            .diagnostic
            .message
            .contains("code of the host has panicked"),
        "{error:?}"
    );
    assert!(error.diagnostic.span.is_some());
}

fn started(script: &str) -> Run {
    let mut run = engine().compile(script).unwrap().run(1);
    run.set_global("counter", Counter(0)).unwrap_or_default();
    run
}

#[test]
fn a_run_in_which_the_host_has_panicked_says_so() {
    for script in SCRIPTS {
        let mut run = started(script);
        run.next().unwrap().unwrap();
        let mut before = run.clone();
        panics(|| run.next());
        let mut clone = run.clone();
        for run in [&mut run, &mut clone] {
            is_broken(&run.resume(u64::MAX));
            is_broken(&run.resume(u64::MAX));
            assert!(run.save().is_err() && !run.can_go_on(), "{script}");
        }
        // A loop over it ends.
        assert!(run.take(10).count() == 1, "{script}");
        // What was there before is whole.
        panics(|| before.next());
    }
}

#[test]
fn a_call_in_which_the_host_has_panicked_breaks_the_run() {
    let script = "var n = 0; function f(k) { n = k; return inverse(k); } choose(1, 2);";
    let mut run = started(script);
    run.next().unwrap().unwrap();
    // The call is dropped while the panic passes it.
    panics(|| run.call_once::<i64>("f", (0,)));
    let error = run.call_once::<i64>("f", (1,)).unwrap_err();
    assert!(
        matches!(&error, RunError::Script(error) if error.kind == ErrorKind::Host),
        "{error:?}"
    );
    is_broken(&run.resume(u64::MAX));
}
