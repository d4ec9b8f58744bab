//! How runtime errors read: every kind of them as a snapshot, rendered without colour.
//! The snapshots are meant to be read: a message says what happened, with the values, and what to do.

use std::fmt::Write as _;

use ndscript::{Engine, Outcome};

/// Runs each script to its error and returns the rendered messages, one under the other.
fn messages(scripts: &[&str]) -> String {
    let engine = Engine::new();
    let mut text = String::new();
    for script in scripts {
        let program = match engine.compile_named("map.nds", script) {
            Ok(program) => program,
            Err(error) => panic!("does not compile: {script}\n{error}"),
        };
        match program.run(1).resume(50_000_000) {
            Outcome::Error(error) => {
                let _ = writeln!(
                    text,
                    "{:?}\n{}",
                    error.kind,
                    error.diagnostic.render(program.sources(), false).trim_end()
                );
            }
            _ => {
                let _ = writeln!(text, "no error\n{script}");
            }
        }
        text.push('\n');
    }
    text
}

/// One test and one snapshot for each group of scripts.
macro_rules! snapshots {
    ($($name:ident: [$($script:expr),* $(,)?])*) => {
        $(#[test]
        fn $name() {
            let mut settings = insta::Settings::clone_current();
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!(stringify!($name), messages(&[$($script),*])));
        })*
    };
}

snapshots! {
    operators: [
        "var count = 1;\nprintLine(count + true);",
        "var total;\ntotal = total + 1;",
        "printLine([1, 2] + [3]);",
        "printLine(\"5\" - 2);",
        "printLine({a: 1} * 2);",
        "printLine(null / 2);",
        "printLine(setOf(1, 2) % 2);",
        "printLine(1 + 2 * \"three\" - 4);",
        "printLine(-\"1\");",
        "printLine(+[1]);",
        "printLine(!0);",
        "printLine(1 < \"2\");",
        "printLine(false >= true);",
        "printLine(position(1, 2) + 1);",
        "printLine(position(1, 2) < position(3, 4));",
        "printLine(true && 1);",
        "printLine(null || true);",
        "var n = \"a\";\nn++;",
        "var n;\nn -= 1;",
    ]
    of_the_script: [
        "function check(size) {\n  if (size > 64) error(`the size must be at most 64, not ${size}`);\n}\nprintLine(1);\ncheck(100);",
        "error(\"the first row is too long:\\n  #####\\n\\nwrite at most four cells\");",
        "error(\" \\n\");",
        "error(404);",
    ]
    conditions: [
        "var n = 1;\nif (n) printLine(\"yes\");",
        "var list = [];\nwhile (list) printLine(\"yes\");",
        "for (let i = 3; i; i--) printLine(i);",
        "printLine(\"text\" ? 1 : 2);",
        "var done;\nif (!done) printLine(\"yes\");",
        "printLine(filter([1, 2], x => x));",
        "require(5);",
    ]
    calls: [
        "var f = 5;\nf(1);",
        "var f;\nf();",
        "let o = {name: \"x\"};\no.name(1);",
        "\"text\"();",
        "function add(a, b) { return a + b; }\nadd(1);",
        "function add(a, b) { return a + b; }\nadd(1, 2, 3);",
        "function now() { return 1; }\nnow(1);",
        "let f = x => x;\nf();",
        "sizeOf([1], [2]);",
        "isEmpty();",
        "max();",
        "range(1, 2, 3, 4);",
        "map([1, 2], (x, index) => x);",
        "sorted([2, 1], (a, b) => a < b);",
        "reduce([1, 2], x => x, 0);",
        "once(x => x);",
        "var r = relation([1, 2]);\nr(1);",
        "let q = priorityQueue();\nenqueue(\"a\", q);",
        "enqueue(\"a\", queue(), 1);",
    ]
    undefined_names: [
        "printLine(nothing);",
        "function narrowTo(p) { return p; }\nnarowTo(1);",
        "chooseElment([1, 2]);",
        "printline(1);",
        "total += 1;",
        "{\n  printLine(x);\n  let x = 1;\n}",
        "function f() { return limit; }\nf();\nconst limit = 10;",
        "{ let inside = 1; }\nprintLine(inside);",
        "let a = 1;\n{\n  let a = a + 1;\n}",
        "nowhere(1);",
        "function f(here) { return here; }\nprint(here);",
        "console.log(1);",
        "print(Math.floor(1.5));",
        "print(undefined);",
    ]
    methods: [
        "var a = [1];\na.map(x => x);",
        "var a = [1];\na.forEach(print);",
        "print(\"a\".toUpperCase());",
        "print(setOf(1).union(setOf(2)));",
        "push(setOf(1), 2);",
        "pop(setOf(1));",
        "push(queue(), 2);",
        "slice(setOf(1), 0, 1);",
        "print([1].nowhere);",
    ]
    indexes: [
        "var a = [1, 2, 3];\nprintLine(a[3]);",
        "var a = [1, 2, 3];\nprintLine(a[-1]);",
        "var a = [];\na[0] = 1;",
        "var a = [1];\nprintLine(a[0.5]);",
        "var a = [1];\nprintLine(a[\"0\"]);",
        "var a = [1];\nprintLine(a[0, 0]);",
        "printLine(\"abc\"[3]);",
        "var s = \"abc\";\ns[0] = \"x\";",
        "let g = makeGrid(3, 2, 0);\nprintLine(g[3, 0]);",
        "let g = makeGrid(3, 2, 0);\ng[0, 2] = 1;",
        "let g = makeGrid(3, 2, 0);\nprintLine(g[position(-1, 0)]);",
        "let g = makeGrid(3, 2, 0);\nprintLine(g[1]);",
        "let g = makeGrid(3, 2, 0);\nprintLine(g[\"a\", 0]);",
        "printLine(5[0]);",
        "var n;\nprintLine(n[0]);",
        "printLine(setOf(1, 2)[0]);",
        "insert([1], 5, \"x\");",
        "removeAt([1, 2], 2);",
        "slice([1, 2, 3], 1, 9);",
        "slice([1, 2, 3], 2, 1);",
        "substring(\"abc\", -1, 2);",
        "rowOf(makeGrid(3, 2, 0), 2);",
        "columnOf(makeGrid(3, 2, 0), 3);",
    ]
    fields: [
        "var o = {health: 10, name: \"orc\"};\nprintLine(o.heatlh);",
        "var o = {};\nprintLine(o.a);",
        "var o = {a: 1};\nprintLine(o[\"b c\"]);",
        "var o = {a: 1};\no.count += 1;",
        "var o = {1: \"one\"};\nprintLine(o[1]);",
        "var o;\nprintLine(o.a);",
        "var o;\no.a = 1;",
        "printLine(\"abc\".length);",
        "printLine([1, 2].length);",
        "printLine(5 .size);",
        "printLine(position(1, 2).z);",
        "let p = position(1, 2);\np.x = 5;",
        "let g = makeGrid(2, 2, 0);\nprintLine(g.width);",
    ]
    arithmetic: [
        "var n = 0;\nprintLine(7 / n);",
        "var a = 7;\na %= 0;",
        "printLine(floor(7, 0));",
        "var big = 1e300;\nprintLine(big * big);",
        "printLine(sqrt(-1));",
        "printLine(log(0));",
        "printLine(pow(-8, 0.5));",
        "printLine(pow(0, -1));",
        "printLine(exp(1000));",
        "var a = 9007199254740991;\nprintLine(a + 1);",
        "var a = 9007199254740991;\na++;",
        "var a = 9007199254740991;\nprintLine(a * 2);",
        "printLine(pow(10, 20));",
        "printLine(sum([9007199254740991, 1]));",
        "printLine(floor(1e300));",
    ]
    arguments: [
        "sizeOf(5);",
        "contains([1, 2], 1);",
        "push(setOf(1), 2);",
        "upper(5);",
        "repeat(\"ab\", \"3\");",
        "join([1, 2], 0);",
        "union(setOf(1), [2]);",
        "add(1, setOf());",
        "rightImage(setOf(1), setOf(1));",
        "keysOf([1]);",
        "has({1: 2}, 1);",
        "dequeue([1]);",
        "position(1.5, 2);",
        "position(\"a\", 2);",
        "distance(position(1, 2), 3);",
        "widthOf([[1]]);",
        "neighborsOf(makeGrid(1, 1, 0), position(0, 0));",
        "randomInt(0.5, 2);",
        "map([1], 5);",
        "map(5, x => x);",
        "foreach (x in 5) printLine(x);",
        "foreach (x in relation([1, 2])) printLine(x);",
        "chooseElement(3);",
        "chooseElement([\"a\"], [1]);",
        "once(5);",
        "cost(\"1\");",
        "toNumber(5);",
        "trueIn(1, [1]);",
        "max(1, \"2\");",
        "sum([1, \"2\"]);",
        "printHeatmap(grid([[\"a\"]]));",
        "printTilemap(grid([[1]]));",
        "relation(1, 2);",
        "grid([1, 2]);",
    ]
    empty: [
        "pop([]);",
        "dequeue(queue());",
        "peek(queue());",
        "dequeue(priorityQueue());",
        "min([]);",
        "max(setOf());",
    ]
    frozen: [
        "foreach (pair in setOf([1, 2])) pair[0] = 9;",
        "let pair = singletonValue(setOf([1, [2]]));\npush(pair[1], 9);",
        "pop(toArray(setOf([1]))[0]);",
    ]
    values: [
        "cost(-1);",
        "chooseElement([\"a\", \"b\"], {a: 1});",
        "chooseElement([\"a\", \"b\"], {a: 1, b: -2});",
        "chooseElement([\"a\"], {a: \"heavy\"});",
        "toNumber(\"twelve\");",
        "toNumber(\"\");",
        "grid([[1, 2], [3]]);",
        "gridFromText(\"abc\\nab\");",
        "gridFromText(\"ab\", {a: 1});",
        "makeGrid(-1, 2, 0);",
        "position(134217728, 0);",
        "position(134217727, 0) + position(1, 0);",
        "repeat(\"a\", -1);",
        "range(0, 5, 0);",
        "randomInt(6, 1);",
        "solutions(() => 1, -1);",
        "relation([1, 2, 3]);",
        "var a = [1];\npush(a, a);\nsetOf(a);",
    ]
    tiles: [
        "printImage(\"no such tile\");",
        "printTilemap(grid([[\"red\", \"blurple\"]]));",
        "printImage(\"../secret.png\");",
        "printImage(\"#12\");",
    ]
    elements_and_candidates: [
        "let seats = [[1, 2], [1, 2]];\nrelated(seats, 0, 1, (a, b) => b - a > 1);",
        "let g = makeGrid(4, 2, [\"k\", \"p\"]);\nexactly(g, 2, \"k\", filter(positionsOf(g), p => p.y == 0));",
        "let g = makeGrid(4, 2, \"kp\");\nexactly(g, 2, \"k\");",
        "let g = makeGrid(4, 2, setOf(1, 2));\nallDifferent(g, rowOf(g, 0));",
        "let maze = [setOf(true), setOf(false)];\nprintLine(count(maze, i => maze[i] == setOf(true)));",
        "let g = makeGrid(4, 2, \"sea\");\nprintLine(count(g, \"sea\"));",
        "let code = [setOf(4)];\nprintLine(code[0] * 100);",
        "let code = [setOf(4)];\nprintLine(code[0] > 3);",
        "printLine(position(1, 0) * 3);",
        "let s = setOf(1);\ns.add(2);",
        "let s = setOf(1);\nprintLine(except(s, 1));",
        "let g = makeGrid(1, 1, setOf(\"k\"));\nprintTilemap(g, {k: \"white\"});",
        "ordered([setOf(\"a\", \"b\"), setOf(\"a\")]);",
        "let bars = makeArray(8, 0);",
    ]
    questions: [
        "solutions(() => ask(\"Which?\", [1, 2]));",
        "not(() => input(\"Name? \"));",
        "minimize(() => ask(\"Which?\", [1, 2]));",
        "countSolutions(() => ask(\"Which?\", [1, 2]));",
        "ask(\"Which?\", []);",
    ]
    the_calls_that_led_there: [
        "function outer(map, size) {\n  return inner(map, size + 1);\n}\nfunction inner(map, x) {\n  return map[x];\n}\nouter([1, 2, 3], 5);",
        "function f(n) {\n  if (n == 0) return missing;\n  return f(n - 1) + 1;\n}\nf(1000);",
        "function describe(o, text, list) { return o.name + text + list; }\ndescribe({size: 1, parts: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}, \"a rather long text that goes on and on and on, well beyond what anybody wants to read\", range(1000));",
        "let half = x => 10 / x;\nprintLine(map([2, 1, 0], half));",
        "printLine(map([2, 1, 0], x => 10 / x));",
        "deterministic function pick(c) { return c[9]; }\nfunction solve() { return once(() => pick([1, 2])); }\nsolve();",
        "var o = {act: x => x.y};\no.act({z: 1});",
        "choose first { [1][5]; } or printLine(\"not tried\");",
        "var b = [setOf(1, 2), setOf(1, 2)];\nfunction keepApart() { if (isSingleton(b[0])) b[1] = 7; }\nconstrain(b, [0, 1], keepApart);\nfunction fix(i) { b[i] = 2; }\nfix(0);",
        "var b = [setOf(1, 2)];\nconstrain(b, [0], () => { if (isSingleton(b[0])) missing; });\ndecide(b);",
    ]
    in_wide_text: [
        "var wall = \"▒▒ é 地図 😀\"; printLine(wall + nothingHere);",
        "var größe = 3;\nprintLine(`${größe} é ${größe.x}`);",
        "function f(\n  a,\n  b\n) { return a; }\nf(\n  1\n);",
    ]
}
