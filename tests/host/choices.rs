//! Alternatives that the host makes one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ndscript::{
    Callback, Charged, Choices, Engine, ErrorKind, HostError, HostType, HostValue, Limits, Outcome,
    RunError, Value,
};

/// An engine with endless multiples, and the number of those that were made.
fn engine() -> (Engine, Arc<AtomicU64>) {
    let made = Arc::new(AtomicU64::new(0));
    let count = made.clone();
    let engine = Engine::new().with_function("multiple", move |of: u64| {
        let count = count.clone();
        Choices::lazily(move |number| {
            count.fetch_add(1, Ordering::Relaxed);
            Some(of * (number + 1))
        })
    });
    let engine = engine
        .with_function("upTo", |most: u64| {
            Choices::lazily(move |number| (number < most).then_some(number))
        })
        .with_function("letters", |words: Vec<String>| {
            Choices::try_lazily(move |number| match words.get(number as usize) {
                Some(word) if word.is_empty() => Err(HostError::new("a word is empty")),
                word => Ok(word.cloned()),
            })
        });
    (engine, made)
}

fn texts(engine: &Engine, program: &str) -> Vec<String> {
    let program = engine.compile(program).unwrap();
    let run = program.run(1);
    run.map(|solution| solution.unwrap().text).collect()
}

fn error_of(engine: &Engine, program: &str) -> (ErrorKind, String) {
    match engine.compile(program).unwrap().run(1).next() {
        Some(Err(RunError::Script(error))) => (error.kind, error.diagnostic.message.clone()),
        other => panic!("{program}: {other:?}"),
    }
}

#[test]
fn only_those_are_made_that_the_search_asks_for() {
    let (engine, made) = engine();
    let program = engine
        .compile("let x = multiple(3); require(x > 10); print(x);")
        .unwrap();
    let mut run = program.run(1);
    assert_eq!(run.next().unwrap().unwrap().text, "12");
    assert_eq!(made.load(Ordering::Relaxed), 4);
    assert_eq!(run.next().unwrap().unwrap().text, "15");
    assert_eq!(made.load(Ordering::Relaxed), 5);
}

#[test]
fn they_are_choices_like_others() {
    let (engine, _) = engine();
    assert_eq!(texts(&engine, "print(upTo(3), upTo(2));").len(), 6);
    assert_eq!(
        texts(&engine, "print(letters(['a', 'b']));"),
        ["a", "b"],
        "in their order"
    );
    assert!(
        texts(&engine, "print(upTo(0));").is_empty(),
        "none is a failure"
    );
    let searches = "print(solutions(() => upTo(3)), not(() => { require(upTo(3) > 5); }), minimize(() => { let x = upTo(4); \
                    cost(abs(x - 2)); return x; }), once(() => upTo(9)), map([2, 3], multiple));";
    assert_eq!(
        texts(
            &engine,
            &format!("deterministic function f() {{ {searches} }} f();")
        ),
        ["[0, 1, 2]true20[2, 3]"]
    );
    let later = "let list = [1]; let x = letters(['a', 'b', 'c']); push(list, x); require(x != 'a'); print(list);";
    assert_eq!(texts(&engine, later), ["[1, \"b\"]", "[1, \"c\"]"]);
    // The arguments are what they were at the call.
    let changed = "let words = ['a', 'b']; let x = letters(words); words[1] = 'z'; print(x);";
    assert_eq!(texts(&engine, changed), ["a", "b"]);
}

#[test]
fn forks_and_restored_runs_find_the_same() {
    let (engine, _) = engine();
    let program = engine
        .compile("var x = multiple(7), y = upTo(3); require((x + y) % 10 == 1); print(x, ' ', y);")
        .unwrap();
    let mut run = program.run(1);
    for _ in 0..3 {
        run.next().unwrap().unwrap();
    }
    let mut fork = run.clone();
    let mut restored = engine.restore(&program, &run.save().unwrap()).unwrap();
    for _ in 0..5 {
        let text = run.next().unwrap().unwrap().text;
        assert_eq!(fork.next().unwrap().unwrap().text, text);
        assert_eq!(restored.next().unwrap().unwrap().text, text);
    }
    let steps = run.statistics().steps;
    assert_eq!(fork.statistics().steps, steps);
    assert_eq!(restored.statistics().steps, steps);
}

#[test]
fn a_run_may_stop_between_two_of_them() {
    let (engine, _) = engine();
    let program = engine
        .compile("let x = multiple(1); require(x > 300); print(x);")
        .unwrap();
    let whole = program.run(1).next().unwrap().unwrap().text;
    let mut run = program.run(1);
    let mut stops = 0;
    let text = loop {
        match run.resume(7) {
            Outcome::Solved(solution) => break solution.text,
            Outcome::OutOfFuel => stops += 1,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((text, whole), ("301".to_string(), "301".to_string()));
    assert!(stops > 50, "{stops}");
}

#[test]
fn millions_take_no_memory() {
    let (engine, _) = engine();
    let limits = Limits {
        memory: 4 << 20,
        ..Limits::default()
    };
    let program = engine
        .with_limits(limits)
        .compile("let x = multiple(1); require(x > 1000000); print(x);")
        .unwrap();
    let mut run = program.run(1);
    assert_eq!(run.next().unwrap().unwrap().text, "1000001");
    assert!(run.statistics().steps > 3_000_000);
}

#[test]
fn each_can_be_charged_and_so_can_the_end() {
    let engine = Engine::new().with_function("dig", || {
        Choices::try_lazily_charged(|number| {
            let result = (number < 2).then_some(number);
            Ok(Charged {
                steps: 1000,
                result,
            })
        })
    });
    let program = engine.compile("return dig();").unwrap();
    let mut run = program.run(1);
    for thousands in 1..=3 {
        assert_eq!(run.next().is_none(), thousands == 3);
        assert_eq!(run.statistics().steps / 1000, thousands);
    }
}

#[test]
fn mistakes_in_them_are_errors_of_the_call() {
    let (engine, _) = engine();
    let program = engine
        .compile("let x = 1;\nlet y = letters(['a', '']);\nrequire(y != 'a');")
        .unwrap();
    let error = program.run(1).next().unwrap().unwrap_err();
    assert!(error.to_string().contains("a word is empty"), "{error}");
    assert!(error.to_string().contains(":2"), "{error}");
    let calls = Arc::new(AtomicU64::new(0));
    let engine = Engine::new()
        .with_function("fickle", move || {
            let call = calls.fetch_add(1, Ordering::Relaxed);
            match call {
                0 => Choices::lazily(Some),
                _ => Choices::in_order([1]),
            }
        })
        .with_function("tooLarge", || Choices::lazily(|_| Some(u64::MAX)));
    assert_eq!(
        error_of(&engine, "require(fickle() > 0);"),
        (
            ErrorKind::Host,
            "a function of the host makes its alternatives one by one, and has now given something else"
                .to_string()
        )
    );
    let (kind, message) = error_of(&engine, "tooLarge();");
    assert_eq!(kind, ErrorKind::Host);
    assert!(
        message.contains("beyond the integers of the language"),
        "{message}"
    );
}

/// A shop, which sells its goods one after another.
#[derive(Clone)]
struct Shop(Vec<i64>);

impl HostValue for Shop {
    const NAME: &'static str = "shop";
}

#[test]
fn methods_and_callbacks_can_make_them() {
    let shop = HostType::<Shop>::new()
        .cloned()
        .method("sell", |shop: &Shop, least: i64| {
            let goods: Vec<i64> = shop
                .0
                .iter()
                .copied()
                .filter(|goods| *goods >= least)
                .collect();
            Choices::lazily(move |number| goods.get(number as usize).copied())
        })
        .method_mut("grow", |shop: &mut Shop| {
            shop.0.push(0);
            Choices::lazily(Some)
        })
        .getter("some", |_: &Shop| Choices::lazily(Some));
    let engine = Engine::new()
        .with_type(shop)
        .with_function("shop", || Shop(vec![3, 1, 4]))
        .with_function("around", |f: Value| {
            Callback::call(f, ()).then(|n: i64| {
                Choices::lazily(move |number| (number < 2).then_some(n + number as i64))
            })
        });
    assert_eq!(
        texts(&engine, "let s = shop(); print(s.sell(2));"),
        ["3", "4"]
    );
    assert_eq!(
        texts(&engine, "print(around(() => choose(10, 20)));").len(),
        4
    );
    let (_, message) = error_of(&engine, "shop().grow();");
    assert!(
        message.ends_with("changes its value, so it cannot make its alternatives one by one"),
        "{message}"
    );
    let (_, message) = error_of(&engine, "print(shop().some);");
    assert!(
        message.contains("of the host can only give a value"),
        "{message}"
    );
}
