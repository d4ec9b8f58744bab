//! `ndscript play` without a terminal, and its transcripts.

use super::*;

const GAME: &str = "let said = []; let roll = randomInt(1, 1000000);
while (sizeOf(said) < 3) {
  printLine(`said ${said}`);
  push(said, ask('Which?', ['red', 'blue', '1', 'stop']));
  if (said[sizeOf(said) - 1] == 'stop') error('stopped');
}
push(said, input('Name? '));
printLine(`${said} ${roll}`);";

fn game() -> Folder {
    Folder::new().with("game.nds", GAME)
}

fn last_line(ended: &Ended) -> &str {
    ended.out.lines().last().unwrap_or_default()
}

#[test]
fn lines_answer_and_commands_go_back() {
    let folder = game();
    let input = "red\nblue\n:moments\n1\n:go 2\n:pick 3\n1\n:back\n:back\nred\nblue\nAnn\n";
    let ended = folder.run_with_input(
        &["play", "game.nds", "--seed", "4", "--record", "game.txt"],
        input,
    );
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        last_line(&ended).starts_with("[\"red\", \"red\", \"blue\", \"Ann\"] "),
        "{}",
        ended.out
    );
    for part in [
        "1. Which? red\n2. Which? blue\n",
        "-- back at moment 2 --",
        "\n  blue\n  1\n",
        "Name? ",
    ] {
        assert!(ended.err.contains(part), "{part:?}: {}", ended.err);
    }
    let recorded = fs::read_to_string(folder.path("game.txt")).unwrap();
    assert_eq!(
        recorded, ":seed 4\nred\nred\nblue\nAnn\n",
        "what was taken back is not in it"
    );
    // The transcript plays the same game, seed included.
    let again = folder.run(&["play", "game.nds", "--answers", "game.txt"]);
    assert_eq!((again.code, last_line(&again)), (0, last_line(&ended)));
    let other = folder.run(&["play", "game.nds", "--answers", "game.txt", "--seed", "5"]);
    assert!(other.code == 0 && last_line(&other) != last_line(&ended));
    // So are parameters, and what the command line says counts first.
    let folder = folder.with("puzzle.txt", " 41\n3\"x\"\n").with(
        "sized.nds",
        "let size = param('size', 1); print(`${size} ${param('puzzle', '')} ${input('?')} ${typeOf(param('level', 1))}`);",
    );
    let options = ["play", "sized.nds", "--seed", "1", "--record", "sized.txt"];
    let given = ["size=6", "puzzle=@puzzle.txt", "level=7"];
    folder
        .run_with_input(&[&options[..], &given].concat(), "yes\n")
        .expect(0, "6  41\n3\"x\"\n yes number");
    let recorded = fs::read_to_string(folder.path("sized.txt")).unwrap();
    let head =
        ":seed 1\n:param size=6\n:param puzzle=\" 41\\n3\\\"x\\\"\\n\"\n:param level=7\nyes\n";
    assert_eq!(recorded, head);
    folder
        .run(&["play", "sized.nds", "--answers", "sized.txt"])
        .expect(0, "6  41\n3\"x\"\n yes number");
    let other = [
        "play",
        "sized.nds",
        "size=7",
        "puzzle=",
        "--answers",
        "sized.txt",
    ];
    folder.run(&other).expect(0, "7  yes number");
    // At the end one may still go back; an empty line leaves.
    let input = "red\nred\nred\nAnn\nmore\n:back\nBob\n\nunread\n";
    let ended = folder.run_with_input(&["play", "game.nds"], input);
    assert!(
        ended.code == 0 && last_line(&ended).contains("\"Bob\""),
        "{}{}",
        ended.out,
        ended.err
    );
}

#[test]
fn transcripts_may_go_back_and_be_continued() {
    let folder = game()
        .with("game.txt", ":seed 9\nred\n::1\n")
        .with("back.txt", "red\nblue\n:back\n1\n:go 1\nblue\n");
    folder
        .run(&["play", "game.nds", "--answers", "game.txt"])
        .says("\"game.txt\", line 3: \":1\" is none of the options");
    let ended = folder.run_with_input(
        &["play", "game.nds", "--answers", "back.txt"],
        "1\n1\n:x\n\n",
    );
    assert!(
        ended.code == 0 && last_line(&ended).starts_with("[\"blue\", \"1\", \"1\", \"\"] "),
        "{}{}",
        ended.out,
        ended.err
    );
    assert!(ended.err.contains("`:x` is not a command"), "{}", ended.err);
}

#[test]
fn wrong_transcripts_are_told_with_their_line() {
    for (text, part) in [
        (
            "red\ngreen\n",
            "line 2: \"green\" is none of the options of \"Which?\": red, blue, 1, stop",
        ),
        ("red\n\n", "line 2: \"\" is none of the options"),
        (":seed x\n", "line 1: `:seed` wants a whole number"),
        (
            ":seed 1\n:param size\n",
            "line 2: `:param` wants NAME=VALUE",
        ),
        (":param size=\"6\n", "line 1: `:param` wants NAME=VALUE"),
        (
            "red\n:param size=6\n",
            "line 2: `:param size=6` is not a command",
        ),
        ("red\n:seed 4\n", "line 2: `:seed 4` is not a command"),
        (":back\n", "line 1: this is the first moment"),
        (
            "red\n:go 3\n",
            "line 2: `:go` wants the number of an earlier moment, from 1 to 1",
        ),
        (
            ":pick 5\n",
            "line 1: `:pick` wants the number of an option, from 1 to 4",
        ),
        (":moments\n", "line 1: this command is for a person"),
        (
            "red\nred\nred\n:pick 1\n",
            "line 4: `:pick` picks an option, but nothing offers options here",
        ),
        (
            "red\nred\nred\nAnn\nEve\n",
            "line 5: the program has ended, but there is one more answer: \"Eve\"",
        ),
        (
            "red\nred\n",
            "the input ended before \"Which?\" was answered",
        ),
        ("red\nstop\n", "stopped"),
    ] {
        let folder = game().with("game.txt", text);
        let ended = folder.run(&[
            "play",
            "game.nds",
            "--answers",
            "game.txt",
            "--record",
            "kept.txt",
        ]);
        assert_eq!(ended.code, 2, "{text:?}: {}", ended.err);
        ended.says(part);
    }
    let folder = game().with("game.txt", "red\nred\nred\nAnn\n\n \n");
    assert_eq!(
        folder
            .run(&["play", "game.nds", "--answers", "game.txt"])
            .code,
        0,
        "blank lines at the end are nothing"
    );
    folder
        .run(&["play", "game.nds", "--answers", "nowhere.txt"])
        .says("cannot read \"nowhere.txt\"");
    #[cfg(unix)]
    {
        assert!(
            Command::new("mkfifo")
                .arg(folder.path("fifo"))
                .status()
                .unwrap()
                .success()
        );
        let ended = folder.run(&["play", "game.nds", "--answers", "fifo"]);
        ended
            .says("cannot read \"fifo\": it is not a regular file")
            .expect_code(2);
    }
    folder
        .run(&["play", "-"])
        .says("the program cannot come from standard input");
}

#[test]
fn games_end_as_programs_do() {
    let folder = Folder::new()
        .with(
            "none.nds",
            "if (ask('?', ['a', 'b']) == 'a') fail; print('found');",
        )
        .with("quiet.nds", "print(6 * 7);")
        .with("wide.nds", "let a = []; while (true) push(a, copy(a));");
    let ended = folder.run_with_input(&["play", "none.nds"], "a\n");
    assert_eq!((ended.code, ended.out.as_str()), (1, ""));
    ended.says("no solution");
    // A dead end is not the end.
    folder
        .run_with_input(&["play", "none.nds"], "a\n:back\nb\n")
        .expect(0, "found");
    folder.run(&["play", "quiet.nds"]).expect(0, "42");
    assert_eq!(
        folder
            .run(&["play", "wide.nds", "--max-memory", "16M"])
            .code,
        3
    );
    assert_eq!(
        folder.run_with_input(&["play", "none.nds"], ":quit\n").code,
        130
    );
    assert_eq!(folder.run(&["play", "nowhere.nds"]).code, 2);
}

/// A game of `examples/`, played by its transcript.
fn example(folder: &str, script: &str, transcript: &str) -> Ended {
    let examples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("examples")
        .join(folder);
    let path = |name: &str| examples.join(name).to_str().unwrap().to_string();
    let (script, transcript) = (path(script), path(transcript));
    let here = Folder::new();
    let ended = here.run(&[
        "play",
        &script,
        "--answers",
        &transcript,
        "--record",
        "again.txt",
    ]);
    let again = fs::read_to_string(here.path("again.txt")).unwrap();
    assert_eq!(
        again,
        fs::read_to_string(&transcript).unwrap(),
        "what was read is what is recorded"
    );
    ended
}

#[test]
fn the_games_replay_their_transcripts() {
    for (folder, script, transcript, last) in [
        (
            "games",
            "guess.nds",
            "transcripts/guess.txt",
            "Yes, it is 1! You needed 6 guesses.\n",
        ),
        (
            "games",
            "rock_paper_scissors.nds",
            "transcripts/rock_paper_scissors.txt",
            "I have won 3. The game is mine!\n",
        ),
        (
            "games",
            "chemist.nds",
            "transcripts/chemist.txt",
            "You go home with 8 lives. You mixed 2 well.\n",
        ),
        (
            "games",
            "minesweeper.nds",
            "transcripts/minesweeper.txt",
            "All mines are found. You have won!\n",
        ),
        (
            "dungeons",
            "play.nds",
            "transcripts/hard8.txt",
            "Solved: all rules are kept.\n",
        ),
    ] {
        let ended = example(folder, script, transcript);
        assert_eq!(ended.code, 0, "{script}: {}", ended.err);
        assert!(ended.out.contains(last), "{script}: {}", ended.out);
    }
}

#[test]
fn examples_refuse_bad_input_with_exit_code_2() {
    let examples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("examples");
    let here = Folder::new();
    for (script, parameter, words) in [
        (
            "dungeons/solve.nds",
            "puzzle= 41\n3#x\n",
            "error: this puzzle is 2 wide and 1 high",
        ),
        (
            "dungeons/make.nds",
            "width=3",
            "error: width and height have to be",
        ),
        (
            "barbershop/barbershop.nds",
            "barbers=none",
            "error: the parameter barbers must be a number, not \"none\"",
        ),
        (
            "tiles/sample.nds",
            "picture=nowhere",
            "there is no file \"nowhere.png\"",
        ),
        (
            "tiles/weights.nds",
            "size=2.5",
            "error: size has to be a whole number",
        ),
        (
            "capture/moves.nds",
            "moves=0 0 right",
            "error: move 1, 0 0 right, matches nothing",
        ),
        (
            "capture/clear.nds",
            "board=yy",
            "error: a board has 8 lines, this one has 1",
        ),
        (
            "witches/make.nds",
            "count=7",
            "error: count has to be a whole number",
        ),
        ("scent/twisty.nds", "x=99", "error: the source at column 99"),
        (
            "people/people.nds",
            "people=3",
            "error: people has to be a whole number",
        ),
        (
            "paths/maze.nds",
            "mud=2",
            "error: loops and mud have to be numbers",
        ),
        (
            "sudoku/sudoku.nds",
            "puzzle=12",
            "error: a puzzle is a text of 81 characters",
        ),
        (
            "queens/queens.nds",
            "n=0",
            "error: n has to be a whole number from 1 to 100",
        ),
        (
            "games/minesweeper.nds",
            "mines=0",
            "error: mines has to be a whole number",
        ),
    ] {
        let path = examples.join(script);
        let ended = here.run(&["run", path.to_str().unwrap(), parameter]);
        assert_eq!(
            (ended.code, ended.out.as_str()),
            (2, ""),
            "{script}: {}",
            ended.err
        );
        ended.says(words);
    }
    assert!(here.files().is_empty(), "no pictures");
}

/// What contradicts itself, in whatever way, has no solution; that is no error.
#[test]
fn puzzles_without_a_solution_end_with_exit_code_1() {
    let examples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("examples");
    let here = Folder::new();
    for (puzzle, words) in [
        (
            " 11\n1..\n2..\n",
            "the clues contradict: the rows have 3 walls, the columns 2.",
        ),
        (
            " 21\n0..\n3..\n",
            "row 1 cannot have the walls that it needs.",
        ),
        (
            " 20\n1x.\n1..\n",
            "column 1 cannot have the walls that it needs.",
        ),
        (
            " 000\n0...\n0...\n0...\n",
            "its clues fit, but no dungeon that keeps all rules does.",
        ),
    ] {
        for script in ["solve.nds", "play.nds"] {
            let path = examples.join("dungeons").join(script);
            let ended = here.run(&["run", path.to_str().unwrap(), &format!("puzzle={puzzle}")]);
            assert_eq!(
                (ended.code, ended.out.as_str()),
                (1, ""),
                "{script} {puzzle}: {}",
                ended.err
            );
            ended.says(&format!("This puzzle has no solution: {words}"));
        }
    }
    assert!(here.files().is_empty(), "no pictures");
}

#[test]
fn the_examples_give_no_cause_for_warnings() {
    let examples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("examples");
    let folders = fs::read_dir(&examples)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| {
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    });
    let scripts = files.filter(|path| path.extension().is_some_and(|extension| extension == "nds"));
    let scripts: Vec<String> = scripts
        .map(|path| path.to_str().unwrap().to_string())
        .collect();
    assert!(scripts.len() > 30, "{scripts:?}");
    // The document's own program chooses its places.
    let (map, scripts): (Vec<&str>, Vec<&str>) = scripts
        .iter()
        .map(String::as_str)
        .partition(|script| script.ends_with("tiles/map.nds"));
    let check = |scripts: &[&str]| {
        Folder::new()
            .run(&[&["check"], scripts].concat())
            .expect(0, "")
            .err
    };
    assert_eq!(check(&scripts), "");
    let doubts = check(&map);
    assert!(doubts.contains("an undecided place is chosen"), "{doubts}");
    assert_eq!(doubts.matches("warning").count(), 1, "{doubts}");
}
