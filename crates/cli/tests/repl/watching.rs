//! `ndscript watch`, beside an editor.

use crate::terminal::{Folder, Terminal};

#[test]
fn a_program_is_run_again_when_it_changes() {
    let folder = Folder::new("watch");
    folder.write("part.nds", "let part = 'red';");
    folder.write(
        "a.nds",
        "import \"part.nds\"; let n = choose(1, 2); printTilemap(makeGrid(4, 2, part)); printLine('n is ', n);",
    );
    let mut t = Terminal::new(&folder, &["watch", "a.nds", "--seed", "7"]);
    t.shows("n is 1");
    t.shows("a.nds   seed 7   solution 1");
    t.shows("▀▀▀▀▀▀▀▀\n▀▀▀▀▀▀▀▀\n");
    assert_eq!(t.color(1, 0), vt100::Color::Rgb(255, 0, 0));
    t.keys("n");
    t.shows("n is 2");
    t.shows("solution 2");
    t.keys("n");
    t.shows("there is no other solution");
    // The seed stays.
    folder.write(
        "a.nds",
        "import \"part.nds\"; let n = choose(1, 2); printTilemap(makeGrid(4, 2, part)); printLine('now ', n);",
    );
    t.shows("now 1");
    t.shows("seed 7   solution 1");
    // What is imported is watched, too, and so is a mistake.
    folder.write("part.nds", "let part = ;");
    t.shows("part.nds:1:12");
    folder.write("part.nds", "let part = 'blue';");
    t.shows("now 1");
    t.shows("▀▀▀▀▀▀▀▀\n");
    assert_eq!(t.color(1, 0), vt100::Color::Rgb(0, 0, 255));
    t.keys("p");
    t.shows("wrote a.png");
    assert!(folder.path().join("a.png").exists());
    folder.write("a.nds", "printLine('before'); 1 / 0;");
    t.shows("error: division by zero");
    folder.write("a.nds", "let n = 0; while (true) n = n + 1;");
    t.shows("searching ...");
    // A search without an end does not keep the next version waiting.
    folder.write("a.nds", "fail 'no way';");
    t.shows("the last reason given: no way");
    t.keys("s");
    t.shows("no solution");
    t.keys("q");
    assert_eq!(t.end(), 0);
}

#[test]
fn what_is_wrong_from_the_beginning_is_shown_at_once() {
    let folder = Folder::new("watch-wrong");
    let mut t = Terminal::new(&folder, &["watch", "a.nds", "nuber=3"]);
    t.shows("cannot read \"a.nds\"");
    folder.write(
        "a.nds",
        "let number = param('number', 1); while (true) number += 1;",
    );
    t.shows("searching ...");
    t.shows("the program has no parameter \"nuber\"");
    // What was printed before the end is seen, and marked.
    folder.write(
        "a.nds",
        "printLine('the text'); printTilemap(makeGrid(2, 2, 'gold')); require(choose(1, 2) > 2, 'low');",
    );
    t.shows("printed before the last failure:\nthe text\n▀▀▀▀\n");
    t.shows("no solution\nthe last reason given: low");
    folder.write("a.nds", "printLine('the text'); error('bad');");
    t.shows("printed before the error:\nthe text\nerror: bad");
    // A terminal obeys nothing that a program says.
    folder.write("a.nds", r#"fail "\u{1b}]0;title\u{7}way";"#);
    t.shows("the last reason given: \\u{1b}]0;title\\u{7}way");
    folder.write("a.nds", "printLine('found');");
    t.shows("solution 1");
    t.shows("found");
    assert!(
        !t.lines().iter().any(|row| row.contains("printed before")),
        "{:?}",
        t.lines()
    );
    t.keys("q");
    assert_eq!(t.end(), 0);
    let mut t = Terminal::new(&folder, &["watch", "b.nds"]);
    t.shows("cannot read \"b.nds\"");
    t.keys("q");
    assert_eq!(t.end(), 0);
}

#[test]
fn without_a_terminal_nothing_is_watched() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ndscript"))
        .args(["watch", "a.nds"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("needs a terminal"));
}
