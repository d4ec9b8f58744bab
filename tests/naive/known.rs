//! Programs whose solutions follow from the contract by hand. Both engines have to find them.

use super::interpreter::ErrorName;

pub struct Known {
    pub program: &'static str,
    /// Text and value of each solution.
    pub solutions: &'static [(&'static str, &'static str)],
    pub error: Option<ErrorName>,
}

const fn solved(
    program: &'static str,
    solutions: &'static [(&'static str, &'static str)],
) -> Known {
    Known {
        program,
        solutions,
        error: None,
    }
}

const fn wrong(program: &'static str, error: ErrorName) -> Known {
    Known {
        program,
        solutions: &[],
        error: Some(error),
    }
}

pub const PROGRAMS: &[Known] = &[
    solved("", &[("", "null")]),
    solved("fail;", &[]),
    solved("choose first return 1; or return 2; or fail;", &[("", "1"), ("", "2")]),
    solved(
        "var x = choose(1, 2); var y = choose(\"a\", \"b\"); require(x != 1 || y != \"a\"); print(x, y);",
        &[("1b", "null"), ("2a", "null"), ("2b", "null")],
    ),
    solved(
        "foreach (x in [1, 2, 3]) { choose first continue; or print(x); or break; }",
        &[
            ("", "null"),
            ("3", "null"),
            ("", "null"),
            ("2", "null"),
            ("23", "null"),
            ("2", "null"),
            ("", "null"),
            ("1", "null"),
            ("13", "null"),
            ("1", "null"),
            ("12", "null"),
            ("123", "null"),
            ("12", "null"),
            ("1", "null"),
            ("", "null"),
        ],
    ),
    solved(
        "var a = [1, 2]; choose first { a[0] = 9; push(a, 3); fail; } or { pop(a); } or a[1]++; print(a);",
        &[("[1]", "null"), ("[1, 3]", "null")],
    ),
    solved(
        "var fs = []; for (let i = 0; i < 3; i++) push(fs, () => { i += 10; return i; });
         return [fs[0](), fs[0](), fs[2]()];",
        &[("", "[10, 20, 12]")],
    ),
    solved(
        "var fs = []; for (var i = 0; i < 3; i++) push(fs, () => i); return [fs[0](), fs[2]()];",
        &[("", "[3, 3]")],
    ),
    solved(
        "var n = 0; deterministic function f() { n++; var x = choose(1, 2, 3); require(x > 1); return x; }
         print(f(), f(), n);",
        &[("222", "null")],
    ),
    solved(
        "var n = 5; print(solutions(() => { n = choose(1, 2); return [n]; }), n);
         print(countSolutions(() => choose(1, 2, fail)));",
        &[("[[1], [2]]52", "null")],
    ),
    solved(
        "var r = minimize(() => { var x = choose(3, 1, 2, 1); cost(x); return [x, x * 10]; }); return [r, cost(0)];",
        &[("", "[[1, 10], 1]")],
    ),
    solved(
        "var b = allDifferent([setOf(1, 2, 3), setOf(1, 2, 3), setOf(4, 5)]);
         minimize(() => { costOf(b, [0, 1], [1, 3]); decide(b, {places: [0, 1]}); cost(1); costOf(b, [2], null); b[2] = 5; }); return [b, cost(0)];",
        &[("", "[[{2}, {1}, {5}], 11]")],
    ),
    solved("var x = 1; var y = x + (x = 5) + x; return [x, y];", &[("", "[5, 11]")]),
    solved("var a = [1, 2]; var i = 0; a[i++] += 5; a[i] = i = 7; return [a, i];", &[("", "[[6, 7], 7]")]),
    solved(
        "choose first not(() => fail); or not(() => choose(fail, 1)); return 1;",
        &[("", "1")],
    ),
    solved(
        "var s = setOf([2, 1], \"b\", 10, true, position(1, 0), null, [2], \"a\", setOf(3), position(5, 0), 2.5); return s;",
        &[("", "{null, true, 2.5, 10, \"a\", \"b\", (1,0), (5,0), [2], [2, 1], {3}}")],
    ),
    solved(
        "var g = makeGrid(2, 2, setOf(1, 2)); g[1, 0] = setOf(1); g[position(0, 1)] = setOf(); g[1, 1] = 5;
         foreach (p in nonsingletonPositionsOf(g)) print(p);",
        &[("(0,0)(0,1)", "null")],
    ),
    solved(
        "var q = priorityQueue(); enqueue(\"a\", q, 2); enqueue(\"b\", q, 1); enqueue(\"c\", q, 2); enqueue(\"d\", q, 1);
         while (!isEmpty(q)) print(dequeue(q));",
        &[("bdac", "null")],
    ),
    solved(
        "var g = makeGrid(2, 1, setOf(1, 2)); let v = nonsingletonPositionsOf(g);
         for (let i = 0; i < 3000; i++) g[0, 0] = i % 2 == 0 ? 1 : setOf(); print(v);",
        &[("[(0,0), (1,0)]", "null")],
    ),
    solved(
        "var log = [0]; function f(v) { v -= abs(--v); return v; } function g() { log[0] = 9; return 0; }
         print(f(3), `<${log} ${g()}>`);",
        &[("1<[0] 0>", "null")],
    ),
    solved("return [7 / 2, 6 / 2, -7 % 3, 0.1 + 0.2, 1e300, 1 == 1.0];", &[("", "[3.5, 3, -1, 0.30000000000000004, 1e+300, true]")]),
    solved("choose first { undeclared = 1; fail; } or { var t = 2; } return t;", &[("", "2")]),
    solved("return map([1, 2], x => choose(x, -x));", &[("", "[1, 2]"), ("", "[1, -2]"), ("", "[-1, 2]"), ("", "[-1, -2]")]),
    solved("return sorted([3, 1, 2], x => choose(x, 0 - x));", &[
        ("", "[1, 2, 3]"),
        ("", "[2, 1, 3]"),
        ("", "[1, 2, 3]"),
        ("", "[2, 1, 3]"),
        ("", "[3, 1, 2]"),
        ("", "[3, 2, 1]"),
        ("", "[3, 1, 2]"),
        ("", "[3, 2, 1]"),
    ]),
    solved("choose first fail \"no\" + 1; or require(false, [2]); or print(choose(1, 2) > 1 ? 3 : fail 4);", &[("3", "null")]),
    solved(
        "foreach (i in [1, 2]) { var x = choose(1, 2, 1); require(firstVisit([i, x])); print(x); }",
        &[("11", "null"), ("12", "null")],
    ),
    solved(
        "deterministic function f() { return firstVisit(1); }
         choose first print(firstVisit(1), f(), f()); or print(firstVisit(1), once(() => firstVisit(1)));",
        &[("truetruetrue", "null"), ("falsetrue", "null")],
    ),
    solved("return [minBy([3, 1, 2, 1], x => x), maxBy(\"hello\", c => c), minBy({b: 1, a: 2}, k => k)];", &[("", "[1, \"o\", \"a\"]")]),
    wrong("minBy([], x => x);", ErrorName::Empty),
    wrong("maxBy([1, 2], x => x > 1);", ErrorName::Type),
    wrong("choose first { undeclared = 1; fail; } or ; return undeclared;", ErrorName::Undefined),
    wrong("print(early); let early = 1;", ErrorName::Undefined),
    wrong("function f() { return late; } f(); let late = 1;", ErrorName::Undefined),
    wrong("9007199254740991 + 1;", ErrorName::Overflow),
    wrong("1 / 0;", ErrorName::Arithmetic),
    wrong("[1][1];", ErrorName::Index),
    wrong("({a: 1}).b;", ErrorName::Field),
    wrong("pop([]);", ErrorName::Empty),
    wrong("toArray(setOf([1]))[0][0] = 2;", ErrorName::Frozen),
    wrong("cost(-1);", ErrorName::Value),
    wrong("map([1], () => 1);", ErrorName::Arity),
    wrong("if (1) ;", ErrorName::Type),
    Known {
        program: "print(choose(1, 2, null) + 1);",
        solutions: &[("2", "null"), ("3", "null")],
        error: Some(ErrorName::Type),
    },
];
