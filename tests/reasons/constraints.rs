//! What a constraint was put with is behind all that it takes away, and so are the places that it looks at.

use super::{assert_guessed, guessed, told};

#[test]
fn the_arguments_of_a_constraint_have_their_part() {
    let text = "let low = choose(5, 4); let high = choose(6, 7); let n = choose(2, 1); let one = choose(1, 9); let f = choose(3, 8);\n\
                let b = [setOf(1, 2, 3), setOf(1, 2, 3), setOf(7, 8)];\nsumOf(b, low, high, [0, 1]);\n\
                let c = [setOf(1, 2), setOf(1, 2), setOf(1, 2)];\natLeast(c, n, setOf(one));\nc[0] = setOf(2);\n\
                let d = [setOf(1, 2, 3), setOf(1, 2, 3)];\nrelated(d, 0, 1, (x, y) => x + y == f); d[0] = setOf(2);\n\
                let e = [setOf(1, 2), setOf(1, 2)];\ntuples(e, [0, 1], [[one, one], [one, 2]]); let then = e[0];";
    assert_guessed(
        text,
        &[
            ("b[1]", &["5", "6"]),
            ("c[1]", &["1", "2"]),
            ("d[1]", &["3"]),
            ("then", &["1"]),
        ],
    );
    assert_eq!(
        told(text, "b[0]")[0],
        "line 3: b[0] = {2, 3}, lost 1, by sumOf with b[1]"
    );
}

#[test]
fn a_sum_names_those_that_matter() {
    let text = "let s = setOf(0, 1, 2, 3);\nlet c = [s, s, s, s];\nsumOf(c, 0, 4, [0, 1, 2]);\nc[2] = setOf(0, 1, 2);\nc[0] = setOf(2, 3);\n\
                let d = [s, s, s];\nsumOf(d, 7, 9);\nd[1] = setOf(1, 2, 3);\nd[0] = setOf(0, 1, 2);";
    let out = told(text, "c[1]");
    assert_eq!(
        out[0], "line 5: c[1] = {0, 1, 2}, lost 3, by sumOf with c[0]",
        "{out:?}"
    );
    let out = told(text, "d[2]");
    assert_eq!(
        out[0], "line 9: d[2] = {2, 3}, lost 1, by sumOf with d[0]",
        "{out:?}"
    );
}

#[test]
fn what_a_place_was_first_is_told_from_elsewhere_too() {
    let text = "let k = choose(setOf(1, 2, 3), setOf(2, 3)); let m = choose(2, 3); let n = choose(3, 1);\n\
                let h = [setOf(m), k, setOf(1, 2, 3)];\nallDifferent(h);\nh[1] = setOf(1, n);\nlet y = h[1];\n\
                h[2] = setOf(1, 2, 3);\nh[1] = setOf(n);\nlet z = h[2];";
    assert_guessed(text, &[("y", &["2", "3)"]), ("z", &["2", "3", "3)"])]);
    let plain = "let k = choose(101, 102); let l = choose(103, 104); let o = {a: 0};\no.a = o.a + k;\no.a = o.a + 1;\no.a = o.a + l;\n\
                 let y = o.a;";
    assert_guessed(plain, &[("y", &["101", "103"]), ("o.a", &["101", "103"])]);
}

/// Of what could be guessed of a place, that others are gone says nothing.
#[test]
fn a_guess_at_a_board_is_no_matter_of_what_is_gone() {
    let text = "let k = choose(101, 102);\nlet b = [setOf(1, 2, 3), setOf(1, 2, 3, k)];\nallDifferent(b);\nb[0] = setOf(3);\ndecide(b);";
    let out = told(text, "b[1]");
    assert!(out[0].starts_with("line 5: b[1] = "), "{out:?}");
    assert!(out[1].starts_with("  line 5: guessed"), "{out:?}");
    assert_eq!(out[2], "    line 1: guessed alternative 1: 101", "{out:?}");
}

/// A write that takes nothing away is no reason for what comes of the place.
#[test]
fn what_took_nothing_away_has_no_part() {
    let text = "let g = [setOf(1, 2), setOf(1), setOf(1, 2)];\ng[0] = setOf(choose(1, 2));\ng[1] = intersection(g[1], g[0]);\n\
                g[2] = except(g[2], g[1]);";
    assert_eq!(guessed(text, "g[2]"), [""; 0]);
    assert_eq!(guessed(text, "g[0]"), ["1"]);
}

/// What a place had lost before the constraint came has its part, and of other places only those that are needed.
#[test]
fn constraints_name_the_fewest_places() {
    let text = "let g = [setOf(1, 2, 3), setOf(1, 2, 3)];\ng[0] = remove(g[0], choose(1, 2));\n\
                related(g, 0, 1, (a, b) => a < b || b == 1);";
    assert_eq!(guessed(text, "g[1]"), ["1"]);
    let text = "let row = map(range(5), i => setOf(\"#\", \".\"));\npattern(row, range(5), \"\\\\.*#{2}\\\\.+#\\\\.*\");\n\
                row[0] = choose(\".\", \"#\");";
    assert_eq!(
        told(text, "row[2]")[0],
        "line 3: row[2] = {\"#\"}, lost \".\", by pattern with row[0]"
    );
    let text = "let g = makeGrid(3, 3, setOf(\"w\", \"l\"));\nconnected(g, \"l\");\ng[0, 0] = \"l\"; g[2, 2] = \"l\";\n\
                g[1, 0] = choose(\"w\", \"l\");";
    let line = "line 4: g[0, 1] = {\"l\"}, lost \"w\", by connected with g[0, 0], g[1, 0], g[2, 2]";
    assert_eq!(told(text, "g[0, 1]")[0], line);
    let text = "let b = map(range(5), i => setOf(true, false));\n\
                circuit(b, [[0, \"a\", \"b\"], [1, \"b\", \"c\"], [2, \"c\", \"a\"], [3, \"c\", \"d\"], [4, \"b\", \"d\"]]);\n\
                b[3] = choose(false, true);";
    assert_eq!(
        told(text, "b[4]")[0],
        "line 3: b[4] = {false}, lost true, by circuit with b[3]"
    );
    let text = "let g = makeGrid(3, 1, setOf(1, 2));\nregions(g, {sizes: n => n});\ng[0, 0] = choose(2, 1);";
    assert_eq!(
        told(text, "g[1, 0]")[0],
        "line 3: g[1, 0] = {2}, lost 1, by regions with g[0, 0]"
    );
}
