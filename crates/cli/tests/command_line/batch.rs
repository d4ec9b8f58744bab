//! Many maps: they are what single runs make, however many work at once.

use std::io::{BufRead, BufReader};

use serde_json::Value;

use super::*;

const MAP: &str = "let n = chooseElement([1, 2, 3, 4]);
let g = makeGrid(3, 2, 'red'); g[0, 0] = chooseElement(['blue', 'green']);
printLine('n is ', n);
if (n == 4 && g[0, 0] == 'blue') { let stays = chooseElement([1, 2, 3]); if (stays == 1) error('unlucky'); fail 'no luck'; }
printTilemap(g); printImage('red');
return {n: n, at: position(1, 2), cells: g, kinds: setOf(1, 'a'), half: 0.5};";

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Without what differs from run to run.
fn without_time(mut lines: Vec<Value>) -> Vec<Value> {
    lines
        .iter_mut()
        .for_each(|line| drop(line.as_object_mut().unwrap().remove("time")));
    lines
}

/// One map never comes to an end; those behind it are finished and waiting when somebody interrupts.
#[cfg(unix)]
#[test]
fn an_interrupted_batch_hands_out_what_is_finished() {
    let script = "let n = chooseElement([0, 1, 2]); if (n == 0) for (;;) {} debug(\"made\"); print(\"n is \", n);";
    let folder = Folder::new().with("a.nds", script);
    let first = folder.run(&[
        "a.nds",
        "--seed",
        "1",
        "--count",
        "60",
        "--max-steps",
        "10000",
        "--jsonl",
    ]);
    let ends: Vec<bool> = lines(&first.out)
        .iter()
        .map(|line| line["solved"] == true)
        .collect();
    let seed = 1 + ends
        .windows(4)
        .position(|ends| *ends == [false, true, true, true])
        .expect("one of sixty");
    let mut child = folder
        .command(&[
            "a.nds",
            "--seed",
            &seed.to_string(),
            "--count",
            "4",
            "--jobs",
            "2",
        ])
        .spawn()
        .unwrap();
    let mut told = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    while told.matches("made").count() < 3 {
        assert_ne!(lines.read_line(&mut told).unwrap(), 0, "{told}");
    }
    assert!(
        Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    lines.read_to_string(&mut told).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{told}");
    // The last one has told that it was made, but may have been interrupted before it came to its end.
    let maps = String::from_utf8_lossy(&output.stdout)
        .matches("n is ")
        .count();
    assert!((2..=3).contains(&maps), "{maps} maps, {told}");
    assert!(
        told.contains(&format!("{maps} of {maps} maps solved")),
        "{told}"
    );
}

#[test]
fn a_batch_is_what_single_runs_make() {
    let folder = Folder::new().with("map.nds", MAP);
    let all = folder.run(&[
        "map.nds", "--seed", "5", "--count", "20", "--jsonl", "--jobs", "3", "--out", "all",
    ]);
    let lines = lines(&all.out);
    assert_eq!(lines.len(), 20);
    for (line, seed) in lines.iter().zip(5..) {
        assert_eq!(line["seed"], seed);
        let seed = seed.to_string();
        let one = folder.run(&[
            "map.nds", "--seed", &seed, "--out", "one", "--stats", "json",
        ]);
        let stats = one.err.lines().find(|line| line.starts_with('{')).unwrap();
        let stats: Value = serde_json::from_str(stats).unwrap();
        for field in ["steps", "failures", "choice_points"] {
            assert_eq!(stats[field], line[field], "{field} of {seed}");
        }
        assert_eq!(line["solved"], one.code == 0);
        assert_eq!(line["text"], one.out);
        if one.code == 0 {
            let files = [
                format!("all/map-{seed}.png"),
                format!("all/map-{seed}-2.png"),
            ];
            assert_eq!(line["files"], serde_json::json!(files));
            assert_eq!(
                fs::read(folder.path(&files[0])).unwrap(),
                fs::read(folder.path("one/map.png")).unwrap()
            );
            assert_eq!(line["value"]["at"], serde_json::json!({"x": 1, "y": 2}));
            assert_eq!(
                line["value"]["cells"][1],
                serde_json::json!(["red", "red", "red"])
            );
            assert_eq!(line["value"]["kinds"], serde_json::json!([1, "a"]));
        } else {
            let end = if one.code == 1 {
                "no solution"
            } else {
                "error"
            };
            assert_eq!(line["end"], end);
            assert!(all.err.contains(&format!("seed {seed}: ")), "{}", all.err);
        }
    }
    // A failed map does not stop the others; that there was an error is said at the end.
    let has_error = lines.iter().any(|line| line["end"] == "error");
    assert_eq!(all.code, if has_error { 2 } else { 0 });
    assert!(
        lines.iter().any(|line| line["solved"] == false),
        "some map should fail"
    );
}

#[test]
fn nothing_depends_on_how_many_work_at_once() {
    let folder = Folder::new().with("map.nds", MAP);
    let run = |jobs: &str, more: &[&str]| {
        let ended = folder.run(
            &[
                &[
                    "map.nds", "--seed", "1", "--count", "300", "--jobs", jobs, "--out", jobs,
                ],
                more,
            ]
            .concat(),
        );
        (
            ended.out,
            ended.err.replace(&format!(" in {jobs}"), ""),
            folder.path(jobs),
        )
    };
    let (one, three) = (run("1", &[]), run("3", &[]));
    assert_eq!((one.0, one.1), (three.0, three.1));
    let names = |path: &Path| {
        let mut names: Vec<String> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&one.2), names(&three.2));
    let (one, four) = (run("1", &["--jsonl"]), run("4", &["--jsonl=maps.jsonl"]));
    let written = fs::read_to_string(folder.path("maps.jsonl")).unwrap();
    let same_folder = |text: String| without_time(lines(&text.replace("4/map", "1/map")));
    assert_eq!(same_folder(one.0), same_folder(written));
    assert_eq!(four.0, "");
}

#[test]
fn the_text_of_each_map_is_followed_by_a_line() {
    let folder = script("print(chooseElement(['a', 'b\\n']));");
    let ended = folder.run(&["a.nds", "--seed", "1", "--count", "4"]);
    assert_eq!(ended.out.matches("---\n").count(), 4);
    assert!(
        ended
            .out
            .split("---\n")
            .all(|text| ["a\n", "b\n", ""].contains(&text)),
        "{}",
        ended.out
    );
    ended.says("4 of 4 maps solved");
}

#[test]
fn maps_that_print_the_same_are_left_out() {
    let folder =
        script("let n = chooseElement([1, 2, 3]); let hidden = chooseElement([1, 2]); print(n);");
    let ended = folder.run(&[
        "a.nds",
        "--seed",
        "1",
        "--count",
        "50",
        "--distinct",
        "--jsonl",
        "--jobs",
        "2",
    ]);
    assert_eq!(lines(&ended.out).len(), 3);
    ended.says("50 of 50 maps solved, 47 maps printed before");
    let ended = folder.run(&["a.nds", "--seed", "1", "--solutions", "all", "--distinct"]);
    assert_eq!(ended.out.matches("---").count(), 3);
    let ended = folder.run(&["a.nds", "--seed", "1", "--solutions", "2", "--distinct"]);
    assert_eq!(ended.out.matches("---").count(), 2);
}

#[test]
fn figures_have_means_and_quartiles() {
    let folder = script("let n = 0; foreach (i in range(param('n', 1))) n = n + i;");
    let ended = folder.run(&["a.nds", "--count", "8", "--stats", "json"]);
    let stats: Value = serde_json::from_str(ended.err.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&stats["maps"], &stats["solved"]),
        (&Value::from(8), &Value::from(8))
    );
    assert_eq!(stats["steps"]["mean"], stats["steps"]["median"]);
    assert!(stats["time"]["q1"].as_f64().unwrap() <= stats["time"]["q3"].as_f64().unwrap());
    folder
        .run(&["a.nds", "--count", "8", "--stats"])
        .says("three quarters");
    // A parameter may stand behind it.
    let ended = folder.run(&["a.nds", "--stats", "n=9"]);
    ended.says("choice points");
}

#[test]
fn the_first_of_a_race_wins() {
    let folder = script(
        "let n = chooseElement(range(2)); if (param('endless', false) && n == 0) while (true) {} print('done'); if (n == 0) fail;",
    );
    // With one of these seeds the run would never end.
    let ended = folder.run(&["a.nds", "endless=true", "--seed", "1", "--race", "6"]);
    assert_eq!((ended.code, ended.out.as_str()), (0, "done"));
    ended.says("was first of 6");
    // What it took is that of the winner, and what it has drawn is kept.
    let folder = script(
        "snapshot(makeGrid(1, 1, 'gold')); tally('tries'); require(chooseElement(range(9)) == 3);",
    );
    let ended = folder
        .run(&[
            "a.nds",
            "--seed",
            "1",
            "--race",
            "2",
            "--stats=json",
            "--frames",
            "drawn",
        ])
        .expect(0, "");
    let stats: Value = serde_json::from_str(ended.err.lines().last().unwrap()).unwrap();
    ended.says(&format!("seed {} was first of 2", stats["seed"]));
    assert_eq!(
        (&stats["solutions"], &stats["tallies"]["tries"]),
        (&Value::from(1), &Value::from(1.0))
    );
    let single = folder
        .run(&[
            "a.nds",
            "--seed",
            &stats["seed"].to_string(),
            "--stats=json",
        ])
        .expect(0, "");
    let single: Value = serde_json::from_str(single.err.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&stats["steps"], &stats["failing"]),
        (&single["steps"], &single["failing"])
    );
    assert!(folder.path("drawn/001.png").exists());
    let folder = script("fail 'never';");
    let ended = folder.run(&["a.nds", "--seed", "1", "--race", "2"]);
    assert_eq!(ended.code, 1);
    assert_eq!(
        ended.err,
        "seed 1: no solution: never\nseed 2: no solution: never\n"
    );
}

#[test]
fn what_cannot_go_together_is_refused() {
    let folder = script("ask('?', ['a']);");
    for arguments in [
        ["--count", "2", "--solutions", "all"],
        ["--count", "2", "--png", "x"],
        ["--race", "2", "--count", "2"],
    ] {
        folder
            .run(&[&["a.nds"][..], &arguments].concat())
            .expect(2, "")
            .says("cannot be used with");
    }
    folder
        .run(&["a.nds", "--count", "0"])
        .expect(2, "")
        .says("a whole number from 1");
    folder
        .run(&["a.nds", "--jobs", "2"])
        .expect(2, "")
        .says("--count <N>");
    folder
        .run(&["a.nds", "--count", "1", "--seed", "3"])
        .expect(2, "")
        .says("seed 3: the program asks \"?\"");
    folder
        .run(&["a.nds", "--jsonl=/proc/nothing/x"])
        .expect(2, "")
        .says("cannot write");
}

/// The commands of `docs/batch.md` do what is said there. Ray is not run here, and GNU parallel only where it is.
#[cfg(unix)]
#[test]
fn the_commands_of_the_page_about_many_maps_run() {
    let page = fs::read_to_string(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("docs/batch.md"),
    )
    .unwrap();
    let blocks = |language: &str| -> Vec<String> {
        let begin = format!("```{language}\n");
        page.split(begin.as_str())
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap().to_string())
            .collect()
    };
    let folder = Folder::new().with("map.nds", &blocks("js")[0]);
    let binary = Path::new(env!("CARGO_BIN_EXE_ndscript"))
        .parent()
        .unwrap()
        .to_path_buf();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let commands = blocks("sh");
    assert_eq!(commands.len(), 6);
    for command in commands {
        let has_parallel = Command::new("sh")
            .args(["-c", "command -v parallel"])
            .output()
            .unwrap()
            .status
            .success();
        if command.starts_with("parallel") && !has_parallel {
            continue;
        }
        let mut shell = Command::new("sh");
        shell
            .current_dir(&folder.0)
            .env("PATH", &path)
            .env("SLURM_ARRAY_TASK_ID", "7")
            .env("COUNT", "5");
        let output = shell.args(["-c", &command]).output().unwrap();
        assert!(
            output.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let count = |name: &str| lines(&fs::read_to_string(folder.path(name)).unwrap()).len();
    assert_eq!((count("maps.jsonl"), count("part-35.jsonl")), (100, 5));
    assert!((1..=50).contains(&count("distinct.jsonl")));
    let page = fs::read_to_string(folder.path("maps.html")).unwrap();
    assert!(page.contains("<h2>Seed 12</h2>") && page.matches("<img ").count() == 12);
    assert!(folder.path("maps/map-100.png").exists() && folder.path("first.png").exists());
    if folder.path("all.jsonl").exists() {
        assert_eq!(count("all.jsonl"), 100);
    }
}

#[test]
fn a_batch_ends_as_its_maps_do() {
    let folder = script(
        "let how = param('how', 'solved'), seed = randomInt(1, 100);
         if (how == 'failed') fail;
         if (how == 'wrong') error('wrong');
         if (how == 'endless') while (true) {}
         if (how == 'some') require(seed > 50);
         if (how == 'some wrong' && seed > 50) error('wrong');
         if (how == 'some endless' && seed > 50) while (true) {}
         if (how == 'none and endless') { require(seed > 50); while (true) {} }",
    );
    for (how, code) in [
        ("solved", 0),
        ("failed", 1),
        ("wrong", 2),
        ("endless", 3),
        ("some", 0),
        ("some wrong", 2),
        ("some endless", 0),
        ("none and endless", 3),
    ] {
        let how_given = format!("how={how}");
        let ended = folder.run(&[
            "a.nds",
            &how_given,
            "--seed",
            "1",
            "--count",
            "12",
            "--max-steps",
            "50000",
        ]);
        assert_eq!(ended.code, code, "{how}: {}", ended.err);
    }
}

#[test]
fn folders_of_all_outputs_are_made() {
    let folder = Folder::new().with("map.nds", MAP);
    folder.run(&[
        "map.nds",
        "--seed",
        "2",
        "--count",
        "3",
        "--html",
        "new/page/maps.html",
        "--jsonl=new/lines/maps.jsonl",
        "--tmx",
        "new/tmx/map.tmx",
        "--out",
        "new/out",
    ]);
    for file in [
        "new/page/maps.html",
        "new/lines/maps.jsonl",
        "new/tmx/map-2.tmx",
        "new/out/map-2.png",
    ] {
        assert!(folder.path(file).is_file(), "{file}");
    }
    folder
        .run(&[
            "map.nds",
            "--seed",
            "2",
            "--png",
            "other/png/a.png",
            "--html",
            "other/page/a.html",
        ])
        .expect(0, "n is 1\n");
    assert!(folder.path("other/png/a.png").is_file() && folder.path("other/page/a.html").is_file());
    let ended = folder.run(&["map.nds", "--count", "2", "--jsonl=map.nds/maps.jsonl"]);
    assert_eq!(ended.code, 2);
    ended.says("cannot write \"map.nds/maps.jsonl\"");
}

/// A value that shares its parts is small, and endless when it is written out.
#[test]
fn lines_are_bounded_by_the_memory() {
    let folder = Folder::new()
        .with(
            "shared.nds",
            "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; print('here'); return a;",
        )
        .with(
            "texts.nds",
            r#"let s = repeat("\u{1}", 50000); print(s); return map(range(900), i => s);"#,
        )
        .with(
            "small.nds",
            "let a = [1, 'b']; return {list: [a, a], at: position(1, 2)};",
        );
    let run = |file: &str| {
        folder.run(&[
            file,
            "--seed",
            "1",
            "--count",
            "3",
            "--jobs",
            "2",
            "--max-memory",
            "16M",
            "--jsonl",
        ])
    };
    let shared = run("shared.nds");
    for line in lines(&shared.out) {
        assert_eq!(
            (&line["left_out"], &line["value"]),
            (&serde_json::json!(["value"]), &Value::Null)
        );
        assert_eq!(
            (&line["text"], &line["solved"]),
            (&Value::from("here"), &Value::from(true))
        );
    }
    let texts = run("texts.nds");
    assert_eq!(
        lines(&texts.out)[2]["text"].as_str().map(str::len),
        Some(50_000)
    );
    assert!(
        texts
            .out
            .lines()
            .all(|line| line.len() < 2 << 20 && line.contains(r#""left_out":["value"]"#))
    );
    shared.says("3 of 3 maps solved");
    let small = run("small.nds").out;
    assert!(
        small.contains(r#""value":{"at":{"x":1,"y":2},"list":[[1,"b"],[1,"b"]]}}"#),
        "{small}"
    );
}

/// Without a bound the line would take longer than anybody lives.
#[test]
fn lines_come_under_the_limit_of_time() {
    let folder = script("let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a;");
    let ended = folder.run(&[
        "a.nds",
        "--jsonl",
        "--timeout",
        "0.1",
        "--max-memory",
        "1000G",
    ]);
    assert_eq!(
        lines(&ended.out)[0]["message"],
        "stopped after 0.1 seconds, as long as --timeout allows"
    );
}

#[cfg(unix)]
#[test]
fn lines_are_not_written_through_a_link() {
    let folder = script("return 1;").with("kept.txt", "kept");
    std::os::unix::fs::symlink("kept.txt", folder.path("link")).unwrap();
    folder
        .run(&["a.nds", "--jsonl=link"])
        .expect(2, "")
        .says("cannot write \"link\": it is a link");
    assert_eq!(fs::read_to_string(folder.path("kept.txt")).unwrap(), "kept");
}
