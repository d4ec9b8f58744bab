//! What comes out of a search depends on what was guessed before it, as far as a branch of it could die for that.

use super::{assert_guessed, told};

const GUESSES: &str =
    "let k = choose(103, 104); let w = choose(105, 106); let no = choose(107, 108);\n";

#[test]
fn what_a_search_depends_on_outlives_its_branches() {
    let text = format!(
        "{GUESSES}let found = solutions(() => {{ let i = choose(1, 2, 3); require(i + 101 < k); return i; }});\n\
         let one = found[0];\nlet size = sizeOf(found);\n\
         let n = countSolutions(() => {{ let i = choose(1, 2, 3); if (i + 101 >= k) fail; return no; }});\n\
         let none = not(() => {{ if (k == 9) return no; fail; }});\n\
         let some = countSolutions(() => {{ if (w == 105) return 1; print(no); fail; }});\n\
         let other = 0; if (not(() => {{ require(w == 9); }})) other = 1;\n\
         let free = countSolutions(() => choose(no, no + 1));\n\
         let two = solutions(() => choose(1, w, no), 2);\nlet second = two[1];\n\
         let deep = solutions(() => {{ let i = choose(5, 6); return {{i: i, l: [w]}}; }});\nlet inner = deep[1].l[0]; let i = deep[0].i;"
    );
    assert_guessed(
        &text,
        &[
            ("found", &["1", "103"]),
            ("one", &["1", "103"]),
            ("size", &["103"]),
            ("n", &["103"]),
            ("none", &["103"]),
            ("some", &["105"]),
            ("other", &["105"]),
            ("free", &[]),
            ("second", &["105", "w"]),
            ("inner", &["105", "6"]),
            ("i", &["105", "5"]),
        ],
    );
}

#[test]
fn a_search_within_another_has_its_part_in_both() {
    let text = format!(
        "{GUESSES}let found = solutions(() => {{\n    let i = choose(1, 2);\n    \
         require(countSolutions(() => {{ require(i + 101 < k); return no; }}) == 1);\n    \
         require(not(() => {{ require(w == 9); return no; }}));\n    return i;\n}});\nlet one = found[0];"
    );
    assert_guessed(&text, &[("one", &["1", "103", "105"])]);
}

#[test]
fn what_is_done_again_of_the_cheapest_branch_has_its_causes() {
    let text = format!(
        "{GUESSES}let g = [0, 0]; let v = 0; let o = {{n: 0}}; let m = makeGrid(2, 1, 0);\n\
         function f() {{\n    let i = choose(1, 2, 3); require(i + 101 >= k);\n    g[0] = i; v = i + 1; o.n = w; m[1, 0] = i; m[0, 0] = w;\n    \
         cost(i); return i * 2;\n}}\n\
         let best = minimize(f); let a = g[0]; let b = v; let c = o.n; let d = m[1, 0]; let e = m[0, 0];"
    );
    assert_guessed(
        &text,
        &[
            ("best", &["103", "2"]),
            ("a", &["103", "2"]),
            ("b", &["103", "2"]),
            ("d", &["103", "2"]),
            ("e", &["103", "105"]),
        ],
    );
    // Of an array or object all is done again at once.
    assert!(
        told(&text, "c")
            .iter()
            .any(|line| line.contains("guessed alternative 1: 105"))
    );
    assert!(
        told(&text, "g[0]")
            .iter()
            .any(|line| line.starts_with("line 8: g = ")),
        "{:?}",
        told(&text, "g[0]")
    );
}

#[test]
fn a_search_over_a_board_depends_on_what_the_board_depends_on() {
    let text = "let k = choose(setOf(1, 2), setOf(2, 3)); let no = choose(107, 108);\n\
                let n = countSolutions(() => {\n    let b = [k, setOf(1, 2)]; allDifferent(b); decide(b); return no;\n});";
    assert_guessed(text, &[("n", &["2)"])]);
}
