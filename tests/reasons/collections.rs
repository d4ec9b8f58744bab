//! Collections have places, and what decides which these are is another thing than what lies in them.

use super::{assert_guessed, told};

const GUESSES: &str = "let c = choose(1, 2); let d = choose(103, 104); let e = choose(105, 106); let f = choose(107, 108);\n";

#[test]
fn how_many_there_are_is_not_what_they_are() {
    let text = format!(
        "{GUESSES}let a = [d, e]; if (c == 1) push(a, f);\nlet n = sizeOf(a);\nlet o = {{x: d, y: 1}}; if (c == 1) o.z = e; else o.u = 1;\n\
         let fields = sizeOf(o); let has = has(o, \"z\"); let old = has(o, \"x\"); let keys = keysOf(o); let key = keys[0];\n\
         let values = valuesOf(o); let one = values[1]; let z = values[2];\n\
         let g = makeGrid(2, 1, 0); g[0, 0] = d; let m = mapGrid(g, v => v + 1); let left = m[0, 0]; let right = m[1, 0];\n\
         let pairs = zip([d, e], [f, 6]); let pair = pairs[1]; let six = pairs[1][1]; let first = pairs[0][1];\n\
         let rows = rowOf(grid([[d, 1], [e, 2]]), 1); let row = rows[0]; let two = rows[1];\n\
         let turns = 0; foreach (x in a) turns += 1;\nlet sized = sizeOf(sorted([d, e]));"
    );
    assert_guessed(
        &text.replace("let has = has", "let hasZ = has"),
        &[
            ("n", &["1"]),
            ("fields", &["1"]),
            ("hasZ", &["1"]),
            ("old", &[]),
            ("key", &["1"]),
            ("one", &[]),
            ("z", &["1", "105"]),
            ("left", &["103"]),
            ("right", &[]),
            ("pair", &["105"]),
            ("six", &[]),
            ("first", &["107"]),
            ("row", &["105"]),
            ("two", &[]),
            ("turns", &["1"]),
        ],
    );
}

#[test]
fn what_was_not_chosen_has_its_part_in_what_was() {
    let text = format!(
        "{GUESSES}let least = minBy([0, c], v => v); let other = minBy([d, c, e], v => v % 50); let most = maxBy([f, d, 9], v => v);\n\
         let alone = maxBy([7], v => v);"
    );
    let expected: [(&str, &[&str]); 4] = [
        ("least", &["1"]),
        ("other", &["1", "103", "105"]),
        ("most", &["103", "107"]),
        ("alone", &[]),
    ];
    assert_guessed(&text, &expected);
}

#[test]
fn what_is_taken_away_was_decided() {
    let text = format!(
        "{GUESSES}let a = [1, 2, 3]; if (c == 1) pop(a);\nlet n = sizeOf(a);\nlet o = {{x: 1, y: e}}; if (d == 103) removeKey(o, \"x\");\n\
         let gone = has(o, \"x\"); let left = has(o, \"y\");\nlet b = [1, e, 3]; if (d == 103) removeAt(b, 0);\nlet first = b[0]; let last = b[1];\n\
         let s = [1]; if (f == 107) insert(s, 0, 9); let moved = s[1];"
    );
    assert_guessed(
        &text,
        &[
            ("n", &["1"]),
            ("a", &["1"]),
            ("gone", &["103"]),
            ("left", &[]),
            ("first", &["103", "105"]),
            ("last", &["103"]),
            ("moved", &["107"]),
        ],
    );
    assert_eq!(
        told(&text, "n"),
        [
            "line 3: n = 2",
            "  line 2: a = [1, 2]",
            "    line 1: guessed alternative 1: 1"
        ]
    );
}

#[test]
fn queues_know_what_waits_and_who_comes_first() {
    let text = format!(
        "{GUESSES}let p = priorityQueue(); enqueue(d, p, e); enqueue(9, p, f);\nlet next = peek(p); let n = sizeOf(p); let got = dequeue(p); \
         let rest = dequeue(p);\nenqueue(5, p, c); let alone = dequeue(p);\n\
         let q = queue(); if (c == 1) enqueue(d, q); enqueue(e, q);\nlet m = sizeOf(q); let is = isEmpty(q); let head = dequeue(q);\n\
         let twice = priorityQueue(); enqueue(5, twice, d); enqueue(5, twice, 1); let five = dequeue(twice);\n\
         let l = []; foreach (x in q) push(l, x); let listed = l[0];"
    );
    assert_guessed(
        &text,
        &[
            ("next", &["103", "105", "107"]),
            ("n", &[]),
            ("got", &["103", "105", "107"]),
            ("rest", &["105", "107"]),
            ("alone", &["1"]),
            ("m", &["1"]),
            ("is", &["1"]),
            ("head", &["1", "103"]),
            ("five", &["103"]),
            ("listed", &["1", "105"]),
        ],
    );
}

#[test]
fn what_was_chosen_was_there_to_choose() {
    let text = format!(
        "{GUESSES}let one = chooseElement([d, e]);\nlet heavy = chooseElement([10, 20], x => f * x);\nlet drawn = randomElement([7, 7]);\n\
         let of = randomElement([d]);\nlet set = chooseElement(setOf(d, 9));\nlet many = chooseElement(range(c, 9));"
    );
    let values = |place: &str| super::guessed(&text, place);
    assert!(
        values("one") == ["103"] || values("one") == ["105"],
        "{:?}",
        values("one")
    );
    assert!(values("heavy").contains(&"107".to_string()));
    assert_eq!(values("drawn"), Vec::<String>::new());
    assert_eq!(values("of"), ["103"]);
    assert!(values("set").contains(&"103".to_string()));
    assert!(values("many").contains(&"1".to_string()));
}

#[test]
fn what_lies_within_is_part_of_the_whole() {
    let text = format!(
        "{GUESSES}let g = {{a: {{b: d, c: 5}}, l: [[e]]}};\nlet h = deepCopy(g);\nlet x = h.a.b; let y = h.l[0][0]; let z = h.a.c;\n\
         g.a.b = f;\nlet by = groupBy([d, e, 1], x => x > c ? \"big\" : \"small\"); let small = by.small; let names = keysOf(by);\n\
         let text = \"\" + g; let same = [[d]] == [[103]];"
    );
    assert_guessed(
        &text,
        &[
            ("x", &["103"]),
            ("y", &["105"]),
            ("z", &[]),
            ("h", &["103", "105"]),
            ("g", &["105", "107"]),
            ("by", &["1", "103", "105"]),
            ("small", &["1"]),
            ("text", &["105", "107"]),
            ("same", &["103"]),
        ],
    );
}

/// A variable whose handle another one had before has none of its causes, nor has a collection.
#[test]
fn what_is_made_anew_knows_nothing_of_what_was_there() {
    let text = format!(
        "{GUESSES}let last = 0; let kept = null;\nfor (let i = 0; i < 30000; i++) {{\n    let a = [d, e]; let v = d; let f = () => v;\n    \
         last = i;\n}}\nlet lists = []; for (let i = 0; i < 2000; i++) push(lists, [1, 2]);\nlet x = lists[1999][0]; let y = lists[0][1];"
    );
    assert_guessed(&text, &[("x", &[]), ("y", &[])]);
}
