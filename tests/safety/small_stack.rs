//! Everything runs on a thread with 1 MB of stack, in debug builds, too: data and calls may be as deep as memory
//! allows. The scripts of `tests/language` and the random texts of `tests/no_panic.rs` run on such threads as well.

use ndscript::{Limits, Outcome};

use super::program;

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

/// A list, an object and a set that are 20,000 levels deep, by the name of `deep`.
const DEEP: &[&str] = &[
    "var deep = []; for (let i = 0; i < 20000; i++) deep = [deep, i];",
    "var deep = {}; for (let i = 0; i < 20000; i++) deep = {a: deep, b: i};",
    "var deep = setOf(); for (let i = 0; i < 20000; i++) deep = setOf(deep, i);",
    "var deep = queue(); for (let i = 0; i < 5000; i++) { let q = queue(); enqueue(deep, q); deep = q; }",
    "var deep = makeGrid(1, 1, 0); for (let i = 0; i < 20000; i++) deep = makeGrid(1, 1, deep);",
    "var deep = () => 0; for (let i = 0; i < 20000; i++) { let inner = deep; deep = () => inner; }",
    "var deep = [1]; push(deep, deep); var other = [deep, deep]; push(other, other); deep = [deep, other];",
    "var deep = relation(); for (let i = 0; i < 5000; i++) deep = relation([deep, i]);",
];

/// What is done with it.
const USES: &[&str] = &[
    "print(toString(deep));",
    "print(deep == deepCopy(deep));",
    "var copied = deepCopy(deep); print(copied == deep, [copied] == [deep], contains(deep, [copied]));",
    "print(sizeOf(solutions(() => choose(deep, [deep]))));",
    "if (typeOf(deep) != \"array\") print(sizeOf(toSet([deep, [deep]])), sorted([[deep], [deep, 1]]) == []);",
    "var frozen = solutions(() => { require(typeOf(deep) != \"set\"); return setOf(typeOf(deep)); });",
    "debug(deep); printLine(deep, \" \", [deep, deep]);",
    "choose first { deep = null; fail; } or { print(typeOf(deep)); }",
    "var q = queue(); enqueue(deep, q); print(contains(deep, q)); enqueue(deep, q); print(sizeOf(q));",
    "minimize(() => { cost(1); deep = [deep]; return deep; });",
    "deep.nothing = 1;",
    "insert(deep, -1, deep);",
    "return deep;",
];

#[test]
fn deep_data() {
    on_a_small_stack(|| {
        let limits = Limits {
            memory: 256 << 20,
            output: 4 << 20,
            ..Limits::default()
        };
        for make in DEEP {
            for use_ in USES {
                let text = format!("{make} {use_}");
                let program = program(limits, &text);
                let mut run = program.run(1);
                match run.resume(100_000_000) {
                    Outcome::Error(error) => {
                        drop(error.diagnostic.render(program.sources(), false))
                    }
                    Outcome::OutOfFuel => panic!("{text} goes on and on"),
                    _ => {}
                }
                let fork = run.clone();
                drop(run);
                drop(fork);
            }
        }
    });
}

#[test]
fn deep_arrays_freeze() {
    on_a_small_stack(|| {
        let text = "var deep = []; for (let i = 0; i < 20000; i++) deep = [deep, i];
                    var again = []; for (let i = 0; i < 20000; i++) again = [again, i];
                    var s = setOf(deep, again); print(sizeOf(s), contains(again, s), deep == again, [deep] == [again]);
                    var r = relation([deep, 1]); print(r(again, 1)); print(sizeOf(sorted([deep, again, [deep]])));";
        match program(Limits::default(), text).run(1).resume(u64::MAX) {
            Outcome::Solved(solution) => assert_eq!(solution.text, "1truetruetruetrue3"),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn deep_calls() {
    on_a_small_stack(|| {
        for text in [
            "function f(n) { if (n == 0) return 0; return 1 + f(n - 1); } print(f(300000));",
            "function f(n) { if (n == 0) return 0; return map([n], x => 1 + f(x - 1))[0]; } print(f(100000));",
            "function f(n) { if (n == 0) return 0; return once(() => choose(1, 2) + f(n - 1)); } print(f(50000));",
            "function f(n) { if (n == 0) return 0; let x = choose(1, 2); return x + f(n - 1); } print(f(100000));",
            "function f(n) { if (n == 0) return 0; return solutions(() => 1 + f(n - 1))[0]; } print(f(20000));",
            "function f(n) { if (n == 0) return 0; return minimize(() => 1 + f(n - 1)); } print(f(1000));",
            "function f(n) { if (n == 0) null.x; return 1 + f(n - 1); } f(100000);",
        ] {
            let limits = Limits {
                memory: 400 << 20,
                ..Limits::default()
            };
            let program = program(limits, text);
            let mut run = program.run(1);
            match run.resume(u64::MAX) {
                Outcome::Solved(_) => {}
                Outcome::Error(error) => drop(error.diagnostic.render(program.sources(), false)),
                other => panic!("{text}: {other:?}"),
            }
        }
    });
}
