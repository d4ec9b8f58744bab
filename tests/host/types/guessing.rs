//! Changes of values and how failures undo them: by clones, by mementos, or not at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use ndscript::{Engine, HostType, HostValue};

use super::{bag_without_anything, counter, counting, engine, run_of, texts, undone, with};

/// A program in every way of guessing, with the texts of all its solutions. `X` makes a counter.
const GUESSES: &[(&str, &[&str])] = &[
    ("var c = X; choose first { c.up(); c.up(); fail; } or c.up(); print(c.value);", &["1"]),
    ("var c = X; c.up(); choose first c.up(); or {} or { c.up(); c.up(); } print(c.value);", &["2", "1", "3"]),
    ("var c = X; foreach (i in range(4)) choose first c.up(); or {} require(c.value == 3); print(c.value);",
        &["3", "3", "3", "3"]),
    ("var c = X; var n = once(() => { c.up(); choose first fail; or c.up(); return c.value; }); print(n, c.value);",
        &["22"]),
    ("var c = X; choose first once(() => { c.up(); choose first c.up(); or {} }); or {} print(c.value);", &["2", "0"]),
    ("deterministic function d(c) { choose first c.up(); or c.up(); choose first c.up(); or {} }
      var c = X; c.up(); choose first { d(c); d(c); } or d(c); print(c.value);", &["5", "3"]),
    ("var c = X; c.up(); not(() => { c.up(); fail; }); print(c.value);", &["1"]),
    ("var c = X; c.up(); print(solutions(() => { choose first c.up(); or { c.up(); c.up(); } return c.value; }), c.value);",
        &["[2, 3]1"]),
    ("var c = X; c.up(); print(countSolutions(() => { c.up(); choose(1, 2); }), c.value);", &["21"]),
    ("var c = X; c.up(); let n = minimize(() => { let x = choose(4, 2, 3); foreach (i in range(x)) c.up(); cost(x); return x; });
      print(n, c.value);", &["23"]),
    ("var c = X; choose first minimize(() => { let x = choose(4, 2); foreach (i in range(x)) { c.up(); cost(1); } }); or {}
      print(c.value);", &["2", "0"]),
    ("var all = [X, X]; foreach (i in range(3)) chooseElement(all).up(); require(all[0].value == 3); print(all[1].value);",
        &["0"]),
    ("var c = X; let up = c.up; choose first { up(); up(); fail; } or {} choose first map([1, 2], x => up()); or {} print(c.value);",
        &["2", "0"]),
];

#[test]
fn changes_are_undone_by_clones() {
    #[derive(Clone, Default)]
    struct Cloned(i64);
    impl HostValue for Cloned {
        const NAME: &'static str = "cloned";
    }
    let cloned = HostType::<Cloned>::new()
        .cloned()
        .shown_by(|counter| counter.0.to_string())
        .method_mut("up", |counter: &mut Cloned| {
            counter.0 += 1;
            Ok(counter.0)
        })
        .getter("value", |counter: &Cloned| Ok(counter.0));
    let engine = Engine::new()
        .with_type(cloned)
        .with_function("X", || Ok(Cloned::default()));
    for (text, expected) in GUESSES {
        assert_eq!(
            texts(&engine, &text.replace('X', "X()")),
            *expected,
            "{text}"
        );
    }
}

#[test]
fn changes_are_undone_by_mementos() {
    let engine = counting(undone().shown_by(|counter| counter.0.to_string()));
    for (text, expected) in GUESSES {
        assert_eq!(
            texts(&engine, &text.replace('X', "counter()")),
            *expected,
            "{text}"
        );
    }
}

#[test]
fn changes_stay_where_the_host_gives_no_undo() {
    let text = "var c = counter(); foreach (i in range(3)) choose first { c.up(); fail; } or {} print(c.value);";
    assert_eq!(texts(&counting(counter()), text), ["3"]);
    let solutions = "var c = counter(); print(solutions(() => choose(c.up(), c.up())), c.value);";
    assert_eq!(texts(&counting(counter()), solutions), ["[1, 2]2"]);
    let text = "var b = bag(); choose first { b.add(\"x\"); fail; } or {} print(b.count);";
    assert_eq!(texts(&with(bag_without_anything()), text), ["1"]);
    assert_eq!(texts(&with(bag_without_anything().cloned()), text), ["0"]);
    assert_eq!(
        texts(&with(bag_without_anything().cloned().never_undone()), text),
        ["1"]
    );
}

/// Tells how often it was cloned.
#[derive(Default)]
struct Told {
    clones: Arc<AtomicI64>,
}

impl Clone for Told {
    fn clone(&self) -> Told {
        self.clones.fetch_add(1, Ordering::Relaxed);
        Told {
            clones: self.clones.clone(),
        }
    }
}

impl HostValue for Told {
    const NAME: &'static str = "told";
}

#[test]
fn a_value_is_logged_once_for_each_choice_point() {
    let clones = Arc::new(AtomicI64::new(0));
    let counted = clones.clone();
    let told = HostType::<Told>::new()
        .cloned()
        .method_mut("change", |_: &mut Told| Ok(()))
        .method("look", |_: &Told| Ok(()));
    let engine = Engine::new()
        .with_type(told)
        .with_function("told", move || {
            Ok(Told {
                clones: counted.clone(),
            })
        });
    let cases = [
        ("var t = told(); foreach (i in range(50)) t.change();", 0),
        (
            "var t = told(); choose {} or {} foreach (i in range(50)) t.look();",
            0,
        ),
        (
            "var t = told(); choose {} or {} foreach (i in range(50)) t.change();",
            1,
        ),
        (
            "choose {} or {} var t = told(); foreach (i in range(50)) t.change();",
            0,
        ),
        (
            "var t = told(); foreach (i in range(5)) { choose {} or {} t.change(); t.change(); }",
            5,
        ),
    ];
    for (text, expected) in cases {
        clones.store(0, Ordering::Relaxed);
        run_of(&engine, text).next().unwrap().unwrap();
        assert_eq!(clones.load(Ordering::Relaxed), expected, "{text}");
    }
}

#[test]
fn alternatives_of_methods_are_a_choice() {
    let text = "var b = bag(\"a\", \"b\", \"c\"); var x = b.any(); b.add(x + \"!\"); require(x != \"b\"); print(x, b);";
    assert_eq!(
        texts(&engine(), text),
        [
            "abag of a and b and c and a!",
            "cbag of a and b and c and c!"
        ]
    );
    assert!(texts(&engine(), "bag().any();").is_empty());
    let text = "deterministic function pick(b) { let x = b.any(); require(x != \"a\"); return x; } print(pick(bag(\"a\", \"b\", \"c\")));";
    assert_eq!(texts(&engine(), text), ["b"]);
    let text = "let b = bag(\"a\", \"b\"); print(solutions(b.any), once(b.any), map([1, 2], x => b.any()));";
    assert_eq!(
        texts(&engine(), text),
        [
            "[\"a\", \"b\"]a[\"a\", \"a\"]",
            "[\"a\", \"b\"]a[\"a\", \"b\"]",
            "[\"a\", \"b\"]a[\"b\", \"a\"]",
            "[\"a\", \"b\"]a[\"b\", \"b\"]"
        ]
    );
}
