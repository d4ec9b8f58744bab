//! `ndscript solve` and `ndscript verify`: what solutions a board has, and a proof of it.

use super::*;

/// A latin square of three with the given first row, and what else is said.
fn latin(more: &str) -> String {
    format!(
        "let b = makeGrid(3, 3, setOf(1, 2, 3));
        foreach (i in range(3)) {{
            allDifferent(b, filter(positionsOf(b), p => p.x == i));
            allDifferent(b, filter(positionsOf(b), p => p.y == i));
        }}
        {more}
        decide(b);"
    )
}

const ONE: &str = "b[0, 0] = setOf(1); b[1, 0] = setOf(2); b[0, 1] = setOf(2);";

/// A folder with a program and its proof, and what `solve` has said.
fn proved(program: &str) -> (Folder, Ended) {
    let folder = Folder::new().with("a.nds", program);
    let ended = folder.run(&["solve", "a.nds", "--seed", "5", "--proof", "a.proof"]);
    (folder, ended)
}

#[test]
fn it_says_how_many_solutions_there_are_and_proves_it() {
    // Four pigeons in three holes, two at a time: no rule alone sees it.
    let pigeons = "let b = map(range(4), i => setOf(1, 2, 3));
        foreach (i in range(4)) foreach (j in range(i)) related(b, i, j, (x, y) => x != y);
        decide(b);";
    let cases = [
        (
            latin(""),
            "b has more than one solution",
            0,
            "there is more than one solution",
        ),
        (
            latin(ONE),
            "b has exactly one solution",
            0,
            "there is exactly one solution",
        ),
        (
            pigeons.to_string(),
            "b has no solution",
            1,
            "there is no solution",
        ),
    ];
    for (program, said, code, shown) in cases {
        let (folder, ended) = proved(&program);
        assert_eq!(ended.code, code, "{} {}", ended.out, ended.err);
        assert!(ended.out.starts_with(said), "{}", ended.out);
        let verified = folder.run(&["verify", "a.proof", "a.nds"]);
        assert_eq!(verified.code, 0, "{} {}", verified.out, verified.err);
        assert!(verified.out.contains(shown), "{}", verified.out);
        let head = fs::read_to_string(folder.path("a.proof")).unwrap();
        assert!(
            head.starts_with("ndscript proof 1\nc seed 5\nv 0 | 1\n"),
            "{head}"
        );
    }
}

#[test]
fn a_board_that_fails_before_any_guess_is_proved_too() {
    let (folder, ended) =
        proved("let b = [setOf(1, 2), setOf(1, 2), setOf(1, 2)]; allDifferent(b);");
    assert_eq!(ended.code, 1, "{} {}", ended.out, ended.err);
    assert_eq!(folder.run(&["verify", "a.proof", "a.nds"]).code, 0);
    let (folder, ended) = proved("let b = allDifferent([setOf(1, 2), setOf(1)]);");
    assert!(
        ended.out.contains("exactly one"),
        "{} {}",
        ended.out,
        ended.err
    );
    assert_eq!(folder.run(&["verify", "a.proof", "a.nds"]).code, 0);
}

#[test]
fn a_proof_of_another_board_is_refused() {
    let (folder, _) = proved(&latin(ONE));
    let folder = folder.with(
        "other.nds",
        latin("b[0, 0] = setOf(1); b[1, 0] = setOf(2); b[0, 1] = setOf(3);"),
    );
    let ended = folder.run(&["verify", "a.proof", "other.nds"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    assert!(
        ended
            .out
            .contains("about another board: it has `p 3 1 | (0,1)`"),
        "{}",
        ended.out
    );
}

#[test]
fn a_changed_proof_is_refused() {
    let (folder, _) = proved(&latin(ONE));
    let proof = fs::read_to_string(folder.path("a.proof")).unwrap();
    let solution = proof.lines().find(|line| line.starts_with("s ")).unwrap();
    let changed = [
        proof.replace("end one", "end none"),
        proof.replace(solution, &solution.replacen(" 2", " 0", 1)),
        proof
            .lines()
            .filter(|line| !line.starts_with("e "))
            .map(|line| format!("{line}\n"))
            .collect(),
        proof.replace("\nend one", ""),
    ];
    for proof in changed {
        fs::write(folder.path("a.proof"), proof).unwrap();
        let ended = folder.run(&["verify", "a.proof", "a.nds"]);
        assert_eq!(ended.code, 1, "{} {}", ended.out, ended.err);
        assert!(
            ended.out.starts_with("The proof does not hold: line "),
            "{}",
            ended.out
        );
    }
}

#[test]
fn what_cannot_be_proved_is_said() {
    let function =
        latin("constrain(b, [position(0, 0), position(1, 1)], () => b[0, 0] == b[1, 1]);");
    let (folder, ended) = proved(&function);
    assert_eq!(ended.code, 2);
    assert!(
        ended.err.contains("it is a function of the program"),
        "{}",
        ended.err
    );
    assert!(!folder.path("a.proof").exists());
    let (_, ended) = proved("printLine(\"none\");");
    assert!(
        ended
            .err
            .contains("no variable of the program holds a board"),
        "{}",
        ended.err
    );
    let two = "let a = allDifferent([setOf(1, 2), setOf(1, 2)]), b = allDifferent([setOf(1, 2), setOf(1, 2)]);";
    let (folder, ended) = proved(two);
    assert!(
        ended
            .err
            .contains("there are several boards, in `a` and `b`"),
        "{}",
        ended.err
    );
    let ended = folder.run(&["solve", "a.nds", "--seed", "1", "--board", "b"]);
    assert!(
        ended.out.starts_with("b has more than one solution"),
        "{}",
        ended.err
    );
}

#[test]
fn what_fails_beside_the_constraints_is_said() {
    for fails in ["b[0, 0] = 1; b[1, 0] = 1;", "require(false);"] {
        let (folder, ended) = proved(&latin(fails));
        assert_eq!(ended.code, 2, "{} {}", ended.out, ended.err);
        ended.says("the program fails, although b has");
        assert!(!folder.path("a.proof").exists());
    }
}

#[test]
fn a_count_that_cannot_be_and_a_board_that_is_known_have_proofs() {
    let cases = [
        (
            "let b = makeGrid(2, 2, setOf(1, 2)); exactly(b, 5, 1);",
            1,
            "there is no solution",
        ),
        (
            "let b = [1, 2]; allDifferent(b);",
            0,
            "there is exactly one solution",
        ),
    ];
    for (program, code, shown) in cases {
        let (folder, ended) = proved(program);
        assert_eq!(ended.code, code, "{} {}", ended.out, ended.err);
        let verified = folder.run(&["verify", "a.proof", "a.nds"]);
        assert_eq!(verified.code, 0, "{} {}", verified.out, verified.err);
        assert!(verified.out.contains(shown), "{}", verified.out);
    }
}

#[test]
fn places_that_no_rule_is_about_are_named() {
    let (folder, ended) =
        proved("let b = [setOf(1, 2), setOf(1, 2)]; atLeast(b, 1, 1, [0]); decide(b);");
    let said = "exactly one solution, apart from place 1, which no rule is about";
    assert!(ended.out.contains(said), "{}", ended.out);
    let verified = folder.run(&["verify", "a.proof", "a.nds"]);
    assert!(verified.out.contains(said), "{}", verified.out);
}

#[test]
fn what_holds_after_guesses_is_said_so() {
    let program = |first: &str| format!("let b = [setOf({first}), setOf(1, 2)]; allDifferent(b);");
    let (_, ended) = proved(&program("chooseElement([1, 2])"));
    let said = "exactly one solution, given what the program has guessed before (";
    assert!(ended.out.contains(said), "{}", ended.out);
    let (_, ended) = proved(&program("randomElement([1, 2])"));
    assert!(
        ended.out.contains("exactly one solution ("),
        "{}",
        ended.out
    );
}

#[test]
fn the_puzzle_that_a_program_makes_can_be_asked_for() {
    let program = "let full = decide(allDifferent([setOf(1, 2), setOf(1, 2)]));
        let clues = makeUnique(full);
        let puzzle = allDifferent([setOf(1, 2), setOf(1, 2)]);
        foreach (p in clues) puzzle[p] = full[p];";
    let folder = Folder::new().with("a.nds", program);
    let solved = |board: &str| folder.run(&["solve", "a.nds", "--seed", "5", "--board", board]);
    assert!(solved("full").out.contains("full has more than one"));
    assert!(solved("puzzle").out.contains("puzzle has exactly one"));
}
