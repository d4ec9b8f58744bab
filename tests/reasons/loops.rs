//! What decides that a loop goes on, or ends.

use super::assert_guessed;

const GUESSES: &str = "let k = choose(3, 4); let w = choose(105, 106); let no = choose(107, 108);\n";

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
