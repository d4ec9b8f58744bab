//! What values take, and when they are dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use ndscript::{Engine, HostError, HostType, HostValue, LimitReached, Limits, Outcome, RunError};

use super::{Bag, bag, bag_without_anything, engine, run_of, texts, with};

/// Counts those that live.
struct Living(Arc<AtomicI64>);

impl Drop for Living {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Clone for Living {
    fn clone(&self) -> Living {
        self.0.fetch_add(1, Ordering::Relaxed);
        Living(self.0.clone())
    }
}

impl HostValue for Living {
    const NAME: &'static str = "living";
}

fn living(count: &Arc<AtomicI64>, limits: Limits) -> Engine {
    let kind = HostType::<Living>::new()
        .cloned()
        .method_mut("touch", |_: &mut Living| Ok(()))
        .sized_by(|_| 100_000);
    let count = count.clone();
    Engine::new()
        .with_limits(limits)
        .with_type(kind)
        .with_function("living", move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(Living(count.clone()))
        })
}

#[test]
fn what_nobody_can_reach_is_dropped() {
    let count = Arc::new(AtomicI64::new(0));
    let engine = living(
        &count,
        Limits {
            memory: 4 << 20,
            ..Limits::default()
        },
    );
    let mut run = run_of(
        &engine,
        "var kept = living(); var touch = living().touch; foreach (i in range(2000)) living(); touch(); print(1);",
    );
    assert_eq!(run.next().unwrap().unwrap().text, "1");
    assert!(run.statistics().collections > 20, "{:?}", run.statistics());
    assert!(
        (2..60).contains(&count.load(Ordering::Relaxed)),
        "{count:?}"
    );
    drop(run);
    assert_eq!(count.load(Ordering::Relaxed), 0);
    // What the trail keeps lives as long as it may be needed.
    let text = "var v = living(); while (true) { choose first v.touch(); or v.touch(); once(() => v.touch()); require(false); }";
    assert!(run_of(&engine, text).next().is_none());
    assert_eq!(count.load(Ordering::Relaxed), 0);
}

#[test]
fn values_and_what_the_trail_keeps_of_them_count_as_memory() {
    let count = Arc::new(AtomicI64::new(0));
    let engine = living(
        &count,
        Limits {
            memory: 4 << 20,
            ..Limits::default()
        },
    );
    for text in [
        "var all = []; while (true) push(all, living());",
        "var v = living(); while (true) { choose {} or {} v.touch(); }",
        "var v = living(); var all = []; while (true) push(all, copy(v));",
        "var s = solutions(() => { let v = living(); while (true) { choose v.touch(); or v.touch(); return v; } }, 100);
         while (true) push(s, deepCopy(s));",
    ] {
        match run_of(&engine, text).next() {
            Some(Err(RunError::Limit(LimitReached::Memory(_)))) => {}
            other => panic!("{text}: {other:?}"),
        }
        assert_eq!(count.load(Ordering::Relaxed), 0, "{text}");
    }
    // Commits let go of what the trail has kept.
    let text =
        "var v = living(); deterministic function f() { choose {} or {} v.touch(); } foreach (i in range(500)) f();
        choose {} or {} foreach (i in range(500)) f(); print(1);";
    assert_eq!(run_of(&engine, text).next().unwrap().unwrap().text, "1");
}

#[test]
fn sizes_follow_the_methods_and_the_failures() {
    let sized = bag_without_anything()
        .cloned()
        .sized_by(|bag| bag.items.iter().map(String::len).sum());
    let text = "var b = bag(); choose {} or fail; b.add(repeat(\"x\", 100000)); input(\"grown\"); b.take(); input(\"less\"); fail;";
    let mut run = run_of(&with(sized), text);
    let mut at = |answer: Option<&str>| {
        if let Some(answer) = answer {
            assert!(run.answer_text(answer));
        }
        assert!(matches!(run.resume(u64::MAX), Outcome::Asked(_)));
        run.memory() as i64
    };
    let (grown, less) = (at(None), at(Some("go on")));
    assert!((grown - less - 100_000).abs() < 2_000, "{grown} {less}");
}

#[test]
fn memory_runs_out_at_every_moment_without_harm() {
    let text = "var b = bag(\"x\"); var s = setOf(b); foreach (i in range(4)) { choose first b.add(\"y\" + i); or {} s = add(s, copy(b)); }
        require(b.count == 3); let m = minimize(() => { b.add(\"m\" + choose(1, 2)); cost(1); return b; });
        print(solutions(() => { b.add(choose(\"p\", \"q\")); return b; }), s, m);";
    let whole = texts(&engine(), text);
    #[cfg(debug_assertions)]
    for once in [false, true] {
        for at in 1.. {
            let mut run = run_of(&engine(), text);
            run.refuse_memory(at, once);
            match run.next() {
                Some(Ok(solution)) => assert_eq!(solution.text, whole[0]),
                Some(Err(RunError::Limit(LimitReached::Memory(_)))) => {}
                other => panic!("{at}: {other:?}"),
            }
            if run.questions_left() > 0 && !once || at > 400 {
                break;
            }
        }
    }
    assert!(!whole.is_empty());
}

#[test]
fn a_panic_in_a_method_passes_through_and_the_run_can_be_dropped() {
    let burst = bag().method_mut("burst", |bag: &mut Bag| -> Result<(), HostError> {
        bag.items.push("half".to_string());
        panic!("burst")
    });
    let engine = with(burst);
    let mut run = run_of(&engine, "var b = bag(); b.burst();");
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(run.next())));
    assert!(caught.is_err());
    let held = run.global("b").unwrap();
    assert_eq!(
        run.host_value::<Bag>(&held).unwrap().items,
        ["half"],
        "the value is as the method has left it"
    );
    assert_eq!(texts(&engine, "print(bag(\"x\"));"), ["bag of x"]);
}
