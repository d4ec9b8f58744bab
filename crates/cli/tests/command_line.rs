//! The real binary: what it prints where, which files it writes, and its exit codes.

#[path = "command_line/play.rs"]
mod play;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

#[path = "command_line/animating.rs"]
mod animating;
#[path = "command_line/batch.rs"]
mod batch;
#[path = "command_line/booklets.rs"]
mod booklets;
#[path = "command_line/counts.rs"]
mod counts;
#[path = "command_line/dap.rs"]
mod dap;
#[path = "command_line/debugging.rs"]
mod debugging;
#[path = "command_line/formatting.rs"]
mod formatting;
#[path = "command_line/hints.rs"]
mod hints;
#[path = "command_line/markup.rs"]
mod markup;
#[path = "command_line/messages.rs"]
mod messages;
#[path = "command_line/outputs.rs"]
mod outputs;
#[path = "command_line/proving.rs"]
mod proving;
#[path = "command_line/reports.rs"]
mod reports;
#[path = "command_line/save.rs"]
mod save;
#[path = "command_line/solving.rs"]
mod solving;
#[path = "command_line/tools.rs"]
mod tools;
#[path = "command_line/watching.rs"]
mod watching;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A folder of its own for a test, gone afterwards.
struct Folder(PathBuf);

/// What the binary did.
struct Ended {
    code: i32,
    out: String,
    err: String,
}

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "cli-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Folder {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ndscript"));
        command
            .current_dir(&self.0)
            .args(arguments)
            .env_remove("NO_COLOR");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        self.run_with_input(arguments, "")
    }

    fn run_with_input(&self, arguments: &[&str], input: &str) -> Ended {
        let mut child = self.command(arguments).spawn().unwrap();
        // The program may end without reading all of it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Ended {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The names of all files, sorted.
    fn files(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&self.0).unwrap();
                    names.push(name.to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Ended {
    #[track_caller]
    fn expect(self, code: i32, out: &str) -> Ended {
        assert_eq!(
            (self.code, self.out.as_str()),
            (code, out),
            "standard error: {}",
            self.err
        );
        self
    }

    #[track_caller]
    fn expect_code(self, code: i32) {
        assert_eq!(self.code, code, "standard error: {}", self.err);
    }

    #[track_caller]
    fn says(self, part: &str) -> Ended {
        assert!(self.err.contains(part), "{part:?} is not in: {}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

/// A folder with this program as `a.nds`.
fn script(text: &str) -> Folder {
    Folder::new().with("a.nds", text)
}

/// A program that never ends.
const ENDLESS: &str = "while (true) { }";

fn wait_for(child: &mut Child) -> i32 {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    panic!("the program did not end");
}

#[test]
fn a_solution_goes_to_standard_output() {
    let folder = script("var x = choose(1, 2, 3); print(\"x is \", x); require(x > 1);");
    let ended = folder.run(&["run", "a.nds"]).expect(0, "x is 2");
    assert_eq!(ended.err, "");
    folder.run(&["a.nds"]).expect(0, "x is 2");
    folder.run(&["--seed", "7", "a.nds"]).expect(0, "x is 2");
}

#[test]
fn a_program_may_come_from_standard_input() {
    let folder = Folder::new();
    folder
        .run_with_input(&["run", "-"], "printLine(\"é▒\");")
        .expect(0, "é▒\n");
    folder
        .run_with_input(&["-", "x=3"], "print(param(\"x\", 1) + 1);")
        .expect(0, "4");
    folder
        .run_with_input(&["-"], "print(1;")
        .expect(2, "")
        .says("<standard input>");
    folder
        .run_with_input(&["-"], "printImage(\"red\");")
        .expect(0, "")
        .says("wrote stdin.png");
}

#[test]
fn no_solution_is_exit_code_1() {
    script("print(\"never\"); fail;")
        .run(&["a.nds"])
        .expect(1, "")
        .says("no solution");
    script("fail;")
        .run(&["a.nds", "--solutions", "all"])
        .expect(1, "");
}

#[test]
fn errors_are_exit_code_2_and_show_the_place() {
    let ended = script("print(\"gone\");\nvar x = 1 / 0;")
        .run(&["a.nds"])
        .expect(2, "");
    ended.says("a.nds").says("1 / 0");
    let ended = script("var = 3;\nvar y = 1;\nprint(y;\n")
        .run(&["a.nds"])
        .expect(2, "");
    ended.says("a.nds:1").says("a.nds:3");
}

#[test]
fn limits_are_exit_code_3() {
    let folder = script(ENDLESS).with("m.nds", "var a = []; while (true) { push(a, 1); }");
    folder
        .run(&["a.nds", "--max-steps", "10000"])
        .expect(3, "")
        .says("10000");
    folder
        .run(&["a.nds", "--timeout", "0.2"])
        .expect(3, "")
        .says("0.2 seconds");
    folder
        .run(&["m.nds", "--max-memory", "16M", "--timeout", "60"])
        .expect(3, "")
        .says("memory");
}

#[test]
fn limits_hold_while_solutions_and_questions_come() {
    // Each turn is shorter than what lies between two looks at the limits.
    let turn = "for (var i = 0; i < 50000; i++) {}";
    let folder = script(&format!(
        "for (;;) {{ {turn} choose first break; or {{}} }}"
    ))
    .with("ask.nds", format!("for (;;) {{ {turn} input(\"\"); }}"))
    .with(
        "input.txt",
        format!("for (;;) {{ {turn} choose first break; or {{}} }}\n:all 1000000\n"),
    );
    folder
        .run(&["a.nds", "--solutions", "all", "--timeout", "0.3"])
        .says("stopped after 0.3 seconds")
        .expect_code(3);
    folder
        .run(&["a.nds", "--solutions", "all", "--max-steps", "1000000"])
        .says("--max-steps allows 1000000")
        .expect_code(3);
    let answers = "\n".repeat(100_000);
    folder
        .run_with_input(&["ask.nds", "--timeout", "0.3"], &answers)
        .says("stopped after 0.3 seconds")
        .expect_code(3);
    let inputs = fs::read_to_string(folder.path("input.txt")).unwrap();
    for limit in [["--timeout", "0.3"], ["--max-steps", "1000000"]] {
        let ended = folder.run_with_input(&[&["repl"], &limit[..]].concat(), &inputs);
        ended.says("stopped after").expect_code(3);
    }
}

#[test]
fn pictures_come_under_the_limit_of_time() {
    // Drawing one of them takes longer than a hundredth of a millisecond on any machine.
    let folder = script(
        "let g = makeGrid(200, 200, \"red\"); for (let i = 0; i < 9000; i++) printTilemap(g);",
    );
    let timeout = ["a.nds", "--timeout", "0.1"];
    for more in [&[][..], &["--count", "1"], &["--race", "2"]] {
        folder
            .run(&[&timeout, more].concat())
            .says("--timeout allows")
            .expect_code(3);
        assert!(folder.files().len() < 9000);
    }
}

/// What came to no solution is drawn within the time, too.
#[test]
fn unfinished_pictures_come_under_the_limit_of_time() {
    let pictures =
        "let g = makeGrid(100, 100, \"red\"); for (let i = 0; i < 9000; i++) printTilemap(g);";
    let folder =
        script(&format!("{pictures} fail;")).with("error.nds", format!("{pictures} error(\"x\");"));
    for file in ["a.nds", "error.nds"] {
        folder.run(&[file, "--timeout", "0.3", "--html", "page.html"]);
        let page = fs::read_to_string(folder.path("page.html")).unwrap();
        assert!(
            page.contains("more pictures)"),
            "{file}: all {} are there",
            page.matches("<img").count()
        );
    }
}

/// What a pipe sends is not all kept before anybody looks at it.
#[test]
fn lines_of_answers_are_bounded() {
    let folder = script("let x = input(\"name\"); print(sizeOf(x));");
    let line = |length: usize| "x".repeat(length) + "\n";
    folder
        .run_with_input(&["a.nds"], &line(4 << 20))
        .expect(0, "4194304");
    for command in [&["a.nds"][..], &["play", "a.nds"], &["debug", "a.nds"]] {
        folder
            .run_with_input(command, &line((4 << 20) + 1))
            .says("longer than 4 MB")
            .expect_code(2);
    }
}

/// A line of `debug` is shown at once: between two looks at the limits there are not many.
#[test]
fn lines_of_debug_are_paid_for() {
    let ended = script("while (true) debug(1);").run(&["a.nds", "--max-steps", "10000"]);
    assert!(
        ended.code == 3 && (50..110).contains(&ended.err.lines().count()),
        "{}",
        ended.err.lines().count()
    );
}

/// What `--save` keeps of a page is bounded, and who goes on is told what is missing.
#[test]
fn a_saved_page_is_bounded() {
    let text = "let a = chooseElement(range(40)); print(repeat(\"<\", 100000));";
    let folder = script(text);
    let arguments = [
        "a.nds",
        "--solutions",
        "all",
        "--html",
        "page.html",
        "--save",
        "a.state",
        "--max-memory",
        "16M",
    ];
    folder
        .run(&arguments)
        .says("longer than what a saved run keeps")
        .expect_code(0);
    let ended = folder.run(&[&arguments[..8], &["64M"]].concat());
    assert!(
        ended.code == 0 && !ended.err.contains("longer than"),
        "{}",
        ended.err
    );
}

/// An image is read beside what a run uses, so its file may be a part of that only.
#[test]
fn files_of_images_are_bounded_by_the_memory() {
    let folder = script("gridFromPicture(\"large\");").with("large.png", vec![0; 3 << 20]);
    folder
        .run(&["a.nds", "--max-memory", "16M"])
        .says("it is larger than 2 MB")
        .expect_code(2);
    let ended = folder.run(&["a.nds", "--max-memory", "64M"]);
    assert!(
        ended.code == 2 && !ended.err.contains("larger"),
        "{}",
        ended.err
    );
}

#[test]
fn batches_and_races_have_so_many_threads_at_most() {
    let folder = script("print(1);");
    for arguments in [
        &["a.nds", "--race", "1001"][..],
        &["a.nds", "--count", "2", "--jobs", "1001"],
    ] {
        folder
            .run(arguments)
            .says("a whole number from 1 to 1000")
            .expect_code(2);
    }
}

#[test]
fn chains_of_imports_are_no_circles() {
    let mut folder = script("import \"c1.nds\";");
    for number in 1..=70 {
        folder = folder.with(
            &format!("c{number}.nds"),
            format!("import \"c{}.nds\";", number + 1),
        );
    }
    let ended = folder.run(&["a.nds"]);
    assert!(
        ended.code == 2 && !ended.err.contains("circle"),
        "{}",
        ended.err
    );
    ended.says("the end of a chain of more than 64 imports");
}

/// A page of 48 MB takes little memory, is complete whatever ends the run, and lies under its name only then.
#[test]
fn a_page_grows_while_solutions_come() {
    let text = "let n = chooseElement(range(1200)); print(repeat(\"ab\", 20000), n);";
    let asks = "print('<one>'); let a = ask('go on?', ['yes', 'no']); print('late'); fail;";
    let folder = script(text).with("asks.nds", asks);
    let limited = format!(
        "ulimit -v 100000; exec {} run a.nds --seed 1 --solutions all --html page.html > /dev/null",
        env!("CARGO_BIN_EXE_ndscript")
    );
    let status = std::process::Command::new("sh")
        .args(["-c", &limited])
        .current_dir(folder.path("."))
        .status()
        .unwrap();
    assert!(status.success());
    let page = fs::read_to_string(folder.path("page.html")).unwrap();
    assert!(page.len() > 48_000_000 && page.ends_with("</html>\n"));
    assert_eq!(page.matches("<h2>Solution ").count(), 1200);
    folder
        .run(&[
            "a.nds",
            "--solutions",
            "all",
            "--html",
            "late.html",
            "--timeout",
            "0.02",
        ])
        .expect_code(3);
    assert!(
        fs::read_to_string(folder.path("late.html"))
            .unwrap()
            .ends_with("</html>\n")
    );
    // One solution needs no heading; what has come to none has another.
    folder.run(&["a.nds", "--html", "one.html"]).expect_code(0);
    assert!(
        !fs::read_to_string(folder.path("one.html"))
            .unwrap()
            .contains("<h2>")
    );
    folder
        .run_with_input(&["asks.nds", "--html", "asks.html"], "1\n")
        .expect_code(1);
    let page = fs::read_to_string(folder.path("asks.html")).unwrap();
    let parts = [
        "&lt;one&gt;",
        "printed before the last failure:",
        "<pre>late",
    ];
    let places = parts.map(|part| page.find(part).unwrap_or_else(|| panic!("{part}: {page}")));
    assert!(places.is_sorted() && !page.contains("<h2>"), "{page}");
    assert!(
        folder.files().iter().all(|name| !name.ends_with(".tmp")),
        "{:?}",
        folder.files()
    );
}

#[test]
fn inputs_from_a_pipe_are_bounded() {
    let folder = Folder::new();
    let lines = format!(
        "let a = [\n{}",
        format!("{}\n", "1,".repeat(30_000)).repeat(20)
    );
    let ended = folder.run_with_input(&["repl", "--max-memory", "500K"], &lines);
    ended
        .says("an input is larger than 512000 bytes; is one of its brackets never closed?")
        .expect_code(2);
}

#[test]
fn solutions_are_separated_when_counted() {
    let folder = script(
        "var x = choose(1, 2, 3); print(x); if (x == 2) { printLine(); } if (x == 3) { fail; }",
    );
    folder
        .run(&["a.nds", "--solutions", "all"])
        .expect(0, "1\n---\n2\n---\n");
    folder
        .run(&["a.nds", "--solutions", "1"])
        .expect(0, "1\n---\n");
    folder
        .run(&["a.nds", "--solutions", "9"])
        .expect(0, "1\n---\n2\n---\n");
    script("choose(1, 2);")
        .run(&["a.nds", "--solutions", "all"])
        .expect(0, "---\n---\n");
    for count in ["0", "-1", "x", ""] {
        folder.run(&["a.nds", "--solutions", count]).expect(2, "");
    }
}

#[test]
fn text_of_solutions_before_an_error_or_a_limit_stays() {
    let folder = script("var x = choose(1, 2); print(x); if (x == 2) { x = [][0]; }");
    folder
        .run(&["a.nds", "--solutions", "all"])
        .expect(2, "1\n---\n");
    let folder = script("var x = choose(1, 2); print(x); while (x == 2) { }");
    folder
        .run(&["a.nds", "--solutions", "all", "--max-steps", "5000"])
        .expect(3, "1\n---\n");
}

#[test]
fn parameters_have_kinds() {
    let folder = script("foreach (n in [\"a\", \"b\", \"c\", \"d\", \"e\"]) { printLine(typeOf(param(n, null)), \" \", param(n, null)); }")
        .with("text.txt", "1\n2\n");
    let arguments = [
        "a.nds",
        "a=12",
        "b=-0.5",
        "c=true",
        "d=twelve=12",
        "e=@text.txt",
    ];
    folder.run(&arguments).expect(
        0,
        "number 12\nnumber -0.5\nboolean true\nstring twelve=12\nstring 1\n2\n\n",
    );
    folder.run(&["a.nds", "a=", "b=1e999"]).expect(
        0,
        "string \nstring 1e999\nnull null\nnull null\nnull null\n",
    );
    folder
        .run(&["a.nds", "a"])
        .expect(2, "")
        .says("expected name=value, found \"a\"");
    folder
        .run(&["a.nds", "=1"])
        .expect(2, "")
        .says("expected name=value");
    folder
        .run(&["a.nds", "a=1", "a=2"])
        .expect(2, "")
        .says("\"a\" is given twice");
    folder
        .run(&["a.nds", "a=@none.txt"])
        .expect(2, "")
        .says("none.txt")
        .says("no such file");
}

#[test]
fn bad_files_are_clear_errors() {
    let folder = Folder::new()
        .with("binary.nds", b"\x7fELF\0\0\x01")
        .with("latin.nds", b"// ok\n// caf\xe9\n")
        .with("folder/inside.nds", "")
        .with("empty.nds", "")
        .with("comments.nds", "// one\n/* two */")
        .with("mark.nds", "\u{feff}print(1);");
    folder
        .run(&["none.nds"])
        .expect(2, "")
        .says("none.nds")
        .says("no such file");
    folder.run(&["folder"]).expect(2, "").says("it is a folder");
    folder
        .run(&["binary.nds"])
        .expect(2, "")
        .says("\"binary.nds\" is a binary file");
    folder
        .run(&["latin.nds"])
        .expect(2, "")
        .says("not UTF-8")
        .says("line 2");
    folder.run(&["empty.nds"]).expect(0, "");
    folder.run(&["comments.nds"]).expect(0, "");
    folder.run(&["mark.nds"]).expect(0, "1");
}

#[test]
fn monstrous_files_are_read_in_full_and_little_is_said_of_them() {
    let folder = Folder::new()
        .with("brackets.nds", "(".repeat(1_000_000))
        .with("sum.nds", format!("print(1{});", "+1".repeat(200_000)))
        .with(
            "names.nds",
            (0..50_000)
                .map(|n| format!("var name{n} = 1; nome{n};\n"))
                .collect::<String>(),
        )
        .with(
            "else.nds",
            format!(
                "if (false) {{ }} {} else print(2);",
                "else if (false) { } ".repeat(50_000)
            ),
        );
    let brackets = folder
        .run(&["brackets.nds"])
        .expect(2, "")
        .says("brackets.nds:1");
    assert!(
        brackets.err.len() < 2_000,
        "a message shows little of the file: {}",
        brackets.err.len()
    );
    folder
        .run(&["sum.nds", "--max-steps", "400000"])
        .expect(0, "200001");
    folder
        .run(&["else.nds", "--max-steps", "200000"])
        .expect(0, "2");
    folder
        .run(&["names.nds"])
        .expect(2, "")
        .says("`nome0` is not defined");
    let ended = folder
        .run(&["check", "names.nds"])
        .expect(0, "")
        .says("and 49950 more warnings from here on");
    assert_eq!(ended.err.matches("warning:").count(), 51);
    assert!(
        ended.err.len() < 50_000,
        "what is said is little: {}",
        ended.err.len()
    );
}

#[test]
fn usage_errors_are_exit_code_2() {
    let folder = script("");
    for arguments in [
        &["run"][..],
        &["--unknown"],
        &["a.nds", "--max-steps", "x"],
        &["a.nds", "--max-steps"],
        &["a.nds", "--max-memory", "12T"],
        &["a.nds", "--timeout", "0"],
        &["a.nds", "--tile-size", "0"],
        &["a.nds", "--preview", "maybe"],
        &["a.nds", "b.nds"],
        &["a.nds", "--tiles", "nowhere"],
        &["rum", "a.nds"],
    ] {
        let ended = folder.run(arguments).expect(2, "");
        assert!(!ended.err.is_empty(), "{arguments:?}");
    }
    folder
        .run(&["rum", "a.nds"])
        .says("there is no command and no file \"rum\"")
        .says("did you mean `run`?");
    folder.with("rum", "print(1);").run(&["rum"]).expect(0, "1");
}

#[test]
fn any_text_is_a_seed_and_is_shown_as_it_was_given() {
    let folder = script("print(randomInt(1, 1000000));");
    let run = |seed: &str| folder.run(&["run", "a.nds", "--seed", seed, "--stats"]);
    let (one, again) = (run("gandalf"), run("gandalf"));
    assert_eq!(one.out, again.out);
    assert_ne!(one.out, run("Gandalf").out);
    one.says("seed           gandalf\n");
    run("007").says("seed           7\n");
    run("-1").says("seed           -1\n");
    run("").expect(2, "");
}

/// Its first attempts have no result within their limits, so the first result that comes is given.
const SLOW: &str = "printLine(minimize(() => { let s = 0; foreach (i in range(40)) { let n = choose(2, 1); cost(n); s += n; } return s; }));";

/// Its rounds go on long after the best solution is found.
const ROUNDS: &str = "let jobs = range(14); let dear = (who, job) => 1 + (who * 5 + job * 7) % 11 * ((who + job) % 12); \
    let board = allDifferent(map(jobs, job => toSet(jobs))); \
    let plan = () => decide(board, {least: [null, dear], improve: 1000000}); ";

#[test]
fn rounds_of_improvement_that_are_stopped_give_the_best_so_far() {
    for call in ["plan();", "withRestarts(plan, 100000);"] {
        let folder = script(&format!("{ROUNDS} {call} print(sizeOf(undecided(board)));"));
        folder
            .run(&["run", "a.nds", "--seed", "1", "--max-steps", "300000"])
            .expect(3, "0")
            .says("with a cost of 91; it is not proven to be the cheapest");
    }
}

#[test]
fn a_minimize_that_is_stopped_gives_its_cheapest_result_so_far() {
    let folder = script(SLOW);
    folder
        .run(&["run", "a.nds", "--max-steps", "100000"])
        .expect(3, "80\n")
        .says("the cheapest result so far, with a cost of 80; it is not proven to be the cheapest");
    let line = folder.run(&["run", "a.nds", "--max-steps", "100000", "--jsonl"]);
    for part in ["\"end\":\"stopped\"", "\"best\":80.0", "\"text\":\"80\\n\""] {
        assert!(line.out.contains(part), "{part}: {}", line.out);
    }
    // So does one that comes after it.
    let folder = folder.with("twice.nds", format!("{SLOW} {SLOW}"));
    folder
        .run(&["run", "twice.nds", "--max-steps", "100000"])
        .expect(3, "80\n80\n")
        .says("with a cost of 160; it is not proven to be the cheapest");
    let line = folder.run(&["run", "twice.nds", "--max-steps", "100000", "--jsonl"]);
    assert!(line.out.contains("\"best\":160.0"), "{}", line.out);
    // One that is proven says nothing.
    let proven = "printLine(minimize(() => { let n = choose(3, 1, 2); cost(n); return n; })); while (true) {}";
    folder
        .with("b.nds", proven)
        .run(&["run", "b.nds", "--max-steps", "100000"])
        .expect(3, "");
}

#[test]
fn a_rule_that_leaves_nothing_is_named_with_its_line_place_and_values() {
    let text = "let t = [setOf(\"T1\", \"T2\"), setOf(\"T1\", \"T2\"), setOf(\"T1\", \"T2\")];\n\
                atMost(t, 1, \"T1\");\natMost(t, 1, \"T2\");\ndecide(t);";
    script(text)
        .run(&["run", "a.nds", "--seed", "1"])
        .expect(1, "")
        .says("`atMost` (line 2; line 3) leaves nothing at t[");
}

#[test]
fn negative_numbers_are_told_what_is_expected() {
    let folder = script("");
    for (option, wanted) in [
        ("--max-steps", "expected a whole number from 0"),
        ("--solutions", "expected a number of at least 1, or `all`"),
        (
            "--max-memory",
            "expected a number of bytes such as 500000, 64M or 2G",
        ),
        (
            "--timeout",
            "expected a number of seconds, such as 2.5, above 0 and at most 18446744073709551615",
        ),
        ("--tile-size", "expected a whole number from 1 to 1024"),
        (
            "--count",
            "expected a whole number from 1 to 18446744073709551615",
        ),
    ] {
        for number in ["-1", "1e30x"] {
            let ended = folder.run(&["a.nds", option, number]).expect(2, "");
            ended
                .says(&format!("invalid value '{number}'"))
                .says(wanted);
        }
    }
    // What is too large is told as well as what is too small.
    folder
        .run(&["a.nds", "--count", "99999999999999999999"])
        .says("from 1 to 18446744073709551615");
    folder
        .run(&["a.nds", "--timeout", "1e30"])
        .says("at most 18446744073709551615");
}

#[test]
fn parameters_that_nothing_asks_for_are_told() {
    let folder = script("print(param(\"size\", 10) * param(\"scale\", 1));")
        .with("none.nds", "print(1);")
        .with(
            "any.nds",
            "foreach (name in [\"w\", \"h\"]) print(param(name, 1));",
        )
        .with(
            "passed.nds",
            "print(map([[\"w\", 1]], pair => param(pair[0], pair[1]))[0]);",
        )
        .with("lib.nds", "import \"a.nds\"; print(param(\"other\", 2));");
    let warning = "warning: the program has no parameter \"szie\"\n  hint: did you mean `size`?\n";
    let ended = folder.run(&["a.nds", "szie=32"]).expect(0, "10");
    assert_eq!(ended.err, warning);
    assert_eq!(
        folder
            .run(&["play", "a.nds", "szie=32"])
            .expect(0, "10")
            .err,
        warning
    );
    folder
        .run(&["a.nds", "height=32"])
        .expect(0, "10")
        .says("hint: its parameters are size, scale");
    folder
        .run(&["none.nds", "height=32"])
        .expect(0, "1")
        .says("hint: a program reads a parameter with");
    // Names that a program makes as it runs may be any.
    for (file, out) in [("any.nds", "11"), ("passed.nds", "1"), ("lib.nds", "102")] {
        let parameter = if file == "lib.nds" { "other=2" } else { "x=2" };
        assert_eq!(
            folder.run(&[file, parameter]).expect(0, out).err,
            "",
            "{file}"
        );
    }
    folder
        .run(&["lib.nds", "othr=2"])
        .expect(0, "102")
        .says("did you mean `other`?");
}

#[test]
fn help_on_a_command_begins_with_what_it_does() {
    for (command, about) in [
        ("run", "Run a program"),
        ("play", "Play a program"),
        ("doc", "Explain a built-in"),
    ] {
        let ended = Folder::new().run(&[command, "--help"]);
        assert!(
            ended.code == 0 && ended.out.starts_with(about),
            "{}",
            ended.out
        );
    }
}

#[test]
fn help_has_an_example() {
    let folder = Folder::new();
    for arguments in [&["--help"][..], &["run", "--help"], &["help"]] {
        let ended = folder.run(arguments);
        assert_eq!((ended.code, ended.err.as_str()), (0, ""));
        assert!(
            ended.out.contains("Example") && ended.out.contains("ndscript run "),
            "{}",
            ended.out
        );
    }
    let ended = folder.run(&["--version"]);
    assert_eq!(
        (ended.code, ended.out.trim()),
        (0, concat!("ndscript ", env!("CARGO_PKG_VERSION")))
    );
}

#[test]
fn pictures_become_files() {
    let text = "var x = choose(1, 2); printImage(\"red\"); print(x); printTilemap(grid([[\"wall\", \"floor\"]]));";
    let folder = script(text);
    folder
        .run(&["a.nds"])
        .expect(0, "1")
        .says("wrote a.png\nwrote a-2.png\n");
    assert_eq!(folder.files(), ["a-2.png", "a.nds", "a.png"]);
    let png = fs::read(folder.path("a-2.png")).unwrap();
    assert!(png.starts_with(PNG));
    assert_eq!(
        (&png[16..20], &png[20..24]),
        (&[0, 0, 0, 32][..], &[0, 0, 0, 16][..])
    );

    let folder = script(text);
    let ended = folder.run(&[
        "a.nds",
        "--solutions",
        "all",
        "--out",
        "new/folder",
        "--png",
        "first.png",
    ]);
    ended
        .expect(0, "1\n---\n2\n---\n")
        .says("wrote first.png\n");
    let names = [
        "a.nds",
        "first.png",
        "new/folder/a-2.png",
        "new/folder/a-3.png",
        "new/folder/a-4.png",
    ];
    assert_eq!(folder.files(), names);
    let other = script(text);
    other
        .run(&["a.nds", "--png", "first.png"])
        .expect(0, "1")
        .says("wrote first.png\nwrote first-2.png\n");
    assert_eq!(other.files(), ["a.nds", "first-2.png", "first.png"]);
    folder.run(&["a.nds", "--tile-size", "5"]).expect(0, "1");
    assert_eq!(
        fs::read(folder.path("a-2.png")).unwrap()[16..24],
        [0, 0, 0, 10, 0, 0, 0, 5]
    );
}

#[test]
fn pictures_of_failed_branches_are_not_written() {
    let folder = script("choose first { printImage(\"red\"); fail; } or { printImage(\"blue\"); }");
    folder.run(&["a.nds"]).expect(0, "");
    assert_eq!(folder.files(), ["a.nds", "a.png"]);
}

#[test]
fn pictures_that_cannot_be_written_are_errors() {
    let folder = script("printImage(\"red\");")
        .with("folder/x", "")
        .with("file", "");
    folder
        .run(&["a.nds", "--png", "folder"])
        .expect(2, "")
        .says("cannot write \"folder\"");
    folder
        .run(&["a.nds", "--out", "file"])
        .expect(2, "")
        .says("cannot write");
    folder
        .run(&["a.nds", "--html", "folder"])
        .expect(2, "")
        .says("cannot write \"folder\"");
    assert_eq!(folder.files(), ["a.nds", "a.png", "file", "folder/x"]);
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = script("printImage(\"red\"); printImage(\"blue\");").with("mine.txt", "mine");
    let run = |arguments: &[&str]| folder.run(&[&["a.nds"], arguments].concat());
    for name in ["a-2.png", "named.png", "page.html"] {
        symlink("mine.txt", folder.path(name)).unwrap();
    }
    run(&[])
        .expect(2, "")
        .says("cannot write \"a-2.png\": it is a link");
    run(&["--png", "named.png"])
        .expect(2, "")
        .says("cannot write \"named.png\": it is a link");
    fs::remove_file(folder.path("a-2.png")).unwrap();
    run(&["--html", "page.html"])
        .expect(2, "")
        .says("cannot write \"page.html\": it is a link");
    assert_eq!(fs::read_to_string(folder.path("mine.txt")).unwrap(), "mine");
    assert!(
        fs::symlink_metadata(folder.path("page.html"))
            .unwrap()
            .is_symlink()
    );
    // A device that is named takes the bytes, and stays one. In a folder of the script it may be a trap.
    run(&["--png", "/dev/null", "--html", "/dev/null"])
        .expect(0, "")
        .says("wrote /dev/null\nwrote a-2.png\n");
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );
    fs::remove_file(folder.path("a-2.png")).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(folder.path("a-2.png"))
            .status()
            .unwrap()
            .success()
    );
    run(&[])
        .expect(2, "")
        .says("cannot write \"a-2.png\": it is not a regular file");
    let output = folder
        .command(&["a.nds", "--html", "/dev/stdout", "--out", "new"])
        .output()
        .unwrap();
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .starts_with("<!DOCTYPE html>")
    );
}

#[test]
fn tiles_are_looked_for_beside_the_script_and_in_the_folders_given() {
    let maker = script("printImage(\"#010203\");");
    maker.run(&["a.nds"]).expect(0, "");
    let png = fs::read(maker.path("a.png")).unwrap();
    let text = "printImage(\"turf\"); print(\"ok\");";
    let folder = Folder::new()
        .with("maps/a.nds", text)
        .with("turf.png", &png)
        .with("maps/bad.nds", "printImage(\"../turf\");");
    let ended = folder.run(&["maps/a.nds"]).expect(2, "");
    ended
        .says("unknown tile \"turf\"")
        .says("turf.png")
        .says("the folder \"maps\"");
    folder.run(&["maps/a.nds", "--tiles", "."]).expect(0, "ok");
    folder
        .run(&["maps/bad.nds", "--tiles", "maps"])
        .expect(2, "")
        .says("without `..`");
    let folder = folder.with("maps/turf.png", &png);
    folder.run(&["maps/a.nds"]).expect(0, "ok");
    let folder = folder.with("maps/turf.png", "no picture");
    folder
        .run(&["maps/a.nds"])
        .expect(2, "")
        .says("not a PNG file");
}

#[cfg(unix)]
#[test]
fn links_must_stay_inside_the_folders() {
    let maker = script("printImage(\"#010203\");");
    maker.run(&["a.nds"]).expect(0, "");
    let png = fs::read(maker.path("a.png")).unwrap();
    let folder = Folder::new()
        .with("in/a.nds", "printImage(\"inner\");")
        .with("in/b.nds", "printImage(\"outer\");")
        .with("in/c.nds", "printImage(\"door/t\");")
        .with("in/deep/t.png", &png)
        .with("out/t.png", &png);
    std::os::unix::fs::symlink("deep/t.png", folder.path("in/inner.png")).unwrap();
    std::os::unix::fs::symlink("../out/t.png", folder.path("in/outer.png")).unwrap();
    std::os::unix::fs::symlink("../out", folder.path("in/door")).unwrap();
    folder.run(&["in/a.nds"]).expect(0, "");
    folder
        .run(&["in/b.nds"])
        .expect(2, "")
        .says("a link that leads out of");
    folder
        .run(&["in/c.nds"])
        .expect(2, "")
        .says("a link that leads out of");
    folder.run(&["in/b.nds", "--tiles", "out"]).expect(0, "");
}

#[test]
fn pictures_appear_in_order_with_the_text() {
    let folder = script("print(\"before\"); printImage(\"red\"); printLine(\"after\");");
    let ended = folder.run(&["a.nds", "--preview", "always", "--tile-size", "2"]);
    ended.expect(
        0,
        "before\n\x1b[38;2;255;0;0;48;2;255;0;0m▀▀\x1b[0m\nafter\n",
    );
    folder.run(&["a.nds"]).expect(0, "beforeafter\n");
    folder
        .run(&["a.nds", "--preview", "never"])
        .expect(0, "beforeafter\n");
}

#[test]
fn a_page_holds_text_and_pictures_in_order() {
    let folder = script("print(\"1 < 2\"); printImage(\"red\"); print(\"after\"); choose(1, 2);");
    folder
        .run(&["a.nds", "--html", "web/page.html", "--solutions", "2"])
        .says("wrote web/page.html");
    let page = fs::read_to_string(folder.path("web/page.html")).unwrap();
    let places = [
        "<!DOCTYPE html>",
        "Solution 1",
        "1 &lt; 2",
        "data:image/png;base64,iVBORw0KGgo",
        "after",
        "Solution 2",
    ];
    let found: Vec<usize> = places
        .iter()
        .map(|part| page.find(part).unwrap_or_else(|| panic!("{part}")))
        .collect();
    assert!(found.is_sorted(), "{found:?}");
    assert!(!page.contains("http"), "the page is to need nothing else");
    let folder = script("fail;");
    folder.run(&["a.nds", "--html", "page.html"]).expect(1, "");
    assert_eq!(folder.files(), ["a.nds"]);
}

#[test]
fn colors_are_used_when_wanted() {
    let folder = script("fail(;");
    let plain = folder.run(&["a.nds"]);
    assert!(!plain.err.contains('\x1b'), "{}", plain.err);
    let colored = folder.run(&["a.nds", "--color", "always"]);
    assert!(colored.err.contains("\x1b["), "{}", colored.err);
}

#[test]
fn one_seed_gives_one_result() {
    let folder = script("print(shuffled(range(50)));");
    let first = folder.run(&["a.nds", "--seed", "5"]).out;
    folder.run(&["a.nds", "--seed", "5"]).expect(0, &first);
    assert_ne!(folder.run(&["a.nds", "--seed", "6"]).out, first);
    let fresh = folder.run(&["a.nds", "--stats"]);
    let seed = fresh
        .err
        .lines()
        .find_map(|line| line.strip_prefix("seed"))
        .unwrap()
        .trim()
        .to_string();
    folder
        .run(&["a.nds", "--seed", &seed])
        .expect(0, &fresh.out);
}

#[test]
fn statistics_go_to_standard_error() {
    let folder = script("var x = choose(1, 2, 3); require(x == 3); print(x);");
    let ended = folder
        .run(&["a.nds", "--stats", "--seed", "11"])
        .expect(0, "3");
    let figure = |name: &str| {
        let line = ended.err.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name} is not in {}", ended.err))
            .trim()
            .to_string()
    };
    assert_eq!(
        (figure("seed"), figure("solutions"), figure("failures")),
        ("11".into(), "1".into(), "2".into())
    );
    assert_eq!(figure("choice points"), "1");
    assert!(figure("steps").parse::<u64>().unwrap() > 0);
    for name in ["depth", "time", "memory"] {
        assert!(!figure(name).is_empty());
    }
    script("fail;")
        .run(&["a.nds", "--stats"])
        .expect(1, "")
        .says("seed");
    script(ENDLESS)
        .run(&["a.nds", "--stats", "--max-steps", "99"])
        .expect(3, "")
        .says("seed");
}

#[test]
fn questions_are_asked_on_the_terminal() {
    let folder = script(
        "printLine(\"hello\"); var name = input(\"your name?\"); \
         var fruit = ask(\"which fruit?\", [\"apple\", \"pear\", \"plum\"]); print(name, \" likes \", fruit);",
    );
    let ended = folder
        .run_with_input(&["a.nds"], "Zoé\n2\n")
        .expect(0, "hello\nZoé likes pear");
    ended
        .says("your name?")
        .says("which fruit?")
        .says("2) pear");
    folder
        .run_with_input(&["a.nds"], "\nplum")
        .expect(0, "hello\n likes plum");
    let ended = folder
        .run_with_input(&["a.nds"], "Bo\r\ncherry\n4\n0\napple\n")
        .expect(0, "hello\nBo likes apple");
    ended.says("a number from 1 to 3");
    folder
        .run_with_input(&["a.nds"], "")
        .expect(2, "hello\n")
        .says("your name?")
        .says("input ended");
    folder
        .run_with_input(&["a.nds"], "Bo\nx\n")
        .expect(2, "hello\n")
        .says("input ended");
}

#[test]
fn an_answer_that_is_an_options_text_comes_before_its_number() {
    let folder = script("print(ask(\"digit?\", [0, 1, 2]));");
    folder.run_with_input(&["a.nds"], "1\n").expect(0, "1");
    // Where options are numbers, a number is never the place of one.
    folder
        .run_with_input(&["a.nds"], "3\n2\n")
        .expect(0, "2")
        .says("please type the text of one of the options");
    let folder = script("print(ask(\"guess?\", range(51, 101)));");
    folder
        .run_with_input(&["a.nds"], "7\n57\n")
        .expect(0, "57")
        .says("please type the text");
}

#[test]
fn debug_lines_go_to_standard_error_at_once() {
    let folder = script("var x = choose(1, 2); debug(\"x = \", x); require(x == 2); print(x);");
    folder
        .run(&["a.nds"])
        .expect(0, "2")
        .says("x = 1")
        .says("x = 2");
}

#[test]
fn imports_are_found_beside_the_importing_file() {
    let folder = Folder::new()
        .with(
            "main/a.nds",
            "import \"lib/b.nds\"; import \"lib/c.nds\"; print(b + c);",
        )
        .with("main/lib/b.nds", "import \"c.nds\"; var b = c + 1;")
        .with("main/lib/c.nds", "var c = 20; printLine(\"once\");")
        .with("main/missing.nds", "import \"none.nds\";")
        .with("main/cycle.nds", "import \"./cycle.nds\";")
        .with("main/wrong.nds", "import \"broken.nds\";")
        .with("main/broken.nds", "var = ;");
    folder.run(&["main/a.nds"]).expect(0, "once\n41");
    folder
        .run(&["main/missing.nds"])
        .expect(2, "")
        .says("none.nds");
    folder
        .run(&["main/cycle.nds"])
        .expect(2, "")
        .says("cycle.nds");
    folder
        .run(&["main/wrong.nds"])
        .expect(2, "")
        .says("broken.nds:1");
}

#[test]
fn imports_stay_in_their_folder() {
    let folder = Folder::new()
        .with("secret.nds", "var secret = ;")
        .with("main/up.nds", "import \"../secret.nds\";")
        .with("main/hidden.nds", "import \"./x/../../secret.nds\";")
        .with("main/folder.nds", "import \"x\";")
        .with("main/notes.nds", "import \"notes.txt\";")
        .with("main/notes.txt", "one\nthe password is 1234\n")
        .with("main/x/inner.nds", "import \"up.nds\";")
        .with("main/ok.nds", "import \"./x//ok.nds\"; print(ok);")
        .with("main/x/ok.nds", "var ok = 1;");
    let absolute = format!("import {:?};", folder.path("secret.nds").to_str().unwrap());
    let folder = folder.with("main/absolute.nds", absolute);
    for command in ["run", "check", "play"] {
        for (file, words) in [
            ("up", "is a relative path without `..`"),
            ("hidden", "is a relative path without `..`"),
            ("absolute", "is a relative path without `..`"),
            ("folder", "it is a folder"),
            ("notes", "it is not a program"),
            ("x/inner", "there is no such file"),
        ] {
            let ended = folder
                .run(&[command, &format!("main/{file}.nds")])
                .expect(2, "")
                .says(words);
            assert!(
                !ended.err.contains("var secret") && !ended.err.contains("password"),
                "{}",
                ended.err
            );
        }
    }
    folder.run(&["main/ok.nds"]).expect(0, "1");
    let input = "import \"main/up.nds\";\nimport \"../secret.nds\";\n:load main/ok.nds\n";
    let ended = folder.run_with_input(&["repl"], input);
    assert_eq!(
        ended.err.matches("relative path without `..`").count(),
        2,
        "{}",
        ended.err
    );
    assert!(
        ended.out.ends_with("1\n") && !ended.err.contains("var secret"),
        "{}{}",
        ended.out,
        ended.err
    );
}

#[cfg(unix)]
#[test]
fn imported_links_lead_to_regular_files_in_the_folders() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new()
        .with("out/lib.nds", "var found = \"out\";")
        .with(
            "in/lib/real.nds",
            "var found = \"in\"; printLine(\"once\");",
        )
        .with(
            "in/inner.nds",
            "import \"link.nds\"; import \"lib/real.nds\"; print(found);",
        )
        .with("in/outer.nds", "import \"outer_link.nds\"; print(found);")
        .with("in/door.nds", "import \"door/lib.nds\"; print(found);")
        .with("in/null.nds", "import \"null\";")
        .with("in/zero.nds", "import \"zero\";")
        .with("in/fifo.nds", "import \"fifo\";")
        .with("in/large.nds", "import \"sparse.nds\";");
    symlink("lib/real.nds", folder.path("in/link.nds")).unwrap();
    symlink("../out/lib.nds", folder.path("in/outer_link.nds")).unwrap();
    symlink("../out", folder.path("in/door")).unwrap();
    symlink("/dev/null", folder.path("in/null")).unwrap();
    symlink("/dev/zero", folder.path("in/zero")).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(folder.path("in/fifo"))
            .status()
            .unwrap()
            .success()
    );
    fs::File::create(folder.path("in/sparse.nds"))
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    folder.run(&["in/inner.nds"]).expect(0, "once\nin");
    for file in ["in/outer.nds", "in/door.nds", "in/null.nds", "in/zero.nds"] {
        folder
            .run(&[file])
            .expect(2, "")
            .says("a link that leads out of the folder \"in\"");
    }
    folder
        .run(&["in/fifo.nds"])
        .expect(2, "")
        .says("it is not a regular file");
    folder
        .run(&["in/large.nds"])
        .expect(2, "")
        .says("larger than 64 MB");
    folder
        .run(&["in/large.nds", "--max-memory", "10M"])
        .expect(2, "")
        .says("larger than 10 MB");
    folder
        .run(&["in/outer.nds", "--import-path", "out"])
        .expect(0, "out");
}

#[test]
fn libraries_are_found_in_the_folders_for_imports() {
    let folder = Folder::new()
        .with(
            "main/a.nds",
            "import \"tools.nds\"; import \"b.nds\"; print(tools, both);",
        )
        .with("main/b.nds", "import \"more/c.nds\"; var both = tools + c;")
        .with(
            "one/tools.nds",
            "import \"more/inner.nds\"; var tools = inner;",
        )
        .with("one/more/inner.nds", "var inner = 1;")
        .with("two/tools.nds", "var tools = 2;")
        .with("two/more/c.nds", "var c = 30;");
    folder
        .run(&["main/a.nds"])
        .expect(2, "")
        .says("there is no such file")
        .says("or to a folder for imports");
    let both = ["--import-path", "one", "--import-path", "two"];
    folder
        .run(&[&["main/a.nds"], &both[..]].concat())
        .expect(0, "131");
    folder
        .run(&["main/a.nds", "--import-path", "two", "--import-path", "one"])
        .expect(0, "232");
    folder
        .run(&[&["check", "main/a.nds"], &both[..]].concat())
        .expect(0, "");
    folder
        .run(&[&["play", "main/a.nds"], &both[..]].concat())
        .expect(0, "131");
    let ended = folder.run_with_input(
        &[&["repl"], &both[..]].concat(),
        "import \"tools.nds\"; tools\n",
    );
    assert_eq!(ended.out, "1\n", "{}", ended.err);
    folder
        .run(&["main/a.nds", "--import-path", "none"])
        .expect(2, "")
        .says("cannot use the import folder \"none\"");
    // A stopped run has the texts of all of them.
    let stopped = [
        &["main/a.nds", "--max-steps", "0", "--save", "it.state"],
        &both[..],
    ]
    .concat();
    assert_eq!(folder.run(&stopped).code, 3);
    fs::remove_dir_all(folder.path("one")).unwrap();
    folder.run(&["resume", "it.state"]).expect(0, "131");
}

#[cfg(unix)]
#[test]
fn files_that_never_end_are_told() {
    let folder = script("print(param(\"x\", \"\"));");
    assert!(
        Command::new("mkfifo")
            .arg(folder.path("fifo"))
            .status()
            .unwrap()
            .success()
    );
    let words =
        "stopped after 0.2 seconds, as long as --timeout allows: \"fifo\" has not come to its end";
    folder
        .run(&["a.nds", "x=@fifo", "--timeout", "0.2"])
        .expect(3, "")
        .says(words);
    folder
        .run(&["fifo", "--timeout", "0.2"])
        .expect(3, "")
        .says(words);
    folder
        .run(&["resume", "fifo", "--timeout", "0.2"])
        .expect(3, "")
        .says(words);
    folder
        .run(&["a.nds", "x=@/dev/zero", "--max-memory", "10M"])
        .expect(2, "")
        .says("it is larger than 10 MB");
    folder
        .run(&["/dev/zero", "--max-memory", "10M"])
        .expect(2, "")
        .says("it is larger than 10 MB");
    folder.run(&["a.nds", "x=@/dev/null"]).expect(0, "");
}

#[test]
fn check_finds_mistakes_without_running() {
    let folder = script("print(1; ").with("good.nds", "print(\"not run\");");
    folder.run(&["check", "good.nds"]).expect(0, "");
    folder
        .run(&["check", "a.nds"])
        .expect(2, "")
        .says("a.nds:1");
    folder
        .run(&["check", "good.nds", "none.nds", "a.nds"])
        .expect(2, "")
        .says("none.nds")
        .says("a.nds:1");
}

#[test]
fn huge_pictures_are_clean_errors() {
    let folder = script("printHeatmap(makeGrid(600, 600, 1)); print(1);");
    let ended = folder.run(&["a.nds", "--tile-size", "32"]);
    assert_eq!(ended.code, 3, "{}", ended.err);
    ended.says("pixels");
    assert_eq!(folder.files(), ["a.nds"]);
    // Where nobody says how large cells are, they are made smaller.
    folder
        .run(&["a.nds"])
        .expect(0, "1")
        .says("drawn with cells of 13 x 13 pixels");
}

#[test]
fn a_reader_that_leaves_is_no_panic() {
    let folder = script("var x = chooseElement(range(100000)); printLine(x);");
    let mut child = folder
        .command(&["a.nds", "--solutions", "all"])
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 4]).unwrap();
    drop(out);
    let code = wait_for(&mut child);
    let mut err = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    assert_eq!((code, err.as_str()), (0, ""));
    // The same for messages that nobody reads.
    let mut child = folder.command(&["none.nds"]).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(wait_for(&mut child), 2);
}

#[cfg(unix)]
mod interrupted {
    use super::*;

    fn interrupt(child: &Child) {
        assert!(
            Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
    }

    fn rest(child: &mut Child) -> (String, String) {
        let (mut out, mut err) = (String::new(), String::new());
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut out)
            .unwrap();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut err)
            .unwrap();
        (out, err)
    }

    #[test]
    fn a_run_that_never_ends() {
        // What is expected below is done before the word that the interrupt waits for.
        for text in [
            "debug(\"go\"); while (true) { }",
            "choose first { fail; } or { debug(\"go\"); } while (true) { choose { fail; } or { } }",
            "debug(\"go\"); solutions(() => { while (true) { } });",
        ] {
            let folder = script(&format!("print(\"lost\"); {text}"));
            let mut child = folder.command(&["a.nds"]).spawn().unwrap();
            child
                .stderr
                .as_mut()
                .unwrap()
                .read_exact(&mut [0; 3])
                .unwrap();
            interrupt(&child);
            assert_eq!(wait_for(&mut child), 130, "{text}");
            let (out, said) = rest(&mut child);
            let begins = said.starts_with("printed before it was interrupted:\nlost\n");
            let ends = said.contains("\nit was on line 1") && said.ends_with("\ninterrupted\n");
            assert!(out.is_empty() && begins && ends, "{text}: {said}");
            assert_eq!(
                said.contains("it failed"),
                text.contains("fail"),
                "{text}: {said}"
            );
            assert_eq!(folder.files(), ["a.nds"]);
        }
    }

    #[test]
    fn solutions_found_before_stay() {
        let folder = script(
            "var x = choose(1, 2); if (x == 2) { debug(\"go\"); while (true) { } } print(x);",
        );
        let mut child = folder
            .command(&["a.nds", "--solutions", "all"])
            .spawn()
            .unwrap();
        child
            .stderr
            .as_mut()
            .unwrap()
            .read_exact(&mut [0; 3])
            .unwrap();
        interrupt(&child);
        assert_eq!(wait_for(&mut child), 130);
        assert_eq!(rest(&mut child).0, "1\n---\n");
    }

    #[test]
    fn a_question_that_nobody_answers() {
        let folder = script("printLine(\"hi\"); input(\"?\");");
        let mut child = folder.command(&["a.nds"]).spawn().unwrap();
        let input = child.stdin.take();
        child
            .stderr
            .as_mut()
            .unwrap()
            .read_exact(&mut [0; 2])
            .unwrap();
        interrupt(&child);
        assert_eq!(wait_for(&mut child), 130);
        assert_eq!(rest(&mut child).0, "hi\n");
        drop(input);
    }

    #[test]
    fn pictures_are_whole_or_not_there() {
        let folder =
            script("while (true) { choose first { printImage(\"monster\"); return; } or { } }");
        for wait in [1, 10, 25] {
            let _ = fs::remove_file(folder.path("a.png"));
            let mut child = folder
                .command(&["a.nds", "--solutions", "all"])
                .spawn()
                .unwrap();
            let started = Instant::now();
            while !folder.path("a.png").exists() && started.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(wait));
            interrupt(&child);
            assert_eq!(wait_for(&mut child), 130);
        }
        let names = folder.files();
        assert!(names.len() > 1);
        for name in names.iter().filter(|name| *name != "a.nds") {
            assert!(name.ends_with(".png"), "{name}");
            let bytes = fs::read(folder.path(name)).unwrap();
            assert!(
                bytes.starts_with(PNG) && bytes[bytes.len() - 8..bytes.len() - 4] == *b"IEND",
                "{name}"
            );
        }
    }
}

#[test]
fn doc_explains_built_in_functions() {
    let folder = Folder::new();
    let ended = folder.run(&["doc", "chooseElement", "pop"]);
    assert_eq!(ended.code, 0);
    assert!(
        ended.out.contains("chooseElement(collection[, weights])") && ended.out.contains("=> [7]"),
        "{}",
        ended.out
    );
    let all = folder.run(&["doc"]);
    assert!(
        all.out.lines().count() > 130 && !all.out.contains("__"),
        "{}",
        all.out
    );
    for (word, part) in [
        ("choose", "choose first s1 or s2"),
        ("or", "choose(e1, e2, ...)"),
        ("fail", "=> 3"),
    ] {
        let page = folder.run(&["doc", word]);
        assert!(
            page.code == 0 && page.out.contains(part) && page.out.contains("[The language]"),
            "{}",
            page.out
        );
    }
    let library = folder.run(&["doc", "std/picks"]);
    assert!(
        library.out.starts_with("import \"std/picks.nds\";")
            && library.out.contains("\npick(c, n)\n  Chooses n elements")
    );
    // What people look up who know other languages.
    for (word, parts) in [
        (
            "length",
            [
                "`sizeOf(c)` is the number of elements.",
                "sizeOf(collection)",
            ],
        ),
        (
            "switch",
            [
                "Use `if (...) ... else if (...) ...`.",
                "A condition is true or false",
            ],
        ),
        ("try", ["Nothing catches an error", "[The language]"]),
        (
            "class",
            [
                "a function that makes one takes the place of a class",
                "class    [Other languages]",
            ],
        ),
        ("===", ["Write `==`.", "[Other languages]"]),
        ("array.push", ["push(array, value)", "[Arrays]"]),
        ("Math.floor", ["floor(x", "[Numbers]"]),
        ("console.log", ["Write `printLine(...)`", "printLine("]),
        ("list.forEach", ["Write `foreach (x in c) ...`.", "foreach"]),
        (
            "undefined",
            ["Write `null`.", "The value of what has none yet"],
        ),
    ] {
        let page = folder.run(&["doc", word]);
        assert!(
            page.code == 0 && parts.iter().all(|part| page.out.contains(part)),
            "{word}: {}{}",
            page.out,
            page.err
        );
    }
    folder
        .run(&["doc", "choos"])
        .expect(2, "")
        .says("did you mean `choose`?");
    let unknown = folder.run(&["doc", "chooseElemnt"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("did you mean `chooseElement`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn check_warns_of_assignments_that_make_a_global() {
    let folder = Folder::new().with(
        "a.nds",
        "var count = 0;\ncuont = 1;\nfunction f() { other = 2; let x = 1; x = 2; print(x); }\n",
    );
    let ended = folder.run(&["check", "a.nds"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        ended.err.contains("nothing declares `cuont`")
            && ended.err.contains("did you mean `count`?"),
        "{}",
        ended.err
    );
    assert!(
        ended.err.contains("nothing declares `other`") && !ended.err.contains("`x`"),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("warning"), "{}", ended.err);
    assert_eq!(folder.run(&["run", "a.nds"]).err, "");
}

#[test]
fn check_warns_of_what_is_certain_to_go_wrong() {
    let folder = Folder::new().with(
        "a.nds",
        "function paint(wall, color) {
    let unused = 1;
    let _meant = 2;
    foreach (i in range(3)) print(wall);
    if (color == 1) { return wall; print(color); }
    fail;
    printLine(nowhere);
    function later() { return wall; }
}
var map = paint(1);
printline(mpa);
clamp(1);
push([1]);
max(3);
print(substring(\"abc\", 1, 2, 3));
",
    );
    let ended = folder.run(&["check", "a.nds"]).expect(0, "");
    let expected = [
        "`unused` is never used",
        "a.nds:2:9",
        "what stands behind `return` is never reached",
        "a.nds:5:36",
        "what stands behind `fail` is never reached",
        "a.nds:7:5",
        "nothing gives `nowhere` a value",
        "declare it: `var nowhere = ...;`",
        "`paint` takes 2 arguments, but gets 1",
        "a.nds:10:11",
        "nothing gives `printline` a value",
        "did you mean `printLine`?",
        "nothing gives `mpa` a value",
        "did you mean `map`?",
        "nothing gives `clamp` a value",
        "declare it: `function clamp(...) { ... }`",
        "`push` takes 2 arguments, but gets 1",
        "`substring` takes 3 arguments, but gets 4",
    ];
    let mut rest = ended.err.as_str();
    for part in expected {
        let (_, behind) = rest
            .split_once(part)
            .unwrap_or_else(|| panic!("{part:?} is missing in {}", ended.err));
        rest = behind;
    }
    assert_eq!(ended.err.matches("warning").count(), 10, "{}", ended.err);
    // What may be meant, and what later text gives.
    let quiet = "function f(a) { return g(a); } function g(b) { return b; } var h = f; h = (a, b) => a; h(1, 2);
if (false) { fail; function late() { return 1; } late(); }
var i = 0; let step = () => i++; step(); later = 3; print(later); max(1, 2, 3); var print2 = print; print2(1, 2);
{ let count = 0; let old = count++; print(old); foreach (x in [1]) { continue; } }";
    let folder = folder.with("b.nds", quiet);
    let ended = folder.run(&["check", "b.nds"]).expect(0, "");
    assert_eq!(
        ended.err.matches("warning").count(),
        1,
        "only of the assignment: {}",
        ended.err
    );
}

#[test]
fn the_library_is_always_there_and_a_file_beside_the_program_comes_first() {
    let text = "import \"std/picks.nds\"; print(pick([1, 2], 2));";
    let folder = Folder::new()
        .with("own.nds", text)
        .with("below/program.nds", text);
    folder.run(&["run", "own.nds"]).expect(0, "[1, 2]");
    folder.run(&["check", "own.nds"]).expect(0, "");
    let folder = folder.with("std/picks.nds", "function pick(c, n) { return \"mine\"; }");
    folder.run(&["run", "own.nds"]).expect(0, "mine");
    folder
        .run(&["run", "below/program.nds"])
        .expect(0, "[1, 2]");
    folder
        .run(&["run", "below/program.nds", "--import-path", "."])
        .expect(0, "mine");
}
