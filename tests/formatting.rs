//! What the formatter promises, on every script of the repository and on generated ones: the tree stays the same, all
//! comments stay, formatting twice is formatting once, and generated programs run as before. Scripts are also torn apart
//! first: line breaks, spaces and comments between any two words.
//!
//! `NDSCRIPT_PROGRAMS` sets how many programs are generated.

#[allow(dead_code, reason = "other tests need more of it")]
#[path = "language_server/client.rs"]
mod client;
#[allow(dead_code, unused_imports, reason = "other tests need more of it")]
mod generator;

use std::path::{Path, PathBuf};

use ndscript::syntax::highlight::{TokenClass, tokens};
use ndscript::syntax::parse;
use ndscript::{Engine, Outcome};
use ndscript_editor::{FormatError, format};
use serde_json::{Value, json};

/// What embedders give.
const SMALL_STACK: usize = 1 << 20;

/// Draws that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }
}

fn scripts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = [
        "benches",
        "crates",
        "docs",
        "examples",
        "studio/src",
        "tests",
    ]
    .iter()
    .map(|folder| root.join(folder))
    .collect();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).unwrap();
        let mut entries: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            let name = path.display().to_string();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            if name.ends_with(".nds") {
                found.push((name, text));
            } else if name.ends_with(".md") {
                let blocks = text.split("```js\n").skip(1);
                found.extend(blocks.map(|block| {
                    let program = block.split_once("```").expect("the end of a program").0;
                    (name.clone(), program.to_string())
                }));
            }
        }
    }
    found
}

/// The tree without the places of its nodes.
fn tree(text: &str) -> Option<String> {
    let shown = format!("{:?}", parse(text, 0).ok()?);
    let mut out = String::new();
    let mut rest = &*shown;
    while let Some((before, behind)) = rest.split_once("Span { start: ") {
        out.push_str(before);
        rest = behind.split_once('}').unwrap().1;
    }
    out.push_str(rest);
    Some(out)
}

fn comments(text: &str) -> Vec<&str> {
    let comments = tokens(text).filter(|(class, _)| *class == TokenClass::Comment);
    comments.map(|(_, range)| text[range].trim_end()).collect()
}

/// Returns whether the text could be formatted.
fn check(name: &str, text: &str) -> bool {
    let Some(before) = tree(text) else {
        assert!(
            matches!(format(text), Err(FormatError::Syntax(_))),
            "{name}"
        );
        return false;
    };
    let once = match format(text) {
        Ok(once) => once,
        Err(error) => panic!("{name}: {error}\n{text}"),
    };
    assert_eq!(Some(before), tree(&once), "{name}\n{text}\n=>\n{once}");
    assert_eq!(
        comments(text),
        comments(&once),
        "{name}\n{text}\n=>\n{once}"
    );
    let twice = format(&once).unwrap();
    assert!(
        once == twice,
        "{name}: twice is not once\n{text}\n=>\n{once}\n=>\n{twice}"
    );
    let blank = once
        .lines()
        .any(|line| line.is_empty() != line.trim().is_empty());
    assert!(
        !blank || text.contains(['"', '`', '\'', '/']),
        "{name}: spaces at the end of a line\n{once}"
    );
    true
}

/// Other white space and more comments between the words. Behind `fail` a line break means something.
fn torn(text: &str, random: &mut Random) -> String {
    let mut out = String::new();
    let mut at = 0;
    let mut open_templates = 0;
    for (class, range) in tokens(text) {
        let part = &text[range.clone()];
        let gap = &text[at..range.start];
        at = range.end;
        let after_fail = out.ends_with("fail");
        let after_comment = out.lines().last().is_some_and(|line| line.contains("//"));
        if open_templates > 0 || after_fail || after_comment || part.starts_with("#!") {
            out.push_str(gap);
        } else {
            out.push_str(match random.below(40) {
                0..4 => "\n",
                4 => "\n\n",
                5 => " /* in between */ ",
                6 => " // behind\n",
                7 => "\n// above\n",
                8 => "\n\n/* above,\n   two lines */\n\n",
                9 => "\t ",
                _ => gap,
            });
        }
        out.push_str(part);
        if class == TokenClass::String && part.starts_with('`') && part.ends_with("${") {
            open_templates += 1;
        }
        if class == TokenClass::String && part.starts_with('}') && part.ends_with('`') {
            open_templates -= 1;
        }
    }
    out.push_str(&text[at..]);
    out
}

#[test]
fn every_script_of_the_repository_keeps_its_meaning() {
    let scripts = scripts();
    let formatted = scripts.iter().filter(|(name, text)| check(name, text));
    let formatted = formatted.count();
    assert!(formatted > 1500, "{formatted} scripts");
}

#[test]
fn every_script_keeps_its_meaning_however_it_is_written() {
    let mut random = Random(7);
    let mut formatted = 0;
    for (name, text) in scripts() {
        // What is very long takes longest and shows nothing new.
        if text.len() < 20_000 {
            formatted += usize::from(check(&name, &torn(&text, &mut random)));
        }
    }
    assert!(formatted > 1000, "{formatted} scripts");
}

#[test]
fn a_part_gets_the_form_that_it_has_in_the_whole() {
    let mut random = Random(9);
    let mut client = client::Client::new();
    let mut changed = 0;
    let path = "/work/a.nds";
    let scripts = scripts().into_iter().step_by(6);
    for (name, text) in scripts.filter(|(_, text)| text.len() < 20_000) {
        let torn = torn(&text, &mut random);
        client.open(path, &torn);
        let document = json!({"uri": client::uri(path)});
        let options = json!({"tabSize": 4, "insertSpaces": true});
        let whole = json!({"textDocument": document, "options": options});
        let whole = client.ask("textDocument/formatting", whole);
        let lines = torn.lines().count().max(1) as u64;
        for _ in 0..4 {
            let first = random.below(lines);
            let last = first + random.below(lines - first);
            let range = json!({"start": {"line": first, "character": 0}, "end": {"line": last + 1, "character": 0}});
            let part = json!({"textDocument": document, "options": options, "range": range});
            let part = client.ask("textDocument/rangeFormatting", part);
            let is_inside = |edit: &&Value| {
                let line = |end: &str| edit["range"][end]["line"].as_u64().unwrap();
                first <= line("start") && line("end") <= last
            };
            let mut wanted = whole.as_array().unwrap().iter().filter(is_inside);
            let edits = part.as_array().unwrap();
            changed += edits.len();
            // None at all if words would move out of the part.
            assert!(
                edits.is_empty() || wanted.all(|edit| edits.contains(edit)),
                "{name}: {first} to {last}\n{torn}"
            );
            let after = client::edited(&torn, &part);
            assert_eq!(
                tree(&after),
                tree(&torn),
                "{name}: {first} to {last}\n{torn}"
            );
        }
    }
    assert!(changed > 1000, "{changed} changes");
}

/// So many programs are generated by default; more take long in debug builds.
const PROGRAMS: u64 = 300;

/// So many steps each of them runs, and so many solutions are looked at.
const FUEL: u64 = 30_000;
const SOLUTIONS: usize = 10;

/// What a program finds with a seed within some steps, how it ends, and how many steps it took. `None` if it does not compile.
fn course(text: &str, seed: u64) -> Option<(Vec<String>, String, u64)> {
    let mut run = Engine::new().compile(text).ok()?.run(seed);
    let mut found = Vec::new();
    let end = loop {
        let left = FUEL.saturating_sub(run.statistics().steps);
        match run.resume(left) {
            Outcome::Solved(solution) if found.len() < SOLUTIONS => {
                found.push(format!("{} => {}", solution.text, solution.value));
            }
            Outcome::Solved(_) => break "enough".to_string(),
            Outcome::Error(error) => break error.diagnostic.message.clone(),
            other => break format!("{other:?}"),
        }
    };
    Some((found, end, run.statistics().steps))
}

/// Formats programs of some seeds, as they are written and torn; how many could be, and how many have solutions.
fn keeps_meanings(seeds: impl Iterator<Item = u64>) -> (u64, u64) {
    let (mut formatted, mut solved) = (0, 0);
    for seed in seeds {
        let text = generator::text(&generator::program(seed, true));
        let torn = torn(&text, &mut Random(seed));
        let is_whole = check(&format!("program {seed}"), &text);
        formatted += u64::from(is_whole);
        check(&format!("torn program {seed}"), &torn);
        if !is_whole {
            continue;
        }
        let before = course(&text, seed);
        solved += u64::from(before.as_ref().is_some_and(|(found, ..)| !found.is_empty()));
        // Torn, so that hardly a line stays as it is.
        for written in [&text, &torn] {
            let Ok(after) = format(written) else {
                continue;
            };
            let after = course(&after, seed);
            assert_eq!(after, before, "program {seed} runs otherwise\n{written}");
        }
    }
    (formatted, solved)
}

#[test]
fn generated_programs_keep_their_meaning() {
    let programs = std::env::var("NDSCRIPT_PROGRAMS");
    let programs = programs.map_or(PROGRAMS, |number| number.parse().unwrap());
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let counts = std::thread::scope(|scope| {
        let part = move |first: u64| (first..programs).step_by(threads as usize);
        let start = |first| scope.spawn(move || keeps_meanings(part(first)));
        let all: Vec<_> = (0..threads).map(start).collect();
        let counts = all.into_iter().map(|part| part.join().unwrap());
        counts.collect::<Vec<_>>()
    });
    let formatted: u64 = counts.iter().map(|(formatted, _)| formatted).sum();
    let solved: u64 = counts.iter().map(|(_, solved)| solved).sum();
    assert!(formatted * 100 > programs * 95, "{formatted} programs");
    assert!(solved * 2 > programs, "{solved} programs with solutions");
}

#[test]
fn a_text_with_errors_is_left_alone() {
    let Err(FormatError::Syntax(errors)) = format("var x = 1\nprint(x);") else {
        panic!("it was formatted");
    };
    assert_eq!(errors[0].message, "a `;` is missing");
}

#[test]
fn the_form() {
    let form = [
        ("if(a){b();}else{c();}", "if (a) { b(); } else { c(); }\n"),
        ("if(a)b();else c();", "if (a) b();\nelse c();\n"),
        ("choose first a();or b();", "choose first a();\nor b();\n"),
        ("choose{\na();}or fail;", "choose {\n    a();\n} or fail;\n"),
        ("for(;;){\n\n\n\na();\n\n\n}", "for (;;) {\n    a();\n}\n"),
        (
            "- -x;!f(x);x++;a=b?c:d;",
            "- -x;\n!f(x);\nx++;\na = b ? c : d;\n",
        ),
        ("x=[1,2,];", "x = [1, 2];\n"),
        (
            "x=[1\n// above\n,// behind\n];",
            "x = [\n    1\n    // above\n    // behind\n    ,\n];\n",
        ),
        ("x=[\n1,2,\n3];", "x = [\n    1, 2,\n    3,\n];\n"),
        (
            "x = {a:1, // one\n b:2 // two\n};",
            "x = {\n    a: 1, // one\n    b: 2, // two\n};\n",
        ),
        ("f(() => {\n  a();\n}, 3);", "f(() => {\n    a();\n}, 3);\n"),
        (
            "let hall = room(function () { a(); }, {\nb: 1});",
            "let hall = room(function () { a(); }, {\n    b: 1,\n});\n",
        ),
        ("// alone", "// alone\n"),
        (
            "a();\r\n\r\n\r\n/* b\n */\r\nif(c){\r\nd();}\r\n// e\r\n",
            "a();\r\n\r\n/* b\n */\r\nif (c) {\r\n    d();\r\n}\r\n// e\r\n",
        ),
        ("a=`b\r\n`;\nc();", "a = `b\r\n`;\nc();\n"),
        ("", ""),
    ];
    for (text, wanted) in form {
        assert_eq!(format(text).unwrap(), wanted, "{text}");
    }
}

#[test]
fn the_deepest_nesting_has_room_on_a_small_stack() {
    let nestings = [
        ("x = ", "(", "1", ")", ";"),
        ("x = ", "[", "1", "]", ";"),
        ("x = ", "[a, [b], ", "1", ", c]", ";"),
        ("x = ", "{a: ", "1", "}", ";"),
        ("x = ", "f(", "1", ")", ";"),
        ("x = ", "f(y => ", "1", ")", ";"),
        ("x = ", "f(function () { a = ", "1", "; })", ";"),
        ("x = ", "f[", "1", "]", ";"),
        ("x = ", "-(a + b * ", "1", " * c + d)", ";"),
        ("x = ", "a ? (", "1", ") : b", ";"),
        ("x = ", "a ? b : ", "1", "", ";"),
        ("x = ", "a ? ", "1", " : b", ";"),
        ("x = ", "y => ", "1", "", ";"),
        ("x = ", "(y, z) => { return ", "1", "; }", ";"),
        ("", "a = ", "1", "", ";"),
        ("", "{", "b;", "}", ""),
        ("", "{\n", "b;", "\n}", ""),
        ("", "if (a) ", "b;", "", ""),
        ("", "if (a) b; else { ", "b;", " }", ""),
        ("", "while (a) ", "b;", "", ""),
        ("", "for (;;) ", "b;", "", ""),
        ("", "foreach (a in b) ", "c;", "", ""),
        ("", "choose a; or ", "b;", "", ""),
        ("", "function f() { ", "b;", " }", ""),
    ];
    for (start, open, middle, close, end) in nestings {
        let text = |depth: usize| {
            let (open, close) = (open.repeat(depth), close.repeat(depth));
            format!("{start}{open}{middle}{close}{end}")
        };
        let deepest = (0..250).take_while(|depth| parse(&text(*depth), 0).is_ok());
        let deepest = deepest.last().unwrap();
        assert!(deepest > 30, "{open}: {deepest}");
        let text = text(deepest);
        let once = std::thread::Builder::new()
            .stack_size(SMALL_STACK)
            .spawn({
                let text = text.clone();
                move || format(&text).unwrap()
            })
            .unwrap()
            .join()
            .unwrap();
        assert!(once == format(&once).unwrap(), "{open}");
    }
}
