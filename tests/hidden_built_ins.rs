//! `check` tells when a name of the program hides a built-in that is then called.

use ndscript::Engine;

fn warnings(text: &str) -> Vec<String> {
    let program = Engine::new().compile(text).unwrap();
    program.warnings().iter().map(|warning| warning.message.clone()).collect()
}

#[test]
fn variables_that_are_no_functions_and_are_called() {
    for text in [
        "var map = makeGrid(2, 2, 0); map([1], x => x);",
        "let filter = [1]; filter([1], x => true);",
        "function f() { const max = 5; return max(1, 2); } f();",
        "function f() { var max = {a: 1}; return max(1, 2); } f();",
    ] {
        let found = warnings(text);
        assert!(found.iter().any(|warning| warning.contains("hides the built-in")), "{text}: {found:?}");
    }
}

#[test]
fn what_may_be_a_function_is_not_doubted() {
    for text in [
        "let map = x => x; map(1);",
        "function map(x) { return x; } map(1);",
        "let max = 5; max = x => x; print(max(1));",
        "function apply(map, x) { return map(x); } apply(x => x, 1);",
        "var map = makeGrid(2, 2, 0); print(map);",
        "let count = 0; count += 1; print(count);",
        "let best = [x => x][0]; print(best(1));",
    ] {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}
