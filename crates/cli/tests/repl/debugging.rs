//! `ndscript debug` on a terminal.

use crate::terminal::{CTRL_C, Folder, Terminal};

#[test]
fn the_screen_shows_source_variables_map_and_choices() {
    let folder = Folder::new("debug");
    folder.write(
        "a.nds",
        "let g = makeGrid(3, 2, setOf(1, 2));\nlet n = 7;\nlet p = chooseElement(toArray(positionsOf(g)));\ng[p] = setOf(2);\nprintGrid(g);",
    );
    let mut t = Terminal::new(&folder, &["debug", "a.nds", "--seed", "7"]);
    t.shows("`help` lists the commands.");
    t.keys("over 4\r");
    t.shows("step ");
    t.shows(">    5 | printGrid(g);");
    // The screen comes from above; this is the last part of it.
    t.shows("1. line 3, 5 left: 1: (");
    let screen = t.lines().join("\n");
    for part in [
        "g:\n",
        "12 12 12",
        "n = 7",
        "p = (",
        "1. line 3, 5 left: 1: (",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert!(
        t.lines()[0].starts_with("step ") && t.lines()[0].contains("a.nds:5"),
        "{screen}"
    );
    t.keys("back\r");
    t.shows(">    4 | g[p] = setOf(2);");
    t.keys("quit\r");
}

#[test]
fn ctrl_c_stops_a_search_and_not_the_debugger() {
    let folder = Folder::new("debug-stop");
    folder.write("a.nds", "let n = 0;\nwhile (true) {\n  n = n + 1;\n}");
    let mut t = Terminal::new(&folder, &["debug", "a.nds", "--seed", "7"]);
    t.shows("`help` lists the commands.");
    t.keys("end\r");
    std::thread::sleep(std::time::Duration::from_millis(300));
    t.keys(CTRL_C);
    t.shows("stopped; the run can be recorded further");
    t.keys("start\r");
    t.shows("step 0");
    t.keys("quit\r");
}

/// Lines are edited and remembered as in the conversation, also from one walk to the next.
#[test]
fn lines_are_edited_and_remembered() {
    let folder = Folder::new("debug-lines");
    folder.write("a.nds", "let count = 7;\nlet other = 8;\ncount = 9;\n");
    let mut t = Terminal::new(&folder, &["debug", "a.nds", "--seed", "7"]);
    t.shows("`help` lists the commands.");
    t.keys("over 2\r");
    t.shows(">    3 | count = 9;");
    // A command and a variable are completed, and what is wrong is corrected in the middle.
    t.keys("sho\tcou\t\r");
    t.shows("count = 7");
    t.keys("shw other\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[Do\r");
    t.shows("other = 8");
    t.keys("quit\r");
    assert_eq!(t.end(), 0);
    let mut t = Terminal::new(&folder, &["debug", "a.nds", "--seed", "7"]);
    t.shows("`help` lists the commands.");
    t.keys("\x1b[A\x1b[A\x1b[A\x1b[A");
    t.shows("> over 2");
    t.keys("\r");
    t.shows(">    3 | count = 9;");
    // Ctrl-D leaves; before the prompt it would be the terminal's, not the debugger's.
    t.shows("| count = 9;\n>");
    t.keys("\x04");
    assert_eq!(t.end(), 0);
}
