//! `ndscript debug` through a pipe, and `ndscript why`.

use super::*;

const COLOURS: &str = r#"// Colours that must differ beside each other, by recursion.
let g = makeGrid(3, 2, setOf("red", "green", "blue"));
function narrowTo(p, allowed) {
    let now = intersection(g[p], allowed);
    if (isEmpty(now)) fail "no colour is left";
    if (now == g[p]) return;
    g[p] = now;
    foreach (q in neighborsOf(p, g)) {
        if (isSingleton(g[p])) narrowTo(q, except(g[q], g[p]));
    }
}
while (!isEmpty(nonsingletonPositionsOf(g))) {
    let p = randomElement(nonsingletonPositionsOf(g));
    let colour = chooseElement(g[p]);
    narrowTo(p, setOf(colour));
}
printGrid(g);
"#;

const QUEUE: &str = r#"let g = makeGrid(4, 1, setOf(1, 2, 3, 4));
let q = queue();
g[0, 0] = setOf(choose(2, 3));
enqueue(position(0, 0), q);
while (!isEmpty(q)) {
    let p = dequeue(q);
    let cell = g[p];
    foreach (n in neighborsOf(p, g)) {
        let now = filter(g[n], v => any(cell, w => v == w + 1 || v == w - 1));
        if (toSet(now) != g[n]) {
            g[n] = toSet(now);
            enqueue(n, q);
        }
    }
}
printGrid(g);
"#;

const BOARD: &str = r#"let row = [];
for (let i = 0; i < 4; i++) push(row, setOf(1, 2, 3, 4));
allDifferent(row);
related(row, 0, 1, (a, b) => b == a + 1);
row[3] = setOf(1);
decide(row);
print(row);
"#;

/// What the debugger says to some commands.
fn debugged(text: &str, commands: &str) -> String {
    let ended = script(text).run_with_input(&["debug", "a.nds", "--seed", "3"], commands);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    ended.out
}

#[test]
fn a_run_is_walked_through_in_both_directions() {
    let commands = "where\nstep\nstep 2\nover\nvars\nfail\nend\nmap\nchoices\nback over\nback choice\nvars\nstart\n\
                    change g[2,1]\ncalls\nwhy g[2,1]\nback change g[2,1]\nshow g[2,1]\nloss g[0,0]\nout\n\
                    end\ntake 1\nend\ntext\nback\nuntake\nmore\nfail\nfail\ngo 40\nline 7\nback line 14\nstart\nback\nquit\nstep\n";
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("debug", debugged(COLOURS, commands)) });
}

#[test]
fn what_cannot_be_done_is_said() {
    let commands = "jump\nstep x\nshow nothing\nshow g[9,9]\nchange 3 + 4\nchange nope\nchange gg[1,1]\nloss nope\nchange g[9,9]\nstart\nmap q\nout\ntake 1\nuntake\ngo 99999999\n\
                    answer 7\nwhy g[7,7]\nline other.nds:3\nline 99\nback fail\n\n";
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("debug_refuses", debugged(COLOURS, commands)) });
}

#[test]
fn a_program_that_asks_is_answered_and_gone_back_in() {
    let text = "let name = input(\"Who?\");\nlet size = ask(\"How large?\", [\"small\", \"large\"]);\nprintLine(name, size);";
    let out = debugged(
        text,
        "end\nanswer Ann\nend\nanswer huge\nanswer large\nend\ntext\nback 2\nvars\n",
    );
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("debug_asks", out) });
}

#[test]
fn an_alternative_of_a_choice_statement_is_taken() {
    let text = "let x;\nchoose { x = 1; } or { x = 2; } or { x = 3; }\nprintLine(x);";
    let out = debugged(
        text,
        "end\ntext\nchoices\ntake 2\nend\ntext\nuntake\ntake 3\n",
    );
    let lines: Vec<&str> = out.lines().collect();
    let taken = lines
        .iter()
        .find_map(|line| line.strip_prefix("took { x = "))
        .unwrap();
    let number = &taken[..1];
    assert!(lines.contains(&number), "{out}");
    assert_eq!(
        lines.last(),
        Some(
            &"there is no such alternative left to take at this moment; `choices` numbers those that are left, from 1"
        )
    );
}

/// Whoever goes line by line comes by a failure, in both directions, before anything is undone.
#[test]
fn steps_stop_at_a_failure() {
    let text = "let c = choose(1, 2);\nrequire(c > 1);\nprintLine(c);";
    let out = debugged(text, "step\nstep\nstep\nstep\nback over\nback step\n");
    assert_eq!(
        out.matches("fail: the condition does not hold").count(),
        2,
        "{out}"
    );
}

/// What is looked for may lie before a solution that was recorded on the way: it is not passed over.
#[test]
fn more_goes_to_the_solution_that_comes_next() {
    let text = "let x = choose(1, 2);\nlet y = x;\nprintLine(y);";
    let out = debugged(text, "line 2\nmore\ntext\nmore\ntext\n");
    let said: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("solution") || line.len() == 1)
        .collect();
    assert!(
        said.len() == 4 && said[0] == "solution 1" && said[2].starts_with("solution 2"),
        "{out}"
    );
    assert!(said[1] != said[3], "{out}");
}

/// A variable changes when something is pushed to what it holds.
#[test]
fn changes_inside_of_an_array_are_found() {
    let text = "let seats = [];\nlet who = choose(\"Ann\", \"Bob\");\npush(seats, who);\nlet late = 1;\npush(seats, late);";
    let out = debugged(
        text,
        "change seats\nchange seats\nchange seats\nback change seats\n",
    );
    let said: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("seats"))
        .collect();
    assert!(
        said.len() == 4 && said[0] == "seats = []" && said[1].starts_with("seats[0] = "),
        "{out}"
    );
    assert!(said[2] == "seats[1] = 1" && said[3] == said[1], "{out}");
}

#[test]
fn why_leads_back_to_the_guesses() {
    let folder = script(COLOURS)
        .with("queue.nds", QUEUE)
        .with("board.nds", BOARD);
    let mut told = String::new();
    for (file, place) in [
        ("a.nds", "g[2,1]"),
        ("queue.nds", "g[3,0]"),
        ("board.nds", "row[2]"),
        ("board.nds", "row"),
    ] {
        let ended = folder.run(&["why", file, place, "--seed", "3"]);
        assert_eq!(ended.code, 0, "{}", ended.err);
        told += &ended.out;
        told.push('\n');
    }
    let early = folder.run(&["why", "a.nds", "g[2,1]", "--seed", "3", "--at", "60"]);
    told += &early.out;
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("why", told) });
    let drawn = folder.run(&[
        "why",
        "queue.nds",
        "g[3,0]",
        "--seed",
        "3",
        "--png",
        "why.png",
    ]);
    assert_eq!(drawn.code, 0, "{}", drawn.err);
    assert!(fs::read(folder.path("why.png")).unwrap().starts_with(PNG));
}

/// Of all constraints on a place those are named that have taken something from it, and the places that they had it from.
#[test]
fn why_names_the_constraints_that_had_a_part() {
    let text = "var b = [setOf(1, 2), setOf(1, 2), setOf(1, 2)];\nrelated(b, 0, 1, (x, y) => x != y);\n\
        atMost(b, 2, 1);\natLeast(b, 0, 2);\nb[0] = 1;\nb[2] = 1;\n";
    let out = script(text)
        .run(&["why", "a.nds", "b[1]", "--seed", "1"])
        .out;
    assert!(
        out.contains("b[1] = {2}, lost 1, by related with b[0] ("),
        "{out}"
    );
    assert!(!out.contains("atMost") && !out.contains("atLeast"), "{out}");
    let text = "var b = [setOf(1, 2), setOf(1, 2), setOf(1, 2)];\natMost(b, 1, 1);\nb[2] = 1;\n";
    let out = script(text)
        .run(&["why", "a.nds", "b[1]", "--seed", "1"])
        .out;
    assert!(
        out.contains("b[1] = {2}, lost 1, by atMost with b[2] ("),
        "{out}"
    );
}

/// A call that narrows a place and goes on to its neighbours, as in the README: what these lose comes from what the call has
/// just written, not from what it had read before; and no call that was made earlier has a part in it.
#[test]
fn why_follows_what_a_call_has_just_written() {
    let text = "\
let g = makeGrid(5, 1, setOf(1, 2, 3));
let near = relation([1, 1], [2, 2], [3, 3], [1, 2], [2, 1], [2, 3], [3, 2]);
function rule(p, allowed) {
    let left = intersection(g[p], allowed);
    if (left == g[p]) return;
    if (isEmpty(left)) fail;
    g[p] = left;
    foreach (q in neighborsOf(p, g)) rule(q, rightImage(near, left));
}
rule(position(4, 0), setOf(1));
while (!isEmpty(nonsingletonPositionsOf(g))) {
    let p = nonsingletonPositionsOf(g)[0];
    rule(p, setOf(choose(3, 2, 1)));
}
";
    let told = |place: &str| -> Vec<String> {
        let out = script(text)
            .run(&["why", "a.nds", place, "--seed", "1"])
            .out;
        out.lines()
            .map(|line| line.split(" (step").next().unwrap().to_string())
            .collect()
    };
    let first = "line 1: g = grid 5x1";
    assert_eq!(
        told("g[1,0]"),
        [
            "g[1, 0] = {3}",
            "line 7: g[1, 0] = {3}, lost 2",
            "  line 13: guessed alternative 1: 3",
            "line 7: g[1, 0] = {2, 3}, lost 1",
            "  line 7: g[0, 0] = {3}, lost 1, 2",
            "    line 13: guessed alternative 1: 3",
            first
        ]
    );
    assert_eq!(
        told("g[3,0]"),
        [
            "g[3, 0] = {2}",
            "line 7: g[3, 0] = {2}, lost 1",
            "  line 7: g[2, 0] = {3}, lost 2",
            "    line 13: guessed alternative 1: 3",
            "    line 7: g[2, 0] = {2, 3}, lost 1",
            "      line 7: g[1, 0] = {3}, lost 2",
            "        line 13: guessed alternative 1: 3",
            "        line 7: g[1, 0] = {2, 3}, lost 1",
            "          line 7: g[0, 0] = {3}, lost 1, 2",
            "            line 13: guessed alternative 1: 3",
            "line 7: g[3, 0] = {1, 2}, lost 3",
            "  line 7: g[4, 0] = {1}, lost 2, 3",
            first
        ]
    );
}

/// What was guessed or read in between for something else is no reason, but what comes by way of variables and functions is.
#[test]
fn why_leaves_out_what_had_no_part() {
    let text = "\
let c = choose(1, 2, 3);
let g = makeGrid(3, 1, 0);
let d = choose(4, 5);
g[0, 0] = \"red\";
g[1, 0] = d + 1;
let e;
function apply() { g[2, 0] = e; }
choose first e = 7; or e = 8;
apply();
let list = [];
push(list, choose(6, 9));
let n = 0;
if (sum(list) == 6) n = 1;
let lines = map([1], v => d + v);
let k = randomInt(1, 6);
";
    let folder = script(text);
    let guessed = |place: &str| -> Vec<String> {
        let out = folder.run(&["why", "a.nds", place, "--seed", "1"]).out;
        let guesses = out
            .lines()
            .filter_map(|line| line.trim().split_once(": guessed "));
        guesses.map(|(line, _)| line.to_string()).collect()
    };
    for (place, lines) in [
        ("g[0,0]", vec![]),
        ("g[1,0]", vec!["line 3"]),
        ("g[2,0]", vec!["line 8"]),
        ("n", vec!["line 11"]),
        ("lines", vec!["line 3"]),
        ("k", vec![]),
    ] {
        assert_eq!(guessed(place), lines, "{place}");
    }
}

/// A seed that is given once more where it was given before, after a failure, is another beginning.
#[test]
fn why_goes_the_way_of_a_session_with_the_same_seed_twice() {
    let inputs = "let a = choose(1, 2, 3);\nlet b = randomInt(1, 1000000);\n:seed 4\nfail;\n:seed 4\n\
                  let c = randomInt(1, 1000000);\nc\n:why c\n:why aa\n";
    let ended = Folder::new().run_with_input(&["repl", "--seed", "1"], inputs);
    let c = ended
        .out
        .lines()
        .find(|line| line.parse::<u64>().is_ok())
        .unwrap_or_else(|| panic!("{}", ended.out));
    assert!(ended.out.contains(&format!("\nc = {c}\n")), "{}", ended.out);
    ended
        .says("the program has no variable `aa`")
        .says("it has: a, b, c");
}

#[test]
fn why_comes_under_the_limit_of_time() {
    let folder = script("let n = 0; for (;;) n += 1;").with(
        "long.nds",
        "let g = makeGrid(2, 1, setOf(1, 2)); for (let i = 0; i < 3000000; i++) g[0, 0] = setOf(i % 2);",
    );
    // Of a moment that nobody has named it tells an earlier one, of one that is named nothing.
    let ended = folder.run(&["why", "a.nds", "n", "--seed", "1", "--timeout", "2"]);
    let is_told = ended.err.contains("this is why at ") && ended.out.starts_with("n = ");
    assert!(
        is_told || ended.err.contains("as long as --timeout allows"),
        "{} {}",
        ended.err,
        ended.out
    );
    let ended = folder.run(&[
        "why",
        "long.nds",
        "g[0, 0]",
        "--seed",
        "1",
        "--at",
        "100000",
        "--timeout",
        "0.05",
    ]);
    assert_eq!(
        ended.code,
        if ended.err.is_empty() { 0 } else { 3 },
        "{}",
        ended.err
    );
    assert!(
        ended.err.is_empty() || ended.err.contains("--timeout"),
        "{}",
        ended.err
    );
}

/// Where the search of a built-in begins and ends is no guess, and a part is named by the way that leads to it.
#[test]
fn why_tells_guesses_of_the_program_alone() {
    let text = "let best = minimize(() => { let a = choose(3, 1); cost(a); return a; });\n\
                let rooms = [{items: []}];\nlet pick = choose(\"key\", \"lamp\");\npush(rooms[0].items, pick);";
    let folder = script(text);
    let told = |place: &str| folder.run(&["why", "a.nds", place, "--seed", "1"]).out;
    assert!(
        told("best").starts_with("best = 1\nline 1: best = 1 "),
        "{}",
        told("best")
    );
    assert_eq!(
        told("best").matches("guessed").count(),
        1,
        "{}",
        told("best")
    );
    assert!(
        told("best").contains("guessed alternative 2: 1"),
        "{}",
        told("best")
    );
    let key = told("rooms[0].items[0]");
    assert!(
        key.contains("line 4: rooms[0].items[0] = \"key\" ")
            && key.contains("guessed alternative 1: \"key\""),
        "{key}"
    );
}

#[test]
fn why_says_what_it_cannot_tell() {
    let folder = script(COLOURS).with("board.nds", BOARD);
    for (arguments, message) in [
        (
            &["a.nds", "g[7,7]"][..],
            "there is no g[7, 7] at this moment",
        ),
        (&["a.nds", "h"], "the program has no variable `h`"),
        (
            &["a.nds", "3 + 4"],
            "`3 + 4` is not a place: write a variable",
        ),
        (
            &["a.nds", "g[0,0]", "--at", "999999999999"],
            "step 999999999999 is too late: the last solution that was asked for",
        ),
        (
            &["a.nds", "g[0,0]", "--at", "999999", "--solutions", "all"],
            "step 999999 is too late: the run has ended at step ",
        ),
        (
            &["a.nds", "g[0,0]", "--at", "soon"],
            "`soon` is not a moment: write a step",
        ),
        (&["a.nds", "g[0,0]", "--png", "a.nds/a.png"], "a.nds/a.png"),
        (
            &["board.nds", "row[2]", "--png", "a.png"],
            "row[2] is not a cell of a grid, so there is no map to draw",
        ),
    ] {
        let ended = folder.run(&[&["why", "--seed", "3"], arguments].concat());
        assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.out);
        assert!(ended.err.contains(message), "{arguments:?}: {}", ended.err);
    }
}

/// Who asks about the end of a solution and is told of another moment learns that from the exit code, too.
#[test]
fn why_ends_as_the_run_that_it_was_to_explain() {
    let told = |text: &str, options: &[&str]| {
        let ended = script(text).run(&[&["why", "a.nds", "x", "--seed", "3"], options].concat());
        (ended.code, ended.err)
    };
    let solved = "let x = choose(1, 2); x += 10; x += 10;";
    assert_eq!(told(solved, &[]), (0, String::new()));
    assert_eq!(told(solved, &["--at", "1.3"]), (0, String::new()));
    let endless = "let x = 0; for (;;) x += 1;";
    let (code, err) = told(endless, &["--max-steps", "50"]);
    assert!(
        code == 3 && err.contains("the run was stopped by a limit; this is why at its last moment"),
        "{code} {err}"
    );
    assert_eq!(
        told(endless, &["--max-steps", "50", "--at", "20"]),
        (0, String::new())
    );
    let (code, err) = told(endless, &["--max-steps", "50", "--at", "999"]);
    assert!(
        code == 3
            && err.contains(
                "step 999 is too late: the run was stopped by a limit; that was at step 5"
            ),
        "{err}"
    );
    let (code, err) = told("let x = 1; x = 0; 1 / x;", &[]);
    assert!(
        code == 2 && err.contains("the run has ended with that error; this is why"),
        "{code} {err}"
    );
    let (code, err) = told("let x = 1; x = 2; fail;", &[]);
    assert!(
        code == 1 && err.contains("there is no solution; "),
        "{code} {err}"
    );
}

#[test]
fn the_conversation_looks_at_what_inputs_did() {
    let inputs = ":trace\nlet g = makeGrid(2, 1, setOf(1, 2, 3));\n:back\n\
                  g[0, 0] = setOf(choose(1, 2));\nlet x = choose(1, 2, 3); require(x > 1, \"too small\");\n:trace\n:tree\n\
                  g[1, 0] = except(g[1, 0], g[0, 0]); x = x * 10;\n:back\n:back\n:back 9\n:why g[1,0]\n:why h\n:why\n\
                  require(g[0, 0] != setOf(1));\n:trace\n:why g[1,0]\n:back\n";
    let ended = Folder::new().run_with_input(&["repl", "--seed", "5"], inputs);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("repl_looks", ended.out + &ended.err) });
}

/// What an input did that failed, made an error or was stopped can be looked at: then one wants to know.
#[test]
fn the_conversation_looks_at_what_came_to_nothing() {
    let inputs = "let x = choose(1, 2); let n = 0;\n\
                  n = x * 10; let m = n + 1; require(m > 50, \"too small\");\n:trace\n:tree\n:why m\n:why x\n:back\n:back\n\
                  n = 7; 1 / (n - 7);\n:trace\n:tree\n:why n\n:back\n\
                  for (;;) n = n + 1;\n:tree\n:back\n\
                  n\n:trace\n:why m\n";
    let ended = Folder::new().run_with_input(&["repl", "--seed", "5", "--max-steps", "20"], inputs);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("repl_looks_at_failures", ended.out + &ended.err) });
}

/// An input that fails takes back what an earlier one has chosen: what led to the end of that one was no solution. And what
/// came last can be gone back in, however often earlier inputs were gone back to.
#[test]
fn the_conversation_tells_what_an_input_has_taken_back() {
    let inputs = "let x = choose(1, 2, 3);\nlet y = x * x;\nlet z = y + 1; require(z > 4);\n:tree\n:trace\n:back\n:back 5\n\
                  fail;\n:tree\n:back\n";
    let ended = Folder::new().run_with_input(&["repl", "--seed", "5"], inputs);
    let solutions = ended.out.matches("-- solution").count();
    assert_eq!(solutions, 2, "one in each tree: {}", ended.out);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("repl_takes_back", ended.out + &ended.err) });
}

/// Where an earlier input, run again, has died, it is the one that is named; and what failed in the latest input is what
/// is looked at.
#[test]
fn the_conversation_names_the_input_that_has_died() {
    let inputs = "let x = 0; choose first { x = 1; } or { x = 2; }\nrequire(x < 2, \"too big\");\nlet z = x;\n\
                  require(x == 2, \"x must be 2\");\n:trace\n:tree\n:why x\n:back\n:clear\n\
                  let x = 0; choose first { x = 1; } or { x = 2; }\nlet a = [5]; let y = a[x - 1];\nlet z = y;\nrequire(x == 2);\n\
                  :trace\n:tree\n:why z\n";
    let ended = Folder::new().run_with_input(&["repl", "--seed", "1"], inputs);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("repl_earlier_input_dies", ended.out + &ended.err) });
}

/// `:next` that finds nothing has tried something, in the latest input alone.
#[test]
fn the_conversation_looks_at_what_next_has_tried() {
    let inputs = "let x = 0; choose first { x = 1; } or { x = 2; }\n\
                  let y = choose(3, 4, 5); require(y < 5, \"five\"); let w = y;\n\
                  :next\n:next\n:trace\n:tree\n:why y\n:back\n:back\n:vars\nlet v = w;\n:tree\n";
    let ended = Folder::new().run_with_input(&["repl", "--seed", "1"], inputs);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("repl_next_finds_nothing", ended.out + &ended.err) });
}

/// What there is none of is named, as is what goes on in a search of a built-in; and behind the end of a run it is said what can
/// be done.
#[test]
fn the_debugger_says_what_it_has_not_found() {
    let program = "let x = choose(1, 2);\nif (not(() => { require(choose(1, 2) > 5); })) x = x + 1;\nlet z = [1][x];\n";
    let typed = "choice 3\nchoices\nback fail\nback solution\nback print\nback loss x\nback change z\nback call\nback line 3\n\
                 go 5.77\ngo 5\nend\nmore\nback fail\nmore\n";
    let ended = script(program).run_with_input(&["debug", "a.nds", "--seed", "1"], typed);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("debugger_finds_nothing", ended.out) });
}
