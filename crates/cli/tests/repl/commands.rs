//! Every command, at a terminal.

use crate::terminal::{CTRL_D, Folder, Terminal};

#[test]
fn the_session_is_one_search() {
    let folder = Folder::new("search");
    let mut t = Terminal::new(&folder, &["repl", "--seed", "1"]);
    t.prompt("1> ");
    assert_eq!(t.line("let x = choose(1, 2, 3);", "2 (1 open)> "), "");
    assert_eq!(
        t.line(
            "let y = choose(10, 20); printLine('y is ', y);",
            "3 (2 open)> "
        ),
        "y is 10"
    );
    assert_eq!(t.line("x + y", "4 (2 open)> "), "11");
    assert_eq!(
        t.line(":choices", "4 (2 open)> "),
        "input 2, line 1: choose(10, 20)\n    now 10; 1 left: 20\n\
         input 1, line 1: choose(1, 2, 3)\n    now 1; 2 left: 2, 3"
    );
    // What stands behind the input that is gone back to is run again.
    assert_eq!(
        t.line("fail;", "4 (1 open)> "),
        "back to input 2, then input 3 again: y is now 20\n  input 2: y is 20\n21"
    );
    assert_eq!(t.line("let z = 5; x + y", "5 (1 open)> "), "21");
    // Two inputs back: input 2 has nothing left.
    let back = "back to input 1, then inputs 2 to 4 again: x is now 2, y is now 10\n  input 2: y is 10\n  input 3: 12\n12";
    assert_eq!(t.line("fail;", "5 (2 open)> "), back);
    // A constraint stays one.
    let back = "back to input 1, then inputs 2 to 4 again: x is now 3\n  input 2: y is 10\n  input 3: 13\n  input 4: 13";
    assert_eq!(t.line("require(x == 3);", "6 (1 open)> "), back);
    assert_eq!(t.line("[x, y]", "7 (1 open)> "), "[3, 10]");
    assert!(
        t.line("require(x < 3, 'x is ' + x);", "7 (1 open)> ")
            .contains("the last reason given: x is 3")
    );
    assert!(t.line("fail;", "7> ").ends_with("  input 4: 23\n[3, 20]"));
    assert!(
        t.line("fail;", "7> ")
            .starts_with("the inputs have no other solution")
    );
    assert_eq!(t.line(":choices", "7> "), "no choice is open");
    assert_eq!(
        t.line(":undo", "7 (1 open)> "),
        "undone: the previous solution is here again"
    );
    assert_eq!(
        t.line(":undo", "6 (1 open)> "),
        "undone: the latest input is 5 again"
    );
    assert_eq!(
        t.line(":undo", "5 (2 open)> "),
        "undone: the latest input is 4 again"
    );
    assert_eq!(t.line("x", "6 (2 open)> "), "2");
    assert_eq!(
        t.line(":next", "6 (2 open)> "),
        "input 5 has no other solution; `fail;` goes back into input 2"
    );
    t.keys(CTRL_D);
    assert_eq!(t.end(), 0);
}

#[test]
fn other_solutions_are_listed() {
    let folder = Folder::new("all");
    let mut t = Terminal::new(&folder, &["repl", "--seed", "1"]);
    t.prompt("1> ");
    t.line("let x = choose('a', 'b');", "2 (1 open)> ");
    t.line("let y = choose(1, 2, 3);", "3 (2 open)> ");
    assert_eq!(
        t.line(":all", "3 (2 open)> "),
        "y is 1\n---\ny is 2\n---\ny is 3\n---"
    );
    assert_eq!(
        t.line(":all 2", "3 (2 open)> "),
        "y is 1\n---\ny is 2\n---\nand more than these 2"
    );
    t.line(":next", "3 (2 open)> ");
    assert_eq!(t.line("[x, y]", "4 (2 open)> "), "[\"a\", 2]");
    assert_eq!(t.line(":commit", "4> "), "2 choices dropped");
    assert_eq!(t.line(":commit", "4> "), "no choice is open");
    assert!(
        t.line("fail;", "4> ")
            .starts_with("the inputs have no other solution")
    );
    assert_eq!(t.line(":all", "4> "), "[\"a\", 2]\n---");
    // What changes nothing, and a declaration, have something to say, too.
    t.line("if (x == 'q') x = 'r';", "5> ");
    assert_eq!(t.line(":all", "5> "), "no variable changes\n---");
    t.line("function twice(n) { return 2 * n; }", "6> ");
    assert_eq!(t.line(":all", "6> "), "twice is a function\n---");
    // After a look at a value, the choices are in an earlier input.
    t.line("let z = choose(1, 2);", "7 (1 open)> ");
    t.line("z", "8 (1 open)> ");
    let hint = "input 7 has no other solution; `fail;` goes back into input 6";
    assert_eq!(t.line(":next", "8 (1 open)> "), hint);
    assert_eq!(
        t.line("fail;", "8> "),
        "back to input 6, then input 7 again: z is now 2\n2"
    );
}

#[test]
fn values_variables_and_documentation() {
    let folder = Folder::new("values");
    let mut t = Terminal::new(&folder, &["repl", "--seed", "7"]);
    t.prompt("1> ");
    assert_eq!(t.line(":vars", "1> "), "no variable has a value yet");
    assert_eq!(t.line("'a\\nb'", "2> "), "\"a\\nb\"");
    assert_eq!(t.line("print(1, 2)", "3> "), "12");
    assert_eq!(t.line("null", "4> "), "null");
    assert_eq!(
        t.line("let g = gridFromText('ab\\ncd'); g", "5> "),
        "grid 2x2\n  \"a\" \"b\"\n  \"c\" \"d\""
    );
    assert_eq!(t.line("setOf(3, 1)", "6> "), "{1, 3}");
    let long = t.line("range(10000)", "7> ");
    assert!(long.ends_with("...") && long.len() < 5000);
    t.line("function twice(n) { return 2 * n; }", "8> ");
    assert_eq!(
        t.line(":vars", "8> "),
        "g = grid 2x2\ntwice = function twice"
    );
    assert!(
        t.line(":doc sizeOf", "8> ")
            .starts_with("sizeOf(collection)")
    );
    assert_eq!(
        t.line(":doc twice", "8> "),
        "function twice(n) { return 2 * n; }"
    );
    assert!(
        t.line(":doc sizeOff", "8> ")
            .contains("did you mean `sizeOf`?")
    );
    assert_eq!(t.line(":seed", "8> "), "the seed is 7");
    let draws = "[randomInt(1, 1000), randomInt(1, 1000)]";
    t.line(":seed 3", "8> ");
    let first = t.line(draws, "9> ");
    t.line(":seed 3", "9> ");
    assert_eq!(t.line(draws, "10> "), first);
    assert!(t.line(":time twice(4)", "11> ").starts_with("8\n0.0"));
    assert!(
        t.line(":time", "11> ")
            .contains(" 0 choice points, 0 failures")
    );
    assert!(t.line(":stats", "11> ").contains("inputs         10"));
    assert!(
        t.line(":nxt", "11> ")
            .contains("there is no command `:nxt`")
    );
    assert!(t.line(":load", "11> ").contains("`:load FILE`"));
    assert!(t.line("help", "11> ").contains("`:help` lists them"));
    assert!(t.line("/help", "11> ").contains("`:help` lists them"));
    assert!(t.line("quit()", "11> ").contains("`:quit` leaves"));
    assert!(
        t.line(":doc deterministic", "11> ")
            .starts_with("deterministic function f(a, b)")
    );
    t.clear("11> ");
    let help = t.line(":help", "11> ");
    for command in [
        "next", "all", "undo", "choices", "commit", "vars", "doc", "load", "reload", "save", "png",
        "seed", "time",
    ] {
        assert!(help.contains(&format!(":{command}")), "{command}: {help}");
    }
    t.line(":clear", "1> ");
    assert_eq!(t.line(":vars", "1> "), "no variable has a value yet");
    t.line(":undo", "11> ");
    t.keys(":quit\r");
    assert_eq!(t.end(), 0);
}

#[test]
fn files_are_loaded_and_written() {
    let folder = Folder::new("files");
    folder.write("part.nds", "var parts = 1;\n");
    folder.write(
        "map.nds",
        "#!/usr/bin/env ndscript\nimport \"part.nds\";\nlet size = choose(3, 4);\nprintLine('size ', size);\n",
    );
    folder.write("broken.nds", "let a = 1;\nlet b = ;\nlet c = = 2;\n");
    let mut t = Terminal::new(&folder, &["repl", "--seed", "1"]);
    t.prompt("1> ");
    assert_eq!(t.line(":load map.nds", "2 (1 open)> "), "size 3");
    t.line("let more = size * parts", "3 (1 open)> ");
    let broken = t.line(":load broken.nds", "3 (1 open)> ");
    assert!(
        broken.contains("broken.nds:2:9") && broken.contains("broken.nds:3:9"),
        "{broken}"
    );
    assert!(
        t.line(":load missing.nds", "3 (1 open)> ")
            .contains("there is no such file")
    );
    assert!(t.line(":reload", "3 (1 open)> ").contains("broken.nds:2:9"));
    // What the file says now takes the place of what it said.
    t.line(":load map.nds", "4 (2 open)> ");
    folder.write("map.nds", "let size = 9;\n");
    assert_eq!(t.line(":reload", "4 (1 open)> "), "");
    assert_eq!(t.line("[size, more]", "5 (1 open)> "), "[9, 3]");
    folder.write("map.nds", "let size = ;\n");
    assert!(t.line(":reload", "5 (1 open)> ").contains("map.nds:1:12"));
    assert_eq!(t.line(":save saved.nds", "5 (1 open)> "), "wrote saved.nds");
    // It may write over what it has written, and over nothing else.
    assert_eq!(t.line(":save saved.nds", "5 (1 open)> "), "wrote saved.nds");
    folder.write("mine.nds", "let mine = 1;\n");
    assert!(
        t.line(":save mine.nds", "5 (1 open)> ")
            .contains("`:save! mine.nds` writes over it")
    );
    assert_eq!(folder.read("mine.nds"), "let mine = 1;\n");
    assert_eq!(
        t.line(":save! --fixed mine.nds", "5 (1 open)> "),
        "wrote mine.nds"
    );
    assert!(
        folder.read("mine.nds").contains("\nlet size = 3;\n"),
        "{}",
        folder.read("mine.nds")
    );
    assert!(
        t.line(":save /proc/nothing/saved.nds", "5 (1 open)> ")
            .contains("cannot write \"/proc/nothing/saved.nds\"")
    );
    assert!(
        t.line(":png picture.png", "5 (1 open)> ")
            .contains("there is no picture yet")
    );
    assert_eq!(t.line("print(1)", "6 (1 open)> "), "1");
    let saved = folder.read("saved.nds");
    assert!(
        saved.contains("import \"part.nds\";\nlet size = choose(3, 4); // chose 3\n"),
        "{saved}"
    );
    assert!(saved.contains("let more = size * parts;\n"), "{saved}");
    assert!(saved.contains("\nsize = 9;\n"), "{saved}");
    t.line(":clear", "1> ");
    assert_eq!(t.line(":load saved.nds", "2 (1 open)> "), "size 3");
    t.line(":load examples", "2 (1 open)> ");
}

#[test]
fn pictures_are_shown_and_taken_back() {
    let folder = Folder::new("pictures");
    let mut t = Terminal::new(&folder, &["repl", "--seed", "1"]);
    t.prompt("1> ");
    t.line("let g = makeGrid(4, 2, 'red');", "2> ");
    let row = t.cursor().0 as usize;
    let shown = t.line("print('before'); printTilemap(g); print('after');", "3> ");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!((lines[0], *lines.last().unwrap()), ("before", "after"));
    // Four cells of two characters each, a line for a row.
    assert_eq!(lines.len(), 2 + 2);
    assert_eq!(lines[1], "▀".repeat(8));
    assert_eq!(t.color(row + 2, 0), vt100::Color::Rgb(255, 0, 0));
    assert_eq!(t.line(":size 1", "3> "), "▀▀▀▀");
    // As large as the tiles are, two dots a line.
    assert_eq!(t.line(":size 0", "3> ").lines().count(), 16);
    assert_eq!(
        t.line(":size 3", "3> ").lines().next(),
        Some("▀▀▀▀▀▀▀▀▀▀▀▀")
    );
    t.line("g[position(0, 0)] = 'blue'; printTilemap(g)", "4> ");
    assert_eq!(t.line(":png second.png", "4> "), "wrote second.png");
    assert_eq!(
        t.line(":undo", "3> "),
        "undone: the latest input is 2 again"
    );
    assert_eq!(t.line(":png first.png", "3> "), "wrote first.png");
    let pixel = |name: &str| image_bytes(&folder, name);
    assert_ne!(pixel("first.png"), pixel("second.png"));
    assert_eq!(t.line("g[position(0, 0)]", "4> "), "\"red\"");
    assert!(
        t.line(":png /proc/nothing/a.png", "4> ")
            .contains("cannot write")
    );
    let doc = t.line(":doc printTilemap", "4> ");
    assert!(doc.contains("printTilemap(") && doc.contains('▀'), "{doc}");
}

fn image_bytes(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(name)).unwrap()
}

#[test]
fn a_redefined_function_and_choices_that_use_it() {
    let folder = Folder::new("redefined");
    let mut t = Terminal::new(&folder, &["repl", "--seed", "1"]);
    t.prompt("1> ");
    t.line("function name(x) { return 'old ' + x; }", "2> ");
    t.line(
        "function pick() { let x = choose(1, 2, 3); printLine(name(x)); return x; }",
        "3> ",
    );
    assert_eq!(t.line("let x = pick();", "4 (1 open)> "), "old 1");
    t.line("function name(x) { return 'new ' + x; }", "5 (1 open)> ");
    assert_eq!(t.line("name(x)", "6 (1 open)> "), "\"new 1\"");
    // The redefinition is undone as well, and comes again behind what is run again.
    let back =
        "back to input 3, then inputs 4 and 5 again: x is now 2\n  input 3: old 2\n\"new 2\"";
    assert_eq!(t.line("fail;", "6 (1 open)> "), back);
    t.line("name = v => 'a value ' + v;", "7 (1 open)> ");
    assert_eq!(t.line("pick();", "8 (2 open)> "), "a value 1");
    assert_eq!(t.line(":next", "8 (2 open)> "), "a value 2");
}

#[test]
fn choices_say_what_is_chosen_where() {
    let folder = Folder::new("choices");
    let mut t = Terminal::new(&folder, &["repl", "--seed", "1"]);
    t.prompt("1> ");
    t.line(
        "function room(size) { return choose('hall' + size, 'cave'); }",
        "2> ",
    );
    t.line(
        "let rooms = []; foreach (n in range(2)) { let double = 2 * n; push(rooms, room(choose(double, 9))); }",
        "3 (4 open)> ",
    );
    // The first room was refused, so what it chose is not open any more.
    t.line("require(rooms[0] == 'cave');", "4 (3 open)> ");
    let expected = "\
input 2 (input 1, line 1), in room(2): choose('hall' + size, 'cave')
    now \"hall2\"; 1 left: 'cave'
input 2, line 1: choose(double, 9) with double is 2
    now 2; 1 left: 9
input 2, line 1: choose(double, 9) with double is 0
    now 0; 1 left: 9";
    assert_eq!(t.line(":choices", "4 (3 open)> "), expected);
    // With a random order it is found out just as well, and a choice that a built-in makes has its place.
    t.line(":clear", "1> ");
    t.line(
        "let a = chooseElement(['x', 'y', 'z', 'w']); let board = [setOf(1, 2)]; decide(board);",
        "2 (2 open)> ",
    );
    t.line("fail;", "2 (1 open)> ");
    t.line("fail;", "2 (2 open)> ");
    let a = t.line("a", "3 (2 open)> ");
    let seen = t.line(":choices", "3 (2 open)> ");
    let lines: Vec<&str> = seen.lines().collect();
    let board = t.line("singletonValue(board[0])", "4 (2 open)> ");
    assert_eq!(lines[0], "input 1, line 1: decide(board)");
    assert!(
        lines[1].starts_with(&format!("    board[0] is now {board}; 1 left: ")),
        "{seen}"
    );
    assert!(
        lines[3].starts_with(&format!("    now {a}; 2 left: ")),
        "{seen}"
    );
}

#[test]
fn choices_are_known_behind_a_new_seed_and_a_loaded_file() {
    let folder = Folder::new("choices-seed");
    folder.write(
        "cells.nds",
        "let cells = makeGrid(2, 1, setOf('red', 'gold'));\n\ndecide(cells);",
    );
    let mut t = Terminal::new(&folder, &["repl", "--seed", "5"]);
    t.prompt("1> ");
    t.line("function pick(list) { return chooseElement(list); }", "2> ");
    t.line("let p = pick(['a', 'b']);", "3 (1 open)> ");
    t.line(":seed 9", "3 (1 open)> ");
    t.line("let q = pick(['c', 'd', 'e']);", "4 (2 open)> ");
    t.line(":load cells.nds", "5 (4 open)> ");
    let (p, q) = (t.line("p", "6 (4 open)> "), t.line("q", "7 (4 open)> "));
    let cells: Vec<String> = (0..2)
        .map(|x| {
            t.line(
                &format!("singletonValue(cells[{x}, 0])"),
                &format!("{} (4 open)> ", 8 + x),
            )
        })
        .collect();
    let seen = t.line(":choices", "9 (4 open)> ");
    let lines: Vec<&str> = seen.lines().collect();
    assert_eq!(
        (lines.len(), lines[0]),
        (7, "input 4 (cells.nds, line 3): decide(cells)"),
        "{seen}"
    );
    for line in &lines[1..3] {
        let x = usize::from(line.contains("cells[1, 0]"));
        assert!(
            line.starts_with(&format!("    cells[{x}, 0] is now {}; 1 left: ", cells[x])),
            "{seen}"
        );
    }
    assert_eq!(
        lines[3],
        "input 3 (input 1, line 1), in pick([\"c\", \"d\", \"e\"]): chooseElement(list)"
    );
    assert!(
        lines[4].starts_with(&format!("    now {q}; 2 left: ")),
        "{seen}"
    );
    assert!(
        lines[6].starts_with(&format!("    now {p}; 1 left: ")),
        "{seen}"
    );
    // Whoever asks why goes the same way.
    assert!(
        t.line(":why q", "9 (4 open)> ")
            .starts_with(&format!("q = {q}\n"))
    );
}

#[test]
fn what_gives_nothing_prints_nothing() {
    let folder = Folder::new("nothing");
    let mut t = Terminal::new(&folder, &["repl", "--seed", "1"]);
    t.prompt("1> ");
    t.line(
        "let log = []; function note(x) { push(log, x); } let o = {f: note};",
        "2> ",
    );
    assert_eq!(t.line("note(1)", "3> "), "");
    assert_eq!(t.line("o.f(2)", "4> "), "");
    assert_eq!(t.line("log", "5> "), "[1, 2]");
    assert_eq!(t.line("null", "6> "), "null");
}

#[test]
fn a_long_list_waits_for_its_reader() {
    let folder = Folder::new("pager");
    let mut t = Terminal::new(&folder, &["repl", "--seed", "1"]);
    t.prompt("1> ");
    t.line(
        "let n = chooseElement(range(1000)); `line ${n}`",
        "2 (1 open)> ",
    );
    t.keys(":all\r");
    t.shows("-- space or enter goes on, q ends --");
    t.keys(" ");
    t.shows("-- space or enter goes on, q ends --");
    t.keys("q");
    t.prompt("2 (1 open)> ");
    assert!(!t.lines().iter().any(|line| line.contains("-- space")));
}

#[test]
fn the_session_of_the_readme_is_typed_for_real() {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let blocks = readme.split("```console\n$ ndscript repl").skip(1);
    let blocks: Vec<&str> = blocks
        .map(|block| block.split("\n```").next().unwrap())
        .collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let (arguments, expected) = block.split_once('\n').unwrap();
        let arguments: Vec<&str> = std::iter::once("repl")
            .chain(arguments.split_whitespace())
            .collect();
        let folder = Folder::new("readme");
        let mut t = Terminal::new(&folder, &arguments);
        t.prompt("1> ");
        // A line with a prompt is typed, and so is what follows it while an input is unfinished.
        let mut typed = String::new();
        let mut is_unfinished = false;
        for line in expected.lines() {
            let input = line
                .split_once("> ")
                .filter(|(prompt, _)| is_prompt(prompt))
                .map(|(_, input)| input);
            match input {
                Some(input) => {
                    let row = t.cursor().0 as usize;
                    assert_eq!(
                        t.lines()[row].trim_end(),
                        line.split_once("> ").unwrap().0.to_string() + ">",
                        "{line}"
                    );
                    typed = input.to_string();
                }
                None if is_unfinished => typed = format!("{typed}\r{line}"),
                None => continue,
            }
            is_unfinished = ndscript::syntax::is_unfinished(&typed.replace('\r', "\n"));
            if !is_unfinished {
                t.type_line(&typed);
            }
        }
        let row = t.cursor().0 as usize;
        let lines: Vec<String> = t.lines()[1..row]
            .iter()
            .map(|line| line.trim_end().to_string())
            .collect();
        assert_eq!(lines.join("\n"), expected);
    }
}

fn is_prompt(text: &str) -> bool {
    let (number, open) = text.split_once(' ').unwrap_or((text, ""));
    number.parse::<u32>().is_ok()
        && (open.is_empty() || open.starts_with('(') && open.ends_with(" open)"))
}
