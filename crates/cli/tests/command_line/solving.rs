//! `ndscript explain --solve`: the steps to the solution of a program's boards.

use super::*;

const LATIN: &str = "let b = makeGrid(2, 2, setOf(1, 2));
    b[0, 0] = setOf(1);
    foreach (i in range(2)) {
        allDifferent(b, filter(positionsOf(b), p => p.x == i));
        allDifferent(b, filter(positionsOf(b), p => p.y == i));
    }";

fn explain(program: &str, options: &[&str]) -> Ended {
    let folder = Folder::new().with("puzzle.nds", program);
    folder.run(
        &[
            &["explain", "--solve", "puzzle.nds", "--seed", "1"],
            options,
        ]
        .concat(),
    )
}

#[test]
fn it_tells_the_steps_and_how_hard_they_are() {
    let ended = explain(LATIN, &[]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let lines: Vec<&str> = ended.out.lines().collect();
    assert!(lines[0].contains("column x of row y"), "{}", lines[0]);
    assert_eq!(
        lines[1],
        "1. (0,1) is 2, since column 0 has no value twice, and (0,0) is 1"
    );
    assert_eq!(
        lines[4],
        "Solved. Difficulty 0.6 of 10; steps: 3 from one known place."
    );
    assert_eq!(lines.len(), 5);
}

#[test]
fn plain_steps_are_told_when_they_are_asked_for() {
    let program = "let b = allDifferent([1, setOf(1, 2, 3), setOf(1, 2, 3)]);";
    let few = explain(program, &[]);
    assert!(few.out.starts_with("(Left out: 1 step"), "{}", few.out);
    assert!(few.out.contains("Nothing more follows"), "{}", few.out);
    let all = explain(program, &["--all"]);
    assert!(
        all.out.starts_with("1. place 1 and place 2 are not 1"),
        "{}",
        all.out
    );
}

#[test]
fn games_read_it_as_json() {
    let ended = explain(LATIN, &["--json"]);
    let told: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(told["board"], "b");
    assert_eq!(told["difficulty"]["end"], "solved");
    let first = &told["steps"][0];
    assert_eq!(first["kind"], "direct");
    assert_eq!(first["decided"], serde_json::json!([[[0, 1], 2]]));
    assert_eq!(first["places"], serde_json::json!([[0, 0]]));
}

#[test]
fn a_program_without_a_board_is_told_so() {
    let ended = explain("let a = [1, 2];", &[]);
    assert_eq!(ended.code, 2);
    assert!(
        ended
            .err
            .contains("no variable of the program holds a board"),
        "{}",
        ended.err
    );
    let ended = explain("let a = allDifferent([setOf(1), setOf(1)]);", &[]);
    assert_eq!(ended.code, 1, "{}", ended.err);
}

/// What the gallery says of itself: its puzzles are explained as they stand.
#[test]
fn the_puzzles_of_the_gallery_are_solved_step_by_step() {
    let programs = [
        "nonogram/nonogram.nds",
        "zebra/zebra.nds",
        "dungeons/short.nds",
        "lesson/7_without_a_guess.nds --board puzzle",
        "puzzles/slitherlink.nds --board puzzle width=4 height=4",
        "makers/binairo.nds --board puzzle size=6",
        "makers/bridges.nds --board puzzle size=5 islands=6",
        "makers/fillomino.nds --board puzzle size=4",
        "makers/nonogram.nds --board puzzle size=8",
        "makers/nurikabe.nds --board puzzle size=5",
        "makers/skyscrapers.nds --board puzzle size=4",
        "makers/stars.nds --board puzzle size=6",
    ];
    for program in programs {
        let mut words = program.split(' ');
        let file = words.next().unwrap();
        let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
        let all = ["explain", "--solve", path.as_str(), "--seed", "1"].into_iter();
        let ended = Folder::new().run(&all.chain(words).collect::<Vec<&str>>());
        assert_eq!(ended.code, 0, "{program}: {}", ended.err);
        let last = ended.out.lines().last().unwrap_or_default();
        assert!(last.starts_with("Solved."), "{program}: {last}");
        let by_search = !last.contains("by search");
        assert!(by_search, "{program}: {last}");
    }
}
