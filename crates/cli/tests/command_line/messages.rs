//! What gets into messages, however long a script makes it.

use super::*;

/// Scripts that come to an error with a text or a collection of nearly all the memory that they may use.
const SCRIPTS: &[&str] = &[
    "printImage(text);",
    "printTilemap(makeGrid(1, 1, text));",
    "printTilesetMap(makeGrid(1, 1, \"red\"), text);",
    "printTilesetMap(makeGrid(1, 1, setOf(text, \"red\")));",
    "gridFromPicture(text);",
    "gridFromPicture(text, 8);",
    "error(text);",
    "({})[text];",
    "({a: 1})[text];",
    "var o = {}; o[text] = 1; o.missing;",
    "var o = {}; o[text] = 1; o + 1;",
    "position(1, 2)[text];",
    "toNumber(text);",
    "text.missing;",
    "param(null, text) + param(text, null);",
    "printLine(text); missing;",
    "function f(a, b, c) { return a - b; } f(text, [text, [text]], {a: text});",
    "push(setOf(text), 1);",
    "chooseElement([text], {a: 1});",
    "makeGrid(2, 2, text)[text];",
    "ask(text, text);",
    "printHeatmap(makeGrid(1, 1, text));",
    "relation(text)(1);",
    "sorted([text], x => x - 1);",
];

fn run(folder: &Folder, script: &str) -> Ended {
    run_with(folder, script, "")
}

fn run_with(folder: &Folder, script: &str, options: &str) -> Ended {
    command_with(folder, script, "run", options)
}

fn command_with(folder: &Folder, script: &str, command: &str, options: &str) -> Ended {
    fs::write(folder.path("a.nds"), script).unwrap();
    let run = format!(
        "ulimit -v 260000; exec {} {command} a.nds --max-memory 64M {options}",
        env!("CARGO_BIN_EXE_ndscript")
    );
    let output = Command::new("sh")
        .current_dir(&folder.0)
        .args(["-c", &run])
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended {
        code: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn texts_are_shortened_where_they_enter_a_message() {
    let folder = Folder::new();
    for script in SCRIPTS {
        let ended = run(
            &folder,
            &format!("var text = repeat(\"\u{7f}\", 40000000);\n{script}"),
        );
        // A text that has to be made for the script, not for the message, comes to the limit.
        assert!(matches!(ended.code, 2 | 3), "{script}: {}", ended.err);
        assert!(
            ended.err.len() < 20_000,
            "{script}: {} bytes of messages",
            ended.err.len()
        );
    }
}

/// What is written is not there several times over while it is made.
#[cfg(target_os = "linux")]
#[test]
fn states_and_maps_are_written_within_the_memory() {
    let folder = Folder::new();
    let text = "let t = repeat(\"\u{1b}[31m\", 1000000); for (let i = 0; i < 11; i++) printLine(t); for (;;) {}";
    let ended = run_with(&folder, text, "--save state --max-steps 20000000");
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(ended.err.contains("goes on from here"), "{}", ended.err);
    let map = "printTilemap(makeGrid(1500, 1500, \"red\"));";
    for form in ["tmx", "tiled-json"] {
        let ended = run_with(&folder, map, &format!("--{form} map.{form}"));
        assert_eq!(ended.code, 0, "{form}: {}", ended.err);
    }
    // The values of a board are held to the memory, and of a long one the beginning is shown.
    let puzzle = "function hintPuzzle() { let s = repeat(\"\u{1}\", 5000000); return {board: makeGrid(30, 30, null), reasons: [],
        solve: (k, p, v) => { if (v != null) fail; return makeGrid(30, 30, s); }}; }";
    let ended = command_with(&folder, puzzle, "hint", "");
    assert!(
        ended.code == 2 && ended.err.contains("too large"),
        "{}",
        ended.err
    );
    let short = puzzle.replace("5000000", "50000");
    let ended = command_with(&folder, &short, "hint", "");
    assert!(
        ended.code == 0 && ended.out.len() < 2000,
        "{} bytes, {}",
        ended.out.len(),
        ended.err
    );
}

#[test]
fn long_names_are_shortened() {
    let folder = Folder::new();
    let name = "n".repeat(2_000_000);
    for script in [
        format!("var {name} = 1; print({name}b);"),
        format!("let {name} = 1; let {name} = 1;"),
        format!("const {name} = 1; {name} = 1;"),
        format!("var x = {name} y;"),
        format!("import \"{name}\";"),
        format!("({{}}).{name};"),
        format!("function {name}(x) {{ return x - null; }} {name}(1);"),
        format!("print({{a: 1}}.{name}(1));"),
    ] {
        fs::write(folder.path("a.nds"), &script).unwrap();
        let ended = folder.run(&["a.nds"]);
        let begin = script.get(..40).unwrap_or_default();
        assert!(
            ended.code == 2 && ended.err.len() < 5000,
            "{begin}: {} bytes of messages",
            ended.err.len()
        );
    }
}

/// The arguments of each call that led to an error are told, but not each time they are copied.
#[cfg(target_os = "linux")]
#[test]
fn calls_with_large_arguments_are_told_at_once() {
    let folder = Folder::new();
    let values = [
        "range(3000000)",
        "toSet(range(400000))",
        "[repeat(\"x\", 30000000)]",
    ];
    for value in values {
        let script = format!(
            "var v = {value};\nfunction f(v, n) {{ return n == 0 ? v - 1 : f(v, n - 1) + 1; }}\nf(v, 90000);"
        );
        let ended = run(&folder, &script);
        assert_eq!(ended.code, 2, "{value}: {}", ended.err);
        assert!(
            ended.err.len() < 5000 && ended.err.contains("more calls"),
            "{value}: {}",
            ended.err
        );
    }
}

#[test]
fn what_was_unfinished_is_shown() {
    let folder = Folder::new();
    let run = |script: &str, arguments: &[&str]| {
        fs::write(folder.path("a.nds"), script).unwrap();
        let ended = folder.run(&[&["a.nds", "--seed", "1"], arguments].concat());
        assert_eq!(ended.out, "", "{script}");
        (ended.code, ended.err)
    };
    let (code, err) = run("printLine('one'); print('two'); 1 / 0;", &[]);
    assert_eq!(code, 2);
    assert!(
        err.starts_with("printed before the error:\none\ntwo\nerror: division by zero\n"),
        "{err}"
    );
    let (code, err) = run(
        "printLine('a'); let x = choose(1, 2); printLine('b', x); fail 'no';",
        &[],
    );
    let said = "printed before the last failure:\na\nb2\nno solution\nthe last reason given: no\n";
    assert_eq!((code, err.as_str()), (1, said));
    let (code, err) = run(
        "print('way'); printImage('red'); while (true) {}",
        &["--max-steps", "100000"],
    );
    assert_eq!(code, 3);
    let said = "printed before the run was stopped:\nway\n(and 1 picture; `--html FILE` shows what was unfinished)\nit was on line 1: ";
    assert!(err.starts_with(said), "{err}");
    // Nothing printed, nothing said but where it failed; of much the end.
    let (_, err) = run("if (choose(1, 2) > 0) fail;", &[]);
    assert!(
        err.starts_with("no solution\nit failed 2 times, most often here")
            && err.contains("line 1: if"),
        "{err}"
    );
    let said = "no solution\nit failed on line 1: require(randomInt(1, 6) > 6);\n  hint: nothing was guessed, so there was ";
    let (_, err) = run("require(randomInt(1, 6) > 6);", &[]);
    assert!(err.starts_with(said), "{err}");
    let (_, err) = run("foreach (n in range(1000)) printLine(n); missing;", &[]);
    assert!(
        err.starts_with("printed before the error:\n...\n960\n") && err.contains("\n999\nerror:"),
        "{err}"
    );
    // On the page everything is in order.
    let (_, err) = run(
        "print('first of it'); printImage('red'); print('last of it'); missing;",
        &["--html", "a.html"],
    );
    assert!(err.contains("wrote a.html"), "{err}");
    let page = fs::read_to_string(folder.path("a.html")).unwrap();
    let places = [
        "printed before the error:",
        "first of it",
        "<img",
        "last of it",
    ]
    .map(|part| page.find(part).expect(part));
    assert!(places.is_sorted());
    // Of much the end, there as well.
    run(
        "foreach (n in range(100000)) printLine('<', n); missing;",
        &["--html", "a.html"],
    );
    let page = fs::read_to_string(folder.path("a.html")).unwrap();
    assert!(
        page.len() < 10_000 && page.contains("...\n") && page.contains("&lt;99999\n"),
        "{page}"
    );
}

#[test]
fn many_missing_imports_are_told_in_a_page() {
    let all: String = (0..150)
        .map(|n| format!("import \"a{n}.nds\";\n"))
        .collect();
    let ended = run(&Folder::new(), &all);
    assert_eq!(ended.code, 2);
    assert_eq!(ended.err.matches("there is no such file").count(), 20);
    assert!(
        ended.err.len() < 8000
            && ended
                .err
                .contains("130 more imports after this one: not looked at"),
        "{}",
        ended.err
    );
}

#[test]
fn many_names_that_are_counted_are_cut_off() {
    let folder = Folder::new().with("a.nds", "foreach (n in range(5000)) tally(`name ${n}`);");
    let text = folder.run(&["a.nds", "--stats"]).err;
    assert!(
        text.contains("and 4900 more names") && text.len() < 8000,
        "{text}"
    );
    let json = folder.run(&["a.nds", "--stats", "json"]).err;
    let stats: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(
        stats["tallies"].as_object().map(serde_json::Map::len),
        Some(100)
    );
    assert_eq!(stats["tallies_left_out"], 4900);
}

#[test]
fn an_error_that_repeats_itself_is_told_a_few_times() {
    let script = "{\n".repeat(201 * 50) + "printLine('after');\n" + &"{\n".repeat(201 * 10);
    let ended = Folder::new().run_with_input(&["repl"], &script);
    assert_eq!(
        ended.err.matches("nested too deeply").count(),
        3 + 3,
        "{}",
        ended.err
    );
    assert_eq!(ended.out, "after\n");
    assert!(
        ended.err.contains("the same again, 47 more times")
            && ended.err.contains("the same again, 7 more times")
    );
}

#[test]
fn limits_are_told_in_words_of_the_command_line() {
    let folder = Folder::new();
    for (script, words) in [
        (
            "function f(n) { return f(n + 1) + 1; } f(0);",
            "nested calls are too many\n  hint: does a function call itself",
        ),
        (
            "let s = 'a'; while (true) s = s + s;",
            "a text has more than 256 MB\n  hint: does a loop",
        ),
        (
            "let a = []; while (true) push(a, range(100));",
            "used its 400 MB of memory\n  hint: `--max-memory SIZE` allows more",
        ),
        (
            "while (true) printImage('red');",
            "more than 10000 pictures",
        ),
        (
            "printTilemap(makeGrid(8001, 8001, 'red'));",
            "a picture has more than 64000000 cells",
        ),
    ] {
        fs::write(folder.path("a.nds"), script).unwrap();
        let memory = if script.starts_with("let a") {
            "400M"
        } else {
            "3G"
        };
        let ended = folder.run(&["a.nds", "--max-memory", memory]);
        assert_eq!(ended.code, 3, "{}", ended.err);
        assert!(
            ended.err.contains(words) && !ended.err.contains("Limits::"),
            "{}",
            ended.err
        );
        let place = if script.starts_with("function") {
            "it was on line 1, in `f`: "
        } else {
            "it was on line 1: "
        };
        assert!(ended.err.contains(place), "{}", ended.err);
    }
}

#[test]
fn parameters_of_the_wrong_kind_are_refused_by_name() {
    let folder = Folder::new();
    let script =
        "print(param('houses', 3), param('wet', true), param('name', 'x'), param('any', null));";
    fs::write(folder.path("a.nds"), script).unwrap();
    let run = |parameter: &str| {
        let ended = folder.run(&["a.nds", parameter]);
        (
            ended.code,
            ended.out,
            ended.err.lines().next().unwrap_or_default().to_string(),
        )
    };
    for (parameter, said) in [
        (
            "houses=x",
            "error: the parameter houses must be a number, not \"x\"",
        ),
        (
            "houses=true",
            "error: the parameter houses must be a number, not true",
        ),
        (
            "wet=1",
            "error: the parameter wet must be true or false, not 1",
        ),
        (
            "wet=yes",
            "error: the parameter wet must be true or false, not \"yes\"",
        ),
    ] {
        assert_eq!(run(parameter), (2, String::new(), said.to_string()));
    }
    assert_eq!(run("houses=4").1, "4truexnull");
    // What reads as a number is one, and a default that is a text does not mind.
    assert_eq!(run("name=12").1, "3true12null");
    assert_eq!(run("any=no").1, "3truexno");
}

/// One mistake made very often is told a few times.
#[test]
fn repeated_mistakes_are_told_a_few_times() {
    for line in [
        "function f(){}",
        "let a=1;",
        "const c=1; c=2;",
        "function print(){}",
        "function f(f){} function f(){}",
    ] {
        let folder = Folder::new().with("a.nds", format!("{line}\n").repeat(3000));
        let ended = folder.run(&["a.nds"]);
        assert!(
            ended.code != 2 || ended.err.len() < 40_000,
            "{line}: {} bytes",
            ended.err.len()
        );
    }
}

/// What the system says is too large is not read.
#[cfg(unix)]
#[test]
fn states_that_cannot_fit_are_not_read() {
    let folder = script("print(1);");
    fs::File::create(folder.path("big.state"))
        .unwrap()
        .set_len(20 << 30)
        .unwrap();
    let ended = folder.run(&["resume", "big.state", "--max-memory", "64M"]);
    ended.expect(2, "").says("it is larger than 128 MB");
}

#[test]
fn the_last_reason_is_shown_as_text_in_files_too() {
    let folder = script("fail \"\\u{1b}]0;x\\u{7}\\u{202e}\";");
    let ended = folder
        .run(&["a.nds"])
        .expect(1, "")
        .says("the last reason given");
    assert!(
        !ended.err.contains(['\u{1b}', '\u{7}', '\u{202e}']),
        "{:?}",
        ended.err
    );
}

/// A file where none belongs is answered by where it does, and a picture that was named and not printed is missed.
#[test]
fn files_that_lead_nowhere_are_told() {
    let folder = script("print(1);");
    let ended = folder.run(&["a.nds", "--seed", "1", "--svg", "map.svg"]);
    assert!(
        ended.code == 2 && ended.err.contains("`--svg` takes no file"),
        "{}",
        ended.err
    );
    let ended = folder.run(&["a.nds", "--count", "2", "--jsonl", "maps.jsonl"]);
    assert!(
        ended.code == 2 && ended.err.contains("`--jsonl=maps.jsonl`"),
        "{}",
        ended.err
    );
    let ended = folder.run(&["a.nds", "--seed", "1", "--png", "map.png"]);
    assert_eq!(ended.code, 0);
    assert!(
        ended
            .err
            .contains("no picture was printed, so map.png was not written"),
        "{}",
        ended.err
    );
    let ended = folder.run(&["a.nds", "--seed", "1", "--svg", "other"]);
    assert!(
        ended.code == 2 && ended.err.contains("only one program can be run"),
        "{}",
        ended.err
    );
}
