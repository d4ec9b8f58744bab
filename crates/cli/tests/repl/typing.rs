//! Typing: lines of several rows, history, completion, Ctrl-C, questions, narrow windows, no colours.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use ndscript::rng::Rng;

use crate::terminal::{CTRL_C, CTRL_D, CTRL_R, Folder, RIGHT, Terminal, UP};

#[test]
fn an_input_may_have_several_lines() {
    let folder = Folder::new("lines");
    let mut t = Terminal::new(&folder, &["repl"]);
    t.prompt("1> ");
    assert_eq!(t.line("function f(a) {\r  return a * 2;\r}", "2> "), "");
    assert_eq!(t.line("f(4) +\r1", "3> "), "9");
    assert_eq!(t.line("`a\r${f(1)}`", "4> "), "\"a\\n2\"");
    assert_eq!(
        t.line("if (true) print('x'); else\r print('y');", "5> "),
        "x"
    );
    // A block is taken as a whole, whatever is missing in it.
    t.keys("if (true) {\r  let a = 1\r  let b = 2\r");
    t.shows("let b = 2");
    assert!(t.line("}", "5> ").contains("`;`"));
    t.clear("5> ");
    // A mistake is no reason to wait for more.
    assert!(t.line("f(1))", "5> ").contains("input 5:1:5"));
}

#[test]
fn what_is_typed_before_the_prompt_is_not_lost() {
    let folder = Folder::new("ahead");
    let mut t = Terminal::new(&folder, &["repl"]);
    t.keys("let first = 1;\r");
    t.prompt("2> ");
    t.keys("debug('working'); let n = 0; while (n < 300000) n = n + 1;\r");
    t.shows("\nworking");
    t.keys("let second = 2;\rfirst + sec");
    t.prompt("4> first + sec");
    t.keys("ond\r");
    t.prompt("5> ");
    t.shows("\n3\n");
}

#[test]
fn earlier_inputs_come_back() {
    let folder = Folder::new("history");
    let mut t = Terminal::new(&folder, &["repl"]);
    t.prompt("1> ");
    t.line("let apple = 1", "2> ");
    t.line("let pear = [1,\r2]", "3> ");
    t.keys(UP);
    t.shows("3> let pear = [1,\n2]");
    // The first of these goes up in the input itself.
    t.keys(&format!("{UP}{UP}"));
    t.prompt("3> let apple = 1");
    t.keys(CTRL_C);
    t.prompt("3> ");
    t.keys(CTRL_D);
    assert_eq!(t.end(), 0);
    // In another session, too; found by a part, or shown as a hint that the right arrow takes.
    let mut t = Terminal::new(&folder, &["repl"]);
    t.prompt("1> ");
    t.keys(CTRL_R);
    t.shows("reverse-i-search");
    t.keys("app");
    t.shows("let apple = 1");
    assert_eq!(t.line("", "2> "), "");
    t.keys("let a");
    t.shows("let apple = 1");
    t.keys(RIGHT);
    t.prompt("2> let apple = 1");
    t.keys(CTRL_C);
    t.prompt("2> ");
    assert!(folder.read("history").contains("let apple = 1"));
}

#[test]
fn a_history_that_cannot_be_kept_is_no_obstacle() {
    let folder = Folder::new("unwritable");
    folder.write("file", "");
    let place = folder.path().join("file").join("history");
    let mut t = Terminal::with(
        &folder,
        &["repl"],
        100,
        &[("NDSCRIPT_HISTORY", place.to_str().unwrap())],
    );
    t.prompt("1> ");
    t.shows("the history of inputs is not kept");
    assert_eq!(t.line("1 + 1", "2> "), "2");
    t.keys(UP);
    t.prompt("2> 1 + 1");
}

/// A file that somebody has written is no history, and stays as it is; an empty one becomes one.
#[test]
fn a_file_that_is_no_history_stays_as_it_is() {
    let folder = Folder::new("other_file");
    for (text, is_kept) in [("let precious = 1;\n", false), ("", true)] {
        folder.write("file", text);
        let place = folder.path().join("file");
        let mut t = Terminal::with(
            &folder,
            &["repl"],
            100,
            &[("NDSCRIPT_HISTORY", place.to_str().unwrap())],
        );
        t.prompt("1> ");
        if !is_kept {
            t.shows("is no history: name");
        }
        assert_eq!(t.line("1 + 1", "2> "), "2");
        t.keys(CTRL_D);
        assert_eq!(t.end(), 0);
        assert_eq!(
            folder.read("file"),
            if is_kept { "#V2\n1 + 1\n" } else { text }
        );
    }
}

#[test]
fn words_are_completed() {
    let folder = Folder::new("completion");
    folder.write("treasure.nds", "1");
    let mut t = Terminal::new(&folder, &["repl"]);
    t.prompt("1> ");
    t.line("let castle = {wallHeight: 3}; let castaway = 2;", "2> ");
    t.keys("cast");
    t.keys("\t");
    // Both begin like this, so they are listed.
    t.keys("\t");
    t.shows("castaway");
    t.keys("l\t");
    t.shows("castle");
    t.keys(".w\t");
    t.prompt("2> castle.wallHeight");
    t.keys(" + sizeO\t");
    t.shows("sizeOf(collection)");
    t.keys("[1])\r");
    t.prompt("3> ");
    t.keys(":rel\t");
    t.prompt("3> :reload");
    t.keys(CTRL_C);
    t.prompt("3> ");
    t.keys(":load tre\t");
    t.prompt("3> :load treasure.nds");
    t.line("", "4> ");
    t.keys("whi\t");
    t.prompt("4> while");
}

#[test]
fn brackets_that_belong_together_are_marked() {
    let folder = Folder::new("brackets");
    let mut t = Terminal::new(&folder, &["repl"]);
    t.prompt("1> ");
    let row = t.cursor().0 as usize;
    t.keys("max((1), ')', 2)");
    t.prompt("1> max((1), ')', 2)");
    t.waits_for_underline(row, &[6, 18]);
    // Left of the cursor is `2` now, and then the bracket around 1.
    t.keys("\x1b[D\x1b[D");
    t.waits_for_underline(row, &[]);
    t.keys("\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D");
    t.waits_for_underline(row, &[7, 9]);
}

#[test]
fn ctrl_c_stops_an_input_and_restores_what_was() {
    let folder = Folder::new("interrupt");
    let mut t = Terminal::new(&folder, &["repl"]);
    t.prompt("1> ");
    t.line("let x = choose(1, 2);", "2 (1 open)> ");
    for endless in [
        "x = 7; debug('begun'); while (true) x = x + 1;",
        "x = 7; debug('begun'); choose first ; or ; while (true) { choose first fail; or ; }",
        "debug('begun'); function deep(n) { choose first deep(n + 1); or fail; } let y = solutions(() => deep(0));",
        "debug('begun'); require(countSolutions(() => { while (true) choose first ; or ; }) > 0);",
    ] {
        t.clear("2 (1 open)> ");
        t.keys(endless);
        t.keys("\r");
        t.shows("\nbegun");
        t.keys(CTRL_C);
        t.shows("interrupted; everything is as it was before");
        t.prompt("2 (1 open)> ");
    }
    assert_eq!(t.line("x", "3 (1 open)> "), "1");
    assert_eq!(
        t.line("fail;", "3> "),
        "back to input 1, then input 2 again: x is now 2\n2"
    );
    // At the prompt it clears the line.
    t.keys("let never = 1");
    t.prompt("3> let never = 1");
    t.keys(CTRL_C);
    t.prompt("3> ");
    assert!(t.line("never", "3> ").contains("`never` is not defined"));
    // A session that has begun anew is stopped like the first one.
    t.line(":clear", "1> ");
    t.keys("debug('again'); while (true) {}\r");
    t.shows("\nagain");
    t.keys(CTRL_C);
    t.shows("interrupted; everything is as it was before");
    t.prompt("1> ");
    t.keys(CTRL_D);
    assert_eq!(t.end(), 0);
}

#[test]
fn an_error_in_the_third_of_five_inputs() {
    let folder = Folder::new("error");
    let mut t = Terminal::new(
        &folder,
        &["repl", "--timeout", "1000", "--max-memory", "50M"],
    );
    t.prompt("1> ");
    t.line("let a = [1];", "2> ");
    t.line("function f(n) { push(a, n); return a[n]; }", "3> ");
    let error = t.line("push(a, 9); f(10);", "3> ");
    assert!(
        error.contains("input 2:1:") && error.contains("called from f(10) at input 3:1"),
        "{error}"
    );
    assert_eq!(t.line("a", "4> "), "[1]");
    assert_eq!(t.line("f(1)", "5> "), "1");
    assert!(
        t.line("while (true) push(a, range(100));", "5> ")
            .contains("has used its 50 MB of memory; everything is as it was before")
    );
    assert_eq!(t.line("a", "6> "), "[1, 1]");
}

#[test]
fn questions_are_answered_at_the_terminal() {
    let folder = Folder::new("questions");
    let mut t = Terminal::new(&folder, &["repl"]);
    t.prompt("1> ");
    t.line("let x = choose(1, 2);", "2 (1 open)> ");
    t.keys("print('So.'); let name = input('your name?'); name\r");
    t.prompt("your name? ");
    t.keys(CTRL_C);
    t.shows("interrupted; everything is as it was before");
    t.prompt("2 (1 open)> ");
    t.keys("let name = input('your name?'); name\r");
    t.prompt("your name? ");
    t.keys(CTRL_D);
    t.shows("the input ended before \"your name?\" was answered");
    t.prompt("2 (1 open)> ");
    t.keys("let name = input('your name?'); name\r");
    t.prompt("your name? ");
    // Earlier choices are dropped by a question.
    assert_eq!(t.line("Ann {", "3> "), "\"Ann {\"");
    // As in `play`: keys pick, and what was picked stays.
    t.keys("ask('which?', ['left', 'right'])\r");
    t.shows("> 1) left");
    t.keys("2");
    t.shows("> 2) right");
    t.keys("\r");
    t.shows("which? right");
    t.prompt("4> ");
    t.shows("\"right\"");
    t.keys(UP);
    t.prompt("4> ask('which?', ['left', 'right'])");
}

#[test]
fn forty_columns_are_enough() {
    let folder = Folder::new("narrow");
    let mut t = Terminal::with(&folder, &["repl", "--seed", "1"], 40, &[]);
    t.prompt("1> ");
    t.line("let letters = chooseElement(range(30));", "2 (1 open)> ");
    t.keys("[11111, 22222, 33333, 44444, 55555, 66666, 77777]\r");
    t.prompt("3 (1 open)> ");
    t.shows("[11111, 22222, 33333, 44444, 55555, 6666");
    let choices = t.line(":choices", "3 (1 open)> ");
    // Two lines, neither of them broken by the window.
    assert_eq!(choices.lines().count(), 2, "{choices}");
    assert!(choices.contains("29 left:"), "{choices}");
    let vars = t.line(":vars", "3 (1 open)> ");
    assert_eq!(vars.lines().count(), 1);
    let help = t.line(":help", "3 (1 open)> ");
    assert!(
        help.contains(":choices\n      the open choices: where they are,\n      what is chosen now, what is left"),
        "{help}"
    );
    t.clear("3 (1 open)> ");
    t.keys("let total = sum(map([1, 2], x => x + 1)) + nosuch;\r");
    t.shows("hint: declare it first");
    t.prompt("3 (1 open)> ");
    // The source line is cut, with the mark under its place, and words go on in a new line.
    let lines = t.lines();
    let code = lines
        .iter()
        .rposition(|line| line.ends_with("+ nosuch;"))
        .unwrap();
    assert_eq!(
        lines[code + 1].find('^'),
        lines[code].find("nosuch"),
        "{lines:?}"
    );
    assert!(
        lines.contains(&"  hint: declare it first: `var nosuch =".to_string()),
        "{lines:?}"
    );
    t.clear("3 (1 open)> ");
    t.keys("printTilemap(makeGrid(30, 30, 'green'))\r");
    t.prompt("4 (1 open)> ");
    let blocks = t
        .lines()
        .iter()
        .filter(|line| line.contains('▀'))
        .map(|line| line.chars().count())
        .max();
    // One dot a cell, as wide as the cells can be equally.
    assert_eq!(blocks, Some(30));
}

#[test]
fn no_colours_where_none_are_wanted() {
    let folder = Folder::new("plain");
    let mut t = Terminal::with(&folder, &["repl"], 100, &[("NO_COLOR", "1")]);
    t.prompt("1> ");
    let shown = t.line("let x = 'abc'; printTilemap(makeGrid(2, 1, 'red'))", "2> ");
    assert_eq!(shown, "(a picture of 32x16 pixels: `:png FILE` writes it)");
    assert!((0..20).all(|column| t.color(0, column) == vt100::Color::Default));
    let mut t = Terminal::new(&folder, &["repl", "--preview", "never"]);
    t.prompt("1> ");
    let row = t.cursor().0 as usize;
    t.line("let x = 'abc'; printTilemap(makeGrid(2, 1, 'red'))", "2> ");
    t.shows("(a picture of 32x16 pixels");
    // What is typed is coloured all the same: `let`.
    assert_ne!(t.color(row, 3), vt100::Color::Default);
}

#[test]
fn without_arguments_the_repl_begins() {
    let folder = Folder::new("alone");
    let mut t = Terminal::new(&folder, &[]);
    t.prompt("1> ");
    assert_eq!(t.line("1 + 1", "2> "), "2");
}

#[test]
fn run_shows_pictures_in_order_with_text() {
    let folder = Folder::new("run");
    folder.write(
        "map.nds",
        "print('before'); printTilemap(makeGrid(3, 1, 'red')); print('after');",
    );
    let t = Terminal::new(&folder, &["map.nds"]);
    t.shows("after");
    let lines = t.lines();
    let before = lines.iter().position(|line| line == "before").unwrap();
    assert_eq!(lines[before + 1], "▀".repeat(48));
    assert!(lines[before + 2..].iter().any(|line| line == "after"));
    assert_eq!(t.end(), 0);
}

#[test]
fn a_script_may_name_its_interpreter() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("shebang");
    let program = env!("CARGO_BIN_EXE_ndscript");
    folder.write(
        "map.nds",
        &format!("#!{program}\nprintLine(param('size', 1));\nmissing;\n"),
    );
    let path = folder.path().join("map.nds");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(&path).arg("size=3").output().unwrap();
    let (out, err, code) = texts(&output);
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(err.contains("map.nds:3:1"), "{err}");
}

fn piped(folder: &Folder, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ndscript"))
        .args(arguments)
        .current_dir(folder.path())
        .env("NDSCRIPT_HISTORY", folder.path().join("history"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has ended reads no more.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn texts(output: &Output) -> (String, String, i32) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        text(&output.stdout),
        text(&output.stderr),
        output.status.code().unwrap(),
    )
}

#[test]
fn without_a_terminal_inputs_come_from_a_pipe() {
    let folder = Folder::new("piped");
    let inputs = b"let x = choose(1, 2);\nfunction f(a) {\n  return a * 10;\n}\nf(x)\nfail;\nf(x) // now\n:vars";
    let (out, err, code) = texts(&piped(&folder, &["repl"], inputs));
    assert_eq!(
        out,
        "10\nback to input 1, then inputs 2 and 3 again: x is now 2\n20\n20\nx = 2\nf = function f\n"
    );
    assert_eq!((err.as_str(), code), ("", 0));
    assert!(!folder.path().join("history").exists());

    assert_eq!(
        texts(&piped(&folder, &[], b"1 + 1")),
        ("2\n".into(), String::new(), 0)
    );
    assert_eq!(
        texts(&piped(&folder, &["repl"], b"")),
        (String::new(), String::new(), 0)
    );
    let (out, err, code) = texts(&piped(
        &folder,
        &["repl"],
        b"let x = 1;\nrequire(x == 2);\nx\nlet y = (\n",
    ));
    assert_eq!((out.as_str(), code), ("1\n", 1));
    assert!(
        err.starts_with("no solution") && err.contains("input 3"),
        "{err}"
    );
    let (out, _, code) = texts(&piped(
        &folder,
        &["repl", "--max-steps", "1000"],
        b"while (true) ;\n5\n",
    ));
    assert_eq!((out.as_str(), code), ("5\n", 3));
    let (out, err, code) = texts(&piped(&folder, &["repl"], b"1\n\xff\xfe\n2\n:nothing\n"));
    assert_eq!((out.as_str(), code), ("1\n2\n", 2));
    assert!(
        err.contains("not UTF-8") && err.contains(":nothing"),
        "{err}"
    );
}

/// A line of pieces, most of them with a mistake in it.
fn random_line(rng: &mut Rng) -> String {
    const PIECES: &[&str] = &[
        "let x = ",
        "var y",
        "x",
        "y",
        "1",
        "2.5",
        "'a'",
        "}",
        ")",
        "]",
        "+",
        "=",
        "==",
        ";",
        ";",
        ";",
        ",",
        ".",
        "or",
        "choose first x = 1; or fail;",
        "fail",
        "fail;",
        "require(x == 1);",
        "chooseElement([1, 2, 3])",
        "print('ä\\n')",
        "return",
        "printTilemap(makeGrid(2, 2, 'red'))",
        "range(5)",
        "true",
        "null",
        "import 'x.nds';",
        "//",
        "*/",
        "\u{1f600}",
        "\t",
        "é",
        "#",
        "\\",
        "solutions(() => choose(x, y))",
        "{}",
        "()",
        "[]",
    ];
    // These may swallow the rest of the input.
    const OPENING: &[&str] = &[
        "{",
        "(",
        "[",
        "\"",
        "'",
        "`${",
        "/*",
        "while (",
        "if (x)",
        "function f(a)",
        "choose",
    ];
    const COMMANDS: &[&str] = &[
        ":next",
        ":all 3",
        ":undo",
        ":choices",
        ":commit",
        ":vars",
        ":doc sizeOf",
        ":doc f",
        ":doc",
        ":load a.nds",
        ":reload",
        ":save b.nds",
        ":load b.nds",
        ":png c.png",
        ":seed 4",
        ":seed",
        ":time x",
        ":time",
        ":stats",
        ":clear",
        ":help",
        ":",
        ":x",
        ":load",
        ":png /proc/x",
        ":n",
        ":u",
        ":save /",
        ":load .",
        ": all",
    ];
    let pick = |rng: &mut Rng, list: &[&'static str]| list[rng.below(list.len() as u64) as usize];
    match rng.below(10) {
        0..=2 => pick(rng, COMMANDS).to_string(),
        3 => "let x = choose(1, 2, 3); printLine(x)".to_string(),
        4 => "function f(a) { return chooseElement([a, x]); } f(1)".to_string(),
        5 => "require(x == 2);".to_string(),
        6 if rng.below(10) == 0 => format!("{} {}", pick(rng, PIECES), pick(rng, OPENING)),
        _ => (0..1 + rng.below(7))
            .map(|_| pick(rng, PIECES))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

#[test]
fn random_lines_never_end_the_session() {
    let folder = Folder::new("random");
    folder.write("a.nds", "let loaded = choose(1, 2);\nprintLine(loaded);\n");
    let mut reached = 0;
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let mut lines: Vec<String> = (0..60).map(|_| random_line(&mut rng)).collect();
        lines.push(":clear\nprint('the end')".into());
        let input = lines.join("\n");
        let arguments = ["repl", "--seed", "1", "--max-steps", "100000"];
        let (out, err, code) = texts(&piped(&folder, &arguments, input.as_bytes()));
        assert!(
            !err.contains("panicked") && [0, 1, 2, 3].contains(&code),
            "{code} {err}\n{input}"
        );
        // Unless a bracket or a quote is open until the end.
        reached += u32::from(out.ends_with("the end\n"));
    }
    assert!(reached > 10, "{reached} of 30");
}

#[test]
fn piped_inputs_answer_questions_and_load_files() {
    let folder = Folder::new("answers");
    folder.write("a.nds", "let a = param('size', 1);");
    let inputs = b"input('name?')\nBob\nask('which?', ['x', 'y'])\n2\na\n:save b.nds\n:quit\nnever";
    let (out, err, code) = texts(&piped(&folder, &["repl", "a.nds", "size=4"], inputs));
    assert_eq!(
        (out.as_str(), code),
        ("\"Bob\"\n\"y\"\n4\nwrote b.nds\n", 0),
        "{err}"
    );
    assert!(
        folder
            .read("b.nds")
            .contains("// From a.nds\nlet a = param('size', 1);")
    );
    let (out, err, code) = texts(&piped(&folder, &["repl", "missing.nds"], b"1\n"));
    assert_eq!((out.as_str(), code), ("1\n", 2));
    assert!(err.contains("missing.nds"), "{err}");
    let (out, _, code) = texts(&piped(&folder, &["repl", "size=5"], b"param('size', 1)"));
    assert_eq!((out.as_str(), code), ("5\n", 0));
    let (out, _, code) = texts(&piped(&folder, &["repl"], b"input('?')"));
    assert_eq!((out.as_str(), code), ("", 2));
}

/// Escape sequences of a program: a title, a cleared screen, hidden text.
const OBEYED: &str = "let evil = \"\\u{1b}]0;title\\u{7}\\u{1b}[2J\";\nprint('<', evil, '>');\ndebug('debug ', evil);
print(ask('prompt ' + evil, ['option ' + evil, 'b']), `line\\r over`);";

#[test]
fn what_a_terminal_would_obey_is_shown_as_text() {
    let folder = Folder::new("obeyed");
    folder.write("evil.nds", OBEYED);
    let shown = "\\u{1b}]0;title\\u{7}\\u{1b}[2J";
    for command in ["run", "play"] {
        let script = format!("printf '1\\n' | $NDSCRIPT {command} evil.nds; echo done");
        let t = Terminal::shell(&folder, &script);
        t.shows("done");
        t.shows(&format!("<{shown}>"));
        t.shows(&format!("debug {shown}"));
        t.shows(&format!("prompt {shown}"));
        t.shows(&format!("1) option {shown}"));
        t.shows(&format!("option {shown}line\\r over"));
    }
    let mut t = Terminal::new(&folder, &["repl", "evil.nds"]);
    t.shows(&format!("<{shown}>"));
    t.shows(&format!("debug {shown}"));
    // A menu has blanks there.
    t.shows("1) option  ]0;title  [2J");
    t.keys("1\r");
    t.prompt("2> ");
    assert!(t.line("evil", "3> ").contains(&format!("\"{shown}\"")));
    assert!(t.line(":vars", "3> ").contains(&format!("\"{shown}\"")));
    assert!(t.line("input(evil)", &format!("{shown} ")).is_empty());
    t.keys("x\r");
    t.prompt("4> ");
    folder.write("fail.nds", "fail \"because \\u{1b}[2J\";");
    let t = Terminal::shell(&folder, "$NDSCRIPT run fail.nds; echo done");
    t.shows("because \\u{1b}[2J");
    // A file gets the bytes.
    let t = Terminal::shell(
        &folder,
        "printf '1\\n' | $NDSCRIPT run evil.nds > out.txt 2> err.txt; echo done",
    );
    t.shows("done");
    let bytes = "\u{1b}]0;title\u{7}\u{1b}[2J";
    assert_eq!(
        folder.read("out.txt"),
        format!("<{bytes}>option {bytes}line\r over")
    );
    assert!(folder.read("err.txt").contains(&format!("debug {bytes}")));
}

/// What is named by somebody else is shown as text as well: files and folders.
#[test]
fn names_that_a_terminal_would_obey_are_shown_as_text() {
    let folder = Folder::new("named");
    let name = "x\u{1b}]0;EVIL\u{7}";
    let text = "let n = choose(1, 2); let g = makeGrid(2, 1, setOf('red', 'blue')); g[0, 0] = setOf('blue'); printTilesetMap(g);
function testA() { require(false, 'no'); }";
    folder.write(&format!("{name}.nds"), text);
    folder.write(&format!("{name}.png"), "");
    for command in [
        "test \"$N.nds\"",
        "tiles --tiles .",
        "run \"$N.nds\" --seed 1 --png \"$N.1.png\" --html \"$N.1.html\" --tmx \"$N.tmx\"",
        "tree \"$N.nds\" --seed 1 --html \"$N.2.html\"",
        "tree \"$N.nds\" --seed 1 --diff \"$N.nds\"",
        "profile \"$N.nds\" --seed 1 --svg \"$N.svg\"",
        "animate \"$N.nds\" --seed 1 --gif \"$N.gif\"",
        "why \"$N.nds\" 'g[0, 0]' --seed 1 --png \"$N.2.png\"",
        "doc \"$N\"",
    ] {
        let script = format!("N=$(printf 'x\\033]0;EVIL\\007'); $NDSCRIPT {command}; echo done");
        let t = Terminal::shell(&folder, &script);
        t.shows("done");
        t.shows("x\\u{1b}]0;EVIL\\u{7}");
    }
}
