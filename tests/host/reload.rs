//! Hot reload: what a new version of a program takes over.

use ndscript::{Engine, Run};

#[path = "../../examples/embed/reload.rs"]
mod example;

fn begun(script: &str) -> Run {
    let mut run = Engine::new().compile(script).unwrap().run(1);
    run.next().unwrap().unwrap();
    run
}

#[test]
fn a_shop_becomes_cheaper_while_somebody_buys() {
    let said = example::play().unwrap();
    let expected = [
        "gold = 20, bag = [\"lamp\"], visitors = 0, price = 10",
        "not taken: error: expected an expression, but found `;`",
        "kept gold, bag",
        "dropped visitors: the program has no global `visitors`",
        "gold = 12, bag = [\"lamp\", \"rope\", \"rope\"], price = 4",
    ];
    assert_eq!(said, expected);
}

/// Every kind of value that can be kept is the same afterwards.
#[test]
fn values_of_all_kinds_are_kept() {
    let names = ["n", "t", "s", "o", "g", "r", "p", "q", "w"];
    let empty: String = names
        .iter()
        .map(|name| format!("let {name} = null; "))
        .collect();
    let old = begun(
        "let n = 2.5, t = \"a\", s = setOf(1, \"b\"), o = {a: [1, {b: null}]}, g = makeGrid(2, 2, setOf(1, 2));
         let r = relation([1, 2], [3, 4]), p = position(1, -1), q = queue(), w = priorityQueue();
         enqueue(7, q); enqueue(\"late\", w, 2); enqueue(\"soon\", w, 1);",
    );
    let mut new = begun(&empty);
    let done = new.reload_from(&old, |_| true);
    assert!(done.dropped.is_empty(), "{:?}", done.dropped);
    for name in names {
        let [was, is] = [&old, &new].map(|run| run.view_global(name).unwrap().to_string());
        assert_eq!(was, is, "{name}");
    }
}

#[test]
fn what_cannot_be_kept_is_dropped_with_a_reason() {
    let old = begun(
        "let f = {go: x => x}, b = [setOf(1, 2), setOf(1, 2)], gone = 1, now = 2, LIMIT = 3, kept = 4;
         allDifferent(b);",
    );
    let mut new = begun(
        "let f = null, b = null, kept = 0; function now() {} const_();
         function const_() { LIMIT = 1; }",
    );
    let done = new.reload_from(&old, |name| name != "LIMIT");
    assert_eq!(done.kept, ["kept".into()]);
    let why = |name: &str| {
        let found = done.dropped.iter().find(|(dropped, _)| &**dropped == name);
        found.map(|(_, why)| why.as_str()).unwrap_or_default()
    };
    assert!(why("f").contains("function"), "{:?}", done.dropped);
    assert!(
        why("b").contains("a board with constraints"),
        "{:?}",
        done.dropped
    );
    assert!(
        why("gone").contains("has no global `gone`"),
        "{:?}",
        done.dropped
    );
    assert!(!why("now").is_empty(), "{:?}", done.dropped);
    assert_eq!(new.view_global("LIMIT").unwrap().as_i64(), Some(1));
}

/// As an assignment of the script, it is undone on the way to another solution.
#[test]
fn another_solution_does_not_have_it() {
    let old = begun("let x = 7;");
    let mut new = begun("let x = choose(1, 2);");
    new.reload_from(&old, |_| true);
    assert_eq!(new.view_global("x").unwrap().as_i64(), Some(7));
    new.next().unwrap().unwrap();
    assert_eq!(new.view_global("x").unwrap().as_i64(), Some(2));
}
