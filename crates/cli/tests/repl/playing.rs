//! `ndscript play` on a real terminal: arrow keys, going back, lines, pictures, and leaving.

use crate::terminal::{CTRL_C, Folder, Terminal, UP};

const DOWN: &str = "\x1b[B";
const LEFT: &str = "\x1b[D";
const TAB: &str = "\t";
const ENTER: &str = "\r";

const SCRIPT: &str = "let roll = randomInt(1, 1000000);
let first = ask('First?', ['red', 'green', 'blue']);
printLine(`first ${first} ${roll}`);
let second = ask('Second?', [1, 2]);
printLine(`second ${second}`);
let name = input('Name? ');
print(`all: ${first} ${second} ${name} ${roll} ${randomInt(1, 1000000)}`);";

fn playing(name: &str, script: &str) -> (Folder, Terminal) {
    let folder = Folder::new(name);
    folder.write("game.nds", script);
    let terminal = Terminal::new(
        &folder,
        &["play", "game.nds", "--seed", "5", "--record", "game.txt"],
    );
    (folder, terminal)
}

/// The rows that are not blank, without the blanks around them.
fn rows(terminal: &Terminal) -> Vec<String> {
    terminal
        .lines()
        .iter()
        .map(|row| row.trim().to_string())
        .filter(|row| !row.is_empty())
        .collect()
}

#[test]
fn long_questions_are_shown_in_full() {
    let question = "Which way do you take, you who come from so far away over the sea, and have walked so long?";
    let left = "to the left, where the dragon has slept for a thousand years and more, as they say in the village";
    let script = format!(
        "let way = ask('{question} ', ['{left}', 'right']); let name = input('{question} '); print(way);"
    );
    let (_folder, mut t) = playing("long-question", &script);
    t.shows("> 1) to the left");
    t.shows("ctrl-c quit");
    let shown = |t: &Terminal| rows(t).join(" ");
    assert!(
        shown(&t).contains(&format!("{question} > 1) {left} 2) right")),
        "{}",
        shown(&t)
    );
    t.keys(DOWN);
    t.shows("> 2) right");
    // Only what may be picked next takes so much room.
    assert!(
        shown(&t).contains("as they say in the... > 2) right"),
        "{}",
        shown(&t)
    );
    t.keys(ENTER);
    t.shows("enter   esc back");
    assert!(
        shown(&t).contains(&format!("{question} right {question}")),
        "{}",
        shown(&t)
    );
    t.keys("Ann");
    t.keys(ENTER);
    t.shows("The end.");
    assert!(
        shown(&t).contains(&format!("{question} Ann")),
        "{}",
        shown(&t)
    );
    t.keys(ENTER);
    t.end();
}

#[test]
fn arrows_pick_and_left_goes_back() {
    let (folder, mut t) = playing("arrows", SCRIPT);
    t.shows("> 1) red");
    t.keys(DOWN);
    t.shows("> 2) green");
    t.keys(ENTER);
    // Options that are numbers are not numbered. Keys between two questions would not be seen as keys: each test waits
    // for the next question.
    t.shows("first green");
    t.shows("Second?");
    t.shows("> 1");
    t.keys(LEFT);
    // What was answered before is proposed.
    t.shows("-- back at moment 1 --");
    t.shows("> 2) green");
    t.keys("3");
    t.shows("> 3) blue");
    t.keys(ENTER);
    t.shows("first blue");
    t.shows("Second?");
    t.keys("2");
    t.shows("> 2");
    t.keys(ENTER);
    t.shows("second 2");
    t.prompt("Name? ");
    t.keys("Aln");
    t.keys(LEFT);
    t.keys("\x7fn");
    t.prompt("Name? An");
    t.keys(ENTER);
    t.shows("The end.");
    t.keys(ENTER);
    let lines = rows(&t);
    let last = lines.iter().find(|row| row.starts_with("all: ")).unwrap();
    let (shown, rolls) = last.split_at("all: blue 2 Ann ".len());
    assert_eq!(shown, "all: blue 2 Ann ");
    // The draws are those of the seed, however often the person went back.
    let first = lines
        .iter()
        .find(|row| row.starts_with("first green"))
        .unwrap()
        .clone();
    assert_eq!(rolls.split(' ').next(), first.split(' ').next_back());
    assert_eq!(t.end(), 0);
    assert_eq!(folder.read("game.txt"), ":seed 5\nblue\n2\nAnn\n");
}

#[test]
fn a_list_of_moments_leads_anywhere() {
    let (folder, mut t) = playing("moments", SCRIPT);
    t.shows("> 1) red");
    t.keys(ENTER);
    t.shows("Second?");
    t.keys(ENTER);
    t.prompt("Name? ");
    t.keys("Eve");
    t.keys(TAB);
    t.shows("Back to which moment?");
    t.shows("> 2. Second? 1");
    t.keys(UP);
    t.shows("> 1. First? red");
    t.keys(ENTER);
    t.shows("-- back at moment 1 --");
    t.keys("g");
    t.shows("> 2) green");
    t.keys(ENTER);
    t.shows("first green");
    t.shows("Second?");
    // A list that is left again changes nothing.
    t.keys(TAB);
    t.shows("> 1. First? green");
    t.keys(LEFT);
    t.keys(DOWN);
    t.keys(ENTER);
    t.prompt("Name? ");
    t.keys("Bo\r");
    t.shows("all: green 2 Bo");
    t.shows("The end.");
    // From the end as well.
    t.keys(LEFT);
    t.shows("-- back at moment 3 --");
    t.prompt("Name? Bo");
    t.keys("b\r");
    t.shows("all: green 2 Bob");
    t.shows("leave");
    t.keys(ENTER);
    assert_eq!(t.end(), 0);
    assert_eq!(folder.read("game.txt"), ":seed 5\ngreen\n2\nBob\n");
}

#[test]
fn pictures_and_long_lists_are_shown() {
    let script = "printTilemap(grid([['red', 'blue']])); print(ask('Which?', map(range(100), n => `cell ${n + 300}`)));";
    let (_folder, mut t) = playing("pictures", script);
    t.shows("▀▀");
    t.shows("> ");
    t.shows("1 of 100");
    t.keys(UP);
    t.shows("> 100) cell 399");
    t.keys("57");
    t.shows("57) cell 356");
    t.keys(ENTER);
    t.shows("The end.");
    t.keys(ENTER);
    assert!(rows(&t).contains(&"cell 356".to_string()));
    assert_eq!(t.end(), 0);
}

#[test]
fn a_number_that_is_not_on_offer_picks_nothing() {
    let (_folder, mut t) = playing("numbers", "print('said ', ask('Guess?', range(3, 50)));");
    t.shows("> 3");
    t.keys("60");
    t.shows("there is no 60");
    t.keys(ENTER);
    t.keys("\x7f");
    t.shows("> 6");
    t.keys("0\x7f\x7f42");
    t.shows("> 42");
    t.keys(ENTER);
    t.shows("said 42");
    t.shows("The end.");
    t.keys(ENTER);
    assert_eq!(t.end(), 0);
}

#[test]
fn leaving_restores_the_terminal() {
    let folder = Folder::new("leaving");
    folder.write("game.nds", SCRIPT);
    let command = "\"$NDSCRIPT\" play game.nds --record game.txt; echo \"code $?\"; stty -a | tr ';' '\\n'; echo done";
    let mut t = Terminal::shell(&folder, command);
    t.shows("> 1) red");
    t.keys(DOWN);
    t.keys(ENTER);
    // Between two questions Ctrl-C would be a signal, and end the shell as well.
    t.shows("Second?");
    t.keys(CTRL_C);
    t.shows("done");
    let shown = rows(&t).join("\n");
    assert!(shown.contains("code 130"), "{shown}");
    for setting in ["icanon", "echo", "isig", "opost"] {
        let is_on = shown.split_whitespace().any(|word| word == setting);
        assert!(is_on, "{setting} is off:\n{shown}");
    }
    assert_eq!(t.end(), 0);
    assert!(
        folder.read("game.txt").ends_with("\ngreen\n"),
        "what was answered is kept"
    );
}

#[test]
fn a_signal_restores_the_terminal() {
    let folder = Folder::new("signal");
    folder.write("game.nds", SCRIPT);
    let game = "sh -c 'echo $$ > pid; exec \"$NDSCRIPT\" play game.nds'";
    let t = Terminal::shell(
        &folder,
        &format!("{game}; stty -a | tr ';' '\\n'; echo done"),
    );
    t.shows("> 1) red");
    let killed = std::process::Command::new("kill")
        .args(["-TERM", folder.read("pid").trim()])
        .status();
    assert!(killed.unwrap().success());
    t.shows("done");
    let shown = rows(&t).join("\n");
    for setting in ["icanon", "echo", "isig", "opost"] {
        assert!(
            shown.split_whitespace().any(|word| word == setting),
            "{setting} is off:\n{shown}"
        );
    }
    assert_eq!(t.end(), 0);
}

/// The rows in which the latest picture begins and ends, which is as wide as the screen shows half blocks.
fn latest_picture(terminal: &Terminal) -> (usize, usize) {
    let lines = terminal.lines();
    let is_picture = |row: &usize| lines[*row].contains('▀');
    let end = (0..lines.len()).rev().find(is_picture).expect("a picture");
    let start = (0..=end).rev().take_while(is_picture).last().unwrap();
    (start, end + 1)
}

/// Clicks a cell of the latest picture, by column and row; cells are 16 dots wide and high.
fn click_cell(terminal: &mut Terminal, button: u8, cell: (usize, usize)) {
    let (start, _) = latest_picture(terminal);
    terminal.click(button, start + 8 * cell.1 + 4, 16 * cell.0 + 5);
}

#[test]
fn a_click_on_a_cell_answers() {
    let script = "var cells = makeGrid(3, 2, 'gray');
        function clicked(cell, button) {
            if (button == 'right') return 'done';
            return cells[cell] == 'gray' ? `${cell.x},${cell.y}` : null;
        }
        let line = '';
        while (true) {
            if (line != 'look') printTilemap(cells);
            printLine(repeat('long ', 43));
            line = input('Where? ');
            if (line == 'done') break;
            printLine(`said ${line}`);
            if (line != 'look') cells[toNumber(line[0]), toNumber(line[2])] = 'red';
        }
        let picked = ask('Which?', ['none', '0,1', 'done']);
        print(`picked ${picked}`);";
    let (folder, mut t) = playing("clicks", script);
    t.prompt("Where? ");
    assert!(t.hears_mouse());
    // Beside the picture, on the text below it and on the question nothing happens.
    let (start, end) = latest_picture(&t);
    t.click(0, start, 70);
    t.click(0, end + 1, 3);
    t.click(0, end + 3, 3);
    click_cell(&mut t, 0, (2, 1));
    t.shows("said 2,1");
    t.prompt("Where? ");
    // A cell that is taken stands for nothing, and what was typed stays.
    t.keys("loo");
    t.prompt("Where? loo");
    click_cell(&mut t, 0, (2, 1));
    t.keys("k");
    t.prompt("Where? look");
    t.keys(ENTER);
    t.shows("said look");
    t.prompt("Where? ");
    // The picture is some rows further up now.
    click_cell(&mut t, 0, (0, 0));
    t.shows("said 0,0");
    t.prompt("Where? ");
    t.keys("\x1b");
    t.shows("-- back at moment 3 --");
    t.prompt("Where? 0,0");
    click_cell(&mut t, 0, (1, 0));
    t.shows("said 1,0");
    t.prompt("Where? ");
    click_cell(&mut t, 2, (1, 1));
    t.shows("Which?");
    t.shows("> 1) none");
    click_cell(&mut t, 0, (1, 1));
    click_cell(&mut t, 0, (0, 1));
    t.shows("picked 0,1");
    t.shows("The end.");
    assert!(!t.hears_mouse(), "the mouse belongs to the terminal again");
    t.keys(ENTER);
    assert_eq!(t.end(), 0);
    assert_eq!(
        folder.read("game.txt"),
        ":seed 5\n2,1\nlook\n1,0\ndone\n0,1\n"
    );
}

#[test]
fn only_programs_that_hear_clicks_take_the_mouse() {
    let (_folder, mut t) = playing(
        "deaf",
        "printTilemap(grid([['red']])); print('said ', input('Where? '));",
    );
    t.prompt("Where? ");
    assert!(!t.hears_mouse());
    t.keys("x\r");
    t.shows("said x");
    t.shows("The end.");
    t.keys(ENTER);
    assert_eq!(t.end(), 0);
    let script = "function clicked(cell, button) { return cell.z; } printTilemap(grid([['red']])); input('Where? ');";
    let (_folder, mut t) = playing("broken", script);
    t.prompt("Where? ");
    assert!(t.hears_mouse());
    click_cell(&mut t, 0, (0, 0));
    t.shows("clicked((0,0), \"left\") did not say what the click stands for: ");
    assert_eq!(t.end(), 2);
}

/// The dungeon of the examples, played with the mouse alone.
#[test]
fn a_dungeon_is_solved_with_the_mouse() {
    let script = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("examples/dungeons/play.nds");
    let folder = Folder::new("dungeon");
    let mut t = Terminal::new(
        &folder,
        &["play", script.to_str().unwrap(), "--record", "game.txt"],
    );
    t.prompt("Your marks (or help, undo, check, hint, stop): ");
    // Row 1, columns 4 and 5 are floor: with clues at the edge, the cells 4,1 and 5,1 of the picture.
    click_cell(&mut t, 2, (4, 1));
    t.shows("your mark: x 1 4");
    t.prompt("Your marks (or help, undo, check, hint, stop): ");
    click_cell(&mut t, 0, (2, 1));
    t.shows("Solved: all rules are kept.");
    t.shows("The end.");
    t.keys(ENTER);
    assert_eq!(t.end(), 0);
    assert!(folder.read("game.txt").ends_with("\nx 1 4\n# 1 2\n"));
}
