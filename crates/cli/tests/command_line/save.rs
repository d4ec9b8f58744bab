//! Runs that are stopped, saved, and gone on with.

use super::*;

/// Two pictures and some text in each solution, by a search that fails often.
const SEARCH: &str = "import \"parts/more.nds\";
    var a = chooseElement(range(1, 40));
    var b = chooseElement(range(a, 40));
    var c = chooseElement(range(b, 40));
    if (a * a + b * b != c * c) fail;
    print(a, \" \", b, \" \", c, extra());
    printImage(\"red\");
    debug(\"found\");
";

fn folder() -> Folder {
    Folder::new().with("search.nds", SEARCH).with(
        "parts/more.nds",
        "function extra() { return param(\"end\", \"\"); }",
    )
}

/// The names of the files in a folder.
fn files(folder: &Folder) -> Vec<String> {
    let names = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".png")).collect();
    names.sort();
    names
}

/// What stands on standard error without the lines about stopping and going on.
fn told(err: &str) -> String {
    let about_stopping =
        |line: &str| line.starts_with("stopped after") || line.contains("goes on from here");
    err.lines()
        .filter(|line| !about_stopping(line))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn a_run_in_pieces_is_the_run_in_one_piece() {
    let whole = folder();
    let expected = whole.run(&[
        "search.nds",
        "end=.",
        "--seed",
        "7",
        "--solutions",
        "all",
        "--html",
        "page.html",
    ]);
    assert_eq!(expected.code, 0);

    let folder = folder();
    let limits = ["--max-steps", "4000"];
    let mut arguments = vec![
        "search.nds",
        "end=.",
        "--seed",
        "7",
        "--solutions",
        "all",
        "--save",
        "search.state",
    ];
    arguments.extend(["--html", "page.html"]);
    arguments.extend(limits);
    let mut ended = folder.run(&arguments);
    let (mut out, mut err, mut pieces) = (ended.out.clone(), told(&ended.err), 1);
    // The texts and the folder of the script are needed no more.
    fs::remove_file(folder.path("search.nds")).unwrap();
    fs::remove_dir_all(folder.path("parts")).unwrap();
    while ended.code == 3 {
        assert!(
            ended.err.contains("stopped after 400") && ended.err.contains("--max-steps allows"),
            "{}",
            ended.err
        );
        let hint = "hint: `ndscript resume search.state --html page.html` goes on from here\n";
        assert!(ended.err.ends_with(hint), "{}", ended.err);
        ended = folder.run(&[
            "resume",
            "search.state",
            "--html",
            "page.html",
            "--max-steps",
            "4000",
        ]);
        out.push_str(&ended.out);
        err.push_str(&told(&ended.err));
        pieces += 1;
        assert!(pieces < 100);
    }
    assert!(pieces > 3, "{pieces} pieces");
    assert_eq!((ended.code, out), (0, expected.out));
    // The page is written after each piece, with all that was found so far.
    let without_page = |err: &str| err.replace("wrote page.html\n", "");
    assert_eq!(without_page(&err), without_page(&expected.err));
    assert_eq!(files(&folder), files(&whole));
    assert_eq!(
        fs::read(folder.path("page.html")).unwrap(),
        fs::read(whole.path("page.html")).unwrap()
    );
}

#[cfg(unix)]
#[test]
fn interrupted_and_timed_out_runs_go_on() {
    let script =
        "var n = 0; debug(\"begun\"); while (n < param(\"n\", 0)) n = n + 1; print(\"done \", n);";
    let folder = Folder::new().with("long.nds", script);
    let mut child = folder
        .command(&["long.nds", "n=2000000", "--save", "it.state"])
        .spawn()
        .unwrap();
    let mut begun = [0; 5];
    child
        .stderr
        .as_mut()
        .unwrap()
        .read_exact(&mut begun)
        .unwrap();
    assert!(
        Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(
        err.contains("interrupted") && err.contains("`ndscript resume it.state` goes on from here"),
        "{err}"
    );
    assert!(output.stdout.is_empty());
    let ended = folder.run(&[
        "resume",
        "it.state",
        "--timeout",
        "0.001",
        "--save",
        "other.state",
    ]);
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(
        ended.err.contains("stopped after 0.001 seconds")
            && ended.err.contains("resume other.state")
    );
    let ended = folder.run(&["resume", "other.state", "--stats"]);
    assert_eq!((ended.code, ended.out.as_str()), (0, "done 2000000"));
    let whole = folder.run(&["long.nds", "n=2000000", "--stats"]);
    let steps = |err: &str| {
        err.lines()
            .find(|line| line.starts_with("steps "))
            .unwrap()
            .to_string()
    };
    assert_eq!(steps(&ended.err), steps(&whole.err));
}

#[cfg(unix)]
#[test]
fn a_run_that_waits_for_an_answer_goes_on_with_the_question() {
    let script =
        "print(\"Hello. \"); var name = input(\"Who are you?\"); print(\"Good day, \", name);";
    let folder = Folder::new().with("ask.nds", script);
    let mut child = folder
        .command(&["ask.nds", "--save", "it.state"])
        .spawn()
        .unwrap();
    let mut question = [0; 12];
    child
        .stderr
        .as_mut()
        .unwrap()
        .read_exact(&mut question)
        .unwrap();
    assert!(
        Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let status = wait_for(&mut child);
    assert_eq!(status, 130);
    let ended = folder.run_with_input(&["resume", "it.state"], "Ada\n");
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "Good day, Ada"),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("Who are you?"));
}

/// A state may come from anybody.
#[test]
fn a_state_gives_no_permission() {
    let maker = script("printImage(\"#010203\");");
    maker.run(&["a.nds"]).expect(0, "");
    let tile = fs::read(maker.path("a.png")).unwrap();
    let text = "for (var i = 0; i < 5000; i++) {} printImage(\"red\"); printImage(param(\"tile\", \"red\"));";
    let folder = Folder::new()
        .with("victim.html", "mine")
        .with("victims/a-2.png", "mine")
        .with("victim.png", "mine")
        .with("victim-2.png", "mine")
        .with("secret/hidden.png", &tile)
        .with("victim.nds", text);
    let out = folder.path("victims").to_str().unwrap().to_string();
    let html = folder.path("victim.html").to_str().unwrap().to_string();
    let png = folder.path("victim.png").to_str().unwrap().to_string();
    let begin = |tile: &str, state: &str| {
        let tile = format!("tile={tile}");
        let arguments = [
            "victim.nds",
            &tile,
            "--max-steps",
            "1000",
            "--save",
            state,
            "--out",
            &out,
            "--html",
            &html,
        ];
        let more = ["--png", &png, "--tiles", "secret"];
        folder
            .run(&[&arguments[..], &more[..]].concat())
            .expect(3, "")
            .says("--out")
            .says("--html")
            .says("--tiles secret");
    };
    begin("red", "it.state");
    let ended = folder.run(&["resume", "it.state"]).expect(0, "");
    ended
        .says("wrote it.png\nwrote it-2.png\n")
        .says("`--html FILE` goes on with it");
    for (name, content) in [
        ("victim.html", "mine"),
        ("victims/a-2.png", "mine"),
        ("victim.png", "mine"),
    ] {
        assert_eq!(
            fs::read_to_string(folder.path(name)).unwrap(),
            content,
            "{name}"
        );
    }
    assert_eq!(
        fs::read_to_string(folder.path("victim-2.png")).unwrap(),
        "mine"
    );
    // Tile images are read from folders that the command names.
    begin("hidden", "it.state");
    let ended = folder
        .run(&["resume", "it.state"])
        .expect(2, "")
        .says("there is no file \"hidden.png\" in the folder \".\"");
    ended
        .says("the run had others before")
        .says("secret\"` lets it look there again");
    folder
        .run(&[
            "resume",
            "it.state",
            "--tiles",
            "secret",
            "--html",
            "page.html",
        ])
        .expect(0, "")
        .says("wrote page.html");
}

#[test]
fn more_memory_lets_a_run_go_on() {
    let script = "var a = []; while (sizeOf(a) < 300000) push(a, [sizeOf(a)]); print(sizeOf(a));";
    let folder = Folder::new().with("large.nds", script);
    let ended = folder.run(&["large.nds", "--max-memory", "10M", "--save", "it.state"]);
    assert_eq!(ended.code, 3, "{}", ended.err);
    let ended = folder.run(&["resume", "it.state", "--max-memory", "4M"]);
    assert_eq!(ended.code, 2);
    assert!(
        ended
            .err
            .contains("needs more memory than the limit allows"),
        "{}",
        ended.err
    );
    let ended = folder.run(&["resume", "it.state"]);
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "300000"),
        "{}",
        ended.err
    );
}

#[test]
fn what_is_no_state_is_said_to_be_none() {
    let folder = Folder::new().with("a.nds", "while (true) { var x = 1; }");
    assert_eq!(
        folder
            .run(&["a.nds", "--max-steps", "100", "--save", "it.state"])
            .code,
        3
    );
    let ended = folder.run(&["resume", "a.nds"]);
    assert_eq!(ended.code, 2);
    assert!(
        ended.err.contains("is not the state of a stopped run"),
        "{}",
        ended.err
    );
    assert!(
        folder
            .run(&["resume", "none.state"])
            .err
            .contains("there is no such file")
    );
    let mut state = fs::read(folder.path("it.state")).unwrap();
    let middle = state.len() / 2;
    state[middle] ^= 1;
    fs::write(folder.path("it.state"), &state).unwrap();
    let ended = folder.run(&["resume", "it.state"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("is damaged"), "{}", ended.err);
    // A run that ends by itself leaves no state.
    let folder = Folder::new().with("b.nds", "print(1);");
    assert_eq!(folder.run(&["b.nds", "--save", "it.state"]).code, 0);
    assert!(!folder.path("it.state").exists());
    let deep = "function f(n) { return f(n + 1) + 1; } f(0);";
    let folder = Folder::new().with("deep.nds", deep);
    let ended = folder.run(&["deep.nds", "--save", "it.state"]);
    assert_eq!(ended.code, 3);
    assert!(
        ended
            .err
            .contains("a run cannot go on after this limit, so it was not saved"),
        "{}",
        ended.err
    );
    assert!(!folder.path("it.state").exists());
}

#[test]
fn a_state_that_cannot_be_written_is_an_error_beside_the_limit() {
    let folder = Folder::new().with("a.nds", "while (true) { var x = 1; }");
    let ended = folder.run(&["a.nds", "--max-steps", "100", "--save", "a.nds/it.state"]);
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(
        ended
            .err
            .contains("error: the run is not saved: cannot write"),
        "{}",
        ended.err
    );
    assert!(
        ended
            .err
            .contains("stopped after 101 steps: --max-steps allows 100"),
        "{}",
        ended.err
    );
}

/// Nobody reads what it prints, so it comes to no place where it could be stopped.
#[cfg(unix)]
#[test]
fn what_is_lost_by_ending_at_once_is_told() {
    let folder = Folder::new().with(
        "a.nds",
        "debug(\"go\"); print(repeat(\"x\", 1000000)); choose(1, 2);",
    );
    let interrupt = |child: &Child| {
        assert!(
            Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
    };
    let mut child = folder
        .command(&["a.nds", "--solutions", "all", "--save", "it.state"])
        .spawn()
        .unwrap();
    let mut err = child.stderr.take().unwrap();
    let mut read = |count: usize| {
        let mut bytes = vec![0; count];
        err.read_exact(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    assert_eq!(read(3), "go\n");
    // It fills the pipe soon, and then it waits.
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    let told =
        "still stopping, so that the run can be saved; Ctrl-C once more ends it without that\n";
    assert_eq!(read(told.len()), told);
    interrupt(&child);
    assert_eq!(wait_for(&mut child), 130);
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    assert!(
        rest.contains("so it is not saved") && !folder.path("it.state").exists(),
        "{rest}"
    );
    // Where nothing is to be saved, once is enough.
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
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(wait_for(&mut child), 130);
}
