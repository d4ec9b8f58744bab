//! `examples/games/menu.nds`: every game of the folder is on the menu, starts from there, and starts by itself.

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;

use ndscript::{Outcome, Question, Run};
use support::example;

const MENU: &str = "What do you want to play?";

/// The next question; `None` at the end of the program.
fn next(run: &mut Run) -> Option<Question> {
    match run.resume(u64::MAX) {
        Outcome::Asked(question) => Some(question),
        Outcome::Solved(_) => None,
        other => panic!("{other:?}"),
    }
}

fn pick(run: &mut Run, question: &Question, option: usize) -> Option<Question> {
    assert!(run.answer(option), "{question:?}");
    next(run)
}

/// The files of games with the names that they offer.
fn offered() -> BTreeSet<(String, String)> {
    let folder = format!("{}/examples/games", env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "nds") {
            let text = std::fs::read_to_string(&path).unwrap();
            let offer = text
                .lines()
                .find_map(|line| line.strip_prefix("offer(\"")?.split('"').next());
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            found.extend(offer.map(|name| (file, name.to_string())));
        }
    }
    found
}

#[test]
fn all_games_are_on_the_menu() {
    let games = offered();
    assert!(games.len() >= 4, "{games:?}");
    let mut run = example("games", "menu.nds").run(1);
    let menu = next(&mut run).unwrap();
    assert_eq!(menu.prompt, MENU);
    assert_eq!(menu.text, "", "nothing starts before it is picked");
    let options = menu.options.clone().unwrap();
    let (leave, starts) = options.split_last().unwrap();
    assert_eq!(leave, "leave");
    let expected: BTreeSet<String> = games
        .iter()
        .map(|(_, name)| format!("Start {name}"))
        .collect();
    assert_eq!(starts.iter().cloned().collect::<BTreeSet<_>>(), expected);
    assert_eq!(starts.len(), expected.len());
    assert!(pick(&mut run, &menu, options.len() - 1).is_none());
}

#[test]
fn games_start_from_the_menu_as_by_themselves() {
    for (file, name) in offered() {
        let by_itself = next(&mut example("games", &file).run(1)).unwrap();
        assert_ne!(by_itself.prompt, MENU, "{file}");
        let mut run = example("games", "menu.nds").run(1);
        let menu = next(&mut run).unwrap();
        let at = menu
            .options
            .as_ref()
            .unwrap()
            .iter()
            .position(|each| *each == format!("Start {name}"))
            .unwrap();
        let started = pick(&mut run, &menu, at).unwrap();
        assert_eq!(started.prompt, by_itself.prompt, "{file}");
        assert_eq!(
            started.text.lines().count(),
            by_itself.text.lines().count(),
            "{file}: {}",
            started.text
        );
    }
}

#[test]
fn after_a_game_the_menu_comes_again() {
    let mut run = example("games", "menu.nds").run(5);
    let mut question = next(&mut run).unwrap();
    for name in [
        "rock, paper, scissors",
        "guess the number",
        "chemist",
        "guess the number",
    ] {
        let at = question
            .options
            .as_ref()
            .unwrap()
            .iter()
            .position(|each| *each == format!("Start {name}"))
            .unwrap();
        question = pick(&mut run, &question, at).unwrap();
        for turn in 0.. {
            let options = question.options.clone().unwrap();
            assert!(
                turn < 200 && question.prompt != MENU,
                "{name} has not ended after {turn} turns"
            );
            // One number after the other is guessed; the chemist goes home.
            let home = options.iter().position(|each| each == "go home");
            let at = home.unwrap_or(turn % options.len());
            question = pick(&mut run, &question, at).unwrap();
            if question.prompt == MENU {
                break;
            }
        }
    }
    let last = question.options.as_ref().unwrap().len() - 1;
    assert!(pick(&mut run, &question, last).is_none());
}
