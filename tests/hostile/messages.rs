//! Whatever an error is about, its message is short.

use super::calls::calls_with;
use super::measure::{Promise, measure};
use super::program::Program;

/// What messages may be about: long in every way.
const LONG: &[&str] = &[
    "repeat(\"ab\", 20000)",
    "repeat(\"\\u{7f}\", 20000)",
    "range(20000)",
    "[repeat(\"ab\", 20000), repeat(\"ab\", 20000)]",
    "setOf([repeat(\"ab\", 20000)], 1)",
];

/// What may go wrong apart from built-ins; `#` is the long value.
const OPERATIONS: &[&str] = &[
    "#.field",
    "#(1)",
    "(# - 1)",
    "(1 < #)",
    "({a: 1})[#]",
    "({a: 1})[\"\" + #]",
    "[1][#]",
    "(v[#] = 1)",
    "({})[\"\" + #].field",
    "(# ? 1 : 2)",
    "f(#, #)",
    "f(#)",
    "error(\"\" + #)",
    "error([#, {a: #}])",
    "(() => { let o = {}; o[\"\" + #] = 1; return o - 1; })()",
    "(() => { let o = {}; o[\"\" + #] = 1; return printImage(o); })()",
    "printImage(\"\" + #)",
    "(() => { foreach (x in 1) {} })(#)",
];

#[test]
fn messages_are_short_whatever_they_are_about() {
    let mut long = Vec::new();
    let mut errors = 0;
    for value in LONG {
        let set_up = format!("let v = {value}; function f(x) {{ return x - f; }}");
        let operations = OPERATIONS
            .iter()
            .map(|operation| operation.replace('#', "v"));
        for call in calls_with("v").into_iter().chain(operations) {
            let lines = vec![set_up.clone(), format!("{call};")];
            let program = Program {
                lines,
                steps: 1_000_000,
                memory: 32 << 20,
                keeps_globals: false,
            };
            let measured = measure(&program);
            errors += u32::from(measured.end.starts_with("error"));
            if measured.broken().contains(&Promise::Message) || measured.panic.is_some() {
                long.push(format!("{measured}\n{}", program.text()));
            }
        }
    }
    assert!(errors > 300, "{errors}");
    assert!(long.is_empty(), "\n{}", long.join("\n"));
}
