//! What decides that a loop goes on, or ends.

use super::assert_guessed;

const GUESSES: &str =
    "let k = choose(3, 4); let w = choose(105, 106); let no = choose(107, 108);\n";

#[test]
fn what_is_written_before_a_loop_is_left_was_decided() {
    let text = format!(
        "{GUESSES}let r = [0, 0, 0]; let i = 0;\nwhile (true) {{\n    i++;\n    if (i == k) {{ r[0] = 7; break; }}\n}}\nlet after = i;\nr[1] = 5;\n\
         let j = 0;\nwhile (true) {{ j++; if (j == k) break; r[2] = r[2] + 1; }}\nlet behind = j; let s = r[2];\n\
         let u = 0; while (u < 100) {{ u++; if (u == k) break; }}\nlet t = 0; while (true) {{ t++; if (t > 5) break; if (t == k) continue; t += 0; }}\n\
         let found = -1; for (let n = 0; n < 9; n++) {{ if (n == k) {{ found = n; break; }} }}\nlet z = 1;"
    );
    assert_guessed(
        &text,
        &[
            ("r[0]", &["3"]),
            ("r[1]", &[]),
            ("after", &["3"]),
            ("behind", &["3"]),
            ("s", &["3"]),
            ("u", &["3"]),
            ("found", &["3"]),
            ("z", &[]),
        ],
    );
}

#[test]
fn what_has_let_a_loop_go_on_has_its_part() {
    let text = format!(
        "{GUESSES}function has(l, v) {{ foreach (x in l) if (x == v) return true; return false; }}\n\
         let no1 = has([k, w, 5], 9); let yes = has([k, w, 105], 105); let any1 = any([k, w], x => x == 1); let all1 = all([k], x => x > 1);\n\
         function turns() {{ let i = 0; while (true) {{ i++; if (i == k) return i; }} }}\nlet n = turns();\n\
         function outer() {{ for (let i = 0; i < 3; i++) {{ if (i == 1) continue; if (w == 1) return 0; }} return no; }}\nlet o = outer();"
    );
    assert_guessed(
        &text,
        &[
            ("no1", &["105", "3"]),
            ("yes", &["105", "3"]),
            ("any1", &["105", "3"]),
            ("all1", &["3"]),
            ("n", &["3"]),
            ("o", &["105", "107"]),
        ],
    );
}

#[test]
fn how_many_turns_a_loop_over_a_collection_takes_was_decided() {
    let text = format!(
        "{GUESSES}let i = 0; foreach (n in range(k)) i = i + 1;\nlet s = 0; foreach (n in toSet(range(k))) s = s + 1;\n\
         let a = 0; foreach (n in filter([1, 2, 3], n => n < k)) a = a + 1;\nlet fixed = 0; foreach (n in range(3)) fixed = fixed + 1;"
    );
    assert_guessed(
        &text,
        &[("i", &["3"]), ("s", &["3"]), ("a", &["3"]), ("fixed", &[])],
    );
}

/// A loop that ends when nothing waits any more leaves a list that is empty, whatever was in it before.
#[test]
fn a_list_that_was_worked_off_says_nothing_more() {
    for (list, put, take) in [
        ("queue()", "enqueue(N, todo)", "dequeue(todo)"),
        ("[]", "push(todo, N)", "pop(todo)"),
        ("[]", "push(todo, N)", "removeAt(todo, 0)"),
    ] {
        let put = |what: &str| put.replace('N', what);
        for test in ["!isEmpty(todo)", "sizeOf(todo) > 0", "sizeOf(todo) != 0"] {
            let text = format!(
                "{GUESSES}let r = [0, 0, 0]; let todo = {list};\n{};\n\
                 while ({test}) {{ let n = {take}; r[0] = n; if (n == 3) {}; }}\n{};\n\
                 while ({test}) {{ let n = {take}; r[1] = n; }}\n{};\nwhile ({test}) {{ let n = {take}; r[2] = n; }}",
                put("k"),
                put("20"),
                put("w"),
                put("5")
            );
            assert_guessed(
                &text,
                &[("r[0]", &["3"]), ("r[1]", &["105"]), ("r[2]", &[])],
            );
        }
    }
    // A loop that may end before that says nothing of what is left, also where it has come to its end.
    let text = format!(
        "{GUESSES}let r = [0]; let todo = [1, 2]; if (k == 3) push(todo, 9);\n\
         while (!isEmpty(todo)) {{ if (pop(todo) == 77) break; }}\nr[0] = sizeOf(todo);"
    );
    assert_guessed(&text, &[("r[0]", &["3"])]);
}
