//! No output of any command is written over what is run, and messages about names are short.

use super::*;

const PROGRAM: &str = "import \"lib.nds\";\nlet g = makeGrid(2, 2, setOf(1, 2));\nlet t = param(\"text\", \"\");\ndecide(g);\nprintLine(g[0, 0]);\nprintTilemap(mapGrid(g, v => \"red\"));\nfunction hintPuzzle() { return {board: g, reasons: [], solve: (n, p, v) => g}; }\n";

const COMMANDS: &[&str] = &[
    "run",
    "resume",
    "repl",
    "play",
    "trace",
    "tree",
    "explain",
    "solve",
    "verify",
    "debug",
    "dap",
    "why",
    "animate",
    "profile",
    "hint",
    "check",
    "fmt",
    "lsp",
    "doc",
    "watch",
    "test",
    "tiles",
    "new",
    "completions",
    "man",
];

fn folder() -> Folder {
    script(PROGRAM)
        .with("lib.nds", "let n = 1;")
        .with("text.txt", "some text")
}

/// The options of a command that take the name of a file to write, as its help lists them.
fn outputs(folder: &Folder, command: &str) -> Vec<String> {
    let help = folder.run(&[command, "--help"]).out;
    let options = help.lines().filter_map(|line| {
        line.trim()
            .split_once(" <FILE>")
            .or(line.trim().split_once(" <HOST:PORT|FILE>"))
    });
    let options = options.map(|(option, _)| option.rsplit(' ').next().unwrap().to_string());
    let options = options.chain(help.contains("--jsonl").then(|| "--jsonl".to_string()));
    // These are read.
    options
        .filter(|option| option.starts_with("--") && !["--answers", "--host"].contains(&&**option))
        .collect()
}

#[test]
fn no_output_is_written_over_what_is_read() {
    let mut tried = 0;
    for command in COMMANDS {
        let help = folder();
        for option in outputs(&help, command) {
            for read in ["a.nds", "lib.nds", "text.txt", "./sub/../a.nds"] {
                let folder = folder().with("sub/x", "");
                let mut arguments = vec![command];
                // These run with no parameters.
                let has_parameters = !["check", "test"].contains(&command);
                if !has_parameters && read == "text.txt" {
                    continue;
                }
                // The tiles that there are belong to no program.
                if command == "tiles" {
                    continue;
                }
                if command == "resume" {
                    folder.run(&[
                        "run",
                        "a.nds",
                        "text=@text.txt",
                        "--seed",
                        "1",
                        "--max-steps",
                        "40",
                        "--save",
                        "s.state",
                    ]);
                    if option == "--save" || read == "text.txt" {
                        continue;
                    }
                    arguments.push("s.state");
                } else {
                    arguments.push("a.nds");
                }
                if command == "why" {
                    arguments.push("g[0, 0]");
                }
                if command == "explain" {
                    arguments.push("--solve");
                }
                let option = if option == "--jsonl" {
                    format!("--jsonl={read}")
                } else {
                    format!("{option} {read}")
                };
                arguments.extend(option.split(' '));
                if command != "resume" && has_parameters {
                    arguments.extend(["text=@text.txt", "--seed", "1"]);
                }
                let before: Vec<_> = ["a.nds", "lib.nds", "text.txt"]
                    .map(|name| fs::read(folder.path(name)).unwrap())
                    .into();
                let ended = folder.run_with_input(&arguments, "");
                let after: Vec<_> = ["a.nds", "lib.nds", "text.txt"]
                    .map(|name| fs::read(folder.path(name)).unwrap())
                    .into();
                assert!(before == after, "{arguments:?} has written over {read}");
                // How many tests there were is told all the same.
                let out = if command == "test" { &*ended.out } else { "" };
                assert_eq!(
                    (ended.code, &*ended.out),
                    (2, out),
                    "{arguments:?}: {}",
                    ended.err
                );
                let says = if read == "lib.nds" && command != "resume" {
                    "written over it"
                } else {
                    "this run reads that file"
                };
                ended.says(says);
                tried += 1;
            }
        }
    }
    assert!(tried >= 75, "{tried}");
}

#[test]
fn numbered_files_are_not_written_over_what_is_read_either() {
    let folder = Folder::new().with("a.png", "printTilemap(grid([[\"red\"]]));");
    let before = fs::read(folder.path("a.png")).unwrap();
    folder
        .run(&["run", "a.png"])
        .says("this run reads that file")
        .expect_code(2);
    assert_eq!(fs::read(folder.path("a.png")).unwrap(), before);
    let typed = ":load a.png\n:png a.png\n";
    folder
        .run_with_input(&["repl"], typed)
        .says("this run reads that file");
    assert_eq!(fs::read(folder.path("a.png")).unwrap(), before);
}

/// The picture of a program is called like the program: where a tile is called like that, too, it stays what it is.
#[test]
fn pictures_are_not_written_over_tiles() {
    let folder = Folder::new().with("well.nds", "printTilemap(grid([[\"#ff0000\"]]));");
    folder.run(&["run", "well.nds"]).expect_code(0);
    let folder = folder
        .with("map.nds", "printImage(\"well\");")
        .with("well.nds", "printTilemap(grid([[\"well\", \"well\"]]));");
    let before = fs::read(folder.path("well.png")).unwrap();
    folder.run(&["run", "map.nds"]).expect_code(0);
    folder.run(&["run", "map.nds"]).expect_code(0);
    folder
        .run(&["run", "well.nds"])
        .says("this run reads that file")
        .expect_code(2);
    folder
        .run(&["run", "map.nds", "--png", "well.png"])
        .says("written over it")
        .expect_code(2);
    folder
        .run(&["run", "well.nds", "--out", "pictures"])
        .expect_code(0);
    assert_eq!(fs::read(folder.path("well.png")).unwrap(), before);
}

#[test]
fn two_outputs_of_one_name_are_refused() {
    let folder = script("let g = makeGrid(2, 1, setOf(1, 2)); g[0, 0] = setOf(choose(1, 2));");
    let same = [
        "animate", "a.nds", "--seed", "1", "--gif", "f.gif", "--apng", "./f.gif",
    ];
    folder
        .run(&same)
        .says("is named for two outputs; give each a name of its own")
        .expect_code(2);
    assert!(!folder.files().contains(&"f.gif".to_string()));
}

/// A program is no place for an output, whether this run reads it or not.
#[test]
fn programs_are_not_written_over() {
    let folder = folder().with("other.nds", "let x = 1;");
    for option in ["--html", "--svg", "--dot", "--speedscope"] {
        let ended = folder.run(&["tree", "a.nds", option, "other.nds"]);
        ended
            .says("cannot write \"other.nds\": that is a program; name another file")
            .expect_code(2);
    }
    assert_eq!(
        std::fs::read_to_string(folder.path("other.nds")).unwrap(),
        "let x = 1;"
    );
}

#[test]
fn names_in_messages_are_short() {
    let folder = folder();
    let long = "x".repeat(50_000);
    let spaced = "y z ".repeat(12_000);
    for name in [&*long, &*spaced] {
        for command in COMMANDS.iter().filter(|command| **command != "watch") {
            let ended = folder.run(&[command, name]);
            assert!(
                ended.err.len() + ended.out.len() < 20_000,
                "{command}: {}",
                ended.err.len()
            );
            assert!(!ended.err.is_empty(), "{command}");
        }
        let equal = format!("{name}=1");
        let given = format!("text=@{name}");
        let folders = format!("sub/{name}");
        for arguments in [
            &["run", "a.nds", &*equal][..],
            &["run", "a.nds", &given],
            &["run", "a.nds", "--png", &folders],
            &["run", "a.nds", "--max-steps", name],
            &["run", "a.nds", "--tiles", name],
            &["trace", "a.nds", "--watch", name],
            &["trace", "a.nds", "--only", name],
            &["why", "a.nds", name],
            &["tree", "a.nds", "--html", &folders],
            &["debug", "a.nds", &format!("--{name}")],
        ] {
            let ended = folder.run(arguments);
            assert!(
                ended.err.len() + ended.out.len() < 20_000,
                "{:.40} {:.40}: {}",
                arguments[0],
                arguments[2],
                ended.err.len()
            );
        }
        for typed in [":why", ":load", ":x", ":doc", ":save", ":seed", ":back"] {
            let ended =
                folder.run_with_input(&["repl"], &format!("{typed} {name}\n{typed}{name}\n"));
            assert!(
                ended.err.len() + ended.out.len() < 20_000,
                "{typed}: {}",
                ended.err.len()
            );
        }
        for typed in [
            "x", "change", "go", "map", "show", "why", "back", "line", "take", "step",
        ] {
            let ended = folder.run_with_input(
                &["debug", "a.nds"],
                &format!("{typed} {name}\n{typed}{name}\n"),
            );
            assert!(
                ended.err.len() + ended.out.len() < 20_000,
                "{typed}: {}",
                ended.out.len()
            );
        }
    }
}
