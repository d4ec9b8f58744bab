//! Every kind of syntax error, as it is shown: one snapshot for each chapter, with the broken scripts in it.

use ndscript::source::Sources;
use ndscript::syntax::parse;

/// The scripts with everything that is said about them.
fn report(scripts: &[&str]) -> String {
    let mut text = String::new();
    for script in scripts {
        text.push_str("##### ");
        for character in script.chars() {
            match character {
                '\n' => text.push_str("\n##### "),
                c if c.is_control() => text.extend(c.escape_unicode()),
                c => text.push(c),
            }
        }
        text.push('\n');
        let mut sources = Sources::default();
        let base = sources.add("script.nds", script).expect("it is short");
        match parse(script, base) {
            Ok(_) => panic!("nothing is wrong with {script:?}"),
            Err(errors) => errors.iter().for_each(|error| {
                text.push_str(&error.render(&sources, false));
                text.push('\n');
            }),
        }
        text.push('\n');
    }
    text
}

macro_rules! chapters {
    ($($name:ident: [$($script:expr),* $(,)?])*) => {
        $(#[test]
        fn $name() {
            insta::with_settings!({omit_expression => true}, {
                insta::assert_snapshot!(stringify!($name), report(&[$($script),*]));
            });
        })*
    };
}

chapters! {
    habits_of_javascript: [
        "foreach (const x in c) print(x);",
        "foreach (const [k, v] of c) print(k);\nforeach ([k, v] in c) print(k);\nfor (const {x, y} of c) print(x);",
        "let [a, b] = c;\nconst {x, y: z} = o;",
        "[a, b] = [b, a];",
        "function f({x, y}, [a, b] = [1, 2]) { return x; }",
        "f = ([a, b]) => a;",
        "f = ({x, y}) => x;",
        "function f(...all) { return max(...all); }",
        "x = [...a, 1];\ny = {...o, a: 1};",
        "x = y?.a;\nx = y?.[0];\nx = y ?? 3;\nx ??= 3;\nx ||= 3;\nx &&= 3;",
        "x **= 2;\nx <<= 1;\nx >>= 1;",
        "o = {get size() { return 1; }, set size(n) { }, static make() { return 2; }, b: 3};",
        "x = a >> 1;\nx = a << 1;\nx = a ^ 1;\nx = ~a;",
        "x = new Set([1]);\nx = new Map();\nx = new Point(1, 2);\nthrow new Error(\"no\");",
        "async function f() { await g(); }",
        "function* f() { yield 1; }",
        "class A extends B { f() { return 1; } }\nprint(1);",
        "try { f(); } catch (e) { g(); } finally { h(); }\nprint(1);",
        "x = typeof a;\ny = a instanceof Array;\nz = void 0;",
        "export function f() { }\nexport default 3;",
        "import { a } from \"b.nds\";\nimport a from \"b.nds\";",
        "o = { f(a) { return a; } };",
        "o = { x, y };\np = { x };",
        "f = x => { a: x };",
        "outer: for (;;) { break outer; }",
        "x = /ab+/g;",
        "with (o) { x = 1; }",
        "interface A { x: number }\ntype B = number;\nlet x: number[] = [];\nfunction f(a: number): number { return a; }",
        "int x = 3;\nlet a = 1, let b = 2;",
    ]
    missing_semicolon: [
        "var x = 1\nprint(x);",
        "x = 1\n\n// a comment\ny = 2 // another\nz = 3",
        "function f() { return 1 }",
        "choose { x = 1 } or { x = 2 }",
        "choose x = 1 or x = 2;",
        "if (a) b else c;",
        "x = 1 y = 2;",
        "x = 1 var y = 2;",
        "fail",
        "var x = 5,\nvar y = 6;",
        "f(a => { return a }, b);",
    ]
    assignment_in_a_condition: [
        "if (x = 3) print(x);",
        "while (x = \"a\") print(x);",
        "for (; x = y + 1; ) print(x);",
        "if (f(x) = 3) print(x);",
        "if (a + b = c) print(x);",
    ]
    else_without_if: [
        "else x = 3;",
        "if (a) { b; }; else { c; }",
        "if (a) b; c; else d;",
        "if (a) b; else c; else d;",
        "while (a) { else { b; } }",
    ]
    or_without_choose: [
        "or x;",
        "choose { a; }; or { b; }",
        "choose a; b; or c;",
        "choose (a) or (b);",
        "if (a or b) c;",
        "x = a or b;",
    ]
    misspelt_keywords: [
        "fucntion f() { return 1; }",
        "deterministic fucntion f(a) { }",
        "determinstic function f(a) { }",
        "whlie (x) { y = 1; }",
        "whlie (x)\n  y = 1;",
        "retrun x;",
        "fro (var i = 0; i < 3; i++) print(i);",
        "foraech (x in c) print(x);",
        "foreach (x ni c) print(x);",
        "iff (a) { b; }",
        "if (a) { b; } esle { c; }",
        "if (a) b; esle c;",
        "chose { a; } or { b; }",
        "choose frist { a; } or { b; }",
        "choose { a; } ro { b; }",
        "vra x = 3;",
        "cosnt x = 3, y = 4;",
        "improt \"a.nds\";",
        "While (x) { }",
    ]
    words_of_other_languages: [
        "if (a) { b; } elif (c) { d; } else { e; }",
        "def f(a) { return a; }",
        "if (a and not b) c;",
        "foreach (x of c) print(x);",
        "for (x in c) print(x);",
        "for (var x of c) print(x);",
        "for (const x of c) print(x);",
        "print(typeof x);",
        "let [a, b] = c; const {d} = o;",
        "delete o.a; throw x; async function f() { }",
        "switch (x) { case 1: y; }\nz = ;",
        "do { x; } while (y);",
        "class Foo { x() { } }",
        "x = new Foo();",
        "print \"hello\";",
        "if a == 1 then b;",
    ]
    operators_of_other_languages: [
        "x === y; a !== b; a & b; a | b;",
        "x =< 3;",
        "a <> b;",
        "a ** b;",
        "a ?? b;",
        "a?.b;",
        "x := 3;",
        "x -> y;",
        "f(...a);",
        "x = {...a};",
    ]
    unclosed_text_and_comments: [
        "print(\"hello);",
        "print(\"hello);\nprint(\"world\");\nx = ;",
        "x = 'abc",
        "/* comment\nx = 1;",
        "x = `abc",
        "x = `abc ${ a + b",
        "x = `abc ${ a + b } def",
        "x = \"abc\n\" def \"\n\";",
    ]
    unclosed_brackets: [
        "f(1, 2;\ng(3);",
        "x = [1, 2\ny = 3;",
        "x = [1, 2;\ny = (3;",
        "f(1,\ng(2);",
        "if (a == b { c; } else { d; }",
        "if (f(a) {\n  b;\n}",
        "for (;;\nx;",
        "function f() {\n  if (x) {\n    y = 1;\n}\ng();",
        "function f() {\n  while (a) { b;",
        "while (x) { y(; }\nz;",
        "x = `a${(1}b`;",
        "f(",
    ]
    brackets_that_do_not_match: [
        "f(1, 2));",
        "f(1, 2];",
        "x = [1, 2);",
        "x = 3; }\ny = 4;",
        "}",
        "x = `a${1)}b`;",
    ]
    expressions: [
        "x = ;",
        "x = 1 + ;\ny = * 2;",
        "x = 1 +",
        "f(a b);",
        "f(1, , 2);",
        "x = (1 2);",
        "x = [1 2];",
        "x = [1,\n2\n3];",
        "a ? b;",
        "a ? b : ;",
        "x.;\ny.3;",
        "g[];",
        "g[1, 2, 3];",
        "x = () ;",
        "x++ y;",
        "choose();",
        "x = if (a) b;",
        "`a${}b` + `c${1 2}d`;",
        "return 1, 2;",
    ]
    objects: [
        "x = {a: 1 b: 2};",
        "x = {a: 1\n  b: 2};",
        "x = {a: 1; b: 2};",
        "x = {a = 1};",
        "x = {1 + 2};",
        "x = {a};",
        "{a: 1}",
    ]
    heads_and_bodies: [
        "if () x;",
        "if x > 3 { y = 1; }\nz = ;",
        "if x > 3\n  y = 1;",
        "while true { }",
        "for i < 3 { }",
        "for (i = 0, i < 3, i++) x;",
        "for (i = 0; i < 3) x;",
        "foreach (x : c) print(x);",
        "foreach (3 in c) print(x);",
        "function f { return 1; }",
        "function f() return 1;",
        "function f(a b) { }",
        "function f(1) { }",
        "function (x) { return x; }\nf();",
        "f(function g(a) { return a; });",
        "x = function (a) => a;",
    ]
    declarations: [
        "var 3 = 4;",
        "var if = 3;",
        "var x 3;",
        "let",
        "const k;",
        "if (a) let x = 1;",
        "if (a) function f() { }",
        "import x;",
        "{ import \"a.nds\"; }",
        "if (a) import \"a.nds\";",
    ]
    parameters: [
        "function f(a, b, a) { }",
        "x = (c, c) => 1;",
        "x = (a + 1, b) => 2;",
        "x = ((a)) => 2;",
        "x = (a, 3) => 2;",
    ]
    targets: [
        "3 = x;",
        "f() = 3;",
        "(x) = 3;",
        "1 + 2 = x;",
        "x = y + 1 = z;",
        "3++;",
        "--f();",
        "f(x) += 1;",
        "[a, b] = c;",
    ]
    jumps: [
        "break;",
        "continue;",
        "while (a) { f = () => { break; }; break; }",
        "function f() { if (a) continue; }",
    ]
    numbers: [
        "x = 9007199254740992;",
        "x = 0x10;",
        "x = 12abc;",
        "x = 007;",
        "x = 1_000;",
        "x = 1e999;",
        "x = .5;",
        "x = 1.;",
        "x = 1..2;",
    ]
    text: [
        r#"x = "a\q";"#,
        r#"x = "\u{110000}";"#,
        r#"x = "\u12";"#,
        r#"x = "\$";"#,
    ]
    characters: [
        "x = @;\ny = #ff0000;",
        "print(“hello”);",
        "x = 3 – 1;",
        "x = 1;\u{0}\u{1}\u{2} y = 2;",
        "x = 1\u{200b};",
    ]
    several_in_one_file: [
        "var a = 1;\nvar b = (2 * 3;\nvar c = 4\nvar d = [5, 6;\npritn(d)\nif (a = 1) { whlie (b) c; } els { d; }\nprint(a);",
        "é = \"▒\" + ;\n▒ = 3;\nü = \"é▒\"  ß;",
    ]
    many: [
        &"x = ;\n".repeat(30),
    ]
}

#[test]
fn a_carriage_return_alone_ends_no_line() {
    let errors =
        ndscript::syntax::parse("print(1); // harmless\rprint(2);\nprint(3);", 0).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert!(
        errors[0].message.contains("carriage return alone"),
        "{errors:?}"
    );
    assert!(ndscript::syntax::parse("print(1); // one\r\nprint(2); // two\r", 0).is_ok());
    assert!(
        ndscript::syntax::parse("print(1);\rprint(2);", 0).is_ok(),
        "white space"
    );
}
