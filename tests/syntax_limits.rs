//! Texts that are huge, deep, broken or no scripts at all: each is read, or refused with few clear messages, quickly
//! and on a small stack.

use std::time::{Duration, Instant};

use ndscript::source::Sources;
use ndscript::syntax::ast::{Script, StatementKind};
use ndscript::syntax::highlight::tokens;
use ndscript::syntax::{is_unfinished, parse};

/// Reads a text on a stack of 1 MB and drops the tree there; gives the messages, or the number of statements.
fn read(text: &str) -> Result<usize, Vec<String>> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 20);
        let read = move || {
            let result = parse(text, 7);
            check(text, &result);
            result
                .map(|script| script.statements.len())
                .map_err(|errors| errors.into_iter().map(|e| e.message).collect())
        };
        thread
            .spawn_scoped(scope, read)
            .expect("a thread starts")
            .join()
            .expect("reading does not panic")
    })
}

/// What holds for every text.
fn check(text: &str, result: &Result<Script, Vec<ndscript::diagnostics::Diagnostic>>) {
    let Err(errors) = result else { return };
    assert!(
        !errors.is_empty() && errors.len() <= 21,
        "{} errors",
        errors.len()
    );
    let mut sources = Sources::default();
    sources.add("before", "before");
    let base = sources.add("text", text).expect("it is not too long");
    assert_eq!(base, 7);
    for error in errors {
        let places = error
            .span
            .iter()
            .chain(error.related.iter().map(|(span, _)| span));
        for span in places {
            assert!(
                base <= span.start && span.start <= span.end && span.end as usize <= 7 + text.len(),
                "{error:?}"
            );
            assert!(
                text.is_char_boundary((span.start - base) as usize),
                "{error:?}"
            );
            assert!(
                text.is_char_boundary((span.end - base) as usize),
                "{error:?}"
            );
        }
        assert!(
            !error.message.is_empty()
                && (!error.message.ends_with('.') || error.message.ends_with("...")),
            "{error:?}"
        );
        assert!(!error.render(&sources, false).is_empty());
    }
}

#[track_caller]
fn refused(text: &str, message: &str) {
    match read(text) {
        Ok(_) => panic!("it was accepted"),
        Err(messages) => assert!(messages.iter().any(|m| m.contains(message)), "{messages:?}"),
    }
}

#[test]
fn long_chains_are_lists() {
    assert_eq!(read(&format!("x = 1{};", " + 1".repeat(200_000))), Ok(1));
    assert_eq!(
        read(&format!("if (a) b;{}", " else if (a) b;".repeat(50_000))),
        Ok(1)
    );
    assert_eq!(read(&format!("x = a{};", ".b[1](2)".repeat(33_334))), Ok(1));
    assert_eq!(read(&format!("x = a{};", " && a".repeat(100_000))), Ok(1));
    assert_eq!(read(&format!("x = [{}];", "1, ".repeat(200_000))), Ok(1));
    assert_eq!(
        read(&format!("choose a;{}", " or a;".repeat(50_000))),
        Ok(1)
    );
    assert_eq!(read(&"x = 1;\n".repeat(50_000)), Ok(50_000));
}

#[test]
fn an_else_if_chain_has_one_arm_each() {
    let script = parse(
        &format!("if (a) b;{} else c;", " else if (a) b;".repeat(999)),
        0,
    )
    .expect("it is right");
    let StatementKind::If { arms, otherwise } = &script.statements[0].kind else {
        panic!("an if")
    };
    assert_eq!(
        (arms.len(), otherwise.is_some(), script.statements[0].depth),
        (1000, true, 3)
    );
}

#[test]
fn brackets_are_capped_before_the_parser() {
    for open in ["(", "[", "{", "f(", "`${", "x = {a: ["] {
        let start = Instant::now();
        let result = read(&open.repeat((1 << 20) / open.len()));
        assert_eq!(
            result,
            Err(vec!["brackets are nested too deeply".to_string()]),
            "{open}"
        );
        assert!(
            start.elapsed() < Duration::from_secs(1),
            "{open}: {:?}",
            start.elapsed()
        );
    }
    assert_eq!(
        read(&format!(
            "x = {}{};",
            "(".repeat(199),
            "1".to_owned() + &")".repeat(199)
        )),
        Ok(1)
    );
    let objects = format!("x = {}1{};", "{a: ".repeat(197), "}".repeat(197));
    assert_eq!(read(&objects), Ok(1));
}

#[test]
fn nesting_without_brackets_is_capped_by_the_builders() {
    for (start, again, end) in [
        ("", "if (a) ", "b;"),
        ("", "while (a) ", "b;"),
        ("x = ", "y => ", "1;"),
        ("", "a = ", "1;"),
        ("x = ", "!", "a;"),
        ("x = ", "- ", "a;"),
        ("x = ", "a ? b : ", "c;"),
        ("", "choose a; or ", "b;"),
        ("", "if (a) if (a) x; else ", "y;"),
        ("", "foreach (a in b) ", "c;"),
    ] {
        refused(
            &format!("{start}{}{end}", again.repeat(20_000)),
            "nested too deeply",
        );
        assert_eq!(
            read(&format!("{start}{}{end}", again.repeat(90))).map_err(|e| e[0].clone()),
            Ok(1),
            "{again}"
        );
    }
}

#[test]
fn errors_in_huge_texts_do_not_take_long() {
    for text in [
        format!("x = {}{}", "!".repeat(40_000), " a".repeat(40_000)),
        format!("{}{}", "if (a) ".repeat(12_000), " b".repeat(25_000)),
        format!(
            "{}{}",
            "if(a)if(a)x;else ".repeat(6_000),
            "y z ".repeat(12_000)
        ),
        format!(
            "x = {}{}{};",
            "[".repeat(150),
            "a ".repeat(25_000),
            "]".repeat(150)
        ),
        format!(
            "{}{}{}",
            "{".repeat(150),
            "a ".repeat(25_000),
            "}".repeat(150)
        ),
        "x = 1\n".repeat(8_000),
        "x = ;\n".repeat(8_000),
        "if (a) { b c; }\n".repeat(10_000),
        ")".repeat(40_000),
        "}".repeat(40_000),
        "\"\\q\" ".repeat(12_000),
        format!("\"{}\"", "\\u{".repeat(25_000)),
        "f(a\nb;".repeat(6_000),
        "([{".repeat(60) + &"a b ".repeat(12_000),
        "`".repeat(99_999),
        "@ ".repeat(25_000),
        "'\n".repeat(100_001),
    ] {
        let start = Instant::now();
        assert!(read(&text).is_err());
        let shown: String = text.chars().take(30).collect();
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{shown}: {:?}",
            start.elapsed()
        );
    }
}

#[test]
fn what_is_no_script_is_refused() {
    assert_eq!(read(""), Ok(0));
    assert_eq!(read("\n\n"), Ok(0));
    assert_eq!(read("// only a comment"), Ok(0));
    assert_eq!(read(&"// a comment\n".repeat(10_000)), Ok(0));
    refused(
        "\u{7f}ELF\u{2}\u{1}\u{1}\0\0\0\0\0\0\0\0\u{3}\0>\0\u{1}",
        "invisible character",
    );
    refused("PK\u{3}\u{4}\u{14}\0\u{8}\0", "invisible character");
}

/// A small generator of numbers, so that every run tests the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

const PIECES: &[&str] = &[
    "x",
    "é",
    "1",
    "2.5",
    "\"a\"",
    "`b`",
    "`c${",
    "}`",
    "}d${",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ".",
    ":",
    "?",
    "=>",
    "=",
    "+=",
    "++",
    "+",
    "-",
    "*",
    "!",
    "&&",
    "||",
    "==",
    "<",
    "\n",
    "\"",
    "'",
    "`",
    "/*",
    "*/",
    "//",
    "@",
    "\\",
    "var ",
    "let ",
    "const ",
    "function ",
    "deterministic ",
    "if ",
    "else ",
    "while ",
    "for ",
    "foreach ",
    "in ",
    "break ",
    "continue ",
    "choose ",
    "first ",
    "or ",
    "fail ",
    "return ",
    "true ",
    "null ",
    "import ",
    "whlie ",
    "elif ",
    "▒",
    "0x1",
];

#[test]
fn any_mixture_of_pieces_is_read_without_panic() {
    let mut dice = Dice(1);
    for _ in 0..800 {
        let length = 1 + dice.below(40);
        let text: String = (0..length)
            .map(|_| [PIECES[dice.below(PIECES.len())], " "][..1 + dice.below(2)].concat())
            .collect();
        check(&text, &parse(&text, 7));
        is_unfinished(&text);
        let mut end = 0;
        for (_, range) in tokens(&text) {
            assert!(
                end <= range.start && range.start < range.end && range.end <= text.len(),
                "{text:?}"
            );
            end = range.end;
        }
    }
}

#[test]
fn a_script_with_one_piece_changed_gives_few_errors() {
    let script = include_str!("every_construct.nds");
    assert!(parse(script, 7).is_ok());
    let mut dice = Dice(2);
    let (mut changed, mut reported) = (0, 0);
    for _ in 0..600 {
        let mut at = dice.below(script.len());
        while !script.is_char_boundary(at) {
            at -= 1;
        }
        let width = script[at..].chars().next().map_or(0, char::len_utf8);
        let text = match dice.below(3) {
            0 => format!("{}{}", &script[..at], &script[at + width..]),
            1 => format!(
                "{}{}{}",
                &script[..at],
                PIECES[dice.below(PIECES.len())],
                &script[at..]
            ),
            _ => script[..at].to_string(),
        };
        let result = parse(&text, 7);
        check(&text, &result);
        if let Err(errors) = result {
            changed += 1;
            reported += errors.len();
        }
    }
    assert!(
        reported * 10 <= changed * 14,
        "{reported} errors for {changed} mistakes"
    );
}

#[test]
fn an_unfinished_text_is_told_from_a_wrong_one() {
    for text in [
        "f(",
        "x = [1,",
        "{",
        "while (x) {",
        "if (x)",
        "if (x) y; else",
        "x = 1 +",
        "\"abc",
        "'abc",
        "`abc",
        "`a${b",
        "/* abc",
        "function f(a",
        "function f(a)",
        "x =",
        "choose a; or",
        "var x = {a:",
        "x => {",
        "while (x) { y = 1;",
        "{ x = 1",
        "deterministic",
        "f(1,\n2",
        "a ? b",
        // A block is told about when it is whole.
        "{ x = 1\ny = 2",
        "function f() {\n let a = 1\n if (a) {",
    ] {
        assert!(is_unfinished(text), "{text:?}");
    }
    for text in [
        "",
        "x",
        "x = 1",
        "x = 1;",
        "f(1)",
        "if (x) y;",
        "choose a; or b;",
        ")",
        "f(]",
        "x = ;",
        "{ x = 1\ny = 2 }",
        "1 2 (",
        "// abc",
        "\"a\"",
        "x = @ (",
        "fail",
        "return",
    ] {
        assert!(!is_unfinished(text), "{text:?}");
    }
}
